//! Composition and canonicalization of maps with their operands.
//!
//! [`compose`] replaces operands that are results of `affine.apply` by the operands of those, until none is left, and brings map
//! and operands into canonical form: dimensions that may be symbols are symbols, induction variables are dimensions, constants are part of the map, an operand
//! occurs once, and each is used. Quotients and remainders that the bounds of loops decide are left out.

use dl_ir::affine::{
    AffineExpr, AffineExprData, AffineMap, AffineMapData, AffineOp, AffineStore, Constraint, IntegerSet,
};
use dl_ir::{AttrRef, OpRef, ValueRef};
use smallvec::SmallVec;

use crate::AffineApplyOp;
use crate::ranges::Ranges;
use crate::scope::{affine_scope, is_induction_variable, is_valid_symbol};

/// Expressions over dimensions and symbols that stand for values.
#[derive(Clone)]
struct Operands<'a> {
    /// `None` for one that has been replaced.
    dims: Vec<Option<ValueRef<'a>>>,
    symbols: Vec<Option<ValueRef<'a>>>,
    exprs: Vec<AffineExpr>,
}

impl<'a> Operands<'a> {
    fn new(num_dims: u32, exprs: &[AffineExpr], operands: impl Iterator<Item = ValueRef<'a>>) -> Self {
        let mut dims: Vec<_> = operands.map(Some).collect();
        let symbols = dims.split_off((num_dims as usize).min(dims.len()));
        Self { dims, symbols, exprs: exprs.to_vec() }
    }

    /// Replaces dimensions and symbols in all expressions.
    fn replace(&mut self, affine: &AffineStore, dims: &[AffineExpr], symbols: &[AffineExpr]) {
        let is_dim = |(i, &expr): (usize, &AffineExpr)| affine.expr(expr) == AffineExprData::Dim(i as u32);
        let is_symbol = |(i, &expr): (usize, &AffineExpr)| affine.expr(expr) == AffineExprData::Symbol(i as u32);
        if dims.iter().enumerate().all(is_dim) && symbols.iter().enumerate().all(is_symbol) {
            return;
        }
        for expr in &mut self.exprs {
            *expr = affine.replace_in_expr(*expr, dims, symbols);
        }
    }

    /// Replaces the first operand that is the result of an `affine.apply`. Answers whether there was one.
    fn replace_one(&mut self, affine: &AffineStore, scope: Option<OpRef<'a>>) -> bool {
        let apply = |value: &Option<ValueRef<'a>>| value.and_then(ValueRef::def::<AffineApplyOp<'a>>);
        let dim = self.dims.iter().position(|value| apply(value).is_some());
        let symbol = self.symbols.iter().position(|value| apply(value).is_some());
        let slot = match (dim, symbol) {
            (Some(at), _) => &mut self.dims[at],
            (None, Some(at)) => &mut self.symbols[at],
            (None, None) => return false,
        };
        let Some(apply) = apply(&slot.take()) else { return false };
        let Some(map) = apply.map().as_affine_map() else { return false };
        let data = affine.map(map);
        let mut inner = Self::new(data.num_dims, &data.results, apply.map_operands().iter());
        // A symbol may be replaced by symbols alone: promote what may be one.
        inner.canonicalize(affine, scope);
        let shift = |count: usize, make: &dyn Fn(u32) -> AffineExpr, start: usize| -> Vec<AffineExpr> {
            (0..count).map(|i| make((start + i) as u32)).collect()
        };
        let new_dims = shift(inner.dims.len(), &|i| affine.dim(i), self.dims.len());
        let new_symbols = shift(inner.symbols.len(), &|i| affine.symbol(i), self.symbols.len());
        let Some(&result) = inner.exprs.first() else { return false };
        let result = affine.replace_in_expr(result, &new_dims, &new_symbols);
        let mut dims = shift(self.dims.len(), &|i| affine.dim(i), 0);
        let mut symbols = shift(self.symbols.len(), &|i| affine.symbol(i), 0);
        match (dim, symbol) {
            (Some(at), _) => dims[at] = result,
            (None, Some(at)) => symbols[at] = result,
            (None, None) => {}
        }
        self.dims.extend(inner.dims);
        self.symbols.extend(inner.symbols);
        self.replace(affine, &dims, &symbols);
        true
    }

    /// Brings expressions and operands into canonical form.
    fn canonicalize(&mut self, affine: &AffineStore, scope: Option<OpRef<'a>>) {
        self.demote(affine);
        self.promote(affine, scope);
        let (used_dims, used_symbols) =
            affine.used_inputs(&self.exprs, self.dims.len() as u32, self.symbols.len() as u32);
        let (dims, new_dims) = unique(affine, &self.dims, &used_dims, &|i| affine.dim(i));
        let (symbols, new_symbols) = unique(affine, &self.symbols, &used_symbols, &|i| affine.symbol(i));
        self.replace(affine, &dims, &symbols);
        (self.dims, self.symbols) = (new_dims, new_symbols);
    }

    /// Induction variables, which are no symbols, become dimensions, after those there are: as where a nest that counted them was lowered to loops.
    fn demote(&mut self, affine: &AffineStore) {
        let dims = &mut self.dims;
        let symbols =
            move_to(&mut self.symbols, dims, is_induction_variable, [&|i| affine.symbol(i), &|i| affine.dim(i)]);
        self.replace(affine, &[], &symbols);
    }

    /// Dimensions that may be symbols become symbols, after those there are.
    fn promote(&mut self, affine: &AffineStore, scope: Option<OpRef<'a>>) {
        let is_symbol = |value| is_valid_symbol(value, scope);
        let symbols = &mut self.symbols;
        let dims = move_to(&mut self.dims, symbols, is_symbol, [&|i| affine.dim(i), &|i| affine.symbol(i)]);
        self.replace(affine, &dims, &[]);
    }

    fn values(&self) -> Vec<ValueRef<'a>> {
        self.dims.iter().chain(&self.symbols).filter_map(|value| *value).collect()
    }
}

/// Moves the inputs for which `moves` holds from `from` behind those of `to`. Answers what each of `from` becomes; `make` says what an
/// input that stays and one that moves is called by its new number.
fn move_to<'a>(
    from: &mut Vec<Option<ValueRef<'a>>>,
    to: &mut Vec<Option<ValueRef<'a>>>,
    moves: impl Fn(ValueRef<'a>) -> bool,
    make: [&dyn Fn(u32) -> AffineExpr; 2],
) -> Vec<AffineExpr> {
    let mut stay = Vec::with_capacity(from.len());
    let mut renamed = Vec::with_capacity(from.len());
    for value in from.drain(..) {
        let moved = value.is_some_and(&moves);
        let list = if moved { &mut *to } else { &mut stay };
        renamed.push(make[usize::from(moved)](list.len() as u32));
        list.push(value);
    }
    *from = stay;
    renamed
}

/// What each input becomes: a constant, or the number of its value among those that are used.
fn unique<'a>(
    affine: &AffineStore,
    inputs: &[Option<ValueRef<'a>>],
    used: &[bool],
    make: &dyn Fn(u32) -> AffineExpr,
) -> (Vec<AffineExpr>, Vec<Option<ValueRef<'a>>>) {
    let mut kept: Vec<Option<ValueRef<'a>>> = Vec::new();
    let mut replacement = Vec::with_capacity(inputs.len());
    for (i, value) in inputs.iter().enumerate() {
        let constant = value.and_then(dl_ir::ValueRef::constant).and_then(AttrRef::as_int);
        replacement.push(if !used.get(i).copied().unwrap_or(false) {
            affine.constant(0)
        } else if let Some(constant) = constant {
            affine.constant(constant)
        } else {
            let at = kept.iter().position(|other| other == value).unwrap_or_else(|| {
                kept.push(*value);
                kept.len() - 1
            });
            make(at as u32)
        });
    }
    (replacement, kept)
}

fn run<'a>(op: OpRef<'a>, affine: &AffineStore, mut operands: Operands<'a>) -> Operands<'a> {
    let scope = affine_scope(op);
    while operands.replace_one(affine, scope) {
        let present = |value: &Option<ValueRef<'a>>| value.is_some();
        // Prune what has been replaced before the next round.
        if !operands.dims.iter().all(present) || !operands.symbols.iter().all(present) {
            operands.canonicalize(affine, scope);
        }
    }
    operands.canonicalize(affine, scope);
    operands
}

/// Whether `map` with `operands`, as used by `op`, is seen to be in canonical form at a glance, as most are: operands are variables of loops, none twice and each
/// used, results are one of them, times and plus a number perhaps, or numbers. Bounds and subscripts come by the thousand, each asked for several times.
fn is_plain(op: OpRef<'_>, map: &AffineMapData, operands: &[ValueRef<'_>]) -> bool {
    let affine = op.cx().affine();
    let count = operands.len();
    if map.num_symbols != 0 || map.num_dims as usize != count || count >= u64::BITS as usize {
        return false;
    }
    let mut used = 0_u64;
    for &result in &map.results {
        let Some(dims) = plain_dims(affine, result) else { return false };
        used |= dims;
    }
    let is_new = |(i, value): (usize, &ValueRef<'_>)| !operands[..i].contains(value);
    let is_variable = |&value: &ValueRef<'_>| {
        is_induction_variable(value) || (value.defining_op().is_none() && !is_valid_symbol(value, affine_scope(op)))
    };
    used == (1 << count) - 1 && operands.iter().all(is_variable) && operands.iter().enumerate().all(is_new)
}

/// The dimension of `a`, `a + 1`, `a * 2` or `a * 2 + 1`, as a bit; no bit of a number. `None` for other expressions.
fn plain_dims(affine: &AffineStore, expr: AffineExpr) -> Option<u64> {
    let with_number = |op, expr| match affine.expr(expr) {
        AffineExprData::Binary { op: found, lhs, rhs } if found == op => affine.constant_value(rhs).map(|_| lhs),
        _ => Some(expr),
    };
    if affine.constant_value(expr).is_some() {
        return Some(0);
    }
    affine.dim_position(with_number(AffineOp::Mul, with_number(AffineOp::Add, expr)?)?).map(|dim| 1 << dim)
}

/// The canonical form of `map` with `operands`, as used by `op`, with no operand that an `affine.apply` computes.
pub fn compose<'a>(
    op: OpRef<'a>,
    map: AffineMap,
    operands: impl Iterator<Item = ValueRef<'a>>,
) -> (AffineMap, Vec<ValueRef<'a>>) {
    let affine = op.cx().affine();
    let data = affine.map(map);
    let operands: SmallVec<[ValueRef<'a>; 4]> = operands.collect();
    if is_plain(op, data, &operands) {
        return (map, operands.to_vec());
    }
    let result = run(op, affine, Operands::new(data.num_dims, &data.results, operands.into_iter()));
    let map = affine.intern_map(result.dims.len() as u32, result.symbols.len() as u32, &result.exprs[..]);
    let (map, values) = (affine.simplify_map(map), result.values());
    let mut ranges = Ranges::new(affine, result.dims.len(), values.iter().copied());
    let known: Vec<AffineExpr> = affine.map(map).results.iter().map(|&expr| ranges.simplify(expr)).collect();
    (affine.with_results(map, known), values)
}

/// The canonical form of `map` with `operands`, as used by `op`; results of `affine.apply` stay operands.
pub fn canonical<'a>(
    op: OpRef<'a>,
    map: AffineMap,
    operands: impl Iterator<Item = ValueRef<'a>>,
) -> (AffineMap, Vec<ValueRef<'a>>) {
    let affine = op.cx().affine();
    let data = affine.map(map);
    let operands: SmallVec<[ValueRef<'a>; 4]> = operands.collect();
    if is_plain(op, data, &operands) {
        return (map, operands.to_vec());
    }
    let mut all = Operands::new(data.num_dims, &data.results, operands.into_iter());
    all.canonicalize(affine, affine_scope(op));
    let map = affine.intern_map(all.dims.len() as u32, all.symbols.len() as u32, &all.exprs[..]);
    (map, all.values())
}

/// The same for a set.
pub fn compose_set<'a>(
    op: OpRef<'a>,
    set: IntegerSet,
    operands: impl Iterator<Item = ValueRef<'a>>,
) -> (IntegerSet, Vec<ValueRef<'a>>) {
    let affine = op.cx().affine();
    let data = affine.set(set);
    let exprs: Vec<AffineExpr> = data.constraints.iter().map(|constraint| constraint.expr).collect();
    let result = run(op, affine, Operands::new(data.num_dims, &exprs, operands));
    let constraints: Vec<Constraint> = data
        .constraints
        .iter()
        .zip(&result.exprs)
        .map(|(constraint, &expr)| Constraint { expr, ..*constraint })
        .collect();
    let set = affine.intern_set(result.dims.len() as u32, result.symbols.len() as u32, constraints);
    (affine.simplify_set(set), result.values())
}
