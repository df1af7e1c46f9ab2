// RUN: dl-opt %s --pass-pipeline='builtin.module(dl-list-kernels)' --split-input-file | FileCheck %s
// RUN: dl-opt %s --pass-pipeline='builtin.module(dl-list-kernels{time=true})' --split-input-file | FileCheck %s --check-prefix=TIME
// RUN: not dl-opt %s --pass-pipeline='builtin.module(dl-list-kernels{deny-scalar=true})' --split-input-file 2>&1 | FileCheck %s --check-prefix=DENY

// A fused multiply-add is two operations. 8 x 64 vectors of 16 elements are computed, as many are read twice and written once; of the buffer
// of 16 elements no more than those are counted.
// CHECK: dl.kernels = [{bytes = 65600 : i64, form = "vector", function = "vectors", name = "mul-add", operations = {f32 = 16384 : i64}}]
// TIME: llvm.func @dl_kernel_begin(i64)
// TIME-LABEL: func.func @vectors
// TIME: llvm.call @dl_kernel_begin(%[[N:[a-z0-9]+]]) : (i64) -> ()
// TIME-NEXT: scf.for
// TIME: llvm.call @dl_kernel_end(%[[N]]) : (i64) -> ()
func.func @vectors(%a: memref<8x1024xf32>, %b: memref<16xf32>, %c: memref<8x1024xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %c16 = arith.constant 16 : index
  %c1024 = arith.constant 1024 : index
  scf.for %i = %c0 to %c8 step %c1 {
    scf.for %j = %c0 to %c1024 step %c16 {
      %x = vector.load %a[%i, %j] : memref<8x1024xf32>, vector<16xf32>
      %y = vector.load %b[%c0] : memref<16xf32>, vector<16xf32>
      %z = vector.fma %x, %x, %y : vector<16xf32>
      vector.store %z, %c[%i, %j] : memref<8x1024xf32>, vector<16xf32>
    }
  } loc("mul-add")
  return
}

// -----

// One by one, since every other element is read.
// CHECK: dl.kernels = [{bytes = 32768 : i64, form = "scalar", function = "every_other", name = "every-other", operations = {}, why = "an operand has elements of a vector apart"}]
// DENY: dl-list-kernels.mlir:53:3: error: 'linalg.generic' op is computed element by element: an operand has elements of a vector apart
func.func @every_other(%a: memref<64x127xf32>, %b: memref<64x64xf32>) {
  linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j * 2)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]} ins(%a : memref<64x127xf32>) outs(%b : memref<64x64xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } loc("every-other"("dl-list-kernels.mlir":53:3))
  return
}

// -----

// A loop around parallel loops is no kernel; what is in it is. Nothing is known of how often a loop runs whose bounds are not, and four elements
// are not worth a word.
// CHECK: dl.kernels = [{form = "scalar", function = "steps", name = "step", why = "loops of 'memref.store' that no pass makes vectors of"}, {bytes = 16 : i64, form = "small", function = "steps", name = "few", operations = {}}, {bytes = 32768 : i64, form = "copy", function = "steps", name = "copied", operations = {}}]
// DENY: loc("step"): error: 'scf.parallel' op is computed element by element: loops of 'memref.store' that no pass makes vectors of
// DENY-NOT: error:
func.func @steps(%a: memref<64x64xf32>, %b: memref<64x64xf32>, %c: memref<4xf32>, %n: index, %x: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %c64 = arith.constant 64 : index
  scf.for %t = %c0 to %c4 step %c1 {
    scf.parallel (%i) = (%c0) to (%c64) step (%c1) {
      scf.for %j = %c0 to %n step %c1 {
        memref.store %x, %a[%i, %j] : memref<64x64xf32>
      }
      scf.reduce
    } loc("step")
    scf.for %i = %c0 to %c4 step %c1 {
      memref.store %x, %c[%i] : memref<4xf32>
    } loc("few")
  } loc("time")
  memref.copy %a, %b : memref<64x64xf32> to memref<64x64xf32> loc("copied")
  return
}

// -----

// Without kernels there is an empty table, and nothing to time.
// CHECK: dl.kernels = []
// TIME: dl.kernels = []
// TIME-NOT: llvm.func
func.func @nothing(%x: f32) -> f32 {
  %y = arith.addf %x, %x : f32
  return %y : f32
}
