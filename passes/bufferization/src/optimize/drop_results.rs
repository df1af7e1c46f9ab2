//! `drop-equivalent-buffer-results`: functions do not return the buffers that they were given.

use dl_func::{CallOp, FuncOp, ReturnOp};
use dl_ir::opdef::Trait;
use dl_ir::pass::{Pass, PassCx, PassInfo, PassResult};
use dl_ir::walk::ops_in_arena;
use dl_ir::{Arena, Attr, Context, OpId, OpRef, OpState, Rewriter, Type, ValueId, ValueRef};
use dl_memref::CastOp;
use rustc_hash::{FxBuildHasher, FxHashSet};

/// Takes results off private functions that are arguments, or casts of them. Callers use what they passed.
#[derive(Clone, Copy, Default)]
pub struct DropEquivalentBufferResults;

impl Pass for DropEquivalentBufferResults {
    const INFO: PassInfo =
        PassInfo::new("drop-equivalent-buffer-results", "Take returned buffers off functions that are their arguments")
            .title("DropEquivalentBufferResultsPass")
            .on("builtin.module");

    fn run(&mut self, cx: &mut PassCx<'_>) -> PassResult {
        let root = OpRef::root(cx.ctx, cx.ir);
        let children: Vec<OpId> =
            root.regions().flat_map(|region| region.ops()).filter(|op| op.is_stub()).map(OpRef::id).collect();
        // Not all calls of these can be changed.
        let values: FxHashSet<String> = dl_func::names_used(root).into_iter().map(str::to_owned).collect();
        let mut callers: indexmap::IndexMap<String, FxHashSet<Place>, FxBuildHasher> = indexmap::IndexMap::default();
        let places: Vec<Place> = children.iter().copied().map(Some).chain([None]).collect();
        for &place in &places {
            visit(cx.ctx, cx.ir, place, &mut |cx, ir| {
                for name in callees(cx, ir) {
                    callers.entry(name).or_default().insert(place);
                }
            });
        }
        for &child in &children {
            let Some(body) = cx.ir.child_mut(child) else { continue };
            let name = OpRef::root(cx.ctx, body).symbol_name().unwrap_or_default().to_owned();
            let Some(dropped) = (!values.contains(&name)).then(|| change_function(cx.ctx, body)).flatten() else {
                continue;
            };
            let of_function = callers.get(&name);
            for &caller in places.iter().filter(|place| of_function.is_some_and(|all| all.contains(place))) {
                visit(cx.ctx, cx.ir, caller, &mut |cx, ir| change_calls(cx, ir, &name, &dropped));
            }
        }
        Ok(())
    }
}

/// Where functions of the module are called: in an isolated operation, or among those.
type Place = Option<OpId>;

/// Visits the arenas of a place, but for symbol tables, in which the names of the module's functions mean others.
fn visit(cx: &Context, ir: &mut Arena, place: Place, each: &mut dyn FnMut(&Context, &mut Arena)) {
    let Some(child) = place else { return each(cx, ir) };
    let mut pending: Vec<&mut Arena> = ir.child_mut(child).into_iter().collect();
    while let Some(arena) = pending.pop() {
        if !OpRef::root(cx, arena).has_trait(&Trait::SymbolTable) {
            each(cx, arena);
            pending.extend(arena.children_mut());
        }
    }
}

/// The functions that operations of the arena call.
fn callees(cx: &Context, ir: &Arena) -> Vec<String> {
    let ops = ops_in_arena(ir, Arena::ROOT).into_iter().map(|op| OpRef::new(cx, ir, op));
    ops.filter_map(|op| Some(op.cast::<CallOp<'_>>()?.callee().as_flat_symbol()?.to_owned())).collect()
}

/// For each result, the argument that it is.
type Dropped = Vec<Option<usize>>;

/// Takes results off the function, if some are the same argument at each return.
fn change_function(cx: &Context, ir: &mut Arena) -> Option<Dropped> {
    let func = OpRef::root(cx, ir).cast::<FuncOp<'_>>()?;
    if func.0.visibility() != "private" {
        return None; // others may call it
    }
    let blocks = func.0.regions().flat_map(|region| region.blocks());
    let returns: Vec<OpRef<'_>> = blocks.filter_map(|b| b.last_op()).filter(|op| op.is::<ReturnOp<'_>>()).collect();
    let args: Vec<ValueRef<'_>> = func.0.region(0).entry()?.args().collect();
    let argument = |op: &OpRef<'_>, i: usize| {
        let value = without_casts(op.operand(i));
        args.iter().position(|&arg| arg == value)
    };
    let first = returns.first()?;
    let dropped: Dropped = (0..first.num_operands())
        .map(|i| argument(first, i).filter(|&arg| returns.iter().all(|op| argument(op, i) == Some(arg))))
        .collect();
    if dropped.iter().all(Option::is_none) {
        return None;
    }
    let ty = func.function_type().as_type()?;
    let kept = |i: &usize| dropped[*i].is_none();
    let results: Vec<Type> = (0..dropped.len()).filter(kept).map(|i| ty.results()[i]).collect();
    let ends: Vec<(OpId, Vec<ValueId>)> = returns
        .iter()
        .map(|end| (end.id(), (0..dropped.len()).filter(kept).map(|i| end.operand(i).id()).collect()))
        .collect();
    let attrs: Option<Vec<Attr>> = func
        .0
        .attr("res_attrs")
        .map(|all| all.elements().enumerate().filter(|(i, _)| kept(i)).map(|(_, attr)| attr.id()).collect());
    let new = cx.function_type(ty.inputs(), &results);
    let mut rw = Rewriter::new(cx, ir);
    for (end, values) in ends {
        rw.set_operands(end, &values);
    }
    rw.set_attr(Arena::ROOT, cx.ident("function_type"), cx.type_attr(new));
    match attrs {
        Some(attrs) if attrs.iter().any(|&attr| !cx.attr(attr).entries().is_empty()) => {
            rw.set_attr(Arena::ROOT, cx.ident("res_attrs"), cx.array_attr(&attrs));
        }
        Some(_) => rw.remove_attr(Arena::ROOT, cx.ident("res_attrs")),
        None => {}
    }
    Some(dropped)
}

/// What `value` is a `memref.cast` of, through any number of them.
fn without_casts(mut value: ValueRef<'_>) -> ValueRef<'_> {
    while let Some(cast) = value.def::<CastOp<'_>>() {
        value = cast.source();
    }
    value
}

/// Gives the calls of the function the results that are left.
fn change_calls(cx: &Context, ir: &mut Arena, name: &str, dropped: &Dropped) {
    for op in ops_in_arena(ir, Arena::ROOT) {
        let view = OpRef::new(cx, ir, op);
        let Some(call) = view.cast::<CallOp<'_>>().filter(|call| call.callee().as_flat_symbol() == Some(name)) else {
            continue;
        };
        let (loc, operands) = (view.loc(), call.0.operands().ids());
        let attrs: Vec<_> = view
            .attrs()
            .filter(|(name, _)| cx.str(*name) != "res_attrs")
            .map(|(name, attr)| (name, attr.id()))
            .collect();
        let types: Vec<Type> = view.results().iter().map(|result| result.ty().id()).collect();
        let kept: Vec<Type> = types.iter().zip(dropped).filter(|(_, arg)| arg.is_none()).map(|(&ty, _)| ty).collect();
        let mut rw = Rewriter::new(cx, ir);
        rw.set_insertion_before(op);
        let new =
            rw.create(OpState::of::<CallOp<'_>>(loc).operands(operands.iter().copied()).attrs(attrs).results(kept));
        let mut left = rw.ir().results(new).collect::<Vec<_>>().into_iter();
        let mut values = Vec::new();
        for (&arg, &ty) in dropped.iter().zip(&types) {
            let value = match arg {
                None => left.next(),
                Some(arg) if rw.value_type(operands[arg]).id() == ty => Some(operands[arg]),
                Some(arg) => {
                    Some(rw.create_value(OpState::of::<CastOp<'_>>(loc).operands([operands[arg]]).results([ty])))
                }
            };
            values.extend(value);
        }
        rw.replace(op, &values);
    }
}
