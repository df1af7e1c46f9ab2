//! `convert-bufferization-to-memref`: clones become allocations and copies; deallocations become comparisons of pointers.

use dl_arith::{Build, MulIOp};
use dl_bufferization::CloneOp;
use dl_ir::pass::{Pass, PassCx, PassInfo, PassResult};
use dl_ir::rewrite::conversion::{ConversionPatterns, ConversionTarget};
use dl_ir::rewrite::{NoMatch, Patterns, Rewrite};
use dl_ir::{DYNAMIC, OpDefinition, OpId, OpState, OpView, Rewriter, TypeRef, ValueId};
use dl_memref::{AllocOp, AllocaOp, CastOp, CopyOp, DimOp, RankOp, ReshapeOp, StoreOp};

use crate::deallocation::lower_deallocations;

/// Lowers what is left of `bufferization` to `memref`.
#[derive(Clone, Copy, Default)]
pub struct ConvertBufferizationToMemref;

impl Pass for ConvertBufferizationToMemref {
    const INFO: PassInfo = PassInfo::new(
        "convert-bufferization-to-memref",
        "Convert operations from the Bufferization dialect to the MemRef dialect",
    )
    .title("ConvertBufferizationToMemRefPass");

    fn run(&mut self, cx: &mut PassCx<'_>) -> PassResult {
        lower_deallocations(cx)?;
        let mut rewrites = Patterns::new();
        rewrites.add_fn("bufferization-clone-to-memref", Some(CloneOp::NAME), clone);
        let mut patterns = ConversionPatterns::new();
        patterns.add_rewrites(rewrites);
        let mut target = ConversionTarget::new();
        target.legal_dialects(&["memref", "arith", "scf", "func"]).illegal_dialects(&["bufferization"]);
        cx.convert_partially(&target, &patterns.freeze())
    }
}

fn clone(op: OpId, rw: &mut Rewriter<'_>) -> Rewrite {
    let view = CloneOp::wrap(rw.op(op));
    let (source, loc) = (view.input().id(), view.0.loc());
    let ty = rw.value_type(rw.ir().result(op, 0));
    if ty.is_unranked_memref() && ty.memory_space().is_some() {
        return Err(NoMatch("unsupported: a clone of unknown rank in a memory space"));
    }
    rw.set_insertion_before(op);
    let target = if ty.is_unranked_memref() {
        of_unknown_rank(&mut Build::new(rw, loc), source, ty)
    } else {
        of_known_rank(&mut Build::new(rw, loc), source, ty)?
    };
    rw.create(OpState::of::<CopyOp<'_>>(loc).operands([source, target]));
    rw.replace(op, &[target]);
    Ok(())
}

/// Memory of the shape of `source`, with the type `ty`.
fn of_known_rank(b: &mut Build<'_, '_>, source: ValueId, ty: TypeRef<'_>) -> Result<ValueId, NoMatch> {
    let cx = b.cx();
    let shape = ty.shape().ok_or(NoMatch("not ranked"))?;
    let space = ty.memory_space().map(|space| space.id());
    let plain = cx.memref_type_with(shape, ty.element_or_self().id(), None, space);
    if !dl_memref::are_cast_compatible(cx.ty(plain), ty) {
        return Err(NoMatch("a layout that memory cannot be allocated with"));
    }
    let mut sizes = Vec::new();
    for (dim, _) in shape.iter().enumerate().filter(|(_, size)| **size == DYNAMIC) {
        let index = b.constant_index(dim as i64);
        let state = OpState::of::<DimOp<'_>>(b.loc).operands([source, index]).results([cx.index_type()]);
        sizes.push(dl_ir::rewrite::create_or_fold(b, state)[0]);
    }
    let state = OpState::of::<AllocOp<'_>>(b.loc).operand_segments(cx, &[sizes.len(), 0]).operands(sizes);
    let memory = b.create_value(state.results([plain]));
    Ok(if plain == ty.id() { memory } else { b.value::<CastOp<'_>>(&[memory], ty.id()) })
}

/// The same where the shape is known only when running: the sizes are collected, and multiplied.
fn of_unknown_rank(b: &mut Build<'_, '_>, source: ValueId, ty: TypeRef<'_>) -> ValueId {
    let (cx, loc) = (b.cx(), b.loc);
    let index = cx.index_type();
    let (zero, one) = (b.constant_index(0), b.constant_index(1));
    let rank = b.value::<RankOp<'_>>(&[source], index);
    let sizes = cx.memref_type(&[DYNAMIC], index);
    let state = OpState::of::<AllocaOp<'_>>(loc).operand_segments(cx, &[1, 0]).operands([rank]);
    let sizes = b.create_value(state.results([sizes]));
    let region = b.new_region();
    let state = OpState::of::<dl_scf::ForOp<'_>>(loc).operands([zero, rank, one, one]).results([index]).region(region);
    let product = b.create(state);
    let block = b.append_block(region, &[index, index]);
    let args = b.ir().block_args(block).to_vec();
    b.set_insertion_to_end(block);
    let size = b.value::<DimOp<'_>>(&[source, args[0]], index);
    b.create(OpState::of::<StoreOp<'_>>(loc).operands([size, sizes, args[0]]));
    let next = b.same::<MulIOp<'_>>(&[args[1], size]);
    b.create(OpState::of::<dl_scf::YieldOp<'_>>(loc).operands([next]));
    b.set_insertion_after(product);
    let count = b.ir().result(product, 0);
    let flat = cx.memref_type(&[DYNAMIC], ty.element_or_self().id());
    let state = OpState::of::<AllocOp<'_>>(loc).operand_segments(cx, &[1, 0]).operands([count]);
    let memory = b.create_value(state.results([flat]));
    b.value::<ReshapeOp<'_>>(&[memory, sizes], ty.id())
}
