//! Which nested pipelines run in one sweep, and on what. The expected reports are those of `mlir-opt` for the same pipelines.

use dl_ir::dialect::OpInfo;
use dl_ir::pass::{
    Anchor, Display, Pass, PassCx, PassInfo, PassManager, PassOutcome, PassRegistry, PassResult, RunOptions,
    parse_pipeline,
};

use crate::dialect::{context, parse};

macro_rules! passes {
    ($($ty:ident = $info:expr;)*) => {$(
        #[derive(Clone, Default)]
        struct $ty;
        impl Pass for $ty {
            const INFO: PassInfo = $info;
            fn run(&mut self, _: &mut PassCx<'_>) -> PassResult {
                Ok(())
            }
        }
    )*};
}

fn is_function(op: &OpInfo) -> bool {
    op.mnemonic().ends_with("func")
}

passes! {
    Anywhere = PassInfo::new("anywhere", "On any operation").title("CSE");
    OnModules = PassInfo::new("on-modules", "On modules").on("builtin.module").title("TestModulePass");
    OnFunctions = PassInfo::new("on-functions", "On one kind of function").on("t.func").title("TestFunctionPass");
    OnInterface = PassInfo::new("on-interface", "On all kinds of functions").on_ops(is_function).title("TestInterfacePass");
}

const INPUT: &str = "\"t.func\"() <{sym_name = \"f\"}> ({\n}) : () -> ()\n\"t.new_func\"() <{sym_name = \"g\"}> ({\n}) : () -> ()\n\
                     module {\n\"t.func\"() <{sym_name = \"f\"}> ({\n}) : () -> ()\n}\n";

fn run(pipeline: &str) -> PassOutcome {
    let cx = context();
    let mut registry = PassRegistry::new();
    registry.pass::<Anywhere>().pass::<OnModules>().pass::<OnFunctions>().pass::<OnInterface>();
    let mut module = parse(&cx, INPUT);
    let mut pm: PassManager = parse_pipeline(&cx, &registry, pipeline).expect("a pipeline");
    assert_eq!(pm.text(), pipeline, "what is written is what is printed");
    pm.run(&cx, &mut module, &RunOptions::default())
}

/// The report of the passes that have run.
fn report(pipeline: &str) -> Vec<String> {
    let outcome = run(pipeline);
    assert!(!outcome.failed, "{:?}", outcome.diagnostics);
    outcome.report.statistics_text(Display::Tree).lines().skip(3).map(str::to_owned).collect()
}

#[test]
fn neighbours_for_different_operations_are_one_sweep() {
    let text = "builtin.module(builtin.module(on-modules,t.func(on-functions)),t.func(on-functions),t.func(anywhere))";
    assert_eq!(
        report(text),
        [
            "Pipeline Collection : ['builtin.module', 't.func']",
            "  'builtin.module' Pipeline",
            "    TestModulePass",
            "    't.func' Pipeline",
            "      TestFunctionPass",
            "  't.func' Pipeline",
            "    TestFunctionPass",
            "    CSE",
            ""
        ]
    );
}

#[test]
fn what_takes_any_operation_stands_apart_where_it_could_take_those_of_others() {
    let text = "builtin.module(builtin.module(on-modules),any(on-interface),any(on-interface),t.func(on-functions),\
                any(anywhere),t.func(anywhere))";
    assert_eq!(
        report(text),
        [
            "Pipeline Collection : ['builtin.module', 'any']",
            "  'builtin.module' Pipeline",
            "    TestModulePass",
            "  'any' Pipeline",
            "    TestInterfacePass",
            "'any' Pipeline",
            "  TestInterfacePass",
            "'t.func' Pipeline",
            "  TestFunctionPass",
            "'any' Pipeline",
            "  CSE",
            "'t.func' Pipeline",
            "  CSE",
            ""
        ]
    );
}

#[test]
fn a_pass_that_cannot_run_there_is_an_error() {
    let mut pm = PassManager::new(Anchor::Op("builtin.module".to_owned()));
    pm.add(OnInterface);
    let cx = context();
    let mut module = parse(&cx, INPUT);
    let outcome = pm.run(&cx, &mut module, &RunOptions::default());
    let expected = "unable to schedule pass 'TestInterfacePass' on a PassManager intended to run on 'builtin.module'!";
    assert_eq!(outcome.diagnostics.iter().map(|d| d.message.as_str()).collect::<Vec<_>>(), [expected]);

    let outcome = run("any(anywhere,on-interface)");
    let expected = "'builtin.module' op trying to schedule pass 'TestInterfacePass' on an unsupported operation";
    assert_eq!(outcome.diagnostics.iter().map(|d| d.message.as_str()).collect::<Vec<_>>(), [expected]);
}
