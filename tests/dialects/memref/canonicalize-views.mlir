// RUN: dl-opt %s --canonicalize --split-input-file | FileCheck %s

// Merging what was split, where elements have no gaps.
// CHECK-LABEL: func.func @collapse_of_expand
//  CHECK-SAME:   (%[[ARG0:[a-z0-9_-]+]]: memref<24xi8>, %[[ARG1:[a-z0-9_-]+]]: memref<24xi8, strided<[2]>>)
//  CHECK-NEXT:   %[[EXPAND:[a-z0-9_-]+]] = memref.expand_shape %[[ARG0]] {{\[\[}}0, 1{{\]\]}} output_shape [6, 4] : memref<24xi8> into memref<6x4xi8>
//  CHECK-NEXT:   %[[EXPAND2:[a-z0-9_-]+]] = memref.expand_shape %[[ARG1]] {{\[\[}}0, 1, 2{{\]\]}} output_shape [2, 3, 4] : memref<24xi8, strided<[2]>> into memref<2x3x4xi8, strided<[24, 8, 2]>>
//  CHECK-NEXT:   %[[COLLAP:[a-z0-9_-]+]] = memref.collapse_shape %[[EXPAND2]] {{\[\[}}0, 1], [2{{\]\]}} : memref<2x3x4xi8, strided<[24, 8, 2]>> into memref<6x4xi8, strided<[8, 2]>>
//  CHECK-NEXT:   return %[[EXPAND]], %[[COLLAP]] : memref<6x4xi8>, memref<6x4xi8, strided<[8, 2]>>
func.func @collapse_of_expand(%m: memref<24xi8>, %g: memref<24xi8, strided<[2]>>) -> (memref<6x4xi8>, memref<6x4xi8, strided<[8, 2]>>) {
  %0 = memref.expand_shape %m [[0, 1, 2]] output_shape [2, 3, 4] : memref<24xi8> into memref<2x3x4xi8>
  %1 = memref.collapse_shape %0 [[0, 1], [2]] : memref<2x3x4xi8> into memref<6x4xi8>
  %2 = memref.expand_shape %g [[0, 1, 2]] output_shape [2, 3, 4] : memref<24xi8, strided<[2]>> into memref<2x3x4xi8, strided<[24, 8, 2]>>
  %3 = memref.collapse_shape %2 [[0, 1], [2]] : memref<2x3x4xi8, strided<[24, 8, 2]>> into memref<6x4xi8, strided<[8, 2]>>
  return %1, %3 : memref<6x4xi8>, memref<6x4xi8, strided<[8, 2]>>
}

// -----

// Two dynamic extents may be others than before.
// CHECK-LABEL: func.func @expand_of_collapse
//  CHECK-SAME:   (%[[ARG0:[a-z0-9_-]+]]: memref<?x?xi8>, %[[ARG1:[a-z0-9_-]+]]: index, %[[ARG2:[a-z0-9_-]+]]: index)
//  CHECK-NEXT:   %[[COLLAP:[a-z0-9_-]+]] = memref.collapse_shape %[[ARG0]] {{\[\[}}0, 1{{\]\]}} : memref<?x?xi8> into memref<?xi8>
//  CHECK-NEXT:   %[[EXPAND:[a-z0-9_-]+]] = memref.expand_shape %[[COLLAP]] {{\[\[}}0, 1{{\]\]}} output_shape [%[[ARG1]], %[[ARG2]]] : memref<?xi8> into memref<?x?xi8>
//  CHECK-NEXT:   return %[[EXPAND]] : memref<?x?xi8>
func.func @expand_of_collapse(%m: memref<?x?xi8>, %a: index, %b: index) -> memref<?x?xi8> {
  %0 = memref.collapse_shape %m [[0, 1]] : memref<?x?xi8> into memref<?xi8>
  %1 = memref.expand_shape %0 [[0, 1]] output_shape [%a, %b] : memref<?xi8> into memref<?x?xi8>
  return %1 : memref<?x?xi8>
}

// -----

// Reshapes of casts that forget.
// CHECK-LABEL: func.func @reshapes_of_casts
//  CHECK-SAME:   (%[[ARG0:[a-z0-9_-]+]]: memref<6x4xi8>)
//  CHECK-NEXT:   %[[COLLAP:[a-z0-9_-]+]] = memref.collapse_shape %[[ARG0]] {{\[\[}}0, 1{{\]\]}} : memref<6x4xi8> into memref<24xi8>
//  CHECK-NEXT:   %[[CAST:[a-z0-9_-]+]] = memref.cast %[[COLLAP]] : memref<24xi8> to memref<?xi8>
//  CHECK-NEXT:   %[[EXPAND:[a-z0-9_-]+]] = memref.expand_shape %[[ARG0]] {{\[\[}}0, 1], [2{{\]\]}} output_shape [2, 3, 4] : memref<6x4xi8> into memref<2x3x4xi8>
//  CHECK-NEXT:   %[[CAST2:[a-z0-9_-]+]] = memref.cast %[[EXPAND]] : memref<2x3x4xi8> to memref<?x?x4xi8>
//  CHECK-NEXT:   return %[[CAST]], %[[CAST2]] : memref<?xi8>, memref<?x?x4xi8>
func.func @reshapes_of_casts(%m: memref<6x4xi8>) -> (memref<?xi8>, memref<?x?x4xi8>) {
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %0 = memref.cast %m : memref<6x4xi8> to memref<?x4xi8>
  %1 = memref.collapse_shape %0 [[0, 1]] : memref<?x4xi8> into memref<?xi8>
  %2 = memref.expand_shape %0 [[0, 1], [2]] output_shape [%c2, %c3, 4] : memref<?x4xi8> into memref<?x?x4xi8>
  return %1, %2 : memref<?xi8>, memref<?x?x4xi8>
}

// -----

// Numbers that the type has are constants.
// CHECK-LABEL: func.func @known_metadata
//  CHECK-SAME:   (%[[ARG0:[a-z0-9_-]+]]: memref<2x?xi8, strided<[?, 3], offset: 5>>)
//  CHECK-NEXT:   %[[C:[a-z0-9_-]+]] = arith.constant 5 : index
//  CHECK-NEXT:   %[[C2:[a-z0-9_-]+]] = arith.constant 2 : index
//  CHECK-NEXT:   %[[C3:[a-z0-9_-]+]] = arith.constant 3 : index
//  CHECK-NEXT:   %[[BASEBU:[a-z0-9_-]+]], %[[OFFSET:[a-z0-9_-]+]], %[[SIZES:[a-z0-9_-]+]]:2, %[[STRIDE:[a-z0-9_-]+]]:2 = memref.extract_strided_metadata %[[ARG0]] : memref<2x?xi8, strided<[?, 3], offset: 5>> -> memref<i8>, index, index, index, index, index
//  CHECK-NEXT:   return %[[C]], %[[C2]], %[[SIZES]]#1, %[[STRIDE]]#0, %[[C3]] : index, index, index, index, index
func.func @known_metadata(%m: memref<2x?xi8, strided<[?, 3], offset: 5>>) -> (index, index, index, index, index) {
  %b, %o, %s:2, %t:2 = memref.extract_strided_metadata %m : memref<2x?xi8, strided<[?, 3], offset: 5>> -> memref<i8>, index, index, index, index, index
  return %o, %s#0, %s#1, %t#0, %t#1 : index, index, index, index, index
}

// -----

// Put together as it was taken apart, and otherwise.
// CHECK-LABEL: func.func @reinterpret_of_metadata
//  CHECK-SAME:   (%[[ARG0:[a-z0-9_-]+]]: memref<?x4xi8>)
//  CHECK-NEXT:   %[[BASEBU:[a-z0-9_-]+]], %[[OFFSET:[a-z0-9_-]+]], %[[SIZES:[a-z0-9_-]+]]:2, %[[STRIDE:[a-z0-9_-]+]]:2 = memref.extract_strided_metadata %[[ARG0]] : memref<?x4xi8> -> memref<i8>, index, index, index, index, index
//  CHECK-NEXT:   %[[REINTE:[a-z0-9_-]+]] = memref.reinterpret_cast %[[ARG0]] to offset: [%[[SIZES]]#0], sizes: [2], strides: [1] : memref<?x4xi8> to memref<2xi8, strided<[1], offset: ?>>
//  CHECK-NEXT:   return %[[ARG0]], %[[REINTE]] : memref<?x4xi8>, memref<2xi8, strided<[1], offset: ?>>
func.func @reinterpret_of_metadata(%m: memref<?x4xi8>) -> (memref<?x4xi8>, memref<2xi8, strided<[1], offset: ?>>) {
  %b, %o, %s:2, %t:2 = memref.extract_strided_metadata %m : memref<?x4xi8> -> memref<i8>, index, index, index, index, index
  %0 = memref.reinterpret_cast %b to offset: [0], sizes: [%s#0, 4], strides: [4, 1] : memref<i8> to memref<?x4xi8>
  %1 = memref.reinterpret_cast %b to offset: [%s#0], sizes: [2], strides: [1] : memref<i8> to memref<2xi8, strided<[1], offset: ?>>
  return %0, %1 : memref<?x4xi8>, memref<2xi8, strided<[1], offset: ?>>
}

// -----

// Only the base of the source counts.
// CHECK-LABEL: func.func @reinterpret_of_views
//  CHECK-SAME:   (%[[ARG0:[a-z0-9_-]+]]: memref<8xi8>, %[[ARG1:[a-z0-9_-]+]]: index)
//  CHECK-NEXT:   %[[REINTE:[a-z0-9_-]+]] = memref.reinterpret_cast %[[ARG0]] to offset: [0], sizes: [%[[ARG1]]], strides: [1] : memref<8xi8> to memref<?xi8>
//  CHECK-NEXT:   %[[REINTE2:[a-z0-9_-]+]] = memref.reinterpret_cast %[[ARG0]] to offset: [0], sizes: [2], strides: [1] : memref<8xi8> to memref<2xi8>
//  CHECK-NEXT:   %[[SUBVIE:[a-z0-9_-]+]] = memref.subview %[[ARG0]][2] [4] [1] : memref<8xi8> to memref<4xi8, strided<[1], offset: 2>>
//  CHECK-NEXT:   %[[REINTE3:[a-z0-9_-]+]] = memref.reinterpret_cast %[[SUBVIE]] to offset: [0], sizes: [2], strides: [1] : memref<4xi8, strided<[1], offset: 2>> to memref<2xi8>
//  CHECK-NEXT:   return %[[REINTE]], %[[REINTE2]], %[[REINTE3]] : memref<?xi8>, memref<2xi8>, memref<2xi8>
func.func @reinterpret_of_views(%m: memref<8xi8>, %n: index) -> (memref<?xi8>, memref<2xi8>, memref<2xi8>) {
  %0 = memref.cast %m : memref<8xi8> to memref<?xi8>
  %1 = memref.reinterpret_cast %0 to offset: [0], sizes: [%n], strides: [1] : memref<?xi8> to memref<?xi8>
  %2 = memref.subview %m[0] [4] [1] : memref<8xi8> to memref<4xi8>
  %3 = memref.reinterpret_cast %2 to offset: [0], sizes: [2], strides: [1] : memref<4xi8> to memref<2xi8>
  %4 = memref.subview %m[2] [4] [1] : memref<8xi8> to memref<4xi8, strided<[1], offset: 2>>
  %5 = memref.reinterpret_cast %4 to offset: [0], sizes: [2], strides: [1] : memref<4xi8, strided<[1], offset: 2>> to memref<2xi8>
  return %1, %3, %5 : memref<?xi8>, memref<2xi8>, memref<2xi8>
}

// -----

// Constant strides of 0, and slices out of bounds, stay operands.
// CHECK-LABEL: func.func @subview_constants
//  CHECK-SAME:   (%[[ARG0:[a-z0-9_-]+]]: memref<8xi8>)
//  CHECK-NEXT:   %[[C:[a-z0-9_-]+]] = arith.constant 0 : index
//  CHECK-NEXT:   %[[C2:[a-z0-9_-]+]] = arith.constant 3 : index
//  CHECK-NEXT:   %[[SUBVIE:[a-z0-9_-]+]] = memref.subview %[[ARG0]][0] [2] [%[[C]]] : memref<8xi8> to memref<2xi8, strided<[?]>>
//  CHECK-NEXT:   %[[SUBVIE2:[a-z0-9_-]+]] = memref.subview %[[ARG0]][6] [%[[C2]]] [1] : memref<8xi8> to memref<?xi8, strided<[1], offset: 6>>
//  CHECK-NEXT:   return %[[SUBVIE]], %[[SUBVIE2]] : memref<2xi8, strided<[?]>>, memref<?xi8, strided<[1], offset: 6>>
func.func @subview_constants(%m: memref<8xi8>) -> (memref<2xi8, strided<[?]>>, memref<?xi8, strided<[1], offset: 6>>) {
  %c0 = arith.constant 0 : index
  %c3 = arith.constant 3 : index
  %0 = memref.subview %m[0] [2] [%c0] : memref<8xi8> to memref<2xi8, strided<[?]>>
  %1 = memref.subview %m[6] [%c3] [1] : memref<8xi8> to memref<?xi8, strided<[1], offset: 6>>
  return %0, %1 : memref<2xi8, strided<[?]>>, memref<?xi8, strided<[1], offset: 6>>
}

// -----

// One transposition, one memory space, one alignment, one view.
// CHECK-LABEL: func.func @merged
//  CHECK-SAME:   (%[[ARG0:[a-z0-9_-]+]]: memref<2x3x4xi8>, %[[ARG1:[a-z0-9_-]+]]: memref<16xi8>, %[[ARG2:[a-z0-9_-]+]]: index)
//  CHECK-NEXT:   %[[TRANSP:[a-z0-9_-]+]] = memref.transpose %[[ARG0]] (d0, d1, d2) -> (d1, d2, d0) : memref<2x3x4xi8> to memref<3x4x2xi8, strided<[4, 1, 12]>>
//  CHECK-NEXT:   %[[MEMSPA:[a-z0-9_-]+]] = memref.memory_space_cast %[[ARG1]] : memref<16xi8> to memref<16xi8, 2>
//  CHECK-NEXT:   %[[ASSUME:[a-z0-9_-]+]] = memref.assume_alignment %[[ARG1]], 8 : memref<16xi8>
//  CHECK-NEXT:   %[[VIEW:[a-z0-9_-]+]] = memref.view %[[ARG1]][%[[ARG2]]][] : memref<16xi8> to memref<4xi32>
//  CHECK-NEXT:   return %[[TRANSP]], %[[MEMSPA]], %[[ASSUME]], %[[VIEW]], %[[ARG1]] : memref<3x4x2xi8, strided<[4, 1, 12]>>, memref<16xi8, 2>, memref<16xi8>, memref<4xi32>, memref<16xi8>
func.func @merged(%m: memref<2x3x4xi8>, %b: memref<16xi8>, %n: index) -> (memref<3x4x2xi8, strided<[4, 1, 12]>>, memref<16xi8, 2>, memref<16xi8>, memref<4xi32>, memref<16xi8>) {
  %c0 = arith.constant 0 : index
  %0 = memref.transpose %m (i, j, k) -> (j, i, k) : memref<2x3x4xi8> to memref<3x2x4xi8, strided<[4, 12, 1]>>
  %1 = memref.transpose %0 (i, j, k) -> (i, k, j) : memref<3x2x4xi8, strided<[4, 12, 1]>> to memref<3x4x2xi8, strided<[4, 1, 12]>>
  %2 = memref.memory_space_cast %b : memref<16xi8> to memref<16xi8, 1>
  %3 = memref.memory_space_cast %2 : memref<16xi8, 1> to memref<16xi8, 2>
  %4 = memref.assume_alignment %b, 8 : memref<16xi8>
  %5 = memref.assume_alignment %4, 8 : memref<16xi8>
  %6 = memref.cast %b : memref<16xi8> to memref<?xi8>
  %7 = memref.view %6[%n][] : memref<?xi8> to memref<4xi32>
  %8 = memref.view %b[%c0][] : memref<16xi8> to memref<16xi8>
  return %1, %3, %5, %7, %8 : memref<3x4x2xi8, strided<[4, 1, 12]>>, memref<16xi8, 2>, memref<16xi8>, memref<4xi32>, memref<16xi8>
}

// -----

// A stored memref keeps its type.
// CHECK-LABEL: func.func @store_of_cast
//  CHECK-SAME:   (%[[ARG0:[a-z0-9_-]+]]: memref<4xi8>, %[[ARG1:[a-z0-9_-]+]]: memref<2xmemref<?xi8>>, %[[ARG2:[a-z0-9_-]+]]: index)
//  CHECK-NEXT:   %[[CAST:[a-z0-9_-]+]] = memref.cast %[[ARG0]] : memref<4xi8> to memref<?xi8>
//  CHECK-NEXT:   memref.store %[[CAST]], %[[ARG1]][%[[ARG2]]] : memref<2xmemref<?xi8>>
//  CHECK-NEXT:   return
func.func @store_of_cast(%m: memref<4xi8>, %h: memref<2xmemref<?xi8>>, %i: index) {
  %0 = memref.cast %m : memref<4xi8> to memref<?xi8>
  memref.store %0, %h[%i] : memref<2xmemref<?xi8>>
  return
}

// -----

// A shape is read where the reshape reads it, as it may be written later.
// CHECK-LABEL: func.func @dim_of_reshape
//  CHECK-SAME:   (%[[ARG0:[a-z0-9_-]+]]: memref<*xi8>, %[[ARG1:[a-z0-9_-]+]]: memref<2xindex>, %[[ARG2:[a-z0-9_-]+]]: index, %[[ARG3:[a-z0-9_-]+]]: index)
//  CHECK-NEXT:   %[[RESHAP:[a-z0-9_-]+]] = memref.reshape %[[ARG0]](%[[ARG1]]) : (memref<*xi8>, memref<2xindex>) -> memref<?x?xi8>
//  CHECK-NEXT:   %[[V:[a-z0-9_-]+]] = memref.load %[[ARG1]][%[[ARG2]]] : memref<2xindex>
//  CHECK-NEXT:   memref.store %[[ARG3]], %[[ARG1]][%[[ARG2]]] : memref<2xindex>
//  CHECK-NEXT:   %[[V2:[a-z0-9_-]+]] = arith.addi %[[ARG2]], %[[ARG3]] : index
//  CHECK-NEXT:   %[[DIM:[a-z0-9_-]+]] = memref.dim %[[RESHAP]], %[[V2]] : memref<?x?xi8>
//  CHECK-NEXT:   return %[[V]], %[[DIM]] : index, index
func.func @dim_of_reshape(%m: memref<*xi8>, %s: memref<2xindex>, %i: index, %v: index) -> (index, index) {
  %0 = memref.reshape %m(%s) : (memref<*xi8>, memref<2xindex>) -> memref<?x?xi8>
  memref.store %v, %s[%i] : memref<2xindex>
  %1 = memref.dim %0, %i : memref<?x?xi8>
  %2 = arith.addi %i, %v : index
  %3 = memref.dim %0, %2 : memref<?x?xi8>
  return %1, %3 : index, index
}

// -----

// A scope that takes no memory, or ends with the one around it; one that gives back before.
// CHECK-LABEL: func.func @scopes
//  CHECK-SAME:   (%[[ARG0:[a-z0-9_-]+]]: memref<i8>, %[[ARG1:[a-z0-9_-]+]]: i8, %[[ARG2:[a-z0-9_-]+]]: i1)
//  CHECK-NEXT:   scf.if %[[ARG2]] {
//  CHECK-NEXT:   memref.store %[[ARG1]], %[[ARG0]][] : memref<i8>
//  CHECK-NEXT:   memref.alloca_scope  {
//  CHECK-NEXT:   %[[ALLOCA:[a-z0-9_-]+]] = memref.alloca() : memref<i8>
//  CHECK-NEXT:   memref.copy %[[ARG0]], %[[ALLOCA]] : memref<i8> to memref<i8>
//  CHECK-NEXT:   memref.copy %[[ALLOCA]], %[[ARG0]] : memref<i8> to memref<i8>
//  CHECK-NEXT:   }
//  CHECK-NEXT:   memref.store %[[ARG1]], %[[ARG0]][] : memref<i8>
//  CHECK-NEXT:   }
//  CHECK-NEXT:   %[[ALLOCA2:[a-z0-9_-]+]] = memref.alloca() : memref<i8>
//  CHECK-NEXT:   memref.copy %[[ARG0]], %[[ALLOCA2]] : memref<i8> to memref<i8>
//  CHECK-NEXT:   memref.copy %[[ALLOCA2]], %[[ARG0]] : memref<i8> to memref<i8>
//  CHECK-NEXT:   return
func.func @scopes(%m: memref<i8>, %a: i8, %c: i1) {
  scf.if %c {
    memref.alloca_scope {
      memref.store %a, %m[] : memref<i8>
    }
    memref.alloca_scope {
      %0 = memref.alloca() : memref<i8>
      memref.copy %m, %0 : memref<i8> to memref<i8>
      memref.copy %0, %m : memref<i8> to memref<i8>
    }
    memref.store %a, %m[] : memref<i8>
  }
  memref.alloca_scope {
    %0 = memref.alloca() : memref<i8>
    memref.copy %m, %0 : memref<i8> to memref<i8>
    memref.copy %0, %m : memref<i8> to memref<i8>
  }
  return
}

// Sizes that are known are part of the type; those of the wrong sign, of which upstream makes a type that cannot be read, stay.
// CHECK-LABEL: func.func @view_of_known_size(
//  CHECK-SAME:   %[[M:[a-z0-9]+]]: memref<?xi8>, %[[S:[a-z0-9]+]]: index, %[[N:[a-z0-9]+]]: index
func.func @view_of_known_size(%m: memref<?xi8>, %s: index, %n: index, %i: index) -> (f32, f32, memref<?xf32>) {
  // CHECK: %[[A:.*]] = memref.view %[[M]][%[[S]]][%[[N]]] : memref<?xi8> to memref<3x?x4xf32>
  // CHECK: memref.load %[[A]]
  // CHECK: %[[B:.*]] = memref.view %[[M]][%[[S]]][] : memref<?xi8> to memref<3xf32>
  // CHECK: memref.load %[[B]]
  // CHECK: memref.view %[[M]][%[[S]]][%{{.*}}] : memref<?xi8> to memref<?xf32>
  %c3 = arith.constant 3 : index
  %negative = arith.constant -3 : index
  %0 = memref.view %m[%s][%c3, %n] : memref<?xi8> to memref<?x?x4xf32>
  %1 = memref.load %0[%i, %i, %i] : memref<?x?x4xf32>
  %2 = memref.view %m[%s][%c3] : memref<?xi8> to memref<?xf32>
  %3 = memref.load %2[%i] : memref<?xf32>
  %4 = memref.view %m[%s][%negative] : memref<?xi8> to memref<?xf32>
  return %1, %3, %4 : f32, f32, memref<?xf32>
}
