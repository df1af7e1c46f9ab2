//! `transform-interpreter`: runs the schedule that a program carries with it.

use std::sync::Arc;

use dl_ir::pass::{Pass, PassCx, PassInfo, PassOptions, PassRegistry, PassResult};
use dl_ir::{Arena, Context, Diagnostic, Diagnostics, OpRef};

use crate::failure::Failure;
use crate::handles::{Entity, Results};
use crate::interpreter::{Interpreter, Setup};
use crate::library::Library;
use crate::ops::run_entry;
use crate::payload::{ArenaKey, PayloadOp, Places};
use crate::script;

dl_ir::pass_options! {
    /// Options of [`TransformInterpreter`].
    pub struct TransformInterpreterOptions {
        /// What further arguments of the entry stand for: operations by name, `^` and name for their results, `#` and integers for parameters
        bind_trailing_args "debug-bind-trailing-args": Vec<String> = Vec::new(),
        /// The schedule runs on the operation with this `transform.target_tag`
        payload_root_tag "debug-payload-root-tag": String = String::new(),
        /// Do not look for uses of handles that are not valid any more
        disable_checks "disable-expensive-checks": bool = false,
        /// The named sequence that the schedule begins with
        entry_point "entry-point": String = "__transform_main".to_owned(),
    }
}

/// Runs the named sequence that the options name: one in the program, or one of a library that was loaded before.
#[derive(Clone, Default)]
pub struct TransformInterpreter {
    /// The options.
    pub options: TransformInterpreterOptions,
    registry: Arc<PassRegistry>,
}

impl Pass for TransformInterpreter {
    const INFO: PassInfo =
        PassInfo::new("transform-interpreter", "Run the schedule in the dialect transform").title("InterpreterPass");

    fn options(&mut self) -> Option<&mut dyn PassOptions> {
        Some(&mut self.options)
    }

    fn resolve(&mut self, _: &Context, registry: &PassRegistry) -> Result<(), Diagnostic> {
        self.registry = Arc::new(registry.clone());
        Ok(())
    }

    fn run(&mut self, cx: &mut PassCx<'_>) -> PassResult {
        let mut places = Places::default();
        let all = post_order(cx, &mut places);
        let top = self.payload_root(cx, &places, &all)?;
        let library = cx.ctx.shared::<Library>().get();
        let name = &self.options.entry_point;
        let (mut schedule, home) = match find_home(cx, &places, &all, name) {
            Some(home) => (script::extract(view(cx, &places, home)), Some(home)),
            None => (script::empty(cx.ctx), None),
        };
        if let Some(library) = library {
            crate::library::merge(cx.ctx, &mut schedule, &library)?;
        }
        let schedule = OpRef::root(cx.ctx, &schedule);
        let Some(entry) = script::find_entry(schedule, name) else {
            let message = format!("could not find a nested named sequence with name: {name}");
            return Err(Diagnostic::error(cx.root().loc(), message).into());
        };
        let entry = script::sequence_in(entry, name).expect("it was found there");
        let bindings = self.bindings(cx, &places, top, &all)?;
        let registry = self.registry.clone();
        let checks = !self.options.disable_checks;
        let mut run = Interpreter::new(Setup { pass: cx, registry, places, schedule, top, bindings, home, checks });
        let mut results = Results::new(entry.num_results());
        run_entry(entry.body(), &mut run, &mut results).map_err(Failure::into_diagnostics)
    }
}

fn view<'a>(cx: &'a PassCx<'_>, places: &Places, op: PayloadOp) -> OpRef<'a> {
    let arena = places.arena(cx.ctx, cx.ir, op.arena).expect("an arena that is there");
    OpRef::new(cx.ctx, arena, op.id)
}

/// All operations, what is nested before what is around it.
fn post_order(cx: &PassCx<'_>, places: &mut Places) -> Vec<PayloadOp> {
    let mut order = Vec::new();
    let mut pending = vec![PayloadOp { arena: ArenaKey::OUTERMOST, id: Arena::ROOT }];
    while let Some(op) = pending.pop() {
        order.push(op);
        let inside = if view(cx, places, op).is_stub() { places.key(op) } else { op.arena };
        let nested = view(cx, places, op).regions().flat_map(|region| region.ops());
        pending.extend(nested.map(|op| PayloadOp { arena: inside, id: op.id() }));
    }
    order.reverse();
    order
}

/// The operation that has the named sequence `name` directly inside: the outermost one if it has, else the first one.
fn find_home(cx: &PassCx<'_>, places: &Places, all: &[PayloadOp], name: &str) -> Option<PayloadOp> {
    let has_it = |&&op: &&PayloadOp| script::sequence_in(view(cx, places, op), name).is_some();
    let outermost = all.last().filter(has_it);
    outermost.or_else(|| all.iter().find(has_it)).copied()
}

impl TransformInterpreter {
    /// What the schedule runs on.
    fn payload_root(&self, cx: &PassCx<'_>, places: &Places, all: &[PayloadOp]) -> Result<PayloadOp, Diagnostics> {
        let tag = &self.options.payload_root_tag;
        if tag.is_empty() {
            return Ok(PayloadOp { arena: ArenaKey::OUTERMOST, id: Arena::ROOT });
        }
        let is_tagged = |op: OpRef<'_>| op.attr("transform.target_tag").is_some_and(|attr| attr.as_str() == Some(tag));
        let mut tagged = all.iter().copied().filter(|&op| is_tagged(view(cx, places, op)));
        let Some(found) = tagged.next() else {
            let message = format!("could not find the operation with transform.target_tag=\"{tag}\" attribute");
            return Err(Diagnostic::error(cx.root().loc(), message).into());
        };
        match tagged.next() {
            Some(other) => {
                let message = format!("repeated operation with the target tag \"{tag}\"");
                let error = Diagnostic::error(view(cx, places, other).loc(), message);
                Err(error.note(view(cx, places, found).loc(), "previously seen operation").into())
            }
            None => Ok(found),
        }
    }

    /// What further arguments of the entry stand for.
    fn bindings(
        &self,
        cx: &PassCx<'_>,
        places: &Places,
        top: PayloadOp,
        all: &[PayloadOp],
    ) -> Result<Vec<Vec<Entity>>, Diagnostics> {
        let texts = &self.options.bind_trailing_args;
        let is_inside = |op: PayloadOp| {
            let parent = |&op: &PayloadOp| crate::payload::parent(places, op, view(cx, places, op));
            std::iter::successors(Some(op), parent).any(|op| op == top)
        };
        let named = |name: &str| {
            let is_it = |op: PayloadOp| view(cx, places, op).name() == name && is_inside(op);
            all.iter().copied().filter(|&op| is_it(op)).collect::<Vec<_>>()
        };
        let mut bindings = Vec::new();
        for text in texts {
            let list = if let Some(name) = text.strip_prefix('^') {
                let results = |op: PayloadOp| {
                    let ids = view(cx, places, op).results().ids();
                    ids.into_iter().map(move |id| Entity::Value(crate::payload::PayloadValue { arena: op.arena, id }))
                };
                named(name).into_iter().flat_map(results).collect()
            } else if let Some(numbers) = text.strip_prefix('#') {
                let number = |text: &str| text.parse::<i64>().ok().map(|n| Entity::Param(cx.ctx.i64_attr(n)));
                let list: Option<Vec<Entity>> = numbers.split(';').map(number).collect();
                list.ok_or_else(|| {
                    let message = format!("couldn't parse integer pass argument '{numbers}'");
                    Diagnostics::from(Diagnostic::error(cx.root().loc(), message))
                })?
            } else {
                named(text).into_iter().map(Entity::Op).collect()
            };
            bindings.push(list);
        }
        Ok(bindings)
    }
}
