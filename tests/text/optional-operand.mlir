// RUN: dl-opt %s | FileCheck %s
// RUN: dl-opt %s | dl-opt | FileCheck %s

// What an operation may leave out is not taken from the next one: its results are no operands.

// CHECK-LABEL: func.func @newlines
func.func @newlines(%a: f32, %b: i32, %c: i1) {
  // CHECK:      vector.print{{$}}
  // CHECK-NEXT: %{{.*}} = arith.addf
  vector.print
  %sum = arith.addf %a, %a : f32
  // CHECK-NEXT: vector.print{{$}}
  // CHECK-NEXT: %{{.*}} = arith.mulsi_extended
  vector.print
  %low, %high = arith.mulsi_extended %b, %b : i32
  // CHECK-NEXT: vector.print{{$}}
  // CHECK-NEXT: %{{.*}}:3 = scf.if
  vector.print
  %x:2 , %y = "scf.if"(%c) ({
    scf.yield %a, %a, %b : f32, f32, i32
  }, {
    scf.yield %a, %a, %b : f32, f32, i32
  }) : (i1) -> (f32, f32, i32)
  // CHECK:      vector.print %{{.*}} : f32
  vector.print %sum : f32
  return
}

// CHECK-LABEL: func.func @without_group
func.func @without_group() {
  // CHECK:      transform.print
  // CHECK-NEXT: %{{.*}} = arith.constant
  transform.print
  %c = arith.constant 1 : i32
  return
}
