// What is wrong with an input, a target or a file is one error, with a place where there is one.

// REQUIRES: llvm
// RUN: not dl-translate %S/Inputs/syntax-error.mlir --emit=obj -o %t.o 2>&1 | FileCheck %s --check-prefix=SYNTAX --strict-whitespace
//      SYNTAX:syntax-error.mlir:2:16: error: expected SSA operand
// SYNTAX-NEXT:{{^}}  llvm.return %x i32
// SYNTAX-NEXT:{{^}}  {{ +}}^

// RUN: not dl-translate no-such-file.mlir --mlir-to-llvmir 2>&1 | FileCheck %s --check-prefix=FILE
// FILE: error: cannot open input file 'no-such-file.mlir': No such file or directory

// RUN: not dl-translate %s --mlir-to-llvmir -o no/such/folder/x.ll 2>&1 | FileCheck %s --check-prefix=OUTPUT
// OUTPUT: error: cannot open output file 'no/such/folder/x.ll': No such file or directory

// RUN: not dl-translate %s --emit=asm --target-cpu=znver33 --target-triple=x86_64-linux-gnu 2>&1 | FileCheck %s --check-prefix=CPU
// CPU: error: 'znver33' is not a CPU of x86_64; did you mean 'znver3'?

// RUN: not dl-translate %s --emit=asm --target-triple=mars-unknown-linux 2>&1 | FileCheck %s --check-prefix=TRIPLE
// TRIPLE: error: unknown target 'mars-unknown-linux'

llvm.func @f() {
  llvm.return
}
