//! The schedule, apart from the payload: it may be nested in the payload that it changes.

use dl_ir::symbol::SymbolTable;
use dl_ir::{Arena, AttrRef, Context, OpRef, Rewriter, Trait, clone_arena};
use dl_transform::NamedSequenceOp;
use rustc_hash::FxHashMap;

/// The attribute of symbol tables that hold named sequences.
pub(crate) const WITH_NAMED_SEQUENCE: &str = "transform.with_named_sequence";

/// A copy of what belongs to schedules in the symbol table `table`: named sequences, and tables with such in them. What else is there stays behind.
pub(crate) fn extract(table: OpRef<'_>) -> Arena {
    let cx = table.cx();
    let body = table.body();
    let mut copy = Arena::new(body.name_id(), body.loc());
    let mut rw = Rewriter::new(cx, &mut copy);
    let attrs: Vec<_> = body.attrs().map(|(name, attr)| (name, attr.id())).collect();
    rw.set_attrs(Arena::ROOT, attrs);
    let region = rw.add_region(Arena::ROOT);
    let block = rw.append_block(region, &[]);
    rw.set_insertion_to_end(block);
    for op in body.regions().flat_map(|region| region.ops()) {
        // Tables are nested as deep as the input has them.
        let nested_table = || stacker::maybe_grow(64 * 1024, 1024 * 1024, || Box::new(extract(op)));
        let nested = op.body();
        if !op.is_stub() {
            continue;
        }
        if op.is::<NamedSequenceOp<'_>>() {
            rw.insert_child(Box::new(clone_arena(cx, nested.arena())), &[], &[]);
        } else if op.has_trait(&Trait::SymbolTable) && op.attr(WITH_NAMED_SEQUENCE).is_some() {
            rw.insert_child(nested_table(), &[], &[]);
        }
    }
    copy
}

/// Finds symbols of a schedule.
pub(crate) struct Symbols<'s> {
    /// By address of an arena: the nested isolated operation that owns it, seen from outside.
    owners: FxHashMap<usize, OpRef<'s>>,
}

impl<'s> Symbols<'s> {
    /// Of the schedule that `root` is the root of. Costs O(schedule).
    pub(crate) fn new(root: OpRef<'s>) -> Self {
        let mut owners = FxHashMap::default();
        for op in dl_ir::walk::pre_order(root).filter(|op| op.is_stub()) {
            owners.insert(std::ptr::from_ref(op.body().arena()).addr(), op);
        }
        Self { owners }
    }

    /// The operation that `symbol` names where `from` stands: in the closest table around it.
    pub(crate) fn resolve(&self, from: OpRef<'s>, symbol: AttrRef<'s>) -> Option<OpRef<'s>> {
        let mut at = from;
        loop {
            let table = std::iter::successors(Some(at), |op| op.parent()).find(|op| op.has_trait(&Trait::SymbolTable));
            if let Some(table) = table {
                return SymbolTable::new(table).resolve(symbol);
            }
            at = *self.owners.get(&std::ptr::from_ref(at.arena()).addr())?;
        }
    }
}

/// The named sequence called `name` directly in `table`.
pub(crate) fn sequence_in<'a>(table: OpRef<'a>, name: &str) -> Option<OpRef<'a>> {
    let is_it = |op: &OpRef<'a>| op.is::<NamedSequenceOp<'_>>() && op.symbol_name() == Some(name);
    table.regions().find_map(|region| region.ops().find(is_it))
}

/// The symbol table that has the named sequence `name` directly inside: `root`, else the first one further inside.
pub(crate) fn find_entry<'a>(root: OpRef<'a>, name: &str) -> Option<OpRef<'a>> {
    dl_ir::walk::pre_order(root).find(|op| op.num_regions() > 0 && sequence_in(*op, name).is_some())
}

/// An empty schedule.
pub(crate) fn empty(cx: &Context) -> Arena {
    let mut module = Arena::new(cx.op_name("builtin.module"), dl_ir::Loc::UNKNOWN);
    let mut rw = Rewriter::new(cx, &mut module);
    rw.set_attr(Arena::ROOT, cx.ident(WITH_NAMED_SEQUENCE), cx.unit_attr());
    let region = rw.add_region(Arena::ROOT);
    rw.append_block(region, &[]);
    module
}

/// Whether it is a declaration: its body is somewhere else.
pub(crate) fn is_external(sequence: OpRef<'_>) -> bool {
    sequence.regions().all(dl_ir::RegionRef::is_empty)
}
