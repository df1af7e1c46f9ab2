//! Floating-point numbers against Rust's own arithmetic and the `half` crate's conversions.

mod support;

use std::cmp::Ordering;

use half::{bf16, f16};
use support::{Numbers, buffer, buffers, elements, run_on};

/// Numbers at which something changes: zeros, the least and greatest of each kind, infinities, a NaN.
fn edges() -> Vec<f32> {
    let positive = [
        0.0,
        1.0,
        0.5,
        1.5,
        2.5,
        0.1,
        f32::MIN_POSITIVE,
        1e-45,
        f32::MAX,
        f32::INFINITY,
        65504.0,
        65520.0,
        6.1e-5,
        5.9e-8,
    ];
    let mut all: Vec<f32> = positive.into_iter().flat_map(|value| [value, -value]).collect();
    all.push(f32::NAN);
    all
}

/// What a body makes of `%x`, of type `from`, in vectors of `count` lanes (none for scalars).
fn each<T: dl_runtime::Element, R: dl_runtime::Element>(
    from: &str,
    to: &str,
    count: usize,
    body: &str,
    values: &[T],
) -> Vec<R> {
    let ty = |element: &str| if count == 0 { element.to_owned() } else { format!("vector<{count}x{element}>") };
    let text = format!(
        "llvm.func @f({}, %n: i64) {{
          %zero = llvm.mlir.constant(0 : i64) : i64
          %step = llvm.mlir.constant({} : i64) : i64
          llvm.br ^head(%zero : i64)
        ^head(%i: i64):
          %more = llvm.icmp \"slt\" %i, %n : i64
          llvm.cond_br %more, ^body, ^done
        ^body:
          %pa = llvm.getelementptr %a1[%i] : (!llvm.ptr, i64) -> !llvm.ptr, {from}
          %pb = llvm.getelementptr %b1[%i] : (!llvm.ptr, i64) -> !llvm.ptr, {to}
          %x = llvm.load %pa : !llvm.ptr -> {}
          {}
          llvm.store %r, %pb : {}, !llvm.ptr
          %next = llvm.add %i, %step : i64
          llvm.br ^head(%next : i64)
        ^done:
          llvm.return
        }}",
        buffers(&["a", "b"]),
        count.max(1),
        ty(from),
        body.replace("FROM", &ty(from)).replace("TO", &ty(to)),
        ty(to),
    );
    let used = values.len() / count.max(1) * count.max(1);
    let zero: R = bytemuck::Zeroable::zeroed();
    let mut args = [buffer(values), buffer(&vec![zero; values.len()]), support::scalar(used as i64)];
    run_on(&text, &mut args);
    let mut results = elements(&args[1]);
    results.truncate(used);
    results
}

fn same(a: f32, b: f32) -> bool {
    a.to_bits() == b.to_bits() || (a.is_nan() && b.is_nan())
}

#[test]
fn every_half_is_extended_exactly() {
    let all: Vec<f16> = (0..=u16::MAX).map(f16::from_bits).collect();
    let brains: Vec<bf16> = (0..=u16::MAX).map(bf16::from_bits).collect();
    for count in [0, 1, 4, 8, 6] {
        let wide: Vec<f32> = each("f16", "f32", count, "%r = llvm.fpext %x : FROM to TO", &all);
        assert!(wide.iter().zip(&all).all(|(&wide, half)| same(wide, half.to_f32())), "{count} lanes");
        let wide: Vec<f32> = each("bf16", "f32", count, "%r = llvm.fpext %x : FROM to TO", &brains);
        assert!(wide.iter().zip(&brains).all(|(&wide, half)| same(wide, half.to_f32())), "{count} lanes");
    }
}

#[test]
fn halves_are_rounded_once() {
    let mut numbers = Numbers(6);
    // Every half, those just beside the middle between two, and any others.
    let mut singles = edges();
    for bits in (0..=u16::MAX).step_by(7) {
        let value = f16::from_bits(bits).to_f32();
        singles.extend([value, f32::from_bits(value.to_bits() ^ 0x1000), f32::from_bits(value.to_bits() ^ 0x1001)]);
        singles.extend([f32::from_bits(value.to_bits() ^ 0x8000), f32::from_bits(value.to_bits() ^ 0x8001)]);
    }
    singles.extend((0..4096).map(|_| f32::from_bits(numbers.next() as u32)));
    singles.truncate(singles.len() / 8 * 8);
    for count in [0, 4, 8, 2] {
        let halves: Vec<f16> = each("f32", "f16", count, "%r = llvm.fptrunc %x : FROM to TO", &singles);
        for (&half, &single) in halves.iter().zip(&singles) {
            assert!(same(half.to_f32(), f16::from_f32(single).to_f32()), "{single:e} gave {half}, {count} lanes");
        }
        let brains: Vec<bf16> = each("f32", "bf16", count, "%r = llvm.fptrunc %x : FROM to TO", &singles);
        for (&half, &single) in brains.iter().zip(&singles) {
            assert!(same(half.to_f32(), bf16::from_f32(single).to_f32()), "{single:e} gave {half}, {count} lanes");
        }
    }
    // The middle between two halves, and a little more than that, which an f32 does not tell from it.
    let doubles =
        [1.0 + 2f64.powi(-11), 1.0 + 2f64.powi(-11) + 2f64.powi(-40), 65_519.999_999_999, 1e300, -0.0, f64::NAN];
    let halves: Vec<f16> = each("f64", "f16", 0, "%r = llvm.fptrunc %x : FROM to TO", &doubles);
    let bits: Vec<u16> = halves[..5].iter().map(|half| half.to_bits()).collect();
    assert_eq!(bits, [0x3c00, 0x3c01, 0x7bff, 0x7c00, 0x8000]);
    assert!(halves[5].is_nan());
}

/// What an operation computes.
type Exact = fn(f32) -> f32;

/// What a comparison says.
type Comparison = fn(f32, f32) -> bool;

#[test]
fn arithmetic_is_that_of_the_machine() {
    let mut values = edges();
    let mut numbers = Numbers(7);
    values.extend((0..99).map(|_| f32::from_bits(numbers.next() as u32)));
    let constant = "%c = llvm.mlir.constant(1.5 : f32) : f32";
    let vector =
        |count: usize| format!("%c = llvm.mlir.constant(dense<1.5> : vector<{count}xf32>) : vector<{count}xf32>");
    let cases: &[(&str, Exact)] = &[
        ("%r = llvm.fadd %x, %c : FROM", |x| x + 1.5),
        ("%r = llvm.fmul %x, %c : FROM", |x| x * 1.5),
        ("%r = llvm.fdiv %c, %x : FROM", |x| 1.5 / x),
        ("%r = llvm.frem %x, %c : FROM", |x| x % 1.5),
        ("%r = llvm.fneg %x : FROM", |x| -x),
        ("%r = llvm.intr.fabs(%x) : (FROM) -> FROM", f32::abs),
        ("%r = llvm.intr.sqrt(%x) : (FROM) -> FROM", f32::sqrt),
        ("%r = llvm.intr.floor(%x) : (FROM) -> FROM", f32::floor),
        ("%r = llvm.intr.ceil(%x) : (FROM) -> FROM", f32::ceil),
        ("%r = llvm.intr.trunc(%x) : (FROM) -> FROM", f32::trunc),
        ("%r = llvm.intr.round(%x) : (FROM) -> FROM", f32::round),
        ("%r = llvm.intr.roundeven(%x) : (FROM) -> FROM", f32::round_ties_even),
        ("%r = llvm.intr.rint(%x) : (FROM) -> FROM", f32::round_ties_even),
        ("%r = llvm.intr.fma(%x, %x, %c) : (FROM, FROM, FROM) -> FROM", |x| x.mul_add(x, 1.5)),
        ("%r = llvm.intr.minnum(%x, %c) : (FROM, FROM) -> FROM", |x| x.min(1.5)),
        ("%r = llvm.intr.maxnum(%c, %x) : (FROM, FROM) -> FROM", |x| x.max(1.5)),
        ("%r = llvm.intr.maximum(%x, %c) : (FROM, FROM) -> FROM", |x| if x.is_nan() { x } else { x.max(1.5) }),
        ("%r = llvm.intr.minimum(%c, %x) : (FROM, FROM) -> FROM", |x| if x.is_nan() { x } else { x.min(1.5) }),
        ("%r = llvm.intr.copysign(%c, %x) : (FROM, FROM) -> FROM", |x| 1.5_f32.copysign(x)),
        ("%r = llvm.intr.exp(%x) : (FROM) -> FROM", f32::exp),
        ("%r = llvm.intr.tanh(%x) : (FROM) -> FROM", f32::tanh),
        ("%r = llvm.intr.pow(%x, %c) : (FROM, FROM) -> FROM", |x| x.powf(1.5)),
    ];
    for (body, exact) in cases {
        for count in [0, 4, 3, 8] {
            let body = format!("{}\n{body}", if count == 0 { constant.to_owned() } else { vector(count) });
            let results: Vec<f32> = each("f32", "f32", count, &body, &values);
            for (&result, &value) in results.iter().zip(&values) {
                assert!(
                    same(result, exact(value)),
                    "{body} of {value:e} in {count} lanes: {result:e}, not {:e}",
                    exact(value)
                );
            }
        }
    }
}

#[test]
fn comparisons_know_of_nan() {
    let values = edges();
    let cases: &[(&str, Comparison)] = &[
        ("_false", |_, _| false),
        ("oeq", |a, b| a.partial_cmp(&b) == Some(Ordering::Equal)),
        ("ogt", |a, b| a > b),
        ("oge", |a, b| a >= b),
        ("olt", |a, b| a < b),
        ("ole", |a, b| a <= b),
        ("one", |a, b| a.partial_cmp(&b).is_some_and(Ordering::is_ne)),
        ("ord", |a, b| !a.is_nan() && !b.is_nan()),
        ("ueq", |a, b| a.partial_cmp(&b).is_none_or(Ordering::is_eq)),
        ("ugt", |a, b| a.partial_cmp(&b).is_none_or(Ordering::is_gt)),
        ("uge", |a, b| a.partial_cmp(&b).is_none_or(Ordering::is_ge)),
        ("ult", |a, b| a.partial_cmp(&b).is_none_or(Ordering::is_lt)),
        ("ule", |a, b| a.partial_cmp(&b).is_none_or(Ordering::is_le)),
        ("une", |a, b| a.partial_cmp(&b) != Some(Ordering::Equal)),
        ("uno", |a, b| a.is_nan() || b.is_nan()),
        ("_true", |_, _| true),
    ];
    for (predicate, exact) in cases {
        for other in [0.5, f32::NAN, -0.0] {
            let hex = format!("0x{:08X}", other.to_bits());
            for count in [0, 4, 5] {
                let (constant, mask, to) = if count == 0 {
                    (format!("{hex} : f32"), "i1".to_owned(), "i32".to_owned())
                } else {
                    (format!("dense<{hex}> : FROM"), format!("vector<{count}xi1>"), format!("vector<{count}xi32>"))
                };
                let body = format!(
                    "%c = llvm.mlir.constant({constant}) : FROM
                     %m = llvm.fcmp \"{predicate}\" %x, %c : FROM
                     %r = llvm.zext %m : {mask} to {to}"
                );
                let results: Vec<i32> = each("f32", "i32", count, &body, &values);
                for (&result, &value) in results.iter().zip(&values) {
                    assert_eq!(result == 1, exact(value, other), "{predicate} of {value:e}, {other:e}, {count} lanes");
                }
            }
        }
    }
}

#[test]
fn floats_and_integers_convert() {
    let values = [0.0_f32, 1.9, -1.9, 2_147_483_520.0, -2_147_483_648.0, 0.5, 100.25, -7.0];
    for count in [0, 4, 8] {
        let results: Vec<i32> = each("f32", "i32", count, "%r = llvm.fptosi %x : FROM to TO", &values);
        assert_eq!(results, values.map(|value| value as i32), "{count}");
        let results: Vec<i64> = each("f32", "i64", count, "%r = llvm.fptosi %x : FROM to TO", &values);
        assert_eq!(results, values.map(|value| value as i64), "{count}");
        let positive = values.map(f32::abs);
        // The first of these four does not fit.
        let results: Vec<u8> = each("f32", "i8", count, "%r = llvm.fptoui %x : FROM to TO", &positive[4..]);
        assert!(results.iter().zip(&positive[4..]).skip(1).all(|(&found, &value)| found == value as u8), "{count}");
        let ints = [0_i32, 1, -1, i32::MAX, i32::MIN, 16_777_217, -5, 1000];
        let results: Vec<f32> = each("i32", "f32", count, "%r = llvm.sitofp %x : FROM to TO", &ints);
        assert_eq!(results, ints.map(|value| value as f32), "{count}");
        let results: Vec<f32> = each("i32", "f32", count, "%r = llvm.uitofp %x : FROM to TO", &ints);
        assert_eq!(results, ints.map(|value| value as u32 as f32), "{count}");
        let results: Vec<f64> = each("i32", "f64", count, "%r = llvm.sitofp %x : FROM to TO", &ints);
        assert_eq!(results, ints.map(f64::from), "{count}");
        let wide: Vec<f64> = each("f32", "f64", count, "%r = llvm.fpext %x : FROM to TO", &values);
        assert_eq!(wide, values.map(f64::from), "{count}");
        let narrow: Vec<f32> = each("f64", "f32", count, "%r = llvm.fptrunc %x : FROM to TO", &wide);
        assert_eq!(narrow, values, "{count}");
    }
}

#[test]
fn classes_are_told_by_bits() {
    // The classes in order: signaling and quiet NaN, then from minus to plus infinity.
    let values =
        [f32::from_bits(0x7f80_0001), f32::NAN, f32::NEG_INFINITY, -1.0, -1e-45, -0.0, 0.0, 1e-45, 1.0, f32::INFINITY];
    for class in 0..10 {
        let body = format!(
            "%m = \"llvm.intr.is.fpclass\"(%x) <{{bit = {} : i32}}> : (f32) -> i1
             %r = llvm.zext %m : i1 to i32",
            1 << class
        );
        let found: Vec<i32> = each("f32", "i32", 0, &body, &values);
        assert_eq!(found, (0..10).map(|at| i32::from(at == class)).collect::<Vec<_>>(), "class {class}");
    }
}
