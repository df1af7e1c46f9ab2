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
    cast "cast"
    collapse_shape "collapsed"
    concat "concat"
    dim "dim"
    expand_shape "expanded"
    extract "extracted"
    extract_slice "extracted_slice"
    from_elements "from_elements"
    gather "gather"
    generate "generated"
    insert "inserted"
    insert_slice "inserted_slice"
    pad "padded"
    rank "rank"
    reshape "reshape"
    scatter "scatter"
    splat "splat"
}
