//! `affine-simplify-structures`: affine maps and sets in their shortest form, and the operations that this makes simpler.

use dl_affine::{AffineApplyOp, AffineForOp, AffineIfOp};
use dl_ir::pass::{Pass, PassCx, PassInfo, PassResult};
use dl_ir::rewrite::Patterns;
use dl_ir::rewrite::greedy::GreedyConfig;
use dl_ir::rewrite::region_simplify::RegionSimplify;
use dl_ir::{Arena, Attr, AttrData, Context, Ident, OpDefinition, OpId, OpRef, Rewriter};
use rustc_hash::FxHashMap;
use smallvec::SmallVec;

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
        let mut known = Known::default();
        dl_ir::walk::for_each_arena(cx.ctx, cx.ir, &mut |cx, ir| simplify_attributes(cx, ir, &mut known));
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

/// The shortest forms that have been found. Most loops and accesses are written with a few maps.
type Known = FxHashMap<Attr, Attr>;

fn simplify_attributes(cx: &Context, ir: &mut Arena, known: &mut Known) {
    for op in dl_ir::walk::ops_in_arena(ir, Arena::ROOT) {
        let changes = changes(OpRef::new(cx, ir, op), known);
        apply(cx, ir, op, &changes);
    }
}

/// The attributes that have a shorter form, with that.
fn changes(op: OpRef<'_>, known: &mut Known) -> SmallVec<[(Ident, Attr); 2]> {
    let shorter = |(name, attr): (Ident, dl_ir::AttrRef<'_>)| {
        let is_structure = matches!(attr.data(), AttrData::AffineMap(_) | AttrData::IntegerSet(_));
        let new = is_structure.then(|| *known.entry(attr.id()).or_insert_with(|| shortest(op.cx(), attr.id())))?;
        (new != attr.id()).then_some((name, new))
    };
    op.attrs().filter_map(shorter).collect()
}

fn shortest(cx: &Context, attr: Attr) -> Attr {
    let affine = cx.affine();
    match cx.attr_data(attr) {
        AttrData::AffineMap(map) => cx.intern_attr(AttrData::AffineMap(affine.simplify_map(*map))),
        AttrData::IntegerSet(set) => cx.intern_attr(AttrData::IntegerSet(affine.simplify_set_as_system(*set))),
        _ => attr,
    }
}

fn apply(cx: &Context, ir: &mut Arena, op: OpId, changes: &[(Ident, Attr)]) {
    let mut rw = Rewriter::new(cx, ir);
    for &(name, attr) in changes {
        rw.set_attr(op, name, attr);
    }
}
