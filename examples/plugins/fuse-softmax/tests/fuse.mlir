// RUN: dl-opt %s --linalg-decompose-aggregated-ops --fuse-softmax --oracle=each-pass | FileCheck %s
// RUN: dl-opt %s --linalg-decompose-aggregated-ops | FileCheck %s --check-prefix=PARTS

// CHECK-LABEL: @rows
// CHECK-SAME: (%[[X:[a-z0-9]+]]: tensor<2x3xf32>, %[[O:[a-z0-9]+]]: tensor<2x3xf32>)
// CHECK-NEXT: %[[Y:[a-z0-9]+]] = linalg.softmax dimension(1) ins(%[[X]] : tensor<2x3xf32>) outs(%[[O]] : tensor<2x3xf32>)
// CHECK-NEXT: return %[[Y]]
// PARTS-LABEL: @rows
// PARTS-COUNT-4: linalg.generic
func.func @rows(%x: tensor<2x3xf32>, %o: tensor<2x3xf32>) -> tensor<2x3xf32> {
  %0 = linalg.softmax dimension(1) ins(%x : tensor<2x3xf32>) outs(%o : tensor<2x3xf32>) -> tensor<2x3xf32>
  return %0 : tensor<2x3xf32>
}

// CHECK-LABEL: @middle
// CHECK: linalg.softmax dimension(1) ins(%{{.*}} : tensor<2x?x4xf64>)
// CHECK-NEXT: return
func.func @middle(%x: tensor<2x?x4xf64>, %o: tensor<2x?x4xf64>) -> tensor<2x?x4xf64> {
  %0 = linalg.softmax dimension(1) ins(%x : tensor<2x?x4xf64>) outs(%o : tensor<2x?x4xf64>) -> tensor<2x?x4xf64>
  return %0 : tensor<2x?x4xf64>
}
