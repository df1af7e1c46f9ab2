//! Attributes as values.

use std::sync::Arc;

use super::value::{Array, Value};
use crate::attributes::{AttrData, AttrRef, DenseElement};
use crate::number::ApInt;
use crate::types::TypeRef;

impl Value {
    /// The value of a constant: a number, or a dense array of numbers. Scalable vectors have the length that their type says.
    ///
    /// # Errors
    /// That it is something else, or too large.
    pub fn of_attr(attr: AttrRef<'_>) -> Result<Self, String> {
        Self::of_scaled_attr(attr, 1)
    }

    /// As [`of_attr`](Self::of_attr), where scalable vectors are `vscale` times as long.
    ///
    /// # Errors
    /// As those.
    pub fn of_scaled_attr(attr: AttrRef<'_>, vscale: i64) -> Result<Self, String> {
        let cx = attr.cx();
        match attr.data() {
            AttrData::Integer { value, .. } => Ok(Self::Int(value.clone())),
            AttrData::Float { ty, bits } => {
                let kind = cx.ty(*ty).float_kind().ok_or("unsupported: a float constant of no float type")?;
                Ok(Self::Float(kind, bits.get()))
            }
            AttrData::DenseElements { ty, data } => {
                let ty = cx.ty(*ty);
                let (Some(shape), Some(element)) = (ty.shape(), DenseElement::of(ty.element_or_self())) else {
                    return Err(format!("unsupported: a constant of type '{ty}'"));
                };
                let number = |at| {
                    let number = Self::of_bytes(ty.element_or_self(), data.element(at, element.bytes()));
                    number.ok_or_else(|| format!("unsupported: a constant of type '{ty}'"))
                };
                let count = super::shape::num_elements(shape)?;
                if data.is_splat() && count > 0 {
                    let shape = super::shape::scaled(shape, ty.scalable_dims(), vscale);
                    return Ok(Array::filled(&shape, &number(0)?)?.into());
                }
                let elements = (0..count).map(number).collect::<Result<_, _>>()?;
                Ok(Array::new(shape, elements).into())
            }
            _ => Err(format!("unsupported: the constant {attr}")),
        }
    }

    /// The number of type `ty` that is stored as `bytes`, least significant first. `None` for other types.
    pub fn of_bytes(ty: TypeRef<'_>, bytes: &[u8]) -> Option<Self> {
        if ty.is_complex() {
            let (part, half) = (ty.element_type()?, bytes.len() / 2);
            let parts = [Self::of_bytes(part, &bytes[..half])?, Self::of_bytes(part, &bytes[half..])?];
            return Some(Self::Complex(Arc::new(parts)));
        }
        if let Some(kind) = ty.float_kind() {
            let mut bits = [0; 16];
            bits.get_mut(..bytes.len())?.copy_from_slice(bytes);
            return Some(Self::Float(kind, u128::from_le_bytes(bits)));
        }
        Some(Self::Int(ApInt::from_le_bytes(ty.storage_bits()?, bytes)))
    }

    /// Appends the bytes that [`of_bytes`](Self::of_bytes) reads. `None` for what is no number, poison included.
    pub fn write_bytes(&self, out: &mut Vec<u8>) -> Option<()> {
        match self {
            Self::Int(value) => value.write_le_bytes(out),
            Self::Float(kind, bits) => {
                let len = (kind.width() as usize).div_ceil(8);
                out.extend_from_slice(&bits.to_le_bytes()[..len]);
            }
            Self::Complex(parts) => {
                parts[0].write_bytes(out)?;
                parts[1].write_bytes(out)?;
            }
            _ => return None,
        }
        Some(())
    }

    /// A number of type `ty` that is zero everywhere. `None` for other types.
    pub fn zero(ty: TypeRef<'_>) -> Option<Self> {
        Self::of_bytes(ty, &vec![0; DenseElement::of(ty)?.bytes()])
    }

    /// Poison of type `ty`: for an array type of known shape an array of poison, so that its elements can be replaced.
    pub fn poison(ty: TypeRef<'_>) -> Self {
        let shape = ty.shape().filter(|_| (ty.is_vector() || ty.is_tensor()) && ty.has_static_shape());
        let array = shape.and_then(|shape| Array::filled(shape, &Self::Poison).ok());
        array.map_or(Self::Poison, Into::into)
    }
}
