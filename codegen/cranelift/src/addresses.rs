//! Addresses of accesses, regrouped.
//!
//! An address is a sum of a pointer, indices times strides, and constants. Written as programs have it, `((i + 3) * 1024 + j) * 4 + p`, each access of a kernel
//! has an address of its own, which takes a register. Here each is written as the terms that change in outer loops, then those of inner ones, and the
//! constant goes into the instruction: accesses that are a constant apart share one address, and what an inner loop does not change is computed before it.
//! Arithmetic on 64 bits wraps around, so the sums are the same in any order. Takes time in proportion to the accesses.

use cranelift_codegen::Context;
use cranelift_codegen::cursor::{Cursor, FuncCursor};
use cranelift_codegen::ir::{Function, Inst, InstBuilder, InstructionData, Opcode, Value, ValueDef, types};
use cranelift_codegen::loop_analysis::LoopAnalysis;
use rustc_hash::FxHashMap;
use smallvec::{SmallVec, smallvec};

/// Longest sum that is taken apart.
const MOST_TERMS: usize = 6;
/// Deepest expression that is.
const DEEPEST: usize = 24;

/// Values times constants, and a constant.
#[derive(Clone, Debug)]
struct Sum {
    terms: SmallVec<[(Value, i64); 4]>,
    constant: i64,
}

impl Sum {
    fn of(value: Value) -> Self {
        Self { terms: smallvec![(value, 1)], constant: 0 }
    }

    /// `self + factor * other`; none when that is too long.
    fn plus(mut self, factor: i64, other: &Self) -> Option<Self> {
        self.constant = self.constant.wrapping_add(other.constant.wrapping_mul(factor));
        for &(value, scale) in &other.terms {
            let scale = scale.wrapping_mul(factor);
            match self.terms.iter_mut().find(|(known, _)| *known == value) {
                Some((_, known)) => *known = known.wrapping_add(scale),
                None => self.terms.push((value, scale)),
            }
        }
        self.terms.retain(|&mut (_, scale)| scale != 0);
        (self.terms.len() <= MOST_TERMS).then_some(self)
    }
}

/// Regroups the addresses of all loads and stores. `reach` is the largest constant that an instruction has room for.
pub(crate) fn regroup(context: &mut Context, reach: i32) {
    context.flowgraph();
    context.compute_loop_analysis();
    let Context { func, loop_analysis: loops, .. } = context;
    let mut known = FxHashMap::default();
    let mut cursor = FuncCursor::new(func);
    while cursor.next_block().is_some() {
        let mut written = FxHashMap::default();
        while let Some(inst) = cursor.next_inst() {
            let (at, address, offset) = match cursor.func.dfg.insts[inst] {
                InstructionData::Load { opcode: Opcode::Load, arg, offset, .. } => (0, arg, i32::from(offset)),
                InstructionData::Store { opcode: Opcode::Store, args, offset, .. } => (1, args[1], i32::from(offset)),
                _ => continue,
            };
            let sum = sum(cursor.func, address, 0, &mut known);
            let total = i64::from(offset).checked_add(sum.constant);
            let displacement = total.and_then(|total| i32::try_from(total).ok()).filter(|total| total.abs() <= reach);
            if sum.terms.is_empty() || (sum.terms.len() == 1 && displacement.is_none()) {
                continue;
            }
            let constant = if displacement.is_some() { 0 } else { sum.constant };
            let address = write(&mut cursor, loops, sum, constant, &mut written);
            change(cursor.func, inst, at, address, displacement.unwrap_or(offset));
        }
    }
}

/// `value` as a sum.
fn sum(func: &Function, value: Value, depth: usize, known: &mut FxHashMap<Value, Sum>) -> Sum {
    let value = func.dfg.resolve_aliases(value);
    if let Some(known) = known.get(&value) {
        return known.clone();
    }
    let found = func.dfg.value_def(value).inst().filter(|_| depth < DEEPEST).and_then(|inst| {
        let constant = |value: Value| constant(func, func.dfg.resolve_aliases(value));
        let mut part = |value: Value| sum(func, value, depth + 1, known);
        let none = Sum { terms: SmallVec::new(), constant: 0 };
        match func.dfg.insts[inst] {
            InstructionData::UnaryImm { opcode: Opcode::Iconst, imm } => Some(Sum { constant: imm.bits(), ..none }),
            InstructionData::Binary { opcode: Opcode::Iadd, args: [a, b] } => part(a).plus(1, &part(b)),
            InstructionData::Binary { opcode: Opcode::Isub, args: [a, b] } => part(a).plus(-1, &part(b)),
            InstructionData::Binary { opcode: Opcode::Imul, args: [a, b] } => match (constant(a), constant(b)) {
                (Some(factor), _) => none.plus(factor, &part(b)),
                (None, Some(factor)) => none.plus(factor, &part(a)),
                (None, None) => None,
            },
            InstructionData::Binary { opcode: Opcode::Ishl, args: [a, by] } => {
                none.plus(1_i64.wrapping_shl(constant(by)? as u32), &part(a))
            }
            _ => None,
        }
    });
    let found = found.unwrap_or_else(|| Sum::of(value));
    known.insert(value, found.clone());
    found
}

/// The integer that a value always is.
pub(crate) fn constant(func: &Function, value: Value) -> Option<i64> {
    match func.dfg.insts[func.dfg.value_def(value).inst()?] {
        InstructionData::UnaryImm { opcode: Opcode::Iconst, imm } => Some(imm.bits()),
        _ => None,
    }
}

/// What a block computes: the sum of a value, a term times a factor, and a constant.
type Written = FxHashMap<(Option<Value>, Value, i64, i64), Value>;

/// Computes the terms and the constant before the instruction at the cursor, what outer loops change first. What the block has `written` already is
/// used again.
fn write(
    cursor: &mut FuncCursor<'_>,
    loops: &LoopAnalysis,
    mut sum: Sum,
    constant: i64,
    written: &mut Written,
) -> Value {
    let level = |func: &Function, value: Value| {
        let block = match func.dfg.value_def(value) {
            ValueDef::Param(block, _) => Some(block),
            def => def.inst().and_then(|inst| func.layout.inst_block(inst)),
        };
        block.map_or(0, |block| loops.loop_level(block).level())
    };
    // Pointers come first where nothing else decides: they are not multiplied.
    sum.terms.sort_by_key(|&(value, scale)| (level(cursor.func, value), scale != 1, value));
    let mut total: Option<Value> = None;
    for (value, scale) in sum.terms {
        let constant = if total.is_none() { constant } else { 0 };
        let next = *written.entry((total, value, scale, constant)).or_insert_with(|| {
            let term = match scale {
                1 => value,
                scale if scale > 0 && scale.count_ones() == 1 => {
                    let by = cursor.ins().iconst(types::I32, i64::from(scale.trailing_zeros()));
                    cursor.ins().ishl(value, by)
                }
                scale => cursor.ins().imul_imm_s(value, scale),
            };
            match total {
                Some(total) => cursor.ins().iadd(total, term),
                None if constant != 0 => cursor.ins().iadd_imm_s(term, constant),
                None => term,
            }
        });
        total = Some(next);
    }
    total.expect("a sum with a term")
}

/// Gives an access another address.
fn change(func: &mut Function, inst: Inst, at: usize, address: Value, displacement: i32) {
    func.dfg.inst_args_mut(inst)[at] = address;
    if let InstructionData::Load { offset, .. } | InstructionData::Store { offset, .. } = &mut func.dfg.insts[inst] {
        *offset = displacement.into();
    }
}
