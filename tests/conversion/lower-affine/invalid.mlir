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

// -----

func.func @vector_of_more_dimensions(%m: memref<?xf32>, %i: index) {
  // expected-error @below {{unsupported: a vector of more dimensions than the memref has}}
  %v = affine.vector_load %m[%i] : memref<?xf32>, vector<1x4xf32>
  // expected-error @below {{unsupported: a vector of more dimensions than the memref has}}
  affine.vector_store %v, %m[%i] : memref<?xf32>, vector<1x4xf32>
  return
}

// -----

func.func @every_other_element(%m: memref<8xf32, strided<[2]>>, %i: index) -> vector<4xf32> {
  // expected-error @below {{unsupported: elements of a vector that do not lie next to each other}}
  %v = affine.vector_load %m[%i] : memref<8xf32, strided<[2]>>, vector<4xf32>
  return %v : vector<4xf32>
}
