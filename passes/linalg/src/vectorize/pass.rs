//! The pass `linalg-vectorize`.

use std::sync::Arc;

use dl_ir::pass::{Pass, PassCx, PassInfo, PassOptions, PassResult};
use dl_ir::rewrite::greedy::GreedyConfig;
use dl_ir::rewrite::{FrozenPatterns, Pattern, Patterns, Rewrite};
use dl_ir::{Context, OpId, Rewriter};

use super::emit::vectorize;
use super::plan::plan;

dl_ir::pass_options! {
    /// Options of [`Vectorize`].
    pub struct VectorizeOptions {
        /// Width of a vector register
        vector_bits "vector-bits": u32 = 512,
        /// Let floating-point reductions be reordered, and their products and sums be rounded once, as if by fastmath<reassoc,contract>
        reassociate_fp_reductions "reassociate-fp-reductions": bool = false,
    }
}

/// Lowers loop nests on buffers to loops over vectors, those that can be and for which that pays. The others stay as they are.
#[derive(Clone, Default)]
pub struct Vectorize {
    /// The options.
    pub options: VectorizeOptions,
    patterns: Option<Arc<FrozenPatterns>>,
}

/// Any loop nest.
struct VectorizeNest(VectorizeOptions);

impl Pattern for VectorizeNest {
    const NAME: &'static str = "linalg-vectorize";
    const ROOT: Option<&'static str> = None;

    fn rewrite(&self, op: OpId, rw: &mut Rewriter<'_>) -> Rewrite {
        let plan = plan(rw.op(op), &self.0)?;
        vectorize(rw, op, plan, self.0.reassociate_fp_reductions)
    }
}

/// The pattern, and the canonicalizations of extents and of loops that run once or never.
fn patterns(cx: &Context, options: &VectorizeOptions) -> Arc<FrozenPatterns> {
    let mut patterns = Patterns::new();
    patterns.add(VectorizeNest(options.clone()));
    for name in ["memref.dim", "affine.apply", "scf.for", "vector.create_mask"] {
        if let Some(canonicalize) = cx.find_op(name).and_then(|info| info.hooks.canonicalize) {
            canonicalize(&mut patterns);
        }
    }
    Arc::new(patterns.freeze())
}

impl Pass for Vectorize {
    const INFO: PassInfo = PassInfo::new("linalg-vectorize", "Lower loop nests on buffers to loops over vectors");

    fn options(&mut self) -> Option<&mut dyn PassOptions> {
        Some(&mut self.options)
    }

    fn initialize(&mut self, cx: &Context) -> PassResult {
        self.patterns = Some(patterns(cx, &self.options));
        Ok(())
    }

    fn run(&mut self, cx: &mut PassCx<'_>) -> PassResult {
        let patterns = match &self.patterns {
            Some(patterns) => patterns.clone(),
            None => patterns(cx.ctx, &self.options),
        };
        cx.rewrite_greedily(&patterns, &GreedyConfig::default())?;
        Ok(())
    }
}
