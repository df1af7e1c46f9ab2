// RUN: dl-opt %s --affine-super-vectorize=virtual-vector-size=8 --split-input-file | FileCheck %s

// What mlir-opt 22 gets wrong here.

// The buffer goes on after the loop ends: what is there stays as it is.
// CHECK-LABEL: func.func @part_of_the_buffer
//       CHECK:   affine.for %[[I:.*]] = 0 to 10 step 8 {
//       CHECK:     %[[N:.*]] = affine.apply #{{.*}}(%[[I]])
//       CHECK:     %[[M:.*]] = vector.create_mask %[[N]] : vector<8xi1>
//       CHECK:     vector.transfer_write %{{.*}}, %{{.*}}[%[[I]]], %[[M]] : vector<8xf32>, memref<64xf32>
func.func @part_of_the_buffer(%a: memref<64xf32>, %x: f32) {
  affine.for %i = 0 to 10 {
    affine.store %x, %a[%i] : memref<64xf32>
  }
  return
}

// -----

// CHECK-LABEL: func.func @extent_of_another_buffer
//  CHECK-SAME:   %[[N:[^:]*]]: index
//       CHECK:   vector.create_mask
//       CHECK:   vector.transfer_write
func.func @extent_of_another_buffer(%a: memref<?xf32>, %n: index, %x: f32) {
  affine.for %i = 0 to %n {
    affine.store %x, %a[%i] : memref<?xf32>
  }
  return
}

// -----

// Every other element.
// CHECK-LABEL: func.func @step
//   CHECK-NOT:   vector
//       CHECK:   return
func.func @step(%a: memref<64xf32>, %x: f32) {
  affine.for %i = 0 to 64 step 2 {
    affine.store %x, %a[%i] : memref<64xf32>
  }
  return
}

// -----

// CHECK-LABEL: func.func @factor
//   CHECK-NOT:   vector
//       CHECK:   return
func.func @factor(%a: memref<128xf32>, %x: f32) {
  affine.for %i = 0 to 64 {
    affine.store %x, %a[%i * 2] : memref<128xf32>
  }
  return
}

// -----

// From the last element to the first.
// CHECK-LABEL: func.func @backwards
//   CHECK-NOT:   vector
//       CHECK:   return
func.func @backwards(%a: memref<64xf32>, %b: memref<64xf32>) {
  affine.for %i = 0 to 64 {
    %x = affine.load %a[-%i + 63] : memref<64xf32>
    affine.store %x, %b[%i] : memref<64xf32>
  }
  return
}

// -----

// A lane past the end of the loop must not divide by what it finds there.
// CHECK-LABEL: func.func @division
//   CHECK-NOT:   vector
//       CHECK:   return
func.func @division(%a: memref<60xi32>, %x: i32) {
  affine.for %i = 0 to 60 {
    %y = affine.load %a[%i] : memref<60xi32>
    %z = arith.divsi %x, %y : i32
    affine.store %z, %a[%i] : memref<60xi32>
  }
  return
}

// -----

// CHECK-LABEL: func.func @division_by_whole_vectors
//       CHECK:   arith.divsi {{.*}} : vector<8xi32>
func.func @division_by_whole_vectors(%a: memref<64xi32>, %x: i32) {
  affine.for %i = 0 to 64 {
    %y = affine.load %a[%i] : memref<64xi32>
    %z = arith.divsi %x, %y : i32
    affine.store %z, %a[%i] : memref<64xi32>
  }
  return
}

// -----

// The bound of the inner loop is another one in each lane.
// CHECK-LABEL: func.func @triangle
//   CHECK-NOT:   vector
//       CHECK:   return
func.func @triangle(%a: memref<64x64xf32>, %x: f32) {
  affine.for %i = 0 to 64 {
    affine.for %j = 0 to affine_map<(d0) -> (d0)>(%i) {
      affine.store %x, %a[0, %i] : memref<64x64xf32>
    }
  }
  return
}

// -----

// Indices that begin anew within a vector: eight iterations begin at 4, 12 and so on, or no multiple of 8 is one of 12.
// CHECK-LABEL: func.func @remainders
//   CHECK-NOT:   vector
//       CHECK:   return
func.func @remainders(%a: memref<16xf32>, %b: memref<68xf32>) {
  affine.for %i = 4 to 68 {
    %r = affine.apply affine_map<(d0) -> (d0 mod 16)>(%i)
    %x = affine.load %a[%r] : memref<16xf32>
    affine.store %x, %b[%i] : memref<68xf32>
  }
  affine.for %i = 0 to 64 {
    %r = affine.apply affine_map<(d0) -> (d0 mod 12)>(%i)
    %x = affine.load %a[%r] : memref<16xf32>
    affine.store %x, %b[%i] : memref<68xf32>
  }
  return
}
