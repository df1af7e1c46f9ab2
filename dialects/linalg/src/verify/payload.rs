//! `map`, `reduce`, `transpose` and `broadcast`.

use std::fmt::Write as _;

use dl_ir::{DYNAMIC, Diagnostic, OpRef, TypeRef};

use crate::structured::LinalgOp;

fn shape(ty: TypeRef<'_>) -> &[i64] {
    ty.shape().unwrap_or(&[])
}

/// `4, ?, 8`.
fn list(shape: &[i64], separator: &str) -> String {
    let mut text = String::new();
    for (i, &extent) in shape.iter().enumerate() {
        if i > 0 {
            text += separator;
        }
        if extent == DYNAMIC {
            text.push('?');
        } else {
            let _ = write!(text, "{extent}");
        }
    }
    text
}

fn dims(op: OpRef<'_>, name: &str) -> Vec<i64> {
    op.attr(name).into_iter().flat_map(|attr| attr.dense_ints()).collect()
}

/// The body takes the elements of all operands, which have one shape.
pub(crate) fn map(op: OpRef<'_>) -> Result<(), Diagnostic> {
    let Some(nest) = LinalgOp::of(op) else { return Ok(()) };
    let arity = nest.body().map_or(0, |body| body.num_args());
    if arity != op.num_operands() {
        return Err(op.error(format_args!(
            "expects number of operands to match the arity of mapper, but got: {} and {arity}",
            op.num_operands()
        )));
    }
    for (input, arg) in nest.inputs().zip(nest.body().into_iter().flat_map(|body| body.args())) {
        let element = input.ty().element_or_self();
        if element != arg.ty() {
            return Err(
                op.error(format_args!("expected element type of input '{element}' to match bbArg type '{}'", arg.ty()))
            );
        }
    }
    let output = nest.inits().get(0).map_or(&[][..], |init| shape(init.ty()));
    for input in nest.inputs() {
        if shape(input.ty()) != output {
            return Err(op.error(format_args!(
                "expected shape of input ({}) to match shape of output ({})",
                list(shape(input.ty()), ", "),
                list(output, ", ")
            )));
        }
    }
    Ok(())
}

/// Inits have the shape of the inputs without the reduced dimensions.
pub(crate) fn reduce(op: OpRef<'_>) -> Result<(), Diagnostic> {
    let Some(nest) = LinalgOp::of(op) else { return Ok(()) };
    let inputs: Vec<TypeRef<'_>> = nest.inputs().map(|v| v.ty()).collect();
    let inits: Vec<TypeRef<'_>> = nest.inits().iter().map(|v| v.ty()).collect();
    let (Some(&input), Some(&init)) = (inputs.first(), inits.first()) else {
        return Err(op.error("expected at least one input and one init"));
    };
    for (i, ty) in inputs.iter().enumerate().skip(1) {
        if shape(*ty) != shape(input) {
            return Err(op.error(format_args!(
                "expects all inputs to have the same shapes. Shape at input-index {i} is not equal to the shape at \
                 input-index 0."
            )));
        }
    }
    for (i, ty) in inits.iter().enumerate().skip(1) {
        if shape(*ty) != shape(init) {
            return Err(op.error(format_args!(
                "expects all outputs to have the same shapes. Shape at output-index {i} is not equal to the shape at \
                 output-index 0."
            )));
        }
    }
    let (input_shape, init_shape) = (shape(input), shape(init));
    let reduced = dims(op, "dimensions");
    let in_range = |&dim: &i64| usize::try_from(dim).is_ok_and(|dim| dim < input_shape.len());
    if !reduced.iter().all(in_range) {
        return Err(op.error(format_args!(
            "dimensions for reduction should be in the range [0, {}].",
            input_shape.len().saturating_sub(1)
        )));
    }
    let kept = input_shape.iter().enumerate().filter(|(i, _)| !reduced.contains(&(*i as i64)));
    let kept: Vec<i64> = kept.map(|(_, &extent)| extent).collect();
    if kept.len() != init_shape.len() {
        return Err(op.error(format_args!(
            "number of dimensions after reduction {} doesn't match the init rank {}",
            kept.len(),
            init_shape.len()
        )));
    }
    if kept != init_shape {
        return Err(op.error(format_args!(
            "init dimensions [{}] doesn't match input dimensions after reduction [{}]",
            list(init_shape, ", "),
            list(&kept, ", ")
        )));
    }
    body_of_reduce(op, nest, &inputs, &inits)
}

fn body_of_reduce(
    op: OpRef<'_>,
    nest: LinalgOp<'_>,
    inputs: &[TypeRef<'_>],
    inits: &[TypeRef<'_>],
) -> Result<(), Diagnostic> {
    let Some(body) = nest.body().filter(|body| body.num_args() == op.num_operands()) else {
        return Err(op.error("mismatching number of operands and block arguments"));
    };
    for (kind, types, first) in [("input", inputs, 0), ("output", inits, inputs.len())] {
        for (i, ty) in types.iter().enumerate() {
            let (element, arg) = (ty.element_or_self(), body.arg(first + i).ty());
            if element != arg {
                return Err(op.error(format_args!(
                    "{kind} element type '{element}' does not match corresponding block argument type '{arg}'"
                )));
            }
        }
    }
    Ok(())
}

/// Dimension i of the init is dimension `permutation[i]` of the input.
pub(crate) fn transpose(op: OpRef<'_>) -> Result<(), Diagnostic> {
    let (input, init) = (shape(op.operand(0).ty()), shape(op.operand(1).ty()));
    let permutation = dims(op, "permutation");
    let mut sorted = permutation.clone();
    sorted.sort_unstable();
    if !sorted.iter().enumerate().all(|(i, &dim)| dim == i as i64) {
        return Err(op.error("permutation is not valid"));
    }
    if input.len() != init.len() {
        return Err(op.error(format_args!("input rank {} does not match init rank {}", input.len(), init.len())));
    }
    if input.len() != permutation.len() {
        return Err(op.error(format_args!(
            "size of permutation {} does not match the argument rank {}",
            permutation.len(),
            input.len()
        )));
    }
    for (i, &dim) in permutation.iter().enumerate() {
        let from = input[dim as usize];
        if from != init[i] {
            return Err(op.error(format_args!(
                "dim(result, {i}) = {} doesn't match dim(input, permutation[{i}]) = {}",
                list(&init[i..=i], ""),
                list(&[from], "")
            )));
        }
    }
    super::structured(op)
}

/// The init has the dimensions of the input and the listed ones.
pub(crate) fn broadcast(op: OpRef<'_>) -> Result<(), Diagnostic> {
    let (input, init) = (shape(op.operand(0).ty()), shape(op.operand(1).ty()));
    let added = dims(op, "dimensions");
    if input.len() + added.len() != init.len() {
        return Err(op.error(format_args!(
            "input rank plus added dimensions does not match init rank. input rank: {}, dimensions size: {}, init rank: {}",
            input.len(),
            added.len(),
            init.len()
        )));
    }
    for (i, &dim) in added.iter().enumerate() {
        if usize::try_from(dim).is_ok_and(|dim| dim < init.len()) {
            continue;
        }
        return Err(op.error(format_args!(
            "dimension {i} is out of range. expected range: [0, {}], got: {dim}",
            init.len().saturating_sub(1)
        )));
    }
    let kept = (0..init.len()).filter(|i| !added.contains(&(*i as i64)));
    for (i, dim) in kept.enumerate() {
        if input.get(i) != Some(&init[dim]) {
            return Err(op.error(format_args!(
                "input dim {i} should match init dim {dim}. input: {}, init: {}",
                list(input.get(i..=i).unwrap_or(&[]), ""),
                list(&init[dim..=dim], "")
            )));
        }
    }
    super::structured(op)
}
