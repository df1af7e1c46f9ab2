//! Keeps handles right while a transformation changes the payload: hears what is replaced and erased.

use dl_ir::{Arena, Context, Diagnostic, Listener, Loc, OpId, OpRef, Trait, ValueId, ValueRef};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::interface::FindReplacement;

/// What becomes of something that a handle stands for.
pub(crate) enum Change {
    /// The operation is gone; another one may stand for it.
    Op(OpId, Option<OpId>),
    /// The value is gone; another one may stand for it.
    Value(ValueId, Option<ValueId>),
}

/// What is known of an operation that a handle stands for.
#[derive(Clone, Copy)]
pub(crate) struct Tracked {
    /// Where a handle is defined that will be used again; `None` where there is none.
    pub(crate) needed_by: Option<Loc>,
}

/// Listens to the changes of one arena.
pub(crate) struct Tracker<'a> {
    cx: &'a Context,
    /// The transformation that makes the changes.
    transformation: Loc,
    ops: FxHashMap<OpId, Tracked>,
    values: FxHashSet<ValueId>,
    /// What values of tracked operations were replaced by.
    replaced: FxHashMap<ValueId, ValueId>,
    pub(crate) changes: Vec<Change>,
    /// Operations that are needed, but that nothing stands for any more.
    pub(crate) lost: Option<Diagnostic>,
    num_lost: usize,
}

impl<'a> Tracker<'a> {
    pub(crate) fn new(cx: &'a Context, transformation: Loc) -> Self {
        Self {
            cx,
            transformation,
            ops: FxHashMap::default(),
            values: FxHashSet::default(),
            replaced: FxHashMap::default(),
            changes: Vec::new(),
            lost: None,
            num_lost: 0,
        }
    }

    /// Tracks an operation.
    pub(crate) fn op(&mut self, op: OpId, tracked: Tracked) {
        let known = self.ops.entry(op).or_insert(tracked);
        known.needed_by = known.needed_by.or(tracked.needed_by);
    }

    /// Tracks a value.
    pub(crate) fn value(&mut self, value: ValueId) {
        self.values.insert(value);
    }

    fn lose(&mut self, ir: &Arena, op: OpId, values: &[ValueId], why: Diagnostic) {
        let at = self.num_lost;
        self.num_lost += 1;
        let mut all = match self.lost.take() {
            Some(first) => first,
            None => why,
        };
        all = all.note(OpRef::new(self.cx, ir, op).loc(), format!("[{at}] replaced op"));
        for (i, &value) in values.iter().enumerate() {
            let loc = ValueRef::new(self.cx, ir, value).loc();
            all = all.note(loc, format!("[{at}] replacement value {i}"));
        }
        self.lost = Some(all);
    }

    /// The operation that stands for `op` when `values` have replaced its results.
    fn find_replacement(&self, ir: &Arena, op: OpId, values: &[ValueId]) -> Result<OpId, Diagnostic> {
        let name = ir_name(self.cx, ir, op);
        let message = "tracking listener failed to find replacement op during application of this transform op";
        let mut why = Diagnostic::error(self.transformation, message);
        let mut values = values.to_vec();
        let mut seen = FxHashSet::default();
        loop {
            let mut defs = values.iter().map(|&value| ir.defining_op(value));
            let first = defs.next().flatten();
            let Some(def) = first.filter(|_| defs.all(|other| other == first)) else {
                return Err(why.note(self.transformation, "replacement values belong to different ops"));
            };
            let view = OpRef::new(self.cx, ir, def);
            if seen.insert(def) && view.names_interface("CastOpInterface") {
                values = view.operands().ids().to_vec();
                why = why.note(view.loc(), "using output of 'CastOpInterface' op");
            } else if view.name_id() == name || view.has_trait(&Trait::ConstantLike) {
                return Ok(def);
            } else {
                let next = view.interface::<dyn FindReplacement>().map(|by| by.next_operands(view));
                values = next.unwrap_or_default();
                if !values.is_empty() {
                    why = why.note(view.loc(), "using operands provided by 'FindPayloadReplacementOpInterface'");
                }
            }
            if values.is_empty() || seen.len() > ir.num_op_slots() {
                return Err(why.note(self.transformation, "ran out of suitable replacement values"));
            }
        }
    }
}

fn ir_name(cx: &Context, ir: &Arena, op: OpId) -> dl_ir::OpName {
    OpRef::new(cx, ir, op).name_id()
}

impl Listener for Tracker<'_> {
    fn replacing(&mut self, ir: &Arena, value: ValueId, with: ValueId) {
        let of_tracked = ir.defining_op(value).is_some_and(|op| self.ops.contains_key(&op));
        if of_tracked || self.values.contains(&value) {
            self.replaced.insert(value, with);
        }
    }

    fn erasing(&mut self, ir: &Arena, op: OpId) {
        let results: Vec<ValueId> = ir.results(op).collect();
        for &result in &results {
            if !self.values.contains(&result) {
                continue;
            }
            let with = self.replaced.get(&result).copied();
            self.values.extend(with);
            self.changes.push(Change::Value(result, with));
        }
        let Some(tracked) = self.ops.remove(&op) else { return };
        let with: Vec<ValueId> = results.iter().map_while(|result| self.replaced.get(result).copied()).collect();
        let is_replaced = !results.is_empty() && with.len() == results.len();
        let Some(needed_by) = tracked.needed_by.filter(|_| is_replaced) else {
            return self.changes.push(Change::Op(op, None));
        };
        match self.find_replacement(ir, op, &with) {
            Ok(new) => {
                self.op(new, tracked);
                self.changes.push(Change::Op(op, Some(new)));
            }
            Err(why) => {
                let why = why.note(needed_by, "replacement is required because this handle must be updated");
                self.lose(ir, op, &with, why);
                self.changes.push(Change::Op(op, None));
            }
        }
    }
}
