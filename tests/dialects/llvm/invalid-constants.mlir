// RUN: dl-opt %s --split-input-file --verify-diagnostics

func.func @array_of_numbers() {
  // expected-error @below {{'llvm.mlir.constant' op for array with an array attribute must have a struct element type}}
  %0 = llvm.mlir.constant([1 : i32, 2 : i32]) : !llvm.array<2 x i32>
  return
}

// -----

func.func @too_few_rows() {
  // expected-error @below {{'llvm.mlir.constant' op array attribute size does not match array type size in dimension 0: 1 vs. 3}}
  %0 = llvm.mlir.constant([[1 : i32]]) : !llvm.array<3 x struct<(i32)>>
  return
}

// -----

func.func @number_for_a_row() {
  // expected-error @below {{'llvm.mlir.constant' op nested attribute for sub-array in dimension 0 at index 1 must be a zero, or undef, or array attribute}}
  %0 = llvm.mlir.constant([[[1 : i32]], 2 : i32]) : !llvm.array<2 x array<1 x struct<(i32)>>>
  return
}

// -----

func.func @number_for_a_struct() {
  // expected-error @below {{'llvm.mlir.constant' op nested attribute for struct element at index 1 must be a zero, or undef, or array attribute}}
  %0 = llvm.mlir.constant([[1 : i32], 2 : i32]) : !llvm.array<2 x struct<(i32)>>
  return
}

// -----

func.func @too_few_members() {
  // expected-error @below {{'llvm.mlir.constant' op nested array attribute size for struct element at index 0 must match struct size: 1 vs. 2}}
  %0 = llvm.mlir.constant([[1 : i32]]) : !llvm.array<1 x struct<(i32, f32)>>
  return
}

// -----

func.func @zero_and_undefined_parts() {
  %0 = llvm.mlir.constant([[[1 : i32]], #llvm.zero]) : !llvm.array<2 x array<1 x struct<(i32)>>>
  %1 = llvm.mlir.constant([#llvm.undef, [2 : i32]]) : !llvm.array<2 x struct<(i32)>>
  return
}

// -----

func.func @target_types() {
  %0 = llvm.mlir.zero : !llvm.target<"spirv.Event">
  // expected-error @below {{'llvm.mlir.zero' op target extension type does not support zero-initializer}}
  %1 = llvm.mlir.zero : !llvm.target<"other.Event">
  return
}

// -----

func.func @constant_of_target_type() {
  // expected-error @below {{'llvm.mlir.constant' op does not support target extension type.}}
  %0 = llvm.mlir.constant(0 : i32) : !llvm.target<"spirv.Event">
  return
}

// -----

func.func @target_type_in_memory(%p: !llvm.ptr) {
  %0 = llvm.load %p : !llvm.ptr -> !llvm.target<"aarch64.svcount">
  // expected-error @below {{'llvm.load' op result #0 must be LLVM type with size, but got '!llvm.target<"other.Event">'}}
  %1 = llvm.load %p : !llvm.ptr -> !llvm.target<"other.Event">
  return
}

// -----

func.func @inbounds_without_its_companion(%p: !llvm.ptr, %i: i64) {
  // expected-error @below {{'llvm.getelementptr' op 'inbounds_flag' cannot be used directly.}}
  %0 = llvm.getelementptr inbounds_flag %p[%i] : (!llvm.ptr, i64) -> !llvm.ptr, i8
  return
}

// -----

func.func @assembly_as_tail_call() {
  // expected-error @below {{'llvm.inline_asm' op tail call kind 'musttail' is not supported by this operation}}
  llvm.inline_asm tail_call_kind = <musttail> "nop", "" : () -> ()
  return
}

// -----

func.func @interleaved_to_another_element(%a: vector<[2]xf16>) {
  // expected-error @below {{'llvm.intr.vector.interleave2' op failed to verify that result has twice as many elements as 'vec1'}}
  %0 = "llvm.intr.vector.interleave2"(%a, %a) : (vector<[2]xf16>, vector<[2]xf16>) -> vector<[4]xi16>
  return
}

// -----

func.func @void_is_no_result(%f: !llvm.ptr) {
  // expected-error @below {{'llvm.call' expected a non-void result type}}
  llvm.call %f() : !llvm.ptr, () -> !llvm.void
  return
}

// -----

func.func @dereferenceable_number(%p: !llvm.ptr) {
  // expected-error @below {{'llvm.load' op expected op to return a single LLVM pointer type}}
  %0 = llvm.load %p dereferenceable<bytes = 8> : !llvm.ptr -> i64
  return
}

// -----

func.func @gather_of_another_shape(%p: vector<4x!llvm.ptr>, %m: vector<[4]xi1>) {
  // expected-error @below {{'llvm.intr.masked.gather' op expected operand #1 type to be 'vector<[4]x!llvm.ptr>'}}
  %0 = llvm.intr.masked.gather %p, %m {alignment = 4 : i32} : (vector<4x!llvm.ptr>, vector<[4]xi1>) -> vector<[4]xf32>
  return
}

// -----

func.func @scatter_of_another_shape(%a: vector<4xf32>, %p: vector<2x!llvm.ptr<1>>, %m: vector<4xi1>) {
  // expected-error @below {{'llvm.intr.masked.scatter' op expected operand #2 type to be 'vector<4x!llvm.ptr<1>>'}}
  llvm.intr.masked.scatter %a, %p, %m {alignment = 4 : i32} : vector<4xf32>, vector<4xi1> into vector<2x!llvm.ptr<1>>
  return
}

// -----

#root = #llvm.tbaa_root<id = "root">
#type = #llvm.tbaa_type_desc<id = "char", members = {<#root, 0>}>
#tag = #llvm.tbaa_tag<access_type = #type, base_type = #type, offset = 0>
// expected-error @below {{invalid kind of attribute specified}}
#wrong = #llvm.tbaa_type_desc<id = "long", members = {<#tag, 0>}>

// -----

llvm.func @symbol() {
  // expected-error @below {{'llvm.mlir.constant' op only supports integer, float, string or elements attributes}}
  %0 = llvm.mlir.constant(@symbol) : !llvm.ptr
  llvm.return
}
