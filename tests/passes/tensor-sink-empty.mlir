// RUN: dl-opt %s --tensor-sink-empty --split-input-file | FileCheck %s

// Each iteration has a place of its own for what it computes on the way. The result is the loop's own operand, and stays.
// CHECK-LABEL: func @rows
//       CHECK:   %[[RESULT:.*]] = tensor.empty() : tensor<4x8xf32>
//   CHECK-NOT:   tensor.empty
//       CHECK:   scf.for {{.*}} iter_args(%{{.*}} = %[[RESULT]])
//  CHECK-NEXT:     %[[OWN:.*]] = tensor.empty() : tensor<1x8xf32>
//       CHECK:     linalg.exp {{.*}} outs(%[[OWN]] : tensor<1x8xf32>)
func.func @rows(%a: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %result = tensor.empty() : tensor<4x8xf32>
  %place = tensor.empty() : tensor<1x8xf32>
  %r = scf.for %i = %c0 to %c4 step %c1 iter_args(%t = %result) -> tensor<4x8xf32> {
    %row = tensor.extract_slice %a[%i, 0] [1, 8] [1, 1] : tensor<4x8xf32> to tensor<1x8xf32>
    %e = linalg.exp ins(%row : tensor<1x8xf32>) outs(%place : tensor<1x8xf32>) -> tensor<1x8xf32>
    %n = tensor.insert_slice %e into %t[%i, 0] [1, 8] [1, 1] : tensor<1x8xf32> into tensor<4x8xf32>
    scf.yield %n : tensor<4x8xf32>
  }
  return %r : tensor<4x8xf32>
}

// -----

// Into the outermost loop, also where its extent is known only when running.
// CHECK-LABEL: func @nested
//       CHECK:   scf.for
//  CHECK-NEXT:     tensor.empty(%{{.*}}) : tensor<?xf32>
//       CHECK:     scf.for
func.func @nested(%n: index, %v: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %place = tensor.empty(%n) : tensor<?xf32>
  scf.for %i = %c0 to %n step %c1 {
    scf.for %j = %c0 to %n step %c1 {
      %filled = linalg.fill ins(%v : f32) outs(%place : tensor<?xf32>) -> tensor<?xf32>
      %x = tensor.extract %filled[%j] : tensor<?xf32>
      vector.print %x : f32
    }
  }
  return
}

// -----

// Two loops use it, or a condition: it stays.
// CHECK-LABEL: func @shared
//       CHECK:   tensor.empty
//       CHECK:   tensor.empty
//       CHECK:   scf.for
//   CHECK-NOT:   tensor.empty
func.func @shared(%n: index, %v: f32, %c: i1) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %place = tensor.empty() : tensor<4xf32>
  %other = tensor.empty() : tensor<8xf32>
  scf.for %i = %c0 to %n step %c1 {
    %filled = linalg.fill ins(%v : f32) outs(%place : tensor<4xf32>) -> tensor<4xf32>
    %x = tensor.extract %filled[%c0] : tensor<4xf32>
    vector.print %x : f32
  }
  scf.for %i = %c0 to %n step %c1 {
    %filled = linalg.fill ins(%v : f32) outs(%place : tensor<4xf32>) -> tensor<4xf32>
    %x = tensor.extract %filled[%c1] : tensor<4xf32>
    vector.print %x : f32
  }
  scf.if %c {
    %filled = linalg.fill ins(%v : f32) outs(%other : tensor<8xf32>) -> tensor<8xf32>
    %x = tensor.extract %filled[%c1] : tensor<8xf32>
    vector.print %x : f32
  }
  return
}
