//! Which operation is a product of matrices, and how its operands lie in memory.
//!
//! A convolution is one as well: its rows are pixels, its columns features, and the terms of each sum the elements of a window. What of the image a block
//! of rows and terms needs, an [`Access`] says.

use dl_ir::interfaces::has_pure_tensor_semantics;
use dl_ir::{AttrRef, BlockRef, TypeRef, ValueRef};
use dl_linalg::{IteratorType, LinalgOp};
use dl_simulator::machine::MatrixTypes;

use super::access::{Access, Range};
use super::blocks::Group;

/// Nests of more iterations than this are left to the host: so counts of them never overflow.
const MOST_ITERATIONS: u64 = 1 << 50;

/// `result = init + lhs · rhs`, perhaps for each of a batch.
#[derive(Clone, Debug)]
pub struct Product {
    /// How many loops there are.
    pub loops: usize,
    /// Loops of independent products.
    pub batch: Group,
    /// Loops along rows and columns of the result, and along the terms of each sum.
    pub groups: [Group; 3],
    /// Element types.
    pub types: MatrixTypes,
    /// Rows × terms.
    pub lhs: Access,
    /// Terms × columns.
    pub rhs: Access,
    /// Rows × columns; the tensor is the init.
    pub result: Access,
    /// Whether sums begin with the init, which is zero otherwise.
    pub adds_to_init: bool,
}

impl Product {
    /// `nest`, if it is one, on tensors of known extents; padding of operands is part of it if `pads`.
    pub fn of(nest: LinalgOp<'_>, pads: bool) -> Option<Self> {
        let op = nest.op();
        let affine = op.cx().affine();
        if op.num_operands() != 3 || nest.inits().len() != 1 || !has_pure_tensor_semantics(op) {
            return None;
        }
        let plain = |ty: TypeRef<'_>| ty.is_ranked_tensor() && ty.encoding().is_none() && ty.has_static_shape();
        if !op.operands().iter().all(|operand| plain(operand.ty())) || !is_product(nest.body()?) {
            return None;
        }
        let [first, second, out] = nest.indexing_maps()[..] else { return None };
        if !affine.is_projected_permutation(out, false) {
            return None;
        }
        let kinds = nest.iterator_types();
        let loops = kinds.len();
        let extents: Vec<u64> =
            nest.static_loop_ranges()?.iter().map(|&extent| u64::try_from(extent).ok()).collect::<Option<_>>()?;
        let iterations = extents.iter().try_fold(1_u64, |iterations, &extent| iterations.checked_mul(extent));
        if !(1..=MOST_ITERATIONS).contains(&iterations?) {
            return None;
        }
        let mut operands =
            [Access::of(op.operand(0), first, loops, pads)?, Access::of(op.operand(1), second, loops, pads)?];
        let result = Access::of(op.operand(2), out, loops, false)?;
        // What goes along the columns is innermost in the result, so that it is stored in runs.
        let innermost = (0..loops).filter(|&at| extents[at] > 1 && result.uses(at)).min_by_key(|&at| result.stride(at));
        if innermost.is_some_and(|at| operands[0].uses(at) && !operands[1].uses(at)) {
            operands.reverse();
        }
        let [lhs, rhs] = operands;
        if lhs.padding.is_some() && rhs.padding.is_some() {
            return None;
        }
        let (mut batch, mut groups) = (Group::default(), [(); 3].map(|()| Group::default()));
        for (at, kind) in kinds.into_iter().enumerate() {
            let group = match ([lhs.uses(at), rhs.uses(at), result.uses(at)], kind) {
                ([true, true, true], IteratorType::Parallel) => &mut batch,
                ([true, false, true], IteratorType::Parallel) => &mut groups[0],
                ([false, true, true], IteratorType::Parallel) => &mut groups[1],
                ([true, true, false], IteratorType::Reduction) => &mut groups[2],
                _ => return None,
            };
            group.loops.push(at);
        }
        // Sums are added in the order of the loops; other loops come in the order of the result.
        for group in groups[..2].iter_mut().chain([&mut batch]) {
            group.loops.sort_by_key(|&at| std::cmp::Reverse(result.stride(at)));
        }
        for group in groups.iter_mut().chain([&mut batch]) {
            group.extents = group.loops.iter().map(|&at| extents[at]).collect();
        }
        let types = MatrixTypes { lhs: lhs.element, rhs: rhs.element, accumulator: result.element };
        let adds_to_init = !zero_fill(op.operand(2));
        Some(Self { loops, batch, groups, types, lhs, rhs, result, adds_to_init })
    }

    /// Rows and columns of the result, and terms of each sum.
    pub fn extents(&self) -> [u64; 3] {
        [0, 1, 2].map(|at| self.groups[at].extent())
    }

    /// Ranges of loops that choose nothing yet.
    pub fn ranges(&self) -> Vec<Range> {
        vec![(0, 1); self.loops]
    }
}

/// Whether every element of a tensor is zero.
fn zero_fill(value: ValueRef<'_>) -> bool {
    filled(value).is_some_and(is_zero)
}

/// Zero, and not a negative one.
pub(super) fn is_zero(constant: AttrRef<'_>) -> bool {
    constant.as_f64().map_or(constant.as_int() == Some(0), |number| number.to_bits() == 0)
}

/// The constant that every element of a tensor is, if there is one.
pub(super) fn filled(value: ValueRef<'_>) -> Option<AttrRef<'_>> {
    if let Some(constant) = value.constant() {
        return constant.splat_value();
    }
    let nest = LinalgOp::of(value.defining_op()?)?;
    let yielded = nest.yielded()?.get(0)?;
    let is_plain = nest.inits().len() == 1 && nest.iterator_types().iter().all(|kind| *kind == IteratorType::Parallel);
    let argument = nest.body()?.args().position(|arg| arg.id() == yielded.id());
    let scalar = argument.map_or(yielded, |at| nest.op().operand(at));
    scalar.constant().filter(|_| is_plain && !scalar.ty().is_tensor())
}

/// Whether a body adds the product of both inputs, each perhaps widened with its sign, to the init.
fn is_product(block: BlockRef<'_>) -> bool {
    let is = |value: ValueRef<'_>, at: usize| {
        let widened = value.defining_op().filter(|op| matches!(op.name(), "arith.extsi" | "arith.extf"));
        let source = widened.map_or(value, |op| op.operand(0));
        source.id() == block.arg(at).id()
    };
    let found = || {
        let sum = block.last_op()?.operands().get(0)?.defining_op()?;
        let times = match sum.name() {
            "arith.addf" => "arith.mulf",
            "arith.addi" => "arith.muli",
            _ => return None,
        };
        let (init, product) = match [sum.operand(0), sum.operand(1)] {
            [init, product] if init.id() == block.arg(2).id() => (init, product),
            [product, init] => (init, product),
        };
        let product = product.defining_op().filter(|op| op.name() == times)?;
        let (a, b) = (product.operand(0), product.operand(1));
        Some(init.id() == block.arg(2).id() && (is(a, 0) && is(b, 1) || is(a, 1) && is(b, 0)))
    };
    block.num_args() == 3 && found() == Some(true)
}
