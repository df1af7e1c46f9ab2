//! What a reshape is made of.

use dl_arith::Build;
use dl_ir::affine::AffineExpr;
use dl_ir::interfaces::index_list::{Indices, mixed};
use dl_ir::interfaces::{Index, reassociation};
use dl_ir::rewrite::NoMatch;
use dl_ir::{DYNAMIC, OpId, Rewriter, TypeRef, ValueId};
use dl_memref::ExpandShapeOp;

use super::Metadata;
use crate::apply::apply;

/// Why a formula has no value.
const OVERFLOW: NoMatch = NoMatch("a size or stride overflows");

/// The source of a reshape, its groups, and the type of its result.
struct Parts<'c> {
    source: ValueId,
    ty: TypeRef<'c>,
    result: TypeRef<'c>,
    groups: Vec<Vec<usize>>,
}

impl<'c> Parts<'c> {
    fn of(rw: &Rewriter<'c>, op: OpId) -> Result<Self, NoMatch> {
        let view = rw.op(op);
        let source = view.operand(0).id();
        let (ty, result) = (rw.value_type(source), rw.value_type(rw.ir().result(op, 0)));
        if ty.strided_layout().is_none() || result.strided_layout().is_none() {
            return Err(NoMatch("not strided"));
        }
        Ok(Self { source, ty, result, groups: reassociation::groups_of(view) })
    }

    fn extract(&self, b: &mut Build<'_, '_>) -> Result<Metadata, NoMatch> {
        Metadata::extract(b, self.source, self.ty).ok_or(NoMatch("not strided"))
    }
}

/// Each dimension is split into a group: strides are those of the source times the sizes further in. One dynamic size of a group is what the
/// others leave; where there are several, they are those that the operation has as operands.
pub(super) fn of_expand(rw: &mut Rewriter<'_>, op: OpId) -> Result<Metadata, NoMatch> {
    let parts = Parts::of(rw, op)?;
    let shape = parts.result.shape().ok_or(NoMatch("not ranked"))?;
    let dynamic = |group: &Vec<usize>| group.iter().filter(|&&dim| shape[dim] == DYNAMIC).count();
    let given = rw.op(op).cast::<ExpandShapeOp<'_>>().ok_or(NoMatch("no expansion"))?;
    let given = mixed(&given.static_output_shape().dense_ints().collect::<Vec<i64>>(), given.output_shape());
    let loc = rw.op(op).loc();
    let mut b = Build::new(rw, loc);
    let data = parts.extract(&mut b)?;
    let affine = b.cx().affine();
    let mut sizes: Indices = shape.iter().map(|&size| Index::Static(size)).collect();
    // All strides of what was a scalar are 1.
    let mut strides: Indices = smallvec::smallvec![Index::Static(1); shape.len()];
    let of_source = parts.ty.shape().unwrap_or(&[]);
    for (dim, group) in parts.groups.iter().enumerate().filter(|_| !of_source.is_empty()) {
        if dynamic(group) > 1 {
            let mut factors: Indices = smallvec::smallvec![data.strides[dim]];
            for &at in group.iter().rev() {
                sizes[at] = given[at];
                let product = (1..factors.len() as u32)
                    .fold(affine.symbol(0), |product, factor| affine.mul(product, affine.symbol(factor)));
                strides[at] = apply(&mut b, op, product, &factors).ok_or(OVERFLOW)?;
                factors.push(given[at]);
            }
            continue;
        }
        let product = |dims: &[usize]| {
            dims.iter()
                .filter(|&&at| shape[at] != DYNAMIC)
                .try_fold(1_i64, |product, &at| product.checked_mul(shape[at]))
        };
        let known = product(group).ok_or(OVERFLOW)?;
        let unknown = group.iter().position(|&at| shape[at] == DYNAMIC);
        if let Some(at) = unknown {
            let left = affine.floordiv(affine.symbol(0), affine.constant(known));
            sizes[group[at]] = apply(&mut b, op, left, &[data.sizes[dim]]).ok_or(OVERFLOW)?;
        }
        for (i, &at) in group.iter().enumerate() {
            let inner = product(&group[i + 1..]).ok_or(OVERFLOW)?;
            let times = |expr: AffineExpr| affine.mul_constant(expr, inner);
            strides[at] = if unknown.is_some_and(|unknown| i < unknown) {
                let size = affine.floordiv(times(affine.symbol(0)), affine.constant(known));
                let stride = affine.mul(size, affine.symbol(1));
                apply(&mut b, op, stride, &[data.sizes[dim], data.strides[dim]])
            } else {
                apply(&mut b, op, times(affine.symbol(0)), &[data.strides[dim]])
            }
            .ok_or(OVERFLOW)?;
        }
    }
    Ok(Metadata { base: data.base, offset: data.offset, sizes, strides })
}

/// Each group becomes one dimension: its size is the product of all, its stride that of the innermost dimension of more than one element.
pub(super) fn of_collapse(rw: &mut Rewriter<'_>, op: OpId) -> Result<Metadata, NoMatch> {
    let parts = Parts::of(rw, op)?;
    let of_result = parts.result.strided_layout().ok_or(NoMatch("not strided"))?.strides;
    let shape = parts.result.shape().ok_or(NoMatch("not ranked"))?;
    let loc = rw.op(op).loc();
    let mut b = Build::new(rw, loc);
    let data = parts.extract(&mut b)?;
    let affine = b.cx().affine();
    let (mut sizes, mut strides) = (Indices::new(), Indices::new());
    for (dim, group) in parts.groups.iter().enumerate() {
        sizes.push(match shape[dim] {
            DYNAMIC => {
                let factors: Vec<Index> = group.iter().map(|&dim| data.sizes[dim]).collect();
                let product = (0..factors.len() as u32).map(|i| affine.symbol(i));
                let product = product.fold(affine.constant(1), |product, factor| affine.mul(product, factor));
                apply(&mut b, op, product, &factors).ok_or(OVERFLOW)?
            }
            size => Index::Static(size),
        });
        let innermost = group.iter().rev().find(|&&dim| data.sizes[dim].as_static() != Some(1));
        strides.push(match (innermost, of_result[dim]) {
            (Some(&dim), _) => data.strides[dim],
            // Of one element any stride will do that the type allows.
            (None, DYNAMIC) => {
                let unknown = group.iter().map(|&dim| data.strides[dim]).find(|stride| stride.as_static().is_none());
                unknown.unwrap_or(Index::Static(1))
            }
            (None, known) => Index::Static(known),
        });
    }
    Ok(Metadata { base: data.base, offset: data.offset, sizes, strides })
}
