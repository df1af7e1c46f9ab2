//! `memref-expand`: `memref.reshape` by a shape of known length becomes a cast of computed sizes and strides.

use dl_arith::{Build, IndexCastOp, MulIOp};
use dl_ir::interfaces::Index;
use dl_ir::interfaces::index_list::Indices;
use dl_ir::pass::{Pass, PassCx, PassInfo, PassResult};
use dl_ir::rewrite::conversion::{ConversionPatterns, ConversionTarget};
use dl_ir::rewrite::{NoMatch, Patterns, Rewrite};
use dl_ir::{DYNAMIC, OpDefinition, OpId, OpState, OpView, Rewriter};
use dl_memref::{LoadOp, ReinterpretCastOp, ReshapeOp};

use crate::strided_metadata::with_metadata;

/// Expands operations that have no counterpart in LLVM.
#[derive(Clone, Copy, Default)]
pub struct MemrefExpand;

impl Pass for MemrefExpand {
    const INFO: PassInfo =
        PassInfo::new("memref-expand", "Legalize memref operations to be convertible to LLVM.").title("ExpandOpsPass");

    fn run(&mut self, cx: &mut PassCx<'_>) -> PassResult {
        let mut target = ConversionTarget::new();
        target.legal_dialects(&["arith", "memref"]).dynamic_op(ReshapeOp::NAME, |op| !has_static_shape(op));
        let mut rewrites = Patterns::new();
        add_patterns(&mut rewrites);
        let mut patterns = ConversionPatterns::new();
        patterns.add_rewrites(rewrites);
        cx.convert_partially(&target, &patterns.freeze())
    }
}

/// Adds the pattern.
pub(crate) fn add_patterns(patterns: &mut Patterns) {
    patterns.add_fn("memref-expand-reshape", Some(ReshapeOp::NAME), expand);
}

/// Whether it is known how long the shape is.
fn has_static_shape(op: dl_ir::OpRef<'_>) -> bool {
    ReshapeOp::wrap(op).shape().ty().has_static_shape()
}

fn expand(op: OpId, rw: &mut Rewriter<'_>) -> Rewrite {
    let (cx, view) = (rw.cx(), ReshapeOp::wrap(rw.op(op)));
    if !has_static_shape(view.0) {
        return Err(NoMatch("a shape of unknown length"));
    }
    let (source, of_shape, loc) = (view.source().id(), view.shape().id(), view.0.loc());
    let ty = rw.value_type(rw.ir().result(op, 0));
    let shape = ty.shape().filter(|_| ty.has_identity_layout()).ok_or(NoMatch("a result of another layout"))?;
    let rank = shape.len();
    if shape.iter().filter(|&&size| size != DYNAMIC).try_fold(1_i64, |n, &size| n.checked_mul(size)).is_none() {
        return Err(NoMatch("a stride overflows"));
    }
    rw.set_insertion_before(op);
    let mut b = Build::new(rw, loc);
    let element = b.value_type(of_shape).element_or_self();
    let (mut sizes, mut strides): (Indices, Indices) =
        (smallvec::smallvec![Index::Static(0); rank], smallvec::smallvec![Index::Static(1); rank]);
    let (mut known, mut stride) = (1_i64, None);
    for dim in (0..rank).rev() {
        strides[dim] = stride.map_or(Index::Static(known), Index::Value);
        let size = if shape[dim] == DYNAMIC {
            let index = b.constant_index(dim as i64);
            let mut size = b.value::<LoadOp<'_>>(&[of_shape, index], element.id());
            if !element.is_index() {
                size = b.value::<IndexCastOp<'_>>(&[size], cx.index_type());
            }
            sizes[dim] = Index::Value(size);
            size
        } else {
            sizes[dim] = Index::Static(shape[dim]);
            b.constant_index(shape[dim])
        };
        if dim == 0 {
            break;
        }
        match stride {
            Some(inner) => stride = Some(b.same::<MulIOp<'_>>(&[inner, size])),
            None if shape[dim] == DYNAMIC => {
                let inner = b.constant_index(known);
                stride = Some(b.same::<MulIOp<'_>>(&[inner, size]));
            }
            None => known *= shape[dim],
        }
    }
    let state = OpState::of::<ReinterpretCastOp<'_>>(loc).operands([source]).results([ty.id()]);
    rw.replace_with(op, with_metadata(cx, state, Index::Static(0), &sizes, &strides));
    Ok(())
}
