//! Inlining: what dialects say of moving the body of a function to where it is called.

use crate::entity::{BlockId, OpId, ValueId};
use crate::rewriter::Rewriter;
use crate::view::{OpRef, Operands, RegionRef, ValueRef};

/// A call that may be replaced by the body of what it calls.
#[derive(Clone, Copy)]
pub struct InlineSite<'a> {
    /// The call.
    pub call: OpRef<'a>,
    /// Its operands, one for each argument of the body.
    pub arguments: Operands<'a>,
    /// The function, in its own arena.
    pub callable: OpRef<'a>,
    /// The region around the call.
    pub dest: RegionRef<'a>,
    /// The body of the function.
    pub src: RegionRef<'a>,
    /// Whether the function stays as well.
    pub is_copied: bool,
}

impl<'a> InlineSite<'a> {
    /// What takes the place of `value`, an argument of the entry of the body.
    pub fn replacement(&self, value: ValueRef<'a>) -> Option<ValueRef<'a>> {
        let entry = self.src.entry()?;
        let is_argument = std::ptr::eq(entry.arena(), value.arena()) && value.owner_block() == Some(entry);
        if is_argument { self.arguments.get(value.index()) } else { None }
    }
}

/// What a dialect says of inlining. A dialect without allows nothing.
pub trait Inlining: Send + Sync {
    /// Whether the call, which belongs to the dialect, may be inlined at all.
    fn allows_call(&self, site: &InlineSite<'_>) -> bool {
        let _ = site;
        false
    }

    /// Whether something may be inlined into the region around the call, which belongs to an operation of the dialect.
    fn allows_region(&self, site: &InlineSite<'_>) -> bool {
        let _ = site;
        false
    }

    /// Whether `op`, an operation of the dialect in the body or in a region there, may stand where the call is.
    fn allows_op(&self, op: OpRef<'_>, site: &InlineSite<'_>) -> bool {
        let _ = (op, site);
        false
    }

    /// Whether the operations in the regions of `op`, an operation of the dialect, must be allowed as well.
    fn looks_inside(&self, op: OpRef<'_>) -> bool {
        let _ = op;
        true
    }

    /// The operands of `terminator`, an operation of the dialect, that become the results of the call. `None` where it does not return.
    fn returned<'a>(&self, terminator: OpRef<'a>) -> Option<Operands<'a>> {
        let _ = terminator;
        None
    }

    /// Makes what it takes for `callable` to go on as before where `call`, an operation of the dialect, is. `blocks` are a copy of its body
    /// that is not yet in place, and `arguments` become its arguments; the insertion point is before the call.
    fn prepare(
        &self,
        rw: &mut Rewriter<'_>,
        call: OpId,
        callable: OpRef<'_>,
        blocks: &[BlockId],
        arguments: &mut [ValueId],
    ) {
        let _ = (rw, call, callable, blocks, arguments);
    }

    /// Puts a branch to `block`, with what is [returned](Self::returned), in the place of `terminator`. For those that return only.
    fn branch(&self, rw: &mut Rewriter<'_>, terminator: OpId, block: BlockId) {
        let _ = (rw, terminator, block);
    }
}

/// Allows each operation of a dialect wherever a call may be, and nothing else.
pub struct InlineAnywhere;

impl Inlining for InlineAnywhere {
    fn allows_op(&self, _: OpRef<'_>, _: &InlineSite<'_>) -> bool {
        true
    }
}

/// Allows each operation of a dialect wherever a call may be, and calls in the regions of the dialect's operations to be inlined.
pub struct InlineAnywhereAndInside;

impl Inlining for InlineAnywhereAndInside {
    fn allows_region(&self, _: &InlineSite<'_>) -> bool {
        true
    }

    fn allows_op(&self, _: OpRef<'_>, _: &InlineSite<'_>) -> bool {
        true
    }
}

impl OpRef<'_> {
    /// What its dialect says of inlining, if anything.
    pub fn inlining(self) -> Option<&'static dyn Inlining> {
        self.cx().dialect(self.info().dialect()).and_then(|dialect| dialect.inlining)
    }
}
