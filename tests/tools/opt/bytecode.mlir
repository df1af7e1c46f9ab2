// What is written as bytecode is read as what it was, from a file and from standard input, in each version.

// RUN: dl-opt %s --emit-bytecode | dl-opt | FileCheck %s
// RUN: dl-opt %s --emit-bytecode -o %t && dl-opt %t | FileCheck %s
// RUN: dl-opt %s --emit-bytecode -o - | dl-opt - | FileCheck %s
// RUN: dl-opt %s --emit-bytecode --emit-bytecode-version=0 | dl-opt | FileCheck %s
// RUN: dl-opt %s --emit-bytecode --emit-bytecode-version=1 | dl-opt | FileCheck %s
// RUN: dl-opt %s --emit-bytecode --emit-bytecode-version=2 | dl-opt | FileCheck %s
// RUN: dl-opt %s --emit-bytecode --emit-bytecode-version=3 | dl-opt | FileCheck %s
// RUN: dl-opt %s --emit-bytecode --emit-bytecode-version=4 | dl-opt | FileCheck %s
// RUN: dl-opt %s --emit-bytecode --emit-bytecode-version=5 | dl-opt | FileCheck %s
// RUN: dl-opt %s --emit-bytecode --mlir-disable-threading | dl-opt --mlir-disable-threading | FileCheck %s

// Passes run in between.
// RUN: dl-opt %s --emit-bytecode | dl-opt --canonicalize --emit-bytecode | dl-opt | FileCheck %s --check-prefix=CANON

// The same bytes each time.
// RUN: dl-opt %s --emit-bytecode -o %t && dl-opt %t --emit-bytecode | cmp - %t

// CHECK-LABEL: memref.global "private" constant @weights : memref<2x2xf32> = dense<{{\[}}[1.000000e+00, 2.000000e+00], [3.000000e+00, 4.000000e+00]]>
memref.global "private" constant @weights : memref<2x2xf32> = dense<[[1.0, 2.0], [3.0, 4.0]]>

// CHECK-LABEL: func.func @loop
//  CHECK-SAME:   (%[[N:[a-z0-9_]+]]: index, %[[M:[a-z0-9_]+]]: memref<?xi32, strided<[?], offset: ?>>, %[[X:[a-z0-9_]+]]: i32) -> i32
// CANON-LABEL: func.func @loop
func.func @loop(%n: index, %m: memref<?xi32, strided<[?], offset: ?>>, %x: i32) -> i32 {
  // CHECK-DAG: %[[C0:[a-z0-9_]+]] = arith.constant 0 : index
  // CHECK-DAG: %[[C1:[a-z0-9_]+]] = arith.constant 1 : index
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  // CHECK: %[[R:[a-z0-9_]+]] = scf.for %[[I:[a-z0-9_]+]] = %[[C0]] to %[[N]] step %[[C1]] iter_args(%[[A:[a-z0-9_]+]] = %[[X]]) -> (i32) {
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%a = %x) -> (i32) {
    // CHECK: %[[V:[a-z0-9_]+]] = memref.load %[[M]][%[[I]]]
    %v = memref.load %m[%i] : memref<?xi32, strided<[?], offset: ?>>
    // CHECK: %[[S:[a-z0-9_]+]] = arith.addi %[[A]], %[[V]] overflow<nsw> : i32
    %s = arith.addi %a, %v overflow<nsw> : i32
    scf.yield %s : i32
  }
  return %r : i32
}

// Segment sizes, all of them and sparse ones.
// CHECK-LABEL: func.func @segments
//  CHECK-SAME:   (%[[M:[a-z0-9_]+]]: memref<8x8xf32>, %[[O:[a-z0-9_]+]]: index)
// CANON-LABEL: func.func @segments
func.func @segments(%m: memref<8x8xf32>, %o: index) -> memref<?x4xf32, strided<[8, 1], offset: ?>> {
  // CHECK: memref.subview %[[M]][%[[O]], 2] [%[[O]], 4] [1, 1]
  %s = memref.subview %m[%o, 2] [%o, 4] [1, 1] : memref<8x8xf32> to memref<?x4xf32, strided<[8, 1], offset: ?>>
  // CHECK: memref.alloc(%[[O]]) : memref<?xf32>
  // CANON-NOT: memref.alloc
  %a = memref.alloc(%o) : memref<?xf32>
  return %s : memref<?x4xf32, strided<[8, 1], offset: ?>>
}

// Properties that are numbers.
// CHECK-LABEL: llvm.func @numbers
llvm.func @numbers(%a: i64, %p: !llvm.ptr) -> !llvm.ptr {
  // CHECK: %[[S:[a-z0-9_]+]] = llvm.add %{{.*}}, %{{.*}} overflow<nsw, nuw> : i64
  %s = llvm.add %a, %a overflow<nsw, nuw> : i64
  // CHECK: llvm.getelementptr inbounds %{{.*}}[%[[S]]]
  %q = llvm.getelementptr inbounds %p[%s] : (!llvm.ptr, i64) -> !llvm.ptr, f32
  llvm.return %q : !llvm.ptr
}

// CHECK-LABEL: func.func @branches
//  CHECK-SAME:   (%[[C:[a-z0-9_]+]]: i1, %[[X:[a-z0-9_]+]]: i32)
func.func @branches(%c: i1, %x: i32) -> i32 {
  // CHECK: cf.cond_br %[[C]], ^[[A:[a-z0-9_]+]](%[[X]] : i32), ^[[B:[a-z0-9_]+]]
  cf.cond_br %c, ^a(%x : i32), ^b
// CHECK: ^[[A]](%[[Y:[a-z0-9_]+]]: i32):
^a(%y: i32):
  return %y : i32
// CHECK: ^[[B]]:
^b:
  // CHECK: cf.br ^[[A]](%[[X]] : i32)
  cf.br ^a(%x : i32)
}
