// RUN: %{round-trip}

memref.global @plain : memref<2xf32>

memref.global constant @value : memref<2xf32> = dense<[1.0, 2.0]>

memref.global "private" @hidden : memref<4xi32> = uninitialized {alignment = 64 : i64}

// CHECK-LABEL: func.func @allocation(
//  CHECK-SAME:   %[[ARG0:[a-z0-9]+]]: index, %[[ARG1:[a-z0-9]+]]: memref<4xf32>
//  CHECK-NEXT:   %[[ALLOC:.*]] = memref.alloc() : memref<4xf32>
//  CHECK-NEXT:   %[[ALLOC_0:.*]] = memref.alloc(%[[ARG0]]) {alignment = 16 : i64} : memref<?x4xf32, 1>
//  CHECK-NEXT:   %[[ALLOC_1:.*]] = memref.alloc(%[[ARG0]])[%[[ARG0]]] : memref<?xf32, #map>
//  CHECK-NEXT:   %[[ALLOCA:.*]] = memref.alloca(%[[ARG0]]) : memref<?xi8>
//  CHECK-NEXT:   %[[V0:.*]] = memref.realloc %[[ARG1]] : memref<4xf32> to memref<8xf32>
//  CHECK-NEXT:   %[[V1:.*]] = memref.realloc %[[ARG1]](%[[ARG0]]) {alignment = 8 : i64} : memref<4xf32> to memref<?xf32>
//  CHECK-NEXT:   memref.dealloc %[[ALLOC]] : memref<4xf32>
//  CHECK-NEXT:   %[[V2:.*]]:2 = memref.alloca_scope  -> (index, index) {
//  CHECK-NEXT:   memref.alloca_scope.return %[[ARG0]], %[[ARG0]] : index, index
//  CHECK-NEXT:   }
//  CHECK-NEXT:   memref.alloca_scope  {
//  CHECK-NEXT:   }
//  CHECK-NEXT:   return
func.func @allocation(%n: index, %m: memref<4xf32>) {
  %0 = memref.alloc() : memref<4xf32>
  %1 = memref.alloc(%n) {alignment = 16 : i64} : memref<?x4xf32, 1>
  %2 = memref.alloc(%n)[%n] : memref<?xf32, affine_map<(d0)[s0] -> (d0 + s0)>>
  %3 = memref.alloca(%n) : memref<?xi8>
  %4 = memref.realloc %m : memref<4xf32> to memref<8xf32>
  %5 = memref.realloc %m(%n) {alignment = 8 : i64} : memref<4xf32> to memref<?xf32>
  memref.dealloc %0 : memref<4xf32>
  %6:2 = memref.alloca_scope  -> (index, index) {
    memref.alloca_scope.return %n, %n : index, index
  }
  memref.alloca_scope  {
  }
  return
}

// CHECK-LABEL: func.func @access(
//  CHECK-SAME:   %[[ARG0:[a-z0-9]+]]: memref<4x?xf32>, %[[ARG1:[a-z0-9]+]]: index, %[[ARG2:[a-z0-9]+]]: f32
//  CHECK-NEXT:   %[[V0:.*]] = memref.load %[[ARG0]][%[[ARG1]], %[[ARG1]]] : memref<4x?xf32>
//  CHECK-NEXT:   %[[V1:.*]] = memref.load %[[ARG0]][%[[ARG1]], %[[ARG1]]] {nontemporal = true} : memref<4x?xf32>
//  CHECK-NEXT:   memref.store %[[ARG2]], %[[ARG0]][%[[ARG1]], %[[ARG1]]] : memref<4x?xf32>
//  CHECK-NEXT:   memref.store %[[ARG2]], %[[ARG0]][%[[ARG1]], %[[ARG1]]] {alignment = 16 : i64} : memref<4x?xf32>
//  CHECK-NEXT:   memref.copy %[[ARG0]], %[[ARG0]] : memref<4x?xf32> to memref<4x?xf32>
//  CHECK-NEXT:   memref.prefetch %[[ARG0]][%[[ARG1]], %[[ARG1]]], read, locality<3>, data : memref<4x?xf32>
//  CHECK-NEXT:   memref.prefetch %[[ARG0]][%[[ARG1]], %[[ARG1]]], write, locality<0>, instr : memref<4x?xf32>
//  CHECK-NEXT:   %[[V2:.*]] = memref.atomic_rmw addf %[[ARG2]], %[[ARG0]][%[[ARG1]], %[[ARG1]]] : (f32, memref<4x?xf32>) -> f32
//  CHECK-NEXT:   %[[V3:.*]] = memref.generic_atomic_rmw %[[ARG0]][%[[ARG1]], %[[ARG1]]] : memref<4x?xf32> {
//  CHECK-NEXT:   ^bb0(%[[ARG3:.*]]: f32):
//  CHECK-NEXT:   memref.atomic_yield %[[ARG3]] : f32
//  CHECK-NEXT:   }
//  CHECK-NEXT:   return
func.func @access(%m: memref<4x?xf32>, %i: index, %x: f32) {
  %0 = memref.load %m[%i, %i] : memref<4x?xf32>
  %1 = memref.load %m[%i, %i] {nontemporal = true} : memref<4x?xf32>
  memref.store %x, %m[%i, %i] : memref<4x?xf32>
  memref.store %x, %m[%i, %i] {alignment = 16 : i64} : memref<4x?xf32>
  memref.copy %m, %m : memref<4x?xf32> to memref<4x?xf32>
  memref.prefetch %m[%i, %i], read, locality<3>, data : memref<4x?xf32>
  memref.prefetch %m[%i, %i], write, locality<0>, instr : memref<4x?xf32>
  %2 = memref.atomic_rmw addf %x, %m[%i, %i] : (f32, memref<4x?xf32>) -> f32
  %3 = memref.generic_atomic_rmw %m[%i, %i] : memref<4x?xf32> {
  ^bb0(%old: f32):
    memref.atomic_yield %old : f32
  }
  return
}

// CHECK-LABEL: func.func @transfer(
//  CHECK-SAME:   %[[ARG0:[a-z0-9]+]]: memref<64xf32>, %[[ARG1:[a-z0-9]+]]: memref<64xf32, 1>, %[[ARG2:[a-z0-9]+]]: memref<1xi32>, %[[ARG3:[a-z0-9]+]]: index, %[[ARG4:[a-z0-9]+]]: index
//  CHECK-NEXT:   memref.dma_start %[[ARG0]][%[[ARG3]]], %[[ARG1]][%[[ARG3]]], %[[ARG4]], %[[ARG2]][%[[ARG3]]] : memref<64xf32>, memref<64xf32, 1>, memref<1xi32>
//  CHECK-NEXT:   memref.dma_start %[[ARG0]][%[[ARG3]]], %[[ARG1]][%[[ARG3]]], %[[ARG4]], %[[ARG2]][%[[ARG3]]], %[[ARG4]], %[[ARG4]] : memref<64xf32>, memref<64xf32, 1>, memref<1xi32>
//  CHECK-NEXT:   memref.dma_wait %[[ARG2]][%[[ARG3]]], %[[ARG4]] : memref<1xi32>
//  CHECK-NEXT:   return
func.func @transfer(%m: memref<64xf32>, %s: memref<64xf32, 1>, %t: memref<1xi32>, %i: index, %n: index) {
  memref.dma_start %m[%i], %s[%i], %n, %t[%i] : memref<64xf32>, memref<64xf32, 1>, memref<1xi32>
  memref.dma_start %m[%i], %s[%i], %n, %t[%i], %n, %n : memref<64xf32>, memref<64xf32, 1>, memref<1xi32>
  memref.dma_wait %t[%i], %n : memref<1xi32>
  return
}

// CHECK-LABEL: func.func @views(
//  CHECK-SAME:   %[[ARG0:[a-z0-9]+]]: memref<8x16xf32>, %[[ARG1:[a-z0-9]+]]: memref<2048xi8>, %[[ARG2:[a-z0-9]+]]: index, %[[ARG3:[a-z0-9]+]]: memref<2xindex>, %[[ARG4:[a-z0-9]+]]: memref<*xf32>
//  CHECK-NEXT:   %[[CAST:.*]] = memref.cast %[[ARG0]] : memref<8x16xf32> to memref<?x?xf32, strided<[?, ?], offset: ?>>
//  CHECK-NEXT:   %[[CAST_0:.*]] = memref.cast %[[ARG4]] : memref<*xf32> to memref<4xf32>
//  CHECK-NEXT:   %[[SUBVIEW:.*]] = memref.subview %[[ARG0]][0, 0] [4, 4] [1, 2] : memref<8x16xf32> to memref<4x4xf32, strided<[16, 2]>>
//  CHECK-NEXT:   %[[SUBVIEW_1:.*]] = memref.subview %[[ARG0]][%[[ARG2]], 0] [%[[ARG2]], 4] [1, 1] : memref<8x16xf32> to memref<?x4xf32, strided<[16, 1], offset: ?>>
//  CHECK-NEXT:   %[[SUBVIEW_2:.*]] = memref.subview %[[ARG0]][2, 0] [1, 4] [1, 1] : memref<8x16xf32> to memref<4xf32, strided<[1], offset: 32>>
//  CHECK-NEXT:   %[[COLLAPSE_SHAPE:.*]] = memref.collapse_shape %[[ARG0]] {{\[\[}}0, 1]] : memref<8x16xf32> into memref<128xf32>
//  CHECK-NEXT:   %[[EXPAND_SHAPE:.*]] = memref.expand_shape %[[ARG0]] {{\[\[}}0, 1], [2]] output_shape [2, 4, 16] : memref<8x16xf32> into memref<2x4x16xf32>
//  CHECK-NEXT:   %[[TRANSPOSE:.*]] = memref.transpose %[[ARG0]] (d0, d1) -> (d1, d0) : memref<8x16xf32> to memref<16x8xf32, strided<[1, 16]>>
//  CHECK-NEXT:   %[[REINTERPRET_CAST:.*]] = memref.reinterpret_cast %[[ARG0]] to offset: [%[[ARG2]]], sizes: [4, %[[ARG2]]], strides: [%[[ARG2]], 1] : memref<8x16xf32> to memref<4x?xf32, strided<[?, 1], offset: ?>>
//  CHECK-NEXT:   %[[RESHAPE:.*]] = memref.reshape %[[ARG0]](%[[ARG3]]) : (memref<8x16xf32>, memref<2xindex>) -> memref<?x?xf32>
//  CHECK-NEXT:   %[[VIEW:.*]] = memref.view %[[ARG1]][%[[ARG2]]][%[[ARG2]]] : memref<2048xi8> to memref<?x4xf32>
//  CHECK-NEXT:   %[[MEMSPACECAST:.*]] = memref.memory_space_cast %[[ARG0]] : memref<8x16xf32> to memref<8x16xf32, 1>
//  CHECK-NEXT:   %[[ASSUME_ALIGN:.*]] = memref.assume_alignment %[[ARG0]], 64 : memref<8x16xf32>
//  CHECK-NEXT:   %[[V0:.*]]:2 = memref.distinct_objects %[[ARG0]], %[[ASSUME_ALIGN]] : memref<8x16xf32>, memref<8x16xf32>
//  CHECK-NEXT:   return
func.func @views(%m: memref<8x16xf32>, %b: memref<2048xi8>, %n: index, %s: memref<2xindex>, %u: memref<*xf32>) {
  %0 = memref.cast %m : memref<8x16xf32> to memref<?x?xf32, strided<[?, ?], offset: ?>>
  %1 = memref.cast %u : memref<*xf32> to memref<4xf32>
  %2 = memref.subview %m[0, 0] [4, 4] [1, 2] : memref<8x16xf32> to memref<4x4xf32, strided<[16, 2]>>
  %3 = memref.subview %m[%n, 0] [%n, 4] [1, 1] : memref<8x16xf32> to memref<?x4xf32, strided<[16, 1], offset: ?>>
  %4 = memref.subview %m[2, 0] [1, 4] [1, 1] : memref<8x16xf32> to memref<4xf32, strided<[1], offset: 32>>
  %5 = memref.collapse_shape %m [[0, 1]] : memref<8x16xf32> into memref<128xf32>
  %6 = memref.expand_shape %m [[0, 1], [2]] output_shape [2, 4, 16] : memref<8x16xf32> into memref<2x4x16xf32>
  %7 = memref.transpose %m (d0, d1) -> (d1, d0) : memref<8x16xf32> to memref<16x8xf32, strided<[1, 16]>>
  %8 = memref.reinterpret_cast %m to offset: [%n], sizes: [4, %n], strides: [%n, 1] : memref<8x16xf32> to memref<4x?xf32, strided<[?, 1], offset: ?>>
  %9 = memref.reshape %m(%s) : (memref<8x16xf32>, memref<2xindex>) -> memref<?x?xf32>
  %10 = memref.view %b[%n][%n] : memref<2048xi8> to memref<?x4xf32>
  %11 = memref.memory_space_cast %m : memref<8x16xf32> to memref<8x16xf32, 1>
  %12 = memref.assume_alignment %m, 64 : memref<8x16xf32>
  %13:2 = memref.distinct_objects %m, %12 : memref<8x16xf32>, memref<8x16xf32>
  return
}

// CHECK-LABEL: func.func @facts(
//  CHECK-SAME:   %[[ARG0:[a-z0-9]+]]: memref<8x16xf32>, %[[ARG1:[a-z0-9]+]]: index
//  CHECK-NEXT:   %[[DIM:.*]] = memref.dim %[[ARG0]], %[[ARG1]] : memref<8x16xf32>
//  CHECK-NEXT:   %[[V0:.*]] = memref.rank %[[ARG0]] : memref<8x16xf32>
//  CHECK-NEXT:   %[[BASE_BUFFER:.*]], %[[OFFSET:.*]], %[[SIZES:.*]]:2, %[[STRIDES:.*]]:2 = memref.extract_strided_metadata %[[ARG0]] : memref<8x16xf32> -> memref<f32>, index, index, index, index, index
//  CHECK-NEXT:   %[[INTPTR:.*]] = memref.extract_aligned_pointer_as_index %[[ARG0]] : memref<8x16xf32> -> index
//  CHECK-NEXT:   %[[V1:.*]] = memref.get_global @plain : memref<2xf32>
//  CHECK-NEXT:   return
func.func @facts(%m: memref<8x16xf32>, %n: index) {
  %0 = memref.dim %m, %n : memref<8x16xf32>
  %1 = memref.rank %m : memref<8x16xf32>
  %2, %3, %4:2, %5:2 = memref.extract_strided_metadata %m : memref<8x16xf32> -> memref<f32>, index, index, index, index, index
  %6 = memref.extract_aligned_pointer_as_index %m : memref<8x16xf32> -> index
  %7 = memref.get_global @plain : memref<2xf32>
  return
}
