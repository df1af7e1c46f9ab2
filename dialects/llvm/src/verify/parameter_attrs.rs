//! Attributes of arguments and results that LLVM knows: what they hold and which types may have them.
//!
//! Source of the rules: the LLVM language reference, "Parameter Attributes".

use dl_ir::dialect::SignatureAttr;
use dl_ir::{OpRef, TypeRef};

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

impl Of {
    /// Whether `ty`, a type of LLVM, is among them: itself or what it has as elements.
    fn includes(self, ty: TypeRef<'_>) -> bool {
        let element = ty.element_or_self();
        match self {
            Self::Any => true,
            Self::Pointer => types::is_ptr(element),
            Self::Integer => element.is_integer(),
        }
    }
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

/// Whether an argument or result of type `ty` may have the attribute `name`, as far as the type decides.
pub fn may_have_parameter_attr(name: &str, ty: TypeRef<'_>) -> bool {
    let of = KNOWN.iter().find(|(known, ..)| *known == name).map_or(Of::Any, |&(_, _, of)| of);
    !types::is_compatible(ty) || of.includes(ty)
}

/// Checks an attribute of an argument or result of a function of any dialect. Types that LLVM does not have may become some that may have it.
pub(crate) fn verify_signature_attr(_: OpRef<'_>, attr: SignatureAttr<'_>) -> Result<(), String> {
    let SignatureAttr { name, value, ty, is_result } = attr;
    let fail = |what: &str| Err(format!("\"{name}\" {what}"));
    if is_result && OF_ARGUMENTS_ALONE.contains(&name) {
        return fail("is not a valid result attribute");
    }
    let Some(&(_, holds, of)) = KNOWN.iter().find(|(known, ..)| *known == name) else { return Ok(()) };
    match holds {
        Holds::Unit if !value.is_unit() => return fail("should be a unit attribute"),
        Holds::Integer if !value.is_integer() => return fail("should be an integer attribute"),
        Holds::Type if !value.is_type() => return fail("should be a type attribute"),
        _ if !types::is_compatible(ty) => return Ok(()),
        _ => {}
    }
    match of {
        _ if of.includes(ty) => Ok(()),
        Of::Pointer => fail("attribute attached to non-pointer LLVM type"),
        _ => fail("attribute attached to non-integer LLVM type"),
    }
}
