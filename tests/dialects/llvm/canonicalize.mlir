// RUN: dl-opt %s --pass-pipeline='builtin.module(llvm.func(canonicalize))' | FileCheck %s

// CHECK-LABEL: llvm.func @extract_of_insert
//  CHECK-SAME:   (%{{.*}}: !llvm.struct<(i32, i64)>, %[[A:.*]]: i32, %{{.*}}: i64)
llvm.func @extract_of_insert(%s: !llvm.struct<(i32, i64)>, %a: i32, %b: i64) -> i32 {
  // CHECK-NEXT: llvm.return %[[A]]
  %0 = llvm.insertvalue %a, %s[0] : !llvm.struct<(i32, i64)>
  %1 = llvm.insertvalue %b, %0[1] : !llvm.struct<(i32, i64)>
  %2 = llvm.extractvalue %1[0] : !llvm.struct<(i32, i64)>
  llvm.return %2 : i32
}

// What is extracted contains what was inserted.
// CHECK-LABEL: llvm.func @extract_around_insert
llvm.func @extract_around_insert(%s: !llvm.struct<(array<2 x i32>)>, %a: i32) -> !llvm.array<2 x i32> {
  // CHECK: llvm.insertvalue
  // CHECK: llvm.extractvalue
  %0 = llvm.insertvalue %a, %s[0, 1] : !llvm.struct<(array<2 x i32>)>
  %1 = llvm.extractvalue %0[0] : !llvm.struct<(array<2 x i32>)>
  llvm.return %1 : !llvm.array<2 x i32>
}

// CHECK-LABEL: llvm.func @address_of_the_start
//  CHECK-SAME:   (%[[P:.*]]: !llvm.ptr)
llvm.func @address_of_the_start(%p: !llvm.ptr) -> !llvm.ptr {
  // CHECK-NEXT: llvm.return %[[P]]
  %0 = llvm.getelementptr %p[0] : (!llvm.ptr) -> !llvm.ptr, f32
  llvm.return %0 : !llvm.ptr
}

// CHECK-LABEL: llvm.func @address_of_the_next
llvm.func @address_of_the_next(%p: !llvm.ptr) -> !llvm.ptr {
  // CHECK-NEXT: llvm.getelementptr
  %0 = llvm.getelementptr %p[1] : (!llvm.ptr) -> !llvm.ptr, f32
  llvm.return %0 : !llvm.ptr
}
