//! Analyses: facts about an arena that are computed once and kept until a pass does not preserve them.

use std::any::{Any, TypeId};
use std::sync::Arc;
use std::time::{Duration, Instant};

use indexmap::IndexMap;
use rustc_hash::{FxBuildHasher, FxHashMap, FxHashSet};

use crate::arena::Arena;
use crate::context::Context;

/// Facts about one isolated operation, without the isolated operations nested in it: those have analyses of their own.
pub trait Analysis: Any + Send + Sync + Sized {
    /// Computes them. Other analyses of the same operation come from `analyses`, which computes each once.
    fn build(cx: &Context, ir: &Arena, analyses: &mut AnalysisManager) -> Self;

    /// What reports call it: the name of the type, where nothing else is said.
    fn name() -> &'static str {
        let name = std::any::type_name::<Self>();
        name.rsplit("::").next().unwrap_or(name)
    }

    /// Whether it still holds after a pass that preserved these analyses. One that was built from others can ask for them as
    /// well, or hold longer than it is preserved.
    fn is_valid(&self, preserved: &PreservedAnalyses) -> bool {
        preserved.contains::<Self>()
    }
}

/// What a pass says that it has left valid.
#[derive(Default)]
pub struct PreservedAnalyses {
    all: bool,
    kept: FxHashSet<TypeId>,
}

impl PreservedAnalyses {
    /// Whether nothing has been changed.
    pub fn is_all(&self) -> bool {
        self.all
    }

    /// Whether `A` is among them.
    pub fn contains<A: Analysis>(&self) -> bool {
        self.all || self.kept.contains(&TypeId::of::<A>())
    }

    pub(super) fn add<A: Analysis>(&mut self) {
        self.kept.insert(TypeId::of::<A>());
    }

    pub(super) fn add_all(&mut self) {
        self.all = true;
    }

    fn is_none(&self) -> bool {
        !self.all && self.kept.is_empty()
    }
}

/// An analysis that is known, and how to ask it whether it still holds.
#[derive(Clone)]
struct Known {
    facts: Arc<dyn Any + Send + Sync>,
    is_valid: fn(&(dyn Any + Send + Sync), &PreservedAnalyses) -> bool,
}

/// The analyses known of one operation, in the order in which they were asked for.
type KnownAnalyses = IndexMap<TypeId, Known, FxBuildHasher>;

/// The analyses known of the operations around one, the closest first: facts to read, never computed from inside.
#[derive(Clone, Copy, Default)]
pub(super) struct Around<'a> {
    known: Option<&'a KnownAnalyses>,
    next: Option<&'a Around<'a>>,
}

impl Around<'_> {
    /// The closest `A` around.
    pub(super) fn find<A: Analysis>(&self) -> Option<Arc<A>> {
        let all = std::iter::successors(Some(self), |around| around.next);
        all.filter_map(|around| around.known).find_map(|known| known_in(known))
    }
}

/// The analyses that are known of one arena, and of those nested in it.
#[derive(Default)]
pub struct AnalysisManager {
    known: KnownAnalyses,
    children: FxHashMap<usize, Self>,
    /// Names of those computed since this was last asked for, and how long that took.
    built: Vec<(&'static str, Duration)>,
}

impl AnalysisManager {
    /// The analysis `A` of `ir`, computed unless it is known.
    pub fn get<A: Analysis>(&mut self, cx: &Context, ir: &Arena) -> Arc<A> {
        if let Some(known) = self.cached() {
            return known;
        }
        let start = Instant::now();
        let facts = Arc::new(A::build(cx, ir, self));
        self.built.push((A::name(), start.elapsed()));
        let is_valid = |facts: &(dyn Any + Send + Sync), preserved: &PreservedAnalyses| {
            facts.downcast_ref::<A>().is_some_and(|facts| facts.is_valid(preserved))
        };
        self.known.insert(TypeId::of::<A>(), Known { facts: facts.clone(), is_valid });
        facts
    }

    /// The analysis `A`, if it is known.
    pub fn cached<A: Analysis>(&self) -> Option<Arc<A>> {
        known_in(&self.known)
    }

    /// The analyses of the nested arena in place `index` of its parent.
    pub(super) fn child(&mut self, index: usize) -> &mut Self {
        self.children.entry(index).or_default()
    }

    /// Forgets what is no longer valid, here and in nested arenas: what is preserved is preserved in all of them.
    pub(super) fn invalidate(&mut self, preserved: &PreservedAnalyses) {
        if preserved.is_all() {
            return;
        }
        let mut pending = vec![self];
        while let Some(manager) = pending.pop() {
            manager.known.retain(|_, known| (known.is_valid)(&*known.facts, preserved));
            if preserved.is_none() {
                manager.children.clear();
            }
            pending.extend(manager.children.values_mut());
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

    /// What nested operations may read: these analyses, and those that this operation itself may read.
    pub(super) fn around<'a>(&'a self, next: &'a Around<'a>) -> Around<'a> {
        Around { known: Some(&self.known), next: Some(next) }
    }

    /// Names and times of the analyses computed since this was last called.
    pub(super) fn take_built(&mut self) -> Vec<(&'static str, Duration)> {
        std::mem::take(&mut self.built)
    }
}

fn known_in<A: Analysis>(known: &KnownAnalyses) -> Option<Arc<A>> {
    known.get(&TypeId::of::<A>()).cloned().and_then(|known| known.facts.downcast::<A>().ok())
}
