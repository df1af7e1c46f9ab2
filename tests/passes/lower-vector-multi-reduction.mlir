// RUN: dl-opt %s --lower-vector-multi-reduction | FileCheck %s
// RUN: dl-opt %s --lower-vector-multi-reduction=lowering-strategy=inner-reduction | FileCheck %s --check-prefix=INNER
// RUN: not dl-opt %s --lower-vector-multi-reduction=lowering-strategy=none 2>&1 | FileCheck %s --check-prefix=BAD

// BAD: Cannot find option named 'none'!

// Rows are added, or each row is.
// CHECK-LABEL: func.func @rows
// CHECK: vector.transpose %{{.*}}, [1, 0] : vector<2x4xf32> to vector<4x2xf32>
// CHECK-COUNT-4: arith.addf %{{.*}}, %{{.*}} : vector<2xf32>
// CHECK-NOT: arith.addf
// CHECK: return
// INNER-LABEL: func.func @rows
// INNER-NOT: vector.transpose
// INNER-COUNT-2: vector.reduction <add>, %{{.*}}, %{{.*}} : vector<4xf32> into f32
// INNER-NOT: vector.reduction
// INNER: return
func.func @rows(%v: vector<2x4xf32>, %acc: vector<2xf32>) -> vector<2xf32> {
  %0 = vector.multi_reduction <add>, %v, %acc [1] : vector<2x4xf32> to vector<2xf32>
  return %0 : vector<2xf32>
}

// All at once.
// INNER-LABEL: func.func @all
// INNER: %[[FLAT:.*]] = vector.shape_cast %{{.*}} : vector<2x4xi32> to vector<8xi32>
// INNER: vector.reduction <mul>, %[[FLAT]], %{{.*}} : vector<8xi32> into i32
func.func @all(%v: vector<2x4xi32>, %acc: i32) -> i32 {
  %0 = vector.multi_reduction <mul>, %v, %acc [0, 1] : vector<2x4xi32> to i32
  return %0 : i32
}
