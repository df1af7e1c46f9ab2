//! The type and the operations: what they look like.

use dl_ir::constraints::{ANY_SIGNLESS_INTEGER, F64_ATTR};
use dl_ir::opdef::TypeConstraint;
use dl_ir::typedef::{ParamDef, ParamKind, TypeDefinition};
use dl_ir::{Attr, Context, Diagnostic, OpDefinition, OpEntry, OpRef, Type, TypeRef};

/// `!posit.p<16>`: a posit of so many bits.
pub static POSIT_TYPE: TypeDefinition =
    TypeDefinition::declarative("posit.p", "a posit of 8, 16 or 32 bits", &PARAMS, "`<` $bits `>`");
static PARAMS: [ParamDef; 1] = [ParamDef::required("bits", ParamKind::Int(32))];

/// There are posits of 8, 16 and 32 bits.
pub(crate) fn verify_bits(cx: &Context, params: &[Attr]) -> Result<(), String> {
    match params.first().and_then(|&bits| cx.attr(bits).as_int()) {
        Some(8 | 16 | 32) => Ok(()),
        Some(bits) => Err(format!("expected a posit of 8, 16 or 32 bits, but got {bits}")),
        None => Err("expected a number of bits".to_owned()),
    }
}

/// How many bits a posit of this type has; `None` for other types.
pub fn posit_bits(ty: TypeRef<'_>) -> Option<u32> {
    let bits = ty.is_dialect_type("posit.p").then(|| ty.params().first())??;
    ty.cx().attr(*bits).as_int().and_then(|bits| u32::try_from(bits).ok())
}

/// The integer that holds a posit of this type; other types stay.
pub fn storage_type(cx: &Context, ty: Type) -> Type {
    posit_bits(cx.ty(ty)).map_or(ty, |bits| cx.int_type(bits))
}

/// A posit and the integer that encodes it have as many bits.
pub(crate) fn verify_same_bits(op: OpRef<'_>) -> Result<(), Diagnostic> {
    let (from, to) = (op.operand(0).ty(), op.result(0).ty());
    let bits = |ty: TypeRef<'_>| posit_bits(ty).or_else(|| ty.int_width());
    if bits(from) == bits(to) {
        return Ok(());
    }
    Err(op.error(format_args!("expected as many bits in the result as in the operand, but got '{to}' of '{from}'")))
}

/// Any posit.
pub static POSIT: TypeConstraint = TypeConstraint::new("posit", |ty| posit_bits(ty).is_some());

dl_ir::op! {
    /// The posit nearest to a number: `%x = posit.constant 1.5 : !posit.p<8>`. Infinities and NaN are not real numbers.
    ConstantOp = "posit.constant" {
        attrs: [value "value": Required(F64_ATTR)],
        results: [result: Single(POSIT)],
        traits: [Pure, ConstantLike],
        format: "$value attr-dict `:` type($result)",
    }

    /// The sum, rounded to the nearest posit: `%z = posit.add %x, %y : !posit.p<16>`.
    AddOp = "posit.add" {
        operands: [x: Single(POSIT), y: Single(POSIT)],
        results: [result: Single(POSIT)],
        traits: [Pure, Commutative, SameOperandsAndResultType],
        format: "$x `,` $y attr-dict `:` type($x)",
    }

    /// The difference, rounded to the nearest posit.
    SubOp = "posit.sub" {
        operands: [x: Single(POSIT), y: Single(POSIT)],
        results: [result: Single(POSIT)],
        traits: [Pure, SameOperandsAndResultType],
        format: "$x `,` $y attr-dict `:` type($x)",
    }

    /// The product, rounded to the nearest posit.
    MulOp = "posit.mul" {
        operands: [x: Single(POSIT), y: Single(POSIT)],
        results: [result: Single(POSIT)],
        traits: [Pure, Commutative, SameOperandsAndResultType],
        format: "$x `,` $y attr-dict `:` type($x)",
    }

    /// The quotient, rounded to the nearest posit; not a real number where the divisor is 0.
    DivOp = "posit.div" {
        operands: [x: Single(POSIT), y: Single(POSIT)],
        results: [result: Single(POSIT)],
        traits: [Pure, SameOperandsAndResultType],
        format: "$x `,` $y attr-dict `:` type($x)",
    }

    /// The opposite, which is exact.
    NegOp = "posit.neg" {
        operands: [x: Single(POSIT)],
        results: [result: Single(POSIT)],
        traits: [Pure, SameOperandsAndResultType],
        format: "$x attr-dict `:` type($x)",
    }

    /// Whether the one is less than the other. What is not a real number is less than all others.
    LessOp = "posit.less" {
        operands: [x: Single(POSIT), y: Single(POSIT)],
        results: [result: Single(dl_ir::constraints::I1)],
        traits: [Pure, AllTypesMatch("x", "y")],
        format: "$x `,` $y attr-dict `:` type($x)",
    }

    /// The posit with this encoding: `%p = posit.from_bits %b : i8 -> !posit.p<8>`.
    FromBitsOp = "posit.from_bits" {
        operands: [bits: Single(ANY_SIGNLESS_INTEGER)],
        results: [result: Single(POSIT)],
        traits: [Pure],
        format: "$bits attr-dict `:` type($bits) `->` type($result)",
    }

    /// The encoding of a posit: `%b = posit.to_bits %p : !posit.p<8> -> i8`.
    ToBitsOp = "posit.to_bits" {
        operands: [x: Single(POSIT)],
        results: [bits: Single(ANY_SIGNLESS_INTEGER)],
        traits: [Pure],
        format: "$x attr-dict `:` type($x) `->` type($bits)",
    }
}

/// All operations.
pub static OPS: &[OpEntry] = &[
    ConstantOp::ENTRY,
    AddOp::ENTRY,
    SubOp::ENTRY,
    MulOp::ENTRY,
    DivOp::ENTRY,
    NegOp::ENTRY,
    LessOp::ENTRY,
    FromBitsOp::ENTRY,
    ToBitsOp::ENTRY,
];
