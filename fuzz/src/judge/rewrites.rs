//! Single rewrites, as the greedy driver makes them.

use dl_ir::rewrite::FrozenPatterns;
use dl_ir::rewrite::fold::{Fold, materialize, try_fold};
use dl_ir::{Arena, Context, OpId, OpRef, Rewriter, Trait};

/// A kind of rewrite.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Rewrite {
    /// An operation of this name is folded.
    Fold(String),
    /// The pattern of the first name is applied to an operation of the second one.
    Pattern(String, String),
    /// An operation that nothing needs is erased.
    Erase(String),
}

impl std::fmt::Display for Rewrite {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Fold(op) => write!(f, "fold of {op}"),
            Self::Pattern(pattern, op) => write!(f, "{pattern} on {op}"),
            Self::Erase(op) => write!(f, "erasure of {op}"),
        }
    }
}

/// Does the first thing that can be done with `op`, in the order of the greedy driver.
pub(super) fn apply(cx: &Context, ir: &mut Arena, op: OpId, patterns: &FrozenPatterns) -> Option<Rewrite> {
    if !ir.is_live(op) {
        return None;
    }
    let view = OpRef::new(cx, ir, op);
    let (name, info) = (view.name().to_owned(), cx.op_info(view.name_id()));
    let dead = view.is_trivially_dead();
    let mut rw = Rewriter::new(cx, ir);
    if dead {
        rw.erase(op);
        return Some(Rewrite::Erase(name));
    }
    if !info.has_trait(&Trait::ConstantLike) {
        match try_fold(&mut rw, op) {
            Fold::None => {}
            Fold::InPlace => return Some(Rewrite::Fold(name)),
            Fold::Values(folded) => {
                if let Some(values) = materialize(&mut rw, op, &folded) {
                    rw.replace(op, &values);
                    return Some(Rewrite::Fold(name));
                }
            }
        }
    }
    for pattern in patterns.of(info) {
        rw.set_insertion_before(op);
        if pattern.rewrite(op, &mut rw).is_ok() {
            return Some(Rewrite::Pattern(pattern.name.to_owned(), name));
        }
    }
    None
}
