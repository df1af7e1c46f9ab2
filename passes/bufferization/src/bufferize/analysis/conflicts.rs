//! Read-after-write conflicts: would using a buffer in place let a read see a write that comes after what it should see?
//!
//! A read conflicts with a write of the same memory when the write may happen between a definition of what is read and the
//! read. Order in the text, loops, branches that exclude one another, matching slices and element-wise access rule conflicts
//! out, in that order.

use dl_ir::dominance::Dominance;
use dl_ir::{Arena, BlockId, OpId, ValueId, ValueRef};
use smallvec::SmallVec;

use super::regions::{block_of_value, is_ancestor, parent_region};
use super::survey::Survey;
use super::{Analysis, Traversal};
use crate::bufferize::SubsetInsertion;
use crate::bufferize::operand::{AliasingValue, Operand, Use};

/// Why an operand cannot use its buffer in place.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Reason {
    /// That would write the buffer of this value, which must not be written.
    ReadOnly(ValueId),
    /// `read` would see what `write` writes instead of what `definition` wrote.
    Conflict {
        /// The read.
        read: Use,
        /// The write that comes between.
        write: Use,
        /// What the read is to see.
        definition: ValueId,
    },
    /// The write happens in a parallel region, to a buffer that comes from outside of it.
    Race {
        /// The write.
        write: Use,
        /// Where the buffer comes from.
        definition: ValueId,
    },
}

impl Analysis<'_> {
    /// A buffer that must not be written and would be, were the operand's buffer used in place. With `as_decided` the write of the
    /// operand itself does not count.
    pub(super) fn writes_read_only(&self, operand: Operand<'_>, survey: &Survey, as_decided: bool) -> Option<Reason> {
        let sharing = self.sharing(operand);
        let written = (!as_decided && self.writes(operand))
            || sharing.iter().any(|&value| self.in_place_writes(value, survey).next().is_some());
        if !written {
            return None;
        }
        let mut aliases = sharing.iter().flat_map(|&value| self.aliases(value));
        aliases.find(|&alias| survey.is_read_only(alias)).map(Reason::ReadOnly)
    }

    /// A read that would see a wrong write, were the operand's buffer used in place. With `as_decided` the write of the operand
    /// itself does not count.
    ///
    /// What shares a buffer already was found to be without conflict when it came to do so. Then only reads and writes that come together by this decision
    /// are looked at, or, `as_decided`, when nothing has been found yet, all.
    pub(super) fn creates_conflict(&self, operand: Operand<'_>, survey: &Survey, as_decided: bool) -> Option<Reason> {
        let access = |u: Use, set| {
            let operand = Operand::new(dl_ir::OpRef::new(self.cx(), operand.op.arena(), u.op), u.index);
            Access { operand, set: Some(set) }
        };
        let sharing = self.sharing(operand);
        let sets = || sharing.iter().copied().enumerate();
        let mut writes: Vec<Access<'_>> = sets()
            .flat_map(|(set, value)| self.in_place_writes(value, survey).map(move |write| access(write, set)))
            .collect();
        if !as_decided && !writes.iter().any(|write| write.operand == operand) && self.writes(operand) {
            writes.push(Access { operand, set: None });
        }
        if writes.is_empty() {
            return None;
        }
        let reads_of = |value| self.aliases(value).flat_map(|alias| survey.reads(alias)).copied();
        let reads: Vec<Access<'_>> =
            sets().flat_map(|(set, value)| reads_of(value).map(move |read| access(read, set))).collect();
        self.find_conflict(&reads, &writes, survey, as_decided)
    }

    /// The operand's value and those that would share its buffer, one of each set of aliases.
    fn sharing(&self, operand: Operand<'_>) -> SmallVec<[ValueId; 4]> {
        let mut sharing = smallvec::smallvec![operand.value().id()];
        for AliasingValue { value, .. } in self.aliasing_values(operand) {
            if !sharing.iter().any(|&other| self.may_alias(value, other)) {
                sharing.push(value);
            }
        }
        sharing
    }

    /// Operands decided to be in place that write what shares memory with `value`.
    fn in_place_writes<'s>(&'s self, value: ValueId, survey: &'s Survey) -> impl Iterator<Item = Use> + 's {
        let writes = self.aliases(value).flat_map(|alias| survey.writes(alias)).copied();
        writes.filter(|write| self.facts.as_ref().is_some_and(|facts| facts.in_place.contains(write)))
    }

    fn find_conflict(
        &self,
        reads: &[Access<'_>],
        writes: &[Access<'_>],
        survey: &Survey,
        as_decided: bool,
    ) -> Option<Reason> {
        if self.options().check_parallel_regions && survey.has_parallel_regions && !reads.is_empty() {
            let race = |write: &Access<'_>| {
                let definition = self.races(write.operand)?;
                Some(Reason::Race { write: write.operand.id(), definition })
            };
            if let Some(race) = writes.iter().find_map(race) {
                return Some(race);
            }
        }
        reads.iter().find_map(|read| {
            let mut writes = writes.iter().filter(|write| as_decided || read.set != write.set).peekable();
            writes.peek()?;
            let definitions = survey.definitions(self, read.operand.value());
            let span = Span::of(read.operand, definitions, survey);
            writes.find_map(|write| {
                if span.as_ref().is_some_and(|span| span.excludes(write.operand.op.id())) {
                    return None;
                }
                let definition = self.conflicts(read.operand, write.operand, definitions, survey)?;
                Some(Reason::Conflict { read: read.operand.id(), write: write.operand.id(), definition })
            })
        })
    }

    /// Where the buffer comes from, if the write happens in another parallel region, so that executions would share it.
    fn races(&self, write: Operand<'_>) -> Option<ValueId> {
        let ir = write.op.arena();
        let here = self.parallel_region(ir, parent_region(ir, write.op.id()));
        let definitions = self.reverse_chain(write.value(), Traversal::default(), |value| self.value_is_written(value));
        definitions.into_iter().find(|&def| {
            let region = block_of_value(ir, def).and_then(|block| ir.region_of(block));
            self.parallel_region(ir, region) != here
        })
    }

    /// The definition that the read is to see and that the write comes after.
    fn conflicts(
        &self,
        read: Operand<'_>,
        write: Operand<'_>,
        definitions: &[ValueId],
        survey: &Survey,
    ) -> Option<ValueId> {
        let (ir, dominance) = (read.op.arena(), &survey.dominance);
        let (reader, writer) = (read.op.id(), write.op.id());
        if survey.order_counts(ir, reader, writer, definitions) {
            let harmless = happens_before(ir, dominance, reader, writer)
                || read == write
                || self.mutually_exclusive(ir, reader, writer)
                || self.is_elementwise_access(read, write);
            if harmless {
                return None;
            }
        }
        if self.are_harmless_subsets(read, write) {
            return None;
        }
        let says_no = |operand: Operand<'_>| {
            let interface = self.options().interface(operand.op);
            interface.is_some_and(|interface| interface.is_not_conflicting(read, write, self))
        };
        if says_no(read) || (reader != writer && says_no(write)) {
            return None;
        }
        definitions.iter().copied().find(|&definition| {
            match ir.defining_op(definition) {
                Some(def) if happens_before(ir, dominance, writer, def) => return false,
                Some(def) if def != writer && is_ancestor(ir, def, writer) => return false,
                Some(_) => {}
                None => {
                    let inside = block_of_value(ir, definition).and_then(|block| ir.ancestor_in_block(writer, block));
                    if inside.is_none() {
                        return false;
                    }
                }
            }
            // The write is the definition.
            let aliases = self.aliasing_values(write);
            !matches!(&aliases[..], [only] if only.value == definition)
        })
    }

    fn is_elementwise_access(&self, read: Operand<'_>, write: Operand<'_>) -> bool {
        let interface = self.options().interface(read.op);
        read.op == write.op
            && interface.is_some_and(|interface| interface.is_elementwise(read.op, [read.index, write.index]))
            && (self.chain_reaches(read, write.value().id()) || self.chain_reaches(write, read.value().id()))
    }

    /// Whether the read and the write touch different parts, or the write puts back what is there: an insertion of what was
    /// extracted from the same place.
    fn are_harmless_subsets(&self, read: Operand<'_>, write: Operand<'_>) -> bool {
        if let Some(insertion) = subset_insertion(read) {
            // An insertion does not read what it overwrites.
            if read.index == insertion.dest(read.op) && self.matches_insertion(write.value(), read, insertion) {
                return true;
            }
            let writes_same = write.op == read.op && write.index == insertion.dest(read.op);
            if read.index == insertion.source(read.op)
                && writes_same
                && self.matches_insertion(read.value(), read, insertion)
            {
                return true;
            }
        }
        subset_insertion(write).is_some_and(|insertion| {
            let source = write.op.operand(insertion.source(write.op));
            write.index == insertion.dest(write.op)
                && self.are_equivalent(read.value().id(), source.id())
                && self.matches_insertion(source, write, insertion)
        })
    }

    /// Whether `value` comes from nowhere but the place that the insertion at `operand` writes.
    fn matches_insertion(&self, value: ValueRef<'_>, operand: Operand<'_>, insertion: &dyn SubsetInsertion) -> bool {
        let matches = |value: ValueRef<'_>| {
            insertion.is_equivalent_subset(operand.op, value, &|a, b| self.are_equivalent(a.id(), b.id()))
        };
        let chain = self.reverse_chain(value, Traversal::default(), matches);
        chain.into_iter().all(|each| matches(ValueRef::new(self.cx(), value.arena(), each)))
    }
}

/// A read or a write of what would share a buffer.
struct Access<'a> {
    operand: Operand<'a>,
    /// Which of the sets of values that share one already it belongs to; `None` for the write that is decided upon.
    set: Option<usize>,
}

/// What lies between the definitions of what is read and the read, where the definitions are all in one block and no branch leads back: the only place in that
/// block at which a write can conflict. Most pairs of reads and writes are told apart by this alone.
struct Span<'a> {
    ir: &'a Arena,
    block: BlockId,
    /// The definition that comes first; `None` for an argument of the block.
    start: Option<OpId>,
    /// The read, or what it is nested in. A loop that it is in, and that a later write is not in, is over by then.
    read: OpId,
}

impl<'a> Span<'a> {
    fn of(read: Operand<'a>, definitions: &[ValueId], survey: &Survey) -> Option<Self> {
        let ir = read.op.arena();
        if survey.has_branches {
            return None;
        }
        let (&first, others) = definitions.split_first()?;
        let block = block_of_value(ir, first)?;
        let mut start = ir.defining_op(first);
        for &definition in others {
            if block_of_value(ir, definition) != Some(block) {
                return None;
            }
            let op = ir.defining_op(definition);
            start = start.zip(op).map(|(start, op)| if ir.is_before_in_block(op, start) { op } else { start });
        }
        Some(Self { ir, block, start, read: ir.ancestor_in_block(read.op.id(), block)? })
    }

    /// Whether the write comes before all definitions or after the read.
    fn excludes(&self, write: OpId) -> bool {
        let ir = self.ir;
        ir.ancestor_in_block(write, self.block).is_some_and(|write| {
            ir.is_before_in_block(self.read, write)
                || self.start.is_some_and(|start| ir.is_before_in_block(write, start))
        })
    }
}

fn subset_insertion(operand: Operand<'_>) -> Option<&dyn SubsetInsertion> {
    operand.op.info().interface::<dyn SubsetInsertion>()
}

/// Whether `a` is done before `b` begins.
fn happens_before(ir: &dl_ir::Arena, dominance: &Dominance, a: OpId, b: OpId) -> bool {
    for at in std::iter::successors(Some(a), |&at| ir.parent_op(at)) {
        if is_ancestor(ir, at, b) && at != b {
            return false;
        }
        if at != b && dominance.op_properly_dominates(ir, at, b) {
            return true;
        }
    }
    false
}
