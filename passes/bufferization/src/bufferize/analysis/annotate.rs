//! Decisions as attributes, for tests.

use dl_ir::text::value_names;
use dl_ir::walk::ops_in_arena;
use dl_ir::{Arena, Attr, Definition, Ident, OpId, OpRef, Rewriter, ValueId, ValueRef};
use rustc_hash::FxHashMap;

use super::{Analysis, Reason};
use crate::bufferize::operand::Operand;

/// Says for each operand of each operation with tensor operands whether it is in place, in `__inplace_operands_attr__`:
/// `"true"`, `"false"`, or `"none"` for an operand that is no tensor. Where the options want it, also which values share memory, and what stood
/// against decisions.
pub fn annotate(state: &Analysis<'_>, rw: &mut Rewriter<'_>) {
    let cx = rw.cx();
    let mut new = conflicts(state, rw);
    let name = cx.ident("__inplace_operands_attr__");
    for op in ops_in_arena(rw.ir(), Arena::ROOT) {
        let view = rw.op(op);
        if Operand::tensors(view).next().is_none() {
            continue;
        }
        let words = (0..view.num_operands()).map(|i| match Operand::new(view, i) {
            operand if !operand.is_tensor() => "none",
            operand if state.is_in_place(operand) => "true",
            _ => "false",
        });
        let words: Vec<Attr> = words.map(|word| cx.string_attr(word)).collect();
        new.push((op, name, cx.array_attr(&words)));
    }
    if state.options().dump_alias_sets {
        new.extend(alias_sets(state, rw));
    }
    for (op, name, value) in new {
        rw.set_attr(op, name, value);
    }
}

/// What stood against each decision that a buffer is not used in place: unit attributes on the operations involved, with a number for
/// each decision in their names.
fn conflicts(state: &Analysis<'_>, rw: &Rewriter<'_>) -> Vec<(OpId, Ident, Attr)> {
    if !state.options().print_conflicts {
        return Vec::new();
    }
    let cx = rw.cx();
    let (mut new, mut conflicts, mut writes) = (Vec::new(), 0, 0);
    let mut note = |op: Option<OpId>, text: String| new.extend(op.map(|op| (op, cx.ident(&text), cx.unit_attr())));
    let place = |value: ValueId| match rw.ir().definition(value) {
        Definition::Result(op) => (Some(op), format!("result {}", rw.value(value).index())),
        Definition::Argument(_) => (
            rw.value(value).owner_block().and_then(|block| block.parent_op()).map(OpRef::id),
            format!("bbArg {}", rw.value(value).index()),
        ),
    };
    for (_, reason) in state.reasons() {
        match reason {
            Reason::ReadOnly(value) => {
                let (op, text) = place(value);
                note(op, format!("W_{writes}[NOT-WRITABLE: {text}]"));
                writes += 1;
            }
            Reason::Conflict { read, write, definition } => {
                note(Some(write.op), format!("C_{conflicts}[CONFL-WRITE: {}]", write.index));
                note(Some(read.op), format!("C_{conflicts}[READ: {}]", read.index));
                let (op, text) = place(definition);
                note(op, format!("C_{conflicts}[DEF: {text}]"));
                conflicts += 1;
            }
            Reason::Race { .. } => {}
        }
    }
    new
}

/// For each tensor that an operation makes, `__opresult_alias_set_attr__` lists the names of the values that may share its memory; for
/// each block argument, `__bbarg_alias_set_attr__` does.
fn alias_sets(state: &Analysis<'_>, rw: &Rewriter<'_>) -> Vec<(OpId, Ident, Attr)> {
    let cx = rw.cx();
    // What is nested in isolated operations belongs to other arenas.
    let ops: Vec<OpRef<'_>> =
        ops_in_arena(rw.ir(), Arena::ROOT).into_iter().map(|op| rw.op(op)).filter(|op| !op.is_stub()).collect();
    let mut values: Vec<ValueId> = Vec::new();
    for view in &ops {
        let args = view.regions().flat_map(|region| region.blocks()).flat_map(|block| block.args().collect::<Vec<_>>());
        values.extend(view.results().iter().chain(args).filter(|v| v.ty().is_tensor()).map(|v| v.id()));
    }
    let names = value_names(rw.op(Arena::ROOT), values.iter().copied());
    let names: FxHashMap<ValueId, Attr> =
        values.into_iter().zip(names).map(|(value, name)| (value, cx.string_attr(&name))).collect();
    let of_value = |value: ValueRef<'_>| {
        let aliases: Vec<Attr> = state.aliases(value.id()).filter_map(|alias| names.get(&alias).copied()).collect();
        cx.array_attr(&aliases)
    };
    let mut new = Vec::new();
    for view in ops {
        let op = view.id();
        let results: Vec<Attr> = view.results().iter().filter(|r| r.ty().is_tensor()).map(of_value).collect();
        if !results.is_empty() {
            new.push((op, cx.ident("__opresult_alias_set_attr__"), cx.array_attr(&results)));
        }
        let mut has_tensors = false;
        let mut regions: Vec<Attr> = Vec::new();
        for region in view.regions() {
            let mut blocks: Vec<Attr> = Vec::new();
            for block in region.blocks() {
                let args: Vec<Attr> = block.args().filter(|a| a.ty().is_tensor()).map(of_value).collect();
                has_tensors |= !args.is_empty();
                blocks.push(cx.array_attr(&args));
            }
            regions.push(cx.array_attr(&blocks));
        }
        if has_tensors {
            new.push((op, cx.ident("__bbarg_alias_set_attr__"), cx.array_attr(&regions)));
        }
    }
    new
}
