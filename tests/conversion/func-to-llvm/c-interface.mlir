// RUN: dl-opt %s '--pass-pipeline=builtin.module(func.func(llvm-request-c-wrappers),convert-func-to-llvm)' --split-input-file | FileCheck %s

// CHECK-LABEL: llvm.func @callee
//  CHECK-SAME:   attributes {llvm.emit_c_interface}
// CHECK-LABEL: llvm.func @_mlir_ciface_callee
//  CHECK-SAME:   (%[[RESULT:.*]]: !llvm.ptr, %[[M:.*]]: !llvm.ptr, %[[I:.*]]: i64) attributes {llvm.emit_c_interface}
//       CHECK:   %[[D:.*]] = llvm.load %[[M]] : !llvm.ptr -> !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)>
//       CHECK:   %[[A:.*]] = llvm.extractvalue %[[D]][0]
//       CHECK:   %[[B:.*]] = llvm.extractvalue %[[D]][1]
//       CHECK:   %[[OFF:.*]] = llvm.extractvalue %[[D]][2]
//       CHECK:   %[[S:.*]] = llvm.extractvalue %[[D]][3, 0]
//       CHECK:   %[[T:.*]] = llvm.extractvalue %[[D]][4, 0]
//       CHECK:   %[[R:.*]] = llvm.call @callee(%[[A]], %[[B]], %[[OFF]], %[[S]], %[[T]], %[[I]])
//       CHECK:   llvm.store %[[R]], %[[RESULT]]
//       CHECK:   llvm.return
func.func @callee(%m: memref<?xf32>, %i: index) -> memref<?xf32> {
  return %m : memref<?xf32>
}

// -----

// A scalar result is returned.
// CHECK-LABEL: llvm.func @_mlir_ciface_scalar(%{{.*}}: f32) -> f32
func.func @scalar(%x: f32) -> f32 {
  return %x : f32
}

// -----

// A function that is defined elsewhere is reached through its interface.
// CHECK-LABEL: llvm.func private @external
//  CHECK-SAME:   (%[[A:.*]]: !llvm.ptr, %[[B:.*]]: !llvm.ptr, %[[OFF:.*]]: i64)
//       CHECK:   %[[D:.*]] = llvm.insertvalue %[[OFF]], %{{.*}}[2]
//       CHECK:   %[[PLACE:.*]] = llvm.alloca
//       CHECK:   llvm.store %[[D]], %[[PLACE]]
//       CHECK:   llvm.call @_mlir_ciface_external(%[[PLACE]])
// CHECK-LABEL: llvm.func @_mlir_ciface_external(!llvm.ptr)
func.func private @external(memref<f32>)

// -----

// What only a pointer can be said to be is left out where an index becomes an integer.
// CHECK-LABEL: llvm.func @_mlir_ciface_attributes(!llvm.ptr {llvm.readonly}, i64, i64 {llvm.noundef})
func.func private @attributes(memref<f32> {llvm.readonly}, index {llvm.readonly}, index {llvm.noundef})
