//! `llvm-add-comdats`: sections that the linker keeps one of.

use dl_ir::pass::{Pass, PassCx, PassInfo, PassResult};
use dl_ir::symbol::SymbolTable;
use dl_ir::{Arena, AttrData, BlockId, Context, OpId, OpRef, OpState, Rewriter};
use dl_llvm::{Comdat, ComdatOp, ComdatSelectorOp, LLVMFuncOp, Linkage};

/// Name of the table that selectors are added to.
const TABLE: &str = "__llvm_comdat";

/// Gives functions linked once a comdat of their name. Some object formats need it: without one, two definitions would clash.
#[derive(Clone, Copy, Default)]
pub struct LlvmAddComdats;

impl Pass for LlvmAddComdats {
    const INFO: PassInfo = PassInfo::new("llvm-add-comdats", "Add comdats to linkonce and linkonce_odr functions")
        .title("LLVMAddComdats")
        .on("builtin.module");

    fn run(&mut self, cx: &mut PassCx<'_>) -> PassResult {
        let root = cx.root();
        let functions: Vec<OpId> =
            root.regions().flat_map(|region| region.ops()).filter(|op| needs_comdat(*op)).map(|op| op.id()).collect();
        if functions.is_empty() {
            cx.preserve_all();
            return Ok(());
        }
        let taken = SymbolTable::new(root).get(TABLE);
        if let Some(other) = taken.filter(|op| !op.is::<ComdatOp<'_>>()) {
            return Err(other.error(format_args!("has the name of the table of comdats, '{TABLE}'")).into());
        }
        let table = taken.map(|op| op.id());
        let mut rw = cx.rewriter();
        let block = table_block(&mut rw, table);
        for function in functions {
            add_comdat(&mut rw, function, block);
        }
        Ok(())
    }
}

fn needs_comdat(op: OpRef<'_>) -> bool {
    let linkage = op.attr("linkage").and_then(Linkage::from_attr);
    let once = matches!(linkage, Some(Linkage::Linkonce | Linkage::LinkonceODR));
    op.is::<LLVMFuncOp<'_>>() && once && op.attr("comdat").is_none()
}

/// The body of the table, which is made at the start of the module where there is none.
fn table_block(rw: &mut Rewriter<'_>, table: Option<OpId>) -> BlockId {
    let table = table.unwrap_or_else(|| {
        let (cx, loc) = (rw.cx(), rw.op(Arena::ROOT).loc());
        let body = rw.op(Arena::ROOT).region(0).entry().expect("a module with functions has a body").id();
        rw.set_insertion_to_start(body);
        let region = rw.new_region();
        rw.append_block(region, &[]);
        let state = OpState::of::<ComdatOp<'_>>(loc).attr(cx, "sym_name", cx.string_attr(TABLE)).region(region);
        rw.create(state)
    });
    let region = rw.op(table).region(0).id();
    rw.ir().entry_block(region).unwrap_or_else(|| rw.append_block(region, &[]))
}

fn add_comdat(rw: &mut Rewriter<'_>, function: OpId, table: BlockId) {
    let (cx, view) = (rw.cx(), rw.op(function));
    let Some(name) = view.symbol_name().map(str::to_owned) else { return };
    let loc = view.loc();
    rw.set_insertion_to_start(table);
    let state = OpState::of::<ComdatSelectorOp<'_>>(loc).attr(cx, "sym_name", cx.string_attr(&name));
    rw.create(state.attr(cx, "comdat", Comdat::Any.attr(cx)));
    let comdat = selector(cx, &name);
    if let Some(mut inner) = rw.enter(function) {
        inner.set_attr(Arena::ROOT, cx.ident("comdat"), comdat);
    }
}

/// `@__llvm_comdat::@name`.
fn selector(cx: &Context, name: &str) -> dl_ir::Attr {
    cx.intern_attr(AttrData::SymbolRef { root: cx.ident(TABLE), nested: [cx.ident(name)].into() })
}
