// RUN: dl-opt %s --allow-unregistered-dialect --verify-diagnostics --split-input-file
// RUN: not dl-opt %s --allow-unregistered-dialect --split-input-file -o %t 2>&1 | grep -c ' error: ' | grep -x 26

// Parsing goes on after a fault, and no fault is reported twice.

// What needs a lost value is no fault of its own, whatever type it wants.
func.func @lost_values(%x: i32) -> i32 {
  // expected-error @below {{custom op 'arith.addd' is unknown}}
  // expected-note @below {{did you mean 'arith.addf'?}}
  %0 = arith.addd %x, %x : i32
  %1 = arith.addi %0, %x : i32
  %2 = arith.cmpi eq, %0, %0 : i64
  // expected-note @below {{prior use here}}
  %3 = arith.addi %1, %x : i32
  // expected-error @below {{use of value '%3' expects different type than prior uses: 'i64' vs 'i32'}}
  %4:2 = "d.op"(%3) : (i64) -> (i32, i32)
  %5 = arith.addi %4#0, %4#1 : i32
  // expected-error @below {{use of undeclared SSA value name}}
  %6 = arith.addi %never, %5 : i32
  // expected-error @below {{expected ':'}}
  return %5 i32
}

// -----

// A lost block is no undefined block, and a fault in a region leaves the operation around it alone.
func.func @regions(%c: i1, %x: i32) -> i32 {
  cf.cond_br %c, ^bb1(%x : i32), ^bb2
// expected-error @below {{expected ':'}}
^bb1(%a i32):
  %0 = arith.addi %a, %a : i32
  %1 = scf.if %c -> i32 {
    // expected-error @below {{expected ','}}
    %2 = arith.subi %x %x : i32
    scf.yield %2 : i32
  } else {
    // expected-error @below {{expected ','}}
    %2 = arith.subi %x %x : i32
    scf.yield %2 : i32
  }
  cf.br ^bb2
^bb2:
  // expected-error @below {{reference to an undefined block}}
  cf.br ^bb3
}

// -----

// What a lost operation in a region uses from outside is still there behind the region.
func.func @used_outside(%c: index, %m: memref<8xf32>) {
  scf.for %i = %c to %c step %c {
    // expected-error @below {{custom op 'foo' is unknown}}
    foo %c, %m
  }
  %0 = memref.load %m[%c] : memref<8xf32>
  affine.for %i = 0 to 8 {
    scf.for %j = %c to %i step %c {
      // expected-error @below {{custom op 'arith.addd' is unknown}}
      // expected-note @below {{did you mean 'arith.addf'?}}
      %1 = arith.addd %i, %j, %0 : index
    }
    memref.store %0, %m[%i] : memref<8xf32>
  }
  return
}

// -----

// What lost operations branch to is not missed.
func.func @branches(%c: i1) {
  // expected-error @below {{expected ':'}}
  cf.br ^bb9(
^bb1:
  // expected-error @below {{expected ','}}
  cf.cond_br %c ^bb7, ^bb8
}

// -----

// Brackets left open: the next operation of the same indentation goes on.
func.func @brackets(%x: i32) {
  // expected-error @below {{expected ')'}}
  %0 = "arith.addi"(%x, %x : (i32, i32) -> i32
  // expected-error @below {{expected ',' or ']'}}
  "d.op"() {a = [1, 2} : () -> ()
  // expected-error @below {{expected SSA operand}}
  %1 = arith.addi %0, : i32
  return
}

// expected-error @below {{expected ')'}}
func.func @header(%x: i32 -> i32 {
  %0 = arith.addi %y %y : i32
  return %0 : i32
}

// Symbols of lost operations are not missed.
func.func @after() {
  call @header() : () -> ()
  // expected-error @below {{expected '('}}
  call @after : () -> ()
  return
}

// -----

// Aliases that are lost.

// expected-error @below {{unknown attribute `fastmth` in dialect `arith`}}
// expected-note @below {{did you mean `fastmath`?}}
#lost = #arith.fastmth<fast>
// expected-error @below {{expected non-function type}}
!lost = ?
#uses = [#lost]
func.func private @aliases(!lost) attributes {d.a = #uses}
// expected-error @below {{undefined symbol alias id 'missing'}}
func.func private @missing(!missing)

// -----

// Tokens that are none.
func.func @tokens(%x: i32) {
  // expected-error @below {{unknown escape in string literal}}
  "d.op"() {a = "\q"} : () -> ()
  // expected-error @below {{unexpected character}}
  %0 = arith.addi %x, ~x : i32
  // expected-error @below {{invalid SSA name}}
  %1 = arith.addi %x, % : i32
  return
}

// -----

// What is left of a lost operation is not reported.
// expected-error @below {{expected '('}}
func.func @unbalanced {
  return
}
}

// -----

func.func @fine() {
  return
// expected-error @below {{expected operation name in quotes}}
}
}

// -----

func.func @open() {
  // expected-error @below {{expected '=' after SSA name}}
  %0 arith.constant 1 : i32
