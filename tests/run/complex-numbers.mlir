// Complex numbers within a program, on every road to machine code; values worked out by hand.

// RUN: dl-run %s --backend=%{back-end} --input=3 --input=4 | FileCheck %s
// RUN: dl-opt %s --cpu-pipeline=vectorize=false | FileCheck %s --check-prefix=LOWERED
//      CHECK: float32 []
// CHECK-NEXT: {{^}}5.0{{$}}
// CHECK-NEXT: float32 []
// CHECK-NEXT: {{^}}-7.0{{$}}
// CHECK-NEXT: float32 []
// CHECK-NEXT: {{^}}24.0{{$}}

// LOWERED-NOT: complex.

func.func @main(%re: f32, %im: f32) -> (f32, f32, f32) {
  %z = complex.create %re, %im : complex<f32>
  %abs = complex.abs %z : complex<f32>
  %square = complex.mul %z, %z : complex<f32>
  %x = complex.re %square : complex<f32>
  %y = complex.im %square : complex<f32>
  return %abs, %x, %y : f32, f32, f32
}
