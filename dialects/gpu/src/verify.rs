//! Verifiers of operations in kernels.

use dl_ir::{AttrRef, Diagnostic, OpRef, OpView, TypeRef, ValueRef};

use crate::types::{matrix_operand, matrix_shape};
use crate::{
    ALL_REDUCE_OPERATION, AddressSpace, AllReduceOp, AllReduceOperation, AllocOp, DynamicSharedMemoryOp, MemcpyOp,
    RotateOp, SubgroupMmaComputeOp, SubgroupMmaLoadMatrixOp, SubgroupMmaStoreMatrixOp, SubgroupReduceOp, YieldOp,
};

type Verified = Result<(), Diagnostic>;

fn error(op: OpRef<'_>, message: impl Into<String>) -> Verified {
    Err(Diagnostic::error(op.loc(), message))
}

/// Whether the memory space of `ty` is `space`; `None` where it is not one that the dialect names.
pub(crate) fn is_in_space(ty: TypeRef<'_>, space: AddressSpace) -> Option<bool> {
    let given = ty.memory_space().filter(|given| given.is_dialect_attr("gpu.address_space"))?;
    Some(given.enum_value() == Some(space.value()))
}

/// A reduction by name is one that numbers of the type have.
fn verify_reduction(op: OpRef<'_>, reduction: u64, ty: TypeRef<'_>) -> Verified {
    use AllReduceOperation as Kind;
    let is = |kinds: &[Kind]| kinds.iter().any(|kind| kind.value() == reduction);
    let of_floats = is(&[Kind::Minnumf, Kind::Maxnumf, Kind::Minimumf, Kind::Maximumf]);
    let of_integers = is(&[Kind::Minsi, Kind::Minui, Kind::Maxsi, Kind::Maxui, Kind::And, Kind::Or, Kind::Xor]);
    let element = ty.element_or_self();
    if of_floats && !element.is_float() || of_integers && !element.is_integer() {
        let keyword = ALL_REDUCE_OPERATION.keyword(reduction).unwrap_or_default();
        return error(op, format!("`{keyword}` reduction operation is not compatible with type '{ty}'"));
    }
    Ok(())
}

pub(crate) fn verify_all_reduce(op: OpRef<'_>) -> Verified {
    let view = AllReduceOp::wrap(op);
    let (ty, body) = (view.result().ty(), view.body());
    let reduction = view.op().and_then(AttrRef::enum_value);
    match (reduction, body.entry()) {
        (Some(reduction), None) => verify_reduction(op, reduction, ty),
        (None, Some(entry)) => {
            if entry.num_args() != 2 {
                return error(op, "expected two region arguments");
            }
            if entry.args().any(|arg| arg.ty() != ty) {
                return error(op, "incorrect region argument type");
            }
            let yields: Vec<YieldOp<'_>> =
                body.blocks().filter_map(|block| block.last_op()?.cast::<YieldOp<'_>>()).collect();
            for each in &yields {
                let mut types = each.values().iter().map(ValueRef::ty);
                let (Some(given), None) = (types.next(), types.next()) else {
                    return error(op, "expected one gpu.yield operand");
                };
                if given != ty {
                    return error(op, "incorrect gpu.yield type");
                }
            }
            if yields.is_empty() { error(op, "expected gpu.yield op in region") } else { Ok(()) }
        }
        _ => error(op, "expected either an op attribute or a non-empty body"),
    }
}

pub(crate) fn verify_subgroup_reduce(op: OpRef<'_>) -> Verified {
    let view = SubgroupReduceOp::wrap(op);
    verify_reduction(op, view.op().enum_value().unwrap_or(0), view.result().ty())?;
    let is_power = |n: i64| n > 0 && n & (n - 1) == 0;
    let size = view.cluster_size().and_then(AttrRef::as_int);
    if let Some(size) = size.filter(|&size| !is_power(size)) {
        return Err(op.error(format_args!("cluster size {size} is not a power of two")));
    }
    let stride = view.cluster_stride().as_int().unwrap_or(1);
    if stride != 1 && size.is_none() {
        return Err(op.error("cluster stride can only be specified if cluster size is specified"));
    }
    if !is_power(stride) {
        return Err(op.error(format_args!("cluster stride {stride} is not a power of two")));
    }
    Ok(())
}

pub(crate) fn verify_rotate(op: OpRef<'_>) -> Verified {
    let view = RotateOp::wrap(op);
    let (offset, width) = (view.offset().as_int(), view.width().as_int());
    match width {
        Some(width) if offset.is_none_or(|offset| offset >= width) => {
            Err(op.error(format_args!("offset must be in the range [0, {width})")))
        }
        _ => Ok(()),
    }
}

pub(crate) fn verify_memcpy(op: OpRef<'_>) -> Verified {
    let view = MemcpyOp::wrap(op);
    let (dst, src) = (view.dst().ty(), view.src().ty());
    if dst.element_type() != src.element_type() {
        return Err(op.error("arguments have incompatible element type"));
    }
    let (Some(a), Some(b)) = (dst.shape(), src.shape()) else { return Ok(()) };
    let agree = |(a, b): (&i64, &i64)| a == b || *a == dl_ir::DYNAMIC || *b == dl_ir::DYNAMIC;
    if a.len() != b.len() || !a.iter().zip(b).all(agree) {
        return Err(op.error("arguments have incompatible shape"));
    }
    Ok(())
}

/// Whether elements that follow each other in the last dimension follow each other in memory.
fn has_unit_stride(ty: TypeRef<'_>) -> bool {
    ty.strided_layout().is_some_and(|layout| layout.strides.last() == Some(&1))
}

pub(crate) fn verify_load_matrix(op: OpRef<'_>) -> Verified {
    let view = SubgroupMmaLoadMatrixOp::wrap(op);
    if !has_unit_stride(view.src_memref().ty()) {
        return error(op, "expected source memref most minor dim must have unit stride");
    }
    Ok(())
}

pub(crate) fn verify_store_matrix(op: OpRef<'_>) -> Verified {
    let view = SubgroupMmaStoreMatrixOp::wrap(op);
    if !has_unit_stride(view.dst_memref().ty()) {
        return error(op, "expected destination memref most minor dim must have unit stride");
    }
    if matrix_operand(view.src().ty()) != Some("COp") {
        return error(op, "expected the operand matrix being stored to have 'COp' operand type");
    }
    Ok(())
}

pub(crate) fn verify_compute_matrix(op: OpRef<'_>) -> Verified {
    let view = SubgroupMmaComputeOp::wrap(op);
    let types = [view.op_a().ty(), view.op_b().ty(), view.op_c().ty()];
    if types.map(matrix_operand) != [Some("AOp"), Some("BOp"), Some("COp")] {
        return error(op, "operands must be in the order AOp, BOp, COp");
    }
    let [a, b, c] = types.map(matrix_shape);
    if a.get(1) != b.first() || a.first() != c.first() || b.get(1) != c.get(1) {
        return error(op, "operand shapes do not satisfy matmul constraints");
    }
    Ok(())
}

pub(crate) fn verify_alloc(op: OpRef<'_>) -> Verified {
    let view = AllocOp::wrap(op);
    let ty = view.memref().ty();
    let (given, expected) = (view.dynamic_sizes().len(), ty.num_dynamic_dims());
    if given != expected {
        return Err(op.error(format_args!("incorrect number of dynamic sizes, has {given}, expected {expected}")));
    }
    let map = ty.memref_layout().and_then(AttrRef::as_affine_map).filter(|_| !ty.has_identity_layout());
    let symbols = map.map_or(0, |map| op.cx().affine().map(map).num_symbols);
    if view.symbol_operands().len() != symbols as usize {
        return Err(op.error("symbol operand count does not equal memref symbol count"));
    }
    Ok(())
}

pub(crate) fn verify_dynamic_shared_memory(op: OpRef<'_>) -> Verified {
    let ty = DynamicSharedMemoryOp::wrap(op).result_memref().ty();
    if is_in_space(ty, AddressSpace::Workgroup) != Some(true) {
        return Err(op.error("address space must be address_space<workgroup>"));
    }
    if ty.has_static_shape() {
        return Err(op.error("result memref type must be memref<?xi8, #gpu.address_space<workgroup>>"));
    }
    Ok(())
}
