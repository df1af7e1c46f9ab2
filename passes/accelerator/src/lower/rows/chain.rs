//! Operations that the vector unit does one after the other on the same rows.
//!
//! All operations of a [`Chain`] run over the same loops, so what one makes the next one finds in the core. Reductions are of two kinds. Those along
//! innermost dimensions make an element of each row, and decide what a row is; softmax and layer normalization are chains of such. Others, as windows
//! of a pooling or of a depthwise convolution, are taken apart: each of their terms is an input of its own, added (or compared) element by element.

use dl_accelerator::types::element_type;
use dl_accelerator::{BinaryKind, ReduceKind};
use dl_ir::interfaces::has_pure_tensor_semantics;
use dl_ir::{AttrRef, BlockRef, OpId, OpRef, ValueId, ValueRef};
use dl_linalg::{IteratorType, LinalgOp};
use dl_simulator::ElementType;
use dl_simulator::machine::Machine;
use dl_tensor::PadOp;

use crate::lower::access::Access;
use crate::lower::product::{filled, is_zero};
use crate::lower::select::{Function, Input, Shape, Source, Step};
use crate::lower::selector::Selector;

/// Reductions of more terms than this are not taken apart.
const MOST_TERMS: u64 = 64;

/// Nests of more iterations than this are left to the host: so counts of them never overflow.
const MOST_ITERATIONS: u64 = 1 << 50;

/// A tensor that a chain makes.
#[derive(Clone, Debug)]
pub struct Made {
    /// The tensor.
    pub value: ValueId,
    /// What it is after the last step.
    pub source: Source,
    /// The loops along its dimensions.
    pub dims: Vec<usize>,
}

/// Operations, and the instructions that they are.
#[derive(Clone, Debug)]
pub struct Chain {
    /// The operations, in order.
    pub ops: Vec<OpId>,
    /// Extents of the loops.
    pub extents: Vec<u64>,
    /// The loops along a row, in order, where a reduction says so.
    pub columns: Option<Vec<usize>>,
    /// What comes from DRAM, and constants.
    pub inputs: Vec<Input>,
    /// Instructions, in order.
    pub steps: Vec<Step>,
    /// A tensor for each operation.
    pub made: Vec<Made>,
}

/// How a reduction is done.
enum Reduction<'a> {
    /// Element by element: there is none.
    None,
    /// Each row to an element.
    Rows(Combined<'a>),
    /// Term by term.
    Terms(Combined<'a>),
}

/// What a reduction combines how.
#[derive(Clone, Copy)]
struct Combined<'a> {
    kind: ReduceKind,
    term: ValueRef<'a>,
    /// What it begins with.
    init: AttrRef<'a>,
}

impl Chain {
    /// The chain of `op` alone. `None` for what the vector unit of `machine` cannot do.
    pub fn begin(op: OpRef<'_>, machine: &Machine) -> Option<Self> {
        let mut chain = Self {
            ops: Vec::new(),
            extents: Vec::new(),
            columns: None,
            inputs: Vec::new(),
            steps: Vec::new(),
            made: Vec::new(),
        };
        if op.is::<PadOp<'_>>() {
            chain.pad(op, machine)?;
            return Some(chain);
        }
        // What constants become is for folding.
        let is_variable = |value: ValueRef<'_>| value.ty().is_tensor() && value.constant().is_none();
        LinalgOp::of(op)?.inputs().any(is_variable).then_some(())?;
        chain.add(op, machine)?;
        Some(chain)
    }

    /// The chain with `op` behind it, which uses what it makes.
    pub fn with(&self, op: OpRef<'_>, machine: &Machine) -> Option<Self> {
        let mut chain = self.clone();
        chain.add(op, machine)?;
        Some(chain)
    }

    fn add(&mut self, op: OpRef<'_>, machine: &Machine) -> Option<()> {
        let nest = LinalgOp::of(op)?;
        if nest.inits().len() != 1 || op.num_results() != 1 || !has_pure_tensor_semantics(op) {
            return None;
        }
        let plain = |value: ValueRef<'_>| {
            let ty = value.ty();
            ty.is_ranked_tensor() && ty.encoding().is_none() && ty.has_static_shape()
        };
        if !op.operands().iter().all(plain) || op.result(0).ty().shape()?.is_empty() {
            return None;
        }
        let body = nest.body()?;
        let extents: Vec<u64> =
            nest.static_loop_ranges()?.iter().map(|&extent| u64::try_from(extent).ok()).collect::<Option<_>>()?;
        let iterations = extents.iter().try_fold(1_u64, |iterations, &extent| iterations.checked_mul(extent));
        if !(1..=MOST_ITERATIONS).contains(&iterations?) {
            return None;
        }
        let reduced: Vec<usize> = nest
            .iterator_types()
            .iter()
            .enumerate()
            .filter_map(|(at, kind)| (*kind != IteratorType::Parallel).then_some(at))
            .collect();
        let reduction = self.reduction(nest, body, &extents, &reduced, machine)?;
        let apart: &[usize] = if matches!(reduction, Reduction::Terms(_)) { &reduced } else { &[] };
        let loops = self.loops(nest, &extents, apart)?;
        let along: Option<Vec<usize>> = match reduction {
            Reduction::Rows(_) => Some(reduced.iter().filter_map(|&at| loops[at]).collect()),
            _ => None,
        };
        self.rows_agree(&loops, along)?;
        let source = match reduction {
            Reduction::None => {
                let yielded = body.last_op()?.operands().get(0)?;
                self.cover(nest, machine, &loops, &[], yielded)?
            }
            Reduction::Rows(Combined { kind, term, init }) => {
                let element = element_type(op.result(0).ty())?;
                let source = self.cover(nest, machine, &loops, &[], term)?;
                let reduced = self.step(machine, body, Function::Reduce(kind), vec![source], element)?;
                self.begun(machine, body, kind, init, reduced, element)?
            }
            Reduction::Terms(combined) => self.terms(nest, machine, &loops, &extents, &reduced, combined)?,
        };
        // A constant is no matrix.
        if let Source::Input(at) = source
            && matches!(self.inputs[at].shape, Shape::Scalar(_))
        {
            return None;
        }
        let affine = op.cx().affine();
        let results = affine.map(*nest.indexing_maps().last()?).results.to_vec();
        let dims = results.iter().map(|&index| loops[affine.dim_position(index)? as usize]);
        self.made.push(Made { value: op.result(0).id(), source, dims: dims.collect::<Option<_>>()? });
        self.ops.push(op.id());
        Some(())
    }

    /// Padding by constants is done by the transfers.
    fn pad(&mut self, op: OpRef<'_>, machine: &Machine) -> Option<()> {
        let result = op.result(0);
        let shape = result.ty().shape()?;
        self.extents = shape.iter().map(|&extent| u64::try_from(extent).ok()).collect::<Option<_>>()?;
        let dims: Vec<usize> = (0..shape.len()).collect();
        let map = op.cx().affine().identity_map(shape.len() as u32);
        let access = Access::of(result, map, shape.len(), machine.dma.pad)?;
        access.padding?;
        let element = access.element;
        self.inputs.push(Input { shape: Shape::Matrix(access), element });
        self.made.push(Made { value: result.id(), source: Source::Input(0), dims });
        self.ops.push(op.id());
        Some(())
    }

    fn find(&self, value: ValueRef<'_>) -> Option<&Made> {
        self.made.iter().find(|made| made.value == value.id())
    }

    /// How the reduction of a nest is done.
    fn reduction<'a>(
        &self,
        nest: LinalgOp<'a>,
        body: BlockRef<'a>,
        extents: &[u64],
        reduced: &[usize],
        machine: &Machine,
    ) -> Option<Reduction<'a>> {
        if reduced.is_empty() {
            return Some(Reduction::None);
        }
        let combined = combined(nest, body)?;
        let element = element_type(nest.op().result(0).ty())?;
        let unit = machine.vector.as_ref()?;
        let is_sum = combined.kind == ReduceKind::Sum;
        // Sums of narrow types are rounded, or wrap, at each step.
        let is_exact = !is_sum || (matches!(element, ElementType::F32 | ElementType::I32) && is_zero(combined.init));
        let maps = nest.indexing_maps();
        let loops = extents.len();
        let is_inner = |at: usize| {
            let value = nest.op().operand(at);
            let Some(access) = Access::of(value, maps[at], loops, false) else { return false };
            let strides = |within: bool| {
                let access = &access;
                (0..loops)
                    .filter(move |at| reduced.contains(at) == within && extents[*at] > 1 && access.uses(*at))
                    .map(move |at| access.stride(at))
            };
            access.is_plain() && strides(true).max() < Some(strides(false).min().unwrap_or(u64::MAX))
        };
        let inputs = 0..nest.inits().start();
        let can_reduce = unit.cycles(Function::Reduce(combined.kind).vector()).is_some();
        if can_reduce && is_exact && inputs.filter(|&at| body.arg(at).has_uses()).all(is_inner) {
            return Some(Reduction::Rows(combined));
        }
        let terms = reduced.iter().map(|&at| extents[at]).product::<u64>();
        (self.ops.is_empty() && terms <= MOST_TERMS).then_some(Reduction::Terms(combined))
    }

    /// For each loop of a nest, that of the chain; none for those taken apart.
    fn loops(&mut self, nest: LinalgOp<'_>, extents: &[u64], apart: &[usize]) -> Option<Vec<Option<usize>>> {
        let mut loops = vec![None; extents.len()];
        if self.ops.is_empty() {
            for at in (0..extents.len()).filter(|at| !apart.contains(at)) {
                loops[at] = Some(self.extents.len());
                self.extents.push(extents[at]);
            }
            return Some(loops);
        }
        let affine = nest.op().cx().affine();
        let body = nest.body()?;
        let mut is_user = false;
        for (at, map) in nest.indexing_maps().into_iter().enumerate() {
            let value = nest.op().operand(at);
            let Some(made) = self.find(value).filter(|_| body.arg(at).has_uses()) else { continue };
            is_user = true;
            for (dim, &index) in affine.map(map).results.iter().enumerate() {
                match affine.dim_position(index) {
                    Some(position) => {
                        let known = loops[position as usize].get_or_insert(made.dims[dim]);
                        (*known == made.dims[dim]).then_some(())?;
                    }
                    None => (value.ty().shape()?.get(dim) == Some(&1)).then_some(())?,
                }
            }
        }
        is_user.then_some(())?;
        // Loops along which nothing is used of the chain are those of the chain that are left, if there is no doubt which.
        for at in 0..extents.len() {
            if loops[at].is_none() {
                let mut free = (0..self.extents.len())
                    .filter(|of| !loops.contains(&Some(*of)) && self.extents[*of] == extents[at]);
                let found = free.next()?;
                (extents[at] == 1 || free.next().is_none()).then_some(())?;
                loops[at] = Some(found);
            }
        }
        let mut used: Vec<usize> = loops.iter().flatten().copied().collect();
        used.sort_unstable();
        used.windows(2).all(|pair| pair[0] != pair[1]).then_some(())?;
        loops.iter().zip(extents).all(|(at, extent)| at.is_some_and(|at| self.extents[at] == *extent)).then_some(loops)
    }

    /// Makes sure that rows are what they were: `along` are the loops that a reduction goes along, and what is not among `loops` is along a row as well.
    fn rows_agree(&mut self, loops: &[Option<usize>], along: Option<Vec<usize>>) -> Option<()> {
        let left: Vec<usize> =
            (0..self.extents.len()).filter(|&at| !loops.contains(&Some(at)) && self.extents[at] > 1).collect();
        let along = match (along, left.is_empty()) {
            (Some(along), true) => along,
            (None, false) => left,
            (None, true) => return Some(()),
            (Some(_), false) => return None,
        };
        let set = |list: &[usize]| {
            let mut list: Vec<usize> = list.iter().copied().filter(|&at| self.extents[at] > 1).collect();
            list.sort_unstable();
            list
        };
        if let Some(known) = &self.columns {
            (set(known) == set(&along)).then_some(())
        } else {
            self.columns = Some(along);
            Some(())
        }
    }

    /// The instructions for a value of a nest's body, where loops taken apart have the values `at`.
    fn cover<'a>(
        &mut self,
        nest: LinalgOp<'a>,
        machine: &Machine,
        loops: &[Option<usize>],
        at: &[(usize, u64)],
        value: ValueRef<'a>,
    ) -> Option<Source> {
        let body = nest.body()?;
        let value_of = |number: usize| at.iter().find(|(at, _)| *at == number).map_or(0, |(_, value)| *value);
        let to: Vec<Result<usize, u64>> =
            loops.iter().enumerate().map(|(number, to)| to.ok_or(value_of(number))).collect();
        let maps = nest.indexing_maps();
        let mut arguments = vec![None; body.num_args()];
        // What a reduction begins with is no input.
        let is_reduction = nest.iterator_types().iter().any(|kind| *kind != IteratorType::Parallel);
        let count = if is_reduction { nest.inits().start() } else { body.num_args() };
        for number in (0..count).filter(|&number| body.arg(number).has_uses()) {
            let operand = nest.op().operand(number);
            if let Some(made) = self.find(operand) {
                arguments[number] = Some(made.source);
                continue;
            }
            let access = Access::of(operand, maps[number], loops.len(), machine.dma.pad)?;
            let access = access.renamed(&to, self.extents.len());
            let element = access.element;
            let known =
                self.inputs.iter().position(|input| matches!(&input.shape, Shape::Matrix(known) if *known == access));
            arguments[number] = Some(Source::Input(known.unwrap_or(self.inputs.len())));
            if known.is_none() {
                self.inputs.push(Input { shape: Shape::Matrix(access), element });
            }
        }
        let mut selector = Selector::new(machine, body, arguments, std::mem::take(&mut self.inputs));
        selector.steps = std::mem::take(&mut self.steps);
        let source = selector.cover(value);
        (self.inputs, self.steps) = (selector.inputs, selector.steps);
        source
    }

    /// Appends an instruction whose operands and result are of one type.
    fn step(
        &mut self,
        machine: &Machine,
        body: BlockRef<'_>,
        function: Function,
        operands: Vec<Source>,
        element: ElementType,
    ) -> Option<Source> {
        let mut selector = Selector::new(machine, body, Vec::new(), Vec::new());
        selector.steps = std::mem::take(&mut self.steps);
        let source = selector.step(function, operands, element, element);
        self.steps = selector.steps;
        source
    }

    /// `source` combined with what a reduction begins with, where that matters.
    fn begun(
        &mut self,
        machine: &Machine,
        body: BlockRef<'_>,
        kind: ReduceKind,
        init: AttrRef<'_>,
        source: Source,
        element: ElementType,
    ) -> Option<Source> {
        if is_identity(kind, init, element) {
            return Some(source);
        }
        let scalar = Source::Input(self.inputs.len());
        self.inputs.push(Input { shape: Shape::Scalar(init.id()), element });
        self.step(machine, body, Function::Binary(binary(kind)), vec![scalar, source], element)
    }

    /// All terms of a reduction, one after the other.
    fn terms<'a>(
        &mut self,
        nest: LinalgOp<'a>,
        machine: &Machine,
        loops: &[Option<usize>],
        extents: &[u64],
        reduced: &[usize],
        Combined { kind, term, init }: Combined<'a>,
    ) -> Option<Source> {
        let body = nest.body()?;
        let element = element_type(nest.op().result(0).ty())?;
        // Narrow integers saturate in the unit.
        (kind != ReduceKind::Sum || element.is_float() || element == ElementType::I32).then_some(())?;
        let count = reduced.iter().map(|&at| extents[at]).product::<u64>();
        let mut sum = None;
        for number in 0..count {
            let mut rest = number;
            let mut at: Vec<(usize, u64)> = Vec::new();
            for &of in reduced.iter().rev() {
                at.push((of, rest % extents[of]));
                rest /= extents[of];
            }
            let term = self.cover(nest, machine, loops, &at, term)?;
            sum = Some(match sum {
                // Of floats, zero and a zero that is negative are a positive one.
                None if kind == ReduceKind::Sum && element.is_float() => {
                    let scalar = Source::Input(self.inputs.len());
                    self.inputs.push(Input { shape: Shape::Scalar(init.id()), element });
                    self.step(machine, body, Function::Binary(binary(kind)), vec![scalar, term], element)?
                }
                None => self.begun(machine, body, kind, init, term, element)?,
                Some(sum) => self.step(machine, body, Function::Binary(binary(kind)), vec![sum, term], element)?,
            });
        }
        sum
    }
}

/// The function of two that a reduction repeats.
fn binary(kind: ReduceKind) -> BinaryKind {
    match kind {
        ReduceKind::Sum => BinaryKind::Add,
        ReduceKind::Max => BinaryKind::Max,
        ReduceKind::Min => BinaryKind::Min,
    }
}

/// What a nest reduces how: its body combines the init with something else, and the init is a constant. A maximum that passes NaN over counts as one; the
/// unit's is NaN.
fn combined<'a>(nest: LinalgOp<'a>, body: BlockRef<'a>) -> Option<Combined<'a>> {
    let init = body.arg(nest.inits().start());
    let result = body.last_op()?.operands().get(0)?.defining_op()?;
    let (kind, a, b) = match result.name() {
        "arith.addf" | "arith.addi" => (ReduceKind::Sum, result.operand(0), result.operand(1)),
        "arith.maximumf" | "arith.maxsi" | "arith.maxnumf" => (ReduceKind::Max, result.operand(0), result.operand(1)),
        "arith.minimumf" | "arith.minsi" | "arith.minnumf" => (ReduceKind::Min, result.operand(0), result.operand(1)),
        "arith.select" => selected(result)?,
        _ => return None,
    };
    let term = if a.id() == init.id() { b } else { (b.id() == init.id()).then_some(a)? };
    // Nothing but this uses it.
    init.uses()
        .all(|(user, _)| user == result || user.results().iter().any(|of| is_operand(result, of)))
        .then_some(())?;
    Some(Combined { kind, term, init: filled(nest.op().operand(nest.inits().start()))? })
}

fn is_operand(op: OpRef<'_>, value: ValueRef<'_>) -> bool {
    op.operands().iter().any(|operand| operand.id() == value.id())
}

/// `a > b ? a : b` and the like.
fn selected(select: OpRef<'_>) -> Option<(ReduceKind, ValueRef<'_>, ValueRef<'_>)> {
    let compare = select.operand(0).defining_op()?;
    let (a, b) = (select.operand(1), select.operand(2));
    let predicate = compare.attr("predicate")?.as_int()?;
    let is_greater = match (compare.name(), predicate) {
        ("arith.cmpf", 2 | 3) | ("arith.cmpi", 4 | 5) => true,
        ("arith.cmpf", 4 | 5) | ("arith.cmpi", 2 | 3) => false,
        _ => return None,
    };
    let straight = compare.operand(0).id() == a.id() && compare.operand(1).id() == b.id();
    let crossed = compare.operand(0).id() == b.id() && compare.operand(1).id() == a.id();
    (straight || crossed).then_some(())?;
    Some((if is_greater == straight { ReduceKind::Max } else { ReduceKind::Min }, a, b))
}

/// Whether combining with `init` changes nothing.
fn is_identity(kind: ReduceKind, init: AttrRef<'_>, element: ElementType) -> bool {
    match (kind, init.as_f64(), init.as_int()) {
        (ReduceKind::Sum, Some(number), _) => number == 0.0,
        (ReduceKind::Max, Some(number), _) => number == f64::NEG_INFINITY,
        (ReduceKind::Min, Some(number), _) => number == f64::INFINITY,
        (ReduceKind::Sum, _, number) => number == Some(0),
        (ReduceKind::Max, _, number) => number == Some(element.integer_range().0),
        (ReduceKind::Min, _, number) => number == Some(element.integer_range().1),
    }
}
