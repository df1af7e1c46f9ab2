//! Operations that give another view of a buffer or tensor.

use crate::view::{OpRef, ValueRef};

/// An operation whose result aliases (a part of) an operand.
pub trait ViewLike: Send + Sync {
    /// What is looked at.
    fn source<'a>(&self, op: OpRef<'a>) -> ValueRef<'a>;

    /// The view, the first result where not said otherwise.
    fn dest<'a>(&self, op: OpRef<'a>) -> ValueRef<'a> {
        op.result(0)
    }
}
