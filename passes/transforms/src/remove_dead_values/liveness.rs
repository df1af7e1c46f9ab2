//! Which values matter: those that something with an effect needs, or that are returned to somebody unknown.

use dl_ir::effects::would_be_trivially_dead;
use dl_ir::interfaces::{BranchOp, CallOp, FunctionOp, RegionBranchOp, RegionPoint, ends_region};
use dl_ir::opdef::Trait;
use dl_ir::{Arena, BlockRef, Definition, OpId, OpRef, ValueId, ValueRef};
use smallvec::SmallVec;

use crate::dataflow::{Arenas, Callables, Facts, Lattice, solve};
use crate::sccp::{Constants, Constness};

/// What is known of all values below an operation.
pub(super) struct Liveness {
    arenas: Arenas,
    /// By number of arena, then by value.
    live: Vec<Vec<bool>>,
    functions: Vec<Function>,
    /// Where control can go, as far as constants decide it.
    paths: Facts<Constness>,
}

/// What is known of a function, by the number of its arena.
#[derive(Default)]
struct Function {
    /// Whether all calls are known, and each return returns all results.
    is_closed: bool,
    /// The calls: arena and operation.
    calls: Vec<(usize, OpId)>,
    /// Which results some call needs.
    results: Vec<bool>,
}

impl Liveness {
    /// That of all values below `root`, the root of an arena. `hidden` where nothing outside refers to symbols in it. Costs what
    /// [`solve`] costs.
    pub(super) fn new(root: OpRef<'_>, hidden: bool) -> Self {
        let mut roots = Vec::new();
        let mut pending = vec![root];
        while let Some(root) = pending.pop() {
            roots.push(root);
            pending.extend(root.arena().children().map(|child| OpRef::root(root.cx(), child)));
        }
        let arenas = Arenas::new(&roots);
        let callables = Callables::new(root, hidden, &arenas);
        let mut functions: Vec<Function> =
            roots.iter().enumerate().map(|(number, root)| function(*root, callables.is_closed(number))).collect();
        for (number, root) in roots.iter().enumerate() {
            for op in dl_ir::walk::ops_in_arena(root.arena(), Arena::ROOT) {
                let op = OpRef::new(root.cx(), root.arena(), op);
                let Some(callee) = callables.callee((number, op.id())) else { continue };
                if !is_simple_call(op, roots[callee]) {
                    functions[callee].is_closed = false;
                }
                functions[callee].calls.push((number, op.id()));
            }
        }
        let live = roots.iter().map(|root| vec![false; root.arena().num_value_slots()]).collect();
        let paths = solve(root, hidden, &Constants);
        let all = Self { arenas, live, functions, paths };
        let mut solver = Solver { roots, callables, all, pending: Vec::new() };
        solver.run();
        solver.all
    }

    /// The number of `ir`.
    pub(super) fn arena(&self, ir: &Arena) -> Option<usize> {
        self.arenas.find(ir)
    }

    /// Whether `value` matters. Values made since do.
    pub(super) fn is_live(&self, number: usize, value: ValueId) -> bool {
        self.live[number].get(value.index()).copied().unwrap_or(true)
    }

    /// Which results of a function matter, if all calls are known.
    pub(super) fn results(&self, function: usize) -> Option<&[bool]> {
        let function = &self.functions[function];
        function.is_closed.then_some(&function.results)
    }

    /// Whether control can reach `op`.
    pub(super) fn is_reached(&self, op: OpRef<'_>) -> bool {
        op.block().is_none_or(|block| self.paths.is_reached(block))
    }

    /// The ends of the regions of `op` that hand control on, and can be reached, each with where control may go from there.
    pub(super) fn ends<'a>(&self, op: OpRef<'a>) -> Vec<(OpRef<'a>, SmallVec<[RegionPoint; 2]>)> {
        let Some(branch) = op.interface::<dyn RegionBranchOp>() else { return Vec::new() };
        let blocks = op.regions().flat_map(|region| region.blocks());
        let ends = blocks.filter_map(BlockRef::terminator).filter(|end| ends_region(*end) && self.is_reached(*end));
        let successors = |end: OpRef<'a>| {
            let constants: Vec<_> = end.operands().iter().map(|operand| self.paths.of(operand).constant()).collect();
            branch.terminator_successors(op, end, &constants)
        };
        ends.map(|end| (end, successors(end))).collect()
    }

    /// Each known call, with the number of what it calls.
    pub(super) fn calls(&self, number: usize) -> impl Iterator<Item = (OpId, usize)> {
        let functions = self.functions.iter().enumerate().filter(|(_, function)| function.is_closed);
        functions.flat_map(move |(callee, function)| {
            function.calls.iter().filter(move |(arena, _)| *arena == number).map(move |&(_, op)| (op, callee))
        })
    }
}

/// What is known of the root of an arena, where `is_closed` says that all calls of it are known.
fn function(root: OpRef<'_>, is_closed: bool) -> Function {
    let Some(interface) = root.interface::<dyn FunctionOp>() else { return Function::default() };
    let results = interface.results(root).len();
    let returns = |block: BlockRef<'_>| {
        block.terminator().is_some_and(|end| !end.has_trait(&Trait::ReturnLike) || end.num_operands() == results)
    };
    let is_closed = is_closed && interface.body(root).blocks().all(returns);
    Function { is_closed, calls: Vec::new(), results: vec![false; results] }
}

/// Whether arguments of `callee` can be left out of the call `op`, and results of `callee` are those of `op`.
fn is_simple_call(op: OpRef<'_>, callee: OpRef<'_>) -> bool {
    let (Some(call), Some(function)) = (op.interface::<dyn CallOp>(), callee.interface::<dyn FunctionOp>()) else {
        return false;
    };
    let arguments = call.arguments(op);
    !op.has_trait(&Trait::AttrSizedOperandSegments)
        && !op.has_trait(&Trait::Terminator)
        && op.num_regions() == 0
        && function.body(callee).entry().is_some_and(|entry| entry.num_args() == arguments.len())
        && function.results(callee).len() == op.num_results()
}

struct Solver<'a> {
    roots: Vec<OpRef<'a>>,
    callables: Callables,
    all: Liveness,
    pending: Vec<(usize, ValueId)>,
}

impl<'a> Solver<'a> {
    fn run(&mut self) {
        for number in 0..self.roots.len() {
            let root = self.roots[number];
            for op in dl_ir::walk::ops_in_arena(root.arena(), Arena::ROOT).into_iter().filter(|&op| op != Arena::ROOT) {
                let op = OpRef::new(root.cx(), root.arena(), op);
                if self.all.is_reached(op) {
                    self.visit(number, op);
                }
            }
        }
        while let Some((number, value)) = self.pending.pop() {
            let root = self.roots[number];
            self.propagate(number, ValueRef::new(root.cx(), root.arena(), value));
        }
    }

    fn mark(&mut self, number: usize, value: ValueRef<'a>) {
        if !std::mem::replace(&mut self.all.live[number][value.id().index()], true) {
            self.pending.push((number, value.id()));
        }
    }

    fn mark_all(&mut self, number: usize, op: OpRef<'a>) {
        op.operands().iter().for_each(|operand| self.mark(number, operand));
    }

    /// The callee of the call at `op`, if all calls of it are known.
    fn closed_callee(&self, number: usize, op: OpId) -> Option<usize> {
        self.callables.callee((number, op)).filter(|&callee| self.all.functions[callee].is_closed)
    }

    /// Marks the operands that matter whatever becomes of results.
    fn visit(&mut self, number: usize, op: OpRef<'a>) {
        if let Some(call) = op.interface::<dyn CallOp>() {
            let passed = call.arguments(op).range();
            let is_closed = self.closed_callee(number, op.id()).is_some();
            for (_, operand) in op.operands().iter().enumerate().filter(|(i, _)| !is_closed || !passed.contains(i)) {
                self.mark(number, operand);
            }
        } else if op.is_stub() {
            self.mark_all(number, op);
        } else if op.interface::<dyn RegionBranchOp>().is_some() {
            if !would_be_trivially_dead(op) {
                self.mark_deciding(number, op);
            }
        } else if let Some(branch) = op.interface::<dyn BranchOp>() {
            let passed: Vec<_> = branch.all_successor_operands(op).iter().map(|operands| operands.range()).collect();
            for (index, operand) in op.operands().iter().enumerate() {
                if !passed.iter().any(|range| range.contains(&index)) {
                    self.mark(number, operand);
                }
            }
        } else if op.block().and_then(BlockRef::terminator) == Some(op) {
            self.visit_end(number, op);
        } else if !would_be_trivially_dead(op) {
            self.mark_all(number, op);
        }
    }

    /// The end of a region, which is not a branch.
    fn visit_end(&mut self, number: usize, op: OpRef<'a>) {
        let Some(parent) = op.parent() else { return };
        let is_known = if parent.is_root() {
            self.all.functions[number].is_closed && op.has_trait(&Trait::ReturnLike)
        } else {
            parent.interface::<dyn RegionBranchOp>().is_some() && ends_region(op)
        };
        if !is_known {
            self.mark_all(number, op);
        }
    }

    /// Marks what decides how the regions of `op` are executed: operands that are not passed on, of the operation and of the ends of its
    /// regions.
    fn mark_deciding(&mut self, number: usize, op: OpRef<'a>) {
        let Some(branch) = op.interface::<dyn RegionBranchOp>() else { return };
        let entries = branch.successors(op, RegionPoint::Parent);
        let passed: Vec<_> = entries.iter().map(|&to| branch.entry_operands(op, to).range()).collect();
        for (index, operand) in op.operands().iter().enumerate() {
            if !passed.iter().any(|range| range.contains(&index)) {
                self.mark(number, operand);
            }
        }
        for (end, _) in self.all.ends(op) {
            let region = end.block().and_then(BlockRef::region).map_or(0, dl_ir::RegionRef::index);
            let successors = branch.successors(op, RegionPoint::Region(region));
            let passed: Vec<_> = successors.iter().map(|&to| branch.terminator_operands(end, to).range()).collect();
            for (index, operand) in end.operands().iter().enumerate() {
                if !passed.iter().any(|range| range.contains(&index)) {
                    self.mark(number, operand);
                }
            }
        }
    }

    /// Marks what `value`, which matters, is made from.
    fn propagate(&mut self, number: usize, value: ValueRef<'a>) {
        match value.definition() {
            Definition::Result(_) => {
                let Some(op) = value.defining_op() else { return };
                if let Some(callee) = self.closed_callee(number, op.id()) {
                    self.mark_returned(callee, value.index());
                } else if op.interface::<dyn RegionBranchOp>().is_some() && !op.is_stub() {
                    self.mark_deciding(number, op);
                    self.mark_passed(number, op, RegionPoint::Parent, value);
                } else {
                    self.mark_all(number, op);
                }
            }
            Definition::Argument(_) => {
                if let Some(block) = value.owner_block() {
                    self.propagate_argument(number, block, value);
                }
            }
        }
    }

    fn propagate_argument(&mut self, number: usize, block: BlockRef<'a>, value: ValueRef<'a>) {
        for (op, index) in block.predecessor_ops().filter(|(op, _)| self.all.is_reached(*op)).collect::<Vec<_>>() {
            let Some(branch) = op.interface::<dyn BranchOp>() else { continue };
            if let Some(operand) = branch.successor_operands(op, index).get(value.index()) {
                self.mark(number, operand);
            }
        }
        let Some(parent) = block.parent_op().filter(|_| block.is_entry()) else { return };
        if parent.is_root() {
            for (caller, call) in self.all.functions[number].calls.clone() {
                let root = self.roots[caller];
                let call = OpRef::new(root.cx(), root.arena(), call);
                let arguments = call.interface::<dyn CallOp>().map(|interface| interface.arguments(call));
                if let Some(operand) = arguments.and_then(|arguments| arguments.get(value.index())) {
                    self.mark(caller, operand);
                }
            }
        } else if parent.interface::<dyn RegionBranchOp>().is_some() {
            let index = block.region().map_or(0, dl_ir::RegionRef::index);
            self.mark_deciding(number, parent);
            self.mark_passed(number, parent, RegionPoint::Region(index), value);
        }
    }

    /// Marks what `op` and the ends of its regions pass to `value`, which control finds at `to`.
    fn mark_passed(&mut self, number: usize, op: OpRef<'a>, to: RegionPoint, value: ValueRef<'a>) {
        let Some(branch) = op.interface::<dyn RegionBranchOp>() else { return };
        let Some(at) = branch.inputs(op, to).iter().position(|&input| input == value) else { return };
        if branch.successors(op, RegionPoint::Parent).contains(&to)
            && let Some(operand) = branch.entry_operands(op, to).get(at)
        {
            self.mark(number, operand);
        }
        for (end, successors) in self.all.ends(op) {
            if successors.contains(&to)
                && let Some(operand) = branch.terminator_operands(end, to).get(at)
            {
                self.mark(number, operand);
            }
        }
    }

    /// Result `index` of a function matters.
    fn mark_returned(&mut self, function: usize, index: usize) {
        if std::mem::replace(&mut self.all.functions[function].results[index], true) {
            return;
        }
        let root = self.roots[function];
        let Some(interface) = root.interface::<dyn FunctionOp>() else { return };
        for end in interface.body(root).blocks().filter_map(BlockRef::terminator) {
            if end.has_trait(&Trait::ReturnLike)
                && let Some(operand) = end.operands().get(index)
            {
                self.mark(function, operand);
            }
        }
    }
}
