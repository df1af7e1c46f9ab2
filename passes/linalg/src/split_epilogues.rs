//! `linalg-split-epilogues`: what is computed from the sums of one contraction alone becomes a nest of its own, where another one's sums are read, too.
//!
//! Fusion makes one nest of `add(f(sums of one), g(sums of the other))`. Only one of the contractions can have it as its epilogue, in registers; the
//! sums of the other go through memory. They are fewer bytes behind `f` than before where `f` makes narrower numbers, as quantization does: so `f` is taken
//! out again, for all of these contractions but the last one.

use dl_ir::effects::is_pure;
use dl_ir::interfaces::has_pure_tensor_semantics;
use dl_ir::pass::{Pass, PassCx, PassInfo, PassResult};
use dl_ir::rewrite::greedy::GreedyConfig;
use dl_ir::rewrite::{NoMatch, Patterns, Rewrite};
use dl_ir::{BlockId, Mapping, OpDefinition, OpId, OpRef, OpState, Rewriter, ValueId, ValueRef, clone_op};
use dl_linalg::{GenericOp, IteratorType, LinalgOp, YieldOp};
use dl_tensor::build::empty;
use rustc_hash::FxHashSet;

use crate::erase_unused::erase_unused;
use crate::generic::{Generic, kept_attrs};

/// Takes the epilogues of several contractions apart.
#[derive(Clone, Copy, Default)]
pub struct SplitEpilogues;

impl Pass for SplitEpilogues {
    const INFO: PassInfo = PassInfo::new(
        "linalg-split-epilogues",
        "Take element-wise nests on the sums of several contractions apart where numbers are narrower",
    );

    fn run(&mut self, cx: &mut PassCx<'_>) -> PassResult {
        let mut patterns = Patterns::new();
        let root = Some(GenericOp::NAME);
        patterns.add_fn("linalg-split-epilogue", root, split).add_fn("linalg-erase-unused", root, erase_unused);
        if !cx.rewrite_greedily(&patterns.freeze(), &GreedyConfig::default())?.changed {
            cx.preserve_all();
        }
        Ok(())
    }
}

/// Whether the body reads input `at` of a nest, which is all that uses the sums of a contraction, in the same order.
fn reads_sums(nest: LinalgOp<'_>, at: usize) -> bool {
    let (op, affine) = (nest.op(), nest.op().cx().affine());
    let value = op.operand(at);
    let contraction = value.defining_op().and_then(LinalgOp::of);
    value.has_one_use()
        && nest.reads_operand(at)
        && affine.is_permutation(nest.indexing_maps()[at])
        && contraction.is_some_and(|from| from.iterator_types().contains(&IteratorType::Reduction))
        && value.parent_block().map(|block| block.id()) == op.block().map(|block| block.id())
}

/// What of a body is computed from the sum in an argument, besides that from arguments of inputs that are broadcast and what is outside.
struct Slice {
    /// The operations, in order.
    ops: Vec<OpId>,
    /// The narrowest value, which is all that the rest of the body needs.
    result: ValueId,
    /// Those of the operations that nothing else needs.
    own: FxHashSet<OpId>,
}

impl Slice {
    fn of(nest: LinalgOp<'_>, at: usize) -> Option<Self> {
        let (cx, ir, body) = (nest.op().cx(), nest.op().arena(), nest.body()?);
        let view = |value: ValueId| ValueRef::new(cx, ir, value);
        let maps = nest.indexing_maps();
        let is_broadcast =
            |each: usize| (0..nest.num_loops()).any(|at| !cx.affine().map_is_function_of_dim(maps[each], at as u32));
        let sum = body.arg(at).id();
        let broadcast = (0..nest.inits().start()).filter(|&each| is_broadcast(each)).map(|each| body.arg(each).id());
        let mut known: FxHashSet<ValueId> = broadcast.chain([sum]).collect();
        let mut of_sum = FxHashSet::from_iter([sum]);
        let (mut ops, mut narrowest) = (Vec::new(), (view(sum).ty().int_or_float_width()?, sum));
        for op in body.ops() {
            let is_inside = |value: ValueRef<'_>| {
                known.contains(&value.id()) || value.parent_block().is_none_or(|block| block != body)
            };
            if op.num_regions() > 0 || op.num_results() != 1 || !is_pure(op) || !op.operands().iter().all(is_inside) {
                continue;
            }
            let result = op.result(0);
            known.insert(result.id());
            ops.push(op.id());
            if op.operands().iter().any(|value| of_sum.contains(&value.id())) {
                of_sum.insert(result.id());
                let bits = result.ty().int_or_float_width().filter(|&bits| bits < narrowest.0);
                narrowest = bits.map_or(narrowest, |bits| (bits, result.id()));
            }
        }
        let (_, result) = narrowest;
        let mut needed = FxHashSet::from_iter([result]);
        for &op in ops.iter().rev() {
            if needed.contains(&ir.result(op, 0)) {
                needed.extend(ir.operands(op));
            }
        }
        ops.retain(|&op| needed.contains(&ir.result(op, 0)));
        let own: FxHashSet<OpId> = ops.iter().copied().filter(|&op| of_sum.contains(&ir.result(op, 0))).collect();
        let before = of_sum.intersection(&needed).filter(|&&value| value != result);
        let is_alone = before.flat_map(|&value| view(value).uses()).all(|(user, _)| own.contains(&user.id()));
        (result != sum && is_alone).then_some(Self { ops, result, own })
    }
}

/// Puts copies of operations at the end of the block, and what is yielded.
fn fill(rw: &mut Rewriter<'_>, block: BlockId, ops: &[OpId], mut mapping: Mapping, yielded: Option<ValueId>) {
    rw.set_insertion_to_end(block);
    for &op in ops {
        clone_op(rw, op, &mut mapping);
    }
    if let Some(value) = yielded {
        let loc = rw.value(value).loc();
        rw.create(OpState::of::<YieldOp<'_>>(loc).operands([mapping.value(value)]));
    }
}

fn split(op: OpId, rw: &mut Rewriter<'_>) -> Rewrite {
    let view = rw.op(op);
    let nest = LinalgOp::of(view).ok_or(NoMatch("no loop nest"))?;
    let whole = Generic::of(view).ok_or(NoMatch("not generic"))?;
    let parallel = nest.iterator_types().iter().all(|&it| it == IteratorType::Parallel);
    if !parallel || !has_pure_tensor_semantics(view) || whole.inits.len() != 1 {
        return Err(NoMatch("not element-wise on tensors"));
    }
    let of_sums: Vec<usize> = (0..whole.inputs.len()).filter(|&at| reads_sums(nest, at)).collect();
    let is_before = |a: usize, b: usize| {
        let [a, b] = [a, b].map(|at| view.operand(at).defining_op().map(OpRef::id));
        a.zip(b).is_some_and(|(a, b)| rw.ir().is_before_in_block(a, b))
    };
    let is_last = |at: usize| of_sums.iter().all(|&other| !is_before(at, other));
    let found = of_sums.iter().filter(|&&at| !is_last(at)).find_map(|&at| Some((at, Slice::of(nest, at)?)));
    let (at, slice) = found.ok_or(NoMatch("nothing narrower is of one of several contractions alone"))?;
    let body = nest.body().ok_or(NoMatch("no body"))?.id();
    let kept = kept_attrs(view);
    let (args, ops) = (rw.ir().block_args(body).to_vec(), rw.ir().block_ops(body).collect::<Vec<_>>());
    let count = whole.inputs.len();

    // Inputs that either of them does not read are dropped later.
    rw.set_insertion_before(op);
    let sizes = dl_tensor::extents(rw, whole.inputs[at], whole.loc);
    let element = rw.ir().value_type(slice.result);
    let init = empty(rw, &sizes, element, whole.loc);
    let maps = whole.maps[..count].iter().copied().chain([whole.maps[at]]).collect();
    let part = Generic { maps, inits: vec![init], results: vec![rw.ir().value_type(init)], ..whole.clone() };
    let (narrow, block) = part.create(rw);
    let new_args = rw.ir().block_args(block).to_vec();
    let mut mapping = Mapping::new();
    args[..count].iter().zip(&new_args).for_each(|(&old, &new)| mapping.map(old, new));
    fill(rw, block, &slice.ops, mapping, Some(slice.result));

    rw.set_insertion_before(op);
    let mut rest = whole.clone();
    rest.inputs.push(rw.ir().result(narrow, 0));
    rest.maps.insert(count, whole.maps[at]);
    let (new, block) = rest.create(rw);
    kept.into_iter().for_each(|(name, attr)| rw.set_attr(new, name, attr));
    let new_args = rw.ir().block_args(block).to_vec();
    let mut mapping = Mapping::new();
    let others = new_args[..count].iter().chain(&new_args[count + 1..]);
    args.iter().zip(others).for_each(|(&old, &new)| mapping.map(old, new));
    mapping.map(slice.result, new_args[count]);
    let ops: Vec<OpId> = ops.into_iter().filter(|op| !slice.own.contains(op)).collect();
    fill(rw, block, &ops, mapping, None);
    let result = rw.ir().result(new, 0);
    rw.replace(op, &[result]);
    Ok(())
}
