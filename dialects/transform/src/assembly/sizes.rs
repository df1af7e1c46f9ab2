//! The types of operations that compute sizes: `(type) -> type`, where all results have one type.

use dl_ir::text::{AsmPrinter, DirectiveArgs, DirectiveView, OpParser, Parsed};
use dl_ir::{OpRef, OpState};

/// The type of the first argument, then one for all others.
pub(super) fn parse(p: &mut OpParser<'_>, _state: &mut OpState, args: &mut DirectiveArgs) -> Parsed<()> {
    let loc = p.loc();
    let (inputs, results) = p.parse_function_type_parts()?;
    let (&[input], &[result]) = (&inputs[..], &results[..]) else {
        let message = "expects a trailing functional type with one argument and one result";
        return Err(p.error_at(loc, message));
    };
    args.set_types(0, [input]);
    for at in 1..args.count() {
        args.set_types(at, [result]);
    }
    Ok(())
}

/// Prints what [`parse`] reads.
pub(super) fn print(_op: OpRef<'_>, p: &mut AsmPrinter<'_>, args: &DirectiveView<'_>) {
    p.functional_type(&args.types(0), &args.types(1));
}
