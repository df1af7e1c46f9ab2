// RUN: dl-opt %s --linalg-tile=tile-sizes=4,0,2 | FileCheck %s
// RUN: dl-opt %s '--linalg-tile=tile-sizes=4,3 loop-type=forall' | FileCheck %s --check-prefix=FORALL
// RUN: dl-opt %s --linalg-tile | FileCheck %s --check-prefix=NOTHING
// RUN: dl-opt %s --linalg-tile=tile-sizes=4,0,2 --oracle=each-pass
// RUN: dl-opt %s '--linalg-tile=tile-sizes=4,3 loop-type=forall' --oracle=each-pass
// RUN: dl-opt %s --linalg-tile=tile-sizes=1,2,3,1,2 --oracle=each-pass
// RUN: not dl-opt %s --linalg-tile=tile-sizes=-1 2>&1 | FileCheck %s --check-prefix=NEGATIVE

// NEGATIVE: expected tile-sizes not to be negative

// CHECK-DAG: #[[$REST:.*]] = affine_map<(d0)[s0] -> (-d0 + s0, 4)>
// CHECK-DAG: #[[$LAST:.*]] = affine_map<(d0) -> (-d0 + 7, 2)>
// CHECK-DAG: #[[$SUM:map[0-9]*]] = affine_map<(d0)[s0] -> (d0 + s0)>

// The last tiles of a loop are smaller where its extent is no multiple; a loop of size 0 runs whole.
// CHECK-LABEL: func.func @product
//  CHECK-SAME:   (%[[A:.*]]: tensor<?x7xf32>, %[[B:.*]]: tensor<7x6xf32>, %[[C:.*]]: tensor<?x6xf32>)
// CHECK: %[[M:.*]] = tensor.dim %[[A]]
// CHECK: scf.for %[[I:.*]] = %{{.*}} to %[[M]] step %{{.*}} iter_args(%[[R:.*]] = %[[C]])
// CHECK:   scf.for %[[K:.*]] = %{{.*}} to %c7 step %{{.*}} iter_args(%[[S:.*]] = %[[R]])
// CHECK-DAG: %[[NI:.*]] = affine.min #[[$REST]](%[[I]])[%[[M]]]
// CHECK-DAG: %[[NK:.*]] = affine.min #[[$LAST]](%[[K]])
// CHECK-DAG: %[[TA:.*]] = tensor.extract_slice %[[A]][%[[I]], %[[K]]] [%[[NI]], %[[NK]]] [1, 1]
// CHECK-DAG: %[[TB:.*]] = tensor.extract_slice %[[B]][%[[K]], 0] [%[[NK]], 6] [1, 1]
// CHECK-DAG: %[[TC:.*]] = tensor.extract_slice %[[S]][%[[I]], 0] [%[[NI]], 6] [1, 1]
// CHECK: %[[T:.*]] = linalg.matmul ins(%[[TA]], %[[TB]] : {{.*}}) outs(%[[TC]]
// CHECK: %[[N:.*]] = tensor.insert_slice %[[T]] into %[[S]][%[[I]], 0] [%[[NI]], 6] [1, 1]
// CHECK: scf.yield %[[N]]
// FORALL-LABEL: func.func @product
// FORALL: scf.forall (%[[I:.*]], %[[J:.*]]) = (0, 0) to (%{{.*}}, 6) step (4, 3) shared_outs(%[[O:.*]] = %{{.*}})
// FORALL: %[[T:.*]] = linalg.matmul
// FORALL: tensor.parallel_insert_slice %[[T]] into %[[O]][%[[I]], %[[J]]] [%{{.*}}, 3] [1, 1]
// NOTHING-LABEL: func.func @product
// NOTHING-NOT: scf.
func.func @product(%a: tensor<?x7xf32>, %b: tensor<7x6xf32>, %c: tensor<?x6xf32>) -> tensor<?x6xf32> {
  %r = linalg.matmul ins(%a, %b : tensor<?x7xf32>, tensor<7x6xf32>) outs(%c : tensor<?x6xf32>) -> tensor<?x6xf32>
  return %r : tensor<?x6xf32>
}

// Windows of neighbouring tiles overlap: two times two steps, and three elements in the last window.
// CHECK-LABEL: func.func @windows
// CHECK: scf.for
// CHECK: scf.for %[[K:[^ ]*]] =
// CHECK: tensor.extract_slice %{{.*}}[0, 0, %[[K]]]
// FORALL-LABEL: func.func @windows
// FORALL: scf.forall (%[[I:.*]], %[[J:.*]]) =
// FORALL: %[[AT:.*]] = affine.apply #{{.*}}(%[[J]])
// FORALL: tensor.extract_slice %{{.*}}[%[[I]], %[[AT]], 0] [2, 7, 3] [1, 1, 1]
func.func @windows(%x: tensor<2x13x3xf32>, %k: tensor<3x3x5xf32>, %o: tensor<2x6x5xf32>) -> tensor<2x6x5xf32> {
  %r = linalg.conv_1d_nwc_wcf {dilations = dense<1> : tensor<1xi64>, strides = dense<2> : tensor<1xi64>}
      ins(%x, %k : tensor<2x13x3xf32>, tensor<3x3x5xf32>) outs(%o : tensor<2x6x5xf32>) -> tensor<2x6x5xf32>
  return %r : tensor<2x6x5xf32>
}

// An index in the body is that of the whole.
// CHECK-LABEL: func.func @positions
// CHECK: scf.for %[[I:[^ ]*]] =
// CHECK: %[[L:.*]] = linalg.index 0 : index
// CHECK: affine.apply #[[$SUM]](%[[I]])[%[[L]]]
func.func @positions(%o: tensor<9x3xindex>) -> tensor<9x3xindex> {
  %r = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
      outs(%o : tensor<9x3xindex>) {
  ^bb0(%x: index):
    %i = linalg.index 0 : index
    %j = linalg.index 1 : index
    %s = arith.muli %i, %j : index
    %t = arith.addi %s, %i : index
    linalg.yield %t : index
  } -> tensor<9x3xindex>
  return %r : tensor<9x3xindex>
}

// Buffers are tiled in place; threads would need to know that they are not the same.
// CHECK-LABEL: func.func @buffers
// CHECK: scf.for
// CHECK: memref.subview
// CHECK: linalg.copy
// FORALL-LABEL: func.func @buffers
// FORALL-NOT: scf.forall
func.func @buffers(%a: memref<9x3xf32>, %b: memref<9x3xf32>) {
  linalg.copy ins(%a : memref<9x3xf32>) outs(%b : memref<9x3xf32>)
  return
}

// Tiles of a sum depend on one another.
// FORALL-LABEL: func.func @sum
// FORALL-NOT: scf.forall
func.func @sum(%x: tensor<8xi32>, %o: tensor<i32>) -> tensor<i32> {
  %r = linalg.reduce { arith.addi } ins(%x : tensor<8xi32>) outs(%o : tensor<i32>) dimensions = [0]
  return %r : tensor<i32>
}

// An index that falls as the loop goes on is no start of a slice.
// CHECK-LABEL: func.func @backwards
// CHECK-NOT: scf.for
// CHECK: linalg.generic
func.func @backwards(%x: tensor<8xf32>, %o: tensor<8xf32>) -> tensor<8xf32> {
  %r = linalg.generic {indexing_maps = [affine_map<(i) -> (7 - i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]}
      ins(%x : tensor<8xf32>) outs(%o : tensor<8xf32>) {
  ^bb0(%a: f32, %b: f32):
    linalg.yield %a : f32
  } -> tensor<8xf32>
  return %r : tensor<8xf32>
}
