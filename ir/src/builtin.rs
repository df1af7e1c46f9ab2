//! The `builtin` dialect: modules and casts that conversions leave behind.

mod interpret;

use crate::diagnostics::Diagnostic;
use crate::dialect::{Dialect, DialectBuilder, Folded, FoldedValue};
use crate::opdef::{AttrConstraint, AttrForm, TypeConstraint};
use crate::text::{AsmPrinter, OpParser, Parsed};
use crate::{Attr, OpDefinition, OpRef, OpState};

/// Any type.
pub static ANY_TYPE: TypeConstraint = TypeConstraint::new("any type", |_| true);
static SYMBOL_NAME: AttrConstraint =
    AttrConstraint::new("string attribute", |attr| attr.is_string(), AttrForm::SymbolName);
static STRING: AttrConstraint = AttrConstraint::new("string attribute", |attr| attr.is_string(), AttrForm::String);

crate::op! {
    /// A container of symbols: functions, globals, other modules.
    ModuleOp = "builtin.module" {
        attrs: [
            sym_name "sym_name": Optional(SYMBOL_NAME),
            sym_visibility "sym_visibility": Optional(STRING),
        ],
        regions: [body: Exactly(1)],
        traits: [IsolatedFromAbove, NoRegionArguments, SymbolTable, Symbol, AffineScope, SingleBlock, NoTerminator, GraphRegion],
        format: custom,
    }

    /// Converts between types of two systems while a conversion is under way. Has no meaning at run time.
    UnrealizedConversionCastOp = "builtin.unrealized_conversion_cast" {
        operands: [inputs: Variadic(ANY_TYPE)],
        results: [outputs: Variadic(ANY_TYPE)],
        traits: [Pure],
        format: "($inputs^ `:` type($inputs))? `to` type($outputs) attr-dict",
    }
}

/// The `builtin` dialect: modules and casts that a conversion leaves behind. Every context has it.
pub struct Builtin;

impl Dialect for Builtin {
    fn namespace(&self) -> &'static str {
        "builtin"
    }

    fn register(&self, builder: &mut DialectBuilder) {
        builder.ops(&[ModuleOp::ENTRY, UnrealizedConversionCastOp::ENTRY]);
        builder
            .on::<ModuleOp<'_>>()
            .parse(parse_module)
            .print(print_module)
            .verify(verify_module)
            .default_dialect("builtin");
        builder.on::<UnrealizedConversionCastOp<'_>>().fold(fold_cast).verify(verify_cast).interpret(interpret::cast);
    }
}

/// `module @name attributes {...} { ... }`.
fn parse_module(p: &mut OpParser<'_>, state: &mut OpState) -> Parsed<()> {
    if let Some(name) = p.parse_optional_symbol_name()? {
        let cx = p.cx();
        state.set_attr(cx.ident("sym_name"), cx.string_attr(&name));
    }
    p.parse_optional_attr_dict_with_keyword(state)?;
    let region = p.parse_region(state, &[])?;
    p.ensure_block(state, region);
    Ok(())
}

fn print_module(op: OpRef<'_>, p: &mut AsmPrinter<'_>) {
    if let Some(name) = op.symbol_name() {
        p.text(" ");
        p.symbol_name(name);
    }
    p.attr_dict_with_keyword(op, &["sym_name"]);
    p.text(" ");
    p.region(op.region(0), false, true);
}

/// A module at the top level of a file has no attributes but those of its dialect and symbol.
fn verify_module(op: OpRef<'_>) -> Result<(), Diagnostic> {
    for (name, _) in op.discardable_attrs() {
        let name = op.cx().str(name);
        if !name.contains('.') {
            return Err(
                op.error(format_args!("can only contain attributes with dialect-prefixed names, found: '{name}'"))
            );
        }
    }
    Ok(())
}

fn verify_cast(op: OpRef<'_>) -> Result<(), Diagnostic> {
    if op.num_results() == 0 {
        return Err(op.error("expected at least one result for cast operation"));
    }
    Ok(())
}

/// A cast to the same types is its operands; a cast back of a cast is what was cast first.
fn fold_cast(op: OpRef<'_>, _operands: &[Option<Attr>]) -> Option<Folded> {
    let values = |values: crate::Operands<'_>| values.iter().map(|v| FoldedValue::Value(v.id())).collect();
    let same = |a: &[crate::Type], b: &[crate::Type]| a == b;
    if op.num_operands() == 0 {
        return None;
    }
    if same(&op.operands().types(), &op.results().types()) {
        return Some(values(op.operands()));
    }
    let inner = op.operand(0).defining_op()?;
    let whole = inner.is::<UnrealizedConversionCastOp<'_>>()
        && inner.results().ids() == op.operands().ids()
        && same(&inner.operands().types(), &op.results().types());
    whole.then(|| values(inner.operands()))
}
