// A pipeline given on the command line has a line and columns too.

// RUN: not dl-opt %s --pass-pipeline='builtin.module(cse,no-such-pass)' 2>&1 | FileCheck %s --check-prefix=PASS
//      PASS: :1:{{[0-9]+}}: error: 'no-such-pass' does not refer to a registered pass or pass pipeline
// PASS-NEXT: cse,no-such-pass

// RUN: not dl-opt %s --pass-pipeline='builtin.module(cse' 2>&1 | FileCheck %s --check-prefix=PAREN
//      PAREN: :1:{{[0-9]+}}: error: expected
// PAREN-NEXT: builtin.module(cse

// RUN: not dl-opt %s --pass-pipeline='builtin.module(cse{no-such-option=1})' 2>&1 | FileCheck %s --check-prefix=OPTION
//      OPTION: :1:{{[0-9]+}}: error: {{.*}}no such option no-such-option
// OPTION-NEXT: builtin.module(cse{no-such-option=1})

// RUN: not dl-opt %s --pass-pipeline='func.func(cse)' 2>&1 | FileCheck %s --check-prefix=ANCHOR
// ANCHOR: error: can't run 'func.func' pass manager on 'builtin.module' op

func.func @f() {
  return
}
