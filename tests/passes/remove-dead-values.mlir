// RUN: dl-opt %s --remove-dead-values=canonicalize=false --split-input-file | FileCheck %s

// What no caller needs is neither passed nor returned.
// CHECK-LABEL: func.func private @callee
//  CHECK-SAME:   (%[[X:.*]]: i32) -> i32
func.func private @callee(%x: i32, %y: i32) -> (i32, i32) {
  // CHECK-NEXT: return %[[X]] : i32
  %z = arith.muli %y, %y : i32
  return %x, %z : i32, i32
}

// CHECK-LABEL: func.func @caller
//  CHECK-SAME:   (%[[A:.*]]: i32, %{{.*}}: i32)
func.func @caller(%a: i32, %b: i32) -> i32 {
  // CHECK-NEXT: %[[R:.*]] = call @callee(%[[A]]) : (i32) -> i32
  // CHECK-NEXT: return %[[R]]
  %r, %s = call @callee(%a, %b) : (i32, i32) -> (i32, i32)
  return %r : i32
}

// -----

// Somebody else may call a public function, and a function whose address is taken.
// CHECK-LABEL: func.func @public
//  CHECK-SAME:   (%{{.*}}: i32) -> i32
func.func @public(%x: i32) -> i32 {
  return %x : i32
}
// CHECK-LABEL: func.func private @taken
//  CHECK-SAME:   (%{{.*}}: i32) -> i32
func.func private @taken(%x: i32) -> i32 {
  return %x : i32
}
func.func @use(%x: i32) -> ((i32) -> i32) {
  %0 = call @public(%x) : (i32) -> i32
  %1 = call @taken(%x) : (i32) -> i32
  %f = constant @taken : (i32) -> i32
  return %f : (i32) -> i32
}

// -----

// CHECK-LABEL: func.func @blocks
func.func @blocks(%c: i1, %x: i32) -> i32 {
  // CHECK-NEXT: cf.cond_br %{{.*}}, ^bb1, ^bb2
  // CHECK-NEXT: ^bb1:
  // CHECK-NEXT: cf.br ^bb2
  // CHECK-NEXT: ^bb2:
  // CHECK-NEXT: return %{{.*}}
  %y = arith.addi %x, %x : i32
  cf.cond_br %c, ^bb1(%y : i32), ^bb2(%x : i32)
^bb1(%a: i32):
  %b = arith.muli %a, %a : i32
  cf.br ^bb2(%b : i32)
^bb2(%d: i32):
  return %x : i32
}

// -----

// A value that only the next iteration sees does not matter.
// CHECK-LABEL: func.func @loop
func.func @loop(%n: index, %x: i32) -> i32 {
  // CHECK: %[[P:.*]] = ub.poison : i32
  // CHECK: scf.for {{.*}} iter_args(%[[A:.*]] = %{{.*}}, %{{.*}} = %[[P]])
  // CHECK-NEXT: %[[S:.*]] = arith.addi %[[A]], %[[A]]
  // CHECK-NEXT: %[[Q:.*]] = ub.poison : i32
  // CHECK-NEXT: scf.yield %[[S]], %[[Q]]
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%a = %x, %b = %x) -> (i32, i32) {
    %s = arith.addi %a, %a : i32
    %t = arith.muli %b, %b : i32
    scf.yield %s, %t : i32, i32
  }
  return %r#0 : i32
}

// -----

// Effects stay with all that they need.
// CHECK-LABEL: func.func @effects
func.func @effects(%c: i1, %m: memref<i32>, %x: i32) {
  // CHECK-NEXT: arith.addi
  // CHECK-NEXT: scf.if
  // CHECK-NEXT:   memref.store
  %y = arith.addi %x, %x : i32
  %z = arith.muli %x, %x : i32
  %r = scf.if %c -> i32 {
    memref.store %y, %m[] : memref<i32>
    scf.yield %z : i32
  } else {
    scf.yield %z : i32
  }
  return
}
