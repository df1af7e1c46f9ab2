//! Functions: their types, attributes and returns.

use dl_func::{FuncOp, ReturnOp};
use dl_ir::{
    Arena, Attr, AttrRef, Context, DYNAMIC, Diagnostic, OpId, OpRef, OpState, Rewriter, Type, TypeRef, ValueId,
};
use dl_memref::{AllocOp, CopyOp};

use super::{Changed, OutParamsOptions, all};

/// Whether a memref of this type can be allocated by callers: its layout is the identity, or says nothing.
fn is_supported(ty: TypeRef<'_>) -> bool {
    ty.has_identity_layout()
        || ty
            .strided_layout()
            .is_some_and(|layout| layout.offset == DYNAMIC && layout.strides.iter().all(|&stride| stride == DYNAMIC))
}

/// Changes a function; `None` where it stays as it is.
pub(super) fn change(cx: &Context, ir: &mut Arena, options: &OutParamsOptions) -> Result<Option<Changed>, Diagnostic> {
    let root = OpRef::root(cx, ir);
    let private = root.visibility() == "private";
    let function = root.cast::<FuncOp<'_>>();
    let ty = function.and_then(|_| root.attr("function_type")).and_then(AttrRef::as_type);
    let (Some(ty), Some(entry)) = (ty, root.region(0).entry()) else { return Ok(None) };
    if !private && !options.modify_public_functions {
        return Ok(None);
    }
    let entry = entry.id();
    let (inputs, results) = (ty.inputs().to_vec(), ty.results().to_vec());
    let is_memref = |ty: &Type| cx.ty(*ty).is_ranked_memref();
    if results.iter().any(|ty| is_memref(ty) && !is_supported(cx.ty(*ty))) {
        let why = "cannot create out param for result with unsupported layout";
        return Err(Diagnostic::error(root.loc(), why));
    }
    let (moved, kept): (Vec<usize>, Vec<usize>) = (0..results.len()).partition(|&i| is_memref(&results[i]));
    let attrs = moved_attrs(root, inputs.len(), results.len(), &moved, options.add_result_attr);
    let new_inputs: Vec<Type> = inputs.iter().copied().chain(moved.iter().map(|&i| results[i])).collect();
    let new_results: Vec<Type> = kept.iter().map(|&i| results[i]).collect();

    let mut rw = Rewriter::new(cx, ir);
    let new_type = cx.type_attr(cx.function_type(&new_inputs, &new_results));
    rw.set_attr(Arena::ROOT, cx.ident("function_type"), new_type);
    for (name, attr) in attrs {
        match attr {
            Some(attr) => rw.set_attr(Arena::ROOT, cx.ident(name), attr),
            None => rw.remove_attr(Arena::ROOT, cx.ident(name)),
        }
    }
    let params: Vec<ValueId> = moved.iter().map(|&i| rw.add_block_arg(entry, results[i])).collect();
    let mut changed = Changed::default();
    for op in all::<ReturnOp<'_>>(cx, ir) {
        changed = change_return(&mut Rewriter::new(cx, ir), op, &params, entry, options);
    }
    Ok(Some(changed))
}

/// The attributes of arguments and results once the `moved` results are arguments.
fn moved_attrs(
    op: OpRef<'_>,
    inputs: usize,
    results: usize,
    moved: &[usize],
    mark: bool,
) -> [(&'static str, Option<Attr>); 2] {
    let cx = op.cx();
    let empty = cx.dictionary_attr(&[]);
    let list = |name: &str, len: usize| -> Vec<Attr> {
        let given: Vec<Attr> =
            op.attr(name).map(|attr| attr.elements().map(|attr| attr.id()).collect()).unwrap_or_default();
        (0..len).map(|i| given.get(i).copied().unwrap_or(empty)).collect()
    };
    let (mut of_inputs, of_results) = (list("arg_attrs", inputs), list("res_attrs", results));
    for &i in moved {
        let mut entries = cx.attr(of_results[i]).entries().to_vec();
        if mark {
            entries.push((cx.ident("bufferize.result"), cx.unit_attr()));
        }
        of_inputs.push(cx.dictionary_attr(&entries));
    }
    let kept: Vec<Attr> = (0..results).filter(|i| !moved.contains(i)).map(|i| of_results[i]).collect();
    let attr = |list: &[Attr]| list.iter().any(|&attr| attr != empty).then(|| cx.array_attr(list));
    [("arg_attrs", attr(&of_inputs)), ("res_attrs", attr(&kept))]
}

/// Writes the memrefs that a `func.return` gives to the parameters, or lets them be those from the start.
fn change_return(
    rw: &mut Rewriter<'_>,
    op: OpId,
    params: &[ValueId],
    entry: dl_ir::BlockId,
    options: &OutParamsOptions,
) -> Changed {
    let loc = rw.op(op).loc();
    let operands = rw.op(op).operands().ids();
    let (memrefs, kept): (Vec<ValueId>, Vec<ValueId>) =
        operands.iter().partition(|&&operand| rw.value_type(operand).is_ranked_memref());
    let mut changed = Changed::default();
    rw.set_insertion_before(op);
    let mut replaced: Vec<(ValueId, ValueId)> = Vec::new();
    for (&memref, &param) in memrefs.iter().zip(params) {
        // The same buffer may be returned more than once.
        let memref = replaced.iter().find(|(old, _)| *old == memref).map_or(memref, |(_, new)| *new);
        let fixed = rw.value_type(memref).has_static_shape();
        let wanted = if fixed { options.hoist_static_allocs } else { options.hoist_dynamic_allocs };
        let hoisted = if wanted { allocation(rw, memref, entry) } else { None };
        if let Some((allocation, sizes)) = hoisted {
            rw.replace_all_uses(memref, param);
            rw.erase(allocation);
            replaced.push((memref, param));
            changed.sizes.push((!fixed).then_some(sizes));
        } else {
            rw.create(OpState::of::<CopyOp<'_>>(loc).operands([memref, param]));
            changed.sizes.push(None);
        }
    }
    rw.create(OpState::of::<ReturnOp<'_>>(loc).operands(kept));
    rw.erase(op);
    changed
}

/// The allocation in the entry block that makes `memref`, and its sizes as positions of arguments. `None` for anything else.
fn allocation(rw: &Rewriter<'_>, memref: ValueId, entry: dl_ir::BlockId) -> Option<(OpId, Vec<usize>)> {
    let op = rw.value(memref).defining_op()?;
    let alloc = op.cast::<AllocOp<'_>>()?;
    if op.block()?.id() != entry || !alloc.symbol_operands().is_empty() {
        return None;
    }
    let args = rw.ir().block_args(entry);
    let position = |size: dl_ir::ValueRef<'_>| args.iter().position(|&arg| arg == size.id());
    let sizes: Option<Vec<usize>> = alloc.dynamic_sizes().iter().map(position).collect();
    Some((op.id(), sizes?))
}
