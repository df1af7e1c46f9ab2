//! The interpreter: executes operations of a schedule one after the other, and knows what their values stand for.

use std::sync::Arc;

use dl_ir::pass::{PassCx, PassManager, PassRegistry, PassResult, RunOptions};
use dl_ir::text::{PrintOptions, print_op_in_place};
use dl_ir::{
    Arena, Attr, AttrRef, BlockRef, Context, Diagnostic, Diagnostics, OpId, OpRef, RegionRef, Rewriter, ValueRef,
};
use dl_transform::types::{Kind, kind};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::failure::{Failure, Outcome};
use crate::handles::{Entity, Handle, Mapped, Results, Scope};
use crate::interface::Transformation;
use crate::invalidation::Invalidation;
use crate::payload::{self, ArenaKey, PayloadOp, PayloadValue, Places};
use crate::script::Symbols;
use crate::tracking::{Change, Tracked, Tracker};

/// Executes a schedule, which lives as long as `'s`, on what is nested in the operation of a pass.
pub struct Interpreter<'s, 'p> {
    pub(crate) pass: &'s mut PassCx<'p>,
    cx: &'p Context,
    pub(crate) registry: Arc<PassRegistry>,
    pub(crate) places: Places,
    symbols: Symbols<'s>,
    /// What the schedule runs on.
    pub(crate) top: PayloadOp,
    /// What further arguments of its entry stand for.
    pub(crate) bindings: Vec<Vec<Entity>>,
    /// The symbol table of the schedule, as an operation of the payload, if it is one.
    pub(crate) home: Option<PayloadOp>,
    pub(crate) scopes: Vec<Scope<'s>>,
    pub(crate) invalid: FxHashMap<Handle, Invalidation>,
    checks: bool,
    /// The operation being executed that changes the payload, and what it has lost track of.
    lost: Option<Diagnostic>,
    /// Whether the payload has changed since handles were last looked through for what is not there any more.
    has_changed: bool,
    /// How much more the schedule may go through: each operation of it, and each thing that its operands and results stand for.
    left: usize,
}

/// What a schedule may go through. Loops in loops and handles merged with themselves grow with the power of their number, so that a short schedule could
/// run for years, or fill the memory.
const LIMIT: usize = 1 << 25;

/// What an interpreter is made of.
pub(crate) struct Setup<'s, 'p> {
    pub(crate) pass: &'s mut PassCx<'p>,
    pub(crate) registry: Arc<PassRegistry>,
    pub(crate) places: Places,
    pub(crate) schedule: OpRef<'s>,
    pub(crate) top: PayloadOp,
    pub(crate) bindings: Vec<Vec<Entity>>,
    pub(crate) home: Option<PayloadOp>,
    /// Whether uses of invalid handles are looked for.
    pub(crate) checks: bool,
}

impl<'s, 'p> Interpreter<'s, 'p> {
    pub(crate) fn new(setup: Setup<'s, 'p>) -> Self {
        let Setup { pass, registry, places, schedule, top, bindings, home, checks } = setup;
        Self {
            cx: pass.ctx,
            pass,
            registry,
            places,
            symbols: Symbols::new(schedule),
            top,
            bindings,
            home,
            scopes: Vec::new(),
            invalid: FxHashMap::default(),
            checks,
            lost: None,
            has_changed: false,
            left: LIMIT,
        }
    }

    /// The context.
    pub fn cx(&self) -> &'p Context {
        self.cx
    }

    /// Reports something.
    pub fn emit(&mut self, diagnostic: Diagnostic) {
        self.pass.emit(diagnostic);
    }

    // The payload.

    /// A view of an operation of the payload.
    ///
    /// # Panics
    /// When it has been erased with the isolated operation around it.
    pub fn op(&self, op: PayloadOp) -> OpRef<'_> {
        let arena = self.places.arena(self.cx, self.pass.ir, op.arena).expect("an arena that is there");
        OpRef::new(self.cx, arena, op.id)
    }

    /// A view of a value of the payload.
    ///
    /// # Panics
    /// When it has been erased with the isolated operation around it.
    pub fn value(&self, value: PayloadValue) -> ValueRef<'_> {
        self.try_value(value).expect("a value that is there")
    }

    pub(crate) fn try_value(&self, value: PayloadValue) -> Option<ValueRef<'_>> {
        let arena = self.places.arena(self.cx, self.pass.ir, value.arena)?;
        Some(ValueRef::new(self.cx, arena, value.id))
    }

    /// Whether the operation has not been erased.
    pub fn is_live(&self, op: PayloadOp) -> bool {
        self.places.arena(self.cx, self.pass.ir, op.arena).is_some_and(|arena| arena.is_live(op.id))
    }

    /// The operation around `op`; `None` for the outermost one that can be seen.
    pub fn parent(&self, op: PayloadOp) -> Option<PayloadOp> {
        payload::parent(&self.places, op, self.op(op))
    }

    /// Whether `inner` is `outer` or nested in it.
    pub fn is_ancestor(&self, outer: PayloadOp, inner: PayloadOp) -> bool {
        std::iter::successors(Some(inner), |&op| self.parent(op)).any(|op| op == outer)
    }

    /// Where the regions of `op` are, and by which id: for a nested isolated operation in the arena that it owns.
    pub fn inside(&mut self, op: PayloadOp) -> (ArenaKey, OpId) {
        if self.op(op).is_stub() { (self.places.key(op), Arena::ROOT) } else { (op.arena, op.id) }
    }

    /// The operations nested in `op`, `op` included, what is nested before what is around it, in program order otherwise.
    pub fn post_order(&mut self, op: PayloadOp) -> Vec<PayloadOp> {
        let mut order = Vec::new();
        // In reverse: each operation, then what is nested in it, the last one first.
        let mut pending = vec![op];
        while let Some(op) = pending.pop() {
            order.push(op);
            let arena = self.inside(op).0;
            let nested = self.op(op).regions().flat_map(|region| region.ops());
            pending.extend(nested.map(|op| PayloadOp { arena, id: op.id() }));
        }
        order.reverse();
        order
    }

    /// Changes one arena. Handles are kept right while that happens.
    ///
    /// # Panics
    /// When the arena is not there any more.
    pub fn rewrite<R>(&mut self, arena: ArenaKey, change: impl FnOnce(&mut Rewriter<'_>) -> R) -> R {
        let mut tracker = self.tracker(arena);
        let ir = self.places.arena_mut(self.pass.ir, arena).expect("an arena that is there");
        let result = change(&mut Rewriter::with_listener(self.cx, ir, &mut tracker));
        self.has_changed = true;
        self.track(arena, tracker);
        result
    }

    /// The same for what tells a listener of its changes.
    ///
    /// # Panics
    /// When the arena is not there any more.
    pub fn change<R>(&mut self, arena: ArenaKey, change: impl FnOnce(&mut Arena, &mut dyn dl_ir::Listener) -> R) -> R {
        let mut tracker = self.tracker(arena);
        let ir = self.places.arena_mut(self.pass.ir, arena).expect("an arena that is there");
        let result = change(ir, &mut tracker);
        self.has_changed = true;
        self.track(arena, tracker);
        result
    }

    /// What listens to changes of `arena`.
    fn tracker(&self, arena: ArenaKey) -> Tracker<'p> {
        let current = self.scopes.last().and_then(|scope| scope.current);
        let loc = current.map_or(dl_ir::Loc::UNKNOWN, OpRef::loc);
        let mut tracker = Tracker::new(self.cx, loc);
        // Handles on what is consumed are invalid, all of them: that is said where they are used.
        let consumed: FxHashSet<Entity> = current.map(|op| self.consumed_entities(op)).unwrap_or_default();
        for mapped in self.scopes.iter().flat_map(|scope| scope.mapped.values()) {
            let needed_by = self.is_used_later(mapped.value).then(|| mapped.value.loc());
            for &entity in &mapped.entities {
                let needed_by = needed_by.filter(|_| !consumed.contains(&entity));
                match entity {
                    Entity::Op(op) if op.arena == arena => tracker.op(op.id, Tracked { needed_by }),
                    Entity::Value(value) if value.arena == arena => tracker.value(value.id),
                    _ => {}
                }
            }
        }
        tracker
    }

    /// Makes handles stand for what has replaced what they stood for.
    fn track(&mut self, arena: ArenaKey, tracker: Tracker<'p>) {
        if let Some(lost) = tracker.lost {
            self.lost = Some(match self.lost.take() {
                Some(first) => lost.notes.into_iter().fold(first, |first, note| first.note(note.loc, note.message)),
                None => lost,
            });
        }
        for change in tracker.changes {
            let (old, new) = match change {
                Change::Op(id, with) => {
                    (Entity::Op(PayloadOp { arena, id }), with.map(|with| Entity::Op(PayloadOp { arena, id: with })))
                }
                Change::Value(id, with) => (
                    Entity::Value(PayloadValue { arena, id }),
                    with.map(|with| Entity::Value(PayloadValue { arena, id: with })),
                ),
            };
            self.replace_entity(old, new);
        }
    }

    /// Makes handles on `old` handles on `new`, or drops it from them.
    pub fn replace_entity(&mut self, old: Entity, new: Option<Entity>) {
        for mapped in self.scopes.iter_mut().flat_map(|scope| scope.mapped.values_mut()) {
            match new {
                Some(new) => mapped.entities.iter_mut().filter(|each| **each == old).for_each(|each| *each = new),
                None => mapped.entities.retain(|&each| each != old),
            }
        }
    }

    /// Drops from all handles what is not there any more.
    fn drop_erased(&mut self) {
        let (cx, places, ir) = (self.cx, &self.places, &*self.pass.ir);
        let is_there = |entity: &Entity| is_there(cx, places, ir, *entity);
        for mapped in self.scopes.iter_mut().flat_map(|scope| scope.mapped.values_mut()) {
            mapped.entities.retain(is_there);
        }
    }

    /// The isolated operation that owns an arena; `None` for the outermost one.
    pub fn owner_of(&self, arena: ArenaKey) -> Option<PayloadOp> {
        self.places.owner(arena)
    }

    /// Whether something has not been erased.
    pub fn is_there(&self, entity: Entity) -> bool {
        is_there(self.cx, &self.places, self.pass.ir, entity)
    }

    /// Runs a pipeline on an isolated operation.
    ///
    /// # Errors
    /// Where a pass of it has failed; its diagnostics have been emitted.
    pub fn run_pipeline(&mut self, pipeline: &mut PassManager, op: PayloadOp) -> PassResult {
        self.has_changed = true;
        if op.arena == ArenaKey::OUTERMOST {
            return self.pass.run_pipeline(pipeline, op.id);
        }
        let key = self.inside(op).0;
        let ir = self.places.arena_mut(self.pass.ir, key).expect("an arena that is there");
        let outcome = pipeline.run(self.cx, ir, &RunOptions::default());
        outcome.diagnostics.into_iter().for_each(|each| self.pass.emit(each));
        self.pass.print(&outcome.text);
        self.pass.put_out(&outcome.output);
        if outcome.failed { Err(Diagnostics::default()) } else { Ok(()) }
    }

    /// The text of an operation of the payload where it stands.
    pub fn text_of(&self, op: PayloadOp) -> String {
        text(self.op(op))
    }

    /// The text of what defines a value of the schedule.
    pub fn text_of_value(&self, value: ValueRef<'s>) -> String {
        match value.defining_op() {
            Some(def) => text(def),
            None => format!("<block argument> of type '{}' at index: {}", value.ty(), value.index()),
        }
    }

    // Handles.

    /// What a value of the schedule stands for.
    pub fn entities(&self, value: ValueRef<'s>) -> &[Entity] {
        let handle = Handle::of(value);
        let mapped = self.scopes.iter().rev().find_map(|scope| scope.mapped.get(&handle));
        mapped.map_or(&[], |mapped| &mapped.entities)
    }

    /// The operations that a value of the schedule stands for.
    pub fn ops(&self, value: ValueRef<'s>) -> Vec<PayloadOp> {
        let op = |entity: &Entity| if let Entity::Op(op) = entity { Some(*op) } else { None };
        self.entities(value).iter().filter_map(op).collect()
    }

    /// The values that a value of the schedule stands for.
    pub fn values(&self, value: ValueRef<'s>) -> Vec<PayloadValue> {
        let of = |entity: &Entity| if let Entity::Value(value) = entity { Some(*value) } else { None };
        self.entities(value).iter().filter_map(of).collect()
    }

    /// The parameters that a value of the schedule stands for.
    pub fn params(&self, value: ValueRef<'s>) -> Vec<Attr> {
        let param = |entity: &Entity| if let Entity::Param(param) = entity { Some(*param) } else { None };
        self.entities(value).iter().filter_map(param).collect()
    }

    /// Makes an argument or result of the region that is being executed stand for something.
    ///
    /// # Errors
    /// That it cannot, by its type.
    pub fn map(&mut self, value: ValueRef<'s>, entities: Vec<Entity>) -> Outcome {
        self.check_type(value, &entities)?;
        if let Some(scope) = self.scopes.last_mut() {
            scope.mapped.insert(Handle::of(value), Mapped { value, entities });
        }
        Ok(())
    }

    /// Whether a handle of the type of `value` may stand for these.
    fn check_type(&self, value: ValueRef<'s>, entities: &[Entity]) -> Outcome {
        let (ty, loc) = (value.ty(), value.loc());
        let error = |message: String| Err(Failure::Definite(Diagnostic::error(loc, message).into()));
        let wanted = kind(ty);
        for &entity in entities {
            let fits = matches!(
                (wanted, entity),
                (Some(Kind::Op), Entity::Op(_))
                    | (Some(Kind::Value), Entity::Value(_))
                    | (Some(Kind::Param), Entity::Param(_))
            );
            if !fits {
                let what = match wanted {
                    Some(Kind::Op) => "top-level operation handle",
                    Some(Kind::Value) => "the top-level value handle",
                    _ => "top-level parameter",
                };
                return error(format!("wrong kind of value provided for {what}"));
            }
            match entity {
                Entity::Op(op) if ty.is_dialect_type("transform.op") => {
                    let wanted = ty.params().first().and_then(|&name| self.cx.attr(name).as_str()).unwrap_or_default();
                    let op = self.op(op);
                    if op.name() != wanted {
                        let message =
                            format!("incompatible payload operation name: expected {wanted} vs {}", op.name());
                        let error = Diagnostic::error(loc, message).note(op.loc(), "payload operation");
                        return Err(Failure::Definite(error.into()));
                    }
                }
                Entity::Param(param) => {
                    let attr = self.cx.attr(param);
                    if ty.is_dialect_type("transform.type") && attr.as_type().is_none() {
                        return error(format!("expected type attribute, got {attr}"));
                    }
                    if ty.is_dialect_type("transform.affine_map") && attr.as_affine_map().is_none() {
                        return error(format!("expected affine map attribute, got {attr}"));
                    }
                    let wanted = ty.params().first().filter(|_| ty.is_dialect_type("transform.param"));
                    if let Some(wanted) = wanted.and_then(|&wanted| self.cx.attr(wanted).as_type()) {
                        let Some(given) = attr.ty() else {
                            return error(format!("expected parameters to be integers, got {attr}"));
                        };
                        if given.id() != wanted.id() {
                            return error(format!(
                                "expected the type of the parameter attribute ('{given}') to match the parameter type ('{wanted}')"
                            ));
                        }
                    }
                }
                _ => {}
            }
        }
        Ok(())
    }

    /// What the operands of `op` that it consumes stand for.
    fn consumed_entities(&self, op: OpRef<'s>) -> FxHashSet<Entity> {
        let Some(meaning) = op.interface::<dyn Transformation>() else { return FxHashSet::default() };
        let all = op.operands().iter().enumerate().filter(|&(at, _)| meaning.consumes(op, at, self));
        all.flat_map(|(_, operand)| self.entities(operand)).copied().collect()
    }

    /// Whether an operation that comes after the one being executed uses `value`.
    fn is_used_later(&self, value: ValueRef<'s>) -> bool {
        let region = value.parent_block().and_then(|block| block.region());
        let is_its = |scope: &&Scope<'s>| {
            region.is_some_and(|region| {
                scope.region == region.id() && std::ptr::eq(region.arena(), scope.owner.body().arena())
            })
        };
        let Some(current) = self.scopes.iter().rev().find(is_its).and_then(|scope| scope.current) else { return true };
        value.uses().any(|(user, _)| user != current && !happens_before(user, current))
    }

    /// The symbol that `symbol` names where `from` stands.
    pub fn resolve(&self, from: OpRef<'s>, symbol: AttrRef<'s>) -> Option<OpRef<'s>> {
        self.symbols.resolve(from, symbol)
    }

    // Execution.

    /// Whether the schedule is part of what `op` is or holds: it must not be changed then.
    pub fn contains_schedule(&self, op: PayloadOp) -> bool {
        self.home.is_some_and(|home| self.is_ancestor(op, home))
    }

    /// Checks that `target`, which `op` works on, has not been erased by what `op` did to another one.
    ///
    /// # Errors
    /// That it has.
    pub fn check_live(&self, op: OpRef<'_>, target: PayloadOp) -> Outcome {
        if self.is_live(target) {
            return Ok(());
        }
        Err(Failure::definite(
            op,
            "what is to be transformed has been erased by the transformation of another operation",
        ))
    }

    /// Checks that `op` is not about to change the schedule itself.
    ///
    /// # Errors
    /// That it is.
    pub fn check_not_self(&self, op: OpRef<'s>, target: PayloadOp, note: &str) -> Outcome {
        if !self.contains_schedule(target) {
            return Ok(());
        }
        let message = "cannot apply transform to itself (or one of its ancestors)";
        Err(Failure::definite(op, message).note(self.op(target).loc(), note))
    }

    /// Executes `body` with a region of the schedule open, in which handles can be mapped.
    ///
    /// # Errors
    /// Those of `body`, and that the region is being executed already.
    pub fn in_region<R>(
        &mut self,
        region: RegionRef<'s>,
        body: impl FnOnce(&mut Self) -> Result<R, Failure>,
    ) -> Result<R, Failure> {
        let owner = region.parent_op().expect("a region of an operation");
        let is_open = |scope: &Scope<'s>| scope.owner == owner && scope.region == region.id();
        if self.scopes.iter().any(is_open) {
            return Err(Failure::definite(owner, "recursion not allowed in named sequences"));
        }
        self.scopes.push(Scope { owner, region: region.id(), current: None, mapped: indexmap::IndexMap::default() });
        let result = stacker::maybe_grow(64 * 1024, 1024 * 1024, || body(self));
        self.scopes.pop();
        for block in region.blocks() {
            let values = block.args().chain(block.ops().flat_map(|op| op.results().iter()));
            for value in values {
                self.invalid.remove(&Handle::of(value));
            }
        }
        result
    }

    /// Executes the operations of a block but for its terminator. With `suppress`, failures that may be silenced are.
    ///
    /// # Errors
    /// Those of the operations.
    pub fn run_block(&mut self, block: BlockRef<'s>, suppress: bool) -> Outcome {
        let last = block.last_op().filter(|last| last.has_trait(&dl_ir::Trait::Terminator));
        for op in block.ops().filter(|&op| Some(op) != last) {
            match self.apply(op) {
                Err(Failure::Silenceable(_)) if suppress => {}
                other => other?,
            }
        }
        Ok(())
    }

    /// Executes a sequence and makes results of the operation around it what its terminator hands on.
    ///
    /// # Errors
    /// Those of the operations in it.
    pub fn run_sequence(&mut self, block: BlockRef<'s>, suppress: bool, results: &mut Results) -> Outcome {
        self.run_block(block, suppress)?;
        for (at, list) in self.yielded(block).into_iter().enumerate() {
            results.set(at, list);
        }
        Ok(())
    }

    /// What the operands of the terminator of `block` stand for.
    pub fn yielded(&self, block: BlockRef<'s>) -> Vec<Vec<Entity>> {
        let operands = block.last_op().into_iter().flat_map(|last| last.operands().iter());
        operands.map(|operand| self.entities(operand).to_vec()).collect()
    }

    /// Counts what `op` goes through.
    ///
    /// # Errors
    /// That it is more than is left of what the schedule may go through.
    pub(crate) fn go_through(&mut self, op: OpRef<'s>, count: usize) -> Outcome {
        let left = self.left.checked_sub(count);
        self.left = left.ok_or_else(|| {
            Failure::unsupported(op, format_args!("schedules that go through more than {LIMIT} operations"))
        })?;
        Ok(())
    }

    /// Executes one operation of the schedule.
    ///
    /// # Errors
    /// Why it cannot be executed.
    pub fn apply(&mut self, op: OpRef<'s>) -> Outcome {
        let Some(meaning) = op.interface::<dyn Transformation>() else {
            return Err(Failure::unsupported(op, "this operation in schedules"));
        };
        if let Some(scope) = self.scopes.last_mut() {
            scope.current = Some(op);
        }
        let given = op.operands().iter().map(|operand| self.entities(operand).len());
        self.go_through(op, given.fold(1, usize::saturating_add))?;
        if self.checks {
            self.check_handles(op, meaning)?;
        }
        let consumed = self.consumed(op, meaning)?;
        let outer = self.lost.take();
        let mut results = Results::new(op.num_results());
        let mut outcome = meaning.apply(op, self, &mut results);
        if std::mem::take(&mut self.has_changed) {
            self.drop_erased();
        }
        let lost = std::mem::replace(&mut self.lost, outer);
        if let Some(lost) = lost.filter(|_| reports_losses(op)) {
            outcome = match outcome {
                Ok(()) => Err(Failure::Silenceable(lost.into())),
                Err(failure @ Failure::Silenceable(_)) => {
                    Err(failure.note(op.loc(), format!("tracking listener also failed: {}", lost.message)))
                }
                definite => definite,
            };
        }
        if matches!(outcome, Err(Failure::Definite(_))) {
            return outcome;
        }
        self.forget(&consumed);
        for (result, list) in op.results().iter().zip(results.into_lists()) {
            self.go_through(op, list.len())?;
            self.map(result, list)?;
        }
        outcome
    }

    /// The handles that `op` consumes, with what else is not to be used any more then.
    fn consumed(&self, op: OpRef<'s>, meaning: &dyn Transformation) -> Result<Consumed, Failure> {
        let mut consumed = Consumed::default();
        for (at, operand) in op.operands().iter().enumerate().filter(|&(at, _)| meaning.consumes(op, at, self)) {
            if kind(operand.ty()) == Some(Kind::Param) {
                let message = format!("unexpectedly consumed a value that is not a handle as operand #{at}");
                let note = format!("value defined here with type '{}'", operand.ty());
                return Err(Failure::definite(op, message).note(operand.loc(), note));
            }
            consumed.handles.push(Handle::of(operand));
            for &entity in self.entities(operand) {
                match entity {
                    Entity::Op(op) => {
                        let results = self.op(op).results().iter();
                        let value = |result: ValueRef<'_>| PayloadValue { arena: op.arena, id: result.id() };
                        consumed.entities.extend(results.map(|result| Entity::Value(value(result))));
                    }
                    Entity::Value(value) => {
                        let view = self.value(value);
                        let payload = |op: OpRef<'_>| Entity::Op(PayloadOp { arena: value.arena, id: op.id() });
                        match view.defining_op() {
                            Some(def) => consumed.entities.push(payload(def)),
                            None => consumed
                                .entities
                                .extend(view.owner_block().into_iter().flat_map(|block| block.ops()).map(payload)),
                        }
                    }
                    Entity::Param(_) => {}
                }
            }
        }
        Ok(consumed)
    }

    fn forget(&mut self, consumed: &Consumed) {
        for scope in &mut self.scopes {
            for handle in &consumed.handles {
                scope.mapped.shift_remove(handle);
            }
        }
        if consumed.entities.is_empty() {
            return;
        }
        let gone: FxHashSet<Entity> = consumed.entities.iter().copied().collect();
        for mapped in self.scopes.iter_mut().flat_map(|scope| scope.mapped.values_mut()) {
            mapped.entities.retain(|entity| !gone.contains(entity));
        }
    }
}

fn is_there(cx: &Context, places: &Places, outermost: &Arena, entity: Entity) -> bool {
    match entity {
        Entity::Op(op) => places.arena(cx, outermost, op.arena).is_some_and(|arena| arena.is_live(op.id)),
        Entity::Value(value) => places
            .arena(cx, outermost, value.arena)
            .is_some_and(|arena| arena.defining_op(value.id).is_none_or(|op| arena.is_live(op))),
        Entity::Param(_) => true,
    }
}

fn text(op: OpRef<'_>) -> String {
    let mut text = Vec::new();
    print_op_in_place(op, &PrintOptions::default(), &mut text).expect("memory can be written to");
    String::from_utf8_lossy(&text).trim_end().to_owned()
}

/// What an operation makes invalid.
#[derive(Default)]
struct Consumed {
    handles: Vec<Handle>,
    /// What other handles do not stand for any more.
    entities: Vec<Entity>,
}

/// Whether `op` fails where it loses track of something.
fn reports_losses(op: OpRef<'_>) -> bool {
    op.names_interface("ReportTrackingListenerFailuresOpTrait")
        && op.attr("transform.silence_tracking_failures").is_none()
}

/// Whether `a`, or an operation around it, comes before the operation around `b` in its block, and `b` is not in it.
fn happens_before(a: OpRef<'_>, b: OpRef<'_>) -> bool {
    let ir = a.arena();
    for outer in std::iter::successors(Some(a), |op| op.parent()) {
        if outer.id() != b.id() && outer.is_ancestor_of(b.id()) {
            return false;
        }
        let block = ir.block_of(outer.id());
        let around = std::iter::successors(Some(b.id()), |&op| ir.parent_op(op));
        if let Some(other) = { around }.find(|&op| block.is_some() && ir.block_of(op) == block) {
            return other != outer.id() && ir.is_before_in_block(outer.id(), other);
        }
    }
    false
}
