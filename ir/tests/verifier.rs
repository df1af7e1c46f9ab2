//! What the verifier remembers of operations does not keep it from looking at what does not follow from their types and attributes.

use dl_ir::builtin::ANY_TYPE;
use dl_ir::constraints::TYPED_ATTR_INTERFACE;
use dl_ir::opdef::{AttrConstraint, AttrForm};
use dl_ir::{
    Arena, AttrRef, Context, Diagnostic, Dialect, DialectBuilder, Loc, OpDefinition, OpId, OpRef, OpState, Rewriter,
    ValueId,
};

static POSITIVE: AttrConstraint =
    AttrConstraint::new("a positive number", |attr| attr.as_int().is_some_and(|n| n > 0), AttrForm::Any);

dl_ir::op! {
    /// Anything.
    AnyOp = "toy.any" {
        results: [output: Single(ANY_TYPE)],
        traits: [Pure],
        format: "attr-dict `:` type($output)",
    }

    /// A value of its type.
    ConstantOp = "toy.constant" {
        attrs: [value "value": Required(TYPED_ATTR_INTERFACE)],
        results: [output: Single(ANY_TYPE)],
        traits: [Pure, AllTypesMatch("value", "output")],
        format: "attr-dict $value",
    }

    /// A number that is not 0.
    CountOp = "toy.count" {
        attrs: [number "number": Required(POSITIVE)],
        format: "$number attr-dict",
    }

    /// Adds two values of a type that is no vector.
    AddOp = "toy.add" {
        operands: [lhs: Single(ANY_TYPE), rhs: Single(ANY_TYPE)],
        results: [output: Single(ANY_TYPE)],
        traits: [Pure, SameOperandsAndResultType],
        format: "$lhs `,` $rhs attr-dict `:` type($output)",
    }

    /// Ends a block.
    EndOp = "toy.end" {
        traits: [Terminator],
        format: "attr-dict",
    }

    /// Holds a block.
    BlockOp = "toy.block" {
        regions: [body: Exactly(1)],
        format: "$body attr-dict",
    }
}

struct Toy;

impl Dialect for Toy {
    fn namespace(&self) -> &'static str {
        "toy"
    }

    fn register(&self, b: &mut DialectBuilder) {
        b.ops(&[AnyOp::ENTRY, ConstantOp::ENTRY, CountOp::ENTRY, AddOp::ENTRY, EndOp::ENTRY, BlockOp::ENTRY])
            .verify_op_attr(is_first);
        b.on::<AddOp<'_>>().verify_kind(adds_no_vectors);
    }
}

/// `toy.first` says that nothing stands before the operation.
fn is_first(op: OpRef<'_>, _name: &str, _attr: AttrRef<'_>) -> Result<(), Diagnostic> {
    if op.prev().is_none() { Ok(()) } else { Err(op.error("is not the first")) }
}

fn adds_no_vectors(op: OpRef<'_>) -> Result<(), Diagnostic> {
    if op.result(0).ty().is_vector() { Err(op.error("adds vectors")) } else { Ok(()) }
}

/// The messages about `text`, in order.
fn messages(text: &str) -> Vec<String> {
    messages_in(&toys(), text)
}

fn toys() -> Context {
    let mut cx = Context::new();
    cx.register(&Toy);
    cx
}

/// The messages about `text` in `cx`, where other texts have been verified before.
fn messages_in(cx: &Context, text: &str) -> Vec<String> {
    let source = cx.add_source("test.mlir", text.as_bytes());
    let module = dl_ir::text::parse_source(cx, &source).unwrap_or_else(|d| panic!("{d:?}")).module;
    messages_about(cx, &module)
}

fn messages_about(cx: &Context, module: &Arena) -> Vec<String> {
    match dl_ir::verify::verify(cx, module) {
        Ok(()) => Vec::new(),
        Err(errors) => errors.iter().map(|error| error.message.clone()).collect(),
    }
}

#[test]
fn attributes_with_a_hook_are_looked_at_each_time() {
    let wrong = "'toy.any' op is not the first";
    let any = "%a = toy.any {toy.first} : i32 ";
    assert_eq!(messages(any), [] as [&str; 0]);
    assert_eq!(
        messages(&(any.to_owned() + "%b = toy.any {toy.first} : i32 %c = toy.any {toy.first} : i32")),
        [wrong, wrong]
    );
    // The attribute makes it another kind of operation: the one without is right, and says nothing of the one with it.
    assert_eq!(messages("%a = toy.any : i32 %b = toy.any : i32 %c = toy.any {toy.first} : i32"), [wrong]);
}

#[test]
fn places_are_looked_at_each_time() {
    let end = "toy.block { toy.end }";
    assert_eq!(messages(&format!("{end} {end}")), [] as [&str; 0]);
    let early = messages(&format!("{end} toy.block {{ toy.end toy.end }} {end}"));
    assert_eq!(early, ["'toy.end' op must be the last operation in the parent block"]);
    let unterminated = messages(&format!("{end} toy.block {{ %a = toy.any : i32 %b = toy.any : i32 }}"));
    assert_eq!(unterminated, ["block with no terminator, has %1 = \"toy.any\"() : () -> i32"]);
}

#[test]
fn places_are_looked_at_in_each_module() {
    let cx = toys();
    assert_eq!(messages_in(&cx, "toy.block { %a = toy.any {toy.first} : i32 toy.end }"), [] as [&str; 0]);
    let early = messages_in(&cx, "toy.block { toy.end toy.end }");
    assert_eq!(early, ["'toy.end' op must be the last operation in the parent block"]);
    let late = messages_in(&cx, "%a = toy.any : i32 %b = toy.any {toy.first} : i32");
    assert_eq!(late, ["'toy.any' op is not the first"]);
}

#[test]
fn of_numbers_the_type_counts_where_nothing_else_is_asked_for() {
    let right =
        "%a = toy.constant 1 : i32 %b = toy.constant 2 : i32 %c = toy.constant 1.0 : f32 %d = toy.constant 2.0 : f32 ";
    assert_eq!(messages(right), [] as [&str; 0]);
    let wrong = "'toy.constant' op failed to verify that all of {value, output} have same type";
    for (value, output) in
        [("2 : i64", "i32"), ("2.0 : f32", "i32"), ("2 : i32", "f32"), ("dense<2> : tensor<1xi32>", "i32")]
    {
        let text = format!("{right} %e = \"toy.constant\"() <{{value = {value}}}> : () -> {output}");
        assert_eq!(messages(&text), [wrong], "{value} as {output}");
    }
    let untyped = "%e = \"toy.constant\"() <{value = [1]}> : () -> i32";
    assert_eq!(
        messages(&(right.to_owned() + untyped)),
        ["'toy.constant' op attribute 'value' failed to satisfy constraint: TypedAttr instance"]
    );
    assert_eq!(
        messages("toy.count 1 toy.count 2 toy.count 0 toy.count 1"),
        ["'toy.count' op attribute 'number' failed to satisfy constraint: a positive number"]
    );
}

/// What each change of an operation that has been found right makes of it: the change, given the rewriter, the operation, and a value of another type.
#[test]
fn what_has_changed_is_looked_at_again() {
    type Change = fn(&mut Rewriter<'_>, OpId, ValueId);
    let mixed = "'toy.add' op requires the same type for all operands and results";
    let not_positive = "'toy.count' op attribute 'number' failed to satisfy constraint: a positive number";
    let cases: [(&str, Change, &str); 11] = [
        ("toy.add", |rw, op, other| rw.set_operand(op, 1, other), mixed),
        ("toy.add", |rw, op, other| rw.set_operands(op, &[other, other]), mixed),
        ("toy.add", |rw, op, _| rw.erase_operand(op, 1), "'toy.add' op expected 2 operands, but found 1"),
        (
            "toy.add",
            |rw, op, other| {
                let first = rw.op(op).operand(0).id();
                rw.replace_all_uses(first, other);
            },
            mixed,
        ),
        ("toy.add", |rw, op, other| rw.set_value_type(rw.ir().result(op, 0), rw.ir().value_type(other)), mixed),
        (
            "toy.add",
            |rw, op, other| {
                let first = rw.op(op).operand(0).id();
                rw.set_value_type(first, rw.ir().value_type(other));
            },
            mixed,
        ),
        (
            "toy.add",
            |rw, op, other| {
                let first = rw.op(op).operand(0).defining_op().unwrap().id();
                let state = OpState::of::<AnyOp<'_>>(Loc::UNKNOWN).results([rw.ir().value_type(other)]);
                rw.replace_with(first, state);
            },
            mixed,
        ),
        (
            "toy.count",
            |rw, op, _| {
                let (name, zero) = (rw.cx().ident("number"), rw.cx().i32_attr(0));
                rw.set_attr(op, name, zero);
            },
            not_positive,
        ),
        (
            "toy.count",
            |rw, op, _| {
                let name = rw.cx().ident("number");
                rw.remove_attr(op, name);
            },
            "'toy.count' op requires attribute 'number'",
        ),
        (
            "toy.count",
            |rw, op, _| {
                let name = rw.cx().find_op("toy.any").unwrap().name.clone();
                let name = rw.cx().op_name(&name);
                rw.set_name(op, name);
            },
            "'toy.any' op requires one result",
        ),
        (
            "toy.add",
            |rw, op, _| {
                let vector = rw.cx().vector_type(&[4], rw.cx().i32_type());
                let values: Vec<ValueId> = rw.ir().operands(op).chain(rw.ir().results(op)).collect();
                values.into_iter().for_each(|value| rw.set_value_type(value, vector));
            },
            "'toy.add' op adds vectors",
        ),
    ];
    let text = "%a = toy.any : i32 %b = toy.any : i32 %c = toy.any : i64 %d = toy.add %a, %b : i32 toy.count 1";
    for (i, (name, change, expected)) in cases.into_iter().enumerate() {
        let cx = toys();
        let source = cx.add_source("test.mlir", text.as_bytes());
        let mut module = dl_ir::text::parse_source(&cx, &source).unwrap_or_else(|d| panic!("{d:?}")).module;
        for _ in 0..3 {
            assert_eq!(messages_about(&cx, &module), [] as [&str; 0]);
        }
        let ops = dl_ir::walk::ops_in_arena(&module, Arena::ROOT);
        let op = *ops.iter().find(|&&op| *OpRef::new(&cx, &module, op).name() == *name).unwrap();
        let other = module.result(ops[3], 0);
        change(&mut Rewriter::new(&cx, &mut module), op, other);
        assert_eq!(messages_about(&cx, &module), [expected], "change {i}");
    }
}
