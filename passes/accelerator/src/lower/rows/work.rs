//! A chain whose rows have been chosen: what goes along rows and columns, and what is stored.

use std::cmp::Reverse;

use dl_accelerator::UnaryKind;
use dl_ir::{OpRef, Type, ValueId};
use dl_simulator::ElementType;
use dl_simulator::machine::Machine;

use super::chain::{Chain, Made};
use crate::lower::access::{Access, Move, Range};
use crate::lower::blocks::{Cut, Group};
use crate::lower::select::{Function, Input, Shape, Source, Step};

/// What a matrix differs along: it is the same for all rows, or columns, otherwise.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Span {
    /// Whether rows differ.
    pub rows: bool,
    /// Whether columns do.
    pub columns: bool,
}

impl Span {
    fn of(access: &Access, groups: &[Group; 2]) -> Self {
        let [rows, columns] = [0, 1].map(|at| groups[at].loops.iter().any(|&at| access.uses(at)));
        Self { rows, columns }
    }

    fn union(self, other: Self) -> Self {
        Self { rows: self.rows || other.rows, columns: self.columns || other.columns }
    }

    /// Extents of a part of a block of so many rows and columns.
    pub fn shape(self, [rows, columns]: [u64; 2]) -> [u64; 2] {
        [if self.rows { rows } else { 1 }, if self.columns { columns } else { 1 }]
    }
}

/// What is stored.
#[derive(Clone, Debug)]
pub struct Output {
    /// What it is after the last step.
    pub source: Source,
    /// Where it goes.
    pub access: Access,
    /// The tensor that it stands for.
    pub value: ValueId,
    /// Its type.
    pub ty: Type,
}

/// What is to be done.
#[derive(Clone, Debug)]
pub struct Work {
    /// Loops along rows and columns.
    pub groups: [Group; 2],
    /// Extents of all loops.
    pub extents: Vec<u64>,
    /// Whether columns must not be cut: a reduction goes along them.
    pub is_whole: bool,
    /// What comes from DRAM, and constants.
    pub inputs: Vec<(Input, Span)>,
    /// Instructions, in order.
    pub steps: Vec<(Step, Span)>,
    /// At least one.
    pub outputs: Vec<Output>,
}

impl Work {
    /// The ways to see the loops of a chain as rows and columns. Of what it makes, `stored` is used by others.
    pub fn all(chain: &Chain, stored: &[Made], ops: &[OpRef<'_>], machine: &Machine) -> Vec<Self> {
        let loops = chain.extents.len();
        let access = |made: &Made| {
            let op = ops.iter().find(|op| op.num_results() > 0 && op.result(0).id() == made.value)?;
            Some((Access::along(op.result(0), &made.dims, loops)?, op.result(0).ty().id()))
        };
        let outputs: Option<Vec<Output>> = stored
            .iter()
            .map(|made| {
                let (access, ty) = access(made)?;
                Some(Output { source: made.source, access, value: made.value, ty })
            })
            .collect();
        let Some(outputs) = outputs.filter(|outputs| !outputs.is_empty()) else { return Vec::new() };
        let last = &outputs[outputs.len() - 1].access;
        // The largest tensor says in which order.
        let shape = outputs
            .iter()
            .map(|output| &output.access)
            .max_by_key(|access| (0..loops).filter(|&at| access.uses(at)).count())
            .unwrap_or(last);
        let mut order: Vec<usize> = (0..loops).collect();
        order.sort_by_key(|&at| Reverse(if shape.uses(at) { shape.stride(at) } else { 0 }));
        let group = |list: &[usize]| Group {
            loops: list.to_vec(),
            extents: list.iter().map(|&at| chain.extents[at]).collect(),
        };
        let splits: Vec<[Group; 2]> = match &chain.columns {
            Some(columns) => {
                let rows: Vec<usize> = order.iter().copied().filter(|at| !columns.contains(at)).collect();
                vec![[group(&rows), group(columns)]]
            }
            None => (0..loops).map(|at| [group(&order[..at]), group(&order[at..])]).collect(),
        };
        let of = |groups: [Group; 2]| Self::of(chain, groups, outputs.clone(), machine);
        splits.into_iter().filter_map(of).collect()
    }

    fn of(chain: &Chain, groups: [Group; 2], outputs: Vec<Output>, machine: &Machine) -> Option<Self> {
        let one = Span { rows: false, columns: false };
        let inputs: Vec<(Input, Span)> = chain
            .inputs
            .iter()
            .map(|input| {
                let span = match &input.shape {
                    Shape::Matrix(access) | Shape::Row(access) => Span::of(access, &groups),
                    Shape::Scalar(_) => one,
                };
                (input.clone(), span)
            })
            .collect();
        let mut work = Self {
            groups,
            extents: chain.extents.clone(),
            is_whole: chain.columns.is_some(),
            inputs,
            steps: Vec::new(),
            outputs: Vec::new(),
        };
        for step in &chain.steps {
            let span = step.operands.iter().map(|operand| work.span(*operand)).fold(one, Span::union);
            let span = match step.function {
                // A row that is the same everywhere is no row.
                Function::Reduce(_) if !span.columns => return None,
                Function::Reduce(_) => Span { columns: false, ..span },
                _ => span,
            };
            work.steps.push((step.clone(), span));
        }
        for mut output in outputs {
            let span = Span::of(&output.access, &work.groups);
            let element = work.element(output.source);
            if work.span(output.source) != span {
                // Spread over all rows, or columns, first.
                let unit = machine.vector.as_ref()?;
                let copy = Function::Unary(UnaryKind::Copy);
                unit.cycles(copy.vector()).filter(|_| unit.types.contains(&element))?;
                let step = Step { function: copy, operands: vec![output.source], element };
                output.source = Source::Step(work.steps.len());
                work.steps.push((step, span));
            }
            work.outputs.push(output);
        }
        Some(work)
    }

    /// What a source differs along.
    pub fn span(&self, source: Source) -> Span {
        match source {
            Source::Input(at) => self.inputs[at].1,
            Source::Step(at) => self.steps[at].1,
            Source::Sums => Span { rows: true, columns: true },
        }
    }

    /// The type of its elements.
    pub fn element(&self, source: Source) -> ElementType {
        match source {
            Source::Input(at) => self.inputs[at].0.element,
            Source::Step(at) => self.steps[at].0.element,
            Source::Sums => ElementType::I32,
        }
    }

    /// The step after which a source is not used any more; what is stored is used to the end.
    pub fn last_use(&self, source: Source) -> usize {
        if self.outputs.iter().any(|output| output.source == source) {
            return usize::MAX;
        }
        self.steps.iter().rposition(|(step, _)| step.operands.contains(&source)).unwrap_or(0)
    }

    /// Ranges of all loops for the block with this number of rows and columns.
    pub fn ranges(&self, cuts: &[Cut; 2], at: [u64; 2]) -> Vec<Range> {
        let mut ranges = vec![(0, 1); self.extents.len()];
        for (group, (cut, at)) in self.groups.iter().zip(cuts.iter().zip(at)) {
            group.select(cut, at, &mut ranges);
        }
        ranges
    }

    /// Rows and columns in ranges.
    pub fn shape(&self, ranges: &[Range]) -> [u64; 2] {
        [0, 1].map(|at| self.groups[at].size(ranges))
    }

    /// The transfers of what differs along `span`, rows `stride` elements apart in the core.
    pub fn moves(
        &self,
        machine: &Machine,
        access: &Access,
        span: Span,
        ranges: &[Range],
        stride: u64,
    ) -> Option<Vec<Move>> {
        let [rows, columns] = &self.groups;
        let of_rows = if span.columns { stride } else { 1 };
        let units = [if span.rows { of_rows } else { 0 }, u64::from(span.columns)];
        access.block([(rows, units[0]), (columns, units[1])], ranges, &machine.dma)
    }
}
