// RUN: %{round-trip}

// The pretty form of every operation of `cf`, in both directions.

// CHECK-LABEL: func.func @branches(%{{.*}}: i1, %{{.*}}: f32, %{{.*}}: f32) {
// CHECK:       cf.cond_br %{{.*}}, ^bb1(%{{.*}}, %{{.*}} : f32, f32), ^bb2
// CHECK:       ^bb1(%{{.*}}: f32, %{{.*}}: f32):
// CHECK:       cf.br ^bb3(%{{.*}} : f32)
// CHECK:       ^bb2:
// CHECK:       cf.cond_br %{{.*}} weights([1, 2]), ^bb1(%{{.*}}, %{{.*}} : f32, f32), ^bb3(%{{.*}} : f32) {test.a}
// CHECK:       ^bb3(%{{.*}}: f32):
func.func @branches(%c: i1, %x: f32, %y: f32) {
  cf.cond_br %c, ^bb1(%x, %y : f32, f32), ^bb2
^bb1(%a: f32, %b: f32):
  cf.br ^bb3(%a : f32)
^bb2:
  cf.cond_br %c weights([1, 2]), ^bb1(%y, %x : f32, f32), ^bb3(%x : f32) {test.a}
^bb3(%d: f32):
  return
}

// CHECK-LABEL: func.func @no_weights(
// CHECK:       cf.cond_br %{{.*}} weights([]), ^bb1, ^bb1
func.func @no_weights(%c: i1) {
  cf.cond_br %c weights([]), ^bb1, ^bb1
^bb1:
  return
}

// CHECK-LABEL: func.func @assert(%{{.*}}: i1) {
// CHECK:       cf.assert %{{.*}}, "a message" {test.a}
func.func @assert(%c: i1) {
  cf.assert %c, "a message" {test.a}
  return
}

// CHECK-LABEL: func.func @switch(%{{.*}}: i32, %{{.*}}: f32) {
// CHECK:       cf.switch %{{.*}} : i32, [
// CHECK:       default: ^bb1,
// CHECK:       4294967295: ^bb2(%{{.*}} : f32),
// CHECK:       42: ^bb1
// CHECK:       ] {test.a}
// CHECK:       ^bb1:
// CHECK:       cf.switch %{{.*}} : i32, [
// CHECK:       default: ^bb2(%{{.*}} : f32)]
// CHECK:       ^bb2(%{{.*}}: f32):
func.func @switch(%f: i32, %x: f32) {
  cf.switch %f : i32, [
    default: ^bb1,
    -1: ^bb2(%x : f32),
    42: ^bb1
  ] {test.a}
^bb1:
  cf.switch %f : i32, [
    default: ^bb2(%x : f32)
  ]
^bb2(%z : f32):
  return
}

// Numbers of any width, which upstream cuts to 64 bits.
// CHECK-LABEL: func.func @wide_cases(
// CHECK:       340282366920938463463374607431768211455: ^bb1,
// CHECK:       2658455991569831745807614129150623745: ^bb1
func.func @wide_cases(%f: i128) {
  cf.switch %f : i128, [
    default: ^bb1,
    -1: ^bb1,
    2658455991569831745807614129150623745: ^bb1
  ]
^bb1:
  return
}

// CHECK-LABEL: func.func @cases_in_words(
// CHECK:       0: ^bb1,
// CHECK-NEXT:  1: ^bb1
// CHECK:       0: ^bb2,
// CHECK-NEXT:  255: ^bb2
func.func @cases_in_words(%f: i1, %n: i8) {
  cf.switch %f : i1, [
    default: ^bb1,
    false: ^bb1,
    true: ^bb1
  ]
^bb1:
  cf.switch %n : i8, [
    default: ^bb2,
    false: ^bb2,
    true: ^bb2
  ]
^bb2:
  return
}
