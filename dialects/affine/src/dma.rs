//! `affine.dma_start` and `affine.dma_wait`: asynchronous copies between memories. MLIR defines them without ODS, and so they are
//! defined here. Their maps are discardable attributes, as upstream's are no properties.
//!
//! Operands are those of the pretty form in order: a memref with the operands of its map, three times, then the number of elements
//! and perhaps a stride with the number of elements per stride.

use dl_ir::affine::AffineMap;
use dl_ir::constraints::ANY_TYPE;
use dl_ir::text::{AsmPrinter, Delimiter, OpParser, Parsed, UnresolvedOperand};
use dl_ir::{Diagnostic, DialectBuilder, OpDefinition, OpRef, OpState, Operands, ValueRef};

use crate::scope::{affine_scope, is_valid_dim, is_valid_symbol};

dl_ir::op! {
    /// Starts to copy elements from one memref to another; the tag tells when it is done.
    AffineDmaStartOp = "affine.dma_start" {
        operands: [operands: Variadic(ANY_TYPE)],
        format: custom,
    }

    /// Waits until the copy with this tag is done.
    AffineDmaWaitOp = "affine.dma_wait" {
        operands: [operands: Variadic(ANY_TYPE)],
        format: custom,
    }
}

/// Registers both.
pub(crate) fn register(builder: &mut DialectBuilder) {
    builder.ops(&[AffineDmaStartOp::ENTRY, AffineDmaWaitOp::ENTRY]);
    builder.on::<AffineDmaStartOp<'_>>().no_properties().parse(parse_start).print(print).verify_regions(verify_start);
    builder.on::<AffineDmaWaitOp<'_>>().no_properties().parse(parse_wait).print(print).verify_regions(verify_wait);
}

/// The maps of a start, in the order of their memrefs.
const START_MAPS: [&str; 3] = ["src_map", "dst_map", "tag_map"];
const WAIT_MAPS: [&str; 1] = ["tag_map"];

/// A memref and the operands of its map, not resolved.
struct Position {
    memref: UnresolvedOperand,
    indices: Vec<UnresolvedOperand>,
}

/// `%memref[expressions]`, sets the attribute `map`.
fn parse_position(p: &mut OpParser<'_>, state: &mut OpState, map: &str) -> Parsed<Position> {
    let cx = p.cx();
    let memref = p.parse_operand()?;
    let position = p.parse_affine_map_of_ssa_ids(Delimiter::Square)?;
    state.set_attr(cx.ident(map), cx.affine_map_attr(position.map));
    Ok(Position { memref, indices: position.dims.into_iter().chain(position.symbols).collect() })
}

/// `positions, numbers : memrefs`.
fn parse(p: &mut OpParser<'_>, state: &mut OpState, maps: &[&str]) -> Parsed<()> {
    let index = p.cx().index_type();
    let mut positions = Vec::new();
    for map in maps {
        positions.push(parse_position(p, state, map)?);
        p.parse_comma()?;
    }
    let mut numbers = vec![p.parse_operand()?];
    // Nothing may follow the comma.
    if p.parse_optional_comma() {
        numbers.extend(p.parse_operand_list(Delimiter::None)?);
    }
    p.parse_colon()?;
    let loc = p.loc();
    let types = p.parse_type_list()?;
    if types.len() != positions.len() {
        return Err(p.error_at(loc, "fewer/more types expected"));
    }
    for (position, &ty) in positions.iter().zip(&types) {
        p.resolve_operand(position.memref, ty, state)?;
        p.resolve_operands(&position.indices, index, state)?;
    }
    p.resolve_operands(&numbers, index, state)
}

fn parse_start(p: &mut OpParser<'_>, state: &mut OpState) -> Parsed<()> {
    parse(p, state, &START_MAPS)
}

fn parse_wait(p: &mut OpParser<'_>, state: &mut OpState) -> Parsed<()> {
    parse(p, state, &WAIT_MAPS)
}

/// One of the memrefs of a copy: which operand it is, with its map and the operands of that.
#[derive(Clone, Copy)]
pub struct DmaPosition<'a> {
    /// The number of the operand that is the memref.
    pub at: usize,
    /// The memref.
    pub memref: ValueRef<'a>,
    /// The attribute that is the map.
    pub map_name: &'static str,
    /// The map.
    pub map: AffineMap,
    /// Its operands, which follow the memref.
    pub indices: Operands<'a>,
}

/// Where a `dma_start` or `dma_wait` reads, writes and has its tag, and the numbers that follow: how many elements, and perhaps a stride with
/// how many there are to a stride. `None` for another operation, and where there are too few operands.
pub fn dma_parts(op: OpRef<'_>) -> Option<(Vec<DmaPosition<'_>>, Operands<'_>)> {
    let maps: &[&'static str] = if op.is::<AffineDmaStartOp<'_>>() {
        &START_MAPS
    } else if op.is::<AffineDmaWaitOp<'_>>() {
        &WAIT_MAPS
    } else {
        return None;
    };
    let affine = op.cx().affine();
    let operands = op.operands();
    let (mut positions, mut at) = (Vec::new(), 0);
    for map_name in maps {
        let map = op.attr(map_name)?.as_affine_map()?;
        let count = affine.map(map).num_inputs() as usize;
        if at + 1 + count > operands.len() {
            return None;
        }
        positions.push(DmaPosition {
            at,
            memref: operands.get(at)?,
            map_name,
            map,
            indices: operands.slice(at + 1, count),
        });
        at += 1 + count;
    }
    Some((positions, operands.slice(at, operands.len() - at)))
}

fn print(op: OpRef<'_>, p: &mut AsmPrinter<'_>) {
    let Some((positions, numbers)) = dma_parts(op) else { return };
    let affine = op.cx().affine();
    p.text(" ");
    for position in &positions {
        p.operand(position.memref);
        p.text("[");
        let values: Vec<ValueRef<'_>> = position.indices.iter().collect();
        let (dims, symbols) = values.split_at(affine.map(position.map).num_dims as usize);
        p.affine_map_of_ssa_ids(position.map, dims, symbols);
        p.text("], ");
    }
    p.operands(numbers.iter());
    p.text(" : ");
    p.types(positions.iter().map(|position| position.memref.ty().id()));
}

/// Numbers are indices. Upstream does not look at their types, which the pretty form does not say.
fn verify_numbers(op: OpRef<'_>, numbers: Operands<'_>) -> Result<(), Diagnostic> {
    if numbers.iter().all(|number| number.ty().is_index()) {
        return Ok(());
    }
    Err(op.error("expected numbers of elements to be of index type"))
}

/// Memrefs where memrefs are wanted, and operands that may be inputs of their maps. As upstream, a map may have more or fewer results than
/// its memref has dimensions.
///
/// `names` has for each memref what messages call it, and what they call its indices.
fn verify_positions(op: OpRef<'_>, positions: &[DmaPosition<'_>], names: &[(&str, &str)]) -> Result<(), Diagnostic> {
    let (affine, scope) = (op.cx().affine(), affine_scope(op));
    for (position, (name, index)) in positions.iter().zip(names) {
        if !position.memref.ty().is_memref() {
            return Err(op.error(format_args!("expected DMA {name} to be of memref type")));
        }
        let dims = affine.map(position.map).num_dims as usize;
        for (i, operand) in position.indices.iter().enumerate() {
            let dim = i < dims;
            if dim && !is_valid_dim(operand, scope) || !dim && !is_valid_symbol(operand, scope) {
                return Err(op.error(format_args!("{index} must be a valid dimension or symbol identifier")));
            }
        }
    }
    Ok(())
}

fn verify_start(op: OpRef<'_>) -> Result<(), Diagnostic> {
    match dma_parts(op) {
        Some((positions, numbers)) if numbers.len() == 1 || numbers.len() == 3 => {
            let names = [("source", "src index"), ("destination", "dst index"), ("tag", "tag index")];
            verify_positions(op, &positions, &names)?;
            verify_numbers(op, numbers)
        }
        _ => Err(op.error("incorrect number of operands")),
    }
}

fn verify_wait(op: OpRef<'_>) -> Result<(), Diagnostic> {
    match dma_parts(op) {
        Some((positions, numbers)) if numbers.len() == 1 => {
            verify_positions(op, &positions, &[("tag", "index")])?;
            verify_numbers(op, numbers)
        }
        _ => Err(op.error("incorrect number of operands")),
    }
}
