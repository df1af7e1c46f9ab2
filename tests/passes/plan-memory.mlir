// RUN: dl-opt %s --allow-unregistered-dialect --pass-pipeline='builtin.module(func.func(plan-memory))' --split-input-file | FileCheck %s

// The third buffer takes the place of the first, which is freed by then. What is returned stays.
// CHECK-LABEL: func.func @chain
//       CHECK:   %[[ARENA:.*]] = memref.alloc() {alignment = 64 : i64} : memref<1088xi8>
//       CHECK:   %[[A:.*]] = memref.view %[[ARENA]][%c0{{.*}}][] : memref<1088xi8> to memref<256xf32>
//       CHECK:   %[[B:.*]] = memref.view %[[ARENA]][%c1024{{.*}}][] : memref<1088xi8> to memref<16xf32>
//   CHECK-NOT:   dealloc
//       CHECK:   %[[C:.*]] = memref.view %[[ARENA]][%c0{{.*}}][] : memref<1088xi8> to memref<100xf32>
//       CHECK:   %[[RESULT:.*]] = memref.alloc() : memref<4xf32>
//       CHECK:   memref.dealloc %[[ARENA]]
//  CHECK-NEXT:   return %[[RESULT]]
func.func @chain() -> memref<4xf32> {
  %a = memref.alloc() : memref<256xf32>
  "test.use"(%a) : (memref<256xf32>) -> ()
  %b = memref.alloc() : memref<16xf32>
  "test.use"(%a, %b) : (memref<256xf32>, memref<16xf32>) -> ()
  memref.dealloc %a : memref<256xf32>
  %c = memref.alloc() : memref<100xf32>
  %r = memref.alloc() : memref<4xf32>
  "test.use"(%b, %c, %r) : (memref<16xf32>, memref<100xf32>, memref<4xf32>) -> ()
  memref.dealloc %b : memref<16xf32>
  memref.dealloc %c : memref<100xf32>
  return %r : memref<4xf32>
}

// -----

// One in a loop is there for all of the loop, beside what is needed around it. Alignments that are asked for are kept.
// CHECK-LABEL: func.func @in_a_loop
//       CHECK:   memref.alloc() {alignment = 256 : i64} : memref<356xi8>
//       CHECK:   scf.for
//       CHECK:     memref.view %{{.*}}[%c256{{.*}}][] : memref<356xi8> to memref<25xf32>
//   CHECK-NOT:     alloc
//       CHECK:   }
//  CHECK-NEXT:   memref.dealloc
func.func @in_a_loop() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %a = memref.alloc() : memref<50xf32>
  scf.for %i = %c0 to %c8 step %c1 {
    %b = memref.alloc() {alignment = 256 : i64} : memref<25xf32>
    "test.use"(%a, %b) : (memref<50xf32>, memref<25xf32>) -> ()
    memref.dealloc %b : memref<25xf32>
  }
  memref.dealloc %a : memref<50xf32>
  return
}

// -----

// Iterations that run at the same time have memory of their own; sizes that are not known, and buffers that are freed on a condition, stay.
// CHECK-LABEL: func.func @left_alone
//   CHECK-NOT:   memref.view
func.func @left_alone(%n: index, %owned: i1) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %a = memref.alloc(%n) : memref<?xf32>
  %b = memref.alloc() : memref<8xf32>
  scf.if %owned {
    memref.dealloc %b : memref<8xf32>
  }
  scf.parallel (%i) = (%c0) to (%c8) step (%c1) {
    %c = memref.alloc() : memref<25xf32>
    "test.use"(%a, %c) : (memref<?xf32>, memref<25xf32>) -> ()
    memref.dealloc %c : memref<25xf32>
    scf.reduce
  }
  %d = memref.alloc() : memref<8xf32, strided<[2]>>
  memref.dealloc %d : memref<8xf32, strided<[2]>>
  %e = memref.alloc() : memref<8xf32, 1>
  memref.dealloc %e : memref<8xf32, 1>
  memref.dealloc %a : memref<?xf32>
  return
}

// -----

// One buffer that is allocated once is best as it is, and in several blocks lives are not those of a line.
// CHECK-LABEL: func.func @one
//       CHECK:   memref.alloc() : memref<8xf32>
// CHECK-LABEL: func.func @blocks
//   CHECK-NOT:   memref.view
func.func @one() {
  %a = memref.alloc() : memref<8xf32>
  memref.dealloc %a : memref<8xf32>
  return
}
func.func @blocks() {
  %a = memref.alloc() : memref<8xf32>
  memref.dealloc %a : memref<8xf32>
  cf.br ^next
^next:
  %b = memref.alloc() : memref<8xf32>
  memref.dealloc %b : memref<8xf32>
  return
}

// -----

// Memory that cannot be addressed is not asked for.
// CHECK-LABEL: func.func @too_large
//   CHECK-NOT:   memref.view
func.func @too_large() {
  %a = memref.alloc() : memref<2305843009213693951xf32>
  %b = memref.alloc() : memref<2305843009213693951xf32>
  "test.use"(%a, %b) : (memref<2305843009213693951xf32>, memref<2305843009213693951xf32>) -> ()
  memref.dealloc %a : memref<2305843009213693951xf32>
  memref.dealloc %b : memref<2305843009213693951xf32>
  return
}
