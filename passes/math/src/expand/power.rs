//! Powers.

use dl_arith::SIToFPOp;
use dl_ir::ValueId;
use dl_ir::rewrite::NoMatch;
use dl_math::{ExpOp, LogOp, RsqrtOp, SqrtOp};

use super::emit::Emit;

type Value = Result<ValueId, NoMatch>;

/// `x^n` by squaring, for a whole number.
fn by_squaring(e: &mut Emit<'_, '_>, x: ValueId, mut n: u64) -> ValueId {
    let (mut base, mut result) = (x, None);
    loop {
        if n & 1 == 1 {
            result = Some(result.map_or(base, |result| e.mul(base, result)));
        }
        n >>= 1;
        match result {
            Some(result) if n == 0 => return result,
            None if n == 0 => return e.float(1.0),
            _ => base = e.mul(base, base),
        }
    }
}

/// `x^n`: products where `n` is a number.
pub(super) fn integer_power(e: &mut Emit<'_, '_>, x: &[ValueId]) -> Value {
    let Some(exponent) = e.constant_of(x[1]).and_then(dl_ir::AttrRef::as_int) else {
        if e.element_of(x[1]).is_index() {
            return Err(NoMatch("there is no conversion of an index to a float"));
        }
        let exponent = e.cast::<SIToFPOp<'_>>(x[1], e.ty);
        return Ok(exponential(e, x[0], exponent));
    };
    let power = by_squaring(e, x[0], exponent.unsigned_abs());
    if exponent >= 0 {
        return Ok(power);
    }
    let one = e.float(1.0);
    Ok(e.div(one, power))
}

/// `x^y`: products and roots where `y` is a number that allows it.
pub(super) fn power(e: &mut Emit<'_, '_>, x: &[ValueId]) -> Value {
    let one_over = |e: &mut Emit<'_, '_>, value| {
        let one = e.float(1.0);
        e.div(one, value)
    };
    let exponent = e.constant_of(x[1]).and_then(dl_ir::AttrRef::as_f64);
    Ok(match exponent {
        // Also of what is no number.
        Some(0.0) => e.float(1.0),
        Some(1.0) => x[0],
        Some(2.0) => by_squaring(e, x[0], 2),
        Some(3.0) => by_squaring(e, x[0], 3),
        Some(-1.0) => one_over(e, x[0]),
        Some(-2.0) => {
            let square = by_squaring(e, x[0], 2);
            one_over(e, square)
        }
        Some(0.5) => e.on::<SqrtOp<'_>>(&[x[0]]),
        Some(-0.5) => e.on::<RsqrtOp<'_>>(&[x[0]]),
        _ => exponential(e, x[0], x[1]),
    })
}

/// `e^(y log x)`
fn exponential(e: &mut Emit<'_, '_>, x: ValueId, y: ValueId) -> ValueId {
    let log = e.on::<LogOp<'_>>(&[x]);
    let exponent = e.mul(y, log);
    e.on::<ExpOp<'_>>(&[exponent])
}
