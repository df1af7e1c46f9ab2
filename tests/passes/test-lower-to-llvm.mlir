// RUN: dl-opt %s --test-lower-to-llvm | FileCheck %s
// RUN: dl-opt %s --test-lower-to-llvm="reassociate-fp-reductions=true" | FileCheck %s --check-prefixes=CHECK,FAST
// RUN: dl-opt %s --test-lower-to-llvm | dl-translate --emit=obj -o /dev/null

// From linalg, vectors and structured loops down, nothing else is left.

// CHECK-LABEL: llvm.func @sums
// CHECK-NOT:   {{linalg|transfer|vector[.]reduction|scf[.]|memref[.]|arith[.]|math[.]|builtin[.]}}
// FAST:        llvm.intr.vector.reduce.fadd"{{.*}} <{fastmathFlags = #llvm.fastmath<reassoc>}>
// CHECK:       llvm.return
func.func @sums(%a: memref<8x8xf32>, %b: memref<8xf32>, %from: index, %to: index) -> f32 {
  %zero = arith.constant 0.0 : f32
  %one = arith.constant 1 : index
  linalg.fill ins(%zero : f32) outs(%b : memref<8xf32>)
  %sum = scf.for %i = %from to %to step %one iter_args(%last = %zero) -> f32 {
    %row = vector.transfer_read %a[%i, %from], %zero : memref<8x8xf32>, vector<8xf32>
    %root = math.sqrt %row : vector<8xf32>
    %next = vector.reduction <add>, %root, %last : vector<8xf32> into f32
    scf.yield %next : f32
  }
  return %sum : f32
}
