// RUN: %{round-trip}

// The pretty form of every operation of `irdl`, in both directions.

// CHECK-LABEL: irdl.dialect @shapes attributes {test.a} {
// CHECK:       irdl.type @empty
// CHECK:       irdl.type @tagged attributes {test.b}
// CHECK:       irdl.type @box {
// CHECK:       %{{.*}} = irdl.is f32
// CHECK:       %{{.*}} = irdl.is "word"  {test.c}
// CHECK:       %{{.*}} = irdl.any_of(%{{.*}}, %{{.*}})
// CHECK:       %{{.*}} = irdl.any {test.d}
// CHECK:       %{{.*}} = irdl.all_of(%{{.*}}, %{{.*}})  {test.e}
// CHECK:       irdl.parameters(item: %{{.*}}, rest: %{{.*}})
// CHECK:       irdl.attribute @pair {
// CHECK:       %{{.*}} = irdl.base "!builtin.integer"
// CHECK:       %{{.*}} = irdl.base @shapes::@box  {test.f}
// CHECK:       %{{.*}} = irdl.c_pred "::isGood($_self)"
// CHECK:       irdl.parameters(left: %{{.*}}, right: %{{.*}}, good: %{{.*}}) {test.g}
// CHECK:       irdl.attribute @none {
// CHECK:       irdl.parameters()
irdl.dialect @shapes attributes {test.a} {
  irdl.type @empty
  irdl.type @tagged attributes {test.b} {
  }
  irdl.type @box {
    %0 = irdl.is f32
    %1 = irdl.is "word" {test.c}
    %2 = irdl.any_of(%0, %1)
    %3 = irdl.any {test.d}
    %4 = irdl.all_of(%2, %3) {test.e}
    irdl.parameters(item: %4, rest: %3)
  }
  irdl.attribute @pair {
    %0 = irdl.base "!builtin.integer"
    %1 = irdl.base @shapes::@box {test.f}
    %2 = irdl.c_pred "::isGood($_self)"
    irdl.parameters(left: %0, right: %1, good: %2) {test.g}
  }
  irdl.attribute @none {
    irdl.parameters()
  }
}

// CHECK-LABEL: irdl.dialect @ops {
// CHECK:       irdl.operation @values {
// CHECK:       %{{.*}} = irdl.is i32
// CHECK:       %{{.*}} = irdl.parametric @shapes::@box<%{{.*}}, %{{.*}}>
// CHECK:       irdl.operands(one: %{{.*}}, same: %{{.*}}, maybe: optional %{{.*}}, more: variadic %{{.*}})
// CHECK:       irdl.results(out: %{{.*}}, outs: variadic %{{.*}}) {test.a}
// CHECK:       irdl.operation @no_values {
// CHECK:       irdl.operands()
// CHECK:       irdl.results()
// CHECK:       irdl.operation @attrs {
// CHECK:       %{{.*}} = irdl.any
// CHECK:       irdl.attributes {"first" = %{{.*}}, "second" = %{{.*}}} {test.a}
// CHECK:       irdl.operation @no_attrs {
// CHECK:       irdl.attributes
// CHECK:       irdl.operation @regions {
// CHECK:       %{{.*}} = irdl.is index
// CHECK:       %{{.*}} = irdl.region
// CHECK:       %{{.*}} = irdl.region()
// CHECK:       %{{.*}} = irdl.region(%{{.*}}, %{{.*}})
// CHECK:       %{{.*}} = irdl.region(%{{.*}}) with size 3
// CHECK:       %{{.*}} = irdl.region with size 1 {test.a}
// CHECK:       irdl.regions(any: %{{.*}}, none: %{{.*}}, two: %{{.*}}, three: %{{.*}}, one: %{{.*}})
irdl.dialect @ops {
  irdl.operation @values {
    %0 = irdl.is i32
    %1 = irdl.parametric @shapes::@box<%0, %0>
    irdl.operands(one: %0, same: single %0, maybe: optional %1, more: variadic %0)
    irdl.results(out: %1, outs: variadic %1) {test.a}
  }
  irdl.operation @no_values {
    irdl.operands()
    irdl.results()
  }
  irdl.operation @attrs {
    %0 = irdl.any
    irdl.attributes {"first" = %0, "second" = %0} {test.a}
  }
  irdl.operation @no_attrs {
    irdl.attributes
  }
  irdl.operation @regions {
    %0 = irdl.is index
    %1 = irdl.region
    %2 = irdl.region()
    %3 = irdl.region(%0, %0)
    %4 = irdl.region(%0) with size 3
    %5 = irdl.region with size 1 {test.a}
    irdl.regions(any: %1, none: %2, two: %3, three: %4, one: %5)
  }
}

// CHECK-LABEL: irdl.dialect @nothing
irdl.dialect @nothing {
}
