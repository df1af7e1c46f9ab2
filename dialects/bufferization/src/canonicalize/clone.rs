//! Copies of buffers that are not needed: writing to a buffer after it was copied, or to its copy, is undefined, so that either can stand for
//! the other.

use dl_ir::interfaces::ViewLike;
use dl_ir::opdef::Effects;
use dl_ir::rewrite::{NoMatch, Patterns, Rewrite};
use dl_ir::{DYNAMIC, OpDefinition, OpId, OpRef, OpState, Rewriter, TypeRef, ValueId, ValueRef};
use smallvec::SmallVec;

use crate::CloneOp;

/// Whether operand `at` of `op` is freed by it.
fn frees(op: OpRef<'_>, at: usize) -> bool {
    let operands = op.def().map_or(&[][..], |def| &def.operands);
    let freed = |(i, _): (usize, _)| op.operand_group(i).range().contains(&at);
    operands.iter().enumerate().filter(|(_, def)| def.effects.contains(Effects::FREE)).any(freed)
}

/// Whether some operand of `op` is freed by it.
fn frees_something(op: OpRef<'_>) -> bool {
    (0..op.num_operands()).any(|at| frees(op, at))
}

/// The operation that frees `value`, if there is one. `Err` where there are several.
fn end_of(value: ValueRef<'_>) -> Result<Option<OpRef<'_>>, NoMatch> {
    let mut ends = value.uses().filter(|&(user, at)| frees(user, at));
    let end = ends.next().map(|(user, _)| user);
    if ends.next().is_some() { Err(NoMatch("freed more than once")) } else { Ok(end) }
}

/// The buffer that `value` is a view of.
fn base(mut value: ValueRef<'_>) -> ValueRef<'_> {
    while let Some(op) = value.defining_op() {
        let Some(view) = op.interface::<dyn ViewLike>() else { break };
        value = view.source(op);
    }
    value
}

/// Whether one type is the other, or `memref.cast` goes from one to the other.
fn is_cast(from: TypeRef<'_>, to: TypeRef<'_>) -> bool {
    let fits = |a: i64, b: i64| a == b || a == DYNAMIC || b == DYNAMIC;
    let (Some(a), Some(b)) = (from.shape(), to.shape()) else { return from == to || from.has_rank() || to.has_rank() };
    let (Some(x), Some(y)) = (from.strided_layout(), to.strided_layout()) else { return from == to };
    from.element_type() == to.element_type()
        && from.memory_space() == to.memory_space()
        && a.len() == b.len()
        && a.iter().zip(b).all(|(&a, &b)| fits(a, b))
        && fits(x.offset, y.offset)
        && x.strides.iter().zip(&y.strides).all(|(&a, &b)| fits(a, b))
}

/// A copy that nothing uses but its end is not made.
fn unused_clone(op: OpId, rw: &mut Rewriter<'_>) -> Rewrite {
    let copy = CloneOp(rw.op(op)).output();
    if !copy.uses().all(|(user, _)| user.name() == "memref.dealloc") {
        return Err(NoMatch("the copy is used"));
    }
    let users: SmallVec<[OpId; 2]> = copy.uses().map(|(user, _)| user.id()).collect();
    for user in users {
        rw.erase(user);
    }
    rw.erase(op);
    Ok(())
}

/// A copy of a cast is one of its source.
fn clone_of_cast(op: OpId, rw: &mut Rewriter<'_>) -> Rewrite {
    let clone = CloneOp(rw.op(op));
    let cast = clone.input().defining_op().filter(|cast| cast.name() == "memref.cast");
    let source = cast.map(|cast| cast.operand(0)).filter(|source| source.ty().is_ranked_memref());
    let source = source.filter(|source| source.ty().element_type() == clone.output().ty().element_type());
    let source = source.ok_or(NoMatch("the source is no cast of a ranked memref"))?.id();
    rw.set_operand(op, 0, source);
    Ok(())
}

/// A copy of which one side is freed in the same block, with nothing else freed before, is the other side.
fn clone_of_freed(op: OpId, rw: &mut Rewriter<'_>) -> Rewrite {
    let clone = CloneOp(rw.op(op));
    let (source, copy) = (clone.input(), clone.output());
    let (end_of_copy, end_of_source) = (end_of(copy)?, end_of(base(source))?);
    let block = clone.0.block();
    let both = end_of_copy.zip(end_of_source).is_some_and(|(a, b)| a.block() == b.block());
    let here = |end: &OpRef<'_>| end.block() == block && end.name() == "memref.dealloc";
    let end = end_of_copy.filter(here).or(end_of_source.filter(here)).filter(|_| !both);
    let end = end.ok_or(NoMatch("neither side alone is freed here"))?;
    let mut between = clone.0.next();
    while between != Some(end) {
        let each = between.ok_or(NoMatch("freed before"))?;
        if frees_something(each) {
            return Err(NoMatch("something else is freed before"));
        }
        between = each.next();
    }
    let (from, to) = (source.ty(), copy.ty());
    if !is_cast(from, to) {
        return Err(NoMatch("the types cannot be cast"));
    }
    let (end, mut value, ty, loc): (OpId, ValueId, _, _) = (end.id(), source.id(), to.id(), clone.0.loc());
    if from != to {
        value = rw.create_value(OpState::named("memref.cast", loc).operands([value]).results([ty]));
    }
    rw.erase(end);
    rw.replace(op, &[value]);
    Ok(())
}

pub(crate) fn clone(patterns: &mut Patterns) {
    let root = Some(CloneOp::NAME);
    patterns
        .add_fn("bufferization-unused-clone", root, unused_clone)
        .add_fn("bufferization-clone-of-cast", root, clone_of_cast)
        .add_fn("bufferization-clone-of-freed", root, clone_of_freed);
}
