//! Locations.

use smallvec::SmallVec;

use super::{Delimiter, OpParser, Parsed, TokenKind, guarded};
use crate::attributes::AttrData;
use crate::location::{Loc, LocData};

const AFTER_TO: &str = "expected either integer or `:` post `to` in FileLineColRange";

impl OpParser<'_> {
    /// `loc(...)`, if it is there.
    ///
    /// # Errors
    /// What is wrong with it.
    #[inline(always)]
    pub fn parse_optional_trailing_loc(&mut self) -> Parsed<Option<Loc>> {
        if self.at_keyword("loc") { self.parse_trailing_loc().map(Some) } else { Ok(None) }
    }

    /// `loc(...)`, which is there.
    fn parse_trailing_loc(&mut self) -> Parsed<Loc> {
        self.advance();
        self.expect(TokenKind::LParen, "expected '(' in location")?;
        let at = self.loc();
        let loc = match self.token_kind() {
            TokenKind::HashIdentifier if !self.token_bytes().contains(&b'.') => self.parse_location_alias(at)?,
            _ => self.parse_location()?,
        };
        self.expect(TokenKind::RParen, "expected ')' in location")?;
        Ok(loc)
    }

    /// `(...)` after the word `loc`, as an attribute.
    pub(super) fn parse_inline_location(&mut self) -> Parsed<Loc> {
        self.expect(TokenKind::LParen, "expected '(' in inline location")?;
        let loc = self.parse_location()?;
        self.expect(TokenKind::RParen, "expected ')' in inline location")?;
        Ok(loc)
    }

    /// The location of an operation or argument by its alias, which may be defined further down.
    fn parse_location_alias(&mut self, at: Loc) -> Parsed<Loc> {
        let name = &self.token_text()[1..];
        self.advance();
        let cx = self.cx();
        let Some(attr) = self.find_later_alias(name)? else {
            return Err(self.syntax_error_at(at, "operation location alias was never defined"));
        };
        match cx.attr_data(attr) {
            AttrData::Location(loc) => Ok(*loc),
            _ => Err(self.syntax_error_at(at, format!("expected location, but found '{}'", cx.attr(attr)))),
        }
    }

    /// What stands between the parentheses of `loc(...)`.
    ///
    /// # Errors
    /// `expected location instance`, or what is wrong with it.
    pub fn parse_location(&mut self) -> Parsed<Loc> {
        match self.token_kind() {
            TokenKind::HashIdentifier => {
                let attr = self.parse_extended_attr(None)?;
                if let AttrData::Location(loc) = self.cx().attr_data(attr) {
                    return Ok(*loc);
                }
                let found = self.cx().attr(attr);
                Err(self.syntax_error(format!("expected location attribute, but got {found}")))
            }
            TokenKind::String => guarded(|| self.parse_name_or_file_location()),
            TokenKind::BareIdentifier => match self.token_bytes() {
                b"callsite" => guarded(|| self.parse_call_site_location()),
                b"fused" => guarded(|| self.parse_fused_location()),
                b"unknown" => {
                    self.advance();
                    Ok(Loc::UNKNOWN)
                }
                _ => Err(self.expected("expected location instance")),
            },
            _ => Err(self.expected("expected location instance")),
        }
    }

    /// `"name"`, `"name"(child)`, `"file":1:2`, `"file":1:2 to 3:4`, `"file":1:2 to :4`.
    fn parse_name_or_file_location(&mut self) -> Parsed<Loc> {
        let cx = self.cx();
        let text = self.parse_string()?;
        let name = cx.ident(&text);
        if self.parse_optional_colon() {
            let (start, end) = self.parse_file_range()?;
            return Ok(cx.intern_loc(LocData::FileRange { file: name, start, end }));
        }
        let mut child = Loc::UNKNOWN;
        if self.parse_optional_l_paren() {
            child = self.parse_location()?;
            self.expect(TokenKind::RParen, "expected ')' after child location of NameLoc")?;
        }
        Ok(cx.intern_loc(LocData::Name { name, child }))
    }

    /// `1:2`, `1`, `1:2 to 3:4`, `1:2 to :4`: start and end, equal where there is no range.
    fn parse_file_range(&mut self) -> Parsed<((u32, u32), (u32, u32))> {
        let line = self.parse_position("line")?;
        if !self.parse_optional_colon() {
            return Ok(((line, 0), (line, 0)));
        }
        let column = self.parse_position("column")?;
        let start = (line, column);
        if !self.parse_optional_keyword("to") {
            return Ok((start, start));
        }
        let end_line = match self.token_kind() {
            TokenKind::Integer => self.parse_position("line")?,
            TokenKind::Colon => line,
            _ => return Err(self.expected(AFTER_TO)),
        };
        self.expect(TokenKind::Colon, AFTER_TO)?;
        Ok((start, (end_line, self.parse_position("column")?)))
    }

    fn parse_position(&mut self, what: &str) -> Parsed<u32> {
        let value = match self.token_kind() {
            TokenKind::Integer => super::tokens::unsigned_value(self.token_bytes()),
            _ => None,
        };
        match value.and_then(|value| u32::try_from(value).ok()) {
            Some(value) => {
                self.advance();
                Ok(value)
            }
            None => Err(self.expected(format!("expected integer {what} number in FileLineColRange"))),
        }
    }

    /// `callsite(callee at caller)`.
    fn parse_call_site_location(&mut self) -> Parsed<Loc> {
        self.advance();
        self.expect(TokenKind::LParen, "expected '(' in callsite location")?;
        let callee = self.parse_location()?;
        self.expect_keyword("at", "expected 'at' in callsite location")?;
        let caller = self.parse_location()?;
        self.expect(TokenKind::RParen, "expected ')' in callsite location")?;
        Ok(self.cx().intern_loc(LocData::CallSite { callee, caller }))
    }

    /// `fused[a, b]` or `fused<metadata>[a, b]`.
    fn parse_fused_location(&mut self) -> Parsed<Loc> {
        self.advance();
        let mut metadata = None;
        if self.parse_optional_less() {
            metadata = Some(self.parse_attribute(None)?);
            self.expect(TokenKind::Greater, "expected '>' after fused location metadata")?;
        }
        let mut locs: SmallVec<[Loc; 4]> = SmallVec::new();
        self.parse_comma_separated_in(Delimiter::Square, " in fused location", |p| {
            locs.push(p.parse_location()?);
            Ok(())
        })?;
        Ok(self.cx().fused_loc(&locs, metadata))
    }
}
