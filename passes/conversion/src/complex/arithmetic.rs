//! Arithmetic on floats in the dialects that a conversion goes to.

use dl_arith::{Build, FastMathFlags};
use dl_ir::{Attr, OpState, ValueId};

/// The comparisons that complex arithmetic needs; their numbers are the same in `arith` and `llvm`.
#[derive(Clone, Copy)]
pub(super) enum Is {
    Equal = 1,
    Greater = 2,
    Less = 4,
    AtLeast = 3,
    AtMost = 5,
    Different = 6,
    Ordered = 7,
    NotEqual = 13,
    Unordered = 14,
}

/// The operations of a dialect by name.
pub(super) struct Names {
    constant: &'static str,
    mul: &'static str,
    add: &'static str,
    sub: &'static str,
    div: &'static str,
    abs: &'static str,
    copysign: &'static str,
    compare: &'static str,
    select: &'static str,
    and: &'static str,
    or: &'static str,
    flags: &'static str,
}

/// The operations of `llvm`.
pub(super) const LLVM: Names = Names {
    constant: "llvm.mlir.constant",
    mul: "llvm.fmul",
    add: "llvm.fadd",
    sub: "llvm.fsub",
    div: "llvm.fdiv",
    abs: "llvm.intr.fabs",
    copysign: "llvm.intr.copysign",
    compare: "llvm.fcmp",
    select: "llvm.select",
    and: "llvm.and",
    or: "llvm.or",
    flags: "fastmathFlags",
};

/// The operations of `arith` and `math`.
pub(super) const ARITH: Names = Names {
    constant: "arith.constant",
    mul: "arith.mulf",
    add: "arith.addf",
    sub: "arith.subf",
    div: "arith.divf",
    abs: "math.absf",
    copysign: "math.copysign",
    compare: "arith.cmpf",
    select: "arith.select",
    and: "arith.andi",
    or: "arith.ori",
    flags: "fastmath",
};

/// Makes float operations in a row, with the same fast-math flags.
pub(super) struct Floats<'b, 'r, 'c> {
    pub(super) b: &'b mut Build<'r, 'c>,
    pub(super) names: &'static Names,
    pub(super) flags: Option<Attr>,
}

impl Floats<'_, '_, '_> {
    pub(super) fn make(&mut self, name: &'static str, operands: &[ValueId], flagged: bool) -> ValueId {
        let ty = self.b.ir().value_type(operands[0]);
        let state = OpState::named(name, self.b.loc).operands(operands.iter().copied()).results([ty]);
        let state = state.maybe_attr(self.b.cx(), self.names.flags, self.flags.filter(|_| flagged));
        self.b.create_value(state)
    }

    pub(super) fn mul(&mut self, x: ValueId, y: ValueId) -> ValueId {
        self.make(self.names.mul, &[x, y], true)
    }

    pub(super) fn add(&mut self, x: ValueId, y: ValueId) -> ValueId {
        self.make(self.names.add, &[x, y], true)
    }

    pub(super) fn sub(&mut self, x: ValueId, y: ValueId) -> ValueId {
        self.make(self.names.sub, &[x, y], true)
    }

    pub(super) fn div(&mut self, x: ValueId, y: ValueId) -> ValueId {
        self.make(self.names.div, &[x, y], true)
    }

    pub(super) fn abs(&mut self, x: ValueId) -> ValueId {
        self.make(self.names.abs, &[x], true)
    }

    pub(super) fn copysign(&mut self, x: ValueId, sign: ValueId) -> ValueId {
        self.make(self.names.copysign, &[x, sign], false)
    }

    pub(super) fn and(&mut self, x: ValueId, y: ValueId) -> ValueId {
        self.make(self.names.and, &[x, y], false)
    }

    pub(super) fn or(&mut self, x: ValueId, y: ValueId) -> ValueId {
        self.make(self.names.or, &[x, y], false)
    }

    pub(super) fn compare(&mut self, is: Is, x: ValueId, y: ValueId) -> ValueId {
        let cx = self.b.cx();
        let state = OpState::named(self.names.compare, self.b.loc).operands([x, y]).results([cx.i1_type()]);
        self.b.create_value(state.attr(cx, "predicate", cx.i64_attr(is as i64)))
    }

    pub(super) fn select(&mut self, condition: ValueId, yes: ValueId, no: ValueId) -> ValueId {
        let ty = self.b.ir().value_type(yes);
        let state = OpState::named(self.names.select, self.b.loc).operands([condition, yes, no]).results([ty]);
        self.b.create_value(state)
    }

    /// An operation on one number with the fast-math flags: `math.sin`.
    pub(super) fn of(&mut self, name: &'static str, x: ValueId) -> ValueId {
        self.make(name, &[x], true)
    }

    /// An operation on two numbers with the fast-math flags: `math.atan2`.
    pub(super) fn of_two(&mut self, name: &'static str, x: ValueId, y: ValueId) -> ValueId {
        self.make(name, &[x, y], true)
    }

    /// A comparison with the fast-math flags.
    pub(super) fn test(&mut self, is: Is, x: ValueId, y: ValueId) -> ValueId {
        let (cx, flags) = (self.b.cx(), self.flags);
        let state = OpState::named(self.names.compare, self.b.loc).operands([x, y]).results([cx.i1_type()]);
        let state = state.attr(cx, "predicate", cx.i64_attr(is as i64)).maybe_attr(cx, self.names.flags, flags);
        self.b.create_value(state)
    }

    /// The fast-math flags as a set.
    pub(super) fn flag_set(&self) -> FastMathFlags {
        self.flags.and_then(|flags| FastMathFlags::from_attr(self.b.cx().attr(flags))).unwrap_or_default()
    }

    /// Whether nothing needs to be done for NaN and infinities.
    pub(super) fn all_finite(&self) -> bool {
        self.flag_set().contains(FastMathFlags::NNAN.union(FastMathFlags::NINF))
    }

    /// Does something that relies on NaN and infinities, whatever the flags say.
    pub(super) fn with_specials<T>(&mut self, work: impl FnOnce(&mut Self) -> T) -> T {
        let usual = self.flags;
        let specials = FastMathFlags::NNAN.union(FastMathFlags::NINF);
        let strict = FastMathFlags(self.flag_set().0 & !specials.0);
        self.flags = Some(strict.attr(self.b.cx()));
        let result = work(self);
        self.flags = usual;
        result
    }

    /// A constant of the type of `like`.
    pub(super) fn constant(&mut self, like: ValueId, value: f64) -> ValueId {
        let (cx, ty) = (self.b.cx(), self.b.ir().value_type(like));
        let state = OpState::named(self.names.constant, self.b.loc).results([ty]);
        self.b.create_value(state.attr(cx, "value", cx.float_attr(ty, value)))
    }
}
