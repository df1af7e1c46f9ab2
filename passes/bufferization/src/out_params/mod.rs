//! `buffer-results-to-out-params`: functions that return memrefs take memrefs to write them to instead.

mod calls;
mod functions;

use std::collections::BTreeSet;

use dl_ir::pass::{Pass, PassCx, PassInfo, PassOptions, PassResult};
use dl_ir::walk::for_each_arena;
use dl_ir::{Arena, Diagnostics, OpDefinition, OpRef};
use rustc_hash::FxHashMap;

dl_ir::pass_options! {
    /// Options of [`BufferResultsToOutParams`].
    pub struct OutParamsOptions {
        /// Mark the parameters that were results with `bufferize.result`
        add_result_attr "add-result-attr": bool = false,
        /// Where a result of static shape is allocated in the function, let callers allocate it instead of copying it
        hoist_static_allocs "hoist-static-allocs": bool = false,
        /// The same for results of dynamic shape whose sizes are arguments
        hoist_dynamic_allocs "hoist-dynamic-allocs": bool = false,
        /// Change the signatures of public functions too
        modify_public_functions "modify-public-functions": bool = false,
    }
}

/// Makes parameters of the memrefs that functions return. Callers allocate them; functions copy into them.
#[derive(Clone, Default)]
pub struct BufferResultsToOutParams {
    /// The options.
    pub options: OutParamsOptions,
}

/// The dynamic sizes of a result, as positions of arguments; `None` where they are not known to callers.
type Sizes = Option<Vec<usize>>;

/// What callers of a function need to know.
#[derive(Debug, Default)]
struct Changed {
    /// For each memref that was returned, where it is allocated, its dynamic sizes.
    sizes: Vec<Sizes>,
}

impl Pass for BufferResultsToOutParams {
    const INFO: PassInfo =
        PassInfo::new("buffer-results-to-out-params", "Converts memref-typed function results to out-params")
            .title("BufferResultsToOutParamsPass")
            .on("builtin.module");

    fn options(&mut self) -> Option<&mut dyn PassOptions> {
        Some(&mut self.options)
    }

    fn run(&mut self, cx: &mut PassCx<'_>) -> PassResult {
        let root = OpRef::root(cx.ctx, cx.ir);
        let functions: Vec<_> = root
            .regions()
            .flat_map(|region| region.blocks())
            .flat_map(|block| block.ops())
            .filter(|op| op.is::<dl_func::FuncOp<'_>>())
            .map(|op| (op.id(), op.symbol_name().unwrap_or_default().to_owned()))
            .collect();
        // Not all calls of these can be changed.
        let values: BTreeSet<String> = dl_func::names_used(root).into_iter().map(str::to_owned).collect();
        let mut known: FxHashMap<String, Option<Changed>> = FxHashMap::default();
        for (id, name) in functions {
            let changed = match cx.ir.child_mut(id) {
                Some(body) if !values.contains(&name) => functions::change(cx.ctx, body, &self.options)?,
                _ => None,
            };
            known.insert(name, changed);
        }
        let mut errors = Diagnostics::default();
        for_each_arena(cx.ctx, cx.ir, &mut |cx, ir| calls::change(cx, ir, &known, &mut errors));
        if errors.is_empty() { Ok(()) } else { Err(errors) }
    }
}

/// The operations of one arena that are a `T`.
fn all<T: OpDefinition>(cx: &dl_ir::Context, ir: &Arena) -> Vec<dl_ir::OpId> {
    let ops = dl_ir::walk::ops_in_arena(ir, Arena::ROOT);
    ops.into_iter().filter(|&op| OpRef::new(cx, ir, op).is::<T>()).collect()
}
