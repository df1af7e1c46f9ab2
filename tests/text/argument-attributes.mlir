// RUN: dl-opt %s --split-input-file | FileCheck %s

// Attributes of arguments with names get no aliases of their own.
// CHECK-NOT: #map
// CHECK: func.func @defined(%arg0: tensor<4xf32> {test.map = affine_map<(d0) -> (d0)>})
func.func @defined(%a: tensor<4xf32> {test.map = affine_map<(d0) -> (d0)>}) {
  return
}

// -----

// They are printed by an alias that something else needs.
// CHECK: #[[MAP:.*]] = affine_map<(d0) -> (d0)>
// CHECK: func.func @defined(%arg0: tensor<4xf32> {test.map = #[[MAP]]}) -> (i32 {test.map = #[[MAP]]})
func.func @defined(%a: tensor<4xf32> {test.map = affine_map<(d0) -> (d0)>}) -> (i32 {test.map = affine_map<(d0) -> (d0)>}) {
  %c1 = arith.constant 1 : i32
  return %c1 : i32
}

// -----

// CHECK: #[[MAP:.*]] = affine_map<(d0) -> (d0)>
// CHECK: func.func private @declared(tensor<4xf32> {test.map = #[[MAP]]})
func.func private @declared(tensor<4xf32> {test.map = affine_map<(d0) -> (d0)>})
