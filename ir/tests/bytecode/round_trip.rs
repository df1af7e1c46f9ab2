//! Text to bytecode and back, in one context and in two.

use dl_ir::bytecode::{VERSION, WriteOptions, is_bytecode, write_bytecode};
use dl_ir::{Context, OpRef};

use super::{bytecode, context, load, text};

/// `source` is the same after it went through bytecode of `version`, read in another context.
fn check(source: &str, version: u32) {
    let cx = context();
    let parsed = load(&cx, source.as_bytes()).unwrap_or_else(|error| panic!("{source}: {error}"));
    let expected = text(&cx, &parsed);
    let bytes = bytecode(&cx, &parsed, version).unwrap_or_else(|error| panic!("{source}: {error}"));
    assert!(is_bytecode(&bytes));
    let other = context();
    let read = load(&other, &bytes).unwrap_or_else(|error| panic!("version {version}: {source}: {error}"));
    assert_eq!(text(&other, &read), expected, "version {version}");
    assert_eq!(bytecode(&other, &read, version).unwrap(), bytes, "version {version}: {source}");
}

fn check_all(source: &str) {
    (0..=VERSION).for_each(|version| check(source, version));
}

/// What `mlir-opt` prints for each text of the table.
fn canonical_attributes() -> impl Iterator<Item = &'static str> {
    include_str!("../text/attributes.txt").lines().filter_map(|line| Some(line.split_once("  =>  ")?.1))
}

#[test]
fn every_attribute_of_the_table() {
    let mut count = 0;
    for attr in canonical_attributes() {
        check(&format!("\"t.op\"() {{a = {attr}}} : () -> ()"), VERSION);
        count += 1;
    }
    assert!(count > 100, "{count} attributes");
}

#[test]
fn all_attributes_of_the_table_at_once_in_every_version() {
    // The numbers of distinct ones clash.
    let attrs = canonical_attributes().filter(|attr| !attr.contains("distinct["));
    let attrs: Vec<String> = attrs.enumerate().map(|(i, attr)| format!("a{i:03} = {attr}")).collect();
    check_all(&format!("\"t.op\"() {{{}}} : () -> ()", attrs.join(", ")));
}

#[test]
fn every_type() {
    let floats = "f4E2M1FN f6E2M3FN f6E3M2FN f8E5M2 f8E4M3 f8E4M3FN f8E5M2FNUZ f8E4M3FNUZ f8E4M3B11FNUZ f8E3M4 f8E8M0FNU \
                  bf16 f16 tf32 f32 f64 f80 f128";
    let others = [
        "i0",
        "i1",
        "i7",
        "si8",
        "ui64",
        "i16777215",
        "index",
        "none",
        "complex<f32>",
        "complex<i3>",
        "vector<f32>",
        "vector<4x8xindex>",
        "vector<[4]x2x[1]xi1>",
        "tensor<f32>",
        "tensor<0x?x9223372036854775807xf32>",
        "tensor<4xf32, \"encoding\">",
        "tensor<*xvector<2xi8>>",
        "memref<f32>",
        "memref<?x4xf32, strided<[?, 1], offset: ?>>",
        "memref<4xf32, affine_map<(d0) -> (d0 * 2)>, 3>",
        "memref<4xf32, \"space\">",
        "memref<*xf32>",
        "memref<*xf32, 1 : i8>",
        "memref<2xmemref<3xi1>>",
        "() -> ()",
        "(i32, tuple<>) -> (f32, () -> i1)",
        "tuple<i32, tuple<f32>>",
        "!foo.bar",
        "!foo.bar<i32, \"x\">",
        "!foo<\"any thing\">",
    ];
    for ty in floats.split_whitespace().chain(others) {
        check_all(&format!("%0 = \"t.op\"() {{t = {ty}}} : () -> ({ty})"));
    }
}

#[test]
fn every_location() {
    for loc in [
        "unknown",
        "\"file\":7:3",
        "\"file\":7:0",
        "\"file\":7:3 to :9",
        "\"file\":7:3 to 8:1",
        "\"name\"",
        "\"name\"(\"file\":1:2)",
        "callsite(\"callee\" at \"file\":1:2)",
        "fused[\"a\", \"b\"]",
        "fused<{tag = 1 : i32}>[\"a\", \"file\":1:2]",
        "fused<\"only\">[unknown]",
    ] {
        check_all(&format!("\"t.op\"() {{l = loc({loc})}} : () -> () loc({loc})"));
    }
}

#[test]
fn positions_become_files_lines_and_columns() {
    let cx = context();
    let parsed = load(&cx, b"\n  \"t.op\"() : () -> ()").unwrap();
    let bytes = bytecode(&cx, &parsed, VERSION).unwrap();
    let other = context();
    let read = load(&other, &bytes).unwrap();
    assert!(text(&other, &read).contains("\"t.op\"() : () -> () loc(#loc"));
    assert!(text(&other, &read).contains("loc(\"in\":2:3)"));
}

#[test]
fn regions_blocks_and_values() {
    check_all(
        r#"
%0:2 = "t.two"() : () -> (i32, i64)
"t.region"(%0#1) ({
  "t.br"(%0#0)[^b] : (i32) -> ()
^b(%x: i32, %y: f32):
  %1 = "t.in"(%x, %0#0) ({
    "t.use"(%y, %x, %0#1) : (f32, i32, i64) -> ()
  }, {
  }) : (i32, i32) -> i32
  "t.cond"(%1)[^b, ^c] : (i32) -> ()
^c:
  "t.end"() : () -> ()
}, {
^only(%a: index):
  "t.end"(%a) : (index) -> ()
}) : (i64) -> ()
"#,
    );
}

#[test]
fn values_used_before_their_definition() {
    check_all(
        r#"
"t.graph"() ({
  %a = "t.a"(%b, %c, %b) ({
    "t.in"(%c, %a) : (i64, i32) -> ()
  }) : (i32, i64, i32) -> i32
  %b = "t.b"(%a) : (i32) -> i32
  %c = "t.c"(%c) : (i64) -> i64
}) : () -> ()
"#,
    );
}

#[test]
fn nested_modules_are_sections_of_their_own() {
    check_all(
        r#"
module @outer {
  %0 = "t.a"() : () -> i32
  module @inner attributes {t.x = 1 : i32} {
    %1 = "t.a"() : () -> i32
    "t.use"(%1) : (i32) -> ()
    module {
    }
  }
  "t.use"(%0) : (i32) -> ()
  module @second {
  }
}
"#,
    );
}

/// The uses of `%0` are listed in an order that reading does not give by itself: the operation with the region is made last.
#[test]
fn orders_of_use_lists() {
    let source = r#"
%0 = "t.a"() : () -> i32
%1 = "t.b"(%0, %0) ({
  "t.in"(%0) : (i32) -> ()
  "t.in"(%0) ({
    "t.deep"(%0) : (i32) -> ()
  }) : (i32) -> ()
}) : (i32, i32) -> i32
"t.c"(%0, %1) : (i32, i32) -> ()
"#;
    check_all(source);
    let cx = context();
    let parsed = load(&cx, source.as_bytes()).unwrap();
    let bytes = bytecode(&cx, &parsed, VERSION).unwrap();
    let read = load(&cx, &bytes).unwrap();
    let users = |parsed: &dl_ir::text::ParsedSource| -> Vec<(String, usize)> {
        let root = OpRef::root(&cx, &parsed.module);
        let first = root.region(0).ops().next().unwrap();
        first.result(0).uses().map(|(op, operand)| (op.name().to_owned(), operand)).collect()
    };
    assert_eq!(users(&read), users(&parsed));
    assert!(users(&read).len() == 6);
}

#[test]
fn properties_of_unregistered_operations() {
    let source = "\"t.op\"() <{b = 1 : i32, a = \"x\"}> {c = 2 : i32} : () -> ()";
    check(source, VERSION);
    check("\"t.op\"() <5 : i32> : () -> ()", VERSION);
    // Before they had a place of their own they are attributes.
    let cx = context();
    let parsed = load(&cx, source.as_bytes()).unwrap();
    let bytes = bytecode(&cx, &parsed, 4).unwrap();
    let read = load(&cx, &bytes).unwrap();
    assert!(text(&cx, &read).contains("\"t.op\"() {a = \"x\", b = 1 : i32, c = 2 : i32} : () -> ()"));
    let parsed = load(&cx, b"\"t.op\"() <5 : i32> : () -> ()").unwrap();
    let error = bytecode(&cx, &parsed, 4).unwrap_err();
    assert!(error.starts_with("'t.op' op unsupported: has properties that are no dictionary"), "{error}");
}

#[test]
fn properties_that_are_to_be_attributes() {
    let cx = context();
    let parsed = load(&cx, b"\"gpu.op\"() <{a = 1 : i32}> {b = 2 : i32} : () -> ()").unwrap();
    let options = WriteOptions { properties_as_attrs: &["gpu"], ..WriteOptions::default() };
    let mut out = Vec::new();
    write_bytecode(OpRef::root(&cx, &parsed.module), &[], &options, &mut out).unwrap().unwrap();
    let read = load(&cx, &out).unwrap();
    assert!(text(&cx, &read).contains("\"gpu.op\"() {a = 1 : i32, b = 2 : i32} : () -> ()"));
}

const RESOURCES: &str = r#"
"t.op"() {a = dense_resource<blob> : tensor<3xi8>, b = #foo.bar<dense_resource<declared> : tensor<1xi8>>,
          c = dense_resource<absent> : tensor<2xi8>, d = dense_resource<"a b"> : tensor<1xi64>} : () -> ()
{-#
  dialect_resources: {
    builtin: {
      blob: "0x01000000010203",
      "a b": "0x400000000102030405060708"
    }
  },
  external_resources: {
    tool: {
      flag: true,
      name: "some text",
      data: "0x08000000ff"
    },
    other: {
      flag: false
    }
  }
#-}
"#;

#[test]
fn resources() {
    check_all(RESOURCES);
}

#[test]
fn resources_without_their_data() {
    let cx = context();
    let parsed = load(&cx, RESOURCES.as_bytes()).unwrap();
    let options = WriteOptions { elide_resource_data: true, ..WriteOptions::default() };
    let mut out = Vec::new();
    write_bytecode(OpRef::root(&cx, &parsed.module), &[], &options, &mut out).unwrap().unwrap();
    let other = context();
    let read = load(&other, &out).unwrap();
    let printed = text(&other, &read);
    assert!(
        printed.contains("dense_resource<blob> : tensor<3xi8>") && !printed.contains("dialect_resources"),
        "{printed}"
    );
}

/// Equal only to themselves: they stay apart, and what refers to one twice still does.
#[test]
fn distinct_attributes() {
    check_all("\"t.op\"() {a = distinct[0]<1 : i32>, b = distinct[1]<1 : i32>, c = distinct[0]<1 : i32>} : () -> ()");
}

#[test]
fn names_with_dots_and_without() {
    check_all("\"plain\"() : () -> () \n \"a.b.c\"() : () -> () \n \"a.b\"() {\"b c\", \"d.e\" = 1 : i1} : () -> ()");
}

#[test]
fn strings_of_any_bytes() {
    check_all(r#""t.op"() {s = "\00\FF\0A", t = "" : i32, u = dense<["\FE", ""]> : tensor<2x!t.s>} : () -> ()"#);
}

#[test]
fn the_output_does_not_depend_on_what_was_interned_before() {
    let source = b"\"t.op\"() {a = 1 : i32, b = [2 : i8, \"x\"], c = tensor<4xf32>} : () -> ()";
    let write = |cx: &Context| bytecode(cx, &load(cx, source).unwrap(), VERSION).unwrap();
    let used = context();
    load(&used, b"\"t.z\"() {c = tensor<4xf32>, b = \"x\", a = 2 : i8, q = [1 : i32]} : () -> ()").unwrap();
    assert_eq!(write(&used), write(&context()));
}

#[test]
fn versions_that_there_are_not() {
    let cx = context();
    let parsed = load(&cx, b"").unwrap();
    let error = bytecode(&cx, &parsed, 7).unwrap_err();
    assert_eq!(error, "unsupported version requested 7, must be in range [0, 6]");
}

#[test]
fn what_nests_deeper_than_allowed_is_refused() {
    let cx = context();
    let nested = |open: &str, inside: &str, close: &str, levels| open.repeat(levels) + inside + &close.repeat(levels);
    let written = |text: &str, max_nesting| {
        let parsed = load(&cx, text.as_bytes()).unwrap();
        let options = WriteOptions { max_nesting, ..WriteOptions::default() };
        let root = OpRef::root(&cx, &parsed.module);
        write_bytecode(root, &[], &options, &mut Vec::new()).unwrap().map_err(|d| d.message)
    };
    let regions = nested("\"t.a\"() ({ ", "", " }) : () -> () ", 20);
    let types = format!("\"t.a\"() ({{ ^bb0(%a: {}): }}) : () -> ()", nested("tuple<", "i32", ">", 20));
    let attrs = format!("module attributes {{a = {}}} {{}}", nested("[", "unit", "]", 20));
    // A type without an encoding of its own is text.
    let opaque = format!("\"t.a\"() : () -> !t.b{}", nested("<", "i32", ">", 20));
    let arrows = format!("\"t.a\"() : () -> !t.b{}", nested("<(i8) -> ", "i32", ">", 20));
    let strings = format!("\"t.a\"() : () -> !t.b{}", nested("<\"a)))\", ", "i32", ">", 20));
    for text in [regions, types, attrs, opaque, arrows, strings] {
        assert_eq!(written(&text, 30), Ok(()), "{text}");
        let error = written(&text, 15).unwrap_err();
        assert!(error.ends_with("unsupported: nested deeper than 15 levels"), "{text}: {error}");
    }
}
