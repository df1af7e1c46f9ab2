// RUN: dl-opt %s --lift-cf-to-scf --allow-unregistered-dialect --split-input-file | FileCheck %s

// CHECK-LABEL: func.func @counted
//  CHECK-SAME:   (%[[N:[a-z0-9]+]]: i32)
//       CHECK:   %[[SUMS:[0-9]+]]:3 = scf.while (%[[I:[a-z0-9]+]] = %{{[a-z0-9_]+}}, %[[SUM:[a-z0-9]+]] = %{{[a-z0-9_]+}}, %{{.*}}) : (i32, i32, i32)
//       CHECK:     %[[LESS:.*]] = arith.cmpi slt, %[[I]], %[[N]]
//       CHECK:     scf.if %[[LESS]]
//       CHECK:       arith.addi %[[SUM]], %[[I]]
//       CHECK:     scf.condition
//       CHECK:   return %[[SUMS]]#2
func.func @counted(%n: i32) -> i32 {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  cf.br ^head(%zero, %zero : i32, i32)
^head(%i: i32, %sum: i32):
  %less = arith.cmpi slt, %i, %n : i32
  cf.cond_br %less, ^body, ^end
^body:
  %sums = arith.addi %sum, %i : i32
  %next = arith.addi %i, %one : i32
  cf.br ^head(%next, %sums : i32, i32)
^end:
  return %sum : i32
}

// -----

// What is used behind the loop is handed out of it, also where not every iteration defines it.
// CHECK-LABEL: func.func @used_behind
//       CHECK:   %[[NONE:.*]] = ub.poison : i32
//       CHECK:   %[[OUT:.*]]:2 = scf.while
//       CHECK:     %[[VALUE:.*]] = "test.value"
//       CHECK:     scf.condition
//       CHECK:   "test.use"(%[[OUT]]#{{[01]}})
func.func @used_behind(%c: i1, %d: i1) {
  cf.br ^head
^head:
  cf.cond_br %c, ^body, ^end
^body:
  %value = "test.value"() : () -> i32
  cf.cond_br %d, ^head, ^use
^use:
  "test.use"(%value) : (i32) -> ()
  cf.br ^end
^end:
  return
}

// -----

// A cycle that is entered in two places gets one entry.
// CHECK-LABEL: func.func @two_entries
//       CHECK:   scf.if
//       CHECK:   scf.while
//       CHECK:     scf.index_switch
//   CHECK-DAG:       "test.a"
//   CHECK-DAG:       "test.b"
//   CHECK-NOT:   {{[[:space:]]}}cf.
//       CHECK:   return
func.func @two_entries(%c: i1) {
  cf.cond_br %c, ^a, ^b
^a:
  %again = "test.a"() : () -> i1
  cf.cond_br %again, ^b, ^end
^b:
  %go = "test.b"() : () -> i1
  cf.cond_br %go, ^a, ^end
^end:
  return
}

// -----

// A loop without end is followed by a return that is never reached.
// CHECK-LABEL: func.func @endless
//       CHECK:   scf.while
//       CHECK:     "test.work"
//       CHECK:   %[[NONE:.*]] = ub.poison : f32
//       CHECK:   return %[[NONE]]
func.func @endless() -> f32 {
  cf.br ^work
^work:
  "test.work"() : () -> ()
  cf.br ^work
}

// -----

// CHECK-LABEL: func.func @nest
//       CHECK:   scf.while
//       CHECK:     "test.outer"
//       CHECK:     scf.while
//       CHECK:       "test.inner"
//       CHECK:       scf.condition
//       CHECK:     scf.condition
//   CHECK-NOT:   {{[[:space:]]}}cf.
func.func @nest() {
  cf.br ^outer
^outer:
  "test.outer"() : () -> ()
  cf.br ^inner
^inner:
  %again = "test.inner"() : () -> i1
  cf.cond_br %again, ^inner, ^next
^next:
  %more = "test.next"() : () -> i1
  cf.cond_br %more, ^outer, ^end
^end:
  return
}

// -----

// What a conditional yields does not follow from the branch that a region ends with for now.

// CHECK-LABEL: func.func @loop_in_branch
// CHECK-SAME: (%[[A:[a-z0-9]+]]: i32, %[[C:[a-z0-9]+]]: i1)
// CHECK: scf.if %[[C]] {
// CHECK-NEXT: scf.while (%[[X:[a-z0-9]+]] = %[[A]]) : (i32) -> i32 {
// CHECK: scf.condition
// CHECK: scf.yield %{{[a-z0-9]+}} : i32
// CHECK: } else {
// CHECK-NEXT: }
// CHECK-NEXT: return
func.func @loop_in_branch(%a: i32, %c: i1) {
  cf.cond_br %c, ^enter, ^end
^enter:
  cf.br ^loop(%a : i32)
^loop(%x: i32):
  cf.cond_br %c, ^loop(%x : i32), ^end
^end:
  return
}
