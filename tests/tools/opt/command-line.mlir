// RUN: dl-opt --help | FileCheck %s --check-prefix=HELP
// RUN: dl-opt --help-list | FileCheck %s --check-prefix=LIST
// RUN: dl-opt --help-hidden | FileCheck %s --check-prefix=HIDDEN
// RUN: dl-opt --list-passes | FileCheck %s --check-prefix=PASSES
// RUN: dl-opt --show-dialects | FileCheck %s --check-prefix=DIALECTS
// RUN: dl-opt --version | FileCheck %s --check-prefix=VERSION
// RUN: dl-opt - < %s | FileCheck %s --check-prefix=STDIN
// RUN: not dl-opt %s --canonicalise 2>&1 | FileCheck %s --check-prefix=UNKNOWN
// RUN: not dl-opt %s --cse --pass-pipeline='builtin.module(cse)' 2>&1 | FileCheck %s --check-prefix=BOTH
// RUN: dl-opt %s -p 'builtin.module(cse)' --threads=3 | FileCheck %s --check-prefix=STDIN
// RUN: not dl-opt %s --mlir-print-ir-after=cse,canonicalise 2>&1 | FileCheck %s --check-prefix=NO-PASS
// RUN: dl-opt %s --no-implicit-module | FileCheck %s --check-prefix=BARE

// HELP: Usage: dl-opt [options] [input file]
// HELP: --pass-pipeline=<string>
// HELP-NOT: Alias for
// HELP: --canonicalize{{[[:space:]]+}}- Canonicalize operations
// HELP: --max-iterations=<long>

//     LIST: Options:
// LIST-NOT: Pass manager:
//     LIST: --allow-unregistered-dialect
//     LIST: --verify-each
//     LIST: Passes:

// HIDDEN: -p{{[[:space:]]+}}- Alias for --pass-pipeline

//     PASSES: Passes:
//     PASSES:   --canonicalize{{[[:space:]]+}}- Canonicalize operations
//     PASSES:     --region-simplify=<value>
// PASSES-NEXT:         =disabled

// DIALECTS: Available Dialects: {{.*}}arith,{{.*}}builtin,{{.*}}func

// VERSION: dl-opt {{[0-9]+\.[0-9]+\.[0-9]+}}

//      STDIN: module {
// STDIN-NEXT:   func.func private @f()

// UNKNOWN: dl-opt: unknown option '--canonicalise', did you mean '--canonicalize'?
// BOTH: dl-opt: '-pass-pipeline' option can't be used with individual pass options

// NO-PASS: for the --mlir-print-ir-after option: Cannot find option named 'canonicalise'!, did you mean 'canonicalize'?

// BARE-NOT: module
//     BARE: func.func private @f()
func.func private @f()
