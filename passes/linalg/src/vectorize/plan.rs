//! Whether a loop nest can be computed with vectors, and how it should be.

use dl_ir::affine::{AffineExpr, AffineMap};
use dl_ir::interfaces::{ViewLike, has_pure_buffer_semantics};
use dl_ir::opdef::Effects;
use dl_ir::rewrite::NoMatch;
use dl_ir::{DYNAMIC, OpRef, Trait, TypeRef, ValueId, ValueRef};
use dl_linalg::{IndexOp, IteratorType, LinalgOp};
use rustc_hash::FxHashSet;

use super::ahead::next_row;
use super::pass::VectorizeOptions;
use super::reduction::Reduction;
use super::streams::is_streamed;

/// How an operand is reached from the lanes of a vector.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Access {
    /// The same element for all lanes.
    Uniform,
    /// One element behind the other.
    Contiguous,
    /// The elements of a lane lie one behind the other along the loop [`Plan::across`].
    Across,
}

/// What happens to an output.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Output {
    /// Each point of the nest writes an element of its own.
    Written,
    /// Each element is what a reduction comes to. How it combines is known where the lane loop is one of the reduction.
    Reduced(Option<Reduction>),
}

/// How a nest is computed.
#[derive(Clone, Debug)]
pub(super) struct Plan {
    /// The loop whose iterations are computed at once.
    pub(super) lane_loop: usize,
    /// How many are.
    pub(super) lanes: i64,
    /// The loop along which operands lie that do not lie along the lane loop: as many of its iterations as there are lanes are computed at once.
    pub(super) across: Option<usize>,
    /// Vectors that are computed side by side where they are accumulators.
    pub(super) unroll: i64,
    /// Whether the body is a long chain of operations, so that vectors side by side pay also where nothing is accumulated.
    pub(super) waits: bool,
    /// Whether the lane loop is a reduction.
    pub(super) reduces: bool,
    /// Whether lanes may be off, and the body run on them all the same.
    pub(super) maskable: bool,
    /// For each operand.
    pub(super) accesses: Vec<Access>,
    /// For each init.
    pub(super) outputs: Vec<Output>,
    /// For each init whether whole vectors of it go past the caches.
    pub(super) streamed: Vec<bool>,
    /// For each input that is asked for early, the dimension along which its next row is, and how far away.
    pub(super) ahead: Vec<Option<(usize, i64)>>,
}

/// The best plan for `op`.
///
/// # Errors
/// Why there is none.
pub(super) fn plan(op: OpRef<'_>, options: &VectorizeOptions) -> Result<Plan, NoMatch> {
    let nest = LinalgOp::of(op).ok_or(NoMatch("no loop nest"))?;
    if !has_pure_buffer_semantics(op) {
        return Err(NoMatch("not on buffers"));
    }
    if nest.loops_to_dims().contains(&None) {
        return Err(NoMatch("a loop runs over no dimension of an operand"));
    }
    let lanes = lanes(nest, options)?;
    check_aliases(nest)?;
    let mut best: Option<(i64, Plan)> = None;
    let mut why = NoMatch("the nest has no loops");
    for lane_loop in 0..nest.num_loops() {
        match legality(nest, lane_loop, lanes, options) {
            Ok(plan) => {
                let gain = profit(nest, &plan);
                if gain > 0 && best.as_ref().is_none_or(|(most, _)| gain >= *most) {
                    best = Some((gain, plan));
                } else {
                    why = NoMatch("vectors would not pay");
                }
            }
            Err(error) => why = error,
        }
    }
    best.map(|(_, plan)| plan).or_else(|| across(nest, lanes)).ok_or(why)
}

/// A plan where operands lie along two loops of known extents, as those of a transposition.
fn across(nest: LinalgOp<'_>, lanes: i64) -> Option<Plan> {
    let (maps, iterators) = (nest.indexing_maps(), nest.iterator_types());
    let extents = nest.static_loop_ranges().filter(|_| iterators.iter().all(|&it| it == IteratorType::Parallel))?;
    let operands = nest.op().operands();
    let along = |at: usize, each: usize| access(operands.get(at)?, maps[at], each);
    let inits = nest.inits().start()..operands.len();
    if inits
        .clone()
        .any(|init| nest.reads_operand(init) || !operands.get(init).is_some_and(|it| it.ty().is_ranked_memref()))
    {
        return None;
    }
    let loops = 0..nest.num_loops();
    let across = loops.clone().find(|&each| along(inits.start, each) == Some(Access::Contiguous))?;
    loops.filter(|&each| each != across).find_map(|lane_loop| {
        let extent = extents[lane_loop].min(extents[across]).min(lanes).min(MOST_ACROSS);
        let lanes = 1 << extent.checked_ilog2().filter(|&log| extent >= LEAST_ACROSS && log > 0)?;
        let accesses = (0..operands.len()).map(|at| match along(at, lane_loop) {
            None if along(at, across) == Some(Access::Contiguous) => Some(Access::Across),
            access => access,
        });
        let accesses: Vec<Access> = accesses.collect::<Option<_>>()?;
        let is_written = |init: usize| {
            accesses[init] != Access::Uniform
                && output(nest, init - inits.start, maps[init], &iterators) == Ok(Output::Written)
        };
        check_body(nest, lane_loop, &accesses).ok().filter(|_| inits.clone().all(is_written))?;
        let (outputs, streamed) = (vec![Output::Written; inits.len()], vec![false; inits.len()]);
        let (unroll, waits, reduces, maskable, ahead) = (1, false, false, false, Vec::new());
        Some(Plan {
            lane_loop,
            lanes,
            across: Some(across),
            unroll,
            waits,
            reduces,
            maskable,
            accesses,
            outputs,
            streamed,
            ahead,
        })
    })
}

/// Rows and columns of a block that is transposed in registers: fewer do not pay, more need more registers than there are.
const LEAST_ACROSS: i64 = 4;
const MOST_ACROSS: i64 = 16;

/// Elements of the widest type that the nest reads, writes or computes in a vector register.
fn lanes(nest: LinalgOp<'_>, options: &VectorizeOptions) -> Result<i64, NoMatch> {
    let body = nest.body().ok_or(NoMatch("no body"))?;
    let of_operands = nest.op().operands().iter().map(|operand| operand.ty().element_or_self());
    let of_body = body.ops().flat_map(|op| op.results().iter()).map(|value| value.ty());
    let widths = of_operands.clone().chain(of_body).filter(|ty| !ty.is_index() && !ty.is_integer_of(1));
    let bits = widths.filter_map(TypeRef::int_or_float_width).max();
    let bits = i64::from(bits.or_else(|| of_operands.clone().any(TypeRef::is_index).then_some(64)).unwrap_or(0));
    let lanes = if bits == 0 { 0 } else { i64::from(options.vector_bits) / bits };
    if lanes < 2 { Err(NoMatch("a vector register has fewer than two elements")) } else { Ok(lanes) }
}

/// Whether vectors can have elements of this type, and lie in memory as their elements do.
fn is_vector_element(ty: TypeRef<'_>) -> bool {
    let width = ty.int_or_float_width();
    let is_whole = matches!(width, Some(8 | 16 | 32 | 64));
    ty.is_index() || (ty.is_signless_integer() && is_whole) || (ty.is_float() && is_whole && width != Some(8))
}

/// The plan with `lane_loop` as the lane loop.
fn legality(nest: LinalgOp<'_>, lane_loop: usize, lanes: i64, options: &VectorizeOptions) -> Result<Plan, NoMatch> {
    let iterators = nest.iterator_types();
    let reduces = iterators[lane_loop] == IteratorType::Reduction;
    let maps = nest.indexing_maps();
    let operands = nest.op().operands();
    let mut accesses = Vec::with_capacity(maps.len());
    for (operand, &map) in operands.iter().zip(&maps) {
        accesses.push(access(operand, map, lane_loop).ok_or(NoMatch("an operand has elements of a vector apart"))?);
    }
    let mut outputs = Vec::new();
    for (index, init) in nest.inits().iter().enumerate() {
        let at = nest.inits().start() + index;
        if !is_vector_element(init.ty().element_or_self()) || !init.ty().is_ranked_memref() {
            return Err(NoMatch("an output that vectors cannot be written to"));
        }
        let output = output(nest, index, maps[at], &iterators)?;
        match output {
            Output::Written if accesses[at] == Access::Uniform => {
                return Err(NoMatch("an output that all lanes write to"));
            }
            Output::Reduced(_) if reduces => {
                outputs.push(Output::Reduced(Some(known_reduction(nest, index, options)?)));
            }
            output => outputs.push(output),
        }
    }
    let maskable = check_body(nest, lane_loop, &accesses)? && options.masked_tails;
    let (unroll, waits) = (unroll(nest), nest.body().is_some_and(|body| body.ops().any(is_function)));
    let streamed =
        (0..outputs.len()).map(|at| !reduces && is_streamed(nest, at, lanes, options.streamed_bytes)).collect();
    let ahead = nest.inputs().zip(&accesses).map(|(input, &access)| {
        let row = next_row(nest.op(), input);
        row.filter(|_| access == Access::Contiguous)
    });
    let ahead = ahead.collect();
    let across = None;
    Ok(Plan { lane_loop, lanes, across, unroll, waits, reduces, maskable, accesses, outputs, streamed, ahead })
}

/// How the lanes reach `operand`; `None` if not as one vector.
fn access(operand: ValueRef<'_>, map: AffineMap, lane_loop: usize) -> Option<Access> {
    let affine = operand.cx().affine();
    let lane = u32::try_from(lane_loop).ok()?;
    let map = affine.map(map);
    let depends = |&expr: &AffineExpr| affine.is_function_of_dim(expr, lane);
    let Some((last, outer)) = map.results.split_last().filter(|_| map.results.iter().any(depends)) else {
        return Some(Access::Uniform);
    };
    let contiguous = operand.ty().strided_layout()?.strides.last() == Some(&1);
    let form = affine.linear_form(*last, map.num_dims, map.num_symbols)?;
    let steps_by_one = form.dims.get(lane_loop) == Some(&1);
    (contiguous && steps_by_one && !outer.iter().any(depends) && is_vector_element(operand.ty().element_or_self()))
        .then_some(Access::Contiguous)
}

/// What happens to an init.
fn output(nest: LinalgOp<'_>, index: usize, map: AffineMap, iterators: &[IteratorType]) -> Result<Output, NoMatch> {
    let affine = nest.op().cx().affine();
    let results = &affine.map(map).results;
    let dims: Option<FxHashSet<u32>> = results.iter().map(|&expr| affine.dim_position(expr)).collect();
    let dims = dims.filter(|dims| dims.len() == results.len());
    let dims = dims.ok_or(NoMatch("an output that is not indexed by loops"))?;
    let has = |at: usize| dims.contains(&(at as u32));
    let of = |kind: IteratorType| iterators.iter().enumerate().filter(move |(_, it)| **it == kind).map(|(at, _)| at);
    if !of(IteratorType::Parallel).all(has) {
        return Err(NoMatch("an output that several points of the parallel loops write to"));
    }
    let written = of(IteratorType::Reduction).filter(|&at| has(at)).count();
    match (written, of(IteratorType::Reduction).count()) {
        (written, all) if written == all => Ok(Output::Written),
        (0, _) => {
            // The accumulator is only known at the end; another output must not read it before.
            let body = nest.body().ok_or(NoMatch("no body"))?;
            let yields = nest.yielded().ok_or(NoMatch("no terminator"))?;
            let yields_itself = |value: ValueRef<'_>| yields.iter().filter(|&each| each == value).count();
            let acc = body.arg(nest.inits().start() + index);
            let escapes = yields.get(index).is_none_or(|own| yields_itself(own) > 1) || yields_itself(acc) > 0;
            if escapes { Err(NoMatch("an accumulator that is an output by itself")) } else { Ok(Output::Reduced(None)) }
        }
        _ => Err(NoMatch("an output of which some reductions are dimensions")),
    }
}

/// The reduction of output `index`, which the lanes add up in an order of their own.
fn known_reduction(nest: LinalgOp<'_>, index: usize, options: &VectorizeOptions) -> Result<Reduction, NoMatch> {
    let body = nest.body().ok_or(NoMatch("no body"))?;
    let yielded = nest.yielded().and_then(|yields| yields.get(index)).ok_or(NoMatch("no terminator"))?;
    let acc = body.arg(nest.inits().start() + index);
    let reduction = Reduction::of(yielded, acc).ok_or(NoMatch("a reduction of no known kind"))?;
    if !yielded.has_one_use() {
        return Err(NoMatch("an accumulator that is read before the end"));
    }
    let op = OpRef::new(body.cx(), body.arena(), reduction.op);
    if !options.reassociate_fp_reductions && reduction.is_ordered(op) {
        return Err(NoMatch("a floating-point reduction whose order must be kept"));
    }
    reduction.neutral(body.cx(), yielded.ty()).map(|_| reduction).ok_or(NoMatch("a reduction without neutral element"))
}

/// Outputs must lie apart from inputs, or be read where they are written: several points are computed at once.
fn check_aliases(nest: LinalgOp<'_>) -> Result<(), NoMatch> {
    let operands: Vec<ValueRef<'_>> = nest.op().operands().iter().collect();
    let maps = nest.indexing_maps();
    let roots: Vec<ValueRef<'_>> = operands.iter().map(|&operand| root(operand)).collect();
    for output in nest.inits().start()..operands.len() {
        for other in 0..operands.len() {
            let meets = other != output && operands[other].ty().is_memref() && roots[other] == roots[output];
            if meets && (operands[other] != operands[output] || maps[other] != maps[output]) {
                return Err(NoMatch("an output that overlaps with another operand"));
            }
        }
    }
    Ok(())
}

/// The buffer that a memref is a view of.
pub(super) fn root(value: ValueRef<'_>) -> ValueRef<'_> {
    let mut value = value;
    while let Some(op) = value.defining_op() {
        let Some(view) = op.interface::<dyn ViewLike>() else { break };
        value = view.source(op);
    }
    value
}

/// Whether the body can run on vectors, and then whether also on lanes that are off.
fn check_body(nest: LinalgOp<'_>, lane_loop: usize, accesses: &[Access]) -> Result<bool, NoMatch> {
    let body = nest.body().ok_or(NoMatch("no body"))?;
    let varying = Varying::of(nest, lane_loop, accesses);
    let mut maskable = true;
    for op in body.ops().filter(|op| !op.has_trait(&Trait::Terminator)) {
        if !varying.contains(op) {
            let pure = dl_ir::effects::effects_of(op).is_some_and(|effects| effects == Effects::NONE);
            if !pure || op.num_regions() > 0 {
                return Err(NoMatch("an operation with effects"));
            }
            continue;
        }
        if op.is::<IndexOp<'_>>() {
            continue;
        }
        let elementwise = op.has_trait(&Trait::Elementwise) && op.has_trait(&Trait::Vectorizable);
        let types = op.operands().iter().chain(op.results().iter()).map(|value| value.ty());
        let scalar = |ty: TypeRef<'_>| is_vector_element(ty) || ty.is_integer_of(1);
        if !elementwise || op.num_regions() > 0 || !types.clone().all(scalar) || NOT_ON_VECTORS.contains(&op.name()) {
            return Err(NoMatch("an operation that vectors have no counterpart of"));
        }
        maskable &= !TRAPS.contains(&op.name());
    }
    Ok(maskable)
}

/// Operations whose counterpart on vectors has other operands in LLVM.
const NOT_ON_VECTORS: [&str; 1] = ["math.fpowi"];

/// Operations that are undefined for some operands, which a lane that is off may have.
const TRAPS: [&str; 7] = [
    "arith.divsi",
    "arith.divui",
    "arith.remsi",
    "arith.remui",
    "arith.ceildivsi",
    "arith.ceildivui",
    "arith.floordivsi",
];

/// Which values of a body differ between lanes.
pub(super) struct Varying {
    values: FxHashSet<ValueId>,
    lane_loop: usize,
}

impl Varying {
    pub(super) fn of(nest: LinalgOp<'_>, lane_loop: usize, accesses: &[Access]) -> Self {
        let mut varying = Self { values: FxHashSet::default(), lane_loop };
        let Some(body) = nest.body() else { return varying };
        let first_init = nest.inits().start();
        for (at, access) in accesses.iter().enumerate() {
            // Accumulators are vectors also where each lane adds up for the same element.
            if *access != Access::Uniform || at >= first_init {
                varying.values.insert(body.arg(at).id());
            }
        }
        for op in body.ops() {
            if varying.is_lane_index(op) || op.operands().iter().any(|operand| varying.values.contains(&operand.id())) {
                varying.values.extend(op.results().iter().map(|result| result.id()));
            }
        }
        varying
    }

    fn is_lane_index(&self, op: OpRef<'_>) -> bool {
        let index = op.cast::<IndexOp<'_>>().and_then(|index| index.dim().as_int());
        index.is_some_and(|dim| usize::try_from(dim) == Ok(self.lane_loop))
    }

    /// Whether what `op` computes differs between lanes.
    pub(super) fn contains(&self, op: OpRef<'_>) -> bool {
        op.results().iter().any(|result| self.values.contains(&result.id()))
    }
}

/// Whether `op` is an elementary function: a dozen operations that wait for each other.
fn is_function(op: OpRef<'_>) -> bool {
    op.name().starts_with("math.")
}

/// Accumulators side by side: as many as hide the latency of what combines them, fewer where the body is long.
fn unroll(nest: LinalgOp<'_>) -> i64 {
    let cost = |op: OpRef<'_>| if is_function(op) { 8 } else { 1 };
    match nest.body().map_or(0, |body| body.ops().map(cost).sum::<i64>()) {
        ..=4 => 8,
        _ => 4,
    }
}

/// How much a plan gains, at most 0 where it gains nothing: vectors instead of elements, and a lane loop that fills them.
fn profit(nest: LinalgOp<'_>, plan: &Plan) -> i64 {
    let extents = nest.static_loop_ranges().unwrap_or_default();
    let extent = extents.get(plan.lane_loop).copied().unwrap_or(DYNAMIC);
    if extent != DYNAMIC && extent < 2 {
        return 0;
    }
    let filled = if extent == DYNAMIC { plan.lanes } else { extent.min(plan.lanes) };
    let contiguous = plan.accesses.iter().filter(|access| **access == Access::Contiguous).count();
    // A parallel lane loop needs no combining at the end.
    filled * (2 * i64::try_from(contiguous).unwrap_or(i64::MAX) + i64::from(!plan.reduces))
}
