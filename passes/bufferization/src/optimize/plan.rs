//! `plan-memory`: the buffers of a function become parts of one allocation.

use dl_affine::{AffineForOp, AffineIfOp};
use dl_ir::pass::{Pass, PassCx, PassInfo, PassResult};
use dl_ir::walk::ops_in_arena;
use dl_ir::{Arena, AttrRef, Context, OpId, OpRef, OpState, Rewriter, TypeRef};
use dl_memref::{AllocOp, DeallocOp, ViewOp};
use dl_scf::{ExecuteRegionOp, ForOp, IfOp, IndexSwitchOp, WhileOp};
use rustc_hash::FxHashMap;

use super::arena::{Layout, Request, layout};
use super::flow::frees;

/// Least alignment of a buffer: a cache line, and the widest vector.
const ALIGNMENT: u64 = 64;

/// Statistics.
const PLANNED: &str = "num-planned";
const BYTES_BEFORE: &str = "bytes-before";
const BYTES: &str = "bytes";

/// Gives the buffers of a function places in one allocation at its start, which is freed at its end.
///
/// Taken are buffers of static size that are freed by one `memref.dealloc` in the block that allocates them: their lives are known. One in a loop
/// is there as long as the loop, and no longer allocated in each iteration. What has a dynamic size, is returned, is freed on a condition only,
/// or belongs to an iteration of a parallel loop stays as it is, and so does a function of several blocks.
#[derive(Clone, Copy, Default)]
pub struct PlanMemory;

impl Pass for PlanMemory {
    const INFO: PassInfo = PassInfo::new("plan-memory", "Make the buffers of a function parts of one allocation")
        .on("func.func")
        .statistics(&[
            (PLANNED, "Number of buffers that were given a place"),
            (BYTES_BEFORE, "Bytes of these buffers"),
            (BYTES, "Bytes of the allocations that hold them"),
        ]);

    fn run(&mut self, cx: &mut PassCx<'_>) -> PassResult {
        let found = buffers(cx.ctx, cx.ir);
        // One buffer that is allocated once gains nothing.
        let pays = found.len() > 1 || found.iter().any(|buffer| buffer.is_nested);
        let requests: Vec<Request> = found.iter().map(|buffer| buffer.request.clone()).collect();
        let Some(layout) = layout(&requests).filter(|layout| pays && layout.size > 0) else {
            cx.preserve_all();
            return Ok(());
        };
        cx.count(PLANNED, found.len() as u64);
        cx.count(BYTES_BEFORE, requests.iter().map(|request| request.size).sum());
        cx.count(BYTES, layout.size);
        place(&mut cx.rewriter(), &found, &layout);
        Ok(())
    }
}

/// A buffer that can be placed.
struct Buffer {
    alloc: OpId,
    dealloc: OpId,
    request: Request,
    /// Whether it is allocated inside an operation of the function.
    is_nested: bool,
}

/// The buffers of a function of one block, in order.
fn buffers(cx: &Context, ir: &Arena) -> Vec<Buffer> {
    let root = OpRef::new(cx, ir, Arena::ROOT);
    let mut blocks = root.regions().flat_map(|region| region.blocks());
    let (Some(entry), None) = (blocks.next(), blocks.next()) else { return Vec::new() };
    let moments: FxHashMap<OpId, usize> = entry.ops().enumerate().map(|(at, op)| (op.id(), at)).collect();
    let buffer = |id: OpId| {
        let op = OpRef::new(cx, ir, id);
        let dealloc = freed_in_block(op)?;
        let (mut outermost, mut is_nested) = (op, false);
        while let Some(parent) = outermost.parent().filter(|parent| parent.id() != Arena::ROOT) {
            if !runs_in_order(parent) {
                return None;
            }
            (outermost, is_nested) = (parent, true);
        }
        let first = *moments.get(&outermost.id())?;
        let last = if is_nested { first } else { *moments.get(&dealloc)? };
        let alignment = op.attr("alignment").and_then(AttrRef::as_int).and_then(|value| u64::try_from(value).ok());
        let alignment = alignment.unwrap_or(1).max(ALIGNMENT);
        let request = Request { size: bytes(op.result(0).ty())?, alignment, life: (first, last) };
        alignment.is_power_of_two().then_some(Buffer { alloc: id, dealloc, request, is_nested })
    };
    ops_in_arena(ir, Arena::ROOT).into_iter().filter_map(buffer).collect()
}

/// What frees the memory that `op` allocates, where that is one `memref.dealloc` of its block.
fn freed_in_block(op: OpRef<'_>) -> Option<OpId> {
    let alloc = op.cast::<AllocOp<'_>>().filter(|alloc| alloc.0.operands().is_empty())?;
    let mut freeing = alloc.0.result(0).uses().map(|(user, _)| user).filter(|&user| frees(user));
    let dealloc = freeing.next().filter(|dealloc| dealloc.is::<DeallocOp<'_>>())?;
    let same_block = dealloc.block().map(|block| block.id()) == op.block().map(|block| block.id());
    (same_block && freeing.next().is_none()).then_some(dealloc.id())
}

/// Whether what is inside runs on the thread of the function, before what comes after.
fn runs_in_order(op: OpRef<'_>) -> bool {
    op.is::<ForOp<'_>>()
        || op.is::<IfOp<'_>>()
        || op.is::<WhileOp<'_>>()
        || op.is::<IndexSwitchOp<'_>>()
        || op.is::<ExecuteRegionOp<'_>>()
        || op.is::<AffineForOp<'_>>()
        || op.is::<AffineIfOp<'_>>()
}

/// Bytes of a memref that can be a view of bytes: of numbers, a static shape, rows without gaps, and the usual memory.
fn bytes(ty: TypeRef<'_>) -> Option<u64> {
    if !ty.has_identity_layout() || ty.memory_space().is_some() {
        return None;
    }
    let element = u64::from(ty.element_type()?.storage_bits()?).div_ceil(8).checked_next_power_of_two()?;
    ty.num_elements()?.checked_mul(element)
}

/// Makes each buffer a view of one allocation.
fn place(rw: &mut Rewriter<'_>, found: &[Buffer], layout: &Layout) {
    let cx = rw.cx();
    let Some(entry) = rw.ir().op_regions(Arena::ROOT).first().and_then(|&region| rw.ir().entry_block(region)) else {
        return;
    };
    let loc = rw.op(Arena::ROOT).loc();
    let size = i64::try_from(layout.size).unwrap_or(i64::MAX);
    let arena = cx.memref_type(&[size], cx.int_type(8));
    let alignment = found.iter().map(|buffer| buffer.request.alignment).max().unwrap_or(ALIGNMENT);
    rw.set_insertion_to_start(entry);
    let state = OpState::of::<AllocOp<'_>>(loc)
        .operand_segments(cx, &[0, 0])
        .attr(cx, "alignment", cx.i64_attr(i64::try_from(alignment).unwrap_or(i64::MAX)))
        .results([arena]);
    let memory = rw.create_value(state);
    for (buffer, &offset) in found.iter().zip(&layout.offsets) {
        let op = rw.op(buffer.alloc);
        let (ty, loc) = (op.result(0).ty().id(), op.loc());
        rw.erase(buffer.dealloc);
        rw.set_insertion_before(buffer.alloc);
        let offset = dl_arith::constant_index(rw, i64::try_from(offset).unwrap_or(i64::MAX), loc);
        let view = rw.create_value(OpState::of::<ViewOp<'_>>(loc).operands([memory, offset]).results([ty]));
        rw.replace(buffer.alloc, &[view]);
    }
    if let Some(end) = rw.ir().last_op(entry) {
        rw.set_insertion_before(end);
        rw.create(OpState::of::<DeallocOp<'_>>(loc).operands([memory]));
    }
}
