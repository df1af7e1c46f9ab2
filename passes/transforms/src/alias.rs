//! Whether two buffers may share memory, as far as the function around them tells.
//!
//! A buffer is followed through views to what it is a part of. What has been allocated there shares nothing with what has been allocated
//! elsewhere, nor with what the function was given. Of anything else nothing is known.

use dl_ir::interfaces::{FunctionOp, ViewLike};
use dl_ir::opdef::Effects;
use dl_ir::{Definition, ValueRef};

/// How two buffers are related.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Alias {
    /// They share no memory.
    No,
    /// They may share some.
    May,
    /// They are one buffer.
    Must,
}

/// How the memory of `a` and `b`, values of one arena, is related. Cost O(length of the chains of views).
pub fn alias(a: ValueRef<'_>, b: ValueRef<'_>) -> Alias {
    if a == b {
        return Alias::Must;
    }
    let (a, b) = (underlying(a), underlying(b));
    if a == b {
        return Alias::May;
    }
    let apart = match (is_allocated(a), is_allocated(b)) {
        (true, true) => true,
        (true, false) => is_function_argument(b),
        (false, true) => is_function_argument(a),
        (false, false) => false,
    };
    if apart { Alias::No } else { Alias::May }
}

/// The buffer that `value` is a view of, through all views.
pub fn underlying(value: ValueRef<'_>) -> ValueRef<'_> {
    let source = |value: &ValueRef<'_>| {
        let op = value.defining_op()?;
        let view = op.interface::<dyn ViewLike>()?;
        (view.dest(op) == *value).then(|| view.source(op).id())
    };
    let mut value = value;
    while let Some(next) = source(&value) {
        value = ValueRef::new(value.cx(), value.arena(), next);
    }
    value
}

/// Whether the operation that defines `value` allocates it.
pub fn is_allocated(value: ValueRef<'_>) -> bool {
    let Some(op) = value.defining_op() else { return false };
    let Some(def) = op.def() else { return false };
    // The buffer is the first result of all that allocate one.
    value.index() == 0 && def.results.first().is_some_and(|result| result.effects.contains(Effects::ALLOCATE))
}

/// Whether `value` is an argument of a function.
fn is_function_argument(value: ValueRef<'_>) -> bool {
    matches!(value.definition(), Definition::Argument(_))
        && value.owner_block().is_some_and(|block| {
            block.is_entry() && block.parent_op().is_some_and(|op| op.interface::<dyn FunctionOp>().is_some())
        })
}
