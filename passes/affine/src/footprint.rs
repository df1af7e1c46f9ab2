//! How much memory a nest of loops touches.

use dl_affine::AffineForOp;
use dl_affine::compose::compose;
use dl_ir::affine::{AffineExpr, LinearForm};
use dl_ir::walk::ops_in_arena;
use dl_ir::{BlockRef, DYNAMIC, OpRef, TypeRef, ValueId, ValueRef};
use rustc_hash::FxHashMap;

use crate::access::Access;
use crate::loops::{self, ValueMap};

/// The part of a dimension that is touched: what is added to it, and the first and last number.
type Extent = Option<(Vec<(ValueId, i64)>, i64, i64)>;

/// Bytes in the boxes around all elements that the nest touches, one box for each buffer. `None` where a size is not known.
pub fn footprint_bytes(root: AffineForOp<'_>) -> Option<u64> {
    let mut touched: Vec<(Access<'_>, Vec<Extent>)> = Vec::new();
    let mut at: FxHashMap<ValueId, usize> = FxHashMap::default();
    for id in ops_in_arena(root.0.arena(), root.0.id()) {
        let Some(access) = Access::of(OpRef::new(root.0.cx(), root.0.arena(), id)) else { continue };
        let extents = extents(root, &access);
        if let Some(&known) = at.get(&access.memref.id()) {
            for (all, new) in touched[known].1.iter_mut().zip(extents) {
                *all = union(all.take(), new);
            }
        } else {
            at.insert(access.memref.id(), touched.len());
            touched.push((access, extents));
        }
    }
    let mut bytes = 0_u64;
    for (access, extents) in touched {
        bytes = bytes.checked_add(bytes_of(access.memref.ty(), &extents)?)?;
    }
    Some(bytes)
}

/// What the access touches of each dimension while the loops of the nest run; `None` for one where that is not known.
fn extents(root: AffineForOp<'_>, access: &Access<'_>) -> Vec<Extent> {
    let affine = root.0.cx().affine();
    let data = affine.map(access.map);
    let one = |&expr: &AffineExpr| {
        let form = affine.linear_form(expr, data.num_dims, data.num_symbols)?;
        let (mut low, mut high) = (form.constant, form.constant);
        let mut terms = Terms::new();
        add_terms(&mut terms, &form, 1, &access.operands)?;
        let mut outside = Vec::new();
        // Inner loops first: where they start may depend on the outer ones.
        while let Some((value, factor)) = take_innermost(&mut terms) {
            let looping = value.owner_block().and_then(BlockRef::parent_op).and_then(OpRef::cast::<AffineForOp<'_>>);
            let Some(looping) = looping.filter(|of| root.0 == of.0 || root.0.is_ancestor_of(of.0.id())) else {
                outside.push((value.id(), factor));
                continue;
            };
            let count = i64::try_from(loops::constant_trip_count(looping)?.saturating_sub(1)).ok()?;
            let distance = loops::step(looping).checked_mul(count)?.checked_mul(factor)?;
            let lower = ValueMap::lower_bound(looping)?;
            let (map, operands) = compose(looping.0, lower.map, lower.operands.into_iter());
            let bound = affine.map(map);
            let &[start] = &*bound.results else { return None };
            let start = affine.linear_form(start, bound.num_dims, bound.num_symbols)?;
            let first = factor.checked_mul(start.constant)?;
            low = low.checked_add(first)?.checked_add(distance.min(0))?;
            high = high.checked_add(first)?.checked_add(distance.max(0))?;
            add_terms(&mut terms, &start, factor, &operands)?;
        }
        outside.sort_unstable_by_key(|&(value, _)| value);
        Some((outside, low, high))
    };
    data.results.iter().map(one).collect()
}

/// Values with their factors in a sum, each once.
type Terms<'a> = Vec<(ValueRef<'a>, i64)>;

/// Adds the terms of `form`, `times` over.
fn add_terms<'a>(terms: &mut Terms<'a>, form: &LinearForm, times: i64, operands: &[ValueRef<'a>]) -> Option<()> {
    for (&value, &factor) in operands.iter().zip(form.dims.iter().chain(&form.symbols)) {
        let factor = factor.checked_mul(times)?;
        match terms.iter_mut().find(|(known, _)| *known == value) {
            Some((_, sum)) => *sum = sum.checked_add(factor)?,
            None => terms.push((value, factor)),
        }
    }
    terms.retain(|&(_, factor)| factor != 0);
    Some(())
}

/// Takes out the value that is defined in the most operations.
fn take_innermost<'a>(terms: &mut Terms<'a>) -> Option<(ValueRef<'a>, i64)> {
    let depth = |value: ValueRef<'a>| {
        let block = value.parent_block().and_then(BlockRef::parent_op);
        std::iter::successors(block, |op| op.parent()).count()
    };
    let at = (0..terms.len()).max_by_key(|&at| depth(terms[at].0))?;
    Some(terms.swap_remove(at))
}

fn union(a: Extent, b: Extent) -> Extent {
    let ((of_a, low_a, high_a), (of_b, low_b, high_b)) = (a?, b?);
    (of_a == of_b).then(|| (of_a, low_a.min(low_b), high_a.max(high_b)))
}

fn bytes_of(memref: TypeRef<'_>, extents: &[Extent]) -> Option<u64> {
    let shape = memref.shape()?;
    let mut count = element_bytes(memref)?;
    for (extent, &size) in extents.iter().zip(shape) {
        let touched =
            extent.as_ref().and_then(|(_, low, high)| u64::try_from(high.checked_sub(*low)?.checked_add(1)?).ok());
        let whole = if size == DYNAMIC { None } else { u64::try_from(size).ok() };
        count = count.checked_mul(touched.or(whole)?)?;
    }
    Some(count)
}

/// Bytes of an element of the buffer.
pub fn element_bytes(memref: TypeRef<'_>) -> Option<u64> {
    let element = memref.element_type()?;
    let (scalar, lanes) = match element.shape().filter(|_| element.is_vector()) {
        Some(shape) => (element.element_type()?, shape.iter().product::<i64>()),
        None => (element, 1),
    };
    let bits = scalar.int_or_float_width().map(u64::from)?;
    bits.div_ceil(8).checked_mul(u64::try_from(lanes).ok()?)
}
