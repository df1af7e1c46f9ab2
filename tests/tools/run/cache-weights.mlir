// REQUIRES: llvm

// Weights are kept with the code, and tell programs apart.
// RUN: rm -rf %t && mkdir %t
// RUN: sed "s/NUMBERS/$(seq -f %%.1f -s, 1 400)/" %s > %t/a.mlir
// RUN: sed "s/NUMBERS/$(seq -f %%.1f -s, 2 401)/" %s > %t/b.mlir
// RUN: XDG_CACHE_HOME=%t dl-run %t/a.mlir --backend=llvm --input=299 --input=1 | FileCheck %s --check-prefix=A
// RUN: XDG_CACHE_HOME=%t dl-run %t/b.mlir --backend=llvm --input=299 --input=1 | FileCheck %s --check-prefix=B
// A: 301.
// B: 302.
// RUN: ls -i -1 %t/dl > %t/first
// RUN: wc -l < %t/first | FileCheck %s --check-prefix=TWO
// TWO: 2

// What was kept is read, and not written anew.
// RUN: XDG_CACHE_HOME=%t dl-run %t/a.mlir --backend=llvm --input=0 --input=0 | FileCheck %s --check-prefix=AGAIN
// AGAIN: 1.
// RUN: XDG_CACHE_HOME=%t dl-run %t/b.mlir --backend=llvm --input=399 --input=2 | FileCheck %s --check-prefix=LAST
// LAST: 403.
// RUN: ls -i -1 %t/dl | diff %t/first -

// One thread more or less may be other code; other passes are not looked for.
// RUN: XDG_CACHE_HOME=%t dl-run %t/a.mlir --backend=llvm --threads=1 --input=0 --input=0 > %t/out
// RUN: XDG_CACHE_HOME=%t dl-run %t/a.mlir --backend=llvm --threads=2 --input=0 --input=0 > %t/out
// RUN: ls -1 %t/dl | wc -l > %t/count
// RUN: XDG_CACHE_HOME=%t dl-run %t/a.mlir --backend=llvm --pass-pipeline='builtin.module(cpu-pipeline)' --input=0 --input=0 | FileCheck %s --check-prefix=AGAIN
// RUN: XDG_CACHE_HOME=%t dl-run %t/a.mlir --backend=llvm --input=0 --input=0 --perf-report | FileCheck %s --check-prefix=REPORT
// REPORT: kernel
// RUN: ls -1 %t/dl | wc -l | diff %t/count -
func.func @add(%at: index, %x: f32) -> f32 {
  %weights = arith.constant dense<[NUMBERS]> : tensor<400xf32>
  %weight = tensor.extract %weights[%at] : tensor<400xf32>
  %sum = arith.addf %weight, %x : f32
  return %sum : f32
}
