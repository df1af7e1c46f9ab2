// RUN: dl-opt %s --affine-pipeline-data-transfer --split-input-file --allow-unregistered-dialect | FileCheck %s
// RUN: dl-opt %s --affine-pipeline-data-transfer --split-input-file --allow-unregistered-dialect --oracle=each-pass

// CHECK-LABEL: func @one_ahead
// CHECK-SAME: (%[[FROM:.+]]: memref<512xf32>)
func.func @one_ahead(%from: memref<512xf32>) {
  %zero = arith.constant 0 : index
  %count = arith.constant 4 : index
  %fast = memref.alloc() : memref<4xf32, 1>
  %tag = memref.alloc() : memref<1xi32>
  // CHECK: %[[FAST:.+]] = memref.alloc() : memref<2x4xf32, 1>
  // CHECK: %[[TAG:.+]] = memref.alloc() : memref<2x1xi32>
  // CHECK: %[[FIRST:.+]] = arith.constant 8 : index
  // CHECK: affine.dma_start %[[FROM]][%[[FIRST]] + 4], %[[FAST]][(%[[FIRST]] floordiv 4) mod 2, 0], %[[TAG]][(%[[FIRST]] floordiv 4) mod 2, 0], %{{[a-z0-9_]+}} : memref<512xf32>, memref<2x4xf32, 1>, memref<2x1xi32>
  // CHECK: affine.for %[[I:.+]] = 12 to 500 step 4 {
  // CHECK-NEXT: affine.dma_start %[[FROM]][%[[I]] + 4], %[[FAST]][(%[[I]] floordiv 4) mod 2, 0], %[[TAG]][(%[[I]] floordiv 4) mod 2, 0]
  // CHECK-NEXT: %[[BEFORE:.+]] = affine.apply #{{.+}}(%[[I]])
  // CHECK-NEXT: affine.apply
  // CHECK-NEXT: affine.dma_wait %[[TAG]][(%[[BEFORE]] floordiv 4) mod 2, 0]
  // CHECK-NEXT: affine.for %[[J:.+]] = 0 to 4 {
  // CHECK-NEXT: %[[V:.+]] = affine.load %[[FAST]][(%[[BEFORE]] floordiv 4) mod 2, %[[J]]]
  // CHECK-NEXT: "use"(%[[BEFORE]], %[[V]])
  // CHECK: %[[LAST:.+]] = arith.constant 496 : index
  // CHECK: affine.dma_wait %[[TAG]][(%[[LAST]] floordiv 4) mod 2, 0]
  // CHECK: affine.load %[[FAST]][(%[[LAST]] floordiv 4) mod 2, %{{.+}}]
  // CHECK: memref.dealloc %[[TAG]] : memref<2x1xi32>
  // CHECK: memref.dealloc %[[FAST]] : memref<2x4xf32, 1>
  // CHECK-NEXT: return
  affine.for %i = 8 to 500 step 4 {
    %at = affine.apply affine_map<(d0) -> (d0 + 4)>(%i)
    affine.dma_start %from[%at], %fast[%zero], %tag[%zero], %count : memref<512xf32>, memref<4xf32, 1>, memref<1xi32>
    affine.dma_wait %tag[%zero], %count : memref<1xi32>
    affine.for %j = 0 to 4 {
      %v = affine.load %fast[%j] : memref<4xf32, 1>
      "use"(%i, %v) : (index, f32) -> ()
    }
  }
  memref.dealloc %tag : memref<1xi32>
  memref.dealloc %fast : memref<4xf32, 1>
  return
}

// -----

// Bounds that are not numbers, a distance that is, and a single iteration that is left in the loop.
// CHECK-LABEL: func @from_somewhere
// CHECK-SAME: (%[[FROM:.+]]: memref<?xf32>, %[[N:.+]]: index)
func.func @from_somewhere(%from: memref<?xf32>, %n: index) {
  %zero = arith.constant 0 : index
  %count = arith.constant 1 : index
  // CHECK: affine.dma_start %[[FROM]][%[[N]]]
  // CHECK-NOT: affine.for
  // CHECK: %[[SECOND:.+]] = affine.apply #[[NEXT:.+]](%[[N]])
  // CHECK: affine.dma_start %[[FROM]][%[[SECOND]]]
  // CHECK: %[[BEFORE:.+]] = affine.apply #{{.+}}(%[[SECOND]])
  // CHECK: "use"(%[[BEFORE]])
  // CHECK: %[[LAST:.+]] = affine.apply #[[NEXT]](%[[N]])
  // CHECK: affine.dma_wait
  // CHECK: "use"(%[[LAST]])
  affine.for %i = affine_map<(d0) -> (d0)>(%n) to affine_map<(d0) -> (d0 + 2)>(%n) {
    %fast = memref.alloc() : memref<1xf32, 1>
    %tag = memref.alloc() : memref<1xi32>
    affine.dma_start %from[%i], %fast[%zero], %tag[%zero], %count : memref<?xf32>, memref<1xf32, 1>, memref<1xi32>
    affine.dma_wait %tag[%zero], %count : memref<1xi32>
    "use"(%i) : (index) -> ()
    memref.dealloc %tag : memref<1xi32>
    memref.dealloc %fast : memref<1xf32, 1>
  }
  return
}

// -----

// What was not filled by this iteration is of an earlier one.
// CHECK-LABEL: func @part_of_the_buffer
func.func @part_of_the_buffer(%from: memref<512xf32>) {
  %zero = arith.constant 0 : index
  %count = arith.constant 3 : index
  %fast = memref.alloc() : memref<4xf32, 1>
  %tag = memref.alloc() : memref<1xi32>
  // CHECK-NOT: affine.dma_start
  // CHECK: affine.for %{{.+}} = 0 to 100 {
  affine.for %i = 0 to 100 {
    affine.dma_start %from[%i], %fast[%zero], %tag[%zero], %count : memref<512xf32>, memref<4xf32, 1>, memref<1xi32>
    affine.dma_wait %tag[%zero], %count : memref<1xi32>
    %v = affine.load %fast[3] : memref<4xf32, 1>
    "use"(%v) : (f32) -> ()
  }
  return
}

// -----

// CHECK-LABEL: func @source_is_written
func.func @source_is_written(%from: memref<512xf32>) {
  %zero = arith.constant 0 : index
  %count = arith.constant 4 : index
  %fast = memref.alloc() : memref<4xf32, 1>
  %tag = memref.alloc() : memref<1xi32>
  // CHECK-NOT: affine.dma_start
  // CHECK: affine.for %{{.+}} = 0 to 100 {
  affine.for %i = 0 to 100 {
    affine.dma_start %from[%i], %fast[%zero], %tag[%zero], %count : memref<512xf32>, memref<4xf32, 1>, memref<1xi32>
    affine.dma_wait %tag[%zero], %count : memref<1xi32>
    %v = affine.load %fast[3] : memref<4xf32, 1>
    affine.store %v, %from[%i + 4] : memref<512xf32>
  }
  return
}

// -----

// The caller sees what is in the buffer in the end.
// CHECK-LABEL: func @not_its_own
func.func @not_its_own(%from: memref<512xf32>, %fast: memref<4xf32, 1>) {
  %zero = arith.constant 0 : index
  %count = arith.constant 4 : index
  %tag = memref.alloc() : memref<1xi32>
  // CHECK-NOT: affine.dma_start
  // CHECK: affine.for %{{.+}} = 0 to 100 {
  affine.for %i = 0 to 100 {
    affine.dma_start %from[%i], %fast[%zero], %tag[%zero], %count : memref<512xf32>, memref<4xf32, 1>, memref<1xi32>
    affine.dma_wait %tag[%zero], %count : memref<1xi32>
  }
  return
}

// -----

// CHECK-LABEL: func @read_before_it_is_there
func.func @read_before_it_is_there(%from: memref<512xf32>) {
  %zero = arith.constant 0 : index
  %count = arith.constant 4 : index
  %fast = memref.alloc() : memref<4xf32, 1>
  %tag = memref.alloc() : memref<1xi32>
  // CHECK-NOT: affine.dma_start
  // CHECK: affine.for %{{.+}} = 0 to 100 {
  affine.for %i = 0 to 100 {
    %v = affine.load %fast[3] : memref<4xf32, 1>
    affine.dma_start %from[%i], %fast[%zero], %tag[%zero], %count : memref<512xf32>, memref<4xf32, 1>, memref<1xi32>
    affine.dma_wait %tag[%zero], %count : memref<1xi32>
    "use"(%v) : (f32) -> ()
  }
  return
}

// -----

// CHECK-LABEL: func @unknown_count
func.func @unknown_count(%from: memref<512xf32>, %n: index) {
  %zero = arith.constant 0 : index
  %count = arith.constant 4 : index
  %fast = memref.alloc() : memref<4xf32, 1>
  %tag = memref.alloc() : memref<1xi32>
  // CHECK-NOT: affine.dma_start
  // CHECK: affine.for %{{.+}} = 0 to %{{.+}} {
  affine.for %i = 0 to %n {
    affine.dma_start %from[%i], %fast[%zero], %tag[%zero], %count : memref<512xf32>, memref<4xf32, 1>, memref<1xi32>
    affine.dma_wait %tag[%zero], %count : memref<1xi32>
  }
  return
}
