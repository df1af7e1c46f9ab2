//! Whole files: aliases, locations and resources in and out.
//!
//! `text/files/NAME.FLAGS.txt` is what `mlir-opt` 22 prints for `text/files/NAME.mlir` with `--allow-unregistered-dialect` and the
//! flags that the tests stand for.

use dl_ir::text::{NameOfElided, PrintOptions, parse_source, print_file};
use dl_ir::{Arena, Context, OpRef};

fn print(text: &str, options: &PrintOptions) -> Result<String, String> {
    let mut cx = Context::new();
    cx.allow_unregistered(true);
    let source = cx.add_source("in.mlir", text.as_bytes());
    let parsed = parse_source(&cx, &source).map_err(|diagnostics| {
        let place = |d: &dl_ir::Diagnostic| cx.file_position(d.loc).map_or((0, 0), |at| (at.line, at.column));
        diagnostics.iter().map(|d| format!("{:?} {}\n", place(d), d.message)).collect::<String>()
    })?;
    let mut out = Vec::new();
    let module = OpRef::new(&cx, &parsed.module, Arena::ROOT);
    print_file(module, &parsed.external_resources, options, &mut out).unwrap();
    Ok(String::from_utf8(out).unwrap())
}

macro_rules! file {
    ($name:literal) => {
        include_str!(concat!("text/files/", $name))
    };
}

/// `text` is printed as `expected`.
fn check(text: &str, options: &PrintOptions, expected: &str) {
    assert_eq!(print(text, options).unwrap(), expected);
}

/// `text` is printed as `expected`, and that is printed as itself.
fn check_round_trip(text: &str, options: &PrintOptions, expected: &str) {
    check(text, options, expected);
    check(expected, options, expected);
}

fn with_locations() -> PrintOptions {
    PrintOptions { debug_info: true, ..PrintOptions::default() }
}

#[test]
fn aliases_are_numbered_by_depth_name_and_first_visit() {
    check_round_trip(file!("nested.mlir"), &PrintOptions::default(), file!("nested.default.txt"));
}

#[test]
fn aliases_of_operation_locations_come_last() {
    check_round_trip(file!("nested.mlir"), &with_locations(), file!("nested.locations.txt"));
}

#[test]
fn generic_form_has_the_same_aliases() {
    let options = PrintOptions { generic: true, ..with_locations() };
    check_round_trip(file!("nested.mlir"), &options, file!("nested.generic.txt"));
}

#[test]
fn local_scope_has_no_aliases() {
    let options = PrintOptions { local_scope: true, ..with_locations() };
    check_round_trip(file!("nested.mlir"), &options, file!("nested.local.txt"));
}

#[test]
fn pretty_locations_are_for_humans() {
    let options = PrintOptions { pretty_debug_info: true, ..with_locations() };
    check(file!("nested.mlir"), &options, file!("nested.pretty.txt"));
}

#[test]
fn elements_and_their_resources() {
    check_round_trip(file!("elements.mlir"), &PrintOptions::default(), file!("elements.default.txt"));
}

#[test]
fn large_elements_in_hexadecimal() {
    let options = PrintOptions { hex_elements_larger_than: Some(1), ..PrintOptions::default() };
    check_round_trip(file!("elements.mlir"), &options, file!("elements.hex.txt"));
}

#[test]
fn large_elements_left_out() {
    let options = PrintOptions {
        elide_elements_larger_than: Some(1),
        elide_resources_larger_than: Some(20),
        ..PrintOptions::default()
    };
    check(file!("elements.mlir"), &options, file!("elements.elided.txt"));
}

#[test]
fn elements_left_out_have_a_name() {
    let text = "\"d.a\"() {a = dense<[1, 2, 3]> : tensor<3xi8>, b = dense<[\"x\", \"y\"]> : tensor<2x!d.s>, c = dense<4> : tensor<5xi8>} : () -> ()\n";
    let options = PrintOptions {
        elide_elements_larger_than: Some(1),
        name_of_elided: Some(NameOfElided(|data| format!("sum {}", data.bytes().iter().sum::<u8>()))),
        ..PrintOptions::default()
    };
    let printed = print(text, &options).unwrap();
    assert!(printed.contains("a = dense_resource<\"sum 6\"> : tensor<3xi8>, b = dense<[\"x\", \"y\"]>"), "{printed}");
    assert!(printed.contains("c = dense<4>"), "{printed}");
}

#[test]
fn location_aliases_may_be_defined_after_their_use() {
    let text = "\"d.a\"() : () -> () loc(#l2)\n#l1 = loc(\"x\")\n  #l2 = loc(callsite(#l1 at #l3))\n#l3 = loc(\"y\")\n";
    let options = PrintOptions { local_scope: true, ..with_locations() };
    let printed = print(text, &options).unwrap();
    assert!(printed.contains("\"d.a\"() : () -> () loc(callsite(\"x\" at \"y\"))\n"), "{printed}");
}

#[test]
fn faults_of_aliases() {
    let fault = |text: &str| print(text, &PrintOptions::default()).unwrap_err();
    let op = |attr: &str| format!("\"d.a\"() {{a = {attr}}} : () -> ()\n");
    assert_eq!(fault(&op("#late")), "(1, 19) undefined symbol alias id 'late'\n");
    assert_eq!(fault(&(op("#late") + "#late = 3")), "(1, 19) undefined symbol alias id 'late'\n");
    assert_eq!(fault("!t = tensor<4x!u>"), "(1, 17) undefined symbol alias id 'u'\n");
    assert_eq!(fault("#a = 1\n#a = 2"), "(2, 1) redefinition of attribute alias id 'a'\n");
    assert_eq!(fault("#a.b = 1"), "(1, 1) attribute names with a '.' are reserved for dialect-defined names\n");
    assert_eq!(fault("!a.b = i1"), "(1, 1) type names with a '.' are reserved for dialect-defined names\n");
    assert_eq!(fault("#c i32"), "(1, 3) expected '=' in attribute alias definition\n");
    let located = |name: &str| format!("\"d.a\"() : () -> () loc({name})\n");
    assert_eq!(fault(&located("#l")), "(1, 24) operation location alias was never defined\n");
    assert_eq!(fault(&(located("#l") + "#l = 3")), "(1, 24) expected location, but found '3 : i64'\n");
    assert_eq!(fault(&(located("#l") + "#l = loc(callsite(#l at #l))")), "(2, 21) undefined symbol alias id 'l'\n");
}

#[test]
fn faults_of_metadata() {
    let fault = |text: &str| print(text, &PrintOptions::default()).unwrap_err();
    assert_eq!(fault("{-# a: {} #-}"), "(1, 5) unknown key 'a' in file metadata dictionary\n");
    assert_eq!(fault("{-# dialect_resources: {foo: {}} #-}"), "(1, 25) dialect 'foo' is unknown\n");
    assert_eq!(
        fault("{-# dialect_resources: {builtin: {a: \"0x01\"}} #-}"),
        "(1, 38) expected hex string blob for key 'a' to encode alignment in first 4 bytes\n"
    );
}
