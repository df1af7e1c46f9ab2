// IR goes to a tree of files: folders by operation, files by pass, numbered within each operation on the way.

// Some passes only.
// RUN: rm -rf %t && dl-opt %s --mlir-print-ir-tree-dir=%t --pass-pipeline='builtin.module(builtin.module(func.func(cse,canonicalize)))' --mlir-print-ir-before=cse -o %t.out
// RUN: test -f %t/builtin_module_top/builtin_module_nested/func_func_f/0_0_0_cse.mlir
// RUN: test ! -e %t/builtin_module_top/builtin_module_nested/func_func_f/0_0_1_canonicalize.mlir

// All of them.
// RUN: rm -rf %t && dl-opt %s --mlir-print-ir-tree-dir=%t --pass-pipeline='builtin.module(canonicalize,cse,func.func(cse),builtin.module(canonicalize,func.func(cse,canonicalize),cse),cse)' --mlir-print-ir-after-all -o %t.out
// RUN: cd %t && find . -type f | LC_ALL=C sort | FileCheck %s --match-full-lines
// RUN: FileCheck %s --input-file=%t/builtin_module_top/builtin_module_nested/func_func_f/1_0_1_canonicalize.mlir --check-prefix=DUMP

//      CHECK: ./builtin_module_top/0_canonicalize.mlir
// CHECK-NEXT: ./builtin_module_top/1_cse.mlir
// CHECK-NEXT: ./builtin_module_top/2_cse.mlir
// CHECK-NEXT: ./builtin_module_top/builtin_module_nested/1_0_canonicalize.mlir
// CHECK-NEXT: ./builtin_module_top/builtin_module_nested/1_1_cse.mlir
// CHECK-NEXT: ./builtin_module_top/builtin_module_nested/func_func_f/1_0_0_cse.mlir
// CHECK-NEXT: ./builtin_module_top/builtin_module_nested/func_func_f/1_0_1_canonicalize.mlir
// CHECK-NEXT: ./builtin_module_top/func_func_a_b_c/1_0_cse.mlir

//      DUMP: // -----// IR Dump After Canonicalizer (canonicalize) //----- //
// DUMP-NEXT: func.func @f() {

module @top {
  func.func @"a/b\\c"() {
    return
  }
  module @nested {
    func.func @f() {
      return
    }
  }
}
