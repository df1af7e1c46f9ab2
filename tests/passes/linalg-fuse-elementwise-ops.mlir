// RUN: dl-opt %s --linalg-fuse-elementwise-ops | FileCheck %s

// CHECK: #[[$T:.*]] = affine_map<(d0, d1) -> (d1, d0)>

#id = affine_map<(d0, d1) -> (d0, d1)>
#row = affine_map<(d0, d1) -> (d1)>
#column = affine_map<(d0, d1) -> (d0)>
#transposed = affine_map<(d0, d1) -> (d1, d0)>

// max(x + b, 0) is one loop nest. The bias is read by its own map.
// CHECK-LABEL: func.func @bias_and_relu
//  CHECK-SAME:   (%[[X:.*]]: tensor<?x8xf32>, %[[B:.*]]: tensor<8xf32>, %[[E:.*]]: tensor<?x8xf32>)
func.func @bias_and_relu(%x: tensor<?x8xf32>, %b: tensor<8xf32>, %e: tensor<?x8xf32>) -> tensor<?x8xf32> {
  %zero = arith.constant 0.0 : f32
  // CHECK: linalg.generic
  //  CHECK-SAME: ins(%[[X]], %[[B]] : tensor<?x8xf32>, tensor<8xf32>)
  // CHECK-NEXT: ^bb0(%[[A:.*]]: f32, %[[C:.*]]: f32, %{{.*}}: f32):
  // CHECK-NEXT: %[[SUM:.*]] = arith.addf %[[A]], %[[C]]
  // CHECK-NEXT: %[[MAX:.*]] = arith.maximumf %[[SUM]]
  // CHECK-NEXT: linalg.yield %[[MAX]]
  // CHECK-NOT: linalg.generic
  %s = linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel"]}
      ins(%x, %b : tensor<?x8xf32>, tensor<8xf32>) outs(%e : tensor<?x8xf32>) {
  ^bb0(%i: f32, %j: f32, %o: f32):
    %r = arith.addf %i, %j : f32
    linalg.yield %r : f32
  } -> tensor<?x8xf32>
  %m = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%s : tensor<?x8xf32>) outs(%e : tensor<?x8xf32>) {
  ^bb0(%i: f32, %o: f32):
    %r = arith.maximumf %i, %zero : f32
    linalg.yield %r : f32
  } -> tensor<?x8xf32>
  return %m : tensor<?x8xf32>
}

// A producer with a second user stays.
// CHECK-LABEL: func.func @two_users
// CHECK-COUNT-2: linalg.generic
func.func @two_users(%x: tensor<4x8xf32>, %e: tensor<4x8xf32>) -> (tensor<4x8xf32>, tensor<4x8xf32>) {
  %a = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%x : tensor<4x8xf32>) outs(%e : tensor<4x8xf32>) {
  ^bb0(%i: f32, %o: f32):
    %r = math.exp %i : f32
    linalg.yield %r : f32
  } -> tensor<4x8xf32>
  %b = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%a : tensor<4x8xf32>) outs(%e : tensor<4x8xf32>) {
  ^bb0(%i: f32, %o: f32):
    %r = arith.negf %i : f32
    linalg.yield %r : f32
  } -> tensor<4x8xf32>
  return %a, %b : tensor<4x8xf32>, tensor<4x8xf32>
}

// A reduction is not fused into what reads its result.
// CHECK-LABEL: func.func @reduction_is_no_producer
// CHECK: linalg.generic {{.*}} iterator_types = ["parallel", "reduction"]
// CHECK: linalg.generic {{.*}} iterator_types = ["parallel", "parallel"]
func.func @reduction_is_no_producer(%x: tensor<4x8xf32>, %i: tensor<4xf32>, %e: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %s = linalg.generic {indexing_maps = [#id, #column], iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<4x8xf32>) outs(%i : tensor<4xf32>) {
  ^bb0(%a: f32, %o: f32):
    %r = arith.addf %a, %o : f32
    linalg.yield %r : f32
  } -> tensor<4xf32>
  %b = linalg.generic {indexing_maps = [#id, #column, #id], iterator_types = ["parallel", "parallel"]}
      ins(%x, %s : tensor<4x8xf32>, tensor<4xf32>) outs(%e : tensor<4x8xf32>) {
  ^bb0(%a: f32, %c: f32, %o: f32):
    %r = arith.divf %a, %c : f32
    linalg.yield %r : f32
  } -> tensor<4x8xf32>
  return %b : tensor<4x8xf32>
}

// The maps of a producer that writes transposed are composed with the inverse.
// CHECK-LABEL: func.func @transposed_producer
// CHECK: linalg.generic {indexing_maps = [#[[$T]], #{{.*}}]
// CHECK-NOT: linalg.generic
func.func @transposed_producer(%x: tensor<8x4xf32>, %e: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %a = linalg.generic {indexing_maps = [#id, #transposed], iterator_types = ["parallel", "parallel"]}
      ins(%x : tensor<8x4xf32>) outs(%e : tensor<4x8xf32>) {
  ^bb0(%i: f32, %o: f32):
    %r = math.exp %i : f32
    linalg.yield %r : f32
  } -> tensor<4x8xf32>
  %b = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%a : tensor<4x8xf32>) outs(%e : tensor<4x8xf32>) {
  ^bb0(%i: f32, %o: f32):
    %r = arith.negf %i : f32
    linalg.yield %r : f32
  } -> tensor<4x8xf32>
  return %b : tensor<4x8xf32>
}

// A splat constant goes into the body, and so does the value of a fill.
// CHECK-LABEL: func.func @constants
//  CHECK-SAME:   (%[[X:.*]]: tensor<4x8xf32>, %[[V:.*]]: f32
func.func @constants(%x: tensor<4x8xf32>, %v: f32, %e: tensor<4x8xf32>) -> tensor<4x8xf32> {
  // CHECK-DAG: %[[TWO:.*]] = arith.constant 2.000000e+00 : f32
  // CHECK-NOT: linalg.fill
  // CHECK: linalg.generic {{.*}} ins(%[[X]] : tensor<4x8xf32>)
  // CHECK-NEXT: ^bb0(%[[I:.*]]: f32, %{{.*}}: f32):
  // CHECK-NEXT: %[[P:.*]] = arith.mulf %[[I]], %[[TWO]]
  // CHECK-NEXT: arith.addf %[[P]], %[[V]]
  %two = arith.constant dense<2.0> : tensor<4x8xf32>
  %f = linalg.fill ins(%v : f32) outs(%e : tensor<4x8xf32>) -> tensor<4x8xf32>
  %r = linalg.generic {indexing_maps = [#id, #id, #id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%x, %two, %f : tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>) outs(%e : tensor<4x8xf32>) {
  ^bb0(%i: f32, %j: f32, %k: f32, %o: f32):
    %p = arith.mulf %i, %j : f32
    %q = arith.addf %p, %k : f32
    linalg.yield %q : f32
  } -> tensor<4x8xf32>
  return %r : tensor<4x8xf32>
}

// An operand given twice is read once; an init that is not read needs no contents.
// CHECK-LABEL: func.func @equal_operands
//  CHECK-SAME:   (%[[X:.*]]: tensor<4x8xf32>, %{{.*}}: tensor<4x8xf32>)
func.func @equal_operands(%x: tensor<4x8xf32>, %init: tensor<4x8xf32>) -> tensor<4x8xf32> {
  // CHECK: %[[E:.*]] = tensor.empty() : tensor<4x8xf32>
  // CHECK: linalg.generic {{.*}} ins(%[[X]] : tensor<4x8xf32>) outs(%[[E]] : tensor<4x8xf32>)
  // CHECK-NEXT: ^bb0(%[[I:.*]]: f32, %{{.*}}: f32):
  // CHECK-NEXT: arith.mulf %[[I]], %[[I]]
  %r = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%x, %x : tensor<4x8xf32>, tensor<4x8xf32>) outs(%init : tensor<4x8xf32>) {
  ^bb0(%i: f32, %j: f32, %o: f32):
    %p = arith.mulf %i, %j : f32
    linalg.yield %p : f32
  } -> tensor<4x8xf32>
  return %r : tensor<4x8xf32>
}

// An init with an encoding is left: an empty tensor without would be of another type.
// CHECK-LABEL: func.func @encoded
//  CHECK-SAME:   (%[[X:.*]]: tensor<4x8xf32, "here">)
func.func @encoded(%x: tensor<4x8xf32, "here">) -> tensor<4x8xf32, "here"> {
  // CHECK: linalg.generic {{.*}} ins(%[[X]] : tensor<4x8xf32, "here">) outs(%[[X]] : tensor<4x8xf32, "here">)
  %r = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%x : tensor<4x8xf32, "here">) outs(%x : tensor<4x8xf32, "here">) {
  ^bb0(%i: f32, %o: f32):
    %p = arith.negf %i : f32
    linalg.yield %p : f32
  } -> tensor<4x8xf32, "here">
  return %r : tensor<4x8xf32, "here">
}
