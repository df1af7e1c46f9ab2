//! Follows all paths that can be taken until nothing new is learned.

use std::collections::VecDeque;

use dl_ir::interfaces::{BranchOp, CallOp, FunctionOp, RegionBranchOp, RegionPoint, ends_region};
use dl_ir::opdef::Trait;
use dl_ir::{Attr, BlockRef, OpId, OpRef, RegionRef, ValueId, ValueRef};
use rustc_hash::FxHashMap;
use smallvec::SmallVec;

use super::callables::{Callables, Place};
use super::facts::{Arenas, Facts};
use super::{Analysis, Lattice};

/// Analyzes what is nested in `root`, the root of an arena, and in all arenas below. `hidden` where nothing outside refers to symbols in it.
/// Costs O(operations and their operands) times how often what is known of a value changes.
pub fn solve<A: Analysis>(root: OpRef<'_>, hidden: bool, analysis: &A) -> Facts<A::Fact> {
    let mut roots = Vec::new();
    let mut pending = vec![root];
    while let Some(root) = pending.pop() {
        roots.push(root);
        pending.extend(root.arena().children().map(|child| OpRef::root(root.cx(), child)));
    }
    let arenas = Arenas::new(&roots);
    let functions = roots.iter().map(|root| Function::of(*root)).collect();
    let mut solver = Solver {
        analysis,
        callables: Callables::new(root, hidden, &arenas),
        live: roots.iter().map(|root| vec![false; root.arena().num_block_slots()]).collect(),
        waiting: roots.iter().map(|root| vec![false; root.arena().num_op_slots()]).collect(),
        facts: Facts {
            arenas,
            reached: Vec::new(),
            values: roots.iter().map(|root| vec![A::Fact::default(); root.arena().num_value_slots()]).collect(),
        },
        functions,
        roots,
        pending: VecDeque::new(),
        readers: FxHashMap::default(),
    };
    solver.run();
    solver.facts.reached = solver.live;
    solver.facts
}

/// What is known of a function as a whole.
struct Function<F> {
    /// What its results may be.
    results: Vec<F>,
    /// Whether it may end in a way that is not understood.
    is_opaque: bool,
    /// The calls to it that may be executed.
    calls: Vec<Place>,
}

impl<F: Lattice> Function<F> {
    fn of(root: OpRef<'_>) -> Self {
        let results = root.interface::<dyn FunctionOp>().map_or(0, |function| function.results(root).len());
        Self { results: vec![F::default(); results], is_opaque: false, calls: Vec::new() }
    }
}

struct Solver<'a, 's, A: Analysis> {
    analysis: &'s A,
    /// The root of each arena.
    roots: Vec<OpRef<'a>>,
    facts: Facts<A::Fact>,
    /// Which blocks may be executed, by number of arena.
    live: Vec<Vec<bool>>,
    functions: Vec<Function<A::Fact>>,
    callables: Callables,
    pending: VecDeque<Place>,
    /// Which operations are pending, by number of arena.
    waiting: Vec<Vec<bool>>,
    /// The operations to look at again when this value changes, besides its users.
    readers: FxHashMap<(usize, ValueId), Vec<OpId>>,
}

impl<'a, A: Analysis> Solver<'a, '_, A> {
    fn run(&mut self) {
        for number in 0..self.roots.len() {
            // Functions that are only called from where all can be seen wait for a call.
            if !self.callables.is_closed(number) {
                let root = self.roots[number];
                root.regions().for_each(|region| self.enter_with_anything(number, region));
            }
        }
        while let Some((number, op)) = self.pending.pop_front() {
            self.waiting[number][op.index()] = false;
            let root = self.roots[number];
            let op = OpRef::new(root.cx(), root.arena(), op);
            if op.block().is_some_and(|block| self.live[number][block.id().index()]) {
                self.visit(number, op);
            }
        }
    }

    // What is known.

    fn push(&mut self, number: usize, op: OpId) {
        if !std::mem::replace(&mut self.waiting[number][op.index()], true) {
            self.pending.push_back((number, op));
        }
    }

    fn fact(&self, number: usize, value: ValueRef<'a>) -> &A::Fact {
        &self.facts.values[number][value.id().index()]
    }

    fn join(&mut self, number: usize, value: ValueRef<'a>, fact: &A::Fact) {
        let known = &mut self.facts.values[number][value.id().index()];
        let before = known.clone();
        known.join(fact);
        if *known != before {
            let readers = self.readers.remove(&(number, value.id())).unwrap_or_default();
            for user in value.uses().map(|(user, _)| user.id()).chain(readers) {
                self.push(number, user);
            }
        }
    }

    fn forget(&mut self, number: usize, value: ValueRef<'a>) {
        let unknown = self.analysis.unknown(value);
        self.join(number, value, &unknown);
    }

    fn forget_results(&mut self, number: usize, op: OpRef<'a>) {
        op.results().iter().for_each(|result| self.forget(number, result));
    }

    /// The constants among the operands, if something is known of each.
    fn constants(&self, number: usize, op: OpRef<'a>) -> Option<SmallVec<[Option<Attr>; 4]>> {
        let constant = |value| {
            let fact = self.fact(number, value);
            (*fact != A::Fact::default()).then(|| fact.constant())
        };
        op.operands().iter().map(constant).collect()
    }

    // Where control goes.

    /// Control may reach `block`.
    fn enter(&mut self, number: usize, block: BlockRef<'a>) {
        if !std::mem::replace(&mut self.live[number][block.id().index()], true) {
            block.ops().for_each(|op| self.push(number, op.id()));
        }
    }

    /// Control may reach `region`, whose arguments come from somewhere unknown.
    fn enter_with_anything(&mut self, number: usize, region: RegionRef<'a>) {
        if let Some(entry) = region.entry() {
            entry.args().for_each(|arg| self.forget(number, arg));
            self.enter(number, entry);
        }
    }

    /// What is known of `value`, an argument of a region of `op` that nothing is passed to.
    fn argument(&self, number: usize, op: OpRef<'a>, value: ValueRef<'a>) -> A::Fact {
        let facts = &self.facts.values[number];
        self.analysis.argument(op, value, &|other| facts[other.id().index()].clone())
    }

    /// Passes `values` on to `targets`, or anything if they are not as many.
    fn pass(
        &mut self,
        number: usize,
        values: impl ExactSizeIterator<Item = ValueRef<'a>>,
        targets: impl ExactSizeIterator<Item = ValueRef<'a>>,
    ) {
        if values.len() != targets.len() {
            targets.for_each(|target| self.forget(number, target));
            return;
        }
        for (value, target) in values.zip(targets) {
            let fact = self.fact(number, value).clone();
            self.join(number, target, &fact);
        }
    }

    fn visit(&mut self, number: usize, op: OpRef<'a>) {
        if op.interface::<dyn CallOp>().is_some() {
            self.visit_call(number, op);
        }
        if op.num_successors() > 0 {
            self.visit_branch(number, op);
        } else if op.block().and_then(BlockRef::terminator) == Some(op) {
            self.visit_end(number, op);
        }
        if op.is_stub() {
            // What is in it has an arena of its own.
            self.forget_results(number, op);
        } else if let Some(branch) = op.interface::<dyn RegionBranchOp>() {
            self.visit_region_branch(number, op, branch);
        } else if op.num_regions() > 0 {
            for entry in op.regions().filter_map(RegionRef::entry) {
                for arg in entry.args() {
                    let fact = self.argument(number, op, arg);
                    self.join(number, arg, &fact);
                }
                self.enter(number, entry);
            }
            self.forget_results(number, op);
        } else if op.num_results() > 0 && op.interface::<dyn CallOp>().is_none() {
            self.visit_plain(number, op);
        }
    }

    fn visit_plain(&mut self, number: usize, op: OpRef<'a>) {
        let operands: SmallVec<[A::Fact; 4]> =
            op.operands().iter().map(|operand| self.fact(number, operand).clone()).collect();
        if operands.contains(&A::Fact::default()) {
            return;
        }
        let (values, readers) = (&self.facts.values[number], &mut self.readers);
        let results = self.analysis.results(op, &operands, &mut |value| {
            readers.entry((number, value)).or_default().push(op.id());
            values[value.index()].clone()
        });
        for (result, fact) in op.results().iter().zip(&results) {
            let before = self.fact(number, result);
            let mut joined = before.clone();
            joined.join(fact);
            if *before != A::Fact::default() && joined != *before {
                let changed = self.analysis.changed(result, joined);
                self.join(number, result, &changed);
            } else {
                self.join(number, result, fact);
            }
        }
    }

    fn visit_call(&mut self, number: usize, op: OpRef<'a>) {
        let place = (number, op.id());
        let (Some(call), Some(callee)) = (op.interface::<dyn CallOp>(), self.callables.callee(place)) else {
            return self.forget_results(number, op);
        };
        if !self.functions[callee].calls.contains(&place) {
            self.functions[callee].calls.push(place);
        }
        let root = self.roots[callee];
        let entry = root.interface::<dyn FunctionOp>().and_then(|function| function.body(root).entry());
        if let Some(entry) = entry {
            let given: SmallVec<[A::Fact; 4]> =
                call.arguments(op).iter().map(|value| self.fact(number, value).clone()).collect();
            if given.len() == entry.num_args() {
                entry.args().zip(&given).for_each(|(arg, fact)| self.join(callee, arg, fact));
            } else {
                entry.args().for_each(|arg| self.forget(callee, arg));
            }
            self.enter(callee, entry);
        }
        if self.functions[callee].is_opaque || self.functions[callee].results.len() != op.num_results() {
            return self.forget_results(number, op);
        }
        for (i, result) in op.results().iter().enumerate() {
            let fact = self.functions[callee].results[i].clone();
            self.join(number, result, &fact);
        }
    }

    fn visit_branch(&mut self, number: usize, op: OpRef<'a>) {
        let Some(branch) = op.interface::<dyn BranchOp>() else {
            for block in op.successors() {
                block.args().for_each(|arg| self.forget(number, arg));
                self.enter(number, block);
            }
            return;
        };
        let Some(constants) = self.constants(number, op) else { return };
        let taken = branch.taken_successor(op, &constants);
        for (i, (block, operands)) in op.successors().zip(branch.all_successor_operands(op)).enumerate() {
            if taken.is_none_or(|taken| taken == i) {
                self.pass(number, operands.iter(), block.args());
                self.enter(number, block);
            }
        }
    }

    /// The end of a region.
    fn visit_end(&mut self, number: usize, op: OpRef<'a>) {
        let Some(parent) = op.parent() else { return };
        if parent.is_root() {
            return self.visit_return(number, op);
        }
        let Some(branch) = parent.interface::<dyn RegionBranchOp>() else { return };
        if !ends_region(op) {
            // Where it goes is not known, nor what it passes on.
            for to in (0..parent.num_regions()).map(RegionPoint::Region).chain([RegionPoint::Parent]) {
                self.follow(number, parent, branch, to, std::iter::empty());
            }
            return;
        }
        let Some(constants) = self.constants(number, op) else { return };
        for to in branch.terminator_successors(parent, op, &constants) {
            self.follow(number, parent, branch, to, branch.terminator_operands(op, to).iter());
        }
    }

    fn visit_return(&mut self, number: usize, op: OpRef<'a>) {
        let function = &mut self.functions[number];
        let understood = op.has_trait(&Trait::ReturnLike) && op.num_operands() == function.results.len();
        let mut changed = !understood && !function.is_opaque;
        function.is_opaque |= !understood;
        if understood {
            for (known, value) in function.results.iter_mut().zip(op.operands().iter()) {
                let before = known.clone();
                known.join(&self.facts.values[number][value.id().index()]);
                changed |= *known != before;
            }
        }
        if changed {
            for (caller, call) in function.calls.clone() {
                self.push(caller, call);
            }
        }
    }

    fn visit_region_branch(&mut self, number: usize, op: OpRef<'a>, branch: &'a dyn RegionBranchOp) {
        let Some(constants) = self.constants(number, op) else { return };
        for to in branch.entry_successors(op, &constants) {
            self.follow(number, op, branch, to, branch.entry_operands(op, to).iter());
        }
    }

    /// Passes `values` to a region of `op`, or to its results. What receives none of them may be anything.
    fn follow(
        &mut self,
        number: usize,
        op: OpRef<'a>,
        branch: &'a dyn RegionBranchOp,
        to: RegionPoint,
        values: impl ExactSizeIterator<Item = ValueRef<'a>>,
    ) {
        let entry = match to {
            RegionPoint::Parent => None,
            RegionPoint::Region(index) => op.region(index).entry(),
        };
        let inputs = branch.inputs(op, to);
        let all: SmallVec<[ValueRef<'a>; 4]> = match to {
            RegionPoint::Parent => op.results().iter().collect(),
            RegionPoint::Region(_) => entry.into_iter().flat_map(BlockRef::args).collect(),
        };
        for &value in all.iter().filter(|value| !inputs.contains(value)) {
            let fact = match to {
                RegionPoint::Parent => self.analysis.unknown(value),
                RegionPoint::Region(_) => self.argument(number, op, value),
            };
            self.join(number, value, &fact);
        }
        self.pass(number, values, inputs.into_iter());
        if let Some(entry) = entry {
            self.enter(number, entry);
        }
    }
}
