// RUN: dl-opt %s --convert-scf-to-cf | FileCheck %s

func.func private @use(index)

// CHECK-LABEL: func.func @for
//  CHECK-SAME:   (%[[LB:.*]]: index, %[[UB:.*]]: index, %[[S:.*]]: index, %[[X:.*]]: f32)
func.func @for(%lb: index, %ub: index, %s: index, %x: f32) -> f32 {
  // CHECK-NEXT:  cf.br ^[[COND:.*]](%[[LB]], %[[X]] : index, f32)
  // CHECK-NEXT: ^[[COND]](%[[I:.*]]: index, %[[ACC:.*]]: f32):
  // CHECK-NEXT:  %[[GO:.*]] = arith.cmpi slt, %[[I]], %[[UB]] : index
  // CHECK-NEXT:  cf.cond_br %[[GO]], ^[[BODY:.*]], ^[[END:.*]]
  // CHECK-NEXT: ^[[BODY]]:
  // CHECK-NEXT:  %[[SUM:.*]] = arith.addf %[[ACC]], %[[X]]
  // CHECK-NEXT:  %[[NEXT:.*]] = arith.addi %[[I]], %[[S]]
  // CHECK-NEXT:  cf.br ^[[COND]](%[[NEXT]], %[[SUM]] : index, f32)
  // CHECK-NEXT: ^[[END]]:
  // CHECK-NEXT:  return %[[ACC]] : f32
  %r = scf.for %i = %lb to %ub step %s iter_args(%acc = %x) -> (f32) {
    %sum = arith.addf %acc, %x : f32
    scf.yield %sum : f32
  }
  return %r : f32
}

// CHECK-LABEL: func.func @unsigned_for
func.func @unsigned_for(%lb: index, %ub: index, %s: index) {
  // CHECK: arith.cmpi ult
  scf.for unsigned %i = %lb to %ub step %s {
    func.call @use(%i) : (index) -> ()
  }
  return
}

// What LLVM is told about a loop stands at the branch back; other attributes go.
// CHECK-LABEL: func.func @annotated_for
func.func @annotated_for(%lb: index, %ub: index, %s: index) {
  // CHECK: arith.addi
  // CHECK: cf.br ^{{.*}}(%{{.*}} : index) {llvm.loop_annotation = #{{.*}}}
  // CHECK-NOT: other
  scf.for %i = %lb to %ub step %s {
    func.call @use(%i) : (index) -> ()
  } {llvm.loop_annotation = #llvm.loop_annotation<disableNonforced = true>, other = 3 : i32}
  return
}

// CHECK-LABEL: func.func @while
//  CHECK-SAME:   (%[[A:.*]]: index, %[[B:.*]]: index)
func.func @while(%a: index, %b: index) -> index {
  // CHECK-NEXT:  cf.br ^[[BEFORE:.*]](%[[A]] : index)
  // CHECK-NEXT: ^[[BEFORE]](%[[X:.*]]: index):
  // CHECK-NEXT:  %[[GO:.*]] = arith.cmpi slt, %[[X]], %[[B]]
  // CHECK-NEXT:  cf.cond_br %[[GO]], ^[[AFTER:.*]](%[[X]] : index), ^[[END:.*]]
  // CHECK-NEXT: ^[[AFTER]](%[[Y:.*]]: index):
  // CHECK-NEXT:  %[[Z:.*]] = arith.addi %[[Y]], %[[Y]]
  // CHECK-NEXT:  cf.br ^[[BEFORE]](%[[Z]] : index)
  // CHECK-NEXT: ^[[END]]:
  // CHECK-NEXT:  return %[[X]]
  %r = scf.while (%x = %a) : (index) -> index {
    %go = arith.cmpi slt, %x, %b : index
    scf.condition(%go) %x : index
  } do {
  ^bb0(%y: index):
    %z = arith.addi %y, %y : index
    scf.yield %z : index
  }
  return %r : index
}

// A second region that only passes values on needs no block.
// CHECK-LABEL: func.func @do_while
//  CHECK-SAME:   (%[[A:.*]]: index, %[[B:.*]]: index)
func.func @do_while(%a: index, %b: index) -> index {
  // CHECK-NEXT:  cf.br ^[[BODY:.*]](%[[A]] : index)
  // CHECK-NEXT: ^[[BODY]](%[[X:.*]]: index):
  // CHECK-NEXT:  %[[Y:.*]] = arith.addi %[[X]], %[[X]]
  // CHECK-NEXT:  %[[GO:.*]] = arith.cmpi slt, %[[Y]], %[[B]]
  // CHECK-NEXT:  cf.cond_br %[[GO]], ^[[BODY]](%[[Y]] : index), ^[[END:.*]]
  // CHECK-NEXT: ^[[END]]:
  // CHECK-NEXT:  return %[[Y]]
  %r = scf.while (%x = %a) : (index) -> index {
    %y = arith.addi %x, %x : index
    %go = arith.cmpi slt, %y, %b : index
    scf.condition(%go) %y : index
  } do {
  ^bb0(%y: index):
    scf.yield %y : index
  }
  return %r : index
}

// CHECK-LABEL: func.func @parallel_with_reduction
//  CHECK-SAME:   (%[[A:.*]]: index, %[[B:.*]]: index, %[[X:.*]]: f32)
func.func @parallel_with_reduction(%a: index, %b: index, %x: f32) -> f32 {
  // CHECK: cf.br ^[[COND:.*]](%[[A]], %[[X]] : index, f32)
  // CHECK: ^[[COND]](%[[I:.*]]: index, %[[ACC:.*]]: f32):
  // CHECK: %[[SUM:.*]] = arith.addf %[[ACC]], %[[X]]
  // CHECK: cf.br ^[[COND]](%{{.*}}, %[[SUM]] : index, f32)
  %r = scf.parallel (%i) = (%a) to (%b) step (%a) init (%x) -> f32 {
    scf.reduce(%x : f32) {
    ^bb0(%l: f32, %r: f32):
      %s = arith.addf %l, %r : f32
      scf.reduce.return %s : f32
    }
  }
  return %r : f32
}

// CHECK-LABEL: func.func @forall
//  CHECK-SAME:   (%[[N:.*]]: index)
func.func @forall(%n: index) {
  // CHECK: %[[I_GO:.*]] = arith.cmpi slt, %[[I:.*]], %{{.*}} : index
  // CHECK: %[[J_GO:.*]] = arith.cmpi slt, %[[J:.*]], %[[N]] : index
  // CHECK: call @use(%[[I]])
  // CHECK-NOT: scf
  scf.forall (%i, %j) in (5, %n) {
    func.call @use(%i) : (index) -> ()
  }
  return
}
