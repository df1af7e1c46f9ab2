//! `lift-cf-to-scf`: branches between blocks become structured control flow.
//!
//! The method is that of Bahmann, Reissmann, Jahre and Meyer, "Perfect Reconstructability of Control Flow from Demand Dependence Graphs"
//! (ACM TACO 2015). It never copies code. First all blocks that leave a region alike become one. Then, for each region from the outside in:
//! cycles get one entry, one latch and one exit and become loops ([`cycles`]); what remains has no cycles, and each of its branches gets one
//! block where its ways meet again and becomes a conditional ([`branches`]). Where several edges are made one, each passes a number by which
//! a switch afterwards tells them apart ([`edges`]).

mod branches;
mod cycles;
mod edges;
mod exits;

use dl_arith::{IndexCastUIOp, TruncIOp};
use dl_ir::diagnostics::Diagnostic;
use dl_ir::interfaces::BranchOp;
use dl_ir::pass::{Pass, PassCx, PassInfo, PassResult};
use dl_ir::walk::ops_in_arena_post_order;
use dl_ir::{
    Arena, BlockId, BlockRef, Context, InsertPoint, Loc, OpId, OpRef, OpState, RegionId, RegionRef, Rewriter, Type,
    ValueId,
};
use rustc_hash::FxHashMap;
use smallvec::SmallVec;

use exits::Exits;

type Values = SmallVec<[ValueId; 4]>;

/// Lifts the blocks of functions, and of what is in them, to `scf`.
///
/// Branches are those of `cf`. Where a region is left in several ways that differ in more than the values that they take, by a return and by
/// another terminator, one branch to them remains.
#[derive(Clone, Copy, Default)]
pub struct LiftCfToScf;

impl Pass for LiftCfToScf {
    const INFO: PassInfo =
        PassInfo::new("lift-cf-to-scf", "Lift ControlFlow dialect to SCF dialect").title("LiftControlFlowToSCFPass");

    fn run(&mut self, cx: &mut PassCx<'_>) -> PassResult {
        let mut pending = vec![(&mut *cx.ir, false)];
        while let Some((ir, in_function)) = pending.pop() {
            let in_function = in_function || OpRef::root(cx.ctx, ir).is::<dl_func::FuncOp<'_>>();
            if in_function {
                lift_arena(cx.ctx, ir)?;
            }
            pending.extend(ir.children_mut().map(|child| (child, in_function)));
        }
        Ok(())
    }
}

/// Lifts all regions of one arena, inner ones first.
fn lift_arena(cx: &Context, ir: &mut Arena) -> PassResult {
    let several = |region: &RegionRef<'_>| region.blocks().nth(1).is_some();
    let of_op =
        |op: OpId| OpRef::new(cx, ir, op).regions().filter(several).map(|region| region.id()).collect::<Vec<_>>();
    let regions: Vec<RegionId> = ops_in_arena_post_order(ir, Arena::ROOT).into_iter().flat_map(of_op).collect();
    for region in regions {
        check(RegionRef::new(cx, ir, region))?;
        let mut lift = Lift::new(Rewriter::new(cx, ir), region);
        lift.combine_exits();
        let mut pending = vec![lift.front];
        while let Some(entry) = pending.pop() {
            pending.extend(lift.cycles(entry)?);
            pending.extend(lift.branches(entry)?);
        }
    }
    Ok(())
}

/// Whether blocks and branches are such that they can be lifted.
fn check(region: RegionRef<'_>) -> Result<(), Diagnostic> {
    for block in region.blocks() {
        let (Some(first), Some(last)) = (block.first_op(), block.last_op()) else {
            let at = region.parent_op().expect("a region of an operation");
            return Err(at.error("unsupported: lifting blocks without operations"));
        };
        if !block.is_entry() && block.predecessor_ops().next().is_none() {
            return Err(first.error("transformation does not support unreachable blocks"));
        }
        if last.num_successors() == 0 {
            continue;
        }
        if last.interface::<dyn BranchOp>().is_none() {
            let what = "transformation does not support terminators not implementing the branch interface";
            return Err(last.error(what));
        }
        if !dl_ir::effects::is_memory_effect_free(last) {
            return Err(last.error("transformation does not support terminators with side effects"));
        }
    }
    // Blocks that only reach each other are not found by looking for blocks without predecessors.
    let reached = cycles::components(region.arena(), region.entry().expect("a region with blocks").id());
    let reached: rustc_hash::FxHashSet<BlockId> = reached.into_iter().flatten().collect();
    match region.blocks().find(|block| !reached.contains(&block.id())).and_then(BlockRef::first_op) {
        Some(op) => Err(op.error("transformation does not support unreachable blocks")),
        None => Ok(()),
    }
}

/// The work on one region.
struct Lift<'a> {
    rw: Rewriter<'a>,
    /// The first block, to which constants go.
    front: BlockId,
    region: RegionId,
    /// Where the operation of the region comes from.
    loc: Loc,
    /// Values that are never looked at, by type.
    poison: FxHashMap<Type, ValueId>,
    /// Constants by which switches tell edges apart.
    numbers: Vec<Option<ValueId>>,
    exits: Exits,
}

impl<'a> Lift<'a> {
    fn new(rw: Rewriter<'a>, region: RegionId) -> Self {
        let front = rw.ir().entry_block(region).expect("a region with blocks");
        let parent = rw.ir().region_parent(region).expect("a region of an operation");
        let loc = rw.op(parent).loc();
        Self { rw, front, region, loc, poison: FxHashMap::default(), numbers: Vec::new(), exits: Exits::default() }
    }

    /// A value of which nothing is known.
    fn poison(&mut self, ty: Type) -> ValueId {
        if let Some(&value) = self.poison.get(&ty) {
            return value;
        }
        self.rw.set_insertion_to_start(self.front);
        let value = dl_ub::poison(&mut self.rw, ty, self.loc);
        self.poison.insert(ty, value);
        value
    }

    /// The constant that says "edge `number`": `i32`.
    fn number(&mut self, number: usize) -> ValueId {
        if self.numbers.len() <= number {
            self.numbers.resize(number + 1, None);
        }
        if let Some(value) = self.numbers[number] {
            return value;
        }
        self.rw.set_insertion_to_start(self.front);
        let attr = self.rw.cx().i32_attr(i32::try_from(number).expect("fewer edges than there are block ids"));
        let value = dl_arith::build::constant(&mut self.rw, attr, self.loc);
        self.numbers[number] = Some(value);
        value
    }

    /// `value`, an integer, as an index, at the insertion point.
    fn as_index(&mut self, value: ValueId, loc: Loc) -> ValueId {
        let ty = self.rw.cx().index_type();
        self.rw.create_value(OpState::of::<IndexCastUIOp<'_>>(loc).operands([value]).results([ty]))
    }

    /// `value`, 0 or 1, as a truth value, at the insertion point.
    fn as_bool(&mut self, value: ValueId, loc: Loc) -> ValueId {
        let ty = self.rw.cx().i1_type();
        self.rw.create_value(OpState::of::<TruncIOp<'_>>(loc).operands([value]).results([ty]))
    }

    /// What ends `block`.
    fn end_of(&self, block: BlockId) -> OpId {
        self.rw.ir().last_op(block).expect("a block with a terminator")
    }

    /// A new block after `block` with arguments like those of `like`.
    fn block_after(&mut self, block: BlockId, like: &[BlockId]) -> BlockId {
        let new = self.rw.insert_block_after(block, &[]);
        for &like in like {
            self.add_args_like(new, like);
        }
        new
    }

    /// Gives `block` arguments of the types of those of `like`, from the same places.
    fn add_args_like(&mut self, block: BlockId, like: BlockId) {
        for arg in self.rw.ir().block_args(like).to_vec() {
            self.add_arg_like(block, arg);
        }
    }

    /// Gives `block` an argument of the type of `value`, from the same place.
    fn add_arg_like(&mut self, block: BlockId, value: ValueId) -> ValueId {
        let (ty, loc) = (self.rw.ir().value_type(value), self.rw.value(value).loc());
        let arg = self.rw.add_block_arg(block, ty);
        self.rw.set_arg_loc(arg, loc);
        arg
    }

    /// Puts what is in `block` behind what is in `onto`, with `values` for the arguments.
    fn append(&mut self, onto: BlockId, block: BlockId, values: &[ValueId]) {
        self.rw.inline_block(block, InsertPoint { block: onto, before: None }, values);
    }
}
