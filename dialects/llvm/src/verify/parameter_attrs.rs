//! Attributes of arguments and results that LLVM knows: what they hold and which types may have them.
//!
//! Source of the rules: the LLVM language reference, "Parameter Attributes".

use dl_ir::interfaces::FunctionOp;
use dl_ir::interfaces::function::{ARG_ATTRS, RES_ATTRS};
use dl_ir::{AttrRef, Diagnostic, OpRef, TypeRef};

use crate::types;

/// What an attribute holds.
#[derive(Clone, Copy)]
enum Holds {
    Unit,
    Integer,
    Type,
}

/// Which types may have it.
#[derive(Clone, Copy, PartialEq)]
enum Of {
    Any,
    Pointer,
    Integer,
}

const KNOWN: &[(&str, Holds, Of)] = &[
    ("llvm.align", Holds::Integer, Of::Pointer),
    ("llvm.alignstack", Holds::Integer, Of::Any),
    ("llvm.allocalign", Holds::Unit, Of::Integer),
    ("llvm.allocptr", Holds::Unit, Of::Pointer),
    ("llvm.byref", Holds::Type, Of::Pointer),
    ("llvm.byval", Holds::Type, Of::Pointer),
    ("llvm.dereferenceable", Holds::Integer, Of::Pointer),
    ("llvm.dereferenceable_or_null", Holds::Integer, Of::Pointer),
    ("llvm.inalloca", Holds::Type, Of::Pointer),
    ("llvm.inreg", Holds::Unit, Of::Any),
    ("llvm.nest", Holds::Unit, Of::Pointer),
    ("llvm.noalias", Holds::Unit, Of::Pointer),
    ("llvm.nocapture", Holds::Unit, Of::Pointer),
    ("llvm.nofree", Holds::Unit, Of::Pointer),
    ("llvm.nonnull", Holds::Unit, Of::Pointer),
    ("llvm.noundef", Holds::Unit, Of::Any),
    ("llvm.preallocated", Holds::Type, Of::Pointer),
    ("llvm.readnone", Holds::Unit, Of::Pointer),
    ("llvm.readonly", Holds::Unit, Of::Pointer),
    ("llvm.returned", Holds::Unit, Of::Any),
    ("llvm.signext", Holds::Unit, Of::Integer),
    ("llvm.sret", Holds::Type, Of::Pointer),
    ("llvm.writeonly", Holds::Unit, Of::Pointer),
    ("llvm.zeroext", Holds::Unit, Of::Integer),
];

/// Attributes that say how an argument is passed or used.
const OF_ARGUMENTS_ALONE: &[&str] = &[
    "llvm.alignstack",
    "llvm.allocalign",
    "llvm.allocptr",
    "llvm.byref",
    "llvm.byval",
    "llvm.inalloca",
    "llvm.nest",
    "llvm.nocapture",
    "llvm.nofree",
    "llvm.preallocated",
    "llvm.readnone",
    "llvm.readonly",
    "llvm.returned",
    "llvm.sret",
    "llvm.writeonly",
];

/// Checks the attributes of all arguments and results of a function.
pub(super) fn verify_parameter_attrs(op: OpRef<'_>, function: &dyn FunctionOp) -> Result<(), Diagnostic> {
    let cx = op.cx();
    for (name, types) in [(ARG_ATTRS, function.inputs(op).to_vec()), (RES_ATTRS, function.results(op).to_vec())] {
        let dicts = op.attr(name).into_iter().flat_map(AttrRef::elements);
        for (dict, &ty) in dicts.zip(&types) {
            for &(key, value) in dict.entries() {
                if name == RES_ATTRS && OF_ARGUMENTS_ALONE.contains(&cx.str(key)) {
                    let message = format!("\"{}\" is not a valid result attribute", cx.str(key));
                    return Err(Diagnostic::error(op.loc(), message));
                }
                verify_one(op, cx.str(key), cx.attr(value), cx.ty(ty))?;
            }
        }
    }
    Ok(())
}

fn verify_one(op: OpRef<'_>, name: &str, value: AttrRef<'_>, ty: TypeRef<'_>) -> Result<(), Diagnostic> {
    let Some(&(_, holds, of)) = KNOWN.iter().find(|(known, ..)| *known == name) else { return Ok(()) };
    let fail = |what: &str| Err(Diagnostic::error(op.loc(), format!("\"{name}\" {what}")));
    match holds {
        Holds::Unit if !value.is_unit() => return fail("should be a unit attribute"),
        Holds::Integer if !value.is_integer() => return fail("should be an integer attribute"),
        Holds::Type if !value.is_type() => return fail("should be a type attribute"),
        _ => {}
    }
    let element = ty.element_or_self();
    if of == Of::Pointer && !types::is_ptr(element) {
        return fail("attribute attached to non-pointer LLVM type");
    }
    if of == Of::Integer && !element.is_integer() {
        return fail("attribute attached to non-integer LLVM type");
    }
    Ok(())
}
