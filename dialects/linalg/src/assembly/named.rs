//! Named operations: `linalg.matmul ins(...) outs(...) -> types`, the body left out.

use dl_ir::text::{AsmPrinter, OpParser, Parsed};
use dl_ir::{Loc, OpRef, OpState};

use super::parts::{Parts, add_body, parse_maps, parse_parts, print_maps, print_parts};
use crate::build::maps_attr;
use crate::named::{Body, NAMED, NamedOp, default_maps};
use crate::structured::{elementwise_maps, rank};
use crate::verify::REMEMBERED_MAPS;
use crate::{BinaryFn, ElementwiseKind, TernaryFn, UnaryFn};

/// The entry of the table for an operation name.
pub fn named_op(name: &str) -> Option<&'static NamedOp> {
    NAMED.iter().find(|op| op.name == name)
}

pub(crate) fn parse_named(p: &mut OpParser<'_>, state: &mut OpState) -> Parsed<()> {
    let start = p.loc();
    let cx = p.cx();
    let name = &cx.op_info(state.name(cx)).name;
    let named = named_op(name).expect("the hook is set for operations of the table");
    let defaults = default_maps(cx, name);
    if let Some(maps) = defaults
        && !parse_maps(p, state)?
    {
        state.set_attr(cx.ident("indexing_maps"), maps_attr(cx, &maps));
    }
    let parts = parse_rest(p, state)?;
    finish(p, state, &parts, named.body, start)
}

/// Operands, attributes and result types.
fn parse_rest(p: &mut OpParser<'_>, state: &mut OpState) -> Parsed<Parts> {
    let parts = parse_parts(p, state, true)?;
    p.parse_optional_attr_dict(state)?;
    let types = p.parse_optional_arrow_type_list()?;
    state.results.extend(types);
    Ok(parts)
}

/// Makes the body, when there is one argument for each of its parts.
fn finish(p: &mut OpParser<'_>, state: &mut OpState, parts: &Parts, body: Body, start: Loc) -> Parsed<()> {
    let args = parts.elements(p);
    if args.len() != body.num_operands() {
        let expected = body.num_operands();
        let message = format!(
            "[parseNamedStructuredOpRegion] ods-gen generated region expects {expected} args, got {}",
            args.len()
        );
        let loc = p.loc();
        return Err(p.error_at(loc, message));
    }
    add_body(p, state, &args, body, start).map(|_| ())
}

pub(crate) fn print_named(op: OpRef<'_>, p: &mut AsmPrinter<'_>) {
    let cx = op.cx();
    if let Some(maps) = op.attr("indexing_maps")
        && default_maps(cx, op.name()).is_none_or(|defaults| maps_attr(cx, &defaults) != maps.id())
    {
        print_maps(p, maps.id());
    }
    print_rest(op, p, &[]);
}

/// Attributes that the rest of the text says, or that are remembered only to save time.
const ELIDED: [&str; 3] = ["operandSegmentSizes", "indexing_maps", REMEMBERED_MAPS];

fn print_rest(op: OpRef<'_>, p: &mut AsmPrinter<'_>, elided: &[&str]) {
    p.attr_dict(op, &[&ELIDED, elided].concat());
    print_parts(op, p);
    p.optional_arrow_types(&op.results().types());
}

/// `linalg.contract indexing_maps = [...] ins(...) outs(...)`.
pub(crate) fn parse_contract(p: &mut OpParser<'_>, state: &mut OpState) -> Parsed<()> {
    let start = p.loc();
    if !parse_maps(p, state)? {
        let loc = p.loc();
        return Err(p.error_at(loc, "expected 'indexing_maps' attribute"));
    }
    let parts = parse_rest(p, state)?;
    finish(p, state, &parts, Body::MultiplyAdd, start)
}

pub(crate) fn print_contract(op: OpRef<'_>, p: &mut AsmPrinter<'_>) {
    if let Some(maps) = op.attr("indexing_maps") {
        print_maps(p, maps.id());
    }
    print_rest(op, p, &[]);
}

/// The body of `linalg.elementwise` of this kind.
pub fn elementwise_body(kind: ElementwiseKind) -> Body {
    use ElementwiseKind as K;
    match kind {
        K::Exp => Body::Unary(UnaryFn::Exp),
        K::Log => Body::Unary(UnaryFn::Log),
        K::Abs => Body::Unary(UnaryFn::Abs),
        K::Ceil => Body::Unary(UnaryFn::Ceil),
        K::Floor => Body::Unary(UnaryFn::Floor),
        K::Negf => Body::Unary(UnaryFn::Negf),
        K::Reciprocal => Body::Unary(UnaryFn::Reciprocal),
        K::Round => Body::Unary(UnaryFn::Round),
        K::Sqrt => Body::Unary(UnaryFn::Sqrt),
        K::Rsqrt => Body::Unary(UnaryFn::Rsqrt),
        K::Square => Body::Unary(UnaryFn::Square),
        K::Tanh => Body::Unary(UnaryFn::Tanh),
        K::Erf => Body::Unary(UnaryFn::Erf),
        K::Add => Body::Binary(BinaryFn::Add),
        K::Sub => Body::Binary(BinaryFn::Sub),
        K::Mul => Body::Binary(BinaryFn::Mul),
        K::Div => Body::Binary(BinaryFn::Div),
        K::DivUnsigned => Body::Binary(BinaryFn::DivUnsigned),
        K::MaxSigned => Body::Binary(BinaryFn::MaxSigned),
        K::MinSigned => Body::Binary(BinaryFn::MinSigned),
        K::MaxUnsigned => Body::Binary(BinaryFn::MaxUnsigned),
        K::MinUnsigned => Body::Binary(BinaryFn::MinUnsigned),
        K::Powf => Body::Binary(BinaryFn::Powf),
        K::Select => Body::Ternary(TernaryFn::Select),
    }
}

/// `linalg.elementwise kind=#linalg.elementwise_kind<add> indexing_maps = [...] ins(...) outs(...)`.
pub(crate) fn parse_elementwise(p: &mut OpParser<'_>, state: &mut OpState) -> Parsed<()> {
    let start = p.loc();
    let cx = p.cx();
    p.parse_keyword("kind")?;
    p.parse_equal()?;
    let loc = p.loc();
    let attr = p.parse_attribute(None)?;
    let Some(kind) = ElementwiseKind::from_attr(cx.attr(attr)) else {
        return Err(p.error_at(loc, "expected ElementwiseKind attribute"));
    };
    state.set_attr(cx.ident("kind"), attr);
    let given = parse_maps(p, state)?;
    let parts = parse_rest(p, state)?;
    if !given {
        let loops = parts.inits.first().map_or(0, |&ty| rank(cx.ty(ty)));
        let identity = elementwise_maps(cx, loops, parts.inputs.iter().chain(&parts.inits).map(|_| loops.max(1)));
        state.set_attr(cx.ident("indexing_maps"), maps_attr(cx, &identity));
    }
    finish(p, state, &parts, elementwise_body(kind), start)
}

pub(crate) fn print_elementwise(op: OpRef<'_>, p: &mut AsmPrinter<'_>) {
    let cx = op.cx();
    if let Some(kind) = op.attr("kind") {
        p.text(" kind=");
        p.attr(kind.id());
    }
    let loops = op.operand_group(1).get(0).map_or(0, |init| rank(init.ty()));
    let identity = elementwise_maps(cx, loops, op.operands().iter().map(|_| loops.max(1)));
    if let Some(maps) = op.attr("indexing_maps").filter(|maps| maps_attr(cx, &identity) != maps.id()) {
        print_maps(p, maps.id());
    }
    print_rest(op, p, &["kind"]);
}
