//! `map`, `reduce`, `transpose` and `broadcast`. A body of one operation on the arguments in order is written `{ arith.addf }`.

use dl_ir::text::{AsmPrinter, Delimiter, OpParser, Parsed};
use dl_ir::{Attr, Ident, OpName, OpRef, OpState, Rewriter, Type, ValueId};
use smallvec::SmallVec;

use super::parts::{
    Parts, add_body, add_tensor_results, parse_dense_array, parse_parts, print_dense_array, print_parts,
};
use crate::YieldOp;
use crate::named::Body;

/// Where the payload takes its operands from.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Order {
    /// The elements of the inputs, in order (`map`).
    Inputs,
    /// The element of the init, then those of the inputs (`reduce`).
    InitFirst,
}

/// The arguments of a body in the order in which a payload takes them.
fn payload_operands<T: Copy>(args: &[T], order: Order) -> SmallVec<[T; 4]> {
    let Some((&init, inputs)) = args.split_last() else { return SmallVec::new() };
    match order {
        Order::Inputs => SmallVec::from(inputs),
        Order::InitFirst => std::iter::once(init).chain(inputs.iter().copied()).collect(),
    }
}

/// The one operation of the body before its terminator, if it takes the arguments in order and its result is what is handed over.
fn payload(op: OpRef<'_>, order: Order) -> Option<OpRef<'_>> {
    let body = op.region(0).entry()?;
    let payload = body.first_op()?;
    let terminator = payload.next()?;
    if terminator.next().is_some() || payload.num_results() != 1 || payload.num_regions() != 0 {
        return None;
    }
    let args: SmallVec<[ValueId; 4]> = body.args().map(|arg| arg.id()).collect();
    let operands = payload_operands(&args, order);
    let fits = !operands.is_empty() && payload.operands().ids()[..] == operands[..];
    let yielded = terminator.num_operands() == 1 && terminator.operand(0) == payload.result(0);
    (fits && yielded).then_some(payload)
}

/// ` { arith.addf {attributes} }`.
fn print_short(p: &mut AsmPrinter<'_>, payload: OpRef<'_>) {
    p.text(" { ");
    p.text(payload.name());
    p.attr_dict(payload, &[]);
    p.text(" }");
}

/// The name and attributes of a payload.
type Payload = (OpName, SmallVec<[(Ident, Attr); 4]>);

/// `{ arith.addf {attributes} }`, if there is a brace.
fn parse_short(p: &mut OpParser<'_>) -> Parsed<Option<Payload>> {
    if !p.parse_optional_l_brace() {
        return Ok(None);
    }
    let name = p.parse_custom_operation_name()?;
    let mut attrs = OpState::default();
    p.parse_optional_attr_dict(&mut attrs)?;
    p.parse_r_brace()?;
    Ok(Some((name, attrs.attrs)))
}

/// Makes the body with the payload alone.
fn add_payload(
    p: &mut OpParser<'_>,
    state: &mut OpState,
    parts: &Parts,
    (name, attrs): Payload,
    order: Order,
) -> Parsed<()> {
    let (args, loc) = (parts.elements(p), state.loc);
    let mut rw = p.rewriter();
    let region = rw.new_region();
    match build_payload(&mut rw, region, &args, (name, attrs), order, loc) {
        Ok(()) => state.regions.push(region),
        Err(message) => return Err(p.error_at(loc, message)),
    }
    Ok(())
}

fn build_payload(
    rw: &mut Rewriter<'_>,
    region: dl_ir::RegionId,
    args: &[Type],
    (name, attrs): Payload,
    order: Order,
    loc: dl_ir::Loc,
) -> Result<(), String> {
    let point = rw.insertion_point();
    let block = rw.append_block(region, args);
    rw.set_insertion_to_end(block);
    let values: SmallVec<[ValueId; 4]> = rw.block(block).args().map(|arg| arg.id()).collect();
    let operands = payload_operands(&values, order);
    // What it gives goes into the init, which comes last.
    let state = OpState::new(name, loc).operands(operands).attrs(attrs).results(args.last().copied());
    let made = rw.try_create(state);
    if let Ok(op) = made {
        let result = rw.op(op).results().ids();
        rw.create(OpState::of::<YieldOp<'_>>(loc).operands(result));
    }
    rw.set_insertion_point(point);
    made.map(|_| ())
}

/// `(%a: t, %b: u) { ... }`: a body written out.
fn parse_long(p: &mut OpParser<'_>, state: &mut OpState) -> Parsed<()> {
    let args = p.parse_argument_list(Delimiter::Paren, true)?;
    p.parse_region(state, &args)?;
    Ok(())
}

/// The body on lines of its own.
fn print_long(op: OpRef<'_>, p: &mut AsmPrinter<'_>) {
    p.indented(|p| {
        p.newline();
        p.indent();
        p.text("(");
        for (i, arg) in op.region(0).entry().into_iter().flat_map(|body| body.args()).enumerate() {
            if i > 0 {
                p.text(", ");
            }
            p.argument(arg);
            p.argument_location(arg.loc());
        }
        p.text(") ");
        p.region(op.region(0), false, true);
    });
}

pub(crate) fn parse_map(p: &mut OpParser<'_>, state: &mut OpState) -> Parsed<()> {
    let short = parse_short(p)?;
    let parts = parse_parts(p, state, false)?;
    add_tensor_results(p, &parts, state);
    p.parse_optional_attr_dict(state)?;
    match short {
        Some(payload) => add_payload(p, state, &parts, payload, Order::Inputs),
        None => parse_long(p, state),
    }
}

pub(crate) fn print_map(op: OpRef<'_>, p: &mut AsmPrinter<'_>) {
    let payload = payload(op, Order::Inputs);
    if let Some(payload) = payload {
        print_short(p, payload);
    }
    print_parts(op, p);
    p.attr_dict(op, &[]);
    if payload.is_none() {
        print_long(op, p);
    }
}

pub(crate) fn parse_reduce(p: &mut OpParser<'_>, state: &mut OpState) -> Parsed<()> {
    let short = parse_short(p)?;
    let parts = parse_parts(p, state, false)?;
    add_tensor_results(p, &parts, state);
    parse_dense_array(p, state, "dimensions")?;
    p.parse_optional_attr_dict(state)?;
    match short {
        Some(payload) => add_payload(p, state, &parts, payload, Order::InitFirst),
        None => parse_long(p, state),
    }
}

pub(crate) fn print_reduce(op: OpRef<'_>, p: &mut AsmPrinter<'_>) {
    let payload = payload(op, Order::InitFirst);
    if let Some(payload) = payload {
        print_short(p, payload);
    }
    print_parts(op, p);
    print_dense_array(p, op, "dimensions");
    p.attr_dict(op, &["dimensions"]);
    if payload.is_none() {
        print_long(op, p);
    }
}

/// An operation that moves elements: its body hands the input over.
fn parse_move(p: &mut OpParser<'_>, state: &mut OpState, attr: &str) -> Parsed<()> {
    let start = p.loc();
    let parts = parse_parts(p, state, false)?;
    add_tensor_results(p, &parts, state);
    parse_dense_array(p, state, attr)?;
    p.parse_optional_attr_dict(state)?;
    let args = parts.elements(p);
    if args.len() != 2 {
        if state.results.is_empty() && p.num_named_results() > 0 {
            return Err(p.error_at(state.loc, "cannot name an operation with no results"));
        }
        let name = &p.cx().op_info(state.name(p.cx())).name;
        let message = format!("'{name}' op expected 2 operands, but found {}", args.len());
        return Err(p.error_at(state.loc, message));
    }
    add_body(p, state, &args, Body::Move, start).map(|_| ())
}

fn print_move(op: OpRef<'_>, p: &mut AsmPrinter<'_>, attr: &str) {
    print_parts(op, p);
    print_dense_array(p, op, attr);
    p.attr_dict(op, &[attr]);
}

pub(crate) fn parse_transpose(p: &mut OpParser<'_>, state: &mut OpState) -> Parsed<()> {
    parse_move(p, state, "permutation")
}

pub(crate) fn print_transpose(op: OpRef<'_>, p: &mut AsmPrinter<'_>) {
    print_move(op, p, "permutation");
}

pub(crate) fn parse_broadcast(p: &mut OpParser<'_>, state: &mut OpState) -> Parsed<()> {
    parse_move(p, state, "dimensions")
}

pub(crate) fn print_broadcast(op: OpRef<'_>, p: &mut AsmPrinter<'_>) {
    print_move(op, p, "dimensions");
}
