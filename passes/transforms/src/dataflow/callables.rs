//! Which functions are called from where.

use dl_ir::interfaces::{CallOp, Callee, FunctionOp};
use dl_ir::opdef::Trait;
use dl_ir::symbol::{SymbolTable, symbol_refs};
use dl_ir::{OpId, OpRef};
use rustc_hash::{FxHashMap, FxHashSet};

use super::facts::Arenas;

/// An operation, by the number of its arena.
pub(crate) type Place = (usize, OpId);

/// The functions that are analyzed, each by the number of its arena, and the calls to them.
#[derive(Default)]
pub(crate) struct Callables {
    /// What each call calls.
    callees: FxHashMap<Place, usize>,
    /// The functions with names.
    functions: FxHashSet<usize>,
    /// Those of them that may be called from where nobody looks.
    open: FxHashSet<usize>,
}

impl Callables {
    /// Those in `root`. `hidden` where nothing outside refers into it.
    pub(crate) fn new(root: OpRef<'_>, hidden: bool, arenas: &Arenas) -> Self {
        let mut all = Self::default();
        let mut tables: Vec<(SymbolTable<'_>, bool)> = Vec::new();
        // Operations to look at, with the number of the table that their references are resolved in.
        let mut pending = vec![(root, None)];
        while let Some((op, table)) = pending.pop() {
            if let Some(table) = table {
                all.add_uses(op, &tables, table, arenas);
            }
            let inner = op.body();
            let table = if inner.has_trait(&Trait::SymbolTable) {
                let hidden = match table {
                    None => hidden,
                    Some(table) => match op.visibility() {
                        "private" => true,
                        "nested" => tables[table].1,
                        _ => false,
                    },
                };
                tables.push((SymbolTable::new(inner), hidden));
                all.add_functions(inner, hidden, arenas);
                Some(tables.len() - 1)
            } else {
                table
            };
            pending.extend(inner.regions().flat_map(|region| region.ops()).map(|op| (op, table)));
        }
        all
    }

    fn add_functions(&mut self, table: OpRef<'_>, hidden: bool, arenas: &Arenas) {
        for op in table.regions().flat_map(|region| region.ops()) {
            let Some(function) = function(op, arenas) else { continue };
            self.functions.insert(function);
            let seen = match op.visibility() {
                "private" => true,
                "nested" => hidden,
                _ => false,
            };
            if !seen {
                self.open.insert(function);
            }
        }
    }

    /// Notes what `op` calls, or that it uses functions in a way that says nothing of how they are called.
    fn add_uses(&mut self, op: OpRef<'_>, tables: &[(SymbolTable<'_>, bool)], table: usize, arenas: &Arenas) {
        let resolve = |symbol| tables[table].0.resolve(symbol).and_then(|op| function(op, arenas));
        if let Some(call) = op.interface::<dyn CallOp>() {
            if let Some(Callee::Symbol(symbol)) = call.callee(op)
                && let (Some(callee), Some(arena)) = (resolve(symbol), arenas.find(op.arena()))
            {
                self.callees.insert((arena, op.id()), callee);
            }
            return;
        }
        let used = op.attrs().flat_map(|(_, attr)| symbol_refs(attr)).filter_map(resolve);
        self.open.extend(used);
    }

    /// The function that the call at `place` calls, if it is one of those that are analyzed.
    pub(crate) fn callee(&self, place: Place) -> Option<usize> {
        self.callees.get(&place).copied()
    }

    /// Whether all calls of this function are known.
    pub(crate) fn is_closed(&self, function: usize) -> bool {
        self.functions.contains(&function) && !self.open.contains(&function)
    }
}

/// The number of the arena of the function `op`, if it is one with a body.
fn function(op: OpRef<'_>, arenas: &Arenas) -> Option<usize> {
    let interface = op.interface::<dyn FunctionOp>().filter(|_| op.is_stub())?;
    if interface.is_declaration(op) { None } else { arenas.find(op.body().arena()) }
}
