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

// -----

// expected-error @below {{struct without a body only allowed in a recursive struct}}
func.func private @alone(!llvm.struct<"node">)

// -----

// expected-error @below {{identifier already used for an enclosing struct}}
func.func private @in_itself(!llvm.struct<"node", (i32, struct<"node", (i32)>)>)

// -----

// expected-error @below {{unsupported: identified structs that contain each other}}
func.func private @each_other(!llvm.struct<"a", (struct<"b", (struct<"a">)>)>)

// -----

// A type in the body is read once for itself only.
// expected-error @below {{struct without a body only allowed in a recursive struct}}
func.func private @remembered(!llvm.struct<"node", (tuple<!llvm.struct<"node">>)>, tuple<!llvm.struct<"node">>)
