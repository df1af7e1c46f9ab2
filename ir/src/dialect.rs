//! Dialects and what they register: definitions, hooks on operations, types, attributes, interfaces.
//!
//! A dialect fills a [`DialectBuilder`]. Definitions are data ([`OpDef`]); behaviour is attached by operation name, so that a
//! crate can also attach hooks or interfaces to the operations of another one.

use std::any::TypeId;
use std::borrow::Cow;
use std::sync::{Arc, OnceLock};

use rustc_hash::FxHashMap;

use crate::attributes::{Attr, AttrRef};
use crate::bytecode::{AttrEncoding, TypeEncoding};
use crate::context::Context;
use crate::diagnostics::Diagnostic;
use crate::entity::{Ident, OpId, OpName, ValueId};
use crate::facts::{Fact, Facts};
use crate::images::Interfaces;
use crate::interfaces::{Inlining, SymbolUser};
use crate::interp::Interpret;
use crate::location::Loc;
use crate::opdef::{Effects, EnumDef, Format, OpDef, OpEntry, Stored, Str, Trait, name_hash};
use crate::rewrite::{Patterns, Rewrite};
use crate::rewriter::{OpState, Rewriter};
use crate::shared_list::SharedList;
use crate::text::{AsmPrinter, CompiledFormat, OpParser, ParamFormat, ParamHook, ParamReader, ParamWriter, Parsed};
use crate::typedef::{AttrDefinition, TypeDefinition};
use crate::types::{Type, TypeRef};
use crate::view::{OpRef, RegionRef};
use smallvec::SmallVec;

/// A dialect: a name space of operations, types and attributes.
pub trait Dialect: Send + Sync {
    /// The prefix of its names, `arith`.
    fn namespace(&self) -> &str;

    /// Declares everything that it brings.
    fn register(&self, builder: &mut DialectBuilder);
}

/// Behaviour that a crate attaches to operations of other crates: interfaces of its own.
pub trait Extension: Send + Sync {
    /// Attaches hooks and interfaces. Declares nothing.
    fn attach(&self, builder: &mut DialectBuilder);
}

/// Parses what follows the name of an operation in its pretty form.
pub type ParseOp = fn(&mut OpParser<'_>, &mut OpState) -> Parsed<()>;
/// Prints what follows the name of an operation in its pretty form.
pub type PrintOp = fn(OpRef<'_>, &mut AsmPrinter<'_>);
/// Checks what the definition does not say.
pub type VerifyOp = fn(OpRef<'_>) -> Result<(), Diagnostic>;
/// Checks an attribute whose name begins with that of the dialect, on an operation of any dialect: `gpu.kernel`.
pub type VerifyAttr = fn(OpRef<'_>, &str, AttrRef<'_>) -> Result<(), Diagnostic>;
/// Computes the value of an operation from constant operands (`None` where an operand is not constant).
pub type FoldOp = fn(OpRef<'_>, &[Option<Attr>]) -> Option<Folded>;
/// Brings an operation closer to its canonical form without making others: by other operands or attributes of its own.
pub type FoldInPlace = fn(OpId, &mut Rewriter<'_>) -> Rewrite;
/// Computes result types from the other parts of an operation about to be made.
pub type InferTypes = fn(&Context, &crate::Arena, &OpState) -> Result<SmallVec<[Type; 2]>, String>;
/// The memory effects of an operation.
pub type MemoryEffects = fn(OpRef<'_>) -> Effects;
/// Whether an operation may be executed where it was not before, as far as it is up to itself and not to what is in its regions.
pub type Speculatable = fn(OpRef<'_>) -> bool;
/// Suggests names for results in the printed form: calls back with a result number and a name.
pub type ResultNames = fn(OpRef<'_>, &mut dyn FnMut(usize, &str));
/// Suggests names for the arguments of a region's entry block.
pub type RegionArgNames = fn(OpRef<'_>, RegionRef<'_>, &mut dyn FnMut(usize, &str));
/// Adds the canonicalization patterns of an operation.
pub type Canonicalize = fn(&mut Patterns);
/// Builds the constant operation for `attr` of type `ty`, or answers `None` when the dialect has none.
pub type MaterializeConstant = fn(&mut Rewriter<'_>, Attr, Type, Loc) -> Option<OpId>;

/// Says what is wrong with the parameters of a type or attribute, which are as many and of the kinds that its definition says.
pub type VerifyParams = dyn Fn(&Context, &[Attr]) -> Result<(), String> + Send + Sync;

/// An attribute of an argument or result of a function.
#[derive(Clone, Copy)]
pub struct SignatureAttr<'a> {
    /// Its name, with that of its dialect.
    pub name: &'a str,
    /// What it says.
    pub value: AttrRef<'a>,
    /// The type of the argument or result.
    pub ty: TypeRef<'a>,
    /// Whether it is one of a result.
    pub is_result: bool,
}

/// Says what is wrong with an attribute of the dialect on an argument or result of a function.
pub type VerifySignatureAttr = fn(OpRef<'_>, SignatureAttr<'_>) -> Result<(), String>;

/// The name of the aliases of a type or attribute, by its mnemonic, as in `di_file` for `#di_file4`; `None` for those printed where
/// they stand. It must not end with a digit.
pub type AliasName = fn(&str) -> Option<&'static str>;

/// What an operation folds to: for each result an attribute (a constant) or an existing value.
pub type Folded = SmallVec<[FoldedValue; 1]>;

/// What one result folds to: a constant, or a value that is there already.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum FoldedValue {
    /// A constant of the result's type.
    Constant(Attr),
    /// A value that exists already.
    Value(ValueId),
}

impl From<Attr> for FoldedValue {
    fn from(attr: Attr) -> Self {
        Self::Constant(attr)
    }
}

impl From<ValueId> for FoldedValue {
    fn from(value: ValueId) -> Self {
        Self::Value(value)
    }
}

/// One folded result, for operations with a single one.
pub fn folded(value: impl Into<FoldedValue>) -> Option<Folded> {
    Some(smallvec::smallvec![value.into()])
}

/// Behaviour attached to an operation. Each is `None` where the definition says all.
#[derive(Clone, Copy, Default)]
pub struct OpHooks {
    /// Pretty form, for [`Format::Custom`].
    pub parse: Option<ParseOp>,
    /// Pretty form, for [`Format::Custom`].
    pub print: Option<PrintOp>,
    /// Checked after the definition's constraints.
    pub verify: Option<VerifyOp>,
    /// The same, of what looks at nothing but types and attributes, and at how many operands and results there are: asked once for all operations that
    /// are equal in these.
    pub verify_kind: Option<VerifyOp>,
    /// Checked after the operations in its regions, and when all operations around fit their definitions: what looks at other operations.
    pub verify_regions: Option<VerifyOp>,
    /// Checked where an isolated operation stands, once its attributes and what is in it are right: there, operands and results are to be seen
    /// as well.
    pub verify_in_place: Option<VerifyOp>,
    /// Constant folding.
    pub fold: Option<FoldOp>,
    /// Folding that leaves the operation where it is.
    pub fold_in_place: Option<FoldInPlace>,
    /// Result types, for operations with [`Trait::InferTypes`].
    pub infer_types: Option<InferTypes>,
    /// Memory effects that traits and operand effects do not say.
    pub effects: Option<MemoryEffects>,
    /// Whether it may be executed speculatively, where its traits do not say so.
    pub speculatable: Option<Speculatable>,
    /// Names of results in the printed form.
    pub result_names: Option<ResultNames>,
    /// Names of region arguments in the printed form.
    pub region_arg_names: Option<RegionArgNames>,
    /// The dialect whose operations may stand in its regions without their prefix (`func` for `func.func`).
    pub default_dialect: Option<&'static str>,
    /// Whether its attributes are all discardable: upstream defines it without properties.
    pub no_properties: bool,
    /// Whether its pretty form leaves out its regions.
    pub hides_regions: bool,
}

/// The bit of a trait without parameters.
const fn flag(of: &Trait) -> u64 {
    of.flag().expect("only traits without parameters are flags")
}

/// What a context knows of an operation name.
pub struct OpInfo {
    /// Full name.
    pub name: Str,
    /// Its definition, `None` when it is not registered.
    pub def: Option<Stored<OpDef>>,
    /// Its hooks.
    pub hooks: OpHooks,
    /// What adds its canonicalization patterns, in order.
    canonicalize: SmallVec<[Canonicalize; 2]>,
    attr_names: OnceLock<Box<[Ident]>>,
    hash: u64,
    /// What follows from the definition; of the flags also from interfaces and hooks.
    pub(crate) facts: Facts,
    interfaces: Interfaces,
    defaults: OnceLock<Box<[Option<Attr>]>>,
    pub(crate) format: OnceLock<Result<Arc<CompiledFormat>, String>>,
}

impl OpInfo {
    fn unregistered(name: Str, hash: u64) -> Self {
        Self {
            name,
            def: None,
            hooks: OpHooks::default(),
            canonicalize: SmallVec::new(),
            attr_names: OnceLock::new(),
            hash,
            facts: Facts::NONE,
            interfaces: Interfaces::default(),
            defaults: OnceLock::new(),
            format: OnceLock::new(),
        }
    }

    /// Sets the definition and what follows from it.
    fn define(&mut self, def: Stored<OpDef>, facts: Facts) {
        let of_interfaces = self.facts.flags & Fact::SymbolUser.bit();
        self.facts = Facts { flags: facts.flags | of_interfaces, ..facts };
        self.attr_names = OnceLock::new();
        self.defaults = OnceLock::new();
        self.format = OnceLock::new();
        self.def = Some(def);
    }

    /// # Panics
    /// When it has the hash of `name`, and another name.
    fn check_name(&self, name: &str) {
        // Most are one text, whose bytes need not be read.
        let is_same = std::ptr::eq(&raw const *self.name, name) || self.name == name;
        assert!(is_same, "operations `{}` and `{name}` have one name hash", self.name);
    }

    /// Sets the facts that follow from the definition and hooks.
    fn note_facts(&mut self) {
        // Traits that look at the place or beyond the operation.
        const BEYOND: u64 = Fact::HasParent.bit()
            | Fact::ImplicitTerminator.bit()
            | Fact::SymbolUser.bit()
            | flag(&Trait::Terminator)
            | flag(&Trait::Symbol)
            | flag(&Trait::SymbolTable);
        let depends = self.hooks.effects.is_some() || self.facts.flags & flag(&Trait::RecursiveMemoryEffects) != 0;
        let may_go =
            self.facts.effects.is_some_and(|all| !all.contains(Effects::WRITE) && !all.contains(Effects::FREE));
        let stays = self.facts.flags & (flag(&Trait::Terminator) | flag(&Trait::Symbol)) != 0;
        let has_hooks = self.hooks.verify.is_some() || self.hooks.verify_regions.is_some();
        let is_alone = self.facts.flags & (BEYOND | Fact::NoRegions.bit()) == Fact::NoRegions.bit();
        let mut note = |fact: Fact, holds: bool| {
            self.facts.flags = self.facts.flags & !fact.bit() | if holds { fact.bit() } else { 0 };
        };
        note(Fact::RightByKind, is_alone && !has_hooks);
        note(Fact::AlwaysNeeded, stays || !depends && !may_go);
    }

    /// Whether a dialect defines it.
    pub fn is_registered(&self) -> bool {
        self.def.is_some()
    }

    /// The hash that typed views compare.
    #[inline]
    pub fn hash(&self) -> u64 {
        self.hash
    }

    /// The part of the name before the first dot; empty when there is none.
    pub fn dialect(&self) -> &str {
        // It is short: no search in vectors.
        let dot = self.name.bytes().position(|byte| byte == b'.');
        &self.name[..dot.unwrap_or(0)]
    }

    /// The part of the name after the first dot.
    pub fn mnemonic(&self) -> &str {
        self.name.split_once('.').map_or(&self.name, |(_, mnemonic)| mnemonic)
    }

    /// Whether the definition has the flag `of`. Traits with parameters are looked up in the definition.
    ///
    /// # Panics
    /// When `of` is a trait with parameters.
    #[inline]
    pub fn has_trait(&self, of: &Trait) -> bool {
        self.facts.flags & flag(of) != 0
    }

    /// Whether `fact` holds of the definition. Never for unregistered operations.
    #[inline]
    pub(crate) fn has_fact(&self, fact: Fact) -> bool {
        self.facts.flags & fact.bit() != 0
    }

    /// The implementation of interface `I` (a `dyn Trait` type), if one was attached.
    pub fn interface<I: ?Sized + 'static>(&self) -> Option<&I> {
        self.interfaces.get::<I>()
    }

    /// Adds its canonicalization patterns.
    pub fn canonicalize(&self, patterns: &mut Patterns) {
        self.canonicalize.iter().for_each(|add| add(patterns));
    }

    /// Whether it has canonicalization patterns.
    pub fn is_canonicalized(&self) -> bool {
        !self.canonicalize.is_empty()
    }

    /// Handles of the names of the inherent attributes, in the order of the definition. Made at the first call: of a thousand operations a
    /// program uses a few.
    #[inline]
    pub fn attr_names(&self, cx: &Context) -> &[Ident] {
        match self.attr_names.get() {
            Some(names) => names,
            None => self.make_attr_names(cx),
        }
    }

    #[cold]
    fn make_attr_names(&self, cx: &Context) -> &[Ident] {
        let Some(def) = &self.def else { return &[] };
        self.attr_names.get_or_init(|| def.attrs.iter().map(|attr| cx.ident(&attr.name)).collect())
    }

    /// The position of the inherent attribute `name` in the definition.
    #[inline]
    pub fn inherent_index(&self, cx: &Context, name: Ident) -> Option<usize> {
        self.attr_names(cx).iter().position(|&n| n == name)
    }

    /// The default value of each inherent attribute. Parsed from the definition at the first call.
    ///
    /// # Panics
    /// When the definition gives a default that is no attribute: a fault of the dialect.
    pub fn defaults(&self, cx: &Context) -> &[Option<Attr>] {
        use crate::opdef::Presence;
        let Some(def) = &self.def else { return &[] };
        self.defaults.get_or_init(|| {
            let parse = |text: &Str| match crate::text::parse_attribute(cx, text) {
                Ok(attr) => attr,
                Err(d) => {
                    panic!("default value `{text}` of an attribute of `{}` does not parse: {}", self.name, d.message)
                }
            };
            let default = |presence: &Presence| match presence {
                Presence::Default(text) | Presence::OptionalDefault(text) => Some(parse(text)),
                Presence::Required | Presence::Optional => None,
            };
            def.attrs.iter().map(|attr| default(&attr.presence)).collect()
        })
    }
}

macro_rules! registered {
    ($(#[$doc:meta])* $name:ident, $definition:ident, $syntax:ident, $handle:ty) => {
        $(#[$doc])*
        pub struct $name {
            /// Its name and parameters.
            pub definition: Stored<$definition>,
            syntax: Option<$syntax>,
            verify: Option<Box<VerifyParams>>,
            format: OnceLock<Result<ParamFormat, String>>,
        }

        /// A hand-written text form.
        #[derive(Clone, Copy)]
        pub struct $syntax {
            /// Parses what follows the name.
            pub parse: fn(&mut OpParser<'_>) -> Parsed<$handle>,
            /// Prints what follows the name, from the parameters.
            pub print: fn(&[Attr], &mut AsmPrinter<'_>),
        }

        impl $name {
            fn new(definition: Cow<'static, $definition>) -> Self {
                Self { definition: definition.into(), syntax: None, verify: None, format: OnceLock::new() }
            }

            fn format(&self) -> Result<&ParamFormat, String> {
                let definition = &self.definition;
                let compiled = self.format.get_or_init(|| ParamFormat::compile(&definition.params, &definition.format));
                compiled.as_ref().map_err(Clone::clone)
            }

            /// Parses what follows the name.
            ///
            /// # Errors
            /// What is wrong with the text, or that the type or attribute has no text form here.
            pub fn parse(&self, p: &mut OpParser<'_>) -> Parsed<$handle> {
                if let Some(syntax) = self.syntax {
                    return (syntax.parse)(p);
                }
                let definition = &self.definition;
                if matches!(definition.format, Format::Custom) {
                    return Err(p.error(format!("unsupported: '{}' has no text form here", definition.name)));
                }
                let format = self.format().map_err(|message| p.error(message))?;
                let reader = ParamReader { name: &definition.name, params: &definition.params, format };
                let loc = p.loc();
                let params = reader.parse(p)?;
                if let Some(Err(message)) = self.verify.as_ref().map(|verify| verify(p.cx(), &params)) {
                    return Err(p.error_at(loc, message));
                }
                Ok(self.make(p.cx(), &params))
            }

            /// Prints what follows the name.
            pub fn print(&self, params: &[Attr], p: &mut AsmPrinter<'_>) {
                if let Some(syntax) = self.syntax {
                    (syntax.print)(params, p);
                } else if let Ok(format) = self.format() {
                    let definition = &self.definition;
                    ParamWriter { name: &definition.name, params: &definition.params, format }.print(params, p);
                }
            }
        }
    };
}

registered! {
    /// A registered type.
    RegisteredType, TypeDefinition, TypeSyntax, Type
}
registered! {
    /// A registered attribute.
    RegisteredAttr, AttrDefinition, AttrSyntax, Attr
}

impl RegisteredType {
    fn make(&self, cx: &Context, params: &[Attr]) -> Type {
        cx.dialect_type(&self.definition.name, params)
    }
}

impl RegisteredAttr {
    fn make(&self, cx: &Context, params: &[Attr]) -> Attr {
        cx.dialect_attr(&self.definition.name, params)
    }
}

/// Parses and prints a `custom<Name>(...)` directive of a declarative format.
#[derive(Clone, Copy)]
pub struct CustomDirective {
    /// Fills the parts that the directive's arguments name.
    pub parse: fn(&mut OpParser<'_>, &mut OpState, &mut crate::text::DirectiveArgs) -> Parsed<()>,
    /// Prints them.
    pub print: fn(OpRef<'_>, &mut AsmPrinter<'_>, &crate::text::DirectiveView<'_>),
}

/// What a context knows of a dialect as a whole.
pub struct DialectInfo {
    /// Prefix of its names.
    pub namespace: Str,
    /// Makes constants of folded values.
    pub materialize_constant: Option<MaterializeConstant>,
    /// Whether the folds of its operations are [local](crate::rewrite#local-rewrites).
    pub local_folds: bool,
    /// Which of its types and attributes are printed as aliases.
    pub alias_name: Option<AliasName>,
    /// Checks attributes that are named after the dialect.
    pub verify_op_attr: Option<VerifyAttr>,
    /// Whether unknown operations of this dialect are accepted.
    pub allows_unknown_ops: bool,
    /// Whether it defines only a part of what the dialect has elsewhere. What it does not define is accepted where
    /// [unregistered dialects](crate::Context::allows_unregistered) are.
    pub is_partial: bool,
    /// Its enumerations.
    pub enums: &'static [&'static EnumDef],
    /// The attributes with a bytecode encoding of their own, by code.
    pub attr_encodings: &'static [AttrEncoding],
    /// The types with a bytecode encoding of their own, by code; `None` for codes that are none.
    pub type_encodings: &'static [Option<TypeEncoding>],
    /// Checks its attributes on arguments and results of functions.
    pub verify_signature_attr: Option<VerifySignatureAttr>,
    /// The names of its types that may be elements of vectors.
    pub vector_elements: &'static [&'static str],
    /// The names of its types that may be elements of memrefs.
    pub memref_elements: &'static [&'static str],
    /// What it says of inlining.
    pub inlining: Option<&'static dyn Inlining>,
    pub(crate) directives: FxHashMap<&'static str, CustomDirective>,
    pub(crate) param_hooks: FxHashMap<&'static str, ParamHook>,
}

/// Collects what a dialect registers. What it says of operations goes to where the context keeps them.
pub struct DialectBuilder {
    info: DialectInfo,
    registry: Registry,
    types: Vec<RegisteredType>,
    attrs: Vec<RegisteredAttr>,
}

impl DialectBuilder {
    /// Adds to `registry`, which comes back from [`finish`](Self::finish).
    pub(crate) fn new(namespace: &str, registry: Registry) -> Self {
        let info = DialectInfo {
            namespace: Cow::Owned(namespace.to_owned()),
            materialize_constant: None,
            local_folds: false,
            alias_name: None,
            verify_op_attr: None,
            allows_unknown_ops: false,
            is_partial: false,
            enums: &[],
            attr_encodings: &[],
            type_encodings: &[],
            verify_signature_attr: None,
            vector_elements: &[],
            memref_elements: &[],
            inlining: None,
            directives: FxHashMap::default(),
            param_hooks: FxHashMap::default(),
        };
        Self { info, registry, types: Vec::new(), attrs: Vec::new() }
    }

    /// Declares operations of generated definitions.
    pub fn ops(&mut self, definitions: &'static [OpEntry]) -> &mut Self {
        for OpEntry { def, name, hash, facts } in definitions {
            let op = self.registry.define(&Cow::Borrowed(name), *hash);
            op.define(Stored::Static(def), *facts);
            op.note_facts();
        }
        self
    }

    /// Declares one operation, also one built at run time.
    pub fn op_def(&mut self, def: Cow<'static, OpDef>) -> OpBuilder<'_> {
        let op = self.registry.define(&def.name, name_hash(&def.name));
        let facts = Facts::of(&def);
        op.define(def.into(), facts);
        OpBuilder { op }
    }

    /// The operation `name` (`dialect.op`), to attach hooks and interfaces to. It may belong to another dialect.
    pub fn op(&mut self, name: &'static str) -> OpBuilder<'_> {
        OpBuilder { op: self.registry.entry(name, name_hash(name)) }
    }

    /// The operation of a typed view.
    pub fn on<T: crate::view::OpDefinition>(&mut self) -> OpBuilder<'_> {
        OpBuilder { op: self.registry.entry(T::NAME, T::HASH) }
    }

    /// Declares types of generated definitions.
    pub fn types(&mut self, definitions: &[&'static TypeDefinition]) -> &mut Self {
        definitions.iter().for_each(|definition| self.type_def(Cow::Borrowed(definition)));
        self
    }

    /// Declares one type, also one built at run time.
    pub fn type_def(&mut self, definition: Cow<'static, TypeDefinition>) {
        self.types.push(RegisteredType::new(definition));
    }

    /// Declares attributes of generated definitions.
    pub fn attrs(&mut self, definitions: &[&'static AttrDefinition]) -> &mut Self {
        definitions.iter().for_each(|definition| self.attr_def(Cow::Borrowed(definition)));
        self
    }

    /// Declares one attribute, also one built at run time.
    pub fn attr_def(&mut self, definition: Cow<'static, AttrDefinition>) {
        self.attrs.push(RegisteredAttr::new(definition));
    }

    /// Declares enumerations of generated definitions, for whoever describes the dialect.
    pub fn enums(&mut self, definitions: &'static [&'static EnumDef]) -> &mut Self {
        self.info.enums = definitions;
        self
    }

    /// Gives the type `name` (`dialect.mnemonic`), declared before, a hand-written text form.
    ///
    /// # Panics
    /// When it is not declared.
    pub fn type_syntax(&mut self, name: &str, syntax: TypeSyntax) -> &mut Self {
        let ty = self.types.iter_mut().find(|ty| ty.definition.name == name);
        ty.unwrap_or_else(|| panic!("type `{name}` is declared")).syntax = Some(syntax);
        self
    }

    /// Gives the attribute `name` (`dialect.mnemonic`), declared before, a hand-written text form.
    ///
    /// # Panics
    /// When it is not declared.
    pub fn attr_syntax(&mut self, name: &str, syntax: AttrSyntax) -> &mut Self {
        let attr = self.attrs.iter_mut().find(|attr| attr.definition.name == name);
        attr.unwrap_or_else(|| panic!("attribute `{name}` is declared")).syntax = Some(syntax);
        self
    }

    /// Has the parameters of the attribute `name` (`dialect.mnemonic`), declared before, checked when its declarative format has
    /// read them.
    ///
    /// # Panics
    /// When it is not declared.
    pub fn verify_attr(
        &mut self,
        name: &str,
        verify: impl Fn(&Context, &[Attr]) -> Result<(), String> + Send + Sync + 'static,
    ) -> &mut Self {
        let attr = self.attrs.iter_mut().find(|attr| attr.definition.name == name);
        attr.unwrap_or_else(|| panic!("attribute `{name}` is declared")).verify = Some(Box::new(verify));
        self
    }

    /// Has the parameters of the type `name` (`dialect.mnemonic`), declared before, checked when its declarative format has read
    /// them.
    ///
    /// # Panics
    /// When it is not declared.
    pub fn verify_type(
        &mut self,
        name: &str,
        verify: impl Fn(&Context, &[Attr]) -> Result<(), String> + Send + Sync + 'static,
    ) -> &mut Self {
        let ty = self.types.iter_mut().find(|ty| ty.definition.name == name);
        ty.unwrap_or_else(|| panic!("type `{name}` is declared")).verify = Some(Box::new(verify));
        self
    }

    /// Declares a `custom<name>` directive, or kind of parameter, for the formats of types and attributes of this dialect.
    pub fn param_hook(&mut self, name: &'static str, hook: ParamHook) -> &mut Self {
        self.info.param_hooks.insert(name, hook);
        self
    }

    /// Has attributes of the dialect on arguments and results of functions checked.
    pub fn verify_signature_attr(&mut self, verify: VerifySignatureAttr) -> &mut Self {
        self.info.verify_signature_attr = Some(verify);
        self
    }

    /// Declares types, by their full names, that may be elements of vectors.
    pub fn vector_elements(&mut self, names: &'static [&'static str]) -> &mut Self {
        self.info.vector_elements = names;
        self
    }

    /// Declares types, by their full names, that may be elements of memrefs.
    pub fn memref_elements(&mut self, names: &'static [&'static str]) -> &mut Self {
        self.info.memref_elements = names;
        self
    }

    /// Says what may be inlined.
    pub fn inlining(&mut self, rules: &'static dyn Inlining) -> &mut Self {
        self.info.inlining = Some(rules);
        self
    }

    /// Declares a `custom<name>` directive for the formats of this dialect.
    pub fn directive(&mut self, name: &'static str, directive: CustomDirective) -> &mut Self {
        self.info.directives.insert(name, directive);
        self
    }

    /// Says which types and attributes of the dialect are printed as aliases.
    pub fn alias_name(&mut self, hook: AliasName) -> &mut Self {
        self.info.alias_name = Some(hook);
        self
    }

    /// Accepts operations of the dialect that it does not define.
    pub fn allow_unknown_ops(&mut self) -> &mut Self {
        self.info.allows_unknown_ops = true;
        self
    }

    /// Says that the dialect has operations, types and attributes elsewhere that are not defined here. Unlike those of a dialect that is known
    /// as a whole, they are accepted where unregistered dialects are.
    pub fn partial(&mut self) -> &mut Self {
        self.info.is_partial = true;
        self
    }

    /// Says how to check attributes that are named after the dialect, on operations of any dialect.
    pub fn verify_op_attr(&mut self, hook: VerifyAttr) -> &mut Self {
        self.info.verify_op_attr = Some(hook);
        self
    }

    /// Says how bytecode encodes attributes of the dialect, by code; others are encoded as text.
    pub fn attr_encodings(&mut self, encodings: &'static [AttrEncoding]) -> &mut Self {
        self.info.attr_encodings = encodings;
        self
    }

    /// Says how bytecode of upstream encodes types of the dialect, by code.
    pub fn type_encodings(&mut self, encodings: &'static [Option<TypeEncoding>]) -> &mut Self {
        self.info.type_encodings = encodings;
        self
    }

    /// Says how to make constants of folded values.
    pub fn materialize_constant(&mut self, hook: MaterializeConstant) -> &mut Self {
        self.info.materialize_constant = Some(hook);
        self
    }

    /// Says that the folds of its operations are [local](crate::rewrite#local-rewrites).
    pub fn local_folds(&mut self) -> &mut Self {
        self.info.local_folds = true;
        self
    }

    pub(crate) fn finish(self) -> (Registry, DialectInfo, Vec<RegisteredType>, Vec<RegisteredAttr>) {
        (self.registry, self.info, self.types, self.attrs)
    }
}

/// Attaches behaviour to one operation. What is set last, by whichever dialect or extension, holds.
pub struct OpBuilder<'a> {
    op: &'a mut OpInfo,
}

impl Drop for OpBuilder<'_> {
    fn drop(&mut self) {
        self.op.note_facts();
    }
}

macro_rules! hook_setters {
    ($($(#[$doc:meta])* $name:ident: $ty:ty,)*) => {$(
        $(#[$doc])*
        pub fn $name(self, hook: $ty) -> Self {
            self.op.hooks.$name = Some(hook);
            self
        }
    )*};
}

impl OpBuilder<'_> {
    hook_setters! {
        /// Pretty form: reading.
        parse: ParseOp,
        /// Pretty form: printing.
        print: PrintOp,
        /// Verifier.
        verify: VerifyOp,
        /// Verifier that looks at nothing but types and attributes, and at how many operands and results there are.
        verify_kind: VerifyOp,
        /// Verifier that may look into the (verified) regions, and at other operations.
        verify_regions: VerifyOp,
        /// Verifier of an isolated operation as seen from outside.
        verify_in_place: VerifyOp,
        /// Constant folding.
        fold: FoldOp,
        /// Folding that leaves the operation where it is, tried where constant folding finds nothing.
        fold_in_place: FoldInPlace,
        /// Result types.
        infer_types: InferTypes,
        /// Memory effects.
        effects: MemoryEffects,
        /// When it may be executed speculatively.
        speculatable: Speculatable,
        /// Names of results.
        result_names: ResultNames,
        /// Names of region arguments.
        region_arg_names: RegionArgNames,
        /// Dialect whose prefix may be left out inside.
        default_dialect: &'static str,
    }

    /// Canonicalization patterns, besides those that are there already.
    pub fn canonicalize(self, add: Canonicalize) -> Self {
        self.op.canonicalize.push(add);
        self
    }

    /// Says that the attributes of the definition are no properties: the generic form and bytecode keep them among the others.
    pub fn no_properties(self) -> Self {
        self.op.hooks.no_properties = true;
        self
    }

    /// Says that the pretty form leaves out the regions.
    pub fn hides_regions(self) -> Self {
        self.op.hooks.hides_regions = true;
        self
    }

    /// Attaches the run-time meaning: a function, or an [`Elementwise`](crate::interp::Elementwise) one.
    pub fn interpret(self, meaning: impl Interpret + 'static) -> Self {
        self.interface::<dyn Interpret>(Box::new(meaning))
    }

    /// Attaches an implementation of the interface `I`, a `dyn Trait` type.
    #[cold]
    pub fn interface<I: ?Sized + Send + Sync + 'static>(self, implementation: Box<I>) -> Self {
        self.op.interfaces.insert(implementation);
        if TypeId::of::<I>() == TypeId::of::<dyn SymbolUser>() {
            self.op.facts.flags |= Fact::SymbolUser.bit();
        }
        self
    }
}

/// All registered dialects, operations, types and attributes of a context.
#[derive(Default)]
pub(crate) struct Registry {
    pub(crate) dialects: FxHashMap<Ident, DialectInfo>,
    pub(crate) types: FxHashMap<Ident, RegisteredType>,
    pub(crate) attrs: FxHashMap<Ident, RegisteredAttr>,
    /// Operations by their names, with those in `added` after them.
    infos: Vec<OpInfo>,
    /// Names that were met in IR since the last registration.
    added: SharedList<OpInfo>,
    by_hash: FxHashMap<u64, OpName>,
    /// Names that were met in IR and belong to no dialect.
    unregistered: crate::lock::RwLock<FxHashMap<Ident, OpName>>,
    /// What was attached to operations before their dialect was registered, by the hashes of their names.
    early: FxHashMap<u64, OpInfo>,
}

impl Registry {
    /// Makes room for so many more operations, which then are not moved while dialects are registered. Memory that is not touched costs nothing.
    pub(crate) fn reserve(&mut self, ops: usize) {
        self.infos.reserve(ops);
        self.by_hash.reserve(ops);
    }

    #[inline]
    pub(crate) fn op(&self, name: OpName) -> &OpInfo {
        match self.infos.get(name.index()) {
            Some(info) => info,
            None => &self.added[name.index() - self.infos.len()],
        }
    }

    pub(crate) fn ops(&self) -> impl Iterator<Item = &OpInfo> {
        self.infos.iter().chain(self.added.iter().map(|(_, info)| info))
    }

    #[inline]
    pub(crate) fn by_hash(&self, hash: u64) -> Option<OpName> {
        self.by_hash.get(&hash).copied()
    }

    /// The handle of a name that no dialect defines.
    pub(crate) fn unregistered(&self, ident: Ident, name: &str) -> OpName {
        if let Some(&found) = self.unregistered.read().get(&ident) {
            return found;
        }
        let mut map = self.unregistered.write();
        *map.entry(ident).or_insert_with(|| {
            // Nothing takes it for a registered operation with the hash of its name.
            let hash = Some(name_hash(name)).filter(|&hash| self.by_hash(hash).is_none()).unwrap_or_default();
            let at = self.added.add().push(OpInfo::unregistered(Cow::Owned(name.to_owned()), hash));
            OpName::from_index(self.infos.len() + at)
        })
    }

    /// The operation `name`, or what waits for its definition.
    ///
    /// # Panics
    /// When another one has the same hash.
    // Cold, as is then what always calls it: what only a start runs lies together, and not a page of it in each crate.
    #[cold]
    fn entry(&mut self, name: &'static str, hash: u64) -> &mut OpInfo {
        let info = match self.by_hash(hash) {
            Some(at) => &mut self.infos[at.index()],
            None => self.early.entry(hash).or_insert_with(|| OpInfo::unregistered(Cow::Borrowed(name), hash)),
        };
        info.check_name(name);
        info
    }

    /// The operation that gets a definition now, perhaps another one.
    ///
    /// # Panics
    /// When another one has the same hash.
    #[cold]
    fn define(&mut self, name: &Str, hash: u64) -> &mut OpInfo {
        let at = if let Some(at) = self.by_hash(hash) {
            at.index()
        } else {
            if self.added.len() > 0 {
                self.infos.extend(self.added.take());
            }
            let at = self.infos.len();
            self.by_hash.insert(hash, OpName::from_index(at));
            let early = self.early.remove(&hash);
            self.infos.push(early.unwrap_or_else(|| OpInfo::unregistered(name.clone(), hash)));
            at
        };
        let info = &mut self.infos[at];
        info.check_name(name);
        info
    }
}
