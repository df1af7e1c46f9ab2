// RUN: dl-opt %s --finalize-memref-to-llvm | FileCheck %s

// CHECK: llvm.mlir.global private constant @constant(dense<{{\[}}[1, 2], [3, 4]]> : tensor<2x2xi32>) {{.*}} : !llvm.array<2 x array<2 x i32>>
memref.global "private" constant @constant : memref<2x2xi32> = dense<[[1, 2], [3, 4]]>

// A variable of one element holds the element.
// CHECK: llvm.mlir.global external @scalar(3.000000e+00 : f32) {{.*}}alignment = 64 : i64} : f32
memref.global @scalar : memref<f32> = dense<3.0> {alignment = 64}

// CHECK: llvm.mlir.global external @declared() {{.*}} : !llvm.array<2 x f32>
memref.global @declared : memref<2xf32>

// CHECK: llvm.mlir.global private @uninitialized() {{.*}} : !llvm.array<2 x f32> {
// CHECK:   %[[U:.*]] = llvm.mlir.undef
// CHECK:   llvm.return %[[U]]
memref.global "private" @uninitialized : memref<2xf32> = uninitialized

// It was not allocated: a pointer that shows when it is freed.
// CHECK-LABEL: func.func @use
func.func @use() -> memref<2x2xi32> {
  // CHECK: %[[A:.*]] = llvm.mlir.addressof @constant : !llvm.ptr
  // CHECK: %[[P:.*]] = llvm.getelementptr %[[A]][0, 0, 0] : (!llvm.ptr) -> !llvm.ptr, !llvm.array<2 x array<2 x i32>>
  // CHECK: %[[C:.*]] = llvm.mlir.constant(3735928559 : index) : i64
  // CHECK: %[[BEEF:.*]] = llvm.inttoptr %[[C]]
  // CHECK: llvm.insertvalue %[[BEEF]], %{{.*}}[0]
  // CHECK: llvm.insertvalue %[[P]], %{{.*}}[1]
  %0 = memref.get_global @constant : memref<2x2xi32>
  return %0 : memref<2x2xi32>
}
