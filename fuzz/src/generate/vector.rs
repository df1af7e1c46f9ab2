//! Vectors.

use super::scalar::arithmetic;
use super::types::{Kind, Scalar, Ty};
use super::writer::{Writer, list};

const ELEMENTS: [Scalar; 3] = [Scalar::F32, Scalar::Int(32), Scalar::Int(8)];

/// A type of vectors.
pub(super) fn vector_type(w: &mut Writer<'_>) -> Ty {
    let shape: Vec<i64> = (0..w.rng.usize(1..4)).map(|_| w.rng.i64(1..5)).collect();
    Ty::vector(&shape, *w.pick(&ELEMENTS))
}

/// A vector in scope, or a new one.
fn vector(w: &mut Writer<'_>) -> (String, Ty) {
    match w.find(|ty| ty.is(Kind::Vector) && ty.element() != Scalar::Int(1) && !ty.shape().is_empty()) {
        Some(found) if !w.chance(5) => found,
        _ => {
            let ty = vector_type(w);
            (w.value(&ty), ty)
        }
    }
}

/// A statement that works on vectors.
pub(super) fn compute(w: &mut Writer<'_>) {
    match w.rng.u8(..21) {
        0..=3 => {
            let (_, ty) = vector(w);
            arithmetic(w, &ty);
        }
        4 => broadcast(w),
        5 => extract(w),
        6 => insert(w),
        7 => shuffle(w),
        8 | 9 => reduction(w),
        10 => multi_reduction(w),
        11 => transpose(w),
        12 => shape_cast(w),
        13 => strided(w),
        14 => contract(w),
        15 | 16 => transfer_read(w),
        17 => transfer_write(w),
        18 => masked(w),
        19 => scan(w),
        _ => from_and_to_elements(w),
    }
}

fn broadcast(w: &mut Writer<'_>) {
    let (name, ty) = if w.rng.bool() {
        let element = Ty::Scalar(*w.pick(&ELEMENTS));
        (w.value(&element), element)
    } else {
        vector(w)
    };
    if ty.shape().len() > 2 {
        return;
    }
    let shape: Vec<i64> = std::iter::once(w.rng.i64(1..4)).chain(ty.shape().iter().copied()).collect();
    let to = Ty::vector(&shape, ty.element());
    w.define(to.clone(), format_args!("vector.broadcast {name} : {ty} to {to}"));
}

/// A position in a vector, and the type of what is there: an element or a vector of less dimensions.
fn position(w: &mut Writer<'_>, ty: &Ty) -> (String, Ty) {
    let deep = w.rng.usize(1..=ty.shape().len());
    let at: Vec<i64> = ty.shape()[..deep].iter().map(|&extent| w.rng.i64(0..extent)).collect();
    let rest = &ty.shape()[deep..];
    let part = if rest.is_empty() { Ty::Scalar(ty.element()) } else { Ty::vector(rest, ty.element()) };
    (list(&at, i64::to_string), part)
}

fn extract(w: &mut Writer<'_>) {
    let (name, ty) = vector(w);
    let (at, part) = position(w, &ty);
    w.define(part.clone(), format_args!("vector.extract {name}[{at}] : {part} from {ty}"));
}

fn insert(w: &mut Writer<'_>) {
    let (name, ty) = vector(w);
    let (at, part) = position(w, &ty);
    let value = w.value(&part);
    w.define(ty.clone(), format_args!("vector.insert {value}, {name} [{at}] : {part} into {ty}"));
}

fn shuffle(w: &mut Writer<'_>) {
    let (name, ty) = vector(w);
    let &[extent] = ty.shape() else { return };
    let other = w.value(&ty);
    let order: Vec<i64> = (0..w.rng.i64(1..6)).map(|_| w.rng.i64(0..2 * extent)).collect();
    let to = Ty::vector(&[order.len() as i64], ty.element());
    let order = list(&order, i64::to_string);
    w.define(to, format_args!("vector.shuffle {name}, {other} [{order}] : {ty}, {ty}"));
}

/// How elements are put together.
fn combining(w: &mut Writer<'_>, element: Scalar) -> &'static str {
    if element.is_float() {
        w.pick::<&str>(&["add", "mul", "minimumf", "maximumf", "maxnumf"])
    } else {
        w.pick::<&str>(&["add", "mul", "and", "or", "xor", "minsi", "maxui"])
    }
}

fn reduction(w: &mut Writer<'_>) {
    let (name, ty) = vector(w);
    let kind = combining(w, ty.element());
    let &[_] = ty.shape() else { return };
    let element = Ty::Scalar(ty.element());
    let start = if w.rng.bool() { format!(", {}", w.value(&element)) } else { String::new() };
    w.define(element.clone(), format_args!("vector.reduction <{kind}>, {name}{start} : {ty} into {element}"));
}

fn multi_reduction(w: &mut Writer<'_>) {
    let (name, ty) = vector(w);
    let (kind, at) = (combining(w, ty.element()), w.rng.usize(..ty.shape().len()));
    let left: Vec<i64> =
        ty.shape().iter().enumerate().filter(|&(other, _)| other != at).map(|(_, &extent)| extent).collect();
    let to = if left.is_empty() { Ty::Scalar(ty.element()) } else { Ty::vector(&left, ty.element()) };
    let start = w.value(&to);
    w.define(to.clone(), format_args!("vector.multi_reduction <{kind}>, {name}, {start} [{at}] : {ty} to {to}"));
}

fn scan(w: &mut Writer<'_>) {
    let (name, ty) = vector(w);
    let (kind, at) = (combining(w, ty.element()), w.rng.usize(..ty.shape().len()));
    let left: Vec<i64> =
        ty.shape().iter().enumerate().filter(|&(other, _)| other != at).map(|(_, &extent)| extent).collect();
    if left.is_empty() {
        return;
    }
    let sums = Ty::vector(&left, ty.element());
    let (start, inclusive, result) = (w.value(&sums), w.rng.bool(), w.fresh());
    w.line(format_args!(
        "{result}:2 = vector.scan <{kind}>, {name}, {start} {{inclusive = {inclusive}, reduction_dim = {at} : i64}} : {ty}, {sums}"
    ));
    w.values.push((format!("{result}#0"), ty));
    w.values.push((format!("{result}#1"), sums));
}

fn transpose(w: &mut Writer<'_>) {
    let (name, ty) = vector(w);
    let mut order: Vec<usize> = (0..ty.shape().len()).collect();
    w.rng.shuffle(&mut order);
    let turned: Vec<i64> = order.iter().map(|&at| ty.shape()[at]).collect();
    let (to, order) = (Ty::vector(&turned, ty.element()), list(&order, usize::to_string));
    w.define(to.clone(), format_args!("vector.transpose {name}, [{order}] : {ty} to {to}"));
}

fn shape_cast(w: &mut Writer<'_>) {
    let (name, ty) = vector(w);
    let count = ty.shape().iter().product::<i64>();
    let to = if count % 2 == 0 && w.rng.bool() { vec![2, count / 2] } else { vec![count] };
    let to = Ty::vector(&to, ty.element());
    w.define(to.clone(), format_args!("vector.shape_cast {name} : {ty} to {to}"));
}

fn strided(w: &mut Writer<'_>) {
    let (name, ty) = vector(w);
    let extent = ty.shape()[0];
    let size = w.rng.i64(1..=extent);
    let offset = w.rng.i64(0..=extent - size);
    let shape: Vec<i64> = std::iter::once(size).chain(ty.shape()[1..].iter().copied()).collect();
    let part = Ty::vector(&shape, ty.element());
    if w.rng.bool() {
        w.define(
            part.clone(),
            format_args!(
                "vector.extract_strided_slice {name} {{offsets = [{offset}], sizes = [{size}], strides = [1]}} : {ty} to {part}"
            ),
        );
    } else {
        let offsets: Vec<i64> = std::iter::once(offset).chain(ty.shape()[1..].iter().map(|_| 0)).collect();
        let (offsets, ones) = (list(&offsets, i64::to_string), list(ty.shape(), |_| "1".to_owned()));
        let value = w.value(&part);
        w.define(
            ty.clone(),
            format_args!(
                "vector.insert_strided_slice {value}, {name} {{offsets = [{offsets}], strides = [{ones}]}} : {part} into {ty}"
            ),
        );
    }
}

fn contract(w: &mut Writer<'_>) {
    let (m, n, k) = (w.rng.i64(1..4), w.rng.i64(1..4), w.rng.i64(1..4));
    let element = *w.pick(&ELEMENTS[..2]);
    let turned = w.rng.bool();
    let a = Ty::vector(&[m, k], element);
    let b = Ty::vector(&if turned { [n, k] } else { [k, n] }, element);
    let c = Ty::vector(&[m, n], element);
    let right = if turned { "d1, d2" } else { "d2, d1" };
    let (x, y, sum) = (w.value(&a), w.value(&b), w.value(&c));
    w.define(
        c.clone(),
        format_args!(
            "vector.contract {{indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d2)>, affine_map<(d0, d1, d2) -> ({right})>, \
             affine_map<(d0, d1, d2) -> (d0, d1)>], iterator_types = [\"parallel\", \"parallel\", \"reduction\"], \
             kind = #vector.kind<add>}} {x}, {y}, {sum} : {a}, {b} into {c}"
        ),
    );
}

/// A buffer with at least two elements in a row.
fn buffer(w: &mut Writer<'_>) -> Option<(String, Ty)> {
    w.find(|ty| ty.is(Kind::MemRef) && ELEMENTS.contains(&ty.element()) && !ty.shape().contains(&0))
}

fn transfer_read(w: &mut Writer<'_>) {
    let Some((name, ty)) = buffer(w) else { return };
    let Some(indices) = w.indices(ty.shape()) else { return };
    let (border, to) = (w.value(&Ty::Scalar(ty.element())), Ty::vector(&[w.rng.i64(1..6)], ty.element()));
    w.define(to.clone(), format_args!("vector.transfer_read {name}[{indices}], {border} : {ty}, {to}"));
}

fn transfer_write(w: &mut Writer<'_>) {
    let Some((name, ty)) = buffer(w) else { return };
    let Some(indices) = w.indices(ty.shape()) else { return };
    let of = Ty::vector(&[w.rng.i64(1..6)], ty.element());
    let value = w.value(&of);
    w.line(format_args!("vector.transfer_write {value}, {name}[{indices}] : {of}, {ty}"));
}

fn masked(w: &mut Writer<'_>) {
    let Some((name, ty)) = buffer(w) else { return };
    let Some(indices) = w.indices(ty.shape()) else { return };
    let last = *ty.shape().last().unwrap_or(&1);
    let (to, count) = (Ty::vector(&[last], ty.element()), w.index_below(last + 1));
    let mask = w.define(to.of(Scalar::Int(1)), format_args!("vector.create_mask {count} : {}", to.of(Scalar::Int(1))));
    let border = w.value(&Ty::Scalar(ty.element()));
    w.define(to.clone(), format_args!("vector.transfer_read {name}[{indices}], {border}, {mask} : {ty}, {to}"));
}

fn from_and_to_elements(w: &mut Writer<'_>) {
    let (count, element) = (w.rng.i64(1..5), *w.pick(&ELEMENTS));
    let of = Ty::vector(&[count], element);
    let values: Vec<String> = (0..count).map(|_| w.value(&Ty::Scalar(element))).collect();
    w.define(of.clone(), format_args!("vector.from_elements {} : {of}", values.join(", ")));
}
