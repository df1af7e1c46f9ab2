//! The dominator tree, compared with what dominance means: a block dominates those that nothing leads to once it is taken away.

use dl_ir::dominance::Dominance;
use dl_ir::text::parse_source;
use dl_ir::{BlockId, BlockRef, Context, OpRef};

/// Numbers that look random, and are the same each time (Marsaglia's xorshift64).
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, end: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % end as u64) as usize
    }
}

/// Blocks with up to three successors each, none of which is the first one.
fn graph(numbers: &mut Numbers) -> Vec<Vec<usize>> {
    let blocks = 2 + numbers.below(24);
    (0..blocks).map(|_| (0..numbers.below(4)).map(|_| 1 + numbers.below(blocks - 1)).collect()).collect()
}

/// One operation with a region of those blocks.
fn text(graph: &[Vec<usize>]) -> String {
    let block = |(at, successors): (usize, &Vec<usize>)| {
        let names: Vec<String> = successors.iter().map(|to| format!("^bb{to}")).collect();
        let list = if names.is_empty() { String::new() } else { format!("[{}]", names.join(", ")) };
        format!("^bb{at}:\n\"t.br\"(){list} : () -> ()\n")
    };
    let blocks: String = graph.iter().enumerate().map(block).collect();
    format!("\"t.op\"() ({{\n{blocks}}}) : () -> ()\n")
}

/// The blocks that the first leads to without `missing`.
fn reached(graph: &[Vec<usize>], missing: Option<usize>) -> Vec<bool> {
    let mut seen = vec![false; graph.len()];
    let mut pending = vec![0];
    while let Some(at) = pending.pop() {
        if Some(at) != missing && !std::mem::replace(&mut seen[at], true) {
            pending.extend(&graph[at]);
        }
    }
    seen
}

#[test]
fn a_block_dominates_what_is_not_reached_without_it() {
    let mut numbers = Numbers(0x9e37_79b9_7f4a_7c15);
    for _ in 0..400 {
        let graph = graph(&mut numbers);
        let mut cx = Context::new();
        cx.allow_unregistered(true);
        let source = cx.add_source("in", text(&graph).into_bytes());
        let parsed = parse_source(&cx, &source).unwrap();
        let op = OpRef::root(&cx, &parsed.module).regions().flat_map(|region| region.ops()).next().unwrap();
        let blocks: Vec<BlockId> = op.regions().flat_map(|region| region.blocks()).map(BlockRef::id).collect();
        let dominance = Dominance::new(&cx, &parsed.module);
        let all = reached(&graph, None);
        for a in 0..graph.len() {
            assert_eq!(dominance.is_reachable(&parsed.module, blocks[a]), all[a], "{a} in {graph:?}");
            let without = reached(&graph, Some(a));
            for b in 0..graph.len() {
                let expected = !all[b] || all[a] && !without[b];
                let found = dominance.block_dominates(&parsed.module, blocks[a], blocks[b]);
                assert_eq!(found, expected || a == b, "{a} and {b} in {graph:?}");
            }
            // The closest of those that dominate a block is dominated by all others.
            let closest = dominance.immediate_dominator(blocks[a]);
            let others = (0..graph.len()).filter(|&d| d != a && all[a] && all[d] && !reached(&graph, Some(d))[a]);
            let expected =
                others.max_by_key(|&d| (0..graph.len()).filter(|&e| all[e] && !reached(&graph, Some(e))[d]).count());
            assert_eq!(closest, expected.map(|d| blocks[d]), "{a} in {graph:?}");
        }
    }
}
