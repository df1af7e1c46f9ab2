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

// A value that comes from itself, an iteration earlier. mlir-opt does not end here.
// CHECK-LABEL: func.func @slice_of_itself
//       CHECK:   %[[M:.*]] = bufferization.to_buffer
//       CHECK:   cf.br ^[[B:.*]](%[[M]] :
//       CHECK:   ^[[B]](%[[A:.*]]: memref<4xf32, strided<[?], offset: ?>>):
//       CHECK:     %[[S:.*]] = memref.subview %[[A]][0] [4] [1]
//       CHECK:     cf.cond_br %{{.*}}, ^[[B]](%[[S]] :
//       CHECK:     scf.yield %[[S]]
func.func @slice_of_itself(%t: tensor<4xf32>, %c: i1) {
  %r = scf.execute_region -> tensor<4xf32> {
    cf.br ^bb1(%t : tensor<4xf32>)
  ^bb1(%a: tensor<4xf32>):
    %s = tensor.extract_slice %a[0] [4] [1] : tensor<4xf32> to tensor<4xf32>
    cf.cond_br %c, ^bb1(%s : tensor<4xf32>), ^bb2
  ^bb2:
    scf.yield %s : tensor<4xf32>
  }
  return
}
