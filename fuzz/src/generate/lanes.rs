//! Operations on vectors of which each has a lowering of its own.

use super::types::{Kind, Scalar, Ty};
use super::writer::Writer;

const I8: Scalar = Scalar::Int(8);
const I32: Scalar = Scalar::Int(32);

/// One of them.
pub(super) fn compute(w: &mut Writer<'_>) {
    match w.rng.u8(..8) {
        0 => written_and_read(w),
        1 => bitcast(w),
        2 => widened_product(w),
        3 => gather(w),
        4 => multiply_add(w),
        5 => interleave(w),
        6 => mask(w),
        _ => masked_access(w),
    }
}

/// A buffer in scope with known extents.
fn buffer(w: &mut Writer<'_>, rank: usize) -> Option<(String, Ty)> {
    w.find(|ty| {
        matches!(ty, Ty::Shaped { kind: Kind::MemRef, dynamic: false, .. })
            && ty.shape().len() == rank
            && [Scalar::F32, I32, I8].contains(&ty.element())
    })
}

/// A vector is written where one is read next, or nearly there; or twice to the same place.
fn written_and_read(w: &mut Writer<'_>) {
    let Some((name, ty)) = buffer(w, 1) else { return };
    let extent = ty.shape()[0];
    let lanes = w.rng.i64(1..=extent);
    let of = Ty::vector(&[lanes], ty.element());
    let at = w.rng.i64(0..=extent - lanes);
    let place = w.index(at);
    let other = if w.chance(3) { w.rng.i64(0..=extent - lanes) } else { at };
    let other = if other == at && w.rng.bool() { place.clone() } else { w.index(other) };
    let value = w.value(&of);
    w.line(format_args!("vector.transfer_write {value}, {name}[{place}] {{in_bounds = [true]}} : {of}, {ty}"));
    if w.rng.bool() {
        let border = w.value(&Ty::Scalar(ty.element()));
        w.define(
            of.clone(),
            format_args!("vector.transfer_read {name}[{other}], {border} {{in_bounds = [true]}} : {ty}, {of}"),
        );
    } else {
        let value = w.value(&of);
        w.line(format_args!("vector.transfer_write {value}, {name}[{other}] {{in_bounds = [true]}} : {of}, {ty}"));
    }
}

/// The bits of bytes as words, or the other way round.
fn bitcast(w: &mut Writer<'_>) {
    let (rows, words) = (w.rng.i64(0..3), w.rng.i64(1..6));
    let shape = |last: i64| if rows == 0 { vec![last] } else { vec![rows, last] };
    let (bytes, whole) = (Ty::vector(&shape(words * 4), I8), Ty::vector(&shape(words), I32));
    let (from, to) = if w.rng.bool() { (bytes, whole) } else { (whole, bytes) };
    let value = w.value(&from);
    w.define(to.clone(), format_args!("vector.bitcast {value} : {from} to {to}"));
}

/// A product of bytes that are widened for it.
fn widened_product(w: &mut Writer<'_>) {
    let (m, n, k) = (w.rng.i64(1..4), w.rng.i64(1..4), w.rng.i64(1..4));
    let [a, b] = [[m, k], [n, k]].map(|shape| {
        let (narrow, wide) = (Ty::vector(&shape, I8), Ty::vector(&shape, I32));
        let value = w.value(&narrow);
        let op = *w.pick(&["extsi", "extsi", "extui"]);
        (w.define(wide.clone(), format_args!("arith.{op} {value} : {narrow} to {wide}")), wide)
    });
    let sums = Ty::vector(&[m, n], I32);
    let start = w.value(&sums);
    w.define(
        sums.clone(),
        format_args!(
            "vector.contract {{indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d2)>, affine_map<(d0, d1, d2) -> (d1, d2)>, \
             affine_map<(d0, d1, d2) -> (d0, d1)>], iterator_types = [\"parallel\", \"parallel\", \"reduction\"], \
             kind = #vector.kind<add>}} {}, {}, {start} : {}, {} into {sums}",
            a.0, b.0, a.1, b.1
        ),
    );
}

/// Elements of a buffer from all over it.
fn gather(w: &mut Writer<'_>) {
    let Some((name, ty)) = buffer(w, 1) else { return };
    let (rows, lanes) = (w.rng.i64(1..3), w.rng.i64(1..4));
    let shape = if w.rng.bool() { vec![lanes] } else { vec![rows, lanes] };
    let indices = Ty::vector(&shape, I32);
    let numbers: Vec<String> =
        (0..shape.iter().product::<i64>()).map(|_| w.rng.i64(0..ty.shape()[0]).to_string()).collect();
    let nested = |part: &[String]| format!("[{}]", part.join(", "));
    let text = match shape.len() {
        1 => nested(&numbers),
        _ => nested(&numbers.chunks(lanes as usize).map(nested).collect::<Vec<_>>()),
    };
    let places = w.define(indices.clone(), format_args!("arith.constant dense<{text}> : {indices}"));
    let (mask, of) = (indices.of(Scalar::Int(1)), indices.of(ty.element()));
    let (lanes_on, rest, start) = (w.value(&mask), w.value(&of), w.index(0));
    w.define(
        of.clone(),
        format_args!(
            "vector.gather {name}[{start}] [{places}], {lanes_on}, {rest} : {ty}, {indices}, {mask}, {of} into {of}"
        ),
    );
}

fn multiply_add(w: &mut Writer<'_>) {
    let shape: Vec<i64> = (0..w.rng.usize(1..4)).map(|_| w.rng.i64(1..4)).collect();
    let ty = Ty::vector(&shape, Scalar::F32);
    let [a, b, c] = [(); 3].map(|()| w.value(&ty));
    w.define(ty.clone(), format_args!("vector.fma {a}, {b}, {c} : {ty}"));
}

fn interleave(w: &mut Writer<'_>) {
    let shape: Vec<i64> = (0..w.rng.usize(1..3)).map(|_| w.rng.i64(1..4)).collect();
    let mut wide = shape.clone();
    if let Some(last) = wide.last_mut() {
        *last *= 2;
    }
    let (half, whole) = (Ty::vector(&shape, I32), Ty::vector(&wide, I32));
    if w.rng.bool() {
        let (a, b) = (w.value(&half), w.value(&half));
        w.define(whole.clone(), format_args!("vector.interleave {a}, {b} : {half} -> {whole}"));
    } else {
        let (value, even, odd) = (w.value(&whole), w.fresh(), w.fresh());
        w.line(format_args!("{even}, {odd} = vector.deinterleave {value} : {whole} -> {half}"));
        w.values.extend([(even, half.clone()), (odd, half)]);
    }
}

/// A mask of two dimensions, of values or of constants.
fn mask(w: &mut Writer<'_>) {
    let shape = [w.rng.i64(1..4), w.rng.i64(1..5)];
    let ty = Ty::vector(&shape, Scalar::Int(1));
    let mask = if w.rng.bool() {
        let bounds = shape.map(|extent| w.index_below(extent + 1));
        w.define(ty.clone(), format_args!("vector.create_mask {} : {ty}", bounds.join(", ")))
    } else {
        // All or none of the bounds are zero.
        let bounds = if w.chance(4) { [0, 0] } else { shape.map(|extent| w.rng.i64(1..=extent)) };
        w.define(ty.clone(), format_args!("vector.constant_mask [{}, {}] : {ty}", bounds[0], bounds[1]))
    };
    let of = Ty::vector(&shape, I32);
    let (yes, no) = (w.value(&of), w.value(&of));
    w.define(of.clone(), format_args!("arith.select {mask}, {yes}, {no} : {ty}, {of}"));
}

fn masked_access(w: &mut Writer<'_>) {
    let Some((name, ty)) = buffer(w, 1) else { return };
    let lanes = w.rng.i64(1..=ty.shape()[0]);
    let of = Ty::vector(&[lanes], ty.element());
    let (on, value) = (w.value(&of.of(Scalar::Int(1))), w.value(&of));
    let (mask, start) = (of.of(Scalar::Int(1)), w.index(0));
    if w.rng.bool() {
        w.define(
            of.clone(),
            format_args!("vector.maskedload {name}[{start}], {on}, {value} : {ty}, {mask}, {of} into {of}"),
        );
    } else {
        w.line(format_args!("vector.maskedstore {name}[{start}], {on}, {value} : {ty}, {mask}, {of}"));
    }
}
