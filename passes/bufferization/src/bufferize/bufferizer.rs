//! Rewriting operations on tensors into operations on buffers.
//!
//! While this goes on, `bufferization.to_tensor` and `to_buffer` stand between what is rewritten and what is not yet. A pair of
//! both cancels out at the end.

use std::fmt::Display;

use dl_bufferization::{ToBufferOp, ToTensorOp};
use dl_ir::walk::{ops_in_arena, ops_in_arena_post_order};
use dl_ir::{
    Arena, Attr, Context, DYNAMIC, Diagnostic, Diagnostics, Loc, OpId, OpRef, OpState, Rewriter, Type, ValueId,
    ValueRef,
};
use indexmap::IndexMap;
use rustc_hash::{FxBuildHasher, FxHashMap};
use smallvec::SmallVec;

use super::analysis::{Analysis, owner};
use super::functions::FunctionTable;
use super::globals::Globals;
use super::interface;
use super::layout::cast_cannot_fail;
use super::operand::Relation;
use super::options::Options;
use super::report;

/// Finds out buffer types of tensor values, before or after their operation is bufferized.
///
/// Answers are remembered, for there may be many ways from one value to another. A loop asks about itself: answers that were found out while it had
/// none yet are forgotten when it has.
pub struct TypeQuery<'a> {
    cx: &'a Context,
    ir: &'a Arena,
    options: &'a Options,
    functions: &'a FunctionTable,
    /// The values asked about at present.
    pending: FxHashMap<ValueId, Pending>,
    /// The answers, in the order in which they were found out.
    known: IndexMap<ValueId, Type, FxBuildHasher>,
}

/// A value whose type is being found out.
#[derive(Default)]
struct Pending {
    /// How often it is asked about at present.
    times: usize,
    /// What it is taken to be meanwhile.
    assumed: Option<Type>,
    /// Whether anything asked about it meanwhile.
    seen: bool,
}

impl<'a> TypeQuery<'a> {
    /// About the values of `ir`.
    pub fn new(cx: &'a Context, ir: &'a Arena, options: &'a Options, functions: &'a FunctionTable) -> Self {
        Self { cx, ir, options, functions, pending: FxHashMap::default(), known: IndexMap::default() }
    }

    /// The options.
    pub fn options(&self) -> &'a Options {
        self.options
    }

    /// The functions of the module.
    pub fn functions(&self) -> &'a FunctionTable {
        self.functions
    }

    /// Whether `value` is being asked about at present.
    pub fn is_pending(&mut self, value: ValueId) -> bool {
        let pending = self.pending.get_mut(&value);
        pending.map(|pending| pending.seen = true).is_some()
    }

    /// Takes `value`, which is being asked about, to be a `ty` until its type is found out. False where it was finding out `ty` that asked about it again.
    pub fn assume(&mut self, value: ValueId, ty: Type) -> bool {
        let first = self.pending.get_mut(&value).filter(|pending| pending.times == 1);
        first.map(|pending| pending.assumed = Some(ty)).is_some()
    }

    /// The type of the buffer of `value`, a tensor.
    pub fn buffer_type(&mut self, value: ValueRef<'_>) -> Result<Type, Diagnostic> {
        let id = value.id();
        if let Some(&ty) = self.known.get(&id) {
            return Ok(ty);
        }
        let first_new = self.known.len();
        let pending = self.pending.entry(id).or_default();
        pending.seen = pending.times > 0;
        if let Some(ty) = pending.assumed {
            return Ok(ty);
        }
        pending.times += 1;
        let ty = stacker::maybe_grow(64 * 1024, 1024 * 1024, || {
            match owner(value).and_then(|op| self.options.interface(op)) {
                Some(interface) => interface.buffer_type(value, self),
                None => self.unknown_type(value),
            }
        });
        let pending = self.pending.entry(id).or_default();
        pending.times -= 1;
        let (is_answer, was_seen) = (pending.times == 0, pending.seen);
        if is_answer {
            self.pending.remove(&id);
            if was_seen {
                self.known.truncate(first_new);
            }
        }
        let ty = ty?;
        if let Err(why) = self.cx.check_type(self.cx.type_data(ty)) {
            return Err(error_at(value, why));
        }
        if is_answer {
            self.known.insert(id, ty);
        }
        Ok(ty)
    }

    /// The type where nothing is known but the tensor type.
    pub fn unknown_type(&self, value: ValueRef<'_>) -> Result<Type, Diagnostic> {
        let tensor = value.ty().id();
        let space = self.memory_space(value)?;
        Ok(self.options.unknown_type(self.cx, tensor, space))
    }

    /// The memory space where nothing is known but the tensor type.
    pub fn memory_space(&self, value: ValueRef<'_>) -> Result<Option<Attr>, Diagnostic> {
        let space = self.options.memory_space(self.cx, value.ty().id());
        space.ok_or_else(|| error_at(value, "could not infer memory space"))
    }

    /// The type of the operand that a result is equivalent to, or the unknown one.
    pub fn default_type(&mut self, value: ValueRef<'_>) -> Result<Type, Diagnostic> {
        if value.defining_op().is_some() {
            let state = Analysis::without_facts(self.cx, self.options, self.functions);
            if let Some(alias) = state.aliasing_operands(value).first().filter(|a| a.relation == Relation::Equivalent) {
                let operand = OpRef::new(self.cx, self.ir, alias.operand.op).operand(alias.operand.index);
                return self.operand_type(operand);
            }
        }
        self.unknown_type(value)
    }

    /// The type of a tensor's buffer, or the type itself when it is a buffer already.
    pub fn operand_type(&mut self, value: ValueRef<'_>) -> Result<Type, Diagnostic> {
        if value.ty().is_tensor() { self.buffer_type(value) } else { Ok(value.ty().id()) }
    }
}

/// An error where `value` comes from.
fn error_at(value: ValueRef<'_>, message: impl Display) -> Diagnostic {
    match owner(value) {
        Some(op) => op.error(message),
        None => Diagnostic::error(value.loc(), message.to_string()),
    }
}

/// Rewrites the operations of one arena.
pub struct Bufferizer<'a> {
    /// The arena. Models set the insertion point as they like; it is before the operation when they are called.
    pub rw: Rewriter<'a>,
    cx: &'a Context,
    options: &'a Options,
    functions: &'a mut FunctionTable,
    globals: &'a mut Globals,
    remarks: &'a mut Vec<Diagnostic>,
}

impl<'a> Bufferizer<'a> {
    pub(super) fn new(
        cx: &'a Context,
        ir: &'a mut Arena,
        options: &'a Options,
        functions: &'a mut FunctionTable,
        globals: &'a mut Globals,
        remarks: &'a mut Vec<Diagnostic>,
    ) -> Self {
        Self { rw: Rewriter::new(cx, ir), cx, options, functions, globals, remarks }
    }

    /// The context.
    pub fn cx(&self) -> &'a Context {
        self.cx
    }

    /// The options.
    pub fn options(&self) -> &'a Options {
        self.options
    }

    /// The functions of the module.
    pub fn functions(&self) -> &FunctionTable {
        self.functions
    }

    /// Says that the function called `name` has this type now.
    pub fn set_function_type(&mut self, name: &str, ty: Type) {
        self.functions.set_type(name, ty);
    }

    /// Asks about buffer types in this arena.
    pub fn types(&self) -> TypeQuery<'_> {
        TypeQuery::new(self.cx, self.rw.ir(), self.options, self.functions)
    }

    /// The type of the buffer of `value`.
    pub fn buffer_type(&self, value: ValueId) -> Result<Type, Diagnostic> {
        self.types().buffer_type(self.rw.value(value))
    }

    /// The buffer of the tensor `value`: what a `to_tensor` was made of, or a new `to_buffer` right after the definition.
    pub fn buffer(&mut self, value: ValueId) -> Result<ValueId, Diagnostic> {
        if let Some(to_tensor) = self.rw.value(value).def::<ToTensorOp<'_>>() {
            return Ok(to_tensor.buffer().id());
        }
        let ty = self.buffer_type(value)?;
        let point = self.rw.insertion_point();
        self.rw.set_insertion_after_value(value);
        let loc = self.rw.value(value).loc();
        let buffer = self.rw.create_value(OpState::of::<ToBufferOp<'_>>(loc).operands([value]).results([ty]));
        self.rw.set_insertion_point(point);
        Ok(buffer)
    }

    /// A `to_buffer` of `value` of a given type at the insertion point.
    pub fn to_buffer(&mut self, loc: Loc, value: ValueId, ty: Type) -> ValueId {
        self.rw.create_value(OpState::of::<ToBufferOp<'_>>(loc).operands([value]).results([ty]))
    }

    /// A `to_tensor` of `buffer` of a given type at the insertion point.
    pub fn to_tensor(&mut self, loc: Loc, buffer: ValueId, ty: Type) -> ValueId {
        self.rw.create_value(OpState::of::<ToTensorOp<'_>>(loc).operands([buffer]).results([ty]))
    }

    /// Replaces `op` by `values`, one for each result; buffers for tensors.
    pub fn replace(&mut self, op: OpId, values: &[ValueId]) {
        let loc = self.rw.op(op).loc();
        self.rw.set_insertion_after(op);
        let results: SmallVec<[ValueId; 4]> = self.rw.ir().results(op).collect();
        let mut new: SmallVec<[ValueId; 4]> = SmallVec::new();
        for (result, &value) in results.into_iter().zip(values) {
            let ty = self.rw.value_type(result);
            let used = self.rw.ir().has_uses(result);
            new.push(if ty.is_tensor() && used { self.to_tensor(loc, value, ty.id()) } else { value });
        }
        self.rw.replace(op, &new);
    }

    /// Makes an operation before `op` and replaces `op` by its results.
    pub fn replace_with(&mut self, op: OpId, state: OpState) -> OpId {
        self.rw.set_insertion_before(op);
        let new = self.rw.create(state);
        let values: SmallVec<[ValueId; 4]> = self.rw.ir().results(new).collect();
        self.replace(op, &values);
        new
    }

    /// `arith.constant` of type `index`.
    pub fn index(&mut self, loc: Loc, value: i64) -> ValueId {
        dl_arith::constant_index(&mut self.rw, value, loc)
    }

    /// Extent `dim` of a buffer as a value.
    pub fn buffer_dim(&mut self, loc: Loc, buffer: ValueId, dim: usize) -> ValueId {
        let index = self.index(loc, dim as i64);
        let state = OpState::of::<dl_memref::DimOp<'_>>(loc).operands([buffer, index]);
        self.rw.create_value(state.results([self.cx.index_type()]))
    }

    /// The extents of a buffer that `ty` leaves dynamic.
    pub fn dynamic_dims(&mut self, loc: Loc, buffer: ValueId, ty: Type) -> SmallVec<[ValueId; 4]> {
        let shape = self.cx.ty(ty).shape().unwrap_or_default();
        let dynamic = shape.iter().enumerate().filter(|(_, extent)| **extent == DYNAMIC);
        dynamic.map(|(i, _)| self.buffer_dim(loc, buffer, i)).collect()
    }

    /// A new buffer of type `ty` with these dynamic extents.
    pub fn alloc(&mut self, loc: Loc, ty: Type, sizes: &[ValueId]) -> ValueId {
        let cx = self.cx;
        let alignment = (self.options.alignment > 0).then(|| cx.i64_attr(self.options.alignment));
        let state = OpState::of::<dl_memref::AllocOp<'_>>(loc)
            .operands(sizes.iter().copied())
            .operand_segments(cx, &[sizes.len(), 0])
            .maybe_attr(cx, "alignment", alignment)
            .results([ty]);
        self.rw.create_value(state)
    }

    /// Copies the content of `from` to `to`.
    pub fn copy(&mut self, loc: Loc, from: ValueId, to: ValueId) {
        self.rw.create(OpState::of::<dl_memref::CopyOp<'_>>(loc).operands([from, to]));
    }

    /// `memref.cast` to `ty`.
    pub fn cast(&mut self, loc: Loc, buffer: ValueId, ty: Type) -> ValueId {
        self.rw.create_value(OpState::of::<dl_memref::CastOp<'_>>(loc).operands([buffer]).results([ty]))
    }

    /// `buffer` as a `ty`: by a cast that cannot fail, else by a copy.
    pub fn cast_or_reallocate(&mut self, buffer: ValueId, ty: Type) -> ValueId {
        let (from, to) = (self.rw.value_type(buffer), self.cx.ty(ty));
        let loc = self.rw.value(buffer).loc();
        if from == to {
            return buffer;
        }
        if to.is_unranked_memref() || cast_cannot_fail(from, to) {
            return self.cast(loc, buffer, ty);
        }
        if self.options.report_copies {
            self.remarks.push(report::layout(&self.rw, buffer, to));
        }
        let sizes = self.dynamic_dims(loc, buffer, ty);
        let new = self.alloc(loc, ty, &sizes);
        self.copy(loc, buffer, new);
        new
    }

    /// Name and type of the global buffer that holds the constant `value`.
    pub fn global(&mut self, value: Attr, loc: Loc) -> Option<(String, Type)> {
        self.globals.get(self.cx, value, self.options.alignment, loc)
    }

    /// Bufferizes every operation of the arena, the root included, then cancels pairs of conversions and checks that nothing
    /// is left.
    pub(super) fn run(&mut self) -> Result<(), Diagnostics> {
        let is_work = |op: OpRef<'_>, options: &Options| {
            let has_tensors = match op.info().interface::<dyn interface::Bufferizable>() {
                Some(interface) => interface.has_tensors(op),
                None => interface::has_tensors(op),
            };
            !op.is_stub() && has_tensors && options.allows(op)
        };
        let mut work: Vec<OpId> = ops_in_arena_post_order(self.rw.ir(), Arena::ROOT);
        work.retain(|&op| is_work(self.rw.op(op), self.options));
        let mut at = 0;
        while at < work.len() {
            let op = work[at];
            at += 1;
            if !self.rw.ir().is_live(op) || !is_work(self.rw.op(op), self.options) {
                continue;
            }
            let view = self.rw.op(op);
            let info = self.cx.op_info(view.name_id());
            let Some(interface) = info.interface::<dyn interface::Bufferizable>() else { continue };
            if !interface.supports_many_blocks() && view.regions().any(|r| !r.is_empty() && !r.has_one_block()) {
                let error = view.error(
                    "op or BufferizableOpInterface implementation does not support unstructured control flow, but at least \
                     one region has multiple blocks",
                );
                return Err(error.into());
            }
            let (first_new, loc) = (self.rw.ir().num_op_slots(), view.loc());
            if op != Arena::ROOT {
                self.rw.set_insertion_before(op);
            }
            if let Err(error) = interface.bufferize(op, self) {
                let mut errors = Diagnostics::from(error);
                errors.push(Diagnostic::error(loc, "failed to bufferize op"));
                return Err(errors);
            }
            let new = (first_new..self.rw.ir().num_op_slots()).map(OpId::from_index);
            work.extend(new.filter(|&op| {
                let view = self.rw.op(op);
                self.rw.ir().is_live(op) && !view.is::<ToTensorOp<'_>>() && is_work(view, self.options)
            }));
        }
        self.cancel_conversions();
        Ok(self.check_all_done(&work)?)
    }

    /// Folds `to_buffer(to_tensor(x))` and erases dead `to_tensor`.
    fn cancel_conversions(&mut self) {
        let all = ops_in_arena(self.rw.ir(), Arena::ROOT);
        for &op in &all {
            let view = self.rw.op(op);
            let Some(to_buffer) = view.cast::<ToBufferOp<'_>>() else { continue };
            let Some(to_tensor) = to_buffer.tensor().def::<ToTensorOp<'_>>() else { continue };
            let (buffer, from) = (to_tensor.buffer().id(), to_tensor.buffer().ty());
            let (to, ty) = (view.result(0).ty(), view.result(0).ty().id());
            if from.is_unranked_memref() && to.is_ranked_memref() {
                continue;
            }
            self.rw.set_insertion_before(op);
            let value = self.cast_or_reallocate(buffer, ty);
            self.rw.replace(op, &[value]);
        }
        for op in all.into_iter().rev() {
            if self.rw.ir().is_live(op) && self.rw.op(op).is::<ToTensorOp<'_>>() && !self.rw.op(op).result(0).has_uses()
            {
                self.rw.erase(op);
            }
        }
    }

    fn check_all_done(&self, work: &[OpId]) -> Result<(), Diagnostic> {
        for &op in work.iter().filter(|&&op| self.rw.ir().is_live(op)) {
            let view = self.rw.op(op);
            let bufferizable = self.options.interface(view);
            let has_tensors = bufferizable.map_or_else(|| interface::has_tensors(view), |i| i.has_tensors(view));
            let is_conversion = view.is::<ToTensorOp<'_>>() || view.is::<ToBufferOp<'_>>();
            let unused = !view.has_used_results();
            let folds_away = unused && dl_ir::effects::is_memory_effect_free(view);
            if !has_tensors || is_conversion || folds_away || (self.options.allow_unknown_ops && bufferizable.is_none())
            {
                continue;
            }
            return Err(Diagnostic::error(view.loc(), "op was not bufferized"));
        }
        Ok(())
    }
}
