//! What the operations of an arena say of its tensors, asked once: each decision looks at the uses of all that may share a buffer.

use std::cell::OnceCell;

use dl_ir::dominance::Dominance;
use dl_ir::{Arena, OpId, OpRef, RegionId, ValueId, ValueRef};

use super::Analysis;
use super::regions::parent_region;
use crate::bufferize::operand::{Operand, Use};

/// What no decision changes. Good as long as the arena is as it was.
pub(super) struct Survey {
    /// Which operations come before which.
    pub(super) dominance: Dominance,
    reads: UsesOfValues,
    writes: UsesOfValues,
    /// By value: whether its buffer must not be written.
    read_only: Vec<bool>,
    /// Whether executions of any region may overlap in time.
    pub(super) has_parallel_regions: bool,
    /// Whether control goes from any block to another one.
    pub(super) has_branches: bool,
    /// By region: the closest one around it, itself included, that executes repeatedly.
    repetitive: Vec<Option<RegionId>>,
    /// By value: [`Analysis::definitions_of`] it.
    definitions: Vec<OnceCell<Box<[ValueId]>>>,
}

impl Survey {
    /// Asks `ops`, all operations of `ir`, each after those around it. O(operands), and for those that hand their buffers on what these are read by.
    pub(super) fn new(state: &Analysis<'_>, ir: &Arena, ops: &[OpId]) -> Self {
        let count = ir.num_value_slots();
        let mut survey = Self {
            dominance: Dominance::new(state.cx(), ir),
            reads: UsesOfValues::new(count),
            writes: UsesOfValues::new(count),
            read_only: vec![false; count],
            has_parallel_regions: false,
            has_branches: false,
            repetitive: vec![None; ir.num_region_slots()],
            definitions: vec![OnceCell::new(); count],
        };
        for &op in ops {
            let (regions, view) = (ir.op_regions(op), OpRef::new(state.cx(), ir, op));
            let is_parallel = || {
                (0..regions.len()).any(|i| state.options().interface(view).is_some_and(|it| it.is_parallel(view, i)))
            };
            survey.has_parallel_regions = survey.has_parallel_regions || is_parallel();
            survey.has_branches = survey.has_branches || ir.successors(op).len() != 0;
            let around = survey.repetitive(parent_region(ir, op));
            for (at, &region) in regions.iter().enumerate() {
                let repeats = state.options().interface(view).is_some_and(|it| it.is_repetitive(view, at));
                survey.repetitive[region.index()] = if repeats { Some(region) } else { around };
            }
            let blocks = regions.iter().flat_map(|&region| ir.region_blocks(region));
            let arguments = blocks.flat_map(|block| ir.block_args(block).iter().copied());
            for value in ir.results(op).chain(arguments).map(|id| ValueRef::new(state.cx(), ir, id)) {
                if value.ty().is_tensor() {
                    survey.add(state, value);
                }
            }
        }
        survey
    }

    fn add(&mut self, state: &Analysis<'_>, value: ValueRef<'_>) {
        self.read_only[value.id().index()] = !state.is_writable(value);
        self.reads.set(value, Operand::uses_of(value).filter(|&operand| state.reads_or_hands_on(operand)));
        self.writes.set(value, Operand::uses_of(value).filter(|&operand| state.writes(operand)));
    }

    /// The operands that read `value`, themselves or through what they hand it on to.
    pub(super) fn reads(&self, value: ValueId) -> &[Use] {
        self.reads.of(value)
    }

    /// The operands that write the buffer of `value` when they use it in place.
    pub(super) fn writes(&self, value: ValueId) -> &[Use] {
        self.writes.of(value)
    }

    /// Whether the buffer of `value` must not be written.
    pub(super) fn is_read_only(&self, value: ValueId) -> bool {
        self.read_only[value.index()]
    }

    /// The closest region around `region`, itself included, that executes repeatedly.
    pub(super) fn repetitive(&self, region: Option<RegionId>) -> Option<RegionId> {
        self.repetitive[region?.index()]
    }

    /// The values that may have written what is in `value` last. Found out when it is asked for.
    pub(super) fn definitions(&self, state: &Analysis<'_>, value: ValueRef<'_>) -> &[ValueId] {
        self.definitions[value.id().index()].get_or_init(|| state.definitions_of(value).into_iter().collect())
    }
}

/// Some of the uses of each value.
struct UsesOfValues {
    uses: Vec<Use>,
    /// By value: where its uses begin and end.
    ranges: Vec<(u32, u32)>,
}

impl UsesOfValues {
    fn new(values: usize) -> Self {
        Self { uses: Vec::new(), ranges: vec![(0, 0); values] }
    }

    fn set<'a>(&mut self, value: ValueRef<'_>, uses: impl Iterator<Item = Operand<'a>>) {
        let start = self.uses.len() as u32;
        self.uses.extend(uses.map(Operand::id));
        self.ranges[value.id().index()] = (start, self.uses.len() as u32);
    }

    fn of(&self, value: ValueId) -> &[Use] {
        let (start, end) = self.ranges[value.index()];
        &self.uses[start as usize..end as usize]
    }
}
