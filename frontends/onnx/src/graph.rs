//! From a graph to a function: nodes in order, each by its operator.

use dl_dl::interface;
use dl_func::{FuncOp, ReturnOp};
use dl_ir::interfaces::Index;
use dl_ir::interfaces::function::{ARG_ATTRS, RES_ATTRS};
use dl_ir::interfaces::index_list::Indices;
use dl_ir::location::LocData;
use dl_ir::{Arena, Attr, Context, DYNAMIC, Diagnostic, Diagnostics, Loc, OpState, Rewriter, Type, ValueId};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::Options;
use crate::builder::Builder;
use crate::element::Element;
use crate::fault::{Fault, Outcome, fault, require};
use crate::messages::tensor_shape_proto::dimension::Value as Extent;
use crate::messages::type_proto::Value as Kind;
use crate::messages::{AttributeProto, FunctionProto, GraphProto, NodeProto, ValueInfoProto};
use crate::model::{self, Model};
use crate::node::Node;
use crate::ops::{self, Rule};
use crate::tensor::Tensor;

/// Subgraphs and local functions nest no deeper.
const MAX_DEPTH: usize = 64;
/// Local functions are replaced by their nodes; no more nodes than this come of a model.
const MAX_NODES: usize = 1 << 20;
/// The fault of a node whose subgraph has faults, which have been reported.
const IN_SUBGRAPH: &str = "its subgraph could not be imported";
/// Stack to keep free for one more level of subgraphs, and how much to add when there is less.
const STACK_LEFT: usize = 128 * 1024;
const STACK_STEP: usize = 4 * 1024 * 1024;

/// The program of a model.
///
/// # Errors
/// All faults of all nodes, as far as they do not follow from one another.
pub(crate) fn import(cx: &Context, model: &Model, options: &Options<'_>) -> Result<Box<Arena>, Diagnostics> {
    let mut module = Box::new(Arena::new(cx.op_name("builtin.module"), model.loc));
    let mut rw = Rewriter::new(cx, &mut module);
    let region = rw.add_region(Arena::ROOT);
    let block = rw.append_block(region, &[]);
    rw.set_insertion_to_end(block);

    let mut importer = Importer {
        model,
        options,
        opsets: model.opsets.clone(),
        scopes: Vec::new(),
        faults: Diagnostics::default(),
        depth: 0,
        nodes: 0,
        known_symbols: FxHashMap::default(),
        is_trial: false,
    };
    let inputs = importer.inputs(cx).map_err(|fault| Diagnostic::error(model.loc, fault.0))?;
    let types: Vec<Type> = inputs.iter().map(|input| input.ty).collect();
    let function = cx.function_type(&types, &[]);
    let func = rw.create_isolated(FuncOp::state(cx, "main", function, model.loc), 1);
    let Some(mut body) = rw.enter(func) else {
        return Err(Diagnostic::error(model.loc, "a function without a body").into());
    };
    let region = body.ir().op_regions(Arena::ROOT)[0];
    let entry = body.append_block(region, &types);
    let args: Vec<ValueId> = body.ir().block_args(entry).to_vec();
    body.set_insertion_to_end(entry);

    let mut builder = Builder::new(&mut body, entry);
    builder.loc = model.loc;
    let results = importer.main(&mut builder, &inputs, &args);
    if !importer.faults.is_empty() {
        return Err(importer.faults);
    }
    let results = results.map_err(|fault| Diagnostic::error(model.loc, fault.0))?;
    let result_types: Vec<Type> = results.iter().map(|&(result, _)| body.ir().value_type(result)).collect();
    let returned = results.iter().map(|&(result, _)| result);
    body.create(OpState::of::<ReturnOp<'_>>(model.loc).operands(returned));
    let is_unsigned = |element: Element| element.is_integer() && !element.is_signed();
    let arg_attrs = inputs.iter().map(|input| interface::attrs(cx, input.name, is_unsigned(input.element)));
    let names = model.graph.output.iter().map(|info| info.name());
    let res_attrs = names.zip(&results).map(|(name, &(_, element))| interface::attrs(cx, name, is_unsigned(element)));
    for (list, attrs) in [(ARG_ATTRS, arg_attrs.collect::<Vec<Attr>>()), (RES_ATTRS, res_attrs.collect())] {
        if !attrs.is_empty() {
            body.set_attr(Arena::ROOT, cx.ident(list), cx.array_attr(&attrs));
        }
    }
    let function = cx.type_attr(cx.function_type(&types, &result_types));
    body.set_attr(Arena::ROOT, cx.ident("function_type"), function);
    Ok(module)
}

/// An input of the main graph that is an argument of the function.
struct Input<'m> {
    name: &'m str,
    element: Element,
    extents: Vec<Option<&'m Extent>>,
    ty: Type,
}

/// The names that a graph defines. `None` is a value whose node could not be imported.
type Scope = FxHashMap<String, Option<Tensor>>;

/// Walks over the nodes.
pub(crate) struct Importer<'m> {
    model: &'m Model,
    options: &'m Options<'m>,
    /// Of the graph or the local function that is being imported.
    opsets: FxHashMap<String, i64>,
    /// The graphs around, the innermost last.
    scopes: Vec<Scope>,
    faults: Diagnostics,
    depth: usize,
    nodes: usize,
    known_symbols: FxHashMap<&'m str, Index>,
    /// Whether what is imported is looked at for its types, and erased.
    pub(crate) is_trial: bool,
}

impl<'m> Importer<'m> {
    /// The inputs that are arguments: those without a value of their own.
    fn inputs(&self, cx: &Context) -> Outcome<Vec<Input<'m>>> {
        let graph = &self.model.graph;
        let constant: FxHashSet<&str> = graph.initializer.iter().map(|tensor| tensor.name()).collect();
        let bound = |name: &str| self.options.bindings.iter().any(|(bound, _)| bound == name);
        let mut inputs = Vec::new();
        for info in &graph.input {
            let name = info.name();
            if constant.contains(name) || bound(name) {
                continue;
            }
            let (element, extents) = declared(info).map_err(|fault| fault!("input '{name}': {fault}"))?;
            let extents = extents.ok_or_else(|| fault!("unsupported: input '{name}' of unknown rank"))?;
            let mut shape = Vec::new();
            for &extent in &extents {
                shape.push(match extent {
                    Some(&Extent::DimValue(extent)) if extent >= 0 => extent,
                    Some(&Extent::DimValue(extent)) => return Err(fault!("input '{name}': negative extent {extent}")),
                    _ => DYNAMIC,
                });
            }
            let ty = cx.tensor_type(&shape, element.ty(cx));
            inputs.push(Input { name, element, extents, ty });
        }
        Ok(inputs)
    }

    /// Imports the main graph; answers what the function returns, with the types of the elements.
    fn main(
        &mut self,
        b: &mut Builder<'_, '_>,
        inputs: &[Input<'m>],
        args: &[ValueId],
    ) -> Outcome<Vec<(ValueId, Element)>> {
        let graph = &self.model.graph;
        let mut scope = Scope::default();
        for (name, literal) in &self.options.bindings {
            scope.insert(name.clone(), Some(Tensor::literal(literal.clone())));
        }
        for (input, &arg) in inputs.iter().zip(args) {
            let mut dims = Indices::new();
            for (at, &extent) in input.extents.iter().enumerate() {
                let own = dl_tensor::extent(b.rw, arg, at, b.loc);
                dims.push(match extent {
                    Some(Extent::DimParam(symbol)) if !symbol.is_empty() => {
                        if let Some(&known) = self.known_symbols.get(&symbol[..]) {
                            let what = format!("input '{}', dimension '{symbol}'", input.name);
                            b.same_extent(known, own, &what)?;
                            known
                        } else {
                            self.known_symbols.insert(symbol, own);
                            own
                        }
                    }
                    _ => own,
                });
            }
            let tensor = b.tensor(arg, dims, input.element);
            require!(
                scope.insert(input.name.to_owned(), Some(tensor)).is_none(),
                "two inputs are named '{}'",
                input.name
            );
        }
        let outputs = self.graph(b, graph, scope)?;
        let mut results = Vec::new();
        for (info, output) in graph.output.iter().zip(outputs) {
            // A node that failed has been reported.
            let Some(output) = output else { continue };
            let output = self.declared_output(b, info, &output)?;
            results.push((b.value(&output)?, output.element));
        }
        Ok(results)
    }

    /// The output with what the graph says of its extents, where the importer does not know them.
    ///
    /// # Errors
    /// That they are known to be others.
    fn declared_output(&self, b: &mut Builder<'_, '_>, info: &ValueInfoProto, output: &Tensor) -> Outcome<Tensor> {
        let Ok((_, Some(extents))) = declared(info) else { return Ok(output.clone()) };
        if extents.len() != output.rank() {
            return Ok(output.clone());
        }
        let known = |(&own, extent): (&Index, Option<&Extent>)| match (own, extent) {
            (Index::Value(_), Some(&Extent::DimValue(extent))) if extent >= 0 => Index::Static(extent),
            _ => own,
        };
        let dims: Indices = output.dims.iter().zip(extents).map(known).collect();
        b.with_dims(output, &dims, &format!("output '{}'", info.name()))
    }

    /// Imports the nodes of a graph over names that are defined already; answers its outputs.
    ///
    /// # Errors
    /// What is wrong with the graph as a whole. Faults of nodes are collected.
    pub(crate) fn graph(
        &mut self,
        b: &mut Builder<'_, '_>,
        graph: &GraphProto,
        mut scope: Scope,
    ) -> Outcome<Vec<Option<Tensor>>> {
        require!(graph.sparse_initializer.is_empty(), "unsupported: sparse initializers");
        for proto in &graph.initializer {
            let name = proto.name();
            let literal = model::literal(proto, self.options.external);
            let literal = literal.map_err(|fault| fault!("initializer '{name}': {fault}"))?;
            if scope.contains_key(name) && self.options.bindings.iter().any(|(bound, _)| bound == name) {
                continue;
            }
            require!(
                scope.insert(name.to_owned(), Some(Tensor::literal(literal))).is_none(),
                "two values are named '{name}'"
            );
        }
        let outputs: Vec<&str> = graph.output.iter().map(|info| info.name()).collect();
        self.nodes(b, &graph.node, &outputs, scope)
    }

    /// Imports nodes; answers the values of these names.
    fn nodes(
        &mut self,
        b: &mut Builder<'_, '_>,
        nodes: &[NodeProto],
        outputs: &[&str],
        scope: Scope,
    ) -> Outcome<Vec<Option<Tensor>>> {
        require!(self.depth < MAX_DEPTH, "unsupported: graphs or functions nested more than {MAX_DEPTH} deep");
        self.depth += 1;
        self.scopes.push(scope);
        let around = b.loc;
        for proto in nodes {
            b.loc = location(b.cx(), proto, around);
            if let Err(fault) = self.node(b, proto) {
                if fault.0 == IN_SUBGRAPH {
                    // What is wrong in there has been said.
                    self.undefine(proto);
                    continue;
                }
                let title = if proto.name().is_empty() {
                    proto.op_type().to_owned()
                } else {
                    format!("{} ('{}')", proto.op_type(), proto.name())
                };
                self.faults.push(Diagnostic::error(b.loc, format!("node {title}: {fault}")));
                self.undefine(proto);
            }
        }
        b.loc = around;
        let found = outputs.iter().map(|name| self.find(name)).collect();
        self.scopes.pop();
        self.depth -= 1;
        found
    }

    /// Gives the outputs of a node that could not be imported their names.
    fn undefine(&mut self, proto: &NodeProto) {
        if let Some(scope) = self.scopes.last_mut() {
            for name in &proto.output {
                scope.entry(name.clone()).or_insert(None);
            }
        }
    }

    /// The value of this name; `None` where its node could not be imported.
    fn find(&self, name: &str) -> Outcome<Option<Tensor>> {
        let found = self.scopes.iter().rev().find_map(|scope| scope.get(name));
        let found = found.ok_or_else(|| fault!("'{name}' is not defined before it is used"))?;
        Ok(found.clone())
    }

    fn node(&mut self, b: &mut Builder<'_, '_>, proto: &NodeProto) -> Outcome<()> {
        self.nodes += 1;
        require!(self.nodes <= MAX_NODES, "unsupported: more than {MAX_NODES} nodes");
        let mut inputs = Vec::new();
        let mut follows_from_a_fault = false;
        for name in &proto.input {
            inputs.push(if name.is_empty() {
                None
            } else {
                let found = self.find(name)?;
                follows_from_a_fault |= found.is_none();
                found
            });
        }
        let domain = model::domain(proto);
        let outputs = if let Some(function) = self.function(domain, proto.op_type()) {
            if follows_from_a_fault { Vec::new() } else { self.call(b, proto, function, inputs)? }
        } else {
            let opset = self.opsets.get(domain).copied().unwrap_or(1);
            let operator = ops::find(domain, proto.op_type()).ok_or_else(|| {
                let domain = if domain.is_empty() { String::new() } else { format!(" of domain '{domain}'") };
                fault!("unsupported: operator{domain}")
            })?;
            require!(
                operator.opsets.contains(&opset) || !domain.is_empty(),
                "unsupported: this operator in opset {opset}; it is of opsets {} to {}",
                operator.opsets.start(),
                operator.opsets.end()
            );
            if follows_from_a_fault {
                Vec::new()
            } else {
                let node = Node { proto, inputs, opset, external: self.options.external };
                match operator.rule {
                    Rule::One(rule) => vec![rule(b, &node)?],
                    Rule::Many(rule) => rule(b, &node)?,
                    Rule::Control(rule) => stacker::maybe_grow(STACK_LEFT, STACK_STEP, || rule(self, b, &node))?,
                }
            }
        };
        self.define(proto, outputs, follows_from_a_fault)
    }

    /// Gives the outputs of a node their names.
    fn define(&mut self, proto: &NodeProto, outputs: Vec<Tensor>, poisoned: bool) -> Outcome<()> {
        let mut outputs = outputs.into_iter();
        let scope = self.scopes.last_mut().ok_or("a node outside of a graph")?;
        for name in &proto.output {
            let output = outputs.next();
            if name.is_empty() {
                continue;
            }
            require!(output.is_some() || poisoned, "unsupported: output '{name}' of this operator");
            require!(scope.insert(name.clone(), output).is_none(), "two values are named '{name}'");
        }
        Ok(())
    }

    fn function(&self, domain: &str, name: &str) -> Option<&'m FunctionProto> {
        if self.model.functions.is_empty() {
            return None;
        }
        let key = |domain: &str| (domain.to_owned(), name.to_owned());
        let functions = &self.model.functions;
        functions.get(&key(domain)).or_else(|| functions.get(&key("ai.onnx")).filter(|_| domain.is_empty()))
    }

    /// The nodes of a local function in place of its call.
    fn call(
        &mut self,
        b: &mut Builder<'_, '_>,
        proto: &NodeProto,
        function: &FunctionProto,
        inputs: Vec<Option<Tensor>>,
    ) -> Outcome<Vec<Tensor>> {
        require!(inputs.len() <= function.input.len(), "more inputs than function '{}' has", function.name());
        let attributes: FxHashMap<&str, &AttributeProto> = function
            .attribute_proto
            .iter()
            .chain(&proto.attribute)
            .map(|attribute| (attribute.name(), attribute))
            .collect();
        let nodes: Vec<NodeProto> = function.node.iter().map(|node| with_attributes(node, &attributes)).collect();
        let mut scope = Scope::default();
        for (name, input) in function.input.iter().zip(inputs) {
            if let Some(input) = input {
                scope.insert(name.clone(), Some(input));
            }
        }
        let mut opsets = model::opsets(&function.opset_import);
        std::mem::swap(&mut opsets, &mut self.opsets);
        // A function sees no names but its own.
        let around = std::mem::take(&mut self.scopes);
        let outputs: Vec<&str> = function.output.iter().map(|name| &name[..]).collect();
        let result = stacker::maybe_grow(STACK_LEFT, STACK_STEP, || self.nodes(b, &nodes, &outputs, scope));
        (self.scopes, self.opsets) = (around, opsets);
        let failed = || Fault("its function could not be imported".to_owned());
        result?.into_iter().map(|output| output.ok_or_else(failed)).collect()
    }

    /// Imports a subgraph whose inputs are these; answers its outputs.
    ///
    /// # Errors
    /// That a node of it could not be imported.
    pub(crate) fn subgraph(
        &mut self,
        b: &mut Builder<'_, '_>,
        graph: &GraphProto,
        inputs: &[Tensor],
    ) -> Outcome<Vec<Tensor>> {
        require!(
            inputs.len() == graph.input.len(),
            "expected a subgraph of {} inputs, but it has {}",
            inputs.len(),
            graph.input.len()
        );
        let names = graph.input.iter().map(|info| info.name().to_owned());
        let scope = names.zip(inputs.iter().cloned().map(Some)).collect();
        let outputs = self.graph(b, graph, scope)?;
        let failed = || Fault(IN_SUBGRAPH.to_owned());
        outputs.into_iter().map(|output| output.ok_or_else(failed)).collect()
    }

    /// The same with what the subgraph says of the extents of its outputs.
    ///
    /// # Errors
    /// As of [`subgraph`](Self::subgraph), or that extents are known to be others.
    pub(crate) fn declared_subgraph(
        &mut self,
        b: &mut Builder<'_, '_>,
        graph: &GraphProto,
        inputs: &[Tensor],
    ) -> Outcome<Vec<Tensor>> {
        let outputs = self.subgraph(b, graph, inputs)?;
        graph.output.iter().zip(&outputs).map(|(info, output)| self.declared_output(b, info, output)).collect()
    }
}

/// A node of a local function with the attributes that its call decides.
fn with_attributes(node: &NodeProto, attributes: &FxHashMap<&str, &AttributeProto>) -> NodeProto {
    let mut node = node.clone();
    node.attribute = node
        .attribute
        .into_iter()
        .filter_map(|attribute| {
            if attribute.ref_attr_name().is_empty() {
                return Some(attribute);
            }
            let mut given = (*attributes.get(attribute.ref_attr_name())?).clone();
            given.name = attribute.name.clone();
            Some(given)
        })
        .collect();
    node
}

/// The name of a node, or of its first output, inside the location of what is around it.
fn location(cx: &Context, proto: &NodeProto, around: Loc) -> Loc {
    let name = if proto.name().is_empty() { proto.output.first().map_or("", |name| name) } else { proto.name() };
    if name.is_empty() {
        return around;
    }
    cx.intern_loc(LocData::Name { name: cx.ident(name), child: Loc::UNKNOWN })
}

/// The element type of a value, and its extents where the rank is known.
fn declared(info: &ValueInfoProto) -> Outcome<(Element, Option<Vec<Option<&Extent>>>)> {
    let kind = info.r#type.as_ref().and_then(|ty| ty.value.as_ref());
    let tensor = match kind {
        Some(Kind::TensorType(tensor)) => tensor,
        Some(Kind::SequenceType(_)) => return Err(fault!("unsupported: a sequence")),
        Some(Kind::MapType(_)) => return Err(fault!("unsupported: a map")),
        Some(Kind::OptionalType(_)) => return Err(fault!("unsupported: an optional value")),
        None => return Err(fault!("it has no type")),
    };
    let element = Element::of_code(tensor.elem_type())?;
    let shape = tensor.shape.as_ref();
    Ok((element, shape.map(|shape| shape.dim.iter().map(|dim| dim.value.as_ref()).collect())))
}

/// The element type of a value, and its extents if all are known.
pub(crate) fn static_type(info: &ValueInfoProto) -> Outcome<(Element, Option<Vec<i64>>)> {
    let (element, extents) = declared(info)?;
    let known = |extent: Option<&Extent>| match extent {
        Some(&Extent::DimValue(extent)) if extent >= 0 => Some(extent),
        _ => None,
    };
    Ok((element, extents.and_then(|extents| extents.into_iter().map(known).collect())))
}
