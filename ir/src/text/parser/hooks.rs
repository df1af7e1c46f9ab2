//! What hand-written pretty forms share.

use smallvec::SmallVec;

use super::ops::Argument;
use super::{OpParser, Parsed, TokenKind, UnresolvedOperand};
use crate::rewriter::{OpState, Rewriter};

/// Region arguments with the operands they start from.
pub(super) type Assignments = (SmallVec<[Argument; 4]>, SmallVec<[UnresolvedOperand; 4]>);

impl OpParser<'_> {
    /// `(%a = %b, %c = %d)`, if there is a `(`: see [`parse_assignment_list`](Self::parse_assignment_list).
    ///
    /// # Errors
    /// What is wrong with the list.
    pub fn parse_optional_assignment_list(&mut self) -> Parsed<Option<Assignments>> {
        if self.token_kind() == TokenKind::LParen { self.parse_assignment_list().map(Some) } else { Ok(None) }
    }

    /// Whether the last region parsed for `state` has no blocks.
    pub fn region_is_empty(&mut self, state: &mut OpState) -> bool {
        if self.is_deferred(state) {
            return false;
        }
        let Some(&region) = state.regions.last() else { return true };
        let cx = self.cx();
        match &mut state.body {
            Some(body) => Rewriter::new(cx, body).ir().entry_block(region).is_none(),
            None => self.ir().entry_block(region).is_none(),
        }
    }
}
