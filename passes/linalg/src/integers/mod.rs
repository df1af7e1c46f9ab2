//! `linalg-integer-contractions`: products and convolutions of dequantized tensors are computed on their integers.
//!
//! With `x = (qx - zx) * sx` and `w = (qw - zw) * sw`, where scales do not change along what is summed over,
//!
//! ```text
//! Σ x w = sx sw (Σ qx qw - zx Σ qw - zw Σ qx + n zx zw)
//! ```
//!
//! The contraction is of bytes into `i32`, for which CPUs have instructions; the rest is element-wise and fuses with what follows. Sums of constants
//! are computed here. Borders of zeros become borders of zero points; transpositions and reshapes move before the dequantization.
//! Contractions of integers that were extended to `i32` first are taken likewise, and maxima of dequantized numbers.
//!
//! Legal where the sums fit 32 bits. The sum of integers is exact, that of floats was not: results differ by rounding. Profitable where the CPU has dot
//! products of bytes or of 16-bit integers, if the module names one, and where each input is read several times.

mod emit;
mod operand;
mod pool;
mod sums;

use dl_arith::constants;
use dl_dl::target;
use dl_ir::affine::{AffineExpr, AffineMap, AffineStore};
use dl_ir::dialect::OpInfo;
use dl_ir::interfaces::has_pure_tensor_semantics;
use dl_ir::pass::{Pass, PassCx, PassInfo, PassResult};
use dl_ir::rewrite::greedy::GreedyConfig;
use dl_ir::rewrite::{NoMatch, Patterns, Rewrite};
use dl_ir::{FloatKind, Loc, OpDefinition, OpId, OpRef, Rewriter, Type, ValueId};
use dl_linalg::named::Body;
use dl_linalg::{FillOp, GenericOp, IteratorType, LinalgOp, LinalgStructured, TypeFn};

use self::emit::Correction;
use self::operand::{Border, Quantized, Scale};
use self::sums::Plan;
use crate::constant_nest::fold_constant_nest;
use crate::forms::computes;

/// Computes contractions of dequantized tensors on their integers.
#[derive(Clone, Copy, Default)]
pub struct IntegerContractions;

impl Pass for IntegerContractions {
    const INFO: PassInfo = PassInfo::new(
        "linalg-integer-contractions",
        "Compute matrix products and convolutions of dequantized tensors on their integers",
    );

    fn run(&mut self, cx: &mut PassCx<'_>) -> PassResult {
        let module = std::iter::successors(Some(cx.root()), |op| op.parent()).last();
        let machine = module.and_then(target::of_module);
        if machine.is_some_and(|machine| !machine.has_byte_dots() && !machine.has_word_dots()) {
            cx.preserve_all();
            return Ok(());
        }
        let mut patterns = Patterns::new();
        let is_nest = |info: &OpInfo| info.interface::<dyn LinalgStructured>().is_some();
        patterns
            .add_fn_where("linalg-integer-contraction", is_nest, on_integers)
            .add_fn_where("linalg-largest-integer", is_nest, pool::largest_integer)
            .add_fn("linalg-fold-constant-nest", Some(GenericOp::NAME), fold_constant_nest);
        if !cx.rewrite_greedily(&patterns.freeze(), &GreedyConfig::default())?.changed {
            cx.preserve_all();
        }
        Ok(())
    }
}

/// The loops of a contraction.
struct Loops {
    iterators: Vec<IteratorType>,
    extents: Vec<i64>,
}

/// What is to be computed.
struct Found {
    loc: Loc,
    loops: Loops,
    maps: [AffineMap; 3],
    inputs: [Quantized; 2],
    init: ValueId,
    /// Whether the init is more than zeros.
    adds: bool,
    element: Type,
    is_float: bool,
    /// Rank of the result.
    rank: u32,
}

impl Found {
    fn of(op: OpRef<'_>) -> Result<Self, NoMatch> {
        let cx = op.cx();
        let affine = cx.affine();
        let nest = LinalgOp::of(op).ok_or(NoMatch("no loop nest"))?;
        if nest.inputs().len() != 2 || nest.inits().len() != 1 || !has_pure_tensor_semantics(op) {
            return Err(NoMatch("not two tensors into one"));
        }
        let init = op.operand(2);
        let element = init.ty().element_type().ok_or(NoMatch("no tensor"))?;
        let is_float = element.float_kind() == Some(FloatKind::F32);
        let plain = op.operands().iter().all(|value| value.ty().is_ranked_tensor() && value.ty().encoding().is_none());
        if !plain || !(is_float || element.is_integer_of(32)) {
            return Err(NoMatch("no tensors of f32 or i32"));
        }
        if (0..2).any(|at| op.operand(at).ty().element_type() != Some(element)) {
            return Err(NoMatch("several element types"));
        }
        let body = nest.body().ok_or(NoMatch("no body"))?;
        if !computes(body, Body::MultiplyAdd, TypeFn::CastSigned, &[0, 1, 2]) {
            return Err(NoMatch("no sum of products"));
        }
        let maps: [AffineMap; 3] = nest.indexing_maps().try_into().map_err(|_| NoMatch("not three maps"))?;
        let extents = nest.static_loop_ranges().ok_or(NoMatch("a loop of unknown extent"))?;
        let loops = Loops { iterators: nest.iterator_types(), extents };
        if !affine.is_projected_permutation(maps[2], false) {
            return Err(NoMatch("the result is not indexed by loops"));
        }
        let input = |at: usize| Quantized::of(op.operand(at), &affine.map(maps[at]).results, Border::Zero);
        let inputs = [input(0), input(1)];
        let [Some(x), Some(w)] = inputs else { return Err(NoMatch("an input is not dequantized")) };
        let zero = init.def::<FillOp<'_>>().and_then(|fill| fill.inputs().single().constant());
        let adds = !zero.is_some_and(|zero| zero.as_int() == Some(0) || constants::is_float(cx, zero.id(), 0.0));
        let found = Self {
            loc: op.loc(),
            loops,
            maps,
            inputs: [x, w],
            init: init.id(),
            adds,
            element: element.id(),
            is_float,
            rank: affine.map(maps[2]).results.len() as u32,
        };
        found.is_profitable(affine)?;
        found.fits()?;
        Ok(found)
    }

    fn loops_of(&self, kind: IteratorType) -> impl Iterator<Item = usize> {
        (0..self.loops.iterators.len()).filter(move |&at| self.loops.iterators[at] == kind)
    }

    /// Whether both inputs are read several times, as those of a matrix product are.
    fn is_profitable(&self, affine: &AffineStore) -> Result<(), NoMatch> {
        let alone = |at: usize| {
            let depends = |input: usize, at: usize| affine.map_is_function_of_dim(self.maps[input], at as u32);
            self.loops_of(IteratorType::Parallel).any(|each| depends(at, each) && !depends(1 - at, each))
        };
        if alone(0) && alone(1) { Ok(()) } else { Err(NoMatch("nothing is read several times")) }
    }

    /// How many products are summed, if that is known.
    fn depth(&self) -> Option<i64> {
        self.loops_of(IteratorType::Reduction).try_fold(1_i64, |count, at| {
            let extent = self.loops.extents[at];
            if extent < 0 { None } else { count.checked_mul(extent) }
        })
    }

    /// What is added where both inputs have a zero point.
    fn constant(&self) -> i64 {
        // As many products as there are fit 32 bits.
        self.depth().unwrap_or(0) * self.inputs[0].zero * self.inputs[1].zero
    }

    /// Whether no sum leaves 32 bits.
    fn fits(&self) -> Result<(), NoMatch> {
        let most = self.depth().and_then(|count| count.checked_mul(self.inputs[0].reach() * self.inputs[1].reach()));
        if most.is_none_or(|most| most > i64::from(i32::MAX)) {
            return Err(NoMatch("sums of more than 32 bits, or as long as is known only when running"));
        }
        Ok(())
    }
}

/// The pattern.
fn on_integers(op: OpId, rw: &mut Rewriter<'_>) -> Rewrite {
    let found = Found::of(rw.op(op))?;
    let affine = rw.cx().affine();
    // Loops as dimensions of the result; one of a single step stands still.
    let stays = |&extent: &i64| (extent == 1).then(|| affine.constant(0));
    let mut of_result: Vec<Option<AffineExpr>> = found.loops.extents.iter().map(stays).collect();
    for (dim, &index) in affine.map(found.maps[2]).results.iter().enumerate() {
        if let Some(entry) = affine.dim_position(index).and_then(|at| of_result.get_mut(at as usize)) {
            *entry = Some(affine.dim(dim as u32));
        }
    }
    let rank = found.rank;
    let scale_maps = [0, 1].map(|at| scale_map(affine, found.inputs[at].scale.as_ref(), &of_result, rank));
    let [Some(of_x), Some(of_w)] = scale_maps else { return Err(NoMatch("a scale for each summand")) };
    let plan = |at: usize| -> Result<Option<Plan>, NoMatch> {
        if found.inputs[1 - at].zero == 0 {
            return Ok(None);
        }
        let plan = Plan::of(affine, &found.loops, &found.inputs[at], found.maps[at]);
        plan.map(Some).ok_or(NoMatch("a zero point, and what it is multiplied with slides"))
    };
    let plans = [plan(0)?, plan(1)?];
    let loc = found.loc;
    rw.set_insertion_before(op);
    let moved = [0, 1].map(|at| emit::moved(rw, &found.inputs[at], loc));
    let mut corrections = Vec::new();
    for (at, plan) in plans.into_iter().enumerate() {
        let Some(plan) = plan else { continue };
        let sums = plan.make(rw, &found.inputs[at], moved[at], -found.inputs[1 - at].zero, loc);
        let indices: Vec<AffineExpr> = sums.loops.iter().filter_map(|&loop_| of_result[loop_ as usize]).collect();
        corrections.push(Correction {
            sums: sums.value,
            map: affine.intern_map(rank, 0, indices),
            factor: sums.factor,
        });
    }
    let sums = emit::contraction(rw, &found, moved);
    let [x, w] = [0, 1].map(|at| found.inputs[at].scale.as_ref().map(|scale| scale.value));
    let scales: Vec<(ValueId, AffineMap)> = [x.zip(Some(of_x)), w.zip(Some(of_w))].into_iter().flatten().collect();
    let result = emit::finish(rw, &found, sums, &corrections, scales);
    rw.replace(op, &[result]);
    Ok(())
}

/// The map of a scale from the dimensions of the result; `None` where it changes along something else.
fn scale_map(
    affine: &AffineStore,
    scale: Option<&Scale>,
    of_result: &[Option<AffineExpr>],
    rank: u32,
) -> Option<AffineMap> {
    let Some(Scale { indices: Some(indices), .. }) = scale else { return Some(affine.intern_map(rank, 0, [])) };
    let names: Vec<AffineExpr> = of_result.iter().map(|name| name.unwrap_or(affine.constant(0))).collect();
    let outside = |index: AffineExpr| {
        (0..of_result.len()).any(|at| of_result[at].is_none() && affine.is_function_of_dim(index, at as u32))
    };
    if indices.iter().any(|&index| outside(index)) {
        return None;
    }
    let indices: Vec<AffineExpr> = indices.iter().map(|&index| affine.replace_in_expr(index, &names, &[])).collect();
    Some(affine.intern_map(rank, 0, indices))
}
