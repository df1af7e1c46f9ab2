// RUN: dl-opt %s --convert-index-to-llvm | FileCheck %s
// RUN: dl-opt %s --convert-index-to-llvm=index-bitwidth=32 | FileCheck %s --check-prefix=NARROW

// CHECK-LABEL: func.func @plain
// CHECK: llvm.add %{{.*}}, %{{.*}} : i64
// CHECK: llvm.intr.smax(%{{.*}}, %{{.*}}) : (i64, i64) -> i64
// CHECK: llvm.icmp "ult" %{{.*}}, %{{.*}} : i64
// NARROW-LABEL: func.func @plain
// NARROW: llvm.add %{{.*}}, %{{.*}} : i32
func.func @plain(%a: index, %b: index) -> (index, index, i1) {
  %0 = index.add %a, %b
  %1 = index.maxs %a, %b
  %2 = index.cmp ult(%a, %b)
  return %0, %1, %2 : index, index, i1
}

// CHECK-LABEL: func.func @casts
// CHECK: llvm.trunc %{{.*}} : i64 to i32
// CHECK: llvm.sext %{{.*}} : i32 to i64
// CHECK: llvm.zext %{{.*}} : i32 to i64
// NARROW-LABEL: func.func @casts
// NARROW-NOT: llvm.trunc
// NARROW: return
func.func @casts(%a: index, %n: i32) -> (i32, index, index) {
  %0 = index.casts %a : index to i32
  %1 = index.casts %n : i32 to index
  %2 = index.castu %n : i32 to index
  return %0, %1, %2 : i32, index, index
}

// CHECK-LABEL: func.func @sizeof
// CHECK: llvm.mlir.constant(64 : i64) : i64
// NARROW-LABEL: func.func @sizeof
// NARROW: llvm.mlir.constant(32 : i32) : i32
func.func @sizeof() -> index {
  %0 = index.sizeof
  return %0 : index
}
