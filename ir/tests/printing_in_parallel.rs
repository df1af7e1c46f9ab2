//! Isolated operations of a module printed by several threads: the text is that of one thread.
//!
//! The modules here are written as `mlir-opt` 22 prints them, so that each is its own expected text.

use std::fmt::Write as _;
use std::io;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::ThreadId;

use dl_ir::opdef::TypeConstraint;
use dl_ir::text::{ParsedSource, PrintOptions, parse_source, print_file};
use dl_ir::{Context, Dialect, DialectBuilder, OpDefinition, OpRef};

static ANY: TypeConstraint = TypeConstraint::new("any type", |_| true);

dl_ir::op! {
    /// Its result is called `x`.
    NamedOp = "n.named" {
        results: [value: Single(ANY)],
        format: "attr-dict `:` type($value)",
    }
}

/// Whether a thread that is not the one of the tests has named something.
static OTHER_THREAD: AtomicBool = AtomicBool::new(false);
static TEST_THREADS: std::sync::Mutex<Vec<ThreadId>> = std::sync::Mutex::new(Vec::new());

fn name_x(_: OpRef<'_>, name: &mut dyn FnMut(usize, &str)) {
    let here = std::thread::current().id();
    if !TEST_THREADS.lock().unwrap().contains(&here) {
        OTHER_THREAD.store(true, Ordering::Relaxed);
    }
    name(0, "x");
}

struct Names;

impl Dialect for Names {
    fn namespace(&self) -> &'static str {
        "n"
    }

    fn register(&self, builder: &mut DialectBuilder) {
        builder.ops(&[NamedOp::ENTRY]);
        builder.on::<NamedOp<'_>>().result_names(name_x);
    }
}

/// Parses `text` and hands it to `then`.
fn with_module<T>(text: &str, threads: bool, then: impl FnOnce(OpRef<'_>, &ParsedSource) -> T) -> T {
    TEST_THREADS.lock().unwrap().push(std::thread::current().id());
    let mut cx = Context::new();
    cx.register(&Names);
    cx.allow_unregistered(true);
    cx.set_threading(threads);
    let source = cx.add_source("in.mlir", text.as_bytes());
    let parsed = match parse_source(&cx, &source) {
        Ok(parsed) => parsed,
        Err(diagnostics) => panic!("{:?}", diagnostics.iter().map(|d| &d.message).collect::<Vec<_>>()),
    };
    then(OpRef::root(&cx, &parsed.module), &parsed)
}

fn print(text: &str, threads: bool, options: &PrintOptions) -> String {
    with_module(text, threads, |module, parsed| {
        let mut out = Vec::new();
        print_file(module, &parsed.external_resources, options, &mut out).unwrap();
        String::from_utf8(out).unwrap()
    })
}

/// A nested module at this depth: numbers start from `first`, names from `_conflict`. Distinct attributes, resources and one map are
/// those of number `i`.
fn nested(out: &mut String, indent: &str, i: usize, first: usize, conflict: usize) {
    writeln!(out, "{indent}module @m{i} {{").unwrap();
    writeln!(out, "{indent}  %x_{conflict} = n.named : i32").unwrap();
    writeln!(out, "{indent}  %{first}:2 = \"t.pair\"(%x_{conflict}) {{map = #map}} : (i32) -> (i32, i32)").unwrap();
    writeln!(out, "{indent}  %{} = \"t.op\"(%{first}#1) : (i32) -> i32", first + 1).unwrap();
    for k in first + 2..first + 150 {
        writeln!(out, "{indent}  %{k} = \"t.op\"(%{}) : (i32) -> i32", k - 1).unwrap();
    }
    writeln!(out, "{indent}  \"t.region\"() ({{\n{indent}  ^bb0(%arg0: i32):").unwrap();
    writeln!(out, "{indent}    \"t.use\"(%arg0) {{map = #map1}} : (i32) -> ()\n{indent}  }}) : () -> ()").unwrap();
    let attrs =
        format!("a = distinct[{i}]<>, b = distinct[0]<>, m = #map{}, r = dense_resource<k{i}> : tensor<1xi8>", i + 2);
    writeln!(out, "{indent}  \"t.attrs\"() {{{attrs}}} : () -> ()\n{indent}}}").unwrap();
}

/// A module with `count` modules in it, other operations between them, one with modules of its own.
fn module(count: usize) -> String {
    let mut text = String::from("#map = affine_map<(d0) -> (d0 + 1)>\n");
    for k in 1..count + 2 {
        writeln!(text, "#map{k} = affine_map<(d0) -> (d0 + {})>", k + 1).unwrap();
    }
    text.push_str("module {\n");
    text.push_str("  %x = n.named : i32\n  %0:2 = \"t.pair\"(%x) : (i32) -> (i32, i32)\n");
    for i in 0..count {
        if i == count / 2 {
            text.push_str("  module @holder {\n");
            nested(&mut text, "    ", i, 1, 0);
            text.push_str("  }\n");
        } else {
            nested(&mut text, "  ", i, 1, 0);
        }
        text.push_str("  \"t.between\"(%0#1) : (i32) -> ()\n");
    }
    text.push_str("}\n\n{-#\n  dialect_resources: {\n    builtin: {\n");
    for i in 0..count {
        let comma = if i + 1 < count { "," } else { "" };
        writeln!(text, "      k{i}: \"0x01000000{:02X}\"{comma}", i % 256).unwrap();
    }
    text.push_str("    }\n  }\n#-}\n");
    text
}

#[test]
fn threads_print_what_one_prints() {
    let text = module(60);
    let default = PrintOptions::default();
    assert_eq!(print(&text, false, &default), text);
    assert_eq!(print(&text, true, &default), text);
    assert!(OTHER_THREAD.load(Ordering::Relaxed), "no other thread has printed anything");
}

#[test]
fn threads_agree_on_every_form() {
    let text = module(60);
    let generic = PrintOptions { generic: true, ..PrintOptions::default() };
    let located = |options: &PrintOptions| PrintOptions { debug_info: true, ..options.clone() };
    for options in [
        located(&PrintOptions::default()),
        located(&generic),
        PrintOptions { local_scope: true, ..located(&PrintOptions::default()) },
        PrintOptions { elide_resources_larger_than: Some(10), ..PrintOptions::default() },
        PrintOptions { skip_regions: true, ..PrintOptions::default() },
        generic,
    ] {
        let (one, several) = (print(&text, false, &options), print(&text, true, &options));
        assert!(one == several, "{options:?}");
    }
}

#[test]
fn very_long_texts_are_not_held() {
    let mut text = String::from("module {\n");
    for i in 0..40 {
        writeln!(text, "  module @m{i} {{").unwrap();
        for k in 0..100 {
            let length = if i == 20 { 100_000 } else { k };
            writeln!(text, "    \"t.op\"() {{text = \"{}\"}} : () -> ()", "x".repeat(length)).unwrap();
        }
        text.push_str("  }\n");
    }
    text.push_str("}\n");
    assert!(print(&text, true, &PrintOptions::default()) == text);
}

/// Takes so many bytes and no more.
struct Full(usize);

impl io::Write for Full {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0 = self.0.checked_sub(bytes.len()).ok_or_else(|| io::Error::other("the disk is full"))?;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[test]
fn errors_of_the_output_are_returned() {
    let text = module(60);
    with_module(&text, true, |module, _| {
        let result = print_file(module, &[], &PrintOptions::default(), &mut Full(text.len() / 2));
        assert_eq!(result.unwrap_err().to_string(), "the disk is full");
    });
}
