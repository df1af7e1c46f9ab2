//! What a pattern is, and sets of them.

use rustc_hash::FxHashMap;

use crate::context::Context;
use crate::dialect::OpInfo;
use crate::entity::OpId;
use crate::opdef::name_hash;
use crate::rewriter::Rewriter;

/// Why a pattern did not apply, for `--debug` logs. Nothing has been changed then.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct NoMatch(pub &'static str);

/// What applying a pattern gave.
pub type Rewrite = Result<(), NoMatch>;

/// A rewrite of one kind of operation. A type with this trait is a pattern; its fields are its options.
pub trait Pattern: Send + Sync + 'static {
    /// Name in logs and reports, kebab case with the dialect first.
    const NAME: &'static str;
    /// Full name of the operations it looks at; `None` for all.
    const ROOT: Option<&'static str>;
    /// Patterns of higher benefit are tried first.
    const BENEFIT: u16 = 1;
    /// Other names that select it, each for a group of patterns: in `disable-patterns` and the like.
    const LABELS: &'static [&'static str] = &[];

    /// Whether it asks for [symbols](Rewriter::symbol), which the greedy driver then looks up before it begins.
    const SYMBOLS: bool = false;

    /// Whether it is [local](super#local-rewrites).
    const LOCAL: bool = false;

    /// Rewrites `op`, or says why not without having changed anything.
    ///
    /// # Errors
    /// Why the pattern does not match. Another one is tried then.
    fn rewrite(&self, op: OpId, rw: &mut Rewriter<'_>) -> Rewrite;
}

type RewriteFn = Box<dyn Fn(OpId, &mut Rewriter<'_>) -> Rewrite + Send + Sync>;

/// A pattern of any type.
pub struct AnyPattern {
    /// Its name.
    pub name: &'static str,
    /// Full name of the operations it looks at; `None` for all.
    pub root: Option<&'static str>,
    /// Its benefit.
    pub benefit: u16,
    /// Names of the groups that it is in.
    pub labels: &'static [&'static str],
    /// Whether it asks for symbols.
    symbols: bool,
    /// Whether it is [local](super#local-rewrites).
    local: bool,
    /// Of which operations it looks at only some.
    wanted: Option<fn(&OpInfo) -> bool>,
    rewrite: RewriteFn,
}

impl AnyPattern {
    /// One of benefit 1 that is in no group, and of which nothing else is said.
    fn new(
        name: &'static str,
        root: Option<&'static str>,
        rewrite: impl Fn(OpId, &mut Rewriter<'_>) -> Rewrite + Send + Sync + 'static,
    ) -> Self {
        let rewrite = Box::new(rewrite);
        Self { name, root, benefit: 1, labels: &[], symbols: false, local: false, wanted: None, rewrite }
    }

    /// Whether this is its name, or the name of a group that it is in.
    pub fn is_called(&self, name: &str) -> bool {
        self.name == name || self.labels.contains(&name)
    }

    /// Whether it is [local](super#local-rewrites).
    pub(super) fn is_local(&self) -> bool {
        self.local
    }

    /// Applies it to `op`.
    ///
    /// # Errors
    /// Why it does not match.
    pub fn rewrite(&self, op: OpId, rw: &mut Rewriter<'_>) -> Rewrite {
        (self.rewrite)(op, rw)
    }
}

/// A set of patterns, in the order in which they were added.
#[derive(Default)]
pub struct Patterns {
    list: Vec<AnyPattern>,
}

impl Patterns {
    /// A set without patterns.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a pattern. Among patterns of equal benefit the one that was added first is tried first.
    pub fn add<P: Pattern>(&mut self, pattern: P) -> &mut Self {
        self.push(AnyPattern {
            benefit: P::BENEFIT,
            labels: P::LABELS,
            symbols: P::SYMBOLS,
            local: P::LOCAL,
            ..AnyPattern::new(P::NAME, P::ROOT, move |op, rw| pattern.rewrite(op, rw))
        })
    }

    /// Adds a function as a pattern of benefit 1.
    pub fn add_fn(
        &mut self,
        name: &'static str,
        root: Option<&'static str>,
        rewrite: fn(OpId, &mut Rewriter<'_>) -> Rewrite,
    ) -> &mut Self {
        self.push(AnyPattern::new(name, root, rewrite))
    }

    /// Adds a function as a pattern of benefit 1 that is [local](super#local-rewrites).
    pub fn add_local_fn(
        &mut self,
        name: &'static str,
        root: &'static str,
        rewrite: fn(OpId, &mut Rewriter<'_>) -> Rewrite,
    ) -> &mut Self {
        self.push(AnyPattern { local: true, ..AnyPattern::new(name, Some(root), rewrite) })
    }

    /// Adds a function as a pattern of benefit 1 for all operations that are `wanted`, mostly those with some interface. What is asked of an
    /// operation holds for all of its name.
    pub fn add_fn_where(
        &mut self,
        name: &'static str,
        wanted: fn(&OpInfo) -> bool,
        rewrite: fn(OpId, &mut Rewriter<'_>) -> Rewrite,
    ) -> &mut Self {
        self.push(AnyPattern { wanted: Some(wanted), ..AnyPattern::new(name, None, rewrite) })
    }

    /// Adds a closure as a pattern: one that is made at run time.
    pub fn add_dynamic(
        &mut self,
        name: &'static str,
        root: Option<&'static str>,
        benefit: u16,
        rewrite: impl Fn(OpId, &mut Rewriter<'_>) -> Rewrite + Send + Sync + 'static,
    ) -> &mut Self {
        self.push(AnyPattern { benefit, ..AnyPattern::new(name, root, rewrite) })
    }

    /// Adds a pattern of another set.
    pub fn push(&mut self, pattern: AnyPattern) -> &mut Self {
        self.list.push(pattern);
        self
    }

    /// Adds the canonicalization patterns of the operation `name`, if there are such.
    pub fn add_canonicalization(&mut self, cx: &Context, name: &str) -> &mut Self {
        if let Some(op) = cx.find_op(name) {
            op.canonicalize(self);
        }
        self
    }

    /// The patterns in the order in which they were added.
    pub fn iter(&self) -> std::slice::Iter<'_, AnyPattern> {
        self.list.iter()
    }

    /// Keeps those called by one of `enable`, or all where that is empty, but none called by one of `disable`: a name is that
    /// of a pattern or of a group of patterns.
    ///
    /// # Errors
    /// The first name that nothing is called by, with what is similar.
    pub fn select(&mut self, enable: &[String], disable: &[String]) -> Result<(), String> {
        for name in enable.iter().chain(disable) {
            if !self.list.iter().any(|pattern| pattern.is_called(name)) {
                let known = self.list.iter().flat_map(|pattern| std::iter::once(&pattern.name).chain(pattern.labels));
                let hint = crate::diagnostics::did_you_mean(name, known.copied());
                return Err(format!("no pattern is called '{name}'{hint}"));
            }
        }
        let called = |pattern: &AnyPattern, names: &[String]| names.iter().any(|name| pattern.is_called(name));
        self.list.retain(|pattern| (enable.is_empty() || called(pattern, enable)) && !called(pattern, disable));
        Ok(())
    }

    /// Ready to be looked up by operation.
    pub fn freeze(self) -> FrozenPatterns {
        let index = RootIndex::new(self.list.iter().map(|p| (p.root, p.benefit)));
        FrozenPatterns { list: self.list, index }
    }
}

impl IntoIterator for Patterns {
    type Item = AnyPattern;
    type IntoIter = std::vec::IntoIter<AnyPattern>;
    fn into_iter(self) -> Self::IntoIter {
        self.list.into_iter()
    }
}

impl<'a> IntoIterator for &'a Patterns {
    type Item = &'a AnyPattern;
    type IntoIter = std::slice::Iter<'a, AnyPattern>;
    fn into_iter(self) -> Self::IntoIter {
        self.list.iter()
    }
}

/// A set of patterns indexed by the operation they look at.
pub struct FrozenPatterns {
    list: Vec<AnyPattern>,
    index: RootIndex,
}

impl FrozenPatterns {
    /// The patterns for an operation, best first.
    pub fn of(&self, info: &OpInfo) -> impl Iterator<Item = &AnyPattern> {
        let all = self.index.of(info.hash()).iter().map(|&i| &self.list[i as usize]);
        all.filter(|pattern| pattern.wanted.is_none_or(|wanted| wanted(info)))
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.list.is_empty()
    }

    /// Whether one of them asks for symbols.
    pub(super) fn ask_for_symbols(&self) -> bool {
        self.list.iter().any(|pattern| pattern.symbols)
    }
}

/// For each operation name the patterns to try, by position in their set: best first, else in the order of the set.
pub(super) struct RootIndex {
    by_root: FxHashMap<u64, Vec<u32>>,
    any: Vec<u32>,
}

impl RootIndex {
    /// Of patterns with these roots and benefits.
    pub(super) fn new(patterns: impl Iterator<Item = (Option<&'static str>, u16)>) -> Self {
        let mut benefits = Vec::new();
        let mut by_root: FxHashMap<u64, Vec<u32>> = FxHashMap::default();
        let mut any = Vec::new();
        for (i, (root, benefit)) in patterns.enumerate() {
            benefits.push(benefit);
            match root {
                Some(root) => by_root.entry(name_hash(root)).or_default().push(i as u32),
                None => any.push(i as u32),
            }
        }
        let key = |&i: &u32| (std::cmp::Reverse(benefits[i as usize]), i);
        #[expect(clippy::iter_over_hash_type, reason = "each list is sorted on its own")]
        for list in by_root.values_mut() {
            list.extend(&any);
            list.sort_by_key(key);
        }
        any.sort_by_key(key);
        Self { by_root, any }
    }

    pub(super) fn of(&self, hash: u64) -> &[u32] {
        self.by_root.get(&hash).unwrap_or(&self.any)
    }

    pub(super) fn has_root(&self, hash: u64) -> bool {
        self.by_root.contains_key(&hash)
    }
}
