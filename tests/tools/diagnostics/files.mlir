// RUN: not dl-opt no-such-file.mlir 2>&1 | FileCheck %s --check-prefix=INPUT
// INPUT: no-such-file.mlir{{.*}}No such file or directory

// RUN: not dl-opt %s -o %t/no/such/folder 2>&1 | FileCheck %s --check-prefix=OUTPUT
// OUTPUT: No such file or directory

func.func @f() {
  return
}
