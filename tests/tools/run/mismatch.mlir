// Values that do not fit the function: one line that says what was expected.

// RUN: not dl-run %s --entry=add 2>&1 | FileCheck %s --check-prefix=NONE
// NONE: error: function 'add': expected 2 inputs (int32 scalar, float64 scalar), got 0

// RUN: not dl-run %s --entry=add --input=1 --input=2 --input=3:f32 2>&1 | FileCheck %s --check-prefix=MANY
// MANY: error: function 'add': expected 2 inputs (int32 scalar, float64 scalar), got 3

// RUN: not dl-run %s --entry=add --input=1 --input=[2] 2>&1 | FileCheck %s --check-prefix=RANK
// RANK: error: function 'add': input 2 ([2]): expected float64 scalar, got float64 [1]

// RUN: not dl-run %s --entry=add --input=1:i64 --input=2 2>&1 | FileCheck %s --check-prefix=DTYPE
// DTYPE: error: function 'add': input 1 (1:i64): expected int32 scalar, got int64 []

// RUN: not dl-run %s --entry=add --input=@no-such-file.npy --input=2 2>&1 | FileCheck %s --check-prefix=FILE
// FILE: error: input 1 (no-such-file.npy): No such file or directory

// RUN: not dl-run %s --entry=add --input=@%s --input=2 2>&1 | FileCheck %s --check-prefix=NPY
// NPY: error: input 1 ({{.*}}mismatch.mlir): not a .npy file

// RUN: not dl-run %s --entry=add --input=1 --input=2 --output=@%t.npy --output=- 2>&1 | FileCheck %s --check-prefix=OUTPUTS
// OUTPUTS: error: function 'add': expected 1 output (float64 scalar), got 2

llvm.func @add(%x: i32, %y: f64) -> f64 {
  %0 = llvm.sitofp %x : i32 to f64
  %1 = llvm.fadd %0, %y : f64
  llvm.return %1 : f64
}
