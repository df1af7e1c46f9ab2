//! `affine-fold-memref-alias-ops`: affine accesses to views become accesses to what is looked at.

use dl_affine::apply::folded_apply;
use dl_affine::scope::{affine_scope, is_valid_dim};
use dl_affine::{AffineLoadOp, AffineStoreOp};
use dl_ir::interfaces::Index;
use dl_ir::pass::{Pass, PassCx, PassInfo, PassResult};
use dl_ir::rewrite::greedy::GreedyConfig;
use dl_ir::rewrite::{NoMatch, Patterns, Rewrite};
use dl_ir::{AttrRef, DYNAMIC, OpDefinition, OpId, OpRef, OpState, Rewriter, ValueId, ValueRef};
use smallvec::SmallVec;

use super::view::{View, resolve, value_of};

/// Makes `affine.load` and `affine.store` of subviews and reshaped buffers go to the buffer itself.
#[derive(Clone, Copy, Default)]
pub struct AffineFoldMemRefAliasOps;

impl Pass for AffineFoldMemRefAliasOps {
    const INFO: PassInfo =
        PassInfo::new("affine-fold-memref-alias-ops", "Fold memref alias ops into affine memory ops")
            .title("AffineFoldMemRefAliasOps");

    fn run(&mut self, cx: &mut PassCx<'_>) -> PassResult {
        let mut patterns = Patterns::new();
        add_patterns(&mut patterns);
        cx.rewrite_greedily(&patterns.freeze(), &GreedyConfig::default())?;
        Ok(())
    }
}

/// Adds the patterns for affine accesses.
pub(super) fn add_patterns(patterns: &mut Patterns) {
    patterns.add_fn("affine-load-of-view", Some(AffineLoadOp::NAME), access_of_view).add_fn(
        "affine-store-of-view",
        Some(AffineStoreOp::NAME),
        access_of_view,
    );
}

fn access_of_view(op: OpId, rw: &mut Rewriter<'_>) -> Rewrite {
    let access = rw.op(op);
    let at = usize::from(access.is::<AffineStoreOp<'_>>());
    let Some(made) = access.operand(at).defining_op() else { return Err(NoMatch("is not of a view")) };
    let view = View::of(made).ok_or(NoMatch("is not of a view"))?;
    let (source, loc) = (made.operand(0).id(), access.loc());
    let map = access.attr("map").and_then(AttrRef::as_affine_map).ok_or(NoMatch("has no map"))?;
    check(access, made, &view)?;
    let operands: Vec<Index> = access.operands().iter().skip(at + 1).map(|value| Index::Value(value.id())).collect();
    rw.set_insertion_before(op);
    let (affine, cx) = (rw.cx().affine(), rw.cx());
    let data = affine.map(map);
    let as_dims: Vec<_> = (0..data.num_symbols).map(|symbol| affine.dim(data.num_dims + symbol)).collect();
    let mut indices: Vec<Index> = Vec::new();
    for &result in &data.results {
        let expr = affine.replace_in_expr(result, &affine.dims(data.num_dims), &as_dims);
        let index = folded_apply(rw, op, expr, &operands, loc).ok_or(NoMatch("an index overflows"))?;
        indices.push(Index::Value(value_of(rw, index, loc)));
    }
    let resolved = resolve(rw, op, &view, source, &indices, (folded_apply, true), loc)?;
    let access = rw.op(op);
    let identity = affine.identity_map(resolved.len() as u32);
    let stored: SmallVec<[ValueId; 1]> = access.operands().ids().into_iter().take(at).collect();
    let state = OpState::new(access.name_id(), loc).operands(stored).operands([source]).operands(resolved);
    let types = access.results().types();
    let attrs: Vec<_> = access.discardable_attrs().map(|(name, attr)| (name, attr.id())).collect();
    rw.replace_with(op, state.attrs(attrs).attr(cx, "map", cx.affine_map_attr(identity)).results(types));
    Ok(())
}

/// Whether all that the new indices are made of may be used in an affine access where `access` stands.
fn check(access: OpRef<'_>, made: OpRef<'_>, view: &View) -> Result<(), NoMatch> {
    let scope = affine_scope(access);
    let valid = |indices: &[Index]| {
        indices.iter().all(|&index| match index {
            Index::Static(_) => true,
            Index::Value(value) => is_valid_dim(ValueRef::new(access.cx(), access.arena(), value), scope),
        })
    };
    let fits = match view {
        // The product of an index and a stride is affine for known strides.
        View::Slice(slice, _) => {
            valid(&slice.offsets) && slice.strides.iter().all(|stride| stride.as_static().is_some())
        }
        View::Expanded(_, sizes) => valid(sizes),
        View::Collapsed(_) => {
            let is_static = made.operand(0).ty().shape().is_some_and(|shape| !shape.contains(&DYNAMIC));
            is_static || access.parent() == scope
        }
    };
    if fits { Ok(()) } else { Err(NoMatch("an index of the source would not be affine")) }
}
