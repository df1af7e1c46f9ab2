//! What is known of divisors.

use dl_ir::OpRef;
use dl_ir::int_range::IntRange;
use dl_ir::interfaces::own_range;
use dl_ir::number::ApInt;

/// Whether a division by the second operand gives a value whatever the first one is, as unsigned numbers.
pub fn is_not_zero(op: OpRef<'_>) -> bool {
    divisor(op, |range| !range.contains(&ApInt::zero(range.width())))
}

/// The same as signed numbers: the quotient of the least number by -1 is none of its type.
pub fn is_neither_zero_nor_minus_one(op: OpRef<'_>) -> bool {
    divisor(op, |range| {
        let width = range.width();
        !range.contains(&ApInt::zero(width)) && !range.contains(&ApInt::all_ones(width))
    })
}

/// Whether this holds for what is known of the second operand, element by element for a constant.
fn divisor(op: OpRef<'_>, holds: impl Fn(&IntRange) -> bool) -> bool {
    let divisor = op.operand(1);
    let Some(constant) = divisor.constant() else { return own_range(divisor).is_some_and(|range| holds(&range)) };
    let number = |value: &ApInt| holds(&IntRange::constant(value.clone()));
    let of_element = |at: usize| constant.dense_value(at).and_then(|element| element.as_ap_int()).is_some_and(number);
    match constant.as_ap_int() {
        Some(value) => number(value),
        None if constant.is_splat() => of_element(0),
        None => {
            let count = constant.ty().and_then(|ty| ty.num_elements()).and_then(|count| usize::try_from(count).ok());
            count.is_some_and(|count| (0..count).all(of_element))
        }
    }
}
