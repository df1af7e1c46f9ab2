//! The pass: which loops get copies, and where these stand.

use dl_affine::{AffineForOp, AffineLoadOp, AffineStoreOp};
use dl_ir::pass::{Pass, PassCx, PassInfo, PassOptions, PassResult};
use dl_ir::walk::ops_in_arena;
use dl_ir::{Arena, BlockId, BlockRef, Context, Loc, OpId, OpRef, OpState, Rewriter, ValueId, ValueRef};
use dl_memref::AllocOp;
use dl_passes_transforms::alias::{is_allocated, underlying};

use super::emit::{Copy, Rows, allocate, free, space_of};
use super::region::Region;
use crate::access::Access;
use crate::footprint::footprint_bytes;
use crate::loops;

dl_ir::pass_options! {
    /// Options of [`AffineDataCopyGenerate`].
    pub struct AffineDataCopyGenerateOptions {
        /// KiB of fast memory; as much as needed when it is not given
        fast_mem_capacity "fast-mem-capacity": u64 = u64::MAX,
        /// Memory space of the copies
        fast_mem_space "fast-mem-space": u64 = 1,
        /// Copy by operations of affine for DMA, not element by element
        generate_dma "generate-dma": bool = false,
        /// Taken for compatibility: transfers of any size are made
        min_dma_transfer "min-dma-transfer": u64 = 1024,
        /// Copy inside loops whose step is not 1, whatever their footprint
        skip_non_unit_stride_loops "skip-non-unit-stride-loops": bool = false,
        /// Memory space of the buffers that are copied
        slow_mem_space "slow-mem-space": u64 = 0,
        /// Memory space of the tags of transfers
        tag_mem_space "tag-mem-space": u64 = 0,
    }
}

/// Copies what loops touch to a faster memory.
#[derive(Clone, Default)]
pub struct AffineDataCopyGenerate {
    /// The options.
    pub options: AffineDataCopyGenerateOptions,
}

impl Pass for AffineDataCopyGenerate {
    const INFO: PassInfo =
        PassInfo::new("affine-data-copy-generate", "Generate explicit copying for affine memory operations")
            .title("AffineDataCopyGeneration")
            .on("func.func");

    fn options(&mut self) -> Option<&mut dyn PassOptions> {
        Some(&mut self.options)
    }

    fn run(&mut self, cx: &mut PassCx<'_>) -> PassResult {
        let blocks: Vec<BlockId> = cx.ir.region_blocks(cx.ir.op_regions(Arena::ROOT)[0]).collect();
        for block in blocks {
            in_block(cx.ctx, cx.ir, block, &self.options);
        }
        Ok(())
    }
}

/// Whether copies are made for `op`.
fn is_access(op: OpRef<'_>) -> bool {
    op.is::<AffineLoadOp<'_>>() || op.is::<AffineStoreOp<'_>>()
}

/// Copies for the loops and accesses of a block: a loop by itself, or for what is in it where it touches too much; accesses between them together.
fn in_block(cx: &Context, ir: &mut Arena, block: BlockId, options: &AffineDataCopyGenerateOptions) {
    let all: Vec<OpId> = ir.block_ops(block).collect();
    let mut straight: Vec<OpId> = Vec::new();
    for op in all {
        let view = OpRef::new(cx, ir, op);
        let Some(each) = view.cast::<AffineForOp<'_>>() else {
            if is_access(view) || !straight.is_empty() {
                straight.push(op);
            }
            continue;
        };
        let limit = options.fast_mem_capacity.saturating_mul(1024);
        let goes_in = if options.skip_non_unit_stride_loops {
            loops::step(each) != 1
        } else {
            footprint_bytes(each).is_some_and(|bytes| bytes > limit)
        };
        let body = each.region().entry().map(BlockRef::id).filter(|_| goes_in);
        copy_range(cx, ir, &std::mem::take(&mut straight), options);
        match body {
            Some(body) => in_block(cx, ir, body, options),
            None => copy_range(cx, ir, &[op], options),
        }
    }
    copy_range(cx, ir, &straight, options);
}

/// What is copied for a range: a buffer, the part of it, and the accesses to it.
struct Plan {
    memref: ValueId,
    region: Region,
    accesses: Vec<OpId>,
}

/// Copies for operations that stand in a row.
fn copy_range(cx: &Context, ir: &mut Arena, range: &[OpId], options: &AffineDataCopyGenerateOptions) {
    let last =
        range.iter().rposition(|&op| OpRef::new(cx, ir, op).num_regions() > 0 || is_access(OpRef::new(cx, ir, op)));
    let range = &range[..last.map_or(0, |last| last + 1)];
    for plan in plans(cx, ir, range, options) {
        emit(cx, ir, range, &plan, options);
    }
}

fn plans(cx: &Context, ir: &Arena, range: &[OpId], options: &AffineDataCopyGenerateOptions) -> Vec<Plan> {
    let ops: Vec<OpRef<'_>> = range.iter().map(|&op| OpRef::new(cx, ir, op)).collect();
    let inside: Vec<OpRef<'_>> =
        range.iter().flat_map(|&op| ops_in_arena(ir, op)).map(|op| OpRef::new(cx, ir, op)).collect();
    let mut found: Vec<(Plan, bool)> = Vec::new();
    for &op in inside.iter().filter(|&&op| is_access(op)) {
        let Some(access) = Access::of(op) else { continue };
        let ty = access.memref.ty();
        if space_of(ty) != options.slow_mem_space || ty.shape().is_none_or(<[i64]>::is_empty) {
            continue;
        }
        let memref = access.memref.id();
        let at = found.iter().position(|(plan, _)| plan.memref == memref);
        let region = match Region::of(&access, &ops) {
            Ok(Some(region)) => Some(region),
            // Never executed.
            Ok(None) => continue,
            Err(()) => None,
        };
        match (at, region) {
            (Some(at), Some(region)) => {
                let (plan, is_good) = &mut found[at];
                plan.accesses.push(op.id());
                match plan.region.clone().union(&region, ty.shape().unwrap_or_default()) {
                    Some(union) => plan.region = union,
                    None => *is_good = false,
                }
            }
            (Some(at), None) => found[at].1 = false,
            (None, Some(region)) => {
                let is_good = is_alone(access.memref, &inside, range);
                found.push((Plan { memref, region, accesses: vec![op.id()] }, is_good));
            }
            (None, None) => {
                let region = Region { sides: Vec::new(), read: false, written: false, covered: false };
                found.push((Plan { memref, region, accesses: Vec::new() }, false));
            }
        }
    }
    // A copy of what is written in part begins with reading the rest, which nobody may have written where the function allocates it.
    let is_defined = |plan: &Plan| {
        let memref = ops.first().map(|op| ValueRef::new(op.cx(), op.arena(), plan.memref));
        plan.region.read || plan.region.covered || memref.is_some_and(|memref| !is_allocated(underlying(memref)))
    };
    found.into_iter().filter(|(plan, is_good)| *is_good && is_defined(plan)).map(|(plan, _)| plan).collect()
}

/// Whether the buffer is made before the range, and only affine loads and stores in it touch its memory.
fn is_alone(memref: ValueRef<'_>, inside: &[OpRef<'_>], range: &[OpId]) -> bool {
    let is_within = range.iter().any(|&op| memref.is_defined_in(OpRef::new(memref.cx(), memref.arena(), op)));
    let is_made_there = memref.defining_op().is_some_and(|op| range.contains(&op.id()));
    if is_within || is_made_there {
        return false;
    }
    let buffer = underlying(memref);
    inside.iter().all(|op| {
        op.operands().iter().filter(|value| value.ty().is_memref()).all(|value| {
            // Another view of the same memory.
            value == memref && is_access(*op) || underlying(value) != buffer
        })
    })
}

/// The outermost loop around the range that the copies can stand before and after, or the range itself: they do not depend on it, it runs, and nothing
/// else in it touches the buffer.
fn placement(cx: &Context, ir: &Arena, range: &[OpId], plan: &Plan) -> (OpId, OpId) {
    let (mut begin, mut end) = (range[0], range[range.len() - 1]);
    let (memref, buffer) = {
        let value = ValueRef::new(cx, ir, plan.memref);
        (value, underlying(value))
    };
    while let Some(around) = OpRef::new(cx, ir, begin).parent().and_then(OpRef::cast::<AffineForOp<'_>>) {
        let is_within = |value: ValueId| ValueRef::new(cx, ir, value).is_defined_in(around.0);
        let depends = plan.region.values().any(is_within) || is_within(memref.id());
        let touched = ops_in_arena(ir, around.0.id()).into_iter().any(|op| {
            let of = OpRef::new(cx, ir, op);
            let shares = of.operands().iter().any(|value| value.ty().is_memref() && underlying(value) == buffer);
            shares && !plan.accesses.contains(&op)
        });
        if depends || touched || !loops::runs_at_least_once(around) {
            break;
        }
        (begin, end) = (around.0.id(), around.0.id());
    }
    (begin, end)
}

/// Writes the copies of one buffer, unless that takes transfers that cannot be told by one `affine.dma_start`.
fn emit(cx: &Context, ir: &mut Arena, range: &[OpId], plan: &Plan, options: &AffineDataCopyGenerateOptions) {
    let (begin, end) = placement(cx, ir, range, plan);
    let rw = &mut Rewriter::new(cx, ir);
    let rows = Rows::of(rw.value_type(plan.memref), &plan.region);
    if options.generate_dma && rows.is_none() {
        return;
    }
    let rows = rows.filter(|_| options.generate_dma);
    let loc = rw.op(begin).loc();
    rw.set_insertion_before(begin);
    let buffer = allocate(rw, plan.memref, &plan.region, options.fast_mem_space, loc);
    let copy = Copy { memref: plan.memref, region: &plan.region, buffer };
    let mut tags: Vec<ValueId> = Vec::new();
    let mut fresh_tag = |rw: &mut Rewriter<'_>| {
        if rows.is_some() {
            tags.push(tag(rw, options.tag_mem_space, loc));
        }
        tags.last().copied()
    };
    let transfer = |rw: &mut Rewriter<'_>, is_in: bool, tag: Option<ValueId>| match rows.zip(tag) {
        Some((rows, tag)) => copy.by_dma(rw, begin, is_in, (tag, rows), loc),
        None => copy.by_loops(rw, begin, is_in, loc),
    };
    if plan.region.read || !plan.region.covered {
        let tag = fresh_tag(rw);
        transfer(rw, true, tag);
    }
    if plan.region.written {
        let tag = fresh_tag(rw);
        rw.set_insertion_after(end);
        transfer(rw, false, tag);
    }
    if !plan.region.written {
        rw.set_insertion_after(end);
    }
    for &tag in tags.iter().rev() {
        free(rw, tag, loc);
    }
    free(rw, buffer, loc);
    for &access in &plan.accesses {
        copy.redirect(rw, access);
    }
}

/// Memory for the tag of a transfer.
fn tag(rw: &mut Rewriter<'_>, space: u64, loc: Loc) -> ValueId {
    let cx = rw.cx();
    let space = (space > 0).then(|| cx.int_attr(cx.int_type(64), space.cast_signed()));
    let ty = cx.memref_type_with(&[1], cx.i32_type(), None, space);
    rw.create_value(OpState::of::<AllocOp<'_>>(loc).operand_segments(cx, &[0, 0]).results([ty]))
}
