//! Operations that call.

use crate::attributes::AttrRef;
use crate::view::{OpRef, Operands, ValueRef};

/// What a call calls.
#[derive(Clone, Copy, Debug)]
pub enum Callee<'a> {
    /// A symbol: `@f` or `@m::@f`.
    Symbol(AttrRef<'a>),
    /// A function value.
    Value(ValueRef<'a>),
}

/// An operation that transfers control to a callable operation, and gets it back with the results.
pub trait CallOp: Send + Sync {
    /// What it calls, `None` where that is not known (inline assembly).
    fn callee<'a>(&self, op: OpRef<'a>) -> Option<Callee<'a>>;

    /// The operands that become the arguments of the callee.
    fn arguments<'a>(&self, op: OpRef<'a>) -> Operands<'a>;
}
