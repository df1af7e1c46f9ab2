//! `simplify-depthwise-conv`: a depthwise convolution with one output channel for each input channel needs no dimension for that.

use dl_ir::interfaces::has_pure_tensor_semantics;
use dl_ir::interfaces::reassociation::expand_state;
use dl_ir::pass::{Pass, PassCx, PassInfo, PassResult};
use dl_ir::rewrite::greedy::GreedyConfig;
use dl_ir::rewrite::{NoMatch, Patterns, Rewrite};
use dl_ir::{Attr, Ident, OpDefinition, OpId, Rewriter, ValueId};
use dl_linalg::build::named_state;
use dl_linalg::{DepthwiseConv2DNhwcHwcmOp, DepthwiseConv2DNhwcHwcmQOp, LinalgOp, TypeFn};
use dl_tensor::ExpandShapeOp;
use dl_tensor::build::collapse;

/// Drops the channel multiplier of depthwise convolutions where it is 1.
#[derive(Clone, Copy, Default)]
pub struct SimplifyDepthwiseConv;

impl Pass for SimplifyDepthwiseConv {
    const INFO: PassInfo =
        PassInfo::new("simplify-depthwise-conv", "Drop the channel multiplier of depthwise convolutions where it is 1")
            .title("SimplifyDepthwiseConvPass");

    fn run(&mut self, cx: &mut PassCx<'_>) -> PassResult {
        let mut patterns = Patterns::new();
        for root in [DepthwiseConv2DNhwcHwcmOp::NAME, DepthwiseConv2DNhwcHwcmQOp::NAME] {
            patterns.add_fn("linalg-simplify-depthwise-conv", Some(root), simplify);
        }
        if !cx.rewrite_greedily(&patterns.freeze(), &GreedyConfig::default())?.changed {
            cx.preserve_all();
        }
        Ok(())
    }
}

/// `conv_nhwc_hwcm(x, k)` is `expand(conv_nhwc_hwc(x, collapse(k)))` where the last extent of `k` is 1.
fn simplify(op: OpId, rw: &mut Rewriter<'_>) -> Rewrite {
    let view = rw.op(op);
    let nest = LinalgOp::of(view).ok_or(NoMatch("no loop nest"))?;
    if !has_pure_tensor_semantics(view) {
        return Err(NoMatch("not on tensors"));
    }
    let mut inputs: Vec<ValueId> = nest.inputs().map(|input| input.id()).collect();
    let init = nest.inits().get(0).ok_or(NoMatch("no init"))?.id();
    let unit = |value: ValueId, dim: usize| rw.value_type(value).shape().and_then(|shape| shape.get(dim)) == Some(&1);
    let (&kernel, true) = (inputs.get(1).ok_or(NoMatch("no kernel"))?, inputs.get(1).is_some_and(|&k| unit(k, 3)))
    else {
        return Err(NoMatch("several output channels for an input channel"));
    };
    if !unit(init, 4) {
        return Err(NoMatch("the extent of the result is not known to be 1"));
    }
    let name = if view.is::<DepthwiseConv2DNhwcHwcmOp<'_>>() {
        "linalg.depthwise_conv_2d_nhwc_hwc"
    } else {
        "linalg.depthwise_conv_2d_nhwc_hwc_q"
    };
    let cx = rw.cx();
    let kept = |name: Ident| cx.str(name) != "operandSegmentSizes";
    let attrs: Vec<(Ident, Attr)> =
        view.attrs().filter(|(name, _)| kept(*name)).map(|(name, attr)| (name, attr.id())).collect();
    let (loc, result) = (view.loc(), view.result(0).ty().id());
    rw.set_insertion_before(op);
    inputs[1] = collapse(rw, kernel, &[vec![0], vec![1], vec![2, 3]], loc);
    let groups = [vec![0], vec![1], vec![2], vec![3, 4]];
    let collapsed = collapse(rw, init, &groups, loc);
    let state = named_state(rw, name, &inputs, &[collapsed], TypeFn::CastSigned, loc);
    let state = state.map_err(|_| NoMatch("element types that the operation does not take"))?.attrs(attrs);
    let convolved = rw.create_value(state);
    let output = dl_tensor::extents(rw, init, loc);
    let state = expand_state::<ExpandShapeOp<'_>>(cx, convolved, &groups, &output, result, loc);
    rw.replace_with(op, state);
    Ok(())
}
