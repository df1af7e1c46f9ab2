//! `test-loop-permutation`: the loops of perfect nests in a given order, for tests. Whether that keeps what the program does is asked only where an option
//! wants it.

use dl_affine::AffineForOp;
use dl_ir::pass::{Pass, PassCx, PassInfo, PassOptions, PassResult};
use dl_ir::walk::ops_in_arena;
use dl_ir::{Arena, OpId, Rewriter};

use crate::interchange::{is_inside_nest, is_legal, is_permutation, permute};
use crate::loops;

dl_ir::pass_options! {
    /// Options of [`TestLoopPermutation`].
    pub struct TestLoopPermutationOptions {
        /// Leave nests alone where another order of iterations would change what they do
        check_validity "check-validity": bool = false,
        /// For each loop, outermost first, where it is to stand, counted from 0
        permutation "permutation-map": Vec<u64> = Vec::new(),
    }
}

/// Permutes the loops of nests of the right depth.
#[derive(Clone, Default)]
pub struct TestLoopPermutation {
    /// The options.
    pub options: TestLoopPermutationOptions,
}

impl Pass for TestLoopPermutation {
    const INFO: PassInfo =
        PassInfo::new("test-loop-permutation", "Tests affine loop permutation utility").on("func.func");

    fn options(&mut self) -> Option<&mut dyn PassOptions> {
        Some(&mut self.options)
    }

    fn run(&mut self, cx: &mut PassCx<'_>) -> PassResult {
        let places: Vec<usize> =
            self.options.permutation.iter().map(|&at| usize::try_from(at).unwrap_or(usize::MAX)).collect();
        let order: Vec<usize> =
            (0..places.len()).filter_map(|at| places.iter().position(|&place| place == at)).collect();
        let mut rw = Rewriter::new(cx.ctx, cx.ir);
        for op in ops_in_arena(rw.ir(), Arena::ROOT) {
            if !rw.ir().is_live(op) || !rw.op(op).is::<AffineForOp<'_>>() || is_inside_nest(rw.op(op)) {
                continue;
            }
            let nest = loops::perfect_nest(loops::view(&rw, op));
            let may_permute = !self.options.check_validity || is_legal(&nest, &order);
            if order.is_empty() || !is_permutation(&order, nest.len()) || !may_permute {
                continue;
            }
            let ids: Vec<OpId> = nest.iter().map(|each| each.0.id()).collect();
            if nest.iter().all(|each| each.0.num_results() == 0) && have_independent_bounds(&nest) {
                permute(&mut rw, &ids, &order);
            }
        }
        Ok(())
    }
}

/// Whether no loop's bounds are computed from the induction variable of another one.
fn have_independent_bounds(nest: &[AffineForOp<'_>]) -> bool {
    let variables: Vec<_> = nest.iter().filter_map(|each| Some(each.region().entry()?.arg(0).id())).collect();
    nest.iter().all(|each| each.0.operands().iter().all(|value| !variables.contains(&value.id())))
}
