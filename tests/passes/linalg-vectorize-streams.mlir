// RUN: dl-opt %s --linalg-vectorize="vector-bits=128 streamed-bytes=4096" --split-input-file | FileCheck %s
// RUN: dl-opt %s --linalg-vectorize=vector-bits=128 --split-input-file | FileCheck %s --check-prefix=NONE
// RUN: dl-opt %s --dl-attach-target=target-cpu=x86-64-v2 --linalg-vectorize --split-input-file | FileCheck %s --check-prefix=NONE

// NONE-NOT: nontemporal

// Too large to stay in a cache, as the option says. What is left behind the last whole vector is written as ever.
// CHECK-LABEL: func @large
// CHECK-COUNT-5: vector.store %{{.*}} {alignment = 16 : i64, nontemporal = true} : memref<1030xf32>, vector<4xf32>
//   CHECK-NOT: nontemporal
func.func @large(%x: memref<1030xf32>) -> memref<1030xf32> {
  %y = memref.alloc() {alignment = 64 : i64} : memref<1030xf32>
  linalg.exp ins(%x : memref<1030xf32>) outs(%y : memref<1030xf32>)
  return %y : memref<1030xf32>
}

// -----

// CHECK-LABEL: func @small
//   CHECK-NOT: nontemporal
func.func @small(%x: memref<1020xf32>) -> memref<1020xf32> {
  %y = memref.alloc() {alignment = 64 : i64} : memref<1020xf32>
  linalg.exp ins(%x : memref<1020xf32>) outs(%y : memref<1020xf32>)
  return %y : memref<1020xf32>
}

// -----

// Rows are whole vectors, so each begins at a multiple of one; the size that counts is that of the allocation.
// CHECK-LABEL: func @row
//       CHECK: vector.store %{{.*}} {alignment = 16 : i64, nontemporal = true}
func.func @row(%x: memref<64xf32>, %n: index) -> memref<64x64xf32> {
  %y = memref.alloc() {alignment = 64 : i64} : memref<64x64xf32>
  %row = memref.subview %y[%n, 0] [1, 64] [1, 1] : memref<64x64xf32> to memref<64xf32, strided<[1], offset: ?>>
  linalg.exp ins(%x : memref<64xf32>) outs(%row : memref<64xf32, strided<[1], offset: ?>>)
  return %y : memref<64x64xf32>
}

// -----

// A row of 62 elements begins anywhere.
// CHECK-LABEL: func @ragged_rows
//   CHECK-NOT: nontemporal
func.func @ragged_rows(%x: memref<62xf32>, %n: index) -> memref<68x62xf32> {
  %y = memref.alloc() {alignment = 64 : i64} : memref<68x62xf32>
  %row = memref.subview %y[%n, 0] [1, 62] [1, 1] : memref<68x62xf32> to memref<62xf32, strided<[1], offset: ?>>
  linalg.exp ins(%x : memref<62xf32>) outs(%row : memref<62xf32, strided<[1], offset: ?>>)
  return %y : memref<68x62xf32>
}

// -----

// So does a part that begins at any element.
// CHECK-LABEL: func @any_element
//   CHECK-NOT: nontemporal
func.func @any_element(%x: memref<64xf32>, %n: index) -> memref<2048xf32> {
  %y = memref.alloc() {alignment = 64 : i64} : memref<2048xf32>
  %part = memref.subview %y[%n] [64] [1] : memref<2048xf32> to memref<64xf32, strided<[1], offset: ?>>
  linalg.exp ins(%x : memref<64xf32>) outs(%part : memref<64xf32, strided<[1], offset: ?>>)
  return %y : memref<2048xf32>
}

// -----

// Where an argument lies is not known, nor where an allocation does that says nothing of it.
// CHECK-LABEL: func @anywhere
//   CHECK-NOT: nontemporal
func.func @anywhere(%x: memref<2048xf32>, %y: memref<2048xf32>) -> memref<2048xf32> {
  %z = memref.alloc() : memref<2048xf32>
  linalg.exp ins(%x : memref<2048xf32>) outs(%y : memref<2048xf32>)
  linalg.exp ins(%x : memref<2048xf32>) outs(%z : memref<2048xf32>)
  return %z : memref<2048xf32>
}

// -----

// What the same loop reads again stays in the caches; another loop comes too late for that.
// CHECK-LABEL: func @read_again
//       CHECK: scf.for
//   CHECK-NOT: nontemporal
//       CHECK: vector.store {{.*}} nontemporal = true
//       CHECK: return
func.func @read_again(%x: memref<64xf32>, %z: memref<64xf32>) -> (memref<64x64xf32>, memref<64x64xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %y = memref.alloc() {alignment = 64 : i64} : memref<64x64xf32>
  %w = memref.alloc() {alignment = 64 : i64} : memref<64x64xf32>
  scf.for %n = %c0 to %c64 step %c1 {
    %row = memref.subview %y[%n, 0] [1, 64] [1, 1] : memref<64x64xf32> to memref<64xf32, strided<[1], offset: ?>>
    linalg.exp ins(%x : memref<64xf32>) outs(%row : memref<64xf32, strided<[1], offset: ?>>)
    linalg.exp ins(%row : memref<64xf32, strided<[1], offset: ?>>) outs(%z : memref<64xf32>)
  }
  linalg.exp ins(%y : memref<64x64xf32>) outs(%w : memref<64x64xf32>)
  return %y, %w : memref<64x64xf32>, memref<64x64xf32>
}

// -----

// What is added to is read.
// CHECK-LABEL: func @added_to
//   CHECK-NOT: nontemporal
func.func @added_to(%x: memref<2048xf32>) -> memref<2048xf32> {
  %y = memref.alloc() {alignment = 64 : i64} : memref<2048xf32>
  linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]}
    ins(%x : memref<2048xf32>) outs(%y : memref<2048xf32>) {
  ^bb0(%a: f32, %b: f32):
    %s = arith.addf %a, %b : f32
    linalg.yield %s : f32
  }
  return %y : memref<2048xf32>
}
