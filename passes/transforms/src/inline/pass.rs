//! The pass: simplifies and inlines component by component.

use std::rc::Rc;

use dl_ir::interfaces::{CallOp, Callee};
use dl_ir::opdef::Trait;
use dl_ir::pass::{
    Anchor, Pass, PassCx, PassInfo, PassManager, PassOptions, PassRegistry, PassResult, RunOptions, parse_pipeline,
    parse_pipeline_items,
};
use dl_ir::{Arena, BlockId, Context, Diagnostic, Diagnostics, OpId, OpRef, RegionId, Rewriter};
use rustc_hash::{FxHashMap, FxHashSet};

use super::body::inline_call;
use super::call_graph::CallGraph;
use super::uses::UseCounts;
use crate::canonicalize::Canonicalize;

/// Operations that a function may come to by inlining: calls that double what they are called from would else never end.
const MAX_OPS: usize = 1 << 22;

dl_ir::pass_options! {
    /// Options of [`Inline`].
    pub struct InlineOptions {
        /// Passes for the functions that `op-pipelines` names no pipeline for
        default_pipeline "default-pipeline": String = "canonicalize".to_owned(),
        /// Most operations of a callee, in percent of those of the caller
        inlining_threshold "inlining-threshold": u32 = u32::MAX,
        /// Most rounds of simplifying and inlining in functions that call each other
        max_iterations "max-iterations": u32 = 4,
        /// Passes for functions of one kind, as in `func.func(cse)`
        op_pipelines "op-pipelines": Vec<String> = Vec::new(),
    }
}

/// Inlines calls, and erases functions that nothing calls any more.
#[derive(Clone)]
pub struct Inline {
    /// The options.
    pub options: InlineOptions,
    default: Option<PassManager>,
    /// By the name of the function's operation.
    pipelines: FxHashMap<String, PassManager>,
}

impl Default for Inline {
    fn default() -> Self {
        let mut canonicalize = PassManager::new(Anchor::Any);
        canonicalize.add(Canonicalize::default());
        Self { options: InlineOptions::default(), default: Some(canonicalize), pipelines: FxHashMap::default() }
    }
}

impl Pass for Inline {
    const INFO: PassInfo = PassInfo::new("inline", "Inline function calls").title("Inliner");

    fn options(&mut self) -> Option<&mut dyn PassOptions> {
        Some(&mut self.options)
    }

    fn resolve(&mut self, cx: &Context, registry: &PassRegistry) -> Result<(), Diagnostic> {
        let mut default = PassManager::new(Anchor::Any);
        parse_pipeline_items(cx, registry, &self.options.default_pipeline, &mut default)?;
        self.default = (!default.is_empty()).then_some(default);
        for text in &mut self.options.op_pipelines {
            let pipeline = parse_pipeline(cx, registry, text)?;
            *text = pipeline.text();
            self.pipelines.entry(pipeline.anchor().text().to_owned()).or_insert(pipeline);
        }
        Ok(())
    }

    fn run(&mut self, cx: &mut PassCx<'_>) -> PassResult {
        if !cx.root().has_trait(&Trait::SymbolTable) {
            let message = " was scheduled to run under the inliner, but does not define a symbol table";
            return Err(cx.root().error(message).into());
        }
        let graph = CallGraph::new(cx.root(), cx.is_outermost);
        let uses = UseCounts::new(cx.ctx, cx.ir, &graph);
        let mut inliner = Inliner { pass: self, graph: &graph, uses, dead: FxHashSet::default() };
        for component in graph.components() {
            inliner.visit(cx, component)?;
        }
        let dead = inliner.dead;
        for (_, at) in graph.nodes.iter().enumerate().filter(|(node, _)| dead.contains(node)) {
            if let Some(ir) = graph.arena_mut(cx.ir, at.arena) {
                Rewriter::new(cx.ctx, ir).erase(at.stub);
            }
        }
        Ok(())
    }
}

/// A call of a function with a body.
#[derive(Clone)]
struct Call {
    op: OpId,
    caller: usize,
    callee: usize,
    /// The functions whose inlining has brought it, the last one first.
    history: Option<Rc<History>>,
}

struct History {
    inlined: usize,
    before: Option<Rc<History>>,
}

impl Call {
    /// Whether it came with the body of its own callee.
    fn is_repeated(&self) -> bool {
        std::iter::successors(self.history.as_ref(), |step| step.before.as_ref())
            .any(|step| step.inlined == self.callee)
    }
}

struct Inliner<'p> {
    pass: &'p mut Inline,
    graph: &'p CallGraph,
    uses: UseCounts,
    dead: FxHashSet<usize>,
}

impl Inliner<'_> {
    /// Simplifies and inlines in functions that call each other.
    fn visit(&mut self, cx: &mut PassCx<'_>, mut component: Vec<usize>) -> PassResult {
        let mut round = 0;
        loop {
            self.simplify(cx, &component)?;
            if !self.inline(cx, &component) {
                return Ok(());
            }
            component.retain(|node| !self.dead.contains(node));
            round += 1;
            if round >= self.pass.options.max_iterations {
                return Ok(());
            }
        }
    }

    fn simplify(&mut self, cx: &mut PassCx<'_>, component: &[usize]) -> PassResult {
        for &node in component {
            let at = &self.graph.nodes[node];
            if at.has_children {
                continue;
            }
            let Some(view) = self.graph.view(cx.ctx, cx.ir, node) else { continue };
            let name = view.name();
            let Some(pipeline) = self.pass.pipelines.get_mut(name).or(self.pass.default.as_mut()) else { continue };
            if at.arena == 0 {
                cx.run_pipeline(pipeline, at.stub)?;
            } else if let Some(ir) = self.graph.arena_mut(cx.ir, at.arena).and_then(|ir| ir.child_mut(at.stub)) {
                let outcome = pipeline.run(cx.ctx, ir, &RunOptions::default());
                cx.diags.append(outcome.diagnostics);
                if outcome.failed {
                    return Err(Diagnostics::default());
                }
            }
            self.uses.recompute(cx.ctx, cx.ir, self.graph, node);
        }
        Ok(())
    }

    /// Inlines calls in these functions, those that come with what is inlined included. Answers whether there were any.
    fn inline(&mut self, cx: &mut PassCx<'_>, component: &[usize]) -> bool {
        let mut calls = Vec::new();
        for &node in component {
            if self.uses.is_dead(node) {
                self.dead.insert(node);
            } else if let Some(view) = self.graph.view(cx.ctx, cx.ir, node) {
                let body = view.body();
                let blocks = body.regions().flat_map(|region| region.blocks()).map(|block| block.id()).collect();
                self.add_calls(cx.ctx, body.arena(), blocks, node, None, &mut calls);
            }
        }
        let mut any = false;
        let mut next = 0;
        while let Some(call) = calls.get(next).cloned() {
            next += 1;
            any |= !self.dead.contains(&call.caller)
                && self.is_wanted(cx, &call)
                && self.inline_one(cx, &call, &mut calls);
        }
        any
    }

    /// Adds the calls in `blocks` of the function `caller`, nested ones after those around.
    fn add_calls(
        &self,
        cx: &Context,
        ir: &Arena,
        mut blocks: Vec<BlockId>,
        caller: usize,
        history: Option<&Rc<History>>,
        calls: &mut Vec<Call>,
    ) {
        let table = self.graph.nodes[caller].table;
        while let Some(block) = blocks.pop() {
            for op in ir.block_ops(block) {
                let view = OpRef::new(cx, ir, op);
                let Some(call) = view.interface::<dyn CallOp>() else {
                    let nested = ir.op_regions(op).iter().flat_map(|&region: &RegionId| ir.region_blocks(region));
                    blocks.extend(nested);
                    continue;
                };
                let symbol = match call.callee(view) {
                    Some(Callee::Symbol(symbol)) if symbol.is_flat_symbol_ref() => symbol,
                    _ => continue,
                };
                if let Some(callee) = self.graph.resolve(table, symbol) {
                    calls.push(Call { op, caller, callee, history: history.cloned() });
                }
            }
        }
    }

    fn is_wanted(&self, cx: &mut PassCx<'_>, call: &Call) -> bool {
        let calls_back = |to: &usize| *to == call.callee || *to == call.caller;
        if call.is_repeated()
            || call.callee == call.caller
            || self.graph.nodes[call.callee].edges.iter().any(calls_back)
        {
            return false;
        }
        let threshold = self.pass.options.inlining_threshold;
        let caller = &self.graph.nodes[call.caller];
        let size = self.graph.arena_mut(cx.ir, caller.arena).and_then(|ir| ir.child_mut(caller.stub));
        if threshold == 0 || size.is_none_or(|ir| ir.num_op_slots() > MAX_OPS) {
            return false;
        }
        if threshold == u32::MAX {
            return true;
        }
        let mut count = |node| {
            let view = self.graph.view(cx.ctx, cx.ir, node);
            view.map_or(0, |view| dl_ir::walk::pre_order(view).count() - 1)
        };
        let (callee, caller) = (count(call.callee), count(call.caller));
        caller == 0 || callee * 100 / caller <= threshold as usize
    }

    fn inline_one(&mut self, cx: &mut PassCx<'_>, call: &Call, calls: &mut Vec<Call>) -> bool {
        let (caller, callee) = (&self.graph.nodes[call.caller], &self.graph.nodes[call.callee]);
        let Some(ir) = self.graph.arena_mut(cx.ir, caller.arena).filter(|_| caller.arena == callee.arena) else {
            return false;
        };
        let Some((into, from)) = ir.two_children(caller.stub, callee.stub) else { return false };
        if !into.is_live(call.op) {
            return false;
        }
        let is_last = self.uses.has_one_use(call.callee);
        let history = Rc::new(History { inlined: call.callee, before: call.history.clone() });
        let before = self.references(OpRef::new(cx.ctx, into, call.op), call.caller);
        let mut visit = |ir: &Arena, blocks: &[BlockId]| {
            self.add_calls(cx.ctx, ir, blocks.to_vec(), call.caller, Some(&history), calls);
        };
        if !inline_call(cx.ctx, into, call.op, from, !is_last, &mut visit) {
            return false;
        }
        self.uses.inlined(call.caller, &before, call.callee);
        if is_last {
            self.uses.forget(call.callee);
            self.dead.insert(call.callee);
        }
        true
    }

    fn references(&self, op: OpRef<'_>, caller: usize) -> Vec<usize> {
        self.graph.references(self.graph.nodes[caller].table, op).collect()
    }
}
