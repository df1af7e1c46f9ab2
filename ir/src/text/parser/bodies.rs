//! Bodies of functions, read in parallel.
//!
//! A function is isolated from what is around it, so its body can be read at any time. The text is read twice: once without the bodies
//! of large functions, each of which is skipped up to the brace that closes it, then the bodies, several at a time.
//!
//! # Invariants
//! * The result is that of reading in order. Whatever could make a difference (an error or warning anywhere, a brace that does not
//!   close what it seems to) makes [`parse`] give up, and the text is read in order from the start.
//! * A body sees the aliases that are defined before it, not those after.

use rayon::prelude::*;
use rustc_hash::FxHashMap;
use smallvec::SmallVec;

use super::ops::Argument;
use super::{Memo, OpParser, ParsedSource, TokenKind, guarded};
use crate::arena::Arena;
use crate::attributes::Attr;
use crate::context::Context;
use crate::entity::{OpName, RegionId};
use crate::interfaces::FunctionOp;
use crate::location::Source;
use crate::opdef::Trait;
use crate::rewriter::{OpState, Rewriter};

/// Bytes of a text that is worth the effort.
const MIN_TEXT: usize = 1 << 16;

/// Bytes of a body that is worth the effort.
const MIN_BODY: usize = 1 << 9;

/// Fewest and most bytes of bodies that one task reads.
const BATCH: (usize, usize) = (1 << 15, 1 << 18);

/// Tasks that a text gives, where it is neither small nor large.
const TASKS: usize = 32;

/// A body to be read.
pub(super) struct Body {
    /// The byte of the opening brace, and the one after the closing brace.
    span: (usize, usize),
    args: SmallVec<[Argument; 4]>,
    op: OpName,
    default_dialect: &'static str,
    /// Where the arena is that stands for it. Arenas are in boxes, so this tells it from others as long as it lives.
    arena: usize,
}

/// Parses `source` with the bodies of functions in parallel. `None` where that is of no use, or something is wrong.
pub(super) fn parse(cx: &Context, source: &Source) -> Option<ParsedSource> {
    if source.text().len() < MIN_TEXT || rayon::current_num_threads() < 2 {
        return None;
    }
    let mut parser = OpParser::new(cx, source);
    parser.bodies = Some(Vec::new());
    // What is skipped now is read soon.
    parser.release_at = u32::MAX;
    let (mut module, is_explicit) = parser.parse_top_level().ok().filter(|_| parser.diagnostics.is_empty())?;
    let bodies = parser.bodies.take().unwrap_or_default();
    let done: Option<Vec<Done>> = batches(&bodies, source.text().len() / TASKS)
        .into_par_iter()
        .map_init(|| parser.fork(), |fork, batch| fork.parse_bodies(batch))
        .collect();
    let mut arenas = FxHashMap::default();
    let mut distinct = std::mem::take(&mut parser.memo.distinct);
    for batch in done? {
        arenas.extend(batch.arenas);
        // One number means one attribute throughout the text.
        if batch.distinct.iter().any(|(id, attr)| *distinct.entry(*id).or_insert(*attr) != *attr) {
            return None;
        }
    }
    fill(cx, &mut module, arenas)?;
    Some(ParsedSource {
        module,
        is_explicit,
        external_resources: parser.external_resources,
        warnings: parser.diagnostics,
    })
}

/// Neighbours of about so many bytes, within the limits of [`BATCH`], together.
fn batches(bodies: &[Body], size: usize) -> Vec<&[Body]> {
    let size = size.clamp(BATCH.0, BATCH.1);
    let mut batches = Vec::new();
    let (mut start, mut bytes) = (0, 0);
    for (i, body) in bodies.iter().enumerate() {
        bytes += body.span.1 - body.span.0;
        if bytes >= size || i + 1 == bodies.len() {
            batches.push(&bodies[start..=i]);
            (start, bytes) = (i + 1, 0);
        }
    }
    batches
}

/// Puts each arena in the place of the one that stood for it.
fn fill(cx: &Context, module: &mut Arena, mut arenas: FxHashMap<usize, Box<Arena>>) -> Option<()> {
    let mut pending = vec![module];
    while let Some(arena) = pending.pop() {
        for child in arena.children.iter_mut().flatten() {
            match arenas.remove(&address(child)) {
                Some(mut body) => {
                    Rewriter::new(cx, &mut body).take_root(child)?;
                    *child = body;
                }
                None => pending.push(child),
            }
        }
    }
    arenas.is_empty().then_some(())
}

fn address(arena: &Arena) -> usize {
    std::ptr::from_ref(arena).addr()
}

/// What has been read of some bodies.
struct Done {
    /// With the addresses of those that stood for them.
    arenas: Vec<(usize, Box<Arena>)>,
    distinct: FxHashMap<u64, Attr>,
}

impl OpParser<'_> {
    /// Skips the region that begins here, if it is the body of a function and is to be read later.
    pub(super) fn defer_body(&mut self, state: &mut OpState, args: &[Argument]) -> Option<RegionId> {
        self.bodies.as_ref()?;
        let cx = self.cx();
        let op = state.name(cx);
        let info = cx.op_info(op);
        let wanted = self.token_kind() == TokenKind::LBrace
            && state.body.is_none()
            && info.has_trait(&Trait::IsolatedFromAbove)
            && info.interface::<dyn FunctionOp>().is_some();
        if !wanted {
            return None;
        }
        let start = self.token_span().0 as usize;
        let end = closing_brace(self.bytes(), start).filter(|end| end - start >= MIN_BODY)?;
        let mut arena = Box::new(Arena::new(op, state.loc));
        let region = Rewriter::new(cx, &mut arena).new_region();
        let body = Body {
            span: (start, end),
            args: SmallVec::from_slice(args),
            op,
            default_dialect: self.default_dialect(),
            arena: address(&arena),
        };
        state.body = Some(arena);
        self.bodies.get_or_insert_default().push(body);
        self.seek(end);
        Some(region)
    }

    /// Whether the body of `state` is to be read later. It has at least one operation.
    pub(super) fn is_deferred(&self, state: &OpState) -> bool {
        let last = self.bodies.as_ref().and_then(|bodies| bodies.last());
        state.body.as_ref().is_some_and(|arena| last.is_some_and(|last| last.arena == address(arena)))
    }

    /// A parser of the same text, which knows the same aliases.
    fn fork(&self) -> Self {
        let mut fork = OpParser::new(self.cx, self.source);
        fork.aliases = self.aliases.fork();
        fork.release_at = u32::MAX;
        fork
    }

    /// Parses some bodies. `None` where something is wrong.
    fn parse_bodies(&mut self, bodies: &[Body]) -> Option<Done> {
        let bytes = bodies.iter().map(|body| body.span.1 - body.span.0).sum();
        self.memo = Memo::default();
        self.aliases.budget(bytes, self.text.len());
        let arenas = bodies
            .iter()
            .map(|body| {
                self.aliases.enter(body.span.0);
                Some((body.arena, guarded(|| self.parse_body(body))?))
            })
            .collect::<Option<_>>()?;
        if let [first, .., last] | [first @ last] = bodies {
            self.source.release(first.span.0..last.span.1);
        }
        Some(Done { arenas, distinct: std::mem::take(&mut self.memo.distinct) })
    }

    fn parse_body(&mut self, body: &Body) -> Option<Box<Arena>> {
        self.seek(body.span.0);
        self.ops.open_frame(None, body.op, self.loc());
        self.ops.default_dialects.push(body.default_dialect);
        let parsed = self.parse_region_in_frame(&body.args);
        let complete = !self.frame().has_forwards() && self.previous_end() == body.span.1;
        self.ops.default_dialects.pop();
        let arena = self.ops.close_frame()?;
        (parsed.is_ok() && complete && self.diagnostics.is_empty()).then_some(arena)
    }
}

/// The byte after the brace that closes the one at `open`. Strings and comments are passed over.
fn closing_brace(text: &[u8], open: usize) -> Option<usize> {
    let (mut at, mut depth) = (open, 0_usize);
    loop {
        let found = at + memchr::memchr3(b'{', b'}', b'"', &text[at..])?;
        if let Some(slash) = memchr::memchr(b'/', &text[at..found]) {
            let slash = at + slash;
            at = slash + 1;
            if text[at] == b'/' {
                at += memchr::memchr2(b'\n', b'\r', &text[at..])?;
            }
            continue;
        }
        at = found + 1;
        match text[found] {
            b'{' => depth += 1,
            b'}' => {
                depth -= 1;
                if depth == 0 {
                    return Some(at);
                }
            }
            _ => at = closing_quote(text, at)?,
        }
    }
}

/// The byte after the quote that ends the string whose first byte is at `start`.
fn closing_quote(text: &[u8], start: usize) -> Option<usize> {
    let mut at = start;
    loop {
        let found = at + memchr::memchr2(b'"', b'\\', text.get(at..)?)?;
        if text[found] == b'"' {
            return Some(found + 1);
        }
        // The character after a backslash is no end.
        at = found + 2;
    }
}

#[cfg(test)]
mod tests {
    use super::closing_brace;

    #[test]
    fn braces_close_outside_strings_and_comments() {
        let end = |text: &str| closing_brace(text.as_bytes(), text.find('{').unwrap());
        assert_eq!(end("f {}"), Some(4));
        assert_eq!(end("{ a { b } } }"), Some(11));
        assert_eq!(end("{ \"}\" }"), Some(7));
        assert_eq!(end("{ \"\\\"}\" }"), Some(9));
        assert_eq!(end("{ // }\n }"), Some(9));
        assert_eq!(end("{ / } // }"), Some(5));
        assert_eq!(end("{ \"//\" } }"), Some(8));
        assert_eq!(end("{ // \"\n } \""), Some(9));
        assert_eq!(end("{ \"a"), None);
        assert_eq!(end("{ \"a\\"), None);
        assert_eq!(end("{ { }"), None);
        assert_eq!(end("{ // }"), None);
    }
}
