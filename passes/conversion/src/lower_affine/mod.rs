//! `lower-affine`: affine loops, conditions, accesses and index computations become `scf`, `memref`, `vector` and `arith`.
//!
//! Maps become arithmetic on `index`. A division or remainder by a constant that is not positive has no meaning and is an error.

mod access;
mod index;
mod loops;

use dl_affine::AffineYieldOp;
use dl_ir::affine::{AffineExpr, AffineExprData, AffineOp};
use dl_ir::pass::{Pass, PassCx, PassInfo, PassResult};
use dl_ir::rewrite::Patterns;
use dl_ir::rewrite::conversion::{ConversionPatterns, ConversionTarget};
use dl_ir::walk::{map_nested_arenas, ops_in_arena};
use dl_ir::{Arena, AttrData, Context, Diagnostics, OpDefinition, OpRef};

/// Lowers the `affine` dialect.
#[derive(Clone, Copy, Default)]
pub struct LowerAffine;

impl Pass for LowerAffine {
    const INFO: PassInfo =
        PassInfo::new("lower-affine", "Lower Affine operations to a combination of Arith and SCF operations")
            .title("LowerAffinePass");

    fn run(&mut self, cx: &mut PassCx<'_>) -> PassResult {
        let mut errors = check(cx.ctx, cx.ir);
        map_nested_arenas(cx.ctx, cx.ir, &|cx, ir| check(cx, ir)).into_iter().for_each(|nested| errors.append(nested));
        if !errors.is_empty() {
            return Err(errors);
        }
        let mut target = ConversionTarget::new();
        target.legal_dialects(&["arith", "memref", "scf", "vector"]).illegal_dialects(&["affine"]);
        let mut patterns = ConversionPatterns::new();
        patterns.add_rewrites(lowering_patterns());
        cx.convert_partially(&target, &patterns.freeze())
    }
}

/// The patterns that lower each affine operation.
pub(crate) fn lowering_patterns() -> Patterns {
    let mut patterns = Patterns::new();
    patterns
        .add_fn("affine-lower-apply", Some(dl_affine::AffineApplyOp::NAME), access::lower_apply)
        .add_fn("affine-lower-min", Some(dl_affine::AffineMinOp::NAME), access::lower_min)
        .add_fn("affine-lower-max", Some(dl_affine::AffineMaxOp::NAME), access::lower_max)
        .add_fn("affine-lower-load", Some(dl_affine::AffineLoadOp::NAME), access::lower_load)
        .add_fn("affine-lower-store", Some(dl_affine::AffineStoreOp::NAME), access::lower_store)
        .add_fn("affine-lower-prefetch", Some(dl_affine::AffinePrefetchOp::NAME), access::lower_prefetch)
        .add_fn("affine-lower-dma-start", Some(dl_affine::AffineDmaStartOp::NAME), access::lower_dma_start)
        .add_fn("affine-lower-dma-wait", Some(dl_affine::AffineDmaWaitOp::NAME), access::lower_dma_wait)
        .add_fn("affine-lower-vector-load", Some(dl_affine::AffineVectorLoadOp::NAME), access::lower_vector_load)
        .add_fn("affine-lower-vector-store", Some(dl_affine::AffineVectorStoreOp::NAME), access::lower_vector_store)
        .add_fn("affine-lower-for", Some(dl_affine::AffineForOp::NAME), loops::lower_for)
        .add_fn("affine-lower-if", Some(dl_affine::AffineIfOp::NAME), loops::lower_if)
        .add_fn("affine-lower-parallel", Some(dl_affine::AffineParallelOp::NAME), loops::lower_parallel)
        .add_fn("affine-lower-yield", Some(AffineYieldOp::NAME), loops::lower_yield)
        .add_fn("affine-lower-linearize", Some(dl_affine::AffineLinearizeIndexOp::NAME), index::lower_linearize)
        .add_fn("affine-lower-delinearize", Some(dl_affine::AffineDelinearizeIndexOp::NAME), index::lower_delinearize);
    patterns
}

/// Refuses divisions and remainders by constants that are not positive, and accesses of vectors that `vector` does not have, at the operations of `ir` that
/// hold them.
fn check(cx: &Context, ir: &Arena) -> Diagnostics {
    let mut errors = Diagnostics::default();
    let ops = ops_in_arena(ir, Arena::ROOT).into_iter().map(|op| OpRef::new(cx, ir, op));
    for op in ops.filter(|op| op.info().dialect() == "affine") {
        let message = op.attrs().find_map(|(_, attr)| bad_divisor(op, attr.data()));
        if let Some(message) = message.or_else(|| access::bad_vector(op)) {
            errors.push(dl_ir::Diagnostic::error(op.loc(), message));
        }
    }
    errors
}

fn bad_divisor(op: OpRef<'_>, attr: &AttrData) -> Option<&'static str> {
    let affine = op.cx().affine();
    let roots: Vec<AffineExpr> = match attr {
        AttrData::AffineMap(map) => affine.map(*map).results.to_vec(),
        AttrData::IntegerSet(set) => affine.set(*set).constraints.iter().map(|c| c.expr).collect(),
        _ => return None,
    };
    affine.post_order(&roots).into_iter().find_map(|expr| {
        let AffineExprData::Binary { op: kind, rhs, .. } = affine.expr(expr) else { return None };
        let message = match kind {
            AffineOp::Mod => "modulo by non-positive value is not supported",
            AffineOp::FloorDiv | AffineOp::CeilDiv => "division by non-positive value is not supported",
            AffineOp::Add | AffineOp::Mul => return None,
        };
        affine.constant_value(rhs).filter(|&divisor| divisor < 1).map(|_| message)
    })
}
