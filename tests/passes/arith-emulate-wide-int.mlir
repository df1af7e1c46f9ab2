// RUN: dl-opt %s --arith-emulate-wide-int --split-input-file | FileCheck %s
// RUN: not dl-opt %s --arith-emulate-wide-int=widest-int-supported=24 --split-input-file 2>&1 | FileCheck %s --check-prefix=WIDTH

// WIDTH: error: {{.*}}the widest supported integer must have a number of bits that is a power of two

// CHECK-LABEL: func.func @add
// CHECK-SAME: (%[[A:.*]]: vector<2xi32>, %[[B:.*]]: vector<2xi32>) -> vector<2xi32>
// CHECK: %[[A0:.*]] = vector.extract %[[A]][0]
// CHECK: %[[A1:.*]] = vector.extract %[[A]][1]
// CHECK: %[[B0:.*]] = vector.extract %[[B]][0]
// CHECK: %[[B1:.*]] = vector.extract %[[B]][1]
// CHECK: %[[LOW:.*]], %[[CARRY:.*]] = arith.addui_extended %[[A0]], %[[B0]] : i32, i1
// CHECK: %[[MORE:.*]] = arith.extui %[[CARRY]] : i1 to i32
// CHECK: %[[PART:.*]] = arith.addi %[[MORE]], %[[A1]] : i32
// CHECK: %[[HIGH:.*]] = arith.addi %[[PART]], %[[B1]] : i32
// CHECK: %[[R0:.*]] = vector.insert %[[LOW]], %{{.*}} [0]
// CHECK: %[[R1:.*]] = vector.insert %[[HIGH]], %[[R0]] [1]
// CHECK: return %[[R1]] : vector<2xi32>
func.func @add(%a: i64, %b: i64) -> i64 {
  %c = arith.addi %a, %b : i64
  return %c : i64
}

// The low half first.
// CHECK-LABEL: func.func @constant
// CHECK: arith.constant dense<[-1985229329, 19088743]> : vector<2xi32>
// CHECK: arith.constant dense<{{\[\[}}1, 0], [-1, -1], [0, 1]]> : vector<3x2xi32>
func.func @constant() -> (i64, vector<3xi64>) {
  %a = arith.constant 81985529216486895 : i64
  %b = arith.constant dense<[1, -1, 4294967296]> : vector<3xi64>
  return %a, %b : i64, vector<3xi64>
}

// Signs are compared in the high half only.
// CHECK-LABEL: func.func @compare
// CHECK: %[[LOW:.*]] = arith.cmpi ult
// CHECK: %[[HIGH:.*]] = arith.cmpi slt
// CHECK: %[[SAME:.*]] = arith.cmpi eq
// CHECK: %[[R:.*]] = arith.select %[[SAME]], %[[LOW]], %[[HIGH]] : i1
// CHECK: return %[[R]]
func.func @compare(%a: i64, %b: i64) -> i1 {
  %c = arith.cmpi slt, %a, %b : i64
  return %c : i1
}

// CHECK-LABEL: func.func @vectors
// CHECK-SAME: (%{{.*}}: vector<3x2xi32>) -> vector<3xi16>
// CHECK: vector.extract_strided_slice %{{.*}} {offsets = [0, 0], sizes = [3, 1], strides = [1, 1]}
// CHECK: vector.shape_cast %{{.*}} : vector<3x1xi32> to vector<3xi32>
// CHECK: arith.trunci %{{.*}} : vector<3xi32> to vector<3xi16>
func.func @vectors(%a: vector<3xi64>) -> vector<3xi16> {
  %b = arith.trunci %a : vector<3xi64> to vector<3xi16>
  return %b : vector<3xi16>
}

// Calls pass halves; narrow integers stay.
// CHECK-LABEL: func.func @caller
// CHECK-SAME: (%[[A:.*]]: vector<2xi32>, %[[B:.*]]: i32)
// CHECK: call @callee(%[[A]], %[[B]]) : (vector<2xi32>, i32) -> vector<2xi32>
// CHECK: arith.addi %[[B]], %[[B]] : i32
func.func private @callee(i64, i32) -> i64
func.func @caller(%a: i64, %b: i32) -> (i64, i32) {
  %c = call @callee(%a, %b) : (i64, i32) -> i64
  %d = arith.addi %b, %b : i32
  return %c, %d : i64, i32
}

// Functions of other dialects keep their types, and their blocks.

// CHECK-LABEL: llvm.func @other
// CHECK-SAME:      (%[[A:.*]]: i64) -> i64
// CHECK-NEXT:    llvm.br ^bb1(%[[A]] : i64)
// CHECK-NEXT:  ^bb1(%[[B:.*]]: i64):
// CHECK-NEXT:    llvm.return %[[B]] : i64
llvm.func @other(%a: i64) -> i64 {
  llvm.br ^bb1(%a : i64)
^bb1(%b: i64):
  llvm.return %b : i64
}
