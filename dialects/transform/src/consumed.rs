//! Handles that operations consume: what they stand for is changed or gone, and they must not be used afterwards.

use dl_ir::{BlockRef, OpRef};

/// Operations that consume their first operand, besides those that consume all because they return new handles for what they were given.
const OF_FIRST: [&str; 18] = [
    "transform.affine.simplify_bounded_affine_ops",
    "transform.affine.simplify_min_max_affine_ops",
    "transform.alternatives",
    "transform.apply_registered_pass",
    "transform.foreach_match",
    "transform.func.deduplicate_func_args",
    "transform.func.replace_func_signature",
    "transform.loop.promote_if_one_iteration",
    "transform.memref.alloca_to_global",
    "transform.structured.fuse",
    "transform.structured.fuse_into_containing_op",
    "transform.structured.pack",
    "transform.structured.pack_greedily",
    "transform.structured.replace",
    "transform.structured.split",
    "transform.structured.tile_using_for",
    "transform.structured.tile_using_forall",
    "transform.structured.vectorize",
];

/// Whether `op` consumes operand `at`, as far as its definition says: what a named sequence does that it includes is not looked for. Regions may be
/// nested as deeply as the text is.
pub(crate) fn consumes(op: OpRef<'_>, at: usize) -> bool {
    let mut pending = vec![(op, at)];
    while let Some((op, at)) = pending.pop() {
        if ["transform.foreach", "transform.sequence"].contains(&op.name()) {
            let body = op.regions().next().and_then(|region| region.entry()).filter(|body| at < body.num_args());
            pending.extend(body.into_iter().flat_map(|body| uses_in(body, at)));
        } else if consumes_itself(op, at) {
            return true;
        }
    }
    false
}

fn consumes_itself(op: OpRef<'_>, at: usize) -> bool {
    match op.name() {
        "transform.split_handle" => false,
        "transform.structured.bufferize_to_allocation" => at == 0 && op.attr("bufferize_destination_only").is_none(),
        "transform.apply_conversion_patterns" => op.attr("preserve_handles").is_none(),
        name if OF_FIRST.contains(&name) => at == 0,
        _ => op.names_interface("FunctionalStyleTransformOpTrait"),
    }
}

/// Whether an operation of `block` consumes argument `at`.
pub(crate) fn is_consumed(block: BlockRef<'_>, at: usize) -> bool {
    at < block.num_args() && consumers(block, at).next().is_some()
}

/// The operations of `block` that consume argument `at`, which it has, with the operand that it is.
pub(crate) fn consumers(block: BlockRef<'_>, at: usize) -> impl Iterator<Item = (OpRef<'_>, usize)> {
    uses_in(block, at).filter(|&(user, operand)| consumes(user, operand))
}

/// The operations of `block` that use argument `at`, which it has, with the operand that it is.
fn uses_in(block: BlockRef<'_>, at: usize) -> impl Iterator<Item = (OpRef<'_>, usize)> {
    block.arg(at).uses().filter(move |(user, _)| user.block() == Some(block))
}
