//! Reading attributes.

use std::fmt;

use super::{Attr, AttrData, DenseElement};
use crate::affine::{AffineMap, IntegerSet};
use crate::context::Context;
use crate::entity::Ident;
use crate::number::{ApInt, float};
use crate::types::{Type, TypeRef};

/// An attribute with its context. Compares by identity; `Display` writes the text form.
#[derive(Clone, Copy)]
pub struct AttrRef<'c> {
    cx: &'c Context,
    id: Attr,
}

impl<'c> AttrRef<'c> {
    /// A view of `id`.
    #[inline]
    pub fn new(cx: &'c Context, id: Attr) -> Self {
        Self { cx, id }
    }

    /// The handle, which is equal for equal ones of a context.
    #[inline]
    pub fn id(self) -> Attr {
        self.id
    }

    /// The context that it belongs to.
    pub fn cx(self) -> &'c Context {
        self.cx
    }

    /// What it is made of.
    #[inline]
    pub fn data(self) -> &'c AttrData {
        self.cx.attr_data(self.id)
    }

    /// The type of a typed attribute: integers, floats, elements, strings that have one.
    pub fn ty(self) -> Option<TypeRef<'c>> {
        let ty = match self.data() {
            AttrData::Integer { ty, .. }
            | AttrData::Float { ty, .. }
            | AttrData::DenseElements { ty, .. }
            | AttrData::DenseStrings { ty, .. }
            | AttrData::DenseResource { ty, .. }
            | AttrData::SparseElements { ty, .. } => *ty,
            AttrData::String { ty, .. } | AttrData::Opaque { ty, .. } => (*ty)?,
            _ => return None,
        };
        Some(self.cx.ty(ty))
    }

    // Kinds.

    /// Whether it is `unit`, which says something by being there.
    pub fn is_unit(self) -> bool {
        matches!(self.data(), AttrData::Unit)
    }

    /// Whether it is `true` or `false`.
    pub fn is_bool(self) -> bool {
        self.is_integer() && self.ty().is_some_and(|ty| ty.is_signless_integer_of(1))
    }

    /// An integer, of an integer type or `index`.
    pub fn is_integer(self) -> bool {
        matches!(self.data(), AttrData::Integer { .. })
    }

    /// Whether it is a float.
    pub fn is_float(self) -> bool {
        matches!(self.data(), AttrData::Float { .. })
    }

    /// Whether it is a string.
    pub fn is_string(self) -> bool {
        matches!(self.data(), AttrData::String { .. })
    }

    /// Whether it is a type.
    pub fn is_type(self) -> bool {
        matches!(self.data(), AttrData::Type(_))
    }

    /// Whether it is a list of attributes: `[1, "a"]`.
    pub fn is_array(self) -> bool {
        matches!(self.data(), AttrData::Array(_))
    }

    /// Whether it is a dictionary: `{a = 1}`.
    pub fn is_dictionary(self) -> bool {
        matches!(self.data(), AttrData::Dictionary(_))
    }

    /// Whether it is a symbol reference: `@a`, or `@a::@b` for one in the table of another.
    pub fn is_symbol_ref(self) -> bool {
        matches!(self.data(), AttrData::SymbolRef { .. })
    }

    /// Whether it is a symbol reference of one part: `@a`.
    pub fn is_flat_symbol_ref(self) -> bool {
        matches!(self.data(), AttrData::SymbolRef { nested, .. } if nested.is_empty())
    }

    /// `dense<...>` of numbers or strings.
    pub fn is_dense_elements(self) -> bool {
        matches!(self.data(), AttrData::DenseElements { .. } | AttrData::DenseStrings { .. })
    }

    /// `dense`, `dense_resource` or `sparse`.
    pub fn is_elements(self) -> bool {
        self.is_dense_elements()
            || matches!(self.data(), AttrData::DenseResource { .. } | AttrData::SparseElements { .. })
    }

    /// Whether it is a list of numbers: `array<i64: 1, 2>`.
    pub fn is_dense_array(self) -> bool {
        matches!(self.data(), AttrData::DenseArray { .. })
    }

    /// Whether it is `affine_map<...>`.
    pub fn is_affine_map(self) -> bool {
        matches!(self.data(), AttrData::AffineMap(_))
    }

    /// Whether it is `affine_set<...>`.
    pub fn is_integer_set(self) -> bool {
        matches!(self.data(), AttrData::IntegerSet(_))
    }

    /// Whether it is `strided<...>`.
    pub fn is_strided(self) -> bool {
        matches!(self.data(), AttrData::Strided { .. })
    }

    /// `#name` or `#name<...>`; `name` is `dialect.mnemonic`.
    pub fn is_dialect_attr(self, name: &str) -> bool {
        matches!(self.data(), AttrData::Dialect { name: n, .. } if self.cx.str(*n) == name)
    }

    /// Whether it is a memref layout that means row-major order for `rank` dimensions: an identity map.
    pub fn is_identity_layout(self, rank: usize) -> bool {
        match self.data() {
            AttrData::AffineMap(map) => {
                let affine = self.cx.affine();
                affine.map(*map).num_dims as usize == rank && affine.is_identity(*map)
            }
            _ => false,
        }
    }

    // Contents.

    /// Value of an integer, sign-extended, if it fits 64 bits. `true` is 1.
    pub fn as_int(self) -> Option<i64> {
        match self.data() {
            AttrData::Integer { value, .. } if value.width() == 1 => value.to_u64().map(|v| v as i64),
            AttrData::Integer { value, ty } if self.cx.ty(*ty).is_unsigned_integer() => {
                value.to_u64().and_then(|v| i64::try_from(v).ok())
            }
            AttrData::Integer { value, .. } => value.to_i64(),
            _ => None,
        }
    }

    /// Value of an integer of any width.
    pub fn as_ap_int(self) -> Option<&'c ApInt> {
        match self.data() {
            AttrData::Integer { value, .. } => Some(value),
            _ => None,
        }
    }

    /// The value of `true` or `false`, an integer of one bit.
    pub fn as_bool(self) -> Option<bool> {
        if self.is_bool() { self.as_int().map(|v| v != 0) } else { None }
    }

    /// Value of a float, rounded to double precision where it has more.
    pub fn as_f64(self) -> Option<f64> {
        match self.data() {
            AttrData::Float { ty, bits } => Some(float::to_f64(self.cx.ty(*ty).float_kind()?, bits.get())),
            _ => None,
        }
    }

    /// Text of a string, if it is UTF-8.
    pub fn as_str(self) -> Option<&'c str> {
        match self.data() {
            AttrData::String { value, .. } => std::str::from_utf8(value).ok(),
            _ => None,
        }
    }

    /// Bytes of a string.
    pub fn string_bytes(self) -> Option<&'c [u8]> {
        match self.data() {
            AttrData::String { value, .. } => Some(value),
            _ => None,
        }
    }

    /// The type that a type attribute holds.
    pub fn as_type(self) -> Option<TypeRef<'c>> {
        match self.data() {
            AttrData::Type(ty) => Some(self.cx.ty(*ty)),
            _ => None,
        }
    }

    /// The leaf of `@a`, when there is no nested part.
    pub fn as_flat_symbol(self) -> Option<&'c str> {
        match self.data() {
            AttrData::SymbolRef { root, nested } if nested.is_empty() => Some(self.cx.str(*root)),
            _ => None,
        }
    }

    /// The map of `affine_map<...>`.
    pub fn as_affine_map(self) -> Option<AffineMap> {
        match self.data() {
            AttrData::AffineMap(map) => Some(*map),
            _ => None,
        }
    }

    /// The set of `affine_set<...>`.
    pub fn as_integer_set(self) -> Option<IntegerSet> {
        match self.data() {
            AttrData::IntegerSet(set) => Some(*set),
            _ => None,
        }
    }

    /// Elements of an array; none for others.
    pub fn elements(self) -> impl ExactSizeIterator<Item = AttrRef<'c>> + DoubleEndedIterator + Clone {
        let list: &[Attr] = match self.data() {
            AttrData::Array(list) => list,
            _ => &[],
        };
        list.iter().map(move |&attr| self.cx.attr(attr))
    }

    /// Entries of a dictionary; none for others.
    pub fn entries(self) -> &'c [(Ident, Attr)] {
        match self.data() {
            AttrData::Dictionary(entries) => entries,
            _ => &[],
        }
    }

    /// The entry `name` of a dictionary.
    pub fn get(self, name: &str) -> Option<AttrRef<'c>> {
        let entry = self.entries().iter().find(|(n, _)| self.cx.str(*n) == name);
        entry.map(|&(_, attr)| self.cx.attr(attr))
    }

    /// The parameters of a dialect attribute; empty for others.
    pub fn params(self) -> &'c [Attr] {
        match self.data() {
            AttrData::Dialect { params, .. } => params,
            _ => &[],
        }
    }

    /// The value of an enumeration: of an integer, or of a dialect attribute that holds one integer.
    #[inline]
    pub fn enum_value(self) -> Option<u64> {
        match self.data() {
            AttrData::Integer { value, .. } => value.to_u64(),
            AttrData::Dialect { params, .. } => self.cx.attr(*params.first()?).as_ap_int()?.to_u64(),
            _ => None,
        }
    }

    /// The integers of `array<iN: ...>`, sign-extended; none for others.
    #[inline]
    pub fn dense_ints(self) -> impl Iterator<Item = i64> + Clone + 'c {
        let (bytes, width): (&[u8], usize) = match self.data() {
            AttrData::DenseArray { element, data } => {
                let width = || self.cx.ty(*element).int_width().map_or(0, |w| (w as usize).div_ceil(8));
                (data, if *element == self.cx.common().i32 { 4 } else { width() })
            }
            _ => (&[], 0),
        };
        bytes.chunks_exact(width.clamp(1, 8)).filter(move |_| width != 0).map(|chunk| {
            // Most are of 32 bits: the sizes of segments.
            if let Ok(word) = chunk.try_into() {
                return i64::from(i32::from_le_bytes(word));
            }
            let mut wide = if chunk.last().is_some_and(|b| b & 0x80 != 0) { [0xff; 8] } else { [0; 8] };
            wide[..chunk.len()].copy_from_slice(chunk);
            i64::from_le_bytes(wide)
        })
    }

    /// The integers of `array<i32: ...>` as they are stored, without a look at each of them; none for others.
    #[inline]
    pub(crate) fn i32_words(self) -> &'c [[u8; 4]] {
        match self.data() {
            AttrData::DenseArray { element, data } if *element == self.cx.common().i32 => data.as_chunks().0,
            _ => &[],
        }
    }

    /// The integers of `array<i64: ...>` as a vector; `None` for others.
    pub fn as_i64_array(self) -> Option<Vec<i64>> {
        self.is_dense_array().then(|| self.dense_ints().collect())
    }

    /// For `dense<...>` of numbers: how one element is stored.
    pub fn dense_element(self) -> Option<DenseElement> {
        let AttrData::DenseElements { ty, .. } = self.data() else { return None };
        DenseElement::of(self.cx.ty(*ty).element_type()?)
    }

    /// Whether `dense<...>` has one element for all positions.
    pub fn is_splat(self) -> bool {
        matches!(self.data(), AttrData::DenseElements { data, .. } if data.is_splat())
    }

    /// The one element of a splat, as an attribute: see [`dense_value`](Self::dense_value).
    pub fn splat_value(self) -> Option<AttrRef<'c>> {
        if self.is_splat() { self.dense_value(0) } else { None }
    }

    /// Element `index` of `dense<...>` of numbers, as an attribute; a complex number is an array of its two parts.
    pub fn dense_value(self, index: usize) -> Option<AttrRef<'c>> {
        let AttrData::DenseElements { ty, data } = self.data() else { return None };
        let size = self.dense_element()?;
        let element = self.cx.ty(*ty).element_type()?;
        Some(self.cx.attr(self.cx.element_attr(element.id(), data.element(index, size.bytes()))?))
    }

    /// The element of `sparse<...>` at `position`, which is zero where none is listed; of more than one the last. `None` when the position is out
    /// of bounds. Takes time in proportion to what is listed.
    pub fn sparse_value(self, position: &[i64]) -> Option<AttrRef<'c>> {
        let AttrData::SparseElements { ty, indices, values } = self.data() else { return None };
        let ty = self.cx.ty(*ty);
        let shape = ty.shape()?;
        let in_bounds = shape.len() == position.len() && position.iter().zip(shape).all(|(at, n)| (0..*n).contains(at));
        let (rows, values) = (self.cx.attr(*indices), self.cx.attr(*values));
        let AttrData::DenseElements { data, .. } = rows.data() else { return None };
        let count = usize::try_from(*values.ty()?.shape()?.first()?).ok()?;
        let is_at = |row: usize| {
            let index = |dim: usize| data.element(row * shape.len() + dim, 8);
            position.iter().enumerate().all(|(dim, at)| *index(dim) == at.to_le_bytes())
        };
        if !in_bounds {
            return None;
        }
        if let Some(row) = (0..count).rev().find(|&row| is_at(row)) {
            return values.dense_value(row);
        }
        let element = ty.element_type()?;
        let zero = vec![0; super::DenseElement::of(element)?.bytes()];
        Some(self.cx.attr(self.cx.element_attr(element.id(), &zero)?))
    }

    /// All elements of `dense<...>` of integers or floats, one for each position of the shape.
    #[expect(clippy::missing_panics_doc, reason = "every element of a dense attribute of numbers is a number")]
    pub fn dense_values(self) -> Option<impl ExactSizeIterator<Item = AttrRef<'c>>> {
        let count = usize::try_from(self.ty()?.num_elements()?).ok()?;
        if !matches!(self.dense_element(), Some(e) if e.count == 1) {
            return None;
        }
        Some((0..count).map(move |i| self.dense_value(i).expect("a dense attribute of numbers")))
    }

    /// How a number is stored as a dense element of type `element`: an integer or float, or for a complex one an array of its two parts.
    pub fn element_bytes(self, element: TypeRef<'_>) -> Option<Vec<u8>> {
        if !element.is_complex() {
            return self.number_bytes();
        }
        let parts: Vec<Vec<u8>> = self.elements().map(Self::number_bytes).collect::<Option<_>>()?;
        (parts.len() == 2).then(|| parts.concat())
    }

    /// How an integer or float is stored as a dense element.
    pub fn number_bytes(self) -> Option<Vec<u8>> {
        match self.data() {
            AttrData::Integer { value, .. } => Some({
                let mut bytes = Vec::new();
                value.write_le_bytes(&mut bytes);
                bytes
            }),
            AttrData::Float { ty, bits } => {
                let len = (self.cx.ty(*ty).float_kind()?.width() as usize).div_ceil(8);
                Some(bits.get().to_le_bytes()[..len].to_vec())
            }
            _ => None,
        }
    }
}

impl Context {
    /// The number of type `ty` that is stored as `bytes` in dense data: an integer or float attribute, or an array of the two parts of a
    /// complex one.
    pub fn element_attr(&self, ty: Type, bytes: &[u8]) -> Option<Attr> {
        let view = self.ty(ty);
        if !view.is_complex() {
            return self.number_attr(ty, bytes);
        }
        let (part, (re, im)) = (view.element_type()?.id(), bytes.split_at(bytes.len() / 2));
        Some(self.array_attr(&[self.number_attr(part, re)?, self.number_attr(part, im)?]))
    }

    /// The integer or float attribute of type `ty` that is stored as `bytes` in dense data.
    pub fn number_attr(&self, ty: Type, bytes: &[u8]) -> Option<Attr> {
        let view = self.ty(ty);
        if view.is_float() {
            let mut bits = [0; 16];
            bits.get_mut(..bytes.len())?.copy_from_slice(bytes);
            return Some(self.float_bits_attr(ty, u128::from_le_bytes(bits)));
        }
        Some(self.ap_int_attr(ty, ApInt::from_le_bytes(view.storage_bits()?, bytes)))
    }
}

impl PartialEq for AttrRef<'_> {
    fn eq(&self, other: &Self) -> bool {
        self.id == other.id
    }
}

impl Eq for AttrRef<'_> {}

impl PartialEq<Attr> for AttrRef<'_> {
    fn eq(&self, other: &Attr) -> bool {
        self.id == *other
    }
}

impl From<AttrRef<'_>> for Attr {
    fn from(attr: AttrRef<'_>) -> Self {
        attr.id
    }
}

impl fmt::Display for AttrRef<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&crate::text::attr_text(self.cx, self.id))
    }
}

impl fmt::Debug for AttrRef<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{self}")
    }
}
