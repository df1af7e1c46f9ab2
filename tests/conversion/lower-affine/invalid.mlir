// RUN: dl-opt %s --lower-affine --split-input-file --verify-diagnostics

func.func @modulo_by_negative(%a: index) -> index {
  // expected-error @below {{modulo by non-positive value is not supported}}
  %0 = affine.apply affine_map<(d0) -> (d0 mod (-7))>(%a)
  return %0 : index
}

// -----

func.func @division_by_negative(%m: memref<20xf32>, %a: index) -> f32 {
  // expected-error @below {{division by non-positive value is not supported}}
  %0 = affine.load %m[symbol(%a) ceildiv (-7)] : memref<20xf32>
  return %0 : f32
}
