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

// CHECK-LABEL: llvm.func @address_with_constant_indices
//  CHECK-SAME:   (%[[P:.*]]: !llvm.ptr, %[[I:.*]]: i64)
llvm.func @address_with_constant_indices(%p: !llvm.ptr, %i: i64) -> !llvm.ptr {
  // CHECK: %[[A:.*]] = llvm.getelementptr inbounds %[[P]][3, 1] : (!llvm.ptr) -> !llvm.ptr
  // CHECK: %[[B:.*]] = llvm.getelementptr %[[A]][%[[I]], 3] : (!llvm.ptr, i64) -> !llvm.ptr
  // CHECK: return %[[B]]
  %c3 = llvm.mlir.constant(3 : i64) : i64
  %0 = llvm.getelementptr inbounds %p[%c3, 1] : (!llvm.ptr, i64) -> !llvm.ptr, !llvm.struct<(i32, i32)>
  %1 = llvm.getelementptr %0[%i, %c3] : (!llvm.ptr, i64, i64) -> !llvm.ptr, !llvm.array<4 x i32>
  llvm.return %1 : !llvm.ptr
}

// A constant index has 32 bits.
// CHECK-LABEL: llvm.func @address_far_away
llvm.func @address_far_away(%p: !llvm.ptr) -> !llvm.ptr {
  // CHECK: %[[C:.*]] = llvm.mlir.constant
  // CHECK: llvm.getelementptr %{{.*}}[%[[C]]]
  %c = llvm.mlir.constant(5000000000 : i64) : i64
  %0 = llvm.getelementptr %p[%c] : (!llvm.ptr, i64) -> !llvm.ptr, i8
  llvm.return %0 : !llvm.ptr
}

// CHECK-LABEL: llvm.func @extract_of_extract
//  CHECK-SAME:   (%[[S:.*]]: !llvm.struct
llvm.func @extract_of_extract(%s: !llvm.struct<(i32, array<2 x i64>)>, %a: i32) -> i64 {
  // CHECK-NEXT: %[[R:.*]] = llvm.extractvalue %[[S]][1, 0]
  // CHECK-NEXT: llvm.return %[[R]]
  %0 = llvm.insertvalue %a, %s[0] : !llvm.struct<(i32, array<2 x i64>)>
  %1 = llvm.extractvalue %0[1] : !llvm.struct<(i32, array<2 x i64>)>
  %2 = llvm.extractvalue %1[0] : !llvm.array<2 x i64>
  llvm.return %2 : i64
}

// CHECK-LABEL: llvm.func @extract_of_nested_insert
//  CHECK-SAME:   (%[[A:[a-z0-9]*]]: i64
llvm.func @extract_of_nested_insert(%a: i64, %s: !llvm.struct<(i32, array<2 x i64>)>, %t: !llvm.array<2 x i64>) -> i64 {
  // CHECK-NEXT: llvm.return %[[A]]
  %0 = llvm.insertvalue %a, %t[1] : !llvm.array<2 x i64>
  %1 = llvm.insertvalue %0, %s[1] : !llvm.struct<(i32, array<2 x i64>)>
  %2 = llvm.extractvalue %1[1, 1] : !llvm.struct<(i32, array<2 x i64>)>
  llvm.return %2 : i64
}

// CHECK-LABEL: llvm.func @extract_of_constants
llvm.func @extract_of_constants() -> !llvm.struct<(f32, i16, f32, i32, i32)> {
  // CHECK-DAG: llvm.mlir.constant(2.500000e+00 : f32)
  // CHECK-DAG: llvm.mlir.constant(7 : i16)
  // CHECK-DAG: llvm.mlir.constant(0.000000e+00 : f32)
  // CHECK-DAG: llvm.mlir.constant(9 : i32)
  // CHECK-DAG: llvm.mlir.poison : i32
  // CHECK-NOT: llvm.extractvalue
  %a = llvm.mlir.constant(dense<[1.5, 2.5]> : tensor<2xf32>) : !llvm.array<2 x f32>
  %b = llvm.mlir.constant([5 : i32, 7 : i16]) : !llvm.struct<(i32, i16)>
  %c = llvm.mlir.constant(sparse<[[1]], [3.5]> : tensor<3xf32>) : !llvm.array<3 x f32>
  %d = llvm.mlir.constant(dense<[(8, 9)]> : tensor<1xcomplex<i32>>) : !llvm.array<1 x struct<(i32, i32)>>
  %e = llvm.mlir.poison : !llvm.array<2 x struct<(f64, i32)>>
  %0 = llvm.extractvalue %a[1] : !llvm.array<2 x f32>
  %1 = llvm.extractvalue %b[1] : !llvm.struct<(i32, i16)>
  %2 = llvm.extractvalue %c[2] : !llvm.array<3 x f32>
  %3 = llvm.extractvalue %d[0, 1] : !llvm.array<1 x struct<(i32, i32)>>
  %4 = llvm.extractvalue %e[1, 1] : !llvm.array<2 x struct<(f64, i32)>>
  %u = llvm.mlir.undef : !llvm.struct<(f32, i16, f32, i32, i32)>
  %r0 = llvm.insertvalue %0, %u[0] : !llvm.struct<(f32, i16, f32, i32, i32)>
  %r1 = llvm.insertvalue %1, %r0[1] : !llvm.struct<(f32, i16, f32, i32, i32)>
  %r2 = llvm.insertvalue %2, %r1[2] : !llvm.struct<(f32, i16, f32, i32, i32)>
  %r3 = llvm.insertvalue %3, %r2[3] : !llvm.struct<(f32, i16, f32, i32, i32)>
  %r4 = llvm.insertvalue %4, %r3[4] : !llvm.struct<(f32, i16, f32, i32, i32)>
  llvm.return %r4 : !llvm.struct<(f32, i16, f32, i32, i32)>
}

// CHECK-LABEL: llvm.func @casts
//  CHECK-SAME:   (%[[X:.*]]: i32, %[[P:.*]]: !llvm.ptr)
llvm.func @casts(%x: i32, %p: !llvm.ptr) -> !llvm.struct<(i32, vector<2xi16>, ptr, ptr<3>)> {
  // CHECK-DAG: %[[A:.*]] = llvm.bitcast %[[X]] : i32 to vector<2xi16>
  // CHECK-DAG: %[[B:.*]] = llvm.addrspacecast %[[P]] : !llvm.ptr to !llvm.ptr<3>
  // CHECK: llvm.insertvalue %[[X]], %{{.*}}[0]
  // CHECK: llvm.insertvalue %[[A]], %{{.*}}[1]
  // CHECK: llvm.insertvalue %[[P]], %{{.*}}[2]
  // CHECK: llvm.insertvalue %[[B]], %{{.*}}[3]
  %0 = llvm.bitcast %x : i32 to f32
  %1 = llvm.bitcast %0 : f32 to i32
  %2 = llvm.bitcast %0 : f32 to vector<2xi16>
  %3 = llvm.addrspacecast %p : !llvm.ptr to !llvm.ptr<5>
  %4 = llvm.addrspacecast %3 : !llvm.ptr<5> to !llvm.ptr
  %5 = llvm.addrspacecast %3 : !llvm.ptr<5> to !llvm.ptr<3>
  %u = llvm.mlir.undef : !llvm.struct<(i32, vector<2xi16>, ptr, ptr<3>)>
  %r0 = llvm.insertvalue %1, %u[0] : !llvm.struct<(i32, vector<2xi16>, ptr, ptr<3>)>
  %r1 = llvm.insertvalue %2, %r0[1] : !llvm.struct<(i32, vector<2xi16>, ptr, ptr<3>)>
  %r2 = llvm.insertvalue %4, %r1[2] : !llvm.struct<(i32, vector<2xi16>, ptr, ptr<3>)>
  %r3 = llvm.insertvalue %5, %r2[3] : !llvm.struct<(i32, vector<2xi16>, ptr, ptr<3>)>
  llvm.return %r3 : !llvm.struct<(i32, vector<2xi16>, ptr, ptr<3>)>
}

// CHECK-LABEL: llvm.func @integers
llvm.func @integers() -> i64 {
  // 4294967294 | 1 << 1
  // CHECK-NEXT: %[[R:.*]] = llvm.mlir.constant(4294967294 : i64) : i64
  // CHECK-NEXT: llvm.return %[[R]]
  %a = llvm.mlir.constant(-2 : i32) : i32
  %one = llvm.mlir.constant(1 : i64) : i64
  %0 = llvm.zext %a : i32 to i64
  %1 = llvm.shl %one, %one : i64
  %2 = llvm.or %0, %1 : i64
  llvm.return %2 : i64
}

// A shift by as many bits as there are is poison, and stays.
// CHECK-LABEL: llvm.func @shift_too_far
llvm.func @shift_too_far() -> i32 {
  // CHECK: llvm.shl
  %a = llvm.mlir.constant(1 : i32) : i32
  %b = llvm.mlir.constant(32 : i32) : i32
  %0 = llvm.shl %a, %b : i32
  llvm.return %0 : i32
}

// CHECK-LABEL: llvm.func @compare_with_itself
llvm.func @compare_with_itself(%x: vector<2xi32>) -> vector<2xi1> {
  // CHECK-NEXT: %[[F:.*]] = llvm.mlir.constant(dense<false> : vector<2xi1>) : vector<2xi1>
  // CHECK-NEXT: llvm.return %[[F]]
  %0 = llvm.icmp "ne" %x, %x : vector<2xi32>
  llvm.return %0 : vector<2xi1>
}

// CHECK-LABEL: llvm.func @variable_is_not_null
llvm.func @variable_is_not_null() -> i1 {
  // CHECK-NEXT: %[[F:.*]] = llvm.mlir.constant(false) : i1
  // CHECK-NEXT: llvm.return %[[F]]
  %c1 = llvm.mlir.constant(1 : i64) : i64
  %null = llvm.mlir.zero : !llvm.ptr
  %p = llvm.alloca %c1 x i32 : (i64) -> !llvm.ptr
  %0 = llvm.icmp "eq" %null, %p : !llvm.ptr
  llvm.return %0 : i1
}

// Equal addresses, zeros, undefined and poisoned values become one.
// CHECK-LABEL: llvm.func @equal_constants
llvm.func @equal_constants(%c: i1) -> !llvm.struct<(ptr, ptr, i32, i32)> {
  // CHECK-COUNT-1: llvm.mlir.addressof @equal_constants
  // CHECK-NOT:     llvm.mlir.addressof
  // CHECK:         llvm.return
  %u = llvm.mlir.undef : !llvm.struct<(ptr, ptr, i32, i32)>
  %a = llvm.mlir.addressof @equal_constants : !llvm.ptr
  %b = llvm.mlir.addressof @equal_constants : !llvm.ptr
  %0 = arith.select %c, %a, %b : !llvm.ptr
  %z = llvm.mlir.zero : !llvm.ptr
  %y = llvm.mlir.zero : !llvm.ptr
  %1 = arith.select %c, %y, %z : !llvm.ptr
  %2 = llvm.mlir.poison : i32
  %3 = llvm.mlir.undef : i32
  // CHECK-NOT: arith.select
  %r0 = llvm.insertvalue %0, %u[0] : !llvm.struct<(ptr, ptr, i32, i32)>
  %r1 = llvm.insertvalue %1, %r0[1] : !llvm.struct<(ptr, ptr, i32, i32)>
  %r2 = llvm.insertvalue %2, %r1[2] : !llvm.struct<(ptr, ptr, i32, i32)>
  %r3 = llvm.insertvalue %3, %r2[3] : !llvm.struct<(ptr, ptr, i32, i32)>
  llvm.return %r3 : !llvm.struct<(ptr, ptr, i32, i32)>
}

// CHECK-LABEL: llvm.func @only_element
//  CHECK-SAME:   (%[[A:.*]]: vector<1xf32>, %[[B:.*]]: vector<1xf32>)
llvm.func @only_element(%a: vector<1xf32>, %b: vector<1xf32>) -> vector<1xf32> {
  // CHECK-NEXT: %[[R:.*]] = llvm.shufflevector %[[A]], %[[B]] [1]
  // CHECK-NEXT: llvm.return %[[R]]
  %0 = llvm.shufflevector %a, %b [0] : vector<1xf32>
  %1 = llvm.shufflevector %0, %b [1] : vector<1xf32>
  llvm.return %1 : vector<1xf32>
}

// Nobody reads what these give: they go if they do nothing else.
// CHECK-LABEL: llvm.func @unused
llvm.func @unused(%p: !llvm.ptr, %x: i32) {
  // CHECK-NEXT: llvm.load volatile
  // CHECK-NEXT: llvm.load %{{.*}} atomic monotonic
  // CHECK-NEXT: llvm.inline_asm has_side_effects
  // CHECK-NEXT: llvm.return
  %0 = llvm.load %p : !llvm.ptr -> i8
  %1 = llvm.load volatile %p : !llvm.ptr -> i8
  %2 = llvm.load %p atomic monotonic {alignment = 1 : i64} : !llvm.ptr -> i8
  %3 = llvm.load %p atomic unordered {alignment = 1 : i64} : !llvm.ptr -> i8
  llvm.inline_asm "nothing", "r" %x : (i32) -> ()
  llvm.inline_asm has_side_effects "something", "r" %x : (i32) -> ()
  llvm.return
}
