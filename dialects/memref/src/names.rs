//! Names of results in the printed form.

use dl_ir::OpRef;

macro_rules! result_name {
    ($($function:ident $name:literal)*) => {$(
        pub(crate) fn $function(_: OpRef<'_>, name: &mut dyn FnMut(usize, &str)) {
            name(0, $name);
        }
    )*};
}

result_name! {
    alloc "alloc"
    alloca "alloca"
    assume_alignment "assume_align"
    cast "cast"
    collapse_shape "collapse_shape"
    dim "dim"
    expand_shape "expand_shape"
    extract_aligned_pointer "intptr"
    memory_space_cast "memspacecast"
    reinterpret_cast "reinterpret_cast"
    reshape "reshape"
    subview "subview"
    transpose "transpose"
    view "view"
}

/// The four parts of a descriptor.
pub(crate) fn extract_strided_metadata(op: OpRef<'_>, name: &mut dyn FnMut(usize, &str)) {
    name(0, "base_buffer");
    name(1, "offset");
    let rank = op.num_results().saturating_sub(2) / 2;
    if rank > 0 {
        name(2, "sizes");
        name(2 + rank, "strides");
    }
}
