//! The passes `linalg-morph-ops`, `linalg-generalize-named-ops` and `linalg-specialize-generic-ops`.

use dl_ir::pass::{Pass, PassCx, PassInfo, PassOptions, PassResult};
use dl_ir::rewrite::Patterns;
use dl_ir::rewrite::greedy::GreedyConfig;

use super::{elementwise, generalize, specialize, unfold};

dl_ir::pass_options! {
    /// Options of [`MorphOps`].
    pub struct MorphOpsOptions {
        /// Operations of categories, as linalg.elementwise, become linalg.generic
        category_to_generic "category-to-generic": bool = false,
        /// What computes the same as a named operation becomes that
        generic_to_named "generic-to-named": bool = false,
        /// Named operations become those of their category
        named_to_category "named-to-category": bool = false,
        /// Named operations become linalg.generic
        named_to_generic "named-to-generic": bool = false,
    }
}

/// Changes operations from one form to another: each option adds one way.
#[derive(Clone, Default)]
pub struct MorphOps {
    /// The options.
    pub options: MorphOpsOptions,
}

impl Pass for MorphOps {
    const INFO: PassInfo = PassInfo::new("linalg-morph-ops", "Change linalg operations from one form to another")
        .title("LinalgMorphOpsPass");

    fn options(&mut self) -> Option<&mut dyn PassOptions> {
        Some(&mut self.options)
    }

    fn run(&mut self, cx: &mut PassCx<'_>) -> PassResult {
        let mut patterns = Patterns::new();
        if self.options.named_to_category {
            elementwise::add_patterns(&mut patterns);
        }
        if self.options.named_to_generic || self.options.category_to_generic {
            generalize::add_patterns(&mut patterns);
        }
        if self.options.generic_to_named {
            specialize::add_patterns(&mut patterns);
        }
        apply(cx, patterns)
    }
}

/// Makes named operations `linalg.generic`.
#[derive(Clone, Copy, Default)]
pub struct GeneralizeNamedOps;

impl Pass for GeneralizeNamedOps {
    const INFO: PassInfo = PassInfo::new("linalg-generalize-named-ops", "Make named linalg operations linalg.generic")
        .title("LinalgGeneralizeNamedOpsPass");

    fn run(&mut self, cx: &mut PassCx<'_>) -> PassResult {
        let mut patterns = Patterns::new();
        generalize::add_patterns(&mut patterns);
        apply(cx, patterns)
    }
}

/// Makes `linalg.generic` a named operation where one computes the same. Inputs that are transposed or broadcast by their maps are so by
/// operations of their own first.
#[derive(Clone, Copy, Default)]
pub struct SpecializeGenericOps;

impl Pass for SpecializeGenericOps {
    const INFO: PassInfo = PassInfo::new(
        "linalg-specialize-generic-ops",
        "Make linalg.generic a named operation where one computes the same",
    )
    .title("LinalgSpecializeGenericOpsPass");

    fn run(&mut self, cx: &mut PassCx<'_>) -> PassResult {
        let mut patterns = Patterns::new();
        specialize::add_patterns(&mut patterns);
        unfold::add_patterns(&mut patterns);
        apply(cx, patterns)
    }
}

fn apply(cx: &mut PassCx<'_>, patterns: Patterns) -> PassResult {
    if !cx.rewrite_greedily(&patterns.freeze(), &GreedyConfig::default())?.changed {
        cx.preserve_all();
    }
    Ok(())
}
