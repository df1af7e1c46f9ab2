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
