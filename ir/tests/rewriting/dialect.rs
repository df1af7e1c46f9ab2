//! The dialect `t` of these tests, and text in and out.

use dl_ir::builtin::ANY_TYPE;
use dl_ir::constraints::{ANY_ATTR, STR_ATTR};
use dl_ir::dialect::{Folded, folded};
use dl_ir::text::{PrintOptions, parse_source, print_op};
use dl_ir::{Arena, Attr, Context, Dialect, DialectBuilder, Loc, OpDefinition, OpId, OpRef, OpState, Rewriter, Type};

dl_ir::op! {
    /// A constant.
    ConstOp = "t.const" {
        attrs: [value "value": Required(ANY_ATTR)],
        results: [result: Single(ANY_TYPE)],
        traits: [Pure, ConstantLike, AllTypesMatch("value", "result")],
        format: "$value attr-dict",
    }

    /// A sum.
    AddOp = "t.add" {
        operands: [lhs: Single(ANY_TYPE), rhs: Single(ANY_TYPE)],
        results: [result: Single(ANY_TYPE)],
        traits: [Pure, Commutative, SameOperandsAndResultType],
        format: "$lhs `,` $rhs attr-dict `:` type($result)",
    }

    /// Opposite of `t.pong`.
    PingOp = "t.ping" {}

    /// Opposite of `t.ping`.
    PongOp = "t.pong" {}

    /// Has effects.
    UseOp = "t.use" {
        operands: [values: Variadic(ANY_TYPE)],
        format: "$values attr-dict `:` type($values)",
    }

    /// Any operation of the system that is converted from.
    OldOp = "t.old" {
        operands: [values: Variadic(ANY_TYPE)],
        results: [results: Variadic(ANY_TYPE)],
        format: "($values^)? attr-dict `:` functional-type($values, results)",
    }

    /// Any operation of the system that is converted to.
    NewOp = "t.new" {
        operands: [values: Variadic(ANY_TYPE)],
        results: [results: Variadic(ANY_TYPE)],
        format: "($values^)? attr-dict `:` functional-type($values, results)",
    }

    /// A function of the system that is converted from.
    FuncOp = "t.func" {
        attrs: [sym_name "sym_name": Required(STR_ATTR)],
        regions: [body: Any()],
        traits: [IsolatedFromAbove, Symbol, NoTerminator],
    }

    /// A function of the system that is converted to.
    NewFuncOp = "t.new_func" {
        attrs: [sym_name "sym_name": Required(STR_ATTR)],
        regions: [body: Any()],
        traits: [IsolatedFromAbove, Symbol, NoTerminator],
    }
}

/// The dialect.
pub(crate) struct Test;

impl Dialect for Test {
    fn namespace(&self) -> &'static str {
        "t"
    }

    fn register(&self, b: &mut DialectBuilder) {
        b.ops(&[
            ConstOp::ENTRY,
            AddOp::ENTRY,
            PingOp::ENTRY,
            PongOp::ENTRY,
            UseOp::ENTRY,
            OldOp::ENTRY,
            NewOp::ENTRY,
            FuncOp::ENTRY,
            NewFuncOp::ENTRY,
        ]);
        b.materialize_constant(make_constant);
        b.on::<AddOp<'_>>().fold(fold_add);
    }
}

fn make_constant(rw: &mut Rewriter<'_>, value: Attr, ty: Type, loc: Loc) -> Option<OpId> {
    let state = OpState::of::<ConstOp<'_>>(loc).attr(rw.cx(), "value", value);
    Some(rw.create(state.results([ty])))
}

/// `c + d` is a constant, `x + 0` is `x`.
fn fold_add(op: OpRef<'_>, operands: &[Option<Attr>]) -> Option<Folded> {
    let int = |attr: Option<Attr>| op.cx().attr(attr?).as_int();
    match (int(operands[0]), int(operands[1])) {
        (Some(a), Some(b)) => folded(op.cx().int_attr(op.result(0).ty().id(), a.wrapping_add(b))),
        (_, Some(0)) => folded(op.operand(0).id()),
        _ => None,
    }
}

/// A context that knows the dialect.
pub(crate) fn context() -> Context {
    let mut cx = Context::new();
    cx.register(&Test);
    cx
}

/// The module of `text`.
pub(crate) fn parse(cx: &Context, text: &str) -> Box<Arena> {
    let source = cx.add_source("test.mlir", text.as_bytes());
    match parse_source(cx, &source) {
        Ok(parsed) => parsed.module,
        Err(errors) => panic!("{errors:?} in {text}"),
    }
}

/// The text of a module: its operations, without the module itself, not indented.
pub(crate) fn print(cx: &Context, module: &Arena) -> String {
    dl_ir::verify::verify(cx, module).expect("what a rewrite leaves is valid");
    let mut text = Vec::new();
    print_op(OpRef::root(cx, module), &PrintOptions::default(), &mut text).expect("memory can be written to");
    let text = String::from_utf8(text).expect("printed text is UTF-8");
    let body = text.trim().strip_prefix("module {").and_then(|text| text.strip_suffix('}')).expect("a module");
    body.lines().map(|line| line.strip_prefix("  ").unwrap_or(line)).collect::<Vec<_>>().join("\n").trim().to_owned()
}
