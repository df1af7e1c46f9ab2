//! Analyses: computed once, kept where preserved, for nested operations too.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use dl_ir::pass::{
    Analysis, AnalysisManager, Anchor, Pass, PassCx, PassInfo, PassManager, PassResult, PreservedAnalyses, RunOptions,
};
use dl_ir::{Arena, Context, Diagnostic, OpDefinition};

use crate::dialect::{FuncOp, context, parse};

/// How many operations there are.
struct OpCount(usize);
impl Analysis for OpCount {
    fn build(_: &Context, ir: &Arena, _: &mut AnalysisManager) -> Self {
        Self(dl_ir::walk::ops_in_arena(ir, Arena::ROOT).len())
    }
}

/// Built from another one, and valid as long as that is.
struct Twice(usize);
impl Analysis for Twice {
    fn build(cx: &Context, ir: &Arena, analyses: &mut AnalysisManager) -> Self {
        Self(2 * analyses.get::<OpCount>(cx, ir).0)
    }

    fn is_valid(&self, preserved: &PreservedAnalyses) -> bool {
        preserved.contains::<Self>() || preserved.contains::<OpCount>()
    }
}

/// Says what it knows before it asks, and what it then gets; keeps what its field says.
#[derive(Clone)]
struct Ask {
    keep: Keep,
    asked: Arc<AtomicUsize>,
}

#[derive(Clone, Copy)]
enum Keep {
    All,
    OpCount,
    Nothing,
}

impl Pass for Ask {
    const INFO: PassInfo = PassInfo::new("ask", "Ask for analyses");
    fn run(&mut self, cx: &mut PassCx<'_>) -> PassResult {
        self.asked.fetch_add(1, Ordering::Relaxed);
        let known = (cx.cached_analysis::<OpCount>().is_some(), cx.cached_analysis::<Twice>().is_some());
        let around = cx.cached_parent_analysis::<OpCount>().map(|count| count.0);
        let got = cx.analysis::<Twice>().0;
        let name = cx.root().symbol_name().unwrap_or("module").to_owned();
        let text = format!("{name}: knew {known:?}, around {around:?}, got {got}");
        cx.emit(Diagnostic::remark(cx.root().loc(), text));
        match self.keep {
            Keep::All => cx.preserve_all(),
            Keep::OpCount => cx.preserve::<OpCount>(),
            Keep::Nothing => {}
        }
        Ok(())
    }
}

/// Runs `build` on a module with a function of one operation; the remarks.
fn remarks(build: impl Fn(&mut PassManager, &dyn Fn(Keep) -> Ask)) -> Vec<String> {
    let cx = context();
    let mut module = parse(&cx, "\"t.func\"() <{sym_name = \"f\"}> ({\nt.old : () -> ()\n}) : () -> ()");
    let mut pm = PassManager::new(Anchor::Op("builtin.module".to_owned()));
    let asked = Arc::new(AtomicUsize::new(0));
    build(&mut pm, &|keep| Ask { keep, asked: asked.clone() });
    let outcome = pm.run(&cx, &mut module, &RunOptions::default());
    assert!(!outcome.failed);
    assert_eq!(asked.load(Ordering::Relaxed), outcome.diagnostics.len());
    outcome.diagnostics.iter().map(|d| d.message.clone()).collect()
}

fn on_function(pm: &mut PassManager) -> &mut PassManager {
    pm.nest(Anchor::Op(FuncOp::NAME.to_owned()))
}

#[test]
fn what_is_preserved_is_kept() {
    let all = remarks(|pm, ask| {
        pm.add(ask(Keep::All)).add(ask(Keep::OpCount)).add(ask(Keep::Nothing)).add(ask(Keep::All));
    });
    let new = "module: knew (false, false), around None, got 4";
    let kept = "module: knew (true, true), around None, got 4";
    assert_eq!(all, [new, kept, kept, new]);
}

#[test]
fn nested_operations_have_their_own() {
    let all = remarks(|pm, ask| {
        pm.add(ask(Keep::All));
        on_function(pm).add(ask(Keep::All)).add(ask(Keep::All));
    });
    let module = "module: knew (false, false), around None, got 4";
    let first = "f: knew (false, false), around Some(2), got 4";
    assert_eq!(all, [module, first, "f: knew (true, true), around Some(2), got 4"]);
}

#[test]
fn a_pass_around_decides_about_those_inside() {
    for (keep, known) in [(Keep::All, true), (Keep::OpCount, true), (Keep::Nothing, false)] {
        let all = remarks(|pm, ask| {
            on_function(pm).add(ask(Keep::All));
            pm.add(ask(keep));
            on_function(pm).add(ask(Keep::All));
        });
        assert_eq!(all[2].split(',').next(), Some(format!("f: knew ({known}").as_str()), "{all:?}");
    }
}

/// Asks for an analysis of each function from around.
#[derive(Clone)]
struct AskChildren;
impl Pass for AskChildren {
    const INFO: PassInfo = PassInfo::new("ask-children", "Ask for analyses of nested operations");
    fn run(&mut self, cx: &mut PassCx<'_>) -> PassResult {
        let functions: Vec<_> = cx.root().regions().flat_map(|r| r.ops()).map(|op| op.id()).collect();
        for function in functions {
            let (first, again) = (cx.child_analysis::<OpCount>(function), cx.child_analysis::<OpCount>(function));
            assert!(Arc::ptr_eq(&first, &again), "it is computed once");
        }
        cx.preserve_all();
        Ok(())
    }
}

#[test]
fn analyses_from_around_are_known_inside() {
    let all = remarks(|pm, ask| {
        on_function(pm).add(ask(Keep::Nothing));
        pm.add(ask(Keep::All));
    });
    assert_eq!(all.len(), 2);
    let cx = context();
    let mut module = parse(&cx, "\"t.func\"() <{sym_name = \"f\"}> ({\nt.old : () -> ()\n}) : () -> ()");
    let mut pm = PassManager::new(Anchor::Op("builtin.module".to_owned()));
    pm.add(AskChildren);
    on_function(&mut pm).add(Ask { keep: Keep::All, asked: Arc::default() });
    let outcome = pm.run(&cx, &mut module, &RunOptions::default());
    let messages: Vec<_> = outcome.diagnostics.iter().map(|d| d.message.as_str()).collect();
    assert_eq!(messages, ["f: knew (true, false), around None, got 4"]);
    let timing = outcome.report.timing_text(
        dl_ir::pass::Display::List,
        dl_ir::pass::Format::Text,
        std::time::Duration::from_secs(1),
    );
    assert!(timing.contains("(A) OpCount"), "{timing}");
}
