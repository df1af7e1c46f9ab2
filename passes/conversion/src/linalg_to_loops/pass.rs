//! The passes.

use std::sync::Arc;

use dl_ir::pass::{Pass, PassCx, PassInfo, PassResult};
use dl_ir::rewrite::greedy::GreedyConfig;
use dl_ir::rewrite::{FrozenPatterns, Pattern, Patterns, Rewrite};
use dl_ir::{Context, OpId, Rewriter};

use super::emit::to_loops;
use super::nest::LoopKind;

/// Any `linalg` operation on buffers becomes loops.
struct ToLoops(LoopKind);

impl Pattern for ToLoops {
    const NAME: &'static str = "linalg-to-loops";
    const ROOT: Option<&'static str> = None;

    fn rewrite(&self, op: OpId, rw: &mut Rewriter<'_>) -> Rewrite {
        to_loops(op, rw, self.0)
    }
}

/// The pattern, and the canonicalizations of extents and affine expressions.
fn patterns(cx: &Context, kind: LoopKind) -> Arc<FrozenPatterns> {
    let mut patterns = Patterns::new();
    patterns.add(ToLoops(kind));
    for name in ["memref.dim", "affine.apply"] {
        patterns.add_canonicalization(cx, name);
    }
    Arc::new(patterns.freeze())
}

macro_rules! passes {
    ($($(#[$doc:meta])* $pass:ident: $kind:ident, $name:literal, $about:literal, $title:literal;)*) => {$(
        $(#[$doc])*
        #[derive(Clone, Default)]
        pub struct $pass {
            patterns: Option<Arc<FrozenPatterns>>,
        }

        impl Pass for $pass {
            const INFO: PassInfo = PassInfo::new($name, $about).title($title);

            fn initialize(&mut self, cx: &Context) -> PassResult {
                self.patterns = Some(patterns(cx, LoopKind::$kind));
                Ok(())
            }

            fn run(&mut self, cx: &mut PassCx<'_>) -> PassResult {
                let patterns = match &self.patterns {
                    Some(patterns) => patterns.clone(),
                    None => patterns(cx.ctx, LoopKind::$kind),
                };
                cx.rewrite_greedily(&patterns, &GreedyConfig::default())?;
                Ok(())
            }
        }
    )*};
}

passes! {
    /// Lowers `linalg` on buffers to `scf.for`.
    ConvertLinalgToLoops: Scf, "convert-linalg-to-loops", "Lower linalg on buffers to loops", "ConvertLinalgToLoopsPass";
    /// Lowers `linalg` on buffers to `affine.for`.
    ConvertLinalgToAffineLoops: Affine, "convert-linalg-to-affine-loops", "Lower linalg on buffers to affine loops",
        "ConvertLinalgToAffineLoopsPass";
    /// Lowers `linalg` on buffers to `scf.parallel`, and `scf.for` for reductions.
    ConvertLinalgToParallelLoops: Parallel, "convert-linalg-to-parallel-loops", "Lower linalg on buffers to parallel loops",
        "ConvertLinalgToParallelLoopsPass";
}
