// Times are in milliseconds, memory in MiB.

// RUN: dl-run %s --input=2 --benchmark --benchmark-min-time=0.01 --benchmark-format=json --threads=2 | FileCheck %s --check-prefix=JSON
// JSON: {{^}}{"name": "add", "threads": 2, "median_ms": 0.{{[0-9]+}}, "min_ms": 0.{{[0-9]+}}, "calls": {{[0-9]+}}, "compile_ms": {{[0-9]+\.[0-9]+}}, "back_end_ms": {{[0-9]+\.[0-9]+}}, "peak_rss_mb": {{[0-9]+\.[0-9]}}}{{$}}
// JSON-NOT: {{.}}

// RUN: dl-run %s --input=2 --benchmark --benchmark-min-time=0 --threads=1 | FileCheck %s
// CHECK: {{^}}add: median {{[0-9.]+}} ms, min {{[0-9.]+}} ms of {{[0-9]+}} calls on 1 thread; compiled in {{[0-9.]+}} ms, {{[0-9.]+}} ms of it in the back end; peak memory {{[0-9.]+}} MiB{{$}}

// A result that is asked for is written besides.
// RUN: dl-run %s --input=2 --output=- --benchmark --benchmark-min-time=0 | FileCheck %s --check-prefix=BOTH
//      BOTH: float32 []
// BOTH-NEXT: 4.
// BOTH-NEXT: add: median

// RUN: not dl-run %s --input=2 --benchmark --benchmark-min-time=-1 2>&1 | FileCheck %s --check-prefix=NEGATIVE
// NEGATIVE: error: invalid value '-1' for '--benchmark-min-time <SECONDS>'

// RUN: not dl-run %s --input=2 --threads=0 2>&1 | FileCheck %s --check-prefix=ZERO
// ZERO: error: invalid value '0' for '--threads <N>'

// RUN: not dl-run %s --input=2 --benchmark-format=json 2>&1 | FileCheck %s --check-prefix=ALONE
// ALONE: error: the following required arguments were not provided:
// ALONE: --benchmark
llvm.func @add(%x: f32) -> f32 {
  %0 = llvm.fadd %x, %x : f32
  llvm.return %0 : f32
}
