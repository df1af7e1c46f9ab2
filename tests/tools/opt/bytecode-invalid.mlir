// What is wrong with bytecode, or with what is asked of it.

// RUN: not dl-opt %s --emit-bytecode --emit-bytecode-version=7 2>&1 | FileCheck %s --check-prefix=VERSION
// VERSION: error: unsupported version requested 7, must be in range [0, 6]

// RUN: not dl-opt %s --emit-bytecode --emit-bytecode-version=new 2>&1 | FileCheck %s --check-prefix=NUMBER
// NUMBER: 'new' value invalid for uint argument!

// RUN: not dl-opt %s --emit-bytecode-version=3 2>&1 | FileCheck %s --check-prefix=ALONE
// ALONE: error: bytecode version while not emitting bytecode: '--emit-bytecode' is missing

// RUN: dl-opt %s --emit-bytecode -o %t && head -c 60 %t > %t.short && not dl-opt %t.short 2>&1 | FileCheck %s --check-prefix=SHORT
// SHORT: {{.*}}.short:0:0: error: attempting to parse {{.*}} when only {{.*}} remain
// SHORT-NEXT: {{.*}}.short:0:0: note: at byte {{[0-9]+}} of 60
// SHORT-NEXT: {{.*}}.short:0:0: note: in bytecode version 6 produced by: dl

// RUN: printf 'ML\357R\033x\000' | not dl-opt 2>&1 | FileCheck %s --check-prefix=NEWER
// NEWER: <stdin>:0:0: error: bytecode version 13 is newer than the current version 6

// RUN: printf 'ML\357' | not dl-opt 2>&1 | FileCheck %s --check-prefix=TEXT
// TEXT: <stdin>:1:3: error: unexpected character

// An unknown dialect in bytecode.
// RUN: echo '"foo.a"() : () -> ()' | dl-opt --allow-unregistered-dialect --emit-bytecode | not dl-opt 2>&1 | FileCheck %s --check-prefix=DIALECT
// DIALECT: <stdin>:0:0: error: dialect 'foo' is unknown.

// The verifier looks at what was read.
// RUN: echo '"func.return"() : () -> ()' | dl-opt --emit-bytecode --mlir-very-unsafe-disable-verifier-on-parsing | not dl-opt 2>&1 | FileCheck %s --check-prefix=VERIFY
// VERIFY: <stdin>:1:1: error: 'func.return' op expects parent op 'func.func'

func.func @f() {
  return
}
