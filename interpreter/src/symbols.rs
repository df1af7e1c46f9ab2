//! The symbols of a program, and from where they are seen.

use dl_ir::attributes::AttrData;
use dl_ir::{AttrRef, OpRef, Trait};
use rustc_hash::FxHashMap;

/// The number of a symbol table.
pub(crate) type TableId = usize;

struct Table<'a> {
    /// Each symbol, and the table that it is itself, if it is one.
    names: FxHashMap<&'a str, (OpRef<'a>, Option<TableId>)>,
    parent: Option<TableId>,
}

/// All symbol tables of a program; the outermost is number 0.
pub(crate) struct Symbols<'a> {
    tables: Vec<Table<'a>>,
}

/// What a symbol names, and the table it is in.
#[derive(Clone, Copy)]
pub(crate) struct Symbol<'a> {
    pub(crate) op: OpRef<'a>,
    pub(crate) table: TableId,
}

impl<'a> Symbols<'a> {
    /// The symbols of `root` and of the tables nested in it. O(operations directly in tables).
    pub(crate) fn new(root: OpRef<'a>) -> Self {
        let mut tables = vec![Table { names: FxHashMap::default(), parent: None }];
        let mut pending = vec![(root, 0)];
        while let Some((table, id)) = pending.pop() {
            for op in table.regions().flat_map(|region| region.ops()) {
                let nested = op.has_trait(&Trait::SymbolTable).then(|| {
                    tables.push(Table { names: FxHashMap::default(), parent: Some(id) });
                    pending.push((op, tables.len() - 1));
                    tables.len() - 1
                });
                if let Some(name) = op.symbol_name() {
                    tables[id].names.entry(name).or_insert((op, nested));
                }
            }
        }
        Self { tables }
    }

    /// What `symbol` names, seen from inside table `from`: the innermost table around that has the first name counts.
    pub(crate) fn resolve(&self, from: TableId, symbol: AttrRef<'a>) -> Option<Symbol<'a>> {
        let AttrData::SymbolRef { root, nested } = symbol.data() else { return None };
        let cx = symbol.cx();
        let around = std::iter::successors(Some(from), |&table| self.tables[table].parent);
        let mut table = around.into_iter().find(|&table| self.tables[table].names.contains_key(cx.str(*root)))?;
        let (mut op, mut inner) = *self.tables[table].names.get(cx.str(*root))?;
        for part in nested {
            table = inner?;
            (op, inner) = *self.tables[table].names.get(cx.str(*part))?;
        }
        Some(Symbol { op, table })
    }
}
