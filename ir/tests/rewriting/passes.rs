//! The pass manager.

use dl_ir::pass::{Anchor, Pass, PassCx, PassInfo, PassManager, PassOutcome, PassResult, Reproduce, RunOptions};
use dl_ir::{Arena, Context, Diagnostic, OpDefinition, OpState, Rewriter};

use crate::dialect::{FuncOp, PingOp, UseOp, context, parse, print};

/// Adds a `t.ping`, and says on what.
#[derive(Clone, Default)]
struct AddPing;
impl Pass for AddPing {
    const INFO: PassInfo = PassInfo::new("add-ping", "Add a ping").statistics(&[("num-added", "How many were added")]);
    fn run(&mut self, cx: &mut PassCx<'_>) -> PassResult {
        let name = cx.root().symbol_name().unwrap_or("module").to_owned();
        let others = ["f0", "f1"].map(|name| cx.symbols.find(cx.ctx, name).is_some());
        cx.emit(Diagnostic::remark(cx.root().loc(), format!("{name} sees {others:?}")));
        let block = cx.ir.op_regions(Arena::ROOT).first().and_then(|&region| cx.ir.entry_block(region));
        let mut rw = cx.rewriter();
        rw.set_insertion_to_end(block.expect("a block"));
        rw.create(OpState::of::<PingOp<'_>>(dl_ir::Loc::UNKNOWN));
        cx.count("num-added", 1);
        Ok(())
    }
}

/// Breaks the IR: a value is used before it is defined.
#[derive(Clone, Default)]
struct Break;
impl Pass for Break {
    const INFO: PassInfo = PassInfo::new("break", "Break the IR");
    fn run(&mut self, cx: &mut PassCx<'_>) -> PassResult {
        let region = cx.ir.op_regions(Arena::ROOT)[0];
        let block = cx.ir.entry_block(region).expect("a block");
        let mut rw = Rewriter::new(cx.ctx, cx.ir);
        let i32 = rw.cx().i32_type();
        rw.set_insertion_to_end(block);
        let value = rw.create_value(OpState::named("t.old", dl_ir::Loc::UNKNOWN).results([i32]));
        rw.set_insertion_to_start(block);
        rw.create(OpState::of::<UseOp<'_>>(dl_ir::Loc::UNKNOWN).operands([value]));
        Ok(())
    }
}

#[derive(Clone, Default)]
struct Panic;
impl Pass for Panic {
    const INFO: PassInfo = PassInfo::new("panic", "Panic");
    fn run(&mut self, _: &mut PassCx<'_>) -> PassResult {
        panic!("invariant of this pass broken")
    }
}

fn functions(count: usize) -> String {
    let one = |i: usize| format!("\"t.func\"() <{{sym_name = \"f{i}\"}}> ({{\nt.old : () -> ()\n}}) : () -> ()\n");
    (0..count).map(one).collect()
}

fn on_functions(pass: impl Pass) -> PassManager {
    let mut pm = PassManager::new(Anchor::Op("builtin.module".to_owned()));
    pm.nest(Anchor::Op(FuncOp::NAME.to_owned())).add(pass);
    pm
}

fn run(cx: &Context, module: &mut Arena, mut pm: PassManager) -> PassOutcome {
    pm.run(cx, module, &RunOptions { reproduce: Reproduce::Pipeline, ..RunOptions::default() })
}

fn messages(outcome: &PassOutcome) -> Vec<String> {
    outcome.diagnostics.iter().map(|d| d.message.clone()).collect()
}

#[test]
fn nested_runs_report_in_order_for_any_number_of_threads() {
    for threads in [true, false] {
        let mut cx = context();
        cx.set_threading(threads);
        let mut module = parse(&cx, &functions(20));
        let outcome = run(&cx, &mut module, on_functions(AddPing));
        assert!(!outcome.failed);
        let expected: Vec<String> = (0..20).map(|i| format!("f{i} sees [true, true]")).collect();
        assert_eq!(messages(&outcome), expected);
        assert_eq!(print(&cx, &module).matches("t.ping").count(), 20);
        let statistics = outcome.report.statistics_text(dl_ir::pass::Display::List);
        assert!(statistics.contains("(S) 20 num-added"), "{statistics}");
    }
}

#[test]
fn the_verifier_runs_after_each_pass() {
    let cx = context();
    let mut module = parse(&cx, &functions(2));
    let outcome = run(&cx, &mut module, on_functions(Break));
    assert!(outcome.failed);
    assert_eq!(messages(&outcome), vec!["operand #0 does not dominate this use"; 2]);
    let mut module = parse(&cx, &functions(1));
    let mut pm = on_functions(Break);
    let outcome = pm.run(&cx, &mut module, &RunOptions { verify: false, ..RunOptions::default() });
    assert!(!outcome.failed);
}

#[test]
fn a_panic_is_an_error_with_a_reproducer() {
    let cx = context();
    let mut module = parse(&cx, &functions(1));
    let outcome = run(&cx, &mut module, on_functions(Panic));
    assert!(outcome.failed);
    let expected = "'t.func' op pass 'panic' crashed: invariant of this pass broken; this is a bug in the pass";
    assert_eq!(messages(&outcome), [expected]);
    assert!(outcome.crashed);
    let failure = outcome.failure.expect("it has failed");
    assert_eq!(failure.message, "Failures have been detected while processing an MLIR pass pipeline");
    assert_eq!(failure.notes[0].message, "Pipeline failed while executing [`panic` on 't.func' operation: @f0]");
    let reproducer = outcome.reproducer.expect("a reproducer was asked for");
    assert!(reproducer.contains("pipeline: \"builtin.module(t.func(panic))\""), "{reproducer}");
    assert!(reproducer.contains("\"t.func\"()"), "{reproducer}");
}

#[derive(Clone, Default)]
struct PanicEarly;
impl Pass for PanicEarly {
    const INFO: PassInfo = PassInfo::new("panic-early", "Panic before it runs");
    fn initialize(&mut self, _: &Context) -> PassResult {
        panic!("no patterns for this")
    }
    fn run(&mut self, _: &mut PassCx<'_>) -> PassResult {
        Ok(())
    }
}

#[test]
fn a_panic_before_the_run_is_an_error() {
    let cx = context();
    let mut module = parse(&cx, &functions(1));
    let outcome = run(&cx, &mut module, on_functions(PanicEarly));
    assert!(outcome.failed);
    let expected = "pass 'panic-early' crashed: no patterns for this; this is a bug in the pass";
    assert_eq!(messages(&outcome), [expected]);
}

#[test]
fn a_local_reproducer_has_the_pass_that_failed_alone() {
    let mut cx = context();
    let mut module = parse(&cx, &functions(2));
    let mut pm = PassManager::new(Anchor::Op("builtin.module".to_owned()));
    pm.nest(Anchor::Op(FuncOp::NAME.to_owned())).add(AddPing).add(Panic);
    let options = RunOptions { reproduce: Reproduce::FailedPass, ..RunOptions::default() };
    let outcome = pm.run(&cx, &mut module, &options);
    let expected = "Local crash reproduction may not be used without disabling mutli-threading first.";
    assert_eq!(messages(&outcome), [expected]);
    cx.set_threading(false);
    let outcome = pm.run(&cx, &mut module, &options);
    let failure = outcome.failure.expect("it has failed");
    assert_eq!(failure.notes[0].message, "Pipeline failed while executing `panic` on 't.func' operation: @f0");
    let reproducer = outcome.reproducer.expect("a reproducer was asked for");
    assert!(reproducer.contains("pipeline: \"builtin.module(t.func(panic))\""), "{reproducer}");
    assert!(reproducer.contains("disable_threading: true"), "{reproducer}");
    assert_eq!(reproducer.matches("t.ping").count(), 1, "the first function as `add-ping` left it: {reproducer}");
}

#[test]
fn the_anchor_must_fit() {
    let cx = context();
    let mut module = parse(&cx, "");
    let outcome = run(&cx, &mut module, PassManager::new(Anchor::Op("t.func".to_owned())));
    assert_eq!(messages(&outcome), ["can't run 't.func' pass manager on 'builtin.module' op"]);
    let mut module = parse(&cx, "\"t.ping\"() : () -> ()");
    let mut pm = PassManager::new(Anchor::Any);
    pm.nest(Anchor::Op("t.ping".to_owned())).add(AddPing);
    let outcome = run(&cx, &mut module, pm);
    let expected = "'t.ping' op trying to schedule a pass on an operation not marked as 'IsolatedFromAbove'";
    assert_eq!(messages(&outcome), [expected]);
}
