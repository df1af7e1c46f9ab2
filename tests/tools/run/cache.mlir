// REQUIRES: llvm

// Machine code is kept for the next time, in a folder of its owner.
// RUN: rm -rf %t && mkdir %t
// RUN: XDG_CACHE_HOME=%t dl-run %s --backend=llvm --input=2 | FileCheck %s
// CHECK: float32 []
// CHECK: 4.
// RUN: ls -i -1 %t/dl > %t/first
// RUN: ls -l %t/dl | FileCheck %s --check-prefix=OWN
// OWN: {{^}}-rw-------
// OWN: {{[0-9a-f]}}
// OWN-NOT: {{^}}-

// The second time it is read and not written anew: the file is the same.
// RUN: XDG_CACHE_HOME=%t dl-run %s --backend=llvm --input=2 | FileCheck %s
// RUN: ls -i -1 %t/dl | diff %t/first -

// A file that is not whole is replaced.
// RUN: for file in %t/dl/*; do truncate -s 100 $file; done
// RUN: XDG_CACHE_HOME=%t dl-run %s --backend=llvm --input=2 | FileCheck %s
// RUN: XDG_CACHE_HOME=%t dl-run %s --backend=llvm --input=2 | FileCheck %s

// Other code is another entry.
// RUN: XDG_CACHE_HOME=%t dl-run %s --backend=llvm --opt-level=1 --input=2 | FileCheck %s
// RUN: ls -1 %t/dl | wc -l | FileCheck %s --check-prefix=TWO
// TWO: 2

// Without a cache, or one with room for nothing, nothing is made.
// RUN: XDG_CACHE_HOME=%t/none dl-run %s --backend=llvm --no-cache --input=2 | FileCheck %s
// RUN: XDG_CACHE_HOME=%t/none dl-run %s --backend=llvm --cache-size=0 --input=2 | FileCheck %s
// RUN: not ls %t/none

// What cannot be a folder is done without.
// RUN: XDG_CACHE_HOME=%s dl-run %s --backend=llvm --input=2 | FileCheck %s
llvm.func @add(%x: f32) -> f32 {
  %0 = llvm.fadd %x, %x : f32
  llvm.return %0 : f32
}
