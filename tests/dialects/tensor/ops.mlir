// RUN: %{round-trip}

// CHECK-LABEL: func.func @shapes(
//  CHECK-SAME:   %[[ARG0:[a-z0-9]+]]: tensor<4x?xf32>, %[[ARG1:[a-z0-9]+]]: tensor<*xf32>, %[[ARG2:[a-z0-9]+]]: index, %[[ARG3:[a-z0-9]+]]: tensor<2xindex>, %[[ARG4:[a-z0-9]+]]: tensor<16xf32>
//  CHECK-NEXT:   %[[V0:.*]] = tensor.empty() : tensor<4xf32>
//  CHECK-NEXT:   %[[V1:.*]] = tensor.empty(%[[ARG2]]) : tensor<?x4xf32, "layout">
//  CHECK-NEXT:   %[[DIM:.*]] = tensor.dim %[[ARG0]], %[[ARG2]] : tensor<4x?xf32>
//  CHECK-NEXT:   %[[DIM_0:.*]] = tensor.dim %[[ARG1]], %[[ARG2]] : tensor<*xf32>
//  CHECK-NEXT:   %[[RANK:.*]] = tensor.rank %[[ARG1]] : tensor<*xf32>
//  CHECK-NEXT:   %[[CAST:.*]] = tensor.cast %[[ARG0]] : tensor<4x?xf32> to tensor<*xf32>
//  CHECK-NEXT:   %[[V2:.*]] = tensor.bitcast %[[ARG4]] : tensor<16xf32> to tensor<16xi32>
//  CHECK-NEXT:   %[[RESHAPE:.*]] = tensor.reshape %[[ARG4]](%[[ARG3]]) : (tensor<16xf32>, tensor<2xindex>) -> tensor<?x?xf32>
//  CHECK-NEXT:   %[[COLLAPSED:.*]] = tensor.collapse_shape %[[ARG0]] {{\[\[}}0, 1]] : tensor<4x?xf32> into tensor<?xf32>
//  CHECK-NEXT:   %[[EXPANDED:.*]] = tensor.expand_shape %[[ARG4]] {{\[\[}}0, 1]] output_shape [4, 4] : tensor<16xf32> into tensor<4x4xf32>
//  CHECK-NEXT:   %[[EXPANDED_1:.*]] = tensor.expand_shape %[[ARG0]] {{\[\[}}0, 1], [2]] output_shape [2, 2, %[[ARG2]]] : tensor<4x?xf32> into tensor<2x2x?xf32>
//  CHECK-NEXT:   %[[CONCAT:.*]] = tensor.concat dim(0) %[[ARG4]], %[[ARG4]] : (tensor<16xf32>, tensor<16xf32>) -> tensor<32xf32>
//  CHECK-NEXT:   return
func.func @shapes(%t: tensor<4x?xf32>, %u: tensor<*xf32>, %n: index, %s: tensor<2xindex>, %v: tensor<16xf32>) {
  %0 = tensor.empty() : tensor<4xf32>
  %1 = tensor.empty(%n) : tensor<?x4xf32, "layout">
  %2 = tensor.dim %t, %n : tensor<4x?xf32>
  %3 = tensor.dim %u, %n : tensor<*xf32>
  %4 = tensor.rank %u : tensor<*xf32>
  %5 = tensor.cast %t : tensor<4x?xf32> to tensor<*xf32>
  %6 = tensor.bitcast %v : tensor<16xf32> to tensor<16xi32>
  %7 = tensor.reshape %v(%s) : (tensor<16xf32>, tensor<2xindex>) -> tensor<?x?xf32>
  %8 = tensor.collapse_shape %t [[0, 1]] : tensor<4x?xf32> into tensor<?xf32>
  %9 = tensor.expand_shape %v [[0, 1]] output_shape [4, 4] : tensor<16xf32> into tensor<4x4xf32>
  %10 = tensor.expand_shape %t [[0, 1], [2]] output_shape [2, 2, %n] : tensor<4x?xf32> into tensor<2x2x?xf32>
  %11 = tensor.concat dim(0) %v, %v : (tensor<16xf32>, tensor<16xf32>) -> tensor<32xf32>
  return
}

// CHECK-LABEL: func.func @elements(
//  CHECK-SAME:   %[[ARG0:[a-z0-9]+]]: tensor<4x4xf32>, %[[ARG1:[a-z0-9]+]]: index, %[[ARG2:[a-z0-9]+]]: f32, %[[ARG3:[a-z0-9]+]]: tensor<3x1xindex>
//  CHECK-NEXT:   %[[EXTRACTED:.*]] = tensor.extract %[[ARG0]][%[[ARG1]], %[[ARG1]]] : tensor<4x4xf32>
//  CHECK-NEXT:   %[[INSERTED:.*]] = tensor.insert %[[ARG2]] into %[[ARG0]][%[[ARG1]], %[[ARG1]]] : tensor<4x4xf32>
//  CHECK-NEXT:   %[[FROM_ELEMENTS:.*]] = tensor.from_elements %[[ARG2]], %[[ARG2]] : tensor<2xf32>
//  CHECK-NEXT:   %[[FROM_ELEMENTS_0:.*]] = tensor.from_elements %[[ARG2]] : tensor<f32>
//  CHECK-NEXT:   %[[SPLAT:.*]] = tensor.splat %[[ARG2]] : tensor<4xf32>
//  CHECK-NEXT:   %[[SPLAT_1:.*]] = tensor.splat %[[ARG2]][%[[ARG1]]] : tensor<?xf32>
//  CHECK-NEXT:   %[[GATHER:.*]] = tensor.gather %[[ARG0]][%[[ARG3]]] gather_dims([0]) : (tensor<4x4xf32>, tensor<3x1xindex>) -> tensor<3x1x4xf32>
//  CHECK-NEXT:   %[[GATHER_2:.*]] = tensor.gather %[[ARG0]][%[[ARG3]]] gather_dims([1]) unique : (tensor<4x4xf32>, tensor<3x1xindex>) -> tensor<3x4xf32>
//  CHECK-NEXT:   %[[SCATTER:.*]] = tensor.scatter %[[GATHER]] into %[[ARG0]][%[[ARG3]]] scatter_dims([0]) unique : (tensor<3x1x4xf32>, tensor<4x4xf32>, tensor<3x1xindex>) -> tensor<4x4xf32>
//  CHECK-NEXT:   return
func.func @elements(%t: tensor<4x4xf32>, %i: index, %x: f32, %p: tensor<3x1xindex>) {
  %0 = tensor.extract %t[%i, %i] : tensor<4x4xf32>
  %1 = tensor.insert %x into %t[%i, %i] : tensor<4x4xf32>
  %2 = tensor.from_elements %x, %x : tensor<2xf32>
  %3 = tensor.from_elements %x : tensor<f32>
  %4 = tensor.splat %x : tensor<4xf32>
  %5 = tensor.splat %x[%i] : tensor<?xf32>
  %6 = tensor.gather %t[%p] gather_dims([0]) : (tensor<4x4xf32>, tensor<3x1xindex>) -> tensor<3x1x4xf32>
  %7 = tensor.gather %t[%p] gather_dims([1]) unique : (tensor<4x4xf32>, tensor<3x1xindex>) -> tensor<3x4xf32>
  %8 = tensor.scatter %6 into %t[%p] scatter_dims([0]) unique : (tensor<3x1x4xf32>, tensor<4x4xf32>, tensor<3x1xindex>) -> tensor<4x4xf32>
  return
}

// CHECK-LABEL: func.func @slices(
//  CHECK-SAME:   %[[ARG0:[a-z0-9]+]]: tensor<8x16xf32>, %[[ARG1:[a-z0-9]+]]: index, %[[ARG2:[a-z0-9]+]]: tensor<4xf32>
//  CHECK-NEXT:   %[[EXTRACTED_SLICE:.*]] = tensor.extract_slice %[[ARG0]][0, 0] [8, 4] [1, 2] : tensor<8x16xf32> to tensor<8x4xf32>
//  CHECK-NEXT:   %[[EXTRACTED_SLICE_0:.*]] = tensor.extract_slice %[[ARG0]][%[[ARG1]], 0] [%[[ARG1]], 4] [1, %[[ARG1]]] : tensor<8x16xf32> to tensor<?x4xf32>
//  CHECK-NEXT:   %[[EXTRACTED_SLICE_1:.*]] = tensor.extract_slice %[[ARG0]][%[[ARG1]], 0] [1, 4] [1, 1] : tensor<8x16xf32> to tensor<4xf32>
//  CHECK-NEXT:   %[[INSERTED_SLICE:.*]] = tensor.insert_slice %[[ARG2]] into %[[ARG0]][%[[ARG1]], 0] [1, 4] [1, 1] : tensor<4xf32> into tensor<8x16xf32>
//  CHECK-NEXT:   return
func.func @slices(%t: tensor<8x16xf32>, %n: index, %u: tensor<4xf32>) {
  %0 = tensor.extract_slice %t[0, 0] [8, 4] [1, 2] : tensor<8x16xf32> to tensor<8x4xf32>
  %1 = tensor.extract_slice %t[%n, 0] [%n, 4] [1, %n] : tensor<8x16xf32> to tensor<?x4xf32>
  %2 = tensor.extract_slice %t[%n, 0] [1, 4] [1, 1] : tensor<8x16xf32> to tensor<4xf32>
  %3 = tensor.insert_slice %u into %t[%n, 0] [1, 4] [1, 1] : tensor<4xf32> into tensor<8x16xf32>
  return
}

// CHECK-LABEL: func.func @parallel_insert(
//  CHECK-SAME:   %[[ARG0:[a-z0-9]+]]: tensor<8x4xf32>, %[[ARG1:[a-z0-9]+]]: tensor<4xf32>
//  CHECK-NEXT:   %[[V0:.*]] = scf.forall (%{{.*}}) in (8) shared_outs(%{{.*}} = %[[ARG0]]) -> (tensor<8x4xf32>) {
//  CHECK-NEXT:   scf.forall.in_parallel {
//  CHECK-NEXT:   tensor.parallel_insert_slice %[[ARG1]] into %{{.*}}[%{{.*}}, 0] [1, 4] [1, 1] : tensor<4xf32> into tensor<8x4xf32>
//  CHECK-NEXT:   }
//  CHECK-NEXT:   }
//  CHECK-NEXT:   return
func.func @parallel_insert(%t: tensor<8x4xf32>, %u: tensor<4xf32>) {
  %0 = scf.forall (%i) in (8) shared_outs(%o = %t) -> (tensor<8x4xf32>) {
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %u into %o[%i, 0] [1, 4] [1, 1] : tensor<4xf32> into tensor<8x4xf32>
    }
  }
  return
}

// CHECK-LABEL: func.func @regions(
//  CHECK-SAME:   %[[ARG0:[a-z0-9]+]]: tensor<4x4xf32>, %[[ARG1:[a-z0-9]+]]: index, %[[ARG2:[a-z0-9]+]]: f32
//  CHECK-NEXT:   %[[GENERATED:.*]] = tensor.generate %[[ARG1]] {
//  CHECK-NEXT:   ^bb0(%[[ARG3:.*]]: index):
//  CHECK-NEXT:   tensor.yield %[[ARG2]] : f32
//  CHECK-NEXT:   } : tensor<?xf32>
//  CHECK-NEXT:   %[[PADDED:.*]] = tensor.pad %[[ARG0]] low[1, %[[ARG1]]] high[0, 2] {
//  CHECK-NEXT:   ^bb0(%[[ARG3:.*]]: index, %[[ARG4:.*]]: index):
//  CHECK-NEXT:   tensor.yield %[[ARG2]] : f32
//  CHECK-NEXT:   } : tensor<4x4xf32> to tensor<5x?xf32>
//  CHECK-NEXT:   %[[PADDED_0:.*]] = tensor.pad %[[ARG0]] nofold low[0, 0] high[0, 0] {
//  CHECK-NEXT:   ^bb0(%[[ARG3:.*]]: index, %[[ARG4:.*]]: index):
//  CHECK-NEXT:   tensor.yield %[[ARG2]] : f32
//  CHECK-NEXT:   } {note} : tensor<4x4xf32> to tensor<4x4xf32>
//  CHECK-NEXT:   return
func.func @regions(%t: tensor<4x4xf32>, %n: index, %x: f32) {
  %0 = tensor.generate %n {
  ^bb0(%i: index):
    tensor.yield %x : f32
  } : tensor<?xf32>
  %1 = tensor.pad %t low[1, %n] high[0, 2] {
  ^bb0(%i: index, %j: index):
    tensor.yield %x : f32
  } : tensor<4x4xf32> to tensor<5x?xf32>
  %2 = tensor.pad %t nofold low[0, 0] high[0, 0] {
  ^bb0(%i: index, %j: index):
    tensor.yield %x : f32
  } {note} : tensor<4x4xf32> to tensor<4x4xf32>
  return
}

// CHECK-LABEL: func.func @one_element
func.func @one_element(%t: tensor<1x?xf32>) {
  // CHECK: tensor.collapse_shape %{{.*}} [] : tensor<1x?xf32> into tensor<f32>
  %0 = tensor.collapse_shape %t [] : tensor<1x?xf32> into tensor<f32>
  // CHECK: tensor.expand_shape %{{.*}} [] output_shape [1, 1] : tensor<f32> into tensor<1x1xf32>
  %1 = tensor.expand_shape %0 [] output_shape [1, 1] : tensor<f32> into tensor<1x1xf32>
  return
}
