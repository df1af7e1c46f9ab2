//! `linalg` and other operations in destination-passing style: results are written to the buffers of the inits.

use dl_ir::interfaces::{has_pure_buffer_semantics, has_pure_tensor_semantics, inits, tied_operand, tied_result};
use dl_ir::{DialectBuilder, Loc, OpId, OpRef, OpState, Rewriter, ValueId, ValueRef};
use dl_linalg::{CopyOp, LinalgOp, SoftmaxOp};
use smallvec::SmallVec;

use super::{Done, access, insertion, model};
use crate::bufferize::bufferizer::Bufferizer;
use crate::bufferize::operand::{AliasingValues, Operand, equivalent};
use crate::bufferize::{Bufferizable, SubsetInsertion};

pub(super) fn attach(builder: &mut DialectBuilder) {
    for op in dl_linalg::OPS {
        if op.def.names_interface("LinalgOp") {
            builder.op(op.name).interface::<dyn Bufferizable>(Box::new(Structured));
        }
    }
    model::<SoftmaxOp<'_>>(builder, Structured);
    insertion::<CopyOp<'_>>(builder, Copy);
}

/// Whether the operand is an init.
pub(super) fn is_init(operand: Operand<'_>) -> bool {
    let position = |inits: dl_ir::Operands<'_>| (inits.start()..inits.start() + inits.len()).contains(&operand.index);
    inits(operand.op).is_some_and(position)
}

/// The result that an init is tied to.
pub(super) fn tied(operand: Operand<'_>) -> AliasingValues {
    match tied_result(operand.op, operand.index) {
        Some(result) if is_init(operand) => equivalent(operand.op.result(result)),
        _ => AliasingValues::new(),
    }
}

/// An operation with inputs, inits and one region, which is moved as it is.
struct Structured;

impl Bufferizable for Structured {
    access!(|operand, state|
        reads: !is_init(operand) || LinalgOp::of(operand.op).is_some_and(|op| op.reads_operand(operand.index)),
        writes: is_init(operand),
        aliases: tied(operand),
    );

    fn is_elementwise(&self, op: OpRef<'_>, operands: [usize; 2]) -> bool {
        let Some(nest) = LinalgOp::of(op) else { return false };
        let (maps, affine) = (nest.indexing_maps(), op.cx().affine());
        let is_parallel = |each: &dl_linalg::IteratorType| *each == dl_linalg::IteratorType::Parallel;
        nest.iterator_types().iter().all(is_parallel)
            && operands.iter().all(|&i| maps.get(i).is_some_and(|&map| affine.is_identity(map)))
    }

    fn bufferize(&self, op: OpId, bz: &mut Bufferizer<'_>) -> Done {
        let view = bz.rw.op(op);
        if has_pure_buffer_semantics(view) {
            return Ok(());
        }
        if !has_pure_tensor_semantics(view) {
            return Err(view.error("op does not have pure tensor semantics"));
        }
        let results: SmallVec<[usize; 2]> = (0..view.num_results()).filter_map(|i| tied_operand(view, i)).collect();
        let operands: SmallVec<[(ValueId, bool); 4]> =
            view.operands().iter().map(|v| (v.id(), v.ty().is_tensor())).collect();
        let mut buffers: SmallVec<[ValueId; 4]> = SmallVec::new();
        for (value, is_tensor) in operands {
            buffers.push(if is_tensor { bz.buffer(value)? } else { value });
        }
        move_to_buffers(op, bz, &buffers);
        let values: SmallVec<[ValueId; 2]> = results.into_iter().map(|i| buffers[i]).collect();
        bz.replace(op, &values);
        Ok(())
    }
}

/// Makes a copy of `op` before it, on `operands` and without results, and moves the regions there.
fn move_to_buffers(op: OpId, bz: &mut Bufferizer<'_>, operands: &[ValueId]) {
    let view = bz.rw.op(op);
    let mut state = OpState::new(view.name_id(), view.loc()).operands(operands.iter().copied());
    state = state.attrs(view.attrs().map(|(name, attr)| (name, attr.id())).collect::<Vec<_>>());
    let regions: SmallVec<[_; 1]> = view.regions().map(|region| region.id()).collect();
    bz.rw.set_insertion_before(op);
    let new_regions: SmallVec<[_; 1]> = regions.iter().map(|_| bz.rw.new_region()).collect();
    for (&from, &to) in regions.iter().zip(&new_regions) {
        bz.rw.move_blocks(from, to, None);
    }
    state.regions.extend(new_regions);
    bz.rw.create(state);
}

/// `linalg.copy` puts its input in the place of all of its init.
struct Copy;

impl SubsetInsertion for Copy {
    fn source(&self, _: OpRef<'_>) -> usize {
        0
    }

    fn dest(&self, _: OpRef<'_>) -> usize {
        1
    }

    fn is_equivalent_subset(
        &self,
        op: OpRef<'_>,
        candidate: ValueRef<'_>,
        equivalent: &dyn Fn(ValueRef<'_>, ValueRef<'_>) -> bool,
    ) -> bool {
        equivalent(op.operand(1), candidate)
    }

    fn values_needed(&self, op: OpRef<'_>) -> Vec<ValueId> {
        vec![op.operand(1).id()]
    }

    fn extract(&self, op: OpId, rw: &mut Rewriter<'_>, _: Loc) -> Option<ValueId> {
        Some(rw.op(op).operand(1).id()).filter(|&dest| rw.value_type(dest).is_tensor())
    }
}
