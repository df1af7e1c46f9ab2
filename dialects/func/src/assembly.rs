//! Pretty form of `func.func`.

use dl_ir::interfaces::function::{ARG_ATTRS, FUNCTION_TYPE, RES_ATTRS, parse_signature, print_signature};
use dl_ir::text::{AsmPrinter, OpParser, Parsed};
use dl_ir::{AttrRef, OpRef, OpState};

/// Attributes that the signature shows.
const SHOWN: [&str; 5] = ["sym_name", FUNCTION_TYPE, "sym_visibility", ARG_ATTRS, RES_ATTRS];

/// `private @name(signature) attributes {...} {body}`.
pub(crate) fn parse_func(p: &mut OpParser<'_>, state: &mut OpState) -> Parsed<()> {
    let cx = p.cx();
    if let Some(visibility) = p.parse_optional_keyword_of(&["public", "private", "nested"]) {
        state.set_attr(cx.ident("sym_visibility"), cx.string_attr(visibility));
    }
    let name = p.parse_symbol_name()?;
    let signature = parse_signature(p, state, false)?;
    let mut given = OpState::default();
    let loc = p.loc();
    p.parse_optional_attr_dict_with_keyword(&mut given)?;
    for (key, value) in given.attrs {
        let key_text = cx.str(key);
        if ["sym_name", FUNCTION_TYPE, "sym_visibility"].contains(&key_text) {
            let msg = format!(
                "'{key_text}' is an inferred attribute and should not be specified in the explicit attribute dictionary"
            );
            return Err(p.custom_error_at(state, loc, msg));
        }
        state.set_attr(key, value);
    }
    state.set_attr(cx.ident("sym_name"), cx.string_attr(&name));
    let ty = cx.function_type(&signature.inputs, &signature.results);
    state.set_attr(cx.ident(FUNCTION_TYPE), cx.type_attr(ty));
    signature.set_attrs(cx, state);
    let body_loc = p.loc();
    match p.parse_optional_region(state, &signature.args)? {
        Some(_) if p.region_is_empty(state) => {
            Err(p.custom_error_at(state, body_loc, "expected non-empty function body"))
        }
        Some(_) => Ok(()),
        None => {
            p.empty_region(state);
            Ok(())
        }
    }
}

/// Prints what [`parse_func`] reads.
pub(crate) fn print_func(op: OpRef<'_>, p: &mut AsmPrinter<'_>) {
    let ty = op.attr(FUNCTION_TYPE).and_then(AttrRef::as_type);
    p.text(" ");
    if let Some(visibility) = op.attr("sym_visibility").and_then(AttrRef::as_str) {
        p.text(visibility);
        p.text(" ");
    }
    p.symbol_name(op.symbol_name().unwrap_or_default());
    let (inputs, results) = ty.map_or((&[][..], &[][..]), |ty| (ty.inputs(), ty.results()));
    print_signature(op, p, inputs, false, results);
    p.attr_dict_with_keyword(op, &SHOWN);
    if !op.region(0).is_empty() {
        p.text(" ");
        p.region(op.region(0), false, true);
    }
}
