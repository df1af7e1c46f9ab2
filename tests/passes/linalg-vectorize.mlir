// RUN: dl-opt %s --linalg-vectorize='vector-bits=128' --split-input-file | FileCheck %s
// RUN: dl-opt %s --linalg-vectorize='vector-bits=128 reassociate-fp-reductions' --split-input-file | FileCheck %s --check-prefix=FAST

#id = affine_map<(i, j) -> (i, j)>
#row = affine_map<(i, j) -> (i)>
#column = affine_map<(i, j) -> (j)>

// The bias along the rows is one vector load; that of each row is broadcast outside of the lane loop.
// CHECK-LABEL: func.func @add_biases
//  CHECK-SAME:   (%[[A:.*]]: memref<3x8xf32>, %[[B:.*]]: memref<8xf32>, %[[C:.*]]: memref<3xf32>, %[[O:.*]]: memref<3x8xf32>)
//       CHECK: scf.for %[[I:.*]] = %{{.*}} to %{{.*}} step
//       CHECK:   %[[OF_ROW:.*]] = memref.load %[[C]][%[[I]]]
//       CHECK:   scf.for %[[J:.*]] = %{{.*}} to %{{.*}} step %{{.*}} {
//       CHECK:     %[[X:.*]] = vector.load %[[A]][%[[I]], %[[J]]] : memref<3x8xf32>, vector<4xf32>
//       CHECK:     %[[Y:.*]] = vector.load %[[B]][%[[J]]] : memref<8xf32>, vector<4xf32>
//       CHECK:     %[[SUM:.*]] = arith.addf %[[X]], %[[Y]] : vector<4xf32>
//       CHECK:     %[[ROW:.*]] = vector.broadcast %[[OF_ROW]] : f32 to vector<4xf32>
//       CHECK:     %[[RESULT:.*]] = arith.addf %[[SUM]], %[[ROW]] : vector<4xf32>
//       CHECK:     vector.store %[[RESULT]], %[[O]][%[[I]], %[[J]]]
//   CHECK-NOT:   vector.maskedstore
func.func @add_biases(%a: memref<3x8xf32>, %b: memref<8xf32>, %c: memref<3xf32>, %o: memref<3x8xf32>) {
  linalg.generic {indexing_maps = [#id, #column, #row, #id], iterator_types = ["parallel", "parallel"]}
      ins(%a, %b, %c : memref<3x8xf32>, memref<8xf32>, memref<3xf32>) outs(%o : memref<3x8xf32>) {
  ^bb0(%x: f32, %y: f32, %z: f32, %unused: f32):
    %s = arith.addf %x, %y : f32
    %t = arith.addf %s, %z : f32
    linalg.yield %t : f32
  }
  return
}

// -----

// What is left behind the last full vector is masked.
// CHECK-LABEL: func.func @tail
//       CHECK: %[[MASK:.*]] = vector.constant_mask [3] : vector<4xi1>
//       CHECK: %[[X:.*]] = vector.maskedload %{{.*}}[%{{.*}}], %[[MASK]], %{{.*}} : memref<7xf32>
//       CHECK: %[[Y:.*]] = arith.mulf %[[X]], %[[X]] : vector<4xf32>
//       CHECK: vector.maskedstore %{{.*}}[%{{.*}}], %[[MASK]], %[[Y]]
func.func @tail(%a: memref<7xf32>, %o: memref<7xf32>) {
  linalg.square ins(%a : memref<7xf32>) outs(%o : memref<7xf32>)
  return
}

// -----

// A lane that is off divides by what it has, so that the rest is computed element by element.
#id = affine_map<(i) -> (i)>
// CHECK-LABEL: func.func @no_mask_where_a_lane_that_is_off_could_trap
//       CHECK: arith.divsi %{{.*}} : vector<4xi32>
//   CHECK-NOT: mask
//       CHECK: scf.for
//       CHECK:   arith.divsi %{{.*}} : i32
func.func @no_mask_where_a_lane_that_is_off_could_trap(%a: memref<7xi32>, %b: memref<7xi32>, %o: memref<7xi32>) {
  linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel"]}
      ins(%a, %b : memref<7xi32>, memref<7xi32>) outs(%o : memref<7xi32>) {
  ^bb0(%x: i32, %y: i32, %unused: i32):
    %q = arith.divsi %x, %y : i32
    linalg.yield %q : i32
  }
  return
}

// -----

// Extents that are not known: whole vectors up to a multiple, then under a mask that is made there.
// CHECK-LABEL: func.func @dynamic
//  CHECK-SAME:   (%[[A:.*]]: memref<?xf32>, %{{.*}}: memref<?xf32>)
//       CHECK: %[[EXTENT:.*]] = memref.dim %[[A]]
//       CHECK: %[[REST:.*]] = arith.remui %[[EXTENT]], %{{.*}}
//       CHECK: %[[WHOLE:.*]] = arith.subi %[[EXTENT]], %[[REST]]
//       CHECK: scf.for %{{.*}} = %{{.*}} to %[[WHOLE]] step
//       CHECK: scf.for %[[I:.*]] = %[[WHOLE]] to %[[EXTENT]] step
//       CHECK:   %[[LEFT:.*]] = arith.subi %[[EXTENT]], %[[I]]
//       CHECK:   vector.create_mask %[[LEFT]] : vector<4xi1>
func.func @dynamic(%a: memref<?xf32>, %o: memref<?xf32>) {
  linalg.square ins(%a : memref<?xf32>) outs(%o : memref<?xf32>)
  return
}

// -----

#id = affine_map<(i, j) -> (i, j)>
#row = affine_map<(i, j) -> (i)>

// The order of a sum of floats is kept, unless it may be changed: then there are accumulators.
// CHECK-LABEL: func.func @sum_of_rows
//       CHECK: linalg.generic
//  FAST-LABEL: func.func @sum_of_rows
//        FAST: %[[SUMS:.*]]:4 = scf.for {{.*}} iter_args(%[[S:.*]] = %{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}) -> (vector<4xf32>, vector<4xf32>, vector<4xf32>, vector<4xf32>)
//        FAST:   arith.addf %{{.*}}, %[[S]] fastmath<reassoc,contract> : vector<4xf32>
//        FAST: vector.reduction <add>, %{{.*}} fastmath<reassoc> : vector<4xf32> into f32
func.func @sum_of_rows(%a: memref<3x32xf32>, %o: memref<3xf32>) {
  linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]}
      ins(%a : memref<3x32xf32>) outs(%o : memref<3xf32>) {
  ^bb0(%x: f32, %s: f32):
    %a1 = arith.mulf %x, %x : f32
    %a2 = arith.addf %a1, %x : f32
    %a3 = arith.mulf %a2, %x : f32
    %a4 = arith.subf %a3, %x : f32
    %t = arith.addf %a4, %s : f32
    linalg.yield %t : f32
  }
  return
}

// -----

#id = affine_map<(i, j) -> (i, j)>
#row = affine_map<(i, j) -> (i)>

// One operation that says that it may be reordered is enough for itself.
// CHECK-LABEL: func.func @sum_that_may_be_reordered
//   CHECK-NOT: linalg.generic
//       CHECK: vector.reduction <add>
func.func @sum_that_may_be_reordered(%a: memref<3x32xf32>, %o: memref<3xf32>) {
  linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]}
      ins(%a : memref<3x32xf32>) outs(%o : memref<3xf32>) {
  ^bb0(%x: f32, %s: f32):
    %t = arith.addf %x, %s fastmath<reassoc> : f32
    linalg.yield %t : f32
  }
  return
}

// -----

#id = affine_map<(i, j) -> (i, j)>
#column = affine_map<(i, j) -> (j)>

// Columns are added up row by row, in order, for vectors of columns; their sums stay in registers.
// CHECK-LABEL: func.func @sum_of_columns
//  CHECK-SAME:   (%[[A:.*]]: memref<5x8xf32>, %[[O:.*]]: memref<8xf32>)
//       CHECK: %[[S0:.*]] = vector.load %[[O]][%{{.*}}] : memref<8xf32>, vector<4xf32>
//       CHECK: %[[S1:.*]] = vector.load %[[O]][%{{.*}}] : memref<8xf32>, vector<4xf32>
//       CHECK: %[[SUMS:.*]]:2 = scf.for %[[I:[a-z0-9]+]] = {{[^(]*}}iter_args(%[[T0:[a-z0-9]+]] = %[[S0]], %[[T1:[a-z0-9]+]] = %[[S1]])
//       CHECK:   %[[X:.*]] = vector.load %[[A]][%[[I]], %{{.*}}]
//       CHECK:   arith.addf %[[X]], %[[T0]] : vector<4xf32>
//       CHECK: vector.store %[[SUMS]]#0, %[[O]]
//       CHECK: vector.store %[[SUMS]]#1, %[[O]]
func.func @sum_of_columns(%a: memref<5x8xf32>, %o: memref<8xf32>) {
  linalg.generic {indexing_maps = [#id, #column], iterator_types = ["reduction", "parallel"]}
      ins(%a : memref<5x8xf32>) outs(%o : memref<8xf32>) {
  ^bb0(%x: f32, %s: f32):
    %t = arith.addf %x, %s : f32
    linalg.yield %t : f32
  }
  return
}

// -----

#id = affine_map<(i) -> (i)>
#one = affine_map<(i) -> ()>

// Minima, maxima and integers come to the same in any order.
// CHECK-LABEL: func.func @maximum
//       CHECK: vector.reduction <maximumf>, %{{.*}} : vector<4xf32> into f32
func.func @maximum(%a: memref<64xf32>, %o: memref<f32>) {
  linalg.generic {indexing_maps = [#id, #one], iterator_types = ["reduction"]}
      ins(%a : memref<64xf32>) outs(%o : memref<f32>) {
  ^bb0(%x: f32, %s: f32):
    %t = arith.maximumf %x, %s : f32
    linalg.yield %t : f32
  }
  return
}

// A choice passes over NaN, so that no lane is NaN in the end.
// CHECK-LABEL: func.func @greatest
//       CHECK: %[[BETTER:.*]] = arith.cmpf ogt, %[[X:.*]], %[[S:.*]] : vector<4xf32>
//       CHECK: arith.select %[[BETTER]], %[[X]], %[[S]]
//       CHECK: vector.reduction <maximumf>, %{{.*}} fastmath<{{.*}}nnan,nsz> : vector<4xf32> into f32
func.func @greatest(%a: memref<64xf32>, %o: memref<f32>) {
  linalg.generic {indexing_maps = [#id, #one], iterator_types = ["reduction"]}
      ins(%a : memref<64xf32>) outs(%o : memref<f32>) {
  ^bb0(%x: f32, %s: f32):
    %c = arith.cmpf olt, %s, %x : f32
    %t = arith.select %c, %x, %s : f32
    linalg.yield %t : f32
  }
  return
}

// CHECK-LABEL: func.func @sum_of_integers
//       CHECK: vector.reduction <add>, %{{.*}} : vector<4xi32> into i32
func.func @sum_of_integers(%a: memref<64xi32>, %o: memref<i32>) {
  linalg.generic {indexing_maps = [#id, #one], iterator_types = ["reduction"]}
      ins(%a : memref<64xi32>) outs(%o : memref<i32>) {
  ^bb0(%x: i32, %s: i32):
    %t = arith.addi %x, %s : i32
    linalg.yield %t : i32
  }
  return
}

// -----

// CHECK-LABEL: func.func @index_of_each_element
//       CHECK: %[[STEP:.*]] = vector.step : vector<4xindex>
//       CHECK: %[[START:.*]] = vector.broadcast %{{.*}} : index to vector<4xindex>
//       CHECK: arith.addi %[[START]], %[[STEP]] : vector<4xindex>
#id = affine_map<(i) -> (i)>
func.func @index_of_each_element(%o: memref<8xi32>) {
  linalg.generic {indexing_maps = [#id], iterator_types = ["parallel"]} outs(%o : memref<8xi32>) {
  ^bb0(%unused: i32):
    %i = linalg.index 0 : index
    %j = arith.index_cast %i : index to i32
    linalg.yield %j : i32
  }
  return
}

// -----

// Windows that move by one element are unaligned vectors.
// CHECK-LABEL: func.func @moving_sum
//       CHECK: %[[AT:.*]] = affine.apply
//       CHECK: vector.load %{{.*}}[%[[AT]]] : memref<10xf32>, vector<4xf32>
func.func @moving_sum(%a: memref<10xf32>, %k: memref<3xf32>, %o: memref<8xf32>) {
  linalg.conv_1d ins(%a, %k : memref<10xf32>, memref<3xf32>) outs(%o : memref<8xf32>)
  return
}

// -----

// Not vectorized: elements of a vector lie apart, and a block of rows and columns is too small to be transposed.
// CHECK-LABEL: func.func @narrow
//       CHECK: linalg.transpose
func.func @narrow(%a: memref<3x16xf32>, %o: memref<16x3xf32>) {
  linalg.transpose ins(%a : memref<3x16xf32>) outs(%o : memref<16x3xf32>) permutation = [1, 0]
  return
}

// Not vectorized: an innermost stride of two.
// CHECK-LABEL: func.func @strided
//       CHECK: linalg.square
func.func @strided(%a: memref<8xf32, strided<[2]>>, %o: memref<8xf32>) {
  linalg.square ins(%a : memref<8xf32, strided<[2]>>) outs(%o : memref<8xf32>)
  return
}

// Not vectorized: elements of i1 lie in bytes, those of a vector in bits.
// CHECK-LABEL: func.func @bits
//       CHECK: linalg.generic
#id = affine_map<(i) -> (i)>
func.func @bits(%a: memref<8xi1>, %o: memref<8xi1>) {
  linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%a : memref<8xi1>) outs(%o : memref<8xi1>) {
  ^bb0(%x: i1, %unused: i1):
    linalg.yield %x : i1
  }
  return
}

// -----

// Not vectorized: what is written is read again one iteration later.
#id = affine_map<(i) -> (i)>
// CHECK-LABEL: func.func @overlap
//       CHECK: linalg.square
func.func @overlap(%a: memref<9xf32>) {
  %from = memref.subview %a[0] [8] [1] : memref<9xf32> to memref<8xf32, strided<[1]>>
  %to = memref.subview %a[1] [8] [1] : memref<9xf32> to memref<8xf32, strided<[1], offset: 1>>
  linalg.square ins(%from : memref<8xf32, strided<[1]>>) outs(%to : memref<8xf32, strided<[1], offset: 1>>)
  return
}

// In place is fine.
// CHECK-LABEL: func.func @in_place
//   CHECK-NOT: linalg.square
//       CHECK: vector.store
func.func @in_place(%a: memref<8xf32>) {
  linalg.square ins(%a : memref<8xf32>) outs(%a : memref<8xf32>)
  return
}

// -----

// Not vectorized: the body reads memory itself.
#id = affine_map<(i) -> (i)>
// CHECK-LABEL: func.func @gather
//       CHECK: linalg.generic
func.func @gather(%a: memref<8xindex>, %table: memref<100xf32>, %o: memref<8xf32>) {
  linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%a : memref<8xindex>) outs(%o : memref<8xf32>) {
  ^bb0(%i: index, %unused: f32):
    %x = memref.load %table[%i] : memref<100xf32>
    linalg.yield %x : f32
  }
  return
}

// -----

// Not vectorized: tensors.
// CHECK-LABEL: func.func @tensors
//       CHECK: linalg.square
func.func @tensors(%a: tensor<8xf32>, %o: tensor<8xf32>) -> tensor<8xf32> {
  %0 = linalg.square ins(%a : tensor<8xf32>) outs(%o : tensor<8xf32>) -> tensor<8xf32>
  return %0 : tensor<8xf32>
}

// -----

// A copy into a window is a loop nest over vectors; one of memory without gaps is left as it is.
// CHECK-LABEL: func.func @copy_into_window
//  CHECK-SAME:   (%[[A:.*]]: memref<3x8xf32>, %[[O:.*]]: memref<3x8xf32, strided<[10, 1], offset: 11>>)
//       CHECK: scf.for %[[I:.*]] = %{{.*}} to %{{.*}} step
//       CHECK:   scf.for %[[J:.*]] = %{{.*}} to %{{.*}} step %{{.*}} {
//       CHECK:     %[[X:.*]] = vector.load %[[A]][%[[I]], %[[J]]] : memref<3x8xf32>, vector<4xf32>
//       CHECK:     vector.store %[[X]], %[[O]][%[[I]], %[[J]]]
//   CHECK-NOT: memref.copy
func.func @copy_into_window(%a: memref<3x8xf32>, %o: memref<3x8xf32, strided<[10, 1], offset: 11>>) {
  memref.copy %a, %o : memref<3x8xf32> to memref<3x8xf32, strided<[10, 1], offset: 11>>
  return
}

// -----

// CHECK-LABEL: func.func @copy_without_gaps
//       CHECK: memref.copy %{{.*}}, %{{.*}} : memref<3x8xf32> to memref<3x8xf32, strided<[8, 1], offset: 8>>
func.func @copy_without_gaps(%a: memref<3x8xf32>, %o: memref<3x8xf32, strided<[8, 1], offset: 8>>) {
  memref.copy %a, %o : memref<3x8xf32> to memref<3x8xf32, strided<[8, 1], offset: 8>>
  return
}

// -----

// Of unknown rank there is nothing to make loops of.
// CHECK-LABEL: func.func @copy_of_any_rank
//       CHECK: memref.copy
func.func @copy_of_any_rank(%a: memref<*xf32>, %o: memref<*xf32>) {
  memref.copy %a, %o : memref<*xf32> to memref<*xf32>
  return
}
