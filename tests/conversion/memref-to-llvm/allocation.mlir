// RUN: dl-opt %s --finalize-memref-to-llvm | FileCheck %s
// RUN: dl-opt %s --finalize-memref-to-llvm=use-aligned-alloc=1 | FileCheck %s --check-prefix=ALIGNED
// RUN: dl-opt %s --finalize-memref-to-llvm=use-generic-functions=1 | FileCheck %s --check-prefix=GENERIC

// CHECK-DAG: llvm.func @malloc(i64) -> !llvm.ptr
// CHECK-DAG: llvm.func @free(!llvm.ptr)
// ALIGNED-DAG: llvm.func @aligned_alloc(i64, i64) -> !llvm.ptr
// GENERIC-DAG: llvm.func @_mlir_memref_to_llvm_alloc(i64) -> !llvm.ptr
// GENERIC-DAG: llvm.func @_mlir_memref_to_llvm_free(!llvm.ptr)

// CHECK-LABEL: func.func @dynamic
//  CHECK-SAME:   (%[[N:.*]]: index)
// GENERIC-LABEL: func.func @dynamic
func.func @dynamic(%n: index) -> memref<?x4xf32> {
  // CHECK:      %[[SIZE:.*]] = builtin.unrealized_conversion_cast %[[N]] : index to i64
  // CHECK-NEXT: %[[C4:.*]] = llvm.mlir.constant(4 : index) : i64
  // CHECK-NEXT: %[[C1:.*]] = llvm.mlir.constant(1 : index) : i64
  // CHECK-NEXT: %[[COUNT:.*]] = llvm.mul %[[C4]], %[[SIZE]] : i64
  // CHECK-NEXT: %[[NULL:.*]] = llvm.mlir.zero : !llvm.ptr
  // CHECK-NEXT: %[[END:.*]] = llvm.getelementptr %[[NULL]][%[[COUNT]]]
  // CHECK-NEXT: %[[BYTES:.*]] = llvm.ptrtoint %[[END]]
  // CHECK-NEXT: %[[P:.*]] = llvm.call @malloc(%[[BYTES]])
  // CHECK:      llvm.insertvalue %[[SIZE]], %{{.*}}[3, 0]
  // CHECK-NEXT: llvm.insertvalue %[[C4]], %{{.*}}[3, 1]
  // CHECK-NEXT: llvm.insertvalue %[[C4]], %{{.*}}[4, 0]
  // CHECK-NEXT: llvm.insertvalue %[[C1]], %{{.*}}[4, 1]
  // GENERIC: llvm.call @_mlir_memref_to_llvm_alloc
  %0 = memref.alloc(%n) : memref<?x4xf32>
  return %0 : memref<?x4xf32>
}

// CHECK-LABEL: func.func @aligned
// ALIGNED-LABEL: func.func @aligned
func.func @aligned() -> memref<3xf32> {
  // CHECK:      %[[BYTES:.*]] = llvm.ptrtoint
  // CHECK-NEXT: %[[A:.*]] = llvm.mlir.constant(64 : index) : i64
  // CHECK-NEXT: %[[MORE:.*]] = llvm.add %[[BYTES]], %[[A]] : i64
  // CHECK-NEXT: %[[P:.*]] = llvm.call @malloc(%[[MORE]])
  // CHECK-NEXT: %[[ADDRESS:.*]] = llvm.ptrtoint %[[P]]
  // CHECK-NEXT: %[[ONE:.*]] = llvm.mlir.constant(1 : index) : i64
  // CHECK-NEXT: %[[BUMP:.*]] = llvm.sub %[[A]], %[[ONE]]
  // CHECK-NEXT: %[[UP:.*]] = llvm.add %[[ADDRESS]], %[[BUMP]]
  // CHECK-NEXT: %[[REST:.*]] = llvm.urem %[[UP]], %[[A]]
  // CHECK-NEXT: %[[START:.*]] = llvm.sub %[[UP]], %[[REST]]
  // CHECK-NEXT: %[[Q:.*]] = llvm.inttoptr %[[START]]
  // CHECK:      llvm.insertvalue %[[P]], %{{.*}}[0]
  // CHECK-NEXT: llvm.insertvalue %[[Q]], %{{.*}}[1]
  // The allocator aligns, but wants a multiple of the alignment.
  // ALIGNED:      %[[A:.*]] = llvm.mlir.constant(64 : index) : i64
  // ALIGNED:      llvm.urem
  // ALIGNED-NEXT: %[[BYTES:.*]] = llvm.sub
  // ALIGNED-NEXT: %[[P:.*]] = llvm.call @aligned_alloc(%[[A]], %[[BYTES]])
  // ALIGNED:      llvm.insertvalue %[[P]], %{{.*}}[0]
  // ALIGNED-NEXT: llvm.insertvalue %[[P]], %{{.*}}[1]
  %0 = memref.alloc() {alignment = 64} : memref<3xf32>
  return %0 : memref<3xf32>
}

// Sixteen floats are a multiple of 64 bytes.
// ALIGNED-LABEL: func.func @multiple_of_alignment
//   ALIGNED-NOT:   llvm.urem
//       ALIGNED:   llvm.call @aligned_alloc
func.func @multiple_of_alignment() -> memref<16xf32> {
  %0 = memref.alloc() {alignment = 64} : memref<16xf32>
  return %0 : memref<16xf32>
}

// CHECK-LABEL: func.func @stack
func.func @stack(%n: index) -> memref<?xf32> {
  // CHECK: %[[P:.*]] = llvm.alloca %{{.*}} x f32 {alignment = 32 : i64} : (i64) -> !llvm.ptr
  // CHECK: llvm.insertvalue %[[P]], %{{.*}}[0]
  %0 = memref.alloca(%n) {alignment = 32} : memref<?xf32>
  return %0 : memref<?xf32>
}

// CHECK-LABEL: func.func @free_allocated_pointer
func.func @free_allocated_pointer(%m: memref<?xf32>, %u: memref<*xf32>) {
  // CHECK: %[[P:.*]] = llvm.extractvalue %{{.*}}[0]
  // CHECK: llvm.call @free(%[[P]])
  // CHECK: %[[D:.*]] = llvm.extractvalue %{{.*}}[1]
  // CHECK: %[[Q:.*]] = llvm.load %[[D]] : !llvm.ptr -> !llvm.ptr
  // CHECK: llvm.call @free(%[[Q]])
  memref.dealloc %m : memref<?xf32>
  memref.dealloc %u : memref<*xf32>
  return
}
