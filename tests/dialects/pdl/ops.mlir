// RUN: %{round-trip}

// Every operation and type of `pdl` in its pretty form, in both directions. In a pattern, the name of the dialect is left out.

// CHECK-LABEL: pdl.pattern @everything : benefit(1) {
// CHECK:       %{{.*}} = type
// CHECK:       %{{.*}} = type : i32
// CHECK:       %{{.*}} = types
// CHECK:       %{{.*}} = types : [i32, f32]
// CHECK:       %{{.*}} = attribute
// CHECK:       %{{.*}} = attribute : %{{.*}}
// CHECK:       %{{.*}} = attribute = 1 : i32
// CHECK:       %{{.*}} = operand
// CHECK:       %{{.*}} = operand : %{{.*}}
// CHECK:       %{{.*}} = operands : %{{.*}}
// CHECK:       %{{.*}} = operation "test.a"(%{{.*}}, %{{.*}} : !pdl.value, !pdl.value)  {"one" = %{{.*}}, "other\FF" = %{{.*}}} -> (%{{.*}} : !pdl.type)
// CHECK:       %{{.*}} = result 0 of %{{.*}}
// CHECK:       %{{.*}} = results of %{{.*}}
// CHECK:       %{{.*}} = results 1 of %{{.*}}  -> !pdl.range<value>
// CHECK:       %{{.*}} = operation "test.b"(%{{.*}}, %{{.*}}, %{{.*}}, %{{.*}} : !pdl.value, !pdl.range<value>, !pdl.range<value>, !pdl.range<value>)  {"a" = %{{.*}}} -> (%{{.*}} : !pdl.range<type>)
// CHECK:       apply_native_constraint "isGood"(%{{.*}} : !pdl.operation)
// CHECK:       %{{.*}} = apply_native_constraint "find"(%{{.*}} : !pdl.value) : !pdl.attribute {isNegated = true}
// CHECK:       rewrite %{{.*}} {
// CHECK:       %{{.*}} = operation "test.c"(%{{.*}} : !pdl.value)  {"made" = %{{.*}}} -> (%{{.*}} : !pdl.type)
// CHECK:       %{{.*}} = result 0 of %{{.*}}
// CHECK:       %{{.*}} = range %{{.*}}, %{{.*}} : !pdl.value, !pdl.range<value>
// CHECK:       %{{.*}} = range : !pdl.range<type>
// CHECK:       %{{.*}} = apply_native_rewrite "make"(%{{.*}} : !pdl.operation) : !pdl.value
// CHECK:       replace %{{.*}} with(%{{.*}} : !pdl.range<value>)
// CHECK:       replace %{{.*}} with %{{.*}}
// CHECK:       erase %{{.*}}
pdl.pattern @everything : benefit(1) {
  %t = pdl.type
  %i = pdl.type : i32
  %ts = pdl.types
  %is = pdl.types : [i32, f32]
  %a = pdl.attribute
  %at = pdl.attribute : %t
  %one = pdl.attribute = 1 : i32
  %x = pdl.operand
  %xt = pdl.operand : %i
  %xs = pdl.operands : %ts
  %0 = pdl.operation "test.a"(%x, %xt : !pdl.value, !pdl.value) {"one" = %one, "other\FF" = %a} -> (%t : !pdl.type)
  %1 = pdl.result 0 of %0
  %2 = pdl.results of %0
  %3 = pdl.results 1 of %0 -> !pdl.range<value>
  %4 = pdl.operation "test.b"(%1, %xs, %2, %3 : !pdl.value, !pdl.range<value>, !pdl.range<value>, !pdl.range<value>) {"a" = %at} -> (%is : !pdl.range<type>)
  pdl.apply_native_constraint "isGood"(%4 : !pdl.operation)
  %5 = pdl.apply_native_constraint "find"(%x : !pdl.value) : !pdl.attribute {isNegated = true}
  pdl.rewrite %4 {
    %6 = pdl.operation "test.c"(%x : !pdl.value) {"made" = %5} -> (%i : !pdl.type)
    %7 = pdl.result 0 of %6
    %8 = pdl.range %7, %xs : !pdl.value, !pdl.range<value>
    %9 = pdl.range : !pdl.range<type>
    %10 = pdl.apply_native_rewrite "make"(%6 : !pdl.operation) : !pdl.value
    pdl.replace %4 with (%8 : !pdl.range<value>)
    pdl.replace %0 with %6
    pdl.erase %6
  }
}

// CHECK:       pdl.pattern : benefit(0) attributes {test.a} {
// CHECK:       %{{.*}} = operation
// CHECK:       %{{.*}} = attribute = "external" attributes {test.b}
// CHECK:       rewrite %{{.*}} with "rewriter"(%{{.*}} : !pdl.attribute)
pdl.pattern : benefit(0) attributes {test.a} {
  %0 = pdl.operation
  %1 = pdl.attribute = "external" attributes {test.b}
  pdl.rewrite %0 with "rewriter"(%1 : !pdl.attribute)
}

// The region of a rewrite with a name may be written, and is none.
// CHECK-LABEL: pdl.pattern @without_region : benefit(1) {
// CHECK:       rewrite %{{.*}} with "rewriter"{{$}}
pdl.pattern @without_region : benefit(1) {
  %0 = pdl.operation
  pdl.rewrite %0 with "rewriter" {
  }
}

// CHECK-LABEL: func.func private @types(!pdl.attribute, !pdl.range<attribute>, !pdl.range<operation>, !pdl.range<type>, !pdl.range<value>)
func.func private @types(!pdl.attribute, !pdl.range<attribute>, !pdl.range<operation>, !pdl.range<type>, !pdl.range<value>)
