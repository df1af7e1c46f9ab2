//! Sums, products and the like that a loop carries.

use dl_affine::AffineForOp;
use dl_arith::AtomicRMWKind;
use dl_ir::ValueId;

/// A carried value that each iteration combines with another one.
#[derive(Clone, Copy, Debug)]
pub struct Reduction {
    /// How they are combined.
    pub kind: AtomicRMWKind,
    /// What it is combined with.
    pub value: ValueId,
}

/// All that the loop carries, as reductions by one operation each. `None` where a carried value is something else, or used otherwise.
pub fn reductions(of: AffineForOp<'_>) -> Option<Vec<Reduction>> {
    let body = of.region().entry()?;
    let yielded = body.last_op()?.operands();
    let mut found = Vec::new();
    for (at, carried) in body.args().skip(1).enumerate() {
        let combiner = yielded.get(at)?.defining_op()?;
        let is_right_here = combiner.block() == Some(body) && combiner.num_operands() == 2;
        let used_once = carried.has_one_use() && combiner.num_results() == 1 && combiner.result(0).has_one_use();
        if !is_right_here || !used_once {
            return None;
        }
        let value = match (combiner.operand(0) == carried, combiner.operand(1) == carried) {
            (true, false) => combiner.operand(1),
            (false, true) => combiner.operand(0),
            _ => return None,
        };
        found.push(Reduction { kind: kind_of(combiner.name())?, value: value.id() });
    }
    Some(found)
}

/// How the operation of this name combines two values, where the order of several does not matter (save for rounding).
pub fn kind_of(name: &str) -> Option<AtomicRMWKind> {
    Some(match name {
        "arith.addf" => AtomicRMWKind::Addf,
        "arith.addi" => AtomicRMWKind::Addi,
        "arith.mulf" => AtomicRMWKind::Mulf,
        "arith.muli" => AtomicRMWKind::Muli,
        "arith.andi" => AtomicRMWKind::Andi,
        "arith.ori" => AtomicRMWKind::Ori,
        "arith.xori" => AtomicRMWKind::Xori,
        "arith.minimumf" => AtomicRMWKind::Minimumf,
        "arith.maximumf" => AtomicRMWKind::Maximumf,
        "arith.minnumf" => AtomicRMWKind::Minnumf,
        "arith.maxnumf" => AtomicRMWKind::Maxnumf,
        "arith.minsi" => AtomicRMWKind::Mins,
        "arith.maxsi" => AtomicRMWKind::Maxs,
        "arith.minui" => AtomicRMWKind::Minu,
        "arith.maxui" => AtomicRMWKind::Maxu,
        _ => return None,
    })
}
