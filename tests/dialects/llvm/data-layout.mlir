// RUN: dl-opt %s --verify-diagnostics --split-input-file

// Texts of `llvm.data_layout`: what is right of them first.
module attributes {llvm.data_layout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"} {}
module attributes {llvm.data_layout = ""} {}
module attributes {llvm.data_layout = "E"} {}
module attributes {llvm.data_layout = "a0:8"} {}
module attributes {llvm.data_layout = "a:0"} {}
module attributes {llvm.data_layout = "i08:8"} {}
module attributes {llvm.data_layout = "Fi32-Fn32"} {}
module attributes {llvm.data_layout = "P1-A5-G1"} {}
module attributes {llvm.data_layout = "ni:1:2"} {}
module attributes {llvm.data_layout = "s:3"} {}
module attributes {llvm.data_layout = "pe1:64:64:64:32-pu2(name):64:64"} {}
module attributes {llvm.data_layout = "p((a)):64:64"} {}
module attributes {llvm.data_layout = "m:l-m:o-m:m-m:w-m:x-m:a"} {}
module attributes {llvm.data_layout = "v128:64:128"} {}

// -----

// expected-error @below {{invalid data layout descriptor: empty specification is not allowed}}
module attributes {llvm.data_layout = "-e"} {}

// -----

// expected-error @below {{invalid data layout descriptor: malformed specification, must be of the form "p[<n>]:<size>:<abi>[:<pref>[:<idx>]]"}}
module attributes {llvm.data_layout = "p"} {}

// -----

// expected-error @below {{invalid data layout descriptor: pointer size must be a non-zero 24-bit integer}}
module attributes {llvm.data_layout = "p:x:64"} {}

// -----

// expected-error @below {{invalid data layout descriptor: 'z' is not a valid pointer specification flag}}
module attributes {llvm.data_layout = "pz:64:64"} {}

// -----

// expected-error @below {{invalid data layout descriptor: address space must be a 24-bit integer}}
module attributes {llvm.data_layout = "p16777216:64:64"} {}

// -----

// expected-error @below {{invalid data layout descriptor: ABI alignment must be non-zero}}
module attributes {llvm.data_layout = "p:64:0"} {}

// -----

// expected-error @below {{invalid data layout descriptor: ABI alignment must be a power of two times the byte width}}
module attributes {llvm.data_layout = "p:64:12"} {}

// -----

// expected-error @below {{invalid data layout descriptor: preferred alignment cannot be less than the ABI alignment}}
module attributes {llvm.data_layout = "p:64:64:32"} {}

// -----

// expected-error @below {{invalid data layout descriptor: index size cannot be larger than the pointer size}}
module attributes {llvm.data_layout = "p:64:64:64:65"} {}

// -----

// expected-error @below {{invalid data layout descriptor: index size must be a non-zero 24-bit integer}}
module attributes {llvm.data_layout = "p:64:64:64:0"} {}

// -----

// expected-error @below {{invalid data layout descriptor: preferred alignment must be a 16-bit integer}}
module attributes {llvm.data_layout = "p:64:64:x"} {}

// -----

// expected-error @below {{invalid data layout descriptor: malformed specification, must be of the form "i<size>:<abi>[:<pref>]"}}
module attributes {llvm.data_layout = "i"} {}

// -----

// expected-error @below {{invalid data layout descriptor: ABI alignment must be a 16-bit integer}}
module attributes {llvm.data_layout = "i64:x"} {}

// -----

// expected-error @below {{invalid data layout descriptor: size must be a non-zero 24-bit integer}}
module attributes {llvm.data_layout = "i0:8"} {}

// -----

// expected-error @below {{invalid data layout descriptor: i8 must be 8-bit aligned}}
module attributes {llvm.data_layout = "i8:16"} {}

// -----

// expected-error @below {{invalid data layout descriptor: malformed specification, must be of the form "f<size>:<abi>[:<pref>]"}}
module attributes {llvm.data_layout = "f64"} {}

// -----

// expected-error @below {{invalid data layout descriptor: malformed specification, must be of the form "v<size>:<abi>[:<pref>]"}}
module attributes {llvm.data_layout = "v64"} {}

// -----

// expected-error @below {{invalid data layout descriptor: malformed specification, must be of the form "a:<abi>[:<pref>]"}}
module attributes {llvm.data_layout = "a"} {}

// -----

// expected-error @below {{invalid data layout descriptor: size must be zero}}
module attributes {llvm.data_layout = "a8:64"} {}

// -----

// expected-error @below {{invalid data layout descriptor: size component cannot be empty}}
module attributes {llvm.data_layout = "n"} {}

// -----

// expected-error @below {{invalid data layout descriptor: malformed specification, must be of the form "S<size>"}}
module attributes {llvm.data_layout = "S"} {}

// -----

// expected-error @below {{invalid data layout descriptor: stack natural alignment must be non-zero}}
module attributes {llvm.data_layout = "S0"} {}

// -----

// expected-error @below {{invalid data layout descriptor: stack natural alignment must be a power of two times the byte width}}
module attributes {llvm.data_layout = "S12"} {}

// -----

// expected-error @below {{invalid data layout descriptor: stack natural alignment must be a 16-bit integer}}
module attributes {llvm.data_layout = "Sx"} {}

// -----

// expected-error @below {{invalid data layout descriptor: malformed specification, must be of the form "F<type><abi>"}}
module attributes {llvm.data_layout = "F"} {}

// -----

// expected-error @below {{invalid data layout descriptor: unknown function pointer alignment type 'x'}}
module attributes {llvm.data_layout = "Fx32"} {}

// -----

// expected-error @below {{invalid data layout descriptor: ABI alignment component cannot be empty}}
module attributes {llvm.data_layout = "Fi"} {}

// -----

// expected-error @below {{invalid data layout descriptor: malformed specification, must be of the form "P<address space>"}}
module attributes {llvm.data_layout = "P"} {}

// -----

// expected-error @below {{invalid data layout descriptor: malformed specification, must be of the form "A<address space>"}}
module attributes {llvm.data_layout = "A"} {}

// -----

// expected-error @below {{invalid data layout descriptor: malformed specification, must be of the form "m:<mangling>"}}
module attributes {llvm.data_layout = "m"} {}

// -----

// expected-error @below {{invalid data layout descriptor: unknown mangling mode}}
module attributes {llvm.data_layout = "m:z"} {}

// -----

// expected-error @below {{invalid data layout descriptor: malformed specification, must be of the form "ni:<address space>[:<address space>]..."}}
module attributes {llvm.data_layout = "ni"} {}

// -----

// expected-error @below {{invalid data layout descriptor: address space 0 cannot be non-integral}}
module attributes {llvm.data_layout = "ni:0"} {}

// -----

// expected-error @below {{invalid data layout descriptor: address space component cannot be empty}}
module attributes {llvm.data_layout = "ni:1:"} {}

// -----

// expected-error @below {{invalid data layout descriptor: unknown specifier 'z'}}
module attributes {llvm.data_layout = "z"} {}

// -----

// expected-error @below {{invalid data layout descriptor: unknown specifier '8'}}
module attributes {llvm.data_layout = "8"} {}

// -----

// expected-error @below {{invalid data layout descriptor: address space 0 cannot be unstable or have external state}}
module attributes {llvm.data_layout = "pu:64:64"} {}

// -----

// expected-error @below {{invalid data layout descriptor: malformed specification, must be just 'e' or 'E'}}
module attributes {llvm.data_layout = "ex"} {}

// -----

// expected-error @below {{invalid data layout descriptor: unknown specifier ' '}}
module attributes {llvm.data_layout = " e"} {}

// -----

// expected-error @below {{invalid data layout descriptor: Expected `( address space name )`}}
module attributes {llvm.data_layout = "p1(abc:64:64"} {}

// -----

// expected-error @below {{invalid data layout descriptor: address space name `a` already used}}
module attributes {llvm.data_layout = "p1(a):64:64-p2(a):64:64"} {}

// -----

// expected-error @below {{invalid data layout descriptor: preferred alignment component cannot be empty}}
module attributes {llvm.data_layout = "i64:64:"} {}

// -----

// expected-error @below {{invalid data layout descriptor: index size component cannot be empty}}
module attributes {llvm.data_layout = "p:64:64:64:"} {}

// -----

// expected-error @below {{invalid data layout descriptor: pointer size component cannot be empty}}
module attributes {llvm.data_layout = "p::64"} {}

// -----

// expected-error @below {{invalid data layout descriptor: preferred alignment must be non-zero}}
module attributes {llvm.data_layout = "a:0:0"} {}

// -----

// expected-error @below {{invalid data layout descriptor: preferred alignment must be a power of two times the byte width}}
module attributes {llvm.data_layout = "f16:16:12"} {}

// -----

// expected-error @below {{invalid data layout descriptor: unknown function pointer alignment type '0'}}
module attributes {llvm.data_layout = "F0"} {}

// -----

// expected-error @below {{invalid data layout descriptor: 'A' is not a valid pointer specification flag}}
module attributes {llvm.data_layout = "pA:64:64"} {}

// -----

// expected-error @below {{invalid data layout descriptor: malformed specification, must be of the form "G<address space>"}}
module attributes {llvm.data_layout = "G"} {}

// -----

// expected-error @below {{invalid data layout descriptor: unknown specifier '('}}
module attributes {llvm.data_layout = "("} {}

// -----

// On any operation.
// expected-error @below {{'func.func' op invalid data layout descriptor: unknown specifier '#'}}
func.func @f() attributes {llvm.data_layout = "#"} {
  return
}

// -----

// expected-error @below {{expected 'llvm.data_layout' to be a string attributes}}
module attributes {llvm.data_layout = 1 : i32} {}
