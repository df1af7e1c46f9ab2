// RUN: dl-opt %s --memref-emulate-wide-int=widest-int-supported=16 --split-input-file --verify-diagnostics

// Integers of four times the width are not emulated.
func.func @alloc() {
  // expected-error @below {{failed to legalize operation 'memref.alloc' that was explicitly marked illegal}}
  %m = memref.alloc() : memref<4xi64, 1>
  return
}

// -----

func.func @load(%m: memref<4xi64>, %i: index) {
  // expected-error @below {{failed to legalize operation 'memref.load' that was explicitly marked illegal}}
  %v = memref.load %m[%i] : memref<4xi64>
  return
}
