// RUN: dl-opt %s --convert-parallel-to-runtime --split-input-file | FileCheck %s
// RUN: dl-opt %s --convert-parallel-to-runtime='direct' --split-input-file | FileCheck %s --check-prefix=DIRECT

// DIRECT-NOT: dl_parallel_for

// Values from outside go through memory, constants are made anew; of a memref whose type says all else only the pointer. Of two dimensions the first
// is divided.
// CHECK: llvm.func @dl_parallel_for(!llvm.ptr, !llvm.ptr, i64)
// CHECK: memref.global
memref.global "private" constant @scale : memref<4xf32> = dense<[1.0, 2.0, 3.0, 4.0]>

// CHECK-LABEL: func.func @scaled
//  CHECK-SAME:   (%[[A:.*]]: memref<?x4xf32>, %[[N:.*]]: index)
//       CHECK:   %[[DATA:.*]] = llvm.alloca %{{.*}} x !llvm.struct<(i64, struct<(ptr, ptr, i64, array<2 x i64>, array<2 x i64>)>, ptr)>
//       CHECK:   builtin.unrealized_conversion_cast %[[N]] : index to i64
//       CHECK:   builtin.unrealized_conversion_cast %[[A]] : memref<?x4xf32> to !llvm.struct
//       CHECK:   %[[SCALE:.*]] = builtin.unrealized_conversion_cast %{{.*}} : memref<4xf32> to !llvm.struct
//       CHECK:   %[[POINTER:.*]] = llvm.extractvalue %[[SCALE]][1]
//       CHECK:   llvm.store %[[POINTER]], %{{.*}} : !llvm.ptr, !llvm.ptr
//   CHECK-NOT:   scf.parallel
//       CHECK:   %[[LENGTH:.*]] = arith.subi %[[N]], %c0
//       CHECK:   %[[ROUNDED:.*]] = arith.addi %[[LENGTH]], %{{.*}}
//       CHECK:   %[[COUNT:.*]] = arith.divsi %[[ROUNDED]], %c2
//       CHECK:   %[[TRIPS:.*]] = builtin.unrealized_conversion_cast %[[COUNT]] : index to i64
//       CHECK:   %[[BODY:.*]] = llvm.mlir.addressof @scaled_loop : !llvm.ptr
//       CHECK:   llvm.call @dl_parallel_for(%[[BODY]], %[[DATA]], %[[TRIPS]])
func.func @scaled(%a: memref<?x4xf32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c4 = arith.constant 4 : index
  %scale = memref.get_global @scale : memref<4xf32>
  scf.parallel (%i, %j) = (%c0, %c0) to (%n, %c4) step (%c2, %c1) {
    %x = memref.load %a[%i, %j] : memref<?x4xf32>
    %y = memref.load %scale[%j] : memref<4xf32>
    %z = arith.mulf %x, %y : f32
    memref.store %z, %a[%i, %j] : memref<?x4xf32>
    scf.reduce
  }
  return
}

// CHECK-LABEL: llvm.func internal @scaled_loop
//  CHECK-SAME:   (%{{.*}}: !llvm.ptr, %[[BEGIN:.*]]: i64, %[[END:.*]]: i64)
//   CHECK-NOT:   get_global
//       CHECK:   %[[POINTER:.*]] = llvm.load %{{.*}} : !llvm.ptr -> !llvm.ptr
//       CHECK:   llvm.insertvalue %[[POINTER]], %{{.*}}[1]
//       CHECK:   builtin.unrealized_conversion_cast %{{.*}} to memref<4xf32>
//       CHECK:   %[[FIRST:.*]] = builtin.unrealized_conversion_cast %[[BEGIN]] : i64 to index
//       CHECK:   arith.muli %[[FIRST]]
//       CHECK:   scf.for %[[I:.*]] = %{{.*}} to %{{.*}} step
//       CHECK:     scf.for %[[J:.*]] =
//       CHECK:       memref.load %{{.*}}[%[[I]], %[[J]]]
//       CHECK:   llvm.return

// -----

// One with a result stays, and so does one inside another.
// CHECK-LABEL: func.func @sum
//       CHECK:   scf.parallel
// CHECK-LABEL: func.func @nested
//   CHECK-NOT:   scf.parallel
// CHECK-LABEL: llvm.func internal @nested_loop
//       CHECK:   scf.parallel
func.func @sum(%a: memref<8xf32>) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %zero = arith.constant 0.0 : f32
  %s = scf.parallel (%i) = (%c0) to (%c8) step (%c1) init (%zero) -> f32 {
    %x = memref.load %a[%i] : memref<8xf32>
    scf.reduce(%x : f32) {
    ^bb0(%l: f32, %r: f32):
      %t = arith.addf %l, %r : f32
      scf.reduce.return %t : f32
    }
  }
  return %s : f32
}
func.func @nested(%a: memref<8x8xf32>, %x: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  scf.parallel (%i) = (%c0) to (%c8) step (%c1) {
    scf.parallel (%j) = (%c0) to (%c8) step (%c1) {
      memref.store %x, %a[%i, %j] : memref<8x8xf32>
      scf.reduce
    }
    scf.reduce
  }
  return
}

// -----

// Loops that differ in what they read and write only are one function.
// CHECK-LABEL: func.func @layers
//       CHECK:   llvm.mlir.addressof @layers_loop :
//       CHECK:   llvm.mlir.addressof @layers_loop :
//       CHECK:   llvm.mlir.addressof @layers_loop_0 :
//       CHECK: llvm.func internal @layers_loop(
//       CHECK:   arith.addf
//       CHECK: llvm.func internal @layers_loop_0(
//       CHECK:   arith.mulf
//   CHECK-NOT: llvm.func
func.func @layers(%a: memref<8xf32>, %b: memref<8xf32>, %x: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  scf.parallel (%i) = (%c0) to (%c8) step (%c1) {
    %y = arith.addf %x, %x : f32
    memref.store %y, %a[%i] : memref<8xf32>
    scf.reduce
  }
  scf.parallel (%i) = (%c0) to (%c8) step (%c1) {
    %y = arith.addf %x, %x : f32
    memref.store %y, %b[%i] : memref<8xf32>
    scf.reduce
  }
  scf.parallel (%i) = (%c0) to (%c8) step (%c1) {
    %y = arith.mulf %x, %x : f32
    memref.store %y, %b[%i] : memref<8xf32>
    scf.reduce
  }
  return
}

// -----

// Sequential loops that have the same body share a function, which is called directly; one that has its own stays. So does one that carries a
// value, one inside another, and one over another type than indices.
// CHECK-LABEL: func.func @layers
//  CHECK-SAME:   (%[[A:.*]]: memref<8xf32>, %[[B:.*]]: memref<8xf32>, %[[N:.*]]: index)
//   CHECK-NOT:   scf.for
//       CHECK:   builtin.unrealized_conversion_cast %[[A]]
//       CHECK:   %[[COUNT:.*]] = builtin.unrealized_conversion_cast %{{.*}} : index to i64
//       CHECK:   llvm.call @layers_loop(%[[DATA:.*]], %{{.*}}, %[[COUNT]])
//       CHECK:   scf.for
//       CHECK:     arith.mulf
//       CHECK:   builtin.unrealized_conversion_cast %[[B]]
//       CHECK:   llvm.call @layers_loop(
//   CHECK-NOT:   llvm.call
//       CHECK:   scf.for %{{.*}} : i32
//       CHECK:   scf.for %{{.*}} : i32
//       CHECK:   scf.for {{.*}} iter_args
//       CHECK:   scf.for {{.*}} iter_args
// CHECK-LABEL: llvm.func internal @layers_loop
//       CHECK:   scf.for
//       CHECK:     scf.for
//       CHECK:       arith.addf
//   CHECK-NOT: llvm.func internal
// DIRECT-LABEL: func.func @layers
// DIRECT-COUNT-2: llvm.call @layers_loop(
func.func @layers(%a: memref<8xf32>, %b: memref<8xf32>, %n: index) -> (f32, f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %f = arith.constant 0.0 : f32
  scf.for %i = %c0 to %n step %c2 {
    scf.for %j = %c0 to %c2 step %c1 {
      %x = memref.load %a[%i] : memref<8xf32>
      %y = arith.addf %x, %x : f32
      memref.store %y, %a[%j] : memref<8xf32>
    }
  }
  scf.for %i = %c0 to %n step %c2 {
    %x = memref.load %a[%i] : memref<8xf32>
    %y = arith.mulf %x, %x : f32
    memref.store %y, %a[%i] : memref<8xf32>
  }
  scf.for %i = %c0 to %n step %c2 {
    scf.for %j = %c0 to %c2 step %c1 {
      %x = memref.load %b[%i] : memref<8xf32>
      %y = arith.addf %x, %x : f32
      memref.store %y, %b[%j] : memref<8xf32>
    }
  }
  scf.for %i = %zero to %one step %one : i32 {
    memref.store %f, %a[%c0] : memref<8xf32>
  }
  scf.for %i = %zero to %one step %one : i32 {
    memref.store %f, %a[%c0] : memref<8xf32>
  }
  %p = scf.for %i = %c0 to %n step %c1 iter_args(%s = %f) -> f32 {
    %x = memref.load %b[%i] : memref<8xf32>
    %y = arith.addf %s, %x : f32
    scf.yield %y : f32
  }
  %q = scf.for %i = %c0 to %n step %c1 iter_args(%s = %f) -> f32 {
    %x = memref.load %b[%i] : memref<8xf32>
    %y = arith.addf %s, %x : f32
    scf.yield %y : f32
  }
  return %p, %q : f32, f32
}

// -----

// Of memory that is freed where it may begin elsewhere than its elements, all is handed over; what an iteration allocates itself is its own.
// CHECK-LABEL: func.func @frees
//       CHECK:   llvm.alloca %{{.*}} x !llvm.struct<(struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)>, struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)>)>
// CHECK-LABEL: func.func @frees_its_own
//       CHECK:   llvm.alloca %{{.*}} x !llvm.struct<(ptr)>
func.func @frees(%a: memref<8xf32>, %b: memref<8xf32>, %x: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.parallel (%i) = (%c0) to (%c1) step (%c1) {
    memref.copy %a, %b : memref<8xf32> to memref<8xf32>
    memref.dealloc %a : memref<8xf32>
    scf.reduce
  }
  return
}
func.func @frees_its_own(%a: memref<8xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  scf.parallel (%i) = (%c0) to (%c8) step (%c1) {
    %b = memref.alloc() : memref<8xf32>
    memref.copy %a, %b : memref<8xf32> to memref<8xf32>
    memref.dealloc %b : memref<8xf32>
    scf.reduce
  }
  return
}
