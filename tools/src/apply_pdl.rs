//! `apply-pdl`: patterns that a file has in the dialect `pdl`, applied as they are.

use std::sync::Arc;

use dl_ir::bytecode::load_source;
use dl_ir::pass::{Pass, PassCx, PassInfo, PassOptions, PassResult};
use dl_ir::rewrite::greedy::GreedyConfig;
use dl_ir::rewrite::region_simplify::RegionSimplify;
use dl_ir::rewrite::{FrozenPatterns, Patterns};
use dl_ir::{Context, Diagnostic, Loc, OpRef, verify};
use dl_tools_support::files;

dl_ir::pass_options! {
    /// Options of [`ApplyPdl`].
    pub struct ApplyPdlOptions {
        /// File with patterns in the dialect pdl
        file "file": String = String::new(),
    }
}

/// Applies the patterns of a file greedily. `--apply-pdl=FILE` is short for `apply-pdl{file=FILE}`.
#[derive(Clone, Default)]
pub struct ApplyPdl {
    options: ApplyPdlOptions,
    patterns: Option<Arc<FrozenPatterns>>,
}

impl Pass for ApplyPdl {
    const INFO: PassInfo = PassInfo::new("apply-pdl", "Apply the patterns that a file has in the dialect pdl");

    fn options(&mut self) -> Option<&mut dyn PassOptions> {
        Some(&mut self.options)
    }

    fn initialize(&mut self, cx: &Context) -> PassResult {
        let error = |why: String| Diagnostic::error(Loc::UNKNOWN, format!("apply-pdl: {why}"));
        if self.options.file.is_empty() {
            return Err(error("the option 'file' names no file".to_owned()).into());
        }
        let (name, text) = files::read(&self.options.file).map_err(error)?;
        let module = load_source(cx, &cx.add_source(&name, text))?.module;
        verify::verify(cx, &module)?;
        let mut patterns = Patterns::new();
        dl_pdl::apply::add_patterns(cx, OpRef::root(cx, &module), &mut patterns)?;
        self.patterns = Some(Arc::new(patterns.freeze()));
        Ok(())
    }

    fn run(&mut self, cx: &mut PassCx<'_>) -> PassResult {
        let patterns = self.patterns.clone().expect("a pass is initialized before it runs");
        let config = GreedyConfig { region_simplify: RegionSimplify::Disabled, ..GreedyConfig::default() };
        cx.rewrite_greedily(&patterns, &config)?;
        Ok(())
    }
}
