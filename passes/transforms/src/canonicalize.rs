//! `canonicalize`: folding and the canonicalization patterns of all operations.

use std::sync::Arc;

use dl_ir::pass::{Pass, PassCx, PassInfo, PassOptions, PassResult};
use dl_ir::rewrite::greedy::GreedyConfig;
use dl_ir::rewrite::region_simplify::RegionSimplify;
use dl_ir::rewrite::{FrozenPatterns, Patterns};
use dl_ir::{Context, Diagnostic, Loc};

dl_ir::pass_options! {
    /// Options of [`Canonicalize`].
    pub struct CanonicalizeOptions {
        /// Names of patterns, or of groups of patterns, that are not applied
        disable_patterns "disable-patterns": Vec<String> = Vec::new(),
        /// Names of the only patterns, or groups of patterns, that are applied
        enable_patterns "enable-patterns": Vec<String> = Vec::new(),
        /// Most rounds of applying patterns and simplifying regions, -1 for no limit
        max_iterations "max-iterations": i64 = 10,
        /// Most pattern applications in one round, -1 for no limit
        max_num_rewrites "max-num-rewrites": i64 = -1,
        /// What to do with the control flow between blocks
        region_simplify "region-simplify": RegionSimplify = RegionSimplify::Normal,
        /// Fail where the last round still changed something
        test_convergence "test-convergence": bool = false,
        /// Start with the first operation rather than with the last one
        top_down "top-down": bool = true,
    }
}

/// Brings operations into a form that other passes can count on least of all: nothing may depend on it for correctness.
#[derive(Clone, Default)]
pub struct Canonicalize {
    /// The options.
    pub options: CanonicalizeOptions,
    patterns: Option<Arc<FrozenPatterns>>,
}

/// The canonicalization patterns of all registered operations, in the order of their names.
pub fn canonicalization_patterns(cx: &Context) -> Patterns {
    let mut patterns = Patterns::new();
    for op in cx.ops() {
        op.canonicalize(&mut patterns);
    }
    patterns
}

impl Pass for Canonicalize {
    const INFO: PassInfo = PassInfo::new("canonicalize", "Canonicalize operations").title("Canonicalizer");

    fn options(&mut self) -> Option<&mut dyn PassOptions> {
        Some(&mut self.options)
    }

    fn initialize(&mut self, cx: &Context) -> PassResult {
        let mut patterns = canonicalization_patterns(cx);
        let CanonicalizeOptions { enable_patterns: enable, disable_patterns: disable, .. } = &self.options;
        patterns
            .select(enable, disable)
            .map_err(|why| Diagnostic::error(Loc::UNKNOWN, format!("canonicalize: {why}")))?;
        self.patterns = Some(Arc::new(patterns.freeze()));
        Ok(())
    }

    fn run(&mut self, cx: &mut PassCx<'_>) -> PassResult {
        let patterns = self.patterns.clone().expect("a pass is initialized before it runs");
        let options = &self.options;
        let config = GreedyConfig {
            top_down: options.top_down,
            max_iterations: u32::try_from(options.max_iterations).ok(),
            max_rewrites: u64::try_from(options.max_num_rewrites).ok(),
            region_simplify: options.region_simplify,
            ..GreedyConfig::default()
        };
        let result = cx.rewrite_greedily(&patterns, &config)?;
        if !result.changed {
            cx.preserve_all();
        }
        if options.test_convergence && !result.converged {
            let error = cx.root().error("canonicalization does not converge: the last round still changed something");
            return Err(result.recurrence.explain(error).into());
        }
        Ok(())
    }
}
