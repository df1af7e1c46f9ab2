//! What a loop computes anew in each iteration, computed before it.
//!
//! Cranelift recomputes sums with constants, and all that is made of them, where they are used, so that they take no register meanwhile. The
//! addresses of a kernel are made of little else, and its loops are short: there each is worth a register. A loop is that of a header with one
//! block before it. Takes time in proportion to instructions times the depth of loops, besides one look at each block for each loop.

use cranelift_codegen::Context;
use cranelift_codegen::ir::{Function, Inst, Opcode, Value, ValueDef};

/// Moves instructions whose operands do not change in a loop to the block before it, from inner loops to outer ones.
pub(crate) fn hoist_invariants(context: &mut Context) {
    context.compute_loop_analysis();
    let Context { func, domtree, loop_analysis: loops, .. } = context;
    let blocks: Vec<_> = func.layout.blocks().collect();
    let all: Vec<_> = loops.loops().collect();
    for lp in all.into_iter().rev() {
        let Some(before) = domtree.idom(loops.loop_header(lp)).filter(|&block| !loops.is_in_loop(block, lp)) else {
            continue;
        };
        let Some(end) = func.layout.last_inst(before) else { continue };
        for &block in blocks.iter().filter(|&&block| loops.is_in_loop(block, lp)) {
            let mut next = func.layout.first_inst(block);
            while let Some(inst) = next {
                next = func.layout.next_inst(inst);
                if !is_cheap_and_pure(func.dfg.insts[inst].opcode()) {
                    continue;
                }
                let inside = |func: &Function, value: Value| match func.dfg.value_def(value) {
                    ValueDef::Result(inst, _) => {
                        func.layout.inst_block(inst).is_none_or(|block| loops.is_in_loop(block, lp))
                    }
                    ValueDef::Param(block, _) => loops.is_in_loop(block, lp),
                    ValueDef::Union(..) => true,
                };
                let args: Vec<Value> = func.dfg.inst_values(inst).collect();
                let changing: Vec<Value> = args.into_iter().filter(|&value| inside(func, value)).collect();
                let constants: Option<Vec<Inst>> = changing.iter().map(|&value| constant(func, value)).collect();
                let Some(constants) = constants else { continue };
                for moved in constants.into_iter().chain([inst]) {
                    if next == Some(moved) {
                        next = func.layout.next_inst(moved);
                    }
                    func.layout.remove_inst(moved);
                    func.layout.insert_inst(moved, end);
                }
            }
        }
    }
}

/// Whether an instruction does nothing but compute an integer or an address from others.
fn is_cheap_and_pure(opcode: Opcode) -> bool {
    use Opcode as O;
    matches!(
        opcode,
        O::Iadd
            | O::Isub
            | O::Imul
            | O::Ishl
            | O::Ushr
            | O::Sshr
            | O::Band
            | O::Bor
            | O::Bxor
            | O::Sextend
            | O::Uextend
    )
}

/// The instruction that makes an integer constant.
fn constant(func: &Function, value: Value) -> Option<Inst> {
    let inst = func.dfg.value_def(value).inst()?;
    (func.dfg.insts[inst].opcode() == Opcode::Iconst).then_some(inst)
}
