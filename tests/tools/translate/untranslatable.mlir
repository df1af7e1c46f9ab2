// What verifies and has no counterpart in LLVM IR is an error; upstream's translation ends with a signal on each of these.

// REQUIRES: llvm

// RUN: echo "llvm.func @f(%%x: i64) { llvm.switch %%x : i64, ^a [] ^a: llvm.return }" | sed 's/%%/%/g' > %t.switch
// RUN: not dl-translate %t.switch --mlir-to-llvmir 2>&1 | FileCheck %s --check-prefix=SWITCH
// SWITCH: :1:[[#]]: error: 'llvm.switch' op unsupported: a switch without cases; 'llvm.br' does the same

// RUN: echo "llvm.func @f() attributes {personality = @nope} { llvm.return }" | not dl-translate --mlir-to-llvmir 2>&1 | FileCheck %s --check-prefix=PERSONALITY
// PERSONALITY: error: 'llvm.func' op unsupported: a personality that is not defined: @nope

// RUN: echo "llvm.func @f() attributes {vec_type_hint = #llvm.vec_type_hint<hint = index>}" | not dl-translate --mlir-to-llvmir 2>&1 | FileCheck %s --check-prefix=INDEX
// RUN: echo "llvm.func @f(!llvm.ptr {llvm.byval = index})" | not dl-translate --mlir-to-llvmir 2>&1 | FileCheck %s --check-prefix=INDEX
// INDEX: error: 'llvm.func' op unsupported: LLVM has no type like 'index'

// RUN: echo "llvm.mlir.global internal constant @c(dense<1.0> : tensor<4xf32>) : !llvm.array<4 x index>" | not dl-translate --mlir-to-llvmir 2>&1 | FileCheck %s --check-prefix=ARRAY
// ARRAY: error: 'llvm.mlir.global' op unsupported: LLVM has no type like '!llvm.array<4 x index>'

// RUN: echo "llvm.func @f() -> !llvm.struct<(array<2 x index>)>" | not dl-translate --mlir-to-llvmir 2>&1 | FileCheck %s --check-prefix=RESULT
// RESULT: error: custom op 'llvm.func' failed to construct function type: expected LLVM type for function results
