//! The elements of a `dense<...>` attribute: packed bytes, shared.

use std::borrow::Cow;
use std::hash::{BuildHasher, Hash, Hasher};
use std::sync::{Arc, OnceLock};

use bytes::Bytes;
use foldhash::fast::FixedState;

use crate::types::TypeRef;

/// Packed elements in row-major order, little endian, each rounded up to whole bytes (an `i1` takes one byte, 0 or 1; a complex
/// number is its real part followed by its imaginary part). A splat holds one element, whatever the shape.
///
/// Cloning shares the bytes, and so does making one of [`Bytes`]: constants may lie in a mapped file, of which nothing but a few pages is read before
/// the elements are asked for.
#[derive(Clone, Debug)]
pub struct DenseData(Arc<Data>); // behind one pointer, which keeps other attributes small

#[derive(Debug)]
struct Data {
    /// Of [`samples`].
    hash: u64,
    /// Of all bytes, once it was asked for.
    whole_hash: OnceLock<u64>,
    splat: bool,
    bytes: Bytes,
}

/// Length of the pieces of large contents that are hashed at first.
const SAMPLE: usize = 256;
/// How many there are at most, evenly spaced.
const SAMPLES: usize = 8;

/// All of short contents, some pieces of long ones, from the first bytes to the last.
fn samples(bytes: &[u8]) -> impl Iterator<Item = &[u8]> {
    let (count, length) = if is_long(bytes) { (SAMPLES, SAMPLE) } else { (1, bytes.len()) };
    (0..count).map(move |at| &bytes[(bytes.len() - length) * at / (SAMPLES - 1)..][..length])
}

/// Whether samples are less than the whole.
fn is_long(bytes: &[u8]) -> bool {
    bytes.len() > SAMPLE * SAMPLES
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
        let mut hasher = FixedState::default().build_hasher();
        samples(&bytes).for_each(|piece| hasher.write(piece));
        hasher.write_usize(bytes.len());
        Self(Arc::new(Data { hash: hasher.finish(), whole_hash: OnceLock::new(), splat, bytes }))
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
        let (a, b) = (&*self.0, &*other.0);
        // Contents that differ between samples alone are told apart in time O(bytes) each, however many there are.
        let whole = |data: &Data| *data.whole_hash.get_or_init(|| FixedState::default().hash_one(&*data.bytes));
        let same_hash = || a.hash == b.hash && (!is_long(&a.bytes) || whole(a) == whole(b));
        Arc::ptr_eq(&self.0, &other.0) || (a.splat == b.splat && same_hash() && a.bytes == b.bytes)
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

#[cfg(test)]
mod tests {
    use super::*;

    /// As many different bytes.
    fn bytes(count: u32) -> Vec<u8> {
        (0..count).map(|at| ((at * at) >> 3) as u8).collect()
    }

    #[test]
    fn long_contents_that_differ_in_one_byte_are_different() {
        let all = bytes(10_000);
        let data = DenseData::elements(all.clone(), 1);
        assert_eq!(data, DenseData::elements(all.clone(), 1));
        for at in (0..all.len()).step_by(97) {
            let mut other = all.clone();
            other[at] ^= 1;
            assert_ne!(data, DenseData::elements(other, 1), "byte {at}");
        }
    }

    #[test]
    fn equal_contents_have_one_hash() {
        let hash = |data: &DenseData| FixedState::default().hash_one(data);
        for count in [2, 100, 2048, 2049, 10_000] {
            let [a, b] = [(); 2].map(|()| DenseData::elements(bytes(count), 1));
            assert_eq!(hash(&a), hash(&b), "{count} bytes");
        }
    }
}
