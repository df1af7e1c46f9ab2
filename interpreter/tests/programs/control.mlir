// func, cf, scf, index and ub. Values by hand and by Python's integers.

// EVAL @factorial(20 : i64) == 2432902008176640000 : i64
// FAIL @factorial(poison): undefined behaviour: use of poison
func.func @factorial(%n: i64) -> i64 {
  %one = arith.constant 1 : i64
  cf.br ^loop(%n, %one : i64, i64)
^loop(%i: i64, %product: i64):
  %more = arith.cmpi sgt, %i, %one : i64
  cf.cond_br %more, ^body, ^done // <-
^body:
  %next = arith.muli %product, %i : i64
  %less = arith.subi %i, %one : i64
  cf.br ^loop(%less, %next : i64, i64)
^done:
  return %product : i64
}

// EVAL @switch(7 : i32) == 70 : i32
// EVAL @switch(8 : i32) == 80 : i32
// EVAL @switch(-9 : i32) == 1 : i32
// FAIL @switch(poison): undefined behaviour: use of poison
func.func @switch(%flag: i32) -> i32 {
  %c1 = arith.constant 1 : i32
  %c70 = arith.constant 70 : i32
  %c80 = arith.constant 80 : i32
  cf.switch %flag : i32, [ // <-
    default: ^out(%c1 : i32),
    7: ^out(%c70 : i32),
    8: ^out(%c80 : i32)
  ]
^out(%r: i32):
  return %r : i32
}

// EVAL @assert(true) == 1 : i8
// FAIL @assert(false): assertion failed: must be so
func.func @assert(%c: i1) -> i8 {
  cf.assert %c, "must be so" // <-
  %r = arith.constant 1 : i8
  return %r : i8
}

// EVAL @fibonacci(15 : i32) == 610 : i32
func.func @fibonacci(%n: i32) -> i32 {
  %c2 = arith.constant 2 : i32
  %small = arith.cmpi ult, %n, %c2 : i32
  %r = scf.if %small -> i32 {
    scf.yield %n : i32
  } else {
    %c1 = arith.constant 1 : i32
    %a = arith.subi %n, %c1 : i32
    %b = arith.subi %n, %c2 : i32
    %x = func.call @fibonacci(%a) : (i32) -> i32
    %y = func.call @fibonacci(%b) : (i32) -> i32
    %sum = arith.addi %x, %y : i32
    scf.yield %sum : i32
  }
  return %r : i32
}

// FAIL @forever(1 : i32): unsupported: calls and regions nested more than
func.func @forever(%n: i32) -> i32 { // <-
  %r = call @forever(%n) : (i32) -> i32
  return %r : i32
}

// FAIL @spin(): stopped here: the program runs for more than 200000 steps
func.func @spin() {
  cf.br ^again
^again:
  cf.br ^again // <-
}

func.func private @elsewhere(i32) -> i32

// FAIL @declared(1 : i32): unsupported: call of 'elsewhere', which has no body
func.func @declared(%n: i32) -> i32 {
  %r = call @elsewhere(%n) : (i32) -> i32 // <-
  return %r : i32
}

func.func @twice(%x: i32) -> i32 {
  %r = arith.addi %x, %x : i32
  return %r : i32
}

func.func @square(%x: i32) -> i32 {
  %r = arith.muli %x, %x : i32
  return %r : i32
}

// EVAL @indirect(true, 5 : i32) == 10 : i32
// EVAL @indirect(false, 5 : i32) == 25 : i32
// FAIL @indirect(poison, 5 : i32): undefined behaviour: call of poison
func.func @indirect(%c: i1, %x: i32) -> i32 {
  %twice = constant @twice : (i32) -> i32
  %square = constant @square : (i32) -> i32
  %f = arith.select %c, %twice, %square : (i32) -> i32
  %r = call_indirect %f(%x) : (i32) -> i32 // <-
  return %r : i32
}

// 0 + 3 + 6 + 9
// EVAL @for(0 : index, 10 : index, 3 : index) == 18 : index
// EVAL @for(10 : index, 10 : index, 3 : index) == 0 : index
// EVAL @for(-4 : index, 0 : index, 2 : index) == -6 : index
// FAIL @for(0 : index, 10 : index, 0 : index): undefined behaviour: the step of a loop is not positive
func.func @for(%lower: index, %upper: index, %step: index) -> index {
  %c0 = arith.constant 0 : index
  %sum = scf.for %i = %lower to %upper step %step iter_args(%s = %c0) -> index { // <-
    %next = arith.addi %s, %i : index
    scf.yield %next : index
  }
  return %sum : index
}

// 250 and 255, counted without a sign; the next one does not fit.
// EVAL @for_unsigned() == 2 : i32
func.func @for_unsigned() -> i32 {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %lower = arith.constant 250 : i8
  %upper = arith.constant 255 : i8
  %step = arith.constant 3 : i8
  %n = scf.for unsigned %i = %lower to %upper step %step iter_args(%n = %c0) -> (i32) : i8 {
    %next = arith.addi %n, %c1 : i32
    scf.yield %next : i32
  }
  return %n : i32
}

// Steps of the Collatz sequence from 27.
// EVAL @collatz(27 : i64) == 111 : i64
func.func @collatz(%n: i64) -> i64 {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %c2 = arith.constant 2 : i64
  %c3 = arith.constant 3 : i64
  %r:2 = scf.while (%x = %n, %k = %c0) : (i64, i64) -> (i64, i64) {
    %more = arith.cmpi ne, %x, %c1 : i64
    scf.condition(%more) %x, %k : i64, i64
  } do {
  ^bb0(%x: i64, %k: i64):
    %odd = arith.remui %x, %c2 : i64
    %is_odd = arith.cmpi eq, %odd, %c1 : i64
    %next = scf.if %is_odd -> i64 {
      %t = arith.muli %x, %c3 : i64
      %u = arith.addi %t, %c1 : i64
      scf.yield %u : i64
    } else {
      %h = arith.divui %x, %c2 : i64
      scf.yield %h : i64
    }
    %k1 = arith.addi %k, %c1 : i64
    scf.yield %next, %k1 : i64, i64
  }
  return %r#1 : i64
}

// EVAL @index_switch(2 : index) == 20 : i8
// EVAL @index_switch(5 : index) == 50 : i8
// EVAL @index_switch(3 : index) == 0 : i8
func.func @index_switch(%i: index) -> i8 {
  %r = scf.index_switch %i -> i8
  case 2 {
    %c = arith.constant 20 : i8
    scf.yield %c : i8
  }
  case 5 {
    %c = arith.constant 50 : i8
    scf.yield %c : i8
  }
  default {
    %c = arith.constant 0 : i8
    scf.yield %c : i8
  }
  return %r : i8
}

// EVAL @execute_region(true) == 1 : i8
// EVAL @execute_region(false) == 2 : i8
func.func @execute_region(%c: i1) -> i8 {
  %r = scf.execute_region -> i8 {
    %c1 = arith.constant 1 : i8
    %c2 = arith.constant 2 : i8
    cf.cond_br %c, ^out(%c1 : i8), ^out(%c2 : i8)
  ^out(%x: i8):
    scf.yield %x : i8
  }
  return %r : i8
}

// The sum and the largest of 10 i + j for i in 0, 2 and j in 1, 2, 3.
// EVAL @parallel() == 72 : index, 23 : index
func.func @parallel() -> (index, index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c4 = arith.constant 4 : index
  %c10 = arith.constant 10 : index
  %r:2 = scf.parallel (%i, %j) = (%c0, %c1) to (%c4, %c4) step (%c2, %c1) init (%c0, %c0) -> (index, index) {
    %t = arith.muli %i, %c10 : index
    %x = arith.addi %t, %j : index
    scf.reduce(%x, %x : index, index) {
    ^bb0(%a: index, %b: index):
      %s = arith.addi %a, %b : index
      scf.reduce.return %s : index
    }, {
    ^bb0(%a: index, %b: index):
      %m = arith.maxsi %a, %b : index
      scf.reduce.return %m : index
    }
  }
  return %r#0, %r#1 : index, index
}

// Poison is no fault until control depends on it.
// FAIL @branch_on_poison(): undefined behaviour: use of poison
func.func @branch_on_poison() {
  %p = ub.poison : i1
  scf.if %p { // <-
  }
  return
}

// FAIL @unreachable(): 'ub.unreachable' op undefined behaviour: this is reached
func.func @unreachable() {
  ub.unreachable // <-
}

// EVAL @index(-7 : index, 2 : index) == -5 : index, -14 : index, -3 : index, -4 : index, -1 : index, true, false
// FAIL @index(1 : index, 0 : index): 'index.divs' op undefined behaviour: division by zero
func.func @index(%a: index, %b: index) -> (index, index, index, index, index, i1, i1) {
  %sum = index.add %a, %b
  %product = index.mul %a, %b
  %quotient = index.divs %a, %b // <-
  %floor = index.floordivs %a, %b
  %rest = index.rems %a, %b
  %slt = index.cmp slt(%a, %b)
  %ult = index.cmp ult(%a, %b)
  return %sum, %product, %quotient, %floor, %rest, %slt, %ult : index, index, index, index, index, i1, i1
}
