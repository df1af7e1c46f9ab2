// RUN: %{round-trip}

// Every operation of `shape` in its pretty form, in both directions.

// CHECK-LABEL: func.func @sizes(%{{.*}}: index, %{{.*}}: !shape.size) {
// CHECK:       %{{.*}} = shape.const_size 5
// CHECK:       %{{.*}} = shape.add %{{.*}}, %{{.*}} : !shape.size, index -> !shape.size
// CHECK:       %{{.*}} = shape.mul %{{.*}}, %{{.*}} : index, index -> index
// CHECK:       %{{.*}} = shape.div %{{.*}}, %{{.*}} {test.a} : !shape.size, !shape.size -> !shape.size
// CHECK:       %{{.*}} = shape.max %{{.*}}, %{{.*}} : !shape.size, !shape.size -> !shape.size
// CHECK:       %{{.*}} = shape.index_to_size %{{.*}}
// CHECK:       %{{.*}} = shape.size_to_index %{{.*}} : !shape.size
// CHECK:       %{{.*}} = "shape.debug_print"(%{{.*}}) : (!shape.size) -> !shape.size
// CHECK:       return
func.func @sizes(%i: index, %s: !shape.size) {
  %c = shape.const_size 5
  %0 = shape.add %s, %i : !shape.size, index -> !shape.size
  %1 = shape.mul %i, %i : index, index -> index
  %2 = shape.div %0, %c {test.a} : !shape.size, !shape.size -> !shape.size
  %3 = shape.max %0, %2 : !shape.size, !shape.size -> !shape.size
  %4 = shape.index_to_size %i
  %5 = shape.size_to_index %3 : !shape.size
  %6 = "shape.debug_print"(%4) : (!shape.size) -> !shape.size
  return
}

// CHECK-LABEL: func.func @constants() {
// CHECK:       %{{.*}} = shape.const_shape [1, -2, 3] : !shape.shape
// CHECK:       %{{.*}} = shape.const_shape [] : tensor<0xindex>
// CHECK:       %{{.*}} = shape.const_shape  {test.a}[4] : tensor<1xindex>
// CHECK:       %{{.*}} = shape.const_witness true
// CHECK:       return
func.func @constants() {
  %0 = shape.const_shape [1, -2, 3] : !shape.shape
  %1 = shape.const_shape [] : tensor<0xindex>
  %2 = shape.const_shape {test.a} [4] : tensor<1xindex>
  %3 = shape.const_witness true
  return
}

// CHECK-LABEL: func.func @shapes(%{{.*}}: !shape.shape, %{{.*}}: tensor<?xindex>, %{{.*}}: index) {
// CHECK:       %{{.*}} = shape.broadcast %{{.*}}, %{{.*}} : !shape.shape, tensor<?xindex> -> !shape.shape
// CHECK:       %{{.*}} = shape.broadcast %{{.*}}, %{{.*}}, %{{.*}} {error = "unequal"} : !shape.shape, !shape.shape, !shape.shape -> !shape.shape
// CHECK:       %{{.*}} = shape.shape_eq %{{.*}}, %{{.*}} : !shape.shape, tensor<?xindex>
// CHECK:       %{{.*}} = shape.is_broadcastable %{{.*}}, %{{.*}} : !shape.shape, tensor<?xindex>
// CHECK:       %{{.*}} = shape.rank %{{.*}} : !shape.shape -> !shape.size
// CHECK:       %{{.*}} = shape.num_elements %{{.*}} : tensor<?xindex> -> index
// CHECK:       %{{.*}} = shape.get_extent %{{.*}}, %{{.*}} : tensor<?xindex>, index -> index
// CHECK:       %{{.*}} = shape.concat %{{.*}}, %{{.*}} : tensor<?xindex>, tensor<?xindex> -> tensor<?xindex>
// CHECK:       %{{.*}} = shape.any %{{.*}}, %{{.*}} : !shape.shape, tensor<?xindex> -> !shape.shape
// CHECK:       %{{.*}} = shape.meet %{{.*}}, %{{.*}}, error = "different" : !shape.shape, tensor<?xindex> -> !shape.shape
// CHECK:       %{{.*}} = shape.min %{{.*}}, %{{.*}} : !shape.shape, !shape.shape -> !shape.shape
// CHECK:       %{{.*}}, %{{.*}} = "shape.split_at"(%{{.*}}, %{{.*}}) : (!shape.shape, index) -> (!shape.shape, !shape.shape)
// CHECK:       return
func.func @shapes(%a: !shape.shape, %b: tensor<?xindex>, %i: index) {
  %0 = shape.broadcast %a, %b : !shape.shape, tensor<?xindex> -> !shape.shape
  %1 = shape.broadcast %a, %a, %a {error = "unequal"} : !shape.shape, !shape.shape, !shape.shape -> !shape.shape
  %2 = shape.shape_eq %a, %b : !shape.shape, tensor<?xindex>
  %3 = shape.is_broadcastable %a, %b : !shape.shape, tensor<?xindex>
  %4 = shape.rank %a : !shape.shape -> !shape.size
  %5 = shape.num_elements %b : tensor<?xindex> -> index
  %6 = shape.get_extent %b, %i : tensor<?xindex>, index -> index
  %7 = shape.concat %b, %b : tensor<?xindex>, tensor<?xindex> -> tensor<?xindex>
  %8 = shape.any %a, %b : !shape.shape, tensor<?xindex> -> !shape.shape
  %9 = shape.meet %a, %b, error = "different" : !shape.shape, tensor<?xindex> -> !shape.shape
  %10 = shape.min %a, %a : !shape.shape, !shape.shape -> !shape.shape
  %11:2 = "shape.split_at"(%a, %i) : (!shape.shape, index) -> (!shape.shape, !shape.shape)
  return
}

// CHECK-LABEL: func.func @conversions(%{{.*}}: !shape.shape, %{{.*}}: tensor<3xindex>, %{{.*}}: index) {
// CHECK:       %{{.*}} = shape.from_extents %{{.*}}, %{{.*}} : index, index
// CHECK:       %{{.*}} = shape.from_extent_tensor %{{.*}} : tensor<3xindex>
// CHECK:       %{{.*}} = shape.to_extent_tensor %{{.*}} : !shape.shape -> tensor<?xindex>
// CHECK:       %{{.*}} = shape.value_as_shape %{{.*}} : tensor<3xindex> -> !shape.shape
// CHECK:       return
func.func @conversions(%a: !shape.shape, %b: tensor<3xindex>, %i: index) {
  %0 = shape.from_extents %i, %i : index, index
  %1 = shape.from_extent_tensor %b : tensor<3xindex>
  %2 = shape.to_extent_tensor %a : !shape.shape -> tensor<?xindex>
  %3 = shape.value_as_shape %b : tensor<3xindex> -> !shape.shape
  return
}

// CHECK-LABEL: func.func @of_values(%{{.*}}: tensor<?x2xf32>, %{{.*}}: memref<?xf32>, %{{.*}}: !shape.value_shape, %{{.*}}: index) {
// CHECK:       %{{.*}} = shape.shape_of %{{.*}} : tensor<?x2xf32> -> tensor<2xindex>
// CHECK:       %{{.*}} = shape.shape_of %{{.*}} : !shape.value_shape -> !shape.shape
// CHECK:       %{{.*}} = shape.dim %{{.*}}, %{{.*}} : memref<?xf32>, index -> index
// CHECK:       %{{.*}} = shape.value_of %{{.*}} : tensor<?xf32>
// CHECK:       %{{.*}} = shape.with_shape %{{.*}}, %{{.*}} : !shape.value_shape, tensor<2xindex>
// CHECK:       return
func.func @of_values(%t: tensor<?x2xf32>, %m: memref<?xf32>, %v: !shape.value_shape, %i: index) {
  %0 = shape.shape_of %t : tensor<?x2xf32> -> tensor<2xindex>
  %1 = shape.shape_of %v : !shape.value_shape -> !shape.shape
  %2 = shape.dim %m, %i : memref<?xf32>, index -> index
  %3 = shape.value_of %v : tensor<?xf32>
  %4 = shape.with_shape %v, %0 : !shape.value_shape, tensor<2xindex>
  return
}

// CHECK-LABEL: func.func @witnesses(%{{.*}}: !shape.shape, %{{.*}}: tensor<?xindex>, %{{.*}}: i1) {
// CHECK:       %{{.*}} = shape.cstr_broadcastable %{{.*}}, %{{.*}} : !shape.shape, tensor<?xindex>
// CHECK:       %{{.*}} = shape.cstr_eq %{{.*}}, %{{.*}} : !shape.shape, tensor<?xindex>
// CHECK:       %{{.*}} = shape.cstr_require %{{.*}}, "must hold"
// CHECK:       %{{.*}} = shape.assuming_all %{{.*}}, %{{.*}}, %{{.*}}
// CHECK:       shape.assuming %{{.*}} {
// CHECK:       %{{.*}}:2 = shape.assuming %{{.*}} -> (!shape.shape, i1) {
// CHECK:       shape.assuming_yield %{{.*}}, %{{.*}} : !shape.shape, i1
// CHECK:       } {test.a}
// CHECK:       return
func.func @witnesses(%a: !shape.shape, %b: tensor<?xindex>, %c: i1) {
  %0 = shape.cstr_broadcastable %a, %b : !shape.shape, tensor<?xindex>
  %1 = shape.cstr_eq %a, %b : !shape.shape, tensor<?xindex>
  %2 = shape.cstr_require %c, "must hold"
  %3 = shape.assuming_all %0, %1, %2
  shape.assuming %3 {
  }
  %4:2 = shape.assuming %3 -> (!shape.shape, i1) {
    shape.assuming_yield %a, %c : !shape.shape, i1
  } {test.a}
  return
}

// CHECK-LABEL: func.func @reduce(%{{.*}}: !shape.shape, %{{.*}}: tensor<?xindex>, %{{.*}}: !shape.size, %{{.*}}: index) {
// CHECK:       %{{.*}} = shape.reduce(%{{.*}}, %{{.*}}) : !shape.shape -> !shape.size {
// CHECK:       ^bb0(%{{.*}}: index, %{{.*}}: !shape.size, %{{.*}}: !shape.size):
// CHECK:       %{{.*}} = shape.add %{{.*}}, %{{.*}} : !shape.size, !shape.size -> !shape.size
// CHECK:       shape.yield %{{.*}} : !shape.size
// CHECK:       %{{.*}}:2 = shape.reduce(%{{.*}}, %{{.*}}, %{{.*}}) : tensor<?xindex> -> (index, !shape.size) {
// CHECK:       ^bb0(%{{.*}}: index, %{{.*}}: index, %{{.*}}: index, %{{.*}}: !shape.size):
// CHECK:       shape.yield %{{.*}}, %{{.*}} : index, !shape.size
// CHECK:       } {test.a}
// CHECK:       return
func.func @reduce(%a: !shape.shape, %b: tensor<?xindex>, %s: !shape.size, %i: index) {
  %0 = shape.reduce(%a, %s) : !shape.shape -> !shape.size {
  ^bb0(%at: index, %extent: !shape.size, %so_far: !shape.size):
    %2 = shape.add %so_far, %extent : !shape.size, !shape.size -> !shape.size
    shape.yield %2 : !shape.size
  }
  %1:2 = shape.reduce(%b, %i, %s) : tensor<?xindex> -> (index, !shape.size) {
  ^bb0(%at: index, %extent: index, %x: index, %y: !shape.size):
    shape.yield %extent, %y : index, !shape.size
  } {test.a}
  return
}

// Within the library and its functions, the name of the dialect is left out.
// CHECK-LABEL: module attributes {shape.lib = [@library]} {
// CHECK:       shape.function_library @library attributes {test.a} {
// CHECK:       func @same(%{{.*}}: !shape.value_shape {test.b}) -> !shape.shape {
// CHECK:       %{{.*}} = shape_of %{{.*}} : !shape.value_shape -> !shape.shape
// CHECK:       return %{{.*}} : !shape.shape
// CHECK:       func.func private @other(!shape.value_shape) -> !shape.shape
// CHECK:       } mapping {test.one = @same, test.two = @other}
module attributes {shape.lib = [@library]} {
  shape.function_library @library attributes {test.a} {
    shape.func @same(%arg0: !shape.value_shape {test.b}) -> !shape.shape {
      %0 = shape.shape_of %arg0 : !shape.value_shape -> !shape.shape
      shape.return %0 : !shape.shape
    }
    func.func private @other(!shape.value_shape) -> !shape.shape
  } mapping {
    test.one = @same,
    test.two = @other
  }
}
