// RUN: dl-opt %s --allow-unregistered-dialect --split-input-file --verify-diagnostics

// What is missing is said with what it would have been for, right behind what comes before it.

// expected-error @below {{expected '(' to start operand list}}
"test.op"
  : () -> ()

// -----

// expected-error @below {{expected ')' to end operand list}}
"test.op"(%a
  : () -> ()

// -----

// expected-error @below {{expected SSA operand}}
"test.op"(%a,
  4) : () -> ()

// -----

"test.region"() ({
  // expected-error @below {{expected ',' or ']'}}
  "test.branch"() [^a ^b] : () -> ()
^a:
^b:
}) : () -> ()

// -----

// expected-error @below {{expected '>' to close properties}}
"test.op"() <{a = 1} : () -> ()

// -----

// expected-error @below {{expected ')' to end region list}}
"test.op"() ({}
  : () -> ()

// -----

// expected-error @below {{expected ':' followed by operation type}}
"test.op"() {a}

// -----

// expected-error @below {{expected function type}}
"test.op"() : i32 -> i32

// -----

"test.region"() ({
// expected-error @below {{expected ':' and type for SSA operand}}
^a(%x i32):
}) : () -> ()

// -----

// expected-error @below {{expected ',' or '>' in memref type}}
"test.op"() : () -> memref<4xf32

// -----

// expected-error @below {{expected operation name in quotes}}
%x =
  4

// -----

func.func @stray() {
  // expected-error @below {{expected operation name in quotes}}
  return
]
}

// -----

// expected-error @below {{expected integer number of results}}
%x:
  "test.op"() : () -> ()

// -----

// expected-error @below {{use of undeclared identifier}}
#map = affine_map<(d0) -> (d0 +
                           d1)>

// -----

// expected-error @below {{expected affine expression}}
#set = affine_set<(d0) : (d0 >= )>

// -----

// expected-error @below {{missing right operand of binary operator}}
#map = affine_map<(d0) -> (d0 + )>

// -----

func.func @slice(%m: memref<8xf32>) {
  // expected-error @below {{expected ']' in dynamic index list}}
  %s = memref.subview %m[0 [4] [1] : memref<8xf32> to memref<4xf32, strided<[1]>>
  return
}

// -----

func.func @load(%m: memref<8xf32>, %i: index) {
  // expected-error @below {{expected ']' in affine map}}
  %x = affine.load %m[%i : memref<8xf32>
  return
}

// -----

// Alignments are powers of two.
{-#
  // expected-error @below {{expected hex string blob for key 'a' to encode alignment in first 4 bytes, but got non-power-of-2 value: 3}}
  dialect_resources: { builtin: { a: "0x0300000001000000" } }
#-}

// -----

{-#
  // expected-error @below {{expected hex string blob for key 'a' to encode alignment in first 4 bytes, but got non-power-of-2 value: 6}}
  external_resources: { tool: { a: "0x0600000001000000" } }
#-}

// -----

// expected-error @+2 {{region entry argument '%a' is already in use}}
// expected-note @below {{previously referenced here}}
func.func @twice(%a: i32, %a: i32) {
  return
}

// -----

// expected-note @below {{previously referenced here}}
func.func @hidden(%a: index) {
  // expected-error @below {{region entry argument '%a' is already in use}}
  scf.for %a = %a to %a step %a {
  }
  return
}

// -----

// The generic form says what results there are.
func.func @no_results(%x: i32) {
  // expected-error @below {{'arith.addi' op requires one result}}
  "arith.addi"(%x, %x) : (i32, i32) -> ()
  return
}

// -----

func.func @named_no_results(%x: i32) {
  // expected-error @below {{cannot name an operation with no results}}
  %0 = "arith.addi"(%x, %x) : (i32, i32) -> ()
  return
}

// -----

// Arguments of blocks have no attributes.
"any.op"() ({
// expected-error @below {{expected ')'}}
^bb0(%x : i32 {any.attr = 1}):
}) : () -> ()

// -----

// expected-error @below {{'builtin.module' op requires zero results}}
"builtin.module"() ({
}) : () -> i64

// -----

// expected-error @below {{integer value too large}}
"any.op"() {a = #llvm.di_local_variable<scope = #llvm.di_file<"a" in "b">, arg = 4294967296>} : () -> ()

// -----

// expected-error @below {{integer value too large}}
"any.op"() {a = #llvm.di_local_variable<scope = #llvm.di_file<"a" in "b">, arg = -1>} : () -> ()

// -----

func.func @weights(%c: i1) {
  // expected-error @below {{integer value too large}}
  cf.cond_br %c weights([2147483648, 0]), ^bb1, ^bb1
^bb1:
  return
}

// -----

llvm.comdat @names {
  // expected-note @below {{see existing symbol definition here}}
  llvm.comdat_selector @a any
  // expected-error @below {{redefinition of symbol named 'a'}}
  llvm.comdat_selector @a largest
}

// -----

// Each of these stands for eight times as much as the one before.
!a0 = tuple<i1, i2, i3, i4, i5, i6, i7, i8>
!a1 = tuple<!a0, !a0, !a0, !a0, !a0, !a0, !a0, !a0>
!a2 = tuple<!a1, !a1, !a1, !a1, !a1, !a1, !a1, !a1>
!a3 = tuple<!a2, !a2, !a2, !a2, !a2, !a2, !a2, !a2>
!a4 = tuple<!a3, !a3, !a3, !a3, !a3, !a3, !a3, !a3>
!a5 = tuple<!a4, !a4, !a4, !a4, !a4, !a4, !a4, !a4>
!a6 = tuple<!a5, !a5, !a5, !a5, !a5, !a5, !a5, !a5>
// expected-error @below {{unsupported: aliases that stand for too much text}}
!a7 = tuple<!a6, !a6, !a6, !a6, !a6, !a6, !a6, !a6>
!a8 = tuple<!a7, !a7>
"any.op"() : () -> !a8
