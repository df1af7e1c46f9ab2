// Between tensors and buffers. Expected values follow from the definitions.

// EVAL @there_and_back(dense<[1, 2, 3]> : tensor<3xi32>) == dense<[1, 2, 3]> : tensor<3xi32>
func.func @there_and_back(%t: tensor<3xi32>) -> tensor<3xi32> {
  %m = bufferization.to_buffer %t : tensor<3xi32> to memref<3xi32>
  %c = bufferization.clone %m : memref<3xi32> to memref<3xi32>
  %r = bufferization.to_tensor %c restrict : memref<3xi32> to tensor<3xi32>
  %true = arith.constant true
  bufferization.dealloc (%c : memref<3xi32>) if (%true)
  return %r : tensor<3xi32>
}

// The retained memref is a view of the first one, which is therefore not freed.
// EVAL @retained(&dense<[7, 8]> : tensor<2xi32>, true) == true, 7 : i32
// EVAL @retained(&dense<[7, 8]> : tensor<2xi32>, false) == false, 7 : i32
func.func @retained(%m: memref<2xi32>, %owned: i1) -> (i1, i32) {
  %c0 = arith.constant 0 : index
  %v = memref.subview %m[0] [1] [1] : memref<2xi32> to memref<1xi32, strided<[1]>>
  %keep = bufferization.dealloc (%m : memref<2xi32>) if (%owned) retain (%v : memref<1xi32, strided<[1]>>)
  %x = memref.load %v[%c0] : memref<1xi32, strided<[1]>>
  return %keep, %x : i1, i32
}

// FAIL @freed(true): use of a buffer after it was freed
// EVAL @freed(false) == 5 : i32
func.func @freed(%owned: i1) -> i32 {
  %c0 = arith.constant 0 : index
  %c5 = arith.constant 5 : i32
  %m = memref.alloc() : memref<2xi32>
  memref.store %c5, %m[%c0] : memref<2xi32>
  bufferization.dealloc (%m : memref<2xi32>) if (%owned)
  %x = memref.load %m[%c0] : memref<2xi32> // <-
  return %x : i32
}

// EVAL @materialize(dense<[1, 2]> : tensor<2xi32>, &dense<0> : tensor<2xi32>) == dense<[1, 2]> : tensor<2xi32>, 2 : i32
func.func @materialize(%t: tensor<2xi32>, %m: memref<2xi32>) -> (tensor<2xi32>, i32) {
  %c1 = arith.constant 1 : index
  %e = bufferization.alloc_tensor() : tensor<2xi32>
  %r = bufferization.materialize_in_destination %t in %e : (tensor<2xi32>, tensor<2xi32>) -> tensor<2xi32>
  bufferization.materialize_in_destination %t in writable %m : (tensor<2xi32>, memref<2xi32>) -> ()
  %x = memref.load %m[%c1] : memref<2xi32>
  return %r, %x : tensor<2xi32>, i32
}

// FAIL @write_what_may_only_be_read(dense<[1, 2, 3]> : tensor<3xi32>): 'memref.store' op undefined behaviour: a constant buffer is written to
func.func @write_what_may_only_be_read(%t: tensor<3xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : i32
  %m = bufferization.to_buffer %t read_only : tensor<3xi32> to memref<3xi32>
  memref.store %c1, %m[%c0] : memref<3xi32> // <-
  return
}
