//! The pass `linalg-vectorize`.

use dl_dl::target;
use dl_ir::pass::{Pass, PassCx, PassInfo, PassOptions, PassResult};
use dl_ir::rewrite::greedy::GreedyConfig;
use dl_ir::rewrite::{FrozenPatterns, NoMatch, Pattern, Patterns, Rewrite};
use dl_ir::{Context, OpDefinition, OpId, OpRef, Rewriter};
use dl_memref::CopyOp;

use super::copies::strided_copy;
use super::emit::vectorize;
use super::plan::plan;

dl_ir::pass_options! {
    /// Options of [`Vectorize`].
    pub struct VectorizeOptions {
        /// Width of a vector register in bits; 0 for that of the target that the module names, 128 where it names none
        vector_bits "vector-bits": u32 = 0,
        /// Compute what is left behind the last full vector under a mask, where the target that the module names has such instructions
        masked_tails "masked-tails": bool = true,
        /// Let floating-point reductions be reordered, and their products and sums be rounded once, as if by fastmath<reassoc,contract>
        reassociate_fp_reductions "reassociate-fp-reductions": bool = false,
        /// Least size in bytes of a buffer that is written past the caches; 0 for half of the last-level cache of the target that the module names, none
        /// where it names none
        streamed_bytes "streamed-bytes": u64 = 0,
    }
}

/// Lowers loop nests on buffers to loops over vectors, those that can be and for which that pays. The others stay as they are.
#[derive(Clone, Default)]
pub struct Vectorize {
    /// The options.
    pub options: VectorizeOptions,
}

/// Why a loop nest is not computed with vectors under these [options](VectorizeOptions::on); `None` where it can be.
pub fn vector_obstacle(op: OpRef<'_>, options: &VectorizeOptions) -> Option<&'static str> {
    plan(op, options).err().map(|NoMatch(why)| why)
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

/// The patterns, and the canonicalizations of extents and of loops that run once or never.
fn patterns(cx: &Context, options: VectorizeOptions) -> FrozenPatterns {
    let mut patterns = Patterns::new();
    patterns.add(VectorizeNest(options));
    patterns.add_fn("memref-copy-to-linalg", Some(CopyOp::NAME), strided_copy);
    for name in ["memref.dim", "affine.apply", "scf.for", "vector.create_mask"] {
        patterns.add_canonicalization(cx, name);
    }
    patterns.freeze()
}

impl VectorizeOptions {
    /// The options with what the target of the module decides.
    #[must_use]
    pub fn on(&self, module: OpRef<'_>) -> Self {
        let mut options = self.clone();
        let target = target::of_module(module);
        if options.vector_bits == 0 {
            options.vector_bits = target.as_ref().map_or(128, |machine| machine.vector_bits);
        }
        if options.streamed_bytes == 0 {
            let last = target.as_ref().map_or(0, |machine| machine.l3.size.max(machine.l2.size));
            options.streamed_bytes = if last == 0 { u64::MAX } else { last / 2 };
        }
        options.masked_tails &= target.is_none_or(|machine| MASKS.iter().any(|feature| machine.has(feature)));
        options
    }
}

/// Extensions with loads and stores of some elements of a vector.
const MASKS: [&str; 3] = ["avx512vl", "sve", "v"];

impl Pass for Vectorize {
    const INFO: PassInfo = PassInfo::new("linalg-vectorize", "Lower loop nests on buffers to loops over vectors");

    fn options(&mut self) -> Option<&mut dyn PassOptions> {
        Some(&mut self.options)
    }

    fn run(&mut self, cx: &mut PassCx<'_>) -> PassResult {
        let patterns = patterns(cx.ctx, self.options.on(cx.root()));
        cx.rewrite_greedily(&patterns, &GreedyConfig::default())?;
        Ok(())
    }
}
