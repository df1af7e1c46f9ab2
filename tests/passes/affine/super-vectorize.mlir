// RUN: dl-opt %s --affine-super-vectorize=virtual-vector-size=8 --split-input-file | FileCheck %s

// CHECK-LABEL: func.func @elementwise
//  CHECK-SAME:   (%[[A:[^:]*]]: memref<64xf32>, %[[B:[^:]*]]: memref<64xf32>)
//       CHECK:   affine.for %[[I:.*]] = 0 to 64 step 8 {
//       CHECK:     %[[V:.*]] = vector.transfer_read %[[A]][%[[I]]], %{{.*}} : memref<64xf32>, vector<8xf32>
//       CHECK:     %[[W:.*]] = arith.mulf %[[V]], %[[V]] : vector<8xf32>
//       CHECK:     vector.transfer_write %[[W]], %[[B]][%[[I]]] : vector<8xf32>, memref<64xf32>
func.func @elementwise(%a: memref<64xf32>, %b: memref<64xf32>) {
  affine.for %i = 0 to 64 {
    %x = affine.load %a[%i] : memref<64xf32>
    %y = arith.mulf %x, %x : f32
    affine.store %y, %b[%i] : memref<64xf32>
  }
  return
}

// -----

// CHECK-LABEL: func.func @uniform_and_constant
//  CHECK-SAME:   %[[X:[^:]*]]: f32
//   CHECK-DAG:   %[[U:.*]] = vector.broadcast %[[X]] : f32 to vector<8xf32>
//   CHECK-DAG:   arith.constant dense<2.000000e+00> : vector<8xf32>
//       CHECK:   arith.addf %{{.*}}, %[[U]] : vector<8xf32>
func.func @uniform_and_constant(%a: memref<64xf32>, %x: f32) {
  %c = arith.constant 2.0 : f32
  affine.for %i = 0 to 64 {
    %y = affine.load %a[%i] : memref<64xf32>
    %z = arith.addf %y, %x : f32
    %w = arith.mulf %z, %c : f32
    affine.store %w, %a[%i] : memref<64xf32>
  }
  return
}

// -----

// The last vector goes past the end of the buffer: transfers leave that alone.
// CHECK-LABEL: func.func @to_the_end_of_the_buffer
//       CHECK:   affine.for {{.*}} to 60 step 8
//   CHECK-NOT:   create_mask
//       CHECK:   vector.transfer_write %{{.*}}, %{{.*}}[%{{.*}}] : vector<8xf32>, memref<60xf32>
func.func @to_the_end_of_the_buffer(%a: memref<60xf32>, %x: f32) {
  affine.for %i = 0 to 60 {
    affine.store %x, %a[%i] : memref<60xf32>
  }
  return
}

// -----

// CHECK-LABEL: func.func @to_the_extent
//   CHECK-NOT:   create_mask
//       CHECK:   vector.transfer_write
func.func @to_the_extent(%a: memref<?xf32>, %x: f32) {
  %c0 = arith.constant 0 : index
  %n = memref.dim %a, %c0 : memref<?xf32>
  affine.for %i = 0 to %n {
    affine.store %x, %a[%i] : memref<?xf32>
  }
  return
}

// -----

// CHECK-LABEL: func.func @outer_loop
//       CHECK:   affine.for %[[I:.*]] = 0 to 64 step 8 {
//       CHECK:     affine.for %[[J:.*]] = 0 to 3 {
//       CHECK:       vector.transfer_read %{{.*}}[%[[J]], %[[I]]]
func.func @outer_loop(%a: memref<3x64xf32>, %b: memref<3x64xf32>) {
  affine.for %i = 0 to 64 {
    affine.for %j = 0 to 3 {
      %x = affine.load %a[%j, %i] : memref<3x64xf32>
      affine.store %x, %b[0, %i] : memref<3x64xf32>
    }
  }
  return
}

// -----

// Each iteration reads what the one before has written.
// CHECK-LABEL: func.func @carried
//   CHECK-NOT:   vector
//       CHECK:   return
func.func @carried(%a: memref<64xf32>) {
  affine.for %i = 1 to 64 {
    %x = affine.load %a[%i - 1] : memref<64xf32>
    affine.store %x, %a[%i] : memref<64xf32>
  }
  return
}

// -----

// CHECK-LABEL: func.func @diagonal
//   CHECK-NOT:   vector
//       CHECK:   return
func.func @diagonal(%a: memref<64x64xf32>, %x: f32) {
  affine.for %i = 0 to 64 {
    affine.store %x, %a[%i, %i] : memref<64x64xf32>
  }
  return
}

// -----

// A constant that a loop and one in it use becomes one vector.
// CHECK-LABEL: func.func @constant_of_two_loops
//       CHECK:   affine.for %{{.*}} step 8
//       CHECK:     %[[C:.*]] = arith.constant dense<1> : vector<8xi32>
//       CHECK:     affine.for
//   CHECK-NOT:     arith.constant
//       CHECK:       vector.transfer_write %[[C]]
//       CHECK:     vector.transfer_write %[[C]]
func.func @constant_of_two_loops(%a: memref<64xi32>, %b: memref<64xi32>) {
  %one = arith.constant 1 : i32
  affine.for %i = 0 to 64 {
    affine.for %j = 0 to 4 {
      affine.store %one, %a[%i] : memref<64xi32>
    }
    affine.store %one, %b[%i] : memref<64xi32>
  }
  return
}

// -----

// Eight iterations from a multiple of 8 on have indices that follow each other, or one index, even where they are remainders and quotients.
// CHECK-LABEL: func.func @remainders
//  CHECK-SAME:   (%[[A:[^:]*]]: memref<4x16xf32>, %[[B:[^:]*]]: memref<64xf32>)
//       CHECK:   affine.for %[[I:[^ ]*]] = 0 to 64 step 8
//       CHECK:     %[[Q:[^ ]*]] = affine.apply #{{[^(]*}}(%[[I]])
//       CHECK:     %[[R:[^ ]*]] = affine.apply #{{[^(]*}}(%[[I]])
//       CHECK:     vector.transfer_read %[[A]][%[[Q]], %[[R]]
func.func @remainders(%a: memref<4x16xf32>, %b: memref<64xf32>) {
  affine.for %i = 0 to 64 {
    %q = affine.apply affine_map<(d0) -> (d0 floordiv 16)>(%i)
    %r = affine.apply affine_map<(d0) -> (d0 mod 16)>(%i)
    %x = affine.load %a[%q, %r] : memref<4x16xf32>
    affine.store %x, %b[%i] : memref<64xf32>
  }
  return
}
