// RUN: dl-opt %s --convert-func-to-llvm --split-input-file | FileCheck %s

// A memref is passed in parts, and put together where it is used.
// CHECK-LABEL: llvm.func @memref
//  CHECK-SAME:   (%[[A:.*]]: !llvm.ptr, %[[B:.*]]: !llvm.ptr, %[[OFF:.*]]: i64, %[[S:.*]]: i64, %[[T:.*]]: i64)
//  CHECK-SAME:   -> !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)>
func.func @memref(%m: memref<?xf32>) -> memref<?xf32> {
  // CHECK:      %[[D0:.*]] = llvm.mlir.poison
  // CHECK-NEXT: %[[D1:.*]] = llvm.insertvalue %[[A]], %[[D0]][0]
  // CHECK-NEXT: %[[D2:.*]] = llvm.insertvalue %[[B]], %[[D1]][1]
  // CHECK-NEXT: %[[D3:.*]] = llvm.insertvalue %[[OFF]], %[[D2]][2]
  // CHECK-NEXT: %[[D4:.*]] = llvm.insertvalue %[[S]], %[[D3]][3, 0]
  // CHECK-NEXT: %[[D5:.*]] = llvm.insertvalue %[[T]], %[[D4]][4, 0]
  // CHECK-NEXT: llvm.return %[[D5]]
  return %m : memref<?xf32>
}

// -----

// CHECK-LABEL: llvm.func @several_results
//  CHECK-SAME:   (%[[I:.*]]: i64, %[[X:.*]]: f32) -> !llvm.struct<(i64, f32)>
func.func @several_results(%i: index, %x: f32) -> (index, f32) {
  // CHECK-NEXT: %[[CALL:.*]] = llvm.call @several_results(%[[I]], %[[X]]) {foo} : (i64, f32) -> !llvm.struct<(i64, f32)>
  // CHECK-NEXT: %[[R0:.*]] = llvm.extractvalue %[[CALL]][0]
  // CHECK-NEXT: %[[R1:.*]] = llvm.extractvalue %[[CALL]][1]
  // CHECK-NEXT: %[[P:.*]] = llvm.mlir.poison
  // CHECK-NEXT: %[[P0:.*]] = llvm.insertvalue %[[R0]], %[[P]][0]
  // CHECK-NEXT: %[[P1:.*]] = llvm.insertvalue %[[R1]], %[[P0]][1]
  // CHECK-NEXT: llvm.return %[[P1]]
  %0:2 = call @several_results(%i, %x) {foo} : (index, f32) -> (index, f32)
  return %0#0, %0#1 : index, f32
}

// -----

// What is said of a memref does not hold for its parts.
// CHECK-LABEL: llvm.func @attributes(%{{.*}}: i64 {llvm.noundef}, %{{.*}}: !llvm.ptr, %{{.*}}: !llvm.ptr, %{{.*}}: i64)
//  CHECK-SAME:   attributes {sym_visibility = "private"}
func.func private @attributes(%i: index {llvm.noundef}, %m: memref<f32> {llvm.noalias}) {
  return
}

// -----

// CHECK-LABEL: llvm.func @function_value
//  CHECK-SAME:   (%[[I:.*]]: i64)
func.func @function_value(%i: index) -> index {
  // CHECK-NEXT: %[[F:.*]] = llvm.mlir.addressof @function_value : !llvm.ptr
  // CHECK-NEXT: %[[R:.*]] = llvm.call %[[F]](%[[I]]) : !llvm.ptr, (i64) -> i64
  // CHECK-NEXT: llvm.return %[[R]]
  %f = constant @function_value : (index) -> index
  %r = call_indirect %f(%i) : (index) -> index
  return %r : index
}

// -----

// A type that LLVM has no counterpart of is left for another pass.
// CHECK-LABEL: func.func @tensor
func.func @tensor(%t: tensor<4xf32>) -> tensor<4xf32> {
  return %t : tensor<4xf32>
}

// -----

// A function that returns a memref of any rank would have to hand out the memory of its descriptor.
// CHECK-LABEL: func.func @unranked
//       CHECK:   return %{{.*}} : memref<*xf32>
func.func @unranked(%m: memref<*xf32>) -> memref<*xf32> {
  return %m : memref<*xf32>
}

// -----

// CHECK-LABEL: llvm.func @pure(f32) -> f32
//  CHECK-SAME:   memory_effects = #llvm.memory_effects<other = none, argMem = none, inaccessibleMem = none, errnoMem = none, targetMem0 = none, targetMem1 = none>
func.func private @pure(f32) -> f32 attributes {llvm.readnone}

// -----

// What only a pointer can be said to be does not hold for the integer that an index becomes.
// CHECK-LABEL: llvm.func @said_of_an_index(!llvm.ptr {llvm.readonly}, i64, i64 {llvm.noundef})
func.func private @said_of_an_index(!llvm.ptr {llvm.readonly}, index {llvm.readonly}, index {llvm.noundef})
