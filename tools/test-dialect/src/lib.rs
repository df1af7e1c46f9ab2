//! The `test` dialect: operations that tests of passes need, as upstream's `mlir-opt` has them where it is built with its tests. `dl-opt`
//! knows it, no other tool does.
//!
//! Operations of the dialect that are not defined here are accepted, and nothing is known of them.

#![forbid(unsafe_code)]

mod ranges;
mod slots;

use dl_ir::builtin::ANY_TYPE;
use dl_ir::interfaces::{CallOp, Callee, DestructurableAllocation, InferIntRange, PromotableAllocation, RecordRanges};
use dl_ir::opdef::{AttrConstraint, AttrForm};
use dl_ir::rewrite::Rewrite;
use dl_ir::{Dialect, DialectBuilder, OpDefinition, OpId, OpRef, OpState, Operands, Rewriter};

/// The `test` dialect.
pub struct Test;

static ANY_INTEGER: AttrConstraint =
    AttrConstraint::new("an integer", |attr| attr.as_ap_int().is_some(), AttrForm::Any);

static ANY_ATTR: AttrConstraint = AttrConstraint::new("any attribute", |_| true, AttrForm::Any);
static SYMBOL: AttrConstraint = AttrConstraint::new("a symbol", |attr| attr.is_flat_symbol_ref(), AttrForm::SymbolRef);

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
        traits: [Pure],
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

    /// Allocates memory that its results point to.
    MultiSlotAllocaOp = "test.multi_slot_alloca" {
        results: [results: Variadic(ANY_TYPE)],
        format: "attr-dict `:` functional-type(operands, results)",
    }

    /// Operations in any order.
    GraphRegionOp = "test.graph_region" {
        regions: [region: Any()],
        traits: [GraphRegion, NoTerminator],
        format: "attr-dict-with-keyword $region",
    }

    /// Operations in any order that know of nothing around.
    IsolatedGraphRegionOp = "test.isolated_graph_region" {
        regions: [region: Any()],
        traits: [GraphRegion, NoTerminator, IsolatedFromAbove],
        format: "attr-dict-with-keyword $region",
    }

    /// Values right inside may be symbols of affine maps.
    AffineScopeOp = "test.affine_scope" {
        regions: [region: Exactly(1)],
        traits: [AffineScope],
        format: "attr-dict-with-keyword $region",
    }

    /// Calls with some of its operands; another one is its own.
    CallOnDeviceOp = "test.call_on_device" {
        operands: [forwarded: Variadic(ANY_TYPE), device: Single(ANY_TYPE)],
        attrs: [callee "callee": Required(SYMBOL)],
        results: [results: Variadic(ANY_TYPE)],
        format: "$callee `(` $forwarded `)` `,` $device attr-dict `:` functional-type(operands, results)",
    }

    /// Some constant, which nothing folds.
    ConstantOp = "test.constant" {
        attrs: [value "value": Required(ANY_ATTR)],
        results: [result: Single(ANY_TYPE)],
        traits: [Pure],
    }

    /// Becomes a call by canonicalization.
    FoldToCallOp = "test.fold_to_call_op" {
        attrs: [callee "callee": Required(SYMBOL)],
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
        b.ops(&[
            AffineScopeOp::def,
            CallOnDeviceOp::def,
            ConstantOp::def,
            FoldToCallOp::def,
            GraphRegionOp::def,
            IsolatedGraphRegionOp::def,
            MultiSlotAllocaOp::def,
            ReflectBoundsOp::def,
            SymbolScopeOp::def,
            WithBoundsOp::def,
        ])
        .allow_unknown_ops();
        b.on::<CallOnDeviceOp<'_>>().interface::<dyn CallOp>(Box::new(CallOnDevice));
        b.on::<MultiSlotAllocaOp<'_>>()
            .interface::<dyn PromotableAllocation>(Box::new(slots::Alloca))
            .interface::<dyn DestructurableAllocation>(Box::new(slots::Alloca));
        b.on::<FoldToCallOp<'_>>().canonicalize(|patterns| {
            patterns.add_fn("test-fold-to-call", Some(FoldToCallOp::NAME), fold_to_call);
        });
        b.on::<WithBoundsOp<'_>>().interface::<dyn InferIntRange>(Box::new(ranges::Bounds));
        b.on::<ReflectBoundsOp<'_>>()
            .interface::<dyn InferIntRange>(Box::new(ranges::Reflection))
            .interface::<dyn RecordRanges>(Box::new(ranges::Reflection));
    }
}

fn fold_to_call(op: OpId, rw: &mut Rewriter<'_>) -> Rewrite {
    let view = rw.op(op);
    let state =
        OpState::named("func.call", view.loc()).maybe_attr(rw.cx(), "callee", view.attr("callee").map(|a| a.id()));
    rw.replace_with(op, state);
    Ok(())
}

struct CallOnDevice;

impl CallOp for CallOnDevice {
    fn callee<'a>(&self, op: OpRef<'a>) -> Option<Callee<'a>> {
        op.attr("callee").map(Callee::Symbol)
    }

    fn arguments<'a>(&self, op: OpRef<'a>) -> Operands<'a> {
        op.operand_group(0)
    }
}
