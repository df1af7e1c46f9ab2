// RUN: dl-opt %s --arith-int-range-narrowing=int-bitwidths-supported=8,16,32 --split-input-file | FileCheck %s

// CHECK-LABEL: func.func @narrow
func.func @narrow(%x: i32, %y: i32) -> i32 {
  // CHECK: %[[A:.*]] = arith.trunci %{{.*}} : i32 to i8
  // CHECK: %[[B:.*]] = arith.trunci %{{.*}} : i32 to i8
  // CHECK: %[[S:.*]] = arith.addi %[[A]], %[[B]] : i8
  // CHECK: arith.extui %[[S]] : i8 to i32
  %c15 = arith.constant 15 : i32
  %a = arith.andi %x, %c15 : i32
  %b = arith.andi %y, %c15 : i32
  %r = arith.addi %a, %b : i32
  return %r : i32
}

// -----

// 200 is negative in eight bits: a signed maximum would go wrong there, and `nsw` must go with fewer bits. Upstream keeps both.
// CHECK-LABEL: func.func @unsigned_only
func.func @unsigned_only() -> (i32, i32) {
  // CHECK: arith.maxsi %{{.*}} : i16
  // CHECK: %[[S:.*]] = arith.addi %{{.*}}, %{{.*}} : i8
  %x = test.with_bounds {umin = 0 : i32, umax = 200 : i32, smin = 0 : i32, smax = 200 : i32} : i32
  %y = test.with_bounds {umin = 0 : i32, umax = 50 : i32, smin = 0 : i32, smax = 50 : i32} : i32
  %m = arith.maxsi %x, %y : i32
  %s = arith.addi %x, %y overflow<nsw> : i32
  return %m, %s : i32, i32
}

// -----

// A shift by ten needs more than eight bits, whatever the result is.
// CHECK-LABEL: func.func @shift
func.func @shift() -> i32 {
  // CHECK: arith.shrui %{{.*}} : i16
  %x = test.with_bounds {umin = 0 : i32, umax = 100 : i32, smin = 0 : i32, smax = 100 : i32} : i32
  %by = test.with_bounds {umin = 0 : i32, umax = 10 : i32, smin = 0 : i32, smax = 10 : i32} : i32
  %r = arith.shrui %x, %by : i32
  return %r : i32
}
