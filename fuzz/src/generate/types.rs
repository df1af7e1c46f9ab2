//! Types of the values of generated programs.

use std::fmt;

/// A number.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Scalar {
    /// An integer of so many bits.
    Int(u32),
    Index,
    F32,
    F64,
}

impl Scalar {
    pub(super) fn is_float(self) -> bool {
        matches!(self, Self::F32 | Self::F64)
    }
}

impl fmt::Display for Scalar {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Int(width) => write!(f, "i{width}"),
            Self::Index => f.write_str("index"),
            Self::F32 => f.write_str("f32"),
            Self::F64 => f.write_str("f64"),
        }
    }
}

/// What holds elements.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Kind {
    Tensor,
    MemRef,
    Vector,
}

/// A type. Extents are known to the generator, all of them; how many are written as `?` is up to the type.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Ty {
    Scalar(Scalar),
    Shaped { kind: Kind, shape: Vec<i64>, element: Scalar, dynamic: bool },
}

impl Ty {
    pub(super) const I1: Self = Self::Scalar(Scalar::Int(1));
    pub(super) const INDEX: Self = Self::Scalar(Scalar::Index);

    pub(super) fn shaped(kind: Kind, shape: &[i64], element: Scalar) -> Self {
        Self::Shaped { kind, shape: shape.to_vec(), element, dynamic: false }
    }

    pub(super) fn tensor(shape: &[i64], element: Scalar) -> Self {
        Self::shaped(Kind::Tensor, shape, element)
    }

    pub(super) fn memref(shape: &[i64], element: Scalar) -> Self {
        Self::shaped(Kind::MemRef, shape, element)
    }

    pub(super) fn vector(shape: &[i64], element: Scalar) -> Self {
        Self::shaped(Kind::Vector, shape, element)
    }

    /// The scalar that it is or consists of.
    pub(super) fn element(&self) -> Scalar {
        match self {
            Self::Scalar(scalar) => *scalar,
            Self::Shaped { element, .. } => *element,
        }
    }

    /// Its extents, as they are when it runs.
    pub(super) fn shape(&self) -> &[i64] {
        match self {
            Self::Scalar(_) => &[],
            Self::Shaped { shape, .. } => shape,
        }
    }

    pub(super) fn is(&self, of: Kind) -> bool {
        matches!(self, Self::Shaped { kind, .. } if *kind == of)
    }

    /// With these elements instead.
    pub(super) fn of(&self, element: Scalar) -> Self {
        match self {
            Self::Scalar(_) => Self::Scalar(element),
            Self::Shaped { kind, shape, dynamic, .. } => {
                Self::Shaped { kind: *kind, shape: shape.clone(), element, dynamic: *dynamic }
            }
        }
    }
}

impl fmt::Display for Ty {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Scalar(scalar) => scalar.fmt(f),
            Self::Shaped { kind, shape, element, dynamic } => {
                f.write_str(match kind {
                    Kind::Tensor => "tensor<",
                    Kind::MemRef => "memref<",
                    Kind::Vector => "vector<",
                })?;
                for (at, extent) in shape.iter().enumerate() {
                    if *dynamic && at == 0 { f.write_str("?x")? } else { write!(f, "{extent}x")? }
                }
                write!(f, "{element}>")
            }
        }
    }
}
