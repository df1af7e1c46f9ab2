// RUN: dl-opt %s --finalize-memref-to-llvm | FileCheck %s

// CHECK-LABEL: func.func @load
//  CHECK-SAME:   (%[[M:.*]]: memref<4x8xf32>, %[[I:.*]]: index, %[[J:.*]]: index)
func.func @load(%m: memref<4x8xf32>, %i: index, %j: index) -> f32 {
  // CHECK-DAG:  %[[D:.*]] = builtin.unrealized_conversion_cast %[[M]]
  // CHECK-DAG:  %[[X:.*]] = builtin.unrealized_conversion_cast %[[I]]
  // CHECK-DAG:  %[[Y:.*]] = builtin.unrealized_conversion_cast %[[J]]
  // CHECK:      %[[P:.*]] = llvm.extractvalue %[[D]][1]
  // CHECK-NEXT: %[[C8:.*]] = llvm.mlir.constant(8 : index) : i64
  // CHECK-NEXT: %[[ROW:.*]] = llvm.mul %[[X]], %[[C8]] overflow<nsw, nuw> : i64
  // CHECK-NEXT: %[[AT:.*]] = llvm.add %[[ROW]], %[[Y]] overflow<nsw, nuw> : i64
  // CHECK-NEXT: %[[Q:.*]] = llvm.getelementptr inbounds|nuw %[[P]][%[[AT]]] : (!llvm.ptr, i64) -> !llvm.ptr, f32
  // CHECK-NEXT: llvm.load %[[Q]] : !llvm.ptr -> f32
  %0 = memref.load %m[%i, %j] : memref<4x8xf32>
  return %0 : f32
}

// Dynamic strides and offsets are read from the descriptor, static ones are numbers.
// CHECK-LABEL: func.func @strided_store
func.func @strided_store(%m: memref<4x8xf32, strided<[?, 1], offset: 3>>, %i: index, %x: f32) {
  // CHECK:      %[[P:.*]] = llvm.extractvalue %[[D:.*]][1]
  // CHECK-NEXT: %[[C3:.*]] = llvm.mlir.constant(3 : index) : i64
  // CHECK-NEXT: %[[START:.*]] = llvm.getelementptr %[[P]][%[[C3]]]
  // CHECK-NEXT: %[[S:.*]] = llvm.extractvalue %[[D]][4, 0]
  // CHECK-NEXT: %[[ROW:.*]] = llvm.mul %[[I:.*]], %[[S]] overflow<nsw, nuw>
  // CHECK-NEXT: %[[AT:.*]] = llvm.add %[[ROW]], %[[I]] overflow<nsw, nuw>
  // CHECK-NEXT: %[[Q:.*]] = llvm.getelementptr inbounds|nuw %[[START]][%[[AT]]]
  // CHECK-NEXT: llvm.store %{{.*}}, %[[Q]] {alignment = 8 : i64, nontemporal} : f32, !llvm.ptr
  memref.store %x, %m[%i, %i] {nontemporal = true, alignment = 8} : memref<4x8xf32, strided<[?, 1], offset: 3>>
  return
}

// An access that need not be in bounds makes no assumption.
// CHECK-LABEL: func.func @prefetch
func.func @prefetch(%m: memref<?xf32>, %i: index) {
  // CHECK: %[[Q:.*]] = llvm.getelementptr %{{.*}}[%{{.*}}] : (!llvm.ptr, i64) -> !llvm.ptr, f32
  // CHECK: "llvm.intr.prefetch"(%[[Q]]) <{cache = 1 : i32, hint = 3 : i32, rw = 0 : i32}>
  memref.prefetch %m[%i], read, locality<3>, data : memref<?xf32>
  return
}

// CHECK-LABEL: func.func @atomic
//  CHECK-SAME:   (%{{.*}}: memref<?xf32>, %{{.*}}: index, %[[X:.*]]: f32)
func.func @atomic(%m: memref<?xf32>, %i: index, %x: f32) -> f32 {
  // CHECK: %[[R:.*]] = llvm.atomicrmw fadd %{{.*}}, %[[X]] acq_rel : !llvm.ptr, f32
  // CHECK: return %[[R]]
  %0 = memref.atomic_rmw addf %x, %m[%i] : (f32, memref<?xf32>) -> f32
  return %0 : f32
}
