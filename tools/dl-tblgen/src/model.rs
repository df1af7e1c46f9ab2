//! What the generator knows of a dialect: the content of the `TableGen` records, owned and with the C++ still in it.

/// A dialect as its records define it.
#[derive(Debug, Default)]
pub struct Dialect {
    /// `arith`.
    pub name: String,
    /// Operations, by name.
    pub ops: Vec<Op>,
    /// Enumerations, by name.
    pub enums: Vec<Enum>,
    /// Attributes, by name.
    pub attrs: Vec<ParameterizedDef>,
    /// Types, by name.
    pub types: Vec<ParameterizedDef>,
}

impl Dialect {
    /// Adds what `other`, the same dialect in other files, defines that is not there yet.
    pub fn add(&mut self, other: Self) {
        fn merge<T, K: Ord + Clone>(into: &mut Vec<T>, from: Vec<T>, key: impl Fn(&T) -> K) {
            for item in from {
                if !into.iter().any(|known| key(known) == key(&item)) {
                    into.push(item);
                }
            }
            into.sort_by_key(|item| key(item));
        }
        merge(&mut self.ops, other.ops, |op| op.name.clone());
        merge(&mut self.enums, other.enums, |e| e.name.class.clone());
        merge(&mut self.attrs, other.attrs, |def| def.name.clone());
        merge(&mut self.types, other.types, |def| def.name.clone());
    }
}

/// An operation.
#[derive(Debug)]
pub struct Op {
    /// Full name, `arith.addi`.
    pub name: String,
    /// Name of the Rust view, `AddIOp`.
    pub view: String,
    /// The summary in its record.
    pub summary: String,
    /// Where its record is, `file:line:column`.
    pub position: Option<String>,
    /// Operands in order.
    pub operands: Vec<Value>,
    /// Attributes and properties in order.
    pub attrs: Vec<Attr>,
    /// Results in order.
    pub results: Vec<Value>,
    /// Regions in order.
    pub regions: Vec<Region>,
    /// Successors in order.
    pub successors: Vec<Successor>,
    /// Traits in order.
    pub traits: Vec<Trait>,
    /// The pretty form, names as in ODS.
    pub format: Format,
}

/// The pretty form of an operation, attribute or type.
#[derive(Debug, Clone)]
pub enum Format {
    /// None of its own.
    Generic,
    /// Hand-written.
    Custom,
    /// An assembly format.
    Declarative(String),
}

/// How many values an operand or result is.
#[derive(Debug, Clone, PartialEq)]
pub enum Arity {
    /// One.
    Single,
    /// None or one.
    Optional,
    /// Any number.
    Variadic,
    /// Any number of groups, whose sizes are in the named attribute.
    Groups(String),
}

/// An operand or result.
#[derive(Debug)]
pub struct Value {
    /// Name in ODS, `None` where it has none.
    pub name: Option<String>,
    /// How many values it is.
    pub arity: Arity,
    /// What its type satisfies.
    pub constraint: Constraint,
    /// `READ`, `WRITE`, `ALLOCATE`, `FREE`.
    pub effects: Vec<&'static str>,
}

/// An attribute of an operation.
#[derive(Debug)]
pub struct Attr {
    /// Name in the IR.
    pub name: String,
    /// What it satisfies.
    pub constraint: Constraint,
    /// Whether it may be missing.
    pub presence: Presence,
}

/// Whether an attribute or parameter may be missing. Defaults are C++.
#[derive(Debug, Clone, PartialEq)]
pub enum Presence {
    /// It must be there.
    Required,
    /// It may be missing.
    Optional,
    /// Missing means this value.
    Default(String),
    /// It may be missing; asking for it then gives this value.
    OptionalDefault(String),
}

/// A region.
#[derive(Debug)]
pub struct Region {
    /// Name in ODS.
    pub name: String,
    /// The condition on `$_self`, C++.
    pub predicate: String,
    /// Whether it stands for any number of regions.
    pub variadic: bool,
}

/// A successor block.
#[derive(Debug)]
pub struct Successor {
    /// Name in ODS.
    pub name: String,
    /// Whether it stands for any number of blocks.
    pub variadic: bool,
}

/// A constraint on a type or an attribute.
#[derive(Debug, Clone, PartialEq)]
pub struct Constraint {
    /// Name of its record, `None` for one written in place.
    pub record: Option<String>,
    /// The words of verifier messages.
    pub summary: String,
    /// When it holds.
    pub predicate: Predicate,
    /// What else there is to say.
    pub kind: ConstraintKind,
}

/// What is special to constraints on types and to those on attributes.
#[derive(Debug, Clone, PartialEq)]
pub enum ConstraintKind {
    /// On a type.
    Type {
        /// The C++ that builds the one type that satisfies it, if there is one.
        builder: Option<String>,
        /// The kind of type, where the pretty form takes no other.
        class: Option<&'static str>,
    },
    /// On an attribute, with its pretty form.
    Attr(Form),
    /// On a property that is a number of an enumeration, with the pretty form of the attribute that stands for it.
    Number(Form),
    /// On a property that is true or false.
    Flag(Form),
}

/// The pretty form of an attribute.
#[derive(Debug, Clone, PartialEq)]
pub enum Form {
    /// As anywhere else.
    Any,
    /// Without its type, which this C++ builds.
    Typed(String),
    /// `@name`.
    SymbolName,
    /// There or not.
    Unit,
    /// A type.
    Type,
    /// `"text"`.
    String,
    /// A symbol.
    SymbolRef,
    /// `[1, "a"]`.
    Array,
    /// `[1, 2]`, with this element type.
    DenseArray(String),
    /// A keyword of an enumeration that is stored as an integer.
    Enum(EnumRef),
    /// `word<keyword>`, of an enumeration that is stored as an integer.
    NamedEnum(EnumRef, String),
    /// A dialect attribute, `dialect.mnemonic`.
    Dialect(String),
    /// An attribute of this C++ class.
    Class(String),
}

/// A predicate, as the tree that ODS has.
#[derive(Debug, Clone, PartialEq)]
pub enum Predicate {
    /// All hold.
    And(Vec<Predicate>),
    /// One holds.
    Or(Vec<Predicate>),
    /// It does not hold.
    Not(Box<Predicate>),
    /// C++ over `$_self`.
    Leaf(String),
    /// The child with another subject: `replacement` where it says `pattern`.
    Subst {
        /// What is replaced, `$_self` in practice.
        pattern: String,
        /// By what, C++.
        replacement: String,
        /// In what.
        child: Box<Predicate>,
    },
    /// The child between two pieces of C++.
    Concat {
        /// Before it.
        prefix: String,
        /// Between them.
        child: Box<Predicate>,
        /// After it.
        suffix: String,
    },
    /// Exactly the values of an enumeration that is stored as an integer.
    Enum(EnumRef),
}

/// A reference to an enumeration.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EnumRef {
    /// The C++ name space, which tells the dialect.
    pub namespace: String,
    /// The C++ class, `CmpIPredicate`.
    pub class: String,
}

/// An enumeration.
#[derive(Debug, Clone)]
pub struct Enum {
    /// How it is referred to.
    pub name: EnumRef,
    /// The summary in its record.
    pub summary: String,
    /// Where its record is, `file:line:column`.
    pub position: Option<String>,
    /// Bits of the integer.
    pub width: u32,
    /// What separates the keywords of a bit set; `None` for a plain enumeration.
    pub separator: Option<String>,
    /// Its cases in order.
    pub cases: Vec<EnumCase>,
    /// The attribute, `dialect.mnemonic`, whose only parameter it is.
    pub attr: Option<String>,
}

/// A case of an enumeration.
#[derive(Debug, Clone)]
pub struct EnumCase {
    /// The C++ name.
    pub symbol: String,
    /// The keyword.
    pub keyword: String,
    /// The value.
    pub value: i64,
}

/// An attribute or type with parameters.
#[derive(Debug)]
pub struct ParameterizedDef {
    /// `arith.fastmath`.
    pub name: String,
    /// The C++ class.
    pub class: String,
    /// The summary in its record.
    pub summary: String,
    /// Where its record is, `file:line:column`.
    pub position: Option<String>,
    /// Parameters in order.
    pub params: Vec<Param>,
    /// Its text form after the name.
    pub format: Format,
}

/// A parameter of an attribute or type.
#[derive(Debug)]
pub struct Param {
    /// Name in ODS.
    pub name: String,
    /// Class of its record, `None` for a plain C++ type.
    pub class: Option<String>,
    /// The C++ type.
    pub cpp_type: String,
    /// Whether it may be missing.
    pub presence: Presence,
}

/// A trait of an operation.
#[derive(Debug, Clone, PartialEq)]
pub enum Trait {
    /// By name: of its record where it has one, of its C++ class otherwise.
    Named(String),
    /// An interface.
    Interface(String),
    /// Effects on memory as a whole.
    Effects(Vec<&'static str>),
    /// Its parent is one of these C++ classes.
    HasParent(Vec<String>),
    /// This C++ class ends its regions.
    ImplicitTerminator(String),
    /// A relation among values: the class of the record (`AllTypesMatch`) and the names.
    Match(&'static str, Vec<String>),
    /// One type follows from another.
    TypesMatch {
        /// The words of the message.
        summary: String,
        /// What is given.
        from: String,
        /// What follows.
        to: String,
        /// How, C++ over `$_self`.
        transform: String,
    },
    /// Any other condition.
    Predicate {
        /// The words of the message.
        summary: String,
        /// The condition in C++ where it is a single piece.
        leaf: Option<String>,
    },
}
