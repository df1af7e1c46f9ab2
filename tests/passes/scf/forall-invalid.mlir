// RUN: dl-opt %s --scf-forall-to-for --verify-diagnostics
// RUN: dl-opt %s --scf-forall-to-parallel --verify-diagnostics

func.func @on_tensors(%t: tensor<4xf32>, %s: tensor<1xf32>) -> tensor<4xf32> {
  // expected-error @below {{only fully bufferized scf.forall ops can be lowered}}
  %r = scf.forall (%i) in (4) shared_outs(%o = %t) -> tensor<4xf32> {
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %s into %o[%i] [1] [1] : tensor<1xf32> into tensor<4xf32>
    }
  }
  return %r : tensor<4xf32>
}
