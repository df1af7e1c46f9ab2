// A name that is taken gets a number behind it: not one with which it would be another name in use, be that made so or given.

// RUN: dl-opt %s --allow-unregistered-dialect --mlir-use-nameloc-as-prefix | FileCheck %s

// CHECK-LABEL: func.func @names(
// CHECK:       %foo =
// CHECK:       %foo_0 =
// CHECK:       %foo_0_1 =
// CHECK:       %foo_2 =
// CHECK:       %longer_3 =
// CHECK:       %longer =
// CHECK:       %longer_4 =
// CHECK:       %longer_05 =
// CHECK:       %longer_4_5 =
// CHECK:       %longer_8 =
// CHECK:       %inner =
// CHECK:       %inner_9 =
// CHECK:       %longer_8 =
// CHECK:       %inner_7 =
// CHECK:       %inner =
// CHECK:       %inner_9 =
// CHECK:       %longer_6 =
// CHECK:       %longer_7 =
// CHECK:       %cst =
// CHECK:       %cst_6 =
// CHECK:       %cst_8 =
// CHECK:       %cst_6_7 =
func.func @names(%c: i1) {
  %0 = "test.a"() : () -> i32 loc("foo")
  %1 = "test.a"() : () -> i32 loc("foo")
  %2 = "test.a"() : () -> i32 loc("foo_0")
  %3 = "test.a"() : () -> i32 loc("foo")
  %4 = "test.a"() : () -> i32 loc("longer_3")
  %5 = "test.a"() : () -> i32 loc("longer")
  %6 = "test.a"() : () -> i32 loc("longer")
  %7 = "test.a"() : () -> i32 loc("longer_05")
  %8 = "test.a"() : () -> i32 loc("longer_4")
  "test.r"() ({
    %9 = "test.a"() : () -> i32 loc("longer")
    %10 = "test.a"() : () -> i32 loc("inner")
    %11 = "test.a"() : () -> i32 loc("inner")
    "test.t"(%9, %10, %11) : (i32, i32, i32) -> ()
  }, {
    %9 = "test.a"() : () -> i32 loc("longer")
    %10 = "test.a"() : () -> i32 loc("inner_7")
    %11 = "test.a"() : () -> i32 loc("inner")
    %12 = "test.a"() : () -> i32 loc("inner")
    %13 = "test.a"() : () -> i32 loc("longer_6")
    %14 = "test.a"() : () -> i32 loc("longer_7")
    "test.t"(%9, %10, %11) : (i32, i32, i32) -> ()
  }) : () -> ()
  %15 = arith.constant 1.0 : f32
  %16 = arith.constant 2.0 : f32
  %17 = "test.a"() : () -> i32 loc("cst_8")
  %18 = "test.a"() : () -> i32 loc("cst_6")
  return
}
