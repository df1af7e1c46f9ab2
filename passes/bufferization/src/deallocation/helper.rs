//! The function that decides at run time which of several buffers are freed.
//!
//! `dealloc_helper(to_free, to_keep, wanted, freed, updated)`: buffer i of `to_free` is to be freed if `wanted[i]`. `freed[i]`
//! becomes whether it really is: not when it is one of `to_keep` or stands earlier in `to_free`. `updated[j]` becomes whether
//! `to_keep[j]` is one of those to be freed, and so is owned by whoever gets it.

use dl_arith::{AndIOp, CmpIOp, CmpIPredicate, OrIOp};
use dl_func::{FuncOp, ReturnOp};
use dl_ir::symbol::{SymbolTable, VISIBILITY, unique_name};
use dl_ir::{Arena, Context, DYNAMIC, Loc, OpRef, OpState, Rewriter, Type, ValueId};
use dl_memref::{DimOp, LoadOp, StoreOp};

/// Adds the function at the end of `module`; answers its name.
pub(super) fn add_helper(cx: &Context, module: &mut Arena, loc: Loc) -> Option<String> {
    let root = OpRef::root(cx, module);
    let block = root.regions().next()?.entry()?.id();
    let symbols = SymbolTable::new(root);
    let name = unique_name("dealloc_helper", |name| symbols.get(name).is_some());
    let list = |element: Type| cx.memref_type(&[DYNAMIC], element);
    let (pointers, flags) = (list(cx.index_type()), list(cx.i1_type()));
    let inputs = [pointers, pointers, flags, flags, flags];
    let state = OpState::of::<FuncOp<'_>>(loc)
        .attr(cx, "sym_name", cx.string_attr(&name))
        .attr(cx, VISIBILITY, cx.string_attr("private"))
        .attr(cx, "function_type", cx.type_attr(cx.function_type(&inputs, &[])));
    let mut rw = Rewriter::new(cx, module);
    rw.set_insertion_to_end(block);
    let func = rw.create_isolated(state, 1);
    let mut body = rw.enter(func)?;
    let region = *body.ir().op_regions(Arena::ROOT).first()?;
    let block = body.append_block(region, &inputs);
    let args: Vec<ValueId> = body.ir().block_args(block).to_vec();
    body.set_insertion_to_end(block);
    Builder { rw: body, loc }.body(&args);
    Some(name)
}

struct Builder<'a> {
    rw: Rewriter<'a>,
    loc: Loc,
}

impl Builder<'_> {
    fn body(&mut self, args: &[ValueId]) {
        let &[to_free, to_keep, wanted, freed, updated] = args else { return };
        let (index, i1) = (self.rw.cx().index_type(), self.rw.cx().i1_type());
        let zero = dl_arith::constant_index(&mut self.rw, 0, self.loc);
        let one = dl_arith::constant_index(&mut self.rw, 1, self.loc);
        let yes = super::ownership::constant(&mut self.rw, self.loc, true);
        let no = super::ownership::constant(&mut self.rw, self.loc, false);
        let num_free = self.value::<DimOp<'_>>(&[to_free, zero], index);
        let num_keep = self.value::<DimOp<'_>>(&[to_keep, zero], index);
        self.for_each([zero, num_keep, one], None, |this, keep, _| {
            this.store(no, updated, keep);
            None
        });
        self.for_each([zero, num_free, one], None, |this, free, _| {
            let pointer = this.load(to_free, free, index);
            let condition = this.load(wanted, free, i1);
            // Not one of those to keep, which otherwise gets the condition ...
            let unkept = this.for_each([zero, num_keep, one], Some(yes), |this, keep, so_far| {
                let other = this.load(to_keep, keep, index);
                let same = this.compare(CmpIPredicate::Eq, other, pointer);
                this.if_(same, |this| {
                    let before = this.load(updated, keep, i1);
                    let either = this.value::<OrIOp<'_>>(&[before, condition], i1);
                    this.store(either, updated, keep);
                });
                let differs = this.compare(CmpIPredicate::Ne, other, pointer);
                so_far.map(|so_far| this.value::<AndIOp<'_>>(&[so_far, differs], i1))
            });
            // ... and not one that stands earlier in the list.
            let first = this.for_each([zero, free, one], unkept, |this, earlier, so_far| {
                let other = this.load(to_free, earlier, index);
                let differs = this.compare(CmpIPredicate::Ne, other, pointer);
                so_far.map(|so_far| this.value::<AndIOp<'_>>(&[so_far, differs], i1))
            });
            if let Some(first) = first {
                let really = this.value::<AndIOp<'_>>(&[first, condition], i1);
                this.store(really, freed, free);
            }
            None
        });
        self.rw.create(OpState::of::<ReturnOp<'_>>(self.loc));
    }

    fn value<T: dl_ir::OpDefinition>(&mut self, operands: &[ValueId], ty: Type) -> ValueId {
        self.rw.create_value(OpState::of::<T>(self.loc).operands(operands.iter().copied()).results([ty]))
    }

    fn load(&mut self, list: ValueId, at: ValueId, ty: Type) -> ValueId {
        self.value::<LoadOp<'_>>(&[list, at], ty)
    }

    fn store(&mut self, value: ValueId, list: ValueId, at: ValueId) {
        self.rw.create(OpState::of::<StoreOp<'_>>(self.loc).operands([value, list, at]));
    }

    fn compare(&mut self, predicate: CmpIPredicate, a: ValueId, b: ValueId) -> ValueId {
        let cx = self.rw.cx();
        let state = OpState::of::<CmpIOp<'_>>(self.loc).attr(cx, "predicate", cx.i64_attr(predicate as i64));
        self.rw.create_value(state.operands([a, b]).results([cx.i1_type()]))
    }

    /// `scf.for` with at most one carried `i1` value, which the body gets and answers anew.
    fn for_each(
        &mut self,
        bounds: [ValueId; 3],
        init: Option<ValueId>,
        body: impl FnOnce(&mut Self, ValueId, Option<ValueId>) -> Option<ValueId>,
    ) -> Option<ValueId> {
        let cx = self.rw.cx();
        let region = self.rw.new_region();
        let carried = init.map(|_| cx.i1_type());
        let state = OpState::of::<dl_scf::ForOp<'_>>(self.loc).operands(bounds).operands(init).results(carried);
        let op = self.rw.create(state.region(region));
        let point = self.rw.insertion_point();
        let args: Vec<Type> = std::iter::once(cx.index_type()).chain(carried).collect();
        let block = self.rw.append_block(region, &args);
        let args: Vec<ValueId> = self.rw.ir().block_args(block).to_vec();
        self.rw.set_insertion_to_end(block);
        let next = body(self, args[0], args.get(1).copied());
        self.rw.create(OpState::of::<dl_scf::YieldOp<'_>>(self.loc).operands(next));
        self.rw.set_insertion_point(point);
        self.rw.ir().results(op).next()
    }

    fn if_(&mut self, condition: ValueId, body: impl FnOnce(&mut Self)) {
        let (then, other) = (self.rw.new_region(), self.rw.new_region());
        let state = OpState::of::<dl_scf::IfOp<'_>>(self.loc).operands([condition]).region(then).region(other);
        self.rw.create(state);
        let point = self.rw.insertion_point();
        let block = self.rw.append_block(then, &[]);
        self.rw.set_insertion_to_end(block);
        body(self);
        self.rw.create(OpState::of::<dl_scf::YieldOp<'_>>(self.loc));
        self.rw.set_insertion_point(point);
    }
}
