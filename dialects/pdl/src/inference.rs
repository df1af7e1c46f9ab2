//! Which operations tell the types of their results themselves.

use dl_ir::Context;
use dl_ir::dialect::OpInfo;
use dl_ir::opdef::{Arity, OpDef, Trait};

/// The definition of the operation `name`, if it is registered.
pub fn registered<'c>(cx: &'c Context, name: &str) -> Option<&'c OpInfo> {
    cx.find_op(name).filter(|info| info.is_registered())
}

/// Whether the result types of the operation follow from its other parts.
pub fn infers_results(info: &OpInfo) -> bool {
    let Some(def) = info.def.as_deref() else { return false };
    if info.hooks.infer_types.is_some() || info.has_trait(&Trait::InferTypes) {
        return true;
    }
    let same = info.has_trait(&Trait::SameOperandsAndResultType) && !def.operands.is_empty();
    !def.results.is_empty()
        && def.results.iter().all(|result| {
            result.arity == Arity::Single
                && (same || result.constraint.buildable.is_some() || follows(def, &result.name))
        })
}

/// Whether a trait ties the type of the value `name` to that of an operand or attribute.
fn follows(def: &OpDef, name: &str) -> bool {
    let is_given = |other: &str| {
        other != name
            && (def.operands.iter().any(|operand| operand.name == other)
                || def.attrs.iter().any(|attr| attr.name == other))
    };
    def.traits.iter().any(|each| match each {
        Trait::AllTypesMatch(names) => names.iter().any(|n| n == name) && names.iter().any(|n| is_given(n)),
        Trait::TypesMatchWith { from, to, .. } => to == name && is_given(from),
        _ => false,
    })
}
