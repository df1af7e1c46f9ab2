//! What attributes of other dialects may stand for.

use dl_ir::{Attr, AttrRef, Context};

/// Attributes that say what to compile for. Their dialects may be unknown: then their text tells what they are.
const TARGETS: [&str; 4] = ["nvvm.target", "rocdl.target", "spirv.target_env", "xevm.target"];

/// A target to compile for.
pub(crate) fn is_target(attr: AttrRef<'_>) -> bool {
    let text = attr.to_string();
    let name = text.strip_prefix('#').map(|text| text.split_once('<').map_or(text, |(name, _)| name));
    name.is_some_and(|name| TARGETS.contains(&name))
}

/// What chooses among the objects of a binary.
pub(crate) fn is_offloading_handler(attr: AttrRef<'_>) -> bool {
    attr.is_dialect_attr("gpu.select_object")
}

/// An object is for a target.
pub(crate) fn verify_object(cx: &Context, params: &[Attr]) -> Result<(), String> {
    match params.first() {
        Some(&target) if !is_target(cx.attr(target)) => {
            Err("the target attribute must implement or promise the `gpu::TargetAttrInterface`".to_owned())
        }
        _ => Ok(()),
    }
}
