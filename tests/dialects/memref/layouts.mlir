// RUN: %{round-trip}

// A dynamic stride or offset is a symbol of the layout, with an operand of its own.
// CHECK-LABEL: func.func @alloc_strided
func.func @alloc_strided(%n: index) {
  // CHECK: memref.alloc()[%{{.*}}, %{{.*}}] : memref<4x4xf32, strided<[?, 1], offset: ?>>
  %0 = memref.alloc()[%n, %n] : memref<4x4xf32, strided<[?, 1], offset: ?>>
  return
}

// An affine map is a strided layout as well.
// CHECK-LABEL: func.func @affine_layout
func.func @affine_layout(%m: memref<4xi16, affine_map<(d0)[s0] -> (d0 * 2 + s0)>>) {
  // CHECK: memref.extract_strided_metadata
  %base, %offset, %sizes, %strides = memref.extract_strided_metadata %m : memref<4xi16, affine_map<(d0)[s0] -> (d0 * 2 + s0)>> -> memref<i16>, index, index, index
  return
}

// One element has any number of dimensions.
// CHECK-LABEL: func.func @one_element
func.func @one_element(%m: memref<1x1xf32>, %s: memref<1x1xf32, strided<[2, 1], offset: 3>>) {
  // CHECK: memref.collapse_shape %{{.*}} [] : memref<1x1xf32> into memref<f32>
  %0 = memref.collapse_shape %m [] : memref<1x1xf32> into memref<f32>
  // CHECK: memref.expand_shape %{{.*}} [] output_shape [1, 1] : memref<f32> into memref<1x1xf32>
  %1 = memref.expand_shape %0 [] output_shape [1, 1] : memref<f32> into memref<1x1xf32>
  // CHECK: memref.collapse_shape
  %2 = memref.collapse_shape %s [] : memref<1x1xf32, strided<[2, 1], offset: 3>> into memref<f32, strided<[], offset: 3>>
  return
}

// The stride after merging is that of the last dimension that is not 1; where that may turn out to be 1, nobody knows.
// CHECK-LABEL: func.func @merged_strides
func.func @merged_strides(%a: memref<4x?x1xf32, strided<[?, 3, 7], offset: ?>>, %b: memref<4x2x1xf32, strided<[6, 3, 7]>>, %c: memref<?x?x?xf32>) {
  // CHECK: into memref<?xf32, strided<[?], offset: ?>>
  %0 = memref.collapse_shape %a [[0, 1, 2]] : memref<4x?x1xf32, strided<[?, 3, 7], offset: ?>> into memref<?xf32, strided<[?], offset: ?>>
  // CHECK: into memref<8xf32, strided<[3]>>
  %1 = memref.collapse_shape %b [[0, 1, 2]] : memref<4x2x1xf32, strided<[6, 3, 7]>> into memref<8xf32, strided<[3]>>
  // CHECK: into memref<?x?xf32>
  %2 = memref.collapse_shape %c [[0], [1, 2]] : memref<?x?x?xf32> into memref<?x?xf32>
  return
}
