//! Operation definitions as data.
//!
//! One engine parses, prints and verifies any operation from its [`OpDef`]. Definitions generated from ODS are `static`
//! data written with the [`op!`](crate::op) macro; run-time dialects build the same value on the heap. What a definition
//! cannot say (custom assembly, folds, patterns) is attached to the name when the dialect registers: see
//! [`OpHooks`](crate::dialect::OpHooks).

use std::borrow::Cow;
use std::sync::Arc;

use smallvec::SmallVec;

use crate::attributes::AttrRef;
use crate::facts::Facts;
use crate::types::{Type, TypeRef};
use crate::view::{OpDefinition, OpRef};

/// Text that is `'static` in generated definitions and owned in run-time ones.
pub type Str = Cow<'static, str>;
/// A list that is `'static` in generated definitions and owned in run-time ones.
pub type List<T> = Cow<'static, [T]>;

/// The definition of an operation.
#[derive(Clone, Debug)]
pub struct OpDef {
    /// Full name, `dialect.op`.
    pub name: Str,
    /// One line: what it does.
    pub summary: Str,
    /// Operands in order.
    pub operands: List<ValueDef>,
    /// Results in order.
    pub results: List<ValueDef>,
    /// Inherent attributes (properties) in order of definition.
    pub attrs: List<AttrDef>,
    /// Regions in order.
    pub regions: List<RegionDef>,
    /// Successor blocks in order.
    pub successors: List<SuccessorDef>,
    /// Traits and the constraints among operands, results and attributes.
    pub traits: List<Trait>,
    /// The pretty form.
    pub format: Format,
}

impl OpDef {
    /// Whether it names the interface, as ODS calls it.
    pub fn names_interface(&self, name: &str) -> bool {
        self.traits.iter().any(|each| matches!(each, Trait::Interface(named) if named == name))
    }
}

/// An operation as its dialect registers it: a generated definition, with what is asked of it then.
pub struct OpEntry {
    /// The definition.
    pub def: &'static OpDef,
    /// Its name.
    pub name: &'static str,
    pub(crate) hash: u64,
    pub(crate) facts: Facts,
}

impl OpEntry {
    /// That of the operation with the view `T`.
    pub(crate) const fn of<T: OpDefinition + ?Sized>() -> Self {
        Self { def: T::DEF, name: T::NAME, hash: T::HASH, facts: Facts::of(T::DEF) }
    }
}

/// A definition as a context keeps it, in two words: there are thousands.
#[derive(Debug)]
pub enum Stored<T: 'static> {
    /// A generated one.
    Static(&'static T),
    /// One that was built at run time.
    Built(Box<T>),
}

impl<T: Clone> From<Cow<'static, T>> for Stored<T> {
    fn from(def: Cow<'static, T>) -> Self {
        match def {
            Cow::Borrowed(def) => Self::Static(def),
            Cow::Owned(def) => Self::Built(Box::new(def)),
        }
    }
}

impl<T> std::ops::Deref for Stored<T> {
    type Target = T;

    fn deref(&self) -> &T {
        match self {
            Self::Static(def) => def,
            Self::Built(def) => def,
        }
    }
}

/// The pretty form of an operation.
#[derive(Clone, Debug)]
pub enum Format {
    /// None: the generic form is the only one.
    Generic,
    /// ODS `assemblyFormat`, as in ``"$lhs `,` $rhs attr-dict `:` type($result)"``.
    Declarative(Str),
    /// Hand-written: the dialect's `parse` and `print` hooks.
    Custom,
}

/// How many values an operand or result stands for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Arity {
    /// Exactly one.
    Single,
    /// None or one.
    Optional,
    /// Any number.
    Variadic,
    /// Any number of groups of any number; the named attribute holds the group sizes.
    Groups(&'static str),
}

/// An operand or result of a definition.
#[derive(Clone, Debug)]
pub struct ValueDef {
    /// Name in the format, snake case.
    pub name: Str,
    /// One, optional or many.
    pub arity: Arity,
    /// What its type must satisfy.
    pub constraint: Cow<'static, TypeConstraint>,
    /// What the operation does to the memory that the value names.
    pub effects: Effects,
}

/// A set of memory effects.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Effects(pub u8);

impl Effects {
    /// No effect.
    pub const NONE: Self = Self(0);
    /// Reads memory.
    pub const READ: Self = Self(1);
    /// Writes memory.
    pub const WRITE: Self = Self(2);
    /// Allocates memory.
    pub const ALLOCATE: Self = Self(4);
    /// Frees memory.
    pub const FREE: Self = Self(8);

    /// The effects that either has.
    pub const fn union(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    /// Whether every effect of `other` is in the set.
    pub const fn contains(self, other: Self) -> bool {
        self.0 & other.0 == other.0
    }

    /// Whether the set has none.
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }
}

/// A predicate on types with the words that verifier messages use for it.
#[derive(Clone, Debug)]
pub struct TypeConstraint {
    /// As in "operand #0 must be *signless integer*".
    pub summary: Str,
    /// The predicate.
    pub matches: TypePredicate,
    /// The text of the one type that satisfies it, when there is one (`index`, `i1`): the format may then leave the type out.
    pub buildable: Option<Str>,
    /// The kind of type that it speaks of, where the pretty form takes no other.
    pub class: Option<TypeClass>,
}

impl TypeConstraint {
    /// A constraint on more than one type.
    pub const fn new(summary: &'static str, matches: fn(TypeRef<'_>) -> bool) -> Self {
        Self { summary: Cow::Borrowed(summary), matches: TypePredicate::Static(matches), buildable: None, class: None }
    }

    /// A constraint that the type written `text` alone satisfies.
    pub const fn buildable(summary: &'static str, matches: fn(TypeRef<'_>) -> bool, text: &'static str) -> Self {
        Self {
            summary: Cow::Borrowed(summary),
            matches: TypePredicate::Static(matches),
            buildable: Some(Cow::Borrowed(text)),
            class: None,
        }
    }

    /// The same, on types of `class`.
    pub const fn of(mut self, class: TypeClass) -> Self {
        self.class = Some(class);
        self
    }

    /// Whether `ty` satisfies it.
    pub fn matches(&self, ty: TypeRef<'_>) -> bool {
        match &self.matches {
            TypePredicate::Static(f) => f(ty),
            TypePredicate::Dynamic(f) => f(ty),
        }
    }
}

/// Kinds of shaped types.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum TypeClass {
    /// Vectors.
    Vector,
    /// Tensors with a rank.
    RankedTensor,
    /// Memrefs with a rank.
    MemRef,
}

impl TypeClass {
    /// What messages call it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Vector => "builtin.vector",
            Self::RankedTensor => "builtin.tensor",
            Self::MemRef => "builtin.memref",
        }
    }

    /// Whether `ty` is of it.
    pub fn contains(self, ty: TypeRef<'_>) -> bool {
        match self {
            Self::Vector => ty.is_vector(),
            Self::RankedTensor => ty.is_ranked_tensor(),
            Self::MemRef => ty.is_ranked_memref(),
        }
    }
}

/// A predicate on types.
#[derive(Clone)]
pub enum TypePredicate {
    /// A function.
    Static(fn(TypeRef<'_>) -> bool),
    /// Built at run time.
    Dynamic(Arc<dyn Fn(TypeRef<'_>) -> bool + Send + Sync>),
}

/// An inherent attribute of a definition.
#[derive(Clone, Debug)]
pub struct AttrDef {
    /// Name in the IR, as ODS spells it: `overflowFlags`.
    pub name: Str,
    /// What its value must satisfy.
    pub constraint: Cow<'static, AttrConstraint>,
    /// Whether it may be missing, and what is meant then.
    pub presence: Presence,
}

/// Whether an attribute may be missing.
#[derive(Clone, Debug)]
pub enum Presence {
    /// It must be there.
    Required,
    /// It may be missing.
    Optional,
    /// Missing means this value, given as attribute text. The IR never stores it: an attribute equal to its default is
    /// dropped when it is set, and the generic form prints it.
    Default(Str),
    /// It may be missing, and accessors then answer this value, but it is stored where it is written.
    OptionalDefault(Str),
}

/// A predicate on attributes with its words for messages, and how the pretty form writes it.
#[derive(Clone, Debug)]
pub struct AttrConstraint {
    /// As in "attribute 'value' failed to satisfy constraint: *32-bit signless integer attribute*".
    pub summary: Str,
    /// The predicate.
    pub matches: AttrPredicate,
    /// The pretty form.
    pub form: AttrForm,
    /// What bytecode stores, where it is on a property that is no attribute.
    pub native: Option<NativeProperty>,
    /// Whether it is known to be satisfied by all integers or floats of a type, or by none.
    pub by_type: bool,
}

/// A property that is no attribute. In the IR an attribute stands for it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum NativeProperty {
    /// The number of a case of an enumeration: an integer attribute, or one that holds such a number.
    Number,
    /// `unit` for true; false is the default.
    Flag,
}

impl AttrConstraint {
    /// A constraint with its form.
    pub const fn new(summary: &'static str, matches: fn(AttrRef<'_>) -> bool, form: AttrForm) -> Self {
        Self {
            summary: Cow::Borrowed(summary),
            matches: AttrPredicate::Static(matches),
            form,
            native: None,
            by_type: false,
        }
    }

    /// The same, on a property that is a number of an enumeration.
    pub const fn number(mut self) -> Self {
        self.native = Some(NativeProperty::Number);
        self
    }

    /// The same, on a property that is true or false.
    pub const fn flag(mut self) -> Self {
        self.native = Some(NativeProperty::Flag);
        self
    }

    /// The same, where what it asks of an integer or a float is a matter of the type.
    pub const fn by_type(mut self) -> Self {
        self.by_type = true;
        self
    }

    /// Whether `attr` satisfies it.
    pub fn matches(&self, attr: AttrRef<'_>) -> bool {
        match &self.matches {
            AttrPredicate::Static(f) => f(attr),
            AttrPredicate::Dynamic(f) => f(attr),
        }
    }
}

/// A predicate on attributes.
#[derive(Clone)]
pub enum AttrPredicate {
    /// A function.
    Static(fn(AttrRef<'_>) -> bool),
    /// Built at run time.
    Dynamic(Arc<dyn Fn(AttrRef<'_>) -> bool + Send + Sync>),
}

/// How `$attr` is written in a declarative format.
#[derive(Clone, Debug)]
pub enum AttrForm {
    /// As anywhere else, with its type: `1 : i32`.
    Any,
    /// Without its type, which is always the one written here: `I64Attr` has `i64`.
    Typed(Str),
    /// `@name`, for a string that names a symbol.
    SymbolName,
    /// Nothing: it is there or not.
    Unit,
    /// A type, for an attribute that holds one.
    Type,
    /// `"text"`, a string without type.
    String,
    /// A symbol, as in `@a::@b`.
    SymbolRef,
    /// `[1, "a"]`, for an array of attributes.
    Array,
    /// `[1, 2]`, for an `array<i64: 1, 2>` with this element type.
    DenseArray(Str),
    /// One of its keywords.
    Enum(&'static EnumDef),
    /// The word, then one of the keywords in angle brackets: `overflow<nsw>`.
    NamedEnum(&'static EnumDef, Str),
    /// The attribute `#name<...>` of a dialect, without `#name`: `name` is `dialect.mnemonic`.
    Dialect(Str),
}

/// An enumeration and how it is stored.
#[derive(Clone, Debug)]
pub struct EnumDef {
    /// As in error messages: "expected *`FastMathFlags`* to be one of ...".
    pub name: &'static str,
    /// One line: what it enumerates.
    pub summary: &'static str,
    /// How a value is stored.
    pub storage: EnumStorage,
    /// Keyword and value of each case.
    pub cases: &'static [(&'static str, u64)],
    /// For bit sets: what stands between the keywords of the bits that are set. `None` for a plain enumeration.
    pub separator: Option<&'static str>,
}

/// How the value of an enumeration is stored as an attribute.
#[derive(Clone, Debug)]
pub enum EnumStorage {
    /// As an integer attribute of this width: `5 : i64`.
    Integer(u32),
    /// As a dialect attribute with one parameter, that integer: `#arith.fastmath<fast>`. The name is `dialect.mnemonic`.
    Dialect(&'static str),
}

impl EnumDef {
    /// The value that `keyword` stands for.
    pub fn value(&self, keyword: &str) -> Option<u64> {
        self.cases.iter().find(|(name, _)| *name == keyword).map(|&(_, value)| value)
    }

    /// Whether `value` is one of the cases, or a set of those that are bits.
    pub fn has(&self, value: u64) -> bool {
        let bits = || self.cases.iter().fold(0, |bits, &(_, value)| bits | value);
        self.keyword(value).is_some() || self.separator.is_some() && value != 0 && value & !bits() == 0
    }

    /// The attribute that stores `value`.
    pub fn attr(&self, cx: &crate::context::Context, value: u64) -> crate::attributes::Attr {
        match self.storage {
            EnumStorage::Integer(width) => cx.int_attr(cx.int_type(width), value as i64),
            EnumStorage::Dialect(name) => cx.dialect_attr(name, &[cx.i64_attr(value as i64)]),
        }
    }

    /// The keyword of exactly `value`.
    pub fn keyword(&self, value: u64) -> Option<&'static str> {
        let mut names = self.cases.iter().filter(|&&(_, v)| v == value).map(|&(name, _)| name);
        // A set of bits has names for bits first and then for what they mean.
        if self.separator.is_some() { names.next_back() } else { names.next() }
    }
}

/// A region of a definition.
#[derive(Clone, Debug)]
pub struct RegionDef {
    /// Name in the format.
    pub name: Str,
    /// How many blocks it has.
    pub blocks: BlockCount,
    /// Whether it stands for any number of regions.
    pub variadic: bool,
}

/// How many blocks a region must have.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum BlockCount {
    /// Any number, none too.
    Any,
    /// Exactly so many.
    Exactly(u32),
    /// At least so many.
    AtLeast(u32),
    /// At most so many.
    AtMost(u32),
}

/// A successor of a definition.
#[derive(Clone, Debug)]
pub struct SuccessorDef {
    /// Name in the format.
    pub name: Str,
    /// Whether it stands for any number of blocks.
    pub variadic: bool,
}

/// A property of an operation that generic code may rely on. Those before [`Trait::HasParent`] are flags: asking for one is O(1).
#[derive(Clone, Debug)]
pub enum Trait {
    /// No memory effect, no undefined behaviour: may be erased when unused, moved and duplicated.
    Pure,
    /// No memory effect, but may not be executed speculatively.
    NoMemoryEffect,
    /// Its memory effects are those of the operations in its regions.
    RecursiveMemoryEffects,
    /// May be executed speculatively, whatever its effects.
    AlwaysSpeculatable,
    /// As speculatable as the operations in its regions.
    RecursivelySpeculatable,
    /// The order of its two operands does not matter.
    Commutative,
    /// `op(op(x)) = x`.
    Involution,
    /// `op(op(x)) = op(x)`.
    Idempotent,
    /// No operands, one result, and folds to its `value`.
    ConstantLike,
    /// Ends a block.
    Terminator,
    /// Ends the regions of others by handing values to them.
    ReturnLike,
    /// Its regions use no value from outside. It owns an arena.
    IsolatedFromAbove,
    /// Symbols in its region are looked up in it.
    SymbolTable,
    /// Has a name (`sym_name`) in the enclosing symbol table.
    Symbol,
    /// Each of its regions has at most one block.
    SingleBlock,
    /// Its blocks need no terminator.
    NoTerminator,
    /// Its regions are graphs: definitions need not come before uses.
    GraphRegion,
    /// Its blocks have no arguments.
    NoRegionArguments,
    /// Affine dimensions may be the arguments of its regions.
    AffineScope,
    /// Stack allocations inside it are freed when it ends.
    AutomaticAllocationScope,
    /// Has `operandSegmentSizes`.
    AttrSizedOperandSegments,
    /// Has `resultSegmentSizes`.
    AttrSizedResultSegments,
    /// All optional or variadic operands have one length.
    SameVariadicOperandSize,
    /// All optional or variadic results have one length.
    SameVariadicResultSize,
    /// All operands and results have one type.
    SameOperandsAndResultType,
    /// All operands have one type.
    SameTypeOperands,
    /// All operands and results have one element type.
    SameOperandsAndResultElementType,
    /// All operands have one element type.
    SameOperandsElementType,
    /// All operands and results have compatible shapes.
    SameOperandsAndResultShape,
    /// All operands have compatible shapes.
    SameOperandsShape,
    /// All operands and results have one rank.
    SameOperandsAndResultRank,
    /// Vector or tensor operands and results come together, with one shape.
    Elementwise,
    /// May be applied to each element of a vector or tensor.
    Scalarizable,
    /// May be applied to vectors as to scalars.
    Vectorizable,
    /// May be applied to tensors as to scalars.
    Tensorizable,
    /// Result types follow from operands, attributes and regions: the `infer_types` hook.
    InferTypes,
    /// One result.
    OneResult,
    /// Writes its results into operands (`outs`).
    DestinationStyle,
    /// Iterations of its region may run in any order, also at once.
    ParallelLoop,

    /// Its parent operation must be one of these.
    HasParent(List<Str>),
    /// Each of its regions has one block, ended by this operation, which the pretty form leaves out.
    SingleBlockImplicitTerminator(Str),
    /// Memory effects of the operation as a whole, not tied to a value.
    MemoryEffects(Effects),
    /// These operands and results have one type.
    AllTypesMatch(List<Str>),
    /// These have one element type.
    AllElementTypesMatch(List<Str>),
    /// These have one shape.
    AllShapesMatch(List<Str>),
    /// These have one rank.
    AllRanksMatch(List<Str>),
    /// These have one number of elements.
    AllElementCountsMatch(List<Str>),
    /// The type of `to` is `transform` of the type of `from`.
    TypesMatchWith {
        /// The message when it is not.
        summary: Str,
        /// Operand, result or attribute whose type is given.
        from: Str,
        /// Operand or result whose type follows.
        to: Str,
        /// The type that follows, `None` where there is none.
        transform: TypeTransform,
    },
    /// The types of the variadic `to` are `transform` of the type of `from`.
    RangedTypesMatchWith {
        /// The message when they are not.
        summary: Str,
        /// Operand, result or attribute whose type is given.
        from: Str,
        /// Operand or result whose types follow.
        to: Str,
        /// The types that follow, `None` where there are none.
        transform: TypeRangeTransform,
    },
    /// Any other condition on types and attributes: it holds for all operations that are equal in these, and is not asked for each.
    Predicate {
        /// As in "failed to verify that *...*".
        summary: Str,
        /// The condition.
        holds: fn(OpRef<'_>) -> bool,
    },
    /// It implements this interface of upstream's ODS, by hooks or objects of its dialect crate. For documentation.
    Interface(Str),
}

/// From one type to the type that follows from it.
pub type TypeTransform = fn(TypeRef<'_>) -> Option<Type>;
/// From one type to the types that follow from it.
pub type TypeRangeTransform = fn(TypeRef<'_>) -> Option<SmallVec<[Type; 4]>>;

impl Trait {
    /// The bit of a flag, `None` for a trait with parameters.
    pub const fn flag(&self) -> Option<u64> {
        macro_rules! flags {
            ($($name:ident)*) => {{
                #[allow(non_camel_case_types, clippy::upper_case_acronyms, reason = "one discriminant a flag")]
                enum Bit { $($name),* }
                match self {
                    $(Self::$name => Some(1 << Bit::$name as u64),)*
                    _ => None,
                }
            }};
        }
        flags!(Pure NoMemoryEffect RecursiveMemoryEffects AlwaysSpeculatable RecursivelySpeculatable Commutative Involution Idempotent
            ConstantLike Terminator ReturnLike IsolatedFromAbove SymbolTable Symbol SingleBlock NoTerminator GraphRegion
            NoRegionArguments AffineScope AutomaticAllocationScope AttrSizedOperandSegments AttrSizedResultSegments
            SameVariadicOperandSize SameVariadicResultSize SameOperandsAndResultType SameTypeOperands
            SameOperandsAndResultElementType SameOperandsElementType SameOperandsAndResultShape SameOperandsShape
            SameOperandsAndResultRank Elementwise Scalarizable Vectorizable Tensorizable InferTypes OneResult DestinationStyle
            ParallelLoop)
    }
}

impl std::fmt::Debug for TypePredicate {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("TypePredicate")
    }
}

impl std::fmt::Debug for AttrPredicate {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("AttrPredicate")
    }
}

/// 64-bit FNV-1a hash of an operation name: how typed views recognise their operation, equal in every crate and plugin.
/// Registration refuses two names with one hash.
pub const fn name_hash(name: &str) -> u64 {
    let bytes = name.as_bytes();
    let (mut hash, mut i) = (0xcbf2_9ce4_8422_2325_u64, 0);
    while i < bytes.len() {
        hash = (hash ^ bytes[i] as u64).wrapping_mul(0x0100_0000_01b3);
        i += 1;
    }
    hash
}

/// How many of `flags` come before the first that is not set.
pub const fn leading(flags: &[bool]) -> usize {
    let mut count = 0;
    while count < flags.len() && flags[count] {
        count += 1;
    }
    count
}
