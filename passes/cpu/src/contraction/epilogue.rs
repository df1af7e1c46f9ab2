//! What is done with each element of the result of a contraction.
//!
//! An element-wise `linalg` operation that alone uses the result, at the same position, happens on the accumulators before they are stored:
//! bias, activation, residual, cast.
//!
//! Sums of integers are exact until they are scaled, which rounds them in any case: where the scaling ends with a division by a number that is
//! known, as quantization does, it is multiplied by the reciprocal.

use dl_arith::{Build, DivFOp, MulFOp};
use dl_ir::affine::{AffineExpr, AffineStore};
use dl_ir::interfaces::has_pure_tensor_semantics;
use dl_ir::{BlockId, Mapping, OpId, OpRef, OpState, Trait, Type, ValueId};
use dl_linalg::{IteratorType, LinalgOp};
use dl_passes_vector::build::VectorBuild as _;

use super::shape::{Access, Along, Contraction};

/// An operation on the result.
#[derive(Clone, Debug)]
pub struct Epilogue {
    /// The operation.
    pub op: OpId,
    /// Its body.
    body: BlockId,
    /// For each argument of the body where it comes from.
    arguments: Vec<Argument>,
    /// Whether the sums are of integers.
    of_integers: bool,
    /// The result, at the tensor that it is written to.
    pub result: Access,
}

/// What an argument of the body is.
#[derive(Clone, Debug)]
enum Argument {
    /// The element of the contraction.
    Accumulator,
    /// An element of a tensor.
    Element(Access),
    /// Not used.
    Unused,
}

impl Epilogue {
    /// The operation that alone uses the result of `contraction`, if it can happen in registers.
    pub fn of(contraction: OpRef<'_>, shape: &Contraction) -> Option<Self> {
        let affine = contraction.cx().affine();
        let result = contraction.result(0);
        let (user, operand) = only(result.uses())?;
        let nest = LinalgOp::of(user)?;
        let is_parallel = |each: &IteratorType| *each == IteratorType::Parallel;
        let inits = nest.inits();
        if user.block().map(|block| block.id()) != contraction.block().map(|block| block.id())
            || !has_pure_tensor_semantics(user)
            || inits.len() != 1
            || operand >= inits.start()
            || !nest.iterator_types().iter().all(is_parallel)
        {
            return None;
        }
        let maps = nest.indexing_maps();
        let init = inits.start();
        if maps[operand] != maps[init] || !affine.is_permutation(maps[init]) {
            return None;
        }
        // Loops of the operation as indices of the contraction's result.
        let mut loops = vec![affine.constant(0); nest.num_loops()];
        for (&expr, &index) in affine.map(maps[init]).results.iter().zip(&shape.result.indices) {
            *loops.get_mut(affine.dim_position(expr)? as usize)? = index;
        }
        let body = nest.body()?;
        let mut arguments = Vec::new();
        for (at, value) in user.operands().iter().enumerate() {
            let argument = if at == operand {
                Argument::Accumulator
            } else if !body.arg(at).has_uses() {
                Argument::Unused
            } else if at == init {
                return None;
            } else {
                Argument::Element(composed(affine, value, maps[at], &loops, shape.vector)?)
            };
            arguments.push(argument);
        }
        let is_simple = body.ops().all(|op| {
            op.num_regions() == 0
                && (op.name() == "linalg.yield"
                    || op.constant_value().is_some()
                    || op.has_trait(&Trait::Elementwise) && op.has_trait(&Trait::Vectorizable))
        });
        if !is_simple {
            return None;
        }
        let result = composed(affine, user.operand(init), maps[init], &loops, shape.vector)?;
        let element = body.last_op()?.operand(0).ty();
        (element.int_or_float_width().is_some()).then_some(())?;
        Some(Self { op: user.id(), body: body.id(), arguments, of_integers: !shape.body.is_float, result })
    }

    /// The operands of the operation other than the contraction, for those who must know what is read.
    pub fn accesses(&self) -> impl Iterator<Item = &Access> {
        self.arguments.iter().filter_map(|argument| match argument {
            Argument::Element(access) => Some(access),
            _ => None,
        })
    }

    /// Makes the body on vectors of `lanes` elements. `read` makes the vector of an input.
    pub fn apply(
        &self,
        b: &mut Build<'_, '_>,
        accumulator: ValueId,
        lanes: i64,
        mut read: impl FnMut(&mut Build<'_, '_>, &Access) -> ValueId,
    ) -> ValueId {
        let cx = b.cx();
        let mut mapping = Mapping::new();
        let args = b.ir().block_args(self.body).to_vec();
        for (&arg, argument) in args.iter().zip(&self.arguments) {
            match argument {
                Argument::Accumulator => mapping.map(arg, accumulator),
                Argument::Element(access) => {
                    let vector = read(b, access);
                    mapping.map(arg, vector);
                }
                Argument::Unused => {}
            }
        }
        let wide = |ty: Type| cx.vector_type(&[lanes], ty);
        let ops: Vec<OpId> = b.ir().block_ops(self.body).collect();
        let mut last = accumulator;
        for op in ops {
            let view = b.op(op);
            let operands = view.operands().ids();
            if view.name() == "linalg.yield" {
                last = vector_of(b, &mut mapping, operands[0], lanes);
                continue;
            }
            if let Some(reciprocal) = reciprocal(view).filter(|_| self.of_integers) {
                let (dividend, result) = (operands[0], view.result(0).id());
                let ty = b.value_type(result).id();
                let dividend = vector_of(b, &mut mapping, dividend, lanes);
                let factor = b.constant(cx.float_attr(ty, reciprocal), ty);
                let factor = b.broadcast(factor, wide(ty));
                let product = b.same::<MulFOp<'_>>(&[dividend, factor]);
                mapping.map(result, product);
                continue;
            }
            let (name, loc) = (view.name_id(), view.loc());
            let attrs: Vec<_> = view.attrs().map(|(name, attr)| (name, attr.id())).collect();
            let results: Vec<ValueId> = view.results().iter().map(|result| result.id()).collect();
            let types: Vec<Type> = view.results().iter().map(|result| result.ty().id()).collect();
            if view.constant_value().is_some() {
                let copy = b.create(OpState::new(name, loc).attrs(attrs).results(types));
                for (at, &result) in results.iter().enumerate() {
                    let value = b.ir().result(copy, at);
                    mapping.map(result, value);
                }
                continue;
            }
            let operands: Vec<ValueId> =
                operands.iter().map(|&value| vector_of(b, &mut mapping, value, lanes)).collect();
            let types: Vec<Type> = types.into_iter().map(wide).collect();
            let copy = b.create(OpState::new(name, loc).attrs(attrs).operands(operands).results(types));
            for (at, &result) in results.iter().enumerate() {
                let value = b.ir().result(copy, at);
                mapping.map(result, value);
            }
        }
        last
    }
}

/// What a division by a number that is known multiplies by, if that is a usual number.
fn reciprocal(op: OpRef<'_>) -> Option<f64> {
    let divisor = op.cast::<DivFOp<'_>>()?.0.operand(1).constant()?.as_f64()?;
    let reciprocal = 1.0 / divisor;
    let usual = |number: f64| (1e-30..1e30).contains(&number.abs());
    (usual(divisor) && usual(reciprocal)).then_some(reciprocal)
}

/// The vector for `value`: what it was mapped to, made a vector of equal elements where it is a scalar.
fn vector_of(b: &mut Build<'_, '_>, mapping: &mut Mapping, value: ValueId, lanes: i64) -> ValueId {
    let mapped = mapping.value(value);
    if b.value_type(mapped).is_vector() {
        return mapped;
    }
    let ty = b.value_type(mapped).id();
    let ty = b.cx().vector_type(&[lanes], ty);
    let vector = b.broadcast(mapped, ty);
    mapping.map(value, vector);
    vector
}

/// An input of the operation in terms of the loops of the contraction. `None` where its elements are not adjacent along the vectors.
fn composed(
    affine: &AffineStore,
    value: dl_ir::ValueRef<'_>,
    map: dl_ir::affine::AffineMap,
    loops: &[AffineExpr],
    vector: usize,
) -> Option<Access> {
    let indices: Vec<AffineExpr> =
        affine.map(map).results.iter().map(|&index| affine.replace_in_expr(index, loops, &[])).collect();
    let plain = value.ty().is_ranked_tensor() && value.ty().encoding().is_none();
    let access = Access::new(affine, value, &indices, vector).filter(|_| plain)?;
    (access.along_vector != Along::Strided).then_some(access)
}

/// The one item of an iterator.
fn only<T>(mut items: impl Iterator<Item = T>) -> Option<T> {
    let first = items.next()?;
    items.next().is_none().then_some(first)
}
