//! Symbols: operations with a name in the table of the operation around them.

use rustc_hash::FxHashMap;

use crate::attributes::{Attr, AttrData, AttrRef};
use crate::context::Context;
use crate::entity::{Ident, OpId, OpName};
use crate::opdef::Trait;
use crate::view::OpRef;

/// Name of the attribute that says from where a symbol can be used; `public` where it is missing.
pub const VISIBILITY: &str = "sym_visibility";
/// What [`VISIBILITY`] may be: everywhere, in its own symbol table only, in that and in the tables around it.
pub const VISIBILITIES: [&str; 3] = ["public", "private", "nested"];

/// The symbols of one operation with [`Trait::SymbolTable`]. Building costs O(operations in its body).
pub struct SymbolTable<'a> {
    table: OpRef<'a>,
    names: FxHashMap<&'a str, OpId>,
}

impl<'a> SymbolTable<'a> {
    /// The symbols directly in the body of `table`. Of equal names the first counts; the verifier refuses the others.
    pub fn new(table: OpRef<'a>) -> Self {
        let body = table.body();
        let mut names = FxHashMap::default();
        for op in body.regions().flat_map(|region| region.ops()) {
            if let Some(name) = op.symbol_name() {
                names.entry(name).or_insert(op.id());
            }
        }
        Self { table: body, names }
    }

    /// The operation that holds the table.
    pub fn op(&self) -> OpRef<'a> {
        self.table
    }

    /// The operation called `name`.
    pub fn get(&self, name: &str) -> Option<OpRef<'a>> {
        self.names.get(name).map(|&id| OpRef::new(self.table.cx(), self.table.arena(), id))
    }

    /// Resolves `@a::@b`, each part in the table of the part before.
    pub fn resolve(&self, symbol: AttrRef<'a>) -> Option<OpRef<'a>> {
        let AttrData::SymbolRef { root, nested } = symbol.data() else { return None };
        let cx = self.table.cx();
        let mut found = self.get(cx.str(*root))?;
        for part in nested {
            if !found.has_trait(&Trait::SymbolTable) {
                return None;
            }
            found = SymbolTable::new(found).get(cx.str(*part))?;
        }
        Some(found)
    }
}

/// A name that is not in `taken`, made from `base` and a number where needed, as upstream's symbol table makes them.
pub fn unique_name(base: &str, taken: impl Fn(&str) -> bool) -> String {
    if !taken(base) {
        return base.to_owned();
    }
    let mut counter = 0_u64;
    loop {
        let name = format!("{base}_{counter}");
        if !taken(&name) {
            return name;
        }
        counter += 1;
    }
}

/// What can be known of a symbol from inside one of its siblings.
#[derive(Clone, Debug)]
pub struct SymbolInfo {
    /// The name of its operation.
    pub op: OpName,
    /// Its attributes, sorted by name.
    pub attrs: Box<[(Ident, Attr)]>,
    /// Whether it has a body.
    pub has_body: bool,
}

impl SymbolInfo {
    /// The attribute `name` of the symbol's operation, inherent or not.
    pub fn attr<'c>(&self, cx: &'c Context, name: &str) -> Option<AttrRef<'c>> {
        self.attrs.iter().find(|(n, _)| cx.str(*n) == name).map(|&(_, attr)| cx.attr(attr))
    }
}

/// The symbols of a table as they were at one moment: what passes on its members see of each other, since each has exclusive
/// access to itself alone. Taking it costs O(symbols and their attributes).
#[derive(Clone, Default, Debug)]
pub struct SymbolSnapshot {
    symbols: FxHashMap<Ident, SymbolInfo>,
    /// The attributes of the table.
    attrs: Box<[(Ident, Attr)]>,
}

impl SymbolSnapshot {
    /// The symbols directly in the body of `table`.
    pub fn of(table: OpRef<'_>) -> Self {
        let cx = table.cx();
        let attrs_of = |op: OpRef<'_>| op.attrs().map(|(name, attr)| (name, attr.id())).collect();
        let mut symbols = FxHashMap::default();
        for op in table.regions().flat_map(|region| region.ops()) {
            if let Some(name) = op.symbol_name() {
                let info = || SymbolInfo {
                    op: op.name_id(),
                    attrs: attrs_of(op),
                    has_body: op.regions().any(|region| !region.is_empty()),
                };
                symbols.entry(cx.ident(name)).or_insert_with(info);
            }
        }
        Self { symbols, attrs: attrs_of(table) }
    }

    /// The attribute `name` of the table itself.
    pub fn table_attr<'c>(&self, cx: &'c Context, name: &str) -> Option<AttrRef<'c>> {
        self.attrs.iter().find(|(n, _)| cx.str(*n) == name).map(|&(_, attr)| cx.attr(attr))
    }

    /// The symbol called `name`.
    pub fn get(&self, name: Ident) -> Option<&SymbolInfo> {
        self.symbols.get(&name)
    }

    /// The symbol called `name`.
    pub fn find(&self, cx: &Context, name: &str) -> Option<&SymbolInfo> {
        self.symbols.get(&cx.find_ident(name)?)
    }
}

/// The symbol references in `attr`, also deep inside it.
pub fn symbol_refs(attr: AttrRef<'_>) -> Vec<AttrRef<'_>> {
    let cx = attr.cx();
    let mut found = Vec::new();
    let mut pending = vec![attr];
    while let Some(attr) = pending.pop() {
        match attr.data() {
            AttrData::SymbolRef { .. } => found.push(attr),
            AttrData::Array(elements) => pending.extend(elements.iter().map(|&attr| cx.attr(attr))),
            AttrData::Dictionary(entries) => pending.extend(entries.iter().map(|&(_, attr)| cx.attr(attr))),
            AttrData::Dialect { params, .. } => pending.extend(params.iter().map(|&attr| cx.attr(attr))),
            _ => {}
        }
    }
    found
}

/// `attr` with the outermost names of the symbol references in it changed, also deep inside; `None` where none is.
pub fn renamed_symbols(attr: AttrRef<'_>, new_name: &dyn Fn(Ident) -> Option<Ident>) -> Option<Attr> {
    let cx = attr.cx();
    let all = |parts: &mut dyn Iterator<Item = Attr>| -> Option<Vec<Attr>> {
        let parts: Vec<Attr> = parts.collect();
        let new: Vec<Option<Attr>> = parts.iter().map(|&part| renamed_symbols(cx.attr(part), new_name)).collect();
        let changed = new.iter().any(Option::is_some);
        changed.then(|| parts.iter().zip(new).map(|(&old, new)| new.unwrap_or(old)).collect())
    };
    // Attributes are nested as deep as the input has them.
    stacker::maybe_grow(64 * 1024, 1024 * 1024, || match attr.data() {
        AttrData::SymbolRef { root, nested } => {
            let root = new_name(*root)?;
            Some(cx.intern_attr(AttrData::SymbolRef { root, nested: nested.clone() }))
        }
        AttrData::Array(elements) => all(&mut elements.iter().copied()).map(|new| cx.array_attr(&new)),
        AttrData::Dictionary(entries) => {
            let values = all(&mut entries.iter().map(|&(_, value)| value))?;
            let entries: Vec<(Ident, Attr)> = entries.iter().map(|&(name, _)| name).zip(values).collect();
            Some(cx.dictionary_attr(&entries))
        }
        AttrData::Dialect { name, params } => {
            let params = all(&mut params.iter().copied())?.into();
            Some(cx.intern_attr(AttrData::Dialect { name: *name, params }))
        }
        _ => None,
    })
}
