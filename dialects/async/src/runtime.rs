//! Pretty forms of `async.runtime.load` and `async.runtime.store`. The type of the storage is always `!async.value`, and
//! stands without that name: `<f32>`.

use dl_ir::text::{AsmPrinter, OpParser, Parsed};
use dl_ir::{OpRef, OpState, OpView, Type, TypeRef};

use crate::assembly::{parse_value, print_value};
use crate::types::awaited;
use crate::{RuntimeLoadOp, RuntimeStoreOp};

/// `: <type>`, or the type in full: that of the storage, and of what is in it.
fn parse_storage_type(p: &mut OpParser<'_>) -> Parsed<(Type, Type)> {
    p.parse_colon()?;
    let loc = p.loc();
    let storage = match p.parse_optional_type()? {
        Some(ty) => ty,
        None => parse_value(p)?,
    };
    match awaited(p.cx().ty(storage)) {
        Some(inside) => Ok((storage, inside)),
        None => Err(p.error_at(loc, "invalid kind of type specified")),
    }
}

fn print_storage_type(ty: TypeRef<'_>, p: &mut AsmPrinter<'_>) {
    p.text(" : ");
    print_value(ty.params(), p);
}

/// `%storage {...} : <type>`.
pub(crate) fn parse_load(p: &mut OpParser<'_>, state: &mut OpState) -> Parsed<()> {
    let storage = p.parse_operand()?;
    p.parse_optional_attr_dict(state)?;
    let (storage_type, inside) = parse_storage_type(p)?;
    p.resolve_operand(storage, storage_type, state)?;
    state.results.push(inside);
    Ok(())
}

/// Prints what [`parse_load`] reads.
pub(crate) fn print_load(op: OpRef<'_>, p: &mut AsmPrinter<'_>) {
    let storage = RuntimeLoadOp::wrap(op).storage();
    p.text(" ");
    p.operand(storage);
    p.attr_dict(op, &[]);
    print_storage_type(storage.ty(), p);
}

/// `%value, %storage {...} : <type>`.
pub(crate) fn parse_store(p: &mut OpParser<'_>, state: &mut OpState) -> Parsed<()> {
    let value = p.parse_operand()?;
    p.parse_comma()?;
    let storage = p.parse_operand()?;
    p.parse_optional_attr_dict(state)?;
    let (storage_type, inside) = parse_storage_type(p)?;
    p.resolve_operand(value, inside, state)?;
    p.resolve_operand(storage, storage_type, state)
}

/// Prints what [`parse_store`] reads.
pub(crate) fn print_store(op: OpRef<'_>, p: &mut AsmPrinter<'_>) {
    let view = RuntimeStoreOp::wrap(op);
    p.text(" ");
    p.operand(view.value());
    p.text(", ");
    p.operand(view.storage());
    p.attr_dict(op, &[]);
    print_storage_type(view.storage().ty(), p);
}
