// RUN: dl-opt %s --lower-vector-mask --split-input-file | FileCheck %s

// A masked transfer takes the mask as an operand.
// CHECK-LABEL: func.func @read
//  CHECK-SAME:   (%[[T:[a-z0-9]+]]: tensor<?xf32>, %{{.*}}: index, %[[M:.*]]: vector<4xi1>)
// CHECK-NOT: vector.mask
// CHECK: %[[V:.*]] = vector.transfer_read %[[T]][%{{.*}}], %{{.*}}, %[[M]] : tensor<?xf32>, vector<4xf32>
// CHECK: return %[[V]]
func.func @read(%t: tensor<?xf32>, %i: index, %m: vector<4xi1>) -> vector<4xf32> {
  %p = arith.constant 0.0 : f32
  %0 = vector.mask %m { vector.transfer_read %t[%i], %p : tensor<?xf32>, vector<4xf32> } : vector<4xi1> -> vector<4xf32>
  return %0 : vector<4xf32>
}

// -----

// Lanes that are off have the value of the pass-through.
// CHECK-LABEL: func.func @gather
// CHECK-NOT: vector.mask
// CHECK: vector.gather %{{.*}}[%{{.*}}] [%{{.*}}], %{{.*}}, %{{.*}} : memref<8xf32>, vector<4xi32>, vector<4xi1>, vector<4xf32> into vector<4xf32>
func.func @gather(%s: memref<8xf32>, %i: vector<4xi32>, %m: vector<4xi1>, %p: vector<4xf32>) -> vector<4xf32> {
  %c0 = arith.constant 0 : index
  %all = vector.constant_mask [4] : vector<4xi1>
  %0 = vector.mask %m {
    vector.gather %s[%c0] [%i], %all, %p : memref<8xf32>, vector<4xi32>, vector<4xi1>, vector<4xf32> into vector<4xf32>
  } : vector<4xi1> -> vector<4xf32>
  return %0 : vector<4xf32>
}

// -----

// Lanes that the gather's own mask has off keep the gather's value for them.
// CHECK-LABEL: func.func @gather_with_its_own_mask
//  CHECK-SAME:   %[[M:[a-z0-9]+]]: vector<4xi1>, %[[OWN:[a-z0-9]+]]: vector<4xi1>, %[[P:[a-z0-9]+]]: vector<4xf32>, %[[Q:[a-z0-9]+]]: vector<4xf32>)
//   CHECK-NOT: vector.mask
//   CHECK-DAG: %[[BOTH:.*]] = arith.andi %[[M]], %[[OWN]]
//   CHECK-DAG: %[[OFF:.*]] = arith.select %[[M]], %[[P]], %[[Q]]
//       CHECK: vector.gather %{{.*}}[%{{.*}}] [%{{.*}}], %[[BOTH]], %[[OFF]] :
//       CHECK: %[[BOTH:.*]] = arith.andi %[[M]], %[[OWN]]
//       CHECK: vector.gather %{{.*}}[%{{.*}}] [%{{.*}}], %[[BOTH]], %[[P]] :
func.func @gather_with_its_own_mask(%s: memref<8xf32>, %i: vector<4xi32>, %m: vector<4xi1>, %own: vector<4xi1>, %p: vector<4xf32>, %q: vector<4xf32>) -> (vector<4xf32>, vector<4xf32>) {
  %c0 = arith.constant 0 : index
  %0 = vector.mask %m, %q {
    vector.gather %s[%c0] [%i], %own, %p : memref<8xf32>, vector<4xi32>, vector<4xi1>, vector<4xf32> into vector<4xf32>
  } : vector<4xi1> -> vector<4xf32>
  %1 = vector.mask %m {
    vector.gather %s[%c0] [%i], %own, %p : memref<8xf32>, vector<4xi32>, vector<4xi1>, vector<4xf32> into vector<4xf32>
  } : vector<4xi1> -> vector<4xf32>
  return %0, %1 : vector<4xf32>, vector<4xf32>
}

// -----

// Reductions are left to other passes.
// CHECK-LABEL: func.func @sum
// CHECK: vector.mask
func.func @sum(%v: vector<4xf32>, %m: vector<4xi1>) -> f32 {
  %0 = vector.mask %m { vector.reduction <add>, %v : vector<4xf32> into f32 } : vector<4xi1> -> f32
  return %0 : f32
}
