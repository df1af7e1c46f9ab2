// RUN: dl-opt %s --llvm-legalize-for-export | FileCheck %s

// The second edge to the same block, with a value of its own, goes through another one.
// CHECK-LABEL: llvm.func @same_block_twice
// CHECK-SAME: (%[[C:.*]]: i1, %[[A:.*]]: i32, %[[B:.*]]: i32)
// CHECK: llvm.cond_br %[[C]], ^[[TO:bb[0-9]+]](%[[A]] : i32), ^[[BETWEEN:bb[0-9]+]](%[[B]] : i32)
// CHECK: ^[[TO]](%[[X:.*]]: i32):
// CHECK: llvm.return %[[X]]
// CHECK: ^[[BETWEEN]](%[[Y:.*]]: i32):
// CHECK: llvm.br ^[[TO]](%[[Y]] : i32)
llvm.func @same_block_twice(%c: i1, %a: i32, %b: i32) -> i32 {
  llvm.cond_br %c, ^to(%a : i32), ^to(%b : i32)
^to(%x: i32):
  llvm.return %x : i32
}

// Without values, and to different blocks, edges stay.
// CHECK-LABEL: llvm.func @nothing_to_do
// CHECK: llvm.switch
// CHECK-NEXT: 1: ^[[A:.*]],
// CHECK-NEXT: 2: ^[[A]]
llvm.func @nothing_to_do(%c: i32) {
  llvm.switch %c : i32, ^b [ 1: ^a, 2: ^a ]
^a:
  llvm.return
^b:
  llvm.return
}

#file = #llvm.di_file<"a.c" in "/">
#unit = #llvm.di_compile_unit<id = distinct[0]<>, sourceLanguage = DW_LANG_C, file = #file, producer = "dl", isOptimized = true, emissionKind = Full>
#program = #llvm.di_subprogram<compileUnit = #unit, scope = #file, name = "f", file = #file, subprogramFlags = Definition>
#int = #llvm.di_basic_type<tag = DW_TAG_base_type, name = "i32", sizeInBits = 32, encoding = DW_ATE_unsigned>
#variable = #llvm.di_local_variable<scope = #program, name = "x", file = #file, line = 1, alignInBits = 32, type = #int>

// Fragments of fragments become one: as far in as all together, as long as the first.
// CHECK-LABEL: llvm.func @fragments
llvm.func @fragments(%p: !llvm.ptr) {
  // CHECK: #llvm.di_expression<[DW_OP_deref, DW_OP_LLVM_fragment(48, 32)]>
  llvm.intr.dbg.value #variable #llvm.di_expression<[DW_OP_deref, DW_OP_LLVM_fragment(32, 32), DW_OP_LLVM_fragment(16, 64)]> = %p : !llvm.ptr
  // CHECK: #llvm.di_expression<[DW_OP_LLVM_fragment(8, 32), DW_OP_deref]>
  llvm.intr.dbg.value #variable #llvm.di_expression<[DW_OP_LLVM_fragment(8, 32), DW_OP_deref]> = %p : !llvm.ptr
  llvm.return
}
