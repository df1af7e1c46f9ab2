// RUN: dl-opt %s --pass-pipeline='builtin.module(func.func(canonicalize,cse))' --mlir-print-ir-after-all -o %t 2>&1 | FileCheck %s --check-prefix=AFTER --match-full-lines
// RUN: dl-opt %s --canonicalize --cse --mlir-print-ir-before=cse -o %t 2>&1 | FileCheck %s --check-prefix=BEFORE
// RUN: dl-opt %s --strip-debuginfo --strip-debuginfo --mlir-print-ir-after-all --mlir-print-ir-after-change -o %t 2>&1 | FileCheck %s --check-prefix=LOCATIONS
// RUN: dl-opt %s --canonicalize --cse --mlir-print-ir-after-all --mlir-print-ir-after-change -o %t 2>&1 | FileCheck %s --check-prefix=CHANGE
// RUN: dl-opt %s --canonicalize --cse --mlir-print-ir-after-change -o %t 2>&1 | FileCheck %s --check-prefix=ALONE --allow-empty
// RUN: dl-opt %s --pass-pipeline='builtin.module(func.func(cse))' --mlir-print-ir-after=cse --mlir-print-ir-module-scope --mlir-disable-threading -o %t 2>&1 | FileCheck %s --check-prefix=MODULE
// RUN: not dl-opt %s --cse --mlir-print-ir-after-all --mlir-print-ir-module-scope -o %t 2>&1 | FileCheck %s --check-prefix=THREADS
// RUN: not dl-opt %s --pass-pipeline='builtin.module(func.func(cse,symbol-dce))' --mlir-print-ir-after-failure -o %t 2>&1 | FileCheck %s --check-prefix=FAILURE

//      AFTER: // -----// IR Dump After Canonicalizer (canonicalize) //----- //
// AFTER-NEXT: func.func @f(%arg0: i32) -> i32 {
//      AFTER: // -----// IR Dump After CSE (cse) //----- //
// AFTER-NEXT: func.func @f(%arg0: i32) -> i32 {
//      AFTER: // -----// IR Dump After Canonicalizer (canonicalize) //----- //
// AFTER-NEXT: func.func @g() {
//      AFTER: // -----// IR Dump After CSE (cse) //----- //
// AFTER-NEXT: func.func @g() {

//  BEFORE-NOT: IR Dump Before Canonicalizer
//      BEFORE: IR Dump Before CSE (cse)
// BEFORE-NEXT: module {

//     CHANGE: IR Dump After Canonicalizer
// CHANGE-NOT: IR Dump After CSE

// It leaves out, and prints nothing by itself.
// ALONE-NOT: IR Dump

// Locations are a part of the IR.
//     LOCATIONS: IR Dump After StripDebugInfo
// LOCATIONS-NOT: IR Dump After StripDebugInfo

//      MODULE: IR Dump After CSE (cse) ('func.func' operation: @f)
// MODULE-NEXT: module {
//      MODULE: IR Dump After CSE (cse) ('func.func' operation: @g)
// MODULE-NEXT: module {

// THREADS: error: IR print for module scope can't be setup on a pass-manager without disabling multi-threading first.

// FAILURE-NOT: IR Dump After CSE
//     FAILURE: IR Dump After SymbolDCE Failed (symbol-dce)

func.func @f(%x: i32) -> i32 {
  %zero = arith.constant 0 : i32
  %y = arith.addi %x, %zero : i32
  return %y : i32
}

func.func @g() {
  return
}
