//! Printing the isolated operations of a block in parallel.
//!
//! Nothing in one isolated operation depends on how another is printed: names start again in each, or are all chosen before, as the
//! aliases are. So runs of operations, *parts*, are printed each into a buffer, and written in their order
//! while the next ones are being printed. Each thread takes the next part as soon as it is done with one, with the printer it has, and no further ahead of what has been
//! written than so many parts: they bound the text that is held. What a part cannot know, the number of a distinct attribute that an earlier part may
//! have met, makes it give up, as does very long text; it is then printed in its turn by the printer of the file. The text
//! is the same for any number of threads. Before, aliases are collected in the same way: what parts have visited is put together in
//! their order.

use rayon::prelude::*;

use super::AsmPrinter;
use super::aliases::Collector;
use super::buffer::Buffer;
use crate::arena::Arena;
use crate::entity::Ident;
use crate::lock::Watched;
use crate::opdef::Trait;
use crate::view::{BlockRef, OpRef};

/// Operations in nested isolated operations from which on threads pay.
const MIN_OPS: usize = 2048;
/// Operations in a part, about.
const PART_OPS: usize = 1024;
/// Operations in a part of which aliases are collected, at least: enough to be worth a printer.
const COLLECTED_OPS: usize = 2048;
/// Operations at most in a part.
const MAX_PART_OPS: usize = 64 * 1024;
/// Parts for each thread that may be printed before the first of them is written.
const AHEAD: usize = 4;
/// Bytes of text at which a part gives up.
pub(super) const MAX_PART_BYTES: usize = 8 * 1024 * 1024;

/// Neighbours in a block.
#[derive(Clone, Copy)]
struct Part<'a> {
    first: OpRef<'a>,
    count: usize,
    /// Operations in them.
    weight: usize,
}

impl<'a> Part<'a> {
    fn ops(self) -> impl Iterator<Item = OpRef<'a>> {
        std::iter::successors(Some(self.first), |op| op.next()).take(self.count)
    }
}

/// What is done next of a block.
enum Turn<'a> {
    /// These parts in parallel.
    Together(Vec<Part<'a>>),
    /// This operation, by the printer itself.
    Alone(OpRef<'a>),
}

/// The operations of `block` in their order, in parts of about `part_ops` operations.
fn turns(block: BlockRef<'_>, with_terminator: bool, part_ops: usize) -> Vec<Turn<'_>> {
    let mut turns = Vec::new();
    let mut parts: Vec<Part<'_>> = Vec::new();
    for op in block.ops() {
        if op.next().is_none() && !with_terminator && op.has_trait(&Trait::Terminator) {
            break;
        }
        let Some(weight) = weight_of(op) else {
            turns.push(Turn::Together(std::mem::take(&mut parts)));
            turns.push(Turn::Alone(op));
            continue;
        };
        match parts.last_mut() {
            Some(part) if part.weight + weight <= part_ops => {
                part.count += 1;
                part.weight += weight;
            }
            _ => parts.push(Part { first: op, count: 1, weight }),
        }
    }
    turns.push(Turn::Together(parts));
    turns
}

/// Text and resources of a part; `None` when its printer gave up.
type Printed = Option<(Buffer, Vec<Ident>)>;

/// Parts that several threads print and one of them writes.
struct Queue {
    state: Watched<State>,
    /// Parts that may be taken before the first of them is written.
    ahead: usize,
}

struct State {
    /// The next part to be printed, and the next one to be written.
    next: usize,
    written: usize,
    /// By part, from when it is printed to when it is written.
    printed: Vec<Option<Printed>>,
    /// Buffers that have been written.
    spare: Vec<Buffer>,
    /// Whether nothing will be written any more.
    closed: bool,
}

/// What whoever writes does next.
enum Next<'q> {
    Write(usize, Printed),
    Print(Claim<'q>),
}

/// A part that a thread prints. It is handed on when this is dropped: as one of which the printer gave up after a panic.
struct Claim<'q> {
    queue: &'q Queue,
    part: usize,
    /// For the text.
    room: Buffer,
    printed: Printed,
}

impl Drop for Claim<'_> {
    fn drop(&mut self) {
        self.queue.state.change(|state| state.printed[self.part] = Some(self.printed.take()));
    }
}

/// Ends the wait for more to be written, also where a panic does that.
struct Closing<'q>(&'q Queue);

impl Drop for Closing<'_> {
    fn drop(&mut self) {
        self.0.state.change(|state| state.closed = true);
    }
}

impl Queue {
    fn new(parts: usize, ahead: usize) -> Self {
        let printed = std::iter::repeat_with(|| None).take(parts).collect();
        let state = State { next: 0, written: 0, printed, spare: Vec::new(), closed: false };
        Self { state: Watched::new(state), ahead }
    }

    /// The next part to be printed, if there is one and it may be taken already.
    fn take(&self, state: &mut State) -> Option<Claim<'_>> {
        let part = state.next;
        if part == state.printed.len() || part >= state.written + self.ahead {
            return None;
        }
        state.next += 1;
        Some(Claim { queue: self, part, room: state.spare.pop().unwrap_or_default(), printed: None })
    }

    /// The next part to be printed, once it may be taken. `None` when there will be no more.
    fn to_print(&self) -> Option<Claim<'_>> {
        self.state.wait_for(|state| {
            let is_over = state.closed || state.next == state.printed.len();
            if is_over { Some(None) } else { self.take(state).map(Some) }
        })
    }

    /// What is to be done next by whoever writes: to write, where the next part is ready, or else to print. `None` when all is written.
    fn to_write(&self) -> Option<Next<'_>> {
        self.state.wait_for(|state| {
            let part = state.written;
            let Some(printed) = state.printed.get_mut(part) else { return Some(None) };
            let next = match printed.take() {
                Some(printed) => Next::Write(part, printed),
                None => Next::Print(self.take(state)?),
            };
            Some(Some(next))
        })
    }

    /// Notes that a part has been written, which had this room.
    fn note_written(&self, room: Option<Buffer>) {
        self.state.change(|state| {
            state.written += 1;
            state.spare.extend(room);
        });
    }
}

impl<'a> AsmPrinter<'a> {
    /// Whether the operations of `block` are to be printed, or the aliases in them collected, in parallel.
    pub(super) fn pays_in_parallel(&self, block: BlockRef<'_>) -> bool {
        let ir = block.arena();
        self.parallel
            && ir.children.len() > 1
            && block.parent_op().is_some_and(OpRef::is_root)
            && block.region().is_some_and(|region| region.has_one_block())
            && {
                let sizes = ir.children().scan(0, |sum: &mut usize, child| {
                    *sum += child.num_op_slots();
                    Some(*sum)
                });
                sizes.into_iter().any(|sum| sum >= MIN_OPS)
            }
    }

    /// Prints the operations of `block`, each on a line.
    pub(super) fn lines_in_parallel(&mut self, block: BlockRef<'_>, with_terminator: bool) {
        for turn in turns(block, with_terminator, PART_OPS) {
            match turn {
                Turn::Together(parts) => self.print_together(&parts),
                Turn::Alone(op) => self.line(op),
            }
        }
    }

    /// Prints neighbouring `parts` by several threads, this one among them.
    fn print_together(&mut self, parts: &[Part<'_>]) {
        let Some(first) = parts.first() else { return };
        self.names.prepare(first.first);
        let (new_printer, threads) = (self.printer_of_parts(), rayon::current_num_threads());
        let queue = &Queue::new(parts.len(), AHEAD * threads);
        let print = |printer: &mut AsmPrinter<'a>, mut claim: Claim<'_>| {
            printer.out = std::mem::take(&mut claim.room);
            claim.printed = print_part(printer, parts[claim.part], &new_printer);
        };
        rayon::in_place_scope(|scope| {
            let _closing = Closing(queue);
            for _ in 1..threads.min(parts.len()) {
                scope.spawn(|_| {
                    let mut printer = new_printer();
                    while let Some(claim) = queue.to_print() {
                        print(&mut printer, claim);
                    }
                });
            }
            let mut printer = new_printer();
            while let Some(next) = queue.to_write() {
                match next {
                    Next::Write(part, printed) => queue.note_written(self.write_part(parts[part], printed)),
                    Next::Print(claim) => print(&mut printer, claim),
                }
            }
        });
    }

    /// Collects the aliases in the operations of `block`.
    pub(super) fn collect_in_parallel(&mut self, block: BlockRef<'_>, with_terminator: bool) {
        // Each part looks into types and attributes anew, so there are no more of them than threads can use.
        let total: usize = block.arena().children().map(Arena::num_op_slots).sum();
        let part_ops = COLLECTED_OPS.max(total / (4 * rayon::current_num_threads()));
        for turn in turns(block, with_terminator, part_ops) {
            match turn {
                Turn::Together(parts) => {
                    let new_printer = self.printer_of_parts();
                    let visit = |part: Part<'_>| new_printer().collect(part.ops());
                    let visited: Vec<Collector> = parts.into_par_iter().map(visit).collect();
                    visited.into_iter().for_each(|visited| self.absorb(visited));
                }
                Turn::Alone(op) => self.operation(op),
            }
        }
    }

    /// Makes printers that go on where this one is.
    fn printer_of_parts(&self) -> impl Fn() -> AsmPrinter<'a> + Send + Sync + use<'a> {
        let (cx, options, aliases) = (self.cx, self.options.clone(), self.aliases.clone());
        let (names, distinct_ids) = (self.names.clone(), self.distinct_ids.clone());
        let (depth, implied_dialect) = (self.depth, self.implied_dialect);
        move || AsmPrinter {
            aliases: aliases.clone(),
            names: names.clone(),
            distinct_ids: distinct_ids.clone(),
            depth,
            implied_dialect,
            is_part: true,
            ..AsmPrinter::new(cx, options.clone())
        }
    }

    /// Answers the room that the text has had.
    fn write_part(&mut self, part: Part<'_>, printed: Printed) -> Option<Buffer> {
        let Some((mut text, resources)) = printed else {
            part.ops().for_each(|op| self.line(op));
            return None;
        };
        self.flush();
        self.write(text.bytes());
        self.resources.extend(resources);
        text.clear();
        Some(text)
    }
}

/// Prints `part` with a printer that `new_printer` has made, which is then as it was.
fn print_part<'a>(printer: &mut AsmPrinter<'a>, part: Part<'_>, new_printer: &impl Fn() -> AsmPrinter<'a>) -> Printed {
    for op in part.ops() {
        printer.line(op);
        if printer.gave_up {
            *printer = new_printer();
            return None;
        }
    }
    let (text, resources) = (std::mem::take(&mut printer.out), std::mem::take(&mut printer.resources));
    Some((text, resources.into_iter().collect()))
}

/// The number of operations to print with `op`; `None` for one that is better printed by itself: very large, or with isolated
/// operations in it that are worth printing in parallel.
fn weight_of(op: OpRef<'_>) -> Option<usize> {
    if !op.is_stub() {
        return Some(1);
    }
    let ir: &Arena = op.body().arena();
    (ir.children.is_empty() && ir.num_op_slots() < MAX_PART_OPS).then(|| ir.num_op_slots())
}
