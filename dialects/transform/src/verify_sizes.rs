//! Lists of sizes of which some are operands: as many as the constants leave room for.

use dl_ir::{AttrRef, DYNAMIC, Diagnostic, OpRef};

/// The lists of an operation: each is an operand group, by number, and the attribute with its constants.
type Lists = &'static [(usize, &'static str)];

/// Operations with such lists.
const OPS: [(&str, Lists); 8] = [
    ("transform.structured.fuse", &[(1, "static_tile_sizes"), (2, "static_tile_interchange")]),
    ("transform.structured.pack", &[(1, "static_packed_sizes")]),
    ("transform.structured.pack_greedily", &[(1, "static_matmul_packed_sizes")]),
    ("transform.structured.pad", &[(1, "static_pad_to_multiple_of")]),
    ("transform.structured.pad_tiling_interface", &[(1, "static_padding_sizes")]),
    ("transform.structured.tile_using_for", &[(1, "static_sizes")]),
    ("transform.structured.tile_using_forall", &[(1, "static_num_threads"), (2, "static_tile_sizes")]),
    ("transform.structured.vectorize", &[(1, "static_vector_sizes")]),
];

/// What operations whose sizes may be scalable call them.
const SCALABLE: [(&str, &str); 2] =
    [("transform.structured.tile_using_for", "sizes"), ("transform.structured.vectorize", "vector sizes")];

/// Each size that is no constant is an operand, and each operand such a size. Which sizes are scalable is said of all or of none.
pub(crate) fn verify(op: OpRef<'_>) -> Result<(), Diagnostic> {
    let of = |name: &str| op.attr(name).into_iter().flat_map(AttrRef::dense_ints);
    let lists = OPS.iter().find(|(name, _)| *name == op.name()).map_or(&[][..], |(_, lists)| lists);
    for &(group, constants) in lists {
        let dynamic = of(constants).filter(|&size| size == DYNAMIC).count();
        let given = op.operand_group(group).iter().count();
        if dynamic != given {
            let message =
                format!("expected as many operands as '{constants}' has dynamic sizes ({dynamic}), but got {given}");
            return Err(op.error(message));
        }
    }
    if let Some((_, what)) = SCALABLE.iter().find(|(name, _)| *name == op.name()) {
        let (sizes, scalable) = (of(lists[0].1).count(), of("scalable_sizes").count());
        if sizes != scalable {
            return Err(op.error(format!("expected same number of {what} ({sizes}) and scalable sizes ({scalable})")));
        }
    }
    Ok(())
}

/// The sizes of the parts are an operand or a constant.
pub(crate) fn verify_split(op: OpRef<'_>) -> Result<(), Diagnostic> {
    let is_operand = op.num_operands() > 1;
    if op.attr("static_chunk_sizes").is_some_and(|size| (size.as_int() == Some(DYNAMIC)) != is_operand) {
        return Err(op.error("expects either a dynamic or a static split point to be provided"));
    }
    Ok(())
}
