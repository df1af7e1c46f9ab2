// RUN: dl-opt %s --verify-diagnostics --split-input-file

// expected-error @below {{expected 'x'}}
func.func private @f(!llvm.array<4xi32>)

// -----

// expected-error @below {{expected 'x'}}
func.func private @f(!llvm.array<4 i32>)

// -----

// expected-error @below {{expected integer value}}
func.func private @f(!llvm.array<? x i32>)

// -----

// expected-error @below {{expected integer value}}
func.func private @f(!llvm.array<x i32>)

// -----

// expected-error @below {{expected integer value}}
func.func private @f(!llvm.array<- x i32>)

// -----

// expected-error @below {{integer value too large}}
func.func private @f(!llvm.array<18446744073709551616 x i32>)

// -----

// expected-error @below {{integer value too large}}
func.func private @f(!llvm.array<-9223372036854775809 x i32>)

// -----

// expected-error @below {{invalid array element type: '!llvm.void'}}
func.func private @f(!llvm.array<2 x void>)
