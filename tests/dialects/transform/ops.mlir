// RUN: %{round-trip}

// Operations of `transform` with pretty forms of their own, from the dialect and its extensions, in both directions.

// CHECK:       module attributes {transform.with_named_sequence} {
// CHECK:       transform.named_sequence @match(%{{.*}}: !transform.any_op {transform.readonly}) -> !transform.any_op {
// CHECK:       transform.yield %{{.*}} : !transform.any_op
// CHECK:       transform.named_sequence private @action(!transform.any_op {transform.readonly})
// CHECK:       transform.named_sequence @__transform_main(%{{.*}}: !transform.any_op, %{{.*}}: !transform.any_value, %{{.*}}: !transform.param<i64>, %{{.*}}: !transform.any_param, %{{.*}}: !transform.type) {
// CHECK:       %{{.*}} = transform.foreach_match in %{{.*}}
// CHECK:       @match -> @action : (!transform.any_op) -> !transform.any_op
// CHECK:       %{{.*}} = transform.structured.match ops{["linalg.matmul", "linalg.fill"]} interface{LinalgOp} attributes {a = 1 : i32} in %{{.*}} : (!transform.any_op) -> !transform.any_op
// CHECK:       %{{.*}}, %{{.*}}:3 = transform.structured.tile_using_for %{{.*}} tile_sizes [4, [8], %{{.*}}] interchange = [1, 0, 2] : (!transform.any_op, !transform.param<i64>) -> (!transform.any_op, !transform.any_op, !transform.any_op, !transform.any_op)
// CHECK:       %{{.*}}, %{{.*}} = transform.structured.tile_using_forall %{{.*}} tile_sizes [%{{.*}}, 3](mapping = [#gpu.block<x>]) : (!transform.any_op, !transform.param<i64>) -> (!transform.any_op, !transform.any_op)
// CHECK:       %{{.*}} = transform.param.constant 1 : i64 -> !transform.param<i64>
// CHECK:       %{{.*}} = transform.structured.generalize %{{.*}} : (!transform.any_op) -> !transform.any_op
// CHECK:       %{{.*}} = transform.apply_registered_pass "canonicalize" with options = {"a" = [1 : i64, %{{.*}}], "b" = %{{.*}}, "top-down" = false} to %{{.*}} : (!transform.any_op, !transform.param<i64>, !transform.param<i64>) -> !transform.any_op
// CHECK:       transform.tune.alternatives<"x"> selected_region = 0 {
// CHECK:       }, {
// CHECK:       %{{.*}} = transform.tune.knob<"y"> = 3 : i64 from options = [1, 3] -> !transform.any_param
// CHECK:       transform.print %{{.*}} {name = "a"} : !transform.any_op
// CHECK:       transform.print
// CHECK:       transform.yield
module attributes {transform.with_named_sequence} {
  transform.named_sequence @match(%a: !transform.any_op {transform.readonly}) -> !transform.any_op {
    transform.yield %a : !transform.any_op
  }
  transform.named_sequence private @action(%a: !transform.any_op {transform.readonly})
  transform.named_sequence @__transform_main(%root: !transform.any_op, %v: !transform.any_value, %p: !transform.param<i64>, %any: !transform.any_param, %t: !transform.type) {
    %0 = transform.foreach_match in %root @match -> @action : (!transform.any_op) -> !transform.any_op
    %1 = transform.structured.match ops{["linalg.matmul", "linalg.fill"]} interface{LinalgOp} attributes {a = 1 : i32} in %0 : (!transform.any_op) -> !transform.any_op
    %2, %l:3 = transform.structured.tile_using_for %1 tile_sizes [4, [8], %p] interchange = [1, 0, 2] : (!transform.any_op, !transform.param<i64>) -> (!transform.any_op, !transform.any_op, !transform.any_op, !transform.any_op)
    %3, %f = transform.structured.tile_using_forall %2 tile_sizes [%p, 3] (mapping = [#gpu.block<x>]) : (!transform.any_op, !transform.param<i64>) -> (!transform.any_op, !transform.any_op)
    %c = transform.param.constant 1 : i64 -> !transform.param<i64>
    %4 = transform.structured.generalize %3 : (!transform.any_op) -> !transform.any_op
    %z = transform.apply_registered_pass "canonicalize" with options = { "top-down" = false, a = [1 : i64, %p], b = %p } to %4 : (!transform.any_op, !transform.param<i64>, !transform.param<i64>) -> !transform.any_op
    transform.tune.alternatives<"x"> selected_region = 0 {
      transform.yield
    }, {
      transform.yield
    }
    %k = transform.tune.knob<"y"> = 3 from options = [1, 3] -> !transform.any_param
    transform.print %z {name = "a"} : !transform.any_op
    transform.print
    transform.yield
  }
}

// CHECK:       transform.sequence  failures(propagate) {
transform.sequence failures(propagate) {
// CHECK:       ^bb0(%{{.*}}: !transform.any_op):
// CHECK:       transform.match.structured failures(suppress) %{{.*}} : !transform.any_op {
// CHECK:       ^bb0(%{{.*}}: !transform.any_op):
// CHECK:       transform.match.structured.dim %{{.*}}[all] {parallel} : !transform.any_op
// CHECK:       transform.match.structured.dim %{{.*}}[except(-1, 2)] {parallel} : !transform.any_op
// CHECK:       %{{.*}} = transform.match.structured.rank %{{.*}} : (!transform.any_op) -> !transform.param<i64>
// CHECK:       apply_patterns to %{{.*}} {
// CHECK:       transform.apply_patterns.canonicalization
// CHECK:       transform.apply_patterns.vector.lower_contraction
// CHECK:       } {apply_cse} : !transform.any_op
// CHECK:       foreach %{{.*}} : !transform.any_op {
// CHECK:       ^bb0(%{{.*}}: !transform.any_op):
// CHECK:       alternatives %{{.*}} : !transform.any_op {
// CHECK:       ^bb0(%{{.*}}: !transform.any_op):
^bb0(%root: !transform.any_op):
  transform.match.structured failures(suppress) %root : !transform.any_op {
  ^bb1(%o: !transform.any_op):
    transform.match.structured.dim %o[all] {parallel} : !transform.any_op
    transform.match.structured.dim %o[except(-1, 2)] {parallel} : !transform.any_op
    %q = transform.match.structured.rank %o : (!transform.any_op) -> !transform.param<i64>
    transform.match.structured.yield
  }
  transform.apply_patterns to %root {
    transform.apply_patterns.canonicalization
    transform.apply_patterns.vector.lower_contraction lowering_strategy = "outerproduct"
  } {apply_cse} : !transform.any_op
  transform.foreach %root : !transform.any_op {
  ^bb1(%o: !transform.any_op):
    transform.yield
  }
  transform.alternatives %root : !transform.any_op {
  ^bb1(%o: !transform.any_op):
    transform.yield
  }
}

// CHECK:       transform.sequence  failures(propagate) {
transform.sequence failures(propagate) {
// CHECK:       ^bb0(%{{.*}}: !transform.any_op):
// CHECK:       %{{.*}} = cast %{{.*}} : !transform.any_op to !transform.op<"memref.alloc">
// CHECK:       %{{.*}} = transform.memref.multibuffer %{{.*}} {factor = 2 : i64} : (!transform.op<"memref.alloc">) -> !transform.any_op
^bb0(%root: !transform.any_op):
  %a = transform.cast %root : !transform.any_op to !transform.op<"memref.alloc">
  %m = transform.memref.multibuffer %a {factor = 2 : i64} : (!transform.op<"memref.alloc">) -> !transform.any_op
}

// Patterns without a type converter, and a sequence that is defined elsewhere.
// CHECK:       module attributes {transform.with_named_sequence} {
module attributes {transform.with_named_sequence} {
  // CHECK:       transform.named_sequence @elsewhere(!transform.any_op {transform.readonly})
  transform.named_sequence @elsewhere(%a: !transform.any_op {transform.readonly})
  transform.named_sequence @patterns(%a: !transform.any_op {transform.consumed}) {
    // CHECK:       transform.apply_conversion_patterns to %{{.*}} {
    // CHECK-NEXT:  transform.apply_conversion_patterns.dialect_to_llvm "memref"
    // CHECK-NEXT:  } : !transform.any_op
    transform.apply_conversion_patterns to %a {
      transform.apply_conversion_patterns.dialect_to_llvm "memref"
    } : !transform.any_op
    transform.yield
  }
}

// Alternatives give what each of them yields.
// CHECK:       %{{.*}} = alternatives %{{.*}} : !transform.any_op -> !transform.any_op {
transform.sequence failures(propagate) {
^bb0(%root: !transform.any_op):
  %0 = transform.alternatives %root : !transform.any_op -> !transform.any_op {
  ^bb1(%scope: !transform.any_op):
    transform.yield %scope : !transform.any_op
  }, {
  ^bb1(%scope: !transform.any_op):
    transform.yield %scope : !transform.any_op
  }
}

// Sizes that are none are not printed.
// CHECK-LABEL: transform.named_sequence @no_sizes
// CHECK:       transform.structured.vectorize %{{.*}} : !transform.any_op
module attributes {transform.with_named_sequence} {
  transform.named_sequence @no_sizes(%a: !transform.any_op) {
    transform.structured.vectorize %a vector_sizes [] : !transform.any_op
    transform.yield
  }
}
