//! Pipelines that passes run.

use dl_ir::pass::{
    Anchor, Display, Instrumentation, Pass, PassCx, PassInfo, PassManager, PassOutcome, PassResult, RunOptions,
};
use dl_ir::{Arena, Context, Diagnostic, OpDefinition, OpId, OpRef, OpState};
use parking_lot::Mutex;
use std::sync::Arc;

use crate::dialect::{FuncOp, PingOp, context, parse, print};

/// Adds a `t.ping`.
#[derive(Clone)]
struct AddPing;
impl Pass for AddPing {
    const INFO: PassInfo = PassInfo::new("add-ping", "Add a ping").statistics(&[("num-added", "How many were added")]);
    fn run(&mut self, cx: &mut PassCx<'_>) -> PassResult {
        let block = cx.ir.op_regions(Arena::ROOT).first().and_then(|&region| cx.ir.entry_block(region));
        let mut rw = cx.rewriter();
        rw.set_insertion_to_end(block.expect("a block"));
        rw.create(OpState::of::<PingOp<'_>>(dl_ir::Loc::UNKNOWN));
        cx.count("num-added", 1);
        Ok(())
    }
}

#[derive(Clone)]
struct Fail;
impl Pass for Fail {
    const INFO: PassInfo = PassInfo::new("fail", "Fail");
    fn run(&mut self, cx: &mut PassCx<'_>) -> PassResult {
        Err(cx.root().error("was made to fail").into())
    }
}

/// Runs a pipeline on the functions whose number is even, or on the module itself.
#[derive(Clone)]
struct RunOnEven(PassManager);
impl Pass for RunOnEven {
    const INFO: PassInfo = PassInfo::new("run-on-even", "Run a pipeline");
    fn run(&mut self, cx: &mut PassCx<'_>) -> PassResult {
        if self.0.anchor().accepts("builtin.module") {
            return cx.run_pipeline(&mut self.0, Arena::ROOT);
        }
        let functions: Vec<OpId> = cx.root().regions().flat_map(|r| r.ops()).map(|op| op.id()).collect();
        for function in functions.into_iter().step_by(2) {
            cx.run_pipeline(&mut self.0, function)?;
        }
        cx.emit(Diagnostic::remark(cx.root().loc(), "done"));
        Ok(())
    }
}

fn functions(count: usize) -> String {
    let one = |i: usize| format!("\"t.func\"() <{{sym_name = \"f{i}\"}}> ({{\nt.old : () -> ()\n}}) : () -> ()\n");
    (0..count).map(one).collect()
}

fn run(cx: &Context, module: &mut Arena, inner: PassManager, options: &RunOptions) -> PassOutcome {
    let mut pm = PassManager::new(Anchor::Op("builtin.module".to_owned()));
    pm.add(RunOnEven(inner));
    pm.run(cx, module, options)
}

fn on_functions(pass: impl Pass) -> PassManager {
    let mut pm = PassManager::new(Anchor::Op(FuncOp::NAME.to_owned()));
    pm.add(pass);
    pm
}

#[test]
fn on_nested_operations() {
    let cx = context();
    let mut module = parse(&cx, &functions(5));
    let outcome = run(&cx, &mut module, on_functions(AddPing), &RunOptions::default());
    assert!(!outcome.failed, "{:?}", outcome.diagnostics);
    assert_eq!(print(&cx, &module).matches("t.ping").count(), 3);
    let statistics = outcome.report.statistics_text(Display::Tree);
    let body: Vec<&str> = statistics.lines().skip(3).collect();
    let expected =
        ["run-on-even", "  't.func' Pipeline", "    add-ping", "      (S) 3 num-added - How many were added", ""];
    assert_eq!(body, expected);
}

#[test]
fn on_the_operation_itself() {
    let cx = context();
    let mut module = parse(&cx, &functions(5));
    let mut inner = PassManager::new(Anchor::Op("builtin.module".to_owned()));
    inner.add(AddPing);
    inner.nest(Anchor::Op(FuncOp::NAME.to_owned())).add(AddPing);
    assert!(!run(&cx, &mut module, inner, &RunOptions::default()).failed);
    assert_eq!(print(&cx, &module).matches("t.ping").count(), 6);
}

#[test]
fn failures_are_those_of_the_pass() {
    let cx = context();
    let mut module = parse(&cx, &functions(3));
    let outcome = run(&cx, &mut module, on_functions(Fail), &RunOptions::default());
    assert!(outcome.failed);
    let messages: Vec<_> = outcome.diagnostics.iter().map(|d| d.message.as_str()).collect();
    assert_eq!(messages, ["'t.func' op was made to fail"]);
    assert_eq!(
        outcome.failure.expect("it has failed").notes[0].message,
        "Pipeline failed while executing [`run-on-even` on 'builtin.module' operation, `fail` on 't.func' operation: @f0]"
    );
}

#[test]
fn the_anchor_must_fit() {
    let cx = context();
    let mut module = parse(&cx, &functions(1));
    let inner = PassManager::new(Anchor::Op("t.new_func".to_owned()));
    let outcome = run(&cx, &mut module, inner, &RunOptions::default());
    let messages: Vec<_> = outcome.diagnostics.iter().map(|d| d.message.as_str()).collect();
    assert_eq!(messages, ["'t.func' op can't run 't.new_func' pass manager on 't.func' op"]);
}

/// Writes down what happens.
struct Log(Arc<Mutex<Vec<String>>>);
impl Instrumentation for Log {
    fn before_pass(&self, pass: &PassInfo, op: OpRef<'_>) {
        self.0.lock().push(format!("> {} on {}", pass.name, op.name()));
    }

    fn after_pass(&self, pass: &PassInfo, op: OpRef<'_>, succeeded: bool) {
        self.0.lock().push(format!("< {} on {}: {succeeded}", pass.name, op.name()));
    }
}

#[test]
fn instrumentations_see_passes_nested() {
    let cx = context();
    let mut module = parse(&cx, &functions(1));
    let log = Arc::new(Mutex::new(Vec::new()));
    let options = RunOptions { instrumentations: vec![Box::new(Log(log.clone()))], ..RunOptions::default() };
    run(&cx, &mut module, on_functions(Fail), &options);
    assert_eq!(
        *log.lock(),
        [
            "> run-on-even on builtin.module",
            "> fail on t.func",
            "< fail on t.func: false",
            "< run-on-even on builtin.module: false"
        ]
    );
}
