//! The elements of a `dense<...>` attribute: packed bytes, shared and hashed once.

use std::hash::{BuildHasher, Hash, Hasher};
use std::sync::Arc;

use rustc_hash::FxBuildHasher;

/// Packed elements in row-major order, little endian, each rounded up to whole bytes (an `i1` takes one byte, 0 or 1; a complex
/// number is its real part followed by its imaginary part). A splat holds one element, whatever the shape.
///
/// Cloning shares the bytes. The hash is computed once, when the value is made: O(bytes).
#[derive(Clone, Debug)]
pub struct DenseData {
    bytes: Arc<[u8]>,
    hash: u64,
    splat: bool,
}

impl DenseData {
    /// One element for all positions.
    pub fn splat(bytes: impl Into<Arc<[u8]>>) -> Self {
        Self::new(bytes.into(), true)
    }

    /// All elements in order. `element_bytes` is the size of one: when all are equal the result is a splat, so that
    /// equal contents are equal data.
    pub fn elements(bytes: impl Into<Arc<[u8]>>, element_bytes: usize) -> Self {
        let bytes = bytes.into();
        let (first, rest) = bytes.split_at(element_bytes.min(bytes.len()));
        if !first.is_empty() && rest.chunks(element_bytes).all(|e| e == first) {
            return Self::splat(first);
        }
        Self::new(bytes, false)
    }

    fn new(bytes: Arc<[u8]>, splat: bool) -> Self {
        let hash = FxBuildHasher.hash_one(&*bytes);
        Self { bytes, hash, splat }
    }

    /// The bytes of the one element of a splat, or of all elements.
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// Whether one element stands for all.
    pub fn is_splat(&self) -> bool {
        self.splat
    }

    /// The bytes of element `index` in row-major order.
    pub fn element(&self, index: usize, element_bytes: usize) -> &[u8] {
        let at = if self.splat { 0 } else { index * element_bytes };
        &self.bytes[at..at + element_bytes]
    }
}

impl PartialEq for DenseData {
    fn eq(&self, other: &Self) -> bool {
        self.hash == other.hash && self.splat == other.splat && self.bytes == other.bytes
    }
}

impl Eq for DenseData {}

impl Hash for DenseData {
    fn hash<H: Hasher>(&self, state: &mut H) {
        state.write_u64(self.hash);
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
    /// Bytes of one element.
    pub const fn bytes(self) -> usize {
        (self.bits as usize).div_ceil(8) * self.count as usize
    }
}
