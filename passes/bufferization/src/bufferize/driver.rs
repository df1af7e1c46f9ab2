//! One-shot bufferization of a module, function after function.

use dl_func::FuncOp;
use dl_ir::walk::ops_in_arena;
use dl_ir::{Arena, Context, Diagnostic, OpRef, Rewriter};

use super::analysis::{Analysis, analyze, annotate};
use super::bufferizer::Bufferizer;
use super::functions::{self, FunctionTable};
use super::globals::Globals;
use super::options::{LayoutMap, Options};

/// Bufferizes all that is in `ir`: the operations of the arena and those of the functions and other isolated operations nested
/// in it. Functions come callees first. On an error the IR is left as far as it got.
pub fn bufferize(cx: &Context, ir: &mut Arena, options: &Options) -> Result<(), Diagnostic> {
    let mut functions = FunctionTable::of(cx, ir);
    let mut globals = Globals::of(OpRef::root(cx, ir));
    let count = ir.children().count();
    let (ordered, circular) =
        if options.function_boundaries { functions.call_order(cx, ir) } else { ((0..count).collect(), Vec::new()) };
    let is_circular = |child: usize| circular.contains(&child);
    let others: Vec<usize> = (0..count).filter(|c| !ordered.contains(c) && !circular.contains(c)).collect();
    let visit: Vec<usize> = ordered.iter().chain(&circular).chain(&others).copied().collect();
    for child in visit {
        let Some(arena) = ir.children_mut().nth(child) else { continue };
        let root = OpRef::root(cx, arena);
        if !root.is::<FuncOp<'_>>() {
            stacker::maybe_grow(64 * 1024, 1024 * 1024, || bufferize(cx, arena, options))?;
            continue;
        }
        bufferize_arena(cx, arena, options, &mut functions, &mut globals, !is_circular(child))?;
        if options.function_boundaries && !options.analysis_only {
            finish_function(cx, arena, options, &mut functions);
        }
    }
    bufferize_arena(cx, ir, options, &mut functions, &mut globals, false)?;
    globals.insert(cx, ir);
    Ok(())
}

/// Analyzes one arena, inserts copies and rewrites it.
fn bufferize_arena(
    cx: &Context,
    ir: &mut Arena,
    options: &Options,
    functions: &mut FunctionTable,
    globals: &mut Globals,
    summarize: bool,
) -> Result<(), Diagnostic> {
    let root = OpRef::root(cx, ir);
    let name = root.symbol_name().map(str::to_owned);
    let is_function = root.is::<FuncOp<'_>>();
    let is_declaration = is_function && root.regions().all(|region| region.is_empty());
    if is_declaration {
        if let (Some(name), Some(ty)) = (&name, root.attr("function_type").and_then(|a| a.as_type())) {
            functions.set_summary(name, functions::summarize_declaration(root, ty));
        }
    } else {
        let unanalyzed =
            options.copy_before_write || name.as_ref().is_some_and(|name| options.no_analysis.contains(name));
        let state = if unanalyzed {
            Analysis::without_facts(cx, options, functions)
        } else {
            analyze(cx, ir, options, functions)?
        };
        let summary = (summarize && is_function && !unanalyzed).then(|| functions::summarize(&state, ir));
        let mut rw = Rewriter::new(cx, ir);
        if options.analysis_only {
            annotate(&state, &mut rw);
            if let Some(summary) = summary.as_ref().filter(|_| options.function_boundaries) {
                functions::annotate_access(&mut rw, summary);
                functions::annotate_returns(&mut rw, summary);
            }
        } else {
            for op in ops_in_arena(rw.ir(), Arena::ROOT) {
                if let Some(interface) = cx.op_info(rw.op(op).name_id()).interface::<dyn super::Bufferizable>()
                    && options.allows(rw.op(op))
                {
                    interface.resolve_conflicts(op, &mut rw, &state)?;
                }
            }
        }
        drop(state);
        if let (Some(name), Some(summary)) = (&name, summary) {
            functions.set_summary(name, summary);
        }
    }
    if options.analysis_only {
        return Ok(());
    }
    Bufferizer::new(cx, ir, options, functions, globals).run()
}

/// Gives a bufferized function its final type and takes off the attributes that were meant for bufferization.
fn finish_function(cx: &Context, ir: &mut Arena, options: &Options, functions: &mut FunctionTable) {
    let name = OpRef::root(cx, ir).symbol_name().map(str::to_owned);
    if options.function_layout == LayoutMap::Infer
        && let (Some(name), Some(ty)) = (name, functions::fold_returned_casts(cx, ir))
    {
        functions.set_type(&name, ty);
    }
    let Some(arg_attrs) = OpRef::root(cx, ir).attr("arg_attrs") else { return };
    let kept: Vec<_> = arg_attrs
        .elements()
        .map(|dict| {
            let is_ours = |name: &str| matches!(name, "bufferization.writable" | "bufferization.buffer_layout");
            let entries: Vec<_> = dict.entries().iter().copied().filter(|(name, _)| !is_ours(cx.str(*name))).collect();
            cx.dictionary_attr(&entries)
        })
        .collect();
    let any = kept.iter().any(|&dict| !cx.attr(dict).entries().is_empty());
    let mut rw = Rewriter::new(cx, ir);
    if any {
        rw.set_attr(Arena::ROOT, cx.ident("arg_attrs"), cx.array_attr(&kept));
    } else {
        rw.remove_attr(Arena::ROOT, cx.ident("arg_attrs"));
    }
}
