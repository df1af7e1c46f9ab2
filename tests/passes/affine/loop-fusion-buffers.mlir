// RUN: dl-opt %s --affine-loop-fusion --split-input-file --allow-unregistered-dialect | FileCheck %s
// RUN: dl-opt %s --affine-loop-fusion='fast-mem-space=2 local-buf-threshold=1' --split-input-file --allow-unregistered-dialect | FileCheck %s --check-prefix=FAST
// RUN: dl-opt %s --affine-loop-fusion --split-input-file --allow-unregistered-dialect --oracle=each-pass

// A buffer of which each iteration uses one element of its own becomes that element.
// CHECK-LABEL: func.func @element
// FAST-LABEL: func.func @element
//  CHECK-SAME:   %[[A:[^:]*]]: memref<8x8xf32>, %[[R:[^:]*]]: memref<8x8xf32>
//       CHECK:   %[[B:.*]] = memref.alloc() : memref<1x1xf32>
//  CHECK-NEXT:   affine.for %[[I:.*]] = 0 to 8 {
//  CHECK-NEXT:     affine.for %[[J:.*]] = 0 to 8 {
//  CHECK-NEXT:       %[[X:.*]] = affine.load %[[A]][%[[I]], %[[J]]]
//  CHECK-NEXT:       affine.store %[[X]], %[[B]][0, 0] : memref<1x1xf32>
//  CHECK-NEXT:       %[[Y:.*]] = affine.load %[[B]][0, 0] : memref<1x1xf32>
//  CHECK-NEXT:       affine.store %[[Y]], %[[R]][%[[I]], %[[J]]]
//        FAST:   memref.alloc() : memref<1x1xf32, 2>
func.func @element(%a: memref<8x8xf32>, %r: memref<8x8xf32>) {
  %b = memref.alloc() : memref<8x8xf32>
  affine.for %i = 0 to 8 {
    affine.for %j = 0 to 8 {
      %x = affine.load %a[%i, %j] : memref<8x8xf32>
      affine.store %x, %b[%i, %j] : memref<8x8xf32>
    }
  }
  affine.for %i = 0 to 8 {
    affine.for %j = 0 to 8 {
      %y = affine.load %b[%i, %j] : memref<8x8xf32>
      affine.store %y, %r[%i, %j] : memref<8x8xf32>
    }
  }
  return
}

// -----

// Here it is a row, which is read in two places, in a memory space that stays: one of 1056 bytes is too large for the fast one.
// CHECK-LABEL: func.func @row
// FAST-LABEL: func.func @row
//       CHECK:   memref.alloc() : memref<1x264xf32, 1>
//       CHECK:   affine.for
//       CHECK:     affine.for
//       CHECK:     affine.for
//   CHECK-NOT:   affine.for
//        FAST:   memref.alloc() : memref<1x264xf32, 1>
func.func @row(%a: memref<2x264xf32>, %r: memref<2x264xf32>) {
  %b = memref.alloc() : memref<2x264xf32, 1>
  affine.for %i = 0 to 2 {
    affine.for %j = 0 to 264 {
      %x = affine.load %a[%i, %j] : memref<2x264xf32>
      affine.store %x, %b[%i, %j] : memref<2x264xf32, 1>
    }
  }
  affine.for %i = 0 to 2 {
    affine.for %j = 0 to 264 {
      %y = affine.load %b[%i, -%j + 263] : memref<2x264xf32, 1>
      %z = affine.load %b[%i, %j] : memref<2x264xf32, 1>
      %s = arith.addf %y, %z : f32
      affine.store %s, %r[%i, %j] : memref<2x264xf32>
    }
  }
  return
}

// -----

// Something else uses the buffer, or an iteration uses what the one before it wrote.
// CHECK-LABEL: func.func @whole_buffers
//       CHECK:   memref.alloc() : memref<8xf32>
//       CHECK:   memref.alloc() : memref<9xf32>
func.func @whole_buffers(%a: memref<8xf32>, %r: memref<8xf32>) -> memref<8xf32> {
  %b = memref.alloc() : memref<8xf32>
  %c = memref.alloc() : memref<9xf32>
  affine.for %i = 0 to 8 {
    %x = affine.load %a[%i] : memref<8xf32>
    affine.store %x, %b[%i] : memref<8xf32>
    affine.store %x, %c[%i + 1] : memref<9xf32>
  }
  affine.for %i = 1 to 8 {
    %y = affine.load %b[%i] : memref<8xf32>
    %z = affine.load %c[%i] : memref<9xf32>
    %s = arith.addf %y, %z : f32
    affine.store %s, %r[%i] : memref<8xf32>
  }
  return %b : memref<8xf32>
}

// -----

// A buffer that is freed is freed as what it has become. mlir-opt leaves these nests as they are.
// CHECK-LABEL: func.func @freed
//       CHECK:   %[[B:.*]] = memref.alloc() : memref<1xf32>
//       CHECK:   memref.dealloc %[[B]] : memref<1xf32>
func.func @freed(%a: memref<8xf32>, %r: memref<8xf32>) {
  %b = memref.alloc() : memref<8xf32>
  affine.for %i = 0 to 8 {
    %x = affine.load %a[%i] : memref<8xf32>
    affine.store %x, %b[%i] : memref<8xf32>
  }
  affine.for %i = 0 to 8 {
    %y = affine.load %b[%i] : memref<8xf32>
    affine.store %y, %r[%i] : memref<8xf32>
  }
  memref.dealloc %b : memref<8xf32>
  return
}

// -----

// Elements are made where they are read, in another order.
// CHECK-LABEL: func.func @transposed
//  CHECK-SAME:   %[[A:[^:]*]]: memref<8x4xf32>, %[[R:[^:]*]]: memref<4x8xf32>
//       CHECK:   %[[B:.*]] = memref.alloc() : memref<1x1xf32>
//  CHECK-NEXT:   affine.for %[[I:.*]] = 0 to 4 {
//  CHECK-NEXT:     affine.for %[[J:.*]] = 0 to 8 {
//  CHECK-NEXT:       %[[X:.*]] = affine.load %[[A]][%[[J]], %[[I]]]
//  CHECK-NEXT:       affine.store %[[X]], %[[B]][0, 0]
//  CHECK-NEXT:       %[[Y:.*]] = affine.load %[[B]][0, 0]
//  CHECK-NEXT:       affine.store %[[Y]], %[[R]][%[[I]], %[[J]]]
func.func @transposed(%a: memref<8x4xf32>, %r: memref<4x8xf32>) {
  %b = memref.alloc() : memref<8x4xf32>
  affine.for %i = 0 to 8 {
    affine.for %j = 0 to 4 {
      %x = affine.load %a[%i, %j] : memref<8x4xf32>
      affine.store %x, %b[%i, %j] : memref<8x4xf32>
    }
  }
  affine.for %i = 0 to 4 {
    affine.for %j = 0 to 8 {
      %y = affine.load %b[%j, %i] : memref<8x4xf32>
      affine.store %y, %r[%i, %j] : memref<4x8xf32>
    }
  }
  return
}

// -----

// CHECK-LABEL: func.func @shifted
//       CHECK:   affine.for %[[I:.*]] = 1 to 9 {
//  CHECK-NEXT:     %[[AT:.*]] = affine.apply #{{.*}}(%[[I]])
//  CHECK-NEXT:     affine.load %{{.*}}[%[[AT]]] : memref<8xf32>
//   CHECK-NOT:   affine.for
func.func @shifted(%a: memref<8xf32>, %r: memref<9xf32>) {
  %b = memref.alloc() : memref<9xf32>
  affine.for %i = 0 to 8 {
    %x = affine.load %a[%i] : memref<8xf32>
    affine.store %x, %b[%i + 1] : memref<9xf32>
  }
  affine.for %i = 1 to 9 {
    %y = affine.load %b[%i] : memref<9xf32>
    affine.store %y, %r[%i] : memref<9xf32>
  }
  return
}

// -----

// An operation of which nothing is known cannot know the buffer, nor do constants depend on it; but it may change what the first nest reads,
// of which mlir-opt takes no notice.
// CHECK-LABEL: func.func @unknown_operation
// CHECK-COUNT-2: affine.for
//     CHECK-NOT: affine.for
//         CHECK: return
// CHECK-LABEL: func.func @unknown_operation_and_arguments
// CHECK-COUNT-4: affine.for
func.func @unknown_operation(%c: f32) {
  %b = memref.alloc() : memref<4x8xf32>
  affine.for %i = 0 to 4 {
    affine.for %j = 0 to 8 {
      affine.store %c, %b[%i, %j] : memref<4x8xf32>
    }
  }
  affine.for %i = 0 to 8 {
    affine.for %j = 0 to 4 {
      %y = affine.load %b[%j, %i] : memref<4x8xf32>
      "any.use"(%y) : (f32) -> ()
    }
  }
  return
}
func.func @unknown_operation_and_arguments(%a: memref<4x8xf32>) {
  %b = memref.alloc() : memref<4x8xf32>
  affine.for %i = 0 to 4 {
    affine.for %j = 0 to 8 {
      %x = affine.load %a[%i, %j] : memref<4x8xf32>
      affine.store %x, %b[%i, %j] : memref<4x8xf32>
    }
  }
  affine.for %i = 0 to 8 {
    affine.for %j = 0 to 4 {
      %y = affine.load %b[%j, %i] : memref<4x8xf32>
      "any.use"(%y) : (f32) -> ()
    }
  }
  return
}

// -----

// More reads than elements; an element that is not made; the buffer is read in two places; what the elements are made of is overwritten.
// CHECK-LABEL: func.func @not_by_element
// CHECK-COUNT-9: affine.for
func.func @not_by_element(%a: memref<8xf32>, %r: memref<8x8xf32>) {
  %b = memref.alloc() : memref<8xf32>
  affine.for %i = 0 to 8 {
    %x = affine.load %a[%i] : memref<8xf32>
    affine.store %x, %b[%i] : memref<8xf32>
  }
  affine.for %i = 0 to 8 {
    affine.for %j = 0 to 8 {
      %y = affine.load %b[%j] : memref<8xf32>
      affine.store %y, %r[%i, %j] : memref<8x8xf32>
    }
  }
  %c = memref.alloc() : memref<9xf32>
  affine.for %i = 0 to 8 {
    %x = affine.load %a[%i] : memref<8xf32>
    affine.store %x, %c[%i] : memref<9xf32>
  }
  affine.for %i = 1 to 9 {
    %y = affine.load %c[%i] : memref<9xf32>
    affine.store %y, %r[0, %i - 1] : memref<8x8xf32>
  }
  %d = memref.alloc() : memref<8xf32>
  affine.for %i = 0 to 8 {
    %x = affine.load %a[%i] : memref<8xf32>
    affine.store %x, %d[%i] : memref<8xf32>
  }
  affine.for %i = 0 to 7 {
    %y = affine.load %d[%i] : memref<8xf32>
    %z = affine.load %d[%i + 1] : memref<8xf32>
    %s = arith.addf %y, %z : f32
    affine.store %s, %r[1, %i] : memref<8x8xf32>
  }
  %e = memref.alloc() : memref<8xf32>
  affine.for %i = 0 to 8 {
    %x = affine.load %a[%i] : memref<8xf32>
    affine.store %x, %e[%i] : memref<8xf32>
  }
  affine.for %i = 0 to 8 {
    %y = affine.load %e[-%i + 7] : memref<8xf32>
    affine.store %y, %a[%i] : memref<8xf32>
  }
  return
}
