//! Places for buffers in one piece of memory: offsets such that those needed at the same time do not overlap.

/// A buffer to be placed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Request {
    /// Bytes that it takes.
    pub(super) size: u64,
    /// Its offset is a multiple of this.
    pub(super) alignment: u64,
    /// First and last moment at which it is needed.
    pub(super) life: (usize, usize),
}

/// Offsets of buffers, and how large the memory is.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Layout {
    /// One for each request.
    pub(super) offsets: Vec<u64>,
    /// Bytes of all.
    pub(super) size: u64,
}

/// Places buffers, large ones first, each into the smallest gap between those that are needed at the same time, else behind them. `None` where
/// the memory would be larger than can be addressed.
///
/// Source of the method: Pisarchyk and Lee, "Efficient Memory Management for Deep Neural Net Inference" (2020), greedy by size. Cost
/// O(n² log n).
pub(super) fn layout(requests: &[Request]) -> Option<Layout> {
    let mut order: Vec<usize> = (0..requests.len()).collect();
    order.sort_by_key(|&at| (std::cmp::Reverse(requests[at].size), requests[at].life));
    let mut offsets = vec![0; requests.len()];
    let (mut placed, mut size): (Vec<usize>, u64) = (Vec::new(), 0);
    for at in order {
        let request = &requests[at];
        let (first, last) = request.life;
        let mut taken: Vec<(u64, u64)> = placed
            .iter()
            .filter(|&&other| requests[other].life.0 <= last && first <= requests[other].life.1)
            .map(|&other| (offsets[other], offsets[other] + requests[other].size))
            .collect();
        taken.sort_unstable();
        let (mut best, mut end): (Option<(u64, u64)>, u64) = (None, 0);
        for (from, to) in taken {
            let start = end.checked_next_multiple_of(request.alignment)?;
            if let Some(room) = from.checked_sub(start).filter(|&room| room >= request.size)
                && best.is_none_or(|(smallest, _)| room < smallest)
            {
                best = Some((room, start));
            }
            end = end.max(to);
        }
        let offset = match best {
            Some((_, offset)) => offset,
            None => end.checked_next_multiple_of(request.alignment)?,
        };
        offsets[at] = offset;
        size = size.max(offset.checked_add(request.size).filter(|&end| i64::try_from(end).is_ok())?);
        placed.push(at);
    }
    Some(Layout { offsets, size })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn place(requests: &[(u64, (usize, usize))]) -> Layout {
        let requests: Vec<Request> =
            requests.iter().map(|&(size, life)| Request { size, alignment: 64, life }).collect();
        layout(&requests).unwrap()
    }

    #[test]
    fn one_after_the_other_take_the_same_place() {
        assert_eq!(place(&[(100, (0, 1)), (50, (2, 3)), (70, (4, 9))]), Layout { offsets: vec![0, 0, 0], size: 100 });
    }

    #[test]
    fn at_the_same_time_they_lie_side_by_side_and_aligned() {
        assert_eq!(place(&[(100, (0, 4)), (50, (4, 5))]), Layout { offsets: vec![0, 128], size: 178 });
    }

    #[test]
    fn the_smallest_gap_is_taken() {
        // By moment 2 there are gaps of 512 bytes at 1024 and of 256 at 1856.
        let throughout = (0, 9);
        let early = (0, 1);
        let sizes =
            [(1024, throughout), (512, early), (300, throughout), (200, early), (150, throughout), (100, (2, 3))];
        assert_eq!(place(&sizes), Layout { offsets: vec![0, 1024, 1536, 1856, 2112, 1856], size: 2262 });
    }

    #[test]
    fn no_two_that_are_needed_at_once_overlap() {
        // A chain of pseudo-random lives and sizes; the sum of what is needed at one moment bounds the memory from below.
        let mut state = 12345_u64;
        let mut next = |below: u64| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (state >> 33) % below
        };
        let requests: Vec<Request> = (0..200)
            .map(|_| {
                let first = next(100) as usize;
                Request { size: 1 + next(5000), alignment: 1 << next(8), life: (first, first + next(10) as usize) }
            })
            .collect();
        let Layout { offsets, size } = layout(&requests).unwrap();
        for (a, x) in requests.iter().enumerate() {
            assert!(offsets[a].is_multiple_of(x.alignment) && offsets[a] + x.size <= size);
            for (b, y) in requests.iter().enumerate().skip(a + 1) {
                let at_once = x.life.0 <= y.life.1 && y.life.0 <= x.life.1;
                assert!(!at_once || offsets[a] + x.size <= offsets[b] || offsets[b] + y.size <= offsets[a]);
            }
        }
        let needed = |moment: usize| -> u64 {
            requests.iter().filter(|r| r.life.0 <= moment && moment <= r.life.1).map(|r| r.size).sum()
        };
        let least = (0..110).map(needed).max().unwrap();
        assert!(size >= least && size < least * 3 / 2, "{size} of at least {least}");
    }

    #[test]
    fn memory_that_cannot_be_addressed_is_refused() {
        let huge = Request { size: u64::MAX / 2, alignment: 64, life: (0, 0) };
        assert_eq!(layout(&[huge.clone(), huge]), None);
    }
}
