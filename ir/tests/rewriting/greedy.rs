//! The greedy driver.

use dl_ir::rewrite::greedy::{GreedyConfig, GreedyResult, apply_patterns_greedily};
use dl_ir::rewrite::{NoMatch, Pattern, Patterns, Rewrite};
use dl_ir::{OpDefinition, OpId, OpState, OpView, Rewriter};

use crate::dialect::{AddOp, NewOp, OldOp, PingOp, PongOp, context, parse, print};

struct PingToPong;
impl Pattern for PingToPong {
    const NAME: &'static str = "t-ping-to-pong";
    const ROOT: Option<&'static str> = Some(PingOp::NAME);
    fn rewrite(&self, op: OpId, rw: &mut Rewriter<'_>) -> Rewrite {
        let loc = rw.op(op).loc();
        rw.replace_with(op, OpState::of::<PongOp<'_>>(loc));
        Ok(())
    }
}

struct PongToPing;
impl Pattern for PongToPing {
    const NAME: &'static str = "t-pong-to-ping";
    const ROOT: Option<&'static str> = Some(PongOp::NAME);
    fn rewrite(&self, op: OpId, rw: &mut Rewriter<'_>) -> Rewrite {
        let loc = rw.op(op).loc();
        rw.replace_with(op, OpState::of::<PingOp<'_>>(loc));
        Ok(())
    }
}

/// `old(x)` becomes `x + x`.
struct OldToSum;
impl Pattern for OldToSum {
    const NAME: &'static str = "t-old-to-sum";
    const ROOT: Option<&'static str> = Some(OldOp::NAME);
    fn rewrite(&self, op: OpId, rw: &mut Rewriter<'_>) -> Rewrite {
        let old = OldOp::wrap(rw.op(op));
        let Some(x) = old.values().get(0) else { return Err(NoMatch("no operand")) };
        let state = OpState::of::<AddOp<'_>>(old.0.loc()).operands([x.id(), x.id()]);
        rw.replace_with(op, state);
        Ok(())
    }
}

fn drive(text: &str, patterns: Patterns, config: &GreedyConfig) -> (String, GreedyResult) {
    let cx = context();
    let mut module = parse(&cx, text);
    let result = apply_patterns_greedily(&cx, &mut module, &patterns.freeze(), config);
    (print(&cx, &module), result)
}

fn fold(text: &str) -> String {
    drive(text, Patterns::new(), &GreedyConfig::default()).0
}

#[test]
fn folds_chains_and_erases_what_is_dead() {
    let text =
        "%a = t.const 1 : i32\n%b = t.const 2 : i32\n%c = t.add %a, %b : i32\n%d = t.add %c, %b : i32\nt.use %d : i32";
    assert_eq!(fold(text), "%0 = t.const 5 : i32\nt.use %0 : i32");
}

#[test]
fn constants_merge_at_the_start_of_each_isolated_operation() {
    let body = "^bb0(%x: i32):\n%a = t.add %x, %x : i32\n%b = t.const 2 : i32\n%c = t.const 2 : i32\nt.use %a, %b, %c : i32, i32, i32";
    let printed = fold(&format!("\"t.func\"() <{{sym_name = \"f\"}}> ({{\n{body}\n}}) : () -> ()"));
    let lines: Vec<&str> = printed.lines().map(str::trim).collect();
    assert_eq!(
        &lines[2..5],
        ["%0 = t.const 2 : i32", "%1 = t.add %arg0, %arg0 : i32", "t.use %1, %0, %0 : i32, i32, i32"],
        "{printed}"
    );
}

#[test]
fn neutral_constants_fold_on_either_side() {
    let text = "%x = t.old : () -> (i32)\n%z = t.const 0 : i32\n%a = t.add %z, %x : i32\nt.use %a : i32";
    assert_eq!(fold(text), "%0 = t.old : () -> i32\nt.use %0 : i32");
}

#[test]
fn patterns_apply_to_what_patterns_make() {
    let mut patterns = Patterns::new();
    patterns.add(OldToSum);
    let text = "%a = t.const 3 : i32\n%b = t.old %a : (i32) -> (i32)\n%c = t.old %b : (i32) -> (i32)\nt.use %c : i32";
    let (printed, result) = drive(text, patterns, &GreedyConfig::default());
    assert_eq!(printed, "%0 = t.const 12 : i32\nt.use %0 : i32");
    assert!(result.changed && result.converged);
}

#[test]
fn nothing_to_do_changes_nothing() {
    let (_, result) = drive("%x = t.old : () -> (i32)\nt.use %x : i32", Patterns::new(), &GreedyConfig::default());
    assert_eq!(result, GreedyResult { converged: true, ..GreedyResult::default() });
}

#[test]
fn patterns_that_undo_each_other_are_named() {
    let mut patterns = Patterns::new();
    patterns.add(PingToPong).add(PongToPing);
    let config = GreedyConfig { fuel: 10_000, ..GreedyConfig::default() };
    let (_, result) = drive("\"t.ping\"() : () -> ()", patterns, &config);
    assert!(!result.converged && result.endless);
    let rewrites = [("pattern 't-ping-to-pong'".to_owned(), 512), ("pattern 't-pong-to-ping'".to_owned(), 512)];
    assert_eq!(result.recurrence.rewrites, rewrites);
    let text = result.recurrence.to_string();
    assert_eq!(text, "pattern 't-ping-to-pong' and pattern 't-pong-to-ping' undo each other");
}

/// `x + y` becomes `0 + (x + y)`, which folds back.
struct AddZero;
impl Pattern for AddZero {
    const NAME: &'static str = "t-add-zero";
    const ROOT: Option<&'static str> = Some(AddOp::NAME);
    const LABELS: &'static [&'static str] = &["t-zeros"];
    fn rewrite(&self, op: OpId, rw: &mut Rewriter<'_>) -> Rewrite {
        let (x, loc) = (rw.op(op).operand(0).id(), rw.op(op).loc());
        let old = rw.create_value(OpState::of::<OldOp<'_>>(loc).results([rw.value_type(x).id()]));
        let zero = rw.cx().int_attr(rw.value_type(x).id(), 0);
        let state = OpState::named("t.const", loc).attr(rw.cx(), "value", zero).results([rw.value_type(x).id()]);
        let zero = rw.create_value(state);
        let sum = rw.create_value(OpState::of::<AddOp<'_>>(loc).operands([old, zero]).results([rw.value_type(x).id()]));
        rw.replace(op, &[sum]);
        Ok(())
    }
}

/// `old() : t` becomes `old() + old()`.
struct OldToTwo;
impl Pattern for OldToTwo {
    const NAME: &'static str = "t-old-to-two";
    const ROOT: Option<&'static str> = Some(OldOp::NAME);
    fn rewrite(&self, op: OpId, rw: &mut Rewriter<'_>) -> Rewrite {
        let (ty, loc) = (rw.op(op).result(0).ty().id(), rw.op(op).loc());
        let new = rw.create_value(OpState::of::<NewOp<'_>>(loc).results([ty]));
        rw.replace_with(op, OpState::of::<AddOp<'_>>(loc).operands([new, new]).results([ty]));
        Ok(())
    }
}

#[test]
fn a_fold_that_undoes_a_pattern_is_named() {
    let mut patterns = Patterns::new();
    patterns.add(AddZero).add(OldToTwo);
    let config = GreedyConfig { fuel: 10_000, ..GreedyConfig::default() };
    let text = "%a = t.new : () -> (i32)\n%b = t.add %a, %a : i32\nt.use %b : i32";
    let (_, result) = drive(text, patterns, &config);
    let names: Vec<&str> = result.recurrence.rewrites.iter().map(|(name, _)| name.as_str()).collect();
    assert!(result.endless);
    assert_eq!(names, ["folding of 't.add'", "pattern 't-add-zero'", "pattern 't-old-to-two'"]);
}

#[test]
fn iterations_without_a_limit_end() {
    let mut patterns = Patterns::new();
    patterns.add(PingToPong).add(PongToPing);
    let config = GreedyConfig { max_rewrites: Some(1), max_iterations: None, ..GreedyConfig::default() };
    let (_, result) = drive("\"t.ping\"() : () -> ()", patterns, &config);
    assert!(result.endless && result.recurrence.rewrites.len() == 2, "{result:?}");
}

#[test]
fn patterns_are_selected_by_name_or_label() {
    let left = |enable: &[&str], disable: &[&str]| {
        let mut patterns = Patterns::new();
        patterns.add(PingToPong).add(PongToPing).add(AddZero);
        let owned = |names: &[&str]| names.iter().map(|&name| name.to_owned()).collect::<Vec<_>>();
        patterns.select(&owned(enable), &owned(disable))?;
        Ok::<_, String>(patterns.iter().map(|pattern| pattern.name).collect::<Vec<_>>())
    };
    assert_eq!(left(&[], &["t-zeros"]).unwrap(), ["t-ping-to-pong", "t-pong-to-ping"]);
    assert_eq!(left(&["t-ping-to-pong", "t-zeros"], &[]).unwrap(), ["t-ping-to-pong", "t-add-zero"]);
    assert_eq!(left(&["t-ping-to-pong"], &["t-ping-to-pong"]).unwrap(), [""; 0]);
    let message = left(&[], &["t-zeroes"]).unwrap_err();
    assert_eq!(message, "no pattern is called 't-zeroes', did you mean 't-zeros'?");
}

#[test]
fn limits_stop_without_a_cycle() {
    let mut patterns = Patterns::new();
    patterns.add(PingToPong).add(PongToPing);
    let config = GreedyConfig { max_rewrites: Some(1), max_iterations: Some(3), ..GreedyConfig::default() };
    let (printed, result) = drive("\"t.ping\"() : () -> ()", patterns, &config);
    assert_eq!(printed, "\"t.pong\"() : () -> ()", "three rewrites");
    assert!(result.changed && !result.converged && !result.endless);
}

/// `new(new(x + y))` becomes `x + y`, by a look at two definitions.
struct NewOfNewOfSum;
impl Pattern for NewOfNewOfSum {
    const NAME: &'static str = "t-new-of-new-of-sum";
    const ROOT: Option<&'static str> = Some(NewOp::NAME);
    const LOCAL: bool = true;
    fn rewrite(&self, op: OpId, rw: &mut Rewriter<'_>) -> Rewrite {
        let view = rw.op(op);
        let inner = view.operands().get(0).and_then(|x| x.def::<NewOp<'_>>()).ok_or(NoMatch("not of new"))?;
        let first = inner.values().get(0).and_then(|x| x.def::<AddOp<'_>>()).ok_or(NoMatch("not of a sum"))?;
        let sum = first.result().id();
        rw.replace(op, &[sum]);
        Ok(())
    }
}

#[test]
fn local_patterns_are_tried_again_where_they_see_a_change() {
    let mut patterns = Patterns::new();
    patterns.add(OldToSum).add(NewOfNewOfSum);
    // From the last operation to the first one: when the definition that decides becomes a sum, both others have been looked at, and only
    // its user comes back in the same iteration.
    let text = "%x = t.const 1 : i32\n%a = t.old %x : (i32) -> i32\n%b = t.new %a : (i32) -> i32\n%c = t.new %b : (i32) -> i32\nt.use %b, %c : i32, i32";
    let config = GreedyConfig { fold: false, ..GreedyConfig::default() };
    let (printed, result) = drive(text, patterns, &config);
    let expected =
        "%0 = t.const 1 : i32\n%1 = t.add %0, %0 : i32\n%2 = t.new %1 : (i32) -> i32\nt.use %2, %1 : i32, i32";
    assert_eq!(printed, expected);
    assert!(result.converged);
}

/// `old` with one user becomes `new`, which is not local though it says so.
struct OldOnce;
impl Pattern for OldOnce {
    const NAME: &'static str = "t-old-once";
    const ROOT: Option<&'static str> = Some(OldOp::NAME);
    const LOCAL: bool = true;
    fn rewrite(&self, op: OpId, rw: &mut Rewriter<'_>) -> Rewrite {
        let view = rw.op(op);
        if !view.result(0).has_one_use() {
            return Err(NoMatch("several users"));
        }
        let (loc, types) = (view.loc(), view.results().types());
        rw.replace_with(op, OpState::of::<NewOp<'_>>(loc).results(types));
        Ok(())
    }
}

#[test]
fn patterns_that_are_not_local_though_they_say_so_are_found_in_debug_builds() {
    let drive = || {
        let mut patterns = Patterns::new();
        patterns.add(OldOnce);
        let text = "%a = t.old : () -> i32\n%dead = t.add %a, %a : i32\nt.use %a : i32";
        drive(text, patterns, &GreedyConfig { top_down: true, ..GreedyConfig::default() });
    };
    let panic = std::panic::catch_unwind(drive).err();
    let expected = cfg!(debug_assertions).then_some("what rewrites 't.old' is not local");
    assert_eq!(panic.as_ref().and_then(|panic| panic.downcast_ref::<String>()).map(String::as_str), expected);
}

#[test]
fn threads_do_not_show() {
    let one = |i: usize| {
        format!(
            "\"t.func\"() <{{sym_name = \"f{i}\"}}> ({{\n%a = t.const {i} : i32\n%b = t.add %a, %a : i32\nt.use %b : i32\n}}) : () -> ()\n"
        )
    };
    let text: String = (0..50).map(one).collect();
    let mut results = [true, false].map(|threads| {
        let mut cx = context();
        cx.set_threading(threads);
        let mut module = parse(&cx, &text);
        apply_patterns_greedily(&cx, &mut module, &Patterns::new().freeze(), &GreedyConfig::default());
        print(&cx, &module)
    });
    let second = results[1].clone();
    assert!(results[0].contains("t.const 98 : i32"));
    assert_eq!(std::mem::take(&mut results[0]), second);
}
