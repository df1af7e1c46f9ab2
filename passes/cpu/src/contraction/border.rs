//! Padding where it is used: an image is padded one iteration of the outer loops at a time, in the first-level cache, and not all of it before.
//!
//! That is for a small window on each channel, where outer loops go by images and channels, and for what cannot be computed in the middle of the padded image:
//! an argument. A depthwise convolution of 144 channels of 56x56 took 0.090 ms with a padding of all channels before, and takes 0.065.

use dl_ir::interfaces::Index;
use dl_ir::interfaces::offset_size_stride::Slice;
use dl_ir::{Attr, OpId, Rewriter, ValueId};
use dl_tensor::build::pad;
use dl_tensor::{PadOp, extract_slice_state};

use super::nest::Emitter;
use super::plan::Plan;
use super::shape::{Along, Contraction};

/// A padding that is to be made for each iteration of the outer loops.
pub(super) struct Border {
    /// The padding of all of the image.
    pub(super) op: OpId,
    /// Its result, in whose place the padded part is read.
    pub(super) padded: ValueId,
    source: ValueId,
    /// The loop that each dimension goes by; `None` for one that is there in each iteration.
    loops: Vec<Option<usize>>,
    extents: Vec<i64>,
    low: Vec<i64>,
    high: Vec<i64>,
    value: Attr,
}

impl Border {
    /// The padding of an input of `of`, and `of` as it is in an iteration. `None` where there is none to be made so.
    pub(super) fn of(rw: &Rewriter<'_>, of: &Contraction, plan: &Plan) -> Option<(Self, Contraction)> {
        let affine = rw.cx().affine();
        let at = (0..2).find(|&at| plan.unrolled && of.inputs[at].along_vector == Along::Adjacent)?;
        let image = &of.inputs[at];
        let pad = rw.value(image.value).defining_op().filter(|op| op.is::<PadOp<'_>>()).map(PadOp)?;
        let (source, value) = (pad.source(), pad.0.region(0).entry()?.last_op()?.operand(0).constant()?.id());
        let (low, high) = (pad.static_low().as_i64_array()?, pad.static_high().as_i64_array()?);
        let known = source.ty().has_static_shape() && pad.result().ty().has_static_shape();
        if !known || pad.0.num_operands() != 1 || !pad.result().has_one_use() || source.defining_op().is_some() {
            return None;
        }
        let dim_of = |over: usize| {
            let is_its = |&dim: &usize| affine.dim_position(image.indices[dim]) == Some(over as u32);
            (0..image.indices.len()).find(is_its).filter(|&dim| low[dim] == 0 && high[dim] == 0)
        };
        let mut loops = vec![None; image.indices.len()];
        for &over in &of.outer {
            loops[dim_of(over)?] = Some(over);
        }
        if of.volume(&of.outer)? <= 1 {
            return None;
        }
        let extents = source.ty().shape()?.to_vec();
        let (source, padded, op) = (source.id(), image.value, pad.0.id());
        let mut part = of.clone();
        let image = &mut part.inputs[at];
        for (dim, _) in loops.iter().enumerate().filter(|(_, over)| over.is_some()) {
            (image.indices[dim], image.extents[dim]) = (affine.constant(0), 1);
        }
        Some((Self { op, padded, source, loops, extents, low, high, value }, part))
    }
}

impl Emitter<'_, '_, '_> {
    /// Pads what the iteration of the outer loops reads, if that is done.
    pub(super) fn pad_here(&mut self) {
        let Some(border) = self.border else { return };
        let (cx, loc) = (self.b.cx(), self.b.loc);
        let (mut offsets, mut sizes) = (Vec::new(), Vec::new());
        for (&over, &extent) in border.loops.iter().zip(&border.extents) {
            offsets.push(over.map_or(Index::Static(0), |over| {
                let at = self.positions[over];
                Index::Value(self.value_at(at))
            }));
            sizes.push(if over.is_some() { 1 } else { extent });
        }
        let element = self.b.value_type(border.source).element_or_self().id();
        let strides = vec![Index::Static(1); sizes.len()];
        let lengths: Vec<Index> = sizes.iter().copied().map(Index::Static).collect();
        let slice = Slice { offsets: offsets.into(), sizes: lengths.into(), strides: strides.into() };
        let state = extract_slice_state(&self.b, border.source, &slice, cx.tensor_type(&sizes, element), loc);
        let part = self.b.create_value(state);
        let value = self.b.constant(border.value, element);
        self.padded = Some(pad(&mut self.b, part, &border.low, &border.high, value, loc));
    }
}
