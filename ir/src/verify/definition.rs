//! One operation against its definition: counts, constraints, traits.

use std::fmt::Write as _;

use smallvec::SmallVec;

use crate::AttrData;
use crate::diagnostics::Diagnostic;
use crate::groups::Groups;
use crate::opdef::{Arity, BlockCount, OpDef, Presence, Trait, ValueDef};
use crate::types::{DYNAMIC, TypeRef};
use crate::view::{OpRef, ValueRef};

type Checked = Result<(), Box<Diagnostic>>;

#[cold]
#[track_caller]
fn fail(op: OpRef<'_>, message: impl std::fmt::Display) -> Checked {
    Err(Box::new(op.error(message)))
}

/// Operands, results and successors.
pub(super) fn verify_values(op: OpRef<'_>) -> Checked {
    let info = op.info();
    let Some(def) = info.def.as_deref() else { return Ok(()) };
    verify_successors(op, def)?;
    let segments = info.has_trait(&Trait::AttrSizedOperandSegments);
    verify_group_counts(op, &def.operands, op.num_operands(), segments, "operand")?;
    if info.facts.operand_groups != Groups::Single {
        verify_group_sizes(op, def)?;
    }
    let segments = info.has_trait(&Trait::AttrSizedResultSegments);
    verify_group_counts(op, &def.results, op.num_results(), segments, "result")?;
    for (i, value) in def.operands.iter().enumerate() {
        let group = op.operand_group(i);
        verify_types(op, group.iter(), group.start(), value, "operand")?;
    }
    for (i, value) in def.results.iter().enumerate() {
        let group = op.result_group(i);
        verify_types(op, group.iter(), group.start(), value, "result")?;
    }
    Ok(())
}

fn verify_successors(op: OpRef<'_>, def: &OpDef) -> Checked {
    let (fixed, given) = (def.successors.iter().filter(|s| !s.variadic).count(), op.num_successors());
    let variadic = fixed < def.successors.len();
    if given == fixed || (variadic && given > fixed) {
        return Ok(());
    }
    match (variadic, fixed) {
        (false, 0) => fail(op, "requires 0 successors but found ".to_owned() + &given.to_string()),
        (false, n) => fail(op, format_args!("requires {n} successor{} but found {given}", plural(n))),
        (true, n) => fail(op, format_args!("requires at least {n} successor{} but found {given}", plural(n))),
    }
}

fn plural(n: usize) -> &'static str {
    if n == 1 { "" } else { "s" }
}

/// The number of values fits the definition.
fn verify_group_counts(op: OpRef<'_>, defs: &[ValueDef], given: usize, segments: bool, what: &str) -> Checked {
    let singles = defs.iter().filter(|d| d.arity == Arity::Single).count();
    let many = defs.len() - singles;
    if segments {
        return verify_segments(op, defs, given, what);
    }
    if many == 0 {
        if given == singles {
            return Ok(());
        }
        return match (singles, what) {
            (0, _) => fail(op, format_args!("requires zero {what}s")),
            (1, "operand") => fail(op, "requires a single operand"),
            (1, _) => fail(op, "requires one result"),
            (n, _) => fail(op, format_args!("expected {n} {what}s, but found {given}")),
        };
    }
    if given < singles {
        return fail(op, format_args!("expected {singles} or more {what}s, but found {given}"));
    }
    let optional_only = many == 1 && defs.iter().any(|d| d.arity == Arity::Optional);
    if optional_only && given > singles + 1 {
        return fail(op, format_args!("expected at most {} {what}s, but found {given}", singles + 1));
    }
    if many > 1 && !(given - singles).is_multiple_of(many) {
        return fail(op, format_args!("has incorrect number of {what}s for variadic segments of one size: {given}"));
    }
    Ok(())
}

fn verify_segments(op: OpRef<'_>, defs: &[ValueDef], given: usize, what: &str) -> Checked {
    let name = if what == "operand" { "operandSegmentSizes" } else { "resultSegmentSizes" };
    let Some(sizes) = op.attr(name) else {
        return fail(op, format_args!("requires attribute '{name}'"));
    };
    if !matches!(sizes.data(), AttrData::DenseArray { element, .. } if *element == op.cx().common().i32) {
        return fail(op, format_args!("attribute '{name}': expected a DenseI32ArrayAttr, such as array<i32: 1, 0>"));
    }
    let sizes: SmallVec<[i64; 8]> = sizes.dense_ints().collect();
    if sizes.iter().any(|&n| n < 0) {
        return fail(op, format_args!("'{name}' attribute cannot have negative elements"));
    }
    if sizes.len() != defs.len() {
        return fail(
            op,
            format_args!(
                "'{name}' attribute for specifying {what} segments must have {} elements, but got {}",
                defs.len(),
                sizes.len()
            ),
        );
    }
    let total = sizes.iter().fold(0_i64, |a, &b| a.saturating_add(b));
    if total != given as i64 {
        return fail(
            op,
            format_args!(
                "{what} count ({given}) does not match with the total size ({total}) specified in attribute '{name}'"
            ),
        );
    }
    for (at, (def, &size)) in defs.iter().zip(&sizes).enumerate() {
        let fits = match def.arity {
            Arity::Single => size == 1,
            Arity::Optional => size <= 1,
            Arity::Variadic | Arity::Groups(_) => true,
        };
        if !fits {
            let wanted = if def.arity == Arity::Single { "1 element" } else { "0 or 1 element" };
            return fail(op, format_args!("{what} group starting at #{at} requires {wanted}, but found {size}"));
        }
    }
    Ok(())
}

/// Operands in groups of groups: the sizes add up. That the attribute is there is checked with the others.
fn verify_group_sizes(op: OpRef<'_>, def: &OpDef) -> Checked {
    for (i, operand) in def.operands.iter().enumerate() {
        let Arity::Groups(name) = operand.arity else { continue };
        let Some(sizes) = op.attr(name) else { continue };
        if sizes.dense_ints().any(|size| size < 0) {
            return fail(op, format_args!("'{name}' attribute cannot have negative elements"));
        }
        let total = sizes.dense_ints().fold(0_i64, i64::saturating_add);
        let given = op.operand_group(i).len();
        if total != given as i64 {
            let operands = &operand.name;
            return fail(
                op,
                format_args!(
                    "{operands} count ({given}) does not match with the total size ({total}) specified in attribute '{name}'"
                ),
            );
        }
    }
    Ok(())
}

fn verify_types<'a>(
    op: OpRef<'_>,
    values: impl Iterator<Item = ValueRef<'a>>,
    start: usize,
    def: &ValueDef,
    what: &str,
) -> Checked {
    for (i, value) in values.enumerate() {
        if !def.constraint.matches(value.ty()) {
            let index = start + i;
            let variadic = if matches!(def.arity, Arity::Variadic | Arity::Groups(_)) { "variadic of " } else { "" };
            let summary = &def.constraint.summary;
            return fail(op, format_args!("{what} #{index} must be {variadic}{summary}, but got '{}'", value.ty()));
        }
    }
    Ok(())
}

/// Attributes.
pub(super) fn verify_attrs(op: OpRef<'_>) -> Checked {
    let info = op.info();
    let Some(def) = info.def.as_deref() else { return Ok(()) };
    for (i, (attr, &attr_name)) in def.attrs.iter().zip(info.attr_names(op.cx())).enumerate() {
        // A default may break a constraint of its own attribute, which then must be there.
        let default = || info.defaults(op.cx())[i].filter(|_| matches!(attr.presence, Presence::Default(_)));
        match op.attr_by_ident(attr_name).or_else(|| default().map(|value| op.cx().attr(value))) {
            Some(value) if !attr.constraint.matches(value) => {
                let (name, summary) = (&attr.name, &attr.constraint.summary);
                return fail(op, format_args!("attribute '{name}' failed to satisfy constraint: {summary}"));
            }
            None if matches!(attr.presence, Presence::Required) => {
                return fail(op, format_args!("requires attribute '{}'", attr.name));
            }
            _ => {}
        }
    }
    Ok(())
}

/// The number of regions, and that each has one block where a trait says so.
pub(super) fn verify_regions(op: OpRef<'_>) -> Checked {
    let info = op.info();
    let Some(def) = info.def.as_deref() else { return Ok(()) };
    let (fixed, given) = (def.regions.iter().filter(|r| !r.variadic).count(), op.num_regions());
    let variadic = fixed < def.regions.len();
    if given != fixed && !(variadic && given > fixed) {
        return match (variadic, fixed) {
            (false, 0) => fail(op, "requires zero regions"),
            (false, 1) => fail(op, "requires one region"),
            (false, n) => fail(op, format_args!("expected {n} regions")),
            (true, n) => fail(op, format_args!("expected {n} or more regions")),
        };
    }
    if info.has_trait(&Trait::SingleBlock) { verify_single_blocks(op) } else { Ok(()) }
}

/// Predicates on the whole operation.
pub(super) fn verify_predicates(op: OpRef<'_>) -> Checked {
    let Some(def) = op.def() else { return Ok(()) };
    for each in def.traits.iter() {
        if let Trait::Predicate { summary, holds } = each
            && !holds(op)
        {
            return fail(op, format_args!("failed to verify that {summary}"));
        }
    }
    Ok(())
}

/// What the definition says of the types of values that it names.
pub(super) fn verify_named_types(op: OpRef<'_>) -> Checked {
    let Some(def) = op.def() else { return Ok(()) };
    for each in def.traits.iter() {
        match each {
            Trait::AllTypesMatch(names) => {
                verify_match(op, def, names, "type", |ty| Some(Key::Type(ty.id())))?;
                let mut lists = names.iter().filter_map(|name| types_of_many(op, def, name));
                if let Some(first) = lists.next()
                    && lists.any(|list| list != first)
                {
                    return fail_match(op, names, "type");
                }
            }
            Trait::AllElementTypesMatch(names) => {
                verify_match(op, def, names, "element type", |ty| Some(Key::Type(ty.element_or_self().id())))?;
            }
            Trait::AllShapesMatch(names) => {
                verify_match(op, def, names, "shape", |ty| Some(Key::Shape(ty.shape()?.into())))?;
            }
            Trait::AllRanksMatch(names) => verify_match(op, def, names, "rank", |ty| Some(Key::Rank(ty.rank()?)))?,
            Trait::AllElementCountsMatch(names) => {
                verify_match(op, def, names, "element count", |ty| Some(Key::Count(ty.num_elements()?)))?;
            }
            Trait::TypesMatchWith { summary, from, to, transform } => {
                let (Some(from), Some(to)) = (type_named(op, def, from), type_named(op, def, to)) else { continue };
                if transform(from) != Some(to.id()) {
                    return fail(op, format_args!("failed to verify that {summary}"));
                }
            }
            Trait::RangedTypesMatchWith { summary, from, to, transform } => {
                let Some(from) = type_named(op, def, from) else { continue };
                let Some(values) = values_named(op, def, to) else { continue };
                if transform(from).is_none_or(|types| types[..] != values[..]) {
                    return fail(op, format_args!("failed to verify that {summary}"));
                }
            }
            _ => {}
        }
    }
    Ok(())
}

/// What traits say of regions, without what is in their operations.
pub(super) fn verify_body_traits(op: OpRef<'_>) -> Checked {
    let info = op.info();
    if info.has_trait(&Trait::NoRegionArguments) {
        for (i, region) in op.regions().enumerate() {
            if region.entry().is_some_and(|b| b.num_args() > 0) {
                let which = if op.num_regions() == 1 { String::new() } else { format!(" #{i}") };
                return fail(op, format_args!("region{which} should have no arguments"));
            }
        }
    }
    Ok(())
}

/// Traits that look into the regions, whose operations are verified.
pub(super) fn verify_region_traits(op: OpRef<'_>) -> Checked {
    let Some(def) = op.def() else { return Ok(()) };
    for each in def.traits.iter() {
        if let Trait::SingleBlockImplicitTerminator(terminator) = each {
            verify_implicit_terminator(op, terminator)?;
        }
    }
    Ok(())
}

/// How many blocks regions have.
pub(super) fn verify_block_counts(op: OpRef<'_>) -> Checked {
    let Some(def) = op.def() else { return Ok(()) };
    for (i, region) in op.regions().enumerate() {
        let Some(rdef) = def.regions.get(i).or(def.regions.last()) else { continue };
        let blocks = region.blocks().take(1 << 20).count() as u32;
        let (fits, how_many, n) = match rdef.blocks {
            BlockCount::Any => continue,
            BlockCount::Exactly(n) => (blocks == n, "", n),
            BlockCount::AtLeast(n) => (blocks >= n, "at least ", n),
            BlockCount::AtMost(n) => (blocks <= n, "at most ", n),
        };
        if !fits {
            let name = &rdef.name;
            let message =
                format_args!("region #{i} ('{name}') failed to verify constraint: region with {how_many}{n} blocks");
            return fail(op, message);
        }
    }
    Ok(())
}

fn verify_single_blocks(op: OpRef<'_>) -> Checked {
    for (i, region) in op.regions().enumerate() {
        if region.is_empty() {
            continue;
        }
        if !region.has_one_block() {
            return fail(op, format_args!("expects region #{i} to have 0 or 1 blocks"));
        }
        let empty = region.entry().is_some_and(crate::view::BlockRef::is_empty);
        if empty && !op.has_trait(&Trait::NoTerminator) {
            return fail(op, "expects a non-empty block");
        }
    }
    Ok(())
}

fn verify_implicit_terminator(op: OpRef<'_>, terminator: &str) -> Checked {
    for (i, region) in op.regions().enumerate() {
        if region.is_empty() {
            continue;
        }
        if !region.has_one_block() {
            return fail(op, format_args!("expects region #{i} to have 0 or 1 blocks"));
        }
        let last = region.entry().and_then(crate::view::BlockRef::last_op);
        let Some(last) = last else { return fail(op, "expects a non-empty block") };
        if last.name() != terminator {
            let found = last.name();
            let message = format!("expects regions to end with '{terminator}', found '{found}'");
            let note = format!("in custom textual format, the absence of terminator implies '{terminator}'");
            return Err(Box::new(op.error(message).note(op.loc(), note)));
        }
    }
    Ok(())
}

/// What `of` relates must be there: an operand, and a result where it speaks of results.
fn verify_has_values(op: OpRef<'_>, of: &Trait) -> Checked {
    let with_results = matches!(
        of,
        Trait::SameOperandsAndResultType | Trait::SameOperandsAndResultElementType | Trait::SameOperandsAndResultShape
    );
    let of_operands = matches!(
        of,
        Trait::SameTypeOperands
            | Trait::SameOperandsElementType
            | Trait::SameOperandsShape
            | Trait::SameOperandsAndResultRank
    );
    if (of_operands || with_results) && op.num_operands() == 0 {
        return fail(op, "expected 1 or more operands, but found 0");
    }
    if with_results && op.num_results() == 0 {
        return fail(op, "expected 1 or more results");
    }
    Ok(())
}

/// Traits that relate the types of all operands and results.
pub(super) fn verify_type_traits(op: OpRef<'_>) -> Checked {
    let Some(def) = op.def() else { return Ok(()) };
    for each in def.traits.iter() {
        verify_has_values(op, each)?;
        match each {
            Trait::SameTypeOperands => {
                let mut types = op.operands().iter().map(ValueRef::ty);
                if let Some(first) = types.next()
                    && types.any(|ty| ty != first)
                {
                    return fail(op, "requires all operands to have the same type");
                }
            }
            Trait::SameOperandsAndResultType => {
                let first = op.operands().iter().next().map(ValueRef::ty);
                if let Some(first) = first
                    && !all_values(op).all(|v| same_or_compatible(v.ty(), first))
                {
                    return fail(op, "requires the same type for all operands and results");
                }
                // Results are inferred from the first operand, and not printed.
                let other = |first: &TypeRef<'_>| op.results().iter().map(ValueRef::ty).find(|ty| ty != first);
                if let Some((first, other)) = first.and_then(|first| Some((first, other(&first)?))) {
                    return fail(
                        op,
                        format_args!(
                            "inferred type(s) '{first}' are incompatible with return type(s) of operation '{other}'"
                        ),
                    );
                }
            }
            Trait::SameOperandsElementType => {
                let mut types = op.operands().iter().map(|v| v.ty().element_or_self());
                if let Some(first) = types.next()
                    && types.any(|ty| ty != first)
                {
                    return fail(op, "requires the same element type for all operands");
                }
            }
            Trait::SameOperandsAndResultElementType => {
                let mut types = all_values(op).map(|v| v.ty().element_or_self());
                if let Some(first) = types.next()
                    && types.any(|ty| ty != first)
                {
                    return fail(op, "requires the same element type for all operands and results");
                }
            }
            Trait::SameOperandsShape => {
                let types: SmallVec<[TypeRef<'_>; 4]> = op.operands().iter().map(ValueRef::ty).collect();
                if !compatible_shapes(&types) {
                    return fail(op, "requires the same shape for all operands");
                }
            }
            Trait::SameOperandsAndResultShape => {
                let types: SmallVec<[TypeRef<'_>; 4]> = all_values(op).map(ValueRef::ty).collect();
                if !compatible_shapes(&types) {
                    return fail(op, "requires the same shape for all operands and results");
                }
            }
            Trait::SameOperandsAndResultRank => {
                let mut ranks = all_values(op).filter_map(|v| v.ty().rank());
                if let Some(first) = ranks.next()
                    && ranks.any(|rank| rank != first)
                {
                    return fail(op, "requires the same rank for all operands and results");
                }
            }
            Trait::Elementwise => verify_elementwise(op)?,
            _ => {}
        }
    }
    Ok(())
}

#[derive(PartialEq)]
enum Key {
    Type(crate::Type),
    Shape(SmallVec<[i64; 4]>),
    Rank(usize),
    Count(u64),
}

fn verify_match<'a>(
    op: OpRef<'a>,
    def: &OpDef,
    names: &[crate::opdef::Str],
    what: &str,
    key: impl Fn(TypeRef<'a>) -> Option<Key>,
) -> Checked {
    let mut keys = names.iter().filter_map(|name| key(type_named(op, def, name)?));
    let Some(first) = keys.next() else { return Ok(()) };
    if keys.all(|k| k == first) { Ok(()) } else { fail_match(op, names, what) }
}

fn fail_match(op: OpRef<'_>, names: &[crate::opdef::Str], what: &str) -> Checked {
    let mut list = String::new();
    for (i, name) in names.iter().enumerate() {
        let _ = write!(list, "{}{name}", if i == 0 { "" } else { ", " });
    }
    fail(op, format_args!("failed to verify that all of {{{list}}} have same {what}"))
}

/// The type of the operand, result or attribute called `name`; `None` when it is absent.
fn type_named<'a>(op: OpRef<'a>, def: &OpDef, name: &str) -> Option<TypeRef<'a>> {
    if let Some(i) = def.operands.iter().position(|o| o.name == name) {
        return op.operand_group(i).get(0).map(ValueRef::ty);
    }
    if let Some(i) = def.results.iter().position(|r| r.name == name) {
        return op.result_group(i).get(0).map(ValueRef::ty);
    }
    let none = || op.cx().ty(op.cx().none_type());
    op.attr(name).and_then(|attr| attr.ty().or_else(|| attr.as_type()).or_else(|| attr.is_string().then(none)))
}

/// The types of the operands or results called `name`.
fn values_named(op: OpRef<'_>, def: &OpDef, name: &str) -> Option<SmallVec<[crate::Type; 4]>> {
    if let Some(i) = def.operands.iter().position(|o| o.name == name) {
        return Some(op.operand_group(i).types());
    }
    let i = def.results.iter().position(|r| r.name == name)?;
    Some(op.result_group(i).types())
}

/// The types of the operands or results called `name`, where that is a list of any length.
fn types_of_many(op: OpRef<'_>, def: &OpDef, name: &str) -> Option<SmallVec<[crate::Type; 4]>> {
    let many = |value: &crate::opdef::ValueDef| value.name == name && value.arity == Arity::Variadic;
    (def.operands.iter().any(many) || def.results.iter().any(many)).then(|| values_named(op, def, name))?
}

fn all_values(op: OpRef<'_>) -> impl Iterator<Item = ValueRef<'_>> {
    op.operands().iter().chain(op.results().iter())
}

/// Equal, or shaped types of one element type whose shapes agree where both are known.
fn same_or_compatible(a: TypeRef<'_>, b: TypeRef<'_>) -> bool {
    if a == b {
        return true;
    }
    let same_kind =
        (a.is_tensor() && b.is_tensor()) || (a.is_memref() && b.is_memref()) || (a.is_vector() && b.is_vector());
    same_kind && a.element_type() == b.element_type() && a.encoding() == b.encoding() && compatible_shapes(&[a, b])
}

/// Whether the extents that are known agree, and which of them are scalable, as [`Trait::SameOperandsShape`] asks of operands. Scalars agree with
/// scalars only, types without a rank with all shapes.
pub fn compatible_shapes(types: &[TypeRef<'_>]) -> bool {
    let shaped = types.iter().filter(|ty| ty.is_shaped()).count();
    if shaped == 0 {
        return true;
    }
    if shaped != types.len() {
        return false;
    }
    let mut scalable = types.iter().filter(|ty| ty.is_vector()).map(|ty| ty.scalable_dims());
    if let Some(first) = scalable.next()
        && scalable.any(|dims| dims != first)
    {
        return false;
    }
    let shapes: SmallVec<[&[i64]; 4]> = types.iter().filter_map(|ty| ty.shape()).collect();
    shapes.windows(2).all(|pair| pair[0].len() == pair[1].len())
        && (0..shapes.first().map_or(0, |s| s.len())).all(|dim| {
            let mut known = shapes.iter().map(|s| s[dim]).filter(|&d| d != DYNAMIC);
            known.next().is_none_or(|first| known.all(|d| d == first))
        })
}

fn verify_elementwise(op: OpRef<'_>) -> Checked {
    let mappable = |v: &ValueRef<'_>| v.ty().is_vector() || v.ty().is_tensor();
    let results: SmallVec<[ValueRef<'_>; 2]> = op.results().iter().filter(mappable).collect();
    let operands: SmallVec<[ValueRef<'_>; 4]> = op.operands().iter().filter(mappable).collect();
    if operands.is_empty() && results.is_empty() {
        return Ok(());
    }
    if !results.is_empty() && operands.is_empty() {
        return fail(op, "if a result is non-scalar, then at least one operand must be non-scalar");
    }
    if results.is_empty() {
        return fail(op, "if an operand is non-scalar, then there must be at least one non-scalar result");
    }
    if results.len() != op.num_results() {
        return fail(op, "if an operand is non-scalar, then all results must be non-scalar");
    }
    let types: SmallVec<[TypeRef<'_>; 4]> = operands.iter().chain(&results).map(|v| v.ty()).collect();
    let base = |ty: &TypeRef<'_>| (ty.is_vector(), ty.is_ranked_tensor());
    if !types.windows(2).all(|pair| base(&pair[0]) == base(&pair[1])) || !compatible_shapes(&types) {
        return fail(op, "all non-scalar operands/results must have the same shape and base type");
    }
    Ok(())
}
