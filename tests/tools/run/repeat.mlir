// Times are in seconds, with three digits that count.

// RUN: dl-run %s --input=2 --output=@%t.npy --repeat=5 | FileCheck %s
// CHECK: {{^}}add: best {{0\.[0-9]+}} s, median {{0\.[0-9]+}} s of 5 calls{{$}}

// RUN: dl-run %s --input=2 --repeat=1 | FileCheck %s --check-prefix=PRINT
//      PRINT: float32 []
// PRINT-NEXT: 4.
// PRINT-NEXT: add: best {{.*}} s of 1 call{{$}}
llvm.func @add(%x: f32) -> f32 {
  %0 = llvm.fadd %x, %x : f32
  llvm.return %0 : f32
}
