//! The parser: recursive descent over tokens, one token ahead, never back.
//!
//! [`OpParser`] is what dialect hooks are handed. Its methods are spread over the files here by what they read: `tokens` (punctuation,
//! words, numbers, strings), `types`, `attrs` and `dense`, `symbols` (`!dialect.name<...>`), `affine`, `locations`, `aliases`,
//! `resources`, and for operations `ops`, `regions`, `bodies` and `scope`.
//!
//! # Invariants
//! * When a method answers [`Failed`], an error has been recorded, by it or by what it relies on; one that answers `Ok` has consumed what it read, one whose name says
//!   `optional` consumed nothing when it found nothing.
//! * Any bytes are input. Nesting is limited by memory only: recursion that input controls goes through [`guarded`].
//! * A text of the same bytes means the same type throughout a file, since aliases cannot be redefined: that is what the memo
//!   tables rely on.

mod affine;
mod aliases;
mod attrs;
mod bodies;
mod dense;
mod formats;
mod hooks;
mod locations;
mod numbers;
mod ops;
mod recovery;
mod regions;
mod resources;
mod scope;
mod symbols;
mod tokens;
mod types;
mod weights;

pub use affine::AffineMapOfValues;
pub use attrs::AttrEntries;
pub use bodies::MIN_PARALLEL_TEXT;
pub(crate) use bodies::closing_quote;
pub(crate) use formats::parse_with;
pub use ops::{Argument, UnresolvedOperand};
pub(crate) use regions::unwrap_module;
pub use resources::{ExternalResource, ResourceValue};
pub use tokens::Delimiter;
pub use types::TypeList;

use rustc_hash::FxHashMap;

use super::lexer::{Lexer, Token};
use crate::arena::Arena;
use crate::attributes::Attr;
use crate::context::Context;
use crate::diagnostics::{Diagnostic, Diagnostics, Severity};
use crate::entity::{Ident, OpName};
use crate::location::{Loc, Source};
use crate::types::Type;

pub(crate) use super::lexer::TokenKind;

/// Parsing failed, and the error has been recorded in the parser.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[must_use = "hand it on, so that parsing stops"]
pub struct Failed;

/// What was parsed, or [`Failed`] when a message says why not.
pub type Parsed<T> = Result<T, Failed>;

/// Reads the text form. Dialect hooks get one positioned after what the core has read for them.
pub struct OpParser<'s> {
    cx: &'s Context,
    source: &'s Source,
    text: &'s [u8],
    lexer: Lexer<'s>,
    token: Token,
    /// End of the token before the current one.
    previous_end: u32,
    diagnostics: Diagnostics,
    /// Whether the numbers of distinct attributes count in this text alone.
    own_distinct: bool,
    aliases: aliases::Aliases<'s>,
    memo: Memo<'s>,
    external_resources: Vec<ExternalResource>,
    /// Names of the types whose bodies are being parsed, innermost last.
    named_types: Vec<Ident>,
    /// Values, blocks and regions of the operations being parsed.
    ops: scope::Scopes<'s>,
    recovery: recovery::Recovery,
    /// Bodies that have been skipped, where they are to be.
    bodies: Option<bodies::Deferred<'s>>,
    /// The byte from which on [`release_text`](Self::release_text) is called for.
    release_at: u32,
}

/// Handles of texts that were met before: one small hash table look-up instead of parsing and interning again.
#[derive(Default)]
struct Memo<'s> {
    /// The last types of up to eight bytes: `f32`, `index`.
    short_types: [(u64, Option<Type>); 32],
    types: FxHashMap<&'s [u8], Type>,
    /// The last dictionaries: programs repeat what they say of `linalg.generic`.
    dictionaries: [(&'s [u8], Option<Attr>); 8],
    /// Which of them is forgotten next.
    oldest_dictionary: usize,
    idents: FxHashMap<&'s str, Ident>,
    integers: FxHashMap<(Type, i64), Attr>,
    op_names: FxHashMap<&'s [u8], OpName>,
    /// The last full names of pretty forms of up to 16 bytes.
    short_names: ShortNames,
    /// Names of pretty forms, with the default dialect where that was needed to know them.
    pretty_names: FxHashMap<&'s [u8], (OpName, Option<&'static str>)>,
    /// What the distinct attributes of the file refer to, by their numbers.
    distinct: FxHashMap<u64, Attr>,
    /// The identities of the distinct attributes of a text with numbers of its own.
    own_distinct: FxHashMap<u64, u64>,
}

/// Names of operations by the words that they are written with, as numbers; 0 is no word.
struct ShortNames([(u128, OpName); 64]);

impl Default for ShortNames {
    fn default() -> Self {
        Self([(0, OpName::from_index(0)); 64])
    }
}

impl ShortNames {
    /// The place of `word`.
    #[inline]
    fn at(&mut self, word: u128) -> &mut (u128, OpName) {
        let hash = (word as u64 ^ (word >> 64) as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        &mut self.0[(hash >> 58) as usize]
    }
}

/// Bytes of text whose memory is given back at a time.
const RELEASE: u32 = 1 << 18;

/// Runs `f` with stack to spare, however deep the nesting is.
pub(crate) fn guarded<T>(f: impl FnOnce() -> T) -> T {
    stacker::maybe_grow(128 * 1024, 2 * 1024 * 1024, f)
}

impl<'s> OpParser<'s> {
    /// A parser at the first token of `source`, which belongs to `cx`.
    pub(crate) fn new(cx: &'s Context, source: &'s Source) -> Self {
        let text: &'s [u8] = source.text();
        // Offsets are 32 bits.
        let fits = u32::try_from(text.len()).is_ok();
        let text = if fits { text } else { &[] };
        let mut parser = Self {
            cx,
            source,
            text,
            lexer: Lexer::new(text),
            token: Token { kind: TokenKind::Eof, start: 0, end: 0 },
            previous_end: 0,
            diagnostics: Diagnostics::default(),
            own_distinct: false,
            aliases: aliases::Aliases::default(),
            memo: Memo::default(),
            external_resources: Vec::new(),
            named_types: Vec::new(),
            ops: scope::Scopes::new(text.len()),
            recovery: recovery::Recovery::default(),
            bodies: None,
            release_at: if source.is_releasable() { RELEASE } else { u32::MAX },
        };
        if fits {
            parser.advance();
        } else {
            let _ = parser.error("unsupported: source text of 4 GiB or more");
        }
        parser
    }

    /// The context that types, attributes and names belong to.
    pub fn cx(&self) -> &'s Context {
        self.cx
    }

    /// The whole source text.
    pub(super) fn bytes(&self) -> &'s [u8] {
        self.text
    }

    /// The handle of a name: as [`Context::ident`], with a table of this parser in front.
    pub fn ident(&mut self, name: &'s str) -> Ident {
        let cx = self.cx;
        *self.memo.idents.entry(name).or_insert_with(|| cx.ident(name))
    }

    /// Gives back the memory of the text that has been read, all of it each time: names are compared with their text where they were met
    /// first, which brings pages back, with their neighbours.
    #[cold]
    fn release_text(&mut self) {
        self.source.release(0..self.token.start as usize);
        self.release_at = self.token.start.saturating_add(RELEASE);
    }

    // Errors.

    /// The location of the current token.
    #[inline]
    pub fn loc(&self) -> Loc {
        self.source.loc(self.token.start as usize)
    }

    /// The location of the byte at `offset` of the source.
    pub(crate) fn loc_at(&self, offset: usize) -> Loc {
        self.source.loc(offset)
    }

    /// Records an error at the current token; at the end of the text, after the last token. See [`error_at`](Self::error_at).
    #[cold]
    #[track_caller]
    pub fn error(&mut self, message: impl Into<String>) -> Failed {
        let loc = self.error_loc();
        self.error_at(loc, message)
    }

    /// Records an error at `loc`. In the pretty form of an operation, outside of the types and attributes in it, the message begins
    /// with `custom op 'name'`.
    #[cold]
    #[track_caller]
    pub fn error_at(&mut self, loc: Loc, message: impl Into<String>) -> Failed {
        let message = message.into();
        let Some(op) = self.ops.custom else { return self.syntax_error_at(loc, message) };
        let message = format!("custom op '{}' {message}", self.cx.op_info(op).name);
        self.syntax_error_at(loc, message)
    }

    /// Records an error right after the previous token, where something else was expected to follow.
    #[cold]
    #[track_caller]
    pub fn expected(&mut self, message: impl Into<String>) -> Failed {
        let at = if self.previous_end == 0 { self.token.start } else { self.previous_end };
        self.syntax_error_at(self.loc_at(at as usize), message)
    }

    /// Records an error of what all operations, types and attributes have in common, at the current token.
    #[cold]
    #[track_caller]
    pub(super) fn syntax_error(&mut self, message: impl Into<String>) -> Failed {
        let loc = self.error_loc();
        self.syntax_error_at(loc, message)
    }

    /// The same, at `loc`.
    #[cold]
    #[track_caller]
    pub(in crate::text) fn syntax_error_at(&mut self, loc: Loc, message: impl Into<String>) -> Failed {
        // The lexer has reported a token that is none; what the parser makes of it is no news.
        self.recovery.muted = self.token.kind == TokenKind::Error || self.recovery.tainted || self.recovery.stopped;
        if !self.recovery.muted {
            self.diagnostics.push(Diagnostic::error(loc, message));
        }
        Failed
    }

    /// The current token; at the end of the text, the end of the last one.
    fn error_loc(&self) -> Loc {
        let at = if self.at_eof() { self.previous_end } else { self.token.start };
        self.source.loc(at as usize)
    }

    /// Adds a note to the last diagnostic, unless that one is not shown.
    pub fn note_last(&mut self, loc: Loc, message: impl Into<String>) {
        if !self.recovery.muted {
            self.diagnostics.note_last(Severity::Note, loc, message);
        }
    }

    /// Adds a hint for people to the last error.
    pub(super) fn help_last(&mut self, loc: Loc, message: impl Into<String>) {
        if !self.recovery.muted {
            self.diagnostics.note_last(Severity::Help, loc, message);
        }
    }

    /// Records a warning at `loc`.
    #[track_caller]
    pub fn warning_at(&mut self, loc: Loc, message: impl Into<String>) {
        self.diagnostics.push(Diagnostic::warning(loc, message));
    }
}

/// Parses a whole source: the operations of a file as the body of a module, or the one module that the file consists of. Large
/// functions are parsed in parallel where the context has threads; the result is the same.
///
/// # Errors
/// Everything that was found wrong, in the order of the text.
pub fn parse_source(cx: &Context, source: &Source) -> Result<ParsedSource, Diagnostics> {
    let parsed = parse_text(cx, source);
    source.release(0..source.text().len());
    parsed
}

fn parse_text(cx: &Context, source: &Source) -> Result<ParsedSource, Diagnostics> {
    if cx.threading()
        && let Some(parsed) = bodies::parse(cx, source)
    {
        return Ok(parsed);
    }
    let mut parser = OpParser::new(cx, source);
    match parser.parse_top_level() {
        Ok((module, is_explicit)) if !parser.diagnostics.has_errors() => Ok(ParsedSource {
            module,
            is_explicit,
            external_resources: parser.external_resources,
            warnings: parser.diagnostics,
        }),
        _ => {
            parser.diagnostics.sort_by_loc();
            Err(parser.diagnostics)
        }
    }
}

/// What a source consists of.
pub struct ParsedSource {
    /// The module.
    pub module: Box<Arena>,
    /// Whether it is in the text, not just around what is there.
    pub is_explicit: bool,
    /// The `external_resources` of the file, for tools.
    pub external_resources: Vec<ExternalResource>,
    /// What was found, short of errors.
    pub warnings: Diagnostics,
}

/// Parses `text`, all of it, as an attribute.
///
/// # Errors
/// The first thing that was found wrong.
pub fn parse_attribute(cx: &Context, text: &str) -> Result<Attr, Diagnostic> {
    parse_whole(cx, "attribute", text, |p| p.parse_attribute(None))
}

/// The same for the text of one attribute of many in a file of another form: distinct attributes in it are no others than its own.
///
/// # Errors
/// The first thing that was found wrong.
pub(crate) fn parse_attribute_fragment(cx: &Context, text: &str) -> Result<Attr, Diagnostic> {
    parse_whole(cx, "attribute", text, |p| {
        p.own_distinct = true;
        p.parse_attribute(None)
    })
}

/// Parses `text`, all of it, as a type.
///
/// # Errors
/// The first thing that was found wrong.
#[expect(clippy::redundant_closure_for_method_calls, reason = "the method is for one lifetime only")]
pub fn parse_type(cx: &Context, text: &str) -> Result<Type, Diagnostic> {
    parse_whole(cx, "type", text, |p| p.parse_type())
}

/// Definitions and formats hold such texts: one that is right leaves no trace in the source map of the context.
fn parse_whole<T>(
    cx: &Context,
    what: &str,
    text: &str,
    parse: fn(&mut OpParser<'_>) -> Parsed<T>,
) -> Result<T, Diagnostic> {
    if let Ok(value) = parse_all(cx, &Source::detached(text.as_bytes()), what, parse) {
        return Ok(value);
    }
    // Again, so that the error has a place to point to.
    parse_all(cx, &cx.add_source(&format!("<{what}>"), text.as_bytes()), what, parse)
}

fn parse_all<T>(
    cx: &Context,
    source: &Source,
    what: &str,
    parse: fn(&mut OpParser<'_>) -> Parsed<T>,
) -> Result<T, Diagnostic> {
    let mut parser = OpParser::new(cx, source);
    let parsed = parse(&mut parser).and_then(|value| {
        if parser.at_eof() { Ok(value) } else { Err(parser.error(format!("expected end of {what}"))) }
    });
    let first = parser.diagnostics.into_iter().find(|d| d.severity == Severity::Error);
    match (parsed, first) {
        (Ok(value), None) => Ok(value),
        (_, Some(error)) => Err(error),
        (Err(Failed), None) => Err(Diagnostic::error(source.loc(0), format!("{what} does not parse"))),
    }
}
