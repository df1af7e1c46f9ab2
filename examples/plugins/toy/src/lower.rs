//! `--convert-toy-to-affine`: arrays of known shape become buffers, and operations loops over them.
//!
//! Each operation is converted by itself: it reads its operands as buffers and hands out its result as a tensor again. Between two converted operations nothing of that is
//! left once `canonicalize` has run; at the edges, and next to other dialects, `one-shot-bufferize` continues from there.

use dl_affine::{AffineForOp, AffineLoadOp, AffineStoreOp, AffineYieldOp, ForBound};
use dl_arith::{AddFOp, Build, MulFOp};
use dl_bufferization::{ToBufferOp, ToTensorOp};
use dl_ir::pass::{Pass, PassCx, PassInfo, PassResult};
use dl_ir::rewrite::conversion::{
    ConversionPattern, ConversionPatterns, ConversionRewriter, ConversionTarget, Converted,
};
use dl_ir::rewrite::{NoMatch, Rewrite};
use dl_ir::{OpDefinition, OpId, OpState, ValueId};
use dl_memref::AllocOp;

use crate::{AddOp, CallOp, ConstantOp, FuncOp, MatmulOp, MulOp, ReturnOp, TransposeOp};

/// `--convert-toy-to-affine`.
#[derive(Clone, Default)]
pub(crate) struct ConvertToyToAffine;

impl Pass for ConvertToyToAffine {
    const INFO: PassInfo =
        PassInfo::new("convert-toy-to-affine", "Lower toy to affine loops on buffers").on("builtin.module");

    fn run(&mut self, cx: &mut PassCx<'_>) -> PassResult {
        let mut target = ConversionTarget::new();
        target.legal_dialects(&["affine", "arith", "bufferization", "func", "memref"]).illegal_dialects(&["toy"]);
        let mut patterns = ConversionPatterns::new();
        patterns
            .add_untyped(Function)
            .add_untyped(Rename { from: ReturnOp::NAME, to: dl_func::ReturnOp::NAME })
            .add_untyped(Rename { from: CallOp::NAME, to: dl_func::CallOp::NAME })
            .add_untyped(Rename { from: ConstantOp::NAME, to: dl_arith::ConstantOp::NAME })
            .add_untyped(Loops { name: AddOp::NAME, make: elementwise::<AddFOp<'_>> })
            .add_untyped(Loops { name: MulOp::NAME, make: elementwise::<MulFOp<'_>> })
            .add_untyped(Loops { name: TransposeOp::NAME, make: transpose })
            .add_untyped(Loops { name: MatmulOp::NAME, make: matmul });
        cx.convert_partially(&target, &patterns.freeze())
    }
}

/// `toy.func` is `func.func` by another name.
struct Function;

impl ConversionPattern for Function {
    const NAME: &'static str = "toy-lower-func";
    const ROOT: Option<&'static str> = Some(FuncOp::NAME);

    fn rewrite(&self, op: OpId, _: Converted<'_>, rw: &mut ConversionRewriter<'_>) -> Rewrite {
        let name = rw.cx().op_name(dl_func::FuncOp::NAME);
        rw.set_name(op, name);
        Ok(())
    }
}

/// An operation that another dialect has with the same operands, attributes and results.
struct Rename {
    from: &'static str,
    to: &'static str,
}

impl ConversionPattern for Rename {
    const NAME: &'static str = "toy-rename";
    const ROOT: Option<&'static str> = None;

    fn rewrite(&self, op: OpId, operands: Converted<'_>, rw: &mut ConversionRewriter<'_>) -> Rewrite {
        let view = rw.op(op);
        if view.name() != self.from {
            return Err(NoMatch("another operation"));
        }
        let attrs: Vec<_> = view.attrs().map(|(name, value)| (name, value.id())).collect();
        let state = OpState::named(self.to, view.loc()).results(view.results().types()).attrs(attrs);
        rw.replace_with(op, state.operands(operands.all()));
        Ok(())
    }
}

/// An operation whose result is computed by loops: `make` fills the last buffer from those of the operands.
struct Loops {
    name: &'static str,
    make: fn(&mut Build<'_, '_>, extents: &[i64], buffers: &[ValueId]),
}

impl ConversionPattern for Loops {
    const NAME: &'static str = "toy-lower-to-loops";
    const ROOT: Option<&'static str> = None;

    fn rewrite(&self, op: OpId, operands: Converted<'_>, rw: &mut ConversionRewriter<'_>) -> Rewrite {
        let view = rw.op(op);
        if view.name() != self.name {
            return Err(NoMatch("another operation"));
        }
        let (cx, loc, ty) = (rw.cx(), view.loc(), view.result(0).ty());
        let shaped = |ty: dl_ir::TypeRef<'_>| ty.has_static_shape();
        if !shaped(ty) || !view.operands().iter().all(|operand| shaped(operand.ty())) {
            return Err(NoMatch("the shapes are not known"));
        }
        let (shape, element, ty) = (ty.shape().unwrap_or_default().to_vec(), ty.element_or_self().id(), ty.id());
        rw.set_insertion_before(op);
        let mut b = Build::new(rw, loc);
        let mut buffers = Vec::new();
        let mut extents = shape.clone();
        for operand in operands.all() {
            let of = b.value_type(operand);
            let buffer = cx.memref_type(of.shape().unwrap_or_default(), of.element_or_self().id());
            // A product has one more loop than dimensions: over the columns of its first operand.
            extents.extend(of.shape().filter(|_| self.name == MatmulOp::NAME && buffers.is_empty()).map(|s| s[1]));
            // It is never written to.
            buffers.push(b.value_with::<ToBufferOp<'_>>(&[operand], buffer, &[("read_only", cx.unit_attr())]));
        }
        let state = OpState::of::<AllocOp<'_>>(loc).operand_segments(cx, &[0, 0]);
        buffers.push(b.create_value(state.results([cx.memref_type(&shape, element)])));
        (self.make)(&mut b, &extents, &buffers);
        let unit = cx.unit_attr();
        let last = buffers[buffers.len() - 1];
        let tensor = b.value_with::<ToTensorOp<'_>>(&[last], ty, &[("restrict", unit), ("writable", unit)]);
        rw.replace(op, &[tensor]);
        Ok(())
    }
}

/// A nest of loops from 0 to `extents`, with what `body` makes of the induction variables in it.
fn nest(b: &mut Build<'_, '_>, extents: &[i64], body: &mut dyn FnMut(&mut Build<'_, '_>, &[ValueId])) {
    let (cx, loc, outside) = (b.cx(), b.loc, b.insertion_point());
    let mut indices = Vec::new();
    for &extent in extents {
        let region = b.new_region();
        let block = b.append_block(region, &[cx.index_type()]);
        indices.push(b.block(block).arg(0).id());
        let (lower, upper) = (ForBound::constant(cx, 0), ForBound::constant(cx, extent));
        b.create(AffineForOp::state(cx, &lower, &upper, 1, &[], region, loc));
        b.set_insertion_to_end(block);
        let end = b.create(OpState::of::<AffineYieldOp<'_>>(loc));
        b.set_insertion_before(end);
    }
    body(b, &indices);
    b.set_insertion_point(outside);
}

fn load(b: &mut Build<'_, '_>, buffer: ValueId, indices: &[ValueId]) -> ValueId {
    let (cx, element) = (b.cx(), b.value_type(buffer).element_or_self().id());
    let map = cx.affine_map_attr(cx.affine().identity_map(indices.len() as u32));
    let operands: Vec<ValueId> = [buffer].iter().chain(indices).copied().collect();
    b.value_with::<AffineLoadOp<'_>>(&operands, element, &[("map", map)])
}

fn store(b: &mut Build<'_, '_>, value: ValueId, buffer: ValueId, indices: &[ValueId]) {
    let (cx, loc) = (b.cx(), b.loc);
    let map = cx.affine_map_attr(cx.affine().identity_map(indices.len() as u32));
    let operands = [value, buffer].into_iter().chain(indices.iter().copied());
    b.create(OpState::of::<AffineStoreOp<'_>>(loc).operands(operands).attr(cx, "map", map));
}

fn elementwise<T: OpDefinition>(b: &mut Build<'_, '_>, extents: &[i64], buffers: &[ValueId]) {
    nest(b, extents, &mut |b, at| {
        let (x, y) = (load(b, buffers[0], at), load(b, buffers[1], at));
        let value = b.same::<T>(&[x, y]);
        store(b, value, buffers[2], at);
    });
}

fn transpose(b: &mut Build<'_, '_>, extents: &[i64], buffers: &[ValueId]) {
    nest(b, extents, &mut |b, at| {
        let reversed: Vec<ValueId> = at.iter().rev().copied().collect();
        let x = load(b, buffers[0], &reversed);
        store(b, x, buffers[1], at);
    });
}

/// All elements are zero at first; then each product is added to its sum.
fn matmul(b: &mut Build<'_, '_>, extents: &[i64], buffers: &[ValueId]) {
    nest(b, &extents[..2], &mut |b, at| {
        let cx = b.cx();
        let ty = cx.float_type(dl_ir::FloatKind::F64);
        let zero = b.constant(cx.float_attr(ty, 0.0), ty);
        store(b, zero, buffers[2], at);
    });
    nest(b, extents, &mut |b, at| {
        let &[row, column, k] = at else { return };
        let (x, y) = (load(b, buffers[0], &[row, k]), load(b, buffers[1], &[k, column]));
        let product = b.same::<MulFOp<'_>>(&[x, y]);
        let before = load(b, buffers[2], &at[..2]);
        let sum = b.same::<AddFOp<'_>>(&[before, product]);
        store(b, sum, buffers[2], &at[..2]);
    });
}
