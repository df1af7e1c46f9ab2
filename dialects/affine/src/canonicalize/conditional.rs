//! Patterns for `affine.if`.

use dl_ir::rewrite::{NoMatch, Pattern, Patterns, Rewrite};
use dl_ir::{InsertPoint, OpDefinition, OpId, OpView, Rewriter, ValueId};

use crate::AffineIfOp;
use crate::compose::compose_set;

pub(crate) fn if_patterns(patterns: &mut Patterns) {
    patterns.add(ComposeCondition).add(TakeKnownBranch).add(RemoveEmptyElse);
}

/// The set with its operands is brought into canonical form.
struct ComposeCondition;

impl Pattern for ComposeCondition {
    const NAME: &'static str = "affine-if-compose-condition";
    const ROOT: Option<&'static str> = Some(AffineIfOp::NAME);

    fn rewrite(&self, op: OpId, rw: &mut Rewriter<'_>) -> Rewrite {
        let view = AffineIfOp::wrap(rw.op(op));
        let Some(set) = view.condition().as_integer_set() else {
            return Err(NoMatch("has no set"));
        };
        let (new_set, values) = compose_set(view.0, set, view.0.operands().iter());
        let values: Vec<ValueId> = values.into_iter().map(dl_ir::ValueRef::id).collect();
        if new_set == set && values[..] == view.0.operands().ids()[..] {
            return Err(NoMatch("is in canonical form"));
        }
        let cx = rw.cx();
        rw.set_operands(op, &values);
        rw.set_attr(op, cx.ident("condition"), cx.intern_attr(dl_ir::AttrData::IntegerSet(new_set)));
        Ok(())
    }
}

/// A condition without inputs is known, as is one that no point or every point satisfies: one of the branches is taken.
struct TakeKnownBranch;

impl Pattern for TakeKnownBranch {
    const NAME: &'static str = "affine-if-take-known-branch";
    const ROOT: Option<&'static str> = Some(AffineIfOp::NAME);

    fn rewrite(&self, op: OpId, rw: &mut Rewriter<'_>) -> Rewrite {
        let view = AffineIfOp::wrap(rw.op(op));
        let (affine, set) = (view.0.cx().affine(), view.condition().as_integer_set());
        let Some(set) = set else { return Err(NoMatch("has no set")) };
        let holds = if view.0.num_operands() == 0 {
            affine.set_contains(set, &[], &[])
        } else if affine.has_no_point(set) == Some(true) {
            Some(false)
        } else {
            affine.has_every_point(set).filter(|&every| every)
        };
        let Some(holds) = holds else { return Err(NoMatch("is not known")) };
        let region = if holds { view.then_region() } else { view.else_region() };
        let Some(block) = region.entry() else {
            if view.0.num_results() != 0 {
                return Err(NoMatch("has results and no else"));
            }
            rw.erase(op);
            return Ok(());
        };
        let Some(last) = block.last_op() else { return Err(NoMatch("the branch is empty")) };
        let (block, last) = (block.id(), last.id());
        let parent = rw.ir().block_of(op).expect("an operation being rewritten is in a block");
        rw.inline_block(block, InsertPoint { block: parent, before: Some(op) }, &[]);
        let values: Vec<ValueId> = rw.ir().operands(last).collect();
        rw.erase(last);
        rw.replace(op, &values);
        Ok(())
    }
}

/// An `else` that does nothing is left out.
struct RemoveEmptyElse;

impl Pattern for RemoveEmptyElse {
    const NAME: &'static str = "affine-if-remove-empty-else";
    const ROOT: Option<&'static str> = Some(AffineIfOp::NAME);

    fn rewrite(&self, op: OpId, rw: &mut Rewriter<'_>) -> Rewrite {
        let view = AffineIfOp::wrap(rw.op(op));
        let Some(block) = view.else_region().entry().filter(|_| view.0.num_results() == 0) else {
            return Err(NoMatch("has results, or no else"));
        };
        if block.ops().nth(1).is_some() {
            return Err(NoMatch("the else does something"));
        }
        let block = block.id();
        rw.erase_block(block);
        rw.notify_modified(op);
        Ok(())
    }
}
