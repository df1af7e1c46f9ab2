// RUN: dl-opt %s --scf-parallelize-loops='min-work=1' --split-input-file | FileCheck %s
// RUN: dl-opt %s --scf-parallelize-loops --split-input-file | FileCheck %s --check-prefix=SMALL

// SMALL-NOT: scf.parallel

// Each iteration writes a row of its own of a buffer that the function has allocated. The loop inside stays.
// CHECK-LABEL: func.func @rows
//       CHECK:   scf.parallel (%[[I:.*]]) = (%c0) to (%c64) step (%c1) {
//       CHECK:     scf.for %[[J:.*]] = %c0 to %c32 step %c16 {
//       CHECK:       vector.store %{{.*}}, %{{.*}}[%[[I]], %[[J]]]
//       CHECK:     scf.reduce
func.func @rows(%a: memref<64x32xf32>) -> memref<64x32xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  %c32 = arith.constant 32 : index
  %c64 = arith.constant 64 : index
  %o = memref.alloc() : memref<64x32xf32>
  scf.for %i = %c0 to %c64 step %c1 {
    scf.for %j = %c0 to %c32 step %c16 {
      %x = vector.load %a[%i, %j] : memref<64x32xf32>, vector<16xf32>
      vector.store %x, %o[%i, %j] : memref<64x32xf32>, vector<16xf32>
    }
  }
  return %o : memref<64x32xf32>
}

// -----

// Tiles of four rows, four apart.
// CHECK-LABEL: func.func @tiles
//       CHECK:   scf.parallel
#next = affine_map<(d0) -> (d0 + 3)>
func.func @tiles(%v: vector<16xf32>) -> memref<64x16xf32> {
  %c0 = arith.constant 0 : index
  %c4 = arith.constant 4 : index
  %c64 = arith.constant 64 : index
  %o = memref.alloc() : memref<64x16xf32>
  scf.for %i = %c0 to %c64 step %c4 {
    vector.store %v, %o[%i, %c0] : memref<64x16xf32>, vector<16xf32>
    %k = affine.apply #next(%i)
    vector.store %v, %o[%k, %c0] : memref<64x16xf32>, vector<16xf32>
  }
  return %o : memref<64x16xf32>
}

// -----

// The last row of one tile is the first one of the next.
// CHECK-LABEL: func.func @tiles_that_meet
//   CHECK-NOT:   scf.parallel
#next = affine_map<(d0) -> (d0 + 4)>
func.func @tiles_that_meet(%v: vector<16xf32>) -> memref<68x16xf32> {
  %c0 = arith.constant 0 : index
  %c4 = arith.constant 4 : index
  %c64 = arith.constant 64 : index
  %o = memref.alloc() : memref<68x16xf32>
  scf.for %i = %c0 to %c64 step %c4 {
    vector.store %v, %o[%i, %c0] : memref<68x16xf32>, vector<16xf32>
    %k = affine.apply #next(%i)
    vector.store %v, %o[%k, %c0] : memref<68x16xf32>, vector<16xf32>
  }
  return %o : memref<68x16xf32>
}

// -----

// Vectors of sixteen that begin eight apart.
// CHECK-LABEL: func.func @vectors_that_overlap
//   CHECK-NOT:   scf.parallel
func.func @vectors_that_overlap(%v: vector<16xf32>) -> memref<80xf32> {
  %c0 = arith.constant 0 : index
  %c8 = arith.constant 8 : index
  %c64 = arith.constant 64 : index
  %o = memref.alloc() : memref<80xf32>
  scf.for %i = %c0 to %c64 step %c8 {
    vector.store %v, %o[%i] : memref<80xf32>, vector<16xf32>
  }
  return %o : memref<80xf32>
}

// -----

// The last tile is shorter, which the bound of the loop inside says.
// CHECK-LABEL: func.func @last_tile
//       CHECK:   scf.parallel
#end = affine_map<(d0) -> (d0 + 4, 63)>
func.func @last_tile(%x: f32) -> memref<63xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %c63 = arith.constant 63 : index
  %o = memref.alloc() : memref<63xf32>
  scf.for %i = %c0 to %c63 step %c4 {
    %end = affine.min #end(%i)
    scf.for %j = %i to %end step %c1 {
      memref.store %x, %o[%j] : memref<63xf32>
    }
  }
  return %o : memref<63xf32>
}

// -----

// A slice for each iteration, with a dimension dropped, and memory of its own on the side.
// CHECK-LABEL: func.func @slices
//       CHECK:   scf.parallel
func.func @slices(%a: memref<8x4xf32>) -> memref<8x4xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %o = memref.alloc() : memref<8x4xf32>
  scf.for %i = %c0 to %c8 step %c1 {
    %from = memref.subview %a[%i, 0] [1, 4] [1, 1] : memref<8x4xf32> to memref<4xf32, strided<[1], offset: ?>>
    %to = memref.subview %o[%i, 0] [1, 4] [1, 1] : memref<8x4xf32> to memref<4xf32, strided<[1], offset: ?>>
    %own = memref.alloc() : memref<4xf32>
    memref.copy %from, %own : memref<4xf32, strided<[1], offset: ?>> to memref<4xf32>
    memref.copy %own, %to : memref<4xf32> to memref<4xf32, strided<[1], offset: ?>>
    memref.dealloc %own : memref<4xf32>
  }
  return %o : memref<8x4xf32>
}

// -----

// Memory that all iterations use is written by each before it is read, but at the same place.
// CHECK-LABEL: func.func @shared_scratch
//   CHECK-NOT:   scf.parallel
func.func @shared_scratch(%a: memref<8xf32>) -> memref<8xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %o = memref.alloc() : memref<8xf32>
  %scratch = memref.alloc() : memref<1xf32>
  scf.for %i = %c0 to %c8 step %c1 {
    %x = memref.load %a[%i] : memref<8xf32>
    memref.store %x, %scratch[%c0] : memref<1xf32>
    %y = memref.load %scratch[%c0] : memref<1xf32>
    memref.store %y, %o[%i] : memref<8xf32>
  }
  memref.dealloc %scratch : memref<1xf32>
  return %o : memref<8xf32>
}

// -----

// Each iteration reads what the one before has written.
// CHECK-LABEL: func.func @running_sum
//   CHECK-NOT:   scf.parallel
#before = affine_map<(d0) -> (d0 - 1)>
func.func @running_sum(%o: memref<8xf32>) -> memref<8xf32> {
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %p = memref.alloc() : memref<8xf32>
  scf.for %i = %c1 to %c8 step %c1 {
    %k = affine.apply #before(%i)
    %x = memref.load %p[%k] : memref<8xf32>
    memref.store %x, %p[%i] : memref<8xf32>
  }
  return %p : memref<8xf32>
}

// -----

// The caller may have handed over one buffer twice.
// CHECK-LABEL: func.func @arguments
//   CHECK-NOT:   scf.parallel
func.func @arguments(%a: memref<8xf32>, %o: memref<8xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  scf.for %i = %c0 to %c8 step %c1 {
    %x = memref.load %a[%i] : memref<8xf32>
    memref.store %x, %o[%i] : memref<8xf32>
  }
  return
}

// -----

// What a function does that is called is not known.
// CHECK-LABEL: func.func @call
//   CHECK-NOT:   scf.parallel
func.func private @g(index)
func.func @call() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  scf.for %i = %c0 to %c8 step %c1 {
    func.call @g(%i) : (index) -> ()
  }
  return
}

// -----

// Steps in time are taken one after the other, what a step computes at once. Its new memory is not that of the state that it is given.
// CHECK-LABEL: func.func @steps
//       CHECK:   scf.for {{.*}} iter_args(%[[STATE:.*]] = %{{.*}})
//       CHECK:     scf.parallel
//       CHECK:       memref.load %[[STATE]]
func.func @steps(%a: memref<8xf32>) -> memref<8xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %r = scf.for %t = %c0 to %c8 step %c1 iter_args(%state = %a) -> (memref<8xf32>) {
    %next = memref.alloc() : memref<8xf32>
    scf.for %i = %c0 to %c8 step %c1 {
      %x = memref.load %state[%i] : memref<8xf32>
      %y = arith.addf %x, %x : f32
      memref.store %y, %next[%i] : memref<8xf32>
    }
    scf.yield %next : memref<8xf32>
  }
  return %r : memref<8xf32>
}

// -----

// Intrinsics on vectors touch no memory.
// CHECK-LABEL: func.func @dot_products
//       CHECK:   scf.parallel
func.func @dot_products(%a: memref<64x64xi8>, %v: vector<64xi8>) -> memref<64x16xi32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %zeros = arith.constant dense<0> : vector<16xi32>
  %o = memref.alloc() : memref<64x16xi32>
  scf.for %i = %c0 to %c64 step %c1 {
    %x = vector.load %a[%i, %c0] : memref<64x64xi8>, vector<64xi8>
    %y = llvm.call_intrinsic "llvm.x86.avx512.vpdpbusd.512"(%zeros, %x, %v) : (vector<16xi32>, vector<64xi8>, vector<64xi8>) -> vector<16xi32>
    vector.store %y, %o[%i, %c0] : memref<64x16xi32>, vector<16xi32>
  }
  return %o : memref<64x16xi32>
}

// -----

// Others may do anything.
// CHECK-LABEL: func.func @another_intrinsic
//   CHECK-NOT:   scf.parallel
func.func @another_intrinsic() -> memref<64xi64> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %o = memref.alloc() : memref<64xi64>
  scf.for %i = %c0 to %c64 step %c1 {
    %x = llvm.call_intrinsic "llvm.x86.rdtsc"() : () -> i64
    memref.store %x, %o[%i] : memref<64xi64>
  }
  return %o : memref<64xi64>
}
