//! What a subview is made of: offset `o + Σ offsets·strides`, each stride times that of the source, without the dimensions that it drops.

use dl_arith::Build;
use dl_ir::interfaces::Index;
use dl_ir::interfaces::index_list::Indices;
use dl_ir::interfaces::offset_size_stride::Slice;
use dl_ir::rewrite::NoMatch;
use dl_ir::{OpId, Rewriter};

use super::Metadata;
use crate::apply::apply;

pub(super) fn metadata(rw: &mut Rewriter<'_>, op: OpId) -> Result<Metadata, NoMatch> {
    let view = rw.op(op);
    let slice = Slice::of(view).ok_or(NoMatch("no slice"))?;
    let dropped = dl_memref::subview_dropped_dims(view).ok_or(NoMatch("a result of another shape"))?;
    let (source, loc) = (view.operand(0).id(), view.loc());
    let ty = rw.value_type(source);
    if ty.strided_layout().is_none() {
        return Err(NoMatch("the source is not strided"));
    }
    let mut b = Build::new(rw, loc);
    let data = Metadata::extract(&mut b, source, ty).ok_or(NoMatch("the source is not strided"))?;
    let affine = b.cx().affine();
    let symbol = |i: usize| affine.symbol(i as u32);
    let mut strides = Indices::new();
    let mut inputs: Vec<Index> = vec![data.offset];
    let mut sum = symbol(0);
    for (dim, &stride) in data.strides.iter().enumerate() {
        let product = affine.mul(symbol(0), symbol(1));
        strides.push(apply(&mut b, op, product, &[slice.strides[dim], stride]).ok_or(NoMatch("a stride overflows"))?);
        let at = inputs.len();
        sum = affine.add(sum, affine.mul(symbol(at), symbol(at + 1)));
        inputs.extend([slice.offsets[dim], stride]);
    }
    let offset = apply(&mut b, op, sum, &inputs).ok_or(NoMatch("the offset overflows"))?;
    let kept = |list: &[Index]| -> Indices {
        list.iter().zip(&dropped).filter(|(_, dropped)| !**dropped).map(|(&index, _)| index).collect()
    };
    Ok(Metadata { base: data.base, offset, sizes: kept(&slice.sizes), strides: kept(&strides) })
}
