//! Pretty form of `affine.for`.

use dl_ir::affine::AffineMap;
use dl_ir::text::{Argument, AsmPrinter, OpParser, Parsed, UnresolvedOperand};
use dl_ir::{OpRef, OpState, OpView, Operands};
use smallvec::SmallVec;

use super::{ensure_yield, parse_dims_and_symbols, print_with_operands};
use crate::AffineForOp;

/// `%i = lower to upper step 2 iter_args(%a = %b) -> (types) {...} attributes`.
pub(crate) fn parse_for(p: &mut OpParser<'_>, state: &mut OpState) -> Parsed<()> {
    let cx = p.cx();
    let mut variable = p.parse_argument(false)?;
    variable.ty = cx.index_type();
    p.parse_equal()?;
    let lower = parse_bound(p, state, true)?;
    let num_lower = state.operands.len();
    if !p.parse_optional_keyword("to") {
        return Err(p.error("expected 'to' between bounds"));
    }
    let upper = parse_bound(p, state, false)?;
    let num_upper = state.operands.len() - num_lower;
    state.set_attr(cx.ident("lowerBoundMap"), cx.affine_map_attr(lower));
    state.set_attr(cx.ident("upperBoundMap"), cx.affine_map_attr(upper));
    let mut step = 1;
    if p.parse_optional_keyword("step") {
        let loc = p.loc();
        let given = p.parse_attribute(Some(cx.index_type()))?;
        let given = cx.attr(given).as_int();
        step = given.ok_or_else(|| p.error_at(loc, "invalid kind of attribute specified"))?;
        if step < 0 {
            return Err(p.error_at(loc, "expected step to be representable as a positive signed integer"));
        }
    }
    state.set_attr(cx.ident("step"), cx.index_attr(step));

    let mut args: SmallVec<[Argument; 4]> = smallvec::smallvec![variable];
    let mut inits: SmallVec<[UnresolvedOperand; 4]> = SmallVec::new();
    if p.parse_optional_keyword("iter_args") {
        let (carried, values) = p.parse_assignment_list()?;
        let types = p.parse_arrow_type_list()?;
        if carried.len() != types.len() {
            return Err(p.error_at(state.loc, "mismatch between the number of loop-carried values and results"));
        }
        for (arg, &ty) in carried.into_iter().zip(&types) {
            args.push(Argument { ty, ..arg });
        }
        inits = values;
        state.results.extend(types);
    }
    let types = state.results.clone();
    for (&init, &ty) in inits.iter().zip(&types) {
        p.resolve_operand(init, ty, state)?;
    }
    let sizes = [num_lower, num_upper, inits.len()].map(|n| i32::try_from(n).unwrap_or(i32::MAX));
    state.set_attr(cx.ident("operandSegmentSizes"), cx.dense_i32_array(&sizes));
    let body = p.parse_region(state, &args)?;
    ensure_yield(p, state, body);
    p.parse_optional_attr_dict(state)
}

/// A number, a value, or a map with its operands; `max` or `min` before one with several results.
fn parse_bound(p: &mut OpParser<'_>, state: &mut OpState, is_lower: bool) -> Parsed<AffineMap> {
    let cx = p.cx();
    let affine = cx.affine();
    let several = p.parse_optional_keyword(if is_lower { "max" } else { "min" });
    if let Some(value) = p.parse_optional_operand()? {
        p.resolve_operand(value, cx.index_type(), state)?;
        return Ok(affine.intern_map(0, 1, [affine.symbol(0)]));
    }
    let loc = p.loc();
    let attr = cx.attr(p.parse_attribute(Some(cx.index_type()))?);
    if let Some(constant) = attr.as_int() {
        return Ok(affine.constant_map(constant));
    }
    let Some(map) = attr.as_affine_map() else {
        return Err(p.error_at(loc, "expected valid affine map representation for loop bounds"));
    };
    let (dims, symbols) = parse_dims_and_symbols(p, state)?;
    let data = affine.map(map);
    if dims != data.num_dims as usize {
        return Err(p.error_at(state.loc, "dim operand count and affine map dim count must match"));
    }
    if symbols != data.num_symbols as usize {
        return Err(p.error_at(state.loc, "symbol operand count and affine map symbol count must match"));
    }
    if data.results.len() > 1 && !several {
        let (which, prefix) = if is_lower { ("lower", "max") } else { ("upper", "min") };
        let message = format!("{which} loop bound affine map with multiple results requires '{prefix}' prefix");
        return Err(p.error_at(loc, message));
    }
    Ok(map)
}

fn print_bound(op: OpRef<'_>, p: &mut AsmPrinter<'_>, map: dl_ir::AttrRef<'_>, operands: Operands<'_>, prefix: &str) {
    let affine = op.cx().affine();
    let Some(data) = map.as_affine_map().map(|map| affine.map(map)) else { return };
    if let [result] = &*data.results {
        if data.num_inputs() == 0
            && let Some(constant) = affine.constant_value(*result)
        {
            p.int(constant);
            return;
        }
        if data.num_dims == 0
            && data.num_symbols == 1
            && affine.symbol_position(*result).is_some()
            && let Some(operand) = operands.get(0)
        {
            p.operand(operand);
            return;
        }
    } else {
        p.text(prefix);
        p.text(" ");
    }
    print_with_operands(p, map.id(), data.num_dims, operands);
}

/// Prints what [`parse_for`] reads.
pub(crate) fn print_for(op: OpRef<'_>, p: &mut AsmPrinter<'_>) {
    let view = AffineForOp::wrap(op);
    let mut args = view.region().entry().into_iter().flat_map(dl_ir::BlockRef::args);
    p.text(" ");
    if let Some(variable) = args.next() {
        p.operand(variable);
        p.argument_location(variable.loc());
    }
    p.text(" = ");
    print_bound(op, p, view.lower_bound_map(), view.lower_bound_operands(), "max");
    p.text(" to ");
    print_bound(op, p, view.upper_bound_map(), view.upper_bound_operands(), "min");
    if let Some(step) = view.step().as_int().filter(|&step| step != 1) {
        p.text(" step ");
        p.int(step);
    }
    let inits = view.inits();
    if !inits.is_empty() {
        p.text(" iter_args(");
        p.comma_separated(args.zip(inits.iter()), |p, (arg, init)| {
            p.operand(arg);
            p.text(" = ");
            p.operand(init);
        });
        p.text(") -> (");
        p.types(inits.types());
        p.text(")");
    }
    p.text(" ");
    p.region(view.region(), false, !inits.is_empty());
    p.attr_dict(op, &["lowerBoundMap", "upperBoundMap", "step", "operandSegmentSizes"]);
}
