//! Reading entries.

use dl_ir::AttrRef;

/// The key and the value of an entry.
pub(crate) fn key_and_value(entry: AttrRef<'_>) -> Option<(AttrRef<'_>, AttrRef<'_>)> {
    let cx = entry.cx();
    let &[key, value] = entry.params() else { return None };
    Some((cx.attr(key), cx.attr(value)))
}

/// The keys and values in an attribute that lists entries.
pub(crate) fn entries(list: AttrRef<'_>) -> impl Iterator<Item = (AttrRef<'_>, AttrRef<'_>)> {
    let cx = list.cx();
    list.params().iter().flat_map(move |&array| cx.attr(array).elements()).filter_map(key_and_value)
}
