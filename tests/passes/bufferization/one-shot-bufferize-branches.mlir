// RUN: dl-opt %s --one-shot-bufferize | FileCheck %s

// What a branch passes is made a buffer where it is defined, which may be outside of the region.
// CHECK-LABEL: func.func @passed_from_outside
//  CHECK-SAME:   (%[[T:.*]]: tensor<4xf32>)
//       CHECK:   %[[M:.*]] = bufferization.to_buffer %[[T]]
//       CHECK:   scf.execute_region -> memref<4xf32, strided<[?], offset: ?>>
//       CHECK:     cf.br ^[[B:.*]](%[[M]] : memref<4xf32, strided<[?], offset: ?>>)
//       CHECK:   ^[[B]](%[[A:.*]]: memref<4xf32, strided<[?], offset: ?>>):
//       CHECK:     scf.yield %[[A]]
func.func @passed_from_outside(%t: tensor<4xf32>) {
  %r = scf.execute_region -> tensor<4xf32> {
    cf.br ^bb1(%t : tensor<4xf32>)
  ^bb1(%a: tensor<4xf32>):
    scf.yield %a : tensor<4xf32>
  }
  return
}
