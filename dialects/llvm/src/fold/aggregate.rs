//! Values in structs and arrays: what `llvm.extractvalue` finds there.

use dl_ir::dialect::{Folded, folded};
use dl_ir::{Attr, AttrData, AttrRef, Context, OpRef, OpView, TypeRef, ValueRef};

use crate::{ExtractValueOp, InsertValueOp, types};

/// The most insertions and extractions that one look at an extraction goes through: bounds the work on long chains.
const MOST_STEPS: usize = 256;

/// Where the value at a position was found.
pub(crate) struct Extracted<'a> {
    /// What it lies in.
    pub(crate) container: ValueRef<'a>,
    /// Its position there; empty when it is the container.
    pub(crate) position: Vec<i64>,
}

/// Follows insertions and extractions from the container of `op` to where the value comes from, also into what was inserted around it
/// where `into_inserted`. `None` where that is the container itself.
pub(crate) fn extract(op: ExtractValueOp<'_>, into_inserted: bool) -> Option<Extracted<'_>> {
    let mut found = Extracted { container: op.container(), position: op.position().as_i64_array()? };
    let mut steps = 0;
    while !found.position.is_empty() && steps < MOST_STEPS {
        if let Some(outer) = found.container.def::<ExtractValueOp<'_>>() {
            let mut position = outer.position().as_i64_array()?;
            position.append(&mut found.position);
            found = Extracted { container: outer.container(), position };
        } else if let Some(insert) = found.container.def::<InsertValueOp<'_>>() {
            let inserted = insert.position().as_i64_array()?;
            if let Some(rest) = found.position.strip_prefix(&*inserted) {
                if !into_inserted {
                    break;
                }
                found = Extracted { container: insert.value(), position: rest.to_vec() };
            } else if inserted.starts_with(&found.position) {
                // The value is put together from both.
                break;
            } else {
                found.container = insert.container();
            }
        } else {
            break;
        }
        steps += 1;
    }
    if steps == 0 { None } else { Some(found) }
}

/// What was inserted at the same place is what is extracted, whatever was inserted elsewhere; a part of a constant is a constant.
pub(crate) fn fold_extract_value(op: OpRef<'_>, _: &[Option<Attr>]) -> Option<Folded> {
    let view = ExtractValueOp::wrap(op);
    let found = match extract(view, true) {
        Some(found) => found,
        None => Extracted { container: view.container(), position: view.position().as_i64_array()? },
    };
    if found.position.is_empty() {
        return folded(found.container.id());
    }
    let value = part(found.container.constant()?, found.container.ty(), &found.position)?;
    folded(value.id())
}

/// The part at `position` of a constant of type `ty`, where one attribute holds it.
fn part<'a>(mut value: AttrRef<'a>, mut ty: TypeRef<'a>, mut position: &[i64]) -> Option<AttrRef<'a>> {
    let cx = value.cx();
    let is_uniform =
        |value: AttrRef<'_>| ["llvm.zero", "llvm.undef", "llvm.poison"].iter().any(|name| value.is_dialect_attr(name));
    while let Some((&at, rest)) = position.split_first() {
        if is_uniform(value) {
            return Some(value);
        }
        if value.is_elements() {
            return element(cx, value, ty, position);
        }
        value = value.elements().nth(usize::try_from(at).ok()?)?;
        ty = cx.ty(types::element_at(cx, ty.id(), &[at])?);
        position = rest;
    }
    // Of an array of structs the attribute of a struct is no constant.
    (is_uniform(value) || value.is_integer() || value.is_float()).then_some(value)
}

/// The number at `position` of elements that fill the nested arrays `ty`: dense or sparse, complex where the innermost are structs.
fn element<'a>(cx: &'a Context, value: AttrRef<'a>, ty: TypeRef<'a>, position: &[i64]) -> Option<AttrRef<'a>> {
    let (mut index, mut inner, mut rest) = (0_u64, ty, position);
    while let Some((next, count)) = types::array_parts(inner) {
        let (&at, after) = rest.split_first()?;
        index = index.checked_mul(count)?.checked_add(u64::try_from(at).ok()?)?;
        (inner, rest) = (cx.ty(next), after);
    }
    if inner.is_vector() {
        return None;
    }
    match (value.data(), rest) {
        (AttrData::DenseElements { ty, data }, [half @ 0..=1]) => {
            let number = cx.ty(*ty).element_type().filter(|element| element.is_complex())?.element_type()?;
            let size = value.dense_element()?.bytes();
            let both = data.element(usize::try_from(index).ok()?, size);
            let (re, im) = both.split_at(size / 2);
            let half = cx.number_attr(number.id(), if *half == 0 { re } else { im })?;
            Some(cx.attr(half))
        }
        (AttrData::DenseElements { .. }, []) => value.dense_value(usize::try_from(index).ok()?),
        (AttrData::SparseElements { ty, indices, values }, []) => {
            let place = coordinates(cx.ty(*ty), index)?;
            let indices: Vec<i64> = cx.attr(*indices).dense_values()?.map(AttrRef::as_int).collect::<Option<_>>()?;
            let values = cx.attr(*values);
            match indices.chunks(place.len().max(1)).position(|each| each == place) {
                Some(at) => values.dense_value(at),
                None => cx.zero_attr(cx.ty(*ty).element_type()?.id()).map(|zero| cx.attr(zero)),
            }
        }
        _ => None,
    }
}

/// The coordinates of element `index` in row-major order.
fn coordinates(ty: TypeRef<'_>, mut index: u64) -> Option<Vec<i64>> {
    let mut place = Vec::new();
    for &size in ty.shape()?.iter().rev() {
        let size = u64::try_from(size).ok().filter(|&size| size > 0)?;
        place.push((index % size).cast_signed());
        index /= size;
    }
    place.reverse();
    Some(place)
}
