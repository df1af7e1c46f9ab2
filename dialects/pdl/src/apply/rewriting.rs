//! Rewriting: what a rule does once it has matched.

use dl_ir::rewrite::{NoMatch, Rewrite};
use dl_ir::{OpId, OpState, Rewriter, Type, ValueId};

use super::matching::results;
use super::{Bound, Index, Operation, Rule, Step};

type Known = Vec<Option<Bound>>;

/// Takes the steps of the rule. Operations are made before others are replaced or erased, so that where one cannot be made nothing is left
/// of the others.
pub(super) fn apply(rule: &Rule, known: &mut Known, rw: &mut Rewriter<'_>) -> Rewrite {
    let Some(Bound::Op(root)) = known[rule.root] else { return Err(NoMatch("the pattern has no root")) };
    rw.set_insertion_before(root);
    let mut made = Vec::new();
    let prepared = prepare(rule, known, rw, &mut made).and_then(|()| check(rule, known, rw));
    if let Err(why) = prepared {
        rw.erase_all(&made);
        return Err(why);
    }
    for step in &rule.steps {
        match step {
            Step::ReplaceWithOp(op, with) => {
                let (op, with) = (op_of(known, *op)?, op_of(known, *with)?);
                let values = rw.op(with).results().ids().to_vec();
                rw.replace(op, &values);
            }
            Step::ReplaceWithValues(op, with) => {
                let values = values_of(known, with)?;
                rw.replace(op_of(known, *op)?, &values);
            }
            Step::Erase(op) => rw.erase(op_of(known, *op)?),
            _ => {}
        }
    }
    Ok(())
}

/// Makes operations and binds values.
fn prepare(rule: &Rule, known: &mut Known, rw: &mut Rewriter<'_>, made: &mut Vec<OpId>) -> Rewrite {
    for step in &rule.steps {
        let (to, bound) = match step {
            Step::Create(to, operation, replaced) => {
                let op = create(operation, *replaced, known, rw)?;
                made.push(op);
                (*to, Bound::Op(op))
            }
            Step::Result { to, op, index } => {
                let op = rw.op(op_of(known, *op)?);
                let value = op.results().get(*index).ok_or(NoMatch("the operation has fewer results"))?;
                (*to, Bound::Value(value.id()))
            }
            Step::Results { to, op, group } => {
                let op = rw.op(op_of(known, *op)?);
                (*to, Bound::Values(results(op, *group).ok_or(NoMatch("the operation has fewer results"))?))
            }
            Step::Range { to, parts, of_types: true } => (*to, Bound::Types(types_of(known, parts)?)),
            Step::Range { to, parts, of_types: false } => (*to, Bound::Values(values_of(known, parts)?)),
            Step::Constant(to, bound) => (*to, bound.clone()),
            Step::ReplaceWithOp(..) | Step::ReplaceWithValues(..) | Step::Erase(_) => continue,
        };
        known[to] = Some(bound);
    }
    Ok(())
}

/// What is to be replaced can be, by values of its types, and what is to be erased is used by what is erased too or by nothing.
fn check(rule: &Rule, known: &Known, rw: &Rewriter<'_>) -> Rewrite {
    let mut gone: Vec<OpId> = Vec::new();
    for step in &rule.steps {
        let (op, values) = match step {
            Step::ReplaceWithOp(op, with) => (op_of(known, *op)?, rw.op(op_of(known, *with)?).results().ids().to_vec()),
            Step::ReplaceWithValues(op, with) => (op_of(known, *op)?, values_of(known, with)?),
            Step::Erase(op) => {
                let op = op_of(known, *op)?;
                if gone.contains(&op) {
                    return Err(NoMatch("the operation would be erased twice"));
                }
                let is_gone = |value: dl_ir::ValueRef<'_>| value.uses().all(|(user, _)| gone.contains(&user.id()));
                if !rw.op(op).results().iter().all(is_gone) {
                    return Err(NoMatch("the operation to erase is still used"));
                }
                gone.push(op);
                continue;
            }
            _ => continue,
        };
        let types: Vec<Type> = values.iter().map(|&value| rw.value(value).ty().id()).collect();
        if rw.op(op).results().types()[..] != types[..] {
            return Err(NoMatch("what replaces the operation has other types"));
        }
        if gone.contains(&op) {
            return Err(NoMatch("the operation would be replaced twice"));
        }
        gone.push(op);
    }
    Ok(())
}

fn create(
    operation: &Operation,
    replaced: Option<Index>,
    known: &Known,
    rw: &mut Rewriter<'_>,
) -> Result<OpId, NoMatch> {
    let cx = rw.cx();
    let root_loc = match known.iter().flatten().find(|bound| matches!(bound, Bound::Op(_))) {
        Some(&Bound::Op(op)) => rw.op(op).loc(),
        _ => dl_ir::Loc::UNKNOWN,
    };
    let name = cx.op_name(operation.name().unwrap_or_default());
    let list = |indices: &[(Index, bool)]| indices.iter().map(|&(index, _)| index).collect::<Vec<_>>();
    let mut state = OpState::new(name, root_loc).operands(values_of(known, &list(&operation.operands))?);
    for (name, attr) in &operation.attrs {
        match known[*attr] {
            Some(Bound::Attr(attr)) => state.set_attr(cx.ident(name), attr),
            _ => return Err(NoMatch("an attribute is not known")),
        }
    }
    if !operation.types.is_empty() {
        state = state.results(types_of(known, &list(&operation.types))?);
    } else if let Some(replaced) = replaced {
        let types = rw.op(op_of(known, replaced)?).results().types();
        state = state.results(types);
    }
    rw.try_create(state).map_err(|_| NoMatch("the types of a new operation do not follow from its operands"))
}

fn op_of(known: &Known, index: Index) -> Result<OpId, NoMatch> {
    match known[index] {
        Some(Bound::Op(op)) => Ok(op),
        _ => Err(NoMatch("an operation is not known")),
    }
}

fn values_of(known: &Known, indices: &[Index]) -> Result<Vec<ValueId>, NoMatch> {
    let mut values = Vec::new();
    for &index in indices {
        match &known[index] {
            Some(Bound::Value(value)) => values.push(*value),
            Some(Bound::Values(list)) => values.extend(list),
            _ => return Err(NoMatch("a value is not known")),
        }
    }
    Ok(values)
}

fn types_of(known: &Known, indices: &[Index]) -> Result<Vec<Type>, NoMatch> {
    let mut types = Vec::new();
    for &index in indices {
        match &known[index] {
            Some(Bound::Type(ty)) => types.push(*ty),
            Some(Bound::Types(list)) => types.extend(list),
            _ => return Err(NoMatch("a type is not known")),
        }
    }
    Ok(types)
}
