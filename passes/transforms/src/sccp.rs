//! `sccp`: finds values that are the same constant on every path that can be taken.

use dl_ir::dialect::FoldedValue;
use dl_ir::pass::{Pass, PassCx, PassInfo, PassResult};
use dl_ir::rewrite::ConstantPool;
use dl_ir::rewrite::fold::fold_results;
use dl_ir::{Arena, Attr, BlockId, Context, OpId, OpName, OpRef, Rewriter, ValueId, ValueRef};
use smallvec::SmallVec;

use crate::dataflow::{Analysis, Facts, Lattice, solve};

/// Sparse conditional constant propagation, through branches, regions and calls.
#[derive(Clone, Copy, Default)]
pub struct Sccp;

impl Pass for Sccp {
    const INFO: PassInfo = PassInfo::new("sccp", "Sparse Conditional Constant Propagation").title("SCCP");

    fn run(&mut self, cx: &mut PassCx<'_>) -> PassResult {
        let facts = solve(cx.root(), cx.is_outermost, &Constants);
        let mut changed = false;
        dl_ir::walk::for_each_arena(cx.ctx, cx.ir, &mut |cx, ir| changed |= replace_constants(cx, ir, &facts));
        if !changed {
            cx.preserve_all();
        }
        Ok(())
    }
}

/// Whether a value is a constant.
#[derive(Clone, Copy, Default)]
pub(crate) enum Constness {
    #[default]
    NotReached,
    /// The constant, and the operation whose dialect can make it.
    Constant(Attr, OpName),
    Varies,
}

impl PartialEq for Constness {
    fn eq(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Constant(a, _), Self::Constant(b, _)) => a == b,
            _ => std::mem::discriminant(self) == std::mem::discriminant(other),
        }
    }
}

impl Lattice for Constness {
    fn join(&mut self, other: &Self) {
        *self = match (*self, *other) {
            (Self::NotReached, one) | (one, Self::NotReached) => one,
            (one, other) if one == other => one,
            _ => Self::Varies,
        };
    }

    fn constant(&self) -> Option<Attr> {
        match *self {
            Self::Constant(value, _) => Some(value),
            _ => None,
        }
    }
}

/// Which values are constants.
pub(crate) struct Constants;

impl Analysis for Constants {
    type Fact = Constness;

    fn unknown(&self, _value: ValueRef<'_>) -> Constness {
        Constness::Varies
    }

    fn results(
        &self,
        op: OpRef<'_>,
        operands: &[Constness],
        known: &mut dyn FnMut(ValueId) -> Constness,
    ) -> SmallVec<[Constness; 2]> {
        let varies = || SmallVec::from_elem(Constness::Varies, op.num_results());
        if let Some(value) = op.constant_value() {
            return smallvec::smallvec![Constness::Constant(value.id(), op.name_id())];
        }
        let constants: SmallVec<[Option<Attr>; 4]> = operands.iter().map(Constness::constant).collect();
        let Some(folded) = fold_results(op, &constants) else { return varies() };
        let fact = |value: &FoldedValue| match *value {
            FoldedValue::Constant(value) => Constness::Constant(value, op.name_id()),
            FoldedValue::Value(value) => known(value),
        };
        folded.iter().map(fact).collect()
    }
}

/// Puts constants in the place of the values that are known to be, and erases operations that nothing needs any more.
fn replace_constants(cx: &Context, ir: &mut Arena, facts: &Facts<Constness>) -> bool {
    let mut changed = false;
    let mut pool = ConstantPool::default();
    let replace = |rw: &mut Rewriter<'_>, pool: &mut ConstantPool, block: BlockId, value: ValueId| {
        let view = rw.value(value);
        let Constness::Constant(constant, origin) = facts.of(view) else { return false };
        let ty = view.ty().id();
        let Some(made) = pool.get(rw, block, origin, constant, ty) else { return false };
        rw.replace_all_uses(value, made);
        true
    };
    let mut rw = Rewriter::new(cx, ir);
    let mut pending: Vec<BlockId> = blocks(&rw, Arena::ROOT);
    while let Some(block) = pending.pop() {
        let (args, ops): (Vec<ValueId>, Vec<_>) =
            (rw.block(block).args().map(|arg| arg.id()).collect(), rw.ir().block_ops(block).collect());
        for op in ops {
            let results: SmallVec<[ValueId; 2]> = rw.ir().results(op).collect();
            let replaced = results.iter().filter(|&&result| replace(&mut rw, &mut pool, block, result)).count();
            changed |= replaced > 0;
            if replaced > 0 && replaced == results.len() && rw.op(op).is_trivially_dead() {
                rw.erase(op);
            } else {
                pending.extend(blocks(&rw, op));
            }
        }
        for arg in args {
            changed |= replace(&mut rw, &mut pool, block, arg);
        }
    }
    changed
}

/// The blocks directly in `op`, the last one first.
fn blocks(rw: &Rewriter<'_>, op: OpId) -> Vec<BlockId> {
    let view = rw.op(op);
    if view.is_stub() {
        return Vec::new();
    }
    let mut blocks: Vec<BlockId> = view.regions().flat_map(|region| region.blocks()).map(|block| block.id()).collect();
    blocks.reverse();
    blocks
}
