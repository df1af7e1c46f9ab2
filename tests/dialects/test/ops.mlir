// RUN: %{round-trip}

// CHECK-DAG: #[[SPARSE:.*]] = #sparse_tensor.encoding<{ map = (d0, d1) -> (d0 : dense, d1 : compressed) }>
// CHECK-DAG: #[[BLOCKED:.*]] = #sparse_tensor.encoding<{ map = (d0) -> (d0 floordiv 2 : compressed(nonunique), d0 mod 2 : dense), posWidth = 32, crdWidth = 64 }>

// CHECK-LABEL: func.func @regions
func.func @regions(%x: i32) {
  // CHECK-NEXT: test.graph_region {
  // CHECK-NEXT:   %[[A:.*]] = "test.use"(%[[B:.*]]) : (i32) -> i32
  // CHECK-NEXT:   %[[B]] = "test.use"(%[[A]]) : (i32) -> i32
  test.graph_region {
    %0 = "test.use"(%1) : (i32) -> i32
    %1 = "test.use"(%0) : (i32) -> i32
  }
  // CHECK: test.isolated_graph_region attributes {note} {
  test.isolated_graph_region attributes {note} {
    "test.terminator"() : () -> ()
  }
  // CHECK: test.affine_scope {
  test.affine_scope {
    "test.terminator"() : () -> ()
  }
  // CHECK: test.alloca_scope_region {
  test.alloca_scope_region {
    test.region_yield %x : i32
  }
  // CHECK: test.single_no_terminator_op : {
  test.single_no_terminator_op : {
    %0 = "test.use"(%x) : (i32) -> i32
  }
  return
}

// CHECK-LABEL: func.func @destinations
func.func @destinations(%t: tensor<?xf32>, %m: memref<?xf32>) -> index {
  // CHECK: %{{.*}}:2 = test.destination_style_op ins(%{{.*}} : tensor<?xf32>) outs(%{{.*}} : tensor<?xf32>) -> tensor<?xf32>, index
  %0:2 = test.destination_style_op ins(%t : tensor<?xf32>) outs(%t : tensor<?xf32>) -> tensor<?xf32>, index
  // CHECK: test.copy(%{{.*}}, %{{.*}}) : (memref<?xf32>, memref<?xf32>)
  test.copy(%m, %m) : (memref<?xf32>, memref<?xf32>)
  // CHECK: test.buffer_based in(%{{.*}} : memref<?xf32>) out(%{{.*}} : memref<?xf32>)
  test.buffer_based in(%m : memref<?xf32>) out(%m : memref<?xf32>)
  // CHECK:      test.region_buffer_based in(%{{.*}} : memref<?xf32>) out(%{{.*}} : memref<?xf32>) {
  // CHECK-NEXT: ^bb0(%[[A:.*]]: f32, %{{.*}}: f32):
  // CHECK-NEXT:   test.region_yield %[[A]] : f32
  test.region_buffer_based in(%m : memref<?xf32>) out(%m : memref<?xf32>) {
  ^bb0(%a: f32, %b: f32):
    test.region_yield %a : f32
  }
  return %0#1 : index
}

// CHECK-LABEL: func.func @three_regions
func.func @three_regions(%x: i32) -> i32 {
  // CHECK:      %[[R:.*]] = test.region_if %{{.*}}: i32 -> i32 then {
  // CHECK-NEXT: ^bb0(%[[A:.*]]: i32):
  // CHECK-NEXT:   test.region_if_yield %[[A]] : i32
  // CHECK-NEXT: } else {
  // CHECK:      } join {
  %0 = test.region_if %x: i32 -> i32 then {
  ^bb0(%a: i32):
    test.region_if_yield %a : i32
  } else {
  ^bb0(%a: i32):
    test.region_if_yield %a : i32
  } join {
  ^bb0(%a: i32):
    test.region_if_yield %a : i32
  }
  return %0 : i32
}

// CHECK-LABEL: func.func @sparse
//  CHECK-SAME:   (%{{.*}}: tensor<4x8xf32, #[[SPARSE]]>, %{{.*}}: tensor<?xf32, #[[BLOCKED]]>)
func.func @sparse(
    %a: tensor<4x8xf32, #sparse_tensor.encoding<{ map = (row, col) -> (row : dense, col : compressed) }>>,
    %b: tensor<?xf32, #sparse_tensor.encoding<{
      map = (d0) -> (d0 floordiv 2 : compressed(nonunique), d0 mod 2 : dense), posWidth = 32, crdWidth = 64
    }>>) {
  return
}

// CHECK-LABEL: func.func @loops_and_blocks
func.func @loops_and_blocks(%x: i32) -> i32 {
  // CHECK: test.graph_loop
  // CHECK:   test.region_yield
  // CHECK: } : () -> ()
  test.graph_loop {
    test.region_yield %x : i32
  } : () -> ()
  // CHECK: test.cse_of_single_block_op inputs(%{{.*}}) {
  // CHECK: ^bb0(%[[A:.*]]: i32):
  // CHECK:   test.region_yield %[[A]] : i32
  // CHECK: } : i32 -> i32
  %0 = test.cse_of_single_block_op inputs(%x) {
  ^bb0(%a: i32):
    test.region_yield %a : i32
  } : i32 -> i32
  return %0 : i32
}
