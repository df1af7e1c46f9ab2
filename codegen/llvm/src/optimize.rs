//! LLVM's optimizations.

use inkwell::passes::PassBuilderOptions;

use crate::{
    error::{Error, Result},
    module::LlvmModule,
    options::OptLevel,
    target::Target,
};

/// What code that was vectorized, unrolled and tiled before it came here needs to become as fast as from LLVM's pipeline of the highest level, in half of
/// the time: addresses and conditions simplified, what does not change moved out of loops, loads and stores once. Loops that are scalar still are
/// vectorized, as far as one pass does it. Dead stores are not looked for: it took a fifth of the time of these passes, in functions that fill many tables for
/// kernels, and no kernel got faster by it. Nor did one by simpler induction variables (`indvars`), which loops have from the start, or by combining
/// instructions before loops are rotated: without both, ResNet-50 compiles in a sixth less. Nor by looking for loops that copy, fill or do nothing (`loop-idiom`,
/// `loop-deletion`), which asks how often each runs: a tenth of LLVM's time.
const QUICK: &str = "cgscc(inline),\
    function(sroa,early-cse<memssa>,simplifycfg,loop-mssa(loop-rotate,licm),\
    simplifycfg,instcombine<no-verify-fixpoint>,gvn,adce,\
    loop-vectorize,instcombine<no-verify-fixpoint>,simplifycfg),globaldce";

impl LlvmModule {
    /// Optimizes for a target at the target's level: with LLVM's own default pipeline, but with a shorter one at [`OptLevel::O2`].
    ///
    /// Also fixes the module's triple and data layout, without which layout-dependent passes would guess.
    pub fn optimize(&mut self, target: &Target) -> Result<()> {
        let _span = tracing::info_span!("llvm-optimize").entered();
        target.apply(self);
        let pipeline = match target.opt_level() {
            OptLevel::O0 => "default<O0>",
            OptLevel::O1 => "default<O1>",
            OptLevel::O2 => QUICK,
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
