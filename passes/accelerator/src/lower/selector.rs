//! Instructions for expressions of scalars.
//!
//! [`Selector`] covers the body of an element-wise operation with what the vector unit has, larger patterns first: a requantization is one instruction, not
//! six. Everything selected computes the same bits as the operations that it stands for, as far as they are finite and normal floats in `f32`. Of narrower
//! floats, what a function does in several steps is rounded once; and `math.rsqrt` is a quotient and a root, each rounded. A quotient is the product with the
//! reciprocal where `fastmath<arcp>` allows it and the unit has no division.

use dl_accelerator::types::element_type;
use dl_accelerator::{BinaryKind, UnaryKind};
use dl_arith::FastMathFlags;
use dl_arith::flags::fastmath;
use dl_ir::{Attr, BlockRef, OpRef, ValueId, ValueRef};
use dl_simulator::ElementType;
use dl_simulator::machine::Machine;

use super::select::{Function, Input, Shape, Source, Step};

/// Expressions deeper than this are left to the host.
const MOST_DEPTH: usize = 64;

/// Products of more factors are not looked at as parts of a function.
const MOST_FACTORS: usize = 8;

/// Covers an expression of scalars with instructions.
pub struct Selector<'a> {
    /// The machine.
    pub machine: &'a Machine,
    /// What is covered.
    pub body: BlockRef<'a>,
    /// What the arguments of the body are.
    pub arguments: Vec<Option<Source>>,
    /// What instructions read; constants of the body are added.
    pub inputs: Vec<Input>,
    /// The instructions so far.
    pub steps: Vec<Step>,
    /// What has been selected already.
    known: Vec<(ValueId, Source)>,
}

impl<'a> Selector<'a> {
    /// Nothing of `body` is selected yet.
    pub fn new(machine: &'a Machine, body: BlockRef<'a>, arguments: Vec<Option<Source>>, inputs: Vec<Input>) -> Self {
        Self { machine, body, arguments, inputs, steps: Vec::new(), known: Vec::new() }
    }

    /// The source that `value`, of the body, is once the steps have been done. `None` for what the unit cannot do; then `inputs` and `steps` hold parts of it.
    pub fn cover(&mut self, value: ValueRef<'a>) -> Option<Source> {
        self.value(value, MOST_DEPTH)
    }

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
            return Some(self.scalar(constant.id(), element));
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
        if let Some((operand, kind)) = function(op).filter(|&(_, kind)| self.has(Function::Unary(kind))) {
            let source = self.value(operand, depth)?;
            return self.step(Function::Unary(kind), vec![source], element, element);
        }
        if op.name() == "arith.divf" {
            return self.quotient(op, element, depth);
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
            (wide || matches!(kind, BinaryKind::Max | BinaryKind::Min)).then_some(())?;
            let operands = [self.value(op.operand(0), depth)?, self.value(op.operand(1), depth)?];
            return self.step(Function::Binary(kind), operands.to_vec(), element, element);
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

    /// `a / b`: as `a * (1 / b)` where that is the same or may be taken for it, as `1 / b` where `a` is one, or as a division.
    fn quotient(&mut self, op: OpRef<'a>, element: ElementType, depth: usize) -> Option<Source> {
        let (a, b) = (op.operand(0), op.operand(1));
        let number = |value: ValueRef<'_>| value.constant().and_then(dl_ir::AttrRef::as_f64);
        let allows_product = fastmath(op).contains(FastMathFlags::ARCP);
        let inverse = number(b).map(|divisor| (1.0 / divisor) as f32).filter(|inverse| inverse.is_normal());
        let is_exact = number(b).is_some_and(|divisor| divisor.to_bits().trailing_zeros() >= f64::MANTISSA_DIGITS - 1);
        if let Some(inverse) = inverse.filter(|_| element == ElementType::F32 && (is_exact || allows_product)) {
            let inverse = self.scalar(op.cx().f32_attr(inverse), element);
            let a = self.value(a, depth)?;
            return self.step(Function::Binary(BinaryKind::Mul), vec![a, inverse], element, element);
        }
        let (reciprocal, division) = (Function::Unary(UnaryKind::Reciprocal), Function::Binary(BinaryKind::Div));
        if number(a) == Some(1.0) && self.has(reciprocal) {
            let b = self.value(b, depth)?;
            return self.step(reciprocal, vec![b], element, element);
        }
        let [a, b] = [self.value(a, depth)?, self.value(b, depth)?];
        if self.has(division) || !allows_product {
            return self.step(division, vec![a, b], element, element);
        }
        let inverse = self.step(reciprocal, vec![b], element, element)?;
        self.step(Function::Binary(BinaryKind::Mul), vec![a, inverse], element, element)
    }

    /// A constant.
    pub fn scalar(&mut self, value: Attr, element: ElementType) -> Source {
        self.inputs.push(Input { shape: Shape::Scalar(value), element });
        Source::Input(self.inputs.len() - 1)
    }

    /// Whether the unit can do it.
    fn has(&self, function: Function) -> bool {
        self.machine.vector.as_ref().is_some_and(|unit| unit.cycles(function.vector()).is_some())
    }

    /// Appends an instruction, if the unit has it.
    pub fn step(
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

/// What of which operand several operations compute together.
fn function(op: OpRef<'_>) -> Option<(ValueRef<'_>, UnaryKind)> {
    let value = op.result(0);
    let found = [
        (relu as fn(ValueRef<'_>) -> Option<ValueRef<'_>>, UnaryKind::Relu),
        (sigmoid, UnaryKind::Sigmoid),
        (rsqrt, UnaryKind::Rsqrt),
        (gelu, UnaryKind::Gelu),
    ];
    found.into_iter().find_map(|(matches, kind)| Some((matches(value)?, kind)))
}

/// `max(x, 0)`.
fn relu(value: ValueRef<'_>) -> Option<ValueRef<'_>> {
    let (of, least) = with_constant(value, &["arith.maximumf", "arith.maxsi"])?;
    (least.to_bits() == 0).then_some(of)
}

/// The divisor of `1 / x`.
fn inverse(value: ValueRef<'_>) -> Option<ValueRef<'_>> {
    let [one, of] = operands(value, &["arith.divf"])?[..] else { return None };
    (one.constant()?.as_f64() == Some(1.0)).then_some(of)
}

/// `1 / (1 + exp(-x))`.
#[expect(clippy::float_cmp, reason = "the constant is this one or another")]
fn sigmoid(value: ValueRef<'_>) -> Option<ValueRef<'_>> {
    let (exp, one) = with_constant(inverse(value)?, &["arith.addf"])?;
    let [negative] = operands(exp, &["math.exp"])?[..] else { return None };
    let [of] = operands(negative, &["arith.negf"])?[..] else { return None };
    (one == 1.0).then_some(of)
}

/// `1 / sqrt(x)`.
fn rsqrt(value: ValueRef<'_>) -> Option<ValueRef<'_>> {
    let [of] = operands(inverse(value)?, &["math.sqrt"])?[..] else { return None };
    Some(of)
}

/// `x / 2 * (1 + erf(x / sqrt(2)))`, whatever the order of its factors.
#[expect(clippy::float_cmp, reason = "the constant is this one or another")]
fn gelu(value: ValueRef<'_>) -> Option<ValueRef<'_>> {
    let (_, factors) = factors(value, None)?;
    let (sum, x) = factors.into_iter().find_map(|factor| Some((factor, erf(factor)?)))?;
    let (scale, factors) = self::factors(value, Some(x.id()))?;
    let is_half = scale == 0.5 && factors.len() == 2;
    (is_half && [sum, x].iter().all(|of| factors.iter().any(|factor| factor.id() == of.id()))).then_some(x)
}

/// The factors of a product, but for its constants, whose product comes first; `whole` is not taken apart. `None` for many.
fn factors(value: ValueRef<'_>, whole: Option<ValueId>) -> Option<(f64, Vec<ValueRef<'_>>)> {
    let (mut open, mut scale, mut factors) = (vec![value], 1.0, Vec::new());
    while let Some(factor) = open.pop() {
        if let Some(constant) = factor.constant().and_then(dl_ir::AttrRef::as_f64) {
            scale *= constant;
        } else if let Some(both) = operands(factor, &["arith.mulf"]).filter(|_| whole != Some(factor.id())) {
            open.extend(both);
        } else {
            factors.push(factor);
        }
        (factors.len() + open.len() <= MOST_FACTORS).then_some(())?;
    }
    Some((scale, factors))
}

/// `x` of `1 + erf(x / sqrt(2))`.
#[expect(clippy::float_cmp, reason = "the constant is this one or another")]
fn erf(value: ValueRef<'_>) -> Option<ValueRef<'_>> {
    let (erf, one) = with_constant(value, &["arith.addf"])?;
    let [inner] = operands(erf, &["math.erf"])?[..] else { return None };
    let (x, factor) = with_constant(inner, &["arith.mulf"])?;
    (one == 1.0 && factor as f32 == std::f32::consts::FRAC_1_SQRT_2).then_some(x)
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
