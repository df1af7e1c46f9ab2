//! Keys of operations: the same for those that do the same, wherever they are and whatever they use.

use dl_ir::text::parse_source;
use dl_ir::{Context, OpRef, Structure};

/// The keys of all operations of a module but `t.def`.
fn keys(text: &str) -> Vec<Box<[u32]>> {
    let mut cx = Context::new();
    cx.allow_unregistered(true);
    let source = cx.add_source("in", text.as_bytes());
    let parsed = parse_source(&cx, &source).unwrap();
    let root = OpRef::root(&cx, &parsed.module);
    let ops = root.regions().flat_map(|region| region.ops()).filter(|op| op.name() != "t.def");
    let key = |op| {
        let mut structure = Structure::default();
        structure.add(op);
        structure.into_key()
    };
    ops.map(key).collect()
}

/// Whether the two operations of a module, besides definitions, have the same key.
fn are_same(text: &str) -> bool {
    let defs = "%a, %b, %c = \"t.def\"() : () -> (i32, i32, f32)\n";
    let keys = keys(&format!("{defs}{text}"));
    assert_eq!(keys.len(), 2, "{text}");
    keys[0] == keys[1]
}

#[test]
fn places_and_values_from_outside_do_not_count() {
    assert!(are_same("\"t.op\"(%a) : (i32) -> () loc(\"x\")\n \"t.op\"(%b) : (i32) -> ()"));
    assert!(are_same("\"t.op\"(%a, %b) : (i32, i32) -> ()\n \"t.op\"(%b, %a) : (i32, i32) -> ()"));
    let inside = |value: &str| {
        format!(
            "\"t.op\"({value}) ({{ ^bb0(%x: f32): %y = \"t.in\"(%x, {value}) : (f32, i32) -> i32\n \
             \"t.br\"(%y)[^bb1] : (i32) -> ()\n ^bb1: \"t.end\"(%y) : (i32) -> () }}) {{k = [1 : i8]}} : (i32) -> ()\n"
        )
    };
    assert!(are_same(&(inside("%a") + &inside("%b"))));
}

#[test]
fn all_else_counts() {
    for (one, other) in [
        ("\"t.op\"() : () -> ()", "\"t.oq\"() : () -> ()"),
        ("\"t.op\"() : () -> ()", "\"t.op\"() {k} : () -> ()"),
        ("\"t.op\"() {k} : () -> ()", "\"t.op\"() {l} : () -> ()"),
        ("\"t.op\"() {k = 1 : i8} : () -> ()", "\"t.op\"() {k = 2 : i8} : () -> ()"),
        ("%0 = \"t.op\"() : () -> i32", "%1 = \"t.op\"() : () -> f32"),
        ("\"t.op\"(%a) : (i32) -> ()", "\"t.op\"(%c) : (f32) -> ()"),
        ("\"t.op\"(%a, %b) : (i32, i32) -> ()", "\"t.op\"(%a, %a) : (i32, i32) -> ()"),
        ("\"t.op\"() ({}) : () -> ()", "\"t.op\"() ({}, {}) : () -> ()"),
        ("\"t.op\"() ({ ^bb0: }) : () -> ()", "\"t.op\"() ({ ^bb0(%x: i32): }) : () -> ()"),
        ("\"t.op\"() ({ \"t.a\"() : () -> () }) : () -> ()", "\"t.op\"() ({ \"t.b\"() : () -> () }) : () -> ()"),
        (
            "\"t.op\"() ({ \"t.a\"() ({ \"t.b\"() : () -> () }) : () -> () }) : () -> ()",
            "\"t.op\"() ({ \"t.a\"() ({ }) : () -> ()\n \"t.b\"() : () -> () }) : () -> ()",
        ),
        (
            "\"t.op\"() ({ ^bb0(%x: i32, %y: i32): \"t.a\"(%x) : (i32) -> () }) : () -> ()",
            "\"t.op\"() ({ ^bb0(%x: i32, %y: i32): \"t.a\"(%y) : (i32) -> () }) : () -> ()",
        ),
        (
            "\"t.op\"() ({ \"t.a\"()[^bb1, ^bb2] : () -> ()\n ^bb1:\n ^bb2: }) : () -> ()",
            "\"t.op\"() ({ \"t.a\"()[^bb2, ^bb1] : () -> ()\n ^bb1:\n ^bb2: }) : () -> ()",
        ),
        ("module { module {} }", "module { module @a {} }"),
    ] {
        let (one, other) = (one.replace('\n', "\n "), other.replace('\n', "\n "));
        assert!(!are_same(&format!("{one}\n{other}")), "{one}\n{other}");
        let again = one.replace("%0", "%2");
        assert!(are_same(&format!("{one}\n{again}")), "{one}");
    }
}

#[test]
fn an_attribute_may_be_left_out() {
    let mut cx = Context::new();
    cx.allow_unregistered(true);
    let source =
        cx.add_source("in", &b"\"t.op\"() {n = 1 : i8, k} : () -> ()\n \"t.op\"() {n = 2 : i8, k} : () -> ()"[..]);
    let parsed = parse_source(&cx, &source).unwrap();
    let key = |op| {
        let mut structure = Structure::default();
        structure.add_but_for(op, Some(cx.ident("n")));
        structure.into_key()
    };
    let keys: Vec<_> = OpRef::root(&cx, &parsed.module).regions().flat_map(|r| r.ops()).map(key).collect();
    assert_eq!(keys[0], keys[1]);
}
