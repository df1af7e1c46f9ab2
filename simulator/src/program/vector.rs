//! What the vector unit does.

use super::instruction::Tile;
use crate::ElementType;
use crate::machine::VectorFunction;

macro_rules! words {
    ($(#[$meta:meta])* $name:ident { $($(#[$doc:meta])* $variant:ident = $text:literal),* $(,)? }) => {
        $(#[$meta])*
        #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
        pub enum $name {
            $($(#[$doc])* $variant,)*
        }

        impl $name {
            /// All of them, in the order of their codes in a program.
            pub const ALL: [Self; [$($text),*].len()] = [$(Self::$variant),*];

            /// The name in descriptions and programs.
            pub const fn name(self) -> &'static str {
                match self {
                    $(Self::$variant => $text,)*
                }
            }
        }
    };
}

words! {
    /// A function of two elements of one type. `i8` and `ui8` saturate, `i32` wraps, floats are computed in `f32` and rounded.
    /// Only floats are divided.
    BinaryOp {
        /// `a + b`.
        Add = "add",
        /// `a - b`.
        Sub = "sub",
        /// `a * b`.
        Mul = "mul",
        /// The greater one; NaN if one is NaN.
        Max = "max",
        /// The smaller one; NaN if one is NaN.
        Min = "min",
        /// `a / b`.
        Div = "div",
    }
}

words! {
    /// A function of an element. Computed in `f32`, and rounded to the type of the result; between integer types without rounding, saturating. Each step of a
    /// formula is rounded to `f32`: a sum, a product, a quotient, and `exp`, `tanh`, `erf` and the square root, which are computed in `f64`.
    UnaryOp {
        /// The value, in another type or not.
        Copy = "copy",
        /// `max(a, 0)`.
        Relu = "relu",
        /// `-a`.
        Neg = "neg",
        /// `|a|`.
        Abs = "abs",
        /// e to the power of `a`.
        Exp = "exp",
        /// The hyperbolic tangent.
        Tanh = "tanh",
        /// `1 / (1 + exp(-a))`.
        Sigmoid = "sigmoid",
        /// `a / 2 * (1 + erf(a / sqrt(2)))`.
        Gelu = "gelu",
        /// `1 / a`.
        Reciprocal = "reciprocal",
        /// The square root.
        Sqrt = "sqrt",
        /// `1 / sqrt(a)`.
        Rsqrt = "rsqrt",
    }
}

words! {
    /// What becomes of a row. Columns in ascending order; sums of integers in `i32`, wrapping, sums of floats in `f32`.
    ReduceOp {
        /// Its sum.
        Sum = "reduce-sum",
        /// Its greatest element; NaN if there is one.
        Max = "reduce-max",
        /// Its smallest element; NaN if there is one.
        Min = "reduce-min",
    }
}

words! {
    /// What becomes of a window.
    PoolOp {
        /// Its greatest element.
        Max = "pool-max",
        /// Its mean: of integers, the sum divided by the count, halves away from zero; of floats, the sum in `f32` in row-major order, divided.
        Average = "pool-average",
    }
}

/// How a value is scaled.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Scale {
    /// By `multiplier * 2^(shift - 31)`, as gemmlowp and TFLite do it: a rounding doubling high multiplication after a shift to the left if `shift` is
    /// positive, followed by a rounding shift to the right if it is negative. `i32` only.
    Fixed {
        /// From 2^30 to 2^31 - 1, or 0.
        multiplier: i32,
        /// From -31 to 30.
        shift: i32,
    },
    /// By a float, in `f32`, then rounded to nearest even, as ONNX's `QuantizeLinear` does.
    Float(f32),
    /// As [`Scale::Fixed`], each column with its own: pairs of `i32`, multiplier and shift, in memory.
    FixedPerColumn,
    /// As [`Scale::Float`], each column with its own: `f32` in memory.
    FloatPerColumn,
}

impl Scale {
    /// Whether a second operand has it.
    pub const fn is_per_column(self) -> bool {
        matches!(self, Self::FixedPerColumn | Self::FloatPerColumn)
    }
}

/// Between a wide type and a narrow one.
///
/// To integers: `saturate(round(a * scale) + zero_point)`. To floats: `(a - zero_point) * scale`.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Requantize {
    /// Type of the operand.
    pub from: ElementType,
    /// Type of the result.
    pub to: ElementType,
    /// What stands for zero on the narrow side.
    pub zero_point: i32,
    /// The factor.
    pub scale: Scale,
}

/// Windows over an image: rows of the operand are its pixels, row by row; columns are channels.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Pool {
    /// What becomes of a window.
    pub op: PoolOp,
    /// Element type.
    pub element: ElementType,
    /// Height and width of the image that is read.
    pub image: [u32; 2],
    /// Height and width of windows.
    pub window: [u32; 2],
    /// Pixels from window to window.
    pub steps: [u32; 2],
}

impl Pool {
    /// Height and width of the result; nothing if no window fits, or a step is zero.
    pub fn output(&self) -> Option<[u32; 2]> {
        let extent = |i: usize| {
            let free = self.image[i].checked_sub(self.window[i])?;
            (self.window[i] > 0).then_some(())?;
            free.checked_div(self.steps[i]).map(|steps| steps + 1)
        };
        Some([extent(0)?, extent(1)?])
    }
}

/// What is computed.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum VectorOp {
    /// Of two operands.
    Binary(BinaryOp, ElementType),
    /// Of one.
    Unary(UnaryOp, ElementType, ElementType),
    /// Of each row; the result has one column.
    Reduce(ReduceOp, ElementType, ElementType),
    /// To a narrow integer from `i32` or `f32`.
    Requantize(Requantize),
    /// To a float from an integer; the scale is a float.
    Dequantize(Requantize),
    /// Of windows.
    Pool(Pool),
}

impl VectorOp {
    /// What the unit must be able to do.
    pub const fn function(&self) -> VectorFunction {
        match self {
            Self::Binary(op, _) => VectorFunction::Binary(*op),
            Self::Unary(op, ..) => VectorFunction::Unary(*op),
            Self::Reduce(op, ..) => VectorFunction::Reduce(*op),
            Self::Requantize(_) => VectorFunction::Requantize,
            Self::Dequantize(_) => VectorFunction::Dequantize,
            Self::Pool(Pool { op: PoolOp::Max, .. }) => VectorFunction::PoolMax,
            Self::Pool(_) => VectorFunction::PoolAverage,
        }
    }

    /// Types of operand and result.
    pub const fn types(&self) -> [ElementType; 2] {
        match self {
            Self::Binary(_, element) | Self::Pool(Pool { element, .. }) => [*element, *element],
            Self::Unary(_, from, to) | Self::Reduce(_, from, to) => [*from, *to],
            Self::Requantize(r) | Self::Dequantize(r) => [r.from, r.to],
        }
    }

    /// Whether there is a second operand.
    pub const fn has_second(&self) -> bool {
        match self {
            Self::Binary(..) => true,
            Self::Requantize(r) | Self::Dequantize(r) => r.scale.is_per_column(),
            _ => false,
        }
    }
}

/// A vector instruction.
#[derive(Clone, PartialEq, Debug)]
pub struct Vector {
    /// What is computed.
    pub op: VectorOp,
    /// Rows of the operand; of a pool, those of the result, which are pixels.
    pub rows: u32,
    /// Columns of the operand.
    pub columns: u32,
    /// Where results go.
    pub destination: Tile,
    /// The operand.
    pub first: Tile,
    /// The second operand of a [`VectorOp::Binary`]; for scales per column, the first of them: the stride from column to column counts.
    pub second: Option<Tile>,
}

impl Vector {
    /// Rows and columns of the result.
    pub fn destination_shape(&self) -> [u64; 2] {
        let columns = if matches!(self.op, VectorOp::Reduce(..)) { 1 } else { self.columns };
        [u64::from(self.rows), u64::from(columns)]
    }

    /// Rows and columns of the first operand.
    pub fn first_shape(&self) -> [u64; 2] {
        let rows = match self.op {
            VectorOp::Pool(pool) => u64::from(pool.image[0]) * u64::from(pool.image[1]),
            _ => u64::from(self.rows),
        };
        [rows, u64::from(self.columns)]
    }

    /// Type, rows and columns of the second operand, where the operation has one. A pair of multiplier and shift counts as two columns.
    pub fn second_shape(&self) -> Option<(ElementType, [u64; 2])> {
        let columns = u64::from(self.columns);
        match self.op {
            VectorOp::Binary(_, element) => Some((element, [u64::from(self.rows), columns])),
            VectorOp::Requantize(r) | VectorOp::Dequantize(r) => match r.scale {
                Scale::FixedPerColumn => Some((ElementType::I32, [columns, 2])),
                Scale::FloatPerColumn => Some((ElementType::F32, [columns, 1])),
                _ => None,
            },
            _ => None,
        }
    }

    /// Elements that pass through the unit, which its time depends on.
    pub fn elements(&self) -> u64 {
        let each = match self.op {
            VectorOp::Pool(pool) => u64::from(pool.window[0]) * u64::from(pool.window[1]),
            _ => 1,
        };
        u64::from(self.rows).saturating_mul(u64::from(self.columns)).saturating_mul(each)
    }
}
