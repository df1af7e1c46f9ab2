//! What is known of divisors.

use dl_ir::OpRef;
use dl_ir::number::ApInt;

/// Whether the second operand is a constant, of whose elements this holds.
fn divisor(op: OpRef<'_>, holds: impl Fn(&ApInt) -> bool) -> bool {
    let Some(constant) = op.operand(1).constant() else { return false };
    let of_element = |at: usize| constant.dense_value(at).and_then(|element| element.as_ap_int()).is_some_and(&holds);
    match constant.as_ap_int() {
        Some(value) => holds(value),
        None if constant.is_splat() => of_element(0),
        None => {
            let count = constant.ty().and_then(|ty| ty.num_elements()).and_then(|count| usize::try_from(count).ok());
            count.is_some_and(|count| (0..count).all(of_element))
        }
    }
}

/// Whether a division by the second operand gives a value whatever the first one is, as unsigned numbers.
pub(crate) fn is_not_zero(op: OpRef<'_>) -> bool {
    divisor(op, |value| !value.is_zero())
}

/// The same as signed numbers: the quotient of the least number by -1 is none of its type.
pub(crate) fn is_neither_zero_nor_minus_one(op: OpRef<'_>) -> bool {
    divisor(op, |value| !value.is_zero() && !value.is_all_ones())
}
