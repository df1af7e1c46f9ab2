//! Where kernels begin and end.

use dl_ir::effects::effects_of;
use dl_ir::interfaces::{CallOp, LoopLike};
use dl_ir::opdef::Effects;
use dl_ir::walk::{ops_in_arena, ops_of_kind};
use dl_ir::{BlockRef, Context, Loc, OpDefinition, OpId, OpRef, Trait};
use dl_linalg::LinalgOp;
use dl_scf::ParallelOp;
use rustc_hash::{FxHashMap, FxHashSet};

/// Operations of one block, in a row but for some that do nothing worth timing, that come from one place.
#[derive(Debug)]
pub(super) struct Group {
    /// The place: the name in a location, else file and line; empty where there is none.
    pub(super) name: String,
    /// The first operation.
    pub(super) first: OpId,
    /// The last one.
    pub(super) last: OpId,
    /// All that do something.
    pub(super) ops: Vec<OpId>,
}

/// The kernels of a function, in order: loop nests and copies, with what is done right before and behind them for the same operation of the program.
///
/// A loop that holds parallel loops, as one over time steps does, is no kernel. Those in it are.
pub(super) fn groups(function: OpRef<'_>) -> Vec<Group> {
    let drivers = around_parallel_loops(function);
    let mut found = Vec::new();
    let mut pending: Vec<BlockRef<'_>> = function.regions().flat_map(|region| region.blocks()).collect();
    while let Some(block) = pending.pop() {
        let mut open: Option<Group> = None;
        for op in block.ops() {
            let drives = drivers.contains(&op.id()) && !op.is::<ParallelOp<'_>>();
            if drives || op.is_stub() || calls(op) || op.has_trait(&Trait::Terminator) {
                found.extend(open.take());
                if drives {
                    pending.extend(op.regions().flat_map(|region| region.blocks()));
                }
                continue;
            }
            if !works(op) {
                continue;
            }
            let name = place(op.cx(), op.loc());
            match &mut open {
                Some(group) if group.name == name => {
                    group.last = op.id();
                    group.ops.push(op.id());
                }
                _ => found.extend(open.replace(Group { name, first: op.id(), last: op.id(), ops: vec![op.id()] })),
            }
        }
        found.extend(open);
    }
    let is_kernel = |group: &Group| {
        let op = |&op: &OpId| OpRef::new(function.cx(), function.arena(), op);
        group.ops.iter().map(op).any(|op| op.interface::<dyn LoopLike>().is_some() || is_nest(op))
    };
    found.retain(is_kernel);
    let position: FxHashMap<OpId, usize> = ops_in_arena(function.arena(), function.id()).into_iter().zip(0..).collect();
    found.sort_by_key(|group| position.get(&group.first).copied());
    found
}

/// Whether it runs a body for many points, or copies a buffer.
pub(super) fn is_nest(op: OpRef<'_>) -> bool {
    LinalgOp::of(op).is_some() || op.name() == dl_memref::CopyOp::NAME
}

/// The operations that hold parallel loops, or are some. O(operations), however deeply they are nested.
fn around_parallel_loops(function: OpRef<'_>) -> FxHashSet<OpId> {
    let mut around = FxHashSet::default();
    for id in ops_of_kind::<ParallelOp<'_>>(function.cx(), function.arena()) {
        let mut op = Some(OpRef::new(function.cx(), function.arena(), id));
        while let Some(holder) = op.filter(|holder| around.insert(holder.id())) {
            op = holder.parent();
        }
    }
    around
}

fn calls(op: OpRef<'_>) -> bool {
    op.interface::<dyn CallOp>().is_some()
}

/// Whether it does something for a kernel: has a body, or reads or writes memory.
fn works(op: OpRef<'_>) -> bool {
    let touches = |effects: Effects| effects.contains(Effects::READ) || effects.contains(Effects::WRITE);
    op.num_regions() > 0 || is_nest(op) || effects_of(op).is_some_and(touches)
}

/// What a location says first: a name, else file and line.
fn place(cx: &Context, loc: Loc) -> String {
    if let Some(name) = cx.name_in(loc) {
        return name.to_owned();
    }
    cx.file_position(loc).map_or(String::new(), |at| format!("{}:{}", at.file, at.line))
}
