// RUN: dl-opt %s --convert-cf-to-llvm | FileCheck %s

// The arguments of blocks that are branched to are converted.
// CHECK-LABEL: func.func @index_argument
//  CHECK-SAME:   (%[[C:.*]]: i1, %[[I:.*]]: index)
func.func @index_argument(%c: i1, %i: index) -> index {
  // CHECK-NEXT:  %[[X:.*]] = builtin.unrealized_conversion_cast %[[I]] : index to i64
  // CHECK-NEXT:  llvm.cond_br %[[C]] weights([7, 3]), ^[[A:.*]](%[[X]] : i64), ^[[B:.*]]
  // CHECK-NEXT: ^[[A]](%[[Y:.*]]: i64):
  // CHECK-NEXT:  %[[R:.*]] = builtin.unrealized_conversion_cast %[[Y]] : i64 to index
  // CHECK-NEXT:  return %[[R]]
  // CHECK-NEXT: ^[[B]]:
  // CHECK-NEXT:  llvm.br ^[[A]](%[[X]] : i64) {foo}
  cf.cond_br %c weights([7, 3]), ^a(%i : index), ^b
^a(%y: index):
  return %y : index
^b:
  cf.br ^a(%i : index) {foo}
}

// CHECK-LABEL: func.func @switch
//  CHECK-SAME:   (%[[F:.*]]: i32, %[[X:.*]]: i64)
func.func @switch(%f: i32, %x: i64) -> i64 {
  // CHECK-NEXT: llvm.switch %[[F]] : i32, ^[[A:.*]](%[[X]] : i64) [
  // CHECK-NEXT:   2: ^[[A]](%[[X]] : i64)
  // CHECK-NEXT: ]
  cf.switch %f : i32, [
    default: ^a(%x : i64),
    2: ^a(%x : i64)
  ]
^a(%y: i64):
  return %y : i64
}
