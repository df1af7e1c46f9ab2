// RUN: echo "--cse '--mlir-print-op-generic' %s" > %t.args
// RUN: echo "@%t.args --canonicalize" > %t.more
// RUN: dl-opt @%t.more | FileCheck %s
// RUN: not dl-opt @%t.none 2>&1 | FileCheck %s --check-prefix=NONE
// RUN: echo "@%t.loop" > %t.loop
// RUN: not dl-opt @%t.loop 2>&1 | FileCheck %s --check-prefix=LOOP
// RUN: echo "'--cse" > %t.open
// RUN: not dl-opt @%t.open 2>&1 | FileCheck %s --check-prefix=OPEN

// NONE: cannot open input file '@{{.*}}.none'
// LOOP: response file '{{.*}}.loop': nested deeper than 16 files
// OPEN: response file '{{.*}}.open': a quote does not end

// CHECK: "func.func"()
// CHECK-NOT: "arith.constant"
// CHECK: "func.return"
func.func @f() {
  %0 = arith.constant 1 : i32
  return
}
