//! The elements of a `dense<...>` attribute: packed bytes, shared and hashed once.

use std::borrow::Cow;
use std::hash::{BuildHasher, Hash, Hasher};
use std::sync::Arc;

use bytes::Bytes;
use rustc_hash::FxBuildHasher;

use crate::types::TypeRef;

/// Packed elements in row-major order, little endian, each rounded up to whole bytes (an `i1` takes one byte, 0 or 1; a complex
/// number is its real part followed by its imaginary part). A splat holds one element, whatever the shape.
///
/// Cloning shares the bytes, and so does making one of [`Bytes`]: constants may lie in a mapped file. The hash is computed once, when the
/// value is made: O(bytes).
#[derive(Clone, Debug)]
pub struct DenseData(Arc<Data>); // behind one pointer, which keeps other attributes small

#[derive(PartialEq, Eq, Debug)]
struct Data {
    hash: u64,
    splat: bool,
    bytes: Bytes,
}

impl DenseData {
    /// One element for all positions.
    pub fn splat(bytes: impl Into<Bytes>) -> Self {
        Self::new(bytes.into(), true)
    }

    /// All elements in order. `element_bytes` is the size of one: when all are equal the result is a splat, so that
    /// equal contents are equal data.
    pub fn elements(bytes: impl Into<Bytes>, element_bytes: usize) -> Self {
        let bytes = bytes.into();
        let (first, rest) = bytes.split_at(element_bytes.min(bytes.len()));
        if !first.is_empty() && rest.chunks(element_bytes).all(|e| e == first) {
            return Self::splat(Bytes::copy_from_slice(first));
        }
        Self::new(bytes, false)
    }

    fn new(bytes: Bytes, splat: bool) -> Self {
        let hash = FxBuildHasher.hash_one(&*bytes);
        Self(Arc::new(Data { hash, splat, bytes }))
    }

    /// From the raw form that hexadecimal strings and bytecode share: one element for all, or `count` of them, as here but for an
    /// `i1`, which takes one bit there, lowest first; a byte of ones or zeros alone is one for all. `None` when the size is wrong.
    pub fn from_raw(raw: Bytes, element: DenseElement, count: usize) -> Option<Self> {
        if element.is_bit() {
            if let [byte @ (0 | 0xff)] = raw[..] {
                return Some(Self::splat(vec![byte & 1]));
            }
            if raw.len() != count.div_ceil(8) {
                return None;
            }
            let bits: Vec<u8> = (0..count).map(|i| raw[i / 8] >> (i % 8) & 1).collect();
            return Some(Self::elements(bits, 1));
        }
        let size = element.bytes();
        let splat = raw.len() == size;
        if !splat && count.checked_mul(size) != Some(raw.len()) {
            return None;
        }
        // Bits past the width of a number are not part of it.
        let spare = element.bits % 8;
        let bytes = if spare == 0 {
            raw
        } else {
            let mut bytes = raw.to_vec();
            for number in bytes.chunks_exact_mut(size / element.count as usize) {
                if let Some(last) = number.last_mut() {
                    *last &= (1 << spare) - 1;
                }
            }
            bytes.into()
        };
        Some(if splat { Self::splat(bytes) } else { Self::elements(bytes, size) })
    }

    /// The form that [`from_raw`](Self::from_raw) reads.
    pub fn to_raw(&self, element: DenseElement) -> Cow<'_, [u8]> {
        if !element.is_bit() {
            return Cow::Borrowed(self.bytes());
        }
        if self.is_splat() {
            return Cow::Owned(vec![if self.bytes().first() == Some(&0) { 0 } else { 0xff }]);
        }
        let pack = |bits: &[u8]| bits.iter().enumerate().fold(0, |byte, (i, &bit)| byte | (bit & 1) << i);
        Cow::Owned(self.bytes().chunks(8).map(pack).collect())
    }

    /// The bytes of the one element of a splat, or of all elements.
    pub fn bytes(&self) -> &[u8] {
        &self.0.bytes
    }

    /// The same bytes, shared.
    pub fn shared(&self) -> Bytes {
        self.0.bytes.clone()
    }

    /// Whether one element stands for all.
    pub fn is_splat(&self) -> bool {
        self.0.splat
    }

    /// The bytes of element `index` in row-major order.
    pub fn element(&self, index: usize, element_bytes: usize) -> &[u8] {
        let at = if self.is_splat() { 0 } else { index * element_bytes };
        &self.bytes()[at..at + element_bytes]
    }
}

impl PartialEq for DenseData {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0) || self.0 == other.0
    }
}

impl Eq for DenseData {}

impl Hash for DenseData {
    fn hash<H: Hasher>(&self, state: &mut H) {
        state.write_u64(self.0.hash);
    }
}

/// How one element of a dense attribute is stored.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct DenseElement {
    /// Bits of one number.
    pub bits: u32,
    /// Numbers an element: 2 for a complex element, else 1.
    pub count: u32,
}

impl DenseElement {
    /// How elements of type `ty` are stored: integers, `index`, floats and complex numbers.
    pub fn of(ty: TypeRef<'_>) -> Option<Self> {
        if ty.is_complex() {
            return Some(Self { bits: ty.element_type()?.storage_bits()?, count: 2 });
        }
        Some(Self { bits: ty.storage_bits()?, count: 1 })
    }

    /// Whether it is one `i1`.
    const fn is_bit(self) -> bool {
        self.bits == 1 && self.count == 1
    }

    /// Bytes of one element.
    pub const fn bytes(self) -> usize {
        (self.bits as usize).div_ceil(8) * self.count as usize
    }
}
