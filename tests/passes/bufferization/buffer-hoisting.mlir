// RUN: dl-opt %s --buffer-hoisting --split-input-file | FileCheck %s

// Both branches lead to one use: the allocation can be freed after it in one place.
// CHECK-LABEL: func.func @handed_on_from_a_branch
//  CHECK-NEXT:   memref.alloc() : memref<4xf32>
//  CHECK-NEXT:   cf.cond_br
func.func @handed_on_from_a_branch(%c: i1, %a: memref<4xf32>, %out: memref<4xf32>) {
  cf.cond_br %c, ^given, ^new
^given:
  cf.br ^use(%a : memref<4xf32>)
^new:
  %b = memref.alloc() : memref<4xf32>
  cf.br ^use(%b : memref<4xf32>)
^use(%x: memref<4xf32>):
  memref.copy %x, %out : memref<4xf32> to memref<4xf32>
  return
}

// -----

// The size is an argument of the branch's block.
// CHECK-LABEL: func.func @size_is_not_known_above
//  CHECK-NEXT:   cf.cond_br
//       CHECK: ^{{.*}}(%[[N:.*]]: index):
//  CHECK-NEXT:   memref.alloc(%[[N]])
func.func @size_is_not_known_above(%c: i1, %n: index, %a: memref<?xf32>, %out: memref<?xf32>) {
  cf.cond_br %c, ^given, ^new(%n : index)
^given:
  cf.br ^use(%a : memref<?xf32>)
^new(%m: index):
  %b = memref.alloc(%m) : memref<?xf32>
  cf.br ^use(%b : memref<?xf32>)
^use(%x: memref<?xf32>):
  memref.copy %x, %out : memref<?xf32> to memref<?xf32>
  return
}

// -----

// CHECK-LABEL: func.func @used_in_its_branch_only
//  CHECK-NEXT:   cf.cond_br
//       CHECK:   memref.alloc
func.func @used_in_its_branch_only(%c: i1, %out: memref<4xf32>) {
  cf.cond_br %c, ^new, ^done
^new:
  %b = memref.alloc() : memref<4xf32>
  memref.copy %b, %out : memref<4xf32> to memref<4xf32>
  cf.br ^done
^done:
  return
}

// -----

// CHECK-LABEL: func.func @yielded_by_a_branch
//  CHECK-NEXT:   %[[B:.*]] = memref.alloc() : memref<4xf32>
//  CHECK-NEXT:   scf.if
//       CHECK:     scf.yield %[[B]]
func.func @yielded_by_a_branch(%c: i1, %a: memref<4xf32>) -> memref<4xf32> {
  %r = scf.if %c -> memref<4xf32> {
    %b = memref.alloc() : memref<4xf32>
    scf.yield %b : memref<4xf32>
  } else {
    scf.yield %a : memref<4xf32>
  }
  return %r : memref<4xf32>
}

// -----

// CHECK-LABEL: func.func @stays_in_the_loop
//       CHECK:   scf.for
//  CHECK-NEXT:     memref.alloc
func.func @stays_in_the_loop(%n: index, %a: memref<4xf32>) -> memref<4xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%x = %a) -> memref<4xf32> {
    %b = memref.alloc() : memref<4xf32>
    memref.copy %x, %b : memref<4xf32> to memref<4xf32>
    scf.yield %b : memref<4xf32>
  }
  return %r : memref<4xf32>
}
