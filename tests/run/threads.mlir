// A loop with enough to do is given to several threads, and computes the same with any number of them. Expected: 2 i + j for row i and column j,
// so 0 + 0 first and 1022 + 299 last; their sum is 512 * 300 * (511 + 149.5) = 101452800.
// RUN: dl-run %s --backend=%{back-end} --threads=1 | FileCheck %s
// RUN: dl-run %s --backend=%{back-end} --threads=2 | FileCheck %s
// RUN: dl-run %s --backend=%{back-end} --threads=7 | FileCheck %s
// RUN: dl-opt %s --cpu-pipeline='threads=2' | FileCheck %s --check-prefix=CODE
// RUN: dl-opt %s --cpu-pipeline='threads=1' | FileCheck %s --check-prefix=ALONE

// CHECK: {{^}}0{{$}}
// CHECK: {{^}}1321{{$}}
// CHECK: {{^}}101452800{{$}}
//  CODE: llvm.call @dl_parallel_for
//  ALONE-NOT: dl_parallel_for
func.func @main() -> (i64, i64, i64) {
  %empty = tensor.empty() : tensor<512x300xi64>
  %all = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
      outs(%empty : tensor<512x300xi64>) {
  ^bb0(%unused: i64):
    %i = linalg.index 0 : index
    %j = linalg.index 1 : index
    %twice = arith.addi %i, %i : index
    %x = arith.addi %twice, %j : index
    %y = arith.index_cast %x : index to i64
    linalg.yield %y : i64
  } -> tensor<512x300xi64>
  %zero = arith.constant 0 : i64
  %start = tensor.empty() : tensor<i64>
  %none = linalg.fill ins(%zero : i64) outs(%start : tensor<i64>) -> tensor<i64>
  %sum = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> ()>],
                         iterator_types = ["reduction", "reduction"]}
      ins(%all : tensor<512x300xi64>) outs(%none : tensor<i64>) {
  ^bb0(%x: i64, %s: i64):
    %t = arith.addi %s, %x : i64
    linalg.yield %t : i64
  } -> tensor<i64>
  %c0 = arith.constant 0 : index
  %c511 = arith.constant 511 : index
  %c299 = arith.constant 299 : index
  %first = tensor.extract %all[%c0, %c0] : tensor<512x300xi64>
  %last = tensor.extract %all[%c511, %c299] : tensor<512x300xi64>
  %total = tensor.extract %sum[] : tensor<i64>
  return %first, %last, %total : i64, i64, i64
}
