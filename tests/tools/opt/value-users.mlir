// RUN: dl-opt %s --mlir-print-value-users | FileCheck %s
// RUN: dl-opt %s --mlir-print-value-users | dl-opt | FileCheck %s --check-prefix=READ

// A user is called by its results, the last one first; one without results by a number that is shown where it stands.
// CHECK-LABEL: func.func @users
//  CHECK-NEXT:   // %arg0 is used by %[[FOR:[0-9]+]], %[[ADD:[0-9]+]]
//  CHECK-NEXT:   // %arg1 is used by %[[FOR]]
//  CHECK-NEXT:   %c3 = arith.constant 3 : index // users: %[[FOR]], %[[INNER:[0-9]+]], %[[ADD]]
//  CHECK-NEXT:   %[[ADD]] = arith.addi %arg0, %c3 : index // user: %[[RETURN:[0-9]+]]
//  CHECK-NEXT:   scf.for %arg2 = %arg0 to %arg1 step %c3 {
//  CHECK-NEXT:     // %arg2 is used by %[[INNER]]
//  CHECK-NEXT:     %[[INNER]] = arith.addi %arg2, %c3 : index // unused
//  CHECK-NEXT:   } // id: %[[FOR]]
//  CHECK-NEXT:   return %[[ADD]] : index // id: %[[RETURN]]
// READ-LABEL: func.func @users
func.func @users(%from: index, %to: index) -> index {
  %step = arith.constant 3 : index
  %sum = arith.addi %from, %step : index
  scf.for %i = %from to %to step %step {
    %unused = arith.addi %i, %step : index
  }
  return %sum : index
}

// Each result has its users, and a user that reads a value twice is one.
// CHECK-LABEL: func.func @results
//  CHECK-NEXT:   // %arg0 is used by %[[PAIR:[0-9]+]]#0, %[[PAIR]]#1
//  CHECK-NEXT:   // %arg1 is unused
//  CHECK-NEXT:   %[[PAIR]]:2 = call @pair(%arg0) : (i32) -> (i32, i32) // users: (%[[SUM:[0-9]+]]), (unused)
//  CHECK-NEXT:   %[[SUM]] = arith.addi %[[PAIR]]#0, %[[PAIR]]#0 : i32 // unused
//  CHECK-NEXT:   return
func.func @results(%a: i32, %b: i32) {
  %pair:2 = call @pair(%a) : (i32) -> (i32, i32)
  %sum = arith.addi %pair#0, %pair#0 : i32
  return
}

func.func private @pair(i32) -> (i32, i32)
