// RUN: dl-opt %s --allow-unregistered-dialect --split-input-file --verify-diagnostics

// A name stands for one struct.

func.func private @first(!llvm.struct<"pair", (i32, ptr)>)
// expected-error @below {{identified type already used with a different body}}
func.func private @second(!llvm.struct<"pair", packed (i32, ptr)>)

// -----

func.func private @first(!llvm.struct<"unknown", opaque>)
// expected-error @below {{identified type already used with a different body}}
func.func private @second(!llvm.struct<"unknown", (i8)>)

// -----

func.func private @first(!llvm.struct<"known", (i8)>)
func.func private @again(!llvm.struct<"known", (i8)>)
// expected-error @below {{redeclaring defined struct as opaque}}
func.func private @second(!llvm.struct<"known", opaque>)

// -----

// expected-error @below {{only identified structs can be opaque}}
func.func private @nameless(!llvm.struct<opaque>)
