//! Calls, returns and function values.

use dl_func::{CallIndirectOp, CallOp, ConstantOp, ReturnOp};
use dl_ir::rewrite::conversion::{ConversionPattern, ConversionRewriter, Converted};
use dl_ir::rewrite::{NoMatch, Rewrite};
use dl_ir::{Attr, Ident, OpDefinition, OpId, OpState, OpView, Type, ValueId};
use dl_llvm::AddressOfOp;
use dl_llvm::types::struct_type;
use smallvec::SmallVec;

use crate::descriptor::Descriptor;
use crate::llvm_build::LlvmBuild;
use crate::llvm_types::{LlvmOptions, can_be_bare_pointer, packed_result_type, result_type};
use dl_arith::Build;

/// Why functions that return memrefs of any rank, and their calls, stay as they are.
pub(super) const UNRANKED_RESULT: NoMatch = NoMatch("unsupported: an unranked memref as a result");

/// The operands of a call as the calling convention wants them: of `operands`, those at `from` and after.
fn promoted(
    op: OpId,
    from: usize,
    operands: Converted<'_>,
    rw: &mut ConversionRewriter<'_>,
    options: LlvmOptions,
) -> Result<SmallVec<[ValueId; 8]>, NoMatch> {
    let cx = rw.cx();
    let types: SmallVec<[Type; 8]> = rw.op(op).operands().iter().skip(from).map(|v| v.ty().id()).collect();
    if options.bare_pointers && types.iter().any(|&ty| cx.ty(ty).is_memref() && !can_be_bare_pointer(cx.ty(ty))) {
        return Err(NoMatch("a memref that cannot be passed as one pointer"));
    }
    let loc = rw.op(op).loc();
    let mut b = Build::new(rw, loc);
    let mut all = SmallVec::new();
    for (i, &ty) in types.iter().enumerate() {
        let (view, value) = (cx.ty(ty), operands.one(from + i));
        if view.is_ranked_memref() && options.bare_pointers {
            all.push(Descriptor { value }.aligned(&mut b));
        } else if view.is_ranked_memref() {
            all.extend(Descriptor { value }.unpack(&mut b));
        } else if view.is_unranked_memref() {
            all.extend([b.extract(value, &[0]), b.extract(value, &[1])]);
        } else {
            all.push(value);
        }
    }
    Ok(all)
}

/// Replaces a call by one in `llvm` that `make` begins.
fn replace_call(
    op: OpId,
    args: &[ValueId],
    rw: &mut ConversionRewriter<'_>,
    options: LlvmOptions,
    make: impl FnOnce(OpState) -> OpState,
) -> Rewrite {
    let (cx, converter, loc) = (rw.cx(), rw.converter(), rw.op(op).loc());
    let types = rw.op(op).results().types();
    let packed = packed_result_type(converter, cx, &types, options);
    let packed = packed.ok_or(NoMatch("the type of a result cannot be converted"))?;
    let kept: SmallVec<[(Ident, Attr); 2]> =
        rw.op(op).discardable_attrs().map(|(name, attr)| (name, attr.id())).collect();
    let mut b = Build::new(rw, loc);
    let result = (!types.is_empty()).then_some(packed);
    let state = make(b.call_state(args, result).attrs(kept));
    let call = b.create(state);
    let mut results: SmallVec<[ValueId; 4]> = b.ir().results(call).collect();
    if types.len() > 1 {
        let all = results[0];
        results = (0..types.len()).map(|i| b.extract(all, &[i as i64])).collect();
    }
    if options.bare_pointers {
        for (result, &ty) in results.iter_mut().zip(&types).filter(|(_, ty)| cx.ty(**ty).is_memref()) {
            let descriptor = converter.convert_one(cx, ty).expect("a memref whose pointer could be converted");
            let made = Descriptor::from_static_shape(&mut b, cx.ty(ty), descriptor, *result);
            *result = made.expect("a memref that is returned as one pointer says all else");
        }
    }
    rw.replace(op, &results);
    Ok(())
}

fn check_results(op: OpId, rw: &ConversionRewriter<'_>) -> Rewrite {
    if rw.op(op).results().iter().any(|v| v.ty().is_unranked_memref()) {
        return Err(UNRANKED_RESULT);
    }
    let converter = rw.converter();
    let convertible = rw.op(op).results().types().iter().all(|&ty| converter.convert_one(rw.cx(), ty).is_some());
    if convertible { Ok(()) } else { Err(NoMatch("the type of a result cannot be converted")) }
}

/// `func.call` becomes `llvm.call`.
pub(super) struct Call(pub(super) LlvmOptions);

impl ConversionPattern for Call {
    const NAME: &'static str = "func-call-to-llvm";
    const ROOT: Option<&'static str> = Some(CallOp::NAME);

    fn rewrite(&self, op: OpId, operands: Converted<'_>, rw: &mut ConversionRewriter<'_>) -> Rewrite {
        check_results(op, rw)?;
        let (callee, cx) = (CallOp::wrap(rw.op(op)).callee().id(), rw.cx());
        let args = promoted(op, 0, operands, rw, self.0)?;
        let no_inline = rw.op(op).attr("no_inline").map(|attr| attr.id());
        replace_call(op, &args, rw, self.0, |state| {
            state.attr(cx, "callee", callee).maybe_attr(cx, "no_inline", no_inline)
        })
    }
}

/// `func.call_indirect` becomes `llvm.call` of a pointer.
pub(super) struct CallIndirect(pub(super) LlvmOptions);

impl ConversionPattern for CallIndirect {
    const NAME: &'static str = "func-call-indirect-to-llvm";
    const ROOT: Option<&'static str> = Some(CallIndirectOp::NAME);

    fn rewrite(&self, op: OpId, operands: Converted<'_>, rw: &mut ConversionRewriter<'_>) -> Rewrite {
        check_results(op, rw)?;
        let mut args = promoted(op, 1, operands, rw, self.0)?;
        args.insert(0, operands.one(0));
        replace_call(op, &args, rw, self.0, |state| state)
    }
}

/// `func.return` becomes `llvm.return`; several values are put into a struct.
pub(super) struct Return(pub(super) LlvmOptions);

impl ConversionPattern for Return {
    const NAME: &'static str = "func-return-to-llvm";
    const ROOT: Option<&'static str> = Some(ReturnOp::NAME);

    fn rewrite(&self, op: OpId, operands: Converted<'_>, rw: &mut ConversionRewriter<'_>) -> Rewrite {
        let (cx, converter, loc) = (rw.cx(), rw.converter(), rw.op(op).loc());
        let types = rw.op(op).operands().types();
        if types.iter().any(|&ty| cx.ty(ty).is_unranked_memref()) {
            return Err(UNRANKED_RESULT);
        }
        let llvm_types: Option<SmallVec<[Type; 4]>> =
            types.iter().map(|&ty| result_type(converter, cx, ty, self.0)).collect();
        let llvm_types = llvm_types.ok_or(NoMatch("the type of a result cannot be converted"))?;
        let kept: SmallVec<[(Ident, Attr); 2]> =
            rw.op(op).discardable_attrs().map(|(name, attr)| (name, attr.id())).collect();
        let mut b = Build::new(rw, loc);
        let mut values = operands.all();
        if self.0.bare_pointers {
            for (value, _) in values.iter_mut().zip(&types).filter(|(_, ty)| cx.ty(**ty).is_memref()) {
                // The convention takes the allocated pointer to be the aligned one too.
                *value = Descriptor { value: *value }.allocated(&mut b);
            }
        }
        if values.len() > 1 {
            let mut packed = b.poison(struct_type(cx, &llvm_types));
            for (i, &value) in values.iter().enumerate() {
                packed = b.insert(packed, value, &[i as i64]);
            }
            values = smallvec::smallvec![packed];
        }
        rw.replace_with(op, OpState::of::<dl_llvm::ReturnOp<'_>>(loc).operands(values).attrs(kept));
        Ok(())
    }
}

/// `func.constant` becomes `llvm.mlir.addressof`.
pub(super) struct Constant;

impl ConversionPattern for Constant {
    const NAME: &'static str = "func-constant-to-llvm";
    const ROOT: Option<&'static str> = Some(ConstantOp::NAME);

    fn rewrite(&self, op: OpId, _: Converted<'_>, rw: &mut ConversionRewriter<'_>) -> Rewrite {
        let view = ConstantOp::wrap(rw.op(op));
        let (symbol, ty, loc) = (view.value().id(), view.result().ty().id(), view.0.loc());
        let ty = rw.convert_type(ty)?;
        let cx = rw.cx();
        let state = OpState::of::<AddressOfOp<'_>>(loc).attr(cx, "global_name", symbol).results([ty]);
        rw.replace_with(op, state);
        Ok(())
    }
}
