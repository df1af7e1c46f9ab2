//! Names of results in the printed form.

use dl_ir::{AttrRef, OpRef};

use crate::DIMENSION;

/// `thread_id_x`: operations that say where something runs are named after what they ask for and the dimension.
pub(crate) fn position_name(op: OpRef<'_>, name: &mut dyn FnMut(usize, &str)) {
    let dimension = op.attr("dimension").and_then(AttrRef::enum_value).and_then(|value| DIMENSION.keyword(value));
    if let (Some(dimension), Some((_, mnemonic))) = (dimension, op.name().split_once('.')) {
        name(0, &format!("{mnemonic}_{dimension}"));
    }
}

/// What a lane got, and whether the other lane was there.
pub(crate) fn shuffle_names(_: OpRef<'_>, name: &mut dyn FnMut(usize, &str)) {
    name(0, "shuffleResult");
    name(1, "valid");
}
