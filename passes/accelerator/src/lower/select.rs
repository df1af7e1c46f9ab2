//! What is done with each element of a product, as instructions of the vector unit.
//!
//! An element-wise `linalg` operation that alone uses the result, at the same position, is done on blocks of sums before they are stored. Its body is
//! an expression of scalars, which `Selector` covers.

use dl_accelerator::types::element_type;
use dl_accelerator::{BinaryKind, ReduceKind, UnaryKind};
use dl_ir::interfaces::has_pure_tensor_semantics;
use dl_ir::{Attr, OpId, OpRef};
use dl_linalg::{IteratorType, LinalgOp};
use dl_simulator::ElementType;
use dl_simulator::machine::{Machine, VectorFunction};
use dl_simulator::program::{BinaryOp, ReduceOp, UnaryOp};

use super::access::Access;
use super::product::Product;
use super::selector::Selector;

/// Where an operand of an instruction comes from.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Source {
    /// The sums.
    Sums,
    /// An input of the epilogue, by its number among [`Epilogue::inputs`].
    Input(usize),
    /// The result of an earlier step.
    Step(usize),
}

/// What an instruction computes.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Function {
    /// Of two operands.
    Binary(BinaryKind),
    /// Of one.
    Unary(UnaryKind),
    /// Of each row.
    Reduce(ReduceKind),
    /// `saturate(round(a * scale) + zero)`.
    Requantize {
        /// The factor.
        scale: f32,
        /// What stands for zero.
        zero: i32,
    },
    /// `(a - zero) * scale`.
    Dequantize {
        /// The factor.
        scale: f32,
        /// What stands for zero.
        zero: i32,
    },
}

impl Function {
    /// What the unit must be able to do.
    pub fn vector(self) -> VectorFunction {
        match self {
            Self::Binary(kind) => VectorFunction::Binary(BinaryOp::ALL[kind.value() as usize]),
            Self::Unary(kind) => VectorFunction::Unary(UnaryOp::ALL[kind.value() as usize]),
            Self::Reduce(kind) => VectorFunction::Reduce(ReduceOp::ALL[kind.value() as usize]),
            Self::Requantize { .. } => VectorFunction::Requantize,
            Self::Dequantize { .. } => VectorFunction::Dequantize,
        }
    }
}

/// An instruction on a block.
#[derive(Clone, Debug)]
pub struct Step {
    /// What it computes.
    pub function: Function,
    /// Of what: one or two.
    pub operands: Vec<Source>,
    /// Type of the result.
    pub element: ElementType,
}

/// How an input of the epilogue lies beside the result.
#[derive(Clone, Debug)]
pub enum Shape {
    /// An element for each one of the result.
    Matrix(Access),
    /// An element for each column.
    Row(Access),
    /// One element for all.
    Scalar(Attr),
}

/// An input of the epilogue.
#[derive(Clone, Debug)]
pub struct Input {
    /// What it is.
    pub shape: Shape,
    /// Type of its elements.
    pub element: ElementType,
}

/// What is done before sums are stored.
#[derive(Clone, Debug)]
pub struct Epilogue {
    /// The operation that the launch stands for besides the product, if there is one.
    pub op: Option<OpId>,
    /// The instructions, in order. The result of the last one is stored; without any, the sums.
    pub steps: Vec<Step>,
    /// What they read besides sums.
    pub inputs: Vec<Input>,
    /// Type of what is stored.
    pub stored: ElementType,
}

impl Epilogue {
    /// The largest epilogue of `product`, which `op` computes, that `machine` can do.
    pub fn of(op: OpRef<'_>, product: &Product, machine: &Machine) -> Self {
        let nothing = Self { op: None, steps: Vec::new(), inputs: Vec::new(), stored: product.types.accumulator };
        Self::after(op, product, machine).unwrap_or(nothing)
    }

    fn after(op: OpRef<'_>, product: &Product, machine: &Machine) -> Option<Self> {
        let affine = op.cx().affine();
        let mut uses = op.result(0).uses();
        let ((user, operand), None) = (uses.next()?, uses.next()) else { return None };
        let nest = LinalgOp::of(user)?;
        let init = nest.inits().start();
        let same_block = user.block().map(|block| block.id()) == op.block().map(|block| block.id());
        let parallel = nest.iterator_types().iter().all(|kind| *kind == IteratorType::Parallel);
        if !same_block || !parallel || nest.inits().len() != 1 || operand >= init || !has_pure_tensor_semantics(user) {
            return None;
        }
        let maps = nest.indexing_maps();
        let body = nest.body()?;
        let identity = |at: usize| affine.is_identity(maps[at]);
        // Rows and columns lie as in the result of the product.
        if !identity(operand)
            || !identity(init)
            || body.arg(init).has_uses()
            || user.result(0).ty().shape() != op.result(0).ty().shape()
        {
            return None;
        }
        // Loops of the product along the dimensions of the result, and so along the loops here.
        let along: Vec<usize> =
            (0..nest.num_loops()).map(|dim| product.result.loop_along(dim)).collect::<Option<_>>()?;
        let columns = &product.groups[1].loops;
        let mut arguments: Vec<Option<Source>> = vec![None; body.num_args()];
        arguments[operand] = Some(Source::Sums);
        let mut inputs = Vec::new();
        for at in (0..init).filter(|&at| at != operand && body.arg(at).has_uses()) {
            let value = user.operand(at);
            let positions = affine.map(maps[at]).results.iter().map(|&index| affine.dim_position(index));
            let dims: Vec<usize> = positions.map(|at| Some(along[at? as usize])).collect::<Option<_>>()?;
            let access = Access::along(value, &dims, product.loops)?;
            let element = access.element;
            let is_row = dims.iter().all(|dim| columns.contains(dim)) && columns.len() == dims.len();
            arguments[at] = Some(Source::Input(inputs.len()));
            inputs.push(Input { shape: if is_row { Shape::Row(access) } else { Shape::Matrix(access) }, element });
        }
        let mut selector = Selector::new(machine, body, arguments, inputs);
        let yielded = body.last_op()?.operands().get(0)?;
        let last = selector.cover(yielded)?;
        // What is stored is the last result.
        let is_last = matches!(last, Source::Step(step) if step + 1 == selector.steps.len());
        let stored = element_type(user.result(0).ty())?;
        is_last.then_some(Self { op: Some(user.id()), steps: selector.steps, inputs: selector.inputs, stored })
    }

    /// What is stored.
    pub fn last(&self) -> Source {
        self.steps.len().checked_sub(1).map_or(Source::Sums, Source::Step)
    }

    /// The type of the elements of a source.
    pub fn element(&self, source: Source, product: &Product) -> ElementType {
        match source {
            Source::Sums => product.types.accumulator,
            Source::Input(at) => self.inputs[at].element,
            Source::Step(at) => self.steps[at].element,
        }
    }

    /// How often the result of a step, or the sums, are used.
    pub fn uses(&self, source: Source) -> usize {
        self.steps.iter().flat_map(|step| &step.operands).filter(|operand| **operand == source).count()
    }
}
