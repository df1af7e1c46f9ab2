//! `bufferization-lower-deallocations`: what `bufferization.dealloc` means, by comparing pointers.

use dl_arith::{AndIOp, CmpIOp, CmpIPredicate, XOrIOp};
use dl_bufferization::DeallocOp;
use dl_ir::{DYNAMIC, Diagnostic, Loc, OpId, OpState, Rewriter, Type, ValueId};
use dl_memref::{AllocOp, CastOp, ExtractAlignedPointerAsIndexOp, LoadOp, StoreOp};

use super::ownership::constant;

/// Lowers one `bufferization.dealloc`. `helper` is the function that handles several buffers at once, where there is one.
pub(super) fn lower(rw: &mut Rewriter<'_>, op: OpId, helper: Option<&str>) -> Result<(), Diagnostic> {
    let dealloc = DeallocOp(rw.op(op));
    let loc = dealloc.0.loc();
    let (memrefs, conditions) = (dealloc.memrefs().ids(), dealloc.conditions().ids());
    let retained = dealloc.retained().ids();
    rw.set_insertion_before(op);
    let mut lowering = Lowering { rw, loc };
    let updated = match (&memrefs[..], helper) {
        ([], _) => {
            let no = if retained.is_empty() { Vec::new() } else { vec![constant(lowering.rw, loc, false)] };
            retained.iter().filter_map(|_| no.first().copied()).collect()
        }
        ([memref], _) if retained.is_empty() => {
            lowering.free_if(conditions[0], *memref);
            Vec::new()
        }
        ([memref], _) => lowering.one(*memref, conditions[0], &retained),
        (_, Some(helper)) => lowering.many(&memrefs, &conditions, &retained, helper),
        (_, None) => {
            return Err(rw.op(op).error(
                "library function required for generic lowering, but cannot be automatically inserted when operating on \
                 functions",
            ));
        }
    };
    rw.replace(op, &updated);
    Ok(())
}

struct Lowering<'a, 'b> {
    rw: &'a mut Rewriter<'b>,
    loc: Loc,
}

impl Lowering<'_, '_> {
    fn value<T: dl_ir::OpDefinition>(&mut self, operands: &[ValueId], ty: Type) -> ValueId {
        self.rw.create_value(OpState::of::<T>(self.loc).operands(operands.iter().copied()).results([ty]))
    }

    fn i1(&self) -> Type {
        self.rw.cx().i1_type()
    }

    fn pointer(&mut self, memref: ValueId) -> ValueId {
        let index = self.rw.cx().index_type();
        self.value::<ExtractAlignedPointerAsIndexOp<'_>>(&[memref], index)
    }

    fn differ(&mut self, a: ValueId, b: ValueId) -> ValueId {
        let cx = self.rw.cx();
        let state = OpState::of::<CmpIOp<'_>>(self.loc)
            .attr(cx, "predicate", cx.i64_attr(CmpIPredicate::Ne as i64))
            .operands([a, b])
            .results([cx.i1_type()]);
        self.rw.create_value(state)
    }

    /// `scf.if condition { memref.dealloc memref }`.
    fn free_if(&mut self, condition: ValueId, memref: ValueId) {
        let (then, other) = (self.rw.new_region(), self.rw.new_region());
        let state = OpState::of::<dl_scf::IfOp<'_>>(self.loc).operands([condition]).region(then).region(other);
        self.rw.create(state);
        let point = self.rw.insertion_point();
        let block = self.rw.append_block(then, &[]);
        self.rw.set_insertion_to_end(block);
        self.rw.create(OpState::of::<dl_memref::DeallocOp<'_>>(self.loc).operands([memref]));
        self.rw.create(OpState::of::<dl_scf::YieldOp<'_>>(self.loc));
        self.rw.set_insertion_point(point);
    }

    /// One buffer is freed unless it is one of those retained, which then get its condition.
    fn one(&mut self, memref: ValueId, condition: ValueId, retained: &[ValueId]) -> Vec<ValueId> {
        let i1 = self.i1();
        let pointer = self.pointer(memref);
        let mut differs = Vec::new();
        let mut frees: Option<ValueId> = None;
        for &value in retained {
            let other = self.pointer(value);
            let differ = self.differ(pointer, other);
            differs.push(differ);
            frees = Some(match frees {
                Some(frees) => self.value::<AndIOp<'_>>(&[frees, differ], i1),
                None => differ,
            });
        }
        let frees = match frees {
            Some(frees) => self.value::<AndIOp<'_>>(&[frees, condition], i1),
            None => condition,
        };
        self.free_if(frees, memref);
        let yes = constant(self.rw, self.loc, true);
        let is_same = |this: &mut Self, differ: ValueId| {
            let same = this.value::<XOrIOp<'_>>(&[differ, yes], i1);
            this.value::<AndIOp<'_>>(&[same, condition], i1)
        };
        differs.into_iter().map(|differ| is_same(self, differ)).collect()
    }

    fn alloc(&mut self, count: usize, element: Type) -> ValueId {
        let cx = self.rw.cx();
        let ty = cx.memref_type(&[i64::try_from(count).unwrap_or(i64::MAX)], element);
        self.rw.create_value(OpState::of::<AllocOp<'_>>(self.loc).operand_segments(cx, &[0, 0]).results([ty]))
    }

    fn store(&mut self, value: ValueId, list: ValueId, at: usize) {
        let at = dl_arith::constant_index(self.rw, at as i64, self.loc);
        self.rw.create(OpState::of::<StoreOp<'_>>(self.loc).operands([value, list, at]));
    }

    fn load(&mut self, list: ValueId, at: usize) -> ValueId {
        let i1 = self.i1();
        let at = dl_arith::constant_index(self.rw, at as i64, self.loc);
        self.value::<LoadOp<'_>>(&[list, at], i1)
    }

    fn with_dynamic_size(&mut self, list: ValueId, element: Type) -> ValueId {
        let ty = self.rw.cx().memref_type(&[DYNAMIC], element);
        self.value::<CastOp<'_>>(&[list], ty)
    }

    /// The helper decides which of several buffers are freed, and what the retained ones get.
    fn many(
        &mut self,
        memrefs: &[ValueId],
        conditions: &[ValueId],
        retained: &[ValueId],
        helper: &str,
    ) -> Vec<ValueId> {
        let cx = self.rw.cx();
        let (index, i1) = (cx.index_type(), cx.i1_type());
        let to_free = self.alloc(memrefs.len(), index);
        let wanted = self.alloc(memrefs.len(), i1);
        let to_keep = self.alloc(retained.len(), index);
        for (at, &memref) in memrefs.iter().enumerate() {
            let pointer = self.pointer(memref);
            self.store(pointer, to_free, at);
        }
        for (at, &condition) in conditions.iter().enumerate() {
            self.store(condition, wanted, at);
        }
        for (at, &memref) in retained.iter().enumerate() {
            let pointer = self.pointer(memref);
            self.store(pointer, to_keep, at);
        }
        let to_free_list = self.with_dynamic_size(to_free, index);
        let wanted_list = self.with_dynamic_size(wanted, i1);
        let to_keep_list = self.with_dynamic_size(to_keep, index);
        let freed = self.alloc(memrefs.len(), i1);
        let updated = self.alloc(retained.len(), i1);
        let freed_list = self.with_dynamic_size(freed, i1);
        let updated_list = self.with_dynamic_size(updated, i1);
        let state = OpState::of::<dl_func::CallOp<'_>>(self.loc)
            .attr(cx, "callee", cx.symbol_ref_attr(helper))
            .operands([to_free_list, to_keep_list, wanted_list, freed_list, updated_list]);
        self.rw.create(state);
        for (at, &memref) in memrefs.iter().enumerate() {
            let free = self.load(freed, at);
            self.free_if(free, memref);
        }
        let results = (0..retained.len()).map(|at| self.load(updated, at)).collect();
        for list in [to_free, to_keep, wanted, freed, updated] {
            self.rw.create(OpState::of::<dl_memref::DeallocOp<'_>>(self.loc).operands([list]));
        }
        results
    }
}
