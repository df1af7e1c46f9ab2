//! Bodies of functions, read in parallel.
//!
//! A function is isolated from what is around it, so its body can be read at any time. The text is read without the bodies of large
//! functions, each of which is skipped up to the brace that closes it; meanwhile other threads read those, several at a time.
//!
//! # Invariants
//! * The result is that of reading in order. Whatever could make a difference (an error or warning anywhere, a brace that does not
//!   close what it seems to) makes [`parse`] give up, and the text is read in order from the start.
//! * A body sees the aliases that are defined before it, not those after, save for those of locations.
//! * Bodies are taken up in the order of the text, so what a thread remembers of it comes from before what it reads.

use std::collections::VecDeque;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use rayon::prelude::*;
use rustc_hash::FxHashMap;
use smallvec::SmallVec;

use super::aliases::Defined;
use super::ops::Argument;
use super::{OpParser, ParsedSource, TokenKind, guarded};
use crate::arena::Arena;
use crate::attributes::Attr;
use crate::context::Context;
use crate::entity::{OpName, RegionId};
use crate::interfaces::FunctionOp;
use crate::location::Source;
use crate::lock::{Mutex, Watched};
use crate::opdef::Trait;
use crate::rewriter::{OpState, Rewriter};

/// Bytes of a text that is worth the effort of several threads.
pub const MIN_PARALLEL_TEXT: usize = 1 << 16;

/// Bytes of a body that is worth the effort.
const MIN_BODY: usize = 1 << 7;

/// Fewest and most bytes of bodies in a batch, about.
const BATCH: (usize, usize) = (1 << 15, 1 << 19);

/// Bytes of an arena that stands for a body, about.
const STAND_IN: usize = 800;

/// Arenas that one task puts in their places, at least.
const MIN_FILLED: usize = 32;

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

/// Neighbouring bodies, and the aliases that are defined before the last of them.
struct Batch<'s> {
    bodies: Vec<Body>,
    aliases: Arc<Defined<'s>>,
}

/// Batches to be read, which threads wait for.
#[derive(Default)]
struct Queue<'s> {
    batches: VecDeque<Batch<'s>>,
    /// Whether there will be no more.
    closed: bool,
}

/// Bodies that are skipped. Dropping it ends the wait for more of them, also where a panic does that.
pub(super) struct Deferred<'s> {
    pending: Vec<Body>,
    /// Bytes of those.
    bytes: usize,
    queue: Arc<Watched<Queue<'s>>>,
}

impl<'s> Deferred<'s> {
    /// Adds a body, after which there are `rest` bytes of text, to those that are pending, which are handed on before if they are enough: few in
    /// the beginning and where no batch is left, so that nobody waits for work, and in the end, so that all are done at about the same time.
    fn push(&mut self, body: Body, rest: usize, aliases: &Arc<Defined<'s>>) {
        let (start, end) = body.span;
        let enough = start.min(rest / (2 * rayon::current_num_threads())).clamp(BATCH.0, BATCH.1);
        let wanted = || self.queue.look(|queue| queue.batches.is_empty());
        if self.bytes >= enough || self.bytes >= BATCH.0 && wanted() {
            self.flush(aliases);
        }
        self.bytes += end - start;
        self.pending.push(body);
    }

    /// Hands on what is pending.
    fn flush(&mut self, aliases: &Arc<Defined<'s>>) {
        if !self.pending.is_empty() {
            let bodies = std::mem::take(&mut self.pending);
            self.bytes = 0;
            let batch = Batch { bodies, aliases: aliases.clone() };
            self.queue.change(|queue| queue.batches.push_back(batch));
        }
    }
}

impl Drop for Deferred<'_> {
    fn drop(&mut self) {
        self.queue.change(|queue| queue.closed = true);
    }
}

/// Parses `source` with the bodies of functions in parallel. `None` where that is of no use, or something is wrong.
pub(super) fn parse(cx: &Context, source: &Source) -> Option<ParsedSource> {
    if source.text().len() < MIN_PARALLEL_TEXT || rayon::current_num_threads() < 2 {
        return None;
    }
    let queue: Arc<Watched<Queue<'_>>> = Arc::default();
    let done: Mutex<Vec<Option<Done>>> = Mutex::default();
    let given_up = AtomicBool::new(false);
    let outside = rayon::in_place_scope(|scope| {
        for _ in 0..rayon::current_num_threads() {
            scope.spawn(|_| {
                let read = read_batches(cx, source, &queue, &given_up);
                given_up.fetch_or(read.is_none(), Ordering::Relaxed);
                done.lock().push(read);
            });
        }
        let outside = parse_outside(cx, source, queue.clone());
        given_up.fetch_or(outside.is_none(), Ordering::Relaxed);
        outside
    });
    let Outside { mut parsed, mut distinct } = outside?;
    let mut arenas = FxHashMap::default();
    for read in std::mem::take(&mut *done.lock()) {
        let read = read?;
        arenas.extend(read.arenas);
        // One number means one attribute throughout the text.
        if read.distinct.iter().any(|(id, attr)| *distinct.entry(*id).or_insert(*attr) != *attr) {
            return None;
        }
    }
    fill(cx, &mut parsed.module, arenas)?;
    Some(parsed)
}

/// What is outside of the bodies.
struct Outside {
    parsed: ParsedSource,
    distinct: FxHashMap<u64, Attr>,
}

/// Reads the text without the bodies, and puts those on `queue`.
fn parse_outside<'s>(cx: &'s Context, source: &'s Source, queue: Arc<Watched<Queue<'s>>>) -> Option<Outside> {
    let mut parser = OpParser::new(cx, source);
    parser.bodies = Some(Deferred { pending: Vec::new(), bytes: 0, queue });
    // What is skipped now is read soon.
    parser.release_at = u32::MAX;
    let (module, is_explicit) = parser.parse_top_level().ok().filter(|_| parser.diagnostics.is_empty())?;
    let mut deferred = parser.bodies.take()?;
    deferred.flush(&parser.aliases.defined);
    let distinct = std::mem::take(&mut parser.memo.distinct);
    let (external_resources, warnings) = (parser.external_resources, parser.diagnostics);
    Some(Outside { parsed: ParsedSource { module, is_explicit, external_resources, warnings }, distinct })
}

/// The next batch; `None` when there will be no more.
fn next_batch<'s>(queue: &Watched<Queue<'s>>) -> Option<Batch<'s>> {
    queue.wait_for(|queue| {
        let next = queue.batches.pop_front();
        (next.is_some() || queue.closed).then_some(next)
    })
}

/// Reads batches as long as there are any. `None` where something is wrong.
fn read_batches<'s>(
    cx: &'s Context,
    source: &'s Source,
    queue: &Watched<Queue<'s>>,
    given_up: &AtomicBool,
) -> Option<Done> {
    let mut parser = OpParser::new(cx, source);
    parser.release_at = u32::MAX;
    let mut arenas = Vec::new();
    while let Some(batch) = next_batch(queue).filter(|_| !given_up.load(Ordering::Relaxed)) {
        parser.aliases.defined = batch.aliases;
        parser.parse_bodies(&batch.bodies, &mut arenas)?;
    }
    Some(Done { arenas, distinct: parser.memo.distinct })
}

/// Puts each arena in the place of the one that stood for it.
fn fill(cx: &Context, module: &mut Arena, mut arenas: FxHashMap<usize, Box<Arena>>) -> Option<()> {
    let mut places = Vec::with_capacity(arenas.len());
    let mut pending = vec![module];
    while let Some(arena) = pending.pop() {
        for child in arena.children.iter_mut().flatten() {
            match arenas.remove(&address(child)) {
                Some(body) => places.push((child, body)),
                None => pending.push(child),
            }
        }
    }
    let fill = |(place, mut body): (&mut Box<Arena>, Box<Arena>)| {
        Rewriter::new(cx, &mut body).take_root(place)?;
        Some(std::mem::replace(place, body))
    };
    let replaced: Option<Vec<Box<Arena>>> = places.into_par_iter().with_min_len(MIN_FILLED).map(fill).collect();
    // Their memory is of one thread; several that gave it back would have to wait for each other, and this one has better things to do.
    rayon::spawn({
        let replaced = replaced?;
        move || drop(replaced)
    });
    arenas.is_empty().then_some(())
}

fn address(arena: &Arena) -> usize {
    std::ptr::from_ref(arena).addr()
}

/// What a thread has read of the bodies.
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
        self.ops.keep(STAND_IN);
        if let Some(deferred) = &mut self.bodies {
            deferred.push(body, self.text.len() - end, &self.aliases.defined);
        }
        self.seek(end);
        Some(region)
    }

    /// Whether the body of `state` is to be read later. It has at least one operation.
    pub(super) fn is_deferred(&self, state: &OpState) -> bool {
        let last = self.bodies.as_ref().and_then(|bodies| bodies.pending.last());
        state.body.as_ref().is_some_and(|arena| last.is_some_and(|last| last.arena == address(arena)))
    }

    /// Parses some bodies. `None` where something is wrong.
    fn parse_bodies(&mut self, bodies: &[Body], arenas: &mut Vec<(usize, Box<Arena>)>) -> Option<()> {
        let bytes = bodies.iter().map(|body| body.span.1 - body.span.0).sum();
        self.aliases.budget(bytes, self.text.len());
        for body in bodies {
            self.aliases.enter(body.span.0);
            arenas.push((body.arena, guarded(|| self.parse_body(body))?));
        }
        if let [first, .., last] | [first @ last] = bodies {
            self.source.release(first.span.0..last.span.1);
        }
        Some(())
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
pub(crate) fn closing_quote(text: &[u8], start: usize) -> Option<usize> {
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
