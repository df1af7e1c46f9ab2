// Files that define no dialect that can be loaded. Each is a part of this one.
// RUN: for i in 1 2 3 4 5; do sed -n "/^\/\/ PART $i/,/^\/\/ END/p" %s > %t.$i.mlir; done
// RUN: not dl-opt --irdl-file=%t.1.mlir /dev/null 2>&1 | FileCheck %s --check-prefix=THERE
// RUN: not dl-opt --irdl-file=%t.2.mlir /dev/null 2>&1 | FileCheck %s --check-prefix=CPP
// RUN: not dl-opt --irdl-file=%t.3.mlir /dev/null 2>&1 | FileCheck %s --check-prefix=NAME
// RUN: not dl-opt --irdl-file=%t.4.mlir /dev/null 2>&1 | FileCheck %s --check-prefix=TEXT
// RUN: not dl-opt --irdl-file=%t.5.mlir /dev/null 2>&1 | FileCheck %s --check-prefix=HASH
// RUN: not dl-opt --irdl-file=%t.none.mlir /dev/null 2>&1 | FileCheck %s --check-prefix=MISSING
// RUN: not dl-opt /dev/null --irdl-file 2>&1 | FileCheck %s --check-prefix=VALUE

// THERE: error: 'irdl.dialect' op the dialect 'arith' is registered already
// CPP: error: 'irdl.c_pred' op unsupported: a constraint in C++, which only generated code could check
// NAME: error: no registered type with name !builtin.spline
// TEXT: error: custom op 'irdl.operation' expected valid '@'-identifier for symbol name
// HASH: error: 'irdl.operation' op unsupported: the name 'made.vl4xyupxvlrip' beside 'made.gdrp26meycmzk', which has the same hash
// MISSING: cannot open input file '{{.*}}none.mlir'
// VALUE: dl-opt: for the --irdl-file option: requires a value!

// PART 1
irdl.dialect @arith {}
// END
// PART 2
irdl.dialect @c { irdl.operation @o { %0 = irdl.c_pred "true" irdl.results(r: %0) } }
// END
// PART 3
irdl.dialect @d { irdl.operation @o { %0 = irdl.base "!builtin.spline" irdl.results(r: %0) } }
// END
// PART 4
irdl.dialect @e { irdl.operation
// END
// PART 5
irdl.dialect @made { irdl.operation @gdrp26meycmzk {} irdl.operation @vl4xyupxvlrip {} }
// END
