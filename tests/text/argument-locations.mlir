// RUN: dl-opt %s --mlir-print-debuginfo --mlir-print-local-scope | FileCheck %s
// RUN: dl-opt %s --mlir-print-debuginfo | dl-opt --mlir-print-debuginfo --mlir-print-local-scope | FileCheck %s
// RUN: dl-opt %s --mlir-print-debuginfo --mlir-print-op-generic | dl-opt --mlir-print-debuginfo --mlir-print-local-scope | FileCheck %s
// RUN: dl-opt %s | FileCheck %s --check-prefix=PLAIN

// The argument of a region is where its name stands, unless the text says otherwise.

// PLAIN-NOT: loc(

// CHECK-LABEL: func.func @arguments
//  CHECK-SAME:   (%{{.*}}: i32 loc("{{.*}}argument-locations.mlir":[[#@LINE+3]]:22),
//  CHECK-SAME:    %{{.*}}: i32 {d.a} loc("second"),
//  CHECK-SAME:    %{{.*}}: i32 loc(unknown))
func.func @arguments(%a: i32, %b: i32 {d.a} loc("second"), %c: i32 loc(unknown)) {
  cf.br ^bb1(%a, %a : i32, i32)
// CHECK: ^bb1(%{{.*}}: i32 loc(fused["x", "y"]), %{{.*}}: i32 loc("{{.*}}argument-locations.mlir":[[#@LINE+1]]:45)):
^bb1(%x: i32 loc(fused["x", "y"]),          %y: i32):
  return
}

// A pretty form that prints the argument of a region prints its location as well.

// CHECK-LABEL: func.func @pretty
func.func @pretty(%t: tensor<4xf32>, %init: tensor<f32>) -> tensor<f32> {
  // CHECK: affine.for %{{.*}} loc("i") = 0 to 4
  affine.for %i loc("i") = 0 to 4 {
  }
  // CHECK: (%{{.*}}: f32 loc("in"), %{{.*}}: f32 loc("{{.*}}argument-locations.mlir":[[#@LINE+2]]:28)) {
  %r = linalg.reduce ins(%t : tensor<4xf32>) outs(%init : tensor<f32>) dimensions = [0]
    (%in: f32 loc("in"),   %out: f32) {
      %sum = arith.addf %in, %out : f32
      %twice = arith.addf %sum, %sum : f32
      linalg.yield %twice : f32
    }
  return %r : tensor<f32>
}

// The module around what a file holds is at no line of it.

// CHECK: } loc("{{.*}}":0:0)
