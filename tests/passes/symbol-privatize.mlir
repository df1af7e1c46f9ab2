// RUN: dl-opt %s --symbol-privatize=exclude=kept,also_kept --allow-unregistered-dialect | FileCheck %s

// CHECK-LABEL: func.func @kept()
func.func @kept() {
  return
}

// CHECK-LABEL: func.func private @hidden()
func.func @hidden() {
  return
}

// CHECK: memref.global @also_kept
memref.global @also_kept : memref<2xf32>

// CHECK: memref.global "private" @global
memref.global @global : memref<2xf32>

// What is nested is not touched.
// CHECK: module @inner attributes {sym_visibility = "private"}
// CHECK-NEXT: func.func @nested()
module @inner {
  func.func @nested() {
    return
  }
}

// CHECK: "some.symbol"() {sym_name = "unknown"}
"some.symbol"() {sym_name = "unknown"} : () -> ()
