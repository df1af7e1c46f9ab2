//! The conversion driver.

use std::sync::Arc;

use dl_ir::rewrite::conversion::{
    ConversionConfig, ConversionPattern, ConversionPatterns, ConversionRewriter, ConversionTarget, Converted,
    TypeConverter, apply_full_conversion, apply_partial_conversion,
};
use dl_ir::rewrite::{NoMatch, Rewrite};
use dl_ir::{OpDefinition, OpId, OpState, Type};
use smallvec::SmallVec;

use crate::dialect::{AddOp, ConstOp, FuncOp, NewFuncOp, NewOp, OldOp, PingOp, context, parse, print};

/// `t.old` becomes `t.new` of converted types.
struct OldToNew;
impl ConversionPattern for OldToNew {
    const NAME: &'static str = "t-old-to-new";
    const ROOT: Option<&'static str> = Some(OldOp::NAME);
    fn rewrite(&self, op: OpId, operands: Converted<'_>, rw: &mut ConversionRewriter<'_>) -> Rewrite {
        let (cx, loc, types) = (rw.cx(), rw.op(op).loc(), rw.op(op).results().types());
        let converter = rw.converter();
        let counts: Option<Vec<usize>> = types.iter().map(|&ty| converter.convert(cx, ty).map(|t| t.len())).collect();
        let (Some(counts), Some(types)) = (counts, converter.convert_all(cx, types)) else {
            return Err(NoMatch("a result type cannot be converted"));
        };
        let new = rw.create(OpState::of::<NewOp<'_>>(loc).operands(operands.all()).results(types));
        let mut results = rw.ir().results(new).collect::<Vec<_>>().into_iter();
        let values: Vec<SmallVec<[_; 1]>> = counts.into_iter().map(|n| results.by_ref().take(n).collect()).collect();
        rw.replace_many(op, &values);
        Ok(())
    }
}

/// Constants of `t` become `t.new` without operands.
struct ConstToNew;
impl ConversionPattern for ConstToNew {
    const NAME: &'static str = "t-const-to-new";
    const ROOT: Option<&'static str> = Some(ConstOp::NAME);
    fn rewrite(&self, op: OpId, _: Converted<'_>, rw: &mut ConversionRewriter<'_>) -> Rewrite {
        let (cx, loc) = (rw.cx(), rw.op(op).loc());
        let ty = rw.convert_type(rw.op(op).result(0).ty().id())?;
        let value = ConstOp(rw.op(op)).value().id();
        rw.replace_with(op, OpState::of::<NewOp<'_>>(loc).attr(cx, "value", value).results([ty]));
        Ok(())
    }
}

/// `t.func` becomes `t.new_func` in place, with converted block arguments.
struct FuncToNew;
impl ConversionPattern for FuncToNew {
    const NAME: &'static str = "t-func-to-new";
    const ROOT: Option<&'static str> = Some(FuncOp::NAME);
    fn rewrite(&self, op: OpId, _: Converted<'_>, rw: &mut ConversionRewriter<'_>) -> Rewrite {
        let Some(mut body) = rw.enter(op) else { return Err(NoMatch("no body")) };
        let regions = body.ir().op_regions(dl_ir::Arena::ROOT).to_vec();
        for region in regions {
            body.convert_region_types(region)?;
        }
        let name = rw.cx().op_name(NewFuncOp::NAME);
        rw.set_name(op, name);
        Ok(())
    }
}

/// `t.old` declares a helper and calls it `t.new`.
struct OldToHelper;
impl ConversionPattern for OldToHelper {
    const NAME: &'static str = "t-old-to-helper";
    const ROOT: Option<&'static str> = Some(OldOp::NAME);
    fn rewrite(&self, op: OpId, _: Converted<'_>, rw: &mut ConversionRewriter<'_>) -> Rewrite {
        rw.declare_symbol("helper", |rw| {
            let cx = rw.cx();
            let state = OpState::of::<FuncOp<'_>>(dl_ir::Loc::UNKNOWN);
            rw.create_isolated(state.attr(cx, "sym_name", cx.string_attr("helper")), 1);
        });
        let loc = rw.op(op).loc();
        rw.replace_with(op, OpState::of::<NewOp<'_>>(loc));
        Ok(())
    }
}

/// Makes the operation that it has just rewritten.
struct OldToOld;
impl ConversionPattern for OldToOld {
    const NAME: &'static str = "t-old-to-old";
    const ROOT: Option<&'static str> = Some(OldOp::NAME);
    fn rewrite(&self, op: OpId, _: Converted<'_>, rw: &mut ConversionRewriter<'_>) -> Rewrite {
        let loc = rw.op(op).loc();
        rw.replace_with(op, OpState::of::<OldOp<'_>>(loc));
        Ok(())
    }
}

/// `t.old` becomes `t.ping`.
struct OldToPing;
impl ConversionPattern for OldToPing {
    const NAME: &'static str = "t-old-to-ping";
    const ROOT: Option<&'static str> = Some(OldOp::NAME);
    fn rewrite(&self, op: OpId, _: Converted<'_>, rw: &mut ConversionRewriter<'_>) -> Rewrite {
        let loc = rw.op(op).loc();
        rw.replace_with(op, OpState::of::<PingOp<'_>>(loc));
        Ok(())
    }
}

/// `t.ping` becomes `t.old`.
struct PingToOld;
impl ConversionPattern for PingToOld {
    const NAME: &'static str = "t-ping-to-old";
    const ROOT: Option<&'static str> = Some(PingOp::NAME);
    fn rewrite(&self, op: OpId, _: Converted<'_>, rw: &mut ConversionRewriter<'_>) -> Rewrite {
        let loc = rw.op(op).loc();
        rw.replace_with(op, OpState::of::<OldOp<'_>>(loc));
        Ok(())
    }
}

/// `i32` becomes `i64`, `f32` becomes two `i16`, other types stay.
fn converter() -> Arc<TypeConverter> {
    let mut converter = TypeConverter::new();
    converter.keep_others();
    converter.rule(|_, cx, ty| (ty == cx.i32_type()).then(|| cx.i64_type()));
    converter.rule_many(|_, cx, ty| {
        let pair = || smallvec::smallvec![cx.int_type(16), cx.int_type(16)];
        cx.ty(ty).is_float().then(pair)
    });
    Arc::new(converter)
}

fn target() -> ConversionTarget {
    let mut target = ConversionTarget::new();
    target.legal_ops(&[NewOp::NAME, NewFuncOp::NAME]).illegal_ops(&[OldOp::NAME, FuncOp::NAME]);
    target
}

fn all_patterns() -> ConversionPatterns {
    let mut patterns = ConversionPatterns::new();
    let converter = converter();
    patterns.add(&converter, OldToNew).add(&converter, ConstToNew).add(&converter, FuncToNew);
    patterns
}

/// The converted text, or the errors.
fn convert(text: &str, target: &ConversionTarget, patterns: ConversionPatterns, full: bool) -> String {
    let cx = context();
    let mut module = parse(&cx, text);
    let (patterns, config) = (patterns.freeze(), ConversionConfig::default());
    let apply = if full { apply_full_conversion } else { apply_partial_conversion };
    match apply(&cx, &mut module, target, &patterns, &config) {
        Ok(()) => print(&cx, &module),
        Err(errors) => errors.iter().map(|e| e.message.clone()).collect::<Vec<_>>().join("\n"),
    }
}

fn partial(text: &str) -> String {
    convert(text, &target(), all_patterns(), false)
}

#[test]
fn casts_between_converted_operations_vanish() {
    let text = "%a = t.old : () -> (i32)\n%b = t.old %a, %a : (i32, i32) -> (i32)\nt.old %b : (i32) -> ()";
    assert_eq!(partial(text), "%0 = t.new : () -> i64\n%1 = t.new %0, %0 : (i64, i64) -> i64\nt.new %1 : (i64) -> ()");
}

#[test]
fn a_cast_stays_before_what_is_not_converted() {
    let text = "%a = t.old : () -> (i32)\nt.use %a, %a : i32, i32";
    assert_eq!(
        partial(text),
        "%0 = t.new : () -> i64\n%1 = unrealized_conversion_cast %0 : i64 to i32\nt.use %1, %1 : i32, i32"
    );
}

#[test]
fn a_cast_stays_after_what_is_not_converted() {
    let text = "%c = t.const 1 : i32\n%a = t.add %c, %c : i32\n%b = t.add %a, %a : i32\n\
                t.old %a : (i32) -> ()\nt.old %a, %b : (i32, i32) -> ()";
    let mut target = target();
    target.legal_ops(&[AddOp::NAME, ConstOp::NAME]);
    assert_eq!(
        convert(text, &target, all_patterns(), false),
        "%0 = t.const 1 : i32\n%1 = t.add %0, %0 : i32\n%2 = unrealized_conversion_cast %1 : i32 to i64\n\
         %3 = t.add %1, %1 : i32\n%4 = unrealized_conversion_cast %3 : i32 to i64\n\
         t.new %2 : (i64) -> ()\nt.new %2, %4 : (i64, i64) -> ()"
    );
}

#[test]
fn one_value_becomes_two() {
    let text = "%a = t.old : () -> (f32)\n%b = t.old %a : (f32) -> (i32)\nt.old %b, %a : (i32, f32) -> ()";
    assert_eq!(
        partial(text),
        "%0:2 = t.new : () -> (i16, i16)\n%1 = t.new %0#0, %0#1 : (i16, i16) -> i64\n\
         t.new %1, %0#0, %0#1 : (i64, i16, i16) -> ()"
    );
}

#[test]
fn operations_that_are_not_legal_fold_first() {
    let text = "%a = t.const 1 : i32\n%b = t.const 2 : i32\n%c = t.add %a, %b : i32\nt.old %c : (i32) -> ()";
    let mut target = target();
    target.illegal_ops(&[AddOp::NAME, ConstOp::NAME]);
    let printed = convert(text, &target, all_patterns(), false);
    assert!(printed.ends_with("%2 = t.new {value = 3 : i32} : () -> i64\nt.new %2 : (i64) -> ()"), "{printed}");
}

#[test]
fn isolated_operations_and_their_block_arguments() {
    let text = "\"t.func\"() <{sym_name = \"f\"}> ({\n^bb0(%x: i32, %y: f32):\n%a = t.old %x, %y : (i32, f32) -> (i32)\nt.use %a, %x : i32, i32\n}) : () -> ()";
    let printed = partial(text);
    let lines: Vec<&str> = printed.lines().map(str::trim).collect();
    assert_eq!(
        &lines[1..6],
        [
            "^bb0(%arg0: i64, %arg1: i16, %arg2: i16):",
            "%0 = builtin.unrealized_conversion_cast %arg0 : i64 to i32",
            "%1 = t.new %arg0, %arg1, %arg2 : (i64, i16, i16) -> i64",
            "%2 = builtin.unrealized_conversion_cast %1 : i64 to i32",
            "t.use %2, %0 : i32, i32",
        ],
        "{printed}"
    );
    assert!(lines[0].starts_with("\"t.new_func\"()"), "{printed}");
}

#[test]
fn symbols_are_declared_once_at_the_start_of_the_table() {
    let one =
        |name: &str| format!("\"t.new_func\"() <{{sym_name = \"{name}\"}}> ({{\nt.old : () -> ()\n}}) : () -> ()\n");
    let mut patterns = ConversionPatterns::new();
    patterns.add(&converter(), OldToHelper).add(&converter(), FuncToNew);
    let printed = convert(&(one("f") + &one("g")), &target(), patterns, false);
    assert_eq!(printed.matches("sym_name = \"helper\"").count(), 1, "{printed}");
    assert!(printed.starts_with("\"t.new_func\"() <{sym_name = \"helper\"}>"), "{printed}");
}

#[test]
fn what_stays_illegal_is_an_error() {
    let text = "%a = t.old : () -> (i32)";
    let none = || convert(text, &target(), ConversionPatterns::new(), false);
    assert_eq!(none(), "failed to legalize operation 't.old' that was explicitly marked illegal");
    let full = convert(
        "\"t.ping\"() : () -> ()",
        &{
            let mut target = target();
            target.legal_ops(&["builtin.module"]);
            target
        },
        ConversionPatterns::new(),
        true,
    );
    assert_eq!(full, "failed to legalize operation 't.ping'");
    let partial = convert("\"t.ping\"() : () -> ()", &target(), ConversionPatterns::new(), false);
    assert_eq!(partial, "\"t.ping\"() : () -> ()");
}

#[test]
fn patterns_without_end_are_an_error() {
    let mut patterns = ConversionPatterns::new();
    patterns.add(&converter(), OldToOld);
    let message = convert("t.old : () -> ()", &target(), patterns, false);
    assert_eq!(message, "'t.old' op conversion does not terminate: pattern 't-old-to-old' makes it again and again");
    let mut patterns = ConversionPatterns::new();
    patterns.add(&converter(), OldToPing).add(&converter(), PingToOld);
    let message = convert("t.old : () -> ()", &target(), patterns, false);
    let names = "pattern 't-old-to-ping' and pattern 't-ping-to-old'";
    assert!(message.ends_with(&format!("does not terminate: {names} make it again and again")), "{message}");
}

#[test]
fn recursive_legality_hides_what_is_inside() {
    let text = "\"t.new_func\"() <{sym_name = \"f\"}> ({\nt.old : () -> ()\n}) : () -> ()";
    let mut target = target();
    target.recursively_legal_op(NewFuncOp::NAME);
    let printed = convert(text, &target, all_patterns(), false);
    assert!(printed.contains("t.old"), "{printed}");
}

#[test]
fn materializations_replace_the_casts_that_stay() {
    let mut converter = TypeConverter::new();
    converter.keep_others();
    converter.rule(|_, cx, ty| (ty == cx.i32_type()).then(|| cx.i64_type()));
    converter.source_materialization(|rw, ty: Type, values, loc| {
        Some(rw.create_value(OpState::of::<NewOp<'_>>(loc).operands(values.iter().copied()).results([ty])))
    });
    let mut patterns = ConversionPatterns::new();
    patterns.add(&Arc::new(converter), OldToNew);
    let printed = convert("%a = t.old : () -> (i32)\nt.use %a : i32", &target(), patterns, false);
    assert_eq!(printed, "%0 = t.new : () -> i64\n%1 = t.new %0 : (i64) -> i32\nt.use %1 : i32");
}
