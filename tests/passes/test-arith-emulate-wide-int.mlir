// RUN: dl-opt %s --test-arith-emulate-wide-int="widest-int-supported=8" | FileCheck %s
// RUN: dl-opt %s --test-arith-emulate-wide-int="widest-int-supported=8 function-prefix=plain" | FileCheck %s --check-prefix=OTHER
// RUN: not dl-opt %s --test-arith-emulate-wide-int="widest-int-supported=6" 2>&1 | FileCheck %s --check-prefix=WIDTH

// WIDTH: error: 'func.func' op the widest supported integer must have a number of bits that is a power of two

// Functions keep their types: what comes in and what goes out is cast.

// CHECK-LABEL: func.func @emulate_sum
// CHECK-SAME:      (%[[A:.*]]: i16) -> i16
// CHECK:         %[[HALVES:.*]] = llvm.bitcast %[[A]] : i16 to vector<2xi8>
// CHECK:         arith.addui_extended
// CHECK:         %[[SUM:.*]] = llvm.bitcast %{{.*}} : vector<2xi8> to i16
// CHECK-NEXT:    vector.print %[[HALVES]] : vector<2xi8>
// CHECK:         return %[[SUM]] : i16

// OTHER-LABEL: func.func @emulate_sum
// OTHER-NEXT:    arith.addi
func.func @emulate_sum(%a: i16) -> i16 {
  %sum = arith.addi %a, %a : i16
  vector.print %a : i16
  return %sum : i16
}

// CHECK-LABEL: func.func @plain_sum
// CHECK-NEXT:    arith.addi %{{.*}}, %{{.*}} : i16

// OTHER-LABEL: func.func @plain_sum
// OTHER:         arith.addui_extended
func.func @plain_sum(%a: i16) -> i16 {
  %sum = arith.addi %a, %a : i16
  return %sum : i16
}
