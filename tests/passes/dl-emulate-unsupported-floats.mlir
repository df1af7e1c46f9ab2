// RUN: dl-opt %s --dl-attach-target=target-cpu=haswell --dl-emulate-unsupported-floats | FileCheck %s --check-prefix=WITHOUT
// RUN: dl-opt %s --dl-attach-target=target-cpu=znver5 --dl-emulate-unsupported-floats | FileCheck %s --check-prefix=WITH
// RUN: not dl-opt %s --dl-emulate-unsupported-floats 2>&1 | FileCheck %s --check-prefix=TARGET

// TARGET: error: {{.*}}expected the attribute 'dl.target' of the module; see dl-attach-target

// The sum is one of f32, and conversions are shifts of bits.
// WITHOUT-LABEL: func @sum
//       WITHOUT: arith.addf %{{.*}}, %{{.*}} : f32
//       WITHOUT: arith.trunci {{.*}} : i32 to i16

// WITH-LABEL: func @sum
//       WITH: arith.addf %{{.*}}, %{{.*}} : bf16
func.func @sum(%a: bf16, %b: bf16) -> bf16 {
  %c = arith.addf %a, %b : bf16
  return %c : bf16
}

// What has nothing to do with bf16 stays: the back end tells zeros of both signs apart.
// WITHOUT-LABEL: func @maximum
//       WITHOUT: arith.maximumf
func.func @maximum(%a: f32, %b: f32) -> f32 {
  %c = arith.maximumf %a, %b : f32
  return %c : f32
}
