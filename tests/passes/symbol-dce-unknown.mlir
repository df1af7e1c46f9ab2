// RUN: dl-opt %s --symbol-dce --allow-unregistered-dialect --split-input-file --verify-diagnostics

// What nobody knows, with one region, may be a symbol table: nothing can be said of what it uses.
func.func private @unused()
// expected-error @below {{operation contains potentially unknown symbol table}}
func.func @around() {
  "unknown.scope"() ({
    "unknown.inside"() : () -> ()
  }) : () -> ()
  return
}

// -----

// Operations of a known dialect are not feared, nor those with two regions.
func.func private @gone()
"test.anything"() ({
  "test.end"() : () -> ()
}) : () -> ()
"unknown.two"() ({
}, {
}) : () -> ()
