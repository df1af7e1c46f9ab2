// RUN: dl-opt %s --linalg-decompose-aggregated-ops --oracle=each-pass --mlir-print-local-scope | FileCheck %s

// CHECK-LABEL: func.func @softmax
//  CHECK-SAME:   (%[[X:[a-z0-9]+]]: tensor<2x?x3xf32>, %[[O:[a-z0-9]+]]: tensor<2x?x3xf32>)
//   CHECK-DAG:   %[[NAN:.*]] = arith.constant 0x7FC00000 : f32
//   CHECK-DAG:   %[[ZERO:.*]] = arith.constant 0.000000e+00 : f32
//       CHECK:   %[[START:.*]] = linalg.fill ins(%[[NAN]] : f32) outs(%{{.*}} : tensor<2x3xf32>)
//       CHECK:   %[[MAX:[0-9]+]] = linalg.generic
//  CHECK-SAME:     affine_map<(d0, d1, d2) -> (d0, d2)>], iterator_types = ["parallel", "reduction", "parallel"]} ins(%[[X]] :
//       CHECK:     arith.maxnumf
//       CHECK:   %[[EXP:[0-9]+]] = linalg.generic {{.*}} ins(%[[X]], %[[MAX]] : {{.*}} outs(%[[O]] :
//       CHECK:     arith.subf
//       CHECK:     math.exp
//       CHECK:   linalg.fill ins(%[[ZERO]] : f32)
//       CHECK:   %[[SUM:[0-9]+]] = linalg.generic {{.*}} ins(%[[EXP]] :
//       CHECK:     arith.addf
//       CHECK:   %[[R:[0-9]+]] = linalg.generic {{.*}} ins(%[[EXP]], %[[SUM]] : {{.*}} outs(%[[O]] :
//       CHECK:     arith.divf
//       CHECK:   return %[[R]]
func.func @softmax(%x: tensor<2x?x3xf32>, %o: tensor<2x?x3xf32>) -> tensor<2x?x3xf32> {
  %0 = linalg.softmax dimension(1) ins(%x : tensor<2x?x3xf32>) outs(%o : tensor<2x?x3xf32>) -> tensor<2x?x3xf32>
  return %0 : tensor<2x?x3xf32>
}

// CHECK-LABEL: func.func @buffers
//       CHECK:   linalg.softmax
func.func @buffers(%x: memref<2x3xf32>, %o: memref<2x3xf32>) {
  linalg.softmax dimension(1) ins(%x : memref<2x3xf32>) outs(%o : memref<2x3xf32>)
  return
}
