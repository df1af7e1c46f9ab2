//! Handles that must not be used any more: a transformation has consumed what they stand for, or something around it.
//!
//! These checks are for those who write schedules. They cost O(handles) an operation that consumes something.

use dl_ir::{Diagnostic, Loc, OpRef, ValueRef};
use indexmap::IndexMap;
use rustc_hash::{FxBuildHasher, FxHashSet};

use crate::failure::{Failure, Outcome};
use crate::handles::{Entity, Handle};
use crate::interface::Transformation;
use crate::interpreter::Interpreter;
use crate::payload::{PayloadOp, PayloadValue, is_isolated};

/// Why a handle is invalid.
pub(crate) struct Invalidation {
    message: &'static str,
    notes: Vec<(Loc, String)>,
}

impl Invalidation {
    fn error(&self, loc: Loc) -> Diagnostic {
        let error = Diagnostic::error(loc, self.message);
        self.notes.iter().fold(error, |error, (loc, note)| error.note(*loc, note.clone()))
    }
}

const MESSAGE: &str = "op uses a handle invalidated by a previously executed transform op";
const EMPTY: &str =
    "op uses a handle associated with empty payload and invalidated by a previously executed transform op";

type Invalid = IndexMap<Handle, Invalidation, FxBuildHasher>;

impl<'s> Interpreter<'s, '_> {
    /// Checks that `op` uses valid handles, and notes which ones it makes invalid.
    pub(crate) fn check_handles(&mut self, op: OpRef<'s>, meaning: &dyn Transformation) -> Outcome {
        let mut new = Invalid::default();
        let mut result = Ok(());
        for (at, operand) in op.operands().iter().enumerate() {
            let handle = Handle::of(operand);
            let known = self.invalid.get(&handle);
            let known = known.or_else(|| new.get(&handle).filter(|_| !meaning.allows_repeated_handles(op)));
            if let Some(why) = known {
                result = Err(Failure::Definite(why.error(op.loc()).into()));
                break;
            }
            if meaning.consumes(op, at, self) {
                self.invalidate(op, at, operand, &mut new);
            }
        }
        for (handle, why) in new {
            self.invalid.entry(handle).or_insert(why);
        }
        result?;
        for (at, operand) in op.operands().iter().enumerate() {
            if meaning.consumes(op, at, self) && !meaning.allows_repeated_handles(op) {
                self.check_repeated(op, at, operand)?;
            }
        }
        Ok(())
    }

    fn check_repeated(&self, op: OpRef<'s>, at: usize, operand: ValueRef<'s>) -> Outcome {
        let mut seen = FxHashSet::default();
        let repeated = |entity: &&Entity| !matches!(entity, Entity::Param(_)) && !seen.insert(**entity);
        let Some(&entity) = self.entities(operand).iter().find(repeated) else { return Ok(()) };
        let error = Failure::silenceable(
            op,
            format!(
                "a handle passed as operand #{at} and consumed by this operation points to a payload entity more than once"
            ),
        );
        let what = if matches!(entity, Entity::Op(_)) { "repeated target op" } else { "repeated target value" };
        Err(error.note(self.entity_loc(entity), what))
    }

    /// Notes what becomes invalid when `op` consumes operand `at`.
    fn invalidate(&self, op: OpRef<'s>, at: usize, operand: ValueRef<'s>, new: &mut Invalid) {
        let entities = self.entities(operand).to_vec();
        if dl_transform::types::is_op_handle(operand.ty()) {
            let ops: Vec<PayloadOp> = entities.iter().filter_map(as_op).collect();
            return self.invalidate_nested(op, at, operand, &ops, None, new);
        }
        for value in entities.iter().filter_map(as_value) {
            let Some(view) = self.try_value(value) else { continue };
            let loc = view.loc();
            for (handle, mapped) in self.visible_handles() {
                if mapped.entities.contains(&Entity::Value(value)) && !self.invalid.contains_key(&handle) {
                    let by = format!(
                        "invalidated by this transform op that consumes its operand #{at} and invalidates handles to the same values as \
                         associated with it"
                    );
                    let notes = vec![
                        (mapped.value.loc(), "invalidated handle".to_owned()),
                        (op.loc(), by),
                        (loc, "payload value".to_owned()),
                    ];
                    new.insert(handle, Invalidation { message: MESSAGE, notes });
                }
            }
            let payload = |op: OpRef<'_>| PayloadOp { arena: value.arena, id: op.id() };
            let ops: Vec<PayloadOp> = if let Some(def) = view.defining_op() {
                vec![payload(def)]
            } else {
                view.owner_block().into_iter().flat_map(dl_ir::BlockRef::ops).map(payload).collect()
            };
            for each in ops {
                self.invalidate_nested(op, at, operand, &[each], Some(loc), new);
            }
        }
    }

    /// Notes all handles on something in `ancestors`, which operand `at` of `op` stands for, as invalid.
    fn invalidate_nested(
        &self,
        op: OpRef<'s>,
        at: usize,
        operand: ValueRef<'s>,
        ancestors: &[PayloadOp],
        through: Option<Loc>,
        new: &mut Invalid,
    ) {
        let by = format!("invalidated by this transform op that consumes its operand #{at}");
        if ancestors.is_empty() {
            let why = Invalidation { message: EMPTY, notes: vec![(op.loc(), by)] };
            new.insert(Handle::of(operand), why);
            return;
        }
        let by = format!(
            "{by} and invalidates all handles to payload IR entities associated with this operand and entities nested in them"
        );
        for (handle, mapped) in self.visible_handles() {
            if self.invalid.contains_key(&handle) || new.contains_key(&handle) {
                continue;
            }
            let found = mapped.entities.iter().find_map(|&entity| {
                let owner = self.owner(entity)?;
                let ancestor = ancestors.iter().find(|&&ancestor| self.is_ancestor(ancestor, owner))?;
                Some((entity, owner, *ancestor))
            });
            let Some((entity, owner, ancestor)) = found else { continue };
            let (ancestor, owner_loc) = (self.op(ancestor).loc(), self.op(owner).loc());
            let notes = if let Entity::Value(value) = entity {
                let view = self.value(value);
                let place = crate::payload::describe(view);
                let place = place.trim_start_matches("an op ").trim_start_matches("a ");
                let place = place.replace(" in block", " of block");
                vec![
                    (mapped.value.loc(), "invalidated handle".to_owned()),
                    (op.loc(), by.clone()),
                    (ancestor, "ancestor op associated with the consumed handle".to_owned()),
                    (owner_loc, format!("op defining the value as {place}")),
                    (view.loc(), "payload value".to_owned()),
                ]
            } else {
                let mut notes = vec![
                    (mapped.value.loc(), "handle to invalidated ops".to_owned()),
                    (op.loc(), by.clone()),
                    (ancestor, "ancestor payload op".to_owned()),
                    (owner_loc, "nested payload op".to_owned()),
                ];
                notes.extend(through.map(|loc| (loc, "consumed handle points to this payload value".to_owned())));
                notes
            };
            new.insert(handle, Invalidation { message: MESSAGE, notes });
        }
    }

    /// The handles of regions being executed, innermost first, out to the first one that cannot use values from around it.
    fn visible_handles(&self) -> impl Iterator<Item = (Handle, &crate::handles::Mapped<'s>)> {
        let mut open = true;
        self.scopes
            .iter()
            .rev()
            .take_while(move |scope| std::mem::replace(&mut open, !is_isolated(scope.owner)))
            .flat_map(|scope| scope.mapped.iter().map(|(&handle, mapped)| (handle, mapped)))
    }

    /// The operation itself, or the one that defines the value or whose block has it as an argument.
    fn owner(&self, entity: Entity) -> Option<PayloadOp> {
        match entity {
            Entity::Op(op) => self.is_live(op).then_some(op),
            Entity::Value(value) => {
                let view = self.try_value(value)?;
                let id = match view.defining_op() {
                    Some(def) => def.id(),
                    None => view.owner_block()?.parent_op()?.id(),
                };
                Some(self.places.canonical(value.arena, id))
            }
            Entity::Param(_) => None,
        }
    }

    fn entity_loc(&self, entity: Entity) -> Loc {
        match entity {
            Entity::Op(op) => self.op(op).loc(),
            Entity::Value(value) => self.value(value).loc(),
            Entity::Param(_) => Loc::UNKNOWN,
        }
    }

    /// Checks that no operation of `targets` comes before one nested in it: work on the first would be in the way of work on the other.
    ///
    /// # Errors
    /// That one does.
    pub fn check_no_ancestors(&self, op: OpRef<'s>, targets: &[PayloadOp]) -> Outcome {
        let mut seen = FxHashSet::default();
        for &target in targets {
            let around = std::iter::successors(Some(target), |&op| self.parent(op));
            if let Some(ancestor) = { around }.find(|op| seen.contains(op)) {
                let message = "transform operation consumes a handle pointing to an ancestor payload operation before its descendant";
                let note = "the ancestor is likely erased or rewritten before the descendant is accessed, leading to undefined behavior";
                return Err(Failure::definite(op, message)
                    .note(op.loc(), note)
                    .note(self.op(ancestor).loc(), "ancestor payload op")
                    .note(self.op(target).loc(), "descendant payload op"));
            }
            seen.insert(target);
        }
        Ok(())
    }
}

fn as_op(entity: &Entity) -> Option<PayloadOp> {
    match entity {
        Entity::Op(op) => Some(*op),
        _ => None,
    }
}

fn as_value(entity: &Entity) -> Option<PayloadValue> {
    match entity {
        Entity::Value(value) => Some(*value),
        _ => None,
    }
}
