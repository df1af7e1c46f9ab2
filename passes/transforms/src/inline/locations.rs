//! Where inlined operations come from: their own place, called from that of the call.

use dl_ir::location::LocData;
use dl_ir::{Arena, BlockId, Context, Loc, OpId, Rewriter};
use rustc_hash::FxHashMap;

/// Appends a call at `caller` to locations.
pub(super) struct Callers<'c> {
    cx: &'c Context,
    caller: Loc,
    known: FxHashMap<Loc, Loc>,
}

impl<'c> Callers<'c> {
    pub(super) fn new(cx: &'c Context, caller: Loc) -> Self {
        Self { cx, caller, known: FxHashMap::default() }
    }

    /// Changes the locations of the operations and arguments of `blocks`, and of all that is nested there.
    pub(super) fn append(&mut self, rw: &mut Rewriter<'_>, blocks: &[BlockId]) {
        for &block in blocks {
            self.append_to_args(rw, block);
            let ops: Vec<OpId> = rw.ir().block_ops(block).collect();
            for op in ops {
                for nested in dl_ir::walk::ops_in_arena(rw.ir(), op) {
                    self.append_to_op(rw, nested);
                }
            }
        }
    }

    fn append_to_op(&mut self, rw: &mut Rewriter<'_>, op: OpId) {
        let loc = self.called(rw.op(op).loc());
        rw.set_loc(op, loc);
        let regions = rw.ir().op_regions(op).to_vec();
        for region in regions {
            let blocks: Vec<BlockId> = rw.ir().region_blocks(region).collect();
            blocks.into_iter().for_each(|block| self.append_to_args(rw, block));
        }
        if let Some(mut inner) = rw.enter(op) {
            // Nested isolated operations are seldom nested in each other, but nothing says so.
            stacker::maybe_grow(64 * 1024, 1024 * 1024, || {
                for op in dl_ir::walk::ops_in_arena(inner.ir(), Arena::ROOT) {
                    self.append_to_op(&mut inner, op);
                }
            });
        }
    }

    fn append_to_args(&mut self, rw: &mut Rewriter<'_>, block: BlockId) {
        for arg in rw.ir().block_args(block).to_vec() {
            if let Some(loc) = rw.ir().arg_loc(arg) {
                let loc = self.called(loc);
                rw.set_arg_loc(arg, loc);
            }
        }
    }

    /// `loc` as it is called: a chain of call sites gets a new end.
    fn called(&mut self, loc: Loc) -> Loc {
        let (cx, caller) = (self.cx, self.caller);
        *self.known.entry(loc).or_insert_with(|| {
            let mut chain = Vec::new();
            let mut last = loc;
            while let Some(&LocData::CallSite { callee, caller }) = cx.loc_data(last) {
                chain.push(callee);
                last = caller;
            }
            let end = cx.intern_loc(LocData::CallSite { callee: last, caller });
            chain.into_iter().rev().fold(end, |caller, callee| cx.intern_loc(LocData::CallSite { callee, caller }))
        })
    }
}
