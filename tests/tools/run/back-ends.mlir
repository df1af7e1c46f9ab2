// What a back end does not do, it says.

// RUN: not dl-run %s --backend=interpreter --input=2 --repeat=2 2>&1 | FileCheck %s --check-prefix=TIMED
// TIMED: error: unsupported: calls that this back end makes are not timed{{$}}

// RUN: not dl-translate %s --backend=interpreter --emit=obj -o %t.o 2>&1 | FileCheck %s --check-prefix=OBJECT
// OBJECT: error: unsupported on the back end 'interpreter': it makes no machine code{{$}}

// RUN: not dl-translate %s --backend=cranelift --emit=asm -o - 2>&1 | FileCheck %s --check-prefix=ASM
// ASM: error: unsupported on the cranelift back end: assembly; it makes object files{{$}}

// RUN: not dl-translate %s --backend=cranelift --emit=llvm-ir -o - 2>&1 | FileCheck %s --check-prefix=IR
// IR: error: unsupported on the cranelift back end: LLVM IR; it makes object files{{$}}

// RUN: not dl-translate %s --backend=cranelift --emit=obj --target-triple=s390x-unknown-linux-gnu -o %t.o 2>&1 | FileCheck %s --check-prefix=MACHINE
// MACHINE: error: unknown target 's390x'{{$}}

// The pipeline that lowers programs has been run and is no way out.
// RUN: not dl-run %S/Inputs/smallest-floats.mlir --backend=cranelift --input=1.5 2>&1 | FileCheck %s --check-prefix=FLOATS
// FLOATS: smallest-floats.mlir:2:8: error: unsupported: nothing lowers 'arith.truncf' : (f32) -> f4E2M1FN{{$}}
// FLOATS-NOT: cpu-pipeline
llvm.func @add(%x: f32) -> f32 {
  %0 = llvm.fadd %x, %x : f32
  llvm.return %0 : f32
}
