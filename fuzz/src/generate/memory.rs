//! Buffers: `memref` and `affine`.

use super::Level;
use super::scalar::arithmetic;
use super::statement;
use super::types::{Kind, Scalar, Ty};
use super::writer::{Writer, list};

/// Elements of buffers.
pub(super) const ELEMENTS: [Scalar; 4] = [Scalar::F32, Scalar::Int(32), Scalar::Index, Scalar::Int(8)];

/// A type of buffers.
pub(super) fn buffer_type(w: &mut Writer<'_>) -> Ty {
    let shape: Vec<i64> = (0..w.rng.usize(1..3)).map(|_| w.rng.i64(1..7)).collect();
    Ty::memref(&shape, *w.pick(&ELEMENTS))
}

/// A buffer in scope, or a new one.
fn buffer(w: &mut Writer<'_>) -> (String, Ty) {
    match w.find(|ty| ty.is(Kind::MemRef)) {
        Some(found) if !w.chance(5) => found,
        _ => {
            let ty = buffer_type(w);
            (w.value(&ty), ty)
        }
    }
}

/// A statement that works on a buffer.
pub(super) fn access(w: &mut Writer<'_>) {
    let (name, ty) = buffer(w);
    match w.rng.u8(..8) {
        0..=2 => load(w, &name, &ty),
        3..=5 => store(w, &name, &ty),
        6 => {
            let (other, of) = buffer(w);
            if of.to_string() == ty.to_string() && of.shape() == ty.shape() {
                w.line(format_args!("memref.copy {name}, {other} : {ty} to {of}"));
            } else {
                view(w, &name, &ty);
            }
        }
        _ => view(w, &name, &ty),
    }
}

fn load(w: &mut Writer<'_>, name: &str, ty: &Ty) {
    if let Some(indices) = w.indices(ty.shape()) {
        w.define(Ty::Scalar(ty.element()), format_args!("memref.load {name}[{indices}] : {ty}"));
    }
}

fn store(w: &mut Writer<'_>, name: &str, ty: &Ty) {
    if let Some(indices) = w.indices(ty.shape()) {
        let element = Ty::Scalar(ty.element());
        let value = if w.rng.bool() { arithmetic(w, &element) } else { w.value(&element) };
        w.line(format_args!("memref.store {value}, {name}[{indices}] : {ty}"));
    }
}

/// Something that reads through a view of a buffer.
fn view(w: &mut Writer<'_>, name: &str, ty: &Ty) {
    let Ty::Shaped { shape, element, dynamic: false, .. } = ty else { return };
    if shape.contains(&0) || shape.is_empty() {
        return;
    }
    let offsets: Vec<i64> = shape.iter().map(|&extent| w.rng.i64(0..extent)).collect();
    let sizes: Vec<i64> = shape.iter().zip(&offsets).map(|(&extent, &offset)| w.rng.i64(1..=extent - offset)).collect();
    let strides: Vec<i64> = sizes.iter().map(|&size| if size == 1 { w.rng.i64(1..3) } else { 1 }).collect();
    let packed: Vec<i64> = (0..shape.len()).map(|at| shape[at + 1..].iter().product()).collect();
    let offset: i64 = offsets.iter().zip(&packed).map(|(offset, stride)| offset * stride).sum();
    let steps: Vec<i64> = packed.iter().zip(&strides).map(|(a, b)| a * b).collect();
    let extents: String = sizes.iter().map(|size| format!("{size}x")).collect();
    let of = format!("memref<{extents}{element}, strided<[{}], offset: {offset}>>", list(&steps, i64::to_string));
    let (offsets, extents, strides) =
        (list(&offsets, i64::to_string), list(&sizes, i64::to_string), list(&strides, i64::to_string));
    let part = w.fresh();
    w.line(format_args!("{part} = memref.subview {name}[{offsets}] [{extents}] [{strides}] : {ty} to {of}"));
    let Some(indices) = w.indices(&sizes) else { return };
    if w.rng.bool() {
        w.define(Ty::Scalar(*element), format_args!("memref.load {part}[{indices}] : {of}"));
    } else {
        let value = w.value(&Ty::Scalar(*element));
        w.line(format_args!("memref.store {value}, {part}[{indices}] : {of}"));
    }
}

/// An `affine.for` and the extent of its induction variable.
struct AffineLoop {
    variable: String,
    /// The largest value of the variable.
    last: i64,
}

/// A nest of affine loops.
pub(super) fn affine_nest(w: &mut Writer<'_>, depth: usize) {
    let mut loops = Vec::new();
    affine_loop(w, depth, &mut loops);
}

fn affine_loop(w: &mut Writer<'_>, depth: usize, loops: &mut Vec<AffineLoop>) {
    let (from, trips, step) = (w.rng.i64(0..2), w.rng.i64(1..5), w.rng.i64(1..3));
    let last = from + (trips - 1) * step;
    let to = last + w.rng.i64(1..=step);
    let by = if step == 1 { String::new() } else { format!(" step {step}") };
    let variable = w.fresh();
    let reduced = if w.chance(3) { Some(Ty::Scalar(*w.pick(&ELEMENTS))) } else { None };
    let start = reduced.as_ref().map(|ty| w.value(ty));
    let (result, sum) = (w.fresh(), w.fresh());
    // A triangle, where there is a loop around.
    let bound = match loops.last() {
        Some(outer) if from == 0 && w.chance(4) => format!("affine_map<(d0) -> (d0 + {to})>({})", outer.variable),
        _ => to.to_string(),
    };
    let last = if bound == to.to_string() { last } else { last + loops.last().map_or(0, |outer| outer.last) + step };
    match (&reduced, start) {
        (Some(ty), Some(start)) => w.line(format_args!(
            "{result} = affine.for {variable} = {from} to {bound}{by} iter_args({sum} = {start}) -> ({ty}) {{"
        )),
        _ => w.line(format_args!("affine.for {variable} = {from} to {bound}{by} {{")),
    }
    loops.push(AffineLoop { variable: variable.clone(), last });
    w.nested(|w| {
        w.values.push((variable, Ty::INDEX));
        if let Some(ty) = &reduced {
            w.values.push((sum, ty.clone()));
        }
        for _ in 0..w.rng.usize(1..4) {
            affine_statement(w, depth, loops);
        }
        if let Some(ty) = &reduced {
            let value = arithmetic(w, ty);
            w.line(format_args!("affine.yield {value} : {ty}"));
        }
    });
    loops.pop();
    w.line(format_args!("}}"));
    if let Some(ty) = reduced {
        w.values.push((result, ty));
    }
}

fn affine_statement(w: &mut Writer<'_>, depth: usize, loops: &mut Vec<AffineLoop>) {
    match w.rng.u8(..10) {
        0..=2 => {
            let (name, ty) = buffer(w);
            if let Some(subscripts) = subscripts(w, ty.shape(), loops) {
                w.define(Ty::Scalar(ty.element()), format_args!("affine.load {name}[{subscripts}] : {ty}"));
            }
        }
        3..=6 => {
            let (name, ty) = buffer(w);
            let value = arithmetic(w, &Ty::Scalar(ty.element()));
            if let Some(subscripts) = subscripts(w, ty.shape(), loops) {
                w.line(format_args!("affine.store {value}, {name}[{subscripts}] : {ty}"));
            }
        }
        7 | 8 if depth + loops.len() < 4 => affine_loop(w, depth, loops),
        7 => affine_if(w, depth, loops),
        _ => statement(w, Level::Scalars, 3),
    }
}

fn affine_if(w: &mut Writer<'_>, depth: usize, loops: &mut Vec<AffineLoop>) {
    let Some(AffineLoop { variable, last }) = loops.last() else { return };
    let (variable, bound) = (variable.clone(), w.rng.i64(0..=*last));
    let condition = *w.pick(&["d0 - {} >= 0", "-d0 + {} >= 0", "d0 - {} == 0"]);
    let condition = condition.replace("{}", &bound.to_string());
    w.line(format_args!("affine.if affine_set<(d0) : ({condition})>({variable}) {{"));
    w.nested(|w| affine_statement(w, depth + 1, loops));
    w.line(format_args!("}}"));
}

/// Affine expressions of the loops' variables that stay within `shape`. `None` if it has no elements.
fn subscripts(w: &mut Writer<'_>, shape: &[i64], loops: &[AffineLoop]) -> Option<String> {
    if shape.contains(&0) {
        return None;
    }
    Some(list(shape, |&extent| subscript(w, extent, loops)))
}

fn subscript(w: &mut Writer<'_>, extent: i64, loops: &[AffineLoop]) -> String {
    for _ in 0..4 {
        let Some(first) = (!loops.is_empty()).then(|| w.rng.usize(..loops.len())) else { break };
        let second = w.rng.usize(..loops.len());
        let (a, b) = (&loops[first], &loops[second]);
        let add = w.rng.i64(0..3);
        let (text, last) = match w.rng.u8(..6) {
            0 | 1 => (a.variable.clone(), a.last),
            2 => (format!("{} + {add}", a.variable), a.last + add),
            3 => (format!("{} + {}", a.variable, b.variable), a.last + b.last),
            4 => (format!("{} * 2 + {add}", a.variable), a.last * 2 + add),
            _ => (format!("{} floordiv 2", a.variable), a.last / 2),
        };
        if last < extent {
            return text;
        }
    }
    match loops.last() {
        Some(inner) if w.rng.bool() => format!("{} mod {extent}", inner.variable),
        _ => w.rng.i64(0..extent).to_string(),
    }
}
