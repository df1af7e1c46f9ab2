// What is wrong with an input, a target or a file is one error, with a place where there is one.

// REQUIRES: llvm
// RUN: not dl-translate %S/Inputs/syntax-error.mlir --emit=obj -o %t.o 2>&1 | FileCheck %s --check-prefix=SYNTAX --strict-whitespace
//      SYNTAX:syntax-error.mlir:2:17: error: expected ':'
// SYNTAX-NEXT:{{^}}  llvm.return %x i32
// SYNTAX-NEXT:{{^}}                ^

// RUN: not dl-translate no-such-file.mlir --mlir-to-llvmir 2>&1 | FileCheck %s --check-prefix=FILE
// FILE: error: cannot open input file 'no-such-file.mlir': No such file or directory

// RUN: not dl-translate %s --mlir-to-llvmir -o no/such/folder/x.ll 2>&1 | FileCheck %s --check-prefix=OUTPUT
// OUTPUT: error: cannot open output file 'no/such/folder/x.ll': No such file or directory

// RUN: not dl-translate %s --emit=asm --target-cpu=znver33 --target-triple=x86_64-linux-gnu 2>&1 | FileCheck %s --check-prefix=CPU
// CPU: error: 'znver33' is not a CPU of x86_64; did you mean 'znver3'?

// RUN: not dl-translate %s --emit=asm --target-triple=mars-unknown-linux 2>&1 | FileCheck %s --check-prefix=TRIPLE
// TRIPLE: error: unknown target 'mars-unknown-linux'

// RUN: not dl-translate %s --emit=asm --target-cpu=x86-64 --target-triple=x86_64-linux-gnu 2>&1 | FileCheck %s --check-prefix=INTRINSIC
// INTRINSIC: error: unsupported: LLVM makes no code of this program for this target: {{.+}}

llvm.func @f(%x: vector<16xf32>) -> vector<16xf32> {
  %all = llvm.mlir.constant(-1 : i16) : i16
  %rounding = llvm.mlir.constant(4 : i32) : i32
  %y = llvm.call_intrinsic "llvm.x86.avx512.mask.scalef.ps.512"(%x, %x, %x, %all, %rounding) :
    (vector<16xf32>, vector<16xf32>, vector<16xf32>, i16, i32) -> vector<16xf32>
  llvm.return %y : vector<16xf32>
}
