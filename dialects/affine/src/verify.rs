//! Verifiers.

use dl_arith::AtomicRMWKind;
use dl_ir::interfaces::{verify_loop_like, verify_region_branch};
use dl_ir::{AttrRef, Diagnostic, OpRef, OpView, Operands, TypeRef, ValueRef};

use crate::scope::{affine_scope, is_induction_variable, is_valid_dim, is_valid_symbol};
use crate::{
    AffineApplyOp, AffineDelinearizeIndexOp, AffineForOp, AffineIfOp, AffineLinearizeIndexOp, AffineLoadOp,
    AffineParallelOp, AffinePrefetchOp, AffineStoreOp, AffineVectorLoadOp, AffineVectorStoreOp,
};

type Verified = Result<(), Diagnostic>;

/// Numbers of dimensions and of all inputs of the map or set that `attr` holds.
fn inputs(attr: AttrRef<'_>) -> Option<(usize, usize)> {
    let affine = attr.cx().affine();
    if let Some(map) = attr.as_affine_map() {
        let data = affine.map(map);
        return Some((data.num_dims as usize, data.num_inputs() as usize));
    }
    let data = affine.set(attr.as_integer_set()?);
    Some((data.num_dims as usize, (data.num_dims + data.num_symbols) as usize))
}

/// The first `num_dims` operands may be dimensions, the others symbols.
fn verify_dims_and_symbols(op: OpRef<'_>, operands: Operands<'_>, num_dims: usize) -> Verified {
    let scope = affine_scope(op);
    for (i, operand) in operands.iter().enumerate() {
        if i < num_dims && !is_valid_dim(operand, scope) {
            return Err(op.error("operand cannot be used as a dimension id"));
        }
        if i >= num_dims && !is_valid_symbol(operand, scope) {
            return Err(op.error("operand cannot be used as a symbol"));
        }
    }
    Ok(())
}

pub(crate) fn verify_apply(op: OpRef<'_>) -> Verified {
    let view = AffineApplyOp::wrap(op);
    let Some((dims, all)) = inputs(view.map()) else { return Ok(()) };
    if view.map_operands().len() != all {
        return Err(op.error("operand count and affine map dimension and symbol count must match"));
    }
    if op.operands().iter().skip(dims).any(is_induction_variable) {
        return Err(op.error("dimensional operand cannot be used as a symbol"));
    }
    let results = view.map().as_affine_map().map(|map| op.cx().affine().map(map).results.len());
    if results != Some(1) {
        return Err(op.error("mapping must produce one value"));
    }
    Ok(())
}

/// `affine.min` and `affine.max`.
pub(crate) fn verify_min_max(op: OpRef<'_>) -> Verified {
    let Some(map) = op.attr("map") else { return Ok(()) };
    if inputs(map).is_some_and(|(_, all)| op.num_operands() != all) {
        return Err(op.error("operand count and affine map dimension and symbol count must match"));
    }
    if map.as_affine_map().is_some_and(|map| op.cx().affine().map(map).results.is_empty()) {
        return Err(op.error("affine map expect at least one result"));
    }
    Ok(())
}

/// A bound: the operands fit the map and may be its inputs, and the map has a result.
fn verify_bound(op: OpRef<'_>, map: AttrRef<'_>, operands: Operands<'_>, which: &str) -> Verified {
    let Some((dims, all)) = inputs(map) else { return Ok(()) };
    if operands.len() != all {
        return Err(op.error("operand count must match with affine map dimension and symbol count"));
    }
    if map.as_affine_map().is_some_and(|map| op.cx().affine().map(map).results.is_empty()) {
        return Err(op.error(format_args!("expected {which} bound map to have at least one result")));
    }
    verify_dims_and_symbols(op, operands, dims)
}

pub(crate) fn verify_for_regions(op: OpRef<'_>) -> Verified {
    let view = AffineForOp::wrap(op);
    verify_loop_like(op)?;
    let variable = view.region().entry().and_then(|block| block.args().next());
    if !variable.is_some_and(|variable| variable.ty().is_index()) {
        return Err(op.error("expected body to have a single index argument for the induction variable"));
    }
    verify_bound(op, view.lower_bound_map(), view.lower_bound_operands(), "lower")?;
    verify_bound(op, view.upper_bound_map(), view.upper_bound_operands(), "upper")?;
    // Upstream looks at this only where it reads the custom form, which could then not be read again.
    if view.step().as_int().is_none_or(|step| step <= 0) {
        return Err(op.error("expected step to be representable as a positive signed integer"));
    }
    // A loop without results carries nothing: that has been seen above.
    if op.num_results() == 0 { Ok(()) } else { verify_region_branch(op) }
}

pub(crate) fn verify_if(op: OpRef<'_>) -> Verified {
    let view = AffineIfOp::wrap(op);
    let Some((dims, all)) = inputs(view.condition()) else { return Ok(()) };
    if op.num_operands() != all {
        return Err(op.error("operand count and condition integer set dimension and symbol count must match"));
    }
    verify_dims_and_symbols(op, op.operands(), dims)?;
    verify_region_branch(op)
}

pub(crate) fn verify_yield(op: OpRef<'_>) -> Verified {
    let Some(parent) = op.parent() else { return Ok(()) };
    let loops = parent.is::<AffineForOp<'_>>() || parent.is::<AffineIfOp<'_>>() || parent.is::<AffineParallelOp<'_>>();
    if !loops {
        return Err(op.error("only terminates affine.if/for/parallel regions"));
    }
    if parent.num_results() != op.num_operands() {
        return Err(op.error("parent of yield must have same number of results as the yield operands"));
    }
    if parent.results().types() != op.operands().types() {
        return Err(op.error("types mismatch between yield op and its parent"));
    }
    Ok(())
}

/// The map has a result for each dimension of the memref, and its operands may be its inputs.
fn verify_access(op: OpRef<'_>, memref: ValueRef<'_>, indices: Operands<'_>) -> Verified {
    let Some(map) = op.attr("map") else { return Ok(()) };
    let results = map.as_affine_map().map(|map| op.cx().affine().map(map).results.len());
    if results != memref.ty().rank() {
        return Err(op.error("affine map num results must equal memref rank"));
    }
    let Some((dims, all)) = inputs(map) else { return Ok(()) };
    if indices.len() != all {
        return Err(op.error("expects as many subscripts as affine map inputs"));
    }
    verify_dims_and_symbols(op, indices, dims)
}

pub(crate) fn verify_load(op: OpRef<'_>) -> Verified {
    let view = AffineLoadOp::wrap(op);
    if view.memref().ty().element_type() != Some(view.result().ty()) {
        return Err(op.error("result type must match element type of memref"));
    }
    verify_access(op, view.memref(), view.indices())
}

pub(crate) fn verify_store(op: OpRef<'_>) -> Verified {
    let view = AffineStoreOp::wrap(op);
    if view.memref().ty().element_type() != Some(view.value().ty()) {
        return Err(op.error("value to store must have the same type as memref element type"));
    }
    verify_access(op, view.memref(), view.indices())
}

fn verify_vector(op: OpRef<'_>, memref: ValueRef<'_>, vector: TypeRef<'_>) -> Verified {
    if memref.ty().element_type() != vector.element_type() {
        return Err(op.error("requires memref and vector types of the same elemental type"));
    }
    Ok(())
}

pub(crate) fn verify_vector_load(op: OpRef<'_>) -> Verified {
    let view = AffineVectorLoadOp::wrap(op);
    verify_access(op, view.memref(), view.indices())?;
    verify_vector(op, view.memref(), view.result().ty())
}

pub(crate) fn verify_vector_store(op: OpRef<'_>) -> Verified {
    let view = AffineVectorStoreOp::wrap(op);
    verify_access(op, view.memref(), view.indices())?;
    verify_vector(op, view.memref(), view.value().ty())
}

pub(crate) fn verify_prefetch(op: OpRef<'_>) -> Verified {
    let view = AffinePrefetchOp::wrap(op);
    verify_access(op, view.memref(), view.indices())
}

pub(crate) fn verify_parallel(op: OpRef<'_>) -> Verified {
    let view = AffineParallelOp::wrap(op);
    let groups = |attr: AttrRef<'_>| attr.ty().and_then(TypeRef::num_elements).unwrap_or(0);
    let sum = |attr: AttrRef<'_>| -> i64 {
        attr.dense_values().into_iter().flatten().filter_map(AttrRef::as_int).fold(0, i64::saturating_add)
    };
    let args = view.region().entry().map_or(0, dl_ir::BlockRef::num_args);
    let (lower, upper) = (groups(view.lower_bounds_groups()), groups(view.upper_bounds_groups()));
    let steps = view.steps().elements().len();
    if lower != args as u64 || upper != args as u64 || steps != args {
        return Err(op.error(format_args!(
            "the number of region arguments ({args}) and the number of map groups for lower ({lower}) and upper bound ({upper}), \
             and the number of steps ({steps}) must all match"
        )));
    }
    let is_empty_group = |groups: AttrRef<'_>| {
        groups.dense_values().into_iter().flatten().any(|size| size.as_int().is_some_and(|size| size < 1))
    };
    for (groups, which) in [(view.lower_bounds_groups(), "lower"), (view.upper_bounds_groups(), "upper")] {
        if is_empty_group(groups) {
            return Err(op.error(format_args!("expected {which} bound map to have at least one result")));
        }
    }
    let results =
        |map: AttrRef<'_>| map.as_affine_map().map_or(0, |map| op.cx().affine().map(map).results.len() as i64);
    if sum(view.lower_bounds_groups()) != results(view.lower_bounds_map()) {
        return Err(op.error("expected lower bounds map to have as many results as its groups say"));
    }
    if sum(view.upper_bounds_groups()) != results(view.upper_bounds_map()) {
        return Err(op.error("expected upper bounds map to have as many results as its groups say"));
    }
    if view.reductions().elements().len() != op.num_results() {
        return Err(op.error("a reduction must be specified for each output"));
    }
    for (result, kind) in op.results().iter().zip(view.reductions().elements()) {
        if !AtomicRMWKind::from_attr(kind).is_some_and(|kind| reduces(kind, result.ty())) {
            return Err(op.error("result type cannot match reduction attribute"));
        }
    }
    let (Some(lower), Some(upper)) = (inputs(view.lower_bounds_map()), inputs(view.upper_bounds_map())) else {
        return Ok(());
    };
    let operands = view.map_operands();
    if operands.len() != lower.1 + upper.1 {
        return Err(op.error("operand count must match with affine map dimension and symbol count"));
    }
    verify_dims_and_symbols(op, operands.slice(0, lower.1), lower.0)?;
    verify_dims_and_symbols(op, operands.slice(lower.1, upper.1), upper.0)
}

/// Whether values of type `ty` can be reduced by `kind`.
fn reduces(kind: AtomicRMWKind, ty: TypeRef<'_>) -> bool {
    use AtomicRMWKind as Kind;
    match kind {
        Kind::Assign => true,
        Kind::Addf | Kind::Mulf | Kind::Maximumf | Kind::Minimumf => ty.is_float(),
        Kind::Addi | Kind::Muli | Kind::Ori | Kind::Andi => ty.is_integer(),
        Kind::Maxs | Kind::Mins => ty.is_signed_integer(),
        Kind::Maxu | Kind::Minu => ty.is_unsigned_integer(),
        Kind::Maxnumf | Kind::Minnumf | Kind::Xori => false,
    }
}

/// The basis has an element for each result, save perhaps the first.
pub(crate) fn verify_delinearize(op: OpRef<'_>) -> Verified {
    let view = AffineDelinearizeIndexOp::wrap(op);
    let basis: Vec<i64> = view.static_basis().dense_ints().collect();
    verify_dynamic_basis(op, &basis, view.dynamic_basis())?;
    if basis.iter().any(|&n| n != dl_ir::DYNAMIC && n <= 0) {
        return Err(op.error("no basis element may be statically non-positive"));
    }
    let results = view.multi_index().len();
    if results != basis.len() && results != basis.len() + 1 {
        return Err(op.error("should return an index for each basis element and up to one extra index"));
    }
    Ok(())
}

pub(crate) fn verify_linearize(op: OpRef<'_>) -> Verified {
    let view = AffineLinearizeIndexOp::wrap(op);
    let basis: Vec<i64> = view.static_basis().dense_ints().collect();
    let indices = view.multi_index().len();
    if indices != basis.len() && indices != basis.len() + 1 {
        return Err(op.error("should be passed a basis element for each index except possibly the first"));
    }
    verify_dynamic_basis(op, &basis, view.dynamic_basis())
}

fn verify_dynamic_basis(op: OpRef<'_>, basis: &[i64], values: Operands<'_>) -> Verified {
    let dynamic = basis.iter().filter(|&&n| n == dl_ir::DYNAMIC).count();
    if dynamic != values.len() {
        return Err(op.error(
            "mismatch between dynamic and static basis (kDynamic marker but no corresponding dynamic basis entry)",
        ));
    }
    Ok(())
}
