//! Constant tensors as global buffers of the module.

use dl_ir::symbol::VISIBILITY;
use dl_ir::{Arena, Attr, Context, Loc, OpRef, OpState, Rewriter, Type};
use dl_memref::GlobalOp;
use rustc_hash::{FxHashMap, FxHashSet};

use super::layout::identity_layout_type;

/// The constant globals of one module, those it has and those to be added. Functions are edited each in its own arena, so new
/// ones are collected here and inserted at the end.
#[derive(Default)]
pub(super) struct Globals {
    by_value: FxHashMap<(Attr, i64), (String, Type)>,
    taken: FxHashSet<String>,
    /// Never reset, so that names do not depend on what was asked before.
    counter: u64,
    added: Vec<Global>,
}

struct Global {
    name: String,
    ty: Type,
    value: Attr,
    alignment: i64,
    loc: Loc,
}

impl Globals {
    /// What the module has already.
    pub(super) fn of(module: OpRef<'_>) -> Self {
        let mut globals = Self::default();
        for op in module.regions().flat_map(|region| region.ops()) {
            globals.taken.extend(op.symbol_name().map(str::to_owned));
            let Some(global) = op.cast::<GlobalOp<'_>>() else { continue };
            let (Some(value), Some(name), Some(ty)) = (global.initial_value(), op.symbol_name(), global.ty().as_type())
            else {
                continue;
            };
            let alignment = global.alignment().and_then(|a| a.as_int()).unwrap_or(0);
            globals.by_value.entry((value.id(), alignment)).or_insert((name.to_owned(), ty.id()));
        }
        globals
    }

    /// Name and type of the global that holds `value`, a new one where there is none.
    pub(super) fn get(&mut self, cx: &Context, value: Attr, alignment: i64, loc: Loc) -> Option<(String, Type)> {
        if let Some(found) = self.by_value.get(&(value, alignment)) {
            return Some(found.clone());
        }
        let tensor = cx.attr(value).ty()?;
        let shape: Vec<String> = tensor.shape()?.iter().map(i64::to_string).collect();
        let base = format!("__constant_{}x{}", shape.join("x"), tensor.element_type()?);
        let mut name = base.clone();
        while !self.taken.insert(name.clone()) {
            name = format!("{base}_{}", self.counter);
            self.counter += 1;
        }
        let ty = identity_layout_type(cx, tensor.id(), None);
        self.added.push(Global { name: name.clone(), ty, value, alignment, loc });
        self.by_value.insert((value, alignment), (name.clone(), ty));
        Some((name, ty))
    }

    /// Puts the new globals at the start of the module, the last one first.
    pub(super) fn insert(self, cx: &Context, module: &mut Arena) {
        let Some(block) = module.op_regions(Arena::ROOT).first().and_then(|&region| module.entry_block(region)) else {
            return;
        };
        let mut rw = Rewriter::new(cx, module);
        for global in self.added {
            rw.set_insertion_to_start(block);
            let alignment = (global.alignment > 0).then(|| cx.i64_attr(global.alignment));
            let state = OpState::of::<GlobalOp<'_>>(global.loc)
                .attr(cx, "sym_name", cx.string_attr(&global.name))
                .attr(cx, VISIBILITY, cx.string_attr("private"))
                .attr(cx, "type", cx.type_attr(global.ty))
                .attr(cx, "initial_value", global.value)
                .attr(cx, "constant", cx.unit_attr())
                .maybe_attr(cx, "alignment", alignment);
            rw.create(state);
        }
    }
}
