//! Which operation is a product of matrices, and how its operands lie in memory.

use dl_ir::affine::AffineMap;
use dl_ir::interfaces::has_pure_tensor_semantics;
use dl_ir::{BlockRef, TypeRef, ValueId, ValueRef};
use dl_linalg::{FillOp, IteratorType, LinalgOp};
use dl_simulator::machine::MatrixTypes;

/// A matrix in a tensor.
#[derive(Clone, Debug)]
pub struct Operand {
    /// The tensor.
    pub value: ValueId,
    /// The dimension that goes along the batch, where there is one.
    pub batch: Option<usize>,
    /// The dimensions along rows and columns.
    pub dims: [usize; 2],
}

/// `result = init + lhs · rhs`, perhaps for each of a batch.
#[derive(Clone, Debug)]
pub struct Product {
    /// How many products there are: 1 without a batch.
    pub batch: u64,
    /// Rows and columns of the result, and terms of each sum.
    pub extents: [u64; 3],
    /// Element types.
    pub types: MatrixTypes,
    /// `m` × `k`.
    pub lhs: Operand,
    /// `k` × `n`.
    pub rhs: Operand,
    /// `m` × `n`; the tensor is the init.
    pub result: Operand,
    /// Whether sums begin with the init, which is zero otherwise.
    pub adds_to_init: bool,
}

impl Product {
    /// `nest`, if it is one, on tensors of known extents.
    pub fn of(nest: LinalgOp<'_>) -> Option<Self> {
        let op = nest.op();
        let affine = op.cx().affine();
        if op.num_operands() != 3 || nest.inits().len() != 1 || !has_pure_tensor_semantics(op) {
            return None;
        }
        let plain = |ty: TypeRef<'_>| ty.is_ranked_tensor() && ty.encoding().is_none() && ty.has_static_shape();
        if !op.operands().iter().all(|operand| plain(operand.ty())) || !is_product(nest.body()?) {
            return None;
        }
        let maps: [AffineMap; 3] = nest.indexing_maps().try_into().ok()?;
        // For each operand, the dimension that goes along a loop.
        let along = |operand: usize, at: usize| {
            affine.map(maps[operand]).results.iter().position(|&expr| affine.dim_position(expr) == Some(at as u32))
        };
        if !maps.iter().all(|&map| affine.is_projected_permutation(map, false)) {
            return None;
        }
        let ranges = nest.static_loop_ranges()?;
        let (mut batch, mut rows, mut columns, mut terms) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
        for (at, kind) in nest.iterator_types().into_iter().enumerate() {
            let in_operands = [0, 1, 2].map(|operand| along(operand, at).is_some());
            match (in_operands, kind) {
                ([true, true, true], IteratorType::Parallel) => batch.push(at),
                ([true, false, true], IteratorType::Parallel) => rows.push(at),
                ([false, true, true], IteratorType::Parallel) => columns.push(at),
                ([true, true, false], IteratorType::Reduction) => terms.push(at),
                _ => return None,
            }
        }
        let ([m], [n], [k]) = (
            <[usize; 1]>::try_from(rows).ok()?,
            <[usize; 1]>::try_from(columns).ok()?,
            <[usize; 1]>::try_from(terms).ok()?,
        );
        if batch.len() > 1 {
            return None;
        }
        let batch = batch.first().copied();
        let extent =
            |at: usize| ranges.get(at).and_then(|&extent| u64::try_from(extent).ok()).filter(|extent| *extent > 0);
        let operand = |operand: usize, [down, across]: [usize; 2]| {
            let batch = match batch {
                Some(at) => Some(along(operand, at)?),
                None => None,
            };
            Some(Operand {
                value: op.operand(operand).id(),
                batch,
                dims: [along(operand, down)?, along(operand, across)?],
            })
        };
        let element = |operand: usize| dl_accelerator::types::element_type(op.operand(operand).ty());
        let init = op.operand(2);
        let zero = zero_fill(init);
        Some(Self {
            batch: batch.map_or(Some(1), extent)?,
            extents: [extent(m)?, extent(n)?, extent(k)?],
            types: MatrixTypes { lhs: element(0)?, rhs: element(1)?, accumulator: element(2)? },
            lhs: operand(0, [m, k])?,
            rhs: operand(1, [k, n])?,
            result: operand(2, [m, n])?,
            adds_to_init: !zero,
        })
    }

    /// The product as the cost model knows it.
    pub fn shape(&self) -> dl_simulator::schedule::Product {
        let [m, n, k] = self.extents;
        dl_simulator::schedule::Product { m, n, k, types: self.types }
    }
}

/// Whether every element of a tensor is zero.
fn zero_fill(value: ValueRef<'_>) -> bool {
    let fill = value.def::<FillOp<'_>>().map(|fill| fill.0);
    let scalar = fill.filter(|fill| fill.num_operands() == 2).and_then(|fill| fill.operand(0).constant());
    let constant = scalar.or_else(|| value.constant().and_then(dl_ir::AttrRef::splat_value));
    constant
        .is_some_and(|constant| constant.as_f64().map_or(constant.as_int() == Some(0), |number| number.to_bits() == 0))
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
