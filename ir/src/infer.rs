//! Result types that follow from the other parts of an operation.

use smallvec::SmallVec;

use crate::arena::Arena;
use crate::attributes::AttrRef;
use crate::context::Context;
use crate::entity::OpName;
use crate::opdef::{Arity, OpDef, Trait};
use crate::rewriter::OpState;
use crate::types::Type;

/// Fills `state.results` where the definition says how: by its hook, by one type for all operands and results, by a type that
/// follows from an operand, or by the only type there is. Does nothing for other operations.
///
/// # Errors
/// Why the types do not follow: the hook says, or a part that they follow from is missing.
pub fn infer_result_types(cx: &Context, ir: &Arena, name: OpName, state: &mut OpState) -> Result<(), String> {
    let info = cx.op_info(name);
    let Some(def) = info.def.as_deref() else { return Ok(()) };
    if def.results.is_empty() {
        return Ok(());
    }
    if let Some(hook) = info.hooks.infer_types {
        state.results = hook(cx, ir, state)?;
        return Ok(());
    }
    if def.results.iter().any(|r| r.arity != Arity::Single) {
        return Ok(());
    }
    let first_operand = state.operands.first().map(|&v| ir.value_type(v));
    let mut types: SmallVec<[Type; 2]> = SmallVec::new();
    for result in def.results.iter() {
        let same = if info.has_trait(&Trait::SameOperandsAndResultType) { first_operand } else { None };
        let by_match = || matched(cx, ir, def, &result.name, state);
        let only = || match result.constraint.buildable.as_deref()? {
            "index" => Some(cx.index_type()),
            "i1" => Some(cx.i1_type()),
            "i64" => Some(cx.i64_type()),
            text => crate::text::parse_type(cx, text).ok(),
        };
        match same.or_else(by_match).or_else(only) {
            Some(ty) => types.push(ty),
            None => return Ok(()),
        }
    }
    state.results = types;
    Ok(())
}

/// The type of `result` by a trait that ties it to an operand or attribute.
fn matched(cx: &Context, ir: &Arena, def: &OpDef, result: &str, state: &OpState) -> Option<Type> {
    let type_of = |name: &str| -> Option<Type> {
        if let Some(at) = def.operands.iter().position(|o| o.name == name) {
            let singles_before = def.operands[..=at].iter().all(|o| o.arity == Arity::Single);
            return if singles_before { state.operands.get(at).map(|&v| ir.value_type(v)) } else { None };
        }
        let attr = state.get_attr(cx, name)?;
        cx.attr(attr).ty().map(|ty| ty.id())
    };
    def.traits.iter().find_map(|each| match each {
        Trait::AllTypesMatch(names) if names.iter().any(|n| n == result) => {
            names.iter().filter(|n| *n != result).find_map(|n| type_of(n))
        }
        Trait::TypesMatchWith { from, to, transform, .. } if to == result => transform(cx.ty(type_of(from)?)),
        _ => None,
    })
}

/// The type of a typed attribute, or the type that a type attribute holds: what `constant`-like operations infer from.
pub fn attr_type(attr: AttrRef<'_>) -> Option<Type> {
    attr.ty().or_else(|| attr.as_type()).map(|ty| ty.id())
}
