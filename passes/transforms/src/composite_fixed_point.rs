//! `composite-fixed-point-pass`: a pipeline, again and again until it changes nothing.

use dl_ir::pass::{
    Anchor, Pass, PassCx, PassInfo, PassManager, PassOptions, PassRegistry, PassResult, fingerprint,
    parse_pipeline_items,
};
use dl_ir::{Arena, Context, Diagnostic, Loc};

dl_ir::pass_options! {
    /// Options of [`CompositeFixedPoint`].
    pub struct CompositeFixedPointOptions {
        /// Most runs of the pipeline after the first one
        max_iterations "max-iterations": i32 = 10,
        /// What messages call it
        name "name": String = "CompositeFixedPointPass".to_owned(),
        /// The passes, for the operation itself
        pipeline "pipeline": String = String::new(),
    }
}

/// Runs a pipeline on the operation until it changes nothing. Where it does not come to that, it warns.
#[derive(Clone, Default)]
pub struct CompositeFixedPoint {
    /// The options.
    pub options: CompositeFixedPointOptions,
    pipeline: Option<PassManager>,
}

impl Pass for CompositeFixedPoint {
    const INFO: PassInfo = PassInfo::new("composite-fixed-point-pass", "Run a pipeline until it changes nothing")
        .title("CompositeFixedPointPass");

    fn options(&mut self) -> Option<&mut dyn PassOptions> {
        Some(&mut self.options)
    }

    fn resolve(&mut self, cx: &Context, registry: &PassRegistry) -> Result<(), Diagnostic> {
        if self.options.max_iterations <= 0 {
            let message = format!("invalid max-iterations value: {}", self.options.max_iterations);
            return Err(Diagnostic::error(Loc::UNKNOWN, message));
        }
        let mut pipeline = PassManager::new(Anchor::Any);
        parse_pipeline_items(cx, registry, &self.options.pipeline, &mut pipeline)?;
        self.pipeline = Some(pipeline);
        Ok(())
    }

    fn run(&mut self, cx: &mut PassCx<'_>) -> PassResult {
        let Some(pipeline) = &mut self.pipeline else {
            cx.preserve_all();
            return Ok(());
        };
        let mut before = fingerprint(cx.root());
        for _ in 0..=self.options.max_iterations {
            cx.run_pipeline(pipeline, Arena::ROOT)?;
            let after = fingerprint(cx.root());
            if after == before {
                return Ok(());
            }
            before = after;
        }
        let CompositeFixedPointOptions { name, max_iterations, .. } = &self.options;
        let message = format_args!("composite pass \"{name}\" didn't converge in {max_iterations} iterations");
        let warning = cx.root().warning(message);
        cx.emit(warning);
        Ok(())
    }
}
