//! What a pipeline comes to when it runs: neighbouring nested pipelines as one sweep, passes checked and initialized.

use super::manager::{Anchor, Item, PassManager};
use super::traits::{AnyPass, PassInfo};
use crate::context::Context;
use crate::diagnostics::{Diagnostic, Diagnostics};
use crate::dialect::OpInfo;
use crate::location::Loc;
use crate::opdef::Trait;

/// The steps for one kind of operation.
#[derive(Clone)]
pub(super) struct Schedule {
    pub(super) anchor: Anchor,
    pub(super) steps: Vec<Step>,
}

/// One step.
pub(super) enum Step {
    Pass(Box<dyn AnyPass>),
    /// One sweep over the nested operations, each worked on by the schedule that is for its kind.
    Nested(Vec<Schedule>),
}

impl Clone for Step {
    fn clone(&self) -> Self {
        match self {
            Self::Pass(pass) => Self::Pass(pass.clone_box()),
            Self::Nested(group) => Self::Nested(group.clone()),
        }
    }
}

impl Schedule {
    /// Of a pipeline.
    ///
    /// # Errors
    /// Where a pass cannot run on the operations that it stands under, and those of the initialization of passes.
    pub(super) fn new(cx: &Context, pm: &PassManager) -> Result<Self, Diagnostics> {
        let mut this = Self::of(cx, pm);
        this.prepare(cx)?;
        Ok(this)
    }

    fn of(cx: &Context, pm: &PassManager) -> Self {
        let mut this = Self { anchor: pm.anchor().clone(), steps: Vec::new() };
        for item in &pm.items {
            match item {
                Item::Pass(pass) => this.steps.push(Step::Pass(pass.clone_box())),
                Item::Nested(nested) => this.nest(cx, Self::of(cx, nested)),
            }
        }
        for step in &mut this.steps {
            if let Step::Nested(group) = step {
                group.sort_by(|a, b| a.order().cmp(&b.order()));
            }
        }
        this
    }

    /// The order in a sweep: by name, what takes any operation last.
    fn order(&self) -> (bool, &str) {
        (self.anchor == Anchor::Any, self.anchor.text())
    }

    /// Adds a nested schedule: to the last sweep where that gives the same result.
    fn nest(&mut self, cx: &Context, nested: Self) {
        match self.steps.last_mut() {
            Some(Step::Nested(group)) if !group.iter().any(|other| other.competes_with(cx, &nested)) => {
                match group.iter_mut().find(|other| other.anchor == nested.anchor) {
                    Some(same) => {
                        for step in nested.steps {
                            same.push(cx, step);
                        }
                    }
                    None => group.push(nested),
                }
            }
            _ => self.steps.push(Step::Nested(vec![nested])),
        }
    }

    fn push(&mut self, cx: &Context, step: Step) {
        match step {
            Step::Pass(_) => self.steps.push(step),
            Step::Nested(group) => group.into_iter().for_each(|nested| self.nest(cx, nested)),
        }
    }

    /// Whether both might take the same operation in turn. Of two for any operation that is assumed.
    fn competes_with(&self, cx: &Context, other: &Self) -> bool {
        match (&self.anchor, &other.anchor) {
            (Anchor::Op(_), Anchor::Op(_)) => false,
            (Anchor::Any, Anchor::Any) => true,
            (Anchor::Any, Anchor::Op(name)) => cx.find_op(name).is_some_and(|op| self.takes(op)),
            (Anchor::Op(name), Anchor::Any) => cx.find_op(name).is_some_and(|op| other.takes(op)),
        }
    }

    /// Whether it can run on operations of this name, whichever of the nested ones it is for.
    pub(super) fn takes(&self, op: &OpInfo) -> bool {
        match &self.anchor {
            Anchor::Op(name) => **name == *op.name,
            Anchor::Any => {
                op.is_registered()
                    && op.has_trait(&Trait::IsolatedFromAbove)
                    && self.passes().all(|pass| pass.takes(op))
            }
        }
    }

    fn passes(&self) -> impl Iterator<Item = PassInfo> {
        let info = |step: &Step| if let Step::Pass(pass) = step { Some(pass.info()) } else { None };
        self.steps.iter().filter_map(info)
    }

    fn prepare(&mut self, cx: &Context) -> Result<(), Diagnostics> {
        let mut faults = Diagnostics::default();
        let mut pending = vec![self];
        while let Some(schedule) = pending.pop() {
            let op = if let Anchor::Op(name) = &schedule.anchor { cx.find_op(name) } else { None };
            for step in &mut schedule.steps {
                match step {
                    Step::Pass(pass) => {
                        let info = pass.info();
                        if op.is_some_and(|op| op.is_registered() && !info.takes(op)) {
                            let message = format!(
                                "unable to schedule pass '{}' on a PassManager intended to run on '{}'!",
                                info.title,
                                schedule.anchor.text()
                            );
                            faults.push(Diagnostic::error(Loc::UNKNOWN, message));
                            continue;
                        }
                        match pass.initialize(cx) {
                            Ok(Ok(())) => {}
                            Ok(Err(errors)) => faults.append(errors),
                            Err(why) => {
                                let message = format!("pass '{}' crashed: {why}; this is a bug in the pass", info.name);
                                faults.push(Diagnostic::error(Loc::UNKNOWN, message));
                            }
                        }
                    }
                    Step::Nested(group) => pending.extend(group),
                }
            }
        }
        if faults.is_empty() { Ok(()) } else { Err(faults) }
    }
}

/// What a sweep with these schedules is called in reports, where there is more than one.
pub(super) fn collection_name(group: &[Schedule]) -> String {
    let names: Vec<String> = group.iter().map(|schedule| format!("'{}'", schedule.anchor.text())).collect();
    format!("Pipeline Collection : [{}]", names.join(", "))
}
