//! Types and attributes: texts, their canonical print, and what is said about wrong ones.
//!
//! The expectations in `text/attributes.txt` are what `mlir-opt` 22 prints and reports; columns count within the attribute. Where a
//! message or its place is our own, because it is nearer to the fault or the text stands alone here, `text/attributes-own.txt` has
//! it.

use dl_ir::Context;
use dl_ir::text::{attr_text, parse_attribute};

const TABLE: &str = concat!(include_str!("text/attributes.txt"), include_str!("text/attributes-own.txt"));

fn context() -> Context {
    let mut cx = Context::new();
    cx.allow_unregistered(true);
    cx
}

fn rows(separator: &str) -> impl Iterator<Item = (&'static str, &'static str)> {
    TABLE.lines().filter_map(move |line| line.split_once(separator))
}

#[test]
fn valid_texts_print_canonically() {
    let cx = context();
    let mut wrong = Vec::new();
    for (text, expected) in rows("  =>  ") {
        match parse_attribute(&cx, text) {
            Ok(attr) if attr_text(&cx, attr) == expected => {}
            Ok(attr) => wrong.push(format!("{text}\n  expected {expected}\n  printed  {}", attr_text(&cx, attr))),
            Err(d) => wrong.push(format!("{text}\n  expected {expected}\n  error    {}", d.message)),
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn canonical_texts_are_fixed_points() {
    let cx = context();
    for (_, canonical) in rows("  =>  ") {
        let attr = parse_attribute(&cx, canonical).unwrap_or_else(|d| panic!("{canonical}: {}", d.message));
        assert_eq!(attr_text(&cx, attr), canonical);
    }
}

#[test]
fn wrong_texts_name_fault_and_column() {
    let cx = context();
    let mut wrong = Vec::new();
    for (text, expected) in rows("  !!  ") {
        let found = match parse_attribute(&cx, text) {
            Ok(attr) => format!("no error: {}", attr_text(&cx, attr)),
            Err(d) => {
                format!("{}: {}", cx.file_position(d.loc).map_or(0, |at| at.column), d.message)
            }
        };
        if found != expected {
            wrong.push(format!("{text}\n  expected {expected}\n  found    {found}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
