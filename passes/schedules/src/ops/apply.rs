//! Patterns, passes and clean-up applied to operations of the payload.

use dl_ir::interfaces::LoopLike;
use dl_ir::pass::{Anchor, PassManager, parse_pipeline_items};
use dl_ir::rewrite::greedy::{GreedyConfig, GreedyResult, apply_patterns_greedily_heard};
use dl_ir::rewrite::region_simplify::RegionSimplify;
use dl_ir::rewrite::{FrozenPatterns, Patterns};
use dl_ir::symbol::SymbolSnapshot;
use dl_ir::{Arena, AttrData, AttrRef, DialectBuilder, OpRef, OpView, walk};
use dl_passes_transforms::{canonicalization_patterns, eliminate_common_subexpressions, move_loop_invariant_code};
use dl_transform::{
    ApplyCanonicalizationPatternsOp, ApplyCommonSubexpressionEliminationOp, ApplyDeadCodeEliminationOp,
    ApplyLoopInvariantCodeMotionOp, ApplyPatternsOp, ApplyRegisteredPassOp,
};

use super::on;
use crate::failure::{Failure, Outcome};
use crate::handles::{Entity, Results};
use crate::interface::{Each, PatternSource, Transformation};
use crate::interpreter::Interpreter;
use crate::payload::{ArenaKey, PayloadOp, is_isolated};

pub(super) fn attach(builder: &mut DialectBuilder) {
    on::<ApplyRegisteredPassOp<'_>>(builder, RegisteredPass);
    builder.on::<ApplyPatternsOp<'_>>().interface::<dyn Transformation>(Each::reading(apply_patterns));
    builder.on::<ApplyCommonSubexpressionEliminationOp<'_>>().interface::<dyn Transformation>(Each::reading(cse));
    builder.on::<ApplyDeadCodeEliminationOp<'_>>().interface::<dyn Transformation>(Each::reading(dce));
    builder.on::<ApplyLoopInvariantCodeMotionOp<'_>>().interface::<dyn Transformation>(Each::reading(licm));
    let canonicalizations = |op: OpRef<'_>, patterns: &mut Patterns| {
        for pattern in canonicalization_patterns(op.cx()) {
            patterns.push(pattern);
        }
    };
    builder.on::<ApplyCanonicalizationPatternsOp<'_>>().interface::<dyn PatternSource>(Box::new(canonicalizations));
}

/// Rounds of patterns and of the elimination of common subexpressions.
const MOST_ROUNDS: usize = 50;

/// The arena that the regions of `target` are in, and those of isolated operations nested there.
fn arenas(run: &mut Interpreter<'_, '_>, target: PayloadOp) -> Vec<ArenaKey> {
    let mut arenas: Vec<ArenaKey> = Vec::new();
    for op in run.post_order(target) {
        if run.op(op).is_stub() {
            arenas.push(run.inside(op).0);
        }
    }
    if !run.op(target).is_stub() {
        arenas.push(target.arena);
    }
    arenas.reverse();
    arenas
}

/// `transform.apply_patterns`.
fn apply_patterns<'s>(op: OpRef<'s>, run: &mut Interpreter<'s, '_>, target: PayloadOp) -> Result<Vec<Entity>, Failure> {
    run.check_not_self(op, target, "target payload op")?;
    let mut patterns = Patterns::new();
    for source in op.regions().flat_map(|region| region.ops()) {
        let Some(meaning) = source.interface::<dyn PatternSource>() else {
            return Err(Failure::unsupported(source, "these patterns"));
        };
        meaning.add(source, &mut patterns)?;
    }
    let patterns = patterns.freeze();
    let limit = |attr: AttrRef<'_>| attr.as_int().and_then(|n| u64::try_from(n).ok());
    let view = ApplyPatternsOp::wrap(op);
    let isolated = is_isolated(run.op(target));
    let region_simplify = if isolated { RegionSimplify::Aggressive } else { RegionSimplify::Disabled };
    let config = GreedyConfig {
        max_iterations: limit(view.max_iterations()).and_then(|n| u32::try_from(n).ok()),
        max_rewrites: limit(view.max_num_rewrites()),
        region_simplify,
        ..GreedyConfig::default()
    };
    for _ in 0..MOST_ROUNDS {
        if !rewrite_greedily(run, target, &patterns, &config) {
            return Err(Failure::silenceable(op, "greedy pattern application failed"));
        }
        if view.apply_cse().is_none() || !eliminate(run, target) {
            return Ok(Vec::new());
        }
    }
    Err(Failure::definite(op, "fixpoint iteration did not converge"))
}

/// Applies patterns to what is in `target`, until none applies any more. Answers whether that came to an end.
pub fn rewrite_greedily(
    run: &mut Interpreter<'_, '_>,
    target: PayloadOp,
    patterns: &FrozenPatterns,
    config: &GreedyConfig,
) -> bool {
    arenas(run, target).into_iter().all(|arena| {
        let scope = if arena == target.arena { target.id } else { Arena::ROOT };
        let symbols = symbols_around(run, arena);
        let cx = run.cx();
        let result: GreedyResult = run.change(arena, |ir, listener| {
            apply_patterns_greedily_heard(cx, ir, scope, patterns, config, &symbols, listener)
        });
        result.converged
    })
}

/// The symbols of the closest table around an arena.
fn symbols_around(run: &Interpreter<'_, '_>, arena: ArenaKey) -> SymbolSnapshot {
    let owner = run.owner_of(arena);
    let table = owner.and_then(|owner| {
        let around = std::iter::successors(run.parent(owner), |&op| run.parent(op));
        { around }.find(|&op| run.op(op).has_trait(&dl_ir::Trait::SymbolTable))
    });
    table.map_or_else(SymbolSnapshot::default, |table| SymbolSnapshot::of(run.op(table)))
}

/// Merges equal operations in `target`. Answers whether there were such.
fn eliminate(run: &mut Interpreter<'_, '_>, target: PayloadOp) -> bool {
    let cx = run.cx();
    let mut changed = false;
    for arena in arenas(run, target) {
        let scope = if arena == target.arena { target.id } else { Arena::ROOT };
        changed |= run.change(arena, |ir, listener| eliminate_common_subexpressions(cx, ir, scope, listener));
    }
    changed
}

/// `transform.apply_cse`.
fn cse<'s>(op: OpRef<'s>, run: &mut Interpreter<'s, '_>, target: PayloadOp) -> Result<Vec<Entity>, Failure> {
    run.check_not_self(op, target, "target payload op")?;
    eliminate(run, target);
    Ok(Vec::new())
}

/// `transform.apply_dce`.
fn dce<'s>(op: OpRef<'s>, run: &mut Interpreter<'s, '_>, target: PayloadOp) -> Result<Vec<Entity>, Failure> {
    run.check_not_self(op, target, "target payload op")?;
    for arena in arenas(run, target) {
        let scope = if arena == target.arena { target.id } else { Arena::ROOT };
        run.rewrite(arena, |rw| {
            // Users come after what they use, so from the end each is found dead in time.
            for op in walk::ops_in_arena_post_order(rw.ir(), scope).into_iter().rev() {
                if op != scope && rw.ir().is_live(op) && rw.op(op).is_trivially_dead() {
                    rw.erase(op);
                }
            }
        });
    }
    Ok(Vec::new())
}

/// `transform.apply_licm`.
fn licm<'s>(op: OpRef<'s>, run: &mut Interpreter<'s, '_>, target: PayloadOp) -> Result<Vec<Entity>, Failure> {
    let view = run.op(target);
    if view.interface::<dyn LoopLike>().is_none() {
        return Err(wrong_kind(op, view));
    }
    run.rewrite(target.arena, |rw| move_loop_invariant_code(rw, target.id));
    Ok(Vec::new())
}

/// That a transformation does not work on operations like `target`.
pub(crate) fn wrong_kind(op: OpRef<'_>, target: OpRef<'_>) -> Failure {
    Failure::definite(op, "transform applied to the wrong op kind").note(target.loc(), "when applied to this op")
}

/// `transform.apply_registered_pass`.
struct RegisteredPass;

impl Transformation for RegisteredPass {
    fn apply<'s>(&self, op: OpRef<'s>, run: &mut Interpreter<'s, '_>, results: &mut Results) -> Outcome {
        let view = ApplyRegisteredPassOp::wrap(op);
        let name = view.pass_name().as_str().unwrap_or_default();
        if run.registry.find_pass(name).is_none() && run.registry.find_pipeline(name).is_none() {
            return Err(Failure::definite(op, format!("unknown pass or pass pipeline: {name}")));
        }
        let options = options(op, view, run)?;
        let text = if options.is_empty() { name.to_owned() } else { format!("{name}{{{options}}}") };
        let mut pipeline = PassManager::new(Anchor::Any);
        if let Err(why) = parse_pipeline_items(run.cx(), &run.registry.clone(), &text, &mut pipeline) {
            run.emit(dl_ir::Diagnostic::error(op.loc(), format!("<Pass-Options-Parser>: {}", why.message)));
            let message = format!("failed to add pass or pass pipeline to pipeline: {name}");
            return Err(Failure::definite(op, message));
        }
        let targets = run.ops(op.operand(0));
        for &target in &targets {
            run.check_not_self(op, target, "target payload op")?;
        }
        for &target in &targets {
            run.check_live(op, target)?;
            let loc = run.op(target).loc();
            let failed = || Failure::silenceable(op, "pass pipeline failed").note(loc, "target op");
            if !is_isolated(run.op(target)) {
                let message = "trying to schedule a pass on an operation not marked as 'IsolatedFromAbove'";
                run.emit(dl_ir::Diagnostic::error(loc, message));
                return Err(failed());
            }
            run.run_pipeline(&mut pipeline, target).map_err(|_| failed())?;
        }
        results.set_ops(0, targets);
        Ok(())
    }

    fn consumes<'s>(&self, _: OpRef<'s>, operand: usize, _: &Interpreter<'s, '_>) -> bool {
        operand == 0
    }
}

/// The options of a pass as text.
fn options<'s>(op: OpRef<'s>, view: ApplyRegisteredPassOp<'s>, run: &Interpreter<'s, '_>) -> Result<String, Failure> {
    let operands = view.dynamic_options();
    let mut text = Vec::new();
    for &(name, value) in view.options().entries() {
        let mut values = Vec::new();
        option_values(op.cx().attr(value), operands, run, &mut values);
        let values = values.join(",");
        let quoted = if values.contains(|c: char| c.is_whitespace()) { format!("{{{values}}}") } else { values };
        text.push(format!("{}={quoted}", op.cx().str(name)));
    }
    Ok(text.join(" "))
}

/// The values of one option: an attribute, several in an array, and parameters for `#transform.param_operand`.
fn option_values<'s>(
    value: AttrRef<'_>,
    operands: dl_ir::Operands<'s>,
    run: &Interpreter<'s, '_>,
    values: &mut Vec<String>,
) {
    let cx = value.cx();
    match value.data() {
        AttrData::Array(elements) => {
            elements.iter().for_each(|&each| option_values(cx.attr(each), operands, run, values));
        }
        AttrData::Dialect { name, params } if cx.str(*name) == "transform.param_operand" => {
            let index = params.first().and_then(|&index| cx.attr(index).as_int());
            let operand = index.and_then(|index| usize::try_from(index).ok()).and_then(|index| operands.get(index));
            for param in operand.map(|operand| run.params(operand)).unwrap_or_default() {
                option_values(cx.attr(param), operands, run, values);
            }
        }
        _ => values.push(match (value.as_str(), value.as_bool(), value.as_int()) {
            (Some(text), ..) => text.to_owned(),
            (None, Some(flag), _) if value.ty().is_some_and(|ty| ty.id() == cx.i1_type()) => flag.to_string(),
            (None, _, Some(number)) => number.to_string(),
            _ => value.to_string(),
        }),
    }
}
