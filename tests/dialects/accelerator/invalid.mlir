// RUN: dl-opt %s --verify-diagnostics --split-input-file

func.func @f(%a: memref<4x4xi8>, %b: memref<4x4xi32>) {
  // expected-error @below {{'accelerator.dma_start' op expected source and destination of one element type, but got 'i8' and 'i32'}}
  %t = accelerator.dma_start %a to %b : memref<4x4xi8> to memref<4x4xi32>
  return
}

// -----

func.func @f(%a: memref<4x4xi8>, %b: memref<16xi8>) {
  // expected-error @below {{'accelerator.dma_start' op expected a destination of rank 2, but got 1}}
  %t = accelerator.dma_start %a to %b : memref<4x4xi8> to memref<16xi8>
  return
}

// -----

func.func @f(%a: memref<4x4xi8>, %b: memref<4x5xi8>) {
  // expected-error @below {{'accelerator.dma_start' op expected extent 4 of dimension 1 of the destination, but got 5}}
  %t = accelerator.dma_start %a to %b : memref<4x4xi8> to memref<4x5xi8>
  return
}

// -----

func.func @f(%a: memref<4x4xi8>, %b: memref<4x5xi8>) {
  // expected-error @below {{'accelerator.dma_start' op expected extent 6 of dimension 1 of the destination, but got 5}}
  %t = accelerator.dma_start %a to %b pad [0, 1] [0, 1] with 0 : i8 : memref<4x4xi8> to memref<4x5xi8>
  return
}

// -----

func.func @f(%a: memref<4x4xi8>, %b: memref<4x6xi8>) {
  // expected-error @below {{'accelerator.dma_start' op expected padding of 2 extents of 0 or more on each side}}
  %t = accelerator.dma_start %a to %b pad [1] [0, 1] with 0 : i8 : memref<4x4xi8> to memref<4x6xi8>
  return
}

// -----

func.func @f(%a: memref<4x4xi8>, %b: memref<4x6xi8>) {
  // expected-error @below {{'accelerator.dma_start' op expected padding with a value of type 'i8', but got 0 : i32}}
  %t = accelerator.dma_start %a to %b pad [0, 1] [0, 1] with 0 : i32 : memref<4x4xi8> to memref<4x6xi8>
  return
}

// -----

func.func @f(%a: memref<4x4xi8>, %b: memref<4x6xi8>) {
  // expected-error @below {{'accelerator.dma_start' op expected 'low', 'high' and 'value' of padding together}}
  %t = accelerator.dma_start %a to %b {low = array<i64: 0, 1>} : memref<4x4xi8> to memref<4x6xi8>
  return
}

// -----

func.func @f(%a: memref<4x3xi8>, %b: memref<4x4xi8>, %c: memref<4x4xi32>) {
  // expected-error @below {{'accelerator.matmul_tile' op expected tiles of m x k, k x n and m x n, but got 3 and 4 for k}}
  %t = accelerator.matmul_tile %a, %b to %c : memref<4x3xi8>, memref<4x4xi8> to memref<4x4xi32>
  return
}

// -----

func.func @f(%b: memref<4x4xi8>) {
  // expected-error @below {{'accelerator.binary' op expected floats to divide, but got 'i8'}}
  %q = accelerator.binary div %b, %b to %b : memref<4x4xi8>, memref<4x4xi8> to memref<4x4xi8>
  return
}

// -----

func.func @f(%a: memref<4x3xi8>, %b: memref<4x4xi8>) {
  // expected-error @below {{'accelerator.binary' op expected left operand and right operand of one shape, but got 'memref<4x3xi8>' and 'memref<4x4xi8>'}}
  %t = accelerator.binary add %a, %b to %b : memref<4x3xi8>, memref<4x4xi8> to memref<4x4xi8>
  return
}

// -----

func.func @f(%a: memref<4x3xi8>, %b: memref<4x4xi8>) {
  // expected-error @below {{'accelerator.unary' op expected source and destination of one shape, but got 'memref<4x3xi8>' and 'memref<4x4xi8>'}}
  %t = accelerator.unary relu %a to %b : memref<4x3xi8> to memref<4x4xi8>
  return
}

// -----

func.func @f(%a: memref<4x3xi8>, %b: memref<4x3xi8>) {
  // expected-error @below {{'accelerator.reduce' op expected a destination with the rows of 'memref<4x3xi8>' and one column, but got 'memref<4x3xi8>'}}
  %t = accelerator.reduce max %a to %b : memref<4x3xi8> to memref<4x3xi8>
  return
}

// -----

func.func @f(%a: memref<16x3xi8>, %b: memref<5x3xi8>) {
  // expected-error @below {{'accelerator.pool' op expected 16 rows that become 4, but got 'memref<16x3xi8>' and 'memref<5x3xi8>'}}
  %t = accelerator.pool max %a to %b image [4, 4] window [2, 2] strides [2, 2] : memref<16x3xi8> to memref<5x3xi8>
  return
}

// -----

func.func @f(%a: memref<16x3xi8>, %b: memref<5x3xi8>) {
  // expected-error @below {{'accelerator.pool' op expected a window that fits the image}}
  %t = accelerator.pool max %a to %b image [4, 4] window [5, 2] strides [2, 2] : memref<16x3xi8> to memref<5x3xi8>
  return
}

// -----

func.func @f(%a: memref<16x3xi8>, %b: memref<5x3xi8>) {
  // expected-error @below {{'accelerator.pool' op expected two positive extents of 'strides', but got array<i64: 2, 0>}}
  %t = accelerator.pool max %a to %b image [4, 4] window [2, 2] strides [2, 0] : memref<16x3xi8> to memref<5x3xi8>
  return
}

// -----

func.func @f(%a: memref<4x4xi32>, %b: memref<4x4xi8>) {
  // expected-error @below {{'accelerator.requantize' op expected one of 'scale', 'fixed' and 'scales'}}
  %t = accelerator.requantize %a to %b zero_point 0 : memref<4x4xi32> to memref<4x4xi8>
  return
}

// -----

func.func @f(%a: memref<4x4xi32>, %b: memref<4x4xi8>) {
  // expected-error @below {{'accelerator.requantize' op expected 'fixed' to be multiplier and shift}}
  %t = accelerator.requantize %a to %b zero_point 0 fixed [1] : memref<4x4xi32> to memref<4x4xi8>
  return
}

// -----

func.func @f(%a: memref<4x4xi32>, %b: memref<4x4xi8>, %s: memref<4x1xi32>) {
  // expected-error @below {{'accelerator.requantize' op expected scales of 4 rows and 2 columns, but got 'memref<4x1xi32>'}}
  %t = accelerator.requantize %a to %b zero_point 0 scales %s : memref<4x1xi32> : memref<4x4xi32> to memref<4x4xi8>
  return
}

// -----

func.func @f() {
  // expected-error @below {{'accelerator.barrier' op expects parent op 'accelerator.launch'}}
  accelerator.barrier
  return
}

// -----

func.func @f() {
  // expected-error @below {{'accelerator.launch' op has a wrong description of a machine: field 'clock-mhz': expected an integer from 1 to 100000, but got 0}}
  accelerator.launch #accelerator.target<{name = "m", "clock-mhz" = 0, memory = [{name = "d", kind = "dram", size = 64, bandwidth = 1}], vector = {lanes = 1, types = [], ops = [], memories = []}, dma = {bandwidth = 1}}>() : () -> () {
  }
  return
}

// -----

#target = #accelerator.target<{
  name = "small", "clock-mhz" = 100,
  memory = [{name = "dram", kind = "dram", size = "1 MiB", bandwidth = 8},
            {name = "sp", kind = "scratchpad", size = "4 KiB", bandwidth = 16, alignment = 16},
            {name = "acc", kind = "accumulator", size = "1 KiB", bandwidth = 64}],
  matrix = {rows = 4, columns = 4, dataflow = "weight-stationary", types = ["i8*i8->i32"],
            lhs = "sp", rhs = "sp", accumulator = "acc"},
  vector = {lanes = 4, types = ["i8", "i32"], ops = ["add"], memories = ["acc"]},
  dma = {bandwidth = 8}}>
#dram = #accelerator.memory<"dram">
#sp = #accelerator.memory<"sp">
#acc = #accelerator.memory<"acc">
func.func @f(%x: tensor<4x4xi8>) -> tensor<4x4xi8> {
  // expected-error @below {{'accelerator.launch' op expected 2 arguments, for inputs and outputs, but got 1}}
  %y = accelerator.launch #target(%x) : (tensor<4x4xi8>) -> tensor<4x4xi8> {
  ^bb0(%in: memref<4x4xi8, #dram>):
  }
  return %y : tensor<4x4xi8>
}

// -----

#target = #accelerator.target<{
  name = "small", "clock-mhz" = 100,
  memory = [{name = "dram", kind = "dram", size = "1 MiB", bandwidth = 8},
            {name = "sp", kind = "scratchpad", size = "4 KiB", bandwidth = 16, alignment = 16},
            {name = "acc", kind = "accumulator", size = "1 KiB", bandwidth = 64}],
  matrix = {rows = 4, columns = 4, dataflow = "weight-stationary", types = ["i8*i8->i32"],
            lhs = "sp", rhs = "sp", accumulator = "acc"},
  vector = {lanes = 4, types = ["i8", "i32"], ops = ["add"], memories = ["acc"]},
  dma = {bandwidth = 8}}>
#dram = #accelerator.memory<"dram">
#sp = #accelerator.memory<"sp">
#acc = #accelerator.memory<"acc">
func.func @f(%x: tensor<4x4xi8>) -> tensor<4x4xi8> {
  // expected-error @below {{'accelerator.launch' op expected argument 1 to be a buffer in 'dram' for 'tensor<4x4xi8>', but got 'memref<4x4xi8, #accelerator.memory<"sp">>'}}
  %y = accelerator.launch #target(%x) : (tensor<4x4xi8>) -> tensor<4x4xi8> {
  ^bb0(%in: memref<4x4xi8, #dram>, %out: memref<4x4xi8, #sp>):
  }
  return %y : tensor<4x4xi8>
}

// -----

#target = #accelerator.target<{
  name = "small", "clock-mhz" = 100,
  memory = [{name = "dram", kind = "dram", size = "1 MiB", bandwidth = 8},
            {name = "sp", kind = "scratchpad", size = "4 KiB", bandwidth = 16, alignment = 16},
            {name = "acc", kind = "accumulator", size = "1 KiB", bandwidth = 64}],
  matrix = {rows = 4, columns = 4, dataflow = "weight-stationary", types = ["i8*i8->i32"],
            lhs = "sp", rhs = "sp", accumulator = "acc"},
  vector = {lanes = 4, types = ["i8", "i32"], ops = ["add"], memories = ["acc"]},
  dma = {bandwidth = 8}}>
#dram = #accelerator.memory<"dram">
#sp = #accelerator.memory<"sp">
#acc = #accelerator.memory<"acc">
func.func @f(%x: tensor<4x4xi8>) -> tensor<4x4xi8> {
  %y = accelerator.launch #target(%x) : (tensor<4x4xi8>) -> tensor<4x4xi8> {
  ^bb0(%in: memref<4x4xi8, #dram>, %out: memref<4x4xi8, #dram>):
    // expected-error @below {{'accelerator.core' op expected one of the 1 cores of 'small', but got 1}}
    accelerator.core 1 {
    }
  }
  return %y : tensor<4x4xi8>
}

// -----

#target = #accelerator.target<{
  name = "small", "clock-mhz" = 100,
  memory = [{name = "dram", kind = "dram", size = "1 MiB", bandwidth = 8},
            {name = "sp", kind = "scratchpad", size = "4 KiB", bandwidth = 16, alignment = 16},
            {name = "acc", kind = "accumulator", size = "1 KiB", bandwidth = 64}],
  matrix = {rows = 4, columns = 4, dataflow = "weight-stationary", types = ["i8*i8->i32"],
            lhs = "sp", rhs = "sp", accumulator = "acc"},
  vector = {lanes = 4, types = ["i8", "i32"], ops = ["add"], memories = ["acc"]},
  dma = {bandwidth = 8}}>
#dram = #accelerator.memory<"dram">
#sp = #accelerator.memory<"sp">
#acc = #accelerator.memory<"acc">
func.func @f(%x: tensor<4x4xi8>) -> tensor<4x4xi8> {
  %y = accelerator.launch #target(%x) : (tensor<4x4xi8>) -> tensor<4x4xi8> {
  ^bb0(%in: memref<4x4xi8, #dram>, %out: memref<4x4xi8, #dram>):
    accelerator.core 0 {
      // expected-error @below {{'accelerator.alloc' op machine 'small' has no memory 'lost'}}
      %a = accelerator.alloc at 0 : memref<4x4xi8, #accelerator.memory<"lost">>
    }
  }
  return %y : tensor<4x4xi8>
}

// -----

#target = #accelerator.target<{
  name = "small", "clock-mhz" = 100,
  memory = [{name = "dram", kind = "dram", size = "1 MiB", bandwidth = 8},
            {name = "sp", kind = "scratchpad", size = "4 KiB", bandwidth = 16, alignment = 16},
            {name = "acc", kind = "accumulator", size = "1 KiB", bandwidth = 64}],
  matrix = {rows = 4, columns = 4, dataflow = "weight-stationary", types = ["i8*i8->i32"],
            lhs = "sp", rhs = "sp", accumulator = "acc"},
  vector = {lanes = 4, types = ["i8", "i32"], ops = ["add"], memories = ["acc"]},
  dma = {bandwidth = 8}}>
#dram = #accelerator.memory<"dram">
#sp = #accelerator.memory<"sp">
#acc = #accelerator.memory<"acc">
func.func @f(%x: tensor<4x4xi8>) -> tensor<4x4xi8> {
  %y = accelerator.launch #target(%x) : (tensor<4x4xi8>) -> tensor<4x4xi8> {
  ^bb0(%in: memref<4x4xi8, #dram>, %out: memref<4x4xi8, #dram>):
    accelerator.core 0 {
      // expected-error @below {{'accelerator.alloc' op expected a buffer in a memory of the machine, but got 'memref<4x4xi8>'}}
      %a = accelerator.alloc at 0 : memref<4x4xi8>
    }
  }
  return %y : tensor<4x4xi8>
}

// -----

#target = #accelerator.target<{
  name = "small", "clock-mhz" = 100,
  memory = [{name = "dram", kind = "dram", size = "1 MiB", bandwidth = 8},
            {name = "sp", kind = "scratchpad", size = "4 KiB", bandwidth = 16, alignment = 16},
            {name = "acc", kind = "accumulator", size = "1 KiB", bandwidth = 64}],
  matrix = {rows = 4, columns = 4, dataflow = "weight-stationary", types = ["i8*i8->i32"],
            lhs = "sp", rhs = "sp", accumulator = "acc"},
  vector = {lanes = 4, types = ["i8", "i32"], ops = ["add"], memories = ["acc"]},
  dma = {bandwidth = 8}}>
#dram = #accelerator.memory<"dram">
#sp = #accelerator.memory<"sp">
#acc = #accelerator.memory<"acc">
func.func @f(%x: tensor<4x4xi8>) -> tensor<4x4xi8> {
  %y = accelerator.launch #target(%x) : (tensor<4x4xi8>) -> tensor<4x4xi8> {
  ^bb0(%in: memref<4x4xi8, #dram>, %out: memref<4x4xi8, #dram>):
    accelerator.core 0 {
      // expected-error @below {{'accelerator.alloc' op does not fit 'sp', which has 4096 bytes}}
      %a = accelerator.alloc at 4096 : memref<4x4xi8, #sp>
    }
  }
  return %y : tensor<4x4xi8>
}

// -----

#target = #accelerator.target<{
  name = "small", "clock-mhz" = 100,
  memory = [{name = "dram", kind = "dram", size = "1 MiB", bandwidth = 8},
            {name = "sp", kind = "scratchpad", size = "4 KiB", bandwidth = 16, alignment = 16},
            {name = "acc", kind = "accumulator", size = "1 KiB", bandwidth = 64}],
  matrix = {rows = 4, columns = 4, dataflow = "weight-stationary", types = ["i8*i8->i32"],
            lhs = "sp", rhs = "sp", accumulator = "acc"},
  vector = {lanes = 4, types = ["i8", "i32"], ops = ["add"], memories = ["acc"]},
  dma = {bandwidth = 8}}>
#dram = #accelerator.memory<"dram">
#sp = #accelerator.memory<"sp">
#acc = #accelerator.memory<"acc">
func.func @f(%x: tensor<4x4xi8>) -> tensor<4x4xi8> {
  %y = accelerator.launch #target(%x) : (tensor<4x4xi8>) -> tensor<4x4xi8> {
  ^bb0(%in: memref<4x4xi8, #dram>, %out: memref<4x4xi8, #dram>):
    accelerator.core 0 {
      // expected-error @below {{'accelerator.alloc' op expected an address in 'sp' that is a multiple of 16}}
      %a = accelerator.alloc at 8 : memref<4x4xi8, #sp>
    }
  }
  return %y : tensor<4x4xi8>
}

// -----

#target = #accelerator.target<{
  name = "small", "clock-mhz" = 100,
  memory = [{name = "dram", kind = "dram", size = "1 MiB", bandwidth = 8},
            {name = "sp", kind = "scratchpad", size = "4 KiB", bandwidth = 16, alignment = 16},
            {name = "acc", kind = "accumulator", size = "1 KiB", bandwidth = 64}],
  matrix = {rows = 4, columns = 4, dataflow = "weight-stationary", types = ["i8*i8->i32"],
            lhs = "sp", rhs = "sp", accumulator = "acc"},
  vector = {lanes = 4, types = ["i8", "i32"], ops = ["add"], memories = ["acc"]},
  dma = {bandwidth = 8}}>
#dram = #accelerator.memory<"dram">
#sp = #accelerator.memory<"sp">
#acc = #accelerator.memory<"acc">
func.func @f(%x: tensor<4x4xi8>) -> tensor<4x4xi8> {
  %y = accelerator.launch #target(%x) : (tensor<4x4xi8>) -> tensor<4x4xi8> {
  ^bb0(%in: memref<4x4xi8, #dram>, %out: memref<4x4xi8, #dram>):
    accelerator.core 0 {
      // expected-error @below {{'accelerator.alloc' op unsupported: elements of type 'i64'}}
      %a = accelerator.alloc at 0 : memref<4x4xi64, #sp>
    }
  }
  return %y : tensor<4x4xi8>
}

// -----

#target = #accelerator.target<{
  name = "small", "clock-mhz" = 100,
  memory = [{name = "dram", kind = "dram", size = "1 MiB", bandwidth = 8},
            {name = "sp", kind = "scratchpad", size = "4 KiB", bandwidth = 16, alignment = 16},
            {name = "acc", kind = "accumulator", size = "1 KiB", bandwidth = 64}],
  matrix = {rows = 4, columns = 4, dataflow = "weight-stationary", types = ["i8*i8->i32"],
            lhs = "sp", rhs = "sp", accumulator = "acc"},
  vector = {lanes = 4, types = ["i8", "i32"], ops = ["add"], memories = ["acc"]},
  dma = {bandwidth = 8}}>
#dram = #accelerator.memory<"dram">
#sp = #accelerator.memory<"sp">
#acc = #accelerator.memory<"acc">
func.func @f(%x: tensor<4x4xi8>) -> tensor<4x4xi8> {
  %y = accelerator.launch #target(%x) : (tensor<4x4xi8>) -> tensor<4x4xi8> {
  ^bb0(%in: memref<4x4xi8, #dram>, %out: memref<4x4xi8, #dram>):
    accelerator.core 0 {
      %a = accelerator.alloc at 0 : memref<4x4xi8, #sp>
      %w = accelerator.alloc at 64 : memref<4x5xi8, #sp>
      %s = accelerator.alloc at 0 : memref<4x4xi32, #acc>
      %l = accelerator.alloc at 128 : memref<4x5xi32, #acc>
      // expected-error @below {{'accelerator.matmul_tile' op expected the sums in 'acc', but got 'sp'}}
      %t = accelerator.matmul_tile %a, %a to %a : memref<4x4xi8, #sp>, memref<4x4xi8, #sp> to memref<4x4xi8, #sp>
    }
  }
  return %y : tensor<4x4xi8>
}

// -----

#target = #accelerator.target<{
  name = "small", "clock-mhz" = 100,
  memory = [{name = "dram", kind = "dram", size = "1 MiB", bandwidth = 8},
            {name = "sp", kind = "scratchpad", size = "4 KiB", bandwidth = 16, alignment = 16},
            {name = "acc", kind = "accumulator", size = "1 KiB", bandwidth = 64}],
  matrix = {rows = 4, columns = 4, dataflow = "weight-stationary", types = ["i8*i8->i32"],
            lhs = "sp", rhs = "sp", accumulator = "acc"},
  vector = {lanes = 4, types = ["i8", "i32"], ops = ["add"], memories = ["acc"]},
  dma = {bandwidth = 8}}>
#dram = #accelerator.memory<"dram">
#sp = #accelerator.memory<"sp">
#acc = #accelerator.memory<"acc">
func.func @f(%x: tensor<4x4xi8>) -> tensor<4x4xi8> {
  %y = accelerator.launch #target(%x) : (tensor<4x4xi8>) -> tensor<4x4xi8> {
  ^bb0(%in: memref<4x4xi8, #dram>, %out: memref<4x4xi8, #dram>):
    accelerator.core 0 {
      %a = accelerator.alloc at 0 : memref<4x4xi8, #sp>
      %w = accelerator.alloc at 64 : memref<4x5xi8, #sp>
      %s = accelerator.alloc at 0 : memref<4x4xi32, #acc>
      %l = accelerator.alloc at 128 : memref<4x5xi32, #acc>
      // expected-error @below {{'accelerator.matmul_tile' op expected n to be at most 4, but got 5}}
      %t = accelerator.matmul_tile %a, %w to %l : memref<4x4xi8, #sp>, memref<4x5xi8, #sp> to memref<4x5xi32, #acc>
    }
  }
  return %y : tensor<4x4xi8>
}

// -----

#target = #accelerator.target<{
  name = "small", "clock-mhz" = 100,
  memory = [{name = "dram", kind = "dram", size = "1 MiB", bandwidth = 8},
            {name = "sp", kind = "scratchpad", size = "4 KiB", bandwidth = 16, alignment = 16},
            {name = "acc", kind = "accumulator", size = "1 KiB", bandwidth = 64}],
  matrix = {rows = 4, columns = 4, dataflow = "weight-stationary", types = ["i8*i8->i32"],
            lhs = "sp", rhs = "sp", accumulator = "acc"},
  vector = {lanes = 4, types = ["i8", "i32"], ops = ["add"], memories = ["acc"]},
  dma = {bandwidth = 8}}>
#dram = #accelerator.memory<"dram">
#sp = #accelerator.memory<"sp">
#acc = #accelerator.memory<"acc">
func.func @f(%x: tensor<4x4xi8>) -> tensor<4x4xi8> {
  %y = accelerator.launch #target(%x) : (tensor<4x4xi8>) -> tensor<4x4xi8> {
  ^bb0(%in: memref<4x4xi8, #dram>, %out: memref<4x4xi8, #dram>):
    accelerator.core 0 {
      %a = accelerator.alloc at 0 : memref<4x4xi8, #sp>
      %w = accelerator.alloc at 64 : memref<4x5xi8, #sp>
      %s = accelerator.alloc at 0 : memref<4x4xi32, #acc>
      %l = accelerator.alloc at 128 : memref<4x5xi32, #acc>
      %f = accelerator.alloc at 512 : memref<4x4xf32, #acc>
      // expected-error @below {{'accelerator.matmul_tile' op machine 'small' has no products i8*i8->f32}}
      %t = accelerator.matmul_tile %a, %a to %f : memref<4x4xi8, #sp>, memref<4x4xi8, #sp> to memref<4x4xf32, #acc>
    }
  }
  return %y : tensor<4x4xi8>
}

// -----

#target = #accelerator.target<{
  name = "small", "clock-mhz" = 100,
  memory = [{name = "dram", kind = "dram", size = "1 MiB", bandwidth = 8},
            {name = "sp", kind = "scratchpad", size = "4 KiB", bandwidth = 16, alignment = 16},
            {name = "acc", kind = "accumulator", size = "1 KiB", bandwidth = 64}],
  matrix = {rows = 4, columns = 4, dataflow = "weight-stationary", types = ["i8*i8->i32"],
            lhs = "sp", rhs = "sp", accumulator = "acc"},
  vector = {lanes = 4, types = ["i8", "i32"], ops = ["add"], memories = ["acc"]},
  dma = {bandwidth = 8}}>
#dram = #accelerator.memory<"dram">
#sp = #accelerator.memory<"sp">
#acc = #accelerator.memory<"acc">
func.func @f(%x: tensor<4x4xi8>) -> tensor<4x4xi8> {
  %y = accelerator.launch #target(%x) : (tensor<4x4xi8>) -> tensor<4x4xi8> {
  ^bb0(%in: memref<4x4xi8, #dram>, %out: memref<4x4xi8, #dram>):
    accelerator.core 0 {
      %a = accelerator.alloc at 0 : memref<4x4xi8, #sp>
      %w = accelerator.alloc at 64 : memref<4x5xi8, #sp>
      %s = accelerator.alloc at 0 : memref<4x4xi32, #acc>
      %l = accelerator.alloc at 128 : memref<4x5xi32, #acc>
      // expected-error @below {{'accelerator.unary' op machine 'small' has no vector function 'relu'}}
      %t = accelerator.unary relu %s to %s : memref<4x4xi32, #acc> to memref<4x4xi32, #acc>
    }
  }
  return %y : tensor<4x4xi8>
}

// -----

#target = #accelerator.target<{
  name = "small", "clock-mhz" = 100,
  memory = [{name = "dram", kind = "dram", size = "1 MiB", bandwidth = 8},
            {name = "sp", kind = "scratchpad", size = "4 KiB", bandwidth = 16, alignment = 16},
            {name = "acc", kind = "accumulator", size = "1 KiB", bandwidth = 64}],
  matrix = {rows = 4, columns = 4, dataflow = "weight-stationary", types = ["i8*i8->i32"],
            lhs = "sp", rhs = "sp", accumulator = "acc"},
  vector = {lanes = 4, types = ["i8", "i32"], ops = ["add"], memories = ["acc"]},
  dma = {bandwidth = 8}}>
#dram = #accelerator.memory<"dram">
#sp = #accelerator.memory<"sp">
#acc = #accelerator.memory<"acc">
func.func @f(%x: tensor<4x4xi8>) -> tensor<4x4xi8> {
  %y = accelerator.launch #target(%x) : (tensor<4x4xi8>) -> tensor<4x4xi8> {
  ^bb0(%in: memref<4x4xi8, #dram>, %out: memref<4x4xi8, #dram>):
    accelerator.core 0 {
      %a = accelerator.alloc at 0 : memref<4x4xi8, #sp>
      %w = accelerator.alloc at 64 : memref<4x5xi8, #sp>
      %s = accelerator.alloc at 0 : memref<4x4xi32, #acc>
      %l = accelerator.alloc at 128 : memref<4x5xi32, #acc>
      // expected-error @below {{'accelerator.binary' op the vector unit of 'small' does not reach 'sp'}}
      %t = accelerator.binary add %a, %a to %a : memref<4x4xi8, #sp>, memref<4x4xi8, #sp> to memref<4x4xi8, #sp>
    }
  }
  return %y : tensor<4x4xi8>
}

// -----

#target = #accelerator.target<{
  name = "small", "clock-mhz" = 100,
  memory = [{name = "dram", kind = "dram", size = "1 MiB", bandwidth = 8},
            {name = "sp", kind = "scratchpad", size = "4 KiB", bandwidth = 16, alignment = 16},
            {name = "acc", kind = "accumulator", size = "1 KiB", bandwidth = 64}],
  matrix = {rows = 4, columns = 4, dataflow = "weight-stationary", types = ["i8*i8->i32"],
            lhs = "sp", rhs = "sp", accumulator = "acc"},
  vector = {lanes = 4, types = ["i8", "i32"], ops = ["add"], memories = ["acc"]},
  dma = {bandwidth = 8}}>
#dram = #accelerator.memory<"dram">
#sp = #accelerator.memory<"sp">
#acc = #accelerator.memory<"acc">
func.func @f(%x: tensor<4x4xi8>) -> tensor<4x4xi8> {
  %y = accelerator.launch #target(%x) : (tensor<4x4xi8>) -> tensor<4x4xi8> {
  ^bb0(%in: memref<4x4xi8, #dram>, %out: memref<4x4xi8, #dram>):
    accelerator.core 0 {
      %a = accelerator.alloc at 0 : memref<4x4xi8, #sp>
      %w = accelerator.alloc at 64 : memref<4x5xi8, #sp>
      %s = accelerator.alloc at 0 : memref<4x4xi32, #acc>
      %l = accelerator.alloc at 128 : memref<4x5xi32, #acc>
      %f = accelerator.alloc at 512 : memref<4x4xf32, #acc>
      // expected-error @below {{'accelerator.binary' op machine 'small' has no vectors of f32}}
      %t = accelerator.binary add %f, %f to %f : memref<4x4xf32, #acc>, memref<4x4xf32, #acc> to memref<4x4xf32, #acc>
    }
  }
  return %y : tensor<4x4xi8>
}

// -----

#target = #accelerator.target<{
  name = "small", "clock-mhz" = 100,
  memory = [{name = "dram", kind = "dram", size = "1 MiB", bandwidth = 8},
            {name = "sp", kind = "scratchpad", size = "4 KiB", bandwidth = 16, alignment = 16},
            {name = "acc", kind = "accumulator", size = "1 KiB", bandwidth = 64}],
  matrix = {rows = 4, columns = 4, dataflow = "weight-stationary", types = ["i8*i8->i32"],
            lhs = "sp", rhs = "sp", accumulator = "acc"},
  vector = {lanes = 4, types = ["i8", "i32"], ops = ["add"], memories = ["acc"]},
  dma = {bandwidth = 8}}>
#dram = #accelerator.memory<"dram">
#sp = #accelerator.memory<"sp">
#acc = #accelerator.memory<"acc">
func.func @f(%x: tensor<4x4xi8>) -> tensor<4x4xi8> {
  %y = accelerator.launch #target(%x) : (tensor<4x4xi8>) -> tensor<4x4xi8> {
  ^bb0(%in: memref<4x4xi8, #dram>, %out: memref<4x4xi8, #dram>):
    accelerator.core 0 {
      %a = accelerator.alloc at 0 : memref<4x4xi8, #sp>
      %w = accelerator.alloc at 64 : memref<4x5xi8, #sp>
      %s = accelerator.alloc at 0 : memref<4x4xi32, #acc>
      %l = accelerator.alloc at 128 : memref<4x5xi32, #acc>
      // expected-note @below {{the transfer}}
      %there = accelerator.dma_start %in to %a : memref<4x4xi8, #dram> to memref<4x4xi8, #sp>
      // Nobody has to be waited for to be ready.
      %ready = accelerator.ready
      accelerator.wait %ready
      // expected-error @below {{'accelerator.matmul_tile' op uses what a transfer brings before its token is waited for}}
      %t = accelerator.matmul_tile %a, %a to %s : memref<4x4xi8, #sp>, memref<4x4xi8, #sp> to memref<4x4xi32, #acc>
    }
  }
  return %y : tensor<4x4xi8>
}

// -----

func.func @no_machine(%x: tensor<4x4xi8>) -> tensor<4x4xi8> {
  // expected-error @below {{'accelerator.launch' op requires attribute 'target'}}
  %y = "accelerator.launch"(%x) ({
  ^bb0(%in: memref<4x4xi8>, %out: memref<4x4xi8>):
  }) : (tensor<4x4xi8>) -> tensor<4x4xi8>
  return %y : tensor<4x4xi8>
}

// -----

#small = #accelerator.target<{
  name = "small", "clock-mhz" = 100,
  memory = [{name = "dram", kind = "dram", size = "1 MiB", bandwidth = 8},
            {name = "sp", kind = "scratchpad", size = "4 KiB", bandwidth = 16, alignment = 16},
            {name = "acc", kind = "accumulator", size = "1 KiB", bandwidth = 64}],
  matrix = {rows = 4, columns = 4, dataflow = "weight-stationary", types = ["i8*i8->i32"],
            lhs = "sp", rhs = "sp", accumulator = "acc"},
  vector = {lanes = 4, types = ["i8", "i32"], ops = ["add"], memories = ["acc"]},
  dma = {bandwidth = 8}}>
func.func @what_is_inside_comes_first(%x: tensor<4x4xi8>) -> tensor<4x4xi8> {
  %y = accelerator.launch #small(%x) : (tensor<4x4xi8>) -> tensor<4x4xi8> {
  ^bb0(%in: memref<4x4xi8, #accelerator.memory<"dram">>, %out: memref<4x4xi8, #accelerator.memory<"dram">>):
    // expected-error @below {{'accelerator.core' op requires attribute 'id'}}
    "accelerator.core"() ({
    }) : () -> ()
  }
  return %y : tensor<4x4xi8>
}
