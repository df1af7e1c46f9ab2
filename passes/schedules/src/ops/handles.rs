//! Handles made of handles: merged, split, repeated, selected, counted, cast.

use dl_ir::{DialectBuilder, OpRef, OpView};
use dl_transform::{CastOp, MergeHandlesOp, NumAssociationsOp, ParamConstantOp, ReplicateOp, SelectOp, SplitHandleOp};
use indexmap::IndexSet;
use rustc_hash::FxBuildHasher;

use super::on;
use crate::failure::{Failure, Outcome};
use crate::handles::{Entity, Results};
use crate::interface::Transformation;
use crate::interpreter::Interpreter;

pub(super) fn attach(builder: &mut DialectBuilder) {
    on::<MergeHandlesOp<'_>>(builder, Merge);
    on::<SplitHandleOp<'_>>(builder, Split);
    on::<ReplicateOp<'_>>(builder, Replicate);
    on::<SelectOp<'_>>(builder, Select);
    on::<NumAssociationsOp<'_>>(builder, Count);
    on::<ParamConstantOp<'_>>(builder, Constant);
    on::<CastOp<'_>>(builder, Cast);
}

/// `transform.merge_handles`.
struct Merge;

impl Transformation for Merge {
    fn apply<'s>(&self, op: OpRef<'s>, run: &mut Interpreter<'s, '_>, results: &mut Results) -> Outcome {
        let mut all: Vec<Entity> = op.operands().iter().flat_map(|handle| run.entities(handle).to_vec()).collect();
        if op.attr("deduplicate").is_some() {
            all = all.into_iter().collect::<IndexSet<_, FxBuildHasher>>().into_iter().collect();
        }
        results.set(0, all);
        Ok(())
    }

    fn allows_repeated_handles(&self, op: OpRef<'_>) -> bool {
        op.attr("deduplicate").is_some()
    }
}

/// `transform.split_handle`.
struct Split;

impl Transformation for Split {
    fn apply<'s>(&self, op: OpRef<'s>, run: &mut Interpreter<'s, '_>, results: &mut Results) -> Outcome {
        let handle = op.operand(0);
        let entities = run.entities(handle).to_vec();
        let flag = |name| op.attr_or_default(name).and_then(dl_ir::AttrRef::as_bool).unwrap_or(true);
        let overflow = SplitHandleOp::wrap(op).overflow_result().and_then(dl_ir::AttrRef::as_int);
        let overflow = overflow.and_then(|at| usize::try_from(at).ok()).filter(|&at| at < op.num_results());
        let (has, wanted) = (entities.len(), op.num_results());
        let passes_empty = has == 0 && flag("pass_through_empty_handle");
        let too_many = has > wanted && overflow.is_none();
        let too_few = has < wanted && flag("fail_on_payload_too_small") && !passes_empty;
        if too_many || too_few {
            let handle = run.text_of_value(handle);
            let message = format!("{handle} expected to contain {wanted} payloads but it contains {has} payloads");
            return Err(Failure::silenceable(op, message));
        }
        let mut lists = vec![Vec::new(); wanted];
        for (at, entity) in entities.into_iter().enumerate() {
            let at = if at < wanted { Some(at) } else { overflow };
            if let Some(at) = at {
                lists[at].push(entity);
            }
        }
        lists.into_iter().enumerate().for_each(|(at, list)| results.set(at, list));
        Ok(())
    }
}

/// `transform.replicate`.
struct Replicate;

impl Transformation for Replicate {
    fn apply<'s>(&self, op: OpRef<'s>, run: &mut Interpreter<'s, '_>, results: &mut Results) -> Outcome {
        let times = run.entities(op.operand(0)).len();
        for (at, handle) in op.operands().iter().skip(1).enumerate() {
            run.go_through(op, run.entities(handle).len().saturating_mul(times))?;
            results.set(at, run.entities(handle).repeat(times));
        }
        Ok(())
    }
}

/// `transform.select`.
struct Select;

impl Transformation for Select {
    fn apply<'s>(&self, op: OpRef<'s>, run: &mut Interpreter<'s, '_>, results: &mut Results) -> Outcome {
        let wanted = SelectOp::wrap(op).op_name().as_str();
        let found = run.ops(op.operand(0)).into_iter().filter(|&target| Some(run.op(target).name()) == wanted);
        results.set_ops(0, found.collect::<Vec<_>>());
        Ok(())
    }
}

/// `transform.num_associations`.
struct Count;

impl Transformation for Count {
    fn apply<'s>(&self, op: OpRef<'s>, run: &mut Interpreter<'s, '_>, results: &mut Results) -> Outcome {
        let count = i64::try_from(run.entities(op.operand(0)).len()).unwrap_or(i64::MAX);
        results.set_params(0, [op.cx().i64_attr(count)]);
        Ok(())
    }
}

/// `transform.param.constant`.
struct Constant;

impl Transformation for Constant {
    fn apply<'s>(&self, op: OpRef<'s>, _: &mut Interpreter<'s, '_>, results: &mut Results) -> Outcome {
        results.set_params(0, [ParamConstantOp::wrap(op).value().id()]);
        Ok(())
    }
}

/// `transform.cast`.
struct Cast;

impl Transformation for Cast {
    fn apply<'s>(&self, op: OpRef<'s>, run: &mut Interpreter<'s, '_>, results: &mut Results) -> Outcome {
        results.set(0, run.entities(op.operand(0)).to_vec());
        Ok(())
    }
}
