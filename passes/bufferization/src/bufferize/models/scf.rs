//! `scf`: regions that execute once. What they yield is cast to the type of the result.

use dl_ir::{BlockId, Diagnostic, DialectBuilder, OpId, OpRef, OpState, Type, ValueId, ValueRef};
use dl_scf::{ExecuteRegionOp, IfOp, IndexSwitchOp, WhileOp, YieldOp};
use smallvec::SmallVec;

use super::cf::{block_aliasing_operands, block_argument_type, bufferize_block_signature};
use super::{Done, access, model};
use crate::bufferize::Bufferizable;
use crate::bufferize::analysis::Analysis;
use crate::bufferize::bufferizer::{Bufferizer, TypeQuery};
use crate::bufferize::layout::dynamic_layout_type;
use crate::bufferize::operand::{AliasingOperand, AliasingOperands, AliasingValue, AliasingValues, Operand, Relation};

pub(super) fn attach(builder: &mut DialectBuilder) {
    model::<IfOp<'_>>(builder, Choice);
    model::<IndexSwitchOp<'_>>(builder, Choice);
    model::<ExecuteRegionOp<'_>>(builder, ExecuteRegion);
    model::<YieldOp<'_>>(builder, Yield);
}

/// The terminators of the regions of `op` that hand values to it.
pub(super) fn yields(op: OpRef<'_>) -> Vec<OpRef<'_>> {
    let blocks = op.regions().flat_map(|region| region.blocks());
    blocks.filter_map(|block| block.last_op()).filter(|op| op.is::<YieldOp<'_>>()).collect()
}

/// What the regions yield for `result`: one of these is the result.
fn yielded(result: ValueRef<'_>) -> AliasingOperands {
    let Some(op) = result.defining_op() else { return AliasingOperands::new() };
    let ends = yields(op);
    let definite = ends.len() == 1;
    let alias = |end: OpRef<'_>| AliasingOperand {
        operand: Operand::new(end, result.index()).id(),
        relation: Relation::Equivalent,
        definite,
    };
    ends.into_iter().map(alias).collect()
}

/// The type of what all regions yield, fully dynamic where they differ.
fn common_type(value: ValueRef<'_>, query: &mut TypeQuery<'_>) -> Result<Type, Diagnostic> {
    let cx = value.cx();
    let Some(op) = value.defining_op() else { return query.unknown_type(value) };
    let mut found: Option<Type> = None;
    for end in yields(op) {
        let ty = query.operand_type(end.operand(value.index()))?;
        match found {
            Some(before) if before != ty => {
                let space = cx.ty(before).memory_space();
                if space != cx.ty(ty).memory_space() {
                    return Err(op.error("inconsistent memory space on then/else branches"));
                }
                return Ok(dynamic_layout_type(cx, value.ty().id(), space.map(|space| space.id())));
            }
            _ => found = Some(ty),
        }
    }
    found.map_or_else(|| query.unknown_type(value), Ok)
}

/// Makes `op` anew with buffers as results; the regions move over and yield tensors until their terminators are bufferized.
pub(super) fn rebuild(op: OpId, bz: &mut Bufferizer<'_>, operands: &[ValueId], results: &[Type]) -> OpId {
    let view = bz.rw.op(op);
    let attrs: Vec<_> = view.attrs().map(|(name, attr)| (name, attr.id())).collect();
    let mut state = OpState::new(view.name_id(), view.loc()).operands(operands.iter().copied()).attrs(attrs);
    state = state.results(results.iter().copied());
    let regions: SmallVec<[_; 2]> = view.regions().map(|region| region.id()).collect();
    for from in regions {
        let to = bz.rw.new_region();
        bz.rw.move_blocks(from, to, None);
        state.regions.push(to);
    }
    bz.rw.set_insertion_before(op);
    bz.rw.create(state)
}

/// The buffer types of the results of `op`.
pub(super) fn result_types(op: OpId, bz: &Bufferizer<'_>) -> Result<SmallVec<[Type; 4]>, Diagnostic> {
    let results: SmallVec<[ValueRef<'_>; 4]> = bz.rw.op(op).results().iter().collect();
    results.into_iter().map(|result| bz.types().operand_type(result)).collect()
}

/// One of several regions.
struct Choice;

impl Bufferizable for Choice {
    access!(|operand, state| reads: false, writes: false, aliases: AliasingValues::new());

    fn aliasing_operands(&self, value: ValueRef<'_>, _: &Analysis<'_>) -> AliasingOperands {
        yielded(value)
    }

    fn buffer_type(&self, value: ValueRef<'_>, query: &mut TypeQuery<'_>) -> Result<Type, Diagnostic> {
        common_type(value, query)
    }

    fn bufferize(&self, op: OpId, bz: &mut Bufferizer<'_>) -> Done {
        let types = result_types(op, bz)?;
        let operands = bz.rw.op(op).operands().ids();
        let new = rebuild(op, bz, &operands, &types);
        let values: SmallVec<[ValueId; 4]> = bz.rw.ir().results(new).collect();
        bz.replace(op, &values);
        Ok(())
    }
}

/// One region, which may have many blocks.
struct ExecuteRegion;

impl Bufferizable for ExecuteRegion {
    access!(|operand, state| reads: false, writes: false, aliases: AliasingValues::new());

    fn aliasing_operands(&self, value: ValueRef<'_>, _: &Analysis<'_>) -> AliasingOperands {
        if value.defining_op().is_some() { yielded(value) } else { block_aliasing_operands(value) }
    }

    fn is_writable(&self, _: ValueRef<'_>, _: &Analysis<'_>) -> bool {
        true
    }

    fn supports_many_blocks(&self) -> bool {
        true
    }

    fn buffer_type(&self, value: ValueRef<'_>, query: &mut TypeQuery<'_>) -> Result<Type, Diagnostic> {
        if value.defining_op().is_some() { common_type(value, query) } else { block_argument_type(value, query) }
    }

    fn verify_analysis(&self, op: OpRef<'_>, _: &Analysis<'_>) -> Done {
        if yields(op).len() == 1 {
            return Ok(());
        }
        Err(op.error("op without unique scf.yield is not supported"))
    }

    fn bufferize(&self, op: OpId, bz: &mut Bufferizer<'_>) -> Done {
        let types = result_types(op, bz)?;
        let new = rebuild(op, bz, &[], &types);
        let blocks: Vec<BlockId> = bz.rw.op(new).region(0).blocks().skip(1).map(|block| block.id()).collect();
        for block in blocks {
            bufferize_block_signature(block, bz)?;
        }
        let values: SmallVec<[ValueId; 4]> = bz.rw.ir().results(new).collect();
        bz.replace(op, &values);
        Ok(())
    }
}

/// What a region hands on, cast to what the operation around expects.
struct Yield;

impl Bufferizable for Yield {
    access!(|operand, state|
        reads: true,
        writes: false,
        aliases: {
            let parent = operand.op.parent().filter(|op| op.num_results() > operand.index);
            let is_choice = |op: OpRef<'_>| op.is::<IfOp<'_>>() || op.is::<IndexSwitchOp<'_>>();
            match parent.filter(|&op| is_choice(op) || op.is::<ExecuteRegionOp<'_>>()) {
                Some(parent) => {
                    let (value, definite) = (parent.result(operand.index).id(), !is_choice(parent));
                    smallvec::smallvec![AliasingValue { value, relation: Relation::Equivalent, definite }]
                }
                None => AliasingValues::new(),
            }
        },
    );

    fn must_be_in_place(&self, _: Operand<'_>, _: &Analysis<'_>) -> bool {
        true
    }

    fn bufferize(&self, op: OpId, bz: &mut Bufferizer<'_>) -> Done {
        let view = bz.rw.op(op);
        let Some(parent) = view.parent() else { return Ok(()) };
        let expected: SmallVec<[ValueRef<'_>; 4]> = match parent.cast::<WhileOp<'_>>() {
            Some(nest) => nest.before().entry().into_iter().flat_map(|b| b.args().collect::<Vec<_>>()).collect(),
            None => parent.results().iter().collect(),
        };
        let mut types: SmallVec<[Type; 4]> = SmallVec::new();
        for value in expected {
            types.push(bz.types().operand_type(value)?);
        }
        hand_on(op, bz, 0, &types)
    }
}

/// Makes the tensor operands of the terminator `op` from number `first` on buffers of these types.
pub(super) fn hand_on(op: OpId, bz: &mut Bufferizer<'_>, first: usize, types: &[Type]) -> Done {
    let (loc, values) = (bz.rw.op(op).loc(), bz.rw.op(op).operands().ids());
    for (i, (&value, &ty)) in values[first..].iter().zip(types).enumerate() {
        if !bz.rw.value_type(value).is_tensor() {
            continue;
        }
        let mut buffer = bz.buffer(value)?;
        if bz.rw.value_type(buffer) != ty {
            bz.rw.set_insertion_before(op);
            buffer = bz.cast(loc, buffer, ty);
        }
        bz.rw.set_operand(op, first + i, buffer);
    }
    Ok(())
}
