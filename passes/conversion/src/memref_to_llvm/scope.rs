//! Scopes of stack memory.

use dl_ir::rewrite::conversion::{ConversionPattern, ConversionRewriter, Converted};
use dl_ir::rewrite::{NoMatch, Rewrite};
use dl_ir::{OpDefinition, OpId, OpState, OpView, Type, ValueId};
use dl_llvm::{BrOp, StackRestoreOp, StackSaveOp, types};
use dl_memref::{AllocaScopeOp, AllocaScopeReturnOp};
use smallvec::SmallVec;

/// The body of `memref.alloca_scope` goes between the blocks before and after. The stack is saved before it and restored at its end.
pub(super) struct AllocaScope;

impl ConversionPattern for AllocaScope {
    const NAME: &'static str = "memref-alloca-scope-to-llvm";
    const ROOT: Option<&'static str> = Some(AllocaScopeOp::NAME);

    fn rewrite(&self, op: OpId, _: Converted<'_>, rw: &mut ConversionRewriter<'_>) -> Rewrite {
        let (cx, view) = (rw.cx(), AllocaScopeOp::wrap(rw.op(op)));
        let region = view.body_region();
        let entry = region.entry().ok_or(NoMatch("no body"))?.id();
        let last = region.blocks().last().and_then(|block| block.last_op()).ok_or(NoMatch("no end"))?;
        if !last.is::<AllocaScopeReturnOp<'_>>() {
            return Err(NoMatch("no end"));
        }
        let (last, values, loc, region) = (last.id(), last.operands().ids(), view.0.loc(), region.id());
        let types: Result<SmallVec<[Type; 4]>, NoMatch> =
            view.0.results().types().iter().map(|&ty| rw.convert_type(ty)).collect();
        let types = types?;
        let head = rw.ir().block_of(op).ok_or(NoMatch("an operation in no block"))?;
        let around = rw.ir().region_of(head).ok_or(NoMatch("a block in no region"))?;

        let rest = rw.split_block(op);
        let joined = if types.is_empty() {
            rest
        } else {
            let joined = rw.insert_block(around, Some(rest), &types);
            rw.set_insertion_to_end(joined);
            rw.create(OpState::of::<BrOp<'_>>(loc).successors([rest]));
            joined
        };
        rw.move_blocks(region, around, Some(joined));
        rw.set_insertion_to_end(head);
        let saved = rw.create_value(OpState::of::<StackSaveOp<'_>>(loc).results([types::ptr_type(cx)]));
        rw.create(OpState::of::<BrOp<'_>>(loc).successors([entry]));

        let mut passed: SmallVec<[ValueId; 4]> = SmallVec::new();
        for value in values {
            let converted = rw.converted(value).ok_or(NoMatch("a result that is not converted"))?;
            passed.extend(converted);
        }
        rw.set_insertion_before(last);
        rw.create(OpState::of::<StackRestoreOp<'_>>(loc).operands([saved]));
        rw.replace_with(last, OpState::of::<BrOp<'_>>(loc).operands(passed).successors([joined]));
        let results: SmallVec<[ValueId; 4]> = rw.ir().block_args(joined).iter().copied().take(types.len()).collect();
        rw.replace(op, if types.is_empty() { &[] } else { &results });
        Ok(())
    }
}
