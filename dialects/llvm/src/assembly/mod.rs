//! Pretty forms.

mod calls;
mod directives;
mod operations;
mod symbols;

pub(crate) use calls::{
    parse_call, parse_call_intrinsic, parse_invoke, print_call, print_call_intrinsic, print_invoke,
};
pub(crate) use directives::register as register_directives;
pub(crate) use operations::{
    parse_alloca, parse_fcmp, parse_icmp, parse_landingpad, print_alloca, print_fcmp, print_icmp, print_landingpad,
};
pub(crate) use symbols::{parse_alias, parse_func, parse_global, print_alias, print_func, print_global};

use dl_ir::opdef::EnumDef;
use dl_ir::text::{AsmPrinter, OpParser};
use dl_ir::{Attr, Context, OpRef};

/// The attribute `#name<value>` that holds one case of an enumeration.
pub(crate) fn enum_attr(cx: &Context, name: &str, value: u64) -> Attr {
    cx.dialect_attr(name, &[cx.i64_attr(value as i64)])
}

/// A keyword of `def` that is not empty, if there is one.
fn parse_optional_case(p: &mut OpParser<'_>, def: &'static EnumDef) -> Option<u64> {
    let (keyword, value) =
        def.cases.iter().find(|(keyword, _)| p.token_word() == Some(keyword) && !keyword.is_empty())?;
    p.parse_optional_keyword(keyword).then_some(*value)
}

/// Prints the keyword of `attr` and a space, if it is there and no value of `hidden`.
fn print_case(p: &mut AsmPrinter<'_>, op: OpRef<'_>, name: &str, def: &'static EnumDef, hidden: Option<u64>) {
    let value = op.attr_or_default(name).and_then(|attr| attr.enum_value());
    let Some(value) = value.filter(|&value| Some(value) != hidden) else { return };
    if let Some(keyword) = def.keyword(value).filter(|keyword| !keyword.is_empty()) {
        p.text(keyword);
        p.text(" ");
    }
}
