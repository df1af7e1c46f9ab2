// RUN: dl-opt %s --convert-vector-to-llvm | FileCheck %s
// RUN: dl-opt %s --convert-vector-to-llvm=vector-contract-lowering=outerproduct | FileCheck %s --check-prefix=OUTER
// RUN: dl-opt %s --convert-vector-to-llvm=vector-contract-lowering=llvmintr | FileCheck %s --check-prefix=INTRINSIC
// RUN: dl-opt %s --convert-vector-to-llvm=force-32bit-vector-indices=false | FileCheck %s --check-prefix=WIDE
// RUN: dl-opt %s --convert-vector-to-llvm=reassociate-fp-reductions | FileCheck %s --check-prefix=REASSOCIATE

// Floats are added in order, unless that is not asked for.
// CHECK-LABEL: func.func @sum
// CHECK: "llvm.intr.vector.reduce.fadd"{{.*}} <{fastmathFlags = #llvm.fastmath<none>}>
// REASSOCIATE-LABEL: func.func @sum
// REASSOCIATE: "llvm.intr.vector.reduce.fadd"{{.*}} <{fastmathFlags = #llvm.fastmath<reassoc>}>
func.func @sum(%v: vector<8xf32>, %init: f32) -> f32 {
  %0 = vector.reduction <add>, %v, %init : vector<8xf32> into f32
  return %0 : f32
}

// Lanes that are off are neutral: negative infinity for the largest.
// CHECK-LABEL: func.func @masked_largest
// CHECK: %[[NEUTRAL:.*]] = llvm.mlir.constant(dense<0xFF800000> : vector<4xf32>)
// CHECK: %[[LANES:.*]] = llvm.select %{{.*}}, %{{.*}}, %[[NEUTRAL]] : vector<4xi1>, vector<4xf32>
// CHECK: llvm.intr.vector.reduce.fmaximum(%[[LANES]])
func.func @masked_largest(%v: vector<4xf32>, %m: vector<4xi1>) -> f32 {
  %0 = vector.mask %m { vector.reduction <maximumf>, %v : vector<4xf32> into f32 } : vector<4xi1> -> f32
  return %0 : f32
}

// A mask compares the numbers of lanes.
// CHECK-LABEL: func.func @mask
// CHECK: arith.constant dense<[0, 1, 2, 3]> : vector<4xi32>
// WIDE-LABEL: func.func @mask
// WIDE: arith.constant dense<[0, 1, 2, 3]> : vector<4xi64>
func.func @mask(%n: index) -> vector<4xi1> {
  %0 = vector.create_mask %n : vector<4xi1>
  return %0 : vector<4xi1>
}

// A product of matrices: a dot product of each row and column, an outer product of each column and row, or the intrinsic.
// CHECK-LABEL: func.func @product
// CHECK-COUNT-4: llvm.intr.vector.reduce.fadd
// CHECK-NOT: llvm.intr.vector.reduce
// CHECK: return
// OUTER-LABEL: func.func @product
// OUTER-COUNT-6: llvm.intr.fmuladd{{.*}} : (vector<2xf32>, vector<2xf32>, vector<2xf32>)
// OUTER-NOT: llvm.intr
// OUTER: return
// INTRINSIC-LABEL: func.func @product
// INTRINSIC: llvm.intr.matrix.multiply {{.*}} {lhs_columns = 3 : i32, lhs_rows = 2 : i32, rhs_columns = 2 : i32}
// INTRINSIC-NOT: vector.contract
// INTRINSIC: return
#a = affine_map<(i, j, k) -> (i, k)>
#b = affine_map<(i, j, k) -> (k, j)>
#c = affine_map<(i, j, k) -> (i, j)>
func.func @product(%a: vector<2x3xf32>, %b: vector<3x2xf32>, %c: vector<2x2xf32>) -> vector<2x2xf32> {
  %0 = vector.contract {indexing_maps = [#a, #b, #c], iterator_types = ["parallel", "parallel", "reduction"]} %a, %b, %c
    : vector<2x3xf32>, vector<3x2xf32> into vector<2x2xf32>
  return %0 : vector<2x2xf32>
}

// The intrinsic adds up, so it does not compute this. (mlir-opt takes it all the same.)
// INTRINSIC-LABEL: func.func @largest_product
// INTRINSIC-NOT: llvm.intr.matrix.multiply
// INTRINSIC: vector.contract {{.*}} kind = #vector.kind<maximumf>
func.func @largest_product(%a: vector<2x3xf32>, %b: vector<3x2xf32>, %c: vector<2x2xf32>) -> vector<2x2xf32> {
  %0 = vector.contract {indexing_maps = [#a, #b, #c], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<maximumf>}
    %a, %b, %c : vector<2x3xf32>, vector<3x2xf32> into vector<2x2xf32>
  return %0 : vector<2x2xf32>
}

// A vector loaded whole is aligned as its elements are.
// CHECK-LABEL: func.func @load
// CHECK: llvm.load %{{.*}} {alignment = 4 : i64} : !llvm.ptr -> vector<4xf32>
func.func @load(%m: memref<8x16xf32>, %i: index, %j: index) -> vector<4xf32> {
  %0 = vector.load %m[%i, %j] : memref<8x16xf32>, vector<4xf32>
  return %0 : vector<4xf32>
}

// The stride counts.
// CHECK-LABEL: func.func @gaps
// CHECK: %[[STRIDE:.*]] = llvm.mlir.constant(2 : index) : i64
// CHECK: %[[AT:.*]] = llvm.mul %{{.*}}, %[[STRIDE]] : i64
// CHECK: llvm.getelementptr %{{.*}}[%[[AT]]] : (!llvm.ptr, i64) -> !llvm.ptr, f32
func.func @gaps(%m: memref<8xf32, strided<[2]>>, %i: index) -> vector<4xf32> {
  %0 = vector.load %m[%i] : memref<8xf32, strided<[2]>>, vector<1xf32>
  %1 = vector.broadcast %0 : vector<1xf32> to vector<4xf32>
  return %1 : vector<4xf32>
}

// What a mask is around is one operation: this one waits until it takes the mask itself.
// CHECK-LABEL: func.func @masked_gather
// CHECK: vector.mask %{{.*}} { vector.gather {{.*}} } : vector<4xi1> -> vector<4xf32>
func.func @masked_gather(%s: memref<8xf32>, %i: vector<4xi32>, %m: vector<4xi1>, %own: vector<4xi1>, %p: vector<4xf32>) -> vector<4xf32> {
  %c0 = arith.constant 0 : index
  %0 = vector.mask %m {
    vector.gather %s[%c0] [%i], %own, %p : memref<8xf32>, vector<4xi32>, vector<4xi1>, vector<4xf32> into vector<4xf32>
  } : vector<4xi1> -> vector<4xf32>
  return %0 : vector<4xf32>
}
