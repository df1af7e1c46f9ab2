// RUN: dl-opt %s --split-input-file --verify-diagnostics 2>&1 | FileCheck %s --strict-whitespace

// What is almost a marker is a warning, and splits nothing.
func.func private @first()

//      CHECK:split-near-miss.mlir:[[#@LINE+3]]:7: warning: near miss with file split marker
// CHECK-NEXT://{{[[:space:]]}}----
// CHECK-NEXT:      ^
// ----

// expected-note @below {{see existing symbol definition here}}
func.func private @second()
// expected-error @below {{redefinition of symbol named 'second'}}
func.func private @second()
