//! Printing the isolated operations of a block in parallel.
//!
//! Nothing in one isolated operation depends on how another is printed: names start again in each, or are all chosen before, as the
//! aliases are. So runs of operations, *parts*, are printed each into a buffer by a printer of its own, and written in their order
//! while the next ones are being printed. What a part cannot know, the number of a distinct attribute that an earlier part may
//! have met, makes it give up, as does very long text; it is then printed in its turn by the printer of the file. The text
//! is the same for any number of threads. Before, aliases are collected in the same way: what parts have visited is put together in
//! their order.

use rayon::prelude::*;

use super::AsmPrinter;
use super::aliases::Collector;
use super::buffer::Buffer;
use crate::arena::Arena;
use crate::entity::Ident;
use crate::lock::Mutex;
use crate::opdef::Trait;
use crate::view::{BlockRef, OpRef};

/// Operations in nested isolated operations from which on threads pay.
const MIN_OPS: usize = 2048;
/// Operations in a part, about: enough to be worth a printer.
const PART_OPS: usize = 2048;
/// Operations that are printed at a time, and at most in a part: they bound the text that is held.
const BATCH_OPS: usize = 64 * 1024;
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

/// The operations of `block` in their order, in parts of about `part_ops` operations, of which at most `batch_ops` at a time.
fn turns(block: BlockRef<'_>, with_terminator: bool, part_ops: usize, batch_ops: usize) -> Vec<Turn<'_>> {
    let mut turns = Vec::new();
    let mut batch: Vec<Part<'_>> = Vec::new();
    let mut weight = 0_usize;
    for op in block.ops() {
        if op.next().is_none() && !with_terminator && op.has_trait(&Trait::Terminator) {
            break;
        }
        let own = weight_of(op);
        if !batch.is_empty() && own.is_none_or(|own| weight.saturating_add(own) > batch_ops) {
            turns.push(Turn::Together(std::mem::take(&mut batch)));
            weight = 0;
        }
        let Some(own) = own else {
            turns.push(Turn::Alone(op));
            continue;
        };
        weight += own;
        match batch.last_mut() {
            Some(part) if part.weight + own <= part_ops => {
                part.count += 1;
                part.weight += own;
            }
            _ => batch.push(Part { first: op, count: 1, weight: own }),
        }
    }
    if !batch.is_empty() {
        turns.push(Turn::Together(batch));
    }
    turns
}

/// A part as it was printed.
struct Printed<'a> {
    part: Part<'a>,
    /// Text and resources; `None` when it gave up.
    result: Option<(Buffer, Vec<Ident>)>,
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
        let spare = Mutex::default();
        let mut printed = Vec::new();
        for turn in turns(block, with_terminator, PART_OPS, BATCH_OPS) {
            match turn {
                Turn::Together(batch) => printed = self.print_batch(batch, printed, &spare),
                Turn::Alone(op) => {
                    printed = self.print_batch(Vec::new(), printed, &spare);
                    self.line(op);
                }
            }
        }
        self.print_batch(Vec::new(), printed, &spare);
    }

    /// Collects the aliases in the operations of `block`.
    pub(super) fn collect_in_parallel(&mut self, block: BlockRef<'_>, with_terminator: bool) {
        // Each part looks into types and attributes anew, so there are no more of them than threads can use.
        let total: usize = block.arena().children().map(Arena::num_op_slots).sum();
        let part_ops = PART_OPS.max(total / (4 * rayon::current_num_threads()));
        for turn in turns(block, with_terminator, part_ops, usize::MAX) {
            match turn {
                Turn::Together(batch) => {
                    let new_printer = self.printer_of_parts();
                    let visit = |part: Part<'_>| new_printer().collect(part.ops());
                    let visited: Vec<Collector> = batch.into_par_iter().map(visit).collect();
                    visited.into_iter().for_each(|visited| self.absorb(visited));
                }
                Turn::Alone(op) => self.operation(op),
            }
        }
    }

    /// Prints `batch` into memory, and writes what was printed before. Buffers come from `spare` and go there.
    fn print_batch<'p>(
        &mut self,
        batch: Vec<Part<'p>>,
        before: Vec<Printed<'p>>,
        spare: &Mutex<Vec<Buffer>>,
    ) -> Vec<Printed<'p>> {
        if let Some(part) = batch.first() {
            self.names.prepare(part.first);
        }
        let new_printer = self.printer_of_parts();
        let mut printed = Vec::new();
        rayon::in_place_scope(|scope| {
            if !batch.is_empty() {
                let printed = &mut printed;
                scope.spawn(move |_| {
                    let print = |printer: &mut AsmPrinter<'a>, part| {
                        printer.out = spare.lock().pop().unwrap_or_default();
                        print_part(printer, part, &new_printer)
                    };
                    *printed = batch.into_par_iter().map_init(&new_printer, print).collect();
                });
            }
            for each in before {
                let room = self.write_part(each);
                spare.lock().extend(room);
            }
        });
        printed
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
    fn write_part(&mut self, printed: Printed<'_>) -> Option<Buffer> {
        let Some((mut text, resources)) = printed.result else {
            printed.part.ops().for_each(|op| self.line(op));
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
fn print_part<'p, 'a>(
    printer: &mut AsmPrinter<'a>,
    part: Part<'p>,
    new_printer: &impl Fn() -> AsmPrinter<'a>,
) -> Printed<'p> {
    for op in part.ops() {
        printer.line(op);
        if printer.gave_up {
            *printer = new_printer();
            return Printed { part, result: None };
        }
    }
    let (text, resources) = (std::mem::take(&mut printer.out), std::mem::take(&mut printer.resources));
    Printed { part, result: Some((text, resources.into_iter().collect())) }
}

/// The number of operations to print with `op`; `None` for one that is better printed by itself: very large, or with isolated
/// operations in it that are worth printing in parallel.
fn weight_of(op: OpRef<'_>) -> Option<usize> {
    if !op.is_stub() {
        return Some(1);
    }
    let ir: &Arena = op.body().arena();
    (ir.children.is_empty() && ir.num_op_slots() < BATCH_OPS).then(|| ir.num_op_slots())
}
