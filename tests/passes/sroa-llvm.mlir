// RUN: dl-opt %s --pass-pipeline='builtin.module(llvm.func(sroa))' --split-input-file | FileCheck %s

// Structs and arrays on the stack are split down to what is accessed.

// CHECK-LABEL: llvm.func @nested
// CHECK-SAME:    (%[[A:.*]]: i16)
// CHECK:         %[[SLOT:.*]] = llvm.alloca %{{.*}} x i16 : (i32) -> !llvm.ptr
// CHECK-NEXT:    llvm.store %[[A]], %[[SLOT]] : i16, !llvm.ptr
// CHECK-NEXT:    %[[V:.*]] = llvm.load %[[SLOT]] : !llvm.ptr -> i16
// CHECK-NEXT:    llvm.return %[[V]] : i16
llvm.func @nested(%a: i16) -> i16 {
  %one = llvm.mlir.constant(1 : i32) : i32
  %p = llvm.alloca %one x !llvm.struct<(i8, array<3 x struct<(i32, i16)>>)> : (i32) -> !llvm.ptr
  llvm.intr.lifetime.start %p : !llvm.ptr
  %first = llvm.getelementptr %p[0, 1, 2, 1] : (!llvm.ptr) -> !llvm.ptr, !llvm.struct<(i8, array<3 x struct<(i32, i16)>>)>
  llvm.store %a, %first : i16, !llvm.ptr
  %bytes = llvm.getelementptr %p[24] : (!llvm.ptr) -> !llvm.ptr, i8
  %v = llvm.load %bytes : !llvm.ptr -> i16
  llvm.return %v : i16
}

// -----

// What fills or copies the whole does so with the parts that are needed.

// CHECK-LABEL: llvm.func @whole
// CHECK-SAME:    (%[[FROM:.*]]: !llvm.ptr, %[[BYTE:.*]]: i8)
// CHECK:         %[[SLOT:.*]] = llvm.alloca %{{.*}} x i32 : (i32) -> !llvm.ptr
// CHECK:         "llvm.intr.memset.inline"(%[[SLOT]], %[[BYTE]]) <{isVolatile = false, len = 2 : i64}>
// CHECK:         %[[ADDRESS:.*]] = llvm.getelementptr %[[FROM]][0, 1] : (!llvm.ptr) -> !llvm.ptr, !llvm.array<4 x i32>
// CHECK:         %[[LEN:.*]] = llvm.mlir.constant(4 : i64) : i64
// CHECK:         "llvm.intr.memcpy"(%[[SLOT]], %[[ADDRESS]], %[[LEN]]) <{isVolatile = false}>
// CHECK:         llvm.load %[[SLOT]] : !llvm.ptr -> i32
llvm.func @whole(%from: !llvm.ptr, %byte: i8) -> i32 {
  %one = llvm.mlir.constant(1 : i32) : i32
  %p = llvm.alloca %one x !llvm.array<4 x i32> : (i32) -> !llvm.ptr
  "llvm.intr.memset.inline"(%p, %byte) <{isVolatile = false, len = 6 : i64}> : (!llvm.ptr, i8) -> ()
  %len = llvm.mlir.constant(16 : i64) : i64
  "llvm.intr.memcpy"(%p, %from, %len) <{isVolatile = false}> : (!llvm.ptr, !llvm.ptr, i64) -> ()
  %q = llvm.getelementptr %p[0, 1] : (!llvm.ptr) -> !llvm.ptr, !llvm.array<4 x i32>
  %v = llvm.load %q : !llvm.ptr -> i32
  llvm.return %v : i32
}

// -----

// What reaches from one part into the next, lies between them, or is not known, keeps the whole.

// CHECK-LABEL: llvm.func @stays
// CHECK:         llvm.alloca %{{.*}} x !llvm.struct<(i32, i32)>
// CHECK:         llvm.alloca %{{.*}} x !llvm.struct<(i8, i32)>
// CHECK:         llvm.alloca %{{.*}} x !llvm.array<4 x i32>
llvm.func @stays(%a: i64, %b: i8, %index: i64) {
  %one = llvm.mlir.constant(1 : i32) : i32
  %pair = llvm.alloca %one x !llvm.struct<(i32, i32)> : (i32) -> !llvm.ptr
  %first = llvm.getelementptr %pair[0, 0] : (!llvm.ptr) -> !llvm.ptr, !llvm.struct<(i32, i32)>
  llvm.store %a, %first : i64, !llvm.ptr
  %padded = llvm.alloca %one x !llvm.struct<(i8, i32)> : (i32) -> !llvm.ptr
  %between = llvm.getelementptr %padded[2] : (!llvm.ptr) -> !llvm.ptr, i8
  llvm.store %b, %between : i8, !llvm.ptr
  %array = llvm.alloca %one x !llvm.array<4 x i32> : (i32) -> !llvm.ptr
  %element = llvm.getelementptr %array[0, %index] : (!llvm.ptr, i64) -> !llvm.ptr, !llvm.array<4 x i32>
  llvm.store %b, %element : i8, !llvm.ptr
  llvm.return
}
