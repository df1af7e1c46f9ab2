//! `convert-parallel-to-runtime`: parallel loops run on the threads of the runtime.
//!
//! ```text
//! scf.parallel (%i) = (%lower) to (%upper) step (%step) { body }
//!
//! store what the body uses in a struct on the stack, %data
//! llvm.call @dl_parallel_for(@f_loop_0, %data, ceil((%upper - %lower) / %step))
//!
//! llvm.func internal @f_loop_0(%data: !llvm.ptr, %begin: i64, %end: i64) {
//!   load what the body uses
//!   scf.for %i = %lower + %begin * %step to %lower + %end * %step step %step { body }
//! }
//! ```
//!
//! The runtime calls the function for ranges of iterations, each iteration once. Of a loop over several dimensions the first one is divided.
//! Loops with the same body, as those of the layers of a model, share one function: what differs is in what they are handed. So do loops that are
//! not parallel, where there are several with the same body: that is called directly, and is compiled once.

use std::collections::hash_map::Entry;

use dl_arith::{AddIOp, Build, DivSIOp, MulIOp, SubIOp};
use dl_ir::builtin::UnrealizedConversionCastOp;
use dl_ir::effects::effects_of;
use dl_ir::opdef::Effects;
use dl_ir::pass::{Pass, PassCx, PassInfo, PassOptions, PassResult};
use dl_ir::rewrite::conversion::TypeConverter;
use dl_ir::symbol::unique_name;
use dl_ir::walk::ops_in_arena;
use dl_ir::{Arena, BlockId, Context, Loc, OpId, OpRef, OpState, Rewriter, Structure, Type, ValueId, ValueRef};
use dl_ir::{Mapping, clone_region_from};
use dl_llvm::types::{func_type, ptr_type, ptr_type_in, struct_type, void_type};
use dl_llvm::{AddressOfOp, GEPNoWrapFlags, LLVMFuncOp, Linkage, ReturnOp};
use dl_memref::{AllocOp, AllocaOp, DeallocOp};
use dl_passes_scf::nest::{Nest, build_nest, move_body};
use dl_scf::{ForOp, ParallelOp};
use indexmap::IndexSet;
use rustc_hash::{FxBuildHasher, FxHashMap, FxHashSet};
use smallvec::SmallVec;

use crate::descriptor::Descriptor;
use crate::llvm_build::{Index, LlvmBuild};
use crate::llvm_symbols::{declare_function, linkage_attr};
use crate::llvm_types::{LlvmOptions, address_space, can_be_bare_pointer, llvm_type_converter, pack_memref};

/// The function of the runtime that runs ranges of iterations on its threads: takes a function, data for it, and their number.
const PARALLEL_FOR: &str = "dl_parallel_for";

dl_ir::pass_options! {
    /// Options of [`ConvertParallelToRuntime`].
    pub struct ParallelToRuntimeOptions {
        /// Call the functions for all iterations on the thread of the caller: nothing is asked of a runtime
        direct "direct": bool = false,
    }
}

/// Makes parallel loops functions that the runtime calls on its threads. A loop inside another one stays as it is, and so does one with
/// results, or one that uses values which have no type in LLVM.
#[derive(Clone, Default)]
pub struct ConvertParallelToRuntime {
    /// The options.
    pub options: ParallelToRuntimeOptions,
}

impl Pass for ConvertParallelToRuntime {
    const INFO: PassInfo =
        PassInfo::new("convert-parallel-to-runtime", "Run parallel loops on the threads of the runtime")
            .on("builtin.module");

    fn options(&mut self) -> Option<&mut dyn PassOptions> {
        Some(&mut self.options)
    }

    fn run(&mut self, cx: &mut PassCx<'_>) -> PassResult {
        let converter = llvm_type_converter(LlvmOptions::default());
        let root = cx.root();
        let Some(block) = root.regions().find_map(|region| region.entry()).map(|block| block.id()) else {
            return Ok(());
        };
        let (mut functions, mut taken) = (Vec::new(), FxHashSet::default());
        for op in root.regions().flat_map(|region| region.ops()) {
            let Some(name) = op.symbol_name() else { continue };
            taken.insert(name.to_owned());
            if op.is_stub() {
                functions.push((op.id(), name.to_owned()));
            }
        }
        let is_declared = taken.contains(PARALLEL_FOR);
        let names = functions.clone();
        let mut bodies: FxHashMap<Box<[u32]>, String> = FxHashMap::default();
        for (function, name) in functions {
            let Some(from) = cx.ir.child_mut(function) else { continue };
            for (each, uses) in outermost_loops(cx.ctx, from, &converter) {
                let Some(from) = cx.ir.child_mut(function) else { continue };
                let body = match bodies.entry(uses.key(OpRef::new(cx.ctx, from, each))) {
                    Entry::Occupied(same) => same.into_mut(),
                    Entry::Vacant(new) => {
                        let body = make_body(cx, block, function, &name, each, &uses, &mut taken);
                        new.insert(body)
                    }
                };
                let Some(from) = cx.ir.child_mut(function) else { continue };
                replace_by_call(cx.ctx, from, each, body, &uses, self.options.direct);
            }
        }
        let calls_runtime = !bodies.is_empty() && !self.options.direct;
        share_sequential(cx, block, &names, &mut taken, &converter);
        if calls_runtime && !is_declared {
            let mut rw = Rewriter::new(cx.ctx, cx.ir);
            rw.set_insertion_to_start(block);
            let pointer = ptr_type(cx.ctx);
            let ty = func_type(cx.ctx, void_type(cx.ctx), &[pointer, pointer, cx.ctx.i64_type()], false);
            declare_function(&mut rw, PARALLEL_FOR, ty);
        }
        Ok(())
    }
}

/// Makes functions of sequential loops of which there are several with the same body.
fn share_sequential(
    cx: &mut PassCx<'_>,
    block: BlockId,
    functions: &[(OpId, String)],
    taken: &mut FxHashSet<String>,
    converter: &TypeConverter,
) {
    // Of each body the function, once there is one, and the loop that was the first to have it.
    let mut bodies: FxHashMap<Box<[u32]>, (Option<String>, OpId, OpId)> = FxHashMap::default();
    for (function, name) in functions {
        let Some(from) = cx.ir.child_mut(*function) else { continue };
        for (each, uses) in sequential_loops(cx.ctx, from, converter) {
            let Some(from) = cx.ir.child_mut(*function) else { continue };
            let (body, first_function, first) = match bodies.entry(uses.key(OpRef::new(cx.ctx, from, each))) {
                Entry::Occupied(same) => same.into_mut(),
                Entry::Vacant(new) => {
                    new.insert((None, *function, each));
                    continue;
                }
            };
            if body.is_none() {
                let made = body.insert(make_body(cx, block, *function, name, each, &uses, taken));
                let Some(from) = cx.ir.child_mut(*first_function) else { continue };
                if let Some(uses) = Uses::of(OpRef::new(cx.ctx, from, *first), converter) {
                    replace_by_call(cx.ctx, from, *first, made, &uses, true);
                }
            }
            let (Some(body), Some(from)) = (body, cx.ir.child_mut(*function)) else { continue };
            replace_by_call(cx.ctx, from, each, body, &uses, true);
        }
    }
}

/// Makes the function of a loop of `function`, and answers its name.
fn make_body(
    cx: &mut PassCx<'_>,
    block: BlockId,
    function: OpId,
    name: &str,
    each: OpId,
    uses: &Uses,
    taken: &mut FxHashSet<String>,
) -> String {
    let body = unique_name(&format!("{name}_loop"), |name| taken.contains(name));
    taken.insert(body.clone());
    let mut rw = Rewriter::new(cx.ctx, cx.ir);
    rw.set_insertion_to_end(block);
    let target = declare_body(&mut rw, uses.loc, &body);
    if let Some((from, to)) = cx.ir.two_children(function, target) {
        build_body(cx.ctx, from, to, each, uses);
    }
    body
}

/// The lower bound, upper bound and step of a loop along each dimension.
fn bounds(each: OpRef<'_>) -> SmallVec<[[ValueId; 3]; 4]> {
    if let Some(each) = each.cast::<ForOp<'_>>() {
        return SmallVec::from_iter([[each.lower_bound().id(), each.upper_bound().id(), each.step().id()]]);
    }
    let Some(each) = each.cast::<ParallelOp<'_>>() else { return SmallVec::new() };
    (each.lower_bound().iter().zip(each.upper_bound().iter()))
        .zip(each.step().iter())
        .map(|((lower, upper), step)| [lower.id(), upper.id(), step.id()])
        .collect()
}

/// What a loop uses of the function around it.
struct Uses {
    loc: Loc,
    /// Values that are handed over, in the order of their first use.
    values: IndexSet<ValueId, FxBuildHasher>,
    /// How each is.
    handed: Vec<Handed>,
    /// Constants, which are made anew.
    remade: IndexSet<ValueId, FxBuildHasher>,
}

/// How a value is handed over.
struct Handed {
    /// Its type in LLVM.
    lowered: Type,
    /// For a memref whose type says all but where it is: the type of the pointer that is handed over in its place.
    pointer: Option<Type>,
}

impl Handed {
    /// How a value is handed to a loop; `None` where it has no type in LLVM. One pointer is not enough of memory that may be freed, which begins
    /// elsewhere.
    fn of(value: ValueRef<'_>, frees: bool, converter: &TypeConverter) -> Option<Self> {
        let (cx, ty) = (value.cx(), value.ty());
        let lowered = converter.convert_one(cx, ty.id())?;
        let is_told = ty.is_ranked_memref() && can_be_bare_pointer(ty) && !frees;
        let pointer = is_told.then(|| address_space(ty)).flatten().map(|space| ptr_type_in(cx, space));
        Some(Self { lowered, pointer })
    }

    /// The type of the field.
    fn field(&self) -> Type {
        self.pointer.unwrap_or(self.lowered)
    }
}

impl Uses {
    /// The uses of a parallel loop; `None` where one has a type that LLVM does not have.
    fn of(each: OpRef<'_>, converter: &TypeConverter) -> Option<Self> {
        let (cx, ir) = (each.cx(), each.arena());
        let mut uses =
            Self { loc: each.loc(), values: IndexSet::default(), handed: Vec::new(), remade: IndexSet::default() };
        let inside = ops_in_arena(ir, each.id());
        let frees = inside.iter().any(|&op| may_free_what_was_there(OpRef::new(cx, ir, op), each));
        for op in inside {
            for value in OpRef::new(cx, ir, op).operands().iter() {
                if op != each.id() && value.is_defined_in(each) {
                    continue;
                }
                if is_remade(value) {
                    uses.remade.insert(value.id());
                } else if uses.values.insert(value.id()) {
                    uses.handed.push(Handed::of(value, frees, converter)?);
                }
            }
        }
        Some(uses)
    }

    /// Equal for loops whose functions are the same.
    fn key(&self, each: OpRef<'_>) -> Box<[u32]> {
        let mut structure = Structure::default();
        let constants = self.remade.iter().map(|&value| ValueRef::new(each.cx(), each.arena(), value));
        constants.filter_map(ValueRef::defining_op).for_each(|constant| structure.add(constant));
        structure.add(each);
        structure.into_key()
    }

    /// The struct in which values are handed over.
    fn data_type(&self, cx: &Context) -> Type {
        struct_type(cx, &self.handed.iter().map(Handed::field).collect::<Vec<_>>())
    }
}

/// Whether an operation in a loop may free memory that was there before the loop.
fn may_free_what_was_there(op: OpRef<'_>, each: OpRef<'_>) -> bool {
    let has = |op: OpRef<'_>, effect| effects_of(op).is_none_or(|effects| effects.contains(effect));
    let allocates = |memory: ValueRef<'_>| memory.defining_op().is_some_and(|op| has(op, Effects::ALLOCATE));
    op.num_regions() == 0
        && has(op, Effects::FREE)
        && !op.operands().iter().all(|memory| memory.is_defined_in(each) && allocates(memory))
}

/// Whether a value is a constant. Addresses of global variables are handed over, so that loops which read different ones can be one function.
fn is_remade(value: ValueRef<'_>) -> bool {
    let is_constant =
        |op: OpRef<'_>| op.operands().is_empty() && op.num_regions() == 0 && op.constant_value().is_some();
    value.defining_op().is_some_and(is_constant)
}

/// The parallel loops of an arena that are inside of no other and that can be functions, in order, with what they use.
fn outermost_loops(cx: &Context, ir: &Arena, converter: &TypeConverter) -> Vec<(OpId, Uses)> {
    let loops = ops_in_arena(ir, Arena::ROOT).into_iter().map(|op| OpRef::new(cx, ir, op));
    let outermost = loops.filter(|op| {
        let mut around = std::iter::successors(op.parent(), |op| op.parent());
        op.is::<ParallelOp<'_>>() && op.num_results() == 0 && !around.any(|op| op.is::<ParallelOp<'_>>())
    });
    outermost.filter_map(|op| Some((op.id(), Uses::of(op, converter)?))).collect()
}

/// The sequential loops over indices that are at the outermost level of a function and carry no values, in order, with what they use.
fn sequential_loops(cx: &Context, ir: &Arena, converter: &TypeConverter) -> Vec<(OpId, Uses)> {
    let loops = ops_in_arena(ir, Arena::ROOT).into_iter().map(|op| OpRef::new(cx, ir, op));
    let outermost = loops.filter(|op| {
        op.parent().is_some_and(|parent| parent.id() == Arena::ROOT)
            && op.num_results() == 0
            && op
                .cast::<ForOp<'_>>()
                .is_some_and(|each| each.lower_bound().ty().id() == cx.index_type() && each.unsigned_cmp().is_none())
    });
    outermost.filter_map(|op| Some((op.id(), Uses::of(op, converter)?))).collect()
}

/// An empty function for the body of a loop, at the insertion point. It stays a function: the code of a loop is the same
/// whether threads run it or not, and a back end can compile loops apart from each other.
fn declare_body(rw: &mut Rewriter<'_>, loc: Loc, name: &str) -> OpId {
    let cx = rw.cx();
    let ty = func_type(cx, void_type(cx), &[ptr_type(cx), cx.i64_type(), cx.i64_type()], false);
    let state = OpState::of::<LLVMFuncOp<'_>>(loc)
        .attr(cx, "sym_name", cx.string_attr(name))
        .attr(cx, "function_type", cx.type_attr(ty))
        .attr(cx, "linkage", linkage_attr(cx, Linkage::Internal))
        .attr(cx, "no_inline", cx.unit_attr());
    rw.create_isolated(state, 1)
}

/// Fills the function with the loop over a range of iterations of `each`, which is in `from`.
fn build_body(cx: &Context, from: &Arena, to: &mut Arena, each: OpId, uses: &Uses) {
    let mut rw = Rewriter::new(cx, to);
    let region = rw.ir().op_regions(Arena::ROOT)[0];
    let entry = rw.append_block(region, &[ptr_type(cx), cx.i64_type(), cx.i64_type()]);
    let arguments = rw.ir().block_args(entry).to_vec();
    rw.set_insertion_to_end(entry);
    let mut mapping = Mapping::new();
    for &value in &uses.remade {
        if let Some(op) = ValueRef::new(cx, from, value).defining_op() {
            let attrs = op.attrs().map(|(name, attr)| (name, attr.id()));
            let state = OpState::new(op.name_id(), op.loc()).attrs(attrs).results(op.results().types());
            mapping.map(value, rw.create_value(state));
        }
    }
    let mut b = Build::new(&mut rw, uses.loc);
    let data = uses.data_type(cx);
    for ((&value, handed), at) in uses.values.iter().zip(&uses.handed).zip(0..) {
        let field = [Index::Constant(0), Index::Constant(at)];
        let place = b.gep(arguments[0], data, &field, GEPNoWrapFlags::INBOUNDS);
        let loaded = b.llvm_load(handed.field(), place);
        let original = from.value_type(value);
        let packed = pack_memref(&mut b, original, &[loaded], uses.loc, LlvmOptions::default());
        let seen = packed.unwrap_or_else(|| b.value::<UnrealizedConversionCastOp<'_>>(&[loaded], original));
        mapping.map(value, seen);
    }
    let each = OpRef::new(cx, from, each);
    let mut bounds = bounds(each);
    bounds.iter_mut().flatten().for_each(|value| *value = mapping.value(*value));
    // The first dimension is run from the first to before the last iteration of the range.
    if let Some([lower, upper, step]) = bounds.first_mut() {
        let start = *lower;
        for (bound, argument) in [(lower, arguments[1]), (upper, arguments[2])] {
            let iteration = b.value::<UnrealizedConversionCastOp<'_>>(&[argument], cx.index_type());
            let offset = b.same::<MulIOp<'_>>(&[iteration, *step]);
            *bound = b.same::<AddIOp<'_>>(&[start, offset]);
        }
    }
    let nest = build_nest(&mut rw, &bounds, uses.loc);
    rw.set_insertion_to_end(entry);
    rw.create(OpState::of::<ReturnOp<'_>>(uses.loc));
    let body = rw.new_region();
    if let Some(region) = each.regions().next() {
        clone_region_from(&mut rw, from, region.id(), body, &mut mapping);
    }
    let block = rw.ir().region_blocks(body).next();
    if let Some(block) = block {
        move_body(&mut rw, block, &nest);
    }
    allocate_once(&mut rw, &nest);
    // Memory on the stack is taken once, not in each iteration.
    let on_stack = ops_in_arena(rw.ir(), Arena::ROOT).into_iter().filter(|&op| {
        let op = rw.op(op);
        op.is::<AllocaOp<'_>>() && op.operands().is_empty()
    });
    for op in on_stack.collect::<Vec<_>>() {
        let first = rw.block(entry).ops().next().map(|op| op.id());
        if let Some(first) = first.filter(|&first| first != op) {
            rw.move_before(op, first);
        }
    }
}

/// Buffers that an iteration allocates and frees are allocated once for all iterations of a range: each finds in them what it does not read.
fn allocate_once(rw: &mut Rewriter<'_>, nest: &Nest) {
    let Some(&outermost) = nest.loops.first() else { return };
    let body = nest.body.block;
    let of_iteration = |op: OpRef<'_>| {
        let alloc = op.cast::<AllocOp<'_>>().filter(|alloc| alloc.0.operands().is_empty())?;
        let mut freeing = alloc.0.result(0).uses().map(|(user, _)| user).filter(|user| user.is::<DeallocOp<'_>>());
        let dealloc = freeing.next().filter(|dealloc| dealloc.block().is_some_and(|block| block.id() == body))?;
        freeing.next().is_none().then_some((op.id(), dealloc.id()))
    };
    let buffers: Vec<(OpId, OpId)> = rw.block(body).ops().filter_map(of_iteration).collect();
    for (alloc, dealloc) in buffers {
        rw.move_before(alloc, outermost);
        rw.move_after(dealloc, outermost);
    }
}

/// Replaces a loop by the call of the runtime with its function, or of the function itself.
fn replace_by_call(cx: &Context, ir: &mut Arena, each: OpId, body: &str, uses: &Uses, direct: bool) {
    let mut rw = Rewriter::new(cx, ir);
    let Some([lower, upper, step]) = bounds(rw.op(each)).first().copied() else { return };
    let entry = rw.ir().op_regions(Arena::ROOT).first().and_then(|&region| rw.ir().entry_block(region));
    let Some(entry) = entry else { return };
    rw.set_insertion_to_start(entry);
    let mut b = Build::new(&mut rw, uses.loc);
    let data_type = uses.data_type(cx);
    let one = b.llvm_int(cx.i64_type(), 1);
    let data = b.alloca(data_type, one);
    b.set_insertion_before(each);
    for ((&value, handed), at) in uses.values.iter().zip(&uses.handed).zip(0..) {
        let lowered = b.value::<UnrealizedConversionCastOp<'_>>(&[value], handed.lowered);
        let stored = if handed.pointer.is_some() { Descriptor { value: lowered }.aligned(&mut b) } else { lowered };
        let field = [Index::Constant(0), Index::Constant(at)];
        let place = b.gep(data, data_type, &field, GEPNoWrapFlags::INBOUNDS);
        b.llvm_store(stored, place);
    }
    let one = b.constant_index(1);
    let length = b.same::<SubIOp<'_>>(&[upper, lower]);
    let last = b.same::<SubIOp<'_>>(&[step, one]);
    let rounded = b.same::<AddIOp<'_>>(&[length, last]);
    let count = b.same::<DivSIOp<'_>>(&[rounded, step]);
    let count = b.value::<UnrealizedConversionCastOp<'_>>(&[count], cx.i64_type());
    if direct {
        let first = b.llvm_int(cx.i64_type(), 0);
        b.llvm_call(body, &[data, first, count], None);
        rw.erase(each);
        return;
    }
    let name = cx.symbol_ref_attr(body);
    let function = b.value_with::<AddressOfOp<'_>>(&[], ptr_type(cx), &[("global_name", name)]);
    b.llvm_call(PARALLEL_FOR, &[function, data, count], None);
    rw.erase(each);
}
