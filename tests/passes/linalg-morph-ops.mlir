// RUN: dl-opt %s --linalg-morph-ops=named-to-category | FileCheck %s --check-prefix=CATEGORY
// RUN: dl-opt %s --linalg-morph-ops=named-to-generic | FileCheck %s --check-prefix=GENERIC
// RUN: dl-opt %s --linalg-generalize-named-ops | FileCheck %s --check-prefix=GENERIC
// RUN: dl-opt %s --linalg-morph-ops=named-to-generic | dl-opt --linalg-morph-ops=generic-to-named | FileCheck %s --check-prefix=NAMED
// RUN: dl-opt %s --linalg-morph-ops | FileCheck %s --check-prefix=NOTHING

// CATEGORY-LABEL: func.func @tanh
// CATEGORY: linalg.elementwise kind=#linalg.elementwise_kind<tanh> ins(%{{.*}} : tensor<?xf32>) outs(%{{.*}} : tensor<?xf32>)
// GENERIC-LABEL: func.func @tanh
// GENERIC: linalg.generic
// GENERIC: math.tanh
// No named operation is recognized but by upstream's list.
// NAMED-LABEL: func.func @tanh
// NAMED: linalg.generic
// NOTHING-LABEL: func.func @tanh
// NOTHING: linalg.tanh
func.func @tanh(%x: tensor<?xf32>, %o: tensor<?xf32>) -> tensor<?xf32> {
  %r = linalg.tanh ins(%x : tensor<?xf32>) outs(%o : tensor<?xf32>) -> tensor<?xf32>
  return %r : tensor<?xf32>
}

// There is no kind for it in a signed and an unsigned form.
// CATEGORY-LABEL: func.func @max
// CATEGORY: linalg.max
// GENERIC-LABEL: func.func @max
// GENERIC: arith.maxsi
func.func @max(%x: tensor<4xi32>, %y: tensor<4xi32>, %o: tensor<4xi32>) -> tensor<4xi32> {
  %r = linalg.max ins(%x, %y : tensor<4xi32>, tensor<4xi32>) outs(%o : tensor<4xi32>) -> tensor<4xi32>
  return %r : tensor<4xi32>
}

// Also on buffers, and with a window.
// GENERIC-LABEL: func.func @pooling
// GENERIC: linalg.generic
// GENERIC-SAME: iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction", "reduction"]
// GENERIC-SAME: ins(%{{.*}}, %{{.*}} : memref<1x5x5x2xf32>, memref<2x2xf32>) outs(%{{.*}} : memref<1x2x2x2xf32>)
// NAMED-LABEL: func.func @pooling
// NAMED: linalg.pooling_nhwc_max {dilations = dense<1> : tensor<2xi64>, strides = dense<[2, 3]> : tensor<2xi64>}
func.func @pooling(%x: memref<1x5x5x2xf32>, %w: memref<2x2xf32>, %o: memref<1x2x2x2xf32>) {
  linalg.pooling_nhwc_max {dilations = dense<1> : tensor<2xi64>, strides = dense<[2, 3]> : tensor<2xi64>}
      ins(%x, %w : memref<1x5x5x2xf32>, memref<2x2xf32>) outs(%o : memref<1x2x2x2xf32>)
  return
}
