//! Control flow: operators with subgraphs.

use dl_ir::interfaces::Index;
use dl_ir::interfaces::index_list::Indices;
use dl_ir::{DYNAMIC, Type, ValueId};

use super::{Operator, Rule};
use crate::builder::Builder;
use crate::element::Element;
use crate::fault::{Outcome, fault, require};
use crate::graph::Importer;
use crate::messages::{GraphProto, ValueInfoProto};
use crate::model::MAX_OPSET;
use crate::node::Node;
use crate::tensor::Tensor;

pub(super) const OPERATORS: &[Operator] =
    &[control("If", 1, branch), control("Loop", 1, repeat), control("Scan", 8, scan)];

const fn control(
    name: &'static str,
    since: i64,
    rule: fn(&mut Importer<'_>, &mut Builder<'_, '_>, &Node<'_>) -> Outcome<Vec<Tensor>>,
) -> Operator {
    Operator { domain: "", name, opsets: std::ops::RangeInclusive::new(since, MAX_OPSET), rule: Rule::Control(rule) }
}

/// The one element of a tensor, as a value.
fn only(b: &mut Builder<'_, '_>, tensor: &Tensor) -> Outcome<ValueId> {
    let scalar = b.reshape(tensor, &[])?;
    let value = b.value(&scalar)?;
    Ok(b.extract(value, &[]))
}

/// The values of tensors.
fn values(b: &mut Builder<'_, '_>, tensors: &[Tensor]) -> Outcome<Vec<ValueId>> {
    tensors.iter().map(|tensor| b.value(tensor)).collect()
}

/// What is known of a value of the program whose type is that of a tensor with these elements.
fn of_value(b: &mut Builder<'_, '_>, value: ValueId, element: Element) -> Tensor {
    let dims = dl_tensor::extents(b.rw, value, b.loc);
    b.tensor(value, dims, element)
}

/// Extents that two types have in common.
fn common(b: &Builder<'_, '_>, one: Type, other: Type) -> Outcome<Type> {
    let cx = b.cx();
    if one == other {
        return Ok(one);
    }
    let (left, right) = (cx.ty(one), cx.ty(other));
    let (Some(x), Some(y)) = (left.shape(), right.shape()) else { return Err(fault!("expected tensors")) };
    require!(left.element_type() == right.element_type(), "a value has two element types");
    require!(
        x.len() == y.len(),
        "unsupported: a value whose rank, {} or {}, is known only when running",
        x.len(),
        y.len()
    );
    let shape: Vec<i64> = x.iter().zip(y).map(|(&x, &y)| if x == y { x } else { DYNAMIC }).collect();
    Ok(cx.tensor_type(&shape, left.element_or_self().id()))
}

fn branch(importer: &mut Importer<'_>, b: &mut Builder<'_, '_>, node: &Node<'_>) -> Outcome<Vec<Tensor>> {
    let condition = node.input(0)?;
    let (yes, no) = (node.graph("then_branch")?, node.graph("else_branch")?);
    if let Some(known) = condition.known_ints() {
        return importer.subgraph(b, if known.first() == Some(&0) { no } else { yes }, &[]);
    }
    let condition = only(b, condition)?;
    let mut elements = Vec::new();
    let mut of_other = Vec::new();
    let mut failure = None;
    let importer = std::cell::RefCell::new(importer);
    let results = b.if_else(
        condition,
        |b, yes, no| {
            let types = yes.iter().zip(no).map(|(&yes, &no)| common(b, b.type_of(yes), b.type_of(no)));
            types.collect::<Outcome<Vec<Type>>>().unwrap_or_else(|fault| {
                failure = Some(fault);
                yes.iter().map(|&value| b.type_of(value)).collect()
            })
        },
        |b| {
            let outputs = importer.borrow_mut().subgraph(b, yes, &[])?;
            elements = outputs.iter().map(|output| output.element).collect();
            values(b, &outputs)
        },
        |b| {
            let outputs = importer.borrow_mut().subgraph(b, no, &[])?;
            of_other = outputs.iter().map(|output| output.element).collect();
            values(b, &outputs)
        },
    )?;
    if let Some(failure) = failure {
        return Err(failure);
    }
    require!(elements == of_other, "the branches have outputs of different element types");
    Ok(results.into_iter().zip(elements).map(|(value, element)| of_value(b, value, element)).collect())
}

/// A value that iterations hand on, as a tensor of a type that all of them have: extents that the body changes are not known.
struct Carried {
    elements: Vec<Element>,
    types: Vec<Type>,
}

impl Carried {
    fn of(b: &mut Builder<'_, '_>, tensors: &[Tensor]) -> Outcome<Self> {
        let types = values(b, tensors)?.into_iter().map(|value| b.type_of(value)).collect();
        Ok(Self { elements: tensors.iter().map(|tensor| tensor.element).collect(), types })
    }

    fn tensors(&self, b: &mut Builder<'_, '_>, values: &[ValueId]) -> Vec<Tensor> {
        values.iter().zip(&self.elements).map(|(&value, &element)| of_value(b, value, element)).collect()
    }

    /// The tensors as values of these types.
    fn values(&self, b: &mut Builder<'_, '_>, tensors: &[Tensor]) -> Outcome<Vec<ValueId>> {
        let mut all = Vec::new();
        for ((tensor, &ty), &element) in tensors.iter().zip(&self.types).zip(&self.elements) {
            require!(tensor.element == element, "a value that iterations hand on changes its element type");
            let value = b.value(tensor)?;
            let joint = common(b, b.type_of(value), ty)?;
            require!(
                joint == ty,
                "unsupported: a value that iterations hand on and whose shape they change from {} to {}",
                b.cx().ty(ty),
                b.cx().ty(b.type_of(value))
            );
            all.push(b.as_type(value, ty));
        }
        Ok(all)
    }
}

/// The list of results of iterations, one after the other in a new first dimension.
fn store(b: &mut Builder<'_, '_>, list: ValueId, at: ValueId, element: &Tensor) -> Outcome<ValueId> {
    let ty = b.type_of(list);
    let list = of_value(b, list, element.element);
    let says = list.dims.iter().skip(1);
    let fits = list.rank() == element.rank() + 1
        && says.zip(&element.dims).all(|(&x, &y)| x.as_static().zip(y.as_static()).is_none_or(|(x, y)| x == y));
    require!(fits, "a result of an iteration has another shape than the graph says");
    let of_list = b.cx().ty(ty).element_or_self().id();
    require!(of_list == element.element.ty(b.cx()), "a result of an iteration has other elements than the graph says");
    let mut offsets: Indices = list.dims.iter().map(|_| Index::Static(0)).collect();
    offsets[0] = Index::Value(at);
    let mut sizes: Indices = [Index::Static(1)].into_iter().collect();
    sizes.extend(element.dims.iter().copied());
    let list = b.insert(element, &list, &offsets, &sizes)?;
    let value = b.value(&list)?;
    Ok(b.as_type(value, ty))
}

/// `Loop`: as often as a count says, and as long as a condition holds.
fn repeat(importer: &mut Importer<'_>, b: &mut Builder<'_, '_>, node: &Node<'_>) -> Outcome<Vec<Tensor>> {
    let body = node.graph("body")?;
    let inits: Vec<Tensor> = (2..node.inputs.len()).map(|at| node.input(at).cloned()).collect::<Outcome<_>>()?;
    let count = match node.optional(0) {
        Some(count) => match b.scalars(&count.clone())?.first().copied().ok_or("expected a count")? {
            // Less than never is never.
            Index::Static(count) => Some(Index::Static(count.max(0))),
            count @ Index::Value(_) => Some(count),
        },
        None => None,
    };
    let lists = body.output.len().checked_sub(inits.len() + 1).ok_or("its body has too few outputs")?;
    let mut carried = Carried::of(b, &inits)?;
    let outputs = loop {
        let outputs = outputs_of(importer, b, body, &inits, &carried)?;
        let pairs = carried.types.iter().zip(outputs.iter().skip(1));
        let types = pairs.map(|(&ty, &(_, next))| common(b, ty, next)).collect::<Outcome<Vec<Type>>>()?;
        if types == carried.types {
            break outputs;
        }
        carried.types = types;
    };
    if importer.is_trial {
        return outputs_for_trial(b, body, &carried, &outputs[1 + inits.len()..]);
    }
    let start = carried.values(b, &inits)?;
    let mut state = start.clone();
    let mut of_lists = Vec::new();
    if lists > 0 {
        let count = count.ok_or("unsupported: outputs of iterations whose number is not bounded")?;
        let from = 1 + inits.len();
        for (info, &(element, ty)) in body.output[from..].iter().zip(&outputs[from..]) {
            let dims = extents(b, info, ty)?;
            state.push(empty_list(b, element, dims, count));
            of_lists.push(element);
        }
    }
    let zero = b.index(Index::Static(0));
    state.push(zero);
    let first = match node.optional(1) {
        Some(condition) => only(b, &condition.clone())?,
        None => b.int(b.cx().i1_type(), 1),
    };
    let limit = count.map(|count| b.index(count));
    let below = |b: &mut Builder<'_, '_>, at: ValueId| match limit {
        Some(limit) => b.compare_ints("slt", at, limit),
        None => b.int(b.cx().i1_type(), 1),
    };
    let starts = below(b, zero);
    let first = b.same("arith.andi", &[first, starts]);
    let results = b.while_loop(first, &state, |b, state| {
        let (&at, state) = state.split_last().ok_or("no state")?;
        let (own, of_iterations) = state.split_at(start.len());
        let inputs = inputs_of(b, at, &carried, own);
        let outputs = importer.declared_subgraph(b, body, &inputs)?;
        let (condition, outputs) = outputs.split_first().ok_or("its body has no outputs")?;
        let (own, elements) = outputs.split_at(start.len());
        let mut next = carried.values(b, own)?;
        for (&list, element) in of_iterations.iter().zip(elements) {
            next.push(store(b, list, at, element)?);
        }
        let one = b.index(Index::Static(1));
        let at = b.add(at, one);
        next.push(at);
        let goes_on = only(b, condition)?;
        let more = below(b, at);
        Ok((b.same("arith.andi", &[goes_on, more]), next))
    })?;
    let (&ran, results) = results.split_last().ok_or("no results")?;
    let (own, of_iterations) = results.split_at(start.len());
    let mut outputs = carried.tensors(b, own);
    for (&list, &element) in of_iterations.iter().zip(&of_lists) {
        let list = of_value(b, list, element);
        outputs.push(b.part(&list, 0, Index::Static(0), Index::Value(ran))?);
    }
    Ok(outputs)
}

/// The inputs of the body of a `Loop`: the number of the iteration, that it is to run, and what is handed on.
fn inputs_of(b: &mut Builder<'_, '_>, at: ValueId, carried: &Carried, own: &[ValueId]) -> Vec<Tensor> {
    let number = b.op("arith.index_cast", &[at], Element::I64.ty(b.cx()));
    let number = b.op("tensor.from_elements", &[number], b.cx().tensor_type(&[], Element::I64.ty(b.cx())));
    let holds = b.int(b.cx().i1_type(), 1);
    let holds = b.op("tensor.from_elements", &[holds], b.cx().tensor_type(&[], b.cx().i1_type()));
    let mut inputs = vec![b.tensor(number, [], Element::I64), b.tensor(holds, [], Element::Bool)];
    inputs.extend(carried.tensors(b, own));
    inputs
}

/// The types of the outputs of the body of a `Loop` that hands on values of the types of `carried`. The body is imported for that, and erased.
fn outputs_of(
    importer: &mut Importer<'_>,
    b: &mut Builder<'_, '_>,
    body: &GraphProto,
    inits: &[Tensor],
    carried: &Carried,
) -> Outcome<Vec<(Element, Type)>> {
    let (point, region) = (b.rw.insertion_point(), b.rw.new_region());
    let block = b.rw.append_block(region, &[]);
    b.rw.set_insertion_to_end(block);
    let was_trial = std::mem::replace(&mut importer.is_trial, true);
    let mut outputs = || {
        let at = b.index(Index::Static(0));
        let own = carried.values(b, inits)?;
        let inputs = inputs_of(b, at, carried, &own);
        let outputs = importer.declared_subgraph(b, body, &inputs)?;
        let values = values(b, &outputs)?;
        Ok(outputs.iter().zip(values).map(|(output, value)| (output.element, b.type_of(value))).collect())
    };
    let outputs = outputs();
    importer.is_trial = was_trial;
    b.rw.set_insertion_point(point);
    b.rw.erase_block(block);
    outputs
}

/// Some values of the types of the outputs of a `Loop`, so that a loop around need not import its body again.
fn outputs_for_trial(
    b: &mut Builder<'_, '_>,
    body: &GraphProto,
    carried: &Carried,
    lists: &[(Element, Type)],
) -> Outcome<Vec<Tensor>> {
    let zero = b.index(Index::Static(0));
    let index = |extent: i64| if extent == DYNAMIC { Index::Value(zero) } else { Index::Static(extent) };
    let mut outputs = Vec::new();
    for (&ty, &element) in carried.types.iter().zip(&carried.elements) {
        let dims: Indices = b.cx().ty(ty).shape().unwrap_or_default().iter().copied().map(index).collect();
        let value = b.empty(&dims, element);
        outputs.push(b.tensor(value, dims, element));
    }
    for (info, &(element, ty)) in body.output[1 + outputs.len()..].iter().zip(lists) {
        let mut dims: Indices = [index(DYNAMIC)].into_iter().collect();
        dims.extend(extents(b, info, ty)?.into_iter().map(index));
        let value = b.empty(&dims, element);
        outputs.push(b.tensor(value, dims, element));
    }
    Ok(outputs)
}

/// The extents of a result of an iteration, by what the graph says of it or by its type.
fn extents(b: &Builder<'_, '_>, info: &ValueInfoProto, ty: Type) -> Outcome<Vec<i64>> {
    if let Ok((_, Some(said))) = crate::graph::static_type(info) {
        return Ok(said);
    }
    let shape = b.cx().ty(ty).shape().unwrap_or_default();
    require!(!shape.contains(&DYNAMIC), "unsupported: results of iterations, '{}', of unknown shape", info.name());
    Ok(shape.to_vec())
}

/// An empty list for as many results as `count`, each of these extents.
fn empty_list(b: &mut Builder<'_, '_>, element: Element, dims: Vec<i64>, count: Index) -> ValueId {
    let mut all: Indices = [count].into_iter().collect();
    all.extend(dims.into_iter().map(Index::Static));
    b.empty(&all, element)
}

/// `Scan`: over slices of inputs, handing state on. In opset 8 all inputs and outputs are batches.
fn scan(importer: &mut Importer<'_>, b: &mut Builder<'_, '_>, node: &Node<'_>) -> Outcome<Vec<Tensor>> {
    if node.opset >= 9 {
        return scan_one(importer, b, node, &node.all()?);
    }
    require!(node.optional(0).is_none(), "unsupported: sequences of several lengths");
    let all = (1..node.inputs.len()).map(|at| node.input(at).cloned()).collect::<Outcome<Vec<Tensor>>>()?;
    let mut batch = Index::Static(1);
    for (number, input) in all.iter().enumerate() {
        let own = *input.dims.first().ok_or("expected a batch, but got a scalar")?;
        batch = if number == 0 { own } else { b.same_extent(batch, own, "batch")? };
    }
    let batch = batch.as_static().ok_or("unsupported: a batch whose size is known only when running")?;
    require!((1..=MAX_BATCH).contains(&batch), "unsupported: a batch of {batch}");
    let mut outputs: Vec<Vec<Tensor>> = Vec::new();
    for at in 0..batch {
        let mut own = Vec::new();
        for input in &all {
            let part = b.part(input, 0, Index::Static(at), Index::Static(1))?;
            own.push(b.squeeze(&part, &[0])?);
        }
        let results = scan_one(importer, b, node, &own)?;
        outputs.resize(results.len(), Vec::new());
        for (output, result) in outputs.iter_mut().zip(&results) {
            output.push(b.unsqueeze(result, &[0])?);
        }
    }
    outputs.iter().map(|output| b.concat(output, 0)).collect()
}

/// Largest batch of a `Scan` of opset 8, whose body is imported as often.
const MAX_BATCH: i64 = 64;

/// `Scan` without batches.
fn scan_one(
    importer: &mut Importer<'_>,
    b: &mut Builder<'_, '_>,
    node: &Node<'_>,
    all: &[Tensor],
) -> Outcome<Vec<Tensor>> {
    let body = node.graph("body")?;
    let scanned = usize::try_from(node.int("num_scan_inputs", 0)?).map_err(|_| "a negative number of inputs")?;
    let states = all.len().checked_sub(scanned).filter(|_| scanned > 0).ok_or("expected an input to scan")?;
    let (inits, inputs) = all.split_at(states);
    let lists = body.output.len().checked_sub(states).ok_or("its body has too few outputs")?;
    let settings = |name: &str, length: usize| -> Outcome<Vec<i64>> {
        let list = node.ints(name)?.map_or_else(|| vec![0; length], <[i64]>::to_vec);
        require!(list.len() == length, "attribute '{name}' has {} elements instead of {length}", list.len());
        Ok(list)
    };
    let (directions, axes) = (
        settings(if node.opset >= 9 { "scan_input_directions" } else { "directions" }, scanned)?,
        settings("scan_input_axes", scanned)?,
    );
    let (out_directions, out_axes) = (settings("scan_output_directions", lists)?, settings("scan_output_axes", lists)?);
    let axes = inputs.iter().zip(&axes).map(|(input, &axis)| input.axis(axis)).collect::<Outcome<Vec<usize>>>()?;
    let mut count = inputs[0].dims[axes[0]];
    for (input, &axis) in inputs.iter().zip(&axes) {
        count = b.same_extent(count, input.dims[axis], "scanned dimension")?;
    }
    let carried = Carried::of(b, inits)?;
    let start = carried.values(b, inits)?;
    let mut state = start.clone();
    let mut of_lists = Vec::new();
    for info in &body.output[states..] {
        let (element, dims) = crate::graph::static_type(info)?;
        let unknown = || fault!("unsupported: results of iterations, '{}', of unknown shape", info.name());
        state.push(empty_list(b, element, dims.ok_or_else(unknown)?, count));
        of_lists.push(element);
    }
    let results = b.for_loop(Index::Static(0), count, &state, |b, step, state| {
        let (own, of_iterations) = state.split_at(states);
        let backwards = |b: &mut Builder<'_, '_>| -> Outcome<ValueId> {
            let last = b.index_sub(count, Index::Static(1))?;
            let last = b.index_sub(last, Index::Value(step))?;
            Ok(b.index(last))
        };
        let mut given = carried.tensors(b, own);
        for ((input, &axis), &direction) in inputs.iter().zip(&axes).zip(&directions) {
            let at = if direction == 0 { step } else { backwards(b)? };
            let slice = b.part(input, axis, Index::Value(at), Index::Static(1))?;
            given.push(b.squeeze(&slice, &[axis])?);
        }
        let outputs = importer.subgraph(b, body, &given)?;
        let (own, elements) = outputs.split_at(states);
        let mut next = carried.values(b, own)?;
        for ((&list, element), &direction) in of_iterations.iter().zip(elements).zip(&out_directions) {
            let at = if direction == 0 { step } else { backwards(b)? };
            next.push(store(b, list, at, element)?);
        }
        Ok(next)
    })?;
    let (own, of_iterations) = results.split_at(states);
    let mut outputs = carried.tensors(b, own);
    for ((&list, &element), &axis) in of_iterations.iter().zip(&of_lists).zip(&out_axes) {
        let list = of_value(b, list, element);
        let axis = list.axis(axis)?;
        let mut permutation: Vec<usize> = (1..list.rank()).collect();
        permutation.insert(axis, 0);
        outputs.push(b.transpose(&list, &permutation)?);
    }
    Ok(outputs)
}
