//! What hand-written pretty forms share.

use smallvec::SmallVec;

use super::ops::Argument;
use super::{Failed, OpParser, Parsed, TokenKind, UnresolvedOperand};
use crate::location::Loc;
use crate::rewriter::{OpState, Rewriter};

/// Region arguments with the operands they start from.
pub(super) type Assignments = (SmallVec<[Argument; 4]>, SmallVec<[UnresolvedOperand; 4]>);

impl OpParser<'_> {
    /// Records an error of the pretty form of the operation `state`: `custom op 'name' message`.
    #[track_caller]
    pub fn custom_error_at(&mut self, state: &OpState, loc: Loc, message: impl std::fmt::Display) -> Failed {
        let cx = self.cx();
        let name = &cx.op_info(state.name(cx)).name;
        self.error_at(loc, format!("custom op '{name}' {message}"))
    }

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
