// RUN: dl-opt %s --convert-func-to-llvm --split-input-file | FileCheck %s

// An identified struct of types that LLVM does not have gets another name, and refers to itself by that.
// CHECK-LABEL: llvm.func @renamed
//  CHECK-SAME:   (!llvm.struct<"_Converted.node", packed (struct<"_Converted.node">, array<2 x struct<"_Converted.node">>, i64)>)
func.func private @renamed(!llvm.struct<"node", packed (struct<"node">, array<2 x struct<"node">>, index)>)

// -----

// CHECK-LABEL: llvm.func @kept(!llvm.struct<"node", (struct<"node">, i64)>)
func.func private @kept(!llvm.struct<"node", (struct<"node">, i64)>)

// -----

// The other name may stand for what the struct becomes, and for nothing else.
// CHECK-LABEL: llvm.func @is_there(!llvm.struct<"_Converted.node", (i64)>)
//       CHECK: llvm.func @becomes_it(!llvm.struct<"_Converted.node", (i64)>)
func.func private @is_there(!llvm.struct<"_Converted.node", (i64)>)
func.func private @becomes_it(!llvm.struct<"node", (index)>)

// -----

// CHECK-LABEL: llvm.func @is_another(!llvm.struct<"_Converted.node", (f32)>)
//       CHECK: func.func private @stays(!llvm.struct<"node", (!llvm.struct<"node">, index)>)
func.func private @is_another(!llvm.struct<"_Converted.node", (f32)>)
func.func private @stays(!llvm.struct<"node", (struct<"node">, index)>)

// -----

// A result that becomes a struct has none of the attributes of integers and pointers.
// CHECK-LABEL: llvm.func @result()
//  CHECK-SAME:   -> (!llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)> {llvm.noundef})
func.func private @result() -> (memref<4xf32> {llvm.noundef, llvm.signext})
