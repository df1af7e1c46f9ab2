//! What operations of schedules do that turn tensors into buffers: `transform.bufferization`.

use dl_ir::dialect::Extension;
use dl_ir::pass::{Anchor, PassManager};
use dl_ir::{Arena, AttrRef, DialectBuilder, OpDefinition, OpRef, OpView, Trait};
use dl_passes_schedules::{Each, Entity, Failure, Interpreter, Outcome, PayloadOp, Results, Transformation};
use dl_transform::{BufferLoopHoistingOp, EliminateEmptyTensorsOp, LayoutMapOption, OneShotBufferizeOp};

use crate::bufferize::options::LayoutMap;
use crate::bufferize::{OneShotBufferize, OneShotBufferizeOptions, bufferize, bufferize_inside};
use crate::empty_tensors::EliminateEmptyTensors;
use crate::optimize::BufferLoopHoisting;

/// Attaches what they do.
pub(crate) struct TransformOps;

impl Extension for TransformOps {
    fn attach(&self, b: &mut DialectBuilder) {
        on::<OneShotBufferizeOp<'_>>(b, Box::new(OneShot));
        on::<BufferLoopHoistingOp<'_>>(b, Each::reading(hoist));
        on::<EliminateEmptyTensorsOp<'_>>(b, Each::reading(eliminate));
    }
}

fn on<T: OpDefinition>(builder: &mut DialectBuilder, meaning: Box<dyn Transformation>) {
    builder.on::<T>().interface::<dyn Transformation>(meaning);
}

/// `transform.bufferization.one_shot_bufferize`.
struct OneShot;

impl Transformation for OneShot {
    fn apply<'s>(&self, op: OpRef<'s>, run: &mut Interpreter<'s, '_>, results: &mut Results) -> Outcome {
        let view = OneShotBufferizeOp::wrap(op);
        if view.memcpy_op().as_str() != Some("memref.copy") {
            return Err(Failure::unsupported(op, "another operation than memref.copy for copies"));
        }
        let on = |attr: AttrRef<'_>| attr.as_bool().unwrap_or(false);
        let layout = view.function_boundary_type_conversion().and_then(LayoutMapOption::from_attr);
        let options = OneShotBufferizeOptions {
            allow_return_allocs_from_loops: on(view.allow_return_allocs_from_loops()),
            allow_unknown_ops: on(view.allow_unknown_ops()),
            bufferize_function_boundaries: on(view.bufferize_function_boundaries()),
            check_parallel_regions: on(view.check_parallel_regions()),
            dump_alias_sets: on(view.dump_alias_sets()),
            print_conflicts: on(view.print_conflicts()),
            test_analysis_only: on(view.test_analysis_only()),
            function_boundary_type_conversion: match layout {
                Some(LayoutMapOption::IdentityLayoutMap) => LayoutMap::Identity,
                Some(LayoutMapOption::FullyDynamicLayoutMap) => LayoutMap::FullyDynamic,
                Some(LayoutMapOption::InferLayoutMap) | None => LayoutMap::Infer,
            },
            ..OneShotBufferizeOptions::default()
        };
        let options = OneShotBufferize { options }.checked().map_err(|why| Failure::definite(op, why))?;
        let targets = run.ops(view.target());
        for &target in &targets {
            run.check_live(op, target)?;
            let is_module = run.op(target).has_trait(&Trait::SymbolTable);
            if options.function_boundaries && !is_module {
                return Err(Failure::silenceable(op, "expected module target"));
            }
            let (cx, mut remarks) = (run.cx(), Vec::new());
            let (arena, id) = run.inside(target);
            let done = if is_module && id == Arena::ROOT {
                run.change(arena, |ir, _| bufferize(cx, ir, &options, &mut remarks))
            } else if run.op(target).is_stub() {
                run.change(target.arena, |ir, _| bufferize_inside(cx, ir, target.id, &options, &mut remarks))
            } else {
                return Err(Failure::unsupported(op, "bufferization of a part of a function"));
            };
            remarks.into_iter().for_each(|remark| run.emit(remark));
            if let Err(why) = done {
                why.into_iter().for_each(|each| run.emit(each));
                return Err(Failure::silenceable(op, "bufferization failed"));
            }
        }
        results.set_ops(0, targets);
        Ok(())
    }

    fn consumes<'s>(&self, _: OpRef<'s>, _: usize, _: &Interpreter<'s, '_>) -> bool {
        true
    }
}

/// Runs a pass on `target`.
fn run_pass<'s>(
    op: OpRef<'s>,
    run: &mut Interpreter<'s, '_>,
    target: PayloadOp,
    pass: impl dl_ir::pass::Pass,
) -> Result<Vec<Entity>, Failure> {
    if !run.op(target).is_stub() && !run.op(target).is_root() {
        return Err(Failure::unsupported(op, "an operation that is not isolated from above"));
    }
    let mut pipeline = PassManager::new(Anchor::Any);
    pipeline.add(pass);
    match run.run_pipeline(&mut pipeline, target) {
        Ok(()) => Ok(Vec::new()),
        Err(_) => Err(Failure::silenceable(op, "failed to apply").note(run.op(target).loc(), "target op")),
    }
}

/// `transform.bufferization.buffer_loop_hoisting`.
fn hoist<'s>(op: OpRef<'s>, run: &mut Interpreter<'s, '_>, target: PayloadOp) -> Result<Vec<Entity>, Failure> {
    run_pass(op, run, target, BufferLoopHoisting)
}

/// `transform.bufferization.eliminate_empty_tensors`.
fn eliminate<'s>(op: OpRef<'s>, run: &mut Interpreter<'s, '_>, target: PayloadOp) -> Result<Vec<Entity>, Failure> {
    run_pass(op, run, target, EliminateEmptyTensors)
}
