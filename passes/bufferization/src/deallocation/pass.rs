//! The passes.

use std::sync::Arc;

use dl_bufferization::DeallocOp;
use dl_func::FuncOp;
use dl_ir::pass::{Pass, PassCx, PassInfo, PassOptions, PassResult};
use dl_ir::rewrite::FrozenPatterns;
use dl_ir::rewrite::greedy::GreedyConfig;
use dl_ir::rewrite::region_simplify::RegionSimplify;
use dl_ir::symbol::symbol_refs;
use dl_ir::walk::ops_in_arena;
use dl_ir::{Arena, Context, Diagnostic, Diagnostics, OpDefinition, OpId, OpRef, Rewriter, Trait};

use rustc_hash::FxHashSet;

use super::helper::add_helper;
use super::insert::deallocate_buffers;
use super::{lower, simplify};

dl_ir::pass_options! {
    /// Options of [`OwnershipBasedBufferDeallocation`].
    pub struct DeallocationOptions {
        /// Private functions take and return ownership as additional values
        private_function_dynamic_ownership "private-function-dynamic-ownership": bool = false,
    }
}

/// Frees every buffer exactly once.
#[derive(Clone, Default)]
pub struct OwnershipBasedBufferDeallocation {
    /// The options.
    pub options: DeallocationOptions,
}

impl Pass for OwnershipBasedBufferDeallocation {
    const INFO: PassInfo = PassInfo::new(
        "ownership-based-buffer-deallocation",
        "Insert operations that free all buffers that are allocated",
    )
    .title("OwnershipBasedBufferDeallocationPass");

    fn options(&mut self) -> Option<&mut dyn PassOptions> {
        Some(&mut self.options)
    }

    fn run(&mut self, cx: &mut PassCx<'_>) -> PassResult {
        let dynamic = if self.options.private_function_dynamic_ownership {
            private_functions(cx.ctx, cx.ir)
        } else {
            FxHashSet::default()
        };
        let mut pending = vec![&mut *cx.ir];
        while let Some(ir) = pending.pop() {
            if OpRef::root(cx.ctx, ir).is::<FuncOp<'_>>() {
                deallocate_buffers(cx.ctx, ir, &dynamic)?;
            }
            pending.extend(ir.children_mut());
        }
        Ok(())
    }
}

/// The private functions with a body that are only called: all that depends on their type is known. A name that is used for anything else, too, is left out.
fn private_functions(cx: &Context, ir: &mut Arena) -> FxHashSet<String> {
    let (mut private, mut kept) = (FxHashSet::default(), FxHashSet::default());
    dl_ir::walk::for_each_arena(cx, ir, &mut |cx, ir| {
        let root = OpRef::root(cx, ir);
        let is_private = root.visibility() == "private";
        let has_body = root.regions().any(|region| !region.is_empty());
        if let Some(name) = root.symbol_name().filter(|_| root.is::<FuncOp<'_>>())
            && !(is_private && has_body && private.insert(name.to_owned()))
        {
            kept.insert(name.to_owned());
        }
        for op in ops_in_arena(ir, Arena::ROOT) {
            let op = OpRef::new(cx, ir, op);
            if op.is::<dl_func::CallOp<'_>>() {
                continue;
            }
            for (_, attr) in op.attrs() {
                kept.extend(symbol_refs(attr).into_iter().filter_map(|name| name.as_flat_symbol()).map(str::to_owned));
            }
        }
    });
    private.retain(|name| !kept.contains(name));
    private
}

/// Simplifies `bufferization.dealloc` by what is known of aliases.
#[derive(Clone, Default)]
pub struct BufferDeallocationSimplification {
    patterns: Option<Arc<FrozenPatterns>>,
}

fn simplifications(cx: &Context) -> Arc<FrozenPatterns> {
    let mut patterns = simplify::patterns();
    patterns.add_canonicalization(cx, DeallocOp::NAME);
    Arc::new(patterns.freeze())
}

impl Pass for BufferDeallocationSimplification {
    const INFO: PassInfo =
        PassInfo::new("buffer-deallocation-simplification", "Simplify bufferization.dealloc where aliases are known")
            .title("BufferDeallocationSimplificationPass");

    fn initialize(&mut self, cx: &Context) -> PassResult {
        self.patterns = Some(simplifications(cx));
        Ok(())
    }

    fn run(&mut self, cx: &mut PassCx<'_>) -> PassResult {
        let patterns = match &self.patterns {
            Some(patterns) => patterns.clone(),
            None => simplifications(cx.ctx),
        };
        let config = GreedyConfig { region_simplify: RegionSimplify::Normal, ..GreedyConfig::default() };
        cx.rewrite_greedily(&patterns, &config)?;
        Ok(())
    }
}

/// Lowers `bufferization.dealloc` to comparisons of pointers and `memref.dealloc`.
#[derive(Clone, Default)]
pub struct LowerDeallocations;

impl Pass for LowerDeallocations {
    const INFO: PassInfo =
        PassInfo::new("bufferization-lower-deallocations", "Lower bufferization.dealloc to memref.dealloc")
            .title("LowerDeallocationsPass");

    fn run(&mut self, cx: &mut PassCx<'_>) -> PassResult {
        lower_deallocations(cx)
    }
}

/// Lowers every `bufferization.dealloc`. In a module a function is added where several buffers are freed at once.
///
/// # Errors
/// That the root is neither a module nor a function, or that it is a function and needs one more.
pub(crate) fn lower_deallocations(cx: &mut PassCx<'_>) -> PassResult {
    let root = cx.root();
    let (loc, is_module) = (root.loc(), root.name() == "builtin.module");
    if !is_module && !root.is::<FuncOp<'_>>() {
        return Err(Diagnostic::error(loc, "root operation must be a builtin.module or a function").into());
    }
    let mut tables = vec![&mut *cx.ir];
    while let Some(table) = tables.pop() {
        let needs_helper = is_module && any_of_many(cx.ctx, table);
        let helper = if needs_helper { add_helper(cx.ctx, table, loc) } else { None };
        let mut pending = vec![table];
        while let Some(ir) = pending.pop() {
            for op in deallocs(cx.ctx, ir) {
                lower::lower(&mut Rewriter::new(cx.ctx, ir), op, helper.as_deref())
                    .map_err(|error| not_legalized(error, OpRef::new(cx.ctx, ir, op)))?;
            }
            let (nested, inside): (Vec<_>, Vec<_>) =
                ir.children_mut().partition(|child| is_symbol_table(cx.ctx, child));
            tables.extend(nested);
            pending.extend(inside);
        }
    }
    Ok(())
}

/// Why an operation stays, and that it must not.
fn not_legalized(why: Diagnostic, op: OpRef<'_>) -> Diagnostics {
    let message = format!("failed to legalize operation '{}' that was explicitly marked illegal", op.name());
    let mut errors = Diagnostics::from(why);
    errors.push(Diagnostic::error(op.loc(), message));
    errors
}

fn is_symbol_table(cx: &Context, ir: &Arena) -> bool {
    OpRef::root(cx, ir).has_trait(&Trait::SymbolTable)
}

/// The `bufferization.dealloc` operations of an arena.
fn deallocs(cx: &Context, ir: &Arena) -> Vec<OpId> {
    ops_in_arena(ir, Arena::ROOT).into_iter().filter(|&op| OpRef::new(cx, ir, op).is::<DeallocOp<'_>>()).collect()
}

/// Whether a `bufferization.dealloc` in `ir`, or nested in it but not in another symbol table, has several buffers.
fn any_of_many(cx: &Context, ir: &Arena) -> bool {
    let mut pending = vec![ir];
    while let Some(ir) = pending.pop() {
        if deallocs(cx, ir).into_iter().any(|op| DeallocOp(OpRef::new(cx, ir, op)).memrefs().len() > 1) {
            return true;
        }
        pending.extend(ir.children().filter(|child| !is_symbol_table(cx, child)));
    }
    false
}
