// RUN: dl-opt %s --symbol-dce | FileCheck %s
// RUN: not dl-opt %s --pass-pipeline='builtin.module(func.func(symbol-dce))' 2>&1 | FileCheck %s --check-prefix=TABLE

// TABLE: error: 'func.func' op was scheduled to run under SymbolDCE, but does not define a symbol table

// CHECK-NOT: @dead
// CHECK: func.func private @used
// CHECK: func.func @entry
func.func private @dead()
func.func private @dead_caller() {
  func.call @dead() : () -> ()
  return
}
func.func private @used()
func.func @entry() {
  func.call @used() : () -> ()
  return
}

// Nobody outside the program sees what is nested.
// CHECK: module @public
// CHECK-NOT: @nested
// CHECK: func.func @visible
module @public {
  func.func nested @nested() {
    return
  }
  func.func @visible() {
    return
  }
}

// CHECK-NOT: @private
module @private attributes {sym_visibility = "private"} {
  func.func @inside() {
    return
  }
}
