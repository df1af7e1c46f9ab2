//! What a type is made of.

use super::Type;
use crate::attributes::Attr;
use crate::entity::Ident;

/// How the sign of an integer type is read.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Signedness {
    /// `i32`: the operation decides.
    Signless,
    /// `si32`.
    Signed,
    /// `ui32`.
    Unsigned,
}

/// The floating-point formats of MLIR. Layouts are described in [`crate::number::float`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[expect(missing_docs, reason = "each variant is named after the format, which `keyword` spells")]
pub enum FloatKind {
    F4E2M1FN,
    F6E2M3FN,
    F6E3M2FN,
    F8E5M2,
    F8E4M3,
    F8E4M3FN,
    F8E5M2FNUZ,
    F8E4M3FNUZ,
    F8E4M3B11FNUZ,
    F8E3M4,
    F8E8M0FNU,
    BF16,
    F16,
    TF32,
    F32,
    F64,
    F80,
    F128,
}

impl FloatKind {
    /// Every kind, narrowest first.
    pub const ALL: [Self; 18] = {
        use FloatKind as F;
        [
            F::F4E2M1FN,
            F::F6E2M3FN,
            F::F6E3M2FN,
            F::F8E5M2,
            F::F8E4M3,
            F::F8E4M3FN,
            F::F8E5M2FNUZ,
            F::F8E4M3FNUZ,
            F::F8E4M3B11FNUZ,
            F::F8E3M4,
            F::F8E8M0FNU,
            F::BF16,
            F::F16,
            F::TF32,
            F::F32,
            F::F64,
            F::F80,
            F::F128,
        ]
    };

    /// The spelling in the text form, as `f32`.
    pub const fn keyword(self) -> &'static str {
        match self {
            Self::F4E2M1FN => "f4E2M1FN",
            Self::F6E2M3FN => "f6E2M3FN",
            Self::F6E3M2FN => "f6E3M2FN",
            Self::F8E5M2 => "f8E5M2",
            Self::F8E4M3 => "f8E4M3",
            Self::F8E4M3FN => "f8E4M3FN",
            Self::F8E5M2FNUZ => "f8E5M2FNUZ",
            Self::F8E4M3FNUZ => "f8E4M3FNUZ",
            Self::F8E4M3B11FNUZ => "f8E4M3B11FNUZ",
            Self::F8E3M4 => "f8E3M4",
            Self::F8E8M0FNU => "f8E8M0FNU",
            Self::BF16 => "bf16",
            Self::F16 => "f16",
            Self::TF32 => "tf32",
            Self::F32 => "f32",
            Self::F64 => "f64",
            Self::F80 => "f80",
            Self::F128 => "f128",
        }
    }

    /// Bits of storage. `tf32` has 19.
    pub const fn width(self) -> u32 {
        match self {
            Self::F4E2M1FN => 4,
            Self::F6E2M3FN | Self::F6E3M2FN => 6,
            Self::F8E5M2
            | Self::F8E4M3
            | Self::F8E4M3FN
            | Self::F8E5M2FNUZ
            | Self::F8E4M3FNUZ
            | Self::F8E4M3B11FNUZ
            | Self::F8E3M4
            | Self::F8E8M0FNU => 8,
            Self::BF16 | Self::F16 => 16,
            Self::TF32 => 19,
            Self::F32 => 32,
            Self::F64 => 64,
            Self::F80 => 80,
            Self::F128 => 128,
        }
    }
}

/// The data of a type. Shapes use [`DYNAMIC`](super::DYNAMIC) for `?`.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
#[expect(missing_docs, reason = "the fields are those of the text form")]
pub enum TypeData {
    /// `i32`, `si8`, `ui1`. At most 2^24 - 1 bits.
    Integer { width: u32, signedness: Signedness },
    /// `index`: as wide as a pointer, 64 bits when folded.
    Index,
    /// `f32` and its kin.
    Float(FloatKind),
    /// `none`.
    None,
    /// `complex<f32>`.
    Complex(Type),
    /// `vector<4x[8]xf32>`; `scalable` marks the dimensions in brackets and is empty when there are none.
    Vector { shape: Box<[i64]>, scalable: Box<[bool]>, element: Type },
    /// `tensor<4x?xf32, #encoding>`.
    RankedTensor { shape: Box<[i64]>, element: Type, encoding: Option<Attr> },
    /// `tensor<*xf32>`.
    UnrankedTensor { element: Type },
    /// `memref<4x?xf32, layout, space>`. The identity layout is `None`.
    MemRef { shape: Box<[i64]>, element: Type, layout: Option<Attr>, space: Option<Attr> },
    /// `memref<*xf32, space>`.
    UnrankedMemRef { element: Type, space: Option<Attr> },
    /// `(i32, f32) -> index`.
    Function { inputs: Box<[Type]>, results: Box<[Type]> },
    /// `tuple<i32, f32>`.
    Tuple(Box<[Type]>),
    /// `!dialect<"data">` or `!dialect.anything<...>` of a dialect that is not registered.
    Opaque { dialect: Ident, data: Box<str> },
    /// `!dialect.mnemonic<params>` of a registered dialect. `name` is `dialect.mnemonic`; parameters are attributes, in the
    /// order of the definition of the type; an absent optional parameter is the `unit` attribute.
    Dialect { name: Ident, params: Box<[Attr]> },
}
