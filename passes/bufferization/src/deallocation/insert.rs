//! `ownership-based-buffer-deallocation`: follows buffers through a function, block after block.

use dl_bufferization::{CloneOp, DeallocOp};
use dl_func::{FuncOp, ReturnOp};
use dl_ir::dominance::Dominance;
use dl_ir::interfaces::{BranchOp, CallOp, RegionBranchOp, RegionPoint, ends_region};
use dl_ir::opdef::Effects;
use dl_ir::types::StridedLayout;
use dl_ir::walk::ops_in_arena;
use dl_ir::{Arena, Attr, BlockId, Context, Diagnostic, Loc, OpId, OpRef, OpState, Rewriter, Trait, Type, ValueId};
use dl_memref::{ExtractStridedMetadataOp, ReinterpretCastOp};
use rustc_hash::FxHashSet;
use smallvec::SmallVec;

use super::liveness::Liveness;
use super::ownership::{Ownership, State, block_of, constant};

type Values = SmallVec<[ValueId; 4]>;

/// An operation with this attribute allocates or frees what the program sees to itself.
const MANUAL: &str = "bufferization.manual_deallocation";

/// Inserts `bufferization.dealloc` operations into the function that owns `ir`, so that every buffer is freed exactly once.
///
/// A function does not own the buffers it is given, and its caller owns those that it returns: it returns a clone of what it
/// does not own itself. Those in `dynamic` return a condition with each buffer instead, after all other results: whether the caller
/// owns it.
///
/// # Errors
/// In a function with buffers, loops made of branches, operations of which the memory effects or the control flow are not known, frees in the input.
pub fn deallocate_buffers(cx: &Context, ir: &mut Arena, dynamic: &FxHashSet<String>) -> Result<(), Diagnostic> {
    if !has_buffers(cx, ir) {
        return Ok(());
    }
    let dominance = Dominance::new(cx, ir);
    let root = OpRef::root(cx, ir);
    if has_backward_branch(ir, &dominance) {
        return Err(root.error("Only structured control-flow loops are supported."));
    }
    let blocks = inside_out(cx, ir, &dominance);
    let liveness = Liveness::new(cx, ir);
    let is_dynamic = root.symbol_name().is_some_and(|name| dynamic.contains(name));
    let mut work = Inserter { rw: Rewriter::new(cx, ir), state: State::default(), liveness, dynamic, is_dynamic };
    for block in blocks {
        work.block(block)?;
    }
    work.update_signature()
}

/// Whether any value is a buffer.
fn has_buffers(cx: &Context, ir: &Arena) -> bool {
    let is_buffer = |value: ValueId| cx.ty(ir.value_type(value)).is_memref();
    ops_in_arena(ir, Arena::ROOT).into_iter().any(|op| {
        let blocks = ir.op_regions(op).iter().flat_map(|&region| ir.region_blocks(region));
        ir.results(op).any(is_buffer) || blocks.flat_map(|block| ir.block_args(block)).any(|&arg| is_buffer(arg))
    })
}

/// Whether a block branches to one that dominates it.
fn has_backward_branch(ir: &Arena, dominance: &Dominance) -> bool {
    let is_back = |op: OpId| {
        ir.block_of(op).is_some_and(|block| ir.successors(op).any(|to| dominance.block_dominates(ir, to, block)))
    };
    ops_in_arena(ir, Arena::ROOT).into_iter().any(is_back)
}

/// All blocks in which something can be inserted, those of regions before the one that the operation around is in, dominators
/// before what they dominate.
fn inside_out(cx: &Context, ir: &Arena, dominance: &Dominance) -> Vec<BlockId> {
    let of_op = |op: OpId| -> Vec<BlockId> {
        let may_hold_more = !OpRef::new(cx, ir, op).is::<dl_vector::MaskOp<'_>>();
        let regions = ir.op_regions(op).iter().filter(|_| may_hold_more);
        regions.flat_map(|&region| dominance.tree(ir, region).into_iter().map(|(block, _)| block)).collect()
    };
    let mut order = Vec::new();
    let mut stack: Vec<(BlockId, bool)> = of_op(Arena::ROOT).into_iter().rev().map(|block| (block, false)).collect();
    while let Some((block, done)) = stack.pop() {
        if done {
            order.push(block);
            continue;
        }
        stack.push((block, true));
        let nested: Vec<BlockId> = ir.block_ops(block).flat_map(of_op).collect();
        stack.extend(nested.into_iter().rev().map(|block| (block, false)));
    }
    order
}

struct Inserter<'a> {
    rw: Rewriter<'a>,
    state: State,
    liveness: Liveness,
    /// The functions that return conditions.
    dynamic: &'a FxHashSet<String>,
    /// Whether this is one of them.
    is_dynamic: bool,
}

impl Inserter<'_> {
    fn is_buffer(&self, value: ValueId) -> bool {
        self.rw.value_type(value).is_memref()
    }

    fn set(&mut self, memref: ValueId, block: BlockId, condition: ValueId) {
        self.state.update(&self.rw, memref, block, Ownership::If(condition));
    }

    fn block(&mut self, block: BlockId) -> Result<(), Diagnostic> {
        let region = self.rw.ir().region_of(block);
        self.rw.set_insertion_to_start(block);
        for memref in self.liveness.live_in(self.rw.ir(), block) {
            let from = block_of(self.rw.ir(), memref);
            if from.and_then(|from| self.rw.ir().region_of(from)) == region {
                // What another block of the region owned is this one's now.
                if let Some(known) = from.and_then(|from| self.state.get(memref, from)) {
                    self.state.update(&self.rw, memref, block, known);
                }
                self.state.add_owned(memref, block);
            } else {
                let loc = self.rw.value(memref).loc();
                let not_owned = constant(&mut self.rw, loc, false);
                self.set(memref, block, not_owned);
            }
        }
        let parent = region.and_then(|region| self.rw.ir().region_parent(region));
        let is_function = parent.is_some_and(|op| self.rw.op(op).is::<FuncOp<'_>>());
        let is_entry = self.rw.block(block).is_entry();
        let args: Values = self.rw.ir().block_args(block).iter().copied().filter(|&arg| self.is_buffer(arg)).collect();
        for arg in args {
            let condition = if is_function && is_entry {
                let loc = self.rw.value(arg).loc();
                constant(&mut self.rw, loc, false)
            } else {
                let i1 = self.rw.cx().i1_type();
                self.rw.add_block_arg(block, i1)
            };
            self.set(arg, block, condition);
            self.state.add_owned(arg, block);
        }
        let ops: Vec<OpId> = self.rw.ir().block_ops(block).collect();
        for op in ops {
            if self.rw.op(op).has_trait(&Trait::ConstantLike) {
                continue;
            }
            let op = self.op(op, block)?;
            self.inherit_ownership(op, block);
        }
        Ok(())
    }

    /// Handles one operation; answers what stands in its place afterwards.
    fn op(&mut self, op: OpId, block: BlockId) -> Result<OpId, Diagnostic> {
        let view = self.rw.op(op);
        if view.is::<dl_cf::CondBranchOp<'_>>() {
            super::split::cond_branch(&mut self.rw, &mut self.state, &self.liveness, op, block)?;
            return Ok(op);
        }
        let only_frees = matches!(view.name(), "scf.forall.in_parallel" | "scf.reduce.return");
        if only_frees {
            if view.regions().any(|region| region.ops().next().is_some()) {
                return Err(view.error("only supported when nested region is empty"));
            }
            self.free_at_end(op, block, &[])?;
            return Ok(op);
        }
        check_supported(view)?;
        self.memory_effects(op, block)?;
        let view = self.rw.op(op);
        let is_region_end = is_region_terminator(view);
        if view.interface::<dyn RegionBranchOp>().is_some() {
            return self.region_branch(op, block);
        }
        let callee = view.cast::<dl_func::CallOp<'_>>().and_then(|call| call.callee().as_flat_symbol());
        if callee.is_some_and(|name| self.dynamic.contains(name)) {
            return Ok(self.dynamic_call(op, block));
        }
        if view.interface::<dyn CallOp>().is_some() {
            let (loc, results) = (view.loc(), view.results().ids());
            self.rw.set_insertion_before(op);
            let owned = constant(&mut self.rw, loc, true);
            for result in results {
                if !self.is_buffer(result) {
                    continue;
                }
                self.set(result, block, owned);
                self.state.add_owned(result, block);
            }
        } else if view.interface::<dyn BranchOp>().is_some() {
            self.branch(op, block)?;
        } else if is_region_end {
            self.region_end(op, block)?;
        }
        Ok(op)
    }

    /// Takes the conditions of what a function returns that gives them.
    fn dynamic_call(&mut self, op: OpId, block: BlockId) -> OpId {
        let results: Vec<ValueId> = self.rw.ir().results(op).collect();
        let buffers = results.iter().filter(|&&result| self.is_buffer(result)).count();
        let new = append_results(&mut self.rw, op, buffers);
        let new_results: Vec<ValueId> = self.rw.ir().results(new).collect();
        let (values, conditions) = new_results.split_at(results.len());
        let memrefs: Vec<ValueId> = values.iter().copied().filter(|&value| self.is_buffer(value)).collect();
        for (memref, &condition) in memrefs.into_iter().zip(conditions) {
            self.set(memref, block, condition);
            self.state.add_owned(memref, block);
        }
        new
    }

    /// What `op` allocates is owned; what it frees must not be.
    fn memory_effects(&mut self, op: OpId, block: BlockId) -> Result<(), Diagnostic> {
        let view = self.rw.op(op);
        let Some(def) = view.def() else { return Ok(()) };
        let manual = view.attr(MANUAL).is_some();
        let automatic = view.is::<dl_memref::AllocaOp<'_>>();
        let group_has = |effect: Effects, groups: &[dl_ir::opdef::ValueDef], results: bool| -> Values {
            let with = groups.iter().enumerate().filter(|(_, value)| value.effects.contains(effect));
            with.flat_map(|(i, _)| if results { view.result_group(i).ids() } else { view.operand_group(i).ids() })
                .collect()
        };
        let freed = group_has(Effects::FREE, &def.operands, false);
        let made = group_has(Effects::ALLOCATE, &def.results, true);
        let loc = view.loc();
        if freed.iter().any(|&memref| self.rw.value_type(memref).is_memref()) && !manual {
            return Err(view.error("memory free side-effect on MemRef value not supported!"));
        }
        for memref in freed {
            let Some(Ownership::If(condition)) = self.state.get(memref, block) else { continue };
            self.rw.set_insertion_before(op);
            let yes = constant(&mut self.rw, loc, true);
            let inverted = self.binary::<dl_arith::XOrIOp<'_>>(loc, condition, yes);
            let cx = self.rw.cx();
            let message = cx.string_attr("expected that the block does not have ownership");
            self.rw.create(OpState::of::<dl_cf::AssertOp<'_>>(loc).operands([inverted]).attr(cx, "msg", message));
        }
        for memref in made {
            if !self.is_buffer(memref) {
                continue;
            }
            self.rw.set_insertion_to_start(block);
            let condition = constant(&mut self.rw, loc, !(manual || automatic));
            self.set(memref, block, condition);
            if !(manual || automatic) {
                self.state.add_owned(memref, block);
            }
        }
        Ok(())
    }

    fn binary<T: dl_ir::OpDefinition>(&mut self, loc: Loc, a: ValueId, b: ValueId) -> ValueId {
        let i1 = self.rw.cx().i1_type();
        self.rw.create_value(OpState::of::<T>(loc).operands([a, b]).results([i1]))
    }

    /// Hands conditions into the regions with the buffers, and takes those of the results.
    fn region_branch(&mut self, op: OpId, block: BlockId) -> Result<OpId, Diagnostic> {
        let view = self.rw.op(op);
        let Some(branch) = view.interface::<dyn RegionBranchOp>() else { return Ok(op) };
        let loc = view.loc();
        let first = branch.successors(view, RegionPoint::Parent).first().copied().unwrap_or(RegionPoint::Parent);
        let entry = branch.entry_operands(view, first);
        let buffers_in = entry.iter().filter(|v| v.ty().is_memref()).count();
        if buffers_in > 0 && view.has_trait(&Trait::AttrSizedOperandSegments) {
            return Err(view.error("unsupported: buffers carried by an operation with operand segments"));
        }
        let results: Values = view.results().iter().filter(|r| r.ty().is_memref()).map(|r| r.id()).collect();
        self.rw.set_insertion_to_start(block);
        let not_owned = constant(&mut self.rw, loc, false);
        if buffers_in > 0 {
            let mut operands: Vec<ValueId> = self.rw.ir().operands(op).collect();
            operands.extend(std::iter::repeat_n(not_owned, buffers_in));
            self.rw.set_operands(op, &operands);
        }
        if results.is_empty() {
            return Ok(op);
        }
        let old = self.rw.ir().results(op).len();
        let new = append_results(&mut self.rw, op, results.len());
        let new_results: Vec<ValueId> = self.rw.ir().results(new).collect();
        let buffers: Values = new_results[..old].iter().copied().filter(|&r| self.is_buffer(r)).collect();
        for (memref, &condition) in buffers.into_iter().zip(&new_results[old..]) {
            self.set(memref, block, condition);
            self.state.add_owned(memref, block);
        }
        Ok(new)
    }

    /// Frees before a branch what the target does not get, and passes on the conditions of what it gets.
    fn branch(&mut self, op: OpId, block: BlockId) -> Result<(), Diagnostic> {
        let view = self.rw.op(op);
        let Some(branch) = view.interface::<dyn BranchOp>() else { return Ok(()) };
        if view.num_successors() != 1 {
            return Err(view.error("only BranchOpInterface operations with exactly one successor are supported yet"));
        }
        let (target, passed) = (view.successor(0).id(), branch.successor_operands(view, 0).ids());
        let dealloc = free(&mut self.rw, &mut self.state, &self.liveness, op, block, Some(target), &passed, true)?;
        let buffers = passed.iter().filter(|&&v| self.is_buffer(v)).count();
        let mut operands: Vec<ValueId> = passed.to_vec();
        operands.extend(dealloc.into_iter().flat_map(|dealloc| self.rw.ir().results(dealloc)).take(buffers));
        self.rw.set_operands(op, &operands);
        Ok(())
    }

    /// Frees at the end of a region or function what it does not hand on, and hands on the conditions; a function hands on
    /// what it owns only.
    fn region_end(&mut self, op: OpId, block: BlockId) -> Result<(), Diagnostic> {
        let view = self.rw.op(op);
        let is_return = view.is::<ReturnOp<'_>>();
        let first = usize::from(view.is::<dl_scf::ConditionOp<'_>>());
        if is_return && !self.is_dynamic {
            let count = self.rw.op(op).num_operands();
            for index in 0..count {
                let value = self.rw.op(op).operand(index).id();
                if self.is_buffer(value) {
                    self.rw.set_insertion_before(op);
                    let owned = self.guarantee_ownership(value, block);
                    self.rw.set_operand(op, index, owned);
                }
            }
        }
        let values: Values = self.rw.ir().operands(op).skip(first).collect();
        let conditions = self.free_at_end(op, block, &values)?;
        if (!is_return || self.is_dynamic) && !conditions.is_empty() {
            let operands: Vec<ValueId> = self.rw.ir().operands(op).chain(conditions).collect();
            self.rw.set_operands(op, &operands);
        }
        Ok(())
    }

    /// Frees before `op` what the block owns, but for `values`; answers the conditions of those that are buffers.
    fn free_at_end(&mut self, op: OpId, block: BlockId, values: &[ValueId]) -> Result<Values, Diagnostic> {
        let dealloc = free(&mut self.rw, &mut self.state, &self.liveness, op, block, None, values, false)?;
        let buffers = values.iter().filter(|&&v| self.is_buffer(v)).count();
        Ok(dealloc.into_iter().flat_map(|dealloc| self.rw.ir().results(dealloc)).take(buffers).collect())
    }

    /// `memref`, or a clone of it where the block does not own it.
    fn guarantee_ownership(&mut self, memref: ValueId, block: BlockId) -> ValueId {
        let loc = self.rw.value(memref).loc();
        let (memref, condition) = self.state.unique(&mut self.rw, memref, block);
        if self.rw.value(condition).constant().and_then(|c| c.as_bool()) == Some(true) {
            return memref;
        }
        let ty = self.rw.value_type(memref).id();
        let (yes, no) = (self.rw.new_region(), self.rw.new_region());
        let choice = OpState::of::<dl_scf::IfOp<'_>>(loc).operands([condition]).results([ty]).region(yes).region(no);
        let choice = self.rw.create_value(choice);
        let point = self.rw.insertion_point();
        for region in [yes, no] {
            let inner = self.rw.append_block(region, &[]);
            self.rw.set_insertion_to_end(inner);
            let value = if region == yes {
                memref
            } else {
                self.rw.create_value(OpState::of::<CloneOp<'_>>(loc).operands([memref]).results([ty]))
            };
            self.rw.create(OpState::of::<dl_scf::YieldOp<'_>>(loc).operands([value]));
        }
        self.rw.set_insertion_point(point);
        let owned = constant(&mut self.rw, loc, true);
        self.set(choice, block, owned);
        self.state.add_owned(choice, block);
        choice
    }

    /// Results of which nothing has been said may be any buffer operand, or else are nobody's to free.
    fn inherit_ownership(&mut self, op: OpId, block: BlockId) {
        let results: Values = self.rw.ir().results(op).filter(|&r| self.is_buffer(r)).collect();
        for result in results {
            if self.state.get(result, block).is_some() {
                continue;
            }
            let operands: Values = self.rw.ir().operands(op).filter(|&v| self.is_buffer(v)).collect();
            for operand in operands {
                let known = block_of(self.rw.ir(), operand).and_then(|from| self.state.get(operand, from));
                if let Some(known) = known {
                    self.state.update(&self.rw, result, block, known);
                }
            }
            if self.state.get(result, block).is_none() {
                self.rw.set_insertion_before(op);
                let loc = self.rw.op(op).loc();
                let not_owned = constant(&mut self.rw, loc, false);
                self.set(result, block, not_owned);
            }
        }
    }

    /// Makes the type of the function that of its block and returns.
    fn update_signature(&mut self) -> Result<(), Diagnostic> {
        let (cx, root) = (self.rw.cx(), self.rw.op(Arena::ROOT));
        let Some(body) = root.regions().next() else { return Ok(()) };
        let Some(entry) = body.entry() else { return Ok(()) };
        let returns: Vec<SmallVec<[Type; 4]>> = body
            .blocks()
            .filter_map(|b| b.last_op())
            .filter(|op| op.is::<ReturnOp<'_>>())
            .map(|op| op.operands().types())
            .collect();
        if returns.windows(2).any(|pair| pair[0] != pair[1]) {
            return Err(root.error("there are multiple return operations with different operand types"));
        }
        let inputs: Vec<Type> = entry.args().map(|arg| arg.ty().id()).collect();
        let Some(results) = returns.first() else { return Ok(()) };
        let ty = cx.function_type(&inputs, results);
        let padded = |name: &'static str, count: usize| {
            let mut dicts: Vec<Attr> = root.attr(name)?.elements().map(|dict| dict.id()).collect();
            dicts.resize(count, cx.dictionary_attr(&[]));
            Some((name, cx.array_attr(&dicts)))
        };
        let attrs: Vec<_> =
            [padded("arg_attrs", inputs.len()), padded("res_attrs", results.len())].into_iter().flatten().collect();
        self.rw.set_attr(Arena::ROOT, cx.ident("function_type"), cx.type_attr(ty));
        for (name, attr) in attrs {
            self.rw.set_attr(Arena::ROOT, cx.ident(name), attr);
        }
        Ok(())
    }
}

/// What `block` frees at its end: base buffers and conditions, made at the insertion point.
pub(super) fn owned_at_end(
    rw: &mut Rewriter<'_>,
    state: &State,
    loc: Loc,
    block: BlockId,
) -> Result<(Values, Values), Diagnostic> {
    let (mut memrefs, mut conditions) = (Values::new(), Values::new());
    for &memref in state.owned(block) {
        let view = rw.value(memref);
        let Some(Ownership::If(condition)) = state.get(memref, block) else {
            return Err(Diagnostic::error(view.loc(), "MemRef value does not have valid ownership"));
        };
        if view.ty().is_ranked_memref() && view.ty().strided_layout().is_none() {
            let message = format!("unsupported: the buffer has a layout without strides: {}", view.ty());
            return Err(Diagnostic::error(view.loc(), message));
        }
        let ranked = if view.ty().is_unranked_memref() { first_element(rw, loc, memref) } else { memref };
        let state = OpState::of::<ExtractStridedMetadataOp<'_>>(loc).operands([ranked]);
        let metadata = rw.try_create(state).map_err(|message| Diagnostic::error(loc, message))?;
        memrefs.push(rw.ir().result(metadata, 0));
        conditions.push(condition);
    }
    Ok((memrefs, conditions))
}

/// A view of an unranked buffer whose rank is known: that of its first element.
fn first_element(rw: &mut Rewriter<'_>, loc: Loc, memref: ValueId) -> ValueId {
    let cx = rw.cx();
    let from = rw.value_type(memref);
    let space = from.memory_space().map(|space| space.id());
    let layout = StridedLayout { strides: Vec::new(), offset: 0 };
    let ty = cx.strided_memref_type(&[], from.element_or_self().id(), &layout, space);
    let state = OpState::of::<ReinterpretCastOp<'_>>(loc)
        .operands([memref])
        .attr(cx, "static_offsets", cx.dense_i64_array(&[0]))
        .attr(cx, "static_sizes", cx.dense_i64_array(&[]))
        .attr(cx, "static_strides", cx.dense_i64_array(&[]))
        .operand_segments(cx, &[1, 0, 0, 0])
        .results([ty]);
    rw.create_value(state)
}

/// Makes a `bufferization.dealloc`.
pub(super) fn dealloc_op(
    rw: &mut Rewriter<'_>,
    loc: Loc,
    memrefs: &[ValueId],
    conditions: &[ValueId],
    retained: &[ValueId],
) -> OpId {
    let cx = rw.cx();
    let operands = memrefs.iter().chain(conditions).chain(retained).copied();
    let state = OpState::of::<DeallocOp<'_>>(loc)
        .operands(operands)
        .operand_segments(cx, &[memrefs.len(), conditions.len(), retained.len()])
        .results(std::iter::repeat_n(cx.i1_type(), retained.len()));
    rw.create(state)
}

/// What is handed on at the end of `block`: the buffers among `values`, and those that are live afterwards.
pub(super) fn retained(
    rw: &Rewriter<'_>,
    liveness: &Liveness,
    block: BlockId,
    to: Option<BlockId>,
    values: &[ValueId],
) -> Values {
    let buffers = values.iter().copied().filter(|&v| rw.value_type(v).is_memref());
    buffers.chain(liveness.live_out(rw.ir(), block, to)).collect()
}

/// Frees before `op` what `block` owns and does not hand on; `None` when there is nothing to free or hand on and `always` does
/// not hold.
#[expect(clippy::too_many_arguments, reason = "parts of the inserter, which a caller has borrowed apart")]
fn free(
    rw: &mut Rewriter<'_>,
    state: &mut State,
    liveness: &Liveness,
    op: OpId,
    block: BlockId,
    to: Option<BlockId>,
    values: &[ValueId],
    always: bool,
) -> Result<Option<OpId>, Diagnostic> {
    let loc = rw.op(op).loc();
    rw.set_insertion_before(op);
    let (memrefs, conditions) = owned_at_end(rw, state, loc, block)?;
    let retained = retained(rw, liveness, block, to, values);
    if memrefs.is_empty() && retained.is_empty() && !always {
        return Ok(None);
    }
    let dealloc = dealloc_op(rw, loc, &memrefs, &conditions, &retained);
    let updated: Values = rw.ir().results(dealloc).collect();
    for (&memref, condition) in retained.iter().zip(updated) {
        state.set(memref, block, condition);
    }
    Ok(Some(dealloc))
}

/// Makes `op` anew with `count` more `i1` results; its regions move over.
fn append_results(rw: &mut Rewriter<'_>, op: OpId, count: usize) -> OpId {
    let (cx, view) = (rw.cx(), rw.op(op));
    let types: Vec<Type> = view.results().types().into_iter().chain(std::iter::repeat_n(cx.i1_type(), count)).collect();
    let attrs: Vec<_> = view.attrs().map(|(name, attr)| (name, attr.id())).collect();
    let mut state =
        OpState::new(view.name_id(), view.loc()).operands(view.operands().ids()).results(types).attrs(attrs);
    let regions: Vec<_> = view.regions().map(|region| region.id()).collect();
    let old: Values = view.results().ids();
    for from in regions {
        let to = rw.new_region();
        rw.move_blocks(from, to, None);
        state.regions.push(to);
    }
    rw.set_insertion_before(op);
    let new = rw.create(state);
    let results: Values = rw.ir().results(new).take(old.len()).collect();
    rw.replace(op, &results);
    new
}

/// Whether `op` ends a region and hands values to the operation around it.
fn is_region_terminator(op: OpRef<'_>) -> bool {
    op.has_trait(&Trait::Terminator) && ends_region(op)
}

/// Refuses operations that cannot be followed.
fn check_supported(op: OpRef<'_>) -> Result<(), Diagnostic> {
    let is_buffer = |v: dl_ir::ValueRef<'_>| v.ty().is_memref();
    let has_buffers = op.operands().iter().any(is_buffer) || op.results().iter().any(is_buffer);
    let frees_or_allocates = op.def().is_some_and(|def| {
        let any = |effects: Effects| effects.contains(Effects::FREE) || effects.contains(Effects::ALLOCATE);
        def.operands.iter().chain(def.results.iter()).any(|value| any(value.effects))
    });
    if !has_buffers && !frees_or_allocates {
        return Ok(());
    }
    if op.is::<DeallocOp<'_>>() {
        return Err(op.error("No deallocation operations must be present when running this pass!"));
    }
    let known = dl_ir::effects::effects_of(op).is_some()
        || op.has_trait(&Trait::RecursiveMemoryEffects)
        || op.interface::<dyn CallOp>().is_some();
    if !known {
        return Err(op.error("ops with unknown memory side effects are not supported"));
    }
    let regions = op.num_regions();
    if ((regions == 1 && op.num_results() != 0) || regions > 1) && op.interface::<dyn RegionBranchOp>().is_none() {
        return Err(op.error("All operations with attached regions need to implement the RegionBranchOpInterface."));
    }
    if op.has_trait(&Trait::NoTerminator) {
        return Err(op.error("NoTerminator trait is not supported"));
    }
    if op.has_trait(&Trait::Terminator) {
        if op.interface::<dyn BranchOp>().is_some() == is_region_terminator(op) {
            return Err(op.error(
                "Terminators must implement either BranchOpInterface or RegionBranchTerminatorOpInterface (but not both)!",
            ));
        }
        if op.num_successors() > 1 {
            return Err(op.error("Terminators with more than one successor are not supported!"));
        }
    }
    Ok(())
}
