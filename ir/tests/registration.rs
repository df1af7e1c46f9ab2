//! What dialects and extensions say of operations, in whatever order they are registered.

use dl_ir::builtin::ANY_TYPE;
use dl_ir::constraints::TYPED_ATTR_INTERFACE;
use dl_ir::dialect::Extension;
use dl_ir::{Arena, Context, Dialect, DialectBuilder, OpDefinition, OpRef};

dl_ir::op! {
    /// Holds three attributes.
    HolderOp = "toy.holder" {
        attrs: [
            second "second": Optional(TYPED_ATTR_INTERFACE),
            first "first": Optional(TYPED_ATTR_INTERFACE),
            third "third": Optional(TYPED_ATTR_INTERFACE),
        ],
        format: "attr-dict",
    }

    /// Operands and results, some of them of any number.
    MixedOp = "toy.mixed" {
        operands: [a: Single(ANY_TYPE), b: Single(ANY_TYPE), many: Variadic(ANY_TYPE), last: Single(ANY_TYPE)],
        results: [x: Single(ANY_TYPE), more: Variadic(ANY_TYPE), y: Single(ANY_TYPE)],
    }
}

struct Toy;

impl Dialect for Toy {
    fn namespace(&self) -> &'static str {
        "toy"
    }

    fn register(&self, b: &mut DialectBuilder) {
        b.ops(&[HolderOp::ENTRY, MixedOp::ENTRY]);
        b.on::<HolderOp<'_>>().verify(|op| Err(op.error("says the dialect")));
    }
}

/// Says who has attached it.
trait Attached: Send + Sync {
    fn by(&self) -> &'static str;
}

struct By(&'static str);

impl Attached for By {
    fn by(&self) -> &'static str {
        self.0
    }
}

/// Attaches an interface to an operation, and a verifier where it is to have one.
struct Attaches {
    by: &'static str,
    verifies: bool,
}

impl Extension for Attaches {
    fn attach(&self, b: &mut DialectBuilder) {
        let op = b.op("toy.holder").interface::<dyn Attached>(Box::new(By(self.by)));
        if self.verifies {
            op.verify(|op| Err(op.error("says the extension")));
        }
    }
}

fn attached_by(cx: &Context) -> Option<&'static str> {
    cx.find_op("toy.holder")?.interface::<dyn Attached>().map(Attached::by)
}

fn module(cx: &Context, text: &str) -> Box<Arena> {
    let source = cx.add_source("test.mlir", text);
    dl_ir::text::parse_source(cx, &source).unwrap_or_else(|errors| panic!("{errors:?}")).module
}

/// What the verifier says of `toy.holder`.
fn verified(cx: &Context) -> String {
    let module = module(cx, "toy.holder");
    let errors = dl_ir::verify::verify(cx, &module).expect_err("it is not valid");
    errors.iter().map(|error| error.message.clone()).collect()
}

#[test]
fn what_is_attached_before_the_dialect_waits_for_it() {
    let mut cx = Context::new();
    cx.extend(&Attaches { by: "early", verifies: false });
    assert!(cx.find_op("toy.holder").is_none() && cx.ops().all(|op| op.name != "toy.holder"));
    cx.register(&Toy);
    assert_eq!(attached_by(&cx), Some("early"));
    assert_eq!(verified(&cx), "'toy.holder' op says the dialect");
}

#[test]
fn what_is_set_last_holds() {
    let mut cx = Context::new();
    cx.register(&Toy);
    cx.extend(&Attaches { by: "first", verifies: true });
    cx.extend(&Attaches { by: "second", verifies: false });
    assert_eq!(attached_by(&cx), Some("second"));
    assert_eq!(verified(&cx), "'toy.holder' op says the extension");
}

#[test]
fn a_second_registration_is_ignored() {
    let mut cx = Context::new();
    cx.register(&Toy);
    cx.extend(&Attaches { by: "an extension", verifies: true });
    cx.register(&Toy);
    assert_eq!(cx.ops().filter(|op| op.name.starts_with("toy.")).count(), 2);
    assert_eq!(verified(&cx), "'toy.holder' op says the extension");
}

#[test]
fn names_met_before_a_registration_keep_their_handles() {
    let mut cx = Context::new();
    cx.allow_unregistered(true);
    let before = [cx.op_name("other.one"), cx.op_name("other.two")];
    cx.register(&Toy);
    assert_eq!(before.map(|name| &*cx.op_info(name).name), ["other.one", "other.two"]);
    assert_eq!([cx.op_name("other.one"), cx.op_name("other.two")], before);
    assert_eq!(cx.op_info(cx.op_name("toy.holder")).name, "toy.holder");
    assert!(cx.op_info(cx.op_name("toy.holder")).is_registered());
}

#[test]
fn attributes_are_named_in_the_order_of_the_definition() {
    let mut cx = Context::new();
    cx.register(&Toy);
    let info = cx.find_op("toy.holder").unwrap();
    let names: Vec<&str> = info.attr_names(&cx).iter().map(|&name| cx.str(name)).collect();
    assert_eq!(names, ["second", "first", "third"]);
    assert_eq!(info.inherent_index(&cx, cx.ident("third")), Some(2));
    assert_eq!(info.inherent_index(&cx, cx.ident("fourth")), None);
    let unknown = cx.op_info(cx.op_name("other.op"));
    assert!(unknown.attr_names(&cx).is_empty());
}

/// `toy.mixed` with these operands and results.
fn mixed<T>(operands: &str, results: usize, look: impl FnOnce(MixedOp<'_>) -> T) -> T {
    let mut cx = Context::new();
    cx.register(&Toy);
    cx.allow_unregistered(true);
    let count = operands.split_whitespace().count();
    let types = |n: usize| format!("({})", vec!["i1"; n].join(", "));
    let text = format!(
        "%a, %b, %c, %d, %e = \"o.p\"() : () -> {}\n\"toy.mixed\"({}) : {} -> {}",
        types(5),
        operands.split_whitespace().collect::<Vec<_>>().join(", "),
        types(count),
        types(results)
    );
    let module = module(&cx, &text);
    let root = OpRef::root(&cx, &module);
    let op = root.region(0).ops().find_map(|op| op.cast::<MixedOp<'_>>()).unwrap();
    look(op)
}

#[test]
fn values_before_and_after_those_of_any_number_are_found() {
    mixed("%a %b %c %d %e", 4, |op| {
        let number = |value: dl_ir::ValueRef<'_>| value.id().index() - op.0.operand(0).id().index();
        assert_eq!([op.a(), op.b(), op.last()].map(number), [0, 1, 4]);
        assert_eq!(op.many().ids().len(), 2);
        assert_eq!([op.x(), op.y()].map(|result| result.id()), [op.0.result(0).id(), op.0.result(3).id()]);
        assert_eq!(op.more().ids().len(), 2);
    });
    mixed("%c %b %a", 2, |op| {
        assert_eq!([op.a(), op.b(), op.last()].map(|v| v.id()), [0, 1, 2].map(|i| op.0.operand(i).id()));
        assert!(op.many().is_empty() && op.more().is_empty());
    });
}

dl_ir::op! {
    /// One whose name has the hash of another, found by search.
    FirstOp = "made.gdrp26meycmzk" {}
}

struct Made;

impl Dialect for Made {
    fn namespace(&self) -> &'static str {
        "made"
    }

    fn register(&self, b: &mut DialectBuilder) {
        b.ops(&[FirstOp::ENTRY]);
    }
}

#[test]
fn an_unregistered_name_is_not_taken_for_one_of_its_hash() {
    let other = "made.vl4xyupxvlrip";
    assert_eq!(dl_ir::opdef::name_hash(other), FirstOp::HASH);
    let mut cx = Context::new();
    cx.register(&Made);
    let other = cx.op_name(other);
    assert_ne!(other, cx.op_name(FirstOp::NAME));
    assert_ne!(cx.op_info(other).hash(), FirstOp::HASH);
}
