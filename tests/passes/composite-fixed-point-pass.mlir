// RUN: dl-opt %s --composite-fixed-point-pass='name=Tidy pipeline=func.func(canonicalize,cse)' | FileCheck %s
// RUN: dl-opt %s --composite-fixed-point-pass='pipeline=func.func(canonicalize,cse)' --mlir-timing -o %t 2>&1 | FileCheck %s --check-prefix=TIMING
// RUN: dl-opt %s --composite-fixed-point-pass='pipeline=canonicalize{max-iterations=1},cse max-iterations=3' --dump-pass-pipeline 2>&1 | FileCheck %s --check-prefix=DUMP
// RUN: not dl-opt %s --composite-fixed-point-pass='pipeline=cse max-iterations=0' 2>&1 | FileCheck %s --check-prefix=LIMIT

// DUMP: composite-fixed-point-pass{max-iterations=3 name=CompositeFixedPointPass pipeline=canonicalize{max-iterations=1},cse}
// LIMIT: error: invalid max-iterations value: 0

//      TIMING: CompositeFixedPointPass
// TIMING-NEXT: 'any' Pipeline
// TIMING-NEXT: 'func.func' Pipeline
// TIMING-NEXT: Canonicalizer
// TIMING-NEXT: CSE

// CHECK-LABEL: func.func @f
//  CHECK-SAME:   (%[[X:.*]]: i32)
//  CHECK-NEXT:   %[[Y:.*]] = arith.muli %[[X]], %[[X]]
//  CHECK-NEXT:   return %[[Y]], %[[Y]]
func.func @f(%x: i32) -> (i32, i32) {
  %zero = arith.constant 0 : i32
  %0 = arith.addi %x, %zero : i32
  %1 = arith.muli %0, %x : i32
  %2 = arith.muli %x, %x : i32
  return %1, %2 : i32, i32
}
