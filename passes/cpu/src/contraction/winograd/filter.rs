//! Filters transformed when compiling.

use dl_ir::attributes::{DenseBuffer, DenseData};
use dl_ir::types::row_major_strides;
use dl_ir::{Attr, AttrData, Context};
use rayon::prelude::*;

use super::algorithm::{Algorithm, TAPS};
use super::shape::Convolution;

/// Filters that are transformed at once: of so many features of a channel.
const LANES: usize = 16;

/// Channels that go by for the same features before the next: their filters usually lie next to each other, those of features far apart.
const CHANNELS: usize = 16;

/// `G g Gᵀ` of each channel and feature, computed in double precision: a constant `[elements of a tile][channels][features]`.
///
/// `None` where the elements of the filter are not at hand, or there are more than memory has addresses for.
pub(super) fn transformed(cx: &Context, convolution: &Convolution, algorithm: &Algorithm) -> Option<Attr> {
    let affine = cx.affine();
    let contraction = &convolution.contraction;
    let filter = &contraction.inputs[1 - convolution.image];
    let AttrData::DenseElements { data, .. } = cx.attr(filter.constant?).data() else { return None };
    let strides = row_major_strides(&filter.extents);
    let step = |of: usize| {
        let at = filter.indices.iter().position(|&index| affine.dim_position(index) == Some(of as u32))?;
        usize::try_from(strides[at]).ok()
    };
    let [down, across] = convolution.windows;
    let (channel, feature) = (convolution.channel.0, contraction.vector);
    let (by_row, by_column, by_channel, by_feature) =
        (step(down.tap)?, step(across.tap)?, step(channel)?, step(feature)?);
    let extent = |at: usize| usize::try_from(contraction.extents[at]).ok();
    let (channels, features) = (extent(channel)?, extent(feature)?);
    let size = algorithm.inputs().pow(2);
    let plane = channels.checked_mul(features)?;
    let (weights, _) = data.bytes().as_chunks::<{ size_of::<f32>() }>();
    let mut buffer = DenseBuffer::zeroed(plane.checked_mul(size)?.checked_mul(size_of::<f32>())?)?;
    let (elements, _) = buffer.as_chunks_mut::<{ size_of::<f32>() }>();
    let tap = |at: usize| f64::from(f32::from_le_bytes(weights[if data.is_splat() { 0 } else { at }]));
    // Some channels of each element of the tile.
    let mut blocks: Vec<Vec<&mut [[u8; size_of::<f32>()]]>> = Vec::new();
    blocks.resize_with(channels.div_ceil(CHANNELS), Vec::new);
    for plane in elements.chunks_exact_mut(plane.max(1)) {
        blocks.iter_mut().zip(plane.chunks_mut(CHANNELS * features)).for_each(|(block, part)| block.push(part));
    }
    let fill = |(number, mut block): (usize, Vec<&mut [[u8; size_of::<f32>()]]>)| {
        let first = number * CHANNELS;
        for feature in (0..features).step_by(LANES) {
            let lanes = (features - feature).min(LANES);
            for channel in first..channels.min(first + CHANNELS) {
                let mut taps = [[[0.0; LANES]; TAPS]; TAPS];
                for lane in 0..lanes {
                    let start = channel * by_channel + (feature + lane) * by_feature;
                    for (y, row) in taps.iter_mut().enumerate() {
                        for (x, lanes) in row.iter_mut().enumerate() {
                            lanes[lane] = tap(start + y * by_row + x * by_column);
                        }
                    }
                }
                let at = (channel - first) * features + feature;
                algorithm.transform_filter(&taps, |element, values| {
                    let rounded = values.map(|value| (value as f32).to_le_bytes());
                    block[element][at..][..lanes].copy_from_slice(&rounded[..lanes]);
                });
            }
        }
    };
    if cx.threading() {
        blocks.into_par_iter().enumerate().for_each(fill);
    } else {
        blocks.into_iter().enumerate().for_each(fill);
    }
    cx.give_back(data);
    let ty = cx.tensor_type(&[size as i64, channels as i64, features as i64], cx.f32_type());
    Some(cx.intern_attr(AttrData::DenseElements { ty, data: DenseData::elements(buffer, size_of::<f32>()) }))
}
