// Transfers between memories, of the memref and affine dialects. Expected values follow from their definitions: what is under way may be read from
// where it comes from, and nothing else; it is done after a wait for its tag element.

// Four elements from position 1 on of one buffer to position 2 on of the other.
// EVAL @copy(&dense<[10, 20, 30, 40, 50, 60]> : tensor<6xi32>) == dense<[0, 0, 20, 30, 40, 50]> : tensor<6xi32>
func.func @copy(%from: memref<6xi32>) -> memref<6xi32, 1> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c4 = arith.constant 4 : index
  %zero = arith.constant 0 : i32
  %to = memref.alloc() : memref<6xi32, 1>
  memref.store %zero, %to[%c0] : memref<6xi32, 1>
  memref.store %zero, %to[%c1] : memref<6xi32, 1>
  %tag = memref.alloc() : memref<1xi32>
  memref.dma_start %from[%c1], %to[%c2], %c4, %tag[%c0] : memref<6xi32>, memref<6xi32, 1>, memref<1xi32>
  memref.dma_wait %tag[%c0], %c4 : memref<1xi32>
  return %to : memref<6xi32, 1>
}

// FAIL @early(&dense<[1, 2]> : tensor<2xi32>, 0 : index): read of memory that was never written
// EVAL @early(&dense<[1, 2]> : tensor<2xi32>, 1 : index) == 7 : i32
func.func @early(%from: memref<2xi32>, %at: index) -> i32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %seven = arith.constant 7 : i32
  %to = memref.alloc() : memref<2xi32, 1>
  memref.store %seven, %to[%c0] : memref<2xi32, 1>
  memref.store %seven, %to[%c1] : memref<2xi32, 1>
  %tag = memref.alloc() : memref<1xi32>
  memref.dma_start %from[%c0], %to[%c0], %c1, %tag[%c0] : memref<2xi32>, memref<2xi32, 1>, memref<1xi32>
  %0 = memref.load %to[%at] : memref<2xi32, 1> // <-
  memref.dma_wait %tag[%c0], %c1 : memref<1xi32>
  return %0 : i32
}

// The source may be read, and not written; elsewhere all is as before.
// EVAL @source(&dense<[1, 2]> : tensor<2xi32>, 1 : index) == 1 : i32
// FAIL @source(&dense<[1, 2]> : tensor<2xi32>, 0 : index): the source of a transfer was written
func.func @source(%from: memref<2xi32>, %at: index) -> i32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %seven = arith.constant 7 : i32
  %to = memref.alloc() : memref<2xi32, 1>
  %tag = memref.alloc() : memref<1xi32>
  memref.dma_start %from[%c0], %to[%c0], %c1, %tag[%c0] : memref<2xi32>, memref<2xi32, 1>, memref<1xi32>
  %read = memref.load %from[%c0] : memref<2xi32>
  memref.store %seven, %from[%at] : memref<2xi32>
  memref.dma_wait %tag[%c0], %c1 : memref<1xi32> // <-
  %0 = memref.load %to[%c0] : memref<2xi32, 1>
  return %0 : i32
}

// EVAL @target(&dense<[1, 2]> : tensor<2xi32>, 1 : index) == 1 : i32
// FAIL @target(&dense<[1, 2]> : tensor<2xi32>, 0 : index): the target of a transfer was written
func.func @target(%from: memref<2xi32>, %at: index) -> i32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %seven = arith.constant 7 : i32
  %to = memref.alloc() : memref<2xi32, 1>
  %tag = memref.alloc() : memref<1xi32>
  memref.dma_start %from[%c0], %to[%c0], %c1, %tag[%c0] : memref<2xi32>, memref<2xi32, 1>, memref<1xi32>
  memref.store %seven, %to[%at] : memref<2xi32, 1>
  memref.dma_wait %tag[%c0], %c1 : memref<1xi32> // <-
  %0 = memref.load %to[%c0] : memref<2xi32, 1>
  return %0 : i32
}

// A wait is for its own tag element and number of elements, and ends one transfer.
// EVAL @tags(0 : index, 2 : index, 1 : index) == 5 : i32, 6 : i32
// FAIL @tags(1 : index, 2 : index, 1 : index): a wait for a transfer of 2 elements that has not begun
// FAIL @tags(0 : index, 3 : index, 1 : index): a wait for a transfer of 3 elements that has not begun
// FAIL @tags(0 : index, 2 : index, 2 : index): index 2 is out of bounds
func.func @tags(%first: index, %count: index, %second: index) -> (i32, i32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %five = arith.constant 5 : i32
  %six = arith.constant 6 : i32
  %from = memref.alloc() : memref<3xi32>
  memref.store %five, %from[%c0] : memref<3xi32>
  memref.store %five, %from[%c1] : memref<3xi32>
  memref.store %six, %from[%c2] : memref<3xi32>
  %to = memref.alloc() : memref<3xi32, 1>
  %tag = memref.alloc() : memref<2xi32>
  memref.dma_start %from[%c0], %to[%c0], %c2, %tag[%c0] : memref<3xi32>, memref<3xi32, 1>, memref<2xi32>
  memref.dma_start %from[%c2], %to[%c2], %c1, %tag[%second] : memref<3xi32>, memref<3xi32, 1>, memref<2xi32> // <-
  memref.dma_wait %tag[%first], %count : memref<2xi32> // <-
  memref.dma_wait %tag[%c1], %c1 : memref<2xi32>
  %0 = memref.load %to[%c1] : memref<3xi32, 1>
  %1 = memref.load %to[%c2] : memref<3xi32, 1>
  return %0, %1 : i32, i32
}

// FAIL @twice(&dense<[1, 2]> : tensor<2xi32>): a wait for a transfer of 2 elements that has not begun
func.func @twice(%from: memref<2xi32>) {
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  %to = memref.alloc() : memref<2xi32, 1>
  %tag = memref.alloc() : memref<1xi32>
  memref.dma_start %from[%c0], %to[%c0], %c2, %tag[%c0] : memref<2xi32>, memref<2xi32, 1>, memref<1xi32>
  memref.dma_wait %tag[%c0], %c2 : memref<1xi32>
  memref.dma_wait %tag[%c0], %c2 : memref<1xi32> // <-
  return
}

// FAIL @freed(&dense<[1, 2]> : tensor<2xi32>): use of a buffer after it was freed
func.func @freed(%from: memref<2xi32>) {
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  %to = memref.alloc() : memref<2xi32, 1>
  %tag = memref.alloc() : memref<1xi32>
  memref.dma_start %from[%c0], %to[%c0], %c2, %tag[%c0] : memref<2xi32>, memref<2xi32, 1>, memref<1xi32>
  memref.dealloc %to : memref<2xi32, 1>
  memref.dma_wait %tag[%c0], %c2 : memref<1xi32> // <-
  return
}

// The side in the slower memory, number 0, is in rows: two elements every three of them.
// EVAL @gather_rows(&dense<[[1, 2, 3], [4, 5, 6], [7, 8, 9]]> : tensor<3x3xi32>, 3 : index, 2 : index) == dense<[2, 3, 5, 6]> : tensor<4xi32>
// EVAL @gather_rows(&dense<[[1, 2, 3], [4, 5, 6], [7, 8, 9]]> : tensor<3x3xi32>, 2 : index, 1 : index) == dense<[2, 4, 6, 8]> : tensor<4xi32>
// FAIL @gather_rows(&dense<[[1, 2, 3], [4, 5, 6], [7, 8, 9]]> : tensor<3x3xi32>, 3 : index, 1 : index): index 10 is out of bounds for dimension 0 of size 9
// FAIL @gather_rows(&dense<[[1, 2, 3], [4, 5, 6], [7, 8, 9]]> : tensor<3x3xi32>, 3 : index, 0 : index): rows of 0 elements
// FAIL @gather_rows(&dense<[[1, 2, 3], [4, 5, 6], [7, 8, 9]]> : tensor<3x3xi32>, 9223372036854775807 : index, 1 : index): the address overflows
func.func @gather_rows(%from: memref<3x3xi32>, %stride: index, %length: index) -> memref<4xi32, 1> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %to = memref.alloc() : memref<4xi32, 1>
  %tag = memref.alloc() : memref<1xi32>
  memref.dma_start %from[%c0, %c1], %to[%c0], %c4, %tag[%c0], %stride, %length : memref<3x3xi32>, memref<4xi32, 1>, memref<1xi32> // <-
  memref.dma_wait %tag[%c0], %c4 : memref<1xi32>
  return %to : memref<4xi32, 1>
}

// EVAL @scatter_rows(&dense<[[0, 0, 0], [0, 0, 0]]> : tensor<2x3xi32>) == dense<[[0, 1, 2], [0, 3, 4]]> : tensor<2x3xi32>
func.func @scatter_rows(%to: memref<2x3xi32>) -> memref<2x3xi32> {
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %c4 = arith.constant 4 : index
  %from = memref.alloc() : memref<4xi32, 1>
  affine.for %i = 0 to 4 {
    %j = affine.apply affine_map<(d0) -> (d0 + 1)>(%i)
    %x = arith.index_cast %j : index to i32
    affine.store %x, %from[%i] : memref<4xi32, 1>
  }
  %tag = memref.alloc() : memref<i32>
  affine.dma_start %from[0], %to[0, %c1], %tag[], %c4, %c3, %c2 : memref<4xi32, 1>, memref<2x3xi32>, memref<i32>
  affine.dma_wait %tag[], %c4 : memref<i32>
  return %to : memref<2x3xi32>
}

// Two buffers in turn: what the next iteration needs comes while this one computes.
// EVAL @in_turn(&dense<[1, 2, 3, 4]> : tensor<4xi32>) == 10 : i32
func.func @in_turn(%from: memref<4xi32>) -> i32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0 : i32
  %to = memref.alloc() : memref<2xi32, 1>
  %tag = memref.alloc() : memref<2xi32>
  affine.dma_start %from[0], %to[0], %tag[0], %c1 : memref<4xi32>, memref<2xi32, 1>, memref<2xi32>
  %sum = affine.for %i = 1 to 4 iter_args(%partial = %zero) -> i32 {
    affine.dma_start %from[%i], %to[%i mod 2], %tag[%i mod 2], %c1 : memref<4xi32>, memref<2xi32, 1>, memref<2xi32>
    affine.dma_wait %tag[(%i - 1) mod 2], %c1 : memref<2xi32>
    %x = affine.load %to[(%i - 1) mod 2] : memref<2xi32, 1>
    %more = arith.addi %partial, %x : i32
    affine.yield %more : i32
  }
  affine.dma_wait %tag[1], %c1 : memref<2xi32>
  %x = affine.load %to[1] : memref<2xi32, 1>
  %all = arith.addi %sum, %x : i32
  return %all : i32
}

// What was never written stays so; a transfer of nothing is one too.
// EVAL @count(2 : index) == dense<[9, 9]> : tensor<2xi32>
// EVAL @count(0 : index) == dense<[1, 1]> : tensor<2xi32>
// FAIL @count(3 : index): index 2 is out of bounds for dimension 0 of size 2
// FAIL @count(-1 : index): a transfer of -1 elements
// FAIL @count(4611686018427387904 : index): unsupported: a transfer of 4611686018427387904 elements
func.func @count(%n: index) -> memref<2xi32, 1> {
  %c0 = arith.constant 0 : index
  %one = arith.constant 1 : i32
  %nine = arith.constant 9 : i32
  %from = memref.alloc() : memref<2xi32>
  affine.for %i = 0 to 2 {
    affine.store %nine, %from[%i] : memref<2xi32>
  }
  %to = memref.alloc() : memref<2xi32, 1>
  affine.for %i = 0 to 2 {
    affine.store %one, %to[%i] : memref<2xi32, 1>
  }
  %tag = memref.alloc() : memref<1xi32>
  affine.dma_start %from[0], %to[0], %tag[0], %n : memref<2xi32>, memref<2xi32, 1>, memref<1xi32> // <-
  affine.dma_wait %tag[0], %n : memref<1xi32>
  return %to : memref<2xi32, 1>
}

// FAIL @one_memory(&dense<[1, 2, 3, 4]> : tensor<4xi32>, 2 : index): unsupported: rows between memories of one kind
func.func @one_memory(%from: memref<4xi32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %to = memref.alloc() : memref<2xi32>
  %tag = memref.alloc() : memref<1xi32>
  memref.dma_start %from[%c0], %to[%c0], %n, %tag[%c0], %n, %c1 : memref<4xi32>, memref<2xi32>, memref<1xi32> // <-
  return
}
