//! What a contraction is: the roles of its loops, and how its operands depend on them.

use std::cmp::Reverse;

use dl_ir::affine::{AffineExpr, AffineMap, AffineStore};
use dl_ir::interfaces::has_pure_tensor_semantics;
use dl_ir::{Attr, AttrData, BlockRef, DYNAMIC, Type, TypeRef, ValueId, ValueRef};
use dl_linalg::{FillOp, IteratorType, LinalgOp};

/// More loops than this are left alone.
const MOST_LOOPS: usize = 16;

/// How an operand changes along a loop.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Along {
    /// Not at all.
    Constant,
    /// To the next element in memory.
    Adjacent,
    /// Otherwise.
    Strided,
}

/// An input or the result.
#[derive(Clone, Debug)]
pub struct Access {
    /// The tensor.
    pub value: ValueId,
    /// Its extents.
    pub extents: Vec<i64>,
    /// Its element type.
    pub element: Type,
    /// Each index as an expression of the loops.
    pub indices: Vec<AffineExpr>,
    /// How it changes along the loop of the vectors.
    pub along_vector: Along,
    /// Its elements, where they are known and not all the same.
    pub constant: Option<Attr>,
}

impl Access {
    /// Of the tensor `value` at these indices, where `vector` is the loop of the vectors.
    pub fn new(affine: &AffineStore, value: ValueRef<'_>, indices: &[AffineExpr], vector: usize) -> Option<Self> {
        let ty = value.ty();
        let extents = ty.shape()?.to_vec();
        let element = ty.element_type()?.id();
        let along_vector = along(affine, indices, vector);
        let varies = |data: &AttrData| matches!(data, AttrData::DenseElements { data, .. } if !data.is_splat());
        let constant = value.constant().filter(|constant| varies(constant.data())).map(|constant| constant.id());
        Some(Self { value: value.id(), extents, element, indices: indices.to_vec(), along_vector, constant })
    }

    /// Whether it changes along a loop.
    pub fn depends_on(&self, affine: &AffineStore, at: usize) -> bool {
        self.indices.iter().any(|&index| affine.is_function_of_dim(index, at as u32))
    }

    /// Whether each index is where a loop stands, and no mix of some.
    pub fn is_by_loops(&self, affine: &AffineStore) -> bool {
        self.indices.iter().all(|&index| affine.dim_position(index).is_some())
    }

    /// The distance in elements between neighbours along loop `at`; `None` where it is not known or not constant.
    pub fn stride(&self, affine: &AffineStore, at: usize) -> Option<i64> {
        let mut stride = 0_i64;
        let mut step = Some(1_i64);
        for (&index, &extent) in self.indices.iter().zip(&self.extents).rev() {
            let by = coefficient(affine, index, at)?;
            if by != 0 {
                stride = stride.checked_add(by.checked_mul(step?)?)?;
            }
            step = step.and_then(|step| if extent == DYNAMIC { None } else { step.checked_mul(extent) });
        }
        Some(stride)
    }
}

/// By how much an index grows with each step of loop `at`; `None` where that is not always the same.
pub(super) fn coefficient(affine: &AffineStore, index: AffineExpr, at: usize) -> Option<i64> {
    if !affine.is_function_of_dim(index, at as u32) {
        return Some(0);
    }
    let dims = affine.max_dim(index)? + 1;
    affine.linear_form(index, dims, 0)?.dims.get(at).copied()
}

/// How what lies at these indices changes along loop `at`.
pub fn along(affine: &AffineStore, indices: &[AffineExpr], at: usize) -> Along {
    let Some((&last, before)) = indices.split_last() else { return Along::Constant };
    let depends = |index: AffineExpr| affine.is_function_of_dim(index, at as u32);
    if before.iter().any(|&index| depends(index)) {
        return Along::Strided;
    }
    match coefficient(affine, last, at) {
        Some(0) => Along::Constant,
        Some(1) => Along::Adjacent,
        _ => Along::Strided,
    }
}

/// What the body does with the elements.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Body {
    /// The operation that widens an element of each input, if any.
    pub casts: [Option<&'static str>; 2],
    /// Whether elements are numbers with a fraction.
    pub is_float: bool,
}

impl Body {
    /// Whether elements of both inputs are integers that are widened by their signs.
    pub fn extends_signs(&self) -> bool {
        self.casts == [Some("arith.extsi"); 2]
    }
}

/// What the result begins as.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Start {
    /// Every element is this scalar.
    Fill(ValueId),
    /// The init.
    Init,
}

/// A contraction of two inputs.
#[derive(Clone, Debug)]
pub struct Contraction {
    /// The extent of each loop, [`DYNAMIC`] where it is not known.
    pub extents: Vec<i64>,
    /// For each loop an operand and its dimension that has this extent.
    pub extent_of: Vec<(usize, usize)>,
    /// All operands in order.
    pub operands: Vec<ValueId>,
    /// The loop along which vectors run.
    pub vector: usize,
    /// The loop of the rows of a tile.
    pub row: Option<usize>,
    /// The other parallel loops, outermost first.
    pub outer: Vec<usize>,
    /// The loops that are summed over, outermost first: windows first, the others in the order in which what is read by single
    /// elements lies.
    pub reduced: Vec<usize>,
    /// The inputs.
    pub inputs: [Access; 2],
    /// The result, at the tensor that it is written to.
    pub result: Access,
    /// What the result begins as.
    pub start: Start,
    /// The body.
    pub body: Body,
}

impl Contraction {
    /// `nest`, if it is a contraction on tensors whose vectors can run along the last dimension of the result.
    pub fn along_result(nest: LinalgOp<'_>) -> Option<Self> {
        let affine = nest.op().cx().affine();
        let map = *nest.indexing_maps().get(2)?;
        let vector = affine.dim_position(*affine.map(map).results.last()?)?;
        Self::along(nest, vector as usize)
    }

    /// `nest`, if it is a contraction on tensors with both inputs adjacent along a loop that is summed over: vectors run along that one.
    pub fn along_depth(nest: LinalgOp<'_>) -> Option<Self> {
        let reduced = |&at: &usize| nest.iterator_types().get(at) == Some(&IteratorType::Reduction);
        let shapes = (0..nest.num_loops().min(MOST_LOOPS)).filter(reduced).filter_map(|at| Self::along(nest, at));
        let mut adjacent =
            shapes.filter(|shape| shape.inputs.iter().all(|input| input.along_vector == Along::Adjacent));
        adjacent.next()
    }

    /// `nest` with vectors along loop `vector`, if it is a contraction on tensors.
    fn along(nest: LinalgOp<'_>, vector: usize) -> Option<Self> {
        let op = nest.op();
        let affine = op.cx().affine();
        let inits = nest.inits();
        if nest.inputs().len() != 2 || inits.len() != 1 || !has_pure_tensor_semantics(op) || op.num_operands() != 3 {
            return None;
        }
        let plain = |ty: TypeRef<'_>| ty.is_ranked_tensor() && ty.encoding().is_none();
        if !op.operands().iter().all(|operand| plain(operand.ty())) {
            return None;
        }
        let iterators = nest.iterator_types();
        let extents = nest.static_loop_ranges()?;
        if iterators.len() > MOST_LOOPS || extents.contains(&0) {
            return None;
        }
        let body = body_of(nest.body()?)?;
        let maps: Vec<AffineMap> = nest.indexing_maps();
        let [lhs, rhs, out] = <[AffineMap; 3]>::try_from(&maps[..]).ok()?.map(|map| affine.map(map).results.to_vec());
        if !affine.is_projected_permutation(maps[2], false) {
            return None;
        }
        let is = |at: usize, kind: IteratorType| iterators.get(at) == Some(&kind);
        let parallel: Vec<usize> = (0..iterators.len()).filter(|&at| is(at, IteratorType::Parallel)).collect();
        let mut reduced: Vec<usize> =
            (0..iterators.len()).filter(|&at| is(at, IteratorType::Reduction) && at != vector).collect();
        let in_result = |at: usize| out.iter().any(|&index| affine.is_function_of_dim(index, at as u32));
        let sums = iterators.iter().filter(|&&kind| kind == IteratorType::Reduction).count();
        if parallel.len() + sums != iterators.len() || sums == 0 || parallel.iter().any(|&at| !in_result(at)) {
            return None;
        }
        let inputs =
            [Access::new(affine, op.operand(0), &lhs, vector)?, Access::new(affine, op.operand(1), &rhs, vector)?];
        // What is read by single elements is read in the order in which it lies, but windows are outside: unrolled, neighbouring rows of a
        // tile would share elements, and those that are kept do not fit the registers.
        if let Some(scalar) = inputs.iter().find(|input| input.along_vector == Along::Constant) {
            let strides: Option<Vec<i64>> = (0..iterators.len()).map(|at| scalar.stride(affine, at)).collect();
            if let Some(strides) = strides {
                let slides = |at: usize| {
                    let depends = |index: AffineExpr| affine.is_function_of_dim(index, at as u32);
                    scalar.indices.iter().any(|&index| depends(index) && affine.dim_position(index).is_none())
                };
                reduced.sort_by_key(|&at| (!slides(at), Reverse(strides[at].saturating_abs())));
            }
        }
        let row = row_loop(affine, &inputs, &parallel, &extents, vector);
        let outer = parallel.into_iter().filter(|&at| at != vector && Some(at) != row).collect();
        let (start, dest) = start_of(inits.iter().next()?);
        let result = Access::new(affine, dest, &out, vector)?;
        let extent_of: Option<Vec<(usize, usize)>> = nest.loops_to_dims().into_iter().collect();
        Some(Self {
            extents,
            extent_of: extent_of?,
            operands: op.operands().ids().to_vec(),
            vector,
            row,
            outer,
            reduced,
            inputs,
            result,
            start,
            body,
        })
    }

    /// The extent of a loop, if it is known.
    pub fn extent(&self, at: usize) -> Option<u64> {
        self.extents.get(at).and_then(|&extent| u64::try_from(extent).ok())
    }

    /// The product of the extents of some loops, if they are known.
    pub fn volume(&self, loops: &[usize]) -> Option<u64> {
        loops.iter().try_fold(1_u64, |product, &at| product.checked_mul(self.extent(at)?))
    }
}

/// The loop of the rows of a tile: parallel, and at least one input does not change along it, so that what is read of it serves all rows. Best
/// is one that the input along the vectors does not change along; then the longest; then the innermost.
fn row_loop(
    affine: &AffineStore,
    inputs: &[Access; 2],
    parallel: &[usize],
    extents: &[i64],
    vector: usize,
) -> Option<usize> {
    let fixed = |at: usize| inputs.iter().any(|input| !input.depends_on(affine, at));
    let vectors_are_shared =
        |at: usize| inputs.iter().all(|input| input.along_vector == Along::Constant || !input.depends_on(affine, at));
    let length = |at: usize| if extents[at] == DYNAMIC { i64::MAX } else { extents[at] };
    parallel
        .iter()
        .copied()
        .filter(|&at| at != vector && extents[at] != 1 && fixed(at))
        .max_by_key(|&at| (vectors_are_shared(at), length(at), at))
}

/// What the init of a contraction begins as, and the tensor that the result may be written to.
fn start_of(init: ValueRef<'_>) -> (Start, ValueRef<'_>) {
    let fill = init.defining_op().and_then(|op| op.cast::<FillOp<'_>>().map(|_| op));
    match fill {
        Some(fill) if fill.num_operands() == 2 => (Start::Fill(fill.operand(0).id()), fill.operand(1)),
        _ => (Start::Init, init),
    }
}

/// What a body computes, if that is a product of both inputs, each perhaps widened, added to the init.
fn body_of(block: BlockRef<'_>) -> Option<Body> {
    let last = block.last_op()?;
    if block.num_args() != 3 || last.num_operands() != 1 {
        return None;
    }
    let sum = last.operand(0).defining_op()?;
    let (is_float, times) = match sum.name() {
        "arith.addf" => (true, "arith.mulf"),
        "arith.addi" => (false, "arith.muli"),
        _ => return None,
    };
    let is_arg = |value: ValueRef<'_>, at: usize| value.id() == block.arg(at).id();
    let product = match (sum.operand(0), sum.operand(1)) {
        (init, product) if is_arg(init, 2) => product,
        (product, init) if is_arg(init, 2) => product,
        _ => return None,
    };
    let product = product.defining_op().filter(|op| op.name() == times)?;
    let (first, second) = (widened(product.operand(0))?, widened(product.operand(1))?);
    let casts = match (first, second) {
        ((a, first), (b, second)) if is_arg(a, 0) && is_arg(b, 1) => [first, second],
        ((a, first), (b, second)) if is_arg(a, 1) && is_arg(b, 0) => [second, first],
        _ => return None,
    };
    // Each operation of the body was met: nothing else has an effect.
    let met = 3 + casts.iter().flatten().count();
    (block.ops().count() == met).then_some(Body { casts, is_float })
}

/// What a value is widened from, and the operation that does it.
fn widened(value: ValueRef<'_>) -> Option<(ValueRef<'_>, Option<&'static str>)> {
    let Some(op) = value.defining_op() else { return Some((value, None)) };
    let name = match op.name() {
        "arith.extf" => "arith.extf",
        "arith.extsi" => "arith.extsi",
        "arith.extui" => "arith.extui",
        "arith.sitofp" => "arith.sitofp",
        "arith.uitofp" => "arith.uitofp",
        _ => return None,
    };
    Some((op.operand(0), Some(name)))
}
