//! `duplicate-function-elimination`: one function in place of several that are the same.

use dl_ir::interfaces::FunctionOp;
use dl_ir::opdef::Trait;
use dl_ir::pass::{Pass, PassCx, PassInfo, PassResult};
use dl_ir::symbol::renamed_symbols;
use dl_ir::{Arena, Context, Ident, OpId, OpRef, Rewriter, Structure};
use rustc_hash::FxHashMap;

/// Erases each `func.func` that is the same as an earlier one of the same table but for its name and its locations, also a public one, and
/// makes what refers to it refer to the earlier one.
///
/// Tables nested in others are worked on by themselves: what is called there means what is defined there.
#[derive(Clone, Copy, Default)]
pub struct DuplicateFunctionElimination;

impl Pass for DuplicateFunctionElimination {
    const INFO: PassInfo = PassInfo::new("duplicate-function-elimination", "Deduplicate functions")
        .title("DuplicateFunctionEliminationPass")
        .on("builtin.module");

    fn run(&mut self, cx: &mut PassCx<'_>) -> PassResult {
        let mut merged = 0;
        let mut merge = |cx: &Context, ir: &mut Arena| {
            if OpRef::root(cx, ir).has_trait(&Trait::SymbolTable) {
                merged += merge_in_table(cx, ir);
            }
        };
        dl_ir::walk::for_each_arena(cx.ctx, cx.ir, &mut merge);
        if merged == 0 {
            cx.preserve_all();
        }
        Ok(())
    }
}

/// Merges functions directly in the root of `ir`. Answers how many are gone.
fn merge_in_table(cx: &Context, ir: &mut Arena) -> usize {
    let root = OpRef::root(cx, ir);
    let functions: Vec<(OpId, Ident)> = root
        .regions()
        .flat_map(|region| region.ops())
        .filter(|op| op.name() == "func.func" && op.is_stub())
        .filter(|op| op.interface::<dyn FunctionOp>().is_some_and(|function| !function.is_declaration(op.body())))
        .filter_map(|op| Some((op.id(), cx.ident(op.symbol_name()?))))
        .collect();
    let mut first: FxHashMap<Box<[u32]>, Ident> = FxHashMap::default();
    let (mut renamed, mut dead) = (FxHashMap::default(), Vec::new());
    for (op, name) in functions {
        let mut structure = Structure::default();
        structure.add_but_for(OpRef::new(cx, ir, op).body(), Some(cx.ident("sym_name")));
        let representative = *first.entry(structure.into_key()).or_insert(name);
        if representative != name {
            renamed.insert(name, representative);
            dead.push(op);
        }
    }
    if dead.is_empty() {
        return 0;
    }
    Rewriter::new(cx, ir).erase_all(&dead);
    let tables: Vec<OpId> = OpRef::root(cx, ir).regions().flat_map(|region| region.ops()).map(|op| op.id()).collect();
    for op in tables {
        rename_in(cx, ir, op, &renamed);
    }
    dead.len()
}

/// Renames what is referred to in `op` and inside, but not in symbol tables of its own.
fn rename_in(cx: &Context, ir: &mut Arena, op: OpId, renamed: &FxHashMap<Ident, Ident>) {
    let is_table = OpRef::new(cx, ir, op).body().has_trait(&Trait::SymbolTable);
    if let Some(child) = ir.child_mut(op) {
        rename_in(cx, child, Arena::ROOT, renamed);
        return;
    }
    let mut pending = if is_table { vec![op] } else { dl_ir::walk::ops_in_arena(ir, op) };
    while let Some(op) = pending.pop() {
        if ir.child_mut(op).is_some() {
            rename_in(cx, ir, op, renamed);
            continue;
        }
        let attrs: Vec<_> = OpRef::new(cx, ir, op)
            .attrs()
            .filter_map(|(name, attr)| Some((name, renamed_symbols(attr, &|old| renamed.get(&old).copied())?)))
            .collect();
        let mut rw = Rewriter::new(cx, ir);
        for (name, attr) in attrs {
            rw.set_attr(op, name, attr);
        }
    }
}
