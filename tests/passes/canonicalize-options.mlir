// RUN: dl-opt %s --canonicalize='test-convergence' | FileCheck %s
// RUN: not dl-opt %s --canonicalize='max-iterations=1 test-convergence' 2>&1 | FileCheck %s --check-prefix=STOPPED
// RUN: dl-opt %s --canonicalize='max-iterations=1' | FileCheck %s
// RUN: dl-opt %s --canonicalize='max-iterations=0 test-convergence' | FileCheck %s --check-prefix=NOTHING
// RUN: dl-opt %s --canonicalize='max-num-rewrites=0 test-convergence' | FileCheck %s --check-prefix=NOTHING
// RUN: dl-opt %s --canonicalize='max-num-rewrites=1 max-iterations=1' | FileCheck %s --check-prefix=ONE
// RUN: dl-opt %s --canonicalize='disable-patterns=arith-combine-constants' | FileCheck %s --check-prefix=NOTHING
// RUN: dl-opt %s --canonicalize='enable-patterns=arith-combine-constants' | FileCheck %s

// Three constants are added up.
// CHECK-LABEL: func.func @sum
//  CHECK-NEXT:   %[[C:.*]] = arith.constant 7 : i32
//  CHECK-NEXT:   %[[S:.*]] = arith.addi %{{.*}}, %[[C]]
//  CHECK-NEXT:   return %[[S]]

// STOPPED: error: 'builtin.module' op canonicalization does not converge: the last round still changed something
// STOPPED: note: among the last 2 rewrites: pattern 'arith-combine-constants' 2 times

// NOTHING-LABEL: func.func @sum
// NOTHING-COUNT-3: arith.addi

// ONE-LABEL: func.func @sum
// ONE-COUNT-2: arith.addi
// ONE-NEXT: return
func.func @sum(%x: i32) -> i32 {
  %c1 = arith.constant 1 : i32
  %c2 = arith.constant 2 : i32
  %c4 = arith.constant 4 : i32
  %0 = arith.addi %x, %c1 : i32
  %1 = arith.addi %0, %c2 : i32
  %2 = arith.addi %1, %c4 : i32
  return %2 : i32
}
