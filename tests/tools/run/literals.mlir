// Arguments written on the command line, and results printed.

// RUN: dl-run %s --entry=scale --input=3 --input=-1.5 | FileCheck %s --check-prefix=SCALE
// RUN: dl-run %s --entry=scale --input=3:i32 --input=-1.5:f32 | FileCheck %s --check-prefix=SCALE
//      SCALE: float32 []
// SCALE-NEXT: -4.5

// RUN: dl-run %s --entry=is_odd --input=6 | FileCheck %s --check-prefix=EVEN
// RUN: dl-run %s --entry=is_odd --input=0xff:ui8 | FileCheck %s --check-prefix=ODD
//      EVEN: bool []
// EVEN-NEXT: False
//      ODD: bool []
// ODD-NEXT: True

// RUN: not dl-run %s --entry=is_odd --input=256 2>&1 | FileCheck %s --check-prefix=RANGE
// RANGE: error: input 1 (256): '256' is no int8

// RUN: not dl-run %s --entry=is_odd --input=one 2>&1 | FileCheck %s --check-prefix=NUMBER
// NUMBER: error: input 1 (one): 'one' is no int8

// RUN: not dl-run %s --entry=is_odd --input=[1,2 2>&1 | FileCheck %s --check-prefix=SYNTAX
// SYNTAX: error: input 1 ([1,2): expected '@FILE', a number, or a list of numbers

llvm.func @scale(%count: i32, %x: f32) -> f32 {
  %0 = llvm.sitofp %count : i32 to f32
  %1 = llvm.fmul %0, %x : f32
  llvm.return %1 : f32
}

llvm.func @is_odd(%x: i8) -> i1 {
  %0 = llvm.trunc %x : i8 to i1
  llvm.return %0 : i1
}
