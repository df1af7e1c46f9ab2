// RUN: dl-opt %s --allow-unregistered-dialect --split-input-file --verify-diagnostics

// expected-error @below {{'llvm.mlir.global' op initializer region cannot return void}}
llvm.mlir.global @returns_nothing() : i32 {
  llvm.return
}

// -----

// expected-error @below {{'llvm.mlir.global' op initializer region type 'i64' does not match global type 'i32'}}
llvm.mlir.global @returns_another_type() : i32 {
  %0 = llvm.mlir.constant(1 : i64) : i64
  llvm.return %0 : i64
}

// -----

llvm.mlir.global @computed_with_effects() : i32 {
  // expected-error @below {{ops with side effects not allowed in global initializers}}
  %0 = "some.op"() : () -> i32
  llvm.return %0 : i32
}

// -----

// expected-error @below {{'llvm.mlir.global' op this target extension type cannot be used in a global}}
llvm.mlir.global @unknown_target_type() : !llvm.target<"other.Image">

// -----

// expected-error @below {{'llvm.mlir.global' op global with target extension type can only be initialized with zero-initializer}}
llvm.mlir.global @target_type_with_value(0 : i32) : !llvm.target<"spirv.Image">

// -----

llvm.func @no_group() comdat(@groups::@there)
llvm.comdat @groups {
  llvm.comdat_selector @there any
}
// expected-error @below {{expected comdat symbol}}
llvm.mlir.global @group() comdat(@groups::@missing) : i32

// -----

llvm.comdat @groups {
  // expected-error @below {{only comdat selector symbols can appear in a comdat region}}
  llvm.func @inside()
}

// -----

llvm.mlir.global @value() : i32
// expected-error @below {{'llvm.mlir.alias' op expects type to be a valid element type for an LLVM global alias}}
llvm.mlir.alias external @alias : !llvm.void {
  %0 = llvm.mlir.addressof @value : !llvm.ptr
  llvm.return %0 : !llvm.ptr
}

// -----

llvm.mlir.global @value() : i32
// expected-error @below {{'llvm.mlir.alias' op 'extern_weak' linkage not supported in aliases}}
llvm.mlir.alias extern_weak @alias : i32 {
  %0 = llvm.mlir.addressof @value : !llvm.ptr
  llvm.return %0 : !llvm.ptr
}

// -----

// expected-error @below {{'llvm.mlir.alias' op initializer region must always return a pointer}}
llvm.mlir.alias external @alias : i32 {
  llvm.return
}

// -----

llvm.mlir.alias external @alias : !llvm.ptr {
  // expected-error @below {{ops with side effects are not allowed in alias initializers}}
  %0 = "some.op"() : () -> !llvm.ptr
  llvm.return %0 : !llvm.ptr
}

// -----

llvm.func @resolver() -> !llvm.ptr
// expected-error @below {{'llvm.mlir.ifunc' op resolver must be a definition}}
llvm.mlir.ifunc @f : !llvm.func<void ()>, !llvm.ptr @resolver

// -----

llvm.mlir.global @value() : i32
llvm.mlir.alias external @alias : i32 {
  %0 = llvm.mlir.addressof @value : !llvm.ptr
  llvm.return %0 : !llvm.ptr
}
// expected-error @below {{'llvm.mlir.ifunc' op must have a function resolver}}
llvm.mlir.ifunc @f : !llvm.func<void ()>, !llvm.ptr @alias

// -----

llvm.func @resolver() -> i32 {
  %0 = llvm.mlir.constant(0 : i32) : i32
  llvm.return %0 : i32
}
// expected-error @below {{'llvm.mlir.ifunc' op resolver must return a pointer}}
llvm.mlir.ifunc @f : !llvm.func<void ()>, !llvm.ptr @resolver

// -----

llvm.func @resolver() -> !llvm.ptr {
  %0 = llvm.mlir.zero : !llvm.ptr
  llvm.return %0 : !llvm.ptr
}
llvm.mlir.ifunc @good : !llvm.func<void ()>, !llvm.ptr @resolver
// expected-error @below {{'llvm.mlir.ifunc' op resolver has incorrect type}}
llvm.mlir.ifunc @f : !llvm.func<void ()>, !llvm.ptr<1> @resolver

// -----

llvm.func @resolver() -> !llvm.ptr
// expected-error @below {{'llvm.mlir.ifunc' op 'appending' linkage not supported in ifuncs}}
llvm.mlir.ifunc appending @g : !llvm.func<void ()>, !llvm.ptr @resolver

// -----

llvm.func @tags() {
  llvm.blocktag <id = 7>
  // expected-error @below {{duplicate block tag '7' in the same function}}
  llvm.blocktag <id = 7>
  llvm.return
}

// -----

llvm.func @other() {
  llvm.blocktag <id = 1>
  llvm.return
}
llvm.func @addresses() {
  %0 = llvm.blockaddress <function = @other, tag = <id = 1>> : !llvm.ptr
  // expected-error @below {{'llvm.blockaddress' op expects an existing block label target in the referenced function}}
  %1 = llvm.blockaddress <function = @other, tag = <id = 2>> : !llvm.ptr
  llvm.return
}

// -----

// expected-error @below {{'llvm.module_flags' op expected a module flag attribute}}
llvm.module_flags [1 : i32]

// -----

// expected-error @below {{only integer and string values are currently supported for unknown key '"mine"'}}
llvm.module_flags [#llvm.mlir.module_flag<error, "mine", 1.0 : f32>]

// -----

// expected-error @below {{'CG Profile' key expects an array of '#llvm.cgprofile_entry'}}
llvm.module_flags [#llvm.mlir.module_flag<append, "CG Profile", [1]>]

// -----

// expected-error @below {{'ProfileSummary' key expects a '#llvm.profile_summary' attribute}}
llvm.module_flags [#llvm.mlir.module_flag<error, "ProfileSummary", "all">]

// -----

llvm.func @callee()
llvm.func @personality(...) -> i32

// expected-error @below {{'llvm.landingpad' should have a consistent result type inside a function}}
llvm.func @two_kinds_of_exceptions() attributes {personality = @personality} {
  llvm.invoke @callee() to ^next unwind ^one : () -> ()
^next:
  llvm.invoke @callee() to ^end unwind ^other : () -> ()
^one:
  %0 = llvm.landingpad cleanup : !llvm.struct<(ptr, i32)>
  llvm.br ^end
^other:
  %1 = llvm.landingpad cleanup : !llvm.ptr
  llvm.br ^end
^end:
  llvm.return
}

// -----

llvm.func @callee()
llvm.func @personality(...) -> i32

llvm.func @catch_of_a_local(%a: !llvm.ptr) attributes {personality = @personality} {
  %n = llvm.mlir.constant(1 : i32) : i32
  %p = llvm.alloca %n x i32 : (i32) -> !llvm.ptr
  // expected-note @below {{global addresses expected as operand to bitcast used in clauses for landingpad}}
  %q = llvm.bitcast %p : !llvm.ptr to !llvm.ptr
  llvm.invoke @callee() to ^end unwind ^caught : () -> ()
^caught:
  // expected-error @below {{constant clauses expected}}
  %0 = llvm.landingpad (catch %q : !llvm.ptr) : !llvm.struct<(ptr, i32)>
  llvm.br ^end
^end:
  llvm.return
}

// -----

llvm.mlir.global @value() : i32
llvm.mlir.alias external @alias : i32 {
  %0 = llvm.mlir.addressof @value : !llvm.ptr
  llvm.return %0 : !llvm.ptr
}
llvm.func extern_weak @perhaps()
llvm.func @equivalents() {
  %0 = llvm.dso_local_equivalent @equivalents : !llvm.ptr
  // expected-error @below {{'llvm.dso_local_equivalent' op must reference a global defined by 'llvm.func' or 'llvm.mlir.alias'}}
  %1 = llvm.dso_local_equivalent @value : !llvm.ptr
  // expected-error @below {{'llvm.dso_local_equivalent' op must reference an alias to a function}}
  %2 = llvm.dso_local_equivalent @alias : !llvm.ptr
  // expected-error @below {{'llvm.dso_local_equivalent' op target function with 'extern_weak' linkage not allowed}}
  %3 = llvm.dso_local_equivalent @perhaps : !llvm.ptr
  llvm.return
}

// -----

// expected-error @below {{target features can not be null or empty}}
llvm.func @nameless_feature() attributes {target_features = #llvm.target_features<["+a", ""]>}

// -----

// expected-error @below {{target features must start with '+' or '-'}}
llvm.func @feature_neither_on_nor_off() attributes {target_features = #llvm.target_features<["a"]>}

// -----

// expected-error @below {{target features can not contain ','}}
llvm.func @features_in_one() attributes {target_features = #llvm.target_features<["+a,+b"]>}

// -----

llvm.func @a_tag_is_missing() {
  llvm.blocktag <id = 7>
  // expected-error @below {{'llvm.blocktag' op requires attribute 'tag'}}
  "llvm.blocktag"() : () -> ()
  llvm.blocktag <id = 8>
  llvm.return
}

// -----

// expected-error @below {{custom op 'llvm.mlir.global' expected zero or one type}}
llvm.mlir.global internal @two_types(0) : i64, i32
