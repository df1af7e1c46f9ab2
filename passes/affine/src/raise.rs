//! `affine-raise-from-memref`: loads and stores whose indices are affine become affine ones.

use dl_affine::scope::{affine_scope, is_valid_dim, is_valid_symbol};
use dl_affine::{AffineLoadOp, AffineStoreOp};
use dl_arith::{AddIOp, MulIOp};
use dl_ir::affine::{AffineExpr, AffineMap};
use dl_ir::pass::{Pass, PassCx, PassInfo, PassResult};
use dl_ir::walk::ops_in_arena;
use dl_ir::{Arena, AttrRef, OpRef, OpState, Rewriter, ValueId, ValueRef};
use dl_memref::{LoadOp, StoreOp};
use rustc_hash::FxHashMap;

/// Makes `memref.load` and `memref.store` `affine.load` and `affine.store` where their indices are sums and products that an affine map can express.
#[derive(Clone, Copy, Default)]
pub struct RaiseFromMemref;

impl Pass for RaiseFromMemref {
    const INFO: PassInfo =
        PassInfo::new("affine-raise-from-memref", "Turn some memref operators to affine operators where supported")
            .title("RaiseMemrefDialect")
            .on("func.func");

    fn run(&mut self, cx: &mut PassCx<'_>) -> PassResult {
        let mut rw = Rewriter::new(cx.ctx, cx.ir);
        for op in ops_in_arena(rw.ir(), Arena::ROOT) {
            let Some(state) = raised(rw.op(op)) else { continue };
            rw.replace_with(op, state);
        }
        Ok(())
    }
}

/// The affine operation that does the same.
fn raised(op: OpRef<'_>) -> Option<OpState> {
    let cx = op.cx();
    if let Some(store) = op.cast::<StoreOp<'_>>() {
        let (map, operands) = indices(op, store.indices().iter())?;
        let state = OpState::of::<AffineStoreOp<'_>>(op.loc()).operands([op.operand(0).id(), op.operand(1).id()]);
        return Some(state.operands(operands).attr(cx, "map", cx.affine_map_attr(map)));
    }
    let load = op.cast::<LoadOp<'_>>()?;
    let (map, operands) = indices(op, load.indices().iter())?;
    let state = OpState::of::<AffineLoadOp<'_>>(op.loc()).operands([op.operand(0).id()]).operands(operands);
    Some(state.attr(cx, "map", cx.affine_map_attr(map)).results([op.result(0).ty().id()]))
}

/// What expressions are made of.
#[derive(Default)]
struct Inputs {
    dims: Vec<ValueId>,
    symbols: Vec<ValueId>,
}

/// The indices as a map with operands.
fn indices<'a>(op: OpRef<'a>, indices: impl Iterator<Item = ValueRef<'a>>) -> Option<(AffineMap, Vec<ValueId>)> {
    let affine = op.cx().affine();
    let scope = affine_scope(op);
    let mut inputs = Inputs::default();
    let results = indices.map(|index| expression(index, scope, &mut inputs)).collect::<Option<Vec<_>>>()?;
    let map = affine.intern_map(inputs.dims.len() as u32, inputs.symbols.len() as u32, results);
    Some((map, [inputs.dims, inputs.symbols].concat()))
}

/// `value` as an expression of constants, symbols and dimensions; sums and products are taken apart, operands first.
fn expression(value: ValueRef<'_>, scope: Option<OpRef<'_>>, inputs: &mut Inputs) -> Option<AffineExpr> {
    let affine = value.cx().affine();
    if sum_or_product(value).is_none() {
        return input(value, scope, inputs);
    }
    let mut found: FxHashMap<ValueId, AffineExpr> = FxHashMap::default();
    let mut pending = vec![value.id()];
    while let Some(&id) = pending.last() {
        let each = ValueRef::new(value.cx(), value.arena(), id);
        if found.contains_key(&id) {
            pending.pop();
            continue;
        }
        let expr = if let Some(op) = sum_or_product(each) {
            let missing: Vec<ValueId> =
                [1, 0].map(|at| op.operand(at).id()).into_iter().filter(|v| !found.contains_key(v)).collect();
            if !missing.is_empty() {
                pending.extend(missing);
                continue;
            }
            let [lhs, rhs] = [0, 1].map(|at| found[&op.operand(at).id()]);
            if op.is::<AddIOp<'_>>() {
                affine.add(lhs, rhs)
            } else if affine.is_symbolic_or_constant(lhs) || affine.is_symbolic_or_constant(rhs) {
                affine.mul(lhs, rhs)
            } else {
                return None;
            }
        } else {
            input(each, scope, inputs)?
        };
        found.insert(id, expr);
    }
    found.get(&value.id()).copied()
}

fn sum_or_product(value: ValueRef<'_>) -> Option<OpRef<'_>> {
    value.defining_op().filter(|op| op.is::<AddIOp<'_>>() || op.is::<MulIOp<'_>>())
}

/// `value` as a constant, a symbol or a dimension.
fn input(value: ValueRef<'_>, scope: Option<OpRef<'_>>, inputs: &mut Inputs) -> Option<AffineExpr> {
    let affine = value.cx().affine();
    if let Some(constant) = value.constant().and_then(AttrRef::as_int) {
        return Some(affine.constant(constant));
    }
    if let Some(at) = position(&mut inputs.symbols, value.id(), is_valid_symbol(value, scope)) {
        return Some(affine.symbol(at));
    }
    Some(affine.dim(position(&mut inputs.dims, value.id(), is_valid_dim(value, scope))?))
}

/// Where `value` stands in the list, to which it is added where it is `valid`.
fn position(list: &mut Vec<ValueId>, value: ValueId, valid: bool) -> Option<u32> {
    let known = list.iter().position(|&other| other == value);
    let at = known.or_else(|| {
        valid.then(|| {
            list.push(value);
            list.len() - 1
        })
    });
    at.map(|at| at as u32)
}
