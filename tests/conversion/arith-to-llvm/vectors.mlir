// RUN: dl-opt %s --convert-arith-to-llvm | FileCheck %s

// CHECK-LABEL: func.func @one_dimension
//  CHECK-SAME:   (%[[V:.*]]: vector<4xf32>)
func.func @one_dimension(%v: vector<4xf32>) -> vector<4xf32> {
  // CHECK-NEXT: llvm.fadd %[[V]], %[[V]] : vector<4xf32>
  %0 = arith.addf %v, %v : vector<4xf32>
  return %0 : vector<4xf32>
}

// Outer dimensions are arrays: the operation is done for each vector in them.
// CHECK-LABEL: func.func @two_dimensions
//  CHECK-SAME:   (%[[V:.*]]: vector<2x3xf32>)
func.func @two_dimensions(%v: vector<2x3xf32>) -> vector<2x3xf32> {
  // CHECK:      %[[A:.*]] = builtin.unrealized_conversion_cast %[[V]] : vector<2x3xf32> to !llvm.array<2 x vector<3xf32>>
  // CHECK-NEXT: %[[P:.*]] = llvm.mlir.poison : !llvm.array<2 x vector<3xf32>>
  // CHECK-NEXT: %[[X0:.*]] = llvm.extractvalue %[[A]][0]
  // CHECK-NEXT: %[[N0:.*]] = llvm.fneg %[[X0]] : vector<3xf32>
  // CHECK-NEXT: %[[R0:.*]] = llvm.insertvalue %[[N0]], %[[P]][0]
  // CHECK-NEXT: %[[X1:.*]] = llvm.extractvalue %[[A]][1]
  // CHECK-NEXT: %[[N1:.*]] = llvm.fneg %[[X1]] : vector<3xf32>
  // CHECK-NEXT: %[[R1:.*]] = llvm.insertvalue %[[N1]], %[[R0]][1]
  // CHECK-NEXT: %[[R:.*]] = builtin.unrealized_conversion_cast %[[R1]]
  // CHECK-NEXT: return %[[R]]
  %0 = arith.negf %v : vector<2x3xf32>
  return %0 : vector<2x3xf32>
}

// CHECK-LABEL: func.func @constant
func.func @constant() -> vector<2x3xf32> {
  // CHECK: llvm.mlir.constant(dense<1.000000e+00> : vector<2x3xf32>) : !llvm.array<2 x vector<3xf32>>
  %0 = arith.constant dense<1.0> : vector<2x3xf32>
  return %0 : vector<2x3xf32>
}
