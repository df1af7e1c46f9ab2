//! `view-op-graph`: the IR as a graph in the language of Graphviz.

use std::fmt::Write as _;

use dl_ir::pass::{Pass, PassCx, PassInfo, PassOptions, PassResult};
use dl_ir::text::{attr_text, type_text, value_names};
use dl_ir::{Arena, AttrRef, BlockRef, OpName, OpRef, ValueId, ValueRef};
use indexmap::IndexSet;
use rustc_hash::{FxBuildHasher, FxHashMap};

dl_ir::pass_options! {
    /// Options of [`ViewOpGraph`].
    pub struct ViewOpGraphOptions {
        /// Number of characters after which attributes and types are cut off
        max_label_len "max-label-len": u32 = 20,
        /// Show attributes of operations
        print_attrs "print-attrs": bool = true,
        /// Show edges from each operation to the next one of its block
        print_control_flow_edges "print-control-flow-edges": bool = false,
        /// Show edges from values to their users
        print_data_flow_edges "print-data-flow-edges": bool = true,
        /// Show types of results
        print_result_types "print-result-types": bool = true,
    }
}

/// Prints the operation that it runs on as a graph: operations are nodes; blocks, and operations with regions, are clusters of nodes.
#[derive(Clone, Default)]
pub struct ViewOpGraph {
    /// The options.
    pub options: ViewOpGraphOptions,
}

impl Pass for ViewOpGraph {
    const INFO: PassInfo =
        PassInfo::new("view-op-graph", "Print Graphviz visualization of an operation").title("ViewOpGraph");

    fn options(&mut self) -> Option<&mut dyn PassOptions> {
        Some(&mut self.options)
    }

    fn run(&mut self, cx: &mut PassCx<'_>) -> PassResult {
        let text = Graph::new(&self.options, cx.root()).finish(cx.root());
        cx.print(&text);
        cx.preserve_all();
        Ok(())
    }
}

/// More elements than this are not shown.
const MOST_ELEMENTS: u64 = 16;

/// A node, or the one that stands for a cluster.
#[derive(Clone, Copy)]
struct Node {
    id: usize,
    /// The cluster that is meant.
    cluster: Option<usize>,
}

/// What is still to be written.
enum Task<'a> {
    Op(OpRef<'a>, usize),
    Block(BlockRef<'a>, usize),
    /// The end of a block.
    EndBlock,
    /// The end of an operation with regions.
    EndOp(OpRef<'a>, usize, Node),
}

/// The text of a graph as it is written.
struct Graph<'a> {
    options: &'a ViewOpGraphOptions,
    text: String,
    depth: usize,
    last_id: usize,
    /// Names of operations in the order in which they are first completed: each has a colour.
    names: IndexSet<OpName, FxBuildHasher>,
    /// For each isolated operation, what its values are called.
    scopes: Vec<FxHashMap<ValueId, String>>,
    /// For each block that is open, the operations that it has so far.
    open: Vec<Vec<Node>>,
    /// What defines each value, by scope.
    sources: FxHashMap<(usize, ValueId), Node>,
    control: Vec<(Node, Node)>,
    data: Vec<(usize, ValueId, Node)>,
}

impl<'a> Graph<'a> {
    fn new(options: &'a ViewOpGraphOptions, root: OpRef<'_>) -> Self {
        Self {
            options,
            text: "digraph G {\n  compound = true;\n".to_owned(),
            depth: 1,
            last_id: 0,
            names: names_in_post_order(root),
            scopes: Vec::new(),
            open: Vec::new(),
            sources: FxHashMap::default(),
            control: Vec::new(),
            data: Vec::new(),
        }
    }

    /// Writes all of `root`. Not by recursion, since that may be nested to any depth.
    fn finish(mut self, root: OpRef<'_>) -> String {
        let mut pending = vec![Task::Op(root, 0)];
        self.scopes.push(FxHashMap::default());
        while let Some(task) = pending.pop() {
            match task {
                Task::Op(op, scope) => self.op(op, scope, &mut pending),
                Task::Block(block, scope) => self.block(block, scope, &mut pending),
                Task::EndBlock => {
                    self.close();
                    let ops = self.open.pop().unwrap_or_default();
                    self.control.extend(ops.windows(2).map(|pair| (pair[0], pair[1])));
                }
                Task::EndOp(op, scope, node) => {
                    self.close();
                    self.note(op, scope, node);
                }
            }
        }
        self.edges();
        self.text.push_str("}\n");
        self.text
    }

    /// A node; or the start of a cluster, with what is in it among what is pending.
    fn op<'r>(&mut self, op: OpRef<'r>, scope: usize, pending: &mut Vec<Task<'r>>) {
        if op.num_regions() == 0 {
            let node = self.leaf(op, scope);
            self.note(op, scope, node);
            return;
        }
        let mut label = op.name().to_owned();
        if self.options.print_result_types {
            let types: Vec<String> = op.results().iter().map(|result| self.type_label(result)).collect();
            let _ = write!(label, " : ({})", types.join(", "));
        }
        if self.options.print_attrs {
            label.push_str("\\l");
            label.push_str(&self.attrs(op));
        }
        let node = self.cluster(&label);
        if let Some(block) = self.open.last_mut() {
            block.push(node);
        }
        pending.push(Task::EndOp(op, scope, node));
        let body = op.body();
        let scope = if body.is_root() { self.scope(body) } else { scope };
        let blocks: Vec<_> = body.regions().flat_map(|region| region.blocks()).collect();
        pending.extend(blocks.into_iter().rev().map(|block| Task::Block(block, scope)));
    }

    /// The node of an operation without regions.
    fn leaf(&mut self, op: OpRef<'_>, scope: usize) -> Node {
        let mut label = "{".to_owned();
        if op.num_operands() > 0 {
            let port = |value: ValueRef<'_>| {
                let name = self.name(scope, value.id());
                format!("<arg{}> {}", port_name(name), escaped(name))
            };
            let ports: Vec<String> = op.operands().iter().map(port).collect();
            let _ = write!(label, "{{{}}}|", ports.join("|"));
        }
        let _ = write!(label, "{}\\l", escaped(op.name()));
        let attrs = if self.options.print_attrs { self.attrs(op) } else { String::new() };
        if !attrs.is_empty() {
            let _ = write!(label, "\\l{attrs}");
        }
        if op.num_results() > 0 {
            let ports: Vec<String> = op.results().iter().map(|result| self.result_port(result, scope)).collect();
            let _ = write!(label, "|{{{}}}", ports.join("|"));
        }
        label.push('}');
        let hue = self.names.get_index_of(&op.name_id()).unwrap_or(0) as f64 / self.names.len().max(1) as f64;
        let node = self
            .node(&format!("fillcolor = \"{hue:.6} 0.3 0.95\", label = \"{label}\", shape = Mrecord, style = filled"));
        if let Some(block) = self.open.last_mut() {
            block.push(node);
        }
        node
    }

    /// The start of a cluster of what is in `block`.
    fn block<'r>(&mut self, block: BlockRef<'r>, scope: usize, pending: &mut Vec<Task<'r>>) {
        self.cluster("");
        for arg in block.args() {
            let label = self.result_port(arg, scope);
            let node = self.node(&format!("label = \"{label}\", shape = Mrecord"));
            self.sources.insert((scope, arg.id()), node);
        }
        self.open.push(Vec::new());
        pending.push(Task::EndBlock);
        let ops: Vec<_> = block.ops().collect();
        pending.extend(ops.into_iter().rev().map(|op| Task::Op(op, scope)));
    }

    /// Notes what is to be joined with the node of `op`.
    fn note(&mut self, op: OpRef<'_>, scope: usize, node: Node) {
        self.data.extend(op.operands().iter().map(|value| (scope, value.id(), node)));
        self.sources.extend(op.results().iter().map(|value| ((scope, value.id()), node)));
    }

    fn edges(&mut self) {
        for (from, to) in std::mem::take(&mut self.control) {
            if self.options.print_control_flow_edges {
                let (from_id, to_id) = (from.id, to.id);
                self.edge(from, to, "dashed", &format!("v{from_id} -> v{to_id}"));
            }
        }
        for (scope, value, to) in std::mem::take(&mut self.data) {
            let Some(&from) = self.sources.get(&(scope, value)).filter(|_| self.options.print_data_flow_edges) else {
                continue;
            };
            let port = port_name(self.name(scope, value));
            let mut ends = format!("v{}", from.id);
            if from.cluster.is_none() {
                let _ = write!(ends, ":res{port}:s");
            }
            let _ = write!(ends, " -> v{}", to.id);
            if to.cluster.is_none() {
                let _ = write!(ends, ":arg{port}:n");
            }
            self.edge(from, to, "solid", &ends);
        }
    }

    fn edge(&mut self, from: Node, to: Node, style: &str, ends: &str) {
        let mut attrs = String::new();
        if let Some(cluster) = to.cluster {
            let _ = write!(attrs, "lhead = cluster_{cluster}, ");
        }
        if let Some(cluster) = from.cluster {
            let _ = write!(attrs, "ltail = cluster_{cluster}, ");
        }
        self.line(&format!("{ends}[{attrs}style = {style}];"));
    }

    /// Begins a cluster, with a node that edges to the cluster can end at.
    fn cluster(&mut self, label: &str) -> Node {
        self.last_id += 1;
        let cluster = self.last_id;
        self.line(&format!("subgraph cluster_{cluster} {{"));
        self.depth += 1;
        let anchor = self.node("label = \" \", shape = plain");
        self.line(&format!("label = \"{label}\";"));
        Node { id: anchor.id, cluster: Some(cluster) }
    }

    fn close(&mut self) {
        self.depth -= 1;
        self.line("}");
    }

    fn node(&mut self, attrs: &str) -> Node {
        self.last_id += 1;
        let id = self.last_id;
        self.line(&format!("v{id} [{attrs}];"));
        Node { id, cluster: None }
    }

    fn line(&mut self, line: &str) {
        let _ = writeln!(self.text, "{:width$}{line}", "", width = 2 * self.depth);
    }

    /// A new scope: the names of the values of the arena that `root` is the root of.
    fn scope(&mut self, root: OpRef<'_>) -> usize {
        let mut values: Vec<ValueId> = Vec::new();
        for op in dl_ir::walk::ops_in_arena(root.arena(), Arena::ROOT) {
            let op = OpRef::new(root.cx(), root.arena(), op);
            if !op.is_root() {
                values.extend(op.results().iter().map(|result| result.id()));
            }
            if !op.is_stub() {
                let args = op.regions().flat_map(|region| region.blocks()).flat_map(|block| block.args());
                values.extend(args.map(|arg| arg.id()));
            }
        }
        let names = value_names(root, values.iter().copied());
        self.scopes.push(values.into_iter().zip(names).collect());
        self.scopes.len() - 1
    }

    fn name(&self, scope: usize, value: ValueId) -> &str {
        self.scopes[scope].get(&value).map_or("", String::as_str)
    }

    /// A port for edges from `value`.
    fn result_port(&self, value: ValueRef<'_>, scope: usize) -> String {
        let name = self.name(scope, value.id());
        let mut port = format!("<res{}> {}", port_name(name), escaped(name));
        if self.options.print_result_types {
            let _ = write!(port, " {}", self.type_label(value));
        }
        port
    }

    fn type_label(&self, value: ValueRef<'_>) -> String {
        escaped(&self.cut(type_text(value.cx(), value.ty().id())))
    }

    /// A line for each attribute, those at their default included.
    fn attrs(&self, op: OpRef<'_>) -> String {
        let cx = op.cx();
        let others = op.discardable_attrs().map(|(name, attr)| (name, attr.id()));
        let mut all: Vec<_> = op.properties().into_iter().chain(others).collect();
        all.sort_by(|a, b| cx.str(a.0).cmp(cx.str(b.0)));
        let line =
            |(name, attr)| format!("{}: {}\\l", escaped(cx.str(name)), escaped(&self.cut(short_text(cx.attr(attr)))));
        all.into_iter().map(line).collect()
    }

    fn cut(&self, mut text: String) -> String {
        if let Some((at, _)) = text.char_indices().nth(self.options.max_label_len as usize) {
            text.truncate(at);
            text.push_str("...");
        }
        text
    }
}

/// The names of all operations, each at its first place where what is nested comes before what is around it.
fn names_in_post_order(root: OpRef<'_>) -> IndexSet<OpName, FxBuildHasher> {
    let mut names = IndexSet::default();
    let mut pending = vec![(root, false)];
    while let Some((op, is_done)) = pending.pop() {
        if is_done {
            names.insert(op.name_id());
            continue;
        }
        pending.push((op, true));
        let inner: Vec<_> = op.body().regions().flat_map(|region| region.ops()).collect();
        pending.extend(inner.into_iter().rev().map(|op| (op, false)));
    }
    names
}

/// The text of an attribute without many elements.
fn short_text(attr: AttrRef<'_>) -> String {
    let ty = attr.ty().filter(|ty| ty.num_elements().is_some_and(|count| count > MOST_ELEMENTS));
    match ty {
        Some(ty) if !attr.is_splat() => {
            let rank = ty.shape().map_or(0, <[i64]>::len);
            format!("{}...{} : {}", "[".repeat(rank), "]".repeat(rank), type_text(attr.cx(), ty.id()))
        }
        _ if attr.is_array() && attr.elements().len() as u64 > MOST_ELEMENTS => "[...]".to_owned(),
        _ => attr_text(attr.cx(), attr.id()),
    }
}

/// `text` for a label: what means something there stands for itself.
fn escaped(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for c in text.chars() {
        if matches!(c, '"' | '{' | '}' | '<' | '>' | '|') {
            escaped.push('\\');
        }
        escaped.push(c);
    }
    escaped
}

/// The name of a port for the value called `name`, behind `arg` or `res`.
fn port_name(name: &str) -> String {
    name.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '_' }).collect()
}
