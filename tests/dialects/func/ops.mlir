// RUN: %{round-trip}

// The pretty form of every operation of `func`, in both directions.

// CHECK-LABEL: func.func private @declaration(i32 {test.a}, f32) -> (i32 {test.b}, f32)
func.func private @declaration(i32 {test.a}, f32) -> (i32 {test.b}, f32)

// CHECK-LABEL: func.func @attributes(%{{.*}}: i32 {test.x = 1 : i32}, %{{.*}}: f32) attributes {no_inline, test.y} {
func.func @attributes(%a: i32 {test.x = 1 : i32}, %b: f32) attributes {no_inline, test.y} {
  return
}

// CHECK-LABEL: func.func nested @calls(%{{.*}}: i32, %{{.*}}: f32) -> i32 {
// CHECK:       %{{.*}} = constant @calls : (i32, f32) -> i32
// CHECK:       %{{.*}} = call @calls(%{{.*}}, %{{.*}}) : (i32, f32) -> i32
// CHECK:       %{{.*}} = call_indirect %{{.*}}(%{{.*}}, %{{.*}}) {test.z} : (i32, f32) -> i32
// CHECK:       %{{.*}}:2 = call @declaration(%{{.*}}, %{{.*}}) {no_inline} : (i32, f32) -> (i32, f32)
// CHECK:       return %{{.*}} : i32
func.func nested @calls(%a: i32, %b: f32) -> i32 {
  %c = func.constant @calls : (i32, f32) -> i32
  %d = call @calls(%a, %b) : (i32, f32) -> i32
  %e = call_indirect %c(%d, %b) {test.z} : (i32, f32) -> i32
  %q:2 = call @declaration(%e, %b) {no_inline} : (i32, f32) -> (i32, f32)
  return %q#0 : i32
}

// CHECK-LABEL: func.func @function_result() -> ((i32, f32) -> i32) {
// CHECK:       %{{.*}} = constant @calls : (i32, f32) -> i32
// CHECK:       return %{{.*}} : (i32, f32) -> i32
func.func @function_result() -> ((i32, f32) -> i32) {
  %c = func.constant @calls : (i32, f32) -> i32
  return %c : (i32, f32) -> i32
}
