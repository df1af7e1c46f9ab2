// RUN: dl-opt %s --lift-cf-to-scf --allow-unregistered-dialect --split-input-file --verify-diagnostics

func.func @unreachable() {
  return
^never:
  // expected-error @below {{'func.return' op transformation does not support unreachable blocks}}
  return
}

// -----

func.func @unreachable_cycle() {
  return
^a:
  // expected-error @below {{'cf.br' op transformation does not support unreachable blocks}}
  cf.br ^b
^b:
  cf.br ^a
}

// -----

func.func @wide(%flag: i128) {
  // expected-error @below {{'cf.switch' op unsupported: lifting a switch on a value of type i128}}
  cf.switch %flag : i128, [
    default: ^a,
    1: ^b
  ]
^a:
  cf.br ^b
^b:
  return
}

// -----

func.func @other_branch(%c: i1) {
  // expected-error @below {{'llvm.cond_br' op cannot convert unknown control flow op to structured control flow}}
  llvm.cond_br %c, ^a, ^b
^a:
  cf.br ^b
^b:
  return
}

// -----

func.func @no_interface() {
  // expected-error @below {{'test.unknown_branch' op transformation does not support terminators not implementing}}
  "test.unknown_branch"()[^a] : () -> ()
^a:
  return
}

// -----

func.func @endless_region() {
  // expected-error @below {{'scf.execute_region' op unsupported: a loop without end in an operation other than a function}}
  scf.execute_region {
    cf.br ^a
  ^a:
    cf.br ^a
  }
  return
}
