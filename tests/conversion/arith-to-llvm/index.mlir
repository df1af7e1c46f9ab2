// RUN: dl-opt %s --convert-arith-to-llvm | FileCheck %s
// RUN: dl-opt %s --convert-arith-to-llvm=index-bitwidth=32 | FileCheck %s --check-prefix=BITS32

// CHECK-LABEL: func.func @casts
//  CHECK-SAME:   (%[[I:.*]]: index, %[[A:.*]]: i32)
// BITS32-LABEL: func.func @casts
func.func @casts(%i: index, %a: i32) -> (i32, i64, index) {
  // CHECK:      %[[C:.*]] = builtin.unrealized_conversion_cast %[[I]] : index to i64
  // CHECK-NEXT: %[[SMALL:.*]] = llvm.trunc %[[C]] : i64 to i32
  // CHECK-NEXT: %[[Z:.*]] = llvm.zext %[[A]] : i32 to i64
  // CHECK-NEXT: %[[BACK:.*]] = builtin.unrealized_conversion_cast %[[Z]] : i64 to index
  // CHECK-NEXT: return %[[SMALL]], %[[C]], %[[BACK]]
  // BITS32:      %[[C:.*]] = builtin.unrealized_conversion_cast %{{.*}} : index to i32
  // BITS32-NEXT: %[[S:.*]] = llvm.sext %[[C]] : i32 to i64
  %0 = arith.index_cast %i : index to i32
  %1 = arith.index_cast %i : index to i64
  %2 = arith.index_castui %a : i32 to index
  return %0, %1, %2 : i32, i64, index
}
