//! From operations to those around them, to their operands and results, and back.

use dl_ir::{Attr, DialectBuilder, OpRef, OpView, Trait, ValueId};
use dl_transform::{
    GetConsumersOfResultOp, GetDefiningOp, GetOperandOp, GetParentOp, GetProducerOfOperandOp, GetResultOp, GetTypeOp,
};
use indexmap::IndexSet;
use rustc_hash::FxBuildHasher;

use super::on;
use crate::failure::{Failure, Outcome};
use crate::handles::{Entity, Results};
use crate::interface::Transformation;
use crate::interpreter::Interpreter;
use crate::payload::{PayloadOp, PayloadValue};

pub(super) fn attach(builder: &mut DialectBuilder) {
    on::<GetParentOp<'_>>(builder, Parent);
    on::<GetProducerOfOperandOp<'_>>(builder, Producer);
    on::<GetConsumersOfResultOp<'_>>(builder, Consumers);
    on::<GetDefiningOp<'_>>(builder, Defining);
    on::<GetOperandOp<'_>>(builder, Values { of_operands: true });
    on::<GetResultOp<'_>>(builder, Values { of_operands: false });
    on::<GetTypeOp<'_>>(builder, Type);
}

/// `transform.get_parent_op`.
struct Parent;

impl Transformation for Parent {
    fn apply<'s>(&self, op: OpRef<'s>, run: &mut Interpreter<'s, '_>, results: &mut Results) -> Outcome {
        let view = GetParentOp::wrap(op);
        let isolated = view.isolated_from_above().is_some();
        let name = view.op_name().and_then(dl_ir::AttrRef::as_str);
        let levels = view.nth_parent().as_int().unwrap_or(1);
        let fits = |parent: OpRef<'_>| {
            (!isolated || parent.has_trait(&Trait::IsolatedFromAbove)) && name.is_none_or(|name| parent.name() == name)
        };
        let mut parents = Vec::new();
        for target in run.ops(op.operand(0)) {
            let around = std::iter::successors(run.parent(target), |&op| run.parent(op));
            let mut fitting = { around }.filter(|&parent| fits(run.op(parent)));
            let Some(parent) = usize::try_from(levels - 1).ok().and_then(|at| fitting.nth(at)) else {
                if view.allow_empty_results().is_some() {
                    results.set_ops(0, parents);
                    return Ok(());
                }
                let error = Failure::silenceable(op, "could not find a parent op that matches all requirements");
                return Err(error.note(run.op(target).loc(), "target op"));
            };
            parents.push(parent);
        }
        if view.deduplicate().is_some() {
            parents = parents.into_iter().collect::<IndexSet<_, FxBuildHasher>>().into_iter().collect();
        }
        results.set_ops(0, parents);
        Ok(())
    }
}

/// `transform.get_producer_of_operand`.
struct Producer;

impl Transformation for Producer {
    fn apply<'s>(&self, op: OpRef<'s>, run: &mut Interpreter<'s, '_>, results: &mut Results) -> Outcome {
        let number = GetProducerOfOperandOp::wrap(op).operand_number().as_int().unwrap_or(0);
        let mut producers = Vec::new();
        for target in run.ops(op.operand(0)) {
            let view = run.op(target);
            let operand = usize::try_from(number).ok().and_then(|number| view.operands().get(number));
            let Some(producer) = operand.and_then(|operand| operand.defining_op()) else {
                let text = run.text_of(target);
                let message = format!("could not find a producer for operand number: {number} of {text}");
                return Err(Failure::silenceable(op, message).note(view.loc(), "target op"));
            };
            producers.push(PayloadOp { arena: target.arena, id: producer.id() });
        }
        results.set_ops(0, producers);
        Ok(())
    }
}

/// `transform.get_consumers_of_result`.
struct Consumers;

impl Transformation for Consumers {
    fn apply<'s>(&self, op: OpRef<'s>, run: &mut Interpreter<'s, '_>, results: &mut Results) -> Outcome {
        let number = GetConsumersOfResultOp::wrap(op).result_number().as_int().unwrap_or(0);
        let targets = run.ops(op.operand(0));
        let target = match *targets.as_slice() {
            [] => return Ok(()),
            [target] => target,
            _ => return Err(Failure::definite(op, "handle must be mapped to exactly one payload op")),
        };
        let view = run.op(target);
        let Some(result) = usize::try_from(number).ok().and_then(|number| view.results().get(number)) else {
            return Err(Failure::definite(op, "result number overflow"));
        };
        let users = result.uses().map(|(user, _)| PayloadOp { arena: target.arena, id: user.id() });
        results.set_ops(0, users);
        Ok(())
    }
}

/// `transform.get_defining_op`.
struct Defining;

impl Transformation for Defining {
    fn apply<'s>(&self, op: OpRef<'s>, run: &mut Interpreter<'s, '_>, results: &mut Results) -> Outcome {
        let mut ops = Vec::new();
        for value in run.values(op.operand(0)) {
            let view = run.value(value);
            let Some(def) = view.defining_op() else {
                let error = Failure::silenceable(op, "cannot get defining op of block argument");
                return Err(error.note(view.loc(), "target value"));
            };
            ops.push(PayloadOp { arena: value.arena, id: def.id() });
        }
        results.set_ops(0, ops);
        Ok(())
    }
}

/// `transform.get_operand` and `transform.get_result`.
struct Values {
    of_operands: bool,
}

impl Transformation for Values {
    fn apply<'s>(&self, op: OpRef<'s>, run: &mut Interpreter<'s, '_>, results: &mut Results) -> Outcome {
        let mut values = Vec::new();
        for target in run.ops(op.operand(0)) {
            let view = run.op(target);
            let all: Vec<ValueId> =
                if self.of_operands { view.operands().ids().to_vec() } else { view.results().ids().to_vec() };
            let positions = positions(op, all.len())
                .map_err(|why| why.note(view.loc(), "while considering positions of this payload operation"))?;
            let entity = |at: usize| Entity::Value(PayloadValue { arena: target.arena, id: all[at] });
            values.extend(positions.into_iter().map(entity));
        }
        results.set(0, values);
        Ok(())
    }
}

/// The positions among `count` that the attributes `raw_position_list`, `is_inverted` and `is_all` of `op` ask for.
///
/// # Errors
/// That one is not there, or is asked for twice.
pub(super) fn positions(op: OpRef<'_>, count: usize) -> Result<Vec<usize>, Failure> {
    if op.attr("is_all").is_some() {
        return Ok((0..count).collect());
    }
    let list = op.attr("raw_position_list").or_else(|| op.attr("raw_dim_list"));
    let len = i64::try_from(count).unwrap_or(i64::MAX);
    let mut found: IndexSet<usize, FxBuildHasher> = IndexSet::default();
    for raw in list.into_iter().flat_map(|list| list.dense_ints().collect::<Vec<_>>()) {
        let at = if raw < 0 { raw.saturating_add(len) } else { raw };
        let error = |message: String| Err(Failure::silenceable(op, message));
        if at >= len {
            return error(format!("position overflow {at} (updated from {raw}) for maximum {count}"));
        }
        let Ok(index) = usize::try_from(at) else {
            return error(format!("position underflow {at} (updated from {raw})"));
        };
        if !found.insert(index) {
            return error(format!("repeated position {at} (updated from {raw})"));
        }
    }
    if op.attr("is_inverted").is_some() {
        return Ok((0..count).filter(|at| !found.contains(at)).collect());
    }
    Ok(found.into_iter().collect())
}

/// `transform.get_type`.
struct Type;

impl Transformation for Type {
    fn apply<'s>(&self, op: OpRef<'s>, run: &mut Interpreter<'s, '_>, results: &mut Results) -> Outcome {
        let elemental = op.attr("elemental").is_some();
        let types: Vec<Attr> = run
            .values(op.operand(0))
            .into_iter()
            .map(|value| {
                let ty = run.value(value).ty();
                let ty = if elemental { ty.element_or_self() } else { ty };
                op.cx().type_attr(ty.id())
            })
            .collect();
        results.set_params(0, types);
        Ok(())
    }
}
