//! Conversion patterns and sets of them.

use std::ops::{Deref, Range};
use std::sync::Arc;

use smallvec::SmallVec;

use super::{ConversionRewriter, TypeConverter};
use crate::entity::{OpId, ValueId};
use crate::rewrite::pattern::{Pattern, Patterns, Rewrite, RootIndex};

/// The converted operands of an operation: for each original operand the values that stand for it, of the types that the
/// pattern's [`TypeConverter`] gives.
#[derive(Clone, Copy, Debug)]
pub struct Converted<'a>(pub &'a [SmallVec<[ValueId; 1]>]);

impl Converted<'_> {
    /// The one value that stands for operand `index`.
    ///
    /// # Panics
    /// When there is no such operand or it was converted to another number of values.
    pub fn one(&self, index: usize) -> ValueId {
        match self.0[index].as_slice() {
            &[value] => value,
            values => panic!("operand {index} was converted to {} values, not to one", values.len()),
        }
    }

    /// All values that stand for the operands in `range`, flat. For an operand group: `op.operand_group(i).range()`.
    pub fn range(&self, range: Range<usize>) -> SmallVec<[ValueId; 4]> {
        self.0[range].iter().flatten().copied().collect()
    }

    /// All values of all operands in order: those of an operand that has become several stand side by side.
    pub fn all(&self) -> SmallVec<[ValueId; 4]> {
        self.range(0..self.0.len())
    }
}

impl Deref for Converted<'_> {
    type Target = [SmallVec<[ValueId; 1]>];
    fn deref(&self) -> &Self::Target {
        self.0
    }
}

/// A rewrite of one kind of operation in a dialect conversion.
///
/// It sees the operation with its original operand types (casts stand in where operands have been converted already) and gets
/// the converted operands besides. Like any pattern it matches fully before the first mutation.
pub trait ConversionPattern: Send + Sync + 'static {
    /// Name in logs and reports, kebab case with the dialect first.
    const NAME: &'static str;
    /// Full name of the operations it looks at; `None` for all.
    const ROOT: Option<&'static str>;
    /// Patterns of higher benefit are tried first.
    const BENEFIT: u16 = 1;

    /// Rewrites `op`, or says why not without having changed anything.
    ///
    /// # Errors
    /// Why the pattern does not match. Another one is tried then.
    fn rewrite(&self, op: OpId, operands: Converted<'_>, rw: &mut ConversionRewriter<'_>) -> Rewrite;
}

type RewriteFn = Box<dyn Fn(OpId, Converted<'_>, &mut ConversionRewriter<'_>) -> Rewrite + Send + Sync>;

/// A conversion pattern of any type.
pub(super) struct AnyConversionPattern {
    pub(super) name: &'static str,
    root: Option<&'static str>,
    benefit: u16,
    /// Its number in the set.
    converter: Option<usize>,
    pub(super) rewrite: RewriteFn,
}

/// One of the type converters of a set of patterns.
#[derive(Clone, Copy)]
pub(super) struct Converter<'a> {
    /// Its number in the set.
    pub(super) number: usize,
    pub(super) types: &'a TypeConverter,
}

/// A set of conversion patterns, in the order in which they were added.
#[derive(Default)]
pub struct ConversionPatterns {
    list: Vec<AnyConversionPattern>,
    converters: Vec<Arc<TypeConverter>>,
}

impl ConversionPatterns {
    /// A set without patterns.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a pattern whose operands `converter` converts.
    pub fn add<P: ConversionPattern>(&mut self, converter: &Arc<TypeConverter>, pattern: P) -> &mut Self {
        let known = self.converters.iter().position(|known| Arc::ptr_eq(known, converter));
        let number = known.unwrap_or(self.converters.len());
        if known.is_none() {
            self.converters.push(Arc::clone(converter));
        }
        self.push(Some(number), pattern)
    }

    /// Adds a pattern that gets its operands with the types they have by now.
    pub fn add_untyped<P: ConversionPattern>(&mut self, pattern: P) -> &mut Self {
        self.push(None, pattern)
    }

    fn push<P: ConversionPattern>(&mut self, converter: Option<usize>, pattern: P) -> &mut Self {
        self.list.push(AnyConversionPattern {
            name: P::NAME,
            root: P::ROOT,
            benefit: P::BENEFIT,
            converter,
            rewrite: Box::new(move |op, operands, rw| pattern.rewrite(op, operands, rw)),
        });
        self
    }

    /// Adds an ordinary rewrite pattern, one that keeps types.
    pub fn add_rewrite<P: Pattern>(&mut self, pattern: P) -> &mut Self {
        self.list.push(AnyConversionPattern {
            name: P::NAME,
            root: P::ROOT,
            benefit: P::BENEFIT,
            converter: None,
            rewrite: Box::new(move |op, _, rw| pattern.rewrite(op, rw)),
        });
        self
    }

    /// Adds all patterns of an ordinary set.
    pub fn add_rewrites(&mut self, patterns: Patterns) -> &mut Self {
        for pattern in patterns {
            self.list.push(AnyConversionPattern {
                name: pattern.name,
                root: pattern.root,
                benefit: pattern.benefit,
                converter: None,
                rewrite: Box::new(move |op, _, rw| pattern.rewrite(op, rw)),
            });
        }
        self
    }

    /// Ready to be looked up by operation.
    pub fn freeze(self) -> FrozenConversionPatterns {
        let index = RootIndex::new(self.list.iter().map(|p| (p.root, p.benefit)));
        FrozenConversionPatterns { list: self.list, converters: self.converters, index }
    }
}

/// A set of conversion patterns indexed by the operation they look at.
pub struct FrozenConversionPatterns {
    list: Vec<AnyConversionPattern>,
    converters: Vec<Arc<TypeConverter>>,
    index: RootIndex,
}

impl FrozenConversionPatterns {
    /// The patterns for the operation whose name has this hash, best first.
    pub(super) fn of(&self, hash: u64) -> impl Iterator<Item = &AnyConversionPattern> {
        self.index.of(hash).iter().map(|&i| &self.list[i as usize])
    }

    /// The converter that `pattern` was added with.
    pub(super) fn converter_of(&self, pattern: &AnyConversionPattern) -> Option<Converter<'_>> {
        let number = pattern.converter?;
        Some(Converter { number, types: &self.converters[number] })
    }

    /// The converter with this number.
    pub(super) fn converter(&self, number: usize) -> &TypeConverter {
        &self.converters[number]
    }

    /// Whether there is a pattern for just the operation whose name has this hash.
    pub(super) fn has_root(&self, hash: u64) -> bool {
        self.index.has_root(hash)
    }
}
