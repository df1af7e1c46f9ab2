//! Which operations are convolutions of three by three in steps of one, and what their loops are.

use dl_ir::affine::{AffineExpr, AffineStore};
use dl_linalg::LinalgOp;

use super::algorithm::TAPS;
use super::cost::Problem;
use crate::contraction::shape::{Along, Contraction};

/// A dimension of the image that a window slides over.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Window {
    /// The dimension.
    pub(super) dim: usize,
    /// The loop over results.
    pub(super) over: usize,
    /// The loop over taps.
    pub(super) tap: usize,
}

/// A convolution.
#[derive(Clone, Debug)]
pub(super) struct Convolution {
    /// It as a contraction, with vectors along the features.
    pub(super) contraction: Contraction,
    /// Which input is the image; the other one is the filter.
    pub(super) image: usize,
    /// Down and across.
    pub(super) windows: [Window; 2],
    /// The loop over channels, and the dimension of the image.
    pub(super) channel: (usize, usize),
    /// The parallel loops over neither rows, columns nor features: those over images.
    pub(super) batch: Vec<usize>,
}

impl Convolution {
    /// `nest`, if it is one on `f32` of known extents whose filter is known.
    pub(super) fn of(nest: LinalgOp<'_>) -> Option<Self> {
        let cx = nest.op().cx();
        let affine = cx.affine();
        let contraction = Contraction::along_result(nest)?;
        let accesses = || contraction.inputs.iter().chain([&contraction.result]);
        let of_f32 = accesses().all(|access| access.element == cx.f32_type());
        let known = contraction.extents.iter().chain(accesses().flat_map(|access| &access.extents));
        if !of_f32 || known.into_iter().any(|&extent| extent < 0) || contraction.result.along_vector != Along::Adjacent
        {
            return None;
        }
        let image = contraction.inputs.iter().position(|input| input.along_vector == Along::Constant)?;
        let filter = &contraction.inputs[1 - image];
        filter.constant?;
        let parallel: Vec<usize> = contraction.outer.iter().copied().chain(contraction.row).collect();
        let (mut windows, mut channels, mut batch) = (Vec::new(), Vec::new(), Vec::new());
        for (dim, &index) in contraction.inputs[image].indices.iter().enumerate() {
            if let Some(at) = affine.dim_position(index).map(|at| at as usize) {
                if contraction.reduced.contains(&at) {
                    channels.push((at, dim));
                } else {
                    batch.push(at);
                }
                continue;
            }
            let (first, second) = sum_of_two(affine, index, contraction.extents.len())?;
            let (over, tap) = if parallel.contains(&first) { (first, second) } else { (second, first) };
            let slides = parallel.contains(&over) && contraction.reduced.contains(&tap);
            if !slides || contraction.extents[tap] != TAPS as i64 {
                return None;
            }
            windows.push(Window { dim, over, tap });
        }
        let (&[down, across], &[channel]) = (&windows[..], &channels[..]) else { return None };
        // Each loop once: the features are in the filter alone, images in the image, what is summed over in both.
        let mut in_image = vec![channel.0, down.over, down.tap, across.over, across.tap];
        in_image.extend(&batch);
        let mut in_filter = vec![contraction.vector, channel.0, down.tap, across.tap];
        let filter_loops: Option<Vec<usize>> =
            filter.indices.iter().map(|&index| Some(affine.dim_position(index)? as usize)).collect();
        let mut filter_loops = filter_loops?;
        let count = in_image.len();
        in_image.sort_unstable();
        in_image.dedup();
        in_filter.sort_unstable();
        filter_loops.sort_unstable();
        let all = contraction.extents.len();
        if in_image.len() != count || count + 1 != all || in_filter != filter_loops || contraction.reduced.len() != 3 {
            return None;
        }
        Some(Self { contraction, image, windows: [down, across], channel, batch })
    }

    /// Its extents.
    pub(super) fn problem(&self) -> Problem {
        let extent = |at: usize| self.contraction.extents[at] as u64;
        Problem {
            batch: self.batch.iter().map(|&at| extent(at)).product(),
            rows: extent(self.windows[0].over),
            columns: extent(self.windows[1].over),
            channels: extent(self.channel.0),
            features: extent(self.contraction.vector),
        }
    }
}

/// The loops whose sum `index` is, if it is that of two.
fn sum_of_two(affine: &AffineStore, index: AffineExpr, loops: usize) -> Option<(usize, usize)> {
    let form = affine.linear_form(index, loops as u32, 0)?;
    let found: Vec<usize> = (0..loops).filter(|&at| form.dims[at] != 0).collect();
    let [first, second] = found[..] else { return None };
    let plain = form.constant == 0 && form.dims[first] == 1 && form.dims[second] == 1;
    plain.then_some((first, second))
}
