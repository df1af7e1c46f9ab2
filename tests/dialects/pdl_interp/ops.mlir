// RUN: %{round-trip}

// Every operation of `pdl_interp` in its pretty form, in both directions.

// CHECK-LABEL: pdl_interp.func @matcher(%{{.*}}: !pdl.operation) attributes {test.a} {
// CHECK:       %{{.*}} = pdl_interp.get_operand 0 of %{{.*}}
// CHECK:       pdl_interp.is_not_null %{{.*}} : !pdl.value -> ^bb1, ^bb18
pdl_interp.func @matcher(%root: !pdl.operation) attributes {test.a} {
  %x = pdl_interp.get_operand 0 of %root
  pdl_interp.is_not_null %x : !pdl.value -> ^bb1, ^end
// CHECK:       ^bb1:  // pred: ^bb0
// CHECK:       %{{.*}} = pdl_interp.get_operands of %{{.*}} : !pdl.range<value>
// CHECK:       %{{.*}} = pdl_interp.get_operands 1 of %{{.*}} : !pdl.value
// CHECK:       %{{.*}} = pdl_interp.get_result 0 of %{{.*}}
// CHECK:       %{{.*}} = pdl_interp.get_results of %{{.*}} : !pdl.range<value>
// CHECK:       %{{.*}} = pdl_interp.get_attribute "a" of %{{.*}}
// CHECK:       %{{.*}} = pdl_interp.get_attribute_type of %{{.*}}
// CHECK:       %{{.*}} = pdl_interp.get_value_type of %{{.*}} : !pdl.type
// CHECK:       %{{.*}} = pdl_interp.get_value_type of %{{.*}} : !pdl.range<type>
// CHECK:       %{{.*}} = pdl_interp.get_defining_op of %{{.*}} : !pdl.range<value>
// CHECK:       %{{.*}} = pdl_interp.get_users of %{{.*}} : !pdl.value
// CHECK:       %{{.*}} = pdl_interp.extract 0 of %{{.*}} : !pdl.operation
// CHECK:       pdl_interp.are_equal %{{.*}}, %{{.*}} : !pdl.type -> ^bb2, ^bb18
^bb1:
  %xs = pdl_interp.get_operands of %root : !pdl.range<value>
  %ys = pdl_interp.get_operands 1 of %root : !pdl.value
  %r = pdl_interp.get_result 0 of %root
  %rs = pdl_interp.get_results of %root : !pdl.range<value>
  %a = pdl_interp.get_attribute "a" of %root
  %at = pdl_interp.get_attribute_type of %a
  %t = pdl_interp.get_value_type of %x : !pdl.type
  %ts = pdl_interp.get_value_type of %xs : !pdl.range<type>
  %d = pdl_interp.get_defining_op of %xs : !pdl.range<value>
  %u = pdl_interp.get_users of %r : !pdl.value
  %first = pdl_interp.extract 0 of %u : !pdl.operation
  pdl_interp.are_equal %t, %at : !pdl.type -> ^bb2, ^end
// CHECK:       ^bb2:  // pred: ^bb1
// CHECK:       pdl_interp.check_attribute %{{.*}} is 10 : i32 -> ^bb3, ^bb18
^bb2:
  pdl_interp.check_attribute %a is 10 : i32 -> ^bb3, ^end
// CHECK:       ^bb3:  // pred: ^bb2
// CHECK:       pdl_interp.check_operand_count of %{{.*}} is at_least 1 -> ^bb4, ^bb18
^bb3:
  pdl_interp.check_operand_count of %root is at_least 1 -> ^bb4, ^end
// CHECK:       ^bb4:  // pred: ^bb3
// CHECK:       pdl_interp.check_operation_name of %{{.*}} is "test.a" -> ^bb5, ^bb18
^bb4:
  pdl_interp.check_operation_name of %root is "test.a" -> ^bb5, ^end
// CHECK:       ^bb5:  // pred: ^bb4
// CHECK:       pdl_interp.check_result_count of %{{.*}} is 2 -> ^bb6, ^bb18
^bb5:
  pdl_interp.check_result_count of %root is 2 -> ^bb6, ^end
// CHECK:       ^bb6:  // pred: ^bb5
// CHECK:       pdl_interp.check_type %{{.*}} is i32 -> ^bb7, ^bb18
^bb6:
  pdl_interp.check_type %t is i32 -> ^bb7, ^end
// CHECK:       ^bb7:  // pred: ^bb6
// CHECK:       pdl_interp.check_types %{{.*}} are [i32, f32] -> ^bb8, ^bb18
^bb7:
  pdl_interp.check_types %ts are [i32, f32] -> ^bb8, ^end
// CHECK:       ^bb8:  // pred: ^bb7
// CHECK:       %{{.*}} = pdl_interp.apply_constraint "isGood"(%{{.*}} : !pdl.value) : !pdl.attribute {isNegated = true} -> ^bb9, ^bb18
^bb8:
  %c = pdl_interp.apply_constraint "isGood"(%x : !pdl.value) : !pdl.attribute {isNegated = true} -> ^bb9, ^end
// CHECK:       ^bb9:  // pred: ^bb8
// CHECK:       pdl_interp.switch_attribute %{{.*}} to [1 : i32, "two"](^bb10, ^bb11) -> ^bb18
^bb9:
  pdl_interp.switch_attribute %a to [1 : i32, "two"](^bb10, ^bb11) -> ^end
// CHECK:       ^bb10:  // pred: ^bb9
// CHECK:       pdl_interp.switch_operand_count of %{{.*}} to dense<[1, 2]> : vector<2xi32>(^bb11, ^bb12) -> ^bb18
^bb10:
  pdl_interp.switch_operand_count of %root to dense<[1, 2]> : vector<2xi32>(^bb11, ^bb12) -> ^end
// CHECK:       ^bb11:  // 2 preds: ^bb9, ^bb10
// CHECK:       pdl_interp.switch_operation_name of %{{.*}} to ["test.a"](^bb12) -> ^bb18
^bb11:
  pdl_interp.switch_operation_name of %root to ["test.a"](^bb12) -> ^end
// CHECK:       ^bb12:  // 2 preds: ^bb10, ^bb11
// CHECK:       pdl_interp.switch_result_count of %{{.*}} to dense<1> : vector<1xi32>(^bb13) -> ^bb18
^bb12:
  pdl_interp.switch_result_count of %root to dense<1> : vector<1xi32>(^bb13) -> ^end
// CHECK:       ^bb13:  // pred: ^bb12
// CHECK:       pdl_interp.switch_type %{{.*}} to [i32](^bb14) -> ^bb18
^bb13:
  pdl_interp.switch_type %t to [i32](^bb14) -> ^end
// CHECK:       ^bb14:  // pred: ^bb13
// CHECK:       pdl_interp.switch_types %{{.*}} to {{\[}}{{\[}}i32], [f32, f32]](^bb15, ^bb16) -> ^bb18
^bb14:
  pdl_interp.switch_types %ts to [[i32], [f32, f32]](^bb15, ^bb16) -> ^end
// CHECK:       ^bb15:  // pred: ^bb14
// CHECK:       pdl_interp.foreach %{{.*}} : !pdl.operation in %{{.*}} {
// CHECK:       pdl_interp.continue
// CHECK:       } -> ^bb16
^bb15:
  pdl_interp.foreach %op : !pdl.operation in %u {
    pdl_interp.continue
  } -> ^bb16
// CHECK:       ^bb16:  // 2 preds: ^bb14, ^bb15
// CHECK:       pdl_interp.record_match @rewriters::@rewriter(%{{.*}}, %{{.*}} : !pdl.operation, !pdl.value) : benefit(1), generatedOps(["test.b"]), loc([%{{.*}}]), root("test.a") -> ^bb17
^bb16:
  pdl_interp.record_match @rewriters::@rewriter(%root, %x : !pdl.operation, !pdl.value) : benefit(1), generatedOps(["test.b"]), loc([%root]), root("test.a") -> ^bb17
// CHECK:       ^bb17:  // pred: ^bb16
// CHECK:       pdl_interp.branch ^bb18
^bb17:
  pdl_interp.branch ^end
// CHECK:       ^bb18:  // 16 preds: ^bb0, ^bb1, ^bb2, ^bb3, ^bb4, ^bb5, ^bb6, ^bb7, ^bb8, ^bb9, ^bb10, ^bb11, ^bb12, ^bb13, ^bb14, ^bb17
// CHECK:       pdl_interp.finalize
^end:
  pdl_interp.finalize
}

// CHECK-LABEL: pdl_interp.func private @rewriter(%{{.*}}: !pdl.operation, %{{.*}}: !pdl.value) {
// CHECK:       %{{.*}} = pdl_interp.create_attribute 10 : i32
// CHECK:       %{{.*}} = pdl_interp.create_type i32
// CHECK:       %{{.*}} = pdl_interp.create_types [i32, f32]
// CHECK:       %{{.*}} = pdl_interp.create_operation "test.b"(%{{.*}} : !pdl.value) {"a" = %{{.*}}}  -> (%{{.*}}, %{{.*}} : !pdl.type, !pdl.range<type>)
// CHECK:       %{{.*}} = pdl_interp.create_operation "arith.constant"  -> <inferred>
// CHECK:       %{{.*}} = pdl_interp.create_operation "test.c"
// CHECK:       %{{.*}} = pdl_interp.create_range %{{.*}}, %{{.*}} : !pdl.value, !pdl.value
// CHECK:       %{{.*}} = pdl_interp.create_range : !pdl.range<type>
// CHECK:       %{{.*}} = pdl_interp.apply_rewrite "make"(%{{.*}} : !pdl.value) : !pdl.value
// CHECK:       pdl_interp.replace %{{.*}} with (%{{.*}} : !pdl.range<value>)
// CHECK:       pdl_interp.replace %{{.*}} with ()
// CHECK:       pdl_interp.erase %{{.*}}
// CHECK:       pdl_interp.finalize
pdl_interp.func private @rewriter(%root: !pdl.operation, %x: !pdl.value) {
  %0 = pdl_interp.create_attribute 10 : i32
  %1 = pdl_interp.create_type i32
  %2 = pdl_interp.create_types [i32, f32]
  %3 = pdl_interp.create_operation "test.b"(%x : !pdl.value) {"a" = %0} -> (%1, %2 : !pdl.type, !pdl.range<type>)
  %4 = pdl_interp.create_operation "arith.constant" -> <inferred>
  %5 = pdl_interp.create_operation "test.c"
  %6 = pdl_interp.create_range %x, %x : !pdl.value, !pdl.value
  %7 = pdl_interp.create_range : !pdl.range<type>
  %8 = pdl_interp.apply_rewrite "make"(%x : !pdl.value) : !pdl.value
  pdl_interp.replace %root with (%6 : !pdl.range<value>)
  pdl_interp.replace %root with ()
  pdl_interp.erase %5
  pdl_interp.finalize
}

// Loads the dialect whose constants infer their types.
// CHECK-LABEL: func.func private @loads() -> i1 {
// CHECK:       %{{.*}} = arith.constant true
// CHECK:       return %{{.*}} : i1
func.func private @loads() -> i1 {
  %0 = arith.constant true
  return %0 : i1
}
