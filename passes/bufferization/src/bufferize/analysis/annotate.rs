//! Decisions as attributes, for tests.

use dl_ir::walk::ops_in_arena;
use dl_ir::{Arena, Attr, Rewriter};

use super::Analysis;
use crate::bufferize::operand::Operand;

/// Says for each operand of each operation with tensor operands whether it is in place, in `__inplace_operands_attr__`:
/// `"true"`, `"false"`, or `"none"` for an operand that is no tensor.
pub fn annotate(state: &Analysis<'_>, rw: &mut Rewriter<'_>) {
    let cx = rw.cx();
    let name = cx.ident("__inplace_operands_attr__");
    for op in ops_in_arena(rw.ir(), Arena::ROOT) {
        let view = rw.op(op);
        if Operand::tensors(view).next().is_none() {
            continue;
        }
        let words = (0..view.num_operands()).map(|i| match Operand::new(view, i) {
            operand if !operand.is_tensor() => "none",
            operand if state.is_in_place(operand) => "true",
            _ => "false",
        });
        let words: Vec<Attr> = words.map(|word| cx.string_attr(word)).collect();
        rw.set_attr(op, name, cx.array_attr(&words));
    }
}
