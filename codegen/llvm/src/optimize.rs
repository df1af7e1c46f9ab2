//! LLVM's optimization pipeline.

use inkwell::passes::PassBuilderOptions;

use crate::{
    error::{Error, Result},
    module::LlvmModule,
    options::OptLevel,
    target::Target,
};

impl LlvmModule {
    /// Optimizes for a target at the target's level, with LLVM's own default pipeline.
    ///
    /// Also fixes the module's triple and data layout, without which layout-dependent passes would guess.
    pub fn optimize(&mut self, target: &Target) -> Result<()> {
        let _span = tracing::info_span!("llvm-optimize").entered();
        target.apply(self);
        let pipeline = match target.opt_level() {
            OptLevel::O0 => "default<O0>",
            OptLevel::O1 => "default<O1>",
            OptLevel::O2 => "default<O2>",
            OptLevel::O3 => "default<O3>",
        };
        let options = PassBuilderOptions::create();
        options.set_loop_interleaving(true);
        options.set_loop_vectorization(true);
        options.set_loop_slp_vectorization(true);
        options.set_loop_unrolling(true);
        self.inner().run_passes(pipeline, target.machine(), options).map_err(|error| Error::Llvm(error.to_string()))?;
        self.take_errors().map_or(Ok(()), |errors| Err(Error::Llvm(errors)))
    }

    /// The triple that the module itself asks for.
    pub(crate) fn triple(&self) -> Option<String> {
        let triple = self.inner().get_triple();
        let triple = triple.as_str().to_string_lossy();
        (!triple.is_empty()).then(|| triple.into_owned())
    }
}
