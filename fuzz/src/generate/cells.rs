//! Uses of memory that transforms look for: cells that values go through, loops one after the other over the same buffers, parallel loops.

use super::memory::ELEMENTS;
use super::scalar::{SCALARS, arithmetic, compare};
use super::types::{Kind, Ty};
use super::writer::Writer;

/// One of them.
pub(super) fn use_memory(w: &mut Writer<'_>) {
    match w.rng.u8(..4) {
        0 => cell(w),
        1 => members(w),
        2 => passed_on(w),
        _ => parallel(w),
    }
}

/// A cell that is written, perhaps written again, and read.
fn cell(w: &mut Writer<'_>) {
    let element = Ty::Scalar(*w.pick(&SCALARS));
    let (ty, name) = (format!("memref<{element}>"), w.fresh());
    w.line(format_args!("{name} = memref.alloca() : {ty}"));
    let value = w.value(&element);
    w.line(format_args!("memref.store {value}, {name}[] : {ty}"));
    let of = *w.pick(&SCALARS[..3]);
    let condition = compare(w, &Ty::Scalar(of));
    w.line(format_args!("scf.if {condition} {{"));
    w.nested(|w| {
        let value = arithmetic(w, &element);
        w.line(format_args!("memref.store {value}, {name}[] : {ty}"));
    });
    if w.rng.bool() {
        w.line(format_args!("}} else {{"));
        w.nested(|w| {
            let old = w.define(element.clone(), format_args!("memref.load {name}[] : {ty}"));
            w.line(format_args!("memref.store {old}, {name}[] : {ty}"));
        });
    }
    w.line(format_args!("}}"));
    w.define(element, format_args!("memref.load {name}[] : {ty}"));
}

/// A small buffer whose elements are each used by themselves.
fn members(w: &mut Writer<'_>) {
    let (element, count) = (Ty::Scalar(*w.pick(&ELEMENTS)), w.rng.i64(1..4));
    let (ty, name) = (format!("memref<{count}x{element}>"), w.fresh());
    w.line(format_args!("{name} = memref.alloca() : {ty}"));
    let indices: Vec<String> = (0..count).map(|at| w.index(at)).collect();
    for index in &indices {
        let value = w.value(&element);
        w.line(format_args!("memref.store {value}, {name}[{index}] : {ty}"));
    }
    for index in indices {
        w.define(element.clone(), format_args!("memref.load {name}[{index}] : {ty}"));
    }
}

/// A buffer that is filled for another one to be made of it, in loops of the same bounds.
fn passed_on(w: &mut Writer<'_>) {
    let (rows, columns, element) = (w.rng.i64(1..5), w.rng.i64(1..5), *w.pick(&ELEMENTS));
    let ty = Ty::memref(&[rows, columns], element);
    let (first, last) = (w.value(&ty), w.value(&ty));
    let between = w.fresh();
    w.line(format_args!("{between} = memref.alloc() : {ty}"));
    for (from, to) in [(&first, &between), (&between, &last)] {
        let (i, j) = (w.fresh(), w.fresh());
        // The second may read what the first has written long before, or has not.
        let turned = rows == columns && w.chance(3);
        let indices = if turned { format!("{j}, {i}") } else { format!("{i}, {j}") };
        w.line(format_args!("affine.for {i} = 0 to {rows} {{"));
        w.nested(|w| {
            w.line(format_args!("affine.for {j} = 0 to {columns} {{"));
            w.nested(|w| {
                w.define(Ty::Scalar(element), format_args!("affine.load {from}[{indices}] : {ty}"));
                let value = arithmetic(w, &Ty::Scalar(element));
                w.line(format_args!("affine.store {value}, {to}[{i}, {j}] : {ty}"));
            });
            w.line(format_args!("}}"));
        });
        w.line(format_args!("}}"));
    }
    if w.rng.bool() {
        w.line(format_args!("memref.dealloc {between} : {ty}"));
    }
}

/// Parallel loops of the same bounds, each over a buffer of its own.
fn parallel(w: &mut Writer<'_>) {
    let Some((from, ty)) =
        w.find(|ty| ty.is(Kind::MemRef) && ty.shape().len() == 1 && ELEMENTS.contains(&ty.element()))
    else {
        return;
    };
    let (extent, element) = (ty.shape()[0], Ty::Scalar(ty.element()));
    let bounds = [0, extent, 1].map(|number| w.index(number));
    let made: Vec<String> = (0..w.rng.usize(1..3)).map(|_| w.fresh()).collect();
    for name in &made {
        w.line(format_args!("{name} = memref.alloc() : {ty}"));
    }
    for name in &made {
        let (variable, kind) = (w.fresh(), w.rng.bool());
        if kind {
            w.line(format_args!(
                "scf.parallel ({variable}) = ({}) to ({}) step ({}) {{",
                bounds[0], bounds[1], bounds[2]
            ));
        } else {
            w.line(format_args!("scf.forall ({variable}) in ({extent}) {{"));
        }
        w.nested(|w| {
            w.values.push((variable.clone(), Ty::INDEX));
            w.define(element.clone(), format_args!("memref.load {from}[{variable}] : {ty}"));
            let value = arithmetic(w, &element);
            w.line(format_args!("memref.store {value}, {name}[{variable}] : {ty}"));
        });
        w.line(format_args!("}}"));
    }
    w.values.extend(made.into_iter().map(|name| (name, ty.clone())));
}
