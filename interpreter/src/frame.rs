//! The values of one activation of an isolated operation.

use dl_ir::interp::Value;
use dl_ir::{Arena, ValueId};

use crate::symbols::TableId;

/// The values of one arena, as one call sees them.
pub(crate) struct Frame<'a> {
    /// Where the values are defined.
    pub(crate) arena: &'a Arena,
    /// The symbol table that names are looked up in first.
    pub(crate) table: TableId,
    values: Vec<Option<Value>>,
}

impl<'a> Frame<'a> {
    pub(crate) fn new(arena: &'a Arena, table: TableId) -> Self {
        Self { arena, table, values: Vec::new() }
    }

    pub(crate) fn get(&self, value: ValueId) -> Option<&Value> {
        self.values.get(value.index())?.as_ref()
    }

    pub(crate) fn set(&mut self, id: ValueId, value: Value) {
        if id.index() >= self.values.len() {
            self.values.resize(id.index() + 1, None);
        }
        self.values[id.index()] = Some(value);
    }
}
