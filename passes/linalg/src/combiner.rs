//! The operations that combine the values of reductions.

use dl_ir::effects::is_memory_effect_free;
use dl_ir::{OpRef, Trait, ValueRef};
use dl_vector::{CombiningKind, combining};

const KINDS: [CombiningKind; 13] = [
    CombiningKind::Add,
    CombiningKind::Mul,
    CombiningKind::Minui,
    CombiningKind::Minsi,
    CombiningKind::Minnumf,
    CombiningKind::Maxui,
    CombiningKind::Maxsi,
    CombiningKind::Maxnumf,
    CombiningKind::And,
    CombiningKind::Or,
    CombiningKind::Xor,
    CombiningKind::Maximumf,
    CombiningKind::Minimumf,
];

/// How `op` combines its two operands, as reductions of vectors name it.
pub(crate) fn combining_kind(op: OpRef<'_>) -> Option<CombiningKind> {
    let float = op.results().iter().next()?.ty().is_float();
    KINDS.into_iter().find(|&kind| combining(kind, float) == op.name())
}

/// The operations by which the accumulator `acc` becomes what the terminator hands on at `index`, each used by the next only. The first has
/// two operands. `None` where there is no such chain.
pub(crate) fn combiners<'a>(acc: ValueRef<'a>, index: usize) -> Option<Vec<OpRef<'a>>> {
    let body = acc.owner_block()?;
    let user_of = |value: ValueRef<'a>| value.uses().next().filter(|_| value.has_one_use()).map(|(user, _)| user);
    let mut chain = Vec::new();
    let mut user = user_of(acc)?;
    while !user.has_trait(&Trait::Terminator) {
        if user.block() != Some(body) || user.num_results() != 1 || !is_memory_effect_free(user) {
            return None;
        }
        chain.push(user);
        user = user_of(user.result(0))?;
    }
    let last = chain.last()?.result(0);
    let is_handed_on = index < user.num_operands() && user.operand(index) == last;
    (is_handed_on && chain[0].num_operands() == 2).then_some(chain)
}

/// What is combined with the accumulator `acc`, which the terminator hands on at `index`.
pub(crate) fn combined_value(acc: ValueRef<'_>, index: usize) -> Option<ValueRef<'_>> {
    let first = *combiners(acc, index)?.first()?;
    Some(if first.operand(0) == acc { first.operand(1) } else { first.operand(0) })
}
