//! What callers need to know of the functions of a module, and the order that visits callees first.

use dl_func::{CallOp, FuncOp, ReturnOp};
use dl_ir::walk::ops_in_arena;
use dl_ir::{Arena, Attr, Context, OpRef, Type, ValueRef};
use indexmap::IndexMap;
use rustc_hash::{FxBuildHasher, FxHashSet};
use smallvec::SmallVec;

use super::analysis::Analysis;
use super::options::Options;

/// What bufferization knows of a function.
#[derive(Clone, Debug)]
pub struct Function {
    /// Its type at present: on tensors at first, on buffers once it is bufferized.
    pub ty: Type,
    /// The layout that each argument asks for.
    pub layouts: SmallVec<[Option<Attr>; 4]>,
    /// What its analysis found; `None` before it, and for functions that call each other in a circle.
    pub summary: Option<Summary>,
    /// Position among the nested isolated operations of the module.
    child: usize,
}

/// What a function does with its arguments.
#[derive(Clone, Default, Debug)]
pub struct Summary {
    /// For each argument, whether its content is read.
    pub reads: Vec<bool>,
    /// For each argument, whether its buffer is written.
    pub writes: Vec<bool>,
    /// For each argument, the results that may share its buffer.
    pub aliasing_results: Vec<SmallVec<[usize; 2]>>,
    /// For each result, the argument whose buffer it certainly is.
    pub equivalent_arg: Vec<Option<usize>>,
}

/// The functions of a module, by name.
#[derive(Clone, Default, Debug)]
pub struct FunctionTable {
    functions: IndexMap<String, Function, FxBuildHasher>,
}

impl FunctionTable {
    /// The functions directly in `module`, none of them analyzed.
    pub(super) fn of(cx: &Context, module: &Arena) -> Self {
        let mut functions = IndexMap::default();
        for (child, arena) in module.children().enumerate() {
            let root = OpRef::root(cx, arena);
            let (Some(func), Some(name)) = (root.cast::<FuncOp<'_>>(), root.symbol_name()) else { continue };
            let Some(ty) = func.function_type().as_type() else { continue };
            let arg_attrs: Vec<_> = func.arg_attrs().map(|all| all.elements().collect()).unwrap_or_default();
            let layout_of =
                |i: usize| arg_attrs.get(i).and_then(|d| d.get("bufferization.buffer_layout")).map(|a| a.id());
            let layouts = (0..ty.inputs().len()).map(layout_of).collect();
            functions.insert(name.to_owned(), Function { ty: ty.id(), layouts, summary: None, child });
        }
        Self { functions }
    }

    /// The function called `name`.
    pub fn get(&self, name: &str) -> Option<&Function> {
        self.functions.get(name)
    }

    /// The function that `call` calls.
    pub fn callee(&self, call: OpRef<'_>) -> Option<&Function> {
        self.get(call.attr("callee")?.as_flat_symbol()?)
    }

    pub(super) fn set_type(&mut self, name: &str, ty: Type) {
        if let Some(function) = self.functions.get_mut(name) {
            function.ty = ty;
        }
    }

    pub(super) fn set_summary(&mut self, name: &str, summary: Summary) {
        if let Some(function) = self.functions.get_mut(name) {
            function.summary = Some(summary);
        }
    }

    /// The functions as positions among the children of the module, callees before callers, and after them those that call
    /// each other in circles. Of functions that may come in any order the last one of the module comes first, as upstream
    /// has it.
    pub(super) fn call_order(&self, cx: &Context, module: &Arena) -> (Vec<usize>, Vec<usize>) {
        let children: Vec<&Arena> = module.children().collect();
        let mut callers: Vec<Vec<usize>> = vec![Vec::new(); self.functions.len()];
        let mut waiting = vec![0_usize; self.functions.len()];
        for (caller, function) in self.functions.values().enumerate() {
            let ir = children[function.child];
            let mut called = FxHashSet::default();
            for op in ops_in_arena(ir, Arena::ROOT) {
                let op = OpRef::new(cx, ir, op);
                if !op.is::<CallOp<'_>>() {
                    continue;
                }
                let callee =
                    op.attr("callee").and_then(|a| a.as_flat_symbol()).and_then(|n| self.functions.get_index_of(n));
                if let Some(callee) = callee.filter(|&c| has_tensors(cx, self.functions[c].ty) && called.insert(c)) {
                    callers[callee].push(caller);
                    waiting[caller] += 1;
                }
            }
        }
        let mut ready: Vec<usize> = (0..waiting.len()).filter(|&f| waiting[f] == 0).collect();
        let (mut ordered, mut done) = (Vec::new(), vec![false; waiting.len()]);
        while let Some(function) = ready.pop() {
            done[function] = true;
            ordered.push(self.functions[function].child);
            for &caller in &callers[function] {
                waiting[caller] -= 1;
                if waiting[caller] == 0 {
                    ready.push(caller);
                }
            }
        }
        let rest = (0..done.len()).filter(|&f| !done[f]).map(|f| self.functions[f].child).collect();
        (ordered, rest)
    }
}

/// The buffer type of argument `index` of a function.
pub(super) fn argument_type(
    cx: &Context,
    options: &Options,
    function: Type,
    layouts: &[Option<Attr>],
    index: usize,
) -> Result<Type, String> {
    let tensor = cx.ty(function).inputs()[index];
    let space = options.memory_space(cx, tensor).ok_or("could not infer memory space")?;
    let ty = options.function_type(cx, tensor, space);
    match layouts.get(index).copied().flatten() {
        Some(layout) => {
            let view = cx.ty(tensor);
            let (Some(shape), Some(element)) = (view.shape(), view.element_type()) else {
                return Err("unexpected layout attribute on unranked buffer".to_owned());
            };
            Ok(cx.memref_type_with(shape, element.id(), Some(layout), space))
        }
        None => Ok(ty),
    }
}

fn has_tensors(cx: &Context, function: Type) -> bool {
    let view = cx.ty(function);
    view.inputs().iter().chain(view.results()).any(|&ty| cx.ty(ty).is_tensor())
}

/// The return operations of the function that owns `ir`.
pub(super) fn returns<'a>(cx: &'a Context, ir: &'a Arena) -> Vec<OpRef<'a>> {
    let blocks = OpRef::root(cx, ir).regions().flat_map(|region| region.blocks());
    blocks.filter_map(|block| block.last_op()).filter(|op| op.is::<ReturnOp<'_>>()).collect()
}

/// What the analysis of a function with a body says to its callers.
pub(super) fn summarize(state: &Analysis<'_>, ir: &Arena) -> Summary {
    let cx = state.cx();
    let Some(entry) = OpRef::root(cx, ir).regions().next().and_then(|region| region.entry()) else {
        return Summary::default();
    };
    let returns = returns(cx, ir);
    let args: Vec<ValueRef<'_>> = entry.args().collect();
    let is_tensor = |value: &ValueRef<'_>| value.ty().is_tensor();
    let num_results = returns.first().map_or(0, |op| op.num_operands());
    let mut summary = Summary::default();
    for &arg in &args {
        let tensor = is_tensor(&arg);
        summary.reads.push(tensor && state.is_read(arg));
        summary.writes.push(tensor && state.is_ever_written(arg));
        let aliases = |i: usize| {
            returns.iter().map(|op| op.operand(i)).any(|v| is_tensor(&v) && state.may_alias(v.id(), arg.id()))
        };
        summary.aliasing_results.push((0..num_results).filter(|&i| tensor && aliases(i)).collect());
    }
    for i in 0..num_results {
        let same = |op: &OpRef<'_>| equivalent_arg(state, &args, op.operand(i));
        let first = returns.first().and_then(same);
        summary.equivalent_arg.push(first.filter(|_| returns.iter().all(|op| same(op) == first)));
    }
    summary
}

/// The argument whose buffer the returned `value` certainly is.
fn equivalent_arg(state: &Analysis<'_>, args: &[ValueRef<'_>], value: ValueRef<'_>) -> Option<usize> {
    let same = |arg: &ValueRef<'_>| arg.ty().is_ranked_tensor() && state.are_equivalent(value.id(), arg.id());
    args.iter().position(same).filter(|_| value.ty().is_tensor())
}

/// What callers must assume of a function without a body: any result may be any argument. The `bufferization.access`
/// attribute of an argument says whether it is read or written.
pub(super) fn summarize_declaration(function: OpRef<'_>, ty: dl_ir::TypeRef<'_>) -> Summary {
    let cx = function.cx();
    let tensors = |types: &[Type]| (0..types.len()).filter(|&i| cx.ty(types[i]).is_tensor()).collect();
    let results: SmallVec<[usize; 2]> = tensors(ty.results());
    let mut summary = Summary { equivalent_arg: vec![None; ty.results().len()], ..Summary::default() };
    for i in 0..ty.inputs().len() {
        let dict = function.attr("arg_attrs").and_then(|all| all.elements().nth(i));
        let access = dict.and_then(|d| d.get("bufferization.access")).and_then(|a| a.as_str());
        let is_tensor = cx.ty(ty.inputs()[i]).is_tensor();
        summary.reads.push(is_tensor && access.is_none_or(|a| matches!(a, "read" | "read-write")));
        summary.writes.push(is_tensor && access.is_none_or(|a| matches!(a, "write" | "read-write")));
        summary.aliasing_results.push(if is_tensor { results.clone() } else { SmallVec::new() });
    }
    summary
}

/// Says on each return which argument each value certainly is, in `__equivalent_func_args__`, -1 for none.
pub(super) fn annotate_returns(rw: &mut dl_ir::Rewriter<'_>, state: &Analysis<'_>) {
    let cx = rw.cx();
    let entry = rw.op(Arena::ROOT).regions().next().and_then(|region| region.entry());
    let args: Vec<ValueRef<'_>> = entry.into_iter().flat_map(|block| block.args().collect::<Vec<_>>()).collect();
    let mut new = Vec::new();
    for op in returns(cx, rw.ir()) {
        let found: Vec<_> = op.operands().iter().map(|value| equivalent_arg(state, &args, value)).collect();
        if found.iter().any(Option::is_some) {
            let numbers = found.iter().map(|arg| cx.i64_attr(arg.map_or(-1, |arg| arg as i64)));
            new.push((op.id(), cx.array_attr(&numbers.collect::<Vec<_>>())));
        }
    }
    for (op, numbers) in new {
        rw.set_attr(op, cx.ident("__equivalent_func_args__"), numbers);
    }
}

/// Says for each tensor argument of the function whether it is read or written, in `bufferization.access`.
pub(super) fn annotate_access(rw: &mut dl_ir::Rewriter<'_>, summary: &Summary) {
    let cx = rw.cx();
    let Some(ty) = rw.op(Arena::ROOT).attr("function_type").and_then(|a| a.as_type()) else { return };
    let inputs = cx.ty(ty.id()).inputs();
    let old: Vec<_> =
        rw.op(Arena::ROOT).attr("arg_attrs").map(|all| all.elements().map(|d| d.id()).collect()).unwrap_or_default();
    let dict = |i: usize| {
        let mut entries = old.get(i).map_or_else(Vec::new, |&dict| cx.attr(dict).entries().to_vec());
        if cx.ty(inputs[i]).is_tensor() {
            let word = match (summary.reads[i], summary.writes[i]) {
                (true, true) => "read-write",
                (true, false) => "read",
                (false, true) => "write",
                (false, false) => "none",
            };
            entries.push((cx.ident("bufferization.access"), cx.string_attr(word)));
        }
        cx.dictionary_attr(&entries)
    };
    let all: Vec<Attr> = (0..inputs.len().min(summary.reads.len())).map(dict).collect();
    if all.iter().any(|&dict| !cx.attr(dict).entries().is_empty()) {
        rw.set_attr(Arena::ROOT, cx.ident("arg_attrs"), cx.array_attr(&all));
    }
}

/// Gives returned buffers more precise types: a cast that only forgets the layout is taken off every return.
pub(super) fn fold_returned_casts(cx: &Context, ir: &mut Arena) -> Option<Type> {
    let returns: Vec<dl_ir::OpId> = returns(cx, ir).into_iter().map(OpRef::id).collect();
    let function = OpRef::root(cx, ir).cast::<FuncOp<'_>>()?.function_type().as_type()?;
    let (inputs, mut results) = (function.inputs().to_vec(), function.results().to_vec());
    let mut rw = dl_ir::Rewriter::new(cx, ir);
    for (i, ty) in results.iter_mut().enumerate() {
        let source = |op: &dl_ir::OpId| {
            let cast = rw.op(*op).operand(i).def::<dl_memref::CastOp<'_>>()?;
            Some((cast.source().id(), cast.source().ty().id()))
        };
        let sources: Option<Vec<_>> = returns.iter().map(source).collect();
        let Some(sources) = sources.filter(|all| all.windows(2).all(|pair| pair[0].1 == pair[1].1)) else { continue };
        for (&op, &(value, new)) in returns.iter().zip(&sources) {
            rw.set_operand(op, i, value);
            *ty = new;
        }
    }
    let new = cx.function_type(&inputs, &results);
    rw.set_attr(Arena::ROOT, cx.ident("function_type"), cx.type_attr(new));
    Some(new)
}
