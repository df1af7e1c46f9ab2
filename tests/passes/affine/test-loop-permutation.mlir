// RUN: dl-opt %s --test-loop-permutation='permutation-map=1,2,0' | FileCheck %s
// RUN: dl-opt %s --test-loop-permutation='permutation-map=1,0' | FileCheck %s --check-prefix=OTHER-DEPTH
// RUN: dl-opt %s --test-loop-permutation='permutation-map=1,2,0 check-validity=true' | FileCheck %s --check-prefix=CHECKED

// The outermost loop becomes the second one, and so on.
// CHECK-LABEL: func.func @permute
//       CHECK:   affine.for %[[K:.*]] = 0 to 30
//  CHECK-NEXT:     affine.for %[[I:.*]] = 0 to 10
//  CHECK-NEXT:       affine.for %[[J:.*]] = 0 to 20
//  CHECK-NEXT:         "test.use"(%[[I]], %[[J]], %[[K]])

// OTHER-DEPTH: affine.for %{{.*}} = 0 to 10
// OTHER-DEPTH-NEXT: affine.for %{{.*}} = 0 to 20

// Nothing is known of the operation inside.
// CHECKED: affine.for %{{.*}} = 0 to 10
// CHECKED-NEXT: affine.for %{{.*}} = 0 to 20
func.func @permute() {
  affine.for %i = 0 to 10 {
    affine.for %j = 0 to 20 {
      affine.for %k = 0 to 30 {
        "test.use"(%i, %j, %k) : (index, index, index) -> ()
      }
    }
  }
  return
}
