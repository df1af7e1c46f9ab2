//! Tensors whose place, layout or shape is what matters.

use super::types::{Kind, Scalar, Ty};
use super::writer::{Writer, list};

const ELEMENTS: [Scalar; 2] = [Scalar::F32, Scalar::Int(32)];

/// A statement on one of them.
pub(super) fn compute(w: &mut Writer<'_>) {
    match w.rng.u8(..3) {
        0 => empty_part(w),
        1 => blocks(w),
        _ => extent_of_result(w),
    }
}

/// Part of an empty tensor, or a reshaped one, as room for numbers.
fn empty_part(w: &mut Writer<'_>) {
    let (rows, columns, element) = (w.rng.i64(1..4), w.rng.i64(1..4), *w.pick(&ELEMENTS));
    let (whole, empty) = (Ty::tensor(&[rows, columns], element), w.fresh());
    w.line(format_args!("{empty} = tensor.empty() : {whole}"));
    let (part, made) = (w.fresh(), w.rng.u8(..3));
    let ty = match made {
        0 => {
            let ty = Ty::tensor(&[1, columns], element);
            let row = w.rng.i64(0..rows);
            w.line(format_args!(
                "{part} = tensor.extract_slice {empty}[{row}, 0] [1, {columns}] [1, 1] : {whole} to {ty}"
            ));
            ty
        }
        1 => {
            let ty = Ty::tensor(&[rows * columns], element);
            w.line(format_args!("{part} = tensor.collapse_shape {empty} [[0, 1]] : {whole} into {ty}"));
            ty
        }
        _ => {
            let ty = Ty::tensor(&[1, rows, columns], element);
            w.line(format_args!(
                "{part} = tensor.expand_shape {empty} [[0, 1], [2]] output_shape [1, {rows}, {columns}] : {whole} into {ty}"
            ));
            ty
        }
    };
    let value = w.value(&Ty::Scalar(element));
    w.define(ty.clone(), format_args!("linalg.fill ins({value} : {element}) outs({part} : {ty}) -> {ty}"));
}

/// A tensor in blocks, padded where they do not fit, and back again.
fn blocks(w: &mut Writer<'_>) {
    let (shape, tiles) = ([w.rng.i64(1..5), w.rng.i64(1..5)], [w.rng.i64(1..4), w.rng.i64(1..4)]);
    let element = *w.pick(&ELEMENTS);
    let count = |at: usize| (shape[at] + tiles[at] - 1) / tiles[at];
    let (plain, packed) = (Ty::tensor(&shape, element), Ty::tensor(&[count(0), count(1), tiles[0], tiles[1]], element));
    let (source, border, [room, back]) = (w.value(&plain), w.value(&Ty::Scalar(element)), [w.fresh(), w.fresh()]);
    let layout = format!("inner_dims_pos = [0, 1] inner_tiles = [{}]", list(&tiles, i64::to_string));
    w.line(format_args!("{room} = tensor.empty() : {packed}"));
    let blocked = w.define(
        packed.clone(),
        format_args!(
            "linalg.pack {source} padding_value({border} : {element}) {layout} into {room} : {plain} -> {packed}"
        ),
    );
    w.line(format_args!("{back} = tensor.empty() : {plain}"));
    w.define(plain.clone(), format_args!("linalg.unpack {blocked} {layout} into {back} : {packed} -> {plain}"));
}

/// The extent of what is made of a tensor of which one is not known.
fn extent_of_result(w: &mut Writer<'_>) {
    let Some((name, ty)) = w.find(|ty| matches!(ty, Ty::Shaped { kind: Kind::Tensor, dynamic: true, .. })) else {
        return;
    };
    let rank = ty.shape().len();
    let (padded, border) = (w.fresh(), w.value(&Ty::Scalar(ty.element())));
    let wide: Vec<i64> = ty.shape().iter().map(|extent| extent + 1).collect();
    let to = Ty::Shaped { kind: Kind::Tensor, shape: wide, element: ty.element(), dynamic: true };
    let (zeros, ones) = (list(&vec![0; rank], i32::to_string), list(&vec![1; rank], i32::to_string));
    let args: Vec<String> = (0..rank).map(|_| format!("{}: index", w.fresh())).collect();
    w.line(format_args!("{padded} = tensor.pad {name} low[{zeros}] high[{ones}] {{"));
    w.line(format_args!("^bb0({}):", args.join(", ")));
    w.line(format_args!("  tensor.yield {border} : {}", ty.element()));
    w.line(format_args!("}} : {ty} to {to}"));
    w.values.push((padded.clone(), to.clone()));
    let dim = w.rng.usize(..rank.max(1));
    let dim = w.index(dim as i64);
    w.define(Ty::INDEX, format_args!("tensor.dim {padded}, {dim} : {to}"));
}
