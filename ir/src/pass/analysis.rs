//! Analyses: facts about an arena that are computed once and kept until a pass does not preserve them.

use std::any::{Any, TypeId};
use std::sync::Arc;

use rustc_hash::{FxHashMap, FxHashSet};

use crate::arena::Arena;
use crate::context::Context;

/// Facts about one isolated operation.
pub trait Analysis: Any + Send + Sync + Sized {
    /// Computes them.
    fn build(cx: &Context, ir: &Arena) -> Self;
}

/// The analyses that are known of one arena, and of those nested in it.
#[derive(Default)]
pub struct AnalysisManager {
    known: FxHashMap<TypeId, Arc<dyn Any + Send + Sync>>,
    children: FxHashMap<usize, Self>,
}

impl AnalysisManager {
    /// The analysis `A` of `ir`, computed unless it is known. Answers whether it had to be.
    pub fn get<A: Analysis>(&mut self, cx: &Context, ir: &Arena) -> (Arc<A>, bool) {
        let known = self.known.get(&TypeId::of::<A>()).cloned().and_then(|known| known.downcast::<A>().ok());
        if let Some(known) = known {
            (known, false)
        } else {
            let built = Arc::new(A::build(cx, ir));
            self.known.insert(TypeId::of::<A>(), built.clone());
            (built, true)
        }
    }

    /// Forgets all but the preserved analyses, and all of nested arenas: they may have changed in any way.
    pub(super) fn invalidate(&mut self, preserved: &Preserved) {
        match preserved {
            Preserved::All => {}
            Preserved::Some(kept) => {
                self.known.retain(|id, _| kept.contains(id));
                self.children.clear();
            }
        }
    }

    /// Takes out what is known of child number `index`, to work on it elsewhere.
    pub(super) fn take_child(&mut self, index: usize) -> Self {
        self.children.remove(&index).unwrap_or_default()
    }

    /// Puts it back.
    pub(super) fn set_child(&mut self, index: usize, child: Self) {
        self.children.insert(index, child);
    }
}

/// What a pass says that it has left valid.
pub(super) enum Preserved {
    All,
    Some(FxHashSet<TypeId>),
}

impl Default for Preserved {
    fn default() -> Self {
        Self::Some(FxHashSet::default())
    }
}

impl Preserved {
    pub(super) fn add(&mut self, id: TypeId) {
        if let Self::Some(kept) = self {
            kept.insert(id);
        }
    }
}
