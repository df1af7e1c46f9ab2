//! The functions of a module, what they refer to, and in which order they are taken.

use std::collections::VecDeque;

use dl_ir::interfaces::{CallOp, Callee, FunctionOp};
use dl_ir::opdef::Trait;
use dl_ir::symbol::symbol_refs;
use dl_ir::{Arena, AttrData, AttrRef, Context, Ident, OpId, OpRef};
use rustc_hash::FxHashMap;

/// A function with a body.
pub(super) struct Node {
    /// The arena that it stands in, by number.
    pub(super) arena: usize,
    /// Where it stands there.
    pub(super) stub: OpId,
    /// The symbol table that its references are resolved in.
    pub(super) table: usize,
    /// Whether it may be erased when nothing refers to it.
    pub(super) is_discardable: bool,
    /// The functions that it calls and those inside it, once each.
    pub(super) edges: Vec<usize>,
    /// Whether there are functions inside it.
    pub(super) has_children: bool,
}

/// What a symbol table has.
struct Table {
    symbols: FxHashMap<Ident, Symbol>,
}

/// What a name stands for: a function with a body, a table, or something else.
#[derive(Clone, Copy, Default)]
struct Symbol {
    node: Option<usize>,
    table: Option<usize>,
}

/// All functions with bodies, in program order, with their calls as they are before anything is inlined.
pub(super) struct CallGraph {
    pub(super) nodes: Vec<Node>,
    tables: Vec<Table>,
    /// The arenas that functions stand in: each in the one before it in nesting, and where.
    arenas: Vec<Option<(usize, OpId)>>,
    /// Functions that are not in others.
    outermost: Vec<usize>,
    /// Functions that operations other than functions refer to.
    pub(super) always_live: Vec<usize>,
}

/// An operation to look at, with what is around it.
#[derive(Clone, Copy)]
struct At<'a> {
    op: OpRef<'a>,
    arena: usize,
    table: Option<usize>,
    /// Whether all uses of the symbols in the table are to be seen.
    is_closed: bool,
    node: Option<usize>,
}

impl CallGraph {
    /// That of `root`. `is_closed` where nothing outside refers to its symbols. Costs O(operations).
    pub(super) fn new(root: OpRef<'_>, is_closed: bool) -> Self {
        let mut graph = Self {
            nodes: Vec::new(),
            tables: Vec::new(),
            arenas: vec![None],
            outermost: Vec::new(),
            always_live: Vec::new(),
        };
        let order = graph.add_nodes(root, is_closed);
        for at in &order {
            graph.add_references(*at);
        }
        graph
    }

    /// Adds functions and tables. Answers the operations in program order.
    fn add_nodes<'a>(&mut self, root: OpRef<'a>, is_closed: bool) -> Vec<At<'a>> {
        let mut order = Vec::new();
        let mut pending = vec![At { op: root, arena: 0, table: None, is_closed, node: None }];
        while let Some(at) = pending.pop() {
            let op = at.op;
            let mut inner = At { ..at };
            let mut symbol = Symbol::default();
            let is_function = op.is_stub() && op.interface::<dyn FunctionOp>().is_some_and(|f| !f.is_declaration(op));
            if op.is_stub() {
                inner.arena = self.arenas.len();
                self.arenas.push(Some((at.arena, op.id())));
            }
            if op.body().has_trait(&Trait::SymbolTable) {
                inner.table = Some(self.tables.len());
                inner.is_closed = at.is_closed || op.symbol_name().is_none() || op.visibility() == "private";
                if at.table.is_none() {
                    inner.is_closed = is_closed;
                }
                symbol.table = inner.table;
                self.tables.push(Table { symbols: FxHashMap::default() });
            } else if let Some(table) = at.table.filter(|_| is_function) {
                let node = self.nodes.len();
                let visibility = op.visibility();
                let is_discardable = visibility == "private" || (visibility == "nested" && at.is_closed);
                let (arena, stub) = (at.arena, op.id());
                self.nodes.push(Node { arena, stub, table, is_discardable, edges: Vec::new(), has_children: false });
                match at.node {
                    Some(parent) => {
                        self.nodes[parent].has_children = true;
                        self.nodes[parent].edges.push(node);
                    }
                    None => self.outermost.push(node),
                }
                symbol.node = Some(node);
                inner.node = Some(node);
            }
            if let (Some(table), Some(name)) = (at.table, op.symbol_name()) {
                self.tables[table].symbols.entry(op.cx().ident(name)).or_insert(symbol);
            }
            order.push(inner);
            let start = pending.len();
            pending.extend(op.regions().flat_map(|region| region.ops()).map(|op| At { op, ..inner }));
            pending[start..].reverse();
        }
        order
    }

    /// Adds the calls of a function, and what is referred to from outside of functions.
    fn add_references(&mut self, at: At<'_>) {
        let Some(table) = at.table else { return };
        let Some(node) = at.node else {
            let found: Vec<usize> = self.references(table, at.op).collect();
            return self.always_live.extend(found);
        };
        let call = at.op.interface::<dyn CallOp>().and_then(|call| call.callee(at.op));
        let Some(Callee::Symbol(symbol)) = call else { return };
        if let Some(callee) = self.resolve(table, symbol).filter(|callee| !self.nodes[node].edges.contains(callee)) {
            self.nodes[node].edges.push(callee);
        }
    }

    /// The functions that `op` itself refers to, once for each reference. `table` is that around it.
    pub(super) fn references(&self, table: usize, op: OpRef<'_>) -> impl Iterator<Item = usize> {
        op.attrs().flat_map(|(_, attr)| symbol_refs(attr)).filter_map(move |symbol| self.resolve(table, symbol))
    }

    /// The function that `symbol` means in a table.
    pub(super) fn resolve(&self, table: usize, symbol: AttrRef<'_>) -> Option<usize> {
        let AttrData::SymbolRef { root, nested } = symbol.data() else { return None };
        let mut found = *self.tables[table].symbols.get(root)?;
        for part in nested {
            found = *self.tables[found.table?].symbols.get(part)?;
        }
        found.node
    }

    /// The arena of this number.
    pub(super) fn arena_mut<'i>(&self, ir: &'i mut Arena, number: usize) -> Option<&'i mut Arena> {
        let mut way = VecDeque::new();
        let mut at = number;
        while let Some((parent, stub)) = self.arenas[at] {
            way.push_front(stub);
            at = parent;
        }
        way.into_iter().try_fold(ir, |ir, stub| ir.child_mut(stub))
    }

    /// A view of a function as it stands in its arena.
    pub(super) fn view<'i>(&self, cx: &'i Context, ir: &'i mut Arena, node: usize) -> Option<OpRef<'i>> {
        let Node { arena, stub, .. } = self.nodes[node];
        self.arena_mut(ir, arena).map(|ir| OpRef::new(cx, ir, stub))
    }

    /// The strongly connected components, callees before callers: the algorithm of Tarjan, "Depth-first search and linear graph
    /// algorithms" (SIAM Journal on Computing, 1972). Costs O(functions and calls).
    pub(super) fn components(&self) -> Vec<Vec<usize>> {
        const UNSEEN: usize = 0;
        const DONE: usize = usize::MAX;
        let mut number = vec![UNSEEN; self.nodes.len()];
        let (mut last, mut open, mut all) = (0, Vec::new(), Vec::new());
        for &root in &self.outermost {
            if number[root] != UNSEEN {
                continue;
            }
            // A node, its next edge, and the smallest number that is reached from it.
            let mut path: Vec<(usize, usize, usize)> = Vec::new();
            let mut enter = |node: usize, number: &mut Vec<usize>, open: &mut Vec<usize>, path: &mut Vec<_>| {
                last += 1;
                number[node] = last;
                open.push(node);
                path.push((node, 0, last));
            };
            enter(root, &mut number, &mut open, &mut path);
            while let Some((node, edge, low)) = path.last_mut() {
                if let Some(&to) = self.nodes[*node].edges.get(*edge) {
                    *edge += 1;
                    if number[to] == UNSEEN {
                        enter(to, &mut number, &mut open, &mut path);
                    } else {
                        *low = (*low).min(number[to]);
                    }
                    continue;
                }
                let (node, low) = (*node, *low);
                path.pop();
                if let Some((_, _, outer)) = path.last_mut() {
                    *outer = (*outer).min(low);
                }
                if low == number[node] {
                    let mut component = Vec::new();
                    while let Some(member) = open.pop() {
                        number[member] = DONE;
                        component.push(member);
                        if member == node {
                            break;
                        }
                    }
                    all.push(component);
                }
            }
        }
        all
    }
}
