//! From IR to rules.

use dl_ir::{AttrRef, Context, Diagnostic, OpRef, OpView, Operands, ValueId, ValueRef};
use rustc_hash::FxHashMap;

use super::{Bound, Index, Node, Operation, Rule, Step};
use crate::{
    AttributeOp, EraseOp, OperandOp, OperandsOp, OperationOp, PatternOp, RangeOp, ReplaceOp, ResultOp, ResultsOp,
    RewriteOp, TypeOp, TypesOp,
};

/// The values of a pattern by their numbers.
#[derive(Default)]
struct Numbers(FxHashMap<ValueId, Index>);

impl Numbers {
    fn of(&mut self, value: ValueRef<'_>) -> Index {
        let next = self.0.len();
        *self.0.entry(value.id()).or_insert(next)
    }

    fn list(&mut self, values: Operands<'_>) -> Vec<(Index, bool)> {
        values.iter().map(|value| (self.of(value), value.ty().is_dialect_type("pdl.range"))).collect()
    }

    fn operation(&mut self, op: OperationOp<'_>) -> Operation {
        let names = op.attribute_value_names().elements().filter_map(AttrRef::as_str).map(str::to_owned);
        let attrs = names.zip(op.attribute_values().iter().map(|value| self.of(value)).collect::<Vec<_>>()).collect();
        Operation {
            name: op.op_name().and_then(AttrRef::as_str).map(str::to_owned),
            operands: self.list(op.operand_values()),
            attrs,
            types: self.list(op.type_values()),
        }
    }
}

fn number(attr: AttrRef<'_>) -> usize {
    // Verified: not negative.
    attr.as_int().and_then(|index| usize::try_from(index).ok()).unwrap_or_default()
}

fn unsupported(op: OpRef<'_>, what: &str) -> Diagnostic {
    op.error(format_args!("unsupported: {what}"))
}

/// The rule of a pattern, which is number `position` of its file.
pub(super) fn rule(cx: &Context, pattern: PatternOp<'_>, position: usize) -> Result<Rule, Diagnostic> {
    let op = pattern.op();
    let name = op.symbol_name().map_or_else(|| format!("pdl-pattern-{position}"), str::to_owned);
    let benefit = pattern.benefit().as_int().and_then(|benefit| u16::try_from(benefit).ok()).unwrap_or(u16::MAX);
    let mut numbers = Numbers::default();
    let (mut nodes, mut rewrite): (Vec<(Index, Node)>, _) = (Vec::new(), None);
    for child in op.region(0).ops() {
        if let Some(end) = child.cast::<RewriteOp<'_>>() {
            rewrite = Some(end);
        } else {
            let node = node(child, &mut numbers)?;
            nodes.push((numbers.of(child.result(0)), node));
        }
    }
    let Some(rewrite) = rewrite else { return Err(op.error("expected a rewrite at the end")) };
    if rewrite.name().is_some() {
        return Err(unsupported(rewrite.op(), "a rewrite that is a native function"));
    }
    let last_op = nodes.iter().rev().find(|(_, node)| matches!(node, Node::Operation(_))).map(|&(index, _)| index);
    let root = rewrite.root().map(|root| numbers.of(root)).or(last_op);
    let root = root.ok_or_else(|| op.error("expected an operation to begin a match with"))?;
    let steps = steps(cx, rewrite, &mut numbers)?;
    let mut rule = Rule { name, benefit, nodes: Vec::new(), root, root_name: None, steps };
    rule.nodes.resize_with(numbers.0.len(), || None);
    for (index, node) in nodes {
        rule.nodes[index] = Some(node);
    }
    if let Some(Node::Operation(operation)) = &rule.nodes[root] {
        rule.root_name = operation.name().map(str::to_owned);
    }
    check_reached(&rule, op, &numbers)?;
    Ok(rule)
}

fn node(op: OpRef<'_>, numbers: &mut Numbers) -> Result<Node, Diagnostic> {
    Ok(if let Some(attr) = op.cast::<AttributeOp<'_>>() {
        Node::Attribute { ty: attr.value_type().map(|ty| numbers.of(ty)), value: attr.value().map(AttrRef::id) }
    } else if let Some(operand) = op.cast::<OperandOp<'_>>() {
        Node::Operand { ty: operand.value_type().map(|ty| numbers.of(ty)) }
    } else if let Some(operands) = op.cast::<OperandsOp<'_>>() {
        Node::Operands { types: operands.value_type().map(|ty| numbers.of(ty)) }
    } else if let Some(operation) = op.cast::<OperationOp<'_>>() {
        Node::Operation(numbers.operation(operation))
    } else if let Some(result) = op.cast::<ResultOp<'_>>() {
        Node::Result { op: numbers.of(result.parent()), index: number(result.index()) }
    } else if let Some(results) = op.cast::<ResultsOp<'_>>() {
        let group = results.index().map(number);
        if group.is_some() && !op.result(0).ty().is_dialect_type("pdl.range") {
            return Err(unsupported(op, "results of a group as one value"));
        }
        Node::Results { op: numbers.of(results.parent()), group }
    } else if let Some(ty) = op.cast::<TypeOp<'_>>() {
        Node::Type(ty.constant_type().and_then(AttrRef::as_type).map(|ty| ty.id()))
    } else if let Some(types) = op.cast::<TypesOp<'_>>() {
        let list = |list: AttrRef<'_>| list.elements().filter_map(AttrRef::as_type).map(|ty| ty.id()).collect();
        Node::Types(types.constant_types().map(list))
    } else {
        return Err(unsupported(op, "a native constraint"));
    })
}

fn steps(cx: &Context, rewrite: RewriteOp<'_>, numbers: &mut Numbers) -> Result<Vec<Step>, Diagnostic> {
    let ops: Vec<OpRef<'_>> = rewrite.body_region().ops().collect();
    let replaced: FxHashMap<ValueId, ValueId> = ops
        .iter()
        .filter_map(|op| op.cast::<ReplaceOp<'_>>())
        .filter_map(|replace| Some((replace.repl_operation()?.id(), replace.op_value().id())))
        .collect();
    let mut steps = Vec::new();
    for op in ops {
        steps.push(if let Some(operation) = op.cast::<OperationOp<'_>>() {
            let Some(name) = operation.op_name().and_then(AttrRef::as_str) else {
                return Err(op.error("expected the name of the operation to make"));
            };
            if cx.find_op(name).is_none() && !cx.allows_unregistered() {
                return Err(op.error(format_args!("the operation '{name}' is not registered")));
            }
            let made = numbers.operation(operation);
            let replaced = replaced.get(&op.result(0).id()).and_then(|value| numbers.0.get(value)).copied();
            Step::Create(numbers.of(op.result(0)), made, replaced)
        } else if let Some(replace) = op.cast::<ReplaceOp<'_>>() {
            let by = numbers.of(replace.op_value());
            if let Some(with) = replace.repl_operation() {
                Step::ReplaceWithOp(by, numbers.of(with))
            } else {
                let values = replace.repl_values().iter().map(|value| numbers.of(value)).collect();
                Step::ReplaceWithValues(by, values)
            }
        } else if let Some(erase) = op.cast::<EraseOp<'_>>() {
            Step::Erase(numbers.of(erase.op_value()))
        } else if let Some(range) = op.cast::<RangeOp<'_>>() {
            let parts = range.arguments().iter().map(|value| numbers.of(value)).collect();
            let element = op.result(0).ty().params().first().and_then(|&element| cx.attr(element).as_type());
            let of_types = element.is_some_and(|element| element.is_dialect_type("pdl.type"));
            Step::Range { to: numbers.of(op.result(0)), parts, of_types }
        } else if op.num_results() != 1 {
            return Err(unsupported(op, "a native rewrite"));
        } else {
            let to = |numbers: &mut Numbers| numbers.of(op.result(0));
            match node(op, numbers).map_err(|_| unsupported(op, "a native rewrite"))? {
                Node::Result { op, index } => Step::Result { to: to(numbers), op, index },
                Node::Results { op, group } => Step::Results { to: to(numbers), op, group },
                Node::Attribute { value: Some(value), .. } => Step::Constant(to(numbers), Bound::Attr(value)),
                Node::Type(Some(ty)) => Step::Constant(to(numbers), Bound::Type(ty)),
                Node::Types(Some(types)) => Step::Constant(to(numbers), Bound::Types(types)),
                _ => return Err(op.error("expected a constant in a rewrite")),
            }
        });
    }
    Ok(steps)
}

/// Every operation of the pattern is found from the root by way of operands.
fn check_reached(rule: &Rule, pattern: OpRef<'_>, numbers: &Numbers) -> Result<(), Diagnostic> {
    let mut reached = vec![false; rule.nodes.len()];
    let mut pending = vec![rule.root];
    while let Some(index) = pending.pop() {
        if std::mem::replace(&mut reached[index], true) {
            continue;
        }
        match &rule.nodes[index] {
            Some(Node::Operation(op)) => pending.extend(op.operands.iter().map(|&(operand, _)| operand)),
            Some(Node::Result { op, .. } | Node::Results { op, .. }) => pending.push(*op),
            _ => {}
        }
    }
    for op in pattern.region(0).ops().filter(|op| op.is::<OperationOp<'_>>()) {
        if numbers.0.get(&op.result(0).id()).is_some_and(|&index| !reached[index]) {
            return Err(unsupported(op, "an operation that the root does not depend on"));
        }
    }
    Ok(())
}
