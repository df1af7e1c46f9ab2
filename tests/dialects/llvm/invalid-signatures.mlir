// RUN: dl-opt %s --split-input-file --verify-diagnostics

// What LLVM says of arguments and results holds for functions of any dialect, where their types are those of LLVM.

// expected-error @below {{"llvm.noalias" attribute attached to non-pointer LLVM type}}
func.func private @no_pointer(i32 {llvm.noalias})

// -----

// expected-error @below {{"llvm.signext" attribute attached to non-integer LLVM type}}
func.func private @no_integer() -> (f32 {llvm.signext})

// -----

// expected-error @below {{"llvm.readonly" should be a unit attribute}}
func.func private @no_unit(memref<4xf32> {llvm.readonly = 1})

// -----

// expected-error @below {{"llvm.align" should be an integer attribute}}
func.func private @no_number(!llvm.ptr {llvm.align = "x"})

// -----

// expected-error @below {{"llvm.byval" is not a valid result attribute}}
func.func private @result() -> (!llvm.ptr {llvm.byval = i32})

// -----

gpu.module @kernels {
  // expected-error @below {{"llvm.noalias" attribute attached to non-pointer LLVM type}}
  gpu.func @kernel(%a: i32 {llvm.noalias}) {
    gpu.return
  }
}

// -----

// A buffer may become a pointer.
func.func private @buffer(memref<4xf32> {llvm.noalias, llvm.readonly}, index {llvm.readonly})

// -----

// expected-error @below {{'builtin.module' op expected 'llvm.data_layout' to be a string attribute}}
module attributes {llvm.data_layout = 1} {
}

// -----

// expected-error @below {{'llvm.mlir.global' op expects type to be a valid element type for an LLVM global}}
llvm.mlir.global @index() : index

// -----

// expected-error @below {{'llvm.mlir.global' op expects type to be a valid element type for an LLVM global}}
llvm.mlir.global @matrix() : vector<4x4xf32>

// -----

// expected-error @below {{'llvm.mlir.global' op expects type to be a valid element type for an LLVM global}}
llvm.mlir.global @buffer() : memref<4xf32>

// -----

llvm.mlir.global @number() : bf16
llvm.mlir.global @numbers() : vector<4xi32>
llvm.mlir.global @pointers() : !llvm.array<4 x ptr>
