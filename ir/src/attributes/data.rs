//! What an attribute is made of.

use super::{Attr, DenseData};
use crate::affine::{AffineMap, IntegerSet};
use crate::entity::Ident;
use crate::location::Loc;
use crate::number::ApInt;
use crate::types::{StridedLayout, Type};

/// The encoding of a float, in the low bits.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct FloatBits([u64; 2]); // not a `u128`, whose alignment would make every attribute larger

impl FloatBits {
    /// As a number.
    pub const fn get(self) -> u128 {
        (self.0[1] as u128) << 64 | self.0[0] as u128
    }
}

impl From<u128> for FloatBits {
    fn from(bits: u128) -> Self {
        Self([bits as u64, (bits >> 64) as u64])
    }
}

/// The data of an attribute.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
#[expect(missing_docs, reason = "the fields are those of the text form")]
pub enum AttrData {
    /// `unit`: its presence is its meaning.
    Unit,
    /// `7 : i32`, `true` (an `i1`), `3 : index`. As wide as its type, 64 bits for `index`.
    Integer { ty: Type, value: ApInt },
    /// `1.0 : f32`. `bits` is the encoding in the type's format, in the low bits.
    Float { ty: Type, bits: FloatBits },
    /// `"text"`; `ty` is there for `"text" : !some.type`. Bytes, as MLIR's strings are: not always UTF-8.
    String { value: Box<[u8]>, ty: Option<Type> },
    /// `i32`.
    Type(Type),
    /// `[a, b]`.
    Array(Box<[Attr]>),
    /// `{name = attr}`, sorted by name, names distinct.
    Dictionary(Box<[(Ident, Attr)]>),
    /// `@root::@nested::@leaf`.
    SymbolRef { root: Ident, nested: Box<[Ident]> },
    /// `dense<...> : tensor<2xf32>`, for a statically shaped tensor or vector of integers, index, floats or complex numbers.
    DenseElements { ty: Type, data: DenseData },
    /// `dense<["a", "b"]> : tensor<2x!t>`; one string for a splat.
    DenseStrings { ty: Type, values: Box<[Box<[u8]>]> },
    /// `dense_resource<key> : tensor<2xf32>`.
    DenseResource { ty: Type, key: Ident },
    /// `sparse<indices, values> : tensor<9xf32>`.
    SparseElements { ty: Type, indices: Attr, values: Attr },
    /// `array<i32: 1, 2>`. `element` is `i1`, `i8` .. `i64`, `f32` or `f64`; little endian, one byte for an `i1`.
    DenseArray { element: Type, data: Box<[u8]> },
    /// `affine_map<(d0) -> (d0)>`.
    AffineMap(AffineMap),
    /// `affine_set<(d0) : (d0 >= 0)>`.
    IntegerSet(IntegerSet),
    /// `strided<[?, 1], offset: 4>`.
    Strided(Box<StridedLayout>),
    /// `loc(...)`.
    Location(Loc),
    /// `distinct[3]<attr>`: equal only to itself.
    Distinct { id: u64, referenced: Attr },
    /// `#dialect<"data">` or `#dialect.anything<...>` of a dialect that is not registered.
    Opaque { dialect: Ident, data: Ident, ty: Option<Type> },
    /// `#dialect.mnemonic<params>` of a registered dialect. `name` is `dialect.mnemonic`; parameters are attributes, in the
    /// order of the definition; an absent optional parameter is the `unit` attribute.
    Dialect { name: Ident, params: Box<[Attr]> },
}

const _: () = assert!(size_of::<AttrData>() == 24); // a program may have as many constants as operations
