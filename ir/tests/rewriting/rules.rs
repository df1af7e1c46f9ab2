//! Patterns written with `rewrite!`.

use dl_ir::builtin::ANY_TYPE;
use dl_ir::constraints::I64_ATTR;
use dl_ir::rewrite::greedy::{GreedyConfig, apply_patterns_greedily};
use dl_ir::rewrite::{NoMatch, Patterns};
use dl_ir::text::{parse_source, print_op};
use dl_ir::{Context, Dialect, DialectBuilder, OpDefinition, OpRef};

dl_ir::op! {
    /// The opposite of a number.
    NegOp = "toy.neg" {
        operands: [x: Single(ANY_TYPE)],
        results: [result: Single(ANY_TYPE)],
        traits: [Pure, SameOperandsAndResultType],
        format: "$x attr-dict `:` type($x)",
    }

    /// The sum of two numbers.
    AddOp = "toy.add" {
        operands: [x: Single(ANY_TYPE), y: Single(ANY_TYPE)],
        results: [result: Single(ANY_TYPE)],
        traits: [Pure, SameOperandsAndResultType],
        format: "$x `,` $y attr-dict `:` type($x)",
    }

    /// A number times a constant.
    ScaleOp = "toy.scale" {
        operands: [x: Single(ANY_TYPE)],
        attrs: [by "by": Required(I64_ATTR)],
        results: [result: Single(ANY_TYPE)],
        traits: [Pure, SameOperandsAndResultType],
        format: "$x `by` $by attr-dict `:` type($x)",
    }

    /// Keeps values alive.
    UseOp = "toy.use" {
        operands: [values: Variadic(ANY_TYPE)],
        format: "$values attr-dict `:` type($values)",
    }

    /// Some numbers.
    SomeOp = "toy.some" {
        results: [x: Single(ANY_TYPE), y: Single(ANY_TYPE)],
        format: "attr-dict `:` type($x) `,` type($y)",
    }
}

struct Toy;

impl Dialect for Toy {
    fn namespace(&self) -> &'static str {
        "toy"
    }

    fn register(&self, b: &mut DialectBuilder) {
        b.ops(&[NegOp::ENTRY, AddOp::ENTRY, ScaleOp::ENTRY, UseOp::ENTRY, SomeOp::ENTRY]);
    }
}

dl_ir::rewrite! {
    /// `-(-x)` becomes `x`.
    NegOfNeg = "toy-neg-of-neg": NegOp(NegOp(x)) => x;

    /// `-x + -y` becomes `-(x + y)`.
    AddOfNegs = "toy-add-of-negs": AddOp(NegOp(x), NegOp(y)) => NegOp(AddOp(x, y));

    /// `x + x` becomes `scale(x, 2)`.
    AddOfSame = "toy-add-of-same": AddOp(x, x) where |cx| { let two = cx.i64_attr(2); } => ScaleOp[by = two](x);

    /// `scale(scale(x, a), b)` becomes `scale(x, a * b)`, where that does not overflow.
    ScaleOfScale = "toy-scale-of-scale": ScaleOp[by = b](ScaleOp[by = a](x)) where |cx| {
        let product = a.as_int().zip(b.as_int()).and_then(|(a, b)| a.checked_mul(b));
        let by = cx.i64_attr(product.ok_or(NoMatch("the product overflows"))?);
    } => ScaleOp[by = by](x);

    /// `scale(x, 0) + y` becomes `y`.
    AddOfNothing = "toy-add-of-nothing": AddOp(ScaleOp[by = by](_), y) where |_cx| {
        if by.as_int() != Some(0) {
            return Err(NoMatch("it is something"));
        }
    } => y;
}

/// The body of a module with `%x` and `%y` in it, rewritten; what is used last is that of `uses`.
fn rewritten(body: &str, uses: &str) -> String {
    let mut cx = Context::new();
    cx.register(&Toy);
    let text = format!("%x, %y = toy.some : i32, i32\n{body}\ntoy.use {uses} : i32");
    let source = cx.add_source("input.mlir", text);
    let mut module = parse_source(&cx, &source).expect("the text is right").module;
    let mut patterns = Patterns::new();
    patterns.add(NegOfNeg).add(AddOfNegs).add(AddOfSame).add(ScaleOfScale).add(AddOfNothing);
    assert!(apply_patterns_greedily(&cx, &mut module, &patterns.freeze(), &GreedyConfig::default()).converged);
    let mut printed = Vec::new();
    print_op(OpRef::root(&cx, &module), &Default::default(), &mut printed).expect("memory can be written to");
    let printed = String::from_utf8(printed).expect("text");
    let lines = printed.lines().filter(|line| line.starts_with("  ") && !line.contains("toy.some"));
    lines.map(str::trim).collect::<Vec<_>>().join("\n")
}

#[test]
fn a_value_takes_the_place_of_operations() {
    assert_eq!(rewritten("%a = toy.neg %x : i32\n%b = toy.neg %a : i32", "%b"), "toy.use %x : i32");
    assert_eq!(rewritten("%a = toy.neg %x : i32", "%a"), "%0 = toy.neg %x : i32\ntoy.use %0 : i32");
}

#[test]
fn operations_are_made_inside_out() {
    let negs = "%a = toy.neg %x : i32\n%b = toy.neg %y : i32\n%c = toy.add %a, %b : i32";
    let expected = "%0 = toy.add %x, %y : i32\n%1 = toy.neg %0 : i32\ntoy.use %1 : i32";
    assert_eq!(rewritten(negs, "%c"), expected);
    // Only one of them is an opposite.
    let one = "%a = toy.neg %x : i32\n%b = toy.add %a, %y : i32";
    assert_eq!(rewritten(one, "%b"), "%0 = toy.neg %x : i32\n%1 = toy.add %0, %y : i32\ntoy.use %1 : i32");
}

#[test]
fn a_name_stands_for_one_value() {
    assert_eq!(rewritten("%a = toy.add %x, %x : i32", "%a"), "%0 = toy.scale %x by 2 : i32\ntoy.use %0 : i32");
    assert_eq!(rewritten("%a = toy.add %x, %y : i32", "%a"), "%0 = toy.add %x, %y : i32\ntoy.use %0 : i32");
}

#[test]
fn attributes_are_found_and_made() {
    let scales = |a: i64| format!("%a = toy.scale %x by {a} : i32\n%b = toy.scale %a by 3 : i32");
    assert_eq!(rewritten(&scales(5), "%b"), "%0 = toy.scale %x by 15 : i32\ntoy.use %0 : i32");
    let large = "%0 = toy.scale %x by 9223372036854775807 : i32\n%1 = toy.scale %0 by 3 : i32\ntoy.use %1 : i32";
    assert_eq!(rewritten(&scales(i64::MAX), "%b"), large);
}

#[test]
fn anything_will_do_for_an_underscore() {
    let sum = |by: i64| format!("%a = toy.scale %x by {by} : i32\n%b = toy.add %a, %y : i32");
    assert_eq!(rewritten(&sum(0), "%b"), "toy.use %y : i32");
    assert!(rewritten(&sum(1), "%b").contains("toy.add"));
}
