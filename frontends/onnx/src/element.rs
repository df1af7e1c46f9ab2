//! Element types of ONNX tensors.

use dl_ir::number::float;
use dl_ir::{Context, FloatKind, Type};

/// The element type of a tensor. Integers of the program carry no sign, so the importer keeps it here.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[expect(missing_docs, reason = "the names say it")]
pub enum Element {
    F32,
    F64,
    F16,
    BF16,
    F8E4M3FN,
    F8E4M3FNUZ,
    F8E5M2,
    F8E5M2FNUZ,
    I4,
    I8,
    I16,
    I32,
    I64,
    U4,
    U8,
    U16,
    U32,
    U64,
    Bool,
}

use Element::{
    BF16, Bool, F8E4M3FN, F8E4M3FNUZ, F8E5M2, F8E5M2FNUZ, F16, F32, F64, I4, I8, I16, I32, I64, U4, U8, U16, U32, U64,
};

impl Element {
    /// The type that `TensorProto.DataType` gives this number, if programs can have it.
    ///
    /// # Errors
    /// What the number stands for instead.
    pub fn of_code(code: i32) -> Result<Self, String> {
        Ok(match code {
            1 => F32,
            2 => U8,
            3 => I8,
            4 => U16,
            5 => I16,
            6 => I32,
            7 => I64,
            9 => Bool,
            10 => F16,
            11 => F64,
            12 => U32,
            13 => U64,
            16 => BF16,
            17 => F8E4M3FN,
            18 => F8E4M3FNUZ,
            19 => F8E5M2,
            20 => F8E5M2FNUZ,
            21 => U4,
            22 => I4,
            _ => return Err(format!("unsupported: element type {}", name_of_code(code))),
        })
    }

    /// As ONNX writes it in type constraints.
    pub const fn name(self) -> &'static str {
        match self {
            F32 => "float",
            F64 => "double",
            F16 => "float16",
            BF16 => "bfloat16",
            F8E4M3FN => "float8e4m3fn",
            F8E4M3FNUZ => "float8e4m3fnuz",
            F8E5M2 => "float8e5m2",
            F8E5M2FNUZ => "float8e5m2fnuz",
            I4 => "int4",
            I8 => "int8",
            I16 => "int16",
            I32 => "int32",
            I64 => "int64",
            U4 => "uint4",
            U8 => "uint8",
            U16 => "uint16",
            U32 => "uint32",
            U64 => "uint64",
            Bool => "bool",
        }
    }

    /// Bytes an element takes in the program.
    pub const fn bytes(self) -> usize {
        match self {
            Bool | I4 | I8 | U4 | U8 | F8E4M3FN | F8E4M3FNUZ | F8E5M2 | F8E5M2FNUZ => 1,
            F16 | BF16 | I16 | U16 => 2,
            F32 | I32 | U32 => 4,
            F64 | I64 | U64 => 8,
        }
    }

    /// Bits of a number of this type.
    pub const fn width(self) -> u32 {
        match self {
            Bool => 1,
            I4 | U4 => 4,
            other => other.bytes() as u32 * 8,
        }
    }

    /// Whether it is a floating-point type.
    pub const fn is_float(self) -> bool {
        self.float_kind().is_some()
    }

    /// The format of a floating-point type.
    pub const fn float_kind(self) -> Option<FloatKind> {
        Some(match self {
            F32 => FloatKind::F32,
            F64 => FloatKind::F64,
            F16 => FloatKind::F16,
            BF16 => FloatKind::BF16,
            F8E4M3FN => FloatKind::F8E4M3FN,
            F8E4M3FNUZ => FloatKind::F8E4M3FNUZ,
            F8E5M2 => FloatKind::F8E5M2,
            F8E5M2FNUZ => FloatKind::F8E5M2FNUZ,
            _ => return None,
        })
    }

    /// Whether it is a floating-point type of 8 bits.
    pub const fn is_f8(self) -> bool {
        matches!(self, F8E4M3FN | F8E4M3FNUZ | F8E5M2 | F8E5M2FNUZ)
    }

    /// The integer type of a byte in which the program has this one of 4 bits, extended; others are themselves.
    pub const fn stored(self) -> Self {
        match self {
            I4 => I8,
            U4 => U8,
            other => other,
        }
    }

    /// Whether it is an integer type with a sign.
    pub const fn is_signed(self) -> bool {
        matches!(self, I4 | I8 | I16 | I32 | I64)
    }

    /// Whether it is an integer type, `bool` not among them.
    pub const fn is_integer(self) -> bool {
        !self.is_float() && !matches!(self, Bool)
    }

    /// The type of one element in the program.
    pub fn ty(self, cx: &Context) -> Type {
        match self.float_kind() {
            Some(kind) => cx.float_type(kind),
            None => cx.int_type(self.stored().width()),
        }
    }

    /// The least value: minus infinity for floats.
    pub fn lowest(self) -> f64 {
        match self {
            _ if self.is_float() => f64::NEG_INFINITY,
            _ if self.is_signed() => -(2_f64.powi(self.width() as i32 - 1)),
            _ => 0.0,
        }
    }

    /// The least and the largest finite value.
    pub fn range(self) -> (f64, f64) {
        match self.float_kind() {
            Some(kind) => {
                let end = |negative| float::to_f64(kind, float::largest(kind, negative));
                (end(true), end(false))
            }
            None => (self.lowest(), 2_f64.powi(self.width() as i32 - i32::from(self.is_signed())) - 1.0),
        }
    }
}

/// The name of a number of `TensorProto.DataType`, for messages.
fn name_of_code(code: i32) -> String {
    let name = match code {
        0 => "undefined",
        8 => "string",
        14 => "complex64",
        15 => "complex128",
        23 => "float4e2m1",
        24 => "float8e8m0",
        _ => return code.to_string(),
    };
    name.to_owned()
}
