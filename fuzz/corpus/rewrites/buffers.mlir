// Functions to which patterns of bufferization apply.

func.func @tensor_of_buffer(%t: tensor<4xf32>) -> tensor<4xf32> {
  %m = bufferization.to_buffer %t : tensor<4xf32> to memref<4xf32>
  %0 = bufferization.to_tensor %m restrict : memref<4xf32> to tensor<4xf32>
  return %0 : tensor<4xf32>
}

func.func @unused_allocation(%c: i1, %x: f32, %m: memref<4xf32>) -> f32 {
  %c0 = arith.constant 0 : index
  %true = arith.constant true
  %a = memref.alloc() : memref<4xf32>
  %b = memref.alloc() : memref<4xf32>
  memref.store %x, %b[%c0] : memref<4xf32>
  %y = memref.load %b[%c0] : memref<4xf32>
  bufferization.dealloc (%a, %b : memref<4xf32>, memref<4xf32>) if (%true, %c)
  return %y : f32
}

func.func @base_of_allocation(%c: i1, %x: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<4xf32>
  memref.store %x, %a[%c0] : memref<4xf32>
  %y = memref.load %a[%c0] : memref<4xf32>
  %base, %offset, %size, %stride = memref.extract_strided_metadata %a
    : memref<4xf32> -> memref<f32>, index, index, index
  bufferization.dealloc (%base : memref<f32>) if (%c)
  return %y : f32
}

func.func @never_freed(%c: i1, %x: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %false = arith.constant false
  %a = memref.alloc() : memref<4xf32>
  %b = memref.alloc() : memref<4xf32>
  memref.store %x, %a[%c0] : memref<4xf32>
  memref.store %x, %b[%c0] : memref<4xf32>
  bufferization.dealloc (%a, %b : memref<4xf32>, memref<4xf32>) if (%false, %c)
  %y = memref.load %a[%c0] : memref<4xf32>
  return %y : f32
}

func.func @constant_size(%x: f32) -> tensor<?xf32> {
  %c4 = arith.constant 4 : index
  %0 = bufferization.alloc_tensor(%c4) : tensor<?xf32>
  %1 = linalg.fill ins(%x : f32) outs(%0 : tensor<?xf32>) -> tensor<?xf32>
  return %1 : tensor<?xf32>
}
