//! `vector.print` of scalars, punctuation and texts: calls of the runtime. Vectors are taken apart by `convert-vector-to-scf`.

use dl_arith::{Build, ExtSIOp, ExtUIOp};
use dl_ir::rewrite::conversion::{ConversionPattern, ConversionRewriter, Converted};
use dl_ir::rewrite::{NoMatch, Rewrite};
use dl_ir::types::FloatKind;
use dl_ir::{AttrRef, OpDefinition, OpId, OpView, Type, TypeRef, ValueId};
use dl_llvm::types::{array_type, func_type, ptr_type, void_type};
use dl_llvm::{AddressOfOp, BitcastOp, GEPNoWrapFlags};
use dl_vector::{PrintOp, PrintPunctuation};

use crate::llvm_build::{Index, LlvmBuild};
use crate::llvm_symbols::{declare_text, external_function};

/// How a scalar reaches the runtime.
enum As {
    Itself,
    ZeroExtended,
    SignExtended,
    /// As its bits in 16.
    Bits,
}

/// The function that prints a scalar, and how it gets it.
fn printer(ty: TypeRef<'_>) -> Option<(&'static str, As)> {
    if let Some(kind) = ty.float_kind() {
        return match kind {
            FloatKind::F32 => Some(("printF32", As::Itself)),
            FloatKind::F64 => Some(("printF64", As::Itself)),
            FloatKind::F16 => Some(("printF16", As::Bits)),
            FloatKind::BF16 => Some(("printBF16", As::Bits)),
            _ => None,
        };
    }
    if ty.is_index() {
        return Some(("printU64", As::Itself));
    }
    let width = ty.int_width().filter(|&width| width <= 64)?;
    let name = if ty.is_unsigned_integer() { "printU64" } else { "printI64" };
    let how = match width {
        64 => As::Itself,
        // True is 1, not -1.
        1 => As::ZeroExtended,
        _ if ty.is_unsigned_integer() => As::ZeroExtended,
        _ => As::SignExtended,
    };
    Some((name, how))
}

/// Declares a function of the runtime and calls it.
fn call(rw: &mut ConversionRewriter<'_>, op: OpId, name: &'static str, args: &[ValueId]) {
    let types: Vec<Type> = args.iter().map(|&arg| rw.ir().value_type(arg)).collect();
    let cx = rw.cx();
    external_function(rw, name, func_type(cx, void_type(cx), &types, false));
    let loc = rw.op(op).loc();
    Build::new(rw, loc).llvm_call(name, args, None);
}

/// `vector.print`.
pub(super) struct Print;

impl ConversionPattern for Print {
    const NAME: &'static str = "vector-print-to-llvm";
    const ROOT: Option<&'static str> = Some(PrintOp::NAME);

    fn rewrite(&self, op: OpId, operands: Converted<'_>, rw: &mut ConversionRewriter<'_>) -> Rewrite {
        let view = PrintOp::wrap(rw.op(op));
        let (loc, cx) = (view.0.loc(), rw.cx());
        let text = view.string_literal().and_then(AttrRef::as_str).map(str::to_owned);
        let punctuation = view.0.attr_or_default("punctuation").and_then(PrintPunctuation::from_attr);
        let how = match view.source().map(|source| source.ty()) {
            Some(ty) if ty.is_vector() => return Err(NoMatch("vectors are printed by loops")),
            Some(ty) => Some(printer(ty).ok_or(NoMatch("nothing prints this type"))?),
            None => None,
        };
        if let Some((name, how)) = how {
            let value = operands.one(0);
            let mut b = Build::new(rw, loc);
            let value = match how {
                As::Itself => value,
                As::ZeroExtended => b.value::<ExtUIOp<'_>>(&[value], cx.i64_type()),
                As::SignExtended => b.value::<ExtSIOp<'_>>(&[value], cx.i64_type()),
                As::Bits => b.value::<BitcastOp<'_>>(&[value], cx.int_type(16)),
            };
            call(rw, op, name, &[value]);
        }
        if let Some(text) = text {
            let global = declare_text(rw, "vector_print_str", &text);
            let mut b = Build::new(rw, loc);
            let bytes = array_type(cx, cx.int_type(8), text.len() as u64 + 1);
            let name = cx.symbol_ref_attr(&global);
            let address = b.value_with::<AddressOfOp<'_>>(&[], ptr_type(cx), &[("global_name", name)]);
            let place = b.gep(address, bytes, &[Index::Constant(0)], GEPNoWrapFlags::NONE);
            call(rw, op, "printString", &[place]);
        } else if let Some(name) = match punctuation.unwrap_or(PrintPunctuation::NewLine) {
            PrintPunctuation::NoPunctuation => None,
            PrintPunctuation::NewLine => Some("printNewline"),
            PrintPunctuation::Comma => Some("printComma"),
            PrintPunctuation::Open => Some("printOpen"),
            PrintPunctuation::Close => Some("printClose"),
        } {
            call(rw, op, name, &[]);
        }
        rw.erase(op);
        Ok(())
    }
}
