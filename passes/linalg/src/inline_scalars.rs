//! `linalg-inline-scalar-operands`: inputs of which a `linalg.generic` reads one element only are read in its body.

use dl_ir::interfaces::has_pure_tensor_semantics;
use dl_ir::pass::{Pass, PassCx, PassInfo, PassResult};
use dl_ir::rewrite::greedy::GreedyConfig;
use dl_ir::rewrite::{NoMatch, Patterns, Rewrite};
use dl_ir::{OpDefinition, OpId, OpState, Rewriter, ValueId};
use dl_linalg::GenericOp;
use dl_tensor::ExtractOp;

use crate::generic::{Generic, covers_all_loops};

/// Reads the element of a constant position in the body, so that the input is no longer one.
#[derive(Clone, Copy, Default)]
pub struct InlineScalarOperands;

impl Pass for InlineScalarOperands {
    const INFO: PassInfo =
        PassInfo::new("linalg-inline-scalar-operands", "Read inputs of one element in the body of linalg.generic")
            .title("LinalgInlineScalarOperandsPass");

    fn run(&mut self, cx: &mut PassCx<'_>) -> PassResult {
        let mut patterns = Patterns::new();
        patterns.add_fn("linalg-inline-scalar-operands", Some(GenericOp::NAME), inline_scalars);
        if !cx.rewrite_greedily(&patterns.freeze(), &GreedyConfig::default())?.changed {
            cx.preserve_all();
        }
        Ok(())
    }
}

fn inline_scalars(op: OpId, rw: &mut Rewriter<'_>) -> Rewrite {
    let cx = rw.cx();
    let view = rw.op(op);
    let old = Generic::of(view).ok_or(NoMatch("not general"))?;
    if !has_pure_tensor_semantics(view) {
        return Err(NoMatch("not on tensors"));
    }
    let positions: Vec<Option<Vec<i64>>> =
        old.maps[..old.inputs.len()].iter().map(|&map| cx.affine().constant_results(map)).collect();
    if positions.iter().all(Option::is_none) {
        return Err(NoMatch("every input is read at different positions"));
    }
    let mut new = old.clone();
    let keep = |i: usize| positions.get(i).is_none_or(Option::is_none);
    new.inputs = (0..old.inputs.len()).filter(|&i| keep(i)).map(|i| old.inputs[i]).collect();
    new.maps = (0..old.maps.len()).filter(|&i| keep(i)).map(|i| old.maps[i]).collect();
    if old.maps.iter().any(|&map| cx.affine().map(map).num_dims > 0) && !covers_all_loops(cx, &new.maps) {
        return Err(NoMatch("no other operand says how far a loop runs"));
    }
    let region = view.region(0).id();
    rw.set_insertion_before(op);
    let replacement = new.create_with_body_of(rw, region);
    let region = rw.op(replacement).region(0).id();
    let block = rw.ir().entry_block(region).ok_or(NoMatch("no body"))?;
    rw.set_insertion_to_start(block);
    // The last argument first: the numbers of those before it stay as they are.
    for (i, position) in positions.into_iter().enumerate().rev() {
        let Some(position) = position else { continue };
        let indices: Vec<ValueId> =
            position.into_iter().map(|index| dl_arith::constant_index(rw, index, old.loc)).collect();
        let input = old.inputs[i];
        let ty = rw.value_type(input);
        let value = if ty.is_ranked_tensor() {
            let state = OpState::of::<ExtractOp<'_>>(old.loc).operands([input]).operands(indices);
            rw.create_value(state.results([ty.element_or_self().id()]))
        } else {
            input
        };
        let arg = rw.ir().block_args(block)[i];
        rw.replace_all_uses(arg, value);
        rw.erase_block_arg(block, i);
    }
    let results: Vec<ValueId> = rw.ir().results(replacement).collect();
    rw.replace(op, &results);
    Ok(())
}
