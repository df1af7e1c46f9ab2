//! Structured control flow, calls, and functions of blocks.

use super::scalar::{self, SCALARS};
use super::types::{Scalar, Ty};
use super::writer::{Writer, list};
use super::{Level, statement};

/// Deepest nesting.
const DEEPEST: usize = 3;

/// A statement with regions, or a call.
pub(super) fn structured(w: &mut Writer<'_>, level: Level, depth: usize) {
    if depth >= DEEPEST {
        statement(w, level, DEEPEST);
        return;
    }
    match w.rng.u8(..10) {
        0..=2 => branch(w, level, depth),
        3..=5 => counted_loop(w, level, depth),
        6 => while_loop(w, level, depth),
        7 => index_switch(w, level, depth),
        8 => execute_region(w, level, depth),
        _ => call(w),
    }
}

/// Statements, then the values of `results`.
fn body(w: &mut Writer<'_>, level: Level, depth: usize, results: &[Ty]) -> String {
    for _ in 0..w.rng.usize(1..4) {
        statement(w, level, depth + 1);
    }
    let values: Vec<String> = results.iter().map(|ty| w.result(ty)).collect();
    values.join(", ")
}

/// Types of values that control flow hands on: some that are at hand.
fn carried(w: &mut Writer<'_>) -> Vec<Ty> {
    let count = w.rng.usize(..3);
    let mut types: Vec<Ty> = (0..count).map(|_| Ty::Scalar(*w.pick(&SCALARS))).collect();
    if w.chance(3)
        && let Some((_, ty)) = w.find(|ty| !matches!(ty, Ty::Scalar(_)) && !ty.is(super::types::Kind::MemRef))
    {
        types.push(ty);
    }
    types
}

/// `%a, %b = ` for new values, which can be used from now on.
fn results(w: &mut Writer<'_>, types: &[Ty], op: impl FnOnce(&mut Writer<'_>, String)) {
    let names: Vec<String> = types.iter().map(|_| w.fresh()).collect();
    let prefix = if names.is_empty() { String::new() } else { format!("{} = ", names.join(", ")) };
    op(w, prefix);
    w.values.extend(names.into_iter().zip(types.iter().cloned()));
}

fn yielded(w: &mut Writer<'_>, op: &str, values: &str, types: &[Ty]) {
    if types.is_empty() {
        w.line(format_args!("{op}"));
    } else {
        w.line(format_args!("{op} {values} : {}", list(types, Ty::to_string)));
    }
}

fn arrow(types: &[Ty]) -> String {
    if types.is_empty() { String::new() } else { format!(" -> ({})", list(types, Ty::to_string)) }
}

fn branch(w: &mut Writer<'_>, level: Level, depth: usize) {
    let of = *w.pick(&SCALARS[..3]);
    let condition = if w.chance(8) { w.value(&Ty::I1) } else { scalar::compare(w, &Ty::Scalar(of)) };
    let types = carried(w);
    results(w, &types, |w, prefix| {
        w.line(format_args!("{prefix}scf.if {condition}{} {{", arrow(&types)));
        for (at, end) in ["} else {", "}"].into_iter().enumerate() {
            w.nested(|w| {
                let values = body(w, level, depth, &types);
                yielded(w, "scf.yield", &values, &types);
            });
            if at == 0 && types.is_empty() && w.chance(2) {
                w.line(format_args!("}}"));
                return;
            }
            w.line(format_args!("{end}"));
        }
    });
}

fn counted_loop(w: &mut Writer<'_>, level: Level, depth: usize) {
    let types = carried(w);
    let lower = w.rng.i64(0..3);
    let (from, step) = (w.index(lower), w.rng.i64(1..4));
    let to = if w.chance(3) {
        w.index_below(6)
    } else {
        let upper = lower + w.rng.i64(0..5);
        w.index(upper)
    };
    let step = w.index(step);
    let starts: Vec<(String, String)> = types.iter().map(|ty| (w.fresh(), w.value(ty))).collect();
    let induction = w.fresh();
    results(w, &types, |w, prefix| {
        let args = list(&starts, |(arg, start)| format!("{arg} = {start}"));
        let args = if types.is_empty() { String::new() } else { format!(" iter_args({args}){}", arrow(&types)) };
        w.line(format_args!("{prefix}scf.for {induction} = {from} to {to} step {step}{args} {{"));
        w.nested(|w| {
            w.values.push((induction, Ty::INDEX));
            w.values.extend(starts.iter().map(|(arg, _)| arg.clone()).zip(types.iter().cloned()));
            let values = body(w, level, depth, &types);
            yielded(w, "scf.yield", &values, &types);
        });
        w.line(format_args!("}}"));
    });
}

/// A loop that a counter ends.
fn while_loop(w: &mut Writer<'_>, level: Level, depth: usize) {
    let mut types = vec![Ty::Scalar(Scalar::Int(32))];
    types.extend(carried(w));
    let mut starts = vec![w.define(types[0].clone(), format_args!("arith.constant 0 : i32"))];
    starts.extend(types[1..].iter().map(|ty| w.value(ty)));
    let (rounds, end) = (w.rng.u8(..5), w.fresh());
    w.line(format_args!("{end} = arith.constant {rounds} : i32"));
    results(w, &types, |w, prefix| {
        let args: Vec<String> = types.iter().map(|_| w.fresh()).collect();
        let bound = list(&args.iter().zip(&starts).collect::<Vec<_>>(), |(arg, start)| format!("{arg} = {start}"));
        let list_of_types = list(&types, Ty::to_string);
        w.line(format_args!("{prefix}scf.while ({bound}) : ({list_of_types}) -> ({list_of_types}) {{"));
        w.nested(|w| {
            w.values.extend(args.iter().cloned().zip(types.iter().cloned()));
            for _ in 0..w.rng.usize(..2) {
                statement(w, level, depth + 1);
            }
            let goes_on = w.define(Ty::I1, format_args!("arith.cmpi slt, {}, {end} : i32", args[0]));
            w.line(format_args!("scf.condition({goes_on}) {} : {list_of_types}", args.join(", ")));
        });
        w.line(format_args!("}} do {{"));
        w.nested(|w| {
            let args: Vec<String> = types.iter().map(|_| w.fresh()).collect();
            let shown = list(&args.iter().zip(&types).collect::<Vec<_>>(), |(arg, ty)| format!("{arg}: {ty}"));
            w.line(format_args!("^bb0({shown}):"));
            w.values.extend(args.iter().cloned().zip(types.iter().cloned()));
            let one = w.define(types[0].clone(), format_args!("arith.constant 1 : i32"));
            let next = w.define(types[0].clone(), format_args!("arith.addi {}, {one} : i32", args[0]));
            let values = body(w, level, depth, &types[1..]);
            let values = if values.is_empty() { next } else { format!("{next}, {values}") };
            yielded(w, "scf.yield", &values, &types);
        });
        w.line(format_args!("}}"));
    });
}

fn index_switch(w: &mut Writer<'_>, level: Level, depth: usize) {
    let types = carried(w);
    let on = w.index_below(4);
    results(w, &types, |w, prefix| {
        w.line(format_args!("{prefix}scf.index_switch {on}{}", arrow(&types).replace(['(', ')'], "")));
        let cases = w.rng.usize(1..4);
        for case in 0..=cases {
            if case == cases {
                w.line(format_args!("default {{"));
            } else {
                w.line(format_args!("case {case} {{"));
            }
            w.nested(|w| {
                let values = body(w, level, depth, &types);
                yielded(w, "scf.yield", &values, &types);
            });
            w.line(format_args!("}}"));
        }
    });
}

fn execute_region(w: &mut Writer<'_>, level: Level, depth: usize) {
    let types = carried(w);
    results(w, &types, |w, prefix| {
        w.line(format_args!("{prefix}scf.execute_region{} {{", arrow(&types)));
        w.nested(|w| {
            let values = body(w, level, depth, &types);
            yielded(w, "scf.yield", &values, &types);
        });
        w.line(format_args!("}}"));
    });
}

/// A call of a function written before this one, or of one that nobody knows.
fn call(w: &mut Writer<'_>) {
    if w.functions.is_empty() {
        return;
    }
    let at = w.rng.usize(..w.functions.len());
    let (name, args, of) = w.functions[at].clone();
    let values: Vec<String> = args.iter().map(|ty| w.value(ty)).collect();
    results(w, &of, |w, prefix| {
        let (values, args, of) = (values.join(", "), list(&args, Ty::to_string), list(&of, Ty::to_string));
        w.line(format_args!("{prefix}func.call @{name}({values}) : ({args}) -> ({of})"));
    });
}

/// Blocks that end in branches, and at last values of `results` given back. Control goes forward, or back while a counter lasts.
pub(super) fn blocks(w: &mut Writer<'_>, results: &[Ty]) {
    let count = w.rng.usize(2..6);
    let params: Vec<Vec<Ty>> =
        (0..count).map(|_| (0..w.rng.usize(..3)).map(|_| Ty::Scalar(*w.pick(&SCALARS))).collect()).collect();
    let fuel = w.value(&Ty::Scalar(Scalar::Int(32)));
    let seven = w.define(Ty::Scalar(Scalar::Int(32)), format_args!("arith.constant 7 : i32"));
    let mut fuel = w.define(Ty::Scalar(Scalar::Int(32)), format_args!("arith.andi {fuel}, {seven} : i32"));
    for at in 0..=count {
        for _ in 0..w.rng.usize(1..4) {
            statement(w, Level::Scalars, DEEPEST);
        }
        if at == count {
            let values: Vec<String> = results.iter().map(|ty| w.result(ty)).collect();
            yielded(w, "return", &values.join(", "), results);
            return;
        }
        terminator(w, &params, at, &fuel);
        // What was defined before may not be known where control comes from elsewhere: only what the block is handed is used.
        w.values.clear();
        fuel = w.fresh();
        let mut args = vec![format!("{fuel}: i32")];
        for ty in &params[at] {
            let name = w.fresh();
            args.push(format!("{name}: {ty}"));
            w.values.push((name, ty.clone()));
        }
        w.line(format_args!("^bb{at}({}):", args.join(", ")));
        w.values.push((fuel.clone(), Ty::Scalar(Scalar::Int(32))));
    }
}

/// From block number `at - 1` to later ones, or to an earlier one.
fn terminator(w: &mut Writer<'_>, params: &[Vec<Ty>], at: usize, fuel: &str) {
    let i32 = Ty::Scalar(Scalar::Int(32));
    let target = |w: &mut Writer<'_>, to: usize, fuel: &str| {
        let mut values = vec![fuel.to_owned()];
        values.extend(params[to].iter().map(|ty| w.value(ty)));
        let mut types = vec!["i32".to_owned()];
        types.extend(params[to].iter().map(Ty::to_string));
        format!("^bb{to}({} : {})", values.join(", "), types.join(", "))
    };
    let later = |w: &mut Writer<'_>| w.rng.usize(at..params.len());
    match w.rng.u8(..8) {
        0 => {
            let to = target(w, at, fuel);
            w.line(format_args!("cf.br {to}"));
        }
        1 => {
            let flag = w.value(&i32);
            let (first, second) = (later(w), later(w));
            let (default, first, second) = (target(w, at, fuel), target(w, first, fuel), target(w, second, fuel));
            w.line(format_args!("cf.switch {flag} : i32, [default: {default}, 0: {first}, 3: {second}]"));
        }
        2 | 3 if at > 0 => {
            let back = w.rng.usize(..at);
            let (zero, one) = (
                w.define(i32.clone(), format_args!("arith.constant 0 : i32")),
                w.define(i32.clone(), format_args!("arith.constant 1 : i32")),
            );
            let lasts = w.define(Ty::I1, format_args!("arith.cmpi sgt, {fuel}, {zero} : i32"));
            let less = w.define(i32, format_args!("arith.subi {fuel}, {one} : i32"));
            let (back, on) = (target(w, back, &less), target(w, at, fuel));
            w.line(format_args!("cf.cond_br {lasts}, {back}, {on}"));
        }
        _ => {
            let of = *w.pick(&SCALARS[..3]);
            let condition = scalar::compare(w, &Ty::Scalar(of));
            let other = later(w);
            let (first, second) = (target(w, at, fuel), target(w, other, fuel));
            w.line(format_args!("cf.cond_br {condition}, {first}, {second}"));
        }
    }
}
