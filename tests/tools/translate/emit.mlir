// REQUIRES: llvm
// RUN: dl-translate %s --emit=llvm-ir | FileCheck %s --check-prefix=IR
// RUN: dl-translate %s --emit=llvm-ir --opt-level=0 | FileCheck %s --check-prefix=O0
// RUN: dl-translate %s --emit=asm --target-triple=x86_64-linux-gnu --target-cpu=x86-64 | FileCheck %s --check-prefix=ASM
// RUN: dl-translate %s --emit=asm --target-triple=aarch64-linux-gnu | FileCheck %s --check-prefix=ARM

// Object files and shared libraries are ELF files that define the function.
// RUN: dl-translate %s --emit=obj -o %t.o && head -c 4 %t.o | tail -c 3 | FileCheck %s --check-prefix=ELF
// RUN: dl-translate %s --emit=shared --target-cpu=native --opt-level=3 -o %t.so && head -c 4 %t.so | tail -c 3 | FileCheck %s --check-prefix=ELF
// RUN: grep -q four_times %t.o && grep -q four_times %t.so
// ELF: ELF

// Four times x is a shift once it is optimized.
// IR-LABEL: @four_times(
// IR: shl i32 %{{.*}}, 2
// O0-LABEL: @four_times(
// O0: add i32
// O0: add i32
// ASM: four_times:
// ASM: leal (,%rdi,4), %eax
// ARM: four_times:
// ARM: lsl w0, w0, #2
llvm.func @four_times(%x: i32) -> i32 {
  %two = llvm.add %x, %x : i32
  %four = llvm.add %two, %two : i32
  llvm.return %four : i32
}
