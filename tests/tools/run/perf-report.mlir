// What the kernels of a program do, as its pipeline lists them, and when they ran.

// RUN: dl-run %s --input=2.0 --perf-report --threads=1 | FileCheck %s
//      CHECK: {{^}}kernel{{[[:space:]]+}}runs{{[[:space:]]+}}Mop{{[[:space:]]+}}MB{{[[:space:]]+}}predicted ms{{[[:space:]]+}}measured ms{{[[:space:]]+}}roofline{{[[:space:]]+}}code{{$}}
// CHECK-NEXT: {{^}}sum{{[[:space:]]+}}1{{[[:space:]]+}}0.002{{[[:space:]]+}}0.{{[0-9]+}}{{[[:space:]]+}}0.{{[0-9]+}}{{[[:space:]]+}}0.{{[0-9]+}}{{[[:space:]]+}}{{[0-9]+}} %{{[[:space:]]+}}vector{{$}}
// CHECK-NEXT: {{^}}all kernels{{[[:space:]]+}}1{{[[:space:]]+}}0.002
// CHECK-NEXT: {{^}}a call takes 0.{{[0-9]+}} ms, the median of {{[0-9]+}}{{$}}
// CHECK-NEXT: {{^}}roofline: {{[0-9.]+}} Gop/s of f32; copies {{[0-9.]+}} GB/s in {{[0-9]+}} KiB

// RUN: dl-run %s --input=2.0 --perf-report --perf-report-format=json --threads=1 --output=- | FileCheck %s --check-prefix=JSON
//      JSON: {{^}}float32 [1024]
//      JSON: {{^}}{"kernels": [{{$}}
// JSON-NEXT: {{^}}  {"name": "sum", "function": "main", "code": "vector", "operations_of_a_run": {"f32": 2048}, "runs": 1, "operations": 2048, "bytes": {{[0-9]+}}, "predicted_ms": {{[0-9.]+}}, "measured_ms": {{[0-9.]+}}, "roofline": {{[0-9.]+}}}{{$}}
// JSON-NEXT: {{^}}],{{$}}
// JSON-NEXT: {{^}}"all": {"runs": 1,
// JSON-NEXT: {{^}}"calls": {{[0-9]+}}, "call_ms": {{[0-9.]+}},{{$}}
// JSON-NEXT: {{^}}"f32_gop_s": {{[0-9.]+}}, "copies": [{"bytes":

// A trace has an event for each call, and one for each run of a kernel.
// RUN: dl-run %s --input=2.0 --profile=%t --threads=1
// RUN: FileCheck %s --check-prefix=TRACE --input-file=%t
//      TRACE: {{^}}{"displayTimeUnit": "ms", "traceEvents": [{{$}}
// TRACE-NEXT: "name": "thread_name", "args": {"name": "program"}},
// TRACE-NEXT: {{^}}{"ph": "X", "pid": 1, "tid": 0, "ts": 0.000, "dur": {{[0-9.]+}}, "name": "main", "cat": "call", "args": {}},
// TRACE-NEXT: "name": "sum", "cat": "kernel", "args": {"function": "main", "f32 operations": "2048", "bytes": "{{[0-9]+}}", "code": "vector"}}

// What stays scalar is an error where that is denied.
// RUN: dl-run %s --input=2.0 --deny=scalar-fallback | FileCheck %s --check-prefix=FINE
// FINE: float32 [1024]
// RUN: not dl-run %S/Inputs/scalar.mlir --deny=scalar-fallback 2>&1 | FileCheck %s --check-prefix=DENIED
// DENIED: scalar.mlir:{{[0-9]+}}:{{[0-9]+}}: error: {{.*}} is computed element by element: an operand has elements of a vector apart
// RUN: not dl-translate %S/Inputs/scalar.mlir --emit=obj --deny=scalar-fallback -o /dev/null 2>&1 | FileCheck %s --check-prefix=DENIED

// Ahead of time nothing is measured, and for another machine nothing predicted.
// RUN: dl-translate %S/Inputs/scalar.mlir --backend=cranelift --emit=obj --target-triple=aarch64-unknown-linux-gnu --perf-report -o %t | FileCheck %s --check-prefix=AHEAD
//      AHEAD: {{^}}kernel
// AHEAD-NEXT: 0.033{{[[:space:]]+}}scalar: an operand has elements of a vector apart
// AHEAD-NEXT: {{^}}all kernels
//  AHEAD-NOT: roofline
// RUN: not dl-translate %S/Inputs/scalar.mlir --emit=obj --perf-report 2>&1 | FileCheck %s --check-prefix=NAMELESS
// NAMELESS: error: the following required arguments were not provided:

// A program without a list has no report.
// RUN: not dl-run %S/Inputs/lowered.mlir --perf-report 2>&1 | FileCheck %s --check-prefix=LOWERED
// LOWERED: error: unsupported: reports on this program: its kernels are not known, since it is lowered already
// RUN: not dl-run %s --input=2.0 --backend=interpreter --deny=scalar-fallback 2>&1 | FileCheck %s --check-prefix=INTERPRETER
// INTERPRETER: error: unsupported: reports on this program: the back end 'interpreter' has no kernels

func.func @main(%x: f32) -> tensor<1024xf32> {
  %e = tensor.empty() : tensor<1024xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>], iterator_types = ["parallel"]} outs(%e : tensor<1024xf32>) {
  ^bb0(%out: f32):
    %i = linalg.index 0 : index
    %n = arith.index_cast %i : index to i32
    %f = arith.sitofp %n : i32 to f32
    %s = arith.addf %f, %x : f32
    linalg.yield %s : f32
  } -> tensor<1024xf32> loc("sum")
  return %r : tensor<1024xf32>
}
