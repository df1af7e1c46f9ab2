// RUN: dl-opt %s --verify-diagnostics --split-input-file

// expected-error @below {{'func.func' op visibility expected to be one of ["public", "private", "nested"], but got "hidden"}}
"func.func"() <{function_type = () -> (), sym_name = "f", sym_visibility = "hidden"}> ({
  "func.return"() : () -> ()
}) : () -> ()

// -----

// expected-error @below {{requires visibility attribute 'sym_visibility' to be a string attribute, but got 1 : i32}}
"func.func"() <{function_type = () -> (), sym_name = "f", sym_visibility = 1 : i32}> ({
  "func.return"() : () -> ()
}) : () -> ()

// -----

// expected-error @below {{'builtin.module' op visibility expected to be one of}}
module @named attributes {sym_visibility = "hidden"} {}

// -----

func.func @around() {
  "scf.execute_region"() ({
    // expected-error @below {{'func.func' op symbol's parent must have the SymbolTable trait}}
    func.func @inner() {
      return
    }
    scf.yield
  }) : () -> ()
  return
}

// -----

// expected-error @below {{'func.func' op requires attribute 'sym_name'}}
"func.func"() <{function_type = () -> ()}> ({
  "func.return"() : () -> ()
}) : () -> ()

// -----

// expected-error @below {{symbol declaration cannot have public visibility}}
func.func @declared()

// -----

// Each redefinition is reported, with the first definition.

// expected-note @below {{see existing symbol definition here}}
// expected-note @below {{see existing symbol definition here}}
func.func private @twice()
// expected-error @below {{redefinition of symbol named 'twice'}}
module @twice {}
// expected-error @below {{redefinition of symbol named 'twice'}}
func.func private @twice()

// -----

func.func @uses() {
  // expected-error @below {{'func.call' op 'missing' does not reference a valid function}}
  call @missing() : () -> ()
  // expected-error @below {{'func.constant' op reference to undefined function 'missing'}}
  %0 = constant @missing : () -> ()
  return
}

// -----

// A name in an inner table is another one.
module @outer {
  module @outer {}
  func.func nested @f() {
    return
  }
}
func.func private @f()
