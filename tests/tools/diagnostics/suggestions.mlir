// RUN: dl-opt %s --verify-diagnostics --split-input-file
// RUN: not dl-opt %s --canonicalise 2>&1 | FileCheck %s --check-prefix=PASS
// RUN: not dl-opt %s --pass-pipeline='builtin.module(func.func(csee))' 2>&1 | FileCheck %s --check-prefix=PIPELINE

// PASS: unknown option '--canonicalise', did you mean '--canonicalize'?
// PIPELINE: did you mean 'cse'?

func.func @op(%x: i32) {
  // expected-error @below {{custom op 'arith.adi' is unknown}}
  // expected-note @below {{did you mean 'arith.addi'?}}
  %0 = arith.adi %x, %x : i32
  return
}

// -----

func.func @generic(%x: i32) {
  // expected-error @below {{unregistered operation 'arith.adi' found in dialect ('arith') that does not allow unknown operations}}
  // expected-note @below {{did you mean 'arith.addi'?}}
  %0 = "arith.adi"(%x, %x) : (i32, i32) -> i32
  return
}

// -----

func.func @dialect_of_op(%x: i32) {
  // expected-error @below {{Dialect `artih' not found for custom op 'artih.addi'}}
  // expected-note @below {{Available dialects:}}
  // expected-note @below {{did you mean 'arith.addi'?}}
  %0 = artih.addi %x, %x : i32
  return
}

// -----

// expected-error @below {{unknown type `prt` in dialect `llvm`}}
// expected-note @below {{did you mean `ptr`?}}
func.func private @type(!llvm.prt)

// -----

// expected-error @below {{type created with unregistered dialect}}
// expected-note @below {{did you mean the dialect 'llvm'?}}
func.func private @dialect_of_type(!lvm.ptr)

// -----

// Nothing is close.
// expected-error @below {{type created with unregistered dialect}}
func.func private @nothing(!quite.different)
