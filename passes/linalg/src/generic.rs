//! The parts of a `linalg.generic`, to take apart and put together anew.

use dl_ir::affine::AffineMap;
use dl_ir::{Attr, BlockId, Context, Ident, Loc, OpId, OpRef, OpState, RegionId, Rewriter, Type, ValueId};
use dl_linalg::{GenericOp, LinalgOp};

/// Everything of a `linalg.generic` but its body.
#[derive(Clone, Debug)]
pub(super) struct Generic {
    pub(super) loc: Loc,
    pub(super) inputs: Vec<ValueId>,
    pub(super) inits: Vec<ValueId>,
    /// One map an input, then one an init.
    pub(super) maps: Vec<AffineMap>,
    /// The attribute `iterator_types`.
    pub(super) iterators: Option<Attr>,
    pub(super) results: Vec<Type>,
}

impl Generic {
    /// The parts of `op`, if it is one.
    pub(super) fn of(op: OpRef<'_>) -> Option<Self> {
        let nest = LinalgOp::of(op).filter(|nest| nest.op().is::<GenericOp<'_>>())?;
        Some(Self {
            loc: op.loc(),
            inputs: nest.inputs().map(|v| v.id()).collect(),
            inits: nest.inits().iter().map(|v| v.id()).collect(),
            maps: nest.indexing_maps(),
            iterators: op.attr("iterator_types").map(|attr| attr.id()),
            results: op.results().iter().map(|r| r.ty().id()).collect(),
        })
    }

    /// All of the operation but its region.
    fn state(&self, cx: &Context) -> OpState {
        let maps: Vec<Attr> = self.maps.iter().map(|&map| cx.affine_map_attr(map)).collect();
        OpState::of::<GenericOp<'_>>(self.loc)
            .operands(self.inputs.iter().chain(&self.inits).copied())
            .operand_segments(cx, &[self.inputs.len(), self.inits.len()])
            .attr(cx, "indexing_maps", cx.array_attr(&maps))
            .maybe_attr(cx, "iterator_types", self.iterators)
            .results(self.results.iter().copied())
    }

    /// Makes the operation at the insertion point with an empty body; answers it and the block, which has one argument an
    /// operand. The insertion point is then in the block.
    pub(super) fn create(&self, rw: &mut Rewriter<'_>) -> (OpId, BlockId) {
        let operands = self.inputs.iter().chain(&self.inits).copied();
        let element = |value: ValueId| rw.value_type(value).element_or_self().id();
        let args: Vec<Type> = operands.map(element).collect();
        let region = rw.new_region();
        let state = self.state(rw.cx()).region(region);
        let op = rw.create(state);
        let block = rw.append_block(region, &args);
        rw.set_insertion_to_end(block);
        (op, block)
    }

    /// Makes the operation at the insertion point with the blocks of `body`, which is empty then.
    pub(super) fn create_with_body_of(&self, rw: &mut Rewriter<'_>, body: RegionId) -> OpId {
        let region = rw.new_region();
        let state = self.state(rw.cx()).region(region);
        let op = rw.create(state);
        rw.move_blocks(body, region, None);
        op
    }
}

/// The attributes of an operation that [`Generic`] does not tell.
pub(super) fn kept_attrs(op: OpRef<'_>) -> Vec<(Ident, Attr)> {
    let cx = op.cx();
    let told = |name: Ident| matches!(cx.str(name), "operandSegmentSizes" | "indexing_maps" | "iterator_types");
    op.attrs().filter(|(name, _)| !told(*name)).map(|(name, attr)| (name, attr.id())).collect()
}

/// Whether the extent of every loop follows from an operand with one of these maps.
pub(super) fn covers_all_loops(cx: &Context, maps: &[AffineMap]) -> bool {
    let affine = cx.affine();
    !maps.is_empty() && affine.inverse_permutation(affine.concat(maps)).is_some()
}
