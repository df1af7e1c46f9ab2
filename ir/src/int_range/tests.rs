//! Each function against all numbers of four bits.

use super::*;

const WIDTH: u32 = 4;

fn numbers() -> impl Iterator<Item = ApInt> + Clone {
    (0..16).map(|value| ApInt::from_u64(WIDTH, value))
}

/// Ranges with every pair of ends, in either reading, and their unions.
fn ranges() -> Vec<IntRange> {
    let mut all = Vec::new();
    for (i, low) in numbers().enumerate() {
        for high in numbers().skip(i).step_by(2) {
            all.push(IntRange::unsigned(low.clone(), high.clone()));
            let (min, max) = (low.smin(&high), low.smax(&high));
            all.push(IntRange::signed(min, max));
        }
    }
    all
}

/// Checks that `infer` has every result of `run` on numbers of the ranges; `run` is `None` where it is undefined.
fn check(name: &str, infer: impl Fn(&IntRange, &IntRange) -> IntRange, run: impl Fn(&ApInt, &ApInt) -> Option<ApInt>) {
    let all = ranges();
    for lhs in &all {
        for rhs in all.iter().step_by(3) {
            let found = infer(lhs, rhs);
            for a in numbers().filter(|a| lhs.contains(a)) {
                for b in numbers().filter(|b| rhs.contains(b)) {
                    if let Some(result) = run(&a, &b) {
                        assert!(
                            found.contains(&result),
                            "{name} {a:?} {b:?} = {result:?} in {lhs:?} {rhs:?}: {found:?}"
                        );
                    }
                }
            }
        }
    }
}

#[test]
fn results_are_in_ranges() {
    let none = Overflow::default();
    let defined = |(value, overflows): (ApInt, bool)| (!overflows).then_some(value);
    check("add", |a, b| add(a, b, none), |a, b| Some(a.wrapping_add(b)));
    check("sub", |a, b| sub(a, b, none), |a, b| Some(a.wrapping_sub(b)));
    check("mul", |a, b| mul(a, b, none), |a, b| Some(a.wrapping_mul(b)));
    let (nsw, nuw) = (Overflow { signed: true, unsigned: false }, Overflow { signed: false, unsigned: true });
    check("add nsw", |a, b| add(a, b, nsw), |a, b| defined(a.sadd_overflow(b)));
    check("add nuw", |a, b| add(a, b, nuw), |a, b| defined(a.uadd_overflow(b)));
    check("sub nsw", |a, b| sub(a, b, nsw), |a, b| defined(a.ssub_overflow(b)));
    check("sub nuw", |a, b| sub(a, b, nuw), |a, b| defined(a.usub_overflow(b)));
    check("mul nsw", |a, b| mul(a, b, nsw), |a, b| defined(a.smul_overflow(b)));
    check("mul nuw", |a, b| mul(a, b, nuw), |a, b| defined(a.umul_overflow(b)));
    check("divui", div_unsigned, ApInt::udiv);
    check("ceildivui", ceildiv_unsigned, ApInt::ceildiv_unsigned);
    check("divsi", div_signed, ApInt::sdiv);
    check("ceildivsi", ceildiv_signed, ApInt::ceildiv_signed);
    check("floordivsi", floordiv_signed, ApInt::floordiv_signed);
    check("remui", rem_unsigned, ApInt::urem);
    check("remsi", rem_signed, ApInt::srem);
    check("maxsi", max_signed, |a, b| Some(a.smax(b)));
    check("maxui", max_unsigned, |a, b| Some(a.umax(b)));
    check("minsi", min_signed, |a, b| Some(a.smin(b)));
    check("minui", min_unsigned, |a, b| Some(a.umin(b)));
}

#[test]
fn bits_are_in_ranges() {
    check("andi", and, |a, b| Some(a.and(b)));
    check("ori", or, |a, b| Some(a.or(b)));
    check("xori", xor, |a, b| Some(a.xor(b)));
    check("shli", |a, b| shl(a, b, Overflow::default()), |a, b| a.shl(b.to_u64()?));
    check("shrsi", shr_signed, |a, b| a.ashr(b.to_u64()?));
    check("shrui", shr_unsigned, |a, b| a.lshr(b.to_u64()?));
    let keeps = |a: &ApInt, b: &ApInt, shifted: &ApInt| b.to_u64().and_then(|by| shifted.ashr(by)).as_ref() == Some(a);
    check(
        "shli nsw",
        |a, b| shl(a, b, Overflow { signed: true, unsigned: false }),
        |a, b| a.shl(b.to_u64()?).filter(|shifted| keeps(a, b, shifted)),
    );
}

#[test]
fn widths_change_with_all_numbers() {
    for range in ranges() {
        for value in numbers().filter(|value| range.contains(value)) {
            assert!(extend_unsigned(&range, 7).contains(&value.zext_or_trunc(7)));
            assert!(extend_signed(&range, 7).contains(&value.sext_or_trunc(7)));
            for width in 1..WIDTH {
                assert!(truncate(&range, width).contains(&value.zext_or_trunc(width)), "{range:?} to {width}");
            }
        }
    }
}

#[test]
fn relations_hold_of_all_numbers() {
    use Relation::{Eq, Ne, Sle, Slt, Ule, Ult};
    let all = ranges();
    for relation in [Eq, Ne, Slt, Sle, Ult, Ule] {
        let run = |a: &ApInt, b: &ApInt| match relation {
            Eq => a == b,
            Ne => a != b,
            Slt => a.slt(b),
            Sle => a.sle(b),
            Ult => a.ult(b),
            Ule => a.ule(b),
        };
        for lhs in &all {
            for rhs in all.iter().step_by(5) {
                let Some(found) = holds(relation, lhs, rhs) else { continue };
                let pairs = numbers().filter(|a| lhs.contains(a)).flat_map(|a| numbers().map(move |b| (a.clone(), b)));
                for (a, b) in pairs.filter(|(_, b)| rhs.contains(b)) {
                    assert_eq!(run(&a, &b), found, "{relation:?} {a:?} {b:?}");
                }
            }
        }
    }
}
