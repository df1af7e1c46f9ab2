// RUN: not dl-opt %s --split-input-file 2>&1 | FileCheck %s

// Columns are those of the file, also behind a marker in the middle of a line.
func.func private @first() // ----- func.func private @second( )  !
// CHECK: split-columns.mlir:[[#@LINE-1]]:67: error:

// -----

  !
// CHECK: split-columns.mlir:[[#@LINE-1]]:3: error:
