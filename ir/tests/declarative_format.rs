//! Declarative formats, default attributes, segments and verification, on a small dialect that is defined as a plugin would.

use std::borrow::Cow;

use dl_ir::diagnostics::{ColorChoice, Renderer};
use dl_ir::opdef::{AttrConstraint, AttrForm, EnumDef, EnumStorage, TypeConstraint};
use dl_ir::text::{PrintOptions, parse_source, print_op};
use dl_ir::{Context, Dialect, DialectBuilder, OpDefinition, OpRef, Type, TypeRef, verify};

static ANY: TypeConstraint = TypeConstraint::new("any type", |_| true);
static INT: TypeConstraint = TypeConstraint::new("integer", |t| t.is_integer());
static INDEX: TypeConstraint = TypeConstraint::buildable("index", |t| t.is_index(), "index");
static I64_ATTR: AttrConstraint =
    AttrConstraint::new("64-bit integer attribute", |a| a.is_integer(), AttrForm::Typed(Cow::Borrowed("i64")));
static ANY_ATTR: AttrConstraint = AttrConstraint::new("any attribute", |_| true, AttrForm::Any);
static UNIT_ATTR: AttrConstraint = AttrConstraint::new("unit attribute", |a| a.is_unit(), AttrForm::Unit);
static SYMBOL: AttrConstraint = AttrConstraint::new("string attribute", |a| a.is_string(), AttrForm::SymbolName);
static COLOR: EnumDef = EnumDef {
    name: "Color",
    summary: "A colour.",
    storage: EnumStorage::Integer(32),
    cases: &[("red", 0), ("green", 1)],
    separator: None,
};
static COLOR_ATTR: AttrConstraint = AttrConstraint::new("a colour", |a| a.is_integer(), AttrForm::Enum(&COLOR));

fn element_type(ty: TypeRef<'_>) -> Option<Type> {
    ty.element_type().map(TypeRef::id)
}

dl_ir::op! {
    /// Two operands of one type.
    BinaryOp = "t.binary" {
        operands: [lhs: Single(INT), rhs: Single(INT)],
        attrs: [weight "weight": Default(I64_ATTR, "1 : i64")],
        results: [sum: Single(INT)],
        traits: [Pure, SameOperandsAndResultType],
        format: "$lhs `,` $rhs (`weight` `(` $weight^ `)`)? attr-dict `:` type($sum)",
    }

    /// Several groups of operands.
    SegmentsOp = "t.segments" {
        operands: [base: Single(ANY), first: Variadic(INDEX), last: Optional(INDEX)],
        traits: [AttrSizedOperandSegments],
        format: "$base `[` $first `]` (`last` $last^)? attr-dict `:` type($base)",
    }

    /// An element of a vector.
    ElementOp = "t.element" {
        operands: [vector: Single(ANY)],
        results: [element: Single(ANY)],
        traits: [TypesMatchWith("element is of the element type", "vector", "element", element_type)],
        format: "$vector attr-dict `:` type($vector)",
    }

    /// Attributes in all forms.
    AttrsOp = "t.attrs" {
        attrs: [
            sym_name "sym_name": Required(SYMBOL),
            color "color": Required(COLOR_ATTR),
            value "someValue": Optional(ANY_ATTR),
            fast "fast": Optional(UNIT_ATTR),
        ],
        format: "$sym_name $color (`fast` $fast^)? (`=` $someValue^)? attr-dict",
    }

    /// Clauses in any order.
    ClausesOp = "t.clauses" {
        operands: [a: Optional(INDEX), b: Optional(INDEX)],
        traits: [AttrSizedOperandSegments],
        format: "oilist(`a` `(` $a `)` | `b` `(` $b `)`) attr-dict",
    }

    /// A region with an implicit end.
    ScopeOp = "t.scope" {
        regions: [body: Exactly(1)],
        traits: [SingleBlockImplicitTerminator("t.end"), SingleBlock],
        format: "$body attr-dict",
    }

    /// Ends a scope.
    EndOp = "t.end" {
        traits: [Terminator, HasParent("t.scope")],
        format: "attr-dict",
    }
}

struct Test;

impl Dialect for Test {
    fn namespace(&self) -> &'static str {
        "t"
    }

    fn register(&self, builder: &mut DialectBuilder) {
        builder.ops(&[
            BinaryOp::ENTRY,
            SegmentsOp::ENTRY,
            ElementOp::ENTRY,
            AttrsOp::ENTRY,
            ClausesOp::ENTRY,
            ScopeOp::ENTRY,
            EndOp::ENTRY,
        ]);
    }
}

/// The text of `input` read and printed, or the first message.
fn read(input: &str, generic: bool) -> Result<String, String> {
    let mut cx = Context::new();
    cx.register(&Test);
    let source = cx.add_source("t.mlir", input.as_bytes());
    let report = |all: dl_ir::Diagnostics| {
        let renderer = Renderer::new(&cx, ColorChoice::Never);
        let text = all.iter().next().map(|d| renderer.render(d)).unwrap_or_default();
        text.lines().next().unwrap_or_default().to_owned()
    };
    let parsed = parse_source(&cx, &source).map_err(report)?;
    verify::verify(&cx, &parsed.module).map_err(report)?;
    let mut out = Vec::new();
    let options = PrintOptions { generic, ..PrintOptions::default() };
    print_op(OpRef::root(&cx, &parsed.module), &options, &mut out).expect("memory takes all");
    let text = String::from_utf8(out).expect("the text form is ASCII");
    let body: Vec<&str> = text.lines().filter(|l| l.starts_with("  ")).map(|l| &l[2..]).collect();
    Ok(body.join("\n"))
}

/// `op` after an operation that defines `%i : index`, `%x : i32` and `%v : vector<4xf32>`.
fn with_values(op: &str) -> String {
    let binary = "%y = t.binary %x, %x : i32\n";
    let source = if op.contains("%y") { binary } else { "" };
    format!("^bb0(%i: index, %x: i32, %v: vector<4xf32>):\n{source}{op}")
}

/// Reads `op` inside an operation whose block has arguments.
fn in_scope(op: &str, generic: bool) -> Result<String, String> {
    let body = with_values(op);
    read(&format!("\"t.scope\"() ({{\n{body}\n\"t.end\"() : () -> ()\n}}) : () -> ()"), generic)
}

#[track_caller]
fn same(op: &str) {
    let out = in_scope(op, false).unwrap_or_else(|e| panic!("{e}"));
    let renamed = op.replace("%i", "%arg0").replace("%x", "%arg1").replace("%v", "%arg2");
    assert!(out.lines().any(|l| l.trim() == renamed), "`{renamed}` is not in:\n{out}");
}

#[test]
fn what_is_read_is_printed() {
    same("%0 = t.binary %x, %x : i32");
    same("%0 = t.binary %x, %x weight(7) : i32");
    same("%0 = t.binary %x, %x {note = \"n\"} : i32");
    same("t.segments %x[%i, %i] last %i : i32");
    same("t.segments %v[] : vector<4xf32>");
    same("%0 = t.element %v : vector<4xf32>");
    same("t.attrs @name red");
    same("t.attrs @name green fast = 3 : i8 {other}");
    same("t.clauses a(%i)");
    same("t.clauses a(%i) b(%i)");
}

#[test]
fn clauses_come_in_the_order_of_the_definition() {
    let out = in_scope("t.clauses b(%i) a(%i)", false).expect("accepted");
    assert!(out.contains("t.clauses a(%arg0) b(%arg0)"), "{out}");
}

#[test]
fn the_generic_form_shows_properties_and_defaults() {
    let out = in_scope("%0 = t.binary %x, %x {note} : i32", true).expect("accepted");
    assert!(out.contains("= \"t.binary\"(%arg1, %arg1) <{weight = 1 : i64}> {note} : (i32, i32) -> i32"), "{out}");
    let out = in_scope("t.segments %x[%i, %i] : i32", true).expect("accepted");
    assert!(out.contains("<{operandSegmentSizes = array<i32: 1, 2, 0>}> : (i32, index, index) -> ()"), "{out}");
}

#[test]
fn a_default_that_is_written_is_not_printed() {
    let out = in_scope("%0 = t.binary %x, %x weight(1) : i32", false).expect("accepted");
    assert!(out.contains("t.binary %arg1, %arg1 : i32"), "{out}");
}

#[test]
fn an_implicit_terminator_is_added_and_left_out() {
    assert_eq!(read("t.scope {\n}", false), Ok("t.scope {\n}".to_owned()));
    assert_eq!(read("t.scope {\n}", true), Ok("\"t.scope\"() ({\n  \"t.end\"() : () -> ()\n}) : () -> ()".to_owned()));
}

#[track_caller]
fn refused(op: &str, message: &str) {
    match in_scope(op, false) {
        Ok(text) => panic!("accepted as:\n{text}"),
        Err(error) => assert!(error.ends_with(message), "`{error}` does not end with `{message}`"),
    }
}

#[test]
fn what_does_not_fit_the_format_is_refused() {
    refused("%0 = t.binary %x %x : i32", "expected ','");
    refused("%0 = t.binary %x, %i : i32", "use of value '%i' expects different type than prior uses: 'i32' vs 'index'");
    refused("t.attrs name red", "expected valid '@'-identifier for symbol name");
    refused("t.segments %x[%x] : i32", "use of value '%x' expects different type than prior uses: 'index' vs 'i32'");
    refused("%0, %1 = t.binary %x, %x : i32", "operation defines 1 results but was provided 2 to bind");
    refused("t.binarz %x, %x : i32", "custom op 't.binarz' is unknown");
}

#[test]
fn what_does_not_fit_the_definition_is_refused() {
    let binary = "\"t.binary\"(%x) : (i32) -> i32";
    refused(binary, "'t.binary' op expected 2 operands, but found 1");
    let result = "%0 = \"t.binary\"(%x, %x) : (i32, i32) -> i64";
    refused(result, "'t.binary' op requires the same type for all operands and results");
    refused(
        "%0 = \"t.element\"(%v) : (vector<4xf32>) -> i8",
        "'t.element' op failed to verify that element is of the element type",
    );
    refused("\"t.attrs\"() {sym_name = \"a\"} : () -> ()", "'t.attrs' op requires attribute 'color'");
    refused(
        "\"t.segments\"(%x) : (i32) -> ()",
        "'t.segments' op operand count (1) does not match with the total size (0) specified in attribute \
         'operandSegmentSizes'",
    );
    refused(
        "\"t.binary\"(%i, %i) : (index, index) -> index",
        "'t.binary' op operand #0 must be integer, but got 'index'",
    );
}

#[test]
fn terminators_stay_in_their_place() {
    let end = read("\"t.end\"() : () -> ()", false);
    assert!(end.as_ref().is_err_and(|e| e.ends_with("'t.end' op expects parent op 't.scope'")), "{end:?}");
    let twice = read("\"t.scope\"() ({\n\"t.end\"() : () -> ()\n\"t.end\"() : () -> ()\n}) : () -> ()", false);
    assert!(twice.as_ref().is_err_and(|e| e.contains("must be the last operation in the parent block")), "{twice:?}");
}
