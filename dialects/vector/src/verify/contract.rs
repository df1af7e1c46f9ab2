//! Operations that combine elements.

use dl_ir::{OpRef, TypeRef};

use super::{Verified, extents};
use crate::types::{is_scalable, kept_dims, vector_type};
use crate::{CombiningKind, ContractionOp, IteratorType, MultiDimReductionOp, OuterProductOp, ReductionOp};

/// Whether elements of type `element` can be combined by `kind`.
fn is_supported(kind: CombiningKind, element: TypeRef<'_>) -> bool {
    let integer = element.is_integer() || element.is_index();
    match kind {
        CombiningKind::Add | CombiningKind::Mul => integer || element.is_float(),
        CombiningKind::Minui
        | CombiningKind::Minsi
        | CombiningKind::Maxui
        | CombiningKind::Maxsi
        | CombiningKind::And
        | CombiningKind::Or
        | CombiningKind::Xor => integer,
        CombiningKind::Minnumf | CombiningKind::Maxnumf | CombiningKind::Minimumf | CombiningKind::Maximumf => {
            element.is_float()
        }
    }
}

fn kind_of(op: OpRef<'_>) -> Option<CombiningKind> {
    op.attr_or_default("kind").and_then(CombiningKind::from_attr)
}

/// The kind of `op` combines elements of type `element`.
pub(super) fn kind_fits(op: OpRef<'_>, element: TypeRef<'_>) -> Verified {
    match kind_of(op) {
        Some(kind) if !is_supported(kind, element) => {
            Err(op.error(format_args!("unsupported reduction type '{element}' for kind '{kind}'")))
        }
        _ => Ok(()),
    }
}

pub(crate) fn reduction(op: OpRef<'_>) -> Verified {
    let reduction = ReductionOp(op);
    let rank = extents(reduction.vector().ty()).len();
    if rank > 1 {
        return Err(op.error(format_args!("unsupported reduction rank: {rank}")));
    }
    let (element, kind) = (reduction.dest().ty(), kind_of(op));
    match kind {
        Some(kind) if !is_supported(kind, element) => {
            Err(op.error(format_args!("unsupported reduction type ''{element}'' for kind '{kind}'")))
        }
        _ => Ok(()),
    }
}

pub(crate) fn multi_reduction(op: OpRef<'_>) -> Verified {
    let reduction = MultiDimReductionOp(op);
    let (source, dest) = (reduction.source().ty(), reduction.dest().ty());
    let reduced: Vec<i64> = reduction.reduction_dims().dense_ints().collect();
    let is_kept = |i: usize| !i64::try_from(i).is_ok_and(|i| reduced.contains(&i));
    let (shape, scalable) = kept_dims(source, is_kept);
    let (cx, element) = (op.cx(), source.element_or_self().id());
    let expected = if shape.is_empty() { element } else { vector_type(cx, &shape, &scalable, element) };
    if dest.id() != expected {
        return Err(op.error(format_args!("destination type '{dest}' is incompatible with source type '{source}'")));
    }
    // Upstream does not look at the kind, and lowers it to what does not verify.
    kind_fits(op, source.element_or_self())
}

pub(crate) fn outer_product(op: OpRef<'_>) -> Verified {
    let product = OuterProductOp(op);
    let (left, right, result) = (product.lhs().ty(), product.rhs().ty(), product.result().ty());
    let (rows, shape) = (extents(left), extents(result));
    if rows.len() != 1 {
        return Err(op.error("expected 1-d vector for operand #1"));
    }
    if right.is_vector() {
        let columns = extents(right);
        if columns.len() != 1 {
            return Err(op.error("expected 1-d vector for operand #2"));
        }
        if shape.len() != 2 {
            return Err(op.error("expected 2-d vector result"));
        }
        if shape[0] != rows[0] {
            return Err(op.error("expected #1 operand dim to match result dim #1"));
        }
        if shape[1] != columns[0] {
            return Err(op.error("expected #2 operand dim to match result dim #2"));
        }
        if is_scalable(left, 0) && !is_scalable(right, 0) {
            return Err(op.error("expected either both or only #2 operand dim to be scalable"));
        }
    } else {
        if shape.len() != 1 {
            return Err(op.error("expected 1-d vector result"));
        }
        if shape[0] != rows[0] {
            return Err(op.error("expected #1 operand dim to match result dim #1"));
        }
    }
    if product.acc().is_some_and(|acc| acc.ty() != result) {
        return Err(op.error("expected operand #3 of same type as result type"));
    }
    match kind_of(op) {
        Some(kind) if !is_supported(kind, result.element_or_self()) => Err(op.error("unsupported outerproduct type")),
        _ => Ok(()),
    }
}

pub(crate) fn contract(op: OpRef<'_>) -> Verified {
    let (contract, affine) = (ContractionOp(op), op.cx().affine());
    let is_signed = |v: dl_ir::ValueRef<'_>| {
        let element = v.ty().element_or_self();
        element.is_integer() && !element.is_signless_integer()
    };
    if op.operands().iter().take(2).any(is_signed) {
        return Err(op.error("only supports signless integer types"));
    }
    let maps: Vec<_> = contract.indexing_maps().elements().filter_map(|map| map.as_affine_map()).collect();
    if maps.len() != 3 {
        return Err(op.error("expected an indexing map for each vector operand"));
    }
    let iterators: Vec<_> = contract.iterator_types().elements().filter_map(IteratorType::from_attr).collect();
    for (i, &map) in maps.iter().enumerate() {
        let (data, rank) = (affine.map(map), extents(op.operand(i).ty()).len());
        if data.num_symbols != 0 {
            return Err(op.error(format_args!("expected indexing map {i} to have no symbols")));
        }
        if data.num_dims as usize != iterators.len() {
            let count = iterators.len();
            return Err(op.error(format_args!("expected indexing map {i} to have {count} number of inputs")));
        }
        if data.results.len() != rank {
            return Err(op.error(format_args!("expected indexing map {i} to have {rank} number of outputs")));
        }
        if !affine.is_projected_permutation(map, false) {
            return Err(op.error(format_args!("expected indexing map {i} to be a projected permutation of its inputs")));
        }
    }
    // For each iterator, the dimensions of the three operands that go along with it.
    let dims = |iterator: usize| {
        [0, 1, 2].map(|operand: usize| {
            let results = &affine.map(maps[operand]).results;
            results.iter().position(|&result| affine.dim_position(result).is_some_and(|dim| dim as usize == iterator))
        })
    };
    let (left, right) = (contract.lhs().ty(), contract.rhs().ty());
    let all: Vec<_> = (0..iterators.len()).map(dims).collect();
    let mut contracting = 0;
    for (iterator, &[l, r, _]) in iterators.iter().zip(&all) {
        let (Some(l), Some(r)) = (l, r) else { continue };
        let reduces = *iterator == IteratorType::Reduction;
        contracting += usize::from(reduces);
        if extents(left)[l] != extents(right)[r] {
            let what = if reduces { "contracting" } else { "batch" };
            return Err(op.error(format_args!("invalid {what} dimension map")));
        }
    }
    if contracting == 0 {
        return Err(op.error("expected at least one contracting dimension pair"));
    }
    verify_result(contract, &all)?;
    match kind_of(op) {
        Some(kind) if !is_supported(kind, contract.result().ty().element_or_self()) => {
            Err(op.error("unsupported contraction type"))
        }
        _ => Ok(()),
    }
}

/// Accumulator and result have the extents that the operands give them.
fn verify_result(contract: ContractionOp<'_>, dims: &[[Option<usize>; 3]]) -> Verified {
    let (op, result, acc) = (contract.0, contract.result().ty(), contract.acc().ty());
    let (left, right) = (contract.lhs().ty(), contract.rhs().ty());
    let rank = extents(acc).len();
    if rank > 0 && dims.iter().any(|dims| matches!(dims, [None, None, _])) {
        return Err(op.error("expected all dimensions to be either a LHS or a RHS dimension"));
    }
    let (mut shape, mut scalable) = (vec![0; rank], vec![false; rank]);
    for &[l, r, a] in dims {
        let Some(at) = a.filter(|&at| at < rank) else { continue };
        let (source, dim) = match (l, r) {
            (Some(l), _) => (left, l),
            (None, Some(r)) => (right, r),
            (None, None) => continue,
        };
        shape[at] = extents(source)[dim];
        scalable[at] = is_scalable(source, dim);
    }
    // Upstream does not compare which extents are scalable either.
    if result == acc && extents(result) == shape {
        return Ok(());
    }
    let cx = op.cx();
    let element = acc.element_or_self().id();
    let expected = if rank == 0 { element } else { vector_type(cx, &shape, &scalable, element) };
    Err(op.error(format_args!("invalid accumulator/result vector shape, expected: '{}'", cx.ty(expected))))
}
