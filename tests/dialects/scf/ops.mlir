// RUN: %{round-trip}

// The pretty form of every operation of `scf`, in both directions.

// CHECK-LABEL: func.func @for(%{{.*}}: index, %{{.*}}: index, %{{.*}}: index, %{{.*}}: f32, %{{.*}}: i32) {
// CHECK:       scf.for %{{.*}} = %{{.*}} to %{{.*}} step %{{.*}} {
// CHECK:       scf.for %{{.*}} = %{{.*}} to %{{.*}} step %{{.*}} {
// CHECK:       } {test.a}
// CHECK:       scf.for unsigned %{{.*}} = %{{.*}} to %{{.*}} step %{{.*}}  : i32 {
// CHECK:       %{{.*}}:2 = scf.for %{{.*}} = %{{.*}} to %{{.*}} step %{{.*}} iter_args(%{{.*}} = %{{.*}}, %{{.*}} = %{{.*}}) -> (f32, i32)  : i32 {
// CHECK:       scf.yield %{{.*}}, %{{.*}} : f32, i32
func.func @for(%l: index, %u: index, %s: index, %f: f32, %i: i32) {
  scf.for %k = %l to %u step %s {
  }
  scf.for %k = %l to %u step %s {
  } {test.a}
  scf.for unsigned %k = %i to %i step %i : i32 {
  }
  %r:2 = scf.for %k = %i to %i step %i iter_args(%a = %f, %b = %i) -> (f32, i32) : i32 {
    scf.yield %a, %b : f32, i32
  }
  return
}

// CHECK-LABEL: func.func @if(%{{.*}}: i1, %{{.*}}: f32) -> f32 {
// CHECK:       scf.if %{{.*}} {
// CHECK:       scf.if %{{.*}} {
// CHECK:       } else {
// CHECK:       %{{.*}} = scf.if %{{.*}} -> (f32) {
// CHECK:       scf.yield %{{.*}} : f32
// CHECK:       } else {
// CHECK:       scf.yield %{{.*}} : f32
// CHECK:       } {test.a}
// CHECK:       return %{{.*}} : f32
func.func @if(%c: i1, %f: f32) -> f32 {
  scf.if %c {
  }
  scf.if %c {
  } else {
  }
  %q = scf.if %c -> f32 {
    scf.yield %f : f32
  } else {
    scf.yield %f : f32
  } {test.a}
  return %q : f32
}

// CHECK-LABEL: func.func @while(%{{.*}}: i1, %{{.*}}: f32, %{{.*}}: i32) {
// CHECK:       %{{.*}} = scf.while (%{{.*}} = %{{.*}}) : (f32) -> i32 {
// CHECK:       scf.condition(%{{.*}}) %{{.*}} : i32
// CHECK:       } do {
// CHECK:       ^bb0(%{{.*}}: i32):
// CHECK:       scf.yield %{{.*}} : f32
// CHECK:       } attributes {test.a}
// CHECK:       scf.while : () -> () {
// CHECK:       scf.condition(%{{.*}})
// CHECK:       } do {
// CHECK:       scf.yield
func.func @while(%c: i1, %f: f32, %i: i32) {
  %w = scf.while (%x = %f) : (f32) -> i32 {
    scf.condition(%c) %i : i32
  } do {
  ^bb0(%z: i32):
    scf.yield %f : f32
  } attributes {test.a}
  scf.while : () -> () {
    scf.condition(%c)
  } do {
    scf.yield
  }
  return
}

// CHECK-LABEL: func.func @execute_region(%{{.*}}: i32, %{{.*}}: f32) {
// CHECK:       scf.execute_region no_inline {
// CHECK:       scf.yield
// CHECK:       } {test.a}
// CHECK:       %{{.*}}:2 = scf.execute_region -> (i32, f32) {
// CHECK:       cf.br ^bb1
// CHECK:       ^bb1:
// CHECK:       scf.yield %{{.*}}, %{{.*}} : i32, f32
func.func @execute_region(%i: i32, %f: f32) {
  scf.execute_region no_inline {
    scf.yield
  } {test.a}
  %e:2 = scf.execute_region -> (i32, f32) {
    cf.br ^bb1
  ^bb1:
    scf.yield %i, %f : i32, f32
  }
  return
}

// CHECK-LABEL: func.func @forall(%{{.*}}: index, %{{.*}}: tensor<4x8xf32>) {
// CHECK:       %{{.*}} = scf.forall (%{{.*}}, %{{.*}}) in (4, %{{.*}}) shared_outs(%{{.*}} = %{{.*}}) -> (tensor<4x8xf32>) {
// CHECK:       %{{.*}} = tensor.extract_slice %{{.*}}[%{{.*}}, %{{.*}}] [1, 1] [1, 1] : tensor<4x8xf32> to tensor<1x1xf32>
// CHECK:       scf.forall.in_parallel {
// CHECK:       tensor.parallel_insert_slice %{{.*}} into %{{.*}}[%{{.*}}, %{{.*}}] [1, 1] [1, 1] : tensor<1x1xf32> into tensor<4x8xf32>
// CHECK:       } {test.a}
// CHECK:       scf.forall (%{{.*}}, %{{.*}}) = (0, %{{.*}}) to (%{{.*}}, 8) step (1, %{{.*}}) {
func.func @forall(%n: index, %t: tensor<4x8xf32>) {
  %r = scf.forall (%a, %b) in (4, %n) shared_outs(%o = %t) -> (tensor<4x8xf32>) {
    %slice = tensor.extract_slice %o[%a, %b] [1, 1] [1, 1] : tensor<4x8xf32> to tensor<1x1xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %slice into %o[%a, %b] [1, 1] [1, 1] : tensor<1x1xf32> into tensor<4x8xf32>
    }
  } {test.a}
  scf.forall (%a, %b) = (0, %n) to (%n, 8) step (1, %n) {
  }
  return
}

// CHECK-LABEL: func.func @parallel(%{{.*}}: index, %{{.*}}: index, %{{.*}}: index, %{{.*}}: f32) -> f32 {
// CHECK:       scf.parallel (%{{.*}}, %{{.*}}) = (%{{.*}}, %{{.*}}) to (%{{.*}}, %{{.*}}) step (%{{.*}}, %{{.*}}) {
// CHECK:       scf.reduce
// CHECK:       %{{.*}} = scf.parallel (%{{.*}}) = (%{{.*}}) to (%{{.*}}) step (%{{.*}}) init (%{{.*}}) -> f32 {
// CHECK:       scf.reduce(%{{.*}} : f32) {
// CHECK:       ^bb0(%{{.*}}: f32, %{{.*}}: f32):
// CHECK:       %{{.*}} = arith.addf %{{.*}}, %{{.*}} : f32
// CHECK:       scf.reduce.return %{{.*}} : f32
// CHECK:       } {test.a}
// CHECK:       return %{{.*}} : f32
func.func @parallel(%l: index, %u: index, %s: index, %f: f32) -> f32 {
  scf.parallel (%a, %b) = (%l, %l) to (%u, %u) step (%s, %s) {
    scf.reduce
  }
  %p = scf.parallel (%a) = (%l) to (%u) step (%s) init (%f) -> f32 {
    scf.reduce(%f : f32) {
    ^bb0(%x: f32, %y: f32):
      %sum = arith.addf %x, %y : f32
      scf.reduce.return %sum : f32
    }
  } {test.a}
  return %p : f32
}

// CHECK-LABEL: func.func @index_switch(%{{.*}}: index, %{{.*}}: f32) -> f32 {
// CHECK:       scf.index_switch %{{.*}} {test.a}
// CHECK:       case 2 {
// CHECK:       scf.yield
// CHECK:       case -5 {
// CHECK:       scf.yield
// CHECK:       default {
// CHECK:       %{{.*}} = scf.index_switch %{{.*}} -> f32
// CHECK:       default {
// CHECK:       scf.yield %{{.*}} : f32
// CHECK:       return %{{.*}} : f32
func.func @index_switch(%n: index, %f: f32) -> f32 {
  scf.index_switch %n {test.a}
  case 2 {
    scf.yield
  }
  case -5 {
    scf.yield
  }
  default {
  }
  %r = scf.index_switch %n -> f32
  default {
    scf.yield %f : f32
  }
  return %r : f32
}

// Bounds that are constants may be values.
// CHECK-LABEL: func.func @forall_of_constants(
func.func @forall_of_constants(%n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  // CHECK: scf.forall (%{{.*}}, %{{.*}}) in (%{{.*}}, 4) {
  scf.forall (%i, %j) = (%c0, 0) to (%n, 4) step (%c1, 1) {
  }
  // CHECK: scf.forall (%{{.*}}) = (%{{.*}}) to (%{{.*}}) step (%{{.*}}) {
  scf.forall (%i) = (%c1) to (%n) step (%c1) {
  }
  // CHECK: scf.forall (%{{.*}}) = (%{{.*}}) to (%{{.*}}) step (%{{.*}}) {
  scf.forall (%i) = (%c0) to (%n) step (%n) {
  }
  return
}
