//! Constant tensors: initializers, `Constant` nodes, and what the importer computes itself.

use bytes::Bytes;
use dl_ir::attributes::DenseData;
use dl_ir::number::float;
use dl_ir::{Attr, AttrData, Context, FloatKind};
use half::{bf16, f16};

use crate::element::Element;
use crate::fault::{Fault, Outcome, fault, require};

/// A constant tensor. Its elements are packed, row-major and little endian, those of `bool` and of 4 bits a byte each; cloning shares them.
#[derive(Clone, PartialEq, Debug)]
pub struct Literal {
    /// The type of the elements.
    pub element: Element,
    /// The extents.
    pub shape: Vec<i64>,
    bytes: Bytes,
}

/// How many elements a shape has.
///
/// # Errors
/// A negative extent, or more elements than an address can count.
pub(crate) fn count(shape: &[i64]) -> Outcome<usize> {
    let too_large = || fault!("a tensor of shape {shape:?} is larger than memory");
    let mut count = 1_usize;
    for &extent in shape {
        let extent = usize::try_from(extent).map_err(|_| fault!("negative extent {extent} in shape {shape:?}"))?;
        count = count.checked_mul(extent).ok_or_else(too_large)?;
    }
    require!(count <= isize::MAX as usize / 16, "a tensor of shape {shape:?} is larger than memory");
    Ok(count)
}

impl Literal {
    /// Of elements that are there.
    ///
    /// # Errors
    /// That the bytes do not fill the shape.
    pub(crate) fn sound(element: Element, shape: Vec<i64>, bytes: Bytes) -> Outcome<Self> {
        let expected = count(&shape)? * element.bytes();
        require!(
            bytes.len() == expected,
            "a tensor of {} and shape {shape:?} takes {expected} bytes, but there are {}",
            element.name(),
            bytes.len()
        );
        Ok(Self { element, shape, bytes })
    }

    /// The same.
    ///
    /// # Errors
    /// That the bytes do not fill the shape.
    pub fn new(element: Element, shape: Vec<i64>, bytes: Bytes) -> Result<Self, String> {
        Self::sound(element, shape, bytes).map_err(|fault| fault.0)
    }

    /// Integers, which wrap to the type. One value stands for all.
    ///
    /// # Errors
    /// As of [`new`](Self::new).
    pub(crate) fn of_ints(element: Element, shape: &[i64], values: &[i64]) -> Outcome<Self> {
        Self::of_values(element, shape, values, |out, &value| write_int(out, element, value))
    }

    /// A list of `int64`.
    ///
    /// # Errors
    /// As of [`new`](Self::new).
    pub(crate) fn list(values: &[i64]) -> Outcome<Self> {
        let bytes: Vec<u8> = values.iter().flat_map(|value| value.to_le_bytes()).collect();
        Self::sound(Element::I64, vec![values.len() as i64], bytes.into())
    }

    /// Floats, rounded to the type. One value stands for all.
    ///
    /// # Errors
    /// As of [`new`](Self::new).
    pub(crate) fn of_floats(element: Element, shape: &[i64], values: &[f64]) -> Outcome<Self> {
        Self::of_values(element, shape, values, |out, &value| write_float(out, element, value))
    }

    fn of_values<T>(element: Element, shape: &[i64], values: &[T], write: impl Fn(&mut Vec<u8>, &T)) -> Outcome<Self> {
        let count = count(shape)?;
        let mut bytes = Vec::new();
        values.iter().for_each(|value| write(&mut bytes, value));
        if values.len() == 1 && count != 1 {
            bytes = bytes.repeat(count);
        }
        Self::sound(element, shape.to_vec(), bytes.into())
    }

    /// The same elements in another shape.
    ///
    /// # Errors
    /// That the number of elements differs.
    pub(crate) fn reshaped(&self, shape: &[i64]) -> Outcome<Self> {
        Self::sound(self.element, shape.to_vec(), self.bytes.clone())
    }

    /// How many elements there are.
    pub fn len(&self) -> usize {
        self.bytes.len() / self.element.bytes()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.bytes.is_empty()
    }

    /// The elements' bytes.
    pub fn bytes(&self) -> &Bytes {
        &self.bytes
    }

    /// Whether all elements are equal, and there is one.
    pub(crate) fn is_splat(&self) -> bool {
        let size = self.element.bytes();
        self.bytes.len() >= size && self.bytes.chunks_exact(size).all(|element| element == &self.bytes[..size])
    }

    /// The elements as integers; floats are truncated. An unsigned number past the range of `i64` wraps.
    pub(crate) fn ints(&self) -> Vec<i64> {
        self.bytes.chunks_exact(self.element.bytes()).map(|bytes| read_int(self.element, bytes)).collect()
    }

    /// The elements as floats.
    pub fn floats(&self) -> Vec<f64> {
        self.bytes.chunks_exact(self.element.bytes()).map(|bytes| read_float(self.element, bytes)).collect()
    }

    /// The attribute of the tensor.
    ///
    /// # Errors
    /// Never for a literal that is sound.
    pub(crate) fn attr(&self, cx: &Context) -> Outcome<Attr> {
        let ty = cx.tensor_type(&self.shape, self.element.ty(cx));
        let data = DenseData::elements(self.bytes.clone(), self.element.bytes());
        Ok(cx.intern_attr(AttrData::DenseElements { ty, data }))
    }

    /// The first element as an attribute of the element type.
    ///
    /// # Errors
    /// That there is none.
    pub(crate) fn first_attr(&self, cx: &Context) -> Outcome<Attr> {
        let bytes = self.bytes.get(..self.element.bytes()).ok_or("expected an element, but there is none")?;
        let attr = cx.number_attr(self.element.ty(cx), bytes);
        attr.ok_or_else(|| Fault("an element is no number".to_owned()))
    }
}

fn write_int(out: &mut Vec<u8>, element: Element, value: i64) {
    match element {
        Element::Bool => out.push(u8::from(value != 0)),
        _ if element.is_float() => write_float(out, element, value as f64),
        _ => {
            let spare = 64 - element.width();
            let value = if element.is_signed() { value << spare >> spare } else { value & (u64::MAX >> spare) as i64 };
            out.extend_from_slice(&value.to_le_bytes()[..element.bytes()]);
        }
    }
}

fn write_float(out: &mut Vec<u8>, element: Element, value: f64) {
    match element {
        Element::F32 => out.extend_from_slice(&(value as f32).to_le_bytes()),
        Element::F64 => out.extend_from_slice(&value.to_le_bytes()),
        _ => match element.float_kind() {
            Some(kind) => out.extend_from_slice(&float::from_f64(kind, value).0.to_le_bytes()[..element.bytes()]),
            None => write_int(out, element, value as i64),
        },
    }
}

fn read_int(element: Element, bytes: &[u8]) -> i64 {
    if element.is_float() {
        return read_float(element, bytes) as i64;
    }
    let mut wide = [0; 8];
    wide[..bytes.len()].copy_from_slice(bytes);
    let value = i64::from_le_bytes(wide);
    let spare = 64 - 8 * bytes.len() as u32;
    if element.is_signed() { value << spare >> spare } else { value }
}

fn read_float(element: Element, bytes: &[u8]) -> f64 {
    match (element.float_kind(), bytes) {
        (Some(FloatKind::F32), &[a, b, c, d]) => f64::from(f32::from_le_bytes([a, b, c, d])),
        (Some(FloatKind::F16), &[a, b]) => f16::from_le_bytes([a, b]).to_f64(),
        (Some(FloatKind::BF16), &[a, b]) => bf16::from_le_bytes([a, b]).to_f64(),
        (Some(FloatKind::F64), &[a, b, c, d, e, f, g, h]) => f64::from_le_bytes([a, b, c, d, e, f, g, h]),
        (Some(kind), &[byte]) => float::to_f64(kind, byte.into()),
        _ if element == Element::U64 => read_int(element, bytes) as u64 as f64,
        _ => read_int(element, bytes) as f64,
    }
}
