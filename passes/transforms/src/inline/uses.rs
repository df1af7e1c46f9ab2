//! How often functions are referred to, kept up to date while calls are inlined.

use dl_ir::opdef::Trait;
use dl_ir::{Arena, Context, OpRef};
use indexmap::IndexMap;
use rustc_hash::FxBuildHasher;

use super::call_graph::CallGraph;

/// What one function refers to.
#[derive(Default)]
struct Uses {
    /// In its own attributes: each function once.
    own: Vec<usize>,
    /// In the operations inside: how often.
    inner: IndexMap<usize, i64, FxBuildHasher>,
}

/// The references to functions that may be erased.
pub(super) struct UseCounts {
    /// References to each function; `None` for those that stay in any case.
    counts: Vec<Option<i64>>,
    uses: Vec<Uses>,
}

impl UseCounts {
    /// Counts them all. Costs O(operations).
    pub(super) fn new(cx: &Context, ir: &mut Arena, graph: &CallGraph) -> Self {
        let counts = graph.nodes.iter().map(|node| node.is_discardable.then_some(0)).collect();
        let uses = graph.nodes.iter().map(|_| Uses::default()).collect();
        let mut this = Self { counts, uses };
        for &live in &graph.always_live {
            this.counts[live] = None;
        }
        for node in 0..graph.nodes.len() {
            this.recompute(cx, ir, graph, node);
        }
        this
    }

    /// Counts again what `node` refers to.
    pub(super) fn recompute(&mut self, cx: &Context, ir: &mut Arena, graph: &CallGraph, node: usize) {
        self.forget(node);
        let Some(op) = graph.view(cx, ir, node) else { return };
        let table = graph.nodes[node].table;
        let mut found = Uses::default();
        for callee in graph.references(table, op) {
            if !found.own.contains(&callee) {
                found.own.push(callee);
            }
        }
        let mut pending: Vec<OpRef<'_>> = op.regions().flat_map(|region| region.ops()).collect();
        while let Some(op) = pending.pop() {
            for callee in graph.references(table, op) {
                *found.inner.entry(callee).or_default() += 1;
            }
            // References in a table of its own mean what is there.
            if !op.body().has_trait(&Trait::SymbolTable) {
                pending.extend(op.regions().flat_map(|region| region.ops()));
            }
        }
        found.own.iter().for_each(|&callee| self.add(callee, 1));
        found.inner.iter().for_each(|(&callee, &count)| self.add(callee, count));
        self.uses[node] = found;
    }

    fn add(&mut self, node: usize, by: i64) {
        if let Some(count) = &mut self.counts[node] {
            *count += by;
        }
    }

    /// What `node` refers to does not count any more.
    pub(super) fn forget(&mut self, node: usize) {
        let uses = std::mem::take(&mut self.uses[node]);
        uses.own.iter().for_each(|&callee| self.add(callee, -1));
        uses.inner.iter().for_each(|(&callee, &count)| self.add(callee, -count));
    }

    /// A call in `caller`, which `referred` to these functions, has become a copy of the body of `callee`.
    pub(super) fn inlined(&mut self, caller: usize, referred: &[usize], callee: usize) {
        for &each in referred {
            if let Some(count) = self.uses[caller].inner.get_mut(&each) {
                *count -= 1;
                self.add(each, -1);
            }
        }
        let inner: Vec<(usize, i64)> = self.uses[callee].inner.iter().map(|(&node, &count)| (node, count)).collect();
        for (node, count) in inner {
            *self.uses[caller].inner.entry(node).or_default() += count;
            self.add(node, count);
        }
    }

    /// Whether nothing refers to a function that may be erased.
    pub(super) fn is_dead(&self, node: usize) -> bool {
        self.counts[node] == Some(0)
    }

    /// Whether only one reference keeps a function from being erased.
    pub(super) fn has_one_use(&self, node: usize) -> bool {
        self.counts[node] == Some(1)
    }
}
