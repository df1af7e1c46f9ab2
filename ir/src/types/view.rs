//! Reading types.

use std::fmt;

use super::{DYNAMIC, FloatKind, Signedness, Type, TypeData};
use crate::attributes::{Attr, AttrRef};
use crate::context::Context;

/// A type with its context. Compares by identity; `Display` writes the text form.
#[derive(Clone, Copy)]
pub struct TypeRef<'c> {
    cx: &'c Context,
    id: Type,
}

impl<'c> TypeRef<'c> {
    /// A view of `id`.
    #[inline]
    pub fn new(cx: &'c Context, id: Type) -> Self {
        Self { cx, id }
    }

    /// The handle, which is equal for equal ones of a context.
    #[inline]
    pub fn id(self) -> Type {
        self.id
    }

    /// The context that it belongs to.
    pub fn cx(self) -> &'c Context {
        self.cx
    }

    /// What it is made of.
    #[inline]
    pub fn data(self) -> &'c TypeData {
        self.cx.type_data(self.id)
    }

    // Scalars.

    /// Whether it is any integer, signless or not; not `index`.
    pub fn is_integer(self) -> bool {
        matches!(self.data(), TypeData::Integer { .. })
    }

    /// Whether it is a signless integer type: `i32`.
    pub fn is_signless_integer(self) -> bool {
        matches!(self.data(), TypeData::Integer { signedness: Signedness::Signless, .. })
    }

    /// Whether it is a signed integer type: `si32`.
    pub fn is_signed_integer(self) -> bool {
        matches!(self.data(), TypeData::Integer { signedness: Signedness::Signed, .. })
    }

    /// Whether it is an unsigned integer type: `ui32`.
    pub fn is_unsigned_integer(self) -> bool {
        matches!(self.data(), TypeData::Integer { signedness: Signedness::Unsigned, .. })
    }

    /// An integer of `width` bits, signless or not.
    pub fn is_integer_of(self, width: u32) -> bool {
        self.int_width() == Some(width)
    }

    /// Whether it is the signless integer type of this width in bits.
    pub fn is_signless_integer_of(self, width: u32) -> bool {
        self.is_signless_integer() && self.is_integer_of(width)
    }

    /// Bits of an integer type. `index` has none.
    pub fn int_width(self) -> Option<u32> {
        match self.data() {
            TypeData::Integer { width, .. } => Some(*width),
            _ => None,
        }
    }

    /// Whether it is `index`.
    #[inline]
    pub fn is_index(self) -> bool {
        matches!(self.data(), TypeData::Index)
    }

    /// A signless integer or `index`.
    pub fn is_signless_integer_or_index(self) -> bool {
        self.is_signless_integer() || self.is_index()
    }

    /// Whether it is any floating-point type.
    pub fn is_float(self) -> bool {
        matches!(self.data(), TypeData::Float(_))
    }

    /// The format of a floating-point type.
    pub fn float_kind(self) -> Option<FloatKind> {
        match self.data() {
            TypeData::Float(kind) => Some(*kind),
            _ => None,
        }
    }

    /// Whether it is a complex type: `complex<f32>`.
    pub fn is_complex(self) -> bool {
        matches!(self.data(), TypeData::Complex(_))
    }

    /// Integer, `index` or float.
    pub fn is_int_or_index_or_float(self) -> bool {
        matches!(self.data(), TypeData::Integer { .. } | TypeData::Index | TypeData::Float(_))
    }

    /// Bits of an integer or floating-point type.
    pub fn int_or_float_width(self) -> Option<u32> {
        self.int_width().or_else(|| self.float_kind().map(FloatKind::width))
    }

    /// Bits of one number of this type in dense storage: those of the type, 64 for `index`.
    pub fn storage_bits(self) -> Option<u32> {
        if self.is_index() { Some(64) } else { self.int_or_float_width() }
    }

    /// Whether it is `none`.
    pub fn is_none(self) -> bool {
        matches!(self.data(), TypeData::None)
    }

    // Shaped types.

    /// Whether it is a vector type: `vector<4x[8]xf32>`.
    pub fn is_vector(self) -> bool {
        matches!(self.data(), TypeData::Vector { .. })
    }

    /// A vector with at least one scalable dimension.
    pub fn is_scalable_vector(self) -> bool {
        self.scalable_dims().contains(&true)
    }

    /// For a vector with scalable dimensions, which ones are; empty otherwise.
    pub fn scalable_dims(self) -> &'c [bool] {
        match self.data() {
            TypeData::Vector { scalable, .. } => scalable,
            _ => &[],
        }
    }

    /// Whether it is a tensor type with a rank: `tensor<4x?xf32>`.
    pub fn is_ranked_tensor(self) -> bool {
        matches!(self.data(), TypeData::RankedTensor { .. })
    }

    /// Whether it is a tensor type without a rank: `tensor<*xf32>`.
    pub fn is_unranked_tensor(self) -> bool {
        matches!(self.data(), TypeData::UnrankedTensor { .. })
    }

    /// Whether it is a tensor type, with a rank or not.
    pub fn is_tensor(self) -> bool {
        self.is_ranked_tensor() || self.is_unranked_tensor()
    }

    /// Whether it is a memref type with a rank: `memref<4x?xf32>`.
    pub fn is_ranked_memref(self) -> bool {
        matches!(self.data(), TypeData::MemRef { .. })
    }

    /// Whether it is a memref type without a rank: `memref<*xf32>`.
    pub fn is_unranked_memref(self) -> bool {
        matches!(self.data(), TypeData::UnrankedMemRef { .. })
    }

    /// Whether it is a memref type, with a rank or not.
    pub fn is_memref(self) -> bool {
        self.is_ranked_memref() || self.is_unranked_memref()
    }

    /// Vector, tensor or memref.
    #[inline]
    pub fn is_shaped(self) -> bool {
        self.is_vector() || self.is_tensor() || self.is_memref()
    }

    /// Element type of a vector, tensor, memref or complex type.
    pub fn element_type(self) -> Option<TypeRef<'c>> {
        match self.data() {
            TypeData::Vector { element, .. }
            | TypeData::RankedTensor { element, .. }
            | TypeData::UnrankedTensor { element }
            | TypeData::MemRef { element, .. }
            | TypeData::UnrankedMemRef { element, .. }
            | TypeData::Complex(element) => Some(self.cx.ty(*element)),
            _ => None,
        }
    }

    /// The element type of a shaped type, else the type itself.
    pub fn element_or_self(self) -> TypeRef<'c> {
        if self.is_shaped() { self.element_type().unwrap_or(self) } else { self }
    }

    /// Extents of a ranked shaped type, [`DYNAMIC`] for `?`.
    pub fn shape(self) -> Option<&'c [i64]> {
        match self.data() {
            TypeData::Vector { shape, .. } | TypeData::RankedTensor { shape, .. } | TypeData::MemRef { shape, .. } => {
                Some(shape)
            }
            _ => None,
        }
    }

    /// Whether it is shaped and its rank is known.
    pub fn has_rank(self) -> bool {
        self.shape().is_some()
    }

    /// Number of dimensions, if known.
    pub fn rank(self) -> Option<usize> {
        self.shape().map(<[i64]>::len)
    }

    /// Whether all extents are known.
    pub fn has_static_shape(self) -> bool {
        self.shape().is_some_and(|shape| !shape.contains(&DYNAMIC))
    }

    /// Number of dynamic extents of a ranked type.
    pub fn num_dynamic_dims(self) -> usize {
        self.shape().map_or(0, |shape| shape.iter().filter(|&&d| d == DYNAMIC).count())
    }

    /// Number of elements of a static shape; `None` when it is dynamic or does not fit 64 bits.
    pub fn num_elements(self) -> Option<u64> {
        let shape = self.shape()?;
        shape.iter().try_fold(1_u64, |n, &d| n.checked_mul(u64::try_from(d).ok()?))
    }

    /// The encoding of a ranked tensor.
    pub fn encoding(self) -> Option<AttrRef<'c>> {
        match self.data() {
            TypeData::RankedTensor { encoding, .. } => encoding.map(|attr| self.cx.attr(attr)),
            _ => None,
        }
    }

    /// The layout of a memref, `None` for the identity.
    pub fn memref_layout(self) -> Option<AttrRef<'c>> {
        match self.data() {
            TypeData::MemRef { layout, .. } => layout.map(|attr| self.cx.attr(attr)),
            _ => None,
        }
    }

    /// The memory space of a memref, `None` for the default one.
    pub fn memory_space(self) -> Option<AttrRef<'c>> {
        match self.data() {
            TypeData::MemRef { space, .. } | TypeData::UnrankedMemRef { space, .. } => {
                space.map(|attr| self.cx.attr(attr))
            }
            _ => None,
        }
    }

    /// The same shaped type with other extents. `None` when it is not ranked.
    pub fn with_shape(self, shape: &[i64]) -> Option<Type> {
        let shape: Box<[i64]> = shape.into();
        let data = match self.data() {
            TypeData::Vector { scalable, element, .. } => {
                TypeData::Vector { shape, scalable: scalable.clone(), element: *element }
            }
            TypeData::RankedTensor { element, encoding, .. } => {
                TypeData::RankedTensor { shape, element: *element, encoding: *encoding }
            }
            TypeData::MemRef { element, layout, space, .. } => {
                TypeData::MemRef { shape, element: *element, layout: *layout, space: *space }
            }
            _ => return None,
        };
        Some(self.cx.intern_type(data))
    }

    /// The same shaped type (or a scalar) with another element type.
    pub fn with_element(self, new: Type) -> Type {
        let mut data = self.data().clone();
        match &mut data {
            TypeData::Vector { element, .. }
            | TypeData::RankedTensor { element, .. }
            | TypeData::UnrankedTensor { element }
            | TypeData::MemRef { element, .. }
            | TypeData::UnrankedMemRef { element, .. } => *element = new,
            _ => return new,
        }
        self.cx.intern_type(data)
    }

    // Others.

    /// Whether it is a function type: `(i32) -> f32`.
    pub fn is_function(self) -> bool {
        matches!(self.data(), TypeData::Function { .. })
    }

    /// Inputs of a function type; empty for others.
    pub fn inputs(self) -> &'c [Type] {
        match self.data() {
            TypeData::Function { inputs, .. } => inputs,
            _ => &[],
        }
    }

    /// Results of a function type; empty for others.
    pub fn results(self) -> &'c [Type] {
        match self.data() {
            TypeData::Function { results, .. } => results,
            _ => &[],
        }
    }

    /// Whether it is a tuple type: `tuple<i32, f32>`.
    pub fn is_tuple(self) -> bool {
        matches!(self.data(), TypeData::Tuple(_))
    }

    /// `!name` or `!name<...>`; `name` is `dialect.mnemonic`.
    pub fn is_dialect_type(self, name: &str) -> bool {
        matches!(self.data(), TypeData::Dialect { name: n, .. } if self.cx.str(*n) == name)
    }

    /// The parameters of a dialect type; empty for others.
    pub fn params(self) -> &'c [Attr] {
        match self.data() {
            TypeData::Dialect { params, .. } => params,
            _ => &[],
        }
    }
}

impl PartialEq for TypeRef<'_> {
    fn eq(&self, other: &Self) -> bool {
        self.id == other.id
    }
}

impl Eq for TypeRef<'_> {}

impl PartialEq<Type> for TypeRef<'_> {
    fn eq(&self, other: &Type) -> bool {
        self.id == *other
    }
}

impl From<TypeRef<'_>> for Type {
    fn from(ty: TypeRef<'_>) -> Self {
        ty.id
    }
}

impl fmt::Display for TypeRef<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&crate::text::type_text(self.cx, self.id))
    }
}

impl fmt::Debug for TypeRef<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{self}")
    }
}
