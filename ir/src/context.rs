//! The context: everything that is interned or registered, shared by all IR of one compilation.
//!
//! # Invariants
//! * `Send + Sync`; interned data lives as long as the context, but for large constants that nothing uses ([`memory`]); nothing here is process-wide.
//! * Dialects are registered through `&mut Context`, before IR is made; afterwards the registry is read without locks.

mod memory;

use std::any::{Any, TypeId};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use bytes::Bytes;
use rustc_hash::FxHashMap;

use crate::action::ActionHandler;
use crate::affine::AffineStore;
use crate::attributes::{Attr, AttrData, AttrRef};
use crate::dialect::{DialectBuilder, DialectInfo, OpInfo, Registry};
use crate::entity::{Ident, OpName};
use crate::interner::Interner;
use crate::location::{FilePosition, Loc, LocData, LocKind, Source, SourceMap, Start, TextMemory};
use crate::lock::RwLock;
use crate::opdef::name_hash;
use crate::types::{Type, TypeData, TypeRef};

/// Lists in the interners of attributes and locations, which threads add to all the time.
pub(crate) const LISTS: usize = 8;

/// Owns interned types, attributes, names, locations, affine maps, source texts and the registered dialects.
pub struct Context {
    idents: Interner<Box<str>>,
    types: Interner<TypeData>,
    attrs: Interner<AttrData, LISTS>,
    locs: Interner<LocData, LISTS>,
    affine: AffineStore,
    sources: SourceMap,
    registry: Registry,
    /// The blobs that `dense_resource` attributes name, by key.
    resources: RwLock<FxHashMap<Ident, Resource>>,
    /// Files that constants lie in, as far as what is in memory of them can be given back.
    files: RwLock<Vec<(Bytes, Arc<dyn TextMemory>)>>,
    /// What each name of a type with a name of its own stands for.
    named_types: RwLock<FxHashMap<Ident, Type>>,
    /// The identity of the next distinct attribute that no text gives a number.
    next_distinct: AtomicU64,
    /// What passes share, by type.
    shared: RwLock<FxHashMap<TypeId, Arc<dyn Any + Send + Sync>>>,
    allow_unregistered: bool,
    threading: bool,
    shows_ops: bool,
    actions: Option<Box<dyn ActionHandler>>,
    common: Common,
}

/// The data that a `dense_resource` attribute names.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Resource {
    /// The alignment in bytes that the data asks for.
    pub alignment: u32,
    /// The data, shared.
    pub data: Arc<[u8]>,
}

/// Names, types and attributes that everything uses, interned once.
#[derive(Clone, Copy)]
pub(crate) struct Common {
    pub(crate) index: Type,
    pub(crate) i1: Type,
    pub(crate) i32: Type,
    pub(crate) i64: Type,
    pub(crate) f32: Type,
    pub(crate) none: Type,
    pub(crate) unit: Attr,
    /// The attribute that counts the operands of each operand of a definition, where several stand for any number.
    pub(crate) operand_segments: Ident,
    /// The same for results.
    pub(crate) result_segments: Ident,
    /// The attribute that constants hold their value in.
    pub(crate) value: Ident,
}

impl Default for Context {
    fn default() -> Self {
        Self::new()
    }
}

impl Context {
    /// A context that knows the `builtin` dialect only.
    pub fn new() -> Self {
        use crate::types::{FloatKind, Signedness};
        let idents: Interner<Box<str>> = Interner::default();
        let types = Interner::default();
        let attrs = Interner::default();
        let ident = |text: &str| Ident::from_index(idents.intern(text.into()));
        let ty = |data| Type::from_index(types.intern(data));
        let int = |width| TypeData::Integer { width, signedness: Signedness::Signless };
        let common = Common {
            index: ty(TypeData::Index),
            i1: ty(int(1)),
            i32: ty(int(32)),
            i64: ty(int(64)),
            f32: ty(TypeData::Float(FloatKind::F32)),
            none: ty(TypeData::None),
            unit: Attr::from_index(attrs.intern(AttrData::Unit)),
            operand_segments: ident("operandSegmentSizes"),
            result_segments: ident("resultSegmentSizes"),
            value: ident("value"),
        };
        let mut cx = Self {
            idents,
            types,
            attrs,
            locs: Interner::default(),
            affine: AffineStore::default(),
            sources: SourceMap::default(),
            registry: Registry::default(),
            resources: RwLock::default(),
            files: RwLock::default(),
            named_types: RwLock::default(),
            next_distinct: AtomicU64::new(1 << 63),
            shared: RwLock::default(),
            allow_unregistered: false,
            threading: true,
            shows_ops: false,
            actions: None,
            common,
        };
        cx.register(&crate::builtin::Builtin);
        cx
    }

    /// The type that `name` stands for: `ty`, where it is met for the first time. For types that are told apart by their names.
    pub fn named_type(&self, name: Ident, ty: Type) -> Type {
        *self.named_types.write().entry(name).or_insert(ty)
    }

    pub(crate) fn common(&self) -> &Common {
        &self.common
    }

    /// Whether operations, types and attributes of unknown dialects are accepted (`--allow-unregistered-dialect`).
    pub fn allows_unregistered(&self) -> bool {
        self.allow_unregistered
    }

    /// Whether operations of `dialect` that nothing defines are accepted.
    pub fn accepts_unknown_ops(&self, dialect: &str) -> bool {
        self.dialect(dialect).is_some_and(|known| known.allows_unknown_ops) || self.accepts_unknown_symbols(dialect)
    }

    /// Whether types and attributes of `dialect` that nothing defines are accepted, with their text as all that is known of them.
    pub fn accepts_unknown_symbols(&self, dialect: &str) -> bool {
        self.allow_unregistered && self.dialect(dialect).is_none_or(|known| known.is_partial)
    }

    /// Sets what [`allows_unregistered`](Self::allows_unregistered) answers.
    pub fn allow_unregistered(&mut self, allow: bool) {
        self.allow_unregistered = allow;
    }

    /// Whether nested isolated operations may be worked on by several threads at once. Results never depend on it.
    pub fn threading(&self) -> bool {
        self.threading
    }

    /// Sets what [`threading`](Self::threading) answers (`--mlir-disable-threading`).
    pub fn set_threading(&mut self, enable: bool) {
        self.threading = enable;
    }

    /// Whether a message about an operation carries the operation as a note (`--mlir-print-op-on-diagnostic`).
    pub fn shows_ops_in_messages(&self) -> bool {
        self.shows_ops
    }

    /// Sets what [`shows_ops_in_messages`](Self::shows_ops_in_messages) answers.
    pub fn set_shows_ops_in_messages(&mut self, enable: bool) {
        self.shows_ops = enable;
    }

    /// Who watches the actions of the compiler, if anybody does.
    #[inline]
    pub fn action_handler(&self) -> Option<&dyn ActionHandler> {
        self.actions.as_deref()
    }

    /// Has `handler` watch the actions of the compiler.
    pub fn set_action_handler(&mut self, handler: Box<dyn ActionHandler>) {
        self.actions = Some(handler);
    }

    // Names.

    /// The handle of `text`.
    pub fn ident(&self, text: &str) -> Ident {
        Ident::from_index(self.idents.intern_with(text, || text.into()))
    }

    /// The handle of `text`, if it has been interned before.
    pub fn find_ident(&self, text: &str) -> Option<Ident> {
        self.idents.lookup(text).map(Ident::from_index)
    }

    /// The text of a name.
    #[inline]
    pub fn str(&self, ident: Ident) -> &str {
        self.idents.get(ident.index())
    }

    // Types and attributes.

    /// The handle of the type made of `data`.
    pub fn intern_type(&self, data: TypeData) -> Type {
        Type::from_index(self.types.intern(data))
    }

    /// What `ty` is made of.
    #[inline]
    pub fn type_data(&self, ty: Type) -> &TypeData {
        self.types.get(ty.index())
    }

    /// A view of `ty`.
    #[inline]
    pub fn ty(&self, ty: Type) -> TypeRef<'_> {
        TypeRef::new(self, ty)
    }

    /// The handle of the attribute made of `data`. Dictionaries must be sorted by name: see
    /// [`dictionary_attr`](Self::dictionary_attr).
    pub fn intern_attr(&self, data: AttrData) -> Attr {
        Attr::from_index(self.attrs.intern(data))
    }

    /// What `attr` is made of.
    #[inline]
    pub fn attr_data(&self, attr: Attr) -> &AttrData {
        self.attrs.get(attr.index())
    }

    /// A view of `attr`.
    #[inline]
    pub fn attr(&self, attr: Attr) -> AttrRef<'_> {
        AttrRef::new(self, attr)
    }

    /// The identity of a distinct attribute that is like no other of the context.
    pub fn fresh_distinct(&self) -> u64 {
        self.next_distinct.fetch_add(1, Ordering::Relaxed)
    }

    /// Whether there is any distinct attribute. Costs O(attributes).
    pub fn has_distinct_attrs(&self) -> bool {
        self.attrs.iter().any(|(_, data)| matches!(data, AttrData::Distinct { .. }))
    }

    /// Affine expressions, maps and sets.
    pub fn affine(&self) -> &AffineStore {
        &self.affine
    }

    // Locations and sources.

    /// Keeps `text` for locations to point into. `name` is what messages call it.
    pub fn add_source(&self, name: &str, text: impl AsRef<[u8]>) -> Arc<Source> {
        self.add_source_part(name, Bytes::copy_from_slice(text.as_ref()), Start::OF_FILE)
    }

    /// The same for a part of a file that begins at `start`, without a copy.
    pub fn add_source_part(&self, name: &str, text: Bytes, start: Start) -> Arc<Source> {
        self.sources.add(name, text, start, None)
    }

    /// The same for a whole text in a memory that parts of it can be given back to while it is parsed.
    pub fn add_source_in(&self, name: &str, text: Bytes, memory: Arc<dyn TextMemory>) -> Arc<Source> {
        self.sources.add(name, text, Start::OF_FILE, Some(memory))
    }

    /// The handle of a location.
    pub fn intern_loc(&self, data: LocData) -> Loc {
        Loc::from_interned(self.locs.intern(data))
    }

    /// The location `fused<metadata>[locs]`. Unknown ones and repetitions are dropped, and fused ones with the same metadata are
    /// taken apart; what is left may be one location, or none.
    pub fn fused_loc(&self, locs: &[Loc], metadata: Option<Attr>) -> Loc {
        let mut parts: indexmap::IndexSet<Loc, rustc_hash::FxBuildHasher> = indexmap::IndexSet::default();
        for &loc in locs {
            match self.loc_data(loc) {
                Some(LocData::Fused { locs, metadata: inner }) if *inner == metadata => {
                    parts.extend(locs.iter().copied());
                }
                _ if loc.is_unknown() => {}
                _ => {
                    parts.insert(loc);
                }
            }
        }
        match (parts.len(), metadata) {
            (0, None) => Loc::UNKNOWN,
            (1, None) => parts[0],
            (0, Some(_)) => self.intern_loc(LocData::Fused { locs: [Loc::UNKNOWN].into(), metadata }),
            _ => self.intern_loc(LocData::Fused { locs: parts.into_iter().collect(), metadata }),
        }
    }

    /// What a location is made of; `None` for unknown ones and source positions.
    pub fn loc_data(&self, loc: Loc) -> Option<&LocData> {
        match loc.kind() {
            LocKind::Interned(index) => Some(self.locs.get(index)),
            _ => None,
        }
    }

    /// The places that `loc` was called from, innermost first.
    pub fn callers(&self, loc: Loc) -> impl Iterator<Item = Loc> + '_ {
        std::iter::successors(self.caller(loc), |&loc| self.caller(loc))
    }

    /// Where the first call site in `loc` was called from.
    fn caller(&self, loc: Loc) -> Option<Loc> {
        let mut pending = vec![loc];
        while let Some(loc) = pending.pop() {
            match self.loc_data(loc) {
                None | Some(LocData::FileRange { .. }) => {}
                Some(LocData::Name { child, .. }) => pending.push(*child),
                Some(LocData::CallSite { caller, .. }) => return Some(*caller),
                Some(LocData::Fused { locs, .. }) => pending.extend(locs.iter().rev()),
            }
        }
        None
    }

    /// The first name in `loc`: `x` of `loc("x"("file":1:2))`, also inside a fused location or the callee of a call site.
    pub fn name_in(&self, loc: Loc) -> Option<&str> {
        let mut pending = vec![loc];
        while let Some(loc) = pending.pop() {
            match self.loc_data(loc) {
                None | Some(LocData::FileRange { .. }) => {}
                Some(LocData::Name { name, .. }) => return Some(self.str(*name)),
                Some(LocData::CallSite { callee, caller }) => pending.extend([*caller, *callee]),
                Some(LocData::Fused { locs, .. }) => pending.extend(locs.iter().rev()),
            }
        }
        None
    }

    /// The metadata of the fused locations in `loc`, outermost first. Costs O(parts of the location).
    pub fn fused_metadata(&self, loc: Loc) -> Vec<Attr> {
        let (mut found, mut pending) = (Vec::new(), vec![loc]);
        while let Some(loc) = pending.pop() {
            match self.loc_data(loc) {
                None | Some(LocData::FileRange { .. }) => {}
                Some(LocData::Name { child, .. }) => pending.push(*child),
                Some(LocData::CallSite { callee, caller }) => pending.extend([*caller, *callee]),
                Some(LocData::Fused { locs, metadata }) => {
                    found.extend(*metadata);
                    pending.extend(locs.iter().rev());
                }
            }
        }
        found
    }

    /// The source text and byte offset that messages about `loc` point to: the first position found inside it.
    pub fn source_position(&self, loc: Loc) -> Option<(Arc<Source>, usize)> {
        match self.first_position(loc).kind() {
            LocKind::Position(position) => self.sources.find(position),
            _ => None,
        }
    }

    /// File, line and column that messages about `loc` name.
    pub fn file_position(&self, loc: Loc) -> Option<FilePosition> {
        let loc = self.first_position(loc);
        if let Some(LocData::FileRange { file, start, .. }) = self.loc_data(loc) {
            return Some(FilePosition { file: self.str(*file).to_owned(), line: start.0, column: start.1 });
        }
        let (source, offset) = self.source_position(loc)?;
        let (line, column) = source.line_column(offset);
        Some(FilePosition { file: source.name().to_owned(), line, column })
    }

    /// Follows names, call sites and fused locations to the first file position.
    fn first_position(&self, loc: Loc) -> Loc {
        let mut pending = vec![loc];
        while let Some(loc) = pending.pop() {
            match self.loc_data(loc) {
                None if loc.is_unknown() => {}
                None | Some(LocData::FileRange { .. }) => return loc,
                Some(LocData::Name { child, .. }) => pending.push(*child),
                Some(LocData::CallSite { callee, .. }) => pending.push(*callee),
                Some(LocData::Fused { locs, .. }) => pending.extend(locs.iter().rev()),
            }
        }
        Loc::UNKNOWN
    }

    // Resources.

    /// The resource `key`, if a file gave it.
    pub fn resource(&self, key: Ident) -> Option<Resource> {
        self.resources.read().get(&key).cloned()
    }

    /// Stores the resource `key`.
    pub fn set_resource(&self, key: Ident, resource: Resource) {
        self.resources.write().insert(key, resource);
    }

    /// What passes that run in this context share, one value of each type; made when it is first asked for. Each image has a value of its own: the tool,
    /// and the plugins that it has loaded.
    pub fn shared<T: Any + Send + Sync + Default>(&self) -> Arc<T> {
        let mut shared = self.shared.write();
        let value = shared.entry(TypeId::of::<T>()).or_insert_with(|| Arc::new(T::default()));
        Arc::clone(value).downcast().unwrap_or_else(|_| unreachable!("it is stored under its type"))
    }

    // Registry.

    /// Makes room for so many more operations before their dialects are registered, which then takes less time.
    pub fn reserve_ops(&mut self, count: usize) {
        self.registry.reserve(count);
    }

    /// Registers a dialect: its operations, types, attributes and hooks. A second registration of the same name is ignored.
    pub fn register(&mut self, dialect: &dyn crate::dialect::Dialect) {
        let namespace = self.ident(dialect.namespace());
        if self.registry.dialects.contains_key(&namespace) {
            return;
        }
        let mut builder = DialectBuilder::new(dialect.namespace(), std::mem::take(&mut self.registry));
        dialect.register(&mut builder);
        let (registry, info, types, attrs) = builder.finish();
        self.registry = registry;
        self.registry.dialects.insert(namespace, info);
        let idents = &self.idents;
        let ident = |text: &str| Ident::from_index(idents.intern_with(text, || text.into()));
        self.registry.types.extend(types.into_iter().map(|ty| (ident(&ty.definition.name), ty)));
        self.registry.attrs.extend(attrs.into_iter().map(|attr| (ident(&attr.definition.name), attr)));
    }

    /// Attaches behaviour to operations of any dialect, registered before or afterwards.
    pub fn extend(&mut self, extension: &dyn crate::dialect::Extension) {
        let mut builder = DialectBuilder::new("", std::mem::take(&mut self.registry));
        extension.attach(&mut builder);
        (self.registry, ..) = builder.finish();
    }

    /// The dialect `namespace`, if it is registered.
    pub fn dialect(&self, namespace: &str) -> Option<&DialectInfo> {
        self.registry.dialects.get(&self.find_ident(namespace)?)
    }

    /// The registered dialects, by name.
    pub fn dialects(&self) -> impl Iterator<Item = &DialectInfo> {
        let mut all: Vec<_> = self.registry.dialects.values().collect();
        all.sort_by(|a, b| a.namespace.cmp(&b.namespace));
        all.into_iter()
    }

    /// The registered operations, in any order.
    pub(crate) fn ops_unsorted(&self) -> impl Iterator<Item = &OpInfo> {
        self.registry.ops().filter(|op| op.is_registered())
    }

    /// The registered operations, by name.
    pub fn ops(&self) -> impl Iterator<Item = &OpInfo> {
        let mut all: Vec<_> = self.ops_unsorted().collect();
        all.sort_by(|a, b| a.name.cmp(&b.name));
        all.into_iter()
    }

    /// The handle of the operation name `name`, registered or not.
    pub fn op_name(&self, name: &str) -> OpName {
        self.find_op_name(name).unwrap_or_else(|| self.registry.unregistered(self.ident(name), name))
    }

    /// The handle of a registered operation, by the hash of its name: a few nanoseconds.
    #[inline]
    pub fn op_name_by_hash(&self, hash: u64) -> Option<OpName> {
        self.registry.by_hash(hash)
    }

    /// What is known of an operation name.
    #[inline]
    pub fn op_info(&self, name: OpName) -> &OpInfo {
        self.registry.op(name)
    }

    /// The registered operation `name`.
    pub fn find_op(&self, name: &str) -> Option<&OpInfo> {
        self.find_op_name(name).map(|name| self.op_info(name))
    }

    fn find_op_name(&self, name: &str) -> Option<OpName> {
        self.op_name_by_hash(name_hash(name)).filter(|&found| self.op_info(found).name == name)
    }

    /// The mnemonics of the registered types of a dialect, sorted.
    pub fn type_mnemonics(&self, dialect: &str) -> Vec<&str> {
        mnemonics(self.registry.types.values().map(|ty| &*ty.definition.name), dialect)
    }

    /// The mnemonics of the registered attributes of a dialect, sorted.
    pub fn attr_mnemonics(&self, dialect: &str) -> Vec<&str> {
        mnemonics(self.registry.attrs.values().map(|attr| &*attr.definition.name), dialect)
    }

    /// The definition of the registered type `name` (`dialect.mnemonic`).
    pub fn type_definition(&self, name: Ident) -> Option<&crate::dialect::RegisteredType> {
        self.registry.types.get(&name)
    }

    /// The definition of the registered attribute `name` (`dialect.mnemonic`).
    pub fn attr_definition(&self, name: Ident) -> Option<&crate::dialect::RegisteredAttr> {
        self.registry.attrs.get(&name)
    }

    /// The hook `name` for formats of the type or attribute `of` (`dialect.mnemonic`).
    pub(crate) fn param_hook(&self, of: &str, name: &str) -> Option<crate::text::ParamHook> {
        let (dialect, _) = of.split_once('.')?;
        self.dialect(dialect)?.param_hooks.get(name).copied()
    }

    /// The hook `name` of any dialect.
    pub(crate) fn find_param_hook(&self, name: &str) -> Option<crate::text::ParamHook> {
        self.dialects().find_map(|dialect| dialect.param_hooks.get(name).copied())
    }
}

/// What follows `dialect.` in those of `names` that begin so, sorted.
fn mnemonics<'a>(names: impl Iterator<Item = &'a str>, dialect: &str) -> Vec<&'a str> {
    let mut found: Vec<&str> = names
        .filter_map(|name| name.split_once('.'))
        .filter(|(d, _)| *d == dialect)
        .map(|(_, mnemonic)| mnemonic)
        .collect();
    found.sort_unstable();
    found
}
