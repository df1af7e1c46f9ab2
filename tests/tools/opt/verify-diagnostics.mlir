// RUN: dl-opt %s --verify-diagnostics --split-input-file -o %t
// RUN: not dl-opt %s --split-input-file -o %t 2>&1 | FileCheck %s --check-prefix=PLAIN
// PLAIN: verify-diagnostics.mlir:9:

// The messages of each line are expected by a comment.

func.func @type_mismatch(%x: i32) -> i64 {
  // expected-error @below {{type of return operand 0 ('i32') doesn't match function result type ('i64')}}
  return %x : i32
}

// -----

// expected-note @below {{see existing symbol definition here}}
func.func private @twice()
// expected-error-re @+1 {{redefinition of symbol named '{{[a-z]+}}'}}
func.func private @twice()
