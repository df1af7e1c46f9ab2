// RUN: dl-opt %s --linalg-split-epilogues --oracle=each-pass --split-input-file --mlir-print-local-scope | FileCheck %s

#a = affine_map<(m, n, k) -> (m, k)>
#b = affine_map<(m, n, k) -> (k, n)>
#c = affine_map<(m, n, k) -> (m, n)>
#id = affine_map<(m, n) -> (m, n)>
#column = affine_map<(m, n) -> (n)>

// The sums of the first product are narrowed where they are made, with their factor; the nest stays the epilogue of the second one.
// CHECK-LABEL: func.func @two(
//  CHECK-SAME:   %[[X:.*]]: tensor<3x4xi32>, %[[Y:.*]]: tensor<4x5xi32>, %[[F:.*]]: tensor<5xi32>)
//       CHECK:   %[[P:.*]] = linalg.generic {{.*}}"reduction"]}
//       CHECK:   %[[Q:.*]] = linalg.generic {{.*}}"reduction"]}
//       CHECK:   %[[N:.*]] = linalg.generic {{.*}} ins(%[[P]], %[[F]] : tensor<3x5xi32>, tensor<5xi32>) outs(%{{.*}} : tensor<3x5xi8>)
//       CHECK:     arith.muli
//       CHECK:     arith.trunci
//       CHECK:   %[[R:.*]] = linalg.generic {{.*}} ins(%[[Q]], %[[N]] : tensor<3x5xi32>, tensor<3x5xi8>) outs(%{{.*}} : tensor<3x5xi32>)
//   CHECK-NOT:     arith.muli
//       CHECK:     arith.extsi
//       CHECK:     arith.addi
//       CHECK:   return %[[R]]
func.func @two(%x: tensor<3x4xi32>, %y: tensor<4x5xi32>, %f: tensor<5xi32>) -> tensor<3x5xi32> {
  %zero = arith.constant 0 : i32
  %empty = tensor.empty() : tensor<3x5xi32>
  %start = linalg.fill ins(%zero : i32) outs(%empty : tensor<3x5xi32>) -> tensor<3x5xi32>
  %p = linalg.generic {indexing_maps = [#a, #b, #c], iterator_types = ["parallel", "parallel", "reduction"]}
    ins(%x, %y : tensor<3x4xi32>, tensor<4x5xi32>) outs(%start : tensor<3x5xi32>) {
  ^bb0(%l: i32, %r: i32, %s: i32):
    %0 = arith.muli %l, %r : i32
    %1 = arith.addi %s, %0 : i32
    linalg.yield %1 : i32
  } -> tensor<3x5xi32>
  %q = linalg.generic {indexing_maps = [#a, #b, #c], iterator_types = ["parallel", "parallel", "reduction"]}
    ins(%x, %y : tensor<3x4xi32>, tensor<4x5xi32>) outs(%start : tensor<3x5xi32>) {
  ^bb0(%l: i32, %r: i32, %s: i32):
    %0 = arith.addi %l, %r : i32
    %1 = arith.addi %s, %0 : i32
    linalg.yield %1 : i32
  } -> tensor<3x5xi32>
  %r = linalg.generic {indexing_maps = [#id, #id, #column, #id], iterator_types = ["parallel", "parallel"]}
    ins(%p, %q, %f : tensor<3x5xi32>, tensor<3x5xi32>, tensor<5xi32>) outs(%empty : tensor<3x5xi32>) {
  ^bb0(%l: i32, %r: i32, %g: i32, %o: i32):
    %0 = arith.muli %l, %g : i32
    %1 = arith.trunci %0 : i32 to i8
    %2 = arith.extsi %1 : i8 to i32
    %3 = arith.addi %2, %r : i32
    linalg.yield %3 : i32
  } -> tensor<3x5xi32>
  return %r : tensor<3x5xi32>
}

// -----

#a = affine_map<(m, n, k) -> (m, k)>
#b = affine_map<(m, n, k) -> (k, n)>
#c = affine_map<(m, n, k) -> (m, n)>
#id = affine_map<(m, n) -> (m, n)>

// The sums themselves are needed, too.
// CHECK-LABEL: func.func @needed(
// CHECK-COUNT-3: linalg.generic
//   CHECK-NOT:   linalg.generic
//       CHECK:   return
func.func @needed(%x: tensor<3x4xi32>, %y: tensor<4x5xi32>) -> tensor<3x5xi32> {
  %zero = arith.constant 0 : i32
  %empty = tensor.empty() : tensor<3x5xi32>
  %start = linalg.fill ins(%zero : i32) outs(%empty : tensor<3x5xi32>) -> tensor<3x5xi32>
  %p = linalg.generic {indexing_maps = [#a, #b, #c], iterator_types = ["parallel", "parallel", "reduction"]}
    ins(%x, %y : tensor<3x4xi32>, tensor<4x5xi32>) outs(%start : tensor<3x5xi32>) {
  ^bb0(%l: i32, %r: i32, %s: i32):
    %0 = arith.muli %l, %r : i32
    %1 = arith.addi %s, %0 : i32
    linalg.yield %1 : i32
  } -> tensor<3x5xi32>
  %q = linalg.generic {indexing_maps = [#a, #b, #c], iterator_types = ["parallel", "parallel", "reduction"]}
    ins(%x, %y : tensor<3x4xi32>, tensor<4x5xi32>) outs(%start : tensor<3x5xi32>) {
  ^bb0(%l: i32, %r: i32, %s: i32):
    %0 = arith.addi %l, %r : i32
    %1 = arith.addi %s, %0 : i32
    linalg.yield %1 : i32
  } -> tensor<3x5xi32>
  %r = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel"]}
    ins(%p, %q : tensor<3x5xi32>, tensor<3x5xi32>) outs(%empty : tensor<3x5xi32>) {
  ^bb0(%l: i32, %r: i32, %o: i32):
    %0 = arith.trunci %l : i32 to i8
    %1 = arith.extsi %0 : i8 to i32
    %2 = arith.addi %1, %l : i32
    %3 = arith.addi %2, %r : i32
    linalg.yield %3 : i32
  } -> tensor<3x5xi32>
  return %r : tensor<3x5xi32>
}

// -----

#a = affine_map<(m, n, k) -> (m, k)>
#b = affine_map<(m, n, k) -> (k, n)>
#c = affine_map<(m, n, k) -> (m, n)>
#id = affine_map<(m, n) -> (m, n)>

// Sums that are not read are none that another nest could have: this one is narrow already.
// CHECK-LABEL: func.func @not_read(
// CHECK-COUNT-2: linalg.generic
//   CHECK-NOT:   linalg.generic
//       CHECK:   return
func.func @not_read(%x: tensor<3x4xi32>, %y: tensor<4x5xi32>) -> tensor<3x5xi8> {
  %zero = arith.constant 0 : i32
  %empty = tensor.empty() : tensor<3x5xi32>
  %narrow = tensor.empty() : tensor<3x5xi8>
  %start = linalg.fill ins(%zero : i32) outs(%empty : tensor<3x5xi32>) -> tensor<3x5xi32>
  %p = linalg.generic {indexing_maps = [#a, #b, #c], iterator_types = ["parallel", "parallel", "reduction"]}
    ins(%x, %y : tensor<3x4xi32>, tensor<4x5xi32>) outs(%start : tensor<3x5xi32>) {
  ^bb0(%l: i32, %r: i32, %s: i32):
    %0 = arith.muli %l, %r : i32
    %1 = arith.addi %s, %0 : i32
    linalg.yield %1 : i32
  } -> tensor<3x5xi32>
  %q = linalg.generic {indexing_maps = [#a, #b, #c], iterator_types = ["parallel", "parallel", "reduction"]}
    ins(%x, %y : tensor<3x4xi32>, tensor<4x5xi32>) outs(%start : tensor<3x5xi32>) {
  ^bb0(%l: i32, %r: i32, %s: i32):
    %0 = arith.addi %l, %r : i32
    %1 = arith.addi %s, %0 : i32
    linalg.yield %1 : i32
  } -> tensor<3x5xi32>
  %r = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel"]}
    ins(%p, %q : tensor<3x5xi32>, tensor<3x5xi32>) outs(%narrow : tensor<3x5xi8>) {
  ^bb0(%l: i32, %r: i32, %o: i8):
    %0 = arith.trunci %l : i32 to i8
    linalg.yield %0 : i8
  } -> tensor<3x5xi8>
  return %r : tensor<3x5xi8>
}
