//! `scf-for-loop-pipelining`: values are loaded some iterations before they are used.
//!
//! The software pipelining of two stages: loads, with what computes where they load from, and all the rest. Source: M. Lam, "Software pipelining: an
//! effective scheduling technique for VLIW machines", PLDI 1988, with a fixed schedule.

use dl_arith::AddIOp;
use dl_ir::effects::{effects_of, is_pure};
use dl_ir::interfaces::LoopLike;
use dl_ir::opdef::Effects;
use dl_ir::pass::{Pass, PassCx, PassInfo, PassOptions, PassResult};
use dl_ir::walk::ops_in_arena;
use dl_ir::{AttrRef, Mapping, OpId, OpRef, OpState, OpView, Rewriter, ValueId, ValueRef, clone_op};
use dl_passes_transforms::alias::{Alias, alias};
use dl_scf::{ForOp, YieldOp};

use crate::nest::build_for;

dl_ir::pass_options! {
    /// Options of [`ForLoopPipelining`].
    pub struct ForLoopPipeliningOptions {
        /// How many iterations before its use a value is loaded
        distance "distance": u32 = 1,
    }
}

/// Loads what an iteration needs `distance` iterations earlier, so that the rest of the loop need not wait for memory. The first loads stand before
/// the loop, the last iterations after it, and the loop carries what is loaded but not used yet.
///
/// A load goes ahead if it follows from the induction variable and from what is known before the loop, and if nothing in the loop may write to the
/// memory that it reads: see `dl_passes_transforms::alias`. A loop is left alone that does not run a known number of times, more than `distance`.
#[derive(Clone, Default)]
pub struct ForLoopPipelining {
    /// The options.
    pub options: ForLoopPipeliningOptions,
}

impl Pass for ForLoopPipelining {
    const INFO: PassInfo = PassInfo::new("scf-for-loop-pipelining", "Load values some iterations before they are used")
        .title("SCFForLoopPipelining");

    fn options(&mut self) -> Option<&mut dyn PassOptions> {
        Some(&mut self.options)
    }

    fn run(&mut self, cx: &mut PassCx<'_>) -> PassResult {
        let distance = i64::from(self.options.distance);
        crate::rewrite_each::<ForOp<'_>>(cx, &mut |rw, op| {
            if let Some(plan) = Plan::of(ForOp::wrap(rw.op(op)), distance) {
                plan.apply(rw, op);
            }
            Ok(())
        })
    }
}

/// More copies of operations than this would only fill memory.
const MOST_COPIES: usize = 1 << 12;

/// What goes ahead in a loop, and by how much.
struct Plan {
    /// Loads, and what computes where they load from, in order.
    ahead: Vec<OpId>,
    /// What is loaded.
    loaded: Vec<ValueId>,
    /// The other operations of the body, those that compute where to load from included.
    rest: Vec<OpId>,
    lower: i64,
    step: i64,
    count: i64,
    distance: i64,
}

impl Plan {
    fn of(each: ForOp<'_>, distance: i64) -> Option<Self> {
        let number = |value: ValueRef<'_>| value.constant().and_then(AttrRef::as_int);
        let (lower, upper) = (number(each.lower_bound())?, number(each.upper_bound())?);
        let step = number(each.step()).filter(|&step| step > 0 && each.unsigned_cmp().is_none())?;
        let span = upper.checked_sub(lower).filter(|&span| span > 0)?;
        let count = span / step + i64::from(span % step > 0);
        if distance == 0 || count <= distance {
            return None;
        }
        let body = each.region().entry()?;
        let ops: Vec<OpRef<'_>> = body.ops().filter(|op| op.next().is_some()).collect();
        let writes = Writes::in_loop(each.0)?;
        let mut follows: Vec<OpRef<'_>> = Vec::new();
        for &op in &ops {
            let variable = body.args().next();
            let is_known = |value: ValueRef<'_>| {
                Some(value) == variable
                    || !value.is_defined_in(each.0)
                    || value.defining_op().is_some_and(|maker| follows.contains(&maker) && !is_load(maker))
            };
            let goes = is_load(op) && !writes.may_touch(op) || is_pure(op);
            if goes && op.num_regions() == 0 && op.operands().iter().all(is_known) {
                follows.push(op);
            }
        }
        let loads: Vec<OpRef<'_>> = follows.iter().copied().filter(|&op| is_load(op)).collect();
        let mut needed: Vec<OpRef<'_>> = loads.clone();
        for &op in follows.iter().rev() {
            let is_needed = |user: OpRef<'_>| needed.contains(&user);
            if !is_load(op) && op.results().iter().any(|result| result.uses().any(|(user, _)| is_needed(user))) {
                needed.push(op);
            }
        }
        let ahead: Vec<OpId> = follows.iter().filter(|op| needed.contains(op)).map(|op| op.id()).collect();
        let loaded: Vec<ValueId> = loads.iter().flat_map(|op| op.results().iter().map(|result| result.id())).collect();
        let rest: Vec<OpId> = ops.iter().filter(|op| !loads.contains(op)).map(|op| op.id()).collect();
        let inside = ops_in_arena(each.0.arena(), each.0.id()).len();
        let copies = usize::try_from(distance).ok()?.checked_mul(inside)?;
        let plan = Self { ahead, loaded, rest, lower, step, count, distance };
        (!plan.loaded.is_empty() && copies <= MOST_COPIES).then_some(plan)
    }

    fn apply(&self, rw: &mut Rewriter<'_>, op: OpId) {
        let view = ForOp::wrap(rw.op(op));
        let loc = view.0.loc();
        let Some(old_body) = view.region().entry() else { return };
        let old_args: Vec<ValueId> = old_body.args().map(ValueRef::id).collect();
        let (lower, step, inits) = (view.lower_bound().id(), view.step().id(), view.init_args().ids());
        let (Some(end), variable) = (old_body.last_op().map(OpRef::id), old_args[0]) else { return };
        let yielded: Vec<ValueId> = rw.ir().operands(end).collect();
        rw.set_insertion_before(op);
        // What the first iterations load, oldest first.
        let mut waiting: Vec<Vec<ValueId>> = vec![Vec::new(); self.loaded.len()];
        for iteration in 0..self.distance {
            let at = self.number(rw, variable, self.lower + iteration * self.step, op);
            let loaded = self.load(rw, at, variable);
            waiting.iter_mut().zip(loaded).for_each(|(queue, value)| queue.push(value));
        }
        let upper = self.number(rw, variable, self.lower + (self.count - self.distance) * self.step, op);
        let carried: Vec<ValueId> = inits.iter().copied().chain(waiting.iter().flatten().copied()).collect();
        let (made, body) = build_for(rw, [lower, upper, step], &carried, loc);
        let args = rw.ir().block_args(body).to_vec();
        let results: Vec<ValueId> = rw.ir().results(made).collect();
        rw.set_insertion_to_end(body);
        let ahead_by = self.number(rw, variable, self.distance * self.step, op);
        let next = dl_arith::build::binary::<AddIOp<'_>>(rw, args[0], ahead_by, loc);
        let loaded = self.load(rw, next, variable);
        let depth = self.distance as usize;
        let queues: Vec<&[ValueId]> = args[old_args.len()..].chunks(depth).collect();
        let mut mapping = Mapping::new();
        old_args.iter().zip(&args).for_each(|(&from, &to)| mapping.map(from, to));
        self.loaded.iter().zip(&queues).for_each(|(&value, queue)| mapping.map(value, queue[0]));
        for &each in &self.rest {
            clone_op(rw, each, &mut mapping);
        }
        let mut next_carried: Vec<ValueId> = yielded.iter().map(|&value| mapping.value(value)).collect();
        for (queue, value) in queues.iter().zip(loaded) {
            next_carried.extend(queue[1..].iter().copied().chain([value]));
        }
        rw.create(OpState::of::<YieldOp<'_>>(loc).operands(next_carried));
        rw.set_insertion_before(op);
        let mut current: Vec<ValueId> = results[..inits.len()].to_vec();
        let queues: Vec<&[ValueId]> = results[inits.len()..].chunks(depth).collect();
        for iteration in 0..depth {
            let first = self.count - self.distance + iteration as i64;
            let at = self.number(rw, variable, self.lower + first * self.step, op);
            let mut mapping = Mapping::new();
            mapping.map(variable, at);
            old_args[1..].iter().zip(&current).for_each(|(&from, &to)| mapping.map(from, to));
            self.loaded.iter().zip(&queues).for_each(|(&value, queue)| mapping.map(value, queue[iteration]));
            for &each in &self.rest {
                clone_op(rw, each, &mut mapping);
            }
            current = yielded.iter().map(|&value| mapping.value(value)).collect();
        }
        rw.replace(op, &current);
    }

    /// What goes ahead, at the insertion point, for the iteration where the induction variable is `at`; what is loaded.
    fn load(&self, rw: &mut Rewriter<'_>, at: ValueId, variable: ValueId) -> Vec<ValueId> {
        let mut mapping = Mapping::new();
        mapping.map(variable, at);
        for &each in &self.ahead {
            clone_op(rw, each, &mut mapping);
        }
        self.loaded.iter().map(|&value| mapping.value(value)).collect()
    }

    /// A constant of the type of the induction variable.
    fn number(&self, rw: &mut Rewriter<'_>, variable: ValueId, number: i64, op: OpId) -> ValueId {
        let (ty, loc) = (rw.ir().value_type(variable), rw.op(op).loc());
        dl_arith::constant(rw, rw.cx().int_attr(ty, number), loc)
    }
}

/// Whether all that `op` does is to read elements of memory that it is handed. A tensor would stand for memory that may be written later.
fn is_load(op: OpRef<'_>) -> bool {
    op.num_regions() == 0
        && effects_of(op) == Some(Effects::READ)
        && op.operands().iter().any(|value| value.ty().is_memref())
        && op.results().iter().all(|result| !result.ty().is_tensor())
}

/// The memory that a loop may write to.
struct Writes<'a>(Vec<ValueRef<'a>>);

impl<'a> Writes<'a> {
    /// `None` where something writes that does not say where, or may go on for ever, so that what comes after it would never be loaded.
    fn in_loop(each: OpRef<'a>) -> Option<Self> {
        let mut written = Vec::new();
        for id in ops_in_arena(each.arena(), each.id()).into_iter().skip(1) {
            let op = OpRef::new(each.cx(), each.arena(), id);
            // Operations of `linalg` have regions, and read and write by themselves.
            if op.has_trait(&dl_ir::Trait::RecursiveMemoryEffects) && op.info().hooks.effects.is_none() {
                let ends = op.interface::<dyn LoopLike>().is_none_or(|as_loop| as_loop.dims(op).is_some());
                if !ends {
                    return None;
                }
                continue;
            }
            let effects = effects_of(op)?;
            if effects.contains(Effects::WRITE) || effects.contains(Effects::FREE) {
                let before = written.len();
                written.extend(op.operands().iter().filter(|value| value.ty().is_memref()));
                if written.len() == before {
                    return None;
                }
            }
        }
        Some(Self(written))
    }

    /// Whether what `op` is handed may be written to.
    fn may_touch(&self, op: OpRef<'a>) -> bool {
        let mut memory = op.operands().iter().filter(|value| value.ty().is_memref());
        memory.any(|read| self.0.iter().any(|&written| alias(read, written) != Alias::No))
    }
}
