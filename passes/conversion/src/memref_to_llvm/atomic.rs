//! Atomic updates of single elements.

use dl_arith::AtomicRMWKind;
use dl_ir::rewrite::conversion::{ConversionPattern, ConversionRewriter, Converted};
use dl_ir::rewrite::{NoMatch, Rewrite};
use dl_ir::{OpDefinition, OpId, OpState, OpView, Type, ValueId};
use dl_llvm::types::struct_type;
use dl_llvm::{AtomicBinOp, AtomicCmpXchgOp, AtomicOrdering, BitcastOp, BrOp, CondBrOp, GEPNoWrapFlags};
use dl_memref::{AtomicRMWOp, AtomicYieldOp, GenericAtomicRMWOp};

use super::access::element_address;
use crate::llvm_build::LlvmBuild;
use dl_arith::Build;

/// The operation that LLVM has for a kind; `None` where it has none.
fn bin_op(kind: AtomicRMWKind) -> Option<AtomicBinOp> {
    use AtomicRMWKind as From;
    Some(match kind {
        From::Addf => AtomicBinOp::Fadd,
        From::Addi => AtomicBinOp::Add,
        From::Assign => AtomicBinOp::Xchg,
        From::Maximumf => AtomicBinOp::Fmax,
        From::Maxs => AtomicBinOp::Max,
        From::Maxu => AtomicBinOp::Umax,
        From::Minimumf => AtomicBinOp::Fmin,
        From::Mins => AtomicBinOp::Min,
        From::Minu => AtomicBinOp::Umin,
        From::Ori => AtomicBinOp::Or,
        From::Xori => AtomicBinOp::Xor,
        From::Andi => AtomicBinOp::And,
        From::Maxnumf | From::Minnumf | From::Mulf | From::Muli => return None,
    })
}

/// `memref.atomic_rmw` becomes `llvm.atomicrmw`. Products have no such instruction: `memref-expand` makes loops of them.
pub(super) struct AtomicRmw;

impl ConversionPattern for AtomicRmw {
    const NAME: &'static str = "memref-atomic-rmw-to-llvm";
    const ROOT: Option<&'static str> = Some(AtomicRMWOp::NAME);

    fn rewrite(&self, op: OpId, operands: Converted<'_>, rw: &mut ConversionRewriter<'_>) -> Rewrite {
        let kind = AtomicRMWKind::from_attr(AtomicRMWOp::wrap(rw.op(op)).kind());
        let kind = kind.and_then(bin_op).ok_or(NoMatch("no instruction does this at once"))?;
        let value = operands.one(0);
        let address = element_address(op, 1, operands, rw, Some(GEPNoWrapFlags::NONE))?;
        let (cx, ty) = (rw.cx(), rw.ir().value_type(value));
        let state = OpState::of::<dl_llvm::AtomicRMWOp<'_>>(rw.op(op).loc())
            .operands([address, value])
            .results([ty])
            .attr(cx, "bin_op", cx.i64_attr(kind.value() as i64))
            .attr(cx, "ordering", cx.i64_attr(AtomicOrdering::AcqRel.value() as i64));
        rw.replace_with(op, state);
        Ok(())
    }
}

/// `memref.generic_atomic_rmw` becomes a loop that compares and exchanges until nobody else came in between.
pub(super) struct GenericAtomicRmw;

impl ConversionPattern for GenericAtomicRmw {
    const NAME: &'static str = "memref-generic-atomic-rmw-to-llvm";
    const ROOT: Option<&'static str> = Some(GenericAtomicRMWOp::NAME);

    fn rewrite(&self, op: OpId, operands: Converted<'_>, rw: &mut ConversionRewriter<'_>) -> Rewrite {
        let view = GenericAtomicRMWOp::wrap(rw.op(op));
        let body = view.atomic_body().entry().filter(|_| view.atomic_body().has_one_block());
        let body = body.ok_or(NoMatch("not one block"))?;
        let yielded = body.last_op().filter(|op| op.is::<AtomicYieldOp<'_>>()).ok_or(NoMatch("no result"))?.id();
        let (loc, body) = (view.0.loc(), body.id());
        let ty = rw.convert_type(view.result().ty().id())?;
        if Some(ty) != rw.ir().block_args(body).first().map(|&arg| rw.ir().value_type(arg)) {
            return Err(NoMatch("an element whose type changes"));
        }
        let cx = rw.cx();
        let head = rw.ir().block_of(op).ok_or(NoMatch("an operation in no block"))?;

        // Integers and pointers are exchanged as they are, floats as integers of their width.
        let word = match cx.ty(ty).float_kind() {
            Some(kind) => cx.int_type(kind.width()),
            None => ty,
        };
        let cast = |rw: &mut ConversionRewriter<'_>, value: ValueId, to: Type| {
            if to == rw.ir().value_type(value) {
                return value;
            }
            rw.create_value(OpState::of::<BitcastOp<'_>>(loc).operands([value]).results([to]))
        };

        // The address and the first value, then the loop, then what follows.
        let address = element_address(op, 0, operands, rw, Some(GEPNoWrapFlags::NONE))?;
        let first = Build::new(rw, loc).llvm_load(word, address);
        let rest = rw.split_block(op);
        let repeat = rw.insert_block_after(head, &[word]);
        rw.set_insertion_to_end(head);
        rw.create(OpState::of::<BrOp<'_>>(loc).operands([first]).successors([repeat]));
        let old_word = rw.ir().block_args(repeat)[0];
        rw.set_insertion_to_end(repeat);
        let old = cast(rw, old_word, ty);
        rw.inline_block(body, dl_ir::InsertPoint { block: repeat, before: None }, &[old]);
        let new = rw.op(yielded).operand(0).id();
        rw.set_insertion_before(yielded);
        let new = cast(rw, new, word);
        let orderings = [AtomicOrdering::AcqRel, AtomicOrdering::Monotonic].map(|o| cx.i64_attr(o.value() as i64));
        let state = OpState::of::<AtomicCmpXchgOp<'_>>(loc)
            .operands([address, old_word, new])
            .results([struct_type(cx, &[word, cx.i1_type()])])
            .attr(cx, "success_ordering", orderings[0])
            .attr(cx, "failure_ordering", orderings[1]);
        let exchanged = rw.create_value(state);
        let mut b = Build::new(rw, loc);
        let (seen, done) = (b.extract(exchanged, &[0]), b.extract(exchanged, &[1]));
        let found = cast(rw, seen, ty);
        let mut b = Build::new(rw, loc);
        let state = OpState::of::<CondBrOp<'_>>(loc)
            .operands([done, seen])
            .operand_segments(cx, &[1, 0, 1])
            .successors([rest, repeat]);
        b.create(state);
        rw.erase(yielded);
        rw.replace(op, &[found]);
        Ok(())
    }
}
