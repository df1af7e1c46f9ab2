//! Matching.

use dl_ir::{Context, OpRef, Type, ValueRef};

use super::{Bound, Index, Node, Operation, Rule};

/// What the values of the rule stand for when `root` is its root; `None` where it does not match.
pub(super) fn matched(rule: &Rule, root: OpRef<'_>) -> Option<Vec<Option<Bound>>> {
    let mut state = Match { rule, root, bound: vec![None; rule.nodes.len()], pending: Vec::new() };
    state.bind(rule.root, Bound::Op(root.id()))?;
    // A list, not recursion: a pattern may be as deep as its file is long.
    while let Some(index) = state.pending.pop() {
        state.check(index)?;
    }
    for (node, bound) in rule.nodes.iter().zip(&mut state.bound) {
        let constant = match node {
            Some(Node::Attribute { value: Some(value), .. }) => Bound::Attr(*value),
            Some(Node::Type(Some(ty))) => Bound::Type(*ty),
            Some(Node::Types(Some(types))) => Bound::Types(types.clone()),
            _ => continue,
        };
        bound.get_or_insert(constant);
    }
    Some(state.bound)
}

struct Match<'a> {
    rule: &'a Rule,
    root: OpRef<'a>,
    bound: Vec<Option<Bound>>,
    /// Values that were bound and are still to be checked.
    pending: Vec<Index>,
}

impl<'a> Match<'a> {
    fn cx(&self) -> &'a Context {
        self.root.cx()
    }

    /// Has the value `index` stand for `what`; `None` where it stands for something else.
    fn bind(&mut self, index: Index, what: Bound) -> Option<()> {
        if let Some(known) = &self.bound[index] {
            return (*known == what).then_some(());
        }
        self.bound[index] = Some(what);
        self.pending.push(index);
        Some(())
    }

    fn bind_types(&mut self, index: Index, types: impl Iterator<Item = Type>) -> Option<()> {
        self.bind(index, Bound::Types(types.collect()))
    }

    fn value(&self, value: dl_ir::ValueId) -> ValueRef<'a> {
        ValueRef::new(self.root.cx(), self.root.arena(), value)
    }

    /// Whether what `index` stands for is as its node says.
    fn check(&mut self, index: Index) -> Option<()> {
        let (rule, cx) = (self.rule, self.cx());
        match (rule.nodes[index].as_ref()?, self.bound[index].clone()?) {
            (Node::Attribute { ty, value }, Bound::Attr(attr)) => {
                if value.is_some_and(|value| value != attr) {
                    return None;
                }
                match ty {
                    Some(ty) => self.bind(*ty, Bound::Type(cx.attr(attr).ty()?.id())),
                    None => Some(()),
                }
            }
            (Node::Operand { ty }, Bound::Value(value)) => match ty {
                Some(ty) => self.bind(*ty, Bound::Type(self.value(value).ty().id())),
                None => Some(()),
            },
            (Node::Operands { types }, Bound::Values(values)) => match types {
                Some(types) => {
                    let list: Vec<Type> = values.iter().map(|&value| self.value(value).ty().id()).collect();
                    self.bind_types(*types, list.into_iter())
                }
                None => Some(()),
            },
            (Node::Operation(operation), Bound::Op(op)) => {
                self.check_operation(operation, OpRef::new(cx, self.root.arena(), op))
            }
            (Node::Result { op, index }, Bound::Value(value)) => {
                let value = self.value(value);
                let def = value.defining_op()?;
                (value.index() == *index).then_some(())?;
                self.bind(*op, Bound::Op(def.id()))
            }
            (Node::Results { op, group }, Bound::Values(values)) => {
                let def = self.value(*values.first()?).defining_op()?;
                (results(def, *group)? == values).then_some(())?;
                self.bind(*op, Bound::Op(def.id()))
            }
            (Node::Type(constant), Bound::Type(ty)) => constant.is_none_or(|constant| constant == ty).then_some(()),
            (Node::Types(constant), Bound::Types(types)) => {
                constant.as_ref().is_none_or(|constant| *constant == types).then_some(())
            }
            _ => None,
        }
    }

    fn check_operation(&mut self, operation: &Operation, op: OpRef<'a>) -> Option<()> {
        if operation.name().is_some_and(|name| name != op.name()) {
            return None;
        }
        for (name, attr) in &operation.attrs {
            self.bind(*attr, Bound::Attr(op.attr(name)?.id()))?;
        }
        let values = op.operands().ids().to_vec();
        match operation.operands[..] {
            [(all, true)] => self.bind(all, Bound::Values(values))?,
            ref list if list.iter().all(|(_, is_range)| !is_range) => {
                (list.len() == values.len()).then_some(())?;
                for (&(index, _), value) in list.iter().zip(values) {
                    self.bind(index, Bound::Value(value))?;
                }
            }
            ref list => {
                (op.def()?.operands.len() == list.len()).then_some(())?;
                for (i, &(index, is_range)) in list.iter().enumerate() {
                    let group = op.operand_group(i).ids().to_vec();
                    let bound = if is_range { Bound::Values(group) } else { Bound::Value(*group.first()?) };
                    self.bind(index, bound)?;
                }
            }
        }
        let types: Vec<Type> = op.results().types().to_vec();
        match operation.types[..] {
            [(all, true)] => self.bind_types(all, types.into_iter()),
            ref list if list.iter().all(|(_, is_range)| !is_range) => {
                (list.len() == types.len()).then_some(())?;
                list.iter().zip(types).try_for_each(|(&(index, _), ty)| self.bind(index, Bound::Type(ty)))
            }
            ref list => {
                (op.def()?.results.len() == list.len()).then_some(())?;
                list.iter().enumerate().try_for_each(|(i, &(index, is_range))| {
                    let group = op.result_group(i).types().to_vec();
                    self.bind(index, if is_range { Bound::Types(group) } else { Bound::Type(*group.first()?) })
                })
            }
        }
    }
}

/// All results of an operation, or those of a group of its definition.
pub(super) fn results(op: OpRef<'_>, group: Option<usize>) -> Option<Vec<dl_ir::ValueId>> {
    match group {
        None => Some(op.results().ids().to_vec()),
        Some(group) => (group < op.def()?.results.len()).then(|| op.result_group(group).ids().to_vec()),
    }
}
