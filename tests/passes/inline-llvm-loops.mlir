// RUN: dl-opt %s --inline --mlir-print-local-scope | FileCheck %s

// Where a loop begins and ends is told as seen from the caller, if that is described.

#file = #llvm.di_file<"loop.c" in "/">
#unit = #llvm.di_compile_unit<id = distinct[0]<>, sourceLanguage = DW_LANG_C, file = #file, isOptimized = false, emissionKind = None>
#callee = #llvm.di_subprogram<compileUnit = #unit, scope = #file, name = "callee", file = #file, subprogramFlags = Definition>
#caller = #llvm.di_subprogram<compileUnit = #unit, scope = #file, name = "caller", file = #file, subprogramFlags = Definition>
#loop = #llvm.loop_annotation<startLoc = loc(fused<#callee>["begin"]), endLoc = loc(fused<#callee>["end"])>

llvm.func @cond() -> i1

llvm.func @callee() {
  llvm.br ^head
^head:
  %c = llvm.call @cond() : () -> i1
  llvm.cond_br %c, ^head, ^exit {loop_annotation = #loop}
^exit:
  llvm.return
}

// CHECK-LABEL: llvm.func @described
//       CHECK:   llvm.cond_br
//  CHECK-SAME:   startLoc = loc(fused<#llvm.di_subprogram<{{.*}}name = "caller"{{.*}}>[callsite(fused<{{.*}}name = "callee"{{.*}}>["begin"] at "call")])
//  CHECK-SAME:   endLoc = loc(fused<#llvm.di_subprogram<{{.*}}name = "caller"{{.*}}>[callsite(fused<{{.*}}name = "callee"{{.*}}>["end"] at "call")])
llvm.func @described() {
  llvm.call @callee() : () -> () loc("call")
  llvm.return
} loc(fused<#caller>["caller"])

// CHECK-LABEL: llvm.func @undescribed
//       CHECK:   llvm.cond_br
//   CHECK-NOT:   callsite
llvm.func @undescribed() {
  llvm.call @callee() : () -> () loc("call")
  llvm.return
}
