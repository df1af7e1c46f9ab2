//! Read access: `Copy` views over a context, an arena and an id.
//!
//! An [`OpRef`] of a nested isolated operation reads through its stub into the arena that it owns, so that generic code
//! need not know of the split.

use std::fmt;

use crate::arena::{Arena, Definition};
use crate::attributes::{Attr, AttrRef};
use crate::context::Context;
use crate::diagnostics::Diagnostic;
use crate::dialect::{FoldedValue, OpInfo};
use crate::entity::{BlockId, Ident, OpId, OpName, RegionId, ValueId};
use crate::location::Loc;
use crate::opdef::{Arity, OpDef, OpEntry, Presence, Trait, ValueDef};
use crate::symbol::VISIBILITY;
use crate::text::{PrintOptions, print_op_in_place};
use crate::types::{Type, TypeRef};

/// The definition behind a typed view.
pub trait OpDefinition {
    /// Full name, `dialect.op`.
    const NAME: &'static str;
    /// [`name_hash`](crate::opdef::name_hash) of the name.
    const HASH: u64;
    /// The definition.
    const DEF: &'static OpDef;
    /// What registers it: see [`DialectBuilder::ops`](crate::DialectBuilder::ops).
    const ENTRY: OpEntry = OpEntry::of::<Self>();
}

/// A typed view: a thin `Copy` wrapper around an [`OpRef`] of one operation.
pub trait OpView<'a>: OpDefinition + Copy {
    /// Wraps without a check.
    fn wrap(op: OpRef<'a>) -> Self;
    /// The operation.
    fn op(self) -> OpRef<'a>;
}

/// A view of an operation: reads it and all that it hangs together with. For an isolated one it stands for stub and body alike.
#[derive(Clone, Copy)]
pub struct OpRef<'a> {
    cx: &'a Context,
    ir: &'a Arena,
    id: OpId,
}

impl<'a> OpRef<'a> {
    /// A view of operation `id` of `ir`.
    #[inline]
    pub fn new(cx: &'a Context, ir: &'a Arena, id: OpId) -> Self {
        Self { cx, ir, id }
    }

    /// A view of the root of `ir`.
    pub fn root(cx: &'a Context, ir: &'a Arena) -> Self {
        Self::new(cx, ir, Arena::ROOT)
    }

    /// The context.
    #[inline]
    pub fn cx(self) -> &'a Context {
        self.cx
    }

    /// The arena that the id belongs to.
    #[inline]
    pub fn arena(self) -> &'a Arena {
        self.ir
    }

    /// The id in [`arena`](Self::arena).
    #[inline]
    pub fn id(self) -> OpId {
        self.id
    }

    /// The handle of the name.
    #[inline]
    pub fn name_id(self) -> OpName {
        self.ir.op(self.id).name
    }

    /// Full name, `dialect.op`.
    pub fn name(self) -> &'a str {
        &self.info().name
    }

    /// What the context knows of the name.
    #[inline]
    pub fn info(self) -> &'a OpInfo {
        self.cx.op_info(self.name_id())
    }

    /// The definition, `None` for an unregistered operation.
    #[inline(always)]
    pub fn def(self) -> Option<&'a OpDef> {
        self.info().def.as_deref()
    }

    /// Whether the definition has the flag. Always false for unregistered operations.
    #[inline]
    pub fn has_trait(self, of: &Trait) -> bool {
        self.info().has_trait(of)
    }

    /// Whether the definition names the interface, as ODS calls it. Always false for unregistered operations.
    ///
    /// Cost: as many comparisons as the definition has traits.
    pub fn names_interface(self, name: &str) -> bool {
        self.def().is_some_and(|def| def.names_interface(name))
    }

    /// Whether it is a `T`.
    #[inline(always)]
    pub fn is<T: OpDefinition>(self) -> bool {
        self.info().hash() == T::HASH && self.info().is_registered()
    }

    /// The view as a `T`, if it is one.
    #[inline]
    pub fn cast<T: OpView<'a>>(self) -> Option<T> {
        self.is::<T>().then(|| T::wrap(self))
    }

    /// Its location.
    #[inline]
    pub fn loc(self) -> Loc {
        let body = self.body(); // A pass on the operation changes what is there.
        body.ir.op(body.id).loc
    }

    /// Whether it is the root of its arena, seen from inside: operands and results are then those of the stub around it,
    /// out of sight.
    #[inline]
    pub fn is_root(self) -> bool {
        self.id == Arena::ROOT
    }

    /// For a nested isolated operation, the root of the arena that it owns; for any other, itself.
    #[inline]
    pub fn body(self) -> OpRef<'a> {
        match self.ir.child_of(self.id) {
            Some(child) => OpRef::root(self.cx, child),
            None => self,
        }
    }

    /// Whether it is a nested isolated operation.
    #[inline]
    pub fn is_stub(self) -> bool {
        self.ir.is_stub(self.id)
    }

    // Operands and results.

    /// Number of operands.
    #[inline]
    pub fn num_operands(self) -> usize {
        self.ir.op(self.id).num_operands as usize
    }

    /// Operand `index`.
    ///
    /// # Panics
    /// When there is none.
    #[inline]
    pub fn operand(self, index: usize) -> ValueRef<'a> {
        let value = self.ir.uses[self.ir.use_id(self.id, index).index()].value;
        ValueRef::new(self.cx, self.ir, value)
    }

    /// All operands.
    #[inline]
    pub fn operands(self) -> Operands<'a> {
        Operands { op: self, start: 0, len: self.num_operands() }
    }

    /// The operands of operand definition `index`, as segments say. Empty when sizes contradict the definition.
    #[inline(always)]
    pub fn operand_group(self, index: usize) -> Operands<'a> {
        let (start, len) = match self.info().facts.operand_groups.range(index, self.num_operands()) {
            Some(range) => range,
            None => self.one_of_several(index, self.num_operands(), true),
        };
        Operands { op: self, start, len }
    }

    /// Number of results.
    #[inline]
    pub fn num_results(self) -> usize {
        self.ir.op(self.id).num_results as usize
    }

    /// Result `index`.
    ///
    /// # Panics
    /// When there is none.
    #[inline]
    pub fn result(self, index: usize) -> ValueRef<'a> {
        ValueRef::new(self.cx, self.ir, self.ir.result(self.id, index))
    }

    /// All results.
    #[inline]
    pub fn results(self) -> Results<'a> {
        Results { op: self, start: 0, len: self.num_results() }
    }

    /// Whether anything reads one of its results.
    #[inline]
    pub fn has_used_results(self) -> bool {
        let data = self.ir.op(self.id);
        let results = &self.ir.values[data.first_result as usize..][..usize::from(data.num_results)];
        results.iter().any(|result| result.first_use.is_some())
    }

    /// The results of result definition `index`.
    #[inline]
    pub fn result_group(self, index: usize) -> Results<'a> {
        let (start, len) = match self.info().facts.result_groups.range(index, self.num_results()) {
            Some(range) => range,
            None => self.one_of_several(index, self.num_results(), false),
        };
        Results { op: self, start, len }
    }

    /// Start and length of group `index` among `total` operands, or results, of which several groups may have any number: all of them equally many,
    /// or as many as the segment sizes say.
    #[inline(never)]
    fn one_of_several(self, index: usize, total: usize, of_operands: bool) -> (usize, usize) {
        let info = self.info();
        let Some(def) = info.def.as_deref() else { return (0, 0) };
        let (values, same_size, segments) = if of_operands {
            let same_size = info.has_trait(&Trait::SameVariadicOperandSize);
            (&def.operands, same_size, self.cx.common().operand_segments)
        } else {
            (&def.results, info.has_trait(&Trait::SameVariadicResultSize), self.cx.common().result_segments)
        };
        let (start, len) = if same_size {
            let singles = values.iter().filter(|value| value.arity == Arity::Single).count();
            let each = total.saturating_sub(singles) / (values.len() - singles);
            let size = |value: &ValueDef| if value.arity == Arity::Single { 1 } else { each };
            (values.iter().take(index).map(size).sum::<usize>(), values.get(index).map_or(0, size))
        } else {
            let Some(sizes) = self.attr_by_ident(segments) else { return (0, 0) };
            let sizes = sizes.i32_words();
            let size = |word: &[u8; 4]| usize::try_from(i32::from_le_bytes(*word)).unwrap_or(0);
            let start = sizes.iter().take(index).map(size).fold(0, usize::saturating_add);
            (start, sizes.get(index).map_or(0, size))
        };
        if start.checked_add(len).is_some_and(|end| end <= total) { (start, len) } else { (0, 0) }
    }

    // Attributes.

    /// All stored attributes, sorted by name, inherent and discardable. Those at their default are not stored.
    #[inline]
    pub fn attrs(self) -> impl ExactSizeIterator<Item = (Ident, AttrRef<'a>)> + Clone {
        let (cx, body) = (self.cx, self.body());
        body.ir.op_attrs(body.id).iter().map(move |&(name, attr)| (name, cx.attr(attr)))
    }

    /// The stored attribute `name`. O(attributes), no hashing.
    #[inline]
    pub fn attr(self, name: &str) -> Option<AttrRef<'a>> {
        let (cx, body) = (self.cx, self.body());
        let attrs = body.ir.op_attrs(body.id);
        attrs.iter().find(|(n, _)| cx.str(*n) == name).map(|&(_, attr)| cx.attr(attr))
    }

    /// The stored attribute `name`, by handle.
    #[inline(always)]
    pub fn attr_by_ident(self, name: Ident) -> Option<AttrRef<'a>> {
        let body = self.body();
        let attrs = body.ir.op_attrs(body.id);
        attrs.iter().find(|(n, _)| *n == name).map(|&(_, attr)| self.cx.attr(attr))
    }

    /// Inherent attribute number `index` of the definition, its default where it has one and none is stored.
    #[inline]
    pub fn inherent(self, index: usize) -> Option<AttrRef<'a>> {
        let info = self.info();
        let name = *info.attr_names(self.cx).get(index)?;
        self.attr_by_ident(name).or_else(|| info.defaults(self.cx)[index].map(|attr| self.cx.attr(attr)))
    }

    /// Attribute `name` as stored, or its default where the definition has one.
    #[inline]
    pub fn attr_or_default(self, name: &str) -> Option<AttrRef<'a>> {
        self.attr(name).or_else(|| {
            let info = self.info();
            let index = info.attr_names(self.cx).iter().position(|&n| self.cx.str(n) == name)?;
            info.defaults(self.cx)[index].map(|attr| self.cx.attr(attr))
        })
    }

    /// The stored attributes that the definition does not name.
    pub fn discardable_attrs(self) -> impl Iterator<Item = (Ident, AttrRef<'a>)> + Clone {
        let info = self.info();
        self.attrs().filter(move |(name, _)| !is_inherent(self.cx, info, *name))
    }

    /// The inherent attributes sorted by name, those at their default included: what `<{...}>` shows.
    pub fn properties(self) -> Vec<(Ident, Attr)> {
        let info = self.info();
        let stored = self.attrs().filter(|(name, _)| is_inherent(self.cx, info, *name));
        let mut all: Vec<_> = stored.map(|(name, attr)| (name, attr.id())).collect();
        if let Some(def) = &info.def {
            for (i, attr) in def.attrs.iter().enumerate() {
                let name = info.attr_names(self.cx)[i];
                if matches!(attr.presence, Presence::Default(_)) && all.iter().all(|(n, _)| *n != name) {
                    all.extend(info.defaults(self.cx)[i].map(|value| (name, value)));
                }
            }
        }
        all.sort_by(|a, b| self.cx.str(a.0).cmp(self.cx.str(b.0)));
        all
    }

    // Regions, successors, neighbours.

    /// Number of regions.
    #[inline(always)]
    pub fn num_regions(self) -> usize {
        if self.ir.op(self.id).is_leaf() {
            return 0;
        }
        let body = self.body();
        body.ir.op_regions(body.id).len()
    }

    /// Region `index`.
    ///
    /// # Panics
    /// When there is none.
    #[inline]
    pub fn region(self, index: usize) -> RegionRef<'a> {
        let body = self.body();
        RegionRef::new(body.cx, body.ir, body.ir.op_regions(body.id)[index])
    }

    /// All regions.
    #[inline(always)]
    pub fn regions(self) -> impl ExactSizeIterator<Item = RegionRef<'a>> + DoubleEndedIterator + Clone {
        let body = self.body();
        body.ir.op_regions(body.id).iter().map(move |&r| RegionRef::new(body.cx, body.ir, r))
    }

    /// Number of successors.
    #[inline]
    pub fn num_successors(self) -> usize {
        usize::from(self.ir.nested(self.id).num_successors)
    }

    /// Successor `index`.
    ///
    /// # Panics
    /// When there is none.
    pub fn successor(self, index: usize) -> BlockRef<'a> {
        self.successors().nth(index).expect("a successor of that number")
    }

    /// All successors.
    pub fn successors(self) -> impl ExactSizeIterator<Item = BlockRef<'a>> {
        self.ir.successors(self.id).map(move |b| BlockRef::new(self.cx, self.ir, b))
    }

    /// The block it is in; `None` for the root of an arena and for detached operations.
    #[inline]
    pub fn block(self) -> Option<BlockRef<'a>> {
        self.ir.block_of(self.id).map(|b| BlockRef::new(self.cx, self.ir, b))
    }

    /// The operation around it; `None` for the root of an arena.
    pub fn parent(self) -> Option<OpRef<'a>> {
        self.ir.parent_op(self.id).map(|op| OpRef::new(self.cx, self.ir, op))
    }

    /// The closest operation around it, in its arena, that is a `T`.
    pub fn parent_of<T: OpView<'a>>(self) -> Option<T> {
        std::iter::successors(self.parent(), |op| op.parent()).find_map(OpRef::cast)
    }

    /// The next operation of its block.
    #[inline]
    pub fn next(self) -> Option<OpRef<'a>> {
        self.ir.op(self.id).next.map(|op| OpRef::new(self.cx, self.ir, op))
    }

    /// The previous operation of its block.
    pub fn prev(self) -> Option<OpRef<'a>> {
        self.ir.op(self.id).prev.map(|op| OpRef::new(self.cx, self.ir, op))
    }

    /// Whether `other` is this operation or is nested in it, in this arena.
    pub fn is_ancestor_of(self, other: OpId) -> bool {
        std::iter::successors(Some(other), |&op| self.ir.parent_op(op)).any(|op| op == self.id)
    }

    /// The symbol name, for an operation that has one.
    pub fn symbol_name(self) -> Option<&'a str> {
        self.attr("sym_name")?.as_str()
    }

    /// From where the symbol can be used, one of [`VISIBILITIES`](crate::symbol::VISIBILITIES): `public` where nothing is said.
    pub fn visibility(self) -> &'a str {
        self.attr(VISIBILITY).and_then(AttrRef::as_str).unwrap_or("public")
    }

    /// What a [`Trait::ConstantLike`] operation holds: its `value`, or what it folds to where it has no such attribute.
    #[inline(always)]
    pub fn constant_value(self) -> Option<AttrRef<'a>> {
        if self.has_trait(&Trait::ConstantLike) { self.held_value() } else { None }
    }

    #[inline(never)]
    fn held_value(self) -> Option<AttrRef<'a>> {
        let stored = self.attr_by_ident(self.cx.common().value);
        stored.or_else(|| self.attr_or_default("value")).or_else(|| {
            match self.info().hooks.fold?(self, &[])?.first()? {
                FoldedValue::Constant(value) => Some(self.cx.attr(*value)),
                FoldedValue::Value(_) => None,
            }
        })
    }

    /// Whether erasing it cannot be observed when its results are unused: no memory effect but reads and allocation of
    /// its own result, not a terminator, no symbol.
    pub fn is_trivially_dead(self) -> bool {
        !self.has_used_results() && crate::effects::would_be_trivially_dead(self)
    }

    // Messages.

    /// An error at this operation: `'name' op message`.
    #[cold]
    #[track_caller]
    pub fn error(self, message: impl fmt::Display) -> Diagnostic {
        self.with_text(Diagnostic::error(self.loc(), format!("'{}' op {message}", self.name())))
    }

    /// A warning at this operation.
    #[track_caller]
    pub fn warning(self, message: impl fmt::Display) -> Diagnostic {
        self.with_text(Diagnostic::warning(self.loc(), format!("'{}' op {message}", self.name())))
    }

    /// A remark at this operation, without its name.
    #[track_caller]
    pub fn remark(self, message: impl fmt::Display) -> Diagnostic {
        self.with_text(Diagnostic::remark(self.loc(), message.to_string()))
    }

    /// The message with the generic form of the operation as a note, where the context asks for that.
    fn with_text(self, message: Diagnostic) -> Diagnostic {
        if !self.cx().shows_ops_in_messages() {
            return message;
        }
        let options = PrintOptions { generic: true, ..PrintOptions::default() };
        let mut text = Vec::new();
        print_op_in_place(self, &options, &mut text).expect("memory can be written to");
        message.note(self.loc(), format!("see current operation: {}", String::from_utf8_lossy(&text).trim_end()))
    }
}

/// Whether `name` is an inherent attribute: in the definition, or one of the segment sizes that traits imply.
pub(crate) fn is_inherent(cx: &Context, info: &OpInfo, name: Ident) -> bool {
    if info.hooks.no_properties {
        return false;
    }
    info.attr_names(cx).contains(&name)
        || (info.has_trait(&Trait::AttrSizedOperandSegments) && name == cx.common().operand_segments)
        || (info.has_trait(&Trait::AttrSizedResultSegments) && name == cx.common().result_segments)
}

impl PartialEq for OpRef<'_> {
    fn eq(&self, other: &Self) -> bool {
        self.id == other.id && std::ptr::eq(self.ir, other.ir)
    }
}

impl Eq for OpRef<'_> {}

impl fmt::Debug for OpRef<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {:?}", self.name(), self.id)
    }
}

/// A value: a result or a block argument.
#[derive(Clone, Copy)]
pub struct ValueRef<'a> {
    cx: &'a Context,
    ir: &'a Arena,
    id: ValueId,
}

impl<'a> ValueRef<'a> {
    /// A view of value `id` of `ir`.
    #[inline]
    pub fn new(cx: &'a Context, ir: &'a Arena, id: ValueId) -> Self {
        Self { cx, ir, id }
    }

    /// The context.
    #[inline]
    pub fn cx(self) -> &'a Context {
        self.cx
    }

    /// The id in its arena.
    #[inline]
    pub fn id(self) -> ValueId {
        self.id
    }

    /// The arena it is in.
    #[inline]
    pub fn arena(self) -> &'a Arena {
        self.ir
    }

    /// Its type.
    #[inline]
    pub fn ty(self) -> TypeRef<'a> {
        self.cx.ty(self.ir.value_type(self.id))
    }

    /// What defines it.
    #[inline]
    pub fn definition(self) -> Definition {
        self.ir.definition(self.id)
    }

    /// The operation whose result it is.
    #[inline]
    pub fn defining_op(self) -> Option<OpRef<'a>> {
        self.ir.defining_op(self.id).map(|op| OpRef::new(self.cx, self.ir, op))
    }

    /// The operation whose result it is, as a `T`.
    #[inline(always)]
    pub fn def<T: OpView<'a>>(self) -> Option<T> {
        self.defining_op().and_then(OpRef::cast)
    }

    /// The block whose argument it is.
    pub fn owner_block(self) -> Option<BlockRef<'a>> {
        match self.definition() {
            Definition::Argument(block) => Some(BlockRef::new(self.cx, self.ir, block)),
            Definition::Result(_) => None,
        }
    }

    /// Its number among the results or arguments.
    pub fn index(self) -> usize {
        self.ir.value_index(self.id)
    }

    /// The block it is defined in: its own, or that of its operation.
    pub fn parent_block(self) -> Option<BlockRef<'a>> {
        self.owner_block().or_else(|| self.defining_op()?.block())
    }

    /// Whether it is defined inside of `op`: by an operation in one of its regions, or as an argument of a block there.
    pub fn is_defined_in(self, op: OpRef<'_>) -> bool {
        self.parent_block().and_then(BlockRef::parent_op).is_some_and(|parent| op.is_ancestor_of(parent.id()))
    }

    /// Whether anything reads it.
    pub fn has_uses(self) -> bool {
        self.ir.has_uses(self.id)
    }

    /// Whether exactly one operand reads it.
    pub fn has_one_use(self) -> bool {
        self.ir.uses(self.id).take(2).count() == 1
    }

    /// Operation and operand number of each use, most recent first.
    pub fn uses(self) -> impl Iterator<Item = (OpRef<'a>, usize)> {
        self.ir.uses(self.id).map(move |(op, operand)| (OpRef::new(self.cx, self.ir, op), operand))
    }

    /// The constant that its operation holds: see [`OpRef::constant_value`].
    #[inline(always)]
    pub fn constant(self) -> Option<AttrRef<'a>> {
        self.defining_op()?.constant_value()
    }

    /// Its location: that of its operation; for a block argument its own, or without one that of the operation around its block.
    #[inline]
    pub fn loc(self) -> Loc {
        match self.definition() {
            Definition::Result(op) => self.ir.op(op).loc,
            Definition::Argument(block) => {
                let around = || self.ir.region_parent(self.ir.region_of(block)?).map(|op| self.ir.op(op).loc);
                self.ir.arg_loc(self.id).or_else(around).unwrap_or(Loc::UNKNOWN)
            }
        }
    }
}

impl PartialEq for ValueRef<'_> {
    fn eq(&self, other: &Self) -> bool {
        self.id == other.id && std::ptr::eq(self.ir, other.ir)
    }
}

impl Eq for ValueRef<'_> {}

impl fmt::Debug for ValueRef<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?}", self.id)
    }
}

macro_rules! value_range {
    ($(#[$doc:meta])* $name:ident, $get:ident, $run:ident) => {
        $(#[$doc])*
        #[derive(Clone, Copy)]
        pub struct $name<'a> {
            op: OpRef<'a>,
            start: usize,
            len: usize,
        }

        impl<'a> $name<'a> {
            /// How many there are.
            #[inline]
            pub fn len(self) -> usize {
                self.len
            }

            /// Whether there is none.
            pub fn is_empty(self) -> bool {
                self.len == 0
            }

            /// The number of the first one among all of the operation.
            pub fn start(self) -> usize {
                self.start
            }

            /// The numbers of these among all of the operation.
            pub fn range(self) -> std::ops::Range<usize> {
                self.start..self.start + self.len
            }

            /// Number `index` of these.
            #[inline(always)]
            pub fn get(self, index: usize) -> Option<ValueRef<'a>> {
                (index < self.len).then(|| self.op.$get(self.start + index))
            }

            /// `len` of these, from number `start` on.
            ///
            /// # Panics
            /// When there are fewer.
            pub fn slice(self, start: usize, len: usize) -> Self {
                assert!(start + len <= self.len, "values {start}..{} of {}", start + len, self.len);
                Self { op: self.op, start: self.start + start, len }
            }

            /// The only one, by definition.
            ///
            /// # Panics
            /// When there is none: the operation is not verified.
            #[inline(always)]
            pub fn single(self) -> ValueRef<'a> {
                self.get(0).expect("a verified operation has the values of its definition")
            }

            /// In order.
            #[inline]
            pub fn iter(self) -> impl ExactSizeIterator<Item = ValueRef<'a>> + DoubleEndedIterator + Clone {
                let (cx, ir) = (self.op.cx, self.op.ir);
                ir.$run(self.op.id, self.start, self.len).map(move |value| ValueRef::new(cx, ir, value))
            }

            /// Their ids, in order.
            #[inline]
            pub fn ids(self) -> smallvec::SmallVec<[ValueId; 4]> {
                self.op.ir.$run(self.op.id, self.start, self.len).collect()
            }

            /// Their types, in order.
            #[inline]
            pub fn types(self) -> smallvec::SmallVec<[Type; 4]> {
                let ir = self.op.ir;
                ir.$run(self.op.id, self.start, self.len).map(|value| ir.value_type(value)).collect()
            }
        }
    };
}

value_range! {
    /// A run of operands of one operation.
    Operands, operand, operand_run
}
value_range! {
    /// A run of results of one operation.
    Results, result, result_run
}

/// A view of a block: its arguments, its operations in order, the region that it is in.
#[derive(Clone, Copy)]
pub struct BlockRef<'a> {
    cx: &'a Context,
    ir: &'a Arena,
    id: BlockId,
}

impl<'a> BlockRef<'a> {
    /// A view of block `id` of `ir`.
    #[inline]
    pub fn new(cx: &'a Context, ir: &'a Arena, id: BlockId) -> Self {
        Self { cx, ir, id }
    }

    /// The id in its arena.
    #[inline]
    pub fn id(self) -> BlockId {
        self.id
    }

    /// The arena it is in.
    #[inline]
    pub fn arena(self) -> &'a Arena {
        self.ir
    }

    /// The context.
    #[inline]
    pub fn cx(self) -> &'a Context {
        self.cx
    }

    /// Number of arguments.
    pub fn num_args(self) -> usize {
        self.ir.block_args(self.id).len()
    }

    /// Argument `index`.
    ///
    /// # Panics
    /// When there is none.
    pub fn arg(self, index: usize) -> ValueRef<'a> {
        ValueRef::new(self.cx, self.ir, self.ir.block_args(self.id)[index])
    }

    /// All arguments.
    pub fn args(self) -> impl ExactSizeIterator<Item = ValueRef<'a>> + DoubleEndedIterator + Clone {
        self.ir.block_args(self.id).iter().map(move |&v| ValueRef::new(self.cx, self.ir, v))
    }

    /// Its operations, in order.
    pub fn ops(self) -> impl Iterator<Item = OpRef<'a>> + Clone {
        let first = self.ir.block(self.id).first_op.map(|op| OpRef::new(self.cx, self.ir, op));
        std::iter::successors(first, |op| op.next())
    }

    /// Its first operation.
    #[inline]
    pub fn first_op(self) -> Option<OpRef<'a>> {
        self.ir.block(self.id).first_op.map(|op| OpRef::new(self.cx, self.ir, op))
    }

    /// Its last operation.
    #[inline]
    pub fn last_op(self) -> Option<OpRef<'a>> {
        self.ir.last_op(self.id).map(|op| OpRef::new(self.cx, self.ir, op))
    }

    /// Its last operation, if that is a terminator or not registered.
    #[inline(always)]
    pub fn terminator(self) -> Option<OpRef<'a>> {
        self.last_op().filter(|op| !op.info().is_registered() || op.has_trait(&Trait::Terminator))
    }

    /// Whether it has no operations.
    pub fn is_empty(self) -> bool {
        self.ir.block(self.id).first_op.is_none()
    }

    /// The region it is in.
    #[inline]
    pub fn region(self) -> Option<RegionRef<'a>> {
        self.ir.region_of(self.id).map(|r| RegionRef::new(self.cx, self.ir, r))
    }

    /// The operation around it.
    #[inline]
    pub fn parent_op(self) -> Option<OpRef<'a>> {
        self.region()?.parent_op()
    }

    /// The next block of its region.
    #[inline]
    pub fn next(self) -> Option<BlockRef<'a>> {
        self.ir.block(self.id).next.map(|b| BlockRef::new(self.cx, self.ir, b))
    }

    /// Whether it is the first block of its region.
    pub fn is_entry(self) -> bool {
        self.region().is_some_and(|r| self.ir.entry_block(r.id()) == Some(self.id))
    }

    /// Operations that branch here and the number of the successor, most recent first.
    pub fn predecessor_ops(self) -> impl Iterator<Item = (OpRef<'a>, usize)> {
        self.ir.predecessor_ops(self.id).map(move |(op, i)| (OpRef::new(self.cx, self.ir, op), i))
    }

    /// The blocks that its last operation may branch to.
    pub fn successors(self) -> impl Iterator<Item = BlockRef<'a>> {
        self.last_op().into_iter().flat_map(OpRef::successors)
    }
}

impl PartialEq for BlockRef<'_> {
    fn eq(&self, other: &Self) -> bool {
        self.id == other.id && std::ptr::eq(self.ir, other.ir)
    }
}

impl Eq for BlockRef<'_> {}

/// A view of a region: its blocks in order, the first of which is its entry, and the operation that it belongs to.
#[derive(Clone, Copy)]
pub struct RegionRef<'a> {
    cx: &'a Context,
    ir: &'a Arena,
    id: RegionId,
}

impl<'a> RegionRef<'a> {
    /// A view of region `id` of `ir`.
    #[inline]
    pub fn new(cx: &'a Context, ir: &'a Arena, id: RegionId) -> Self {
        Self { cx, ir, id }
    }

    /// The id in its arena.
    #[inline]
    pub fn id(self) -> RegionId {
        self.id
    }

    /// The arena it is in: for a region of a nested isolated operation, the one that the operation owns.
    #[inline]
    pub fn arena(self) -> &'a Arena {
        self.ir
    }

    /// The operation it belongs to, seen from inside: for an isolated operation, the root of its arena.
    #[inline]
    pub fn parent_op(self) -> Option<OpRef<'a>> {
        self.ir.region_parent(self.id).map(|op| OpRef::new(self.cx, self.ir, op))
    }

    /// Its number among the regions of its operation.
    pub fn index(self) -> usize {
        let parent = self.parent_op().map(|op| self.ir.op_regions(op.id()));
        parent.and_then(|all| all.iter().position(|&r| r == self.id)).unwrap_or(0)
    }

    /// Its blocks, in order.
    pub fn blocks(self) -> impl Iterator<Item = BlockRef<'a>> + Clone {
        let first = self.ir.entry_block(self.id).map(|b| BlockRef::new(self.cx, self.ir, b));
        std::iter::successors(first, |b| b.next())
    }

    /// Its first block.
    pub fn entry(self) -> Option<BlockRef<'a>> {
        self.ir.entry_block(self.id).map(|b| BlockRef::new(self.cx, self.ir, b))
    }

    /// Whether it has no blocks.
    pub fn is_empty(self) -> bool {
        self.ir.entry_block(self.id).is_none()
    }

    /// Whether it has exactly one block.
    pub fn has_one_block(self) -> bool {
        let data = self.ir.region(self.id);
        data.first.is_some() && data.first == data.last
    }

    /// The operations of its blocks, in order, not those nested deeper.
    pub fn ops(self) -> impl Iterator<Item = OpRef<'a>> {
        self.blocks().flat_map(BlockRef::ops)
    }
}

impl PartialEq for RegionRef<'_> {
    fn eq(&self, other: &Self) -> bool {
        self.id == other.id && std::ptr::eq(self.ir, other.ir)
    }
}

impl Eq for RegionRef<'_> {}
