// RUN: dl-opt %s --one-shot-bufferize=allow-unknown-ops | FileCheck %s

// Constants become globals of the symbol table around them, also in functions that are none of `func`.
// CHECK:       memref.global "private" constant @[[G:.*]] : memref<14xf32> = dense<-1.000000e+00>
// CHECK-LABEL: pdl_interp.func @rewriter
//  CHECK-NEXT:   memref.get_global @[[G]] : memref<14xf32>
pdl_interp.func @rewriter(%op: !pdl.operation) {
  %0 = arith.constant dense<-1.0> : tensor<14xf32>
  %1 = math.cos %0 : tensor<14xf32>
  pdl_interp.finalize
}
