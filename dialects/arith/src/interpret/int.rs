//! Integer arithmetic.

use dl_ir::DialectBuilder;
use dl_ir::interp::Step;
use dl_ir::interp::integer::{Division, NoWrap, shift_left, shift_right, total, wrapping};
use dl_ir::number::ApInt;

use super::elementwise;
use crate::flags::overflow;
use crate::{
    AddIOp, AndIOp, CeilDivSIOp, CeilDivUIOp, DivSIOp, DivUIOp, FloorDivSIOp, IntegerOverflowFlags, MaxSIOp, MaxUIOp,
    MinSIOp, MinUIOp, MulIOp, OrIOp, RemSIOp, RemUIOp, ShLIOp, ShRSIOp, ShRUIOp, SubIOp, XOrIOp,
};

pub(super) fn register(b: &mut DialectBuilder) {
    elementwise::<AddIOp<'_>>(b, |step, v| {
        wrapping(step, v, (ApInt::sadd_overflow, ApInt::uadd_overflow), promised(step))
    });
    elementwise::<SubIOp<'_>>(b, |step, v| {
        wrapping(step, v, (ApInt::ssub_overflow, ApInt::usub_overflow), promised(step))
    });
    elementwise::<MulIOp<'_>>(b, |step, v| {
        wrapping(step, v, (ApInt::smul_overflow, ApInt::umul_overflow), promised(step))
    });
    elementwise::<AndIOp<'_>>(b, |step, v| total(step, v, ApInt::and));
    elementwise::<OrIOp<'_>>(b, |step, v| total(step, v, ApInt::or));
    elementwise::<XOrIOp<'_>>(b, |step, v| total(step, v, ApInt::xor));
    elementwise::<MaxSIOp<'_>>(b, |step, v| total(step, v, ApInt::smax));
    elementwise::<MaxUIOp<'_>>(b, |step, v| total(step, v, ApInt::umax));
    elementwise::<MinSIOp<'_>>(b, |step, v| total(step, v, ApInt::smin));
    elementwise::<MinUIOp<'_>>(b, |step, v| total(step, v, ApInt::umin));
    elementwise::<ShLIOp<'_>>(b, |step, v| shift_left(step, v, promised(step)));
    elementwise::<ShRUIOp<'_>>(b, |step, v| shift_right(step, v, ApInt::lshr));
    elementwise::<ShRSIOp<'_>>(b, |step, v| shift_right(step, v, ApInt::ashr));
    b.on::<DivUIOp<'_>>().interpret(Division(ApInt::udiv));
    b.on::<DivSIOp<'_>>().interpret(Division(ApInt::sdiv));
    b.on::<CeilDivUIOp<'_>>().interpret(Division(ApInt::ceildiv_unsigned));
    b.on::<CeilDivSIOp<'_>>().interpret(Division(ApInt::ceildiv_signed));
    b.on::<FloorDivSIOp<'_>>().interpret(Division(ApInt::floordiv_signed));
    b.on::<RemUIOp<'_>>().interpret(Division(ApInt::urem));
    b.on::<RemSIOp<'_>>().interpret(Division(|a, b| a.sdiv(b).and_then(|_| a.srem(b))));
}

/// What the flags promise.
fn promised(step: Step<'_, '_>) -> NoWrap {
    let flags = overflow(step.op);
    NoWrap { signed: flags.contains(IntegerOverflowFlags::NSW), unsigned: flags.contains(IntegerOverflowFlags::NUW) }
}
