//! Printing of IR before and after passes.

use std::sync::Arc;

use dl_ir::Arena;
use dl_ir::pass::{
    Anchor, DumpCounters, IrDump, IrPrinting, Pass, PassCx, PassFilter, PassInfo, PassManager, PassResult, RunOptions,
};
use dl_ir::text::PrintOptions;
use parking_lot::Mutex;

use crate::dialect::{context, parse};

macro_rules! nops {
    ($($ty:ident = $name:literal;)*) => {$(
        #[derive(Clone, Default)]
        struct $ty;
        impl Pass for $ty {
            const INFO: PassInfo = PassInfo::new($name, "Do nothing");
            fn run(&mut self, _: &mut PassCx<'_>) -> PassResult {
                Ok(())
            }
        }
    )*};
}

nops! {
    A = "a";
    B = "b";
}

/// Runs a pipeline on the function `f`.
#[derive(Clone)]
struct Dynamic(PassManager);
impl Pass for Dynamic {
    const INFO: PassInfo = PassInfo::new("dynamic", "Run a pipeline");
    fn run(&mut self, cx: &mut PassCx<'_>) -> PassResult {
        let child = cx.root().regions().flat_map(|r| r.ops()).next().expect("a function").id();
        cx.run_pipeline(&mut self.0, child)
    }
}

const INPUT: &str = "module @outer {\nmodule @inner {\n\"t.func\"() <{sym_name = \"f\"}> ({\n}) : () -> ()\n}\n}";

/// Names of the files that the dumps belong in, as `mlir-opt` has them for `--mlir-print-ir-tree-dir`.
fn files(pm: &mut PassManager) -> Vec<String> {
    let dumps = Arc::new(Mutex::new(Vec::new()));
    let sink = dumps.clone();
    let printing = IrPrinting {
        before: PassFilter::Never,
        after: PassFilter::Always,
        only_changed: false,
        only_failed: false,
        module_scope: false,
        options: PrintOptions::default(),
        sink: Box::new(move |dump: &IrDump<'_>| {
            let folders = dump.scope.iter().map(|(op, symbol)| format!("{op}:{}", symbol.as_deref().unwrap_or("-")));
            let counts: Vec<_> = dump.counts.iter().map(ToString::to_string).collect();
            let folders: Vec<_> = folders.collect();
            sink.lock().push(format!("{}/{}_{}", folders.join("/"), counts.join("_"), dump.pass));
        }),
        counters: DumpCounters::default(),
    };
    let cx = context();
    let mut module: Box<Arena> = parse(&cx, INPUT);
    let outcome = pm.run(&cx, &mut module, &RunOptions { printing: Some(printing), ..RunOptions::default() });
    assert!(!outcome.failed, "{:?}", outcome.diagnostics);
    dumps.lock().clone()
}

fn anchor(name: &str) -> Anchor {
    Anchor::Op(name.to_owned())
}

#[test]
fn dumps_are_numbered_by_operation() {
    let mut pm = PassManager::new(anchor("builtin.module"));
    pm.add(A).add(A);
    let inner = pm.nest(anchor("builtin.module"));
    inner.add(A);
    inner.nest(anchor("t.func")).add(B).add(A);
    inner.add(B);
    pm.add(B);
    let (top, inner, f) = ("builtin.module:outer", "builtin.module:outer/builtin.module:inner", "t.func:f");
    assert_eq!(
        files(&mut pm),
        [
            format!("{top}/0_a"),
            format!("{top}/1_a"),
            format!("{inner}/1_0_a"),
            format!("{inner}/{f}/1_0_0_b"),
            format!("{inner}/{f}/1_0_1_a"),
            format!("{inner}/1_1_b"),
            format!("{top}/2_b"),
        ]
    );
}

#[test]
fn pipelines_of_passes_know_where_they_are() {
    let mut dynamic = PassManager::new(anchor("t.func"));
    dynamic.add(A);
    let mut pm = PassManager::new(anchor("builtin.module"));
    pm.nest(anchor("builtin.module")).add(Dynamic(dynamic));
    let inner = "builtin.module:outer/builtin.module:inner";
    assert_eq!(files(&mut pm), [format!("{inner}/t.func:f/0_0_0_a"), format!("{inner}/0_1_dynamic")]);
}
