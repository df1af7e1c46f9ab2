// RUN: dl-opt %s --finalize-memref-to-llvm | FileCheck %s

// CHECK-LABEL: func.func @dim
func.func @dim(%m: memref<?x4xf32>, %i: index) -> (index, index) {
  // CHECK: llvm.extractvalue %[[D:.*]][3, 0]
  // The number of the dimension is not known: all sizes go to the stack.
  // CHECK: %[[ALL:.*]] = llvm.extractvalue %[[D]][3]
  // CHECK: %[[P:.*]] = llvm.alloca %{{.*}} x !llvm.array<2 x i64>
  // CHECK: llvm.store %[[ALL]], %[[P]]
  // CHECK: %[[Q:.*]] = llvm.getelementptr %[[P]][0, %{{.*}}]
  // CHECK: llvm.load %[[Q]]
  %c0 = arith.constant 0 : index
  %0 = memref.dim %m, %c0 : memref<?x4xf32>
  %1 = memref.dim %m, %i : memref<?x4xf32>
  return %0, %1 : index, index
}

// A cast between ranked memrefs changes nothing.
// CHECK-LABEL: func.func @cast
func.func @cast(%m: memref<?xf32>) -> memref<4xf32> {
  // CHECK:      %[[D:.*]] = builtin.unrealized_conversion_cast
  // CHECK-NEXT: %[[R:.*]] = builtin.unrealized_conversion_cast %[[D]]
  // CHECK-NEXT: return %[[R]]
  %0 = memref.cast %m : memref<?xf32> to memref<4xf32>
  return %0 : memref<4xf32>
}

// CHECK-LABEL: func.func @forget_rank
func.func @forget_rank(%m: memref<?xf32>) -> memref<*xf32> {
  // CHECK: %[[P:.*]] = llvm.alloca %{{.*}} x !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)>
  // CHECK: llvm.store %{{.*}}, %[[P]]
  // CHECK: %[[RANK:.*]] = llvm.mlir.constant(1 : index)
  // CHECK: %[[E:.*]] = llvm.mlir.poison : !llvm.struct<(i64, ptr)>
  // CHECK: %[[R:.*]] = llvm.insertvalue %[[RANK]], %[[E]][0]
  // CHECK: llvm.insertvalue %[[P]], %[[R]][1]
  %0 = memref.cast %m : memref<?xf32> to memref<*xf32>
  return %0 : memref<*xf32>
}

// CHECK-LABEL: func.func @reinterpret
func.func @reinterpret(%m: memref<?xf32>, %i: index) -> memref<?x4xf32, strided<[4, 1], offset: ?>> {
  // CHECK: llvm.insertvalue %[[I:.*]], %{{.*}}[2]
  // CHECK: llvm.insertvalue %[[I]], %{{.*}}[3, 0]
  // CHECK: %[[C4:.*]] = llvm.mlir.constant(4 : index)
  // CHECK: llvm.insertvalue %[[C4]], %{{.*}}[4, 0]
  %0 = memref.reinterpret_cast %m to offset: [%i], sizes: [%i, 4], strides: [4, 1]
    : memref<?xf32> to memref<?x4xf32, strided<[4, 1], offset: ?>>
  return %0 : memref<?x4xf32, strided<[4, 1], offset: ?>>
}

// CHECK-LABEL: func.func @view
func.func @view(%m: memref<?xi8>, %i: index) -> memref<?x4xf32> {
  // CHECK: %[[P:.*]] = llvm.extractvalue %{{.*}}[1]
  // CHECK: %[[Q:.*]] = llvm.getelementptr %[[P]][%{{.*}}] : (!llvm.ptr, i64) -> !llvm.ptr, i8
  // CHECK: llvm.insertvalue %[[Q]], %{{.*}}[1]
  %0 = memref.view %m[%i][%i] : memref<?xi8> to memref<?x4xf32>
  return %0 : memref<?x4xf32>
}

// CHECK-LABEL: func.func @transpose
func.func @transpose(%m: memref<?x?xf32>) -> memref<?x?xf32, strided<[1, ?]>> {
  // CHECK: %[[N:.*]] = llvm.extractvalue %[[D:.*]][3, 1]
  // CHECK: llvm.insertvalue %[[N]], %{{.*}}[3, 0]
  // CHECK: %[[M:.*]] = llvm.extractvalue %[[D]][3, 0]
  // CHECK: llvm.insertvalue %[[M]], %{{.*}}[3, 1]
  %0 = memref.transpose %m (i, j) -> (j, i) : memref<?x?xf32> to memref<?x?xf32, strided<[1, ?]>>
  return %0 : memref<?x?xf32, strided<[1, ?]>>
}

// Memory without gaps is copied at once, other memory by the runtime.
// CHECK-LABEL: func.func @copy
func.func @copy(%a: memref<4x4xf32>, %b: memref<4x4xf32, strided<[?, 1]>>) {
  // CHECK: "llvm.intr.memcpy"(%{{.*}}, %{{.*}}, %{{.*}}) <{isVolatile = false}>
  memref.copy %a, %a : memref<4x4xf32> to memref<4x4xf32>
  // CHECK: %[[STACK:.*]] = llvm.intr.stacksave
  // CHECK: llvm.call @memrefCopy
  // CHECK: llvm.intr.stackrestore %[[STACK]]
  memref.copy %a, %b : memref<4x4xf32> to memref<4x4xf32, strided<[?, 1]>>
  return
}
