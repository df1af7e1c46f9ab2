//! `convert-scf-to-cf`: structured control flow becomes blocks and branches.
//!
//! A parallel loop becomes a nest of sequential ones.

mod branches;
mod counted;
mod parallel;
mod whiles;

use dl_ir::pass::{Pass, PassCx, PassInfo, PassOptions, PassResult};
use dl_ir::rewrite::conversion::{ConversionPatterns, ConversionTarget};
use dl_ir::rewrite::{NoMatch, Patterns};
use dl_ir::{
    Attr, AttrData, BlockId, BlockRef, Ident, Loc, OpDefinition, OpId, OpRef, OpState, OpView, RegionId, Rewriter,
    ValueId,
};
use smallvec::SmallVec;

dl_ir::pass_options! {
    /// Options of [`ConvertScfToCf`].
    pub struct ScfToCfOptions {
        /// Accepted for upstream's sake: patterns match fully before they change anything
        allow_pattern_rollback "allow-pattern-rollback": bool = true,
    }
}

/// Lowers `scf` to `cf`.
#[derive(Clone, Default)]
pub struct ConvertScfToCf {
    /// The options.
    pub options: ScfToCfOptions,
}

impl Pass for ConvertScfToCf {
    const INFO: PassInfo = PassInfo::new(
        "convert-scf-to-cf",
        "Convert SCF dialect to ControlFlow dialect, replacing structured control flow with a CFG",
    )
    .title("SCFToControlFlowPass");

    fn options(&mut self) -> Option<&mut dyn PassOptions> {
        Some(&mut self.options)
    }

    fn run(&mut self, cx: &mut PassCx<'_>) -> PassResult {
        let mut target = ConversionTarget::new();
        target
            .illegal_ops(&[
                dl_scf::ForallOp::NAME,
                dl_scf::IfOp::NAME,
                dl_scf::IndexSwitchOp::NAME,
                dl_scf::ParallelOp::NAME,
                dl_scf::WhileOp::NAME,
                dl_scf::ForOp::NAME,
                dl_scf::ExecuteRegionOp::NAME,
            ])
            .unknown_ops_dynamic(|_| true);
        let mut patterns = ConversionPatterns::new();
        patterns.add_rewrites(lowering_patterns());
        cx.convert_partially(&target, &patterns.freeze())
    }
}

/// The patterns that turn each structured operation into branches.
pub(crate) fn lowering_patterns() -> Patterns {
    let mut patterns = Patterns::new();
    patterns
        .add(whiles::LowerDoWhile)
        .add_fn("scf-while-to-cf", Some(dl_scf::WhileOp::NAME), whiles::lower_while)
        .add_fn("scf-for-to-cf", Some(dl_scf::ForOp::NAME), counted::lower_for)
        .add_fn("scf-if-to-cf", Some(dl_scf::IfOp::NAME), branches::lower_if)
        .add_fn("scf-execute-region-to-cf", Some(dl_scf::ExecuteRegionOp::NAME), branches::lower_execute_region)
        .add_fn("scf-index-switch-to-cf", Some(dl_scf::IndexSwitchOp::NAME), branches::lower_index_switch)
        .add_fn("scf-parallel-to-for", Some(dl_scf::ParallelOp::NAME), parallel::lower_parallel)
        .add_fn("scf-forall-to-parallel", Some(dl_scf::ForallOp::NAME), dl_passes_scf::forall_to_parallel);
    patterns
}

/// The attributes of a loop that tell LLVM about it: they go to the branch back.
fn llvm_attrs(op: OpRef<'_>) -> SmallVec<[(Ident, Attr); 2]> {
    let is_llvm = |attr: &AttrData| match attr {
        AttrData::Dialect { name, .. } => op.cx().str(*name).starts_with("llvm."),
        _ => false,
    };
    op.attrs().filter(|(_, attr)| is_llvm(attr.data())).map(|(name, attr)| (name, attr.id())).collect()
}

/// The typed view of `op`.
fn view<'a, T: OpView<'a>>(op: OpRef<'a>) -> Result<T, NoMatch> {
    op.cast().ok_or(NoMatch("an operation of another kind"))
}

/// The last operation of `block`, if it is a `T`.
fn terminator<T: OpDefinition>(block: BlockRef<'_>) -> Result<OpRef<'_>, NoMatch> {
    block.last_op().filter(|op| op.is::<T>()).ok_or(NoMatch("a block with another terminator"))
}

/// A block that ends before `op`, and one after it that begins with `op`. It is the first that is new: operations are lowered from the start of a
/// block on.
fn split_at(rw: &mut Rewriter<'_>, op: OpId) -> (BlockId, BlockId) {
    let rest = rw.ir().block_of(op).expect("an operation that is lowered is in a block");
    (rw.split_block_before(op), rest)
}

/// Moves the blocks of `region` to before `block` in its region.
fn inline_before(rw: &mut Rewriter<'_>, region: RegionId, block: BlockId) {
    let to = rw.ir().region_of(block).expect("a block in a region");
    rw.move_blocks(region, to, Some(block));
}

/// `cf.br`.
pub(crate) fn branch(loc: Loc, to: BlockId, operands: impl IntoIterator<Item = ValueId>) -> OpState {
    OpState::of::<dl_cf::BranchOp<'_>>(loc).operands(operands).successors([to])
}

/// `cf.cond_br`.
fn cond_branch(
    rw: &Rewriter<'_>,
    loc: Loc,
    condition: ValueId,
    yes: (BlockId, &[ValueId]),
    no: (BlockId, &[ValueId]),
) -> OpState {
    OpState::of::<dl_cf::CondBranchOp<'_>>(loc)
        .operands([condition])
        .operands(yes.1.iter().copied())
        .operands(no.1.iter().copied())
        .operand_segments(rw.cx(), &[1, yes.1.len(), no.1.len()])
        .successors([yes.0, no.0])
}
