//! `normalize-memrefs`: buffers with layouts become buffers of other shapes, whose elements lie in row-major order.
//!
//! [`layout`] says what a type becomes, [`legal`] which operations can take that, and [`rewrite`] makes accesses fit.

mod layout;
mod legal;
mod rewrite;

use std::collections::BTreeMap;

use dl_func::FuncOp;
use dl_ir::opdef::Trait;
use dl_ir::pass::{Pass, PassCx, PassInfo, PassResult};
use dl_ir::{Arena, Context, OpId, OpRef};

use layout::Layouts;
use legal::Function;

/// Gives each `memref` of static shape with a layout the shape that the layout spans, and no layout: indices of accesses are what the layout makes
/// of them.
///
/// A function changes as a whole, with its type, or not at all: where an operation has such a buffer and is not known to work with any shape, where
/// an index is not affine, or where the function is used other than by a call. Functions that hand such buffers to each other change together.
/// Layouts with symbols that matter, with negative positions, and of dynamic shapes stay.
#[derive(Clone, Copy, Default)]
pub struct NormalizeMemRefs;

impl Pass for NormalizeMemRefs {
    const INFO: PassInfo =
        PassInfo::new("normalize-memrefs", "Normalize memrefs").title("NormalizeMemRefsPass").on("builtin.module");

    fn run(&mut self, cx: &mut PassCx<'_>) -> PassResult {
        let mut changed = false;
        let mut normalize = |cx: &Context, ir: &mut Arena| {
            if OpRef::root(cx, ir).has_trait(&Trait::SymbolTable) {
                changed |= normalize_table(cx, ir);
            }
        };
        dl_ir::walk::for_each_arena(cx.ctx, cx.ir, &mut normalize);
        if !changed {
            cx.preserve_all();
        }
        Ok(())
    }
}

/// Normalizes the functions of one symbol table. Answers whether there was one to normalize.
fn normalize_table(cx: &Context, ir: &mut Arena) -> bool {
    let mut layouts = Layouts::new(cx);
    let table = OpRef::root(cx, ir);
    let functions: BTreeMap<&str, Function<'_>> = table
        .regions()
        .flat_map(|region| region.ops())
        .filter_map(|op| Some((op.symbol_name()?, Function::of(op.body().cast::<FuncOp<'_>>()?, &mut layouts))))
        .collect();
    let fixed = legal::fixed(&functions, &dl_func::names_used(table));
    let stubs: Vec<OpId> = table
        .regions()
        .flat_map(|region| region.ops())
        .filter(|op| op.symbol_name().is_some_and(|name| functions.contains_key(name) && !fixed.contains(name)))
        .map(|op| op.id())
        .collect();
    let mut changed = false;
    for function in ir.children_of(&stubs) {
        changed |= rewrite::function(cx, function, &mut layouts);
    }
    changed
}
