//! `affine-super-vectorize`: iterations of parallel loops become lanes of vectors of one to three dimensions.
//!
//! 1. [`candidates`] are nests of loops, one loop for each dimension of the vectors.
//! 2. [`plan`] decides whether such a nest can be vectorized, and how: nothing is changed before that.
//! 3. [`emit`] makes the new nest.
//!
//! Lanes past the end of a loop compute what is not used. They read nothing outside of a buffer, since transfers do not, and write nothing: either
//! all that they would write is outside of the buffer, or the transfer is masked.

mod candidates;
mod emit;
mod plan;

use dl_ir::pass::{Pass, PassCx, PassInfo, PassOptions, PassResult};
use dl_ir::walk::ops_in_arena;
use dl_ir::{Arena, Diagnostic, OpId, OpRef, Rewriter};
use rustc_hash::FxHashMap;

use self::candidates::{Candidate, candidates, groups};
use crate::loops;
use crate::parallelize::is_memory_parallel;
use crate::reduction::{Reduction, reductions};

dl_ir::pass_options! {
    /// Options of [`AffineSuperVectorize`].
    pub struct AffineSuperVectorizeOptions {
        /// For each dimension of the vectors, the dimension of buffers along which the loop must go, counted from the last; one for each size
        fastest_varying "test-fastest-varying": Vec<i64> = Vec::new(),
        /// Vectorize loops that carry sums and the like, too; their operands are combined in another order
        vectorize_reductions "vectorize-reductions": bool = false,
        /// Sizes of the vectors, one for each dimension. Nothing is vectorized without any, or with more than three
        sizes "virtual-vector-size": Vec<i64> = Vec::new(),
    }
}

/// Makes vector operations of loops whose iterations do not depend on each other.
#[derive(Clone, Default)]
pub struct AffineSuperVectorize {
    /// The options.
    pub options: AffineSuperVectorizeOptions,
}

impl Pass for AffineSuperVectorize {
    const INFO: PassInfo =
        PassInfo::new("affine-super-vectorize", "Vectorize affine loops to vectors of any number of dimensions")
            .title("AffineVectorize")
            .on("func.func");

    fn options(&mut self) -> Option<&mut dyn PassOptions> {
        Some(&mut self.options)
    }

    fn run(&mut self, cx: &mut PassCx<'_>) -> PassResult {
        let options = &self.options;
        let root = cx.root();
        if !options.fastest_varying.is_empty() && options.fastest_varying.len() != options.sizes.len() {
            let message = "Fastest varying pattern specified with different size than the vector size.";
            return Err(Diagnostic::error(root.loc(), message).into());
        }
        if options.vectorize_reductions && options.sizes.len() != 1 {
            let message = "Vectorizing reductions is supported only for 1-D vectors.";
            return Err(Diagnostic::error(root.loc(), message).into());
        }
        if options.sizes.iter().any(|&size| size <= 0) {
            return Err(Diagnostic::error(root.loc(), "Vectorization factor must be greater than zero.").into());
        }
        if !(1..=3).contains(&options.sizes.len()) {
            return Ok(());
        }
        let mut rw = Rewriter::new(cx.ctx, cx.ir);
        let parallel = parallel_loops(&rw, options.vectorize_reductions);
        let found = candidates(&rw, &parallel, &options.sizes, &options.fastest_varying);
        for group in groups(&rw, found) {
            // Nests of a group stand in each other: at most one of them can be vectorized.
            for Candidate { root, dims } in group {
                let carried = parallel.get(&root).map_or(&[][..], |found| found);
                if let Some(plan) = plan::plan(&rw, root, dims, &options.sizes, carried) {
                    emit::vectorize(&mut rw, &plan);
                    break;
                }
            }
        }
        Ok(())
    }
}

/// The loops whose iterations can be executed in any order, each with what it carries.
fn parallel_loops(rw: &Rewriter<'_>, with_reductions: bool) -> FxHashMap<OpId, Vec<Reduction>> {
    let all = ops_in_arena(rw.ir(), Arena::ROOT);
    let loops = all.into_iter().filter(|&op| rw.op(op).is::<dl_affine::AffineForOp<'_>>());
    let parallel = |op: OpId| {
        let each = loops::view(rw, op);
        let found = if with_reductions { reductions(each)? } else { Vec::new() };
        (found.len() == each.inits().len() && is_memory_parallel(each)).then_some((op, found))
    };
    loops.filter_map(parallel).collect()
}

/// Whether lanes of a vector may be values of this type.
fn is_element(ty: dl_ir::TypeRef<'_>) -> bool {
    ty.is_index() || ty.int_or_float_width().is_some()
}

/// Whether `op` stands in the loop `around`.
fn is_inside(around: OpRef<'_>, op: OpRef<'_>) -> bool {
    around != op && around.is_ancestor_of(op.id())
}
