//! Which bytes an instruction touches.

use crate::program::Base;

/// Equal runs of bytes at regular distances, along up to three dimensions.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Footprint {
    pub(crate) base: Base,
    /// The first byte.
    pub(crate) start: u64,
    /// The byte after the last one.
    pub(crate) end: u64,
    /// How often, and how far apart; outermost first. Dimensions that do not matter come first and have a count of one.
    dims: [(u64, u64); 3],
    /// Bytes of a run.
    pub(crate) run: u64,
    /// Whether there is a dimension whose elements are all the same.
    repeats: bool,
}

impl Footprint {
    /// Elements of `size` bytes along three dimensions of `shape`, which has no zero; nothing if an address overflows.
    pub(crate) fn new(base: Base, start: u64, shape: [u64; 3], strides: [u64; 3], size: u64) -> Option<Self> {
        let mut dims = [(1, 0); 3];
        let mut run = size;
        let mut used = 3;
        let mut span = size;
        let mut repeats = false;
        for (extent, stride) in shape.into_iter().zip(strides).rev() {
            if extent == 1 || stride == 0 {
                repeats |= extent > 1;
                continue;
            }
            span = span.checked_add((extent - 1).checked_mul(stride)?)?;
            if used == 3 && stride == run {
                run = run.checked_mul(extent)?;
            } else {
                used -= 1;
                dims[used] = (extent, stride);
            }
        }
        Some(Self { base, start, end: start.checked_add(span)?, dims, run, repeats })
    }

    /// How many runs there are.
    pub(crate) fn run_count(&self) -> u64 {
        self.dims.iter().map(|(count, _)| count).product()
    }

    /// Bytes, those of runs that overlap counted as often as they are in one.
    pub(crate) fn bytes(&self) -> u64 {
        self.run_count() * self.run
    }

    /// Where each run begins.
    pub(crate) fn runs(&self) -> impl Iterator<Item = u64> {
        let [outer, middle, inner] = self.dims;
        let start = self.start;
        let steps = |(count, stride): (u64, u64)| (0..count).map(move |i| i * stride);
        steps(outer).flat_map(move |a| steps(middle).flat_map(move |b| steps(inner).map(move |c| start + a + b + c)))
    }

    /// Whether each element has bytes of its own. May say no where runs of different dimensions interleave.
    pub(crate) fn is_injective(&self) -> bool {
        let mut dims = self.dims;
        dims.sort_by_key(|(_, stride)| *stride);
        let mut span = self.run;
        let is_apart = |(count, stride): (u64, u64)| {
            let apart = stride >= span;
            span += (count - 1) * stride;
            apart
        };
        !self.repeats && dims.into_iter().filter(|(count, _)| *count > 1).all(is_apart)
    }

    /// Whether a byte is in both.
    pub(crate) fn overlaps(&self, other: &Self) -> bool {
        if self.base != other.base || self.start >= other.end || other.start >= self.end {
            return false;
        }
        let (few, many) = if self.run_count() <= other.run_count() { (self, other) } else { (other, self) };
        few.runs().any(|start| many.touches(start, start + few.run))
    }

    /// Whether a byte from `from` to before `to` is in it.
    fn touches(&self, from: u64, to: u64) -> bool {
        let [outer, middle, (count, stride)] = self.dims;
        let steps = |(count, stride): (u64, u64)| (0..count).map(move |i| i * stride);
        steps(outer).any(|a| {
            steps(middle).any(|b| {
                let start = self.start + a + b;
                if start >= to {
                    return false;
                }
                // The last run that begins before `to`.
                let last = (to - 1 - start).checked_div(stride).unwrap_or(0).min(count - 1);
                start + last * stride + self.run > from
            })
        })
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn footprint() -> impl Strategy<Value = Footprint> {
        let dims = (prop::array::uniform3(1_u64..5), prop::array::uniform3(0_u64..40));
        (0_u64..60, dims, 1_u64..4).prop_map(|(start, (shape, strides), size)| {
            Footprint::new(Base::Memory(0), start, shape, strides, size).expect("small numbers do not overflow")
        })
    }

    fn bytes(shape: &Footprint) -> Vec<u64> {
        shape.runs().flat_map(|start| start..start + shape.run).collect()
    }

    proptest! {
        #[test]
        fn overlap_is_exact(a in footprint(), b in footprint()) {
            let (of_a, of_b) = (bytes(&a), bytes(&b));
            prop_assert_eq!(a.overlaps(&b), of_a.iter().any(|byte| of_b.contains(byte)));
            prop_assert_eq!(of_a.iter().min(), Some(&a.start));
            prop_assert_eq!(of_a.iter().max(), Some(&(a.end - 1)));
        }

        #[test]
        fn what_is_injective_has_no_byte_twice(a in footprint()) {
            let mut all = bytes(&a);
            let count = all.len();
            all.sort_unstable();
            all.dedup();
            prop_assert!(!a.is_injective() || all.len() == count);
        }
    }
}
