// RUN: %{round-trip}

// Codes of DWARF by their names, sets of flags as strings, members of types in braces, bundles without operands.

// CHECK-DAG: #[[FILE:.*]] = #llvm.di_file<"a.c" in "/src">
#file = #llvm.di_file<"a.c" in "/src">
// CHECK-DAG: sourceLanguage = DW_LANG_C99, file = #[[FILE]], isOptimized = true, emissionKind = Full
#unit = #llvm.di_compile_unit<id = distinct[0]<>, sourceLanguage = DW_LANG_C99, file = #file, isOptimized = true, emissionKind = Full>
// CHECK-DAG: #[[INT:.*]] = #llvm.di_basic_type<tag = DW_TAG_base_type, name = "int", sizeInBits = 32, encoding = DW_ATE_signed>
#int = #llvm.di_basic_type<tag = DW_TAG_base_type, name = "int", sizeInBits = 32, encoding = DW_ATE_signed>
// CHECK-DAG: #llvm.di_composite_type<tag = DW_TAG_class_type, name = "c", flags = "TypePassByReference|NonTrivial">
#class = #llvm.di_composite_type<tag = DW_TAG_class_type, name = "c", flags = "TypePassByReference|NonTrivial">
// CHECK-DAG: #llvm.di_composite_type<tag = DW_TAG_structure_type, name = "s", flags = Private>
#struct = #llvm.di_composite_type<tag = DW_TAG_structure_type, name = "s", flags = Private>
// CHECK-DAG: #llvm.di_expression<[DW_OP_deref, DW_OP_plus_uconst(4), DW_OP_LLVM_convert(16, DW_ATE_unsigned)]>
#expression = #llvm.di_expression<[DW_OP_deref, DW_OP_plus_uconst(4), DW_OP_LLVM_convert(16, DW_ATE_unsigned)]>

// CHECK-DAG: #llvm.di_composite_type<tag = DW_TAG_array_type, elements = #llvm.di_generic_subrange<count = #llvm.di_expression<[DW_OP_deref]>, lowerBound = #llvm.di_expression<[DW_OP_deref]>, stride = #llvm.di_expression<[DW_OP_deref]>>>
#deref = #llvm.di_expression<[DW_OP_deref]>
#array = #llvm.di_composite_type<tag = DW_TAG_array_type, elements = #llvm.di_generic_subrange<count = #deref, lowerBound = #deref, stride = #deref>>

// CHECK-DAG: #[[ROOT:.*]] = #llvm.tbaa_root<id = "C">
#root = #llvm.tbaa_root<id = "C">
// CHECK-DAG: members = {<#[[ROOT]], 0>}
#char = #llvm.tbaa_type_desc<id = "char", members = {<#root, 0>}>
// CHECK-DAG: members = {<#{{.*}}, 0>, <#{{.*}}, 4>}
#pair = #llvm.tbaa_type_desc<id = "pair", members = {<#char, 0>, <#char, 4>}>

llvm.func @f() attributes {a = [#unit, #int, #class, #struct, #expression, #array, #pair]}

// CHECK-LABEL: llvm.func @bundles
llvm.func @bundles(%p: i32) {
  // CHECK: llvm.call @f() ["none"(), "one"(%{{.*}} : i32)] : () -> ()
  llvm.call @f() ["none"(), "one"(%p : i32)] : () -> ()
  // CHECK: llvm.call_intrinsic "llvm.x"() ["none"()] : () -> ()
  llvm.call_intrinsic "llvm.x"() ["none"()] : () -> ()
  llvm.return
}

// Arguments of expressions are numbers of 64 bits without a sign.
// CHECK-LABEL: llvm.func @large_arguments
// CHECK-SAME:  #llvm.di_expression<[DW_OP_bit_piece(18446744073709551615, 0)]>
llvm.func @large_arguments() attributes {a = #llvm.di_expression<[DW_OP_bit_piece(18446744073709551615, 0)]>}
