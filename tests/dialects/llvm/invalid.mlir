// RUN: dl-opt %s --allow-unregistered-dialect --split-input-file --verify-diagnostics

// expected-error @below {{'llvm.func' op external functions must have 'external' or 'extern_weak' linkage}}
llvm.func internal @internal_declaration()

// -----

// expected-error @below {{'llvm.func' op functions cannot have 'common' linkage}}
llvm.func common @common()

// -----

// expected-note @below {{when returning from function}}
llvm.func @missing_operand() -> i32 {
  // expected-error @below {{'llvm.return' op expected 1 operand}}
  llvm.return
}

// -----

// expected-note @below {{when returning from function}}
llvm.func @extra_operand(%a: i32) {
  // expected-error @below {{'llvm.return' op expected no operands}}
  llvm.return %a : i32
}

// -----

// expected-note @below {{when returning from function}}
llvm.func @return_type(%a: i64) -> i32 {
  // expected-error @below {{'llvm.return' op mismatching result types}}
  llvm.return %a : i64
}

// -----

llvm.func @unknown_callee() {
  // expected-error @below {{'llvm.call' op 'nobody' does not reference a symbol in the current scope}}
  llvm.call @nobody() : () -> ()
  llvm.return
}

// -----

llvm.func @callee(i32) -> i32
llvm.func @operand_count() {
  // expected-error @below {{'llvm.call' op incorrect number of operands (0) for callee (expecting: 1)}}
  %0 = llvm.call @callee() : () -> i32
  llvm.return
}

// -----

llvm.func @callee(i32) -> i32
llvm.func @operand_type(%a: i64) {
  // expected-error @below {{'llvm.call' op operand type mismatch for operand 0: 'i64' != 'i32'}}
  %0 = llvm.call @callee(%a) : (i64) -> i32
  llvm.return
}

// -----

llvm.func @callee(i32) -> i32
llvm.func @result_type(%a: i32) {
  // expected-error @below {{'llvm.call' op result type mismatch: 'i64' != 'i32'}}
  %0 = llvm.call @callee(%a) : (i32) -> i64
  llvm.return
}

// -----

llvm.func @callee(i32)
llvm.func @result_of_void(%a: i32) {
  // expected-error @below {{'llvm.call' op calling function with void result must not produce values}}
  %0 = llvm.call @callee(%a) : (i32) -> i64
  llvm.return
}

// -----

llvm.func @unknown_global() {
  // expected-error @below {{'llvm.mlir.addressof' op must reference a global defined by 'llvm.mlir.global', 'llvm.mlir.alias' or 'llvm.func' or 'llvm.mlir.ifunc'}}
  %0 = llvm.mlir.addressof @nothing : !llvm.ptr
  llvm.return
}

// -----

llvm.mlir.global external @g() : i32
llvm.func @address_space() {
  // expected-error @below {{'llvm.mlir.addressof' op pointer address space must match address space of the referenced global or alias}}
  %0 = llvm.mlir.addressof @g : !llvm.ptr<4>
  llvm.return
}

// -----

// expected-error @below {{custom op 'llvm.mlir.global' type can only be omitted for string globals}}
llvm.mlir.global internal constant @no_type(42 : i32)

// -----

// expected-error @below {{'llvm.mlir.global' op requires an i8 array type of the length equal to that of the string attribute}}
llvm.mlir.global internal constant @string_length("abc") : !llvm.array<4 x i8>

// -----

llvm.func @out_of_bounds(%s: !llvm.struct<(i32, i32)>) {
  %0 = llvm.extractvalue %s[2] : !llvm.struct<(i32, i32)>
  // expected-error @below {{custom op 'llvm.extractvalue' position out of bounds: 2}}
  llvm.return
}

// -----

llvm.func @no_aggregate(%s: !llvm.struct<(i32, i32)>) {
  %0 = llvm.extractvalue %s[0, 0] : !llvm.struct<(i32, i32)>
  // expected-error @below {{custom op 'llvm.extractvalue' expected LLVM IR structure/array type, got: 'i32'}}
  llvm.return
}

// -----

llvm.func @insert_type(%s: !llvm.struct<(i32, i32)>, %v: i64) {
  // expected-error @below {{'llvm.insertvalue' op Type mismatch: cannot insert 'i64' into '!llvm.struct<(i32, i32)>'}}
  %0 = "llvm.insertvalue"(%s, %v) <{position = array<i64: 0>}> : (!llvm.struct<(i32, i32)>, i64) -> !llvm.struct<(i32, i32)>
  llvm.return
}

// -----

llvm.func @struct_index(%p: !llvm.ptr, %i: i32) {
  // expected-error @below {{'llvm.getelementptr' op expected index 1 indexing a struct to be constant}}
  %0 = llvm.getelementptr %p[0, %i] : (!llvm.ptr, i32) -> !llvm.ptr, !llvm.struct<(i32, i32)>
  llvm.return
}

// -----

llvm.func @struct_index_range(%p: !llvm.ptr) {
  // expected-error @below {{'llvm.getelementptr' op index 1 indexing a struct is out of bounds}}
  %0 = llvm.getelementptr %p[0, 2] : (!llvm.ptr) -> !llvm.ptr, !llvm.struct<(i32, i32)>
  llvm.return
}

// -----

llvm.func @indexed_scalar(%p: !llvm.ptr) {
  // expected-error @below {{'llvm.getelementptr' op type 'i32' cannot be indexed (index #1)}}
  %0 = llvm.getelementptr %p[0, 2] : (!llvm.ptr) -> !llvm.ptr, i32
  llvm.return
}

// -----

llvm.func @predicate(%a: i32) {
  // expected-error @below {{custom op 'llvm.icmp' 'foo' is an incorrect value of the 'predicate' attribute}}
  %0 = llvm.icmp "foo" %a, %a : i32
  llvm.return
}

// -----

// expected-error @below {{invalid array element type: '!llvm.void'}}
func.func private @array_of_void(!llvm.array<4 x void>)

// -----

// expected-error @below {{invalid LLVM structure element type: '!llvm.void'}}
func.func private @member_void(!llvm.struct<(void)>)

// -----

// expected-error @below {{invalid function argument type: '!llvm.void'}}
func.func private @void_argument(!llvm.func<void (void)>)

// -----

llvm.func @alloca_type(%n: i64) {
  // expected-error @below {{custom op 'llvm.alloca' expected trailing function type with one argument and one result}}
  %0 = llvm.alloca %n x i32 : (i64) -> ()
  llvm.return
}

// -----

llvm.func @string_constant() {
  // expected-error @below {{'llvm.mlir.constant' op expected array type of 3 i8 elements for the string constant}}
  %0 = llvm.mlir.constant("foo") : i32
  llvm.return
}

// -----

llvm.func @variadic(...)
llvm.func @no_variadic_type(%a: i32) {
  // expected-error @below {{'llvm.call' op missing var_callee_type attribute for vararg call}}
  llvm.call @variadic(%a) : (i32) -> ()
  llvm.return
}

// -----

llvm.func @bundle_sizes(%c: i1) {
  // expected-error @below {{'llvm.intr.assume' op op_bundle_operands count (1) does not match with the total size (0) specified in attribute 'op_bundle_sizes'}}
  "llvm.intr.assume"(%c, %c) <{op_bundle_sizes = array<i32>}> : (i1, i1) -> ()
  llvm.return
}

// -----

llvm.func @bundle_without_tag(%c: i1) {
  // expected-error @below {{expected 1 operand bundle tags, but actually got 0}}
  "llvm.intr.assume"(%c, %c) <{op_bundle_sizes = array<i32: 1>}> : (i1, i1) -> ()
  llvm.return
}

// -----

llvm.func @bundle_tag(%c: i1) {
  // expected-error @below {{operand bundle tag must be a StringAttr}}
  "llvm.intr.assume"(%c, %c) <{op_bundle_sizes = array<i32: 1>, op_bundle_tags = [1]}> : (i1, i1) -> ()
  llvm.return
}

// -----

// expected-error@+1 {{'f' does not reference a valid LLVM function}}
llvm.mlir.global_ctors ctors = [@f], priorities = [0 : i32], data = [#llvm.zero]

// -----

llvm.func @f()
// expected-error@+1 {{'f' does not have a definition}}
llvm.mlir.global_dtors dtors = [@f], priorities = [0 : i32], data = [#llvm.zero]

// -----

llvm.func @f() { llvm.return }
// expected-error@+1 {{ctors, priorities, and data must have the same number of elements}}
llvm.mlir.global_ctors ctors = [@f], priorities = [0 : i32, 1 : i32], data = [#llvm.zero]

// -----

llvm.func @f() { llvm.return }
// expected-error@+1 {{data element must be symbol or #llvm.zero}}
llvm.mlir.global_dtors dtors = [@f], priorities = [0 : i32], data = [0 : i32]

// -----

llvm.func @shuffle_result(%v: vector<2xf32>) {
  // expected-error @below {{'llvm.shufflevector' op expected a result of type 'vector<1xf32>' for this mask, but got 'vector<2xf32>'}}
  %0 = "llvm.shufflevector"(%v, %v) <{mask = array<i32: 0>}> : (vector<2xf32>, vector<2xf32>) -> vector<2xf32>
  llvm.return
}

// -----

llvm.func @shuffle_scalable(%v: vector<[2]xf32>) {
  // expected-error @below {{expected a splat operation for scalable vectors}}
  %0 = llvm.shufflevector %v, %v [0, 1] : vector<[2]xf32>
  llvm.return
}

// -----

llvm.func @cases_without_sizes(%a: i32) {
  // expected-error @below {{'llvm.switch' op expects a size in attribute 'case_operand_segments' for each of 2 successors, but there are 0}}
  "llvm.switch"(%a)[^bb1, ^bb1, ^bb1] <{case_operand_segments = array<i32>, case_values = dense<[1, 2]> : vector<2xi32>, operandSegmentSizes = array<i32: 1, 0, 0>}> : (i32) -> ()
^bb1:
  llvm.return
}

// -----

llvm.func @more_sizes_than_successors(%a: !llvm.ptr, %b: i32) {
  // expected-error @below {{'llvm.indirectbr' op expects a size in attribute 'indbr_operand_segments' for each of 1 successors, but there are 2}}
  "llvm.indirectbr"(%a, %b)[^bb1] <{indbr_operand_segments = array<i32: 0, 1>}> : (!llvm.ptr, i32) -> ()
^bb1(%x: i32):
  llvm.return
}

// -----

llvm.func @allocated_target(%n: i64) {
  // expected-error @below {{'llvm.alloca' op this target extension type cannot be used in alloca}}
  %0 = llvm.alloca %n x !llvm.target<"kept"> : (i64) -> !llvm.ptr
  llvm.return
}

// -----

llvm.func @sincos(%x: f32) {
  // expected-error @below {{'llvm.intr.sincos' op expected result type to be an homogeneous struct with two elements matching the operand type, but got '!llvm.struct<(f32, f64)>'}}
  %0 = llvm.intr.sincos(%x) : (f32) -> !llvm.struct<(f32, f64)>
  llvm.return
}

// -----

llvm.func @callee()
llvm.func @bundle_types(%x: i32) {
  // expected-error @below {{custom op 'llvm.call' expected 1 types for operand bundle operands for operand bundle #0, but actually got 2}}
  llvm.call @callee() ["tag"(%x : i32, i32)] : () -> ()
  llvm.return
}

// -----

llvm.func @intrinsic_name() {
  // expected-error @below {{'llvm.call_intrinsic' op intrinsic name must start with 'llvm.'}}
  llvm.call_intrinsic "llvmx.sin"() : () -> ()
  llvm.return
}

// -----

llvm.func @linker_options() {
  // expected-error @below {{'llvm.linker_options' op must appear at the module level}}
  llvm.linker_options ["a"]
  llvm.return
}

// -----

// expected-error @below {{expected '<'}}
"foo.bar"() {type = #llvm.tbaa_type_desc<id = "char", members = {}>} : () -> ()

// -----

// expected-error @below {{invalid kind of attribute specified}}
"foo.bar"() {a = #llvm.mlir.workgroup_attribution<"x" : i64, i32>} : () -> ()

// -----

// expected-error @below {{invalid kind of attribute specified}}
"foo.bar"() {a = #llvm.mlir.workgroup_attribution<1, 1>} : () -> ()

// -----

// expected-error @below {{invalid kind of attribute specified}}
"foo.bar"() {a = #llvm.tbaa_root<id = 3>} : () -> ()

// -----

// expected-error @below {{integer value too large}}
"foo.bar"() {a = #llvm.di_expression<[DW_OP_bit_piece(18446744073709551616, 0)]>} : () -> ()

// -----

llvm.func @rounding(%a: f64, %i: i32) {
  // expected-error @below {{'llvm.intr.experimental.constrained.fptrunc' op attribute 'roundingmode' failed to satisfy constraint: LLVM Rounding Mode whose minimum value is 0}}
  %0 = "llvm.intr.experimental.constrained.fptrunc"(%a) <{fpExceptionBehavior = 0 : i64, roundingmode = -1 : i64}> : (f64) -> f32
  // expected-error @below {{'llvm.intr.experimental.constrained.sitofp' op attribute 'roundingmode' failed to satisfy constraint: LLVM Rounding Mode whose minimum value is 0}}
  %1 = llvm.intr.experimental.constrained.sitofp %i invalid ignore : i32 to f32
  // expected-error @below {{'llvm.intr.experimental.constrained.uitofp' op attribute 'roundingmode' failed to satisfy constraint: LLVM Rounding Mode whose minimum value is 0}}
  %2 = llvm.intr.experimental.constrained.uitofp %i invalid ignore : i32 to f32
  llvm.return
}
