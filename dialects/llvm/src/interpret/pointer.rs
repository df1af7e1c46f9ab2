//! Pointers.

use std::sync::Arc;

use dl_ir::interp::{BufferId, Value};

/// Where in memory something is: a buffer of bytes and a distance from its start. Null is in no buffer.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Pointer {
    /// The buffer; `None` for null and what is computed from it.
    pub buffer: Option<BufferId>,
    /// Bytes from its start, which may lie outside of it.
    pub offset: i64,
}

/// Byte number `index` of a pointer in memory.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct PointerByte {
    pub(super) pointer: Pointer,
    pub(super) index: usize,
}

impl Pointer {
    /// Bytes that a pointer takes.
    pub(crate) const SIZE: usize = 8;

    /// The null pointer.
    pub const NULL: Self = Self { buffer: None, offset: 0 };

    /// The pointer that `value` is.
    pub fn of(value: &Value) -> Option<Self> {
        match value {
            Value::Other(other) => other.downcast_ref::<Self>().copied(),
            _ => None,
        }
    }

    /// The pointer so many bytes further on.
    pub(super) fn moved(self, by: i64) -> Self {
        Self { offset: self.offset.wrapping_add(by), ..self }
    }

    pub(super) fn byte(self, index: usize) -> Value {
        Value::Other(Arc::new(PointerByte { pointer: self, index }))
    }
}

impl From<Pointer> for Value {
    fn from(pointer: Pointer) -> Self {
        Self::Other(Arc::new(pointer))
    }
}
