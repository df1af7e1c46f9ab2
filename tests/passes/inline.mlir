// RUN: dl-opt %s --inline='default-pipeline=' --split-input-file | FileCheck %s
// RUN: dl-opt %s --inline='default-pipeline=' --split-input-file --mlir-disable-threading | FileCheck %s
// RUN: dl-opt %s --inline --split-input-file | FileCheck %s --check-prefix=SIMPLE
// RUN: dl-opt %s --inline='default-pipeline= inlining-threshold=50' --split-input-file | FileCheck %s --check-prefix=SMALL

func.func private @square(%x: i32) -> i32 {
  %y = arith.muli %x, %x : i32
  return %y : i32
}

// The body stands where the calls were, and the function is gone.
// CHECK-NOT: @square
// CHECK-LABEL: func.func @fourth_power
//  CHECK-SAME:   (%[[X:.*]]: i32)
// SMALL-LABEL: func.func @fourth_power
func.func @fourth_power(%x: i32) -> i32 {
  // CHECK-NEXT: %[[S:.*]] = arith.muli %[[X]], %[[X]]
  // CHECK-NEXT: %[[F:.*]] = arith.muli %[[S]], %[[S]]
  // CHECK-NEXT: return %[[F]]
  // Two operations are two thirds of three.
  // SMALL: call @square
  %a = call @square(%x) : (i32) -> i32
  %b = call @square(%a) : (i32) -> i32
  return %b : i32
}

// -----

func.func @identity(%x: i32, %y: f32) -> (f32, i32, i32) {
  return %y, %x, %x : f32, i32, i32
}

// What is returned may be arguments, more than once.
// CHECK-LABEL: func.func @swapped
//  CHECK-SAME:   (%[[X:.*]]: i32, %[[Y:.*]]: f32)
func.func @swapped(%x: i32, %y: f32) -> (f32, i32, i32) {
  // CHECK-NEXT: return %[[Y]], %[[X]], %[[X]]
  %a, %b, %c = call @identity(%x, %y) : (i32, f32) -> (f32, i32, i32)
  return %a, %b, %c : f32, i32, i32
}

// -----

func.func @absolute(%x: i32) -> i32 {
  %c0 = arith.constant 0 : i32
  %negative = arith.cmpi slt, %x, %c0 : i32
  cf.cond_br %negative, ^flip, ^keep
^flip:
  %y = arith.subi %c0, %x : i32
  return %y : i32
^keep:
  return %x : i32
}

// Blocks are put between what is before and after the call.
// CHECK-LABEL: func.func @absolute_plus
//  CHECK-SAME:   (%[[X:.*]]: i32)
func.func @absolute_plus(%x: i32) -> i32 {
  //      CHECK: cf.cond_br %{{.*}}, ^bb1, ^bb2
  // CHECK-NEXT: ^bb1:
  // CHECK-NEXT:   %[[Y:.*]] = arith.subi
  // CHECK-NEXT:   cf.br ^bb3(%[[Y]] : i32)
  // CHECK-NEXT: ^bb2:
  // CHECK-NEXT:   cf.br ^bb3(%[[X]] : i32)
  // CHECK-NEXT: ^bb3(%[[A:.*]]: i32):
  // CHECK-NEXT:   %[[R:.*]] = arith.addi %[[A]], %[[X]]
  // CHECK-NEXT:   return %[[R]]
  %a = call @absolute(%x) : (i32) -> i32
  %r = arith.addi %a, %x : i32
  return %r : i32
}

// A loop has one block only.
// CHECK-LABEL: func.func @absolute_in_loop
// CHECK: scf.for
// CHECK: call @absolute
func.func @absolute_in_loop(%x: i32, %n: index) -> i32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%a = %x) -> i32 {
    %b = func.call @absolute(%a) : (i32) -> i32
    scf.yield %b : i32
  }
  return %r : i32
}

// -----

func.func private @external(i32) -> i32
func.func @refuses(%x: i32) -> i32 attributes {no_inline} {
  return %x : i32
}
func.func @plain(%x: i32) -> i32 {
  return %x : i32
}

// CHECK-LABEL: func.func @not_inlined
func.func @not_inlined(%x: i32) -> (i32, i32, i32) {
  // CHECK-NEXT: call @external
  // CHECK-NEXT: call @refuses
  // CHECK-NEXT: call @plain
  %a = call @external(%x) : (i32) -> i32
  %b = call @refuses(%x) : (i32) -> i32
  %c = call @plain(%x) {no_inline} : (i32) -> i32
  return %a, %b, %c : i32, i32, i32
}

// -----

// Functions that call themselves or each other stay.
// CHECK-LABEL: func.func @even
// CHECK: call @odd
func.func @even(%n: index) -> i1 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %is_zero = arith.cmpi eq, %n, %c0 : index
  %r = scf.if %is_zero -> i1 {
    %true = arith.constant true
    scf.yield %true : i1
  } else {
    %m = arith.subi %n, %c1 : index
    %o = func.call @odd(%m) : (index) -> i1
    scf.yield %o : i1
  }
  return %r : i1
}

// CHECK-LABEL: func.func @odd
// CHECK: call @even
func.func @odd(%n: index) -> i1 {
  %e = call @even(%n) : (index) -> i1
  %true = arith.constant true
  %r = arith.xori %e, %true : i1
  return %r : i1
}

// -----

func.func private @seven() -> i32 {
  %c7 = arith.constant 7 : i32
  return %c7 : i32
}

func.func private @get() -> (() -> i32) {
  %f = constant @seven : () -> i32
  return %f : () -> i32
}

// Simplifying finds calls that can be inlined.
// SIMPLE-NOT: @get
// SIMPLE-LABEL: func.func @indirect
func.func @indirect() -> i32 {
  // SIMPLE-NEXT: %[[C:.*]] = arith.constant 7
  // SIMPLE-NEXT: return %[[C]]
  %f = call @get() : () -> (() -> i32)
  %r = call_indirect %f() : () -> i32
  return %r : i32
}

// -----

// A nested module is a world of its own.
module {
  // CHECK-NOT: @unused
  func.func private @unused() {
    return
  }
  func.func private @inner(%x: i32) -> i32 {
    %y = arith.addi %x, %x : i32
    return %y : i32
  }
  // CHECK: func.func @twice
  func.func @twice(%x: i32) -> i32 {
    // CHECK-NEXT: arith.addi
    // CHECK-NEXT: return
    %y = call @inner(%x) : (i32) -> i32
    return %y : i32
  }
}

// -----

func.func private @stops() {
  ub.unreachable
}

// Control that does not come back leaves what follows the call without a way to it. Upstream drops the operation that says so.
// CHECK-LABEL: func.func @after_stop
func.func @after_stop() {
  // CHECK-NEXT: ub.unreachable
  // CHECK-NEXT: ^bb1:
  // CHECK-NEXT: return
  call @stops() : () -> ()
  return
}
