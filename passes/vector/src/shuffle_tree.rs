//! `lower-vector-to-from-elements-to-shuffle-tree`: vectors put together from elements of others, as a tree of shuffles.
//!
//! The leaves are the vectors, in the order in which their elements come first in the result. Each level shuffles neighbours together, two at a
//! time, as far as their elements reach in the result; all shuffles of a level have one length, the longest reach. So there are about as
//! many shuffles as there are vectors, ⌈log₂⌉ of that number one after the other, and only those of the first level have operands of two lengths.

use dl_arith::Build;
use dl_ir::pass::{Pass, PassCx, PassInfo, PassResult};
use dl_ir::rewrite::greedy::GreedyConfig;
use dl_ir::rewrite::{NoMatch, Patterns, Rewrite};
use dl_ir::{OpDefinition, OpId, OpView, Rewriter, ValueId};
use dl_vector::types::extents;
use dl_vector::{FromElementsOp, ToElementsOp};

use crate::build::VectorBuild;

/// Lowers `vector.from_elements` of elements that `vector.to_elements` took from vectors.
#[derive(Clone, Copy, Default)]
pub struct ShuffleTree;

impl Pass for ShuffleTree {
    const INFO: PassInfo = PassInfo::new(
        "lower-vector-to-from-elements-to-shuffle-tree",
        "Lower `vector.to_elements` and `vector.from_elements` to a tree of `vector.shuffle` operations",
    )
    .title("LowerVectorToFromElementsToShuffleTreePass");

    fn run(&mut self, cx: &mut PassCx<'_>) -> PassResult {
        let mut patterns = Patterns::new();
        patterns.add_fn("vector-shuffle-tree", Some(FromElementsOp::NAME), shuffle_tree);
        if !cx.rewrite_greedily(&patterns.freeze(), &GreedyConfig::default())?.changed {
            cx.preserve_all();
        }
        Ok(())
    }
}

/// Lanes of the shuffles of one level: more are not made.
const MOST_LANES: usize = 1 << 20;

/// A vector that has some elements of the result.
struct Node {
    value: ValueId,
    length: i64,
    /// Positions in the result, ascending, and those in the vector.
    places: Vec<(usize, i64)>,
}

impl Node {
    /// The first position in the result and how far the last one is from there.
    fn reach(&self, other: Option<&Self>) -> (usize, usize) {
        let ends = |node: &Self| {
            let at = |place: Option<&(usize, i64)>| place.map_or(0, |place| place.0);
            (at(node.places.first()), at(node.places.last()))
        };
        let (first, last) = ends(self);
        let (first, last) = other.map_or((first, last), |other| {
            let (other_first, other_last) = ends(other);
            (first.min(other_first), last.max(other_last))
        });
        (first, last - first + 1)
    }
}

fn shuffle_tree(op: OpId, rw: &mut Rewriter<'_>) -> Rewrite {
    let view = FromElementsOp::wrap(rw.op(op));
    let result = view.0.result(0).ty();
    if extents(result).len() != 1 {
        return Err(NoMatch("not one dimension"));
    }
    let mut nodes: indexmap::IndexMap<ValueId, Node, rustc_hash::FxBuildHasher> = indexmap::IndexMap::default();
    for (position, element) in view.0.operands().iter().enumerate() {
        let from = element.def::<ToElementsOp<'_>>().ok_or(NoMatch("an element that is from no vector"))?;
        let (source, number) = (from.0.operand(0), element.index());
        let &[length] = extents(source.ty()) else { return Err(NoMatch("elements of a vector of several dimensions")) };
        let node = nodes.entry(source.id()).or_insert(Node { value: source.id(), length, places: Vec::new() });
        node.places.push((position, number as i64));
    }
    let mut nodes: Vec<Node> = nodes.into_values().collect();
    let count = view.0.num_operands();
    if nodes.is_empty() || nodes.len().saturating_mul(count) > MOST_LANES {
        return Err(NoMatch("nothing, or too much"));
    }
    let loc = view.0.loc();
    rw.set_insertion_before(op);
    let mut b = Build::new(rw, loc);
    loop {
        nodes = level(&mut b, &nodes);
        if let [root] = &nodes[..] {
            let root = root.value;
            rw.replace(op, &[root]);
            return Ok(());
        }
    }
}

/// The vectors of the next level.
fn level(b: &mut Build<'_, '_>, nodes: &[Node]) -> Vec<Node> {
    let length = nodes.chunks(2).map(|pair| pair[0].reach(pair.get(1)).1).max().unwrap_or(0);
    let joined = nodes.chunks(2).map(|pair| {
        let (first, second) = (&pair[0], pair.get(1));
        let (start, _) = first.reach(second);
        let mut mask = vec![-1; length];
        for &(position, lane) in &first.places {
            mask[position - start] = lane;
        }
        for &(position, lane) in second.map_or(&[][..], |second| &second.places) {
            mask[position - start] = first.length + lane;
        }
        let covered = mask.iter().enumerate().filter(|(_, lane)| **lane >= 0);
        let places = covered.map(|(lane, _)| (start + lane, lane as i64)).collect();
        let value = b.shuffle(first.value, second.unwrap_or(first).value, &mask);
        Node { value, length: length as i64, places }
    });
    joined.collect()
}
