//! Loads, stores and transfers: which operand is the buffer, how a vector lies in it, and the same access to another buffer.

use dl_ir::affine::AffineMap;
use dl_ir::interfaces::Index;
use dl_ir::interfaces::index_list::Indices;
use dl_ir::{AttrRef, OpRef, OpState, ValueId};
use dl_memref::{LoadOp, StoreOp};
use dl_vector::TransferWriteOp;

/// An access: the number of the operand that is the buffer, whose indices follow, and how a vector lies in it.
pub(crate) struct Access {
    pub(crate) base: usize,
    rank: usize,
    pub(crate) lies: Lies,
}

/// Which dimensions of the buffer a vector lies along.
pub(crate) enum Lies {
    /// So many of the last ones.
    Last(usize),
    /// Those that are results of the map.
    Along(AffineMap),
}

impl Access {
    pub(crate) fn of(op: OpRef<'_>) -> Option<Self> {
        let is_store = op.is::<StoreOp<'_>>() || op.is::<dl_vector::StoreOp<'_>>() || op.is::<TransferWriteOp<'_>>();
        let base = usize::from(is_store);
        let buffer = op.operand(base).ty();
        let rank = buffer.shape().filter(|_| buffer.is_memref())?.len();
        let lies = if let Some(map) = op.attr("permutation_map") {
            Lies::Along(map.as_affine_map()?)
        } else if op.is::<LoadOp<'_>>() || op.is::<StoreOp<'_>>() {
            Lies::Last(0)
        } else {
            let vector = if op.num_results() > 0 {
                op.result(0)
            } else if is_store {
                op.operand(0)
            } else {
                op.operand(op.num_operands() - 1)
            };
            Lies::Last(vector.ty().shape()?.len())
        };
        Some(Self { base, rank, lies })
    }

    /// The dimensions of the buffer that a vector lies along.
    pub(crate) fn dims(&self, op: OpRef<'_>) -> Vec<usize> {
        match self.lies {
            Lies::Last(count) => (self.rank.saturating_sub(count)..self.rank).collect(),
            Lies::Along(map) => {
                let affine = op.cx().affine();
                affine.map(map).results.iter().filter_map(|&expr| Some(affine.dim_position(expr)? as usize)).collect()
            }
        }
    }

    /// Its indices.
    pub(crate) fn indices(&self, op: OpRef<'_>) -> Indices {
        let indices = op.operands().slice(self.base + 1, self.rank);
        indices.iter().map(|value| Index::Value(value.id())).collect()
    }

    /// Whether all that it touches is known to be in the buffer: only a transfer may go further.
    pub(crate) fn is_in_bounds(&self, op: OpRef<'_>) -> bool {
        let is_bounded = |attr: AttrRef<'_>| attr.elements().all(|each| each.as_bool() == Some(true));
        matches!(self.lies, Lies::Last(_)) || op.attr("in_bounds").is_some_and(is_bounded)
    }

    /// The same access at `indices` of `buffer`, where the dimensions that its vector lies along are `moved`.
    pub(crate) fn elsewhere(&self, op: OpRef<'_>, buffer: ValueId, indices: &[ValueId], moved: &[usize]) -> OpState {
        let (cx, old) = (op.cx(), op.operands().ids());
        let behind = self.base + 1 + self.rank;
        let operands = old[..self.base].iter().copied().chain([buffer]).chain(indices.iter().copied());
        let state = OpState::new(op.name_id(), op.loc()).operands(operands.chain(old[behind..].iter().copied()));
        let mut state = state.attrs(op.attrs().map(|(name, attr)| (name, attr.id()))).results(op.results().types());
        if let Lies::Along(map) = self.lies {
            let affine = cx.affine();
            let mut moved = moved.iter();
            let results: Vec<_> = affine
                .map(map)
                .results
                .iter()
                .map(|&expr| match affine.dim_position(expr) {
                    Some(_) => moved.next().map_or(expr, |&dim| affine.dim(dim as u32)),
                    None => expr,
                })
                .collect();
            let map = affine.intern_map(indices.len() as u32, 0, results);
            state.set_attr(cx.ident("permutation_map"), cx.affine_map_attr(map));
            let last = old.len() - behind;
            let segments: Vec<usize> =
                if self.base == 0 { vec![1, indices.len(), 1, last - 1] } else { vec![1, 1, indices.len(), last] };
            state = state.operand_segments(cx, &segments);
        }
        state
    }
}
