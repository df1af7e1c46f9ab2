// RUN: dl-opt %s --print-op-stats --allow-unregistered-dialect -o /dev/null 2>&1 | FileCheck %s --strict-whitespace
// RUN: dl-opt %s --print-op-stats=json=true --allow-unregistered-dialect -o /dev/null 2>&1 | FileCheck %s --check-prefix=JSON
// RUN: dl-opt %s --pass-pipeline='builtin.module(func.func(print-op-stats))' --allow-unregistered-dialect -o /dev/null 2>&1 | FileCheck %s --check-prefix=NESTED

// CHECK:Operations encountered:
// CHECK-NEXT:-----------------------
// CHECK-NEXT:    arith.addi            , 2
// CHECK-NEXT:  builtin.module          , 1
// CHECK-NEXT:     func.func            , 2
// CHECK-NEXT:     func.return          , 1
// CHECK-NEXT:     some.long_name_of_op , 1

// JSON: {
// JSON-NEXT: "arith.addi" : 2,
// JSON-NEXT: "builtin.module" : 1,
// JSON-NEXT: "func.func" : 2,
// JSON-NEXT: "func.return" : 1,
// JSON-NEXT: "some.long_name_of_op" : 1
// JSON-NEXT: }

// Each function for itself, in order.
// NESTED: arith.addi{{[[:space:]]+}}, 2
// NESTED: Operations encountered:
// NESTED: func.func , 1

func.func @sums(%a: i32) -> i32 {
  %b = arith.addi %a, %a : i32
  %c = arith.addi %b, %a : i32
  "some.long_name_of_op"(%c) : (i32) -> ()
  return %c : i32
}

func.func private @declared()
