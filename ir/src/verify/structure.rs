//! Blocks, terminators, successors, and each operation against its definition and hook.

use rustc_hash::FxHashSet;

use super::known::{Kind, Known};
use crate::diagnostics::{Diagnostic, Diagnostics};
use crate::dialect::OpInfo;
use crate::facts::Fact;
use crate::opdef::Trait;
use crate::text::{PrintOptions, op_texts};
use crate::view::{BlockRef, OpRef};

/// What remains to be verified, in program order.
pub(super) struct Verified<'a> {
    /// Nested isolated operations, and whether symbols in them are those of a table in between.
    pub(super) stubs: Vec<(OpRef<'a>, bool)>,
    /// Operations that refer to symbols of the table around them.
    pub(super) symbol_users: Vec<OpRef<'a>>,
    /// Operations with [something to check](verify_after_regions) once their regions are verified.
    pub(super) after: Vec<OpRef<'a>>,
}

/// Verifies every operation of the arena of `root`. A terminator is missed only where all else is right: it is seldom what somebody has
/// to be told who is still writing the operations before it.
pub(super) fn verify<'a>(root: OpRef<'a>, known: &mut Known, out: &mut Diagnostics) -> Verified<'a> {
    // What comes next: an operation and the rest of its block, or a block and the rest of its region; and whether an operation around
    // has symbols of its own, or may have since it is not registered.
    enum Next<'a> {
        Op(OpRef<'a>, bool),
        Block(OpRef<'a>, BlockRef<'a>, bool),
    }
    let before = out.len();
    let mut unterminated = Vec::new();
    let (mut stubs, mut symbol_users, mut after) = (Vec::new(), Vec::new(), Vec::new());
    let mut pending = vec![Next::Op(root, false)];
    while let Some(next) = pending.pop() {
        let (mut next_op, in_other_table) = match next {
            Next::Op(op, in_other_table) => (Some(op), in_other_table),
            Next::Block(parent, block, in_other_table) => {
                pending.extend(block.next().map(|block| Next::Block(parent, block, in_other_table)));
                match verify_block(parent, block) {
                    Ok(None) => {}
                    Ok(Some(last)) => unterminated.push(last),
                    Err(diagnostic) => out.push(*diagnostic),
                }
                (block.first_op(), in_other_table)
            }
        };
        while let Some(op) = next_op {
            next_op = if op.is_root() { None } else { op.next() };
            let data = op.arena().op(op.id());
            if data.is_right() {
                debug_assert!(one(op, op.info(), known).is_ok(), "'{}' has become wrong unnoticed", op.name());
                continue;
            }
            let info = op.info();
            if info.has_fact(Fact::RightByKind)
                && data.is_leaf()
                && Kind::of(op).is_some_and(|kind| known.contains(&kind))
            {
                data.note_right();
                continue;
            }
            if let Err(diagnostic) = one(op, info, known) {
                out.push(*diagnostic);
                continue;
            }
            if info.has_fact(Fact::SymbolUser) && !in_other_table && !op.is_root() {
                symbol_users.push(op);
            }
            if op.is_stub() {
                stubs.push((op, in_other_table));
                continue;
            }
            let no_regions = has_no_regions(op);
            let is_after = info.has_fact(Fact::ImplicitTerminator) || info.hooks.verify_regions.is_some();
            if is_after || !no_regions && is_inner_table(op) {
                after.push(op);
            }
            if no_regions {
                continue;
            }
            pending.extend(next_op.take().map(|op| Next::Op(op, in_other_table)));
            let start = pending.len();
            let holds_symbols = if info.is_registered() { is_inner_table(op) } else { op.num_regions() == 1 };
            let in_other_table = in_other_table || holds_symbols;
            let entries = op.regions().filter_map(|region| region.entry());
            pending.extend(entries.map(|block| Next::Block(op, block, in_other_table)));
            pending[start..].reverse();
        }
    }
    if out.len() == before && !unterminated.is_empty() {
        miss_terminators(root, &unterminated, &after, out);
    }
    Verified { stubs, symbol_users, after }
}

/// Whether `op` holds the symbols in it, and is not the root of an arena, whose names are verified with it.
fn is_inner_table(op: OpRef<'_>) -> bool {
    op.has_trait(&Trait::SymbolTable) && !op.is_root()
}

/// Reports the blocks that end with one of `last`, which should be terminators, unless an operation of `after` whose regions lack none is wrong.
fn miss_terminators(root: OpRef<'_>, last: &[OpRef<'_>], after: &[OpRef<'_>], out: &mut Diagnostics) {
    let before = out.len();
    let mut lacking = FxHashSet::default();
    for op in last {
        let mut around = op.parent();
        while let Some(op) = around.filter(|op| lacking.insert(op.id())) {
            around = op.parent();
        }
    }
    let complete: Vec<_> = after.iter().copied().filter(|op| !lacking.contains(&op.id())).collect();
    verify_after_regions(&complete, out);
    if out.len() == before {
        let ids: Vec<_> = last.iter().map(|op| op.id()).collect();
        let texts = op_texts(root, &ids, &PrintOptions { generic: true, ..PrintOptions::default() });
        for (last, text) in last.iter().zip(texts) {
            out.push(Diagnostic::error(last.loc(), format!("block with no terminator, has {}", text.trim_end())));
        }
    }
}

/// Hooks that look into regions or at other operations, innermost first; what they find is said in program order.
pub(super) fn verify_after_regions(ops: &[OpRef<'_>], out: &mut Diagnostics) {
    let mut found = Vec::new();
    for &op in ops.iter().rev() {
        if let Err(diagnostic) = super::definition::verify_region_traits(op) {
            found.push(*diagnostic);
            continue;
        }
        if is_inner_table(op) {
            let names = super::symbols::verify_names(op);
            found.extend(names.iter().rev().cloned());
        }
        if let Some(hook) = op.info().hooks.verify_regions
            && let Err(diagnostic) = hook(op)
        {
            found.push(diagnostic);
        }
    }
    for diagnostic in found.into_iter().rev() {
        out.push(diagnostic);
    }
}

fn one(op: OpRef<'_>, info: &OpInfo, known: &mut Known) -> Result<(), Box<Diagnostic>> {
    if !info.is_registered() {
        verify_dialect_attrs(op, info)?;
        let cx = op.cx();
        if cx.accepts_unknown_ops(info.dialect()) {
            return Ok(());
        }
        if let Some(dialect) = cx.dialect(info.dialect()) {
            return Err(Box::new(Diagnostic::error(
                op.loc(),
                format!(
                    "unregistered operation '{}' found in dialect ('{}') that does not allow unknown operations",
                    info.name, dialect.namespace
                ),
            )));
        }
        return Err(Box::new(op.error("created with unregistered dialect")));
    }
    let kind = Kind::of(op);
    let is_known = kind.is_some_and(|kind| known.contains(&kind));
    // What hooks say of attributes does not follow from the kind: where there are any, it is never known.
    let has_hooks = !is_known && verify_dialect_attrs(op, info)?;
    // The root of an arena is its stub's inside: operands, results and place were checked there.
    let is_inside = op.is_root() && info.has_trait(&Trait::IsolatedFromAbove);
    if !is_inside {
        if !is_known {
            super::definition::verify_values(op)?;
        }
        verify_place(op, info)?;
    }
    if info.has_trait(&Trait::Symbol) && !op.is_stub() {
        super::symbols::verify_symbol(op)?;
    }
    if op.is_stub() {
        // The rest when its arena is verified, where its attributes are.
        super::definition::verify_named_types(op)?;
        return super::definition::verify_type_traits(op);
    }
    let has_body = !has_no_regions(op) || !info.has_fact(Fact::NoRegions);
    if has_body {
        super::definition::verify_regions(op)?;
    }
    if !is_known {
        super::definition::verify_attrs(op)?;
    }
    if !is_known && !is_inside {
        super::definition::verify_named_types(op)?;
    }
    if !is_known && info.has_fact(Fact::Predicate) {
        super::definition::verify_predicates(op)?;
    }
    if has_body {
        super::definition::verify_block_counts(op)?;
    }
    if !is_known {
        if !is_inside {
            super::definition::verify_type_traits(op)?;
        }
        if let Some(hook) = info.hooks.verify_kind {
            hook(op).map_err(Box::new)?;
        }
        if let Some(kind) = kind.filter(|_| !has_hooks) {
            known.insert(&kind);
        }
    }
    if has_body {
        super::definition::verify_body_traits(op)?;
    }
    if info.has_trait(&Trait::SymbolTable) {
        super::symbols::verify_shape(op)?;
    }
    if let Some(hook) = info.hooks.verify {
        hook(op).map_err(Box::new)?;
    }
    Ok(())
}

/// Attributes that the definition does not name, and dialects want to check. Answers whether there are any.
fn verify_dialect_attrs(op: OpRef<'_>, info: &OpInfo) -> Result<bool, Box<Diagnostic>> {
    if op.is_stub() {
        return Ok(false); // they are in its arena
    }
    let mut has_hooks = false;
    let cx = op.cx();
    for (name, attr) in op.attrs().filter(|(name, _)| info.inherent_index(op.cx(), *name).is_none()) {
        let name = cx.str(name);
        let hook = name.split_once('.').and_then(|(dialect, _)| cx.dialect(dialect)?.verify_op_attr);
        if let Some(hook) = hook {
            hook(op, name, attr).map_err(Box::new)?;
            has_hooks = true;
        }
    }
    Ok(has_hooks)
}

/// Whether `op` has no regions, neither here nor in an arena of its own. Cheaper than to ask for their number.
fn has_no_regions(op: OpRef<'_>) -> bool {
    op.arena().op(op.id()).is_leaf() || !op.is_stub() && op.arena().op_regions(op.id()).is_empty()
}

/// Terminators end blocks, and parents are those that the definition allows.
fn verify_place(op: OpRef<'_>, info: &OpInfo) -> Result<(), Box<Diagnostic>> {
    let Some(block) = op.block() else { return Ok(()) };
    let Some(def) = info.def.as_deref() else { return Ok(()) };
    let parents = if info.has_fact(Fact::HasParent) { &def.traits[..] } else { &[] };
    for each in parents {
        let Trait::HasParent(parents) = each else { continue };
        let parent = block.parent_op();
        if parent.is_some_and(|p| parents.iter().any(|name| name == p.name())) {
            continue;
        }
        let message = match &parents[..] {
            [one] => format!("expects parent op '{one}'"),
            many => format!("expects parent op to be one of '{}'", many.join(", ")),
        };
        return Err(Box::new(op.error(message)));
    }
    if info.has_trait(&Trait::Terminator) && op.next().is_some() {
        return Err(Box::new(op.error("must be the last operation in the parent block")));
    }
    if op.num_successors() == 0 {
        return Ok(());
    }
    for successor in op.successors() {
        if successor.region() != block.region() {
            return Err(Box::new(op.error("reference to block defined in another region")));
        }
    }
    Ok(())
}

/// Answers the last operation where it should be a terminator and is none.
fn verify_block<'a>(op: OpRef<'a>, block: BlockRef<'a>) -> Result<Option<OpRef<'a>>, Box<Diagnostic>> {
    if block.is_entry() && block.predecessor_ops().next().is_some() {
        return Err(Box::new(Diagnostic::error(op.loc(), "entry block of region may not have predecessors")));
    }
    let optional = may_lack_terminator(op, block);
    let Some(last) = block.last_op() else {
        if optional {
            return Ok(None);
        }
        return Err(Box::new(Diagnostic::error(op.loc(), "empty block: expect at least a terminator")));
    };
    // Where nothing in the arena has successors there is no need to look.
    let ops = if block.arena().successors.is_empty() { None } else { Some(block.ops()) };
    for inner in ops.into_iter().flatten() {
        if inner.num_successors() > 0 && inner.id() != last.id() {
            let message = "operation with block successors must terminate its parent block";
            return Err(Box::new(Diagnostic::error(inner.loc(), message)));
        }
    }
    Ok((!optional && block.terminator().is_none()).then_some(last))
}

/// Whether the operation around lets `block` end without a terminator.
fn may_lack_terminator(op: OpRef<'_>, block: BlockRef<'_>) -> bool {
    if !op.info().is_registered() {
        return block.region().is_some_and(crate::view::RegionRef::has_one_block);
    }
    op.has_trait(&Trait::NoTerminator)
}
