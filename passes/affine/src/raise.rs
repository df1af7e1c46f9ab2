//! `affine-raise-from-memref`: loads and stores whose indices are affine become affine ones.

use dl_affine::scope::{affine_scope, is_valid_dim, is_valid_symbol};
use dl_affine::{AffineLoadOp, AffineStoreOp};
use dl_arith::{AddIOp, MulIOp};
use dl_ir::affine::{AffineExpr, AffineMap};
use dl_ir::pass::{Pass, PassCx, PassInfo, PassResult};
use dl_ir::walk::ops_in_arena;
use dl_ir::{Arena, AttrRef, BlockId, OpId, OpRef, OpState, Rewriter, ValueId, ValueRef};
use dl_memref::{LoadOp, StoreOp};
use rustc_hash::FxHashMap;
use smallvec::SmallVec;

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
        let mut scope = LastScope::default();
        for op in ops_in_arena(rw.ir(), Arena::ROOT) {
            let Some(state) = raised(rw.op(op), &mut scope) else { continue };
            rw.replace_with(op, state);
        }
        Ok(())
    }
}

/// The affine operation that does the same.
fn raised(op: OpRef<'_>, scope: &mut LastScope) -> Option<OpState> {
    let cx = op.cx();
    if let Some(store) = op.cast::<StoreOp<'_>>() {
        let (map, operands) = indices(op, scope.around(op), store.indices().iter())?;
        let state = OpState::of::<AffineStoreOp<'_>>(op.loc()).operands([op.operand(0).id(), op.operand(1).id()]);
        return Some(state.operands(operands).attr(cx, "map", cx.affine_map_attr(map)));
    }
    let load = op.cast::<LoadOp<'_>>()?;
    let (map, operands) = indices(op, scope.around(op), load.indices().iter())?;
    let state = OpState::of::<AffineLoadOp<'_>>(op.loc()).operands([op.operand(0).id()]).operands(operands);
    Some(state.attr(cx, "map", cx.affine_map_attr(map)).results([op.result(0).ty().id()]))
}

/// The scope of a block, which its operations share.
#[derive(Default)]
struct LastScope(Option<(BlockId, Option<OpId>)>);

impl LastScope {
    fn around<'a>(&mut self, op: OpRef<'a>) -> Option<OpRef<'a>> {
        let block = op.block().map(|block| block.id());
        if let Some((_, scope)) = self.0.filter(|(known, _)| Some(*known) == block) {
            return scope.map(|scope| OpRef::new(op.cx(), op.arena(), scope));
        }
        let scope = affine_scope(op);
        self.0 = block.map(|block| (block, scope.map(|scope| scope.id())));
        scope
    }
}

type Values = SmallVec<[ValueId; 4]>;

/// What expressions are made of.
#[derive(Default)]
struct Inputs {
    dims: Values,
    symbols: Values,
}

/// The indices as a map with operands.
fn indices<'a>(
    op: OpRef<'a>,
    scope: Option<OpRef<'a>>,
    indices: impl Iterator<Item = ValueRef<'a>>,
) -> Option<(AffineMap, Values)> {
    let affine = op.cx().affine();
    let mut inputs = Inputs::default();
    let results = indices.map(|index| expression(index, scope, &mut inputs)).collect::<Option<Vec<_>>>()?;
    let map = affine.intern_map(inputs.dims.len() as u32, inputs.symbols.len() as u32, results);
    inputs.dims.append(&mut inputs.symbols);
    Some((map, inputs.dims))
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
            let missing: Values =
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
    let at = |list: &Values| list.iter().position(|&other| other == value.id());
    if at(&inputs.symbols).is_none() && at(&inputs.dims).is_none() {
        if is_valid_symbol(value, scope) {
            inputs.symbols.push(value.id());
        } else if is_valid_dim(value, scope) {
            inputs.dims.push(value.id());
        }
    }
    let symbol = at(&inputs.symbols).map(|at| affine.symbol(at as u32));
    symbol.or_else(|| Some(affine.dim(at(&inputs.dims)? as u32)))
}
