// RUN: not dl-opt %s --split-input-file 2>%t | FileCheck %s
// RUN: FileCheck %s --input-file=%t --check-prefix=ERROR
// RUN: not dl-opt %s --split-input-file='// ===''==' 2>&1 | FileCheck %s --check-prefix=OTHER

// Each part stands for itself, and a fault in one does not hide the others.
// CHECK-LABEL: @first
func.func private @first()
// CHECK: // {{-----}}

// -----

// ERROR: split-input-file.mlir:[[#@LINE+1]]:{{[0-9]+}}: error:
func.func @second() -> { return }

// -----

// CHECK-LABEL: @third
func.func private @third()

// Names are known in their part only, and a marker need not stand at the start of a line.
   // -----
// CHECK-LABEL: @first
func.func private @first()

// =====
// OTHER: split-input-file.mlir:13:
