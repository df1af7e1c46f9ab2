//! Operations made from their definitions.
//!
//! Operands, attributes and result types are chosen to satisfy the constraints, and to agree where a trait asks for it. What the
//! definition does not say, as what a `verify` hook checks, is left to chance.

use dl_ir::opdef::{Arity, BlockCount, OpDef, Presence, TypeConstraint, ValueDef};
use dl_ir::{
    Arena, Attr, Context, FloatKind, Ident, InsertPoint, Loc, OpId, OpRef, OpState, Rewriter, Trait, Type, ValueId,
};
use fastrand::Rng;
use rustc_hash::FxHashMap;

use super::ir::visible;
use super::stock::Stock;
use crate::lab::Bench;

/// How many types or attributes of the stock are tried against a constraint.
const TRIES: usize = 200;

/// What has been chosen for an operation so far.
#[derive(Default)]
struct Choices {
    /// Types by the names of operands.
    types: FxHashMap<String, Type>,
    operands: Vec<ValueId>,
    segments: Vec<i32>,
}

/// Makes some operation called `name` at `point`; `None` when the definition cannot be met by what there is.
pub(super) fn make(
    bench: &mut Bench,
    ir: &mut Arena,
    point: InsertPoint,
    name: &str,
    stock: &Stock,
    rng: &mut Rng,
) -> Option<OpId> {
    let op_name = bench.cx.op_name(name);
    let def = (**bench.cx.op_info(op_name).def.as_ref()?).clone();
    if has(&def, &Trait::IsolatedFromAbove) || !def.successors.is_empty() {
        return None;
    }
    let mut choices = Choices::default();
    for operand in def.operands.iter() {
        choose_operand(bench, ir, point, &def, operand, &mut choices, stock, rng)?;
    }
    let mut state = OpState::new(op_name, Loc::UNKNOWN).operands(choices.operands.iter().copied());
    for attr in def.attrs.iter() {
        let wanted = match attr.presence {
            Presence::Required => true,
            _ => rng.u8(..4) == 0,
        };
        if wanted {
            let ident = bench.cx.ident(&attr.name);
            match some_attr(bench, ir, name, ident, stock, rng) {
                Some(value) => state.set_attr(ident, value),
                None if matches!(attr.presence, Presence::Required) => return None,
                None => {}
            }
        }
    }
    if has(&def, &Trait::AttrSizedOperandSegments) {
        state = state.attr(&bench.cx, "operandSegmentSizes", bench.cx.dense_i32_array(&choices.segments));
    }
    choose_results(bench, ir, &def, op_name, &mut state, &choices, stock, rng);
    let mut rw = Rewriter::new(&bench.cx, ir);
    rw.set_insertion_point(Some(point));
    for region in def.regions.iter() {
        if region.variadic && rng.bool() {
            continue;
        }
        let id = rw.new_region();
        state.regions.push(id);
        if region.blocks != BlockCount::Any || rng.bool() {
            let args = region_args(&rw, &choices.operands, rng);
            let block = rw.append_block(id, &args);
            end_block(&mut rw, block, &def, rng);
        }
    }
    rw.set_insertion_point(Some(point));
    rw.try_create(state).ok()
}

/// Whether `def` has a trait without parameters.
fn has(def: &OpDef, of: &Trait) -> bool {
    def.traits.iter().any(|each| each.flag().is_some() && each.flag() == of.flag())
}

/// Whether operands agree in their types, or in parts of them, which they do if they are the same.
fn wants_same_types(def: &OpDef) -> bool {
    def.traits.iter().any(|each| {
        matches!(
            each,
            Trait::SameOperandsAndResultType
                | Trait::SameTypeOperands
                | Trait::SameOperandsElementType
                | Trait::SameOperandsAndResultElementType
                | Trait::SameOperandsShape
                | Trait::SameOperandsAndResultShape
                | Trait::SameOperandsAndResultRank
                | Trait::Elementwise
                | Trait::AllTypesMatch(_)
                | Trait::AllElementTypesMatch(_)
                | Trait::AllShapesMatch(_)
        )
    })
}

#[expect(clippy::too_many_arguments, reason = "what is known of the place and of the operation")]
fn choose_operand(
    bench: &mut Bench,
    ir: &mut Arena,
    point: InsertPoint,
    def: &OpDef,
    operand: &ValueDef,
    choices: &mut Choices,
    stock: &Stock,
    rng: &mut Rng,
) -> Option<()> {
    let count = match operand.arity {
        Arity::Single => 1,
        Arity::Optional => usize::from(rng.bool()),
        Arity::Variadic | Arity::Groups(_) => super::fewer_than(4, rng),
    };
    let constraint = &*operand.constraint;
    for _ in 0..count {
        let first = choices.operands.first().map(|&value| ir.value_type(value));
        let same = first.filter(|&ty| wants_same_types(def) && matches(&bench.cx, constraint, ty) && rng.u8(..16) != 0);
        let follows = type_that_follows(&bench.cx, def, &operand.name, choices);
        let value = match follows.or(same) {
            Some(ty) => value_of(bench, ir, point, ty, rng),
            None => value_for(bench, ir, point, constraint, stock, rng)?,
        };
        choices.types.entry(operand.name.to_string()).or_insert_with(|| ir.value_type(value));
        choices.operands.push(value);
    }
    choices.segments.push(i32::try_from(count).ok()?);
    Some(())
}

fn matches(cx: &Context, constraint: &TypeConstraint, ty: Type) -> bool {
    constraint.matches(cx.ty(ty))
}

/// The type of the value called `name`, where a trait gives it by what has been chosen.
fn type_that_follows(cx: &Context, def: &OpDef, name: &str, choices: &Choices) -> Option<Type> {
    def.traits.iter().find_map(|each| match each {
        Trait::TypesMatchWith { from, to, transform, .. } if to == name => {
            transform(cx.ty(*choices.types.get(from.as_ref())?))
        }
        Trait::AllTypesMatch(names) if names.iter().any(|n| n == name) => {
            names.iter().find_map(|n| choices.types.get(n.as_ref()).copied())
        }
        _ => None,
    })
}

/// Some value at `point` that satisfies `constraint`: one that is there, or a new one.
fn value_for(
    bench: &mut Bench,
    ir: &mut Arena,
    point: InsertPoint,
    constraint: &TypeConstraint,
    stock: &Stock,
    rng: &mut Rng,
) -> Option<ValueId> {
    let mut values = point.before.map(|op| visible(ir, op)).unwrap_or_default();
    values.retain(|&value| matches(&bench.cx, constraint, ir.value_type(value)));
    if !values.is_empty() && rng.u8(..6) != 0 {
        return rng.choice(values);
    }
    let ty = some_type(bench, constraint, stock, rng)?;
    Some(source(bench, ir, point, ty, rng))
}

/// Some value of type `ty` at `point`.
fn value_of(bench: &mut Bench, ir: &mut Arena, point: InsertPoint, ty: Type, rng: &mut Rng) -> ValueId {
    let mut values = point.before.map(|op| visible(ir, op)).unwrap_or_default();
    values.retain(|&value| ir.value_type(value) == ty);
    let known = if rng.u8(..6) == 0 { None } else { rng.choice(values) };
    known.unwrap_or_else(|| source(bench, ir, point, ty, rng))
}

/// A new value of type `ty`: a constant where there is one, else the result of an operation that nothing is known about.
pub(super) fn source(bench: &mut Bench, ir: &mut Arena, point: InsertPoint, ty: Type, rng: &mut Rng) -> ValueId {
    let cx = &bench.cx;
    let constant = dl_oracle::numbers::constant(cx.ty(ty), rng);
    let mut rw = Rewriter::new(cx, ir);
    rw.set_insertion_point(Some(point));
    let state = match constant.filter(|_| rng.bool()) {
        Some(attr) => OpState::named("arith.constant", Loc::UNKNOWN).attr(cx, "value", attr).results([ty]),
        None => OpState::named("fuzz.source", Loc::UNKNOWN).results([ty]),
    };
    rw.create_value(state)
}

fn some_type(bench: &mut Bench, constraint: &TypeConstraint, stock: &Stock, rng: &mut Rng) -> Option<Type> {
    stock.types(rng).take(TRIES).find_map(|text| bench.ty(text).filter(|&ty| matches(&bench.cx, constraint, ty)))
}

/// A type of the shape of `ty` with other elements: what conversions of numbers have as results.
fn type_like(cx: &Context, constraint: &TypeConstraint, ty: Type, rng: &mut Rng) -> Option<Type> {
    const WIDTHS: [u32; 7] = [1, 4, 8, 16, 32, 64, 128];
    const KINDS: [FloatKind; 5] = [FloatKind::F16, FloatKind::BF16, FloatKind::F32, FloatKind::F64, FloatKind::F8E5M2];
    let element = match rng.u8(..8) {
        0 => cx.index_type(),
        1..=4 => cx.int_type(*rng.choice(&WIDTHS)?),
        _ => cx.float_type(*rng.choice(&KINDS)?),
    };
    let view = cx.ty(ty);
    let new = if view.is_shaped() { view.with_element(element) } else { element };
    matches(cx, constraint, new).then_some(new)
}

/// Some value for the attribute `attr` of operations called `name`.
pub(super) fn some_attr(
    bench: &mut Bench,
    ir: &Arena,
    name: &str,
    attr: Ident,
    stock: &Stock,
    rng: &mut Rng,
) -> Option<Attr> {
    let attr_name = bench.cx.str(attr).to_owned();
    if rng.u8(..4) != 0
        && let Some(text) = stock.attrs_of(name, &attr_name, rng).next()
    {
        return bench.attr(text);
    }
    let op_name = bench.cx.op_name(name);
    let info = bench.cx.op_info(op_name);
    let constraint =
        info.def.as_ref().zip(info.inherent_index(&bench.cx, attr)).map(|(def, at)| def.attrs[at].constraint.clone());
    let Some(constraint) = constraint else { return stock.attrs(rng).next().and_then(|text| bench.attr(text)) };
    let symbols = || walk_symbols(&bench.cx, ir);
    if constraint.summary.contains("symbol") && rng.u8(..4) != 0 {
        let symbol = rng.choice(symbols())?;
        return Some(bench.cx.symbol_ref_attr(&symbol));
    }
    stock.attrs(rng).take(TRIES).find_map(|text| bench.attr(text).filter(|&a| constraint.matches(bench.cx.attr(a))))
}

/// The names of symbols directly in `ir`.
fn walk_symbols(cx: &Context, ir: &Arena) -> Vec<String> {
    let root = OpRef::root(cx, ir);
    let names = root.regions().flat_map(|region| region.ops().collect::<Vec<_>>());
    names.filter_map(|op| op.symbol_name().map(str::to_owned)).collect()
}

/// Result types, where the definition does not say them.
#[expect(clippy::too_many_arguments, reason = "what is known of the place and of the operation")]
fn choose_results(
    bench: &mut Bench,
    ir: &Arena,
    def: &OpDef,
    name: dl_ir::OpName,
    state: &mut OpState,
    choices: &Choices,
    stock: &Stock,
    rng: &mut Rng,
) {
    let inferred = dl_ir::infer::infer_result_types(&bench.cx, ir, name, state);
    if inferred.is_ok() && !state.results.is_empty() && rng.u8(..16) != 0 {
        return;
    }
    state.results.clear();
    for result in def.results.iter() {
        let count = match result.arity {
            Arity::Single => 1,
            Arity::Optional => usize::from(rng.bool()),
            Arity::Variadic | Arity::Groups(_) => super::fewer_than(3, rng),
        };
        for _ in 0..count {
            let constraint = &*result.constraint;
            let of_operand = rng.choice(&choices.operands).map(|&value| ir.value_type(value));
            let same = of_operand.filter(|&ty| matches(&bench.cx, constraint, ty) && rng.bool());
            let alike = of_operand.and_then(|ty| type_like(&bench.cx, constraint, ty, rng)).filter(|_| rng.bool());
            let follows = type_that_follows(&bench.cx, def, &result.name, choices);
            let chosen = follows.or(same).or(alike).or_else(|| some_type(bench, constraint, stock, rng));
            state.results.extend(chosen);
        }
    }
}

/// Types for the arguments of a new block: none, induction variables, or what the operands hold.
fn region_args(rw: &Rewriter<'_>, operands: &[ValueId], rng: &mut Rng) -> Vec<Type> {
    match rng.u8(..4) {
        0 => Vec::new(),
        1 => vec![rw.cx().index_type(); rng.usize(1..4)],
        2 => operands.iter().map(|&value| rw.value_type(value).element_or_self().id()).collect(),
        _ => operands.iter().map(|&value| rw.ir().value_type(value)).collect(),
    }
}

/// Ends a block with the terminator that `def` wants, handing on the arguments of the block or nothing.
fn end_block(rw: &mut Rewriter<'_>, block: dl_ir::BlockId, def: &OpDef, rng: &mut Rng) {
    let wanted = def.traits.iter().find_map(|each| match each {
        Trait::SingleBlockImplicitTerminator(name) => Some(name.to_string()),
        _ => None,
    });
    let dialect = def.name.split_once('.').map_or("", |(dialect, _)| dialect);
    let name = wanted.unwrap_or_else(|| format!("{dialect}.yield"));
    let values: Vec<ValueId> = if rng.bool() { rw.ir().block_args(block).to_vec() } else { Vec::new() };
    rw.set_insertion_to_end(block);
    let name = rw.cx().op_name(&name);
    let _ = rw.try_create(OpState::new(name, Loc::UNKNOWN).operands(values));
}
