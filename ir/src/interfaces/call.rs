//! Calls and what they call.

use std::ops::Range;

use smallvec::SmallVec;

use crate::attributes::AttrRef;
use crate::types::Type;
use crate::view::{OpRef, RegionRef};

/// An operation that transfers control to a callable and back.
pub trait CallOp: Send + Sync {
    /// The symbol that is called; `None` for an indirect call.
    fn callee<'a>(&self, op: OpRef<'a>) -> Option<AttrRef<'a>>;

    /// The numbers of the operands that are passed.
    fn args(&self, op: OpRef<'_>) -> Range<usize>;
}

/// An operation that can be called.
pub trait CallableOp: Send + Sync {
    /// The region that is executed; `None` for a declaration.
    fn body<'a>(&self, op: OpRef<'a>) -> Option<RegionRef<'a>>;

    /// The types of its arguments.
    fn arg_types(&self, op: OpRef<'_>) -> SmallVec<[Type; 4]>;

    /// The types of its results.
    fn result_types(&self, op: OpRef<'_>) -> SmallVec<[Type; 4]>;
}
