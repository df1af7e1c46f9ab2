//! Arithmetic on numbers, and on tensors and vectors of them.

use super::types::{Scalar, Ty};
use super::writer::Writer;

const INTEGER: [&str; 11] = ["addi", "addi", "subi", "muli", "andi", "ori", "xori", "maxsi", "minsi", "maxui", "minui"];
const OVERFLOWING: [&str; 3] = ["addi", "subi", "muli"];
const SHIFTS: [&str; 3] = ["shli", "shrsi", "shrui"];
const DIVISIONS: [&str; 7] = ["divui", "remui", "divsi", "remsi", "ceildivui", "ceildivsi", "floordivsi"];
const FLOAT: [&str; 9] = ["addf", "addf", "subf", "mulf", "mulf", "maximumf", "minimumf", "maxnumf", "minnumf"];
const INT_PREDICATES: [&str; 10] = ["eq", "ne", "slt", "sle", "sgt", "sge", "ult", "ule", "ugt", "uge"];
const FLOAT_PREDICATES: [&str; 14] =
    ["oeq", "ogt", "oge", "olt", "ole", "one", "ord", "ueq", "ugt", "uge", "ult", "ule", "une", "uno"];
const ELEMENTARY: [&str; 6] = ["exp", "tanh", "sin", "absf", "sqrt", "erf"];
const EXACT: [&str; 5] = ["absf", "floor", "ceil", "roundeven", "trunc"];
const BITS: [&str; 3] = ["ctpop", "ctlz", "cttz"];

/// The scalars that programs work with.
pub(super) const SCALARS: [Scalar; 7] =
    [Scalar::Int(32), Scalar::Index, Scalar::F32, Scalar::Int(64), Scalar::Int(8), Scalar::F64, Scalar::Int(1)];

/// An operation on values of type `ty`, a number or something that holds numbers.
pub(super) fn arithmetic(w: &mut Writer<'_>, ty: &Ty) -> String {
    match ty.element() {
        element if element.is_float() => float(w, ty),
        Scalar::Int(1) => truth(w, ty),
        element => integer(w, ty, element),
    }
}

fn binary(w: &mut Writer<'_>, ty: &Ty, op: &str, flags: &str) -> String {
    let (a, b) = (w.value(ty), w.value(ty));
    w.define(ty.clone(), format_args!("arith.{op} {a}, {b}{flags} : {ty}"))
}

fn integer(w: &mut Writer<'_>, ty: &Ty, element: Scalar) -> String {
    let is_scalar = matches!(ty, Ty::Scalar(_));
    match w.rng.u8(..16) {
        0 => {
            let op = *w.pick(&DIVISIONS);
            let (a, b) = (w.value(ty), constant_of(w, ty, &["1", "2", "3", "7", "16"]));
            w.define(ty.clone(), format_args!("arith.{op} {a}, {b} : {ty}"))
        }
        1 => {
            let op = *w.pick(&SHIFTS);
            let (a, b) = (w.value(ty), constant_of(w, ty, &["0", "1", "2", "5", "7"]));
            w.define(ty.clone(), format_args!("arith.{op} {a}, {b} : {ty}"))
        }
        2 => select(w, ty),
        3 | 4 if is_scalar => convert(w, element),
        5 if element != Scalar::Index && w.elementary => {
            let op = *w.pick(&BITS);
            let a = w.value(ty);
            w.define(ty.clone(), format_args!("math.{op} {a} : {ty}"))
        }
        6 => {
            let (op, flags) =
                (*w.pick(&OVERFLOWING), *w.pick(&[" overflow<nsw>", " overflow<nuw>", " overflow<nsw, nuw>"]));
            binary(w, ty, op, flags)
        }
        _ => {
            let op = *w.pick(&INTEGER);
            binary(w, ty, op, "")
        }
    }
}

fn float(w: &mut Writer<'_>, ty: &Ty) -> String {
    match w.rng.u8(..12) {
        0 => select(w, ty),
        1 => {
            let a = w.value(ty);
            w.define(ty.clone(), format_args!("arith.negf {a} : {ty}"))
        }
        2 => {
            let (a, b) = (w.value(ty), constant_of(w, ty, &["1.0", "2.0", "-0.5", "4.0"]));
            w.define(ty.clone(), format_args!("arith.divf {a}, {b} : {ty}"))
        }
        3 if w.elementary => {
            let op = *w.pick(&ELEMENTARY);
            let a = w.value(ty);
            w.define(ty.clone(), format_args!("math.{op} {a} : {ty}"))
        }
        4 if w.elementary => {
            let op = *w.pick(&EXACT);
            let a = w.value(ty);
            w.define(ty.clone(), format_args!("math.{op} {a} : {ty}"))
        }
        5 if matches!(ty, Ty::Scalar(_)) => convert(w, ty.element()),
        _ => {
            let op = *w.pick(&FLOAT);
            binary(w, ty, op, "")
        }
    }
}

fn truth(w: &mut Writer<'_>, ty: &Ty) -> String {
    let of = *w.pick(&SCALARS[..6]);
    match w.rng.u8(..4) {
        0 => {
            let op = *w.pick(&["andi", "ori", "xori"]);
            binary(w, ty, op, "")
        }
        _ => compare(w, &ty.of(of)),
    }
}

/// A comparison of values of type `ty`.
pub(super) fn compare(w: &mut Writer<'_>, ty: &Ty) -> String {
    let (a, b) = (w.value(ty), w.value(ty));
    let (op, predicate) =
        if ty.element().is_float() { ("cmpf", *w.pick(&FLOAT_PREDICATES)) } else { ("cmpi", *w.pick(&INT_PREDICATES)) };
    w.define(ty.of(Scalar::Int(1)), format_args!("arith.{op} {predicate}, {a}, {b} : {ty}"))
}

fn select(w: &mut Writer<'_>, ty: &Ty) -> String {
    let (a, b) = (w.value(ty), w.value(ty));
    let condition = if w.chance(4) { w.value(&Ty::I1) } else { compare(w, &Ty::Scalar(ty.element())) };
    w.define(ty.clone(), format_args!("arith.select {condition}, {a}, {b} : {ty}"))
}

/// A number of another type as one of type `to`.
fn convert(w: &mut Writer<'_>, to: Scalar) -> String {
    let from = *w.pick(&SCALARS);
    let op = match (from, to) {
        (Scalar::Int(1), Scalar::Int(_)) => "extui",
        (Scalar::Int(a), Scalar::Int(b)) if a < b => *w.pick(&["extsi", "extui"]),
        (Scalar::Int(a), Scalar::Int(b)) if a > b => "trunci",
        (Scalar::Int(_), Scalar::Index) | (Scalar::Index, Scalar::Int(_)) => *w.pick(&["index_cast", "index_castui"]),
        (Scalar::Int(_), to) if to.is_float() => *w.pick(&["sitofp", "uitofp"]),
        (Scalar::F32, Scalar::F64) => "extf",
        (Scalar::F64, Scalar::F32) => "truncf",
        (Scalar::F32, Scalar::Int(32)) | (Scalar::F64, Scalar::Int(64)) => *w.pick(&["bitcast", "fptosi"]),
        _ => {
            return w.value(&Ty::Scalar(to));
        }
    };
    let a = w.value(&Ty::Scalar(from));
    w.define(Ty::Scalar(to), format_args!("arith.{op} {a} : {from} to {to}"))
}

/// One of `numbers` as a constant of type `ty`.
fn constant_of(w: &mut Writer<'_>, ty: &Ty, numbers: &[&str]) -> String {
    let number = *w.pick(numbers);
    match ty {
        Ty::Scalar(scalar) => w.define(ty.clone(), format_args!("arith.constant {number} : {scalar}")),
        Ty::Shaped { dynamic: true, .. } => w.value(ty),
        Ty::Shaped { .. } => w.define(ty.clone(), format_args!("arith.constant dense<{number}> : {ty}")),
    }
}
