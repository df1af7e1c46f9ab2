//! What the back end does not do: each message, at the place in the program that it is about.

mod support;

use dl_codegen_cranelift::{TargetOptions, compile, object};
use dl_runtime::call::EntryPoint;
use dl_runtime::{ArgType, DType, Signature};

use self::support::{options, try_compile, with_module};

/// The first line of what is said about a module of which all is wanted, without what all these messages begin with.
#[track_caller]
fn refusal(text: &str) -> String {
    let message = with_module(text, |root| object(root, &options())).expect_err(text);
    let line = message.lines().next().unwrap_or_default();
    line.replacen("error: unsupported on the cranelift back end: ", "", 1)
}

/// Checks what is said about a function with these lines in it, which begin on the second line of the file.
#[track_caller]
fn check_body(body: &str, expected: &str) {
    let text = format!("llvm.func @f(%p: !llvm.ptr, %w: i128, %n: i64) {{\n{body}\n  llvm.return\n}}");
    assert_eq!(refusal(&text), format!("test.mlir:{expected}"), "{text}");
}

#[test]
fn operations() {
    check_body(
        r#"  "llvm.inline_asm"() <{asm_string = "nop", constraints = ""}> : () -> ()"#,
        "2:3: 'llvm.inline_asm'",
    );
    check_body("  %0 = llvm.intr.coro.size : i64", "2:8: 'llvm.intr.coro.size'");
    check_body(
        "  %0 = builtin.unrealized_conversion_cast %n : i64 to index",
        "2:8: 'builtin.unrealized_conversion_cast'",
    );
}

#[test]
fn calls() {
    check_body(
        "  llvm.call %p(%n) vararg(!llvm.func<void (i64, ...)>) : !llvm.ptr, (i64) -> ()",
        "2:3: calls of functions of any number of arguments",
    );
    check_body("  llvm.call %p(%n) [\"tag\"(%n : i64)] : !llvm.ptr, (i64) -> ()", "2:3: calls with operand bundles");
    let text = "llvm.func @g(...)\nllvm.func @f() {\n  llvm.call @g() vararg(!llvm.func<void (...)>) : () -> ()\n  llvm.return\n}";
    assert_eq!(refusal(text), "test.mlir:1:1: function 'g': functions of any number of arguments");
    let text = "llvm.func @f() {\n  llvm.return\n}\nllvm.func @g(vector<8xf32>)";
    assert_eq!(
        refusal(text),
        "test.mlir:4:1: function 'g': 'vector<8xf32>' as an argument or result of an external function"
    );
    // The back end itself calls the allocator, for memory of a size that is not known before.
    let text = "llvm.func @aligned_alloc(f32)\nllvm.func @f(%n: i64) {\n  %0 = llvm.alloca %n x i32 : (i64) -> !llvm.ptr\n  llvm.return\n}";
    let message = refusal(text);
    assert!(
        message.starts_with("test.mlir:3:8: a call of 'aligned_alloc', which the program declares in another way: "),
        "{message}"
    );
}

#[test]
fn types() {
    check_body("  %0 = llvm.mlir.constant(1.0 : f80) : f80", "2:8: values of type 'f80'");
    check_body(
        "  %0 = llvm.mlir.zero : !llvm.array<1000000 x i32>",
        "2:8: values of type '!llvm.array<1000000 x i32>', which take more than 4096 registers",
    );
    check_body(
        "  %0 = llvm.mlir.zero : !llvm.struct<(array<4000 x i32>, array<97 x i32>)>",
        "2:8: values of type '!llvm.struct<(array<4000 x i32>, array<97 x i32>)>', which take more than 4096 registers",
    );
}

#[test]
fn integers_of_more_than_64_bits() {
    check_body("  %0 = llvm.sitofp %w : i128 to f32", "2:8: floats of integers with more than 64 bits");
    check_body(
        "  %0 = llvm.mlir.constant(1.0 : f32) : f32\n  %1 = llvm.fptoui %0 : f32 to i128",
        "3:8: integers of more than 64 bits of floats",
    );
    check_body(
        "  %0 = \"llvm.intr.smul.with.overflow\"(%w, %w) : (i128, i128) -> !llvm.struct<(i128, i1)>",
        "2:8: products of more than 64 bits whose overflow is told",
    );
    check_body(
        "  llvm.switch %w : i128, ^one [\n    7: ^one\n  ]\n^one:",
        "2:3: a switch on an integer of more than 64 bits",
    );
}

#[test]
fn vectors() {
    check_body(
        "  %0 = llvm.mlir.zero : vector<4xi32>\n  %1 = \"llvm.intr.sadd.with.overflow\"(%0, %0) : (vector<4xi32>, vector<4xi32>) -> !llvm.struct<(vector<4xi32>, vector<4xi1>)>",
        "3:8: overflow of vectors",
    );
    check_body("  %0 = llvm.load %p : !llvm.ptr -> vector<4xi7>", "2:8: vectors of i7 in memory");
    check_body(
        "  %0 = llvm.mlir.zero : vector<4xi7>\n  llvm.store %0, %p : vector<4xi7>, !llvm.ptr",
        "3:3: vectors of i7 in memory",
    );
    check_body(
        "  %0 = llvm.mlir.zero : vector<4xi1>\n  %1 = llvm.intr.masked.load %p, %0 {alignment = 1 : i32} : (!llvm.ptr, vector<4xi1>) -> vector<4xi7>",
        "3:8: vectors of i7 in memory",
    );
}

#[test]
fn memory() {
    check_body(
        "  %0 = llvm.alloca %n x i32 {alignment = 128 : i64} : (i64) -> !llvm.ptr",
        "2:8: memory of the stack that is aligned to 128 bytes",
    );
    check_body(
        "  %0 = llvm.load %p atomic monotonic {alignment = 16 : i64} : !llvm.ptr -> i128",
        "2:8: atomic accesses of this width",
    );
    check_body(
        "  llvm.store %w, %p atomic monotonic {alignment = 16 : i64} : i128, !llvm.ptr",
        "2:3: atomic accesses of this width",
    );
    check_body("  %0 = llvm.atomicrmw add %p, %w monotonic : !llvm.ptr, i128", "2:8: atomic operations of this width");
    check_body(
        "  %0 = llvm.cmpxchg %p, %w, %w monotonic monotonic : !llvm.ptr, i128",
        "2:8: atomic operations of this width",
    );
    check_body(
        "  %0 = llvm.atomicrmw uinc_wrap %p, %n monotonic : !llvm.ptr, i64",
        "2:8: atomic operations of this kind",
    );
    check_body(
        "  %0 = llvm.mlir.zero : vector<2xf16>\n  %1 = llvm.atomicrmw fadd %p, %0 monotonic : !llvm.ptr, vector<2xf16>",
        "3:8: atomic operations on vectors",
    );
}

#[test]
fn globals() {
    for (text, expected) in [
        ("llvm.mlir.global thread_local @g(1 : i32) : i32", "1:1: variables of a thread"),
        ("llvm.mlir.global @g(1 : i32) {alignment = 8192 : i64} : i32", "1:1: a global that is aligned to 8192 bytes"),
        (
            "llvm.mlir.global @g() : !llvm.array<3000000000 x i8> {\n  %0 = llvm.mlir.zero : !llvm.array<3000000000 x i8>\n  llvm.return %0 : !llvm.array<3000000000 x i8>\n}",
            "1:1: a global of 3000000000 bytes",
        ),
        (
            "llvm.mlir.global @g() : i32 {\n  %0 = llvm.mlir.constant(1 : i32) : i32\n  %1 = llvm.add %0, %0 : i32\n  llvm.return %1 : i32\n}",
            "3:8: 'llvm.add' in the initial value of a global",
        ),
        ("llvm.mlir.global common @g(0 : i32) : i32", "1:1: symbols of this linkage"),
        (
            "llvm.func available_externally @g() {\n  llvm.return\n}",
            "1:1: functions that are defined elsewhere as well",
        ),
        (
            "llvm.func @f() {\n  llvm.return\n}\nllvm.mlir.global_ctors ctors = [@f], priorities = [0 : i32], data = [#llvm.zero]",
            "4:1: functions that run before or after the program",
        ),
        (
            "llvm.mlir.global @g(1 : i32) : i32\nllvm.mlir.alias external @a : i32 {\n  %0 = llvm.mlir.addressof @g : !llvm.ptr\n  llvm.return %0 : !llvm.ptr\n}",
            "2:1: 'llvm.mlir.alias' in a module",
        ),
        ("llvm.mlir.global @g([1 : i32]) : i32", "1:1: the constant [1 : i32] of type 'i32'"),
    ] {
        assert_eq!(refusal(text), format!("test.mlir:{expected}"), "{text}");
    }
}

/// An entry is called through a function that the back end adds.
#[test]
fn names_of_its_own() {
    let text = "llvm.func @_dl_packed_f(%x: f32) {\n  llvm.return\n}\nllvm.func @f(%x: i32) {\n  llvm.call @_dl_packed_f(%y) : (f32) -> ()\n  llvm.return\n}";
    let text = text.replace("%y", "%0").replace("  llvm.call", "  %0 = llvm.mlir.zero : f32\n  llvm.call");
    let message = try_compile(&text, "f", &[ArgType::Scalar(DType::I32)], &[], &options()).unwrap_err();
    assert!(message.starts_with("error: unsupported on the cranelift back end: calls of 'f': "), "{message}");
}

#[test]
fn machines() {
    for (triple, expected) in [
        ("s390x-unknown-linux-gnu", "s390x"),
        ("aarch64_be-unknown-linux-gnu", "aarch64_be"),
        ("riscv32-unknown-linux-gnu", "riscv32"),
    ] {
        let options = TargetOptions { triple: Some(triple.to_owned()), features: Some(Vec::new()), optimize: true };
        let message = with_module("module {}", |root| object(root, &options)).unwrap_err();
        let expected = format!("error: unsupported on the cranelift back end: code for '{expected}'");
        assert_eq!(message.lines().next(), Some(&*expected), "{message}");
    }
}

/// What the verifier refuses is no reason to end the process.
#[test]
fn what_is_not_valid() {
    for body in [
        r#"  %0 = "llvm.mlir.constant"() : () -> i32"#,
        r#"  %0 = "llvm.add"(%s, %s) : (!llvm.struct<(i32)>, !llvm.struct<(i32)>) -> !llvm.struct<(i32)>"#,
        r#"  %0 = "llvm.icmp"(%n, %n) : (i64, i64) -> i1"#,
        r#"  %0 = "llvm.extractelement"(%n, %n) : (i64, i64) -> i64"#,
        r#"  %0 = "llvm.sext"(%v) : (vector<4xi32>) -> vector<8xi64>"#,
        r#"  %0 = "llvm.alloca"(%n) : (i64) -> !llvm.ptr"#,
        r#"  "llvm.call"() : () -> ()"#,
        r#"  %0 = "llvm.mlir.addressof"() <{global_name = @nowhere}> : () -> !llvm.ptr"#,
        r#"  %0 = "llvm.extractvalue"(%s) <{position = array<i64: 3>}> : (!llvm.struct<(i32)>) -> i32"#,
        r#"  %0 = "llvm.intr.vector.reduce.fmin"(%v) : (vector<4xi32>) -> i32"#,
        r#"  %0 = "llvm.getelementptr"(%n) <{elem_type = i32, rawConstantIndices = array<i32: 0, 1>}> : (i64) -> !llvm.ptr"#,
    ] {
        let text =
            format!("llvm.func @f(%n: i64, %s: !llvm.struct<(i32)>, %v: vector<4xi32>) {{\n{body}\n  llvm.return\n}}");
        let column = if body.contains("%0 = ") { 8 } else { 3 };
        assert_eq!(refusal(&text), format!("test.mlir:2:{column}: what is not valid"), "{text}");
    }
    let signature = Signature { inputs: Vec::new(), results: Vec::new() };
    let entry = EntryPoint { name: "f".to_owned(), signature };
    let text = "\"llvm.func\"() <{sym_name = \"f\"}> ({\n  llvm.return\n}) : () -> ()";
    let message = with_module(text, |root| compile(root, &[entry], &options())).map(drop).unwrap_err();
    assert_eq!(
        message.lines().next(),
        Some("error: unsupported on the cranelift back end: function 'f': what is not valid"),
        "{message}"
    );
}
