//! Conditions and types that the definitions refer to.

use dl_ir::{OpRef, OpView, Type, TypeRef};

use crate::{PrintOp, PrintPunctuation, ScalableExtractOp, ScalableInsertOp};

/// A string is printed without a vector and with the punctuation that is the default.
pub(crate) fn prints_a_string_alone(op: OpRef<'_>) -> bool {
    let print = PrintOp::wrap(op);
    let newline = PrintPunctuation::from_attr(print.punctuation()) == Some(PrintPunctuation::NewLine);
    print.string_literal().is_none() || print.source().is_none() && newline
}

/// The position of an extracted part is a multiple of its length.
pub(crate) fn position_is_multiple_of_result(op: OpRef<'_>) -> bool {
    let extract = ScalableExtractOp::wrap(op);
    is_multiple(extract.pos().as_int(), extract.result().ty())
}

/// The position of an inserted part is a multiple of its length.
pub(crate) fn position_is_multiple_of_source(op: OpRef<'_>) -> bool {
    let insert = ScalableInsertOp::wrap(op);
    is_multiple(insert.pos().as_int(), insert.value_to_store().ty())
}

fn is_multiple(position: Option<i64>, of: TypeRef<'_>) -> bool {
    let position = position.and_then(|p| u64::try_from(p).ok());
    position.zip(of.num_elements()).is_some_and(|(p, n)| p.checked_rem(n) == Some(0))
}

/// The last extent of the operand is even.
pub(crate) fn trailing_dimension_is_even(op: OpRef<'_>) -> bool {
    let shape = op.operands().get(0).and_then(|source| source.ty().shape());
    shape.and_then(<[i64]>::last).is_some_and(|extent| extent % 2 == 0)
}

/// The vector with its last extent halved: what taking every other element gives. A vector that cannot be halved stays.
pub(crate) fn with_half_trailing_dimension(ty: TypeRef<'_>) -> Option<Type> {
    let mut shape = ty.shape()?.to_vec();
    let last = shape.last_mut()?;
    if *last < 2 {
        return Some(ty.id());
    }
    *last /= 2;
    ty.with_shape(&shape)
}

/// The vector with its last extent doubled: what two vectors by turns give. Two scalars make a vector of two.
pub(crate) fn with_twice_the_trailing_dimension(ty: TypeRef<'_>) -> Option<Type> {
    let mut shape = ty.shape()?.to_vec();
    match shape.last_mut() {
        Some(last) => *last = last.checked_mul(2)?,
        None => shape.push(2),
    }
    ty.with_shape(&shape)
}
