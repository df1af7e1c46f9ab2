// RUN: dl-opt %s --linalg-tile-and-fuse=tile-sizes=4,3 | FileCheck %s
// RUN: dl-opt %s --linalg-tile-and-fuse=tile-sizes=4,3,2 | FileCheck %s --check-prefix=DEEP
// RUN: dl-opt %s --linalg-tile-and-fuse=tile-sizes=4,3 --oracle=each-pass
// RUN: dl-opt %s --linalg-tile-and-fuse=tile-sizes=4,3,2 --oracle=each-pass
// RUN: dl-opt %s '--linalg-tile-and-fuse=tile-sizes=0,3 loop-type=forall' --oracle=each-pass
// RUN: dl-opt %s --linalg-tile-and-fuse=tile-sizes=4,3 --mlir-pass-statistics -o /dev/null 2>&1 | FileCheck %s --check-prefix=COUNTS

// COUNTS: linalg-tile-and-fuse
// COUNTS: num-fused
// COUNTS: num-tiled

// A product with its bias: all three in the loops of the last.
// CHECK-LABEL: func.func @epilogue
//  CHECK-SAME:   %[[BIAS:[^ ]*]]: tensor<?x6xf32>, %{{.*}}: f32)
// CHECK-NOT: linalg
// CHECK: scf.for
// CHECK: scf.for
// CHECK: %[[F:.*]] = linalg.fill
// CHECK: %[[P:.*]] = linalg.matmul ins({{.*}}) outs(%[[F]]
// CHECK: linalg.add ins(%[[P]],
// CHECK-NOT: linalg
// CHECK: return
func.func @epilogue(%a: tensor<?x7xf32>, %b: tensor<7x6xf32>, %c: tensor<?x6xf32>, %bias: tensor<?x6xf32>, %z: f32) -> tensor<?x6xf32> {
  %f = linalg.fill ins(%z : f32) outs(%c : tensor<?x6xf32>) -> tensor<?x6xf32>
  %p = linalg.matmul ins(%a, %b : tensor<?x7xf32>, tensor<7x6xf32>) outs(%f : tensor<?x6xf32>) -> tensor<?x6xf32>
  %s = linalg.add ins(%p, %bias : tensor<?x6xf32>, tensor<?x6xf32>) outs(%c : tensor<?x6xf32>) -> tensor<?x6xf32>
  return %s : tensor<?x6xf32>
}

// What fills the init is computed for each tile, and what was filled enters the loops. Not where a tile is added to several times.
// CHECK-LABEL: func.func @init
//  CHECK-SAME:   %[[C:[^ ]*]]: tensor<8x6xf32>, %{{.*}}: f32)
// CHECK: scf.for {{.*}} iter_args(%{{.*}} = %[[C]])
// CHECK: scf.for
// CHECK: %[[F:.*]] = linalg.fill
// CHECK: linalg.matmul ins({{.*}}) outs(%[[F]]
// DEEP-LABEL: func.func @init
// DEEP: linalg.fill
// DEEP: scf.for
// DEEP: scf.for
// DEEP: scf.for
// DEEP-NOT: linalg.fill
// DEEP: linalg.matmul
func.func @init(%a: tensor<8x7xf32>, %b: tensor<7x6xf32>, %c: tensor<8x6xf32>, %z: f32) -> tensor<8x6xf32> {
  %f = linalg.fill ins(%z : f32) outs(%c : tensor<8x6xf32>) -> tensor<8x6xf32>
  %p = linalg.matmul ins(%a, %b : tensor<8x7xf32>, tensor<7x6xf32>) outs(%f : tensor<8x6xf32>) -> tensor<8x6xf32>
  return %p : tensor<8x6xf32>
}

// Every tile in a row reads the same of a product: it is not computed again for each. What is computed without a sum is.
// CHECK-LABEL: func.func @read_again
// CHECK: linalg.matmul
// CHECK: scf.for
// CHECK: linalg.exp
// CHECK: linalg.matmul
func.func @read_again(%a: tensor<8x7xf32>, %b: tensor<7x5xf32>, %c: tensor<5x6xf32>, %d: tensor<8x5xf32>, %e: tensor<5x6xf32>, %o: tensor<8x6xf32>) -> tensor<8x6xf32> {
  %p = linalg.matmul ins(%a, %b : tensor<8x7xf32>, tensor<7x5xf32>) outs(%d : tensor<8x5xf32>) -> tensor<8x5xf32>
  %x = linalg.exp ins(%c : tensor<5x6xf32>) outs(%e : tensor<5x6xf32>) -> tensor<5x6xf32>
  %q = linalg.matmul ins(%p, %x : tensor<8x5xf32>, tensor<5x6xf32>) outs(%o : tensor<8x6xf32>) -> tensor<8x6xf32>
  return %q : tensor<8x6xf32>
}

// What is needed elsewhere too is computed once.
// CHECK-LABEL: func.func @two_users
// CHECK: %[[X:.*]] = linalg.exp
// CHECK: scf.for
// CHECK-NOT: linalg.exp
// CHECK: return %{{.*}}, %{{.*}}
func.func @two_users(%a: tensor<8x6xf32>, %e: tensor<8x6xf32>, %o: tensor<8x6xf32>) -> (tensor<8x6xf32>, tensor<8x6xf32>) {
  %x = linalg.exp ins(%a : tensor<8x6xf32>) outs(%e : tensor<8x6xf32>) -> tensor<8x6xf32>
  %y = linalg.tanh ins(%x : tensor<8x6xf32>) outs(%o : tensor<8x6xf32>) -> tensor<8x6xf32>
  return %x, %y : tensor<8x6xf32>, tensor<8x6xf32>
}
