//! Going on after a fault, so that one run reports several.
//!
//! An operation that does not parse is given up. Parsing goes on where the next one begins, or at the brace that closes the
//! region, with three rules against follow-up errors:
//! * Names that the lost operation would have defined are *poisoned*: they have any type that a use asks for.
//! * An operation around a fault is *tainted*: what seems wrong with it from there on may only be the hole inside.
//! * After [`MAX_ERRORS`] the rest of the text is not read.
//!
//! Where the next operation begins is told from the layout: the text has no separators, so it must begin a line, look like an
//! operation, and be outside all brackets of the lost one, or at most as deeply indented as that where it left a bracket open. A text
//! of one line therefore yields one error for each region.
//!
//! Cost: the text of the lost operation is scanned once more. Lost operations may nest, so what is scanned again in all is limited by
//! the size of the text.

use smallvec::SmallVec;

use super::ops::ResultName;
use super::{Failed, OpParser, Parsed, TokenKind};
use crate::text::lexer::{Lexer, Token};

/// Errors after which the rest of the text is not read.
const MAX_ERRORS: usize = 100;

/// How often the whole text may be scanned again.
const MAX_RESCANS: usize = 4;

/// What is read ahead to tell `%a, %b:2 = ` from a use of `%a`, in tokens.
const MAX_RESULT_TOKENS: usize = 64;

/// What a text has cost and what it has got wrong.
#[derive(Default)]
pub(super) struct Recovery {
    /// The operation being parsed has a fault inside: what it reports itself is not shown.
    pub(super) tainted: bool,
    /// Nothing is read or reported any more.
    pub(super) stopped: bool,
    /// The last error was not shown, and no note to it is.
    pub(super) muted: bool,
    /// Bytes scanned again so far.
    rescanned: usize,
}

/// Where parsing goes on.
struct Resume {
    at: u32,
    /// Names in the text that is left out, `%` included.
    values: Vec<(u32, u32)>,
    /// Blocks in the text of what was lost, `^` included.
    blocks: Vec<(u32, u32)>,
}

impl<'s> OpParser<'s> {
    /// Parses one operation; one that does not parse is left out.
    ///
    /// # Errors
    /// Parsing should stop altogether.
    pub(super) fn parse_operation_or_recover(&mut self) -> Parsed<()> {
        let start = self.token;
        if start.start >= self.release_at {
            self.release_text();
        }
        let outer = std::mem::replace(&mut self.recovery.tainted, false);
        let mut names = SmallVec::new();
        if self.parse_operation(&mut names).is_ok() {
            self.recovery.tainted |= outer;
            return Ok(());
        }
        self.leave_out(start, &names)
    }

    #[cold]
    fn leave_out(&mut self, start: Token, names: &[ResultName]) -> Parsed<()> {
        for name in names {
            self.poison(name.span());
        }
        self.recover(start)
    }

    /// Runs `parse` at the top level or at the label of a block; what does not parse is left out, and the names in it are poisoned.
    ///
    /// # Errors
    /// Parsing should stop altogether.
    pub(super) fn parse_or_recover<T>(&mut self, parse: impl FnOnce(&mut Self) -> Parsed<T>) -> Parsed<Option<T>> {
        let start = self.token;
        let outer = std::mem::replace(&mut self.recovery.tainted, false);
        if let Ok(value) = parse(self) {
            self.recovery.tainted |= outer;
            return Ok(Some(value));
        }
        self.poison_names_between(start.start, self.token.start);
        self.recover(start).map(|()| None)
    }

    /// Goes to where parsing can go on after what began with `start` was given up.
    fn recover(&mut self, start: Token) -> Parsed<()> {
        self.recovery.tainted = true;
        let errors = self.diagnostics.len();
        self.recovery.rescanned += (self.token.start - start.start) as usize;
        let too_long = self.recovery.rescanned > MAX_RESCANS.saturating_mul(self.bytes().len());
        if self.recovery.stopped || errors >= MAX_ERRORS || too_long {
            if !self.recovery.stopped {
                let loc = self.loc();
                self.recovery.muted = false;
                self.note_last(loc, "too many errors: the text is not read from here on");
            }
            self.recovery.stopped = true;
            return Err(Failed);
        }
        let resume = self.find_resumption(start);
        for &span in &resume.values {
            self.poison(span);
        }
        for &span in &resume.blocks {
            self.assume_block(span);
        }
        self.seek(resume.at as usize);
        Ok(())
    }

    /// Poisons a name in the text of a lost operation, unless it stands for a value from before, which the operation used.
    fn poison(&mut self, span: (u32, u32)) {
        let text = self.bytes();
        let (key, slot) = self.frame().find(text, span);
        if !slot.is_defined() {
            self.frame().poison(key, span.0 - 1);
        }
    }

    fn poison_names_between(&mut self, from: u32, to: u32) {
        let mut lexer = Lexer::new(self.bytes());
        lexer.seek(from as usize);
        loop {
            let token = lexer.next();
            if token.start >= to || token.kind == TokenKind::Eof {
                return;
            }
            if token.kind == TokenKind::PercentIdentifier {
                self.poison((token.start + 1, token.end));
            }
        }
    }

    /// Scans what began with `start` to find its end: at or after the current token.
    fn find_resumption(&self, start: Token) -> Resume {
        let text = self.bytes();
        let column = column(text, start.start);
        let mut lexer = Lexer::new(text);
        lexer.seek(start.start as usize);
        let mut open = Brackets::default();
        let mut resume = Resume { at: 0, values: Vec::new(), blocks: Vec::new() };
        loop {
            let token = lexer.next();
            if token.kind == TokenKind::Eof {
                resume.at = token.start;
                return resume;
            }
            if token.start >= self.token.start && token.start > start.start {
                let closes = token.kind == TokenKind::RBrace && open.braces == 0 && !self.at_top_level();
                let begins = open.braces == 0
                    && begins_line(text, token.start)
                    && (open.list.is_empty() || self::column(text, token.start) <= column)
                    && self.begins_item(token, &lexer);
                if closes || begins {
                    resume.at = token.start;
                    return resume;
                }
                if token.kind == TokenKind::PercentIdentifier {
                    resume.values.push((token.start + 1, token.end));
                }
            }
            // What a lost operation branches to is not looked for.
            if token.kind == TokenKind::CaretIdentifier {
                resume.blocks.push((token.start, token.end));
            }
            open.next(token);
            if token.kind == TokenKind::Error {
                self.skip_bad_string(token, &mut lexer, &mut open);
            }
        }
    }

    /// Goes past a string that is wrong. One that does not end takes the rest of its line with it, and what may have closed there.
    fn skip_bad_string(&self, token: Token, lexer: &mut Lexer<'s>, open: &mut Brackets) {
        let text = self.bytes();
        let start = token.start as usize + usize::from(text[token.start as usize] == b'@');
        if text.get(start) != Some(&b'"') {
            return;
        }
        let mut at = start + 1;
        while let Some(&byte) = text.get(at).filter(|&&byte| byte != b'\n') {
            at += 1;
            match byte {
                b'"' => return lexer.seek(at),
                b'\\' if text.get(at).is_some_and(|&next| next != b'\n') => at += 1,
                _ => {}
            }
        }
        lexer.seek(at);
        open.forget_from(token.start - column(text, token.start));
    }

    /// Whether the operations of a file are being parsed, not those of a region in it.
    fn at_top_level(&self) -> bool {
        matches!(self.ops.frames.as_slice(), [only] if only.regions.len() == 1)
    }

    /// Whether `token`, which begins a line, looks like the first of an operation, a block, or an item of the top level. `lexer` is
    /// behind it.
    fn begins_item(&self, token: Token, lexer: &Lexer<'s>) -> bool {
        let mut ahead = lexer.clone();
        match token.kind {
            TokenKind::PercentIdentifier => names_results(&mut ahead),
            TokenKind::String => ahead.next().kind == TokenKind::LParen,
            TokenKind::CaretIdentifier => matches!(ahead.next().kind, TokenKind::Colon | TokenKind::LParen),
            TokenKind::BareIdentifier => {
                let word = self.text_of(token);
                word.contains('.') || self.look_up_pretty(word, self.default_dialect()).is_some()
            }
            TokenKind::HashIdentifier | TokenKind::ExclamationIdentifier => {
                self.at_top_level() && ahead.next().kind == TokenKind::Equal
            }
            TokenKind::FileMetadataBegin => self.at_top_level(),
            _ => false,
        }
    }
}

/// Whether `%a` is followed by what makes it the name of a result: `=`, `:2 =`, `, %b =`.
fn names_results(ahead: &mut Lexer<'_>) -> bool {
    for _ in 0..MAX_RESULT_TOKENS {
        match ahead.next().kind {
            TokenKind::Equal => return true,
            TokenKind::Colon | TokenKind::Comma | TokenKind::Integer | TokenKind::PercentIdentifier => {}
            _ => return false,
        }
    }
    false
}

/// Brackets that are open at some point of the scan. Those in angles are left out: `>` is an operator as well.
#[derive(Default)]
struct Brackets {
    /// What they are and where they stand.
    list: Vec<(TokenKind, u32)>,
    /// How many of them are braces.
    braces: usize,
}

impl Brackets {
    /// Goes past a token. A closing bracket closes the innermost one that is open, whatever it is, but a brace is closed by a brace
    /// only, with all that is open inside.
    fn next(&mut self, token: Token) {
        match token.kind {
            TokenKind::LParen | TokenKind::LSquare => self.list.push((token.kind, token.start)),
            TokenKind::LBrace => {
                self.list.push((token.kind, token.start));
                self.braces += 1;
            }
            TokenKind::RParen | TokenKind::RSquare
                if self.list.last().is_some_and(|open| open.0 != TokenKind::LBrace) =>
            {
                self.list.pop();
            }
            TokenKind::RBrace if self.braces > 0 => {
                while self.list.pop().is_some_and(|open| open.0 != TokenKind::LBrace) {}
                self.braces -= 1;
            }
            _ => {}
        }
    }

    /// Forgets those that stand at or after byte `from`.
    fn forget_from(&mut self, from: u32) {
        while let Some(&(kind, _)) = self.list.last().filter(|open| open.1 >= from) {
            self.braces -= usize::from(kind == TokenKind::LBrace);
            self.list.pop();
        }
    }
}

/// Number of bytes before byte `at` in its line.
fn column(text: &[u8], at: u32) -> u32 {
    at - memchr::memrchr(b'\n', &text[..at as usize]).map_or(0, |newline| newline as u32 + 1)
}

/// Whether there is only white space before byte `at` in its line.
fn begins_line(text: &[u8], at: u32) -> bool {
    let before = text[..at as usize].iter().rev();
    before.take_while(|&&b| b != b'\n').all(|&b| matches!(b, b' ' | b'\t' | b'\r'))
}
