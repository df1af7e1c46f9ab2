// RUN: dl-opt %s --mlir-print-local-scope | FileCheck %s
// RUN: dl-opt %s --mlir-print-local-scope | count 7

// The text of the module ends with its brace: there is no empty line behind it, and there are no resources.
//      CHECK: module {
// CHECK-NEXT: func.func private @declared(i32 {test.map = affine_map<(d0) -> (d0)>})
// CHECK-NEXT: func.func @resource() -> tensor<1xi32> {
// CHECK-NEXT: %cst = arith.constant dense_resource<one> : tensor<1xi32>
//  CHECK-NOT: dialect_resources
func.func private @declared(i32 {test.map = affine_map<(d0) -> (d0)>})
func.func @resource() -> tensor<1xi32> {
  %one = arith.constant dense_resource<one> : tensor<1xi32>
  return %one : tensor<1xi32>
}

{-#
  dialect_resources: { builtin: { one: "0x0400000001000000" } }
#-}
