// RUN: dl-opt %s --convert-scf-to-cf --split-input-file --verify-diagnostics | FileCheck %s

func.func private @use(f32)

// CHECK-LABEL: func.func @if_without_else
//  CHECK-SAME:   (%[[C:.*]]: i1, %[[X:.*]]: f32)
func.func @if_without_else(%c: i1, %x: f32) {
  // CHECK-NEXT:  cf.cond_br %[[C]], ^[[THEN:.*]], ^[[END:.*]]
  // CHECK-NEXT: ^[[THEN]]:
  // CHECK-NEXT:  call @use(%[[X]])
  // CHECK-NEXT:  cf.br ^[[END]]
  // CHECK-NEXT: ^[[END]]:
  // CHECK-NEXT:  return
  scf.if %c {
    func.call @use(%x) : (f32) -> ()
  }
  return
}

// CHECK-LABEL: func.func @if_with_result
//  CHECK-SAME:   (%[[C:.*]]: i1, %[[X:.*]]: f32)
func.func @if_with_result(%c: i1, %x: f32) -> f32 {
  // CHECK-NEXT:  cf.cond_br %[[C]], ^[[THEN:.*]], ^[[ELSE:.*]]
  // CHECK-NEXT: ^[[THEN]]:
  // CHECK-NEXT:  cf.br ^[[JOIN:.*]](%[[X]] : f32)
  // CHECK-NEXT: ^[[ELSE]]:
  // CHECK-NEXT:  %[[Y:.*]] = arith.addf %[[X]], %[[X]]
  // CHECK-NEXT:  cf.br ^[[JOIN]](%[[Y]] : f32)
  // CHECK-NEXT: ^[[JOIN]](%[[R:.*]]: f32):
  // CHECK-NEXT:  cf.br ^[[END:.*]]
  // CHECK-NEXT: ^[[END]]:
  // CHECK-NEXT:  return %[[R]]
  %r = scf.if %c -> f32 {
    scf.yield %x : f32
  } else {
    %y = arith.addf %x, %x : f32
    scf.yield %y : f32
  }
  return %r : f32
}

// CHECK-LABEL: func.func @execute_region
//  CHECK-SAME:   (%[[C:.*]]: i1, %[[X:.*]]: f32, %[[Y:.*]]: f32)
func.func @execute_region(%c: i1, %x: f32, %y: f32) -> f32 {
  // CHECK: cf.cond_br %[[C]], ^[[A:.*]], ^[[B:.*]]
  // CHECK: ^[[A]]:
  // CHECK: cf.br ^[[END:.*]](%[[X]] : f32)
  // CHECK: ^[[B]]:
  // CHECK: cf.br ^[[END]](%[[Y]] : f32)
  // CHECK: ^[[END]](%[[R:.*]]: f32):
  // CHECK: return %[[R]]
  %r = scf.execute_region -> f32 {
    cf.cond_br %c, ^bb1, ^bb2
  ^bb1:
    scf.yield %x : f32
  ^bb2:
    scf.yield %y : f32
  }
  return %r : f32
}

// CHECK-LABEL: func.func @index_switch
//  CHECK-SAME:   (%[[I:.*]]: index, %[[X:.*]]: f32, %[[Y:.*]]: f32)
func.func @index_switch(%i: index, %x: f32, %y: f32) -> f32 {
  // CHECK-NEXT: %[[FLAG:.*]] = arith.index_cast %[[I]] : index to i32
  // CHECK-NEXT: cf.switch %[[FLAG]] : i32, [
  // CHECK-NEXT:   default: ^[[DEFAULT:.*]],
  // CHECK-NEXT:   2: ^[[TWO:.*]]
  // CHECK-NEXT: ]
  // CHECK-NEXT: ^[[TWO]]:
  // CHECK-NEXT: cf.br ^[[END:.*]](%[[X]] : f32)
  // CHECK-NEXT: ^[[DEFAULT]]:
  // CHECK-NEXT: cf.br ^[[END]](%[[Y]] : f32)
  // CHECK-NEXT: ^[[END]](%[[R:.*]]: f32):
  // CHECK-NEXT: return %[[R]]
  %r = scf.index_switch %i -> f32
  case 2 {
    scf.yield %x : f32
  }
  default {
    scf.yield %y : f32
  }
  return %r : f32
}

// -----

// A loop with shared outputs is bufferized first.
func.func @forall_on_tensors(%t: tensor<8xf32>) -> tensor<8xf32> {
  // expected-error @below {{failed to legalize operation 'scf.forall' that was explicitly marked illegal}}
  %r = scf.forall (%i) in (8) shared_outs(%o = %t) -> tensor<8xf32> {
    scf.forall.in_parallel {
    }
  }
  return %r : tensor<8xf32>
}
