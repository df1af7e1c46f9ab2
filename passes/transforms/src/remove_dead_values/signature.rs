//! Removes arguments and results of functions that do not matter, and what calls pass for them.

use dl_ir::interfaces::function::{ARG_ATTRS, FUNCTION_TYPE, RES_ATTRS};
use dl_ir::interfaces::{CallOp, FunctionOp};
use dl_ir::opdef::Trait;
use dl_ir::{Arena, Attr, BlockRef, Context, OpId, OpRef, OpState, Rewriter, Type, ValueId};

use super::liveness::Liveness;

/// Which arguments and results of a function stay.
#[derive(Clone)]
pub(super) struct Kept {
    pub(super) args: Vec<bool>,
    pub(super) results: Vec<bool>,
}

impl Kept {
    /// Those of the function `root`, the root of the arena of this number. `None` where all stay.
    pub(super) fn of(root: OpRef<'_>, live: &Liveness, number: usize) -> Option<Self> {
        let results = live.results(number)?.to_vec();
        let entry = root.interface::<dyn FunctionOp>()?.body(root).entry()?;
        let args: Vec<bool> = entry.args().map(|arg| live.is_live(number, arg.id())).collect();
        (args.contains(&false) || results.contains(&false)).then_some(Self { args, results })
    }
}

fn filtered<T: Copy>(all: impl IntoIterator<Item = T>, kept: &[bool]) -> Vec<T> {
    all.into_iter().zip(kept).filter(|(_, kept)| **kept).map(|(each, _)| each).collect()
}

/// Sets the attribute `name` of `op`, an array with an entry for each argument or result, to those of what stays.
fn filter_attrs(rw: &mut Rewriter<'_>, op: OpId, name: &str, kept: &[bool]) {
    let cx = rw.cx();
    let all: Option<Vec<Attr>> = rw.op(op).attr(name).map(|attr| attr.elements().map(|each| each.id()).collect());
    let Some(left) = all.map(|all| filtered(all, kept)) else { return };
    let ident = cx.ident(name);
    let is_empty = left.iter().all(|&each| cx.attr(each).entries().is_empty());
    if is_empty { rw.remove_attr(op, ident) } else { rw.set_attr(op, ident, cx.array_attr(&left)) }
}

/// Removes arguments, results and what is returned for these from the function that `ir` holds.
pub(super) fn shrink(cx: &Context, ir: &mut Arena, kept: &Kept) {
    let root = OpRef::root(cx, ir);
    let Some(interface) = root.interface::<dyn FunctionOp>() else { return };
    let inputs: Vec<Type> = filtered(interface.inputs(root), &kept.args);
    let results: Vec<Type> = filtered(interface.results(root), &kept.results);
    let ty = interface.type_with(root, &inputs, &results);
    let body = interface.body(root);
    let Some(entry) = body.entry().map(|entry| entry.id()) else { return };
    let is_return = |end: &OpRef<'_>| end.has_trait(&Trait::ReturnLike);
    let returns: Vec<OpId> =
        body.blocks().filter_map(BlockRef::terminator).filter(is_return).map(|end| end.id()).collect();
    let mut rw = Rewriter::new(cx, ir);
    rw.set_attr(Arena::ROOT, cx.ident(FUNCTION_TYPE), cx.type_attr(ty));
    filter_attrs(&mut rw, Arena::ROOT, ARG_ATTRS, &kept.args);
    filter_attrs(&mut rw, Arena::ROOT, RES_ATTRS, &kept.results);
    for end in returns {
        let operands: Vec<ValueId> = filtered(rw.op(end).operands().ids(), &kept.results);
        rw.set_operands(end, &operands);
    }
    for index in (0..kept.args.len()).rev().filter(|&index| !kept.args[index]) {
        super::clean::replace_by_poison(&mut rw, entry, index);
        rw.erase_block_arg(entry, index);
    }
}

/// Makes the call `op` pass and take what is left.
pub(super) fn shrink_call(rw: &mut Rewriter<'_>, op: OpId, kept: &Kept) {
    let view = rw.op(op);
    let Some(passed) = view.interface::<dyn CallOp>().map(|call| call.arguments(view).range()) else { return };
    let all = view.operands().ids();
    let mut operands: Vec<ValueId> = all[..passed.start].to_vec();
    operands.extend(filtered(all[passed.clone()].iter().copied(), &kept.args));
    operands.extend(&all[passed.end..]);
    let old: Vec<ValueId> = view.results().ids().to_vec();
    let types: Vec<Type> = filtered(view.results().types(), &kept.results);
    let state = OpState::new(view.name_id(), view.loc()).operands(operands).results(types);
    let state = state.attrs(view.attrs().map(|(name, attr)| (name, attr.id())));
    rw.set_insertion_before(op);
    let made = rw.create(state);
    filter_attrs(rw, made, ARG_ATTRS, &kept.args);
    filter_attrs(rw, made, RES_ATTRS, &kept.results);
    let new: Vec<ValueId> = rw.ir().results(made).collect();
    for (value, replacement) in filtered(old.iter().copied(), &kept.results).into_iter().zip(new) {
        rw.replace_all_uses(value, replacement);
    }
    for value in old {
        if rw.ir().has_uses(value) {
            let poison = super::clean::make_poison(rw, value);
            rw.replace_all_uses(value, poison);
        }
    }
    rw.erase(op);
}
