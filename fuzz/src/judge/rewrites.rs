//! Single rewrites, as the greedy driver makes them.

use dl_ir::rewrite::fold::{Fold, materialize, try_fold};
use dl_ir::rewrite::{AnyPattern, FrozenPatterns};
use dl_ir::symbol::SymbolSnapshot;
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

impl Rewrite {
    /// The name of the operation that is rewritten; `*` for a pattern of operations of any name.
    pub fn operation(&self) -> &str {
        let (Self::Fold(op) | Self::Pattern(_, op) | Self::Erase(op)) = self;
        op
    }
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

/// What is tried first.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Order {
    /// As the greedy driver does it: the first operation, folds, patterns by their benefit.
    Greedy,
    /// The other way round, for what would else hardly ever apply.
    Backwards,
}

/// Does the first thing that can be done with `op`, around which there are these symbols.
pub(super) fn apply(
    cx: &Context,
    ir: &mut Arena,
    op: OpId,
    patterns: &FrozenPatterns,
    symbols: &SymbolSnapshot,
    order: Order,
) -> Option<Rewrite> {
    if !ir.is_live(op) {
        return None;
    }
    let view = OpRef::new(cx, ir, op);
    let (name, info) = (view.name().to_owned(), cx.op_info(view.name_id()));
    let dead = view.is_trivially_dead();
    let mut rw = Rewriter::new(cx, ir).with_symbols(symbols);
    if dead {
        rw.erase(op);
        return Some(Rewrite::Erase(name));
    }
    match order {
        Order::Greedy => fold(&mut rw, op, &name).or_else(|| first_of(patterns.of(info), &mut rw, op, &name)),
        Order::Backwards => {
            let all: Vec<&AnyPattern> = patterns.of(info).collect();
            first_of(all.into_iter().rev(), &mut rw, op, &name).or_else(|| fold(&mut rw, op, &name))
        }
    }
}

fn fold(rw: &mut Rewriter<'_>, op: OpId, name: &str) -> Option<Rewrite> {
    match if rw.op(op).has_trait(&Trait::ConstantLike) { Fold::None } else { try_fold(rw, op) } {
        Fold::None => return None,
        Fold::InPlace => {}
        Fold::Values(folded) => {
            let values = materialize(rw, op, &folded)?;
            rw.replace(op, &values);
        }
    }
    Some(Rewrite::Fold(name.to_owned()))
}

fn first_of<'p>(
    patterns: impl Iterator<Item = &'p AnyPattern>,
    rw: &mut Rewriter<'_>,
    op: OpId,
    name: &str,
) -> Option<Rewrite> {
    for pattern in patterns {
        rw.set_insertion_before(op);
        if pattern.rewrite(op, rw).is_ok() {
            return Some(Rewrite::Pattern(pattern.name.to_owned(), name.to_owned()));
        }
    }
    None
}
