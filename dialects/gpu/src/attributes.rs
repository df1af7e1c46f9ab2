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

/// The number of an object, or the target that it is for.
pub(crate) fn verify_select_object(cx: &Context, params: &[Attr]) -> Result<(), String> {
    let Some(target) = params.first().map(|&target| cx.attr(target)).filter(|target| !target.is_unit()) else {
        return Ok(());
    };
    match target.as_ap_int() {
        Some(index) if index.is_negative() => Err("the object index must be positive".to_owned()),
        None if !is_target(target) => Err("the target attribute must be a GPU Target attribute".to_owned()),
        _ => Ok(()),
    }
}

/// A kernel has a name, and perhaps attributes of its arguments and others.
pub(crate) fn verify_kernel(cx: &Context, params: &[Attr]) -> Result<(), String> {
    let &[name, _, args, metadata] = params else { return Ok(()) };
    let [name, args, metadata] = [name, args, metadata].map(|param| cx.attr(param));
    let is_kind =
        name.is_string() && (args.is_unit() || args.is_array()) && (metadata.is_unit() || metadata.is_dictionary());
    if !is_kind {
        return Err("invalid kind of attribute specified".to_owned());
    }
    if name.as_str() == Some("") {
        return Err("the kernel name can't be empty".to_owned());
    }
    if !args.elements().all(AttrRef::is_dictionary) {
        return Err("all attributes in the array must be a dictionary attribute".to_owned());
    }
    Ok(())
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
