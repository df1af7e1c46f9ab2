//! `symbol-dce`: erases symbols that nothing refers to and nothing outside can see.

use dl_ir::opdef::Trait;
use dl_ir::pass::{Pass, PassCx, PassInfo, PassResult};
use dl_ir::symbol::{SymbolTable, symbol_refs};
use dl_ir::{Arena, AttrData, AttrRef, Context, Diagnostic, OpId, OpRef, Rewriter};
use rustc_hash::FxHashSet;

/// Erases dead symbols in the table of the operation and in the tables nested in it.
#[derive(Clone, Copy, Default)]
pub struct SymbolDce;

impl Pass for SymbolDce {
    const INFO: PassInfo = PassInfo::new("symbol-dce", "Eliminate dead symbols")
        .title("SymbolDCE")
        .statistics(&[("num-dce'd", "Number of symbols DCE'd")]);

    fn run(&mut self, cx: &mut PassCx<'_>) -> PassResult {
        let root = cx.root();
        if !root.has_trait(&Trait::SymbolTable) {
            let message = "was scheduled to run under SymbolDCE, but does not define a symbol table";
            return Err(root.error(message).into());
        }
        let hidden = cx.is_outermost || root.visibility() == "private";
        let live = Liveness::of(root, hidden)?.live;
        let mut erased = 0;
        let mut sweep = |cx: &Context, ir: &mut Arena| {
            let dead = dead_symbols(cx, ir, &live);
            erased += dead.len() as u64;
            Rewriter::new(cx, ir).erase_all(&dead);
        };
        dl_ir::walk::for_each_arena(cx.ctx, cx.ir, &mut sweep);
        cx.count("num-dce'd", erased);
        if erased == 0 {
            cx.preserve_all();
        }
        Ok(())
    }
}

/// A symbol: the address of its arena, which does not move while the pass reads, and its id there.
type Key = (usize, OpId);

fn key(op: OpRef<'_>) -> Key {
    (std::ptr::from_ref(op.arena()) as usize, op.id())
}

/// The symbols of this arena's table that are not in `live`.
fn dead_symbols(cx: &Context, ir: &Arena, live: &FxHashSet<Key>) -> Vec<OpId> {
    let tables = dl_ir::walk::ops_in_arena(ir, Arena::ROOT).into_iter().map(|op| OpRef::new(cx, ir, op));
    let symbols = tables
        .filter(|op| op.has_trait(&Trait::SymbolTable) && !op.is_stub())
        .flat_map(|table| table.regions().flat_map(|region| region.ops()));
    symbols.filter(|op| op.symbol_name().is_some() && !live.contains(&key(*op))).map(|op| op.id()).collect()
}

/// Which symbols are needed: those that can be seen from outside, and what they refer to.
struct Liveness<'a> {
    live: FxHashSet<Key>,
    tables: Vec<SymbolTable<'a>>,
    /// Operations to look at, each with the number of the table that its references are resolved in.
    pending: Vec<(OpRef<'a>, usize)>,
}

impl<'a> Liveness<'a> {
    /// # Errors
    /// Where an operation of which nothing is known may be a symbol table.
    fn of(root: OpRef<'a>, hidden: bool) -> Result<Self, Diagnostic> {
        let mut this = Self { live: FxHashSet::default(), tables: Vec::new(), pending: Vec::new() };
        this.add_table(root, hidden);
        while let Some((op, table)) = this.pending.pop() {
            let is_member = op.parent().is_none_or(|parent| parent.has_trait(&Trait::SymbolTable));
            if is_member && holds_unknown_table(op) {
                let message =
                    "contains potentially unknown symbol table, meaning that we can't reliable compute symbol uses";
                return Err(Diagnostic::error(op.loc(), format!("operation {message}")));
            }
            for (_, attr) in op.attrs() {
                for symbol in symbol_refs(attr) {
                    this.mark_reference(symbol, table);
                }
            }
            if op.has_trait(&Trait::SymbolTable) {
                this.add_table(op, hidden || op.visibility() == "private");
            } else {
                let nested = op.regions().flat_map(|region| region.ops());
                this.pending.extend(nested.map(|op| (op, table)));
            }
        }
        Ok(this)
    }

    /// `hidden`: nothing outside refers into the table.
    fn add_table(&mut self, table: OpRef<'a>, hidden: bool) {
        let number = self.tables.len();
        self.tables.push(SymbolTable::new(table));
        for op in table.regions().flat_map(|region| region.ops()) {
            let discardable = match (op.symbol_name().is_some(), op.visibility()) {
                (true, "private") => true,
                (true, "nested") => hidden,
                _ => false,
            };
            if !discardable {
                self.mark(op, number);
            }
        }
    }

    fn mark(&mut self, op: OpRef<'a>, table: usize) {
        if self.live.insert(key(op)) {
            self.pending.push((op, table));
        }
    }

    /// Marks every symbol on the way of `@a::@b`.
    fn mark_reference(&mut self, symbol: AttrRef<'a>, table: usize) {
        let AttrData::SymbolRef { root, nested } = symbol.data() else { return };
        let cx = symbol.cx();
        let Some(mut found) = self.tables[table].get(cx.str(*root)) else { return };
        self.mark(found, table);
        for part in nested {
            if !found.has_trait(&Trait::SymbolTable) {
                return;
            }
            let inner = SymbolTable::new(found);
            let Some(next) = inner.get(cx.str(*part)) else { return };
            let number = self.tables.len();
            self.tables.push(inner);
            self.mark(next, number);
            found = next;
        }
    }
}

/// Whether `op`, or an operation inside that belongs to the same symbol table, belongs to a dialect that nobody knows and has one
/// region, as symbol tables do.
fn holds_unknown_table(op: OpRef<'_>) -> bool {
    let mut pending = vec![op];
    while let Some(op) = pending.pop() {
        if op.num_regions() == 1 && op.cx().dialect(op.info().dialect()).is_none() {
            return true;
        }
        if !op.has_trait(&Trait::SymbolTable) {
            pending.extend(op.regions().flat_map(|region| region.ops()));
        }
    }
    false
}
