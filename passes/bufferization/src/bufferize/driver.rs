//! One-shot bufferization of a module, function after function.

use dl_func::FuncOp;
use dl_ir::walk::ops_in_arena;
use dl_ir::{Arena, Context, Diagnostic, Diagnostics, OpId, OpRef, Rewriter, Trait};

use super::analysis::{Analysis, analyze, annotate};
use super::bufferizer::Bufferizer;
use super::functions::{self, FunctionTable};
use super::globals::Globals;
use super::options::{LayoutMap, Options};
use super::report;

/// What there is to do with each arena.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Work {
    /// Only the analysis and the copies that it asks for.
    InsertCopies,
    /// Everything.
    Bufferize,
}

/// Bufferizes all that is in `ir`: the operations of the arena and those of the functions and other isolated operations nested
/// in it. Functions come callees first; where they are bufferized, modules nested in `ir` stay as they are, for their functions are called
/// from elsewhere. On an error the IR is left as far as it got. `remarks` gets what the options want reported.
pub fn bufferize(
    cx: &Context,
    ir: &mut Arena,
    options: &Options,
    remarks: &mut Vec<Diagnostic>,
) -> Result<(), Diagnostics> {
    visit(cx, ir, options, Work::Bufferize, None, remarks)
}

/// Bufferizes what is in the isolated operation `function` of the module `ir`, but not its boundary. Constants become globals of the module.
pub fn bufferize_inside(
    cx: &Context,
    ir: &mut Arena,
    function: OpId,
    options: &Options,
    remarks: &mut Vec<Diagnostic>,
) -> Result<(), Diagnostics> {
    let mut functions = FunctionTable::of(cx, ir);
    let mut globals = Globals::of(OpRef::root(cx, ir));
    let Some(arena) = ir.child_mut(function) else { return Ok(()) };
    bufferize_arena(cx, arena, options, Work::Bufferize, false, &mut functions, &mut globals, remarks)?;
    globals.insert(cx, ir);
    Ok(())
}

/// Makes the copies that bufferization would make, as `bufferization.alloc_tensor` operations: all tensors can be bufferized in place
/// afterwards.
pub fn insert_copies(cx: &Context, ir: &mut Arena, options: &Options) -> Result<(), Diagnostics> {
    visit(cx, ir, options, Work::InsertCopies, None, &mut Vec::new())
}

/// Works on `ir`, whose constants become globals of `around`, those of the symbol table around it, unless it is one itself.
fn visit(
    cx: &Context,
    ir: &mut Arena,
    options: &Options,
    work: Work,
    around: Option<&mut Globals>,
    remarks: &mut Vec<Diagnostic>,
) -> Result<(), Diagnostics> {
    let mut functions = FunctionTable::of(cx, ir);
    let root = OpRef::root(cx, ir);
    let (mut own, is_table) = (Globals::of(root), root.has_trait(&Trait::SymbolTable));
    let globals = match around {
        Some(around) if !is_table => around,
        _ => &mut own,
    };
    let count = ir.children().count();
    let (ordered, circular) =
        if options.function_boundaries { functions.call_order(cx, ir) } else { ((0..count).collect(), Vec::new()) };
    let is_circular = |child: usize| circular.contains(&child);
    let others: Vec<usize> = (0..count).filter(|c| !ordered.contains(c) && !circular.contains(c)).collect();
    let all: Vec<usize> = ordered.iter().chain(&circular).chain(&others).copied().collect();
    for child in all {
        let Some(arena) = ir.children_mut().nth(child) else { continue };
        let root = OpRef::root(cx, arena);
        if !root.is::<FuncOp<'_>>() {
            if options.function_boundaries && root.has_trait(&Trait::SymbolTable) {
                continue;
            }
            stacker::maybe_grow(64 * 1024, 1024 * 1024, || {
                visit(cx, arena, options, work, Some(&mut *globals), remarks)
            })?;
            continue;
        }
        let summarize = !is_circular(child);
        bufferize_arena(cx, arena, options, work, summarize, &mut functions, globals, remarks)?;
        if options.function_boundaries && !options.analysis_only && work == Work::Bufferize {
            finish_function(cx, arena, options, &mut functions);
        }
    }
    bufferize_arena(cx, ir, options, work, false, &mut functions, globals, remarks)?;
    own.insert(cx, ir);
    Ok(())
}

/// Analyzes each arena of `ir`, callees first where functions count, and lets `change` see the result. What `change` does must not
/// change what callers see.
pub fn analyze_each(
    cx: &Context,
    ir: &mut Arena,
    options: &Options,
    change: &mut dyn FnMut(&Context, &mut Arena, &Analysis<'_>),
) -> Result<(), Diagnostics> {
    let mut functions = FunctionTable::of(cx, ir);
    let count = ir.children().count();
    let (ordered, circular) =
        if options.function_boundaries { functions.call_order(cx, ir) } else { ((0..count).collect(), Vec::new()) };
    let others: Vec<usize> = (0..count).filter(|c| !ordered.contains(c) && !circular.contains(c)).collect();
    for child in ordered.iter().chain(&circular).chain(&others).copied() {
        let Some(arena) = ir.children_mut().nth(child) else { continue };
        let root = OpRef::root(cx, arena);
        if !root.is::<FuncOp<'_>>() {
            stacker::maybe_grow(64 * 1024, 1024 * 1024, || analyze_each(cx, arena, options, change))?;
            continue;
        }
        let name = root.symbol_name().map(str::to_owned);
        let summary = if root.regions().all(|region| region.is_empty()) {
            let ty = root.attr("function_type").and_then(|a| a.as_type());
            ty.map(|ty| functions::summarize_declaration(root, ty))
        } else {
            let state = analyze(cx, arena, options, &functions)?;
            let summary = (!circular.contains(&child)).then(|| functions::summarize(&state, arena));
            change(cx, arena, &state);
            summary
        };
        if let (Some(name), Some(summary)) = (&name, summary) {
            functions.set_summary(name, summary);
        }
    }
    let state = analyze(cx, ir, options, &functions)?;
    change(cx, ir, &state);
    Ok(())
}

/// Analyzes one arena, inserts copies and rewrites it.
#[expect(clippy::too_many_arguments, reason = "what one arena and what the whole module has")]
fn bufferize_arena(
    cx: &Context,
    ir: &mut Arena,
    options: &Options,
    work: Work,
    summarize: bool,
    functions: &mut FunctionTable,
    globals: &mut Globals,
    remarks: &mut Vec<Diagnostic>,
) -> Result<(), Diagnostics> {
    let root = OpRef::root(cx, ir);
    let name = root.symbol_name().map(str::to_owned);
    let is_function = root.is::<FuncOp<'_>>();
    let is_declaration = is_function && root.regions().all(|region| region.is_empty());
    if is_declaration {
        if let (Some(name), Some(ty)) = (&name, root.attr("function_type").and_then(|a| a.as_type())) {
            let summary = functions::summarize_declaration(root, ty);
            if options.analysis_only && options.function_boundaries {
                functions::annotate_access(&mut Rewriter::new(cx, ir), &summary);
            }
            functions.set_summary(name, summary);
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
                functions::annotate_returns(&mut rw, &state);
            }
        } else {
            for op in ops_in_arena(rw.ir(), Arena::ROOT) {
                if let Some(interface) = cx.op_info(rw.op(op).name_id()).interface::<dyn super::Bufferizable>()
                    && options.allows(rw.op(op))
                {
                    let first_new = rw.ir().num_op_slots();
                    interface.resolve_conflicts(op, &mut rw, &state)?;
                    if options.report_copies {
                        report::inserted_copies(&state, &rw, op, first_new, remarks);
                    }
                }
            }
        }
        drop(state);
        if let (Some(name), Some(summary)) = (&name, summary) {
            functions.set_summary(name, summary);
        }
    }
    if options.analysis_only || work == Work::InsertCopies {
        return Ok(());
    }
    Bufferizer::new(cx, ir, options, functions, globals, remarks).run()
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
