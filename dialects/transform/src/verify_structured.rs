//! Verifiers of `transform.structured` operations: lists that are permutations, flags, and sizes that fit each other.

use dl_ir::{AttrRef, DYNAMIC, Diagnostic, OpRef, OpView};

use crate::{FuseOp, InterchangeOp, PackGreedilyOp, PadOp, ReplaceOp, TileUsingForOp, TileUsingForallOp, verify_sizes};

type Verified = Result<(), Diagnostic>;

pub(crate) fn verify_interchange(op: OpRef<'_>) -> Verified {
    let order: Vec<i64> = InterchangeOp::wrap(op).iterator_interchange().dense_ints().collect();
    if is_permutation(&order) {
        return Ok(());
    }
    Err(op.error(format_args!("expects iterator_interchange to be a permutation, found {}", listed(&order))))
}

/// Sizes are of one kind: all are handles, or parameters of one type.
pub(crate) fn verify_same_results(op: OpRef<'_>) -> Verified {
    let mut types = op.results().iter().map(|result| result.ty());
    let first = types.next();
    if types.all(|ty| Some(ty) == first) { Ok(()) } else { Err(op.error("expects all results type to be the same")) }
}

pub(crate) fn verify_pack_greedily(op: OpRef<'_>) -> Verified {
    verify_sizes::verify(op)?;
    let view = PackGreedilyOp::wrap(op);
    let order: Vec<i64> = view.matmul_inner_dims_order().dense_ints().collect();
    if !is_permutation(&order) {
        return Err(op.error("\"matmul_inner_dims_order\" is not a valid permutation"));
    }
    let mut sizes =
        view.static_matmul_packed_sizes().dense_ints().zip(view.matmul_padded_sizes_next_multiple_of().dense_ints());
    if sizes.any(|(packed, padded)| packed != 0 && padded != 0) {
        return Err(op.error(
            "at most one of the packed_size and the padded_sizes_next_multiple_of can be nonzero for the matmul strategy",
        ));
    }
    Ok(())
}

pub(crate) fn verify_pack_transpose(op: OpRef<'_>) -> Verified {
    let orders = ["inner_perm", "outer_perm"].map(|name| {
        let order: Vec<i64> = op.attr(name).into_iter().flat_map(AttrRef::dense_ints).collect();
        (name, order)
    });
    if let Some((name, _)) = orders.iter().find(|(_, order)| !is_permutation(order)) {
        return Err(op.error(format_args!("\"{name}\" is not a valid permutation")));
    }
    if orders.iter().all(|(_, order)| order.is_empty()) {
        return Err(op.error(" at least one of \"inner_perm\" or \"outer_perm\" must be specified"));
    }
    Ok(())
}

pub(crate) fn verify_pad(op: OpRef<'_>) -> Verified {
    const WAYS: [&str; 3] = ["bufferization.materialize_in_destination", "linalg.copy", "none"];
    verify_sizes::verify(op)?;
    let view = PadOp::wrap(op);
    let flags = integers(view.nofold_flags());
    if flags.iter().any(|flag| !(0..=1).contains(flag)) {
        let found = listed(&flags);
        return Err(op.error(format_args!("expects nofold_flags to contain booleans (0/1), found [{found}]")));
    }
    let dims = integers(view.padding_dimensions());
    if dims.iter().any(|&dim| dim < 0) {
        let found = listed(&dims);
        return Err(op.error(format_args!("expects padding_dimensions to contain positive integers, found [{found}]")));
    }
    let multiples = op.attr("static_pad_to_multiple_of").into_iter().flat_map(AttrRef::dense_ints).count();
    if multiples != 0 && multiples != dims.len() {
        return Err(op.error("expects as many multiples as padding_dimensions"));
    }
    if let Some(order) = view.transpose_paddings().elements().map(integers).find(|order| !is_permutation(order)) {
        let found = listed(&order);
        return Err(op.error(format_args!("expects transpose_paddings to be a permutation, found [{found}]")));
    }
    if view.copy_back_op().as_str().is_none_or(|way| !WAYS.contains(&way)) {
        return Err(op.error("invalid copy_back_op"));
    }
    Ok(())
}

/// How many loops come of tiling by these sizes: none for a dimension whose size is 0.
fn num_loops(sizes: AttrRef<'_>) -> usize {
    sizes.dense_ints().filter(|&size| size != 0).count()
}

/// A handle for each loop that is made, and an order of the dimensions that have a size, or of some of them.
pub(crate) fn verify_fuse(op: OpRef<'_>) -> Verified {
    verify_sizes::verify(op)?;
    let view = FuseOp::wrap(op);
    let dims = view.static_tile_sizes().dense_ints().count();
    let order: Vec<i64> = view.static_tile_interchange().dense_ints().collect();
    if order.len() > dims {
        // Upstream lists the operands among them, mostly none.
        return Err(op.error(format_args!("interchange length exceeds iteration space dimensions ({dims}), found ")));
    }
    let mut seen = vec![false; dims];
    for &value in order.iter().filter(|&&value| value != DYNAMIC) {
        match usize::try_from(value).ok().and_then(|at| seen.get_mut(at)) {
            None => {
                let message = format_args!("expects interchange values to be in range [0, {dims}), found: {value}");
                return Err(op.error(message));
            }
            Some(true) => return Err(op.error(format_args!("found duplicate interchange value: {value}"))),
            Some(seen) => *seen = true,
        }
    }
    let wanted = if view.use_forall().is_some() { 1 } else { num_loops(view.static_tile_sizes()) };
    if view.loops().len() == wanted { Ok(()) } else { Err(op.error(format_args!("expects {wanted} loop results"))) }
}

/// A handle for each loop that is made.
pub(crate) fn verify_tile_using_for(op: OpRef<'_>) -> Verified {
    verify_sizes::verify(op)?;
    let view = TileUsingForOp::wrap(op);
    let (wanted, given) = (num_loops(view.static_sizes()), view.loops().len());
    if wanted == given {
        return Ok(());
    }
    Err(op.error(format_args!(
        "expected number of loops to tile ({wanted}) to match number of `loops` results ({given})"
    )))
}

/// Numbers of threads, or sizes, or both, and each of them one by one or in one handle.
pub(crate) fn verify_tile_using_forall(op: OpRef<'_>) -> Verified {
    verify_sizes::verify(op)?;
    let view = TileUsingForallOp::wrap(op);
    let lists = [
        ("num_threads", view.static_num_threads(), view.packed_num_threads()),
        ("tile_sizes", view.static_tile_sizes(), view.packed_tile_sizes()),
    ];
    let mut given = 0;
    for (name, list, packed) in lists {
        let ways = usize::from(list.dense_ints().next().is_some()) + usize::from(packed.is_some());
        if ways > 1 {
            return Err(op.error(format_args!("{name} and packed_{name} are mutually exclusive")));
        }
        given += ways;
    }
    if given == 0 {
        return Err(op.error("either (packed_)num_threads or (packed_)tile_sizes must be specified"));
    }
    Ok(())
}

/// What stands in the region takes the place of others: it is one operation without operands.
pub(crate) fn verify_replace(op: OpRef<'_>) -> Verified {
    let mut ops = ReplaceOp::wrap(op).body_region().entry().into_iter().flat_map(|block| block.ops());
    let (Some(replacement), None) = (ops.next(), ops.next()) else {
        return Err(op.error("expected one operation in block"));
    };
    if replacement.num_operands() > 0 {
        return Err(replacement.error("expected replacement without operands"));
    }
    Ok(())
}

/// The integers of an array attribute.
fn integers(list: AttrRef<'_>) -> Vec<i64> {
    list.elements().filter_map(AttrRef::as_int).collect()
}

fn is_permutation(list: &[i64]) -> bool {
    let mut sorted = list.to_vec();
    sorted.sort_unstable();
    sorted.into_iter().eq(0..list.len() as i64)
}

fn listed(list: &[i64]) -> String {
    list.iter().map(i64::to_string).collect::<Vec<_>>().join(", ")
}
