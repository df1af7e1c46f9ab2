//! What is done with each element of a product, as instructions of the vector unit.
//!
//! An element-wise `linalg` operation that alone uses the result, at the same position, is done on blocks of sums before they are stored. Its body is
//! an expression of scalars; [`Selector`] covers it with what the unit has, larger patterns first: a requantization is one instruction, not six.
//! Everything selected computes the same bits as the operations that it stands for; elementary functions are those of the unit.

use dl_accelerator::types::element_type;
use dl_accelerator::{BinaryKind, UnaryKind};
use dl_ir::interfaces::has_pure_tensor_semantics;
use dl_ir::{Attr, BlockRef, OpId, OpRef, ValueId, ValueRef};
use dl_linalg::{IteratorType, LinalgOp};
use dl_simulator::ElementType;
use dl_simulator::machine::{Machine, VectorFunction};
use dl_simulator::program::{BinaryOp, UnaryOp};

use super::access::Access;
use super::product::Product;

/// Expressions deeper than this are left to the host.
const MOST_DEPTH: usize = 64;

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
        let mut selector = Selector { machine, body, arguments, inputs, steps: Vec::new(), known: Vec::new() };
        let yielded = body.last_op()?.operands().get(0)?;
        let last = selector.value(yielded, MOST_DEPTH)?;
        // What is stored is the last result.
        let is_last = matches!(last, Source::Step(step) if step + 1 == selector.steps.len());
        let stored = element_type(user.result(0).ty())?;
        is_last.then_some(Self { op: Some(user.id()), steps: selector.steps, inputs: selector.inputs, stored })
    }

    /// What is stored.
    pub fn last(&self) -> Source {
        self.steps.len().checked_sub(1).map_or(Source::Sums, Source::Step)
    }

    /// How often the result of a step, or the sums, are used.
    pub fn uses(&self, source: Source) -> usize {
        self.steps.iter().flat_map(|step| &step.operands).filter(|operand| **operand == source).count()
    }
}

/// Covers an expression of scalars with instructions.
struct Selector<'a> {
    machine: &'a Machine,
    body: BlockRef<'a>,
    /// What the arguments of the body are.
    arguments: Vec<Option<Source>>,
    inputs: Vec<Input>,
    steps: Vec<Step>,
    /// What has been selected already.
    known: Vec<(ValueId, Source)>,
}

impl<'a> Selector<'a> {
    /// The source that `value` is, once the steps have been done.
    fn value(&mut self, value: ValueRef<'a>, depth: usize) -> Option<Source> {
        let depth = depth.checked_sub(1)?;
        if let Some(&(_, source)) = self.known.iter().find(|(known, _)| *known == value.id()) {
            return Some(source);
        }
        let source = self.select(value, depth)?;
        self.known.push((value.id(), source));
        Some(source)
    }

    fn select(&mut self, value: ValueRef<'a>, depth: usize) -> Option<Source> {
        if let Some(at) = self.body.args().position(|arg| arg.id() == value.id()) {
            return self.arguments[at];
        }
        let element = element_type(value.ty())?;
        if let Some(constant) = value.constant() {
            self.inputs.push(Input { shape: Shape::Scalar(constant.id()), element });
            return Some(Source::Input(self.inputs.len() - 1));
        }
        if let Some((from, function, least)) = requantize(value) {
            let mut operand = self.value(from, depth)?;
            if let Some(zero) = least {
                // What is less than zero becomes zero, also before it is scaled.
                (zero == 0).then_some(())?;
                let wide = element_type(from.ty())?;
                operand = self.step(Function::Unary(UnaryKind::Relu), vec![operand], wide, wide)?;
            }
            return self.step(function, vec![operand], element_type(from.ty())?, element);
        }
        if let Some((from, function)) = dequantize(value) {
            let operand = self.value(from, depth)?;
            return self.step(function, vec![operand], element_type(from.ty())?, element);
        }
        let op = value.defining_op()?;
        if let Some(operand) = relu(op) {
            let source = self.value(operand, depth)?;
            return self.step(Function::Unary(UnaryKind::Relu), vec![source], element, element);
        }
        let wide = element.is_float() || element == ElementType::I32;
        let binary = match op.name() {
            "arith.addf" | "arith.addi" => Some(BinaryKind::Add),
            "arith.subf" | "arith.subi" => Some(BinaryKind::Sub),
            "arith.mulf" | "arith.muli" => Some(BinaryKind::Mul),
            "arith.maximumf" | "arith.maxsi" => Some(BinaryKind::Max),
            "arith.minimumf" | "arith.minsi" => Some(BinaryKind::Min),
            _ => None,
        };
        if let Some(kind) = binary {
            // Sums of narrow integers wrap in the body, and saturate in the unit.
            let exact = wide || matches!(kind, BinaryKind::Max | BinaryKind::Min);
            let operands = [op.operand(0), op.operand(1)].map(|operand| self.value(operand, depth));
            let [a, b] = operands;
            return self.step(Function::Binary(kind), vec![a.filter(|_| exact)?, b?], element, element);
        }
        let from = op.operands().get(0)?;
        let of = element_type(from.ty())?;
        let unary = match op.name() {
            "arith.extsi" | "arith.extf" | "arith.truncf" | "arith.sitofp" => UnaryKind::Copy,
            "arith.negf" => UnaryKind::Neg,
            "math.absf" => UnaryKind::Abs,
            "math.exp" => UnaryKind::Exp,
            "math.tanh" => UnaryKind::Tanh,
            "math.sqrt" => UnaryKind::Sqrt,
            "math.rsqrt" => UnaryKind::Rsqrt,
            _ => return None,
        };
        let operand = self.value(from, depth)?;
        self.step(Function::Unary(unary), vec![operand], of, element)
    }

    /// Appends an instruction, if the unit has it.
    fn step(
        &mut self,
        function: Function,
        operands: Vec<Source>,
        from: ElementType,
        to: ElementType,
    ) -> Option<Source> {
        let unit = self.machine.vector.as_ref()?;
        unit.cycles(function.vector())?;
        (unit.types.contains(&from) && unit.types.contains(&to)).then_some(())?;
        self.steps.push(Step { function, operands, element: to });
        Some(Source::Step(self.steps.len() - 1))
    }
}

/// The operands of `value`, if an operation of one of these names gives it.
fn operands<'a>(value: ValueRef<'a>, names: &[&str]) -> Option<Vec<ValueRef<'a>>> {
    let op = value.defining_op().filter(|op| names.contains(&op.name()))?;
    Some(op.operands().iter().collect())
}

/// The other operand and the constant, of an operation of one of these names.
fn with_constant<'a>(value: ValueRef<'a>, names: &[&str]) -> Option<(ValueRef<'a>, f64)> {
    let found = operands(value, names)?;
    let number = |value: ValueRef<'_>| {
        let constant = value.constant()?;
        constant.as_f64().or_else(|| constant.as_int().map(|number| number as f64))
    };
    match found[..] {
        [a, b] => number(b).map(|b| (a, b)).or_else(|| number(a).map(|a| (b, a))),
        _ => None,
    }
}

/// `max(x, 0)`.
fn relu(op: OpRef<'_>) -> Option<ValueRef<'_>> {
    let (of, least) = with_constant(op.result(0), &["arith.maximumf", "arith.maxsi"])?;
    (least.to_bits() == 0).then_some(of)
}

/// What is requantized, how, and the least value that it is clamped to where that is not the least of the type:
/// `fptosi(clamp(roundeven(x * scale) + zero))`, where `x` is a float or an integer made one.
fn requantize(value: ValueRef<'_>) -> Option<(ValueRef<'_>, Function, Option<i32>)> {
    let to = element_type(value.ty()).filter(|to| !to.is_float() && to.size() == 1)?;
    let name = if to == ElementType::I8 { "arith.fptosi" } else { "arith.fptoui" };
    let [clamped] = operands(value, &[name])?[..] else { return None };
    let max = ["arith.maximumf", "arith.maxnumf"];
    let min = ["arith.minimumf", "arith.minnumf"];
    let below = |value| with_constant(value, &min);
    let above = |value| with_constant(value, &max);
    let (inner, low, high) = match (below(clamped), above(clamped)) {
        (Some((inner, high)), None) => above(inner).map(|(inner, low)| (inner, low, high)),
        (None, Some((inner, low))) => below(inner).map(|(inner, high)| (inner, low, high)),
        _ => None,
    }?;
    let (least, greatest) = to.integer_range();
    let is = |number: f64, bound: i64| number.to_bits() == (bound as f64).to_bits();
    is(high, greatest).then_some(())?;
    let (rounded, zero) = with_constant(inner, &["arith.addf"]).unwrap_or((inner, 0.0));
    let [scaled] = operands(rounded, &["math.roundeven"])?[..] else { return None };
    let (of, scale) = with_constant(scaled, &["arith.mulf"])?;
    let is_f32 = element_type(of.ty()) == Some(ElementType::F32);
    let fits = zero.fract() == 0.0 && (least as f64..=greatest as f64).contains(&zero);
    (is_f32 && scale.is_finite() && scale > 0.0 && fits).then_some(())?;
    // A zero that is negative is zero.
    let (zero, low) = (zero as i32, low + 0.0);
    let clamp = if is(low, least) { None } else { is(low, zero.into()).then_some(Some(0))? };
    let of = match operands(of, &["arith.sitofp"]).as_deref() {
        Some(&[integer]) if element_type(integer.ty()) == Some(ElementType::I32) => integer,
        _ => of,
    };
    Some((of, Function::Requantize { scale: scale as f32, zero }, clamp))
}

/// What is dequantized: `sitofp(x - zero) * scale`, where `x` may be a narrow integer that is widened.
fn dequantize(value: ValueRef<'_>) -> Option<(ValueRef<'_>, Function)> {
    (element_type(value.ty()) == Some(ElementType::F32)).then_some(())?;
    let (product, scale) = with_constant(value, &["arith.mulf"])?;
    let [wide] = operands(product, &["arith.sitofp"])?[..] else { return None };
    // `zero - x` is another thing.
    let (centred, zero) = match operands(wide, &["arith.subi"]).as_deref() {
        Some(&[centred, zero]) => (centred, zero.constant()?.as_int()?),
        _ => (wide, 0),
    };
    let of = match operands(centred, &["arith.extsi"]).as_deref() {
        Some(&[narrow]) => narrow,
        _ => centred,
    };
    // The difference of wide integers could wrap.
    let element = element_type(of.ty()).filter(|element| !element.is_float())?;
    let (least, greatest) = element.integer_range();
    ((least..=greatest).contains(&zero) && (element.size() == 1 || zero == 0)).then_some(())?;
    Some((of, Function::Dequantize { scale: scale as f32, zero: zero as i32 }))
}
