//! Shapes: extents, and walking over all indices.

use smallvec::SmallVec;

use super::value::MAX_ELEMENTS;
use crate::types::{DYNAMIC, TypeRef};

/// Extents, or an index: one number a dimension.
pub type Shape = SmallVec<[i64; 4]>;

/// How many elements there are.
///
/// # Errors
/// That an extent is negative, or that there are more than [`MAX_ELEMENTS`].
pub fn num_elements(shape: &[i64]) -> Result<usize, String> {
    if let Some(extent) = shape.iter().find(|&&extent| extent < 0) {
        return Err(format!("undefined behaviour: extent {extent} is negative"));
    }
    if shape.contains(&0) {
        return Ok(0);
    }
    let count = shape.iter().try_fold(1_i64, |count, &extent| count.checked_mul(extent));
    let count = count.and_then(|count| usize::try_from(count).ok()).filter(|&count| count <= MAX_ELEMENTS);
    count.ok_or_else(|| format!("unsupported: more than {MAX_ELEMENTS} elements"))
}

/// That `index` is an index into `shape`.
pub(super) fn check_bounds(index: &[i64], shape: &[i64]) -> Result<(), String> {
    if index.len() != shape.len() {
        return Err(format!("{} indices for {} dimensions", index.len(), shape.len()));
    }
    for (dim, (&at, &extent)) in index.iter().zip(shape).enumerate() {
        if at < 0 || at >= extent {
            return Err(format!("index {at} is out of bounds for dimension {dim} of size {extent}"));
        }
    }
    Ok(())
}

/// That `size` elements of dimension `dim`, from `offset` on and `stride` apart, are among its `extent` ones.
///
/// # Errors
/// That they are not.
pub fn check_slice(dim: usize, extent: i64, offset: i64, size: i64, stride: i64) -> Result<(), String> {
    let last = size.checked_sub(1).and_then(|n| n.checked_mul(stride)).and_then(|n| n.checked_add(offset));
    let inside = |at: i64| (0..extent).contains(&at);
    let fits = size == 0 || size > 0 && inside(offset) && last.is_some_and(inside);
    if fits {
        return Ok(());
    }
    Err(format!("{size} elements from {offset} on, {stride} apart, of dimension {dim} of size {extent}"))
}

/// The strides of elements of this shape in row-major order without gaps. They wrap around where there are too many elements.
pub fn row_major(shape: &[i64]) -> Shape {
    let mut strides = Shape::from_elem(1, shape.len());
    for dim in (1..shape.len()).rev() {
        strides[dim - 1] = strides[dim].wrapping_mul(shape[dim].max(1));
    }
    strides
}

/// The extents of a shaped type, its dynamic ones from `sizes`. `None` when it has no rank or there are too few sizes.
pub fn concrete_shape(ty: TypeRef<'_>, sizes: &[i64]) -> Option<Shape> {
    let mut sizes = sizes.iter();
    ty.shape()?.iter().map(|&extent| if extent == DYNAMIC { sizes.next().copied() } else { Some(extent) }).collect()
}

/// The extents of a vector: scalable ones times `vscale`.
pub(super) fn scaled(shape: &[i64], scalable: &[bool], vscale: i64) -> Shape {
    let scalable = scalable.iter().copied().chain(std::iter::repeat(false));
    shape
        .iter()
        .zip(scalable)
        .map(|(&extent, scalable)| if scalable { extent.saturating_mul(vscale) } else { extent })
        .collect()
}

/// All indices of a shape, in row-major order.
pub struct Odometer {
    shape: Shape,
    at: Shape,
    state: State,
}

enum State {
    Fresh,
    Running,
    Done,
}

impl Odometer {
    /// Before the first index.
    pub fn new(shape: &[i64]) -> Self {
        let state = if shape.iter().any(|&extent| extent <= 0) { State::Done } else { State::Fresh };
        Self { shape: shape.into(), at: Shape::from_elem(0, shape.len()), state }
    }

    /// The next index. A shape without dimensions has one, the empty one.
    #[expect(clippy::should_implement_trait, reason = "lends its index")]
    pub fn next(&mut self) -> Option<&[i64]> {
        match self.state {
            State::Done => return None,
            State::Fresh => self.state = State::Running,
            State::Running => {
                let Some(dim) = (0..self.shape.len()).rev().find(|&dim| self.at[dim] + 1 < self.shape[dim]) else {
                    self.state = State::Done;
                    return None;
                };
                self.at[dim] += 1;
                self.at[dim + 1..].fill(0);
            }
        }
        Some(&self.at)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn all(shape: &[i64]) -> Vec<Vec<i64>> {
        let mut odometer = Odometer::new(shape);
        std::iter::from_fn(|| odometer.next().map(<[i64]>::to_vec)).collect()
    }

    #[test]
    fn indices_come_in_row_major_order() {
        assert_eq!(all(&[2, 2]), [[0, 0], [0, 1], [1, 0], [1, 1]]);
        assert_eq!(all(&[]), [[0_i64; 0]]);
        assert!(all(&[3, 0]).is_empty());
    }

    #[test]
    fn too_many_elements_are_refused() {
        assert_eq!(num_elements(&[4, 5]), Ok(20));
        assert_eq!(num_elements(&[i64::MAX, i64::MAX, 0]), Ok(0));
        assert!(num_elements(&[i64::MAX, 2]).unwrap_err().starts_with("unsupported"));
        assert!(num_elements(&[-1]).unwrap_err().starts_with("undefined behaviour"));
    }
}
