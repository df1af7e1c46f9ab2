//! Loads where their values are used.
//!
//! Cranelift keeps loads in the order of the program and computes everything else as late as it can. A kernel that loads all its operands first would
//! then hold all of them in registers at once. So each load is moved down in its block to the first instruction that uses it, but not past
//! one that may write to memory. Takes time in proportion to the instructions.

use cranelift_codegen::ir::{Function, Inst, Opcode, Value};
use rustc_hash::FxHashMap;

/// Moves the loads of all blocks.
pub(crate) fn sink_loads(func: &mut Function) {
    let blocks: Vec<_> = func.layout.blocks().collect();
    for block in blocks {
        let insts: Vec<Inst> = func.layout.block_insts(block).collect();
        // Going backwards: where each value is first used, and where memory next may change.
        let mut first_use: FxHashMap<Value, usize> = FxHashMap::default();
        let mut barrier = insts.len();
        let mut moves = Vec::new();
        for (at, &inst) in insts.iter().enumerate().rev() {
            let opcode = func.dfg.insts[inst].opcode();
            if opcode == Opcode::Load {
                let value = func.dfg.first_result(inst);
                let used = first_use.get(&value).copied().unwrap_or(at);
                let target = used.min(barrier);
                if target > at + 1 && target < insts.len() {
                    moves.push((inst, insts[target]));
                }
            } else if opcode.can_store() || opcode.is_call() || opcode.other_side_effects() || opcode.is_terminator() {
                barrier = at;
            }
            for value in func.dfg.inst_values(inst) {
                first_use.insert(value, at);
            }
        }
        for (load, before) in moves.into_iter().rev() {
            func.layout.remove_inst(load);
            func.layout.insert_inst(load, before);
        }
    }
}
