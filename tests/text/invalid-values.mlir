// RUN: dl-opt %s --verify-diagnostics --split-input-file --allow-unregistered-dialect

func.func @used_with_another_type() -> i8 {
  cf.br ^later
^sooner:
  // expected-note @below {{previously used here with type 'i8'}}
  return %x : i8
^later:
  // expected-error @below {{definition of SSA value '%x#0' has type 'f32'}}
  %x = "any.op"() : () -> f32
  cf.br ^sooner
}

// -----

func.func @argument_used_before(%m: memref<4xf32>) {
  // expected-note @below {{previously referenced here}}
  %0 = memref.load %m[%i] : memref<4xf32>
  // expected-error @below {{region entry argument '%i' is already in use}}
  affine.for %i = 0 to 4 {
  }
  return
}

// -----

func.func @no_result() {
  // expected-error @below {{expected named operation to have at least 1 result}}
  %x:0 = "any.op"() : () -> i32
  return
}

// -----

func.func @defined_later() {
  // expected-error @below {{operand #0 does not dominate this use}}
  "any.use"(%x) : (i32) -> ()
  cf.br ^next
^next:
  // expected-note @below {{operand defined here (op in the same region)}}
  %x = "any.op"() : () -> i32
  return
}

// -----

func.func @defined_around() {
  "test.ssacfg_region"() ({
    // expected-error @below {{operand #0 does not dominate this use}}
    "any.use"(%x) : (i32) -> ()
    "any.end"() : () -> ()
  }) : () -> ()
  // expected-note @below {{operand defined here (op in a parent region)}}
  %x = "any.op"() : () -> i32
  return
}

// -----

func.func @defined_elsewhere() {
  "test.ssacfg_region"() ({
    // expected-error @below {{operand #0 does not dominate this use}}
    "any.use"(%x) : (i32) -> ()
    "any.end"() : () -> ()
  }, {
    // expected-note @below {{operand defined here (op is neither in a parent nor in a child region)}}
    %x = "any.op"() : () -> i32
    "any.end"() : () -> ()
  }) : () -> ()
  return
}

// -----

// expected-note @below {{operand defined as a block argument (block #1 in the same region)}}
func.func @argument_of_another_block() {
  // expected-error @below {{operand #0 does not dominate this use}}
  cf.br ^next(%x : i32)
^next(%x: i32):
  return
}

// -----

func.func @successors(%x: i32) {
  // expected-error @below {{successors in non-terminator}}
  %0 = "arith.addi"(%x, %x)[^next] : (i32, i32) -> i32
^next:
  return
}

// -----

func.func @a_type_is_no_operation() {
  // expected-error @below {{expected operation name in quotes}}
  %0 = arith.constant 1 i32
  return
}

// -----

func.func @not_terminated(%x: i32) {
  // expected-error @below {{block with no terminator, has %0 = "arith.addi"(%arg0, %arg0)}}
  %0 = arith.addi %x, %x : i32
}

// -----

// What is wrong inside comes before the end that is missing.
func.func @not_terminated_around(%m: memref<4xf32>) {
  // expected-error @below {{expected indexing_map #0 to have 1 dim(s) to match the number of loops}}
  linalg.generic {indexing_maps = [affine_map<() -> (0)>], iterator_types = ["parallel"]}
      outs(%m : memref<4xf32>) {
  ^bb0(%x: f32):
    linalg.yield %x : f32
  }
}

// -----

func.func @entry_block_has_predecessors() {
// expected-error @above {{entry block of region may not have predecessors}}
^first:
  cf.br ^second
^second:
  cf.br ^first
}

// -----

func.func @predicate(%x: i32, %y: i32) -> i1 {
  // expected-error @below {{expected string or keyword containing one of the following enum values for attribute 'predicate' [eq, ne, slt, sle, sgt, sge, ult, ule, ugt, uge]}}
  %0 = arith.cmpi %x, %y : i32
  return %0 : i1
}

// -----

func.func @predicate_in_quotes(%x: i32, %y: i32) -> i1 {
  // expected-error @below {{invalid predicate attribute specification: "less"}}
  %0 = arith.cmpi "less", %x, %y : i32
  return %0 : i1
}

// -----

func.func @types_are_inferred_from_what_fits(%x: f32) {
  // expected-error @below {{'lhs' must be signless-integer-like, but got 'f32'}}
  %0 = arith.cmpi slt, %x, %x : f32
  return
}

// -----

func.func @whole_operations_before_traits(%x: vector<4xi32>) {
  // expected-error @below {{failed to verify that result type has i1 element type and same shape as operands}}
  %0 = "arith.cmpi"(%x, %x) {predicate = 0} : (vector<4xi32>, vector<4xi32>) -> vector<3xi1>
  return
}

// -----

func.func @blocks_of_a_loop(%n: index) {
  // expected-error @below {{'scf.for' op expects region #0 to have 0 or 1 blocks}}
  "scf.for"(%n, %n, %n) ({
  ^one:
    "scf.yield"() : () -> ()
  ^two:
    "scf.yield"() : () -> ()
  }) : (index, index, index) -> ()
  return
}

// -----

func.func @not_a_name() {
  // expected-error @below {{invalid kind of attribute specified}}
  %0 = func.constant "name" : () -> ()
  return
}

// -----

// One error of a text that does not parse is enough.
func.func @only_the_first() {
  // expected-error @below {{custom op 'func.nothing' is unknown}}
  func.nothing
  "any.use"(%x) : (i32) -> ()
  return
}

// -----

// expected-error @below {{expected 1-d tensor for sparse element values}}
"any.op"() {a = sparse<[[0, 0]], [[1.0]]> : vector<1x1xf32>} : () -> ()

// -----

// Nothing to negate is told as well as why.
// expected-error @below {{no expression inside parentheses}}
// expected-error @below {{missing operand of negation}}
#map = affine_map<(d0) -> (-())>

// -----

// expected-error @below {{expected floating point literal}}
"test.use"() {value = dense<[1.0, true]> : tensor<2xf32>} : () -> ()

// -----

// expected-error @below {{expected element literal of primitive type}}
"test.use"() {value = sparse<vector<1xi64>, [1]> : tensor<2xf32>} : () -> ()

// -----

// In a block that is never reached nothing is wrong, nor is it in the regions there.
func.func @unreachable(%c: i1) {
  return
^bb1(%x: i32):
  %y = "any.op"() : () -> i32
  scf.if %c {
    "any.use"(%x, %y, %z) : (i32, i32, i32) -> ()
  }
  cf.br ^bb2
^bb2:
  %z = "any.op"() : () -> i32
  cf.br ^bb1(%z : i32)
}
