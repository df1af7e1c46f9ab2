//! Any input gives a value or an error: deep nesting, truncation, random bytes.

use dl_ir::text::{attr_text, parse_attribute, parse_source, parse_type, type_text};
use dl_ir::{Arena, Context, OpRef};

fn context() -> Context {
    let mut cx = Context::new();
    cx.allow_unregistered(true);
    cx
}

const DEPTH: usize = 100_000;

fn nested(open: &str, core: &str, close: &str) -> String {
    open.repeat(DEPTH) + core + &close.repeat(DEPTH)
}

#[test]
fn deep_types_round_trip() {
    let cx = context();
    for (open, core, close) in
        [("tuple<", "i1", ">"), ("memref<4x", "i1", ">"), ("(", "() -> i1", ") -> ()"), ("() -> (", "() -> i1", ")")]
    {
        let text = nested(open, core, close);
        let ty = parse_type(&cx, &text).unwrap();
        assert!(type_text(&cx, ty) == text, "{open}");
    }
    assert!(parse_type(&cx, &nested("complex<", "f32", ">")).is_err());
}

#[test]
fn deep_attributes_round_trip() {
    let cx = context();
    for (open, core, close) in [
        ("[", "1", "]"),
        ("{a = ", "unit", "}"),
        ("loc(fused<", "1", ">[])"),
        ("distinct[0]<", "1 : i8", ">"),
        ("#d<", "x", ">"),
        ("-", "1", ""),
    ] {
        let text = nested(open, core, close);
        if let Ok(attr) = parse_attribute(&cx, &text) {
            assert!(attr_text(&cx, attr).len() > DEPTH, "{open}");
        }
    }
    let arrays = nested("[", "1", "]");
    let attr = parse_attribute(&cx, &arrays).unwrap();
    assert!(attr_text(&cx, attr) == arrays);
    let locations = "loc(".to_owned() + &nested("\"a\"(", "\"b\"", ")") + ")";
    let attr = parse_attribute(&cx, &locations).unwrap();
    assert!(attr_text(&cx, attr) == locations);
}

#[test]
fn deep_affine_expressions_and_elements_end() {
    let cx = context();
    for (open, core, close) in
        [("(", "d0", ")"), ("-(", "d0", ")"), ("-", "d0", ""), ("d0 + (", "d0", ")"), ("", "d0", " * 2")]
    {
        let text = format!("affine_map<(d0) -> ({})>", nested(open, core, close));
        let _ = parse_attribute(&cx, &text);
    }
    let text = format!("dense<{}> : tensor<1xi8>", nested("[", "1", "]"));
    let error = parse_attribute(&cx, &text).unwrap_err();
    assert!(error.message.starts_with("inferred shape of elements literal ([1, 1, "));
}

/// A small generator of pseudo-random numbers (xorshift), so that failures repeat.
struct Random(u64);

impl Random {
    fn below(&mut self, limit: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % limit as u64) as usize
    }
}

const PIECES: [&[u8]; 24] = [
    b"\"",
    b"<",
    b">",
    b"(",
    b")",
    b"[",
    b"]",
    b"{",
    b"}",
    b"#",
    b"!",
    b"@",
    b"%",
    b"^",
    b"->",
    b"0x",
    b"-",
    b"\0",
    b"\xff",
    b"99999999999999999999",
    b"loc(",
    b"dense<",
    b"#a = ",
    b":",
];

fn mutate(text: &[u8], random: &mut Random) -> Vec<u8> {
    let mut bytes = text.to_vec();
    for _ in 0..=random.below(3) {
        let at = random.below(bytes.len() + 1);
        match random.below(4) {
            0 => bytes.truncate(at),
            1 => {
                let end = (at + random.below(6)).min(bytes.len());
                bytes.drain(at..end);
            }
            2 => {
                let piece = PIECES[random.below(PIECES.len())];
                bytes.splice(at..at, piece.iter().copied());
            }
            _ => {
                if let Some(byte) = bytes.get_mut(at) {
                    *byte = random.below(256) as u8;
                }
            }
        }
    }
    bytes
}

#[test]
fn mutated_attributes_never_panic() {
    let table = include_str!("text/attributes.txt");
    let samples: Vec<&str> = table.lines().filter_map(|line| line.split("  ").next()).collect();
    let mut random = Random(0x9e37_79b9_7f4a_7c15);
    for round in 0..8 {
        let cx = context();
        for sample in &samples {
            let mutated = mutate(sample.as_bytes(), &mut random);
            let text = String::from_utf8_lossy(&mutated);
            // What parses must print, and what is printed must parse to the same.
            if let Ok(attr) = parse_attribute(&cx, &text) {
                let printed = attr_text(&cx, attr);
                let again = parse_attribute(&cx, &printed);
                assert!(again.is_ok(), "round {round}: {text:?} printed as {printed:?}: {again:?}");
                assert_eq!(attr_text(&cx, again.unwrap()), printed, "round {round}: {text:?}");
            }
        }
    }
}

#[test]
fn mutated_files_never_panic() {
    let samples = [
        include_str!("text/files/nested.mlir"),
        include_str!("text/files/nested.locations.txt"),
        include_str!("text/files/elements.mlir"),
    ];
    let mut random = Random(0x2545_f491_4f6c_dd1d);
    for _ in 0..150 {
        let cx = context();
        for sample in samples {
            let source = cx.add_source("in.mlir", mutate(sample.as_bytes(), &mut random));
            if let Ok(parsed) = parse_source(&cx, &source) {
                let mut out = Vec::new();
                let options = dl_ir::text::PrintOptions { debug_info: true, ..Default::default() };
                dl_ir::text::print_op(OpRef::new(&cx, &parsed.module, Arena::ROOT), &options, &mut out).unwrap();
            }
        }
    }
}

const REGIONS: usize = 10_000;

/// Parses, verifies, copies and prints `text`; answers what was printed.
fn whole_way(text: &str) -> String {
    let cx = context();
    let source = cx.add_source("in.mlir", text.as_bytes());
    let Ok(parsed) = parse_source(&cx, &source) else { panic!("does not parse") };
    assert!(dl_ir::verify::verify(&cx, &parsed.module).is_ok());
    let copy = dl_ir::clone_arena(&cx, &parsed.module);
    drop(parsed);
    let mut out = Vec::new();
    dl_ir::text::print_op(OpRef::root(&cx, &copy), &dl_ir::text::PrintOptions::default(), &mut out).unwrap();
    String::from_utf8(out).unwrap()
}

#[test]
fn deep_regions_go_the_whole_way() {
    for (open, close, found) in
        [("\"d.op\"() ({\n", "}) : () -> ()\n", "\"d.op\"()"), ("module {\n", "}\n", "module {")]
    {
        let printed = whole_way(&(open.repeat(REGIONS) + &close.repeat(REGIONS)));
        assert_eq!(printed.matches(found).count(), REGIONS, "{found}");
        // Indentation ends somewhere, or the text would grow with the square of the depth.
        assert!(printed.len() < 600 * REGIONS, "{} bytes", printed.len());
    }
}

#[test]
fn deep_regions_that_do_not_end_are_one_error() {
    let cx = context();
    for open in ["\"d.op\"() ({\n", "module {\n", "\"d.op\"() ({", "module {"] {
        let source = cx.add_source("in.mlir", open.repeat(REGIONS).as_bytes());
        let Err(errors) = parse_source(&cx, &source) else { panic!("parses") };
        assert_eq!(errors.iter().map(|e| e.message.as_str()).collect::<Vec<_>>(), ["expected '}' to end a region"]);
    }
}

#[test]
fn open_brackets_end() {
    let cx = context();
    for open in
        ["(", "[", "{", "<", "\"d.op\"(", "\"d.op\"() {a = [", "#a = [", "!a = tuple<", "module { \"", "@", "^bb("]
    {
        for separator in ["", " ", "\n"] {
            let source = cx.add_source("in.mlir", (open.to_owned() + separator).repeat(REGIONS).as_bytes());
            assert!(parse_source(&cx, &source).is_err(), "{open:?}");
        }
    }
}

/// Many faults, and no more than a hundred messages.
#[test]
fn errors_are_counted() {
    let cx = Context::new();
    for (text, expected) in [("d.op\n", 100), ("d.op ", 1), ("module { d.op }\n", 100)] {
        let source = cx.add_source("in.mlir", text.repeat(REGIONS).as_bytes());
        let Err(errors) = parse_source(&cx, &source) else { panic!("parses") };
        assert_eq!(errors.len(), expected, "{text:?}");
        let told =
            errors.iter().last().is_some_and(|e| e.notes.iter().any(|n| n.message.starts_with("too many errors")));
        assert_eq!(told, expected > 1, "{text:?}");
    }
}

/// A file of one line, with a fault in it: the line is not scanned again for each token.
#[test]
fn one_long_line() {
    let body: String = (0..REGIONS).map(|i| format!("%{i} = \"d.op\"() : () -> i32 ")).collect();
    let printed = whole_way(&body);
    assert_eq!(printed.matches("= \"d.op\"()").count(), REGIONS);
    let cx = context();
    let faulty = body.replacen("\"d.op\"()", "\"d.op\"(", 1);
    let source = cx.add_source("in.mlir", faulty.as_bytes());
    let Err(errors) = parse_source(&cx, &source) else { panic!("parses") };
    assert_eq!(errors.len(), 1);
    let shown = dl_ir::diagnostics::Renderer::new(&cx, dl_ir::diagnostics::ColorChoice::Never)
        .render(errors.iter().next().unwrap());
    assert!(shown.len() < 1000, "{} bytes", shown.len());
}

#[test]
fn every_prefix_of_a_file_ends() {
    let text = include_str!("text/files/nested.mlir").as_bytes();
    let cx = context();
    for end in 0..text.len() {
        let source = cx.add_source("in.mlir", &text[..end]);
        if let Err(errors) = parse_source(&cx, &source) {
            assert!(errors.iter().all(|error| !error.loc.is_unknown()), "the first {end} bytes");
        }
    }
}

#[test]
fn bytes_that_are_no_text() {
    let cx = context();
    let place = |text: &[u8]| {
        let source = cx.add_source("in.mlir", text);
        let errors = parse_source(&cx, &source).err()?;
        let first = errors.iter().next()?;
        let at = cx.file_position(first.loc)?;
        Some((at.line, at.column, first.message.clone()))
    };
    assert_eq!(place(b"\"d.op\"() {a = \"\xff\xfe\"} : () -> () // \xff"), None);
    let fault = |line, column, message: &str| Some((line, column, message.to_owned()));
    assert_eq!(place(b"\"d.op\"() : () -> ()\n  \xff\xfe\n"), fault(2, 3, "unexpected character"));
    assert_eq!(place(b"\xef\xbb\xbfmodule {}"), fault(1, 1, "unexpected character"));
    assert!(place(b"\"d.\xff\"() : () -> ()").is_some());
}

#[test]
fn numbers_that_do_not_fit() {
    let cx = context();
    for text in [
        "tensor<99999999999999999999xf32>",
        "vector<18446744073709551616xf32>",
        "memref<9223372036854775808xi8>",
        "i16777216",
        "i99999999999999999999",
        "vector<0xf32>",
        "tensor<-1xf32>",
    ] {
        assert!(parse_type(&cx, text).is_err(), "{text}");
    }
    // The product of extents that fit need not fit.
    for text in ["tensor<9223372036854775807x9223372036854775807xf32>", "memref<4294967296x4294967296x2xi8>"] {
        let ty = parse_type(&cx, text).unwrap();
        assert_eq!(type_text(&cx, ty), text);
        assert_eq!(cx.ty(ty).num_elements(), None);
    }
    for text in [
        "dense<0> : tensor<9223372036854775807x9223372036854775807xi8>",
        "dense<\"0x00\"> : tensor<4294967296x4294967296xi8>",
        "dense<256> : tensor<2xi8>",
        "sparse<[[9223372036854775807]], 1> : tensor<2xi8>",
        "array<i8: 128>",
        "99999999999999999999999 : i64",
        "distinct[99999999999999999999]<1>",
    ] {
        let _ = parse_attribute(&cx, text);
    }
}
