//! Any bytes give IR or an error: no panic, no overflow of the stack, no memory out of proportion.

use dl_ir::bytecode::VERSION;

use super::{bytecode, context, load, text};

/// A bit of everything.
const SAMPLE: &str = r#"
module @m attributes {t.a = [1 : i8, -3 : i100, 2.5 : f32, "x" : i1], t.b = {c = @a::@b, d = dense<[1, 2]> : tensor<2xi16>}} {
  %0:2 = "t.two"() : () -> (memref<?x4xf32, 1>, vector<[4]xi1>)
  "t.region"(%0#1, %0#0) <{p = array<i32: 1, 2>}> ({
    "t.br"(%0#0)[^b] : (memref<?x4xf32, 1>) -> () loc(fused<"m">["a", callsite("b" at "f":1:2)])
  ^b(%x: i32):
    "t.in"(%x, %x) ({
      "t.use"(%x) : (i32) -> ()
    }) : (i32, i32) -> ()
  }) : (vector<[4]xi1>, memref<?x4xf32, 1>) -> ()
  module @inner {
    "t.op"() {r = dense_resource<blob> : tensor<1xi8>, s = sparse<[[0]], [1]> : tensor<2xi8>} : () -> ()
  }
}
{-#
  dialect_resources: { builtin: { blob: "0x0800000001" } },
  external_resources: { tool: { a: true, b: "text" } }
#-}
"#;

fn sample() -> Vec<u8> {
    let cx = context();
    let parsed = load(&cx, SAMPLE.as_bytes()).unwrap();
    bytecode(&cx, &parsed, VERSION).unwrap()
}

/// Reads, and prints what was read.
fn survives(bytes: &[u8]) {
    let cx = context();
    if let Ok(parsed) = load(&cx, bytes) {
        let _ = text(&cx, &parsed);
    }
}

#[test]
fn every_prefix_is_refused() {
    let bytes = sample();
    for len in 4..bytes.len() {
        // Without its last section, which is required, no prefix is whole.
        assert!(load(&context(), &bytes[..len]).is_err(), "{len} of {} bytes", bytes.len());
    }
    assert!(load(&context(), &bytes).is_ok());
}

#[test]
fn every_byte_may_be_another() {
    let bytes = sample();
    for at in 4..bytes.len() {
        for change in [0x01, 0x06, 0x80, 0xff] {
            let mut changed = bytes.clone();
            changed[at] ^= change;
            survives(&changed);
        }
    }
}

#[test]
fn bytes_may_be_missing_or_doubled() {
    let bytes = sample();
    for at in 4..bytes.len() {
        let mut changed = bytes.clone();
        changed.remove(at);
        survives(&changed);
        changed.insert(at, bytes[at]);
        changed.insert(at, bytes[at]);
        survives(&changed);
    }
}

#[test]
fn random_bytes() {
    // A linear congruential generator: Knuth's MMIX constants.
    let mut state = 1_u64;
    let mut next = move || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 56) as u8
    };
    for len in 0..400 {
        let mut bytes = b"ML\xefR\x0d\0".to_vec();
        bytes.extend((0..len).map(|_| next()));
        survives(&bytes);
    }
}

const DEPTH: usize = 100_000;

#[test]
fn deep_attributes_and_types() {
    for (open, core, close) in [("[", "1 : i8", "]"), ("tuple<", "i1", ">"), ("loc(fused<", "1 : i8", ">[unknown])")] {
        let cx = context();
        let source = format!("\"t.op\"() {{a = {}{core}{}}} : () -> ()", open.repeat(DEPTH), close.repeat(DEPTH));
        let parsed = load(&cx, source.as_bytes()).unwrap();
        let bytes = bytecode(&cx, &parsed, VERSION).unwrap();
        let other = context();
        let read = load(&other, &bytes).unwrap();
        assert!(bytecode(&other, &read, VERSION).unwrap() == bytes, "{open}");
    }
}

#[test]
fn deep_regions() {
    // The last one uses a value from outside, so that none is isolated; or nothing, so that all are.
    for (first, last) in [("%0 = \"t.a\"() : () -> i32", "\"t.b\"(%0) : (i32) -> ()"), ("", "")] {
        for (open, close) in [("\"t.r\"() ({", "}) : () -> ()"), ("module {", "}")] {
            if open == "module {" && !first.is_empty() {
                continue;
            }
            let cx = context();
            let source = format!("{first}\n{}{last}{}", open.repeat(DEPTH), close.repeat(DEPTH));
            let parsed = load(&cx, source.as_bytes()).unwrap();
            for version in [1, VERSION] {
                let bytes = bytecode(&cx, &parsed, version).unwrap();
                let read = load(&context(), &bytes).unwrap();
                assert!(bytes.len() < DEPTH * 24, "{} bytes", bytes.len());
                drop(read);
            }
        }
    }
}
