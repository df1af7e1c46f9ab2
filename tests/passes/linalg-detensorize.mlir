// RUN: dl-opt %s --pass-pipeline='builtin.module(func.func(linalg-detensorize))' | FileCheck %s
// RUN: dl-opt %s --pass-pipeline='builtin.module(func.func(linalg-detensorize{aggressive-mode}))' | FileCheck %s --check-prefix=ALL

#scalar = affine_map<() -> ()>

// The counter of a loop is a number; the function still takes and gives tensors.
// CHECK-LABEL: func.func @count
//  CHECK-SAME:   (%[[N:.*]]: tensor<i32>) -> tensor<i32>
// CHECK: %[[LIMIT:.*]] = tensor.extract %[[N]][] : tensor<i32>
// CHECK: cf.br ^[[HEAD:.*]](%{{.*}} : i32)
// CHECK: ^[[HEAD]](%[[I:.*]]: i32):
// CHECK: %[[T:.*]] = tensor.from_elements %[[I]] : tensor<i32>
// CHECK: %[[LESS:.*]] = arith.cmpi slt, %[[I]], %[[LIMIT]] : i32
// CHECK-NEXT: cf.cond_br %[[LESS]], ^[[BODY:.*]], ^[[EXIT:.*]]
// CHECK: ^[[BODY]]:
// CHECK-NEXT: %[[NEXT:.*]] = arith.addi %[[I]], %[[I]] : i32
// CHECK-NEXT: cf.br ^[[HEAD]](%[[NEXT]] : i32)
// CHECK: ^[[EXIT]]:
// CHECK-NEXT: return %[[T]]
func.func @count(%n: tensor<i32>) -> tensor<i32> {
  %one = arith.constant dense<1> : tensor<i32>
  cf.br ^head(%one : tensor<i32>)
^head(%i: tensor<i32>):
  %e = tensor.empty() : tensor<i1>
  %c = linalg.generic {indexing_maps = [#scalar, #scalar, #scalar], iterator_types = []}
      ins(%i, %n : tensor<i32>, tensor<i32>) outs(%e : tensor<i1>) {
  ^bb0(%a: i32, %b: i32, %o: i1):
    %l = arith.cmpi slt, %a, %b : i32
    linalg.yield %l : i1
  } -> tensor<i1>
  %less = tensor.extract %c[] : tensor<i1>
  cf.cond_br %less, ^body, ^exit
^body:
  %f = tensor.empty() : tensor<i32>
  %s = linalg.generic {indexing_maps = [#scalar, #scalar, #scalar], iterator_types = []}
      ins(%i, %i : tensor<i32>, tensor<i32>) outs(%f : tensor<i32>) {
  ^bb0(%a: i32, %b: i32, %o: i32):
    %t = arith.addi %a, %b : i32
    linalg.yield %t : i32
  } -> tensor<i32>
  cf.br ^head(%s : tensor<i32>)
^exit:
  return %i : tensor<i32>
}

// Nothing branches on it: it stays, unless everything is to become scalar.
// CHECK-LABEL: func.func @straight
// CHECK: linalg.generic
// ALL-LABEL: func.func @straight
//  ALL-SAME:   (%[[X:.*]]: tensor<f32>, %{{.*}}: tensor<f32>)
// ALL-NOT: linalg.generic
// ALL: %[[E:.*]] = tensor.extract %[[X]][] : tensor<f32>
// ALL: %[[S:.*]] = arith.addf %[[E]], %[[E]]
// ALL: tensor.from_elements %[[S]] : tensor<f32>
func.func @straight(%x: tensor<f32>, %o: tensor<f32>) -> tensor<f32> {
  %r = linalg.generic {indexing_maps = [#scalar, #scalar], iterator_types = []} ins(%x : tensor<f32>) outs(%o : tensor<f32>) {
  ^bb0(%a: f32, %b: f32):
    %s = arith.addf %a, %a : f32
    linalg.yield %s : f32
  } -> tensor<f32>
  return %r : tensor<f32>
}

// A loop of one step is a loop.
// ALL-LABEL: func.func @one_step
// ALL: linalg.generic
func.func @one_step(%x: tensor<1xf32>, %o: tensor<1xf32>) -> tensor<1xf32> {
  %r = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]}
      ins(%x : tensor<1xf32>) outs(%o : tensor<1xf32>) {
  ^bb0(%a: f32, %b: f32):
    %s = arith.addf %a, %a : f32
    linalg.yield %s : f32
  } -> tensor<1xf32>
  return %r : tensor<1xf32>
}
