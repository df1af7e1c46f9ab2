//! Verifiers.

use dl_ir::{DYNAMIC, Diagnostic, OpRef, OpView, TypeRef};

use crate::types::{Scheme, Uniform, expressed, storage};
use crate::{DequantizeCastOp, QuantizeCastOp, StorageCastOp};

type Verified = Result<(), Diagnostic>;

fn error(op: OpRef<'_>, message: impl Into<String>) -> Diagnostic {
    Diagnostic::error(op.loc(), message)
}

pub(crate) fn verify_quantize(op: OpRef<'_>) -> Verified {
    let view = QuantizeCastOp::wrap(op);
    verify_number_cast(op, view.input().ty(), view.result().ty())
}

pub(crate) fn verify_dequantize(op: OpRef<'_>) -> Verified {
    let view = DequantizeCastOp::wrap(op);
    verify_number_cast(op, view.result().ty(), view.input().ty())
}

/// A cast between `number`, a float or tensor of floats, and `quantized`.
fn verify_number_cast(op: OpRef<'_>, number: TypeRef<'_>, quantized: TypeRef<'_>) -> Verified {
    if expressed(quantized.element_or_self()) != Some(number.element_or_self().id()) {
        return Err(error(op, "expressed type in quantized type expected to match float type"));
    }
    verify_scheme(op, quantized)
}

pub(crate) fn verify_storage(op: OpRef<'_>) -> Verified {
    let view = StorageCastOp::wrap(op);
    let (input, result) = (view.input().ty(), view.result().ty());
    let input_is_integer = input.element_or_self().is_integer();
    let (integer, quantized) = if input_is_integer { (input, result) } else { (result, input) };
    if storage(quantized.element_or_self()).map(|storage| storage.ty) != Some(integer.element_or_self().id()) {
        return Err(error(op, "storage type in quantized type expected to match integer type"));
    }
    verify_scheme(op, quantized)
}

/// The scales of `ty` or its elements fit the shape of `ty`.
fn verify_scheme(op: OpRef<'_>, ty: TypeRef<'_>) -> Verified {
    let Some(uniform) = Uniform::of(ty.element_or_self()) else { return Ok(()) };
    match &uniform.scheme {
        Scheme::PerLayer => Ok(()),
        Scheme::PerAxis(axis) => verify_axis(op, ty, *axis, uniform.scales.len()),
        Scheme::Blocks { sizes, shape } => verify_blocks(op, ty, sizes, shape),
    }
}

fn verify_axis(op: OpRef<'_>, ty: TypeRef<'_>, axis: i32, scales: usize) -> Verified {
    if !ty.is_tensor() {
        return Err(error(op, "scalar types may not use per-axis quantization"));
    }
    let Some(shape) = ty.shape() else { return Ok(()) };
    match usize::try_from(axis).ok().and_then(|axis| shape.get(axis)) {
        None => Err(error(op, "quantized dimension must be less than tensor rank")),
        Some(&size) if size != DYNAMIC && size != scales as i64 => {
            Err(error(op, "quantized dimension size does not match number of scales"))
        }
        Some(_) => Ok(()),
    }
}

/// `sizes` are those of the blocks along some axes, `counts` the numbers of blocks along all.
fn verify_blocks(op: OpRef<'_>, ty: TypeRef<'_>, sizes: &[(i32, i64)], counts: &[i64]) -> Verified {
    if !ty.is_tensor() {
        return Err(error(op, "scalar types may not use sub-channel quantization"));
    }
    let Some(shape) = ty.shape() else {
        return Err(error(op, "tensor containing the sub-channel quantized type must be ranked"));
    };
    if shape.contains(&0) {
        return Err(error(op, "tensor dimension size of zero is not allowed with sub-channel quantization"));
    }
    let mut blocks = shape.to_vec();
    for &(axis, size) in sizes {
        let Some(block) = usize::try_from(axis).ok().and_then(|axis| blocks.get_mut(axis)) else {
            let rank = shape.len();
            return Err(error(op, format!("quantized dimension {axis} must be less than tensor rank {rank}")));
        };
        if *block != DYNAMIC && *block % size != 0 {
            return Err(error(
                op,
                format!(
                    "tensor dimension size {block} at axis {axis} must be divisible by the corresponding block size {size}"
                ),
            ));
        }
        *block = size;
    }
    if counts.len() != shape.len() {
        let (scales, rank) = (counts.len(), shape.len());
        return Err(error(op, format!("Rank of scales {scales} must match the rank of the tensor {rank}")));
    }
    for (axis, ((&size, &block), &count)) in shape.iter().zip(&blocks).zip(counts).enumerate() {
        let expected = if size == DYNAMIC { count } else { size / block };
        if expected != count {
            // The first number is not `count`: tests rely on MLIR's wording.
            return Err(error(
                op,
                format!(
                    "dimension size {expected} of scales tensor at axis {axis} should match (tensor dimension at axis / block sizes at axis) = {expected}"
                ),
            ));
        }
    }
    Ok(())
}
