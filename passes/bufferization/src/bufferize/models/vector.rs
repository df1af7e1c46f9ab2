//! `vector`: transfers between tensors and vectors.

use dl_ir::{DialectBuilder, OpId, OpState};
use dl_vector::{TransferReadOp, TransferWriteOp};
use smallvec::SmallVec;

use super::linalg::{is_init, tied};
use super::{Done, access, model};
use crate::bufferize::Bufferizable;
use crate::bufferize::bufferizer::Bufferizer;
use crate::bufferize::operand::AliasingValues;

pub(super) fn attach(builder: &mut DialectBuilder) {
    model::<TransferReadOp<'_>>(builder, Read);
    model::<TransferWriteOp<'_>>(builder, Write);
}

/// A vector is read.
struct Read;

impl Bufferizable for Read {
    access!(|operand, state| reads: true, writes: false, aliases: AliasingValues::new());

    fn bufferize(&self, op: OpId, bz: &mut Bufferizer<'_>) -> Done {
        let base = bz.rw.op(op).operand(0);
        if base.ty().is_tensor() {
            let base = base.id();
            let buffer = bz.buffer(base)?;
            bz.rw.set_operand(op, 0, buffer);
        }
        Ok(())
    }
}

/// A vector is written; what is around it stays.
struct Write;

impl Bufferizable for Write {
    access!(|operand, state| reads: is_init(operand), writes: is_init(operand), aliases: tied(operand));

    fn bufferize(&self, op: OpId, bz: &mut Bufferizer<'_>) -> Done {
        let view = bz.rw.op(op);
        if view.num_results() == 0 {
            return Ok(());
        }
        let (name, loc, mut operands) = (view.name_id(), view.loc(), view.operands().ids());
        let attrs: SmallVec<[_; 4]> = view.attrs().map(|(name, attr)| (name, attr.id())).collect();
        let buffer = bz.buffer(operands[1])?;
        operands[1] = buffer;
        bz.rw.set_insertion_before(op);
        bz.rw.create(OpState::new(name, loc).operands(operands).attrs(attrs));
        bz.replace(op, &[buffer]);
        Ok(())
    }
}
