// A launch is executed instruction by instruction, also in the interpreter.

// RUN: dl-run %s --entry=product --interpret --input=[[1,2,3,4,5,6,7,8],[8,7,6,5,4,3,2,1]]:i8 | FileCheck %s
// CHECK:      6{{[[:space:]]+}}8{{[[:space:]]+}}10{{[[:space:]]+}}12
// CHECK-NEXT: 12{{[[:space:]]+}}10{{[[:space:]]+}}8{{[[:space:]]+}}6

// What the machine traps is undefined behaviour, at the operation that does it.
// RUN: not dl-run %s --entry=race --interpret --input=[[1,2,3,4]]:i8 2>&1 | FileCheck %s --check-prefix=RACE
// RACE: accelerator.mlir:[[@LINE+54]]:{{[0-9]+}}: error: undefined behaviour: {{.*}}race: writes sp+0
// RACE: note: in this launch

// RUN: not dl-run %s --entry=unwritten --interpret --input=[[1,2,3,4]]:i8 2>&1 | FileCheck %s --check-prefix=UNWRITTEN
// UNWRITTEN: error: undefined behaviour: output 'out0': the program has not written byte 0

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

// Two steps of four terms each; what the second one adds up, the first one has begun.
func.func @product(%a: tensor<2x8xi8>) -> tensor<2x4xi32> {
  %w = arith.constant dense<[[1, 0, 0, 0], [0, 1, 0, 0], [0, 0, 1, 0], [0, 0, 0, 1], [1, 0, 0, 0], [0, 1, 0, 0], [0, 0, 1, 0], [0, 0, 0, 1]]> : tensor<8x4xi8>
  %c = accelerator.launch #target(%a, %w) : (tensor<2x8xi8>, tensor<8x4xi8>) -> tensor<2x4xi32> {
  ^bb0(%ad: memref<2x8xi8, #dram>, %wd: memref<8x4xi8, #dram>, %cd: memref<2x4xi32, #dram>):
    accelerator.core 0 {
      %c0 = arith.constant 0 : index
      %c4 = arith.constant 4 : index
      %c8 = arith.constant 8 : index
      %ready = accelerator.ready
      %sums = accelerator.alloc at 0 : memref<2x4xi32, #acc>
      %left = accelerator.alloc at 0 : memref<2x4xi8, #sp>
      %right = accelerator.alloc at 16 : memref<4x4xi8, #sp>
      %done = scf.for %k = %c0 to %c8 step %c4 iter_args(%free = %ready) -> (!accelerator.token) {
        %ak = memref.subview %ad[0, %k] [2, 4] [1, 1] : memref<2x8xi8, #dram> to memref<2x4xi8, strided<[8, 1], offset: ?>, #dram>
        %wk = memref.subview %wd[%k, 0] [4, 4] [1, 1] : memref<8x4xi8, #dram> to memref<4x4xi8, strided<[4, 1], offset: ?>, #dram>
        %t0 = accelerator.dma_start %ak to %left after %free : memref<2x4xi8, strided<[8, 1], offset: ?>, #dram> to memref<2x4xi8, #sp>
        %t1 = accelerator.dma_start %wk to %right after %free : memref<4x4xi8, strided<[4, 1], offset: ?>, #dram> to memref<4x4xi8, #sp>
        %more = arith.cmpi ne, %k, %c0 : index
        %t2 = accelerator.matmul_tile %left, %right to %sums accumulate %more after %t0, %t1 : memref<2x4xi8, #sp>, memref<4x4xi8, #sp> to memref<2x4xi32, #acc>
        scf.yield %t2 : !accelerator.token
      }
      %stored = accelerator.dma_start %sums to %cd after %done : memref<2x4xi32, #acc> to memref<2x4xi32, #dram>
    }
  }
  return %c : tensor<2x4xi32>
}

func.func @race(%x: tensor<1x4xi8>) -> tensor<1x4xi8> {
  %y = accelerator.launch #target(%x) : (tensor<1x4xi8>) -> tensor<1x4xi8> {
  ^bb0(%in: memref<1x4xi8, #dram>, %out: memref<1x4xi8, #dram>):
    accelerator.core 0 {
      %a = accelerator.alloc at 0 : memref<1x4xi8, #sp>
      %t0 = accelerator.dma_start %in to %a : memref<1x4xi8, #dram> to memref<1x4xi8, #sp>
      %t1 = accelerator.dma_start %a to %out after %t0 : memref<1x4xi8, #sp> to memref<1x4xi8, #dram>
      %t2 = accelerator.dma_start %in to %a : memref<1x4xi8, #dram> to memref<1x4xi8, #sp>
    }
  }
  return %y : tensor<1x4xi8>
}

func.func @unwritten(%x: tensor<1x4xi8>) -> tensor<1x4xi8> {
  %y = accelerator.launch #target(%x) : (tensor<1x4xi8>) -> tensor<1x4xi8> {
  ^bb0(%in: memref<1x4xi8, #dram>, %out: memref<1x4xi8, #dram>):
  }
  return %y : tensor<1x4xi8>
}
