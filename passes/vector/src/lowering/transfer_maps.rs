//! Transfers by any permutation of dimensions, as transfers of the last dimensions in order and transpositions.

use dl_arith::Build;
use dl_ir::affine::AffineMap;
use dl_ir::rewrite::{NoMatch, Patterns, Rewrite};
use dl_ir::{Context, OpDefinition, OpId, Rewriter, ValueId};
use dl_vector::types::{extents, is_scalable, kept_dims, vector_type};
use dl_vector::{TransferReadOp, TransferWriteOp};

use super::transfer::repeated_dims;
use crate::build::{VectorBuild, without_leading};
use crate::masking::masking;
use crate::transfer::{Direction, Transfer, in_bounds, in_bounds_attr};

/// Adds the patterns.
pub fn transfer_maps(patterns: &mut Patterns) {
    let (read, write) = (Some(TransferReadOp::NAME), Some(TransferWriteOp::NAME));
    patterns
        .add_fn("vector-permuted-read", read, permuted_read)
        .add_fn("vector-permuted-write", write, permuted_write)
        .add_fn("vector-read-without-leading-broadcasts", read, without_leading_broadcasts)
        .add_fn("vector-write-of-outer-dims", write, write_of_outer_dims);
}

/// Where in the last dimensions each result of a map goes, repeated ones filling the gaps. `None` where it uses others.
fn permutation_of(cx: &Context, map: AffineMap) -> Option<Vec<usize>> {
    let affine = cx.affine();
    let data = affine.map(map);
    let (inputs, count) = (data.num_dims as usize, data.results.len());
    let (skipped, leading) = (inputs.saturating_sub(count), count.saturating_sub(inputs));
    let mut places = vec![None; count];
    let mut taken = vec![false; inputs.max(count)];
    for (i, &expr) in data.results.iter().enumerate() {
        match (affine.dim_position(expr), affine.constant_value(expr)) {
            (Some(dim), _) => {
                let place = (dim as usize).checked_sub(skipped)? + leading;
                places[i] = Some(place);
                taken[place] = true;
            }
            (None, Some(0)) => {}
            _ => return None,
        }
    }
    let mut free = (0..taken.len()).filter(|&place| !taken[place]);
    places.into_iter().map(|place| place.or_else(|| free.next())).collect()
}

/// The parts of a transfer that is not masked by a region and has dimensions.
fn transfer_of(op: OpId, rw: &Rewriter<'_>) -> Result<Transfer, NoMatch> {
    let view = rw.op(op);
    if masking(view).is_some() {
        return Err(NoMatch("it is masked"));
    }
    let transfer = Transfer::of(view).ok_or(NoMatch("no transfer"))?;
    if rw.cx().affine().map(transfer.map).results.is_empty() {
        return Err(NoMatch("no dimensions"));
    }
    Ok(transfer)
}

/// `items` with each at its place.
fn placed<T: Copy>(items: &[T], places: &[usize]) -> Vec<T> {
    let mut moved = items.to_vec();
    for (&item, &place) in items.iter().zip(places) {
        moved[place] = item;
    }
    moved
}

fn permuted_read(op: OpId, rw: &mut Rewriter<'_>) -> Rewrite {
    let transfer = transfer_of(op, rw)?;
    let Direction::Read { padding, .. } = transfer.direction else { return Err(NoMatch("no read")) };
    let (cx, loc) = (rw.cx(), rw.op(op).loc());
    let places = permutation_of(cx, transfer.map).ok_or(NoMatch("not the last dimensions"))?;
    if places.is_sorted() {
        return Err(NoMatch("the dimensions are in order"));
    }
    let data = cx.affine().map(transfer.map);
    let map = cx.affine().intern_map(data.num_dims, 0, placed(&data.results, &places));
    let vector = transfer.vector_type(rw);
    let (shape, scalable) = kept_dims(vector, |_| true);
    let element = vector.element_or_self().id();
    let ty = vector_type(cx, &placed(&shape, &places), &placed(&scalable, &places), element);
    let bounds = in_bounds_attr(cx, &placed(&in_bounds(rw.op(op)), &places));
    let read = Transfer { map, direction: Direction::Read { vector: ty, padding }, ..transfer };
    rw.set_insertion_before(op);
    let mut b = Build::new(rw, loc);
    let value = b.create_value(read.state(cx, loc, bounds));
    let order: Vec<i64> = places.iter().map(|&place| place as i64).collect();
    let value = b.transpose(value, &order);
    rw.replace(op, &[value]);
    Ok(())
}

/// Replaces a write by another one.
fn replace_write(op: OpId, rw: &mut Rewriter<'_>, write: &Transfer, bounds: &[bool]) {
    let (cx, loc) = (rw.cx(), rw.op(op).loc());
    let bounds = in_bounds_attr(cx, bounds);
    rw.replace_with(op, write.state(cx, loc, bounds));
}

fn permuted_write(op: OpId, rw: &mut Rewriter<'_>) -> Rewrite {
    let transfer = transfer_of(op, rw)?;
    let Direction::Write { vector, result } = transfer.direction else { return Err(NoMatch("no write")) };
    let (cx, loc) = (rw.cx(), rw.op(op).loc());
    if cx.affine().is_minor_identity(transfer.map) {
        return Err(NoMatch("the dimensions are in order"));
    }
    let places = permutation_of(cx, transfer.map).ok_or(NoMatch("not the last dimensions"))?;
    let data = cx.affine().map(transfer.map);
    if data.results.iter().any(|&expr| cx.affine().dim_position(expr).is_none()) {
        return Err(NoMatch("a write has no broadcasts"));
    }
    let map = cx.affine().minor_identity_map(data.num_dims, data.results.len() as u32);
    let order: Vec<i64> =
        (0..places.len()).filter_map(|place| places.iter().position(|&p| p == place)).map(|i| i as i64).collect();
    let bounds = placed(&in_bounds(rw.op(op)), &places);
    rw.set_insertion_before(op);
    let vector = Build::new(rw, loc).transpose(vector, &order);
    let write = Transfer { map, direction: Direction::Write { vector, result }, ..transfer };
    replace_write(op, rw, &write, &bounds);
    Ok(())
}

/// A write of outer dimensions alone writes one-element slices of the inner ones.
fn write_of_outer_dims(op: OpId, rw: &mut Rewriter<'_>) -> Rewrite {
    let transfer = transfer_of(op, rw)?;
    let Direction::Write { vector, result } = transfer.direction else { return Err(NoMatch("no write")) };
    let (cx, loc) = (rw.cx(), rw.op(op).loc());
    if permutation_of(cx, transfer.map).is_some() {
        return Err(NoMatch("of the last dimensions"));
    }
    let affine = cx.affine();
    let data = affine.map(transfer.map);
    let used: Option<Vec<u32>> = data.results.iter().map(|&expr| affine.dim_position(expr)).collect();
    let used = used.ok_or(NoMatch("a write has no broadcasts"))?;
    let first = used.iter().copied().min().ok_or(NoMatch("no dimensions"))?;
    let missing: Vec<u32> = (first..data.num_dims).filter(|dim| !used.contains(dim)).collect();
    let results: Vec<_> = missing.iter().map(|&dim| affine.dim(dim)).chain(data.results.iter().copied()).collect();
    let map = affine.intern_map(data.num_dims, 0, results);
    let mut bounds = vec![true; missing.len()];
    bounds.extend(in_bounds(rw.op(op)));
    rw.set_insertion_before(op);
    let mut b = Build::new(rw, loc);
    let vector = with_unit_dims(&mut b, vector, missing.len());
    // A mask has the dimensions of the memory in order.
    let mask = transfer.mask.map(|mask| {
        let wide = with_unit_dims(&mut b, mask, missing.len());
        let mut dims: Vec<u32> = used.clone();
        dims.sort_unstable();
        let all = (first..data.num_dims).filter(|dim| used.contains(dim) || missing.contains(dim));
        let order: Vec<i64> = all
            .filter_map(|dim| {
                let own = dims.iter().position(|&d| d == dim).map(|i| i + missing.len());
                own.or_else(|| missing.iter().position(|&d| d == dim))
            })
            .map(|i| i as i64)
            .collect();
        b.transpose(wide, &order)
    });
    let write = Transfer { map, mask, direction: Direction::Write { vector, result }, ..transfer };
    replace_write(op, rw, &write, &bounds);
    Ok(())
}

/// The value with leading dimensions of extent 1.
fn with_unit_dims(b: &mut Build<'_, '_>, value: ValueId, count: usize) -> ValueId {
    let (shape, scalable) = kept_dims(b.value_type(value), |_| true);
    let shape: Vec<i64> = std::iter::repeat_n(1, count).chain(shape).collect();
    let scalable: Vec<bool> = std::iter::repeat_n(false, count).chain(scalable).collect();
    let element = b.value_type(value).element_or_self().id();
    let ty = vector_type(b.cx(), &shape, &scalable, element);
    b.broadcast(value, ty)
}

/// What is repeated along leading dimensions is read once.
fn without_leading_broadcasts(op: OpId, rw: &mut Rewriter<'_>) -> Rewrite {
    let transfer = transfer_of(op, rw)?;
    let Direction::Read { padding, .. } = transfer.direction else { return Err(NoMatch("no read")) };
    let (cx, loc) = (rw.cx(), rw.op(op).loc());
    let affine = cx.affine();
    let data = affine.map(transfer.map);
    let leading = data.results.iter().take_while(|&&expr| affine.constant_value(expr) == Some(0)).count();
    if leading == 0 {
        return Err(NoMatch("no leading broadcasts"));
    }
    let map = affine.intern_map(data.num_dims, 0, data.results[leading..].to_vec());
    repeated_dims(cx, map).ok_or(NoMatch("not the last dimensions in order"))?;
    let vector = transfer.vector_type(rw);
    debug_assert!(leading <= extents(vector).len(), "one result for each dimension");
    if (0..leading).any(|i| is_scalable(vector, i)) && leading == extents(vector).len() {
        return Err(NoMatch("a scalable broadcast of an element"));
    }
    let ty = without_leading(vector, leading);
    let bounds = in_bounds_attr(cx, &in_bounds(rw.op(op))[leading..]);
    let read = Transfer { map, direction: Direction::Read { vector: ty, padding }, ..transfer };
    rw.set_insertion_before(op);
    let mut b = Build::new(rw, loc);
    let value = b.create_value(read.state(cx, loc, bounds));
    let value = b.broadcast(value, vector.id());
    rw.replace(op, &[value]);
    Ok(())
}
