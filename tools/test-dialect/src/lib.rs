//! The `test` dialect: operations that tests of passes need, as upstream's `mlir-opt` has them where it is built with its tests. `dl-opt`
//! knows it, no other tool does.
//!
//! Operations of the dialect that are not defined here are accepted, and nothing is known of them.

#![forbid(unsafe_code)]

mod ranges;

use dl_ir::builtin::ANY_TYPE;
use dl_ir::interfaces::{InferIntRange, RecordRanges};
use dl_ir::opdef::{AttrConstraint, AttrForm};
use dl_ir::{Dialect, DialectBuilder, OpDefinition};

/// The `test` dialect.
pub struct Test;

static ANY_INTEGER: AttrConstraint =
    AttrConstraint::new("an integer", |attr| attr.as_ap_int().is_some(), AttrForm::Any);

dl_ir::op! {
    /// Some integer within bounds.
    WithBoundsOp = "test.with_bounds" {
        attrs: [
            umin "umin": Required(ANY_INTEGER),
            umax "umax": Required(ANY_INTEGER),
            smin "smin": Required(ANY_INTEGER),
            smax "smax": Required(ANY_INTEGER),
        ],
        results: [result: Single(ANY_TYPE)],
        format: "attr-dict `:` type($result)",
    }

    /// Its operand. What is found out about the range of that is written into the attributes.
    ReflectBoundsOp = "test.reflect_bounds" {
        operands: [value: Single(ANY_TYPE)],
        attrs: [
            umin "umin": Optional(ANY_INTEGER),
            umax "umax": Optional(ANY_INTEGER),
            smin "smin": Optional(ANY_INTEGER),
            smax "smax": Optional(ANY_INTEGER),
        ],
        results: [result: Single(ANY_TYPE)],
        traits: [SameOperandsAndResultType],
        format: "attr-dict $value `:` type($value)",
    }

    /// A symbol table.
    SymbolScopeOp = "test.symbol_scope" {
        regions: [region: Exactly(1)],
        traits: [SymbolTable],
    }
}

impl Dialect for Test {
    fn namespace(&self) -> &'static str {
        "test"
    }

    fn register(&self, b: &mut DialectBuilder) {
        b.ops(&[WithBoundsOp::def, ReflectBoundsOp::def, SymbolScopeOp::def]).allow_unknown_ops();
        b.on::<WithBoundsOp<'_>>().interface::<dyn InferIntRange>(Box::new(ranges::Bounds));
        b.on::<ReflectBoundsOp<'_>>()
            .interface::<dyn InferIntRange>(Box::new(ranges::Reflection))
            .interface::<dyn RecordRanges>(Box::new(ranges::Reflection));
    }
}
