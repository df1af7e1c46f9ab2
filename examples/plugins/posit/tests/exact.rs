//! What the lowered operations compute, against exact arithmetic: all pairs of posits of 8 bits, and many of 16 and 32.
//!
//! Nothing here is that of the crate. A posit's value is the formula of the Posit Standard (2022), section 3.3. Results are held as two `f64` whose
//! exact sum they are. The border between two neighbours is, by the same standard's rule of rounding, the posit of one more bit that is between them.

use std::cmp::Ordering;
use std::fs;
use std::path::Path;

use dl_runtime::{Array, DType};

/// The value of an encoding of `n` bits: `(1 - 3s + f) * 2^((1 - 2s) * (4r + e + s))`. Not for zero and NaR.
fn value(encoding: i64, n: u32) -> f64 {
    let bit = |i: i32| if i < 0 { 0 } else { (encoding >> i) & 1 };
    let sign = bit(n as i32 - 1);
    let mut at = n as i32 - 2;
    let first = bit(at);
    let mut run = 0;
    while at >= 0 && bit(at) == first {
        (at, run) = (at - 1, run + 1);
    }
    let regime = if first == 0 { -run } else { run - 1 };
    let exponent = 2 * bit(at - 1) + bit(at - 2);
    let mut fraction = 0.0;
    for i in 1..=(at - 2).max(0) {
        fraction += bit(at - 2 - i) as f64 * 0.5_f64.powi(i);
    }
    let scale = (1 - 2 * sign) * (4 * regime + exponent + sign);
    ((1 - 3 * sign) as f64 + fraction) * 2_f64.powi(scale as i32)
}

/// An exact result: the sum of the two.
type Exact = (f64, f64);

/// `a + b` (Knuth's two-sum).
fn sum(a: f64, b: f64) -> Exact {
    let s = a + b;
    let t = s - a;
    (s, (a - (s - t)) + (b - t))
}

/// `a * b`.
fn product(a: f64, b: f64) -> Exact {
    let p = a * b;
    (p, a.mul_add(b, -p))
}

/// How an exact number compares with a number.
fn compare((high, low): Exact, border: f64) -> Ordering {
    high.total_cmp(&border).then(low.partial_cmp(&0.0).expect("no NaN"))
}

/// The encoding nearest to a number that is not zero and compares with borders like that.
fn nearest(n: u32, is_negative: bool, compare: impl Fn(f64) -> Ordering) -> i64 {
    let (mut low, mut high) = if is_negative { (1 - (1 << (n - 1)), -1) } else { (1, (1 << (n - 1)) - 1) };
    while low < high {
        let middle = (low + high) >> 1;
        let up = match compare(value(2 * middle + 1, n + 1)) {
            Ordering::Greater => true,
            Ordering::Less => false,
            Ordering::Equal => middle % 2 != 0,
        };
        (low, high) = if up { (middle + 1, high) } else { (low, middle) };
    }
    low
}

/// What `add`, `sub`, `mul` and `div` of two encodings are.
fn expected(x: i64, y: i64, n: u32) -> [i64; 4] {
    let not_real = -1_i64 << (n - 1);
    if x == not_real || y == not_real {
        return [not_real; 4];
    }
    let (a, b) = (if x == 0 { 0.0 } else { value(x, n) }, if y == 0 { 0.0 } else { value(y, n) });
    let round = |exact: Exact| {
        if exact.0 == 0.0 { 0 } else { nearest(n, exact.0 < 0.0, |border| compare(exact, border)) }
    };
    let quotient = || {
        // `a / b` compares with a border as `a` with the border times `b`.
        nearest(n, (a < 0.0) != (b < 0.0), |border| {
            let order = compare(product(border, b), a).reverse();
            if b < 0.0 { order.reverse() } else { order }
        })
    };
    let quotient = if y == 0 {
        not_real
    } else if x == 0 {
        0
    } else {
        quotient()
    };
    [round(sum(a, b)), round(sum(a, -b)), round(product(a, b)), quotient]
}

/// Runs all four on pairs, compiled.
fn computed(pairs: &[(i64, i64)], n: u32) -> Vec<[i64; 4]> {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("exact-{n}"));
    fs::create_dir_all(&folder).expect("the folder can be made");
    let count = pairs.len();
    let bodies = ["add", "sub", "mul", "div"].iter().enumerate().map(|(i, op)| {
        format!(
            "    %k{i} = arith.constant {i} : index\n    %p{i} = posit.{op} %p, %q : !posit.p<{n}>\n    \
             %b{i} = posit.to_bits %p{i} : !posit.p<{n}> -> i{n}\n    memref.store %b{i}, %out[%k{i}, %i] : memref<4x{count}xi{n}>\n"
        )
    });
    let program = format!(
        "func.func @all(%x: memref<{count}xi{n}>, %y: memref<{count}xi{n}>, %out: memref<4x{count}xi{n}>) {{\n  \
         %first = arith.constant 0 : index\n  %step = arith.constant 1 : index\n  %last = arith.constant {count} : index\n  \
         scf.for %i = %first to %last step %step {{\n    \
         %a = memref.load %x[%i] : memref<{count}xi{n}>\n    %b = memref.load %y[%i] : memref<{count}xi{n}>\n    \
         %p = posit.from_bits %a : i{n} -> !posit.p<{n}>\n    %q = posit.from_bits %b : i{n} -> !posit.p<{n}>\n{}  }}\n  return\n}}\n",
        bodies.collect::<String>()
    );
    let file = folder.join("program.mlir");
    fs::write(&file, program).expect("the program can be written");

    let (dtype, size) = match n {
        8 => (DType::I8, 1),
        16 => (DType::I16, 2),
        _ => (DType::I32, 4),
    };
    let array = |name: &str, shape: &[usize], numbers: &mut dyn Iterator<Item = i64>| {
        let bytes: Vec<u8> = numbers.flat_map(|number| number.to_le_bytes()[..size].to_vec()).collect();
        let array = Array::from_bytes(dtype, shape, &bytes).expect("as many bytes as the shape says");
        array.write_npy(&folder.join(name)).expect("the array can be written");
        format!("--input=@{}", folder.join(name).display())
    };
    let inputs = [
        array("x.npy", &[count], &mut pairs.iter().map(|pair| pair.0)),
        array("y.npy", &[count], &mut pairs.iter().map(|pair| pair.1)),
        array("zero.npy", &[4, count], &mut std::iter::repeat_n(0, 4 * count)),
    ];
    let outputs = ["x.out", "y.out", "out"].map(|name| format!("--output=@{}.npy", folder.join(name).display()));
    let mut run = dl_testing::plugin_suite!().command("dl-run").expect("the tool and the plugin are there");
    run.arg("--pass-pipeline=builtin.module(convert-posit-to-arith,cpu-lowering-pipeline)");
    let output = run.arg(&file).args(inputs).args(outputs).output().expect("the tool is there");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));

    let results = Array::read_npy(&folder.join("out.npy")).expect("the tool has written it");
    let number = |at: usize| {
        let mut bytes = [0; 8];
        bytes[8 - size..].copy_from_slice(&results.bytes()[at * size..(at + 1) * size]);
        i64::from_le_bytes(bytes) >> (64 - n)
    };
    (0..count).map(|i| [0, 1, 2, 3].map(|op| number(op * count + i))).collect()
}

fn check(pairs: &[(i64, i64)], n: u32) {
    for (&(x, y), got) in pairs.iter().zip(computed(pairs, n)) {
        assert_eq!(got, expected(x, y, n), "sum, difference, product and quotient of {x:#x} and {y:#x}");
    }
}

/// Edges, and numbers that are the same each time.
fn some(n: u32) -> Vec<(i64, i64)> {
    let top = 1_i64 << (n - 1);
    let edges =
        [-top, 1 - top, 2 - top, -top / 2, -2, -1, 0, 1, 2, 3, top / 2 - 1, top / 2, top / 2 + 1, top - 2, top - 1];
    let mut pairs: Vec<(i64, i64)> = edges.iter().flat_map(|&x| edges.iter().map(move |&y| (x, y))).collect();
    let mut state = 0x2545_f491_4f6c_dd1d_u64;
    let mut next = || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        state as i64 >> (64 - n)
    };
    for i in 0..20_000 {
        let x = next();
        // Random encodings are far apart; near ones cancel.
        pairs.push((x, if i % 2 == 0 { next() } else { -(x + (next() & 0xff)) << (64 - n) >> (64 - n) }));
    }
    pairs
}

#[test]
fn values_are_those_of_the_standard() {
    assert_eq!([0x40, 0x48, 0x7f, 0x01, -0x40].map(|x| value(x, 8)), [1.0, 2.0, 16_777_216.0, 2_f64.powi(-24), -1.0]);
    assert_eq!([0x4000, 0x4900, 0x3000].map(|x| value(x, 16)), [1.0, 2.25, 0.25]);
}

#[test]
fn posits_of_8_bits() {
    let all: Vec<(i64, i64)> = (-128..128).flat_map(|x| (-128..128).map(move |y| (x, y))).collect();
    check(&all, 8);
}

#[test]
fn posits_of_16_bits() {
    check(&some(16), 16);
}

#[test]
fn posits_of_32_bits() {
    check(&some(32), 32);
}
