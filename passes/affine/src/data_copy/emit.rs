//! Writing the copies, and making accesses go to them.

use dl_affine::compose::canonical;
use dl_affine::scope::{affine_scope, is_valid_symbol};
use dl_affine::{AffineDmaStartOp, AffineDmaWaitOp, AffineLoadOp, AffineStoreOp, ForBound};
use dl_ir::affine::{AffineExpr, AffineMap};
use dl_ir::{Attr, Loc, OpId, OpState, Rewriter, TypeRef, ValueId};
use dl_memref::{AllocOp, DeallocOp};

use super::region::{Quotient, Region};
use crate::access::Access;
use crate::build::empty_loop;
use crate::loops;

/// Where values stand in a map: those that may be symbols are some.
struct Places {
    dims: Vec<ValueId>,
    symbols: Vec<ValueId>,
}

impl Places {
    /// For a use at `op`: `own` first, as dimensions, then `others`.
    fn new(rw: &Rewriter<'_>, op: OpId, own: &[ValueId], others: impl Iterator<Item = ValueId>) -> Self {
        let scope = affine_scope(rw.op(op));
        let mut places = Self { dims: own.to_vec(), symbols: Vec::new() };
        for value in others {
            let list = if is_valid_symbol(rw.value(value), scope) { &mut places.symbols } else { &mut places.dims };
            if !list.contains(&value) {
                list.push(value);
            }
        }
        places
    }

    fn expr(&self, rw: &Rewriter<'_>, of: &Quotient) -> AffineExpr {
        let affine = rw.cx().affine();
        of.expr(affine, |value| match self.dims.iter().position(|&dim| dim == value) {
            Some(at) => affine.dim(at as u32),
            None => affine.symbol(self.symbols.iter().position(|&symbol| symbol == value).unwrap_or(0) as u32),
        })
    }

    fn map(&self, rw: &Rewriter<'_>, results: Vec<AffineExpr>) -> AffineMap {
        rw.cx().affine().intern_map(self.dims.len() as u32, self.symbols.len() as u32, results)
    }

    fn operands(&self) -> Vec<ValueId> {
        [self.dims.as_slice(), &self.symbols].concat()
    }
}

/// What one transfer can move: elements in a row, or rows at one distance.
#[derive(Clone, Copy, Debug)]
pub(super) struct Rows {
    /// All elements.
    count: i64,
    /// How far rows are apart in the buffer, and how long they are, where there are several.
    stride: Option<(i64, i64)>,
}

impl Rows {
    /// Those of `region`. `None` where it is of another form, or its extent is not a number.
    pub(super) fn of(memref: TypeRef<'_>, region: &Region) -> Option<Self> {
        if region.sides.iter().any(|side| side.lower.len() > 1 || side.upper.len() > 1) {
            return None;
        }
        let shape = memref.shape().filter(|_| memref.has_identity_layout())?;
        let mut strides = vec![1_i64; shape.len()];
        for dim in (1..shape.len()).rev() {
            strides[dim - 1] = strides[dim].checked_mul(shape[dim]).filter(|&stride| stride >= 0)?;
        }
        let (mut row, mut stride) = (1_i64, None::<(i64, i64)>);
        for (dim, side) in region.sides.iter().enumerate().rev().filter(|(_, side)| side.size > 1) {
            stride = match stride {
                // Elements that follow one another without a gap.
                None if strides[dim] == row => {
                    row = row.checked_mul(side.size)?;
                    None
                }
                None => Some((strides[dim], side.size)),
                Some((distance, rows)) if distance.checked_mul(rows) == Some(strides[dim]) => {
                    Some((distance, rows.checked_mul(side.size)?))
                }
                Some(_) => return None,
            };
        }
        Some(Self { count: region.count()?, stride: stride.map(|(distance, _)| (distance, row)) })
    }
}

/// A copy of part of a buffer.
pub(super) struct Copy<'r> {
    pub(super) memref: ValueId,
    pub(super) region: &'r Region,
    /// What it is copied to.
    pub(super) buffer: ValueId,
}

/// Memory for the box of `region`, at the insertion point.
pub(super) fn allocate(rw: &mut Rewriter<'_>, memref: ValueId, region: &Region, space: u64, loc: Loc) -> ValueId {
    let (cx, ty) = (rw.cx(), rw.value_type(memref));
    let shape: Vec<i64> = region.sides.iter().map(|side| side.size).collect();
    let made = cx.memref_type_with(&shape, ty.element_or_self().id(), None, space_attr(rw, space));
    rw.create_value(OpState::of::<AllocOp<'_>>(loc).operand_segments(cx, &[0, 0]).results([made]))
}

/// Frees it.
pub(super) fn free(rw: &mut Rewriter<'_>, buffer: ValueId, loc: Loc) {
    rw.create(OpState::of::<DeallocOp<'_>>(loc).operands([buffer]));
}

fn space_attr(rw: &Rewriter<'_>, space: u64) -> Option<Attr> {
    let cx = rw.cx();
    (space > 0).then(|| cx.int_attr(cx.int_type(64), space.cast_signed()))
}

/// The memory space of a buffer as a number.
pub(super) fn space_of(ty: TypeRef<'_>) -> u64 {
    ty.memory_space().and_then(dl_ir::AttrRef::as_int).map_or(0, i64::cast_unsigned)
}

impl Copy<'_> {
    /// Loops that copy element by element, at the insertion point: in, or out.
    pub(super) fn by_loops(&self, rw: &mut Rewriter<'_>, anchor: OpId, is_in: bool, loc: Loc) {
        let (cx, point) = (rw.cx(), rw.insertion_point());
        let affine = cx.affine();
        let mut variables = Vec::new();
        let mut at: Vec<Option<ValueId>> = Vec::new();
        for side in &self.region.sides {
            if side.size == 1 {
                at.push(None);
                continue;
            }
            let bound = |rw: &Rewriter<'_>, list: &[Quotient], plus: i64| {
                let values = list.iter().flat_map(|bound| bound.terms.iter().map(|&(value, _)| value));
                let places = Places::new(rw, anchor, &[], values);
                let results = list.iter().map(|each| affine.add_constant(places.expr(rw, each), plus)).collect();
                ForBound { map: places.map(rw, results), operands: places.operands() }
            };
            let (lower, upper) = (bound(rw, &side.lower, 0), bound(rw, &side.upper, 1));
            let made = empty_loop(rw, &lower, &upper, 1, loc);
            let variable = loops::variable(rw, made);
            variables.push(variable);
            at.push(Some(variable));
            let end = loops::terminator(rw, made);
            rw.set_insertion_before(end);
        }
        let places = Places::new(rw, anchor, &variables, self.region.values());
        let (mut slow, mut fast) = (Vec::new(), Vec::new());
        for (side, variable) in self.region.sides.iter().zip(at) {
            let first = places.expr(rw, &side.first);
            let Some(at) = variable.and_then(|value| variables.iter().position(|&each| each == value)) else {
                slow.push(first);
                fast.push(affine.constant(0));
                continue;
            };
            let index = affine.dim(at as u32);
            slow.push(index);
            fast.push(affine.sub(index, first));
        }
        let [slow, fast] = [slow, fast].map(|results| places.map(rw, results));
        let (from, to) = if is_in { (self.memref, self.buffer) } else { (self.buffer, self.memref) };
        let (of_from, of_to) = if is_in { (slow, fast) } else { (fast, slow) };
        let element = rw.value_type(from).element_or_self().id();
        let (map, operands) = simplest(rw, anchor, of_from, &places.operands());
        let state = OpState::of::<AffineLoadOp<'_>>(loc).operands([from]).operands(operands);
        let value = rw.create_value(state.attr(cx, "map", cx.affine_map_attr(map)).results([element]));
        let (map, operands) = simplest(rw, anchor, of_to, &places.operands());
        let state = OpState::of::<AffineStoreOp<'_>>(loc).operands([value, to]).operands(operands);
        rw.create(state.attr(cx, "map", cx.affine_map_attr(map)));
        rw.set_insertion_point(point);
    }

    /// A transfer of rows, which is waited for, at the insertion point: in, or out.
    pub(super) fn by_dma(
        &self,
        rw: &mut Rewriter<'_>,
        anchor: OpId,
        is_in: bool,
        (tag, rows): (ValueId, Rows),
        loc: Loc,
    ) {
        let (cx, affine) = (rw.cx(), rw.cx().affine());
        let zero = constant(rw, 0, loc);
        let number = constant(rw, rows.count, loc);
        let rank = self.region.sides.len();
        let is_constant = self.region.sides.iter().all(|side| side.first.terms.is_empty());
        let (slow_map, slow_at) = if is_constant {
            let values = self.region.sides.iter().map(|side| side.first.as_constant().unwrap_or(0));
            let values = values.map(|first| constant(rw, first, loc)).collect();
            (affine.identity_map(rank as u32), values)
        } else {
            let places = Places::new(rw, anchor, &[], self.region.values());
            let results = self.region.sides.iter().map(|side| places.expr(rw, &side.first)).collect();
            (places.map(rw, results), places.operands())
        };
        let (fast_map, fast_at) = (affine.identity_map(rank as u32), vec![zero; rank]);
        let (slow, fast) = ((self.memref, slow_map, slow_at), (self.buffer, fast_map, fast_at));
        let (from, to) = if is_in { (slow, fast) } else { (fast, slow) };
        let tag_map = affine.identity_map(1);
        let mut state = OpState::of::<AffineDmaStartOp<'_>>(loc);
        for ((memref, map, at), name) in [(&from, "src_map"), (&to, "dst_map")] {
            state = state.operands([*memref]).operands(at.iter().copied()).attr(cx, name, cx.affine_map_attr(*map));
        }
        state = state.operands([tag, zero, number]).attr(cx, "tag_map", cx.affine_map_attr(tag_map));
        if let Some((distance, row)) = rows.stride {
            let (distance, row) = (constant(rw, distance, loc), constant(rw, row, loc));
            state = state.operands([distance, row]);
        }
        rw.create(state);
        let wait = OpState::of::<AffineDmaWaitOp<'_>>(loc).operands([tag, zero, number]);
        rw.create(wait.attr(cx, "tag_map", cx.affine_map_attr(tag_map)));
    }

    /// Makes an access go to the copy.
    pub(super) fn redirect(&self, rw: &mut Rewriter<'_>, op: OpId) {
        let (cx, affine) = (rw.cx(), rw.cx().affine());
        let Some(access) = Access::of(rw.op(op)) else { return };
        let data = affine.map(access.map);
        let (is_write, operands): (bool, Vec<ValueId>) =
            (access.is_write, access.operands.iter().map(|value| value.id()).collect());
        let (dims, symbols) = operands.split_at(data.num_dims as usize);
        // What is subtracted comes first, so that it is written first.
        let places = Places::new(rw, op, &[], self.region.values());
        let (skip_dims, skip_symbols) = (places.dims.len() as u32, places.symbols.len() as u32);
        let results: Vec<AffineExpr> = data
            .results
            .iter()
            .zip(&self.region.sides)
            .map(|(&expr, side)| {
                let moved = affine.shift_dims_in_expr(expr, skip_dims, 0);
                let moved = affine.shift_symbols_in_expr(moved, skip_symbols, 0);
                let index = affine.add(affine.mul(places.expr(rw, &side.first), affine.constant(-1)), moved);
                affine.simplify_expr(index, skip_dims + data.num_dims, skip_symbols + data.num_symbols)
            })
            .collect();
        let map = affine.intern_map(skip_dims + data.num_dims, skip_symbols + data.num_symbols, results);
        let operands = [places.dims.as_slice(), dims, &places.symbols, symbols].concat();
        let (map, operands) = simplest(rw, op, map, &operands);
        let at = usize::from(is_write);
        let stored: Vec<ValueId> = rw.ir().operands(op).take(at).collect();
        let all: Vec<ValueId> = stored.into_iter().chain([self.buffer]).chain(operands).collect();
        rw.set_operands(op, &all);
        rw.set_attr(op, cx.ident("map"), cx.affine_map_attr(map));
    }
}

/// An index at the start of the function.
fn constant(rw: &mut Rewriter<'_>, number: i64, loc: Loc) -> ValueId {
    let point = rw.insertion_point();
    if let Some(entry) = rw.op(dl_ir::Arena::ROOT).region(0).entry().map(|block| block.id()) {
        rw.set_insertion_to_start(entry);
    }
    let value = dl_arith::constant_index(rw, number, loc);
    rw.set_insertion_point(point);
    value
}

/// The canonical form of a map at `op`.
fn simplest(rw: &Rewriter<'_>, op: OpId, map: AffineMap, operands: &[ValueId]) -> (AffineMap, Vec<ValueId>) {
    let view = rw.op(op);
    let (map, operands) = canonical(view, map, operands.iter().map(|&value| rw.value(value)));
    let (affine, data) = (rw.cx().affine(), rw.cx().affine().map(map));
    let simpler = data.results.iter().map(|&expr| affine.simplify_expr(expr, data.num_dims, data.num_symbols));
    let map = affine.with_results(map, simpler.collect::<Vec<_>>());
    // Operands may be unused now.
    let (map, operands) = canonical(view, map, operands.into_iter());
    (map, operands.iter().map(|value| value.id()).collect())
}
