// RUN: dl-opt %s --verify-diagnostics | FileCheck %s

// A property that no operation of this name has is dropped, which upstream does without a word.
// CHECK: func.func private @declared(i32)
// expected-warning @below {{'func.func' op has no property 'linkage', which is dropped}}
"func.func"() <{function_type = (i32) -> (), linkage = 1 : i64, sym_name = "declared", sym_visibility = "private"}> ({
}) : () -> ()
