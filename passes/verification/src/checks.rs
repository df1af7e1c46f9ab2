//! Writing checks.

use std::ops::{Deref, DerefMut};

use dl_arith::{AndIOp, Build, CmpIPredicate};
use dl_cf::AssertOp;
use dl_ir::interfaces::Index;
use dl_ir::{DYNAMIC, OpState, ValueId};

/// Makes checks before one operation.
pub struct Checks<'r, 'c> {
    b: Build<'r, 'c>,
    /// What a message begins with.
    head: String,
    /// What it ends with.
    place: String,
}

impl<'r, 'c> Deref for Checks<'r, 'c> {
    type Target = Build<'r, 'c>;
    fn deref(&self) -> &Self::Target {
        &self.b
    }
}

impl DerefMut for Checks<'_, '_> {
    fn deref_mut(&mut self) -> &mut Self::Target {
        &mut self.b
    }
}

impl<'r, 'c> Checks<'r, 'c> {
    /// At the insertion point. Messages show the text of the operation, if that is given, and its place.
    pub(crate) fn new(b: Build<'r, 'c>, op: Option<&str>) -> Self {
        let head =
            "ERROR: Runtime op verification failed".to_owned() + &op.map(|op| format!("\n{op}")).unwrap_or_default();
        let place = dl_ir::text::loc_text(b.cx(), b.loc);
        Self { b, head, place }
    }

    /// The program ends with a message unless `condition` holds.
    pub fn require(&mut self, condition: ValueId, what: &str) {
        let message = format!("{}\n^ {what}\nLocation: {}", self.head, self.place);
        let (cx, loc) = (self.b.cx(), self.b.loc);
        let message = cx.string_attr(&message);
        self.b.create(OpState::of::<AssertOp<'_>>(loc).operands([condition]).attr(cx, "msg", message));
    }

    /// The extent of a dimension of a memref or tensor.
    pub fn dim(&mut self, of: ValueId, dim: usize) -> ValueId {
        let ty = self.b.value_type(of);
        let extent = ty.shape().and_then(|shape| shape.get(dim).copied());
        if let Some(extent) = extent.filter(|&extent| extent != DYNAMIC) {
            return self.b.constant_index(extent);
        }
        let is_memref = ty.is_memref();
        let (cx, dim) = (self.b.cx(), self.b.constant_index(dim as i64));
        if is_memref {
            self.b.value::<dl_memref::DimOp<'_>>(&[of, dim], cx.index_type())
        } else {
            self.b.value::<dl_tensor::DimOp<'_>>(&[of, dim], cx.index_type())
        }
    }

    /// The index as a value.
    pub fn index(&mut self, index: Index) -> ValueId {
        match index {
            Index::Value(value) => value,
            Index::Static(number) => self.b.constant_index(number),
        }
    }

    /// Both.
    pub fn and(&mut self, a: ValueId, b: ValueId) -> ValueId {
        self.b.same::<AndIOp<'_>>(&[a, b])
    }

    /// Whether `index` is not negative and less than `extent`, or `above` compared with it.
    pub fn is_within(&mut self, index: ValueId, extent: ValueId, above: CmpIPredicate) -> ValueId {
        let zero = self.b.constant_index(0);
        let low = self.b.compare(CmpIPredicate::Sge, index, zero);
        let high = self.b.compare(above, index, extent);
        self.and(low, high)
    }
}
