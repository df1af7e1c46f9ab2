//! Loops that carry vectors, several iterations in one.
//!
//! A kernel keeps its sums in registers from one iteration to the next. Cranelift's multiply-add leaves a sum in the register of a factor, so that at
//! the end of an iteration all sums are moved to where the next one looks for them: as many instructions as there are products. With several
//! iterations in a row that happens once for all of them, as do the count and the branches.
//!
//! This is done where it needs no other loop for what is left: the loop is a header that compares and one block, and runs a known multiple of times. Takes
//! time in proportion to the instructions.

use cranelift_codegen::Context;
use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{Block, Function, Inst, InstructionData, Opcode, Value};
use rustc_hash::FxHashMap;

use crate::addresses::constant;

/// Iterations in one, the best first.
const FACTORS: [i64; 3] = [4, 3, 2];
/// Fewest vectors that a loop carries.
const FEWEST_CARRIED: usize = 3;
/// Most instructions of all iterations together.
const MOST_INSTS: usize = 1000;

/// A loop that can be unrolled.
struct Loop {
    header: Block,
    body: Block,
    /// The branch back.
    back: Inst,
    iterations: i64,
}

/// Unrolls the loops of a function; says whether there were any.
pub(crate) fn unroll(context: &mut Context) -> bool {
    context.flowgraph();
    context.compute_loop_analysis();
    let Context { func, loop_analysis: loops, cfg, .. } = context;
    let mut found = Vec::new();
    for lp in loops.loops() {
        let header = loops.loop_header(lp);
        let is_inside = |block: Block| loops.innermost_loop(block) == Some(lp);
        let before: Vec<Inst> = cfg.pred_iter(header).map(|pred| pred.inst).collect();
        let Some(&back) = before.iter().find(|&&inst| func.layout.inst_block(inst).is_some_and(is_inside)) else {
            continue;
        };
        let [entry] = before.iter().copied().filter(|&inst| inst != back).collect::<Vec<_>>()[..] else { continue };
        let Some(body) = func.layout.inst_block(back) else { continue };
        // All that is inside: the body is reached from the header alone, and goes back to it alone.
        let leads_in = |pred: Block| pred == header;
        let is_simple =
            body != header && cfg.pred_iter(body).all(|pred| leads_in(pred.block)) && cfg.succ_iter(body).count() == 1;
        let carried =
            func.dfg.block_params(header).iter().filter(|&&param| func.dfg.value_type(param).is_vector()).count();
        if is_simple
            && carried >= FEWEST_CARRIED
            && func.dfg.block_params(body).is_empty()
            && let Some(iterations) = iterations(func, header, body, entry, back)
        {
            found.push(Loop { header, body, back, iterations });
        }
    }
    found.iter().filter(|lp| repeat(func, lp)).count() > 0
}

/// How often a loop runs, where that is known: its header compares what each iteration adds a constant to with a constant.
fn iterations(func: &Function, header: Block, body: Block, entry: Inst, back: Inst) -> Option<i64> {
    let end = func.layout.last_inst(header)?;
    let InstructionData::Brif { arg, blocks, .. } = func.dfg.insts[end] else { return None };
    let goes_on = blocks[0].block(&func.dfg.value_lists) == body;
    let InstructionData::IntCompare { cond: IntCC::SignedLessThan, args: [position, limit], .. } =
        definition(func, arg)?
    else {
        return None;
    };
    let position = func.dfg.resolve_aliases(position);
    let at = func.dfg.block_params(header).iter().position(|&param| param == position).filter(|_| goes_on)?;
    let argument = |inst: Inst| {
        let calls = func.dfg.insts[inst].branch_destination(&func.dfg.jump_tables, &func.dfg.exception_tables);
        let call = calls.iter().find(|call| call.block(&func.dfg.value_lists) == header)?;
        call.args(&func.dfg.value_lists).nth(at)?.as_value()
    };
    let first = constant(func, func.dfg.resolve_aliases(argument(entry)?))?;
    let limit = constant(func, func.dfg.resolve_aliases(limit))?;
    let InstructionData::Binary { opcode: Opcode::Iadd, args: [a, b] } = definition(func, argument(back)?)? else {
        return None;
    };
    let step = constant(func, func.dfg.resolve_aliases(b)).filter(|_| func.dfg.resolve_aliases(a) == position)?;
    let distance = limit.checked_sub(first).filter(|&distance| distance > 0 && step > 0)?;
    Some((distance - 1) / step + 1)
}

/// The instruction that makes a value.
fn definition(func: &Function, value: Value) -> Option<InstructionData> {
    func.dfg.value_def(func.dfg.resolve_aliases(value)).inst().map(|inst| func.dfg.insts[inst])
}

/// Writes iterations after the first into the body, if they are not too many instructions.
fn repeat(func: &mut Function, lp: &Loop) -> bool {
    let end = func.layout.last_inst(lp.header);
    let insts: Vec<Inst> = func
        .layout
        .block_insts(lp.header)
        .filter(|&inst| Some(inst) != end)
        .chain(func.layout.block_insts(lp.body).filter(|&inst| inst != lp.back))
        .collect();
    let is_plain = |&inst: &Inst| !func.dfg.insts[inst].opcode().is_call();
    let factor = FACTORS.into_iter().find(|factor| lp.iterations % factor == 0);
    let Some(factor) =
        factor.filter(|&factor| insts.iter().all(is_plain) && insts.len() * factor as usize <= MOST_INSTS)
    else {
        return false;
    };
    let params = func.dfg.block_params(lp.header).to_vec();
    let mut carried: Vec<Value> = func.dfg.inst_values(lp.back).collect();
    let first = carried.clone();
    for _ in 1..factor {
        let mut renamed: FxHashMap<Value, Value> = params.iter().copied().zip(carried).collect();
        for &inst in &insts {
            let copy = func.dfg.clone_inst(inst);
            let values: Vec<Value> = func.dfg.inst_values(copy).map(|value| func.dfg.resolve_aliases(value)).collect();
            func.dfg
                .overwrite_inst_values(copy, values.iter().map(|value| renamed.get(value).copied().unwrap_or(*value)));
            func.layout.insert_inst(copy, lp.back);
            let (old, new) = (func.dfg.inst_results(inst).to_vec(), func.dfg.inst_results(copy).to_vec());
            renamed.extend(old.into_iter().zip(new));
        }
        let next = first.iter().map(|&value| func.dfg.resolve_aliases(value));
        carried = next.map(|value| renamed.get(&value).copied().unwrap_or(value)).collect();
    }
    func.dfg.overwrite_inst_values(lp.back, carried.into_iter());
    true
}
