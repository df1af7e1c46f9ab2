// RUN: dl-opt %s | FileCheck %s

// CHECK-LABEL: func.func private @lengths(
// CHECK-SAME:  !llvm.array<0 x i32>, !llvm.array<4 x i32>, !llvm.array<4 x i32>,
// CHECK-SAME:  !llvm.array<18446744073709551615 x i32>, !llvm.array<18446744073709551615 x i32>)
func.func private @lengths(!llvm.array<0 x i32>, !llvm.array<0x4 x i32>, !llvm.array<4x i32>,
                           !llvm.array<-1 x i32>, !llvm.array<18446744073709551615 x i32>)
