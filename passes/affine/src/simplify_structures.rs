//! `affine-simplify-structures`: affine maps and sets in their shortest form, and the operations that this makes simpler.

use dl_affine::{AffineApplyOp, AffineForOp, AffineIfOp};
use dl_ir::pass::{Pass, PassCx, PassInfo, PassResult};
use dl_ir::rewrite::Patterns;
use dl_ir::rewrite::greedy::GreedyConfig;
use dl_ir::rewrite::region_simplify::RegionSimplify;
use dl_ir::{Arena, Attr, AttrData, Context, Ident, OpDefinition, OpId, OpRef, Rewriter};

/// Simplifies the maps and sets of all operations. A set loses the constraints that follow from its others, and becomes the empty set where
/// it has no integer point. Then the patterns of `affine.apply`, `affine.for` and `affine.if` are applied.
#[derive(Clone, Copy, Default)]
pub struct SimplifyStructures;

impl Pass for SimplifyStructures {
    const INFO: PassInfo =
        PassInfo::new("affine-simplify-structures", "Bring affine maps and sets into their shortest form")
            .title("AffineSimplifyStructures")
            .on("func.func");

    fn run(&mut self, cx: &mut PassCx<'_>) -> PassResult {
        simplify_attributes(cx.ctx, cx.ir);
        dl_ir::walk::for_each_arena(cx.ctx, cx.ir, &mut simplify_attributes);
        let mut patterns = Patterns::new();
        for name in [AffineApplyOp::NAME, AffineForOp::NAME, AffineIfOp::NAME] {
            patterns.add_canonicalization(cx.ctx, name);
        }
        let config = GreedyConfig {
            region_simplify: RegionSimplify::Disabled,
            merge_constants: false,
            ..GreedyConfig::default()
        };
        cx.rewrite_greedily(&patterns.freeze(), &config)?;
        Ok(())
    }
}

fn simplify_attributes(cx: &Context, ir: &mut Arena) {
    for op in dl_ir::walk::ops_in_arena(ir, Arena::ROOT) {
        let changes = changes(OpRef::new(cx, ir, op));
        apply(cx, ir, op, &changes);
    }
}

/// The attributes that have a shorter form, with that.
fn changes(op: OpRef<'_>) -> Vec<(Ident, Attr)> {
    let (cx, affine) = (op.cx(), op.cx().affine());
    let shorter = |(name, attr): (Ident, dl_ir::AttrRef<'_>)| {
        let data = match cx.attr_data(attr.id()) {
            AttrData::AffineMap(map) => AttrData::AffineMap(affine.simplify_map(*map)),
            AttrData::IntegerSet(set) => AttrData::IntegerSet(affine.simplify_set_as_system(*set)),
            _ => return None,
        };
        let new = cx.intern_attr(data);
        (new != attr.id()).then_some((name, new))
    };
    op.attrs().filter_map(shorter).collect()
}

fn apply(cx: &Context, ir: &mut Arena, op: OpId, changes: &[(Ident, Attr)]) {
    let mut rw = Rewriter::new(cx, ir);
    for &(name, attr) in changes {
        rw.set_attr(op, name, attr);
    }
}
