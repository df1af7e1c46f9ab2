// A pipeline given on the command line has a line and columns too.

// RUN: not dl-opt %s --pass-pipeline='builtin.module(cse,no-such-pass)' 2>&1 | FileCheck %s --check-prefix=PASS --strict-whitespace
//      PASS:<pipeline>:1:20: error: 'no-such-pass' does not refer to a registered pass or pass pipeline
// PASS-NEXT:builtin.module(cse,no-such-pass)
// PASS-NEXT:                   ^

// RUN: not dl-opt %s --pass-pipeline='builtin.module(func.func(canonicalise))' 2>&1 | FileCheck %s --check-prefix=SIMILAR
// SIMILAR: <pipeline>:1:26: note: did you mean 'canonicalize'?

// RUN: not dl-opt %s --pass-pipeline='builtin.module(cpu-pipline)' 2>&1 | FileCheck %s --check-prefix=PIPELINE
// PIPELINE: <pipeline>:1:16: note: did you mean 'cpu-pipeline'?

// RUN: not dl-opt %s --pass-pipeline='builtin.module(cse' 2>&1 | FileCheck %s --check-prefix=PAREN
//      PAREN: :1:{{[0-9]+}}: error: expected
// PAREN-NEXT: builtin.module(cse

// RUN: not dl-opt %s --pass-pipeline='builtin.module(cse{no-such-option=1})' 2>&1 | FileCheck %s --check-prefix=OPTION
//      OPTION: :1:{{[0-9]+}}: error: {{.*}}no such option no-such-option
// OPTION-NEXT: builtin.module(cse{no-such-option=1})

// RUN: not dl-opt %s --canonicalize=max-iteration=1 2>&1 | FileCheck %s --check-prefix=NAME
// NAME: <pipeline>:1:14: error: no such option max-iteration, did you mean 'max-iterations'?
// NAME: note: failed to add `canonicalize` with options `max-iteration=1`

// RUN: not dl-opt %s --canonicalize=region-simplify=sometimes 2>&1 | FileCheck %s --check-prefix=VALUE
// VALUE: <pipeline>:1:14: error: for the --region-simplify option: Cannot find option named 'sometimes'!

// RUN: not dl-opt %s --canonicalize=disable-patterns=arith-no-such 2>&1 | FileCheck %s --check-prefix=PATTERN
// PATTERN: error: canonicalize: no pattern is called 'arith-no-such'

// RUN: not dl-opt %s --pass-pipeline='func.func(cse)' 2>&1 | FileCheck %s --check-prefix=ANCHOR
// ANCHOR: error: can't run 'func.func' pass manager on 'builtin.module' op

// RUN: not dl-opt %s --pass-pipeline='cse' 2>&1 | FileCheck %s --check-prefix=BARE
// RUN: not dl-opt %s --pass-pipeline='' 2>&1 | FileCheck %s --check-prefix=BARE
// RUN: not dl-opt %s --pass-pipeline='builtin.module(cse),cse' 2>&1 | FileCheck %s --check-prefix=BARE
// BARE: error: expected pass pipeline to be wrapped with the anchor operation type, e.g. 'builtin.module(...)'

// RUN: not dl-opt %s --composite-fixed-point-pass='pipeline=cse,canonicalise' 2>&1 | FileCheck %s --check-prefix=INNER
// INNER: <pipeline>:1:5: error: 'canonicalise' does not refer to a registered pass or pass pipeline
// INNER: note: in the options of 'composite-fixed-point-pass'

func.func @f() {
  return
}
