//! Pretty form of `affine.parallel`.

use dl_arith::ATOMIC_RMW_KIND;
use dl_ir::affine::{AffineExpr, AffineMap};
use dl_ir::text::{AsmPrinter, Delimiter, OpParser, Parsed};
use dl_ir::{Attr, AttrRef, Context, OpRef, OpState, OpView, Type, ValueId, ValueRef};
use smallvec::SmallVec;

use super::ensure_yield;
use crate::AffineParallelOp;

/// The bounds of all loops: results of one map, so many a loop.
#[derive(Default)]
struct Bounds {
    dims: Vec<ValueId>,
    symbols: Vec<ValueId>,
    results: Vec<AffineExpr>,
    groups: Vec<i32>,
}

impl Bounds {
    /// `(expression, max(expression, expression), ...)`.
    fn parse(p: &mut OpParser<'_>, several: &str) -> Parsed<Self> {
        let mut bounds = Self::default();
        p.parse_comma_separated(Delimiter::Paren, |p| {
            let position = if p.parse_optional_keyword(several) {
                p.parse_affine_map_of_ssa_ids(Delimiter::Paren)?
            } else {
                p.parse_affine_expr_of_ssa_ids()?
            };
            bounds.add(p, position.map, &position.dims, &position.symbols)
        })?;
        Ok(bounds)
    }

    /// Adds the results of `map`, whose operands get a number each.
    fn add(
        &mut self,
        p: &mut OpParser<'_>,
        map: AffineMap,
        dims: &[dl_ir::text::UnresolvedOperand],
        symbols: &[dl_ir::text::UnresolvedOperand],
    ) -> Parsed<()> {
        let (cx, index) = (p.cx(), p.cx().index_type());
        let affine = cx.affine();
        let number = |p: &mut OpParser<'_>, all: &mut Vec<ValueId>, name| -> Parsed<u32> {
            let value = p.resolve(name, index)?;
            let at = all.iter().position(|&v| v == value).unwrap_or_else(|| {
                all.push(value);
                all.len() - 1
            });
            Ok(at as u32)
        };
        let mut new_dims = Vec::new();
        for &name in dims {
            new_dims.push(affine.dim(number(p, &mut self.dims, name)?));
        }
        let mut new_symbols = Vec::new();
        for &name in symbols {
            new_symbols.push(affine.symbol(number(p, &mut self.symbols, name)?));
        }
        let data = affine.map(map);
        self.results.extend(data.results.iter().map(|&result| affine.replace_in_expr(result, &new_dims, &new_symbols)));
        self.groups.push(i32::try_from(data.results.len()).unwrap_or(i32::MAX));
        Ok(())
    }

    fn map(&self, cx: &Context) -> Attr {
        let map = cx.affine().intern_map(self.dims.len() as u32, self.symbols.len() as u32, &self.results[..]);
        cx.affine_map_attr(map)
    }

    fn groups(&self, cx: &Context) -> Option<Attr> {
        let i32_type = cx.i32_type();
        let groups: Vec<Attr> = self.groups.iter().map(|&n| cx.int_attr(i32_type, i64::from(n))).collect();
        cx.dense_attr(cx.tensor_type(&[groups.len() as i64], i32_type), &groups)
    }
}

/// `(%i, %j) = (lower) to (upper) step (1, 2) reduce ("addf") -> (types) {...} attributes`.
pub(crate) fn parse_parallel(p: &mut OpParser<'_>, state: &mut OpState) -> Parsed<()> {
    let cx = p.cx();
    let mut variables = p.parse_argument_list(Delimiter::Paren, false)?;
    p.parse_equal()?;
    let lower = Bounds::parse(p, "max")?;
    p.parse_keyword("to")?;
    let upper = Bounds::parse(p, "min")?;
    for (bounds, map, groups) in
        [(&lower, "lowerBoundsMap", "lowerBoundsGroups"), (&upper, "upperBoundsMap", "upperBoundsGroups")]
    {
        state.set_attr(cx.ident(map), bounds.map(cx));
        let Some(sizes) = bounds.groups(cx) else {
            return Err(p.error("expected one bound for each loop"));
        };
        state.set_attr(cx.ident(groups), sizes);
        state.operands.extend(bounds.dims.iter().chain(&bounds.symbols).copied());
    }
    let mut steps: Vec<Attr> = vec![cx.i64_attr(1); variables.len()];
    if p.parse_optional_keyword("step") {
        steps.clear();
        p.parse_comma_separated(Delimiter::Paren, |p| {
            steps.push(cx.i64_attr(p.parse_integer()?));
            Ok(())
        })?;
    }
    state.set_attr(cx.ident("steps"), cx.array_attr(&steps));
    parse_reductions(p, state)?;
    for variable in &mut variables {
        variable.ty = cx.index_type();
    }
    let body = p.parse_region(state, &variables)?;
    p.parse_optional_attr_dict(state)?;
    ensure_yield(p, state, body);
    Ok(())
}

/// `reduce ("addf", "mulf")` and `-> (types)`, where they are there.
fn parse_reductions(p: &mut OpParser<'_>, state: &mut OpState) -> Parsed<()> {
    let cx = p.cx();
    let mut reductions = Vec::new();
    if p.parse_optional_keyword("reduce") {
        p.parse_comma_separated(Delimiter::Paren, |p| {
            let loc = p.loc();
            let name = p.parse_string()?;
            let Some(kind) = ATOMIC_RMW_KIND.value(&name) else {
                return Err(p.error_at(loc, format!("invalid reduction value: \"{name}\"")));
            };
            reductions.push(cx.i64_attr(kind as i64));
            Ok(())
        })?;
    }
    state.set_attr(cx.ident("reductions"), cx.array_attr(&reductions));
    let types = p.parse_optional_arrow_type_list()?;
    state.results.extend(types);
    Ok(())
}

/// Prints what [`parse_parallel`] reads.
pub(crate) fn print_parallel(op: OpRef<'_>, p: &mut AsmPrinter<'_>) {
    let view = AffineParallelOp::wrap(op);
    let operands: Vec<ValueRef<'_>> = view.map_operands().iter().collect();
    let inputs =
        |map: AttrRef<'_>| map.as_affine_map().map_or(0, |map| op.cx().affine().map(map).num_inputs() as usize);
    let (lower, upper) = operands.split_at(inputs(view.lower_bounds_map()).min(operands.len()));
    p.text(" (");
    p.operands(view.region().entry().into_iter().flat_map(dl_ir::BlockRef::args));
    p.text(") = (");
    print_bounds(op, p, view.lower_bounds_map(), view.lower_bounds_groups(), lower, "max");
    p.text(") to (");
    print_bounds(op, p, view.upper_bounds_map(), view.upper_bounds_groups(), upper, "min");
    p.text(")");
    let steps: Vec<i64> = view.steps().elements().filter_map(AttrRef::as_int).collect();
    if steps.iter().any(|&step| step != 1) {
        p.text(" step (");
        p.comma_separated(steps, AsmPrinter::int);
        p.text(")");
    }
    if op.num_results() != 0 {
        p.text(" reduce (");
        let kinds = view.reductions().elements().filter_map(|kind| ATOMIC_RMW_KIND.keyword(kind.enum_value()?));
        p.comma_separated(kinds, |p, kind| p.string(kind.as_bytes()));
        p.text(") -> (");
        let types: SmallVec<[Type; 4]> = op.results().types();
        p.types(types);
        p.text(")");
    }
    p.text(" ");
    p.region(view.region(), false, op.num_results() != 0);
    p.attr_dict(
        op,
        &["reductions", "lowerBoundsMap", "lowerBoundsGroups", "upperBoundsMap", "upperBoundsGroups", "steps"],
    );
}

fn print_bounds(
    op: OpRef<'_>,
    p: &mut AsmPrinter<'_>,
    map: AttrRef<'_>,
    groups: AttrRef<'_>,
    operands: &[ValueRef<'_>],
    several: &str,
) {
    let affine = op.cx().affine();
    let Some(map) = map.as_affine_map() else { return };
    let data = affine.map(map);
    let (dims, symbols) = operands.split_at((data.num_dims as usize).min(operands.len()));
    let sizes = groups.dense_values().into_iter().flatten().filter_map(|n| usize::try_from(n.as_int()?).ok());
    let mut start = 0;
    p.comma_separated(sizes, |p, size| {
        let end = (start + size).min(data.results.len());
        let results = &data.results[start.min(end)..end];
        start = end;
        let group = affine.intern_map(data.num_dims, data.num_symbols, results);
        if size != 1 {
            p.text(several);
            p.text("(");
        }
        p.affine_map_of_ssa_ids(group, dims, symbols);
        if size != 1 {
            p.text(")");
        }
    });
}
