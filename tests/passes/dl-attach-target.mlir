// RUN: dl-opt %s --dl-attach-target=target-cpu=skylake-avx512 | FileCheck %s
// RUN: dl-opt %s --dl-attach-target='target-cpu=skylake-avx512 target-features=-avx512f,-avx512bw threads=2' | FileCheck %s --check-prefix=NARROW
// RUN: dl-opt %s --dl-attach-target=target-cpu=cortex-a72 --dl-attach-target=target-cpu=haswell | FileCheck %s --check-prefix=FIRST
// RUN: dl-opt %s --dl-attach-target --dl-detach-target | FileCheck %s --check-prefix=DETACHED
// RUN: not dl-opt %s --dl-attach-target=target-cpu=pentium 2>&1 | FileCheck %s --check-prefix=UNKNOWN
// RUN: not dl-opt %s --dl-attach-target='target-cpu=haswell target-features=fma' 2>&1 | FileCheck %s --check-prefix=FEATURE
// RUN: not dl-opt %s --linalg-lower-contractions 2>&1 | FileCheck %s --check-prefix=MISSING

//      CHECK: #dl.target<cpu = "skylake-avx512", arch = "x86_64", vector_bits = 512, vector_registers = 32, l1d = 32768, l1d_ways = 8,
// CHECK-SAME: l2 = 1048576, l2_ways = 16, l3 = 34603008, l3_ways = 11, cores = 1,
// CHECK-SAME: features = "avx,avx2,avx512bw,avx512cd,avx512dq,avx512f,avx512vl,f16c,fma,sse4.2,ssse3">

//      NARROW: vector_bits = 256, vector_registers = 16,
// NARROW-SAME: cores = 2, features = "avx,avx2,avx512cd,

// A module that has a target keeps it.
//     FIRST: cpu = "cortex-a72", arch = "aarch64", vector_bits = 128, vector_registers = 32
// FIRST-NOT: haswell

// DETACHED-NOT: dl.target

// UNKNOWN: error: unknown target CPU 'pentium'; known are native, x86-64, x86-64-v2,
// FEATURE: error: target feature 'fma' does not start with '+' or '-'
// MISSING: error: 'builtin.module' op expected the attribute 'dl.target' of the module; see dl-attach-target

func.func @nothing() {
  return
}
