// RUN: dl-opt %s --canonicalize | FileCheck %s

#dram = #accelerator.memory<"dram">
#sp = #accelerator.memory<"sp">

// A token that is signalled already is not waited for, others once.
// CHECK-LABEL: func.func @redundant_tokens
// CHECK-SAME:    %[[T:[a-z0-9]+]]: !accelerator.token)
func.func @redundant_tokens(%a: memref<4x4xi32, #sp>, %t: !accelerator.token) {
  // CHECK-NOT: accelerator.ready
  // CHECK: accelerator.unary{{[[:space:]]+}}relu %{{.*}} to %{{.*}} after %[[T]] :
  %none = accelerator.ready
  %u = accelerator.unary relu %a to %a after %t, %none, %t : memref<4x4xi32, #sp> to memref<4x4xi32, #sp>
  return
}

// CHECK-LABEL: func.func @waits
// CHECK-SAME:    %[[A:[a-z0-9]+]]: !accelerator.token, %[[B:[a-z0-9]+]]: !accelerator.token)
func.func @waits(%a: !accelerator.token, %b: !accelerator.token) {
  // CHECK-NEXT: accelerator.wait %[[A]], %[[B]]
  // CHECK-NEXT: return
  %none = accelerator.ready
  accelerator.wait %a
  accelerator.wait %b, %a
  accelerator.wait %none
  return
}

// What is there already is not moved again.
// CHECK-LABEL: func.func @repeated_transfer
func.func @repeated_transfer(%x: memref<4x4xi8, #dram>, %a: memref<4x4xi8, #sp>, %b: memref<4x4xi8, #sp>) {
  // CHECK-NEXT: %[[T:[a-z0-9]+]] = accelerator.dma_start
  // CHECK-NEXT: accelerator.unary{{[[:space:]]+}}copy %{{.*}} to %{{.*}} after %[[T]] :
  // CHECK-NEXT: accelerator.wait %[[T]]
  // CHECK-NEXT: return
  %t = accelerator.dma_start %x to %a : memref<4x4xi8, #dram> to memref<4x4xi8, #sp>
  %u = accelerator.unary copy %a to %b after %t : memref<4x4xi8, #sp> to memref<4x4xi8, #sp>
  %v = accelerator.dma_start %x to %a : memref<4x4xi8, #dram> to memref<4x4xi8, #sp>
  accelerator.wait %v
  return
}

// Something was written there in between.
// CHECK-LABEL: func.func @overwritten
func.func @overwritten(%x: memref<4x4xi8, #dram>, %a: memref<4x4xi8, #sp>) {
  // CHECK-COUNT-2: accelerator.dma_start
  %t = accelerator.dma_start %x to %a : memref<4x4xi8, #dram> to memref<4x4xi8, #sp>
  %u = accelerator.unary relu %a to %a after %t : memref<4x4xi8, #sp> to memref<4x4xi8, #sp>
  %v = accelerator.dma_start %x to %a after %u : memref<4x4xi8, #dram> to memref<4x4xi8, #sp>
  accelerator.wait %v
  return
}

// The same bytes with other padding are another transfer.
// CHECK-LABEL: func.func @other_padding
func.func @other_padding(%x: memref<4x4xi8, #dram>, %a: memref<6x4xi8, #sp>) {
  // CHECK-COUNT-2: accelerator.dma_start
  %t = accelerator.dma_start %x to %a pad [1, 0] [1, 0] with 0 : i8 : memref<4x4xi8, #dram> to memref<6x4xi8, #sp>
  %v = accelerator.dma_start %x to %a pad [2, 0] [0, 0] with 0 : i8 : memref<4x4xi8, #dram> to memref<6x4xi8, #sp>
  accelerator.wait %t, %v
  return
}

// It is waited for before it begins, and what comes after relies on that.
// CHECK-LABEL: func.func @waits_for_more
func.func @waits_for_more(%x: memref<4x4xi8, #dram>, %a: memref<4x4xi8, #sp>, %free: !accelerator.token) {
  // CHECK-COUNT-2: accelerator.dma_start
  %t = accelerator.dma_start %x to %a : memref<4x4xi8, #dram> to memref<4x4xi8, #sp>
  %v = accelerator.dma_start %x to %a after %free : memref<4x4xi8, #dram> to memref<4x4xi8, #sp>
  accelerator.wait %t, %v
  return
}
