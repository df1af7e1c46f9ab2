//! Operations that can be computed one tile after another.

use super::index_list::{Index, Indices};
use super::offset_size_stride::Slice;
use crate::entity::{OpId, ValueId};
use crate::rewriter::Rewriter;
use crate::view::OpRef;

/// Whether the iterations of a loop depend on one another.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum LoopKind {
    /// They do not.
    Parallel,
    /// Each adds to what those before have computed.
    Reduction,
}

/// The iterations of a loop that a tile takes: the number of the first one and how many. `None` for all.
pub type Part = Option<(Index, Index)>;

/// An operation on a nest of loops, each from 0 by 1, of which any part can be computed by itself.
///
/// Methods that make operations do so at the insertion point, where all operands of `op` are known.
pub trait Tiling: Send + Sync {
    /// The loops, outermost first.
    fn loops(&self, op: OpRef<'_>) -> Vec<LoopKind>;

    /// Whether tiles of the loops that are marked can be computed by [`tile`](Self::tile). The others run whole.
    fn can_tile(&self, op: OpRef<'_>, tiled: &[bool]) -> bool;

    /// How far each loop runs.
    fn extents(&self, rw: &mut Rewriter<'_>, op: OpId) -> Option<Indices>;

    /// Makes the operation that computes one tile, given by a part of each loop, into `inits`, which stand for those of `op`. Its results are tiles
    /// of the results. `None` where [`can_tile`](Self::can_tile) says no, and where constants overflow.
    fn tile(&self, rw: &mut Rewriter<'_>, op: OpId, parts: &[Part], inits: &[ValueId]) -> Option<OpId>;

    /// Where in result `result` a tile is.
    fn result_slice(&self, rw: &mut Rewriter<'_>, op: OpId, result: usize, parts: &[Part]) -> Option<Slice>;

    /// The tile that computes a part of result `result`, given for each of its dimensions. `None` where no tile does exactly that.
    fn parts_for_result(&self, op: OpRef<'_>, result: usize, dims: &[Part]) -> Option<Vec<Part>>;
}
