//! Constructors of attributes, on the context.

use super::{Attr, AttrData};
use crate::affine::AffineMap;
use crate::context::Context;
use crate::entity::Ident;
use crate::number::{ApInt, float};
use crate::types::{FloatKind, StridedLayout, Type, TypeData};

impl Context {
    /// The attribute `unit`.
    pub fn unit_attr(&self) -> Attr {
        self.common().unit
    }

    /// The attribute `true` or `false`.
    pub fn bool_attr(&self, value: bool) -> Attr {
        self.intern_attr(AttrData::Integer { ty: self.i1_type(), value: ApInt::from_u64(1, u64::from(value)) })
    }

    /// `value : ty`, for an integer type or `index`. The value wraps to the type's width.
    ///
    /// # Panics
    /// When `ty` is neither.
    pub fn int_attr(&self, ty: Type, value: i64) -> Attr {
        let width = match self.type_data(ty) {
            TypeData::Integer { width, .. } => *width,
            TypeData::Index => 64,
            _ => panic!("an integer attribute has an integer type, not {}", self.ty(ty)),
        };
        self.intern_attr(AttrData::Integer { ty, value: ApInt::from_i64(width, value) })
    }

    /// `value : ty` of any width.
    pub fn ap_int_attr(&self, ty: Type, value: ApInt) -> Attr {
        self.intern_attr(AttrData::Integer { ty, value })
    }

    /// The attribute `value : i32`.
    pub fn i32_attr(&self, value: i32) -> Attr {
        self.int_attr(self.i32_type(), i64::from(value))
    }

    /// The attribute `value : i64`.
    pub fn i64_attr(&self, value: i64) -> Attr {
        self.int_attr(self.i64_type(), value)
    }

    /// The attribute `value : index`.
    pub fn index_attr(&self, value: i64) -> Attr {
        self.int_attr(self.index_type(), value)
    }

    /// `value : ty`, rounded to the type's format.
    ///
    /// # Panics
    /// When `ty` is not a floating-point type.
    pub fn float_attr(&self, ty: Type, value: f64) -> Attr {
        let kind = self.ty(ty).float_kind().expect("a float attribute has a floating-point type");
        self.intern_attr(AttrData::Float { ty, bits: float::from_f64(kind, value).0.into() })
    }

    /// The float whose encoding is `bits`.
    pub fn float_bits_attr(&self, ty: Type, bits: u128) -> Attr {
        self.intern_attr(AttrData::Float { ty, bits: bits.into() })
    }

    /// The attribute `value : f32`.
    pub fn f32_attr(&self, value: f32) -> Attr {
        let ty = self.float_type(FloatKind::F32);
        self.intern_attr(AttrData::Float { ty, bits: u128::from(value.to_bits()).into() })
    }

    /// The zero of an integer, index or float type; of a statically shaped tensor or vector of them, the splat.
    pub fn zero_attr(&self, ty: Type) -> Option<Attr> {
        self.small_int_constant(ty, 0)
    }

    /// The one of an integer, index or float type, or the splat of it.
    pub fn one_attr(&self, ty: Type) -> Option<Attr> {
        self.small_int_constant(ty, 1)
    }

    fn small_int_constant(&self, ty: Type, value: i64) -> Option<Attr> {
        let view = self.ty(ty);
        if view.is_float() {
            return Some(self.float_attr(ty, value as f64));
        }
        if view.is_integer() || view.is_index() {
            return Some(self.int_attr(ty, value));
        }
        if (view.is_vector() || view.is_ranked_tensor()) && view.has_static_shape() {
            let element = self.small_int_constant(view.element_type()?.id(), value)?;
            return self.splat_attr(ty, element);
        }
        None
    }

    /// The attribute `"text"`.
    pub fn string_attr(&self, text: &str) -> Attr {
        self.intern_attr(AttrData::String { value: text.as_bytes().into(), ty: None })
    }

    /// A type as an attribute.
    pub fn type_attr(&self, ty: Type) -> Attr {
        self.intern_attr(AttrData::Type(ty))
    }

    /// The attribute `[elements]`.
    pub fn array_attr(&self, elements: &[Attr]) -> Attr {
        self.intern_attr(AttrData::Array(elements.into()))
    }

    /// `{name = value, ...}`, sorted here; of equal names the last one counts.
    pub fn dictionary_attr(&self, entries: &[(Ident, Attr)]) -> Attr {
        let mut sorted: Vec<(Ident, Attr)> = entries.to_vec();
        sorted.sort_by(|a, b| self.str(a.0).cmp(self.str(b.0)));
        sorted.reverse();
        sorted.dedup_by_key(|(name, _)| *name);
        sorted.reverse();
        self.intern_attr(AttrData::Dictionary(sorted.into()))
    }

    /// The attribute `@name`.
    pub fn symbol_ref_attr(&self, name: &str) -> Attr {
        self.intern_attr(AttrData::SymbolRef { root: self.ident(name), nested: Box::default() })
    }

    /// The attribute `affine_map<...>`.
    pub fn affine_map_attr(&self, map: AffineMap) -> Attr {
        self.intern_attr(AttrData::AffineMap(map))
    }

    /// The attribute `array<i64: ...>`.
    pub fn dense_i64_array(&self, values: &[i64]) -> Attr {
        let data = values.iter().flat_map(|v| v.to_le_bytes()).collect();
        self.intern_attr(AttrData::DenseArray { element: self.i64_type(), data })
    }

    /// The attribute `array<i32: ...>`.
    pub fn dense_i32_array(&self, values: &[i32]) -> Attr {
        let data = values.iter().flat_map(|v| v.to_le_bytes()).collect();
        self.intern_attr(AttrData::DenseArray { element: self.i32_type(), data })
    }

    /// The attribute `array<i1: ...>`.
    pub fn dense_bool_array(&self, values: &[bool]) -> Attr {
        let data = values.iter().map(|&v| u8::from(v)).collect();
        self.intern_attr(AttrData::DenseArray { element: self.i1_type(), data })
    }

    /// `dense<element> : ty`. `None` when `element` is not a number or `ty` is not a static tensor or vector. A complex number is an array of
    /// its two parts.
    pub fn splat_attr(&self, ty: Type, element: Attr) -> Option<Attr> {
        let bytes = self.attr(element).element_bytes(self.ty(ty).element_type()?)?;
        self.ty(ty).num_elements()?;
        Some(self.intern_attr(AttrData::DenseElements { ty, data: super::DenseData::splat(bytes) }))
    }

    /// `dense<[elements]> : ty` from one number attribute an element, in row-major order; a complex number is an array of its two parts. `None`
    /// when one is not a number or their count is not that of the shape.
    pub fn dense_attr(&self, ty: Type, elements: &[Attr]) -> Option<Attr> {
        if self.ty(ty).num_elements() != Some(elements.len() as u64) {
            return None;
        }
        let (mut bytes, ty_of_element) = (Vec::new(), self.ty(ty).element_type()?);
        for &element in elements {
            bytes.extend(self.attr(element).element_bytes(ty_of_element)?);
        }
        let size = bytes.len().checked_div(elements.len()).unwrap_or(0);
        Some(self.intern_attr(AttrData::DenseElements { ty, data: super::DenseData::elements(bytes, size) }))
    }

    /// The attribute `strided<[strides], offset: offset>`.
    pub fn strided_attr(&self, strides: &[i64], offset: i64) -> Attr {
        self.intern_attr(AttrData::Strided(Box::new(StridedLayout { strides: strides.to_vec(), offset })))
    }

    /// The attribute `#dialect.mnemonic<params>` of a registered dialect; `name` is `dialect.mnemonic`.
    pub fn dialect_attr(&self, name: &str, params: &[Attr]) -> Attr {
        self.intern_attr(AttrData::Dialect { name: self.ident(name), params: params.into() })
    }
}
