//! Passes that apply one set of patterns each.

use dl_ir::Context;
use dl_ir::pass::{Pass, PassCx, PassInfo, PassOptions, PassRegistry, PassResult};
use dl_ir::rewrite::Patterns;
use dl_ir::rewrite::greedy::GreedyConfig;

use crate::lowering::{self, ContractLowering, TransposeLowering};
use crate::{fold_extension, reductions};

fn apply(cx: &mut PassCx<'_>, patterns: Patterns) -> PassResult {
    if !cx.rewrite_greedily(&patterns.freeze(), &GreedyConfig::default())?.changed {
        cx.preserve_all();
    }
    Ok(())
}

/// Passes without options: a type, its name, what it does, and the patterns that it applies.
macro_rules! pattern_passes {
    ($($(#[$doc:meta])* $pass:ident $name:literal $summary:literal $add:expr;)*) => {
        $(
            $(#[$doc])*
            #[derive(Clone, Copy, Default)]
            pub struct $pass;

            impl Pass for $pass {
                const INFO: PassInfo = PassInfo::new($name, $summary);

                fn run(&mut self, cx: &mut PassCx<'_>) -> PassResult {
                    let mut patterns = Patterns::new();
                    let add: fn(&Context, &mut Patterns) = $add;
                    add(cx.ctx, &mut patterns);
                    apply(cx, patterns)
                }
            }
        )*

        fn register_without_options(registry: &mut PassRegistry) {
            $(registry.pass::<$pass>();)*
        }
    };
}

pattern_passes! {
    /// Lowers `vector.bitcast` of several dimensions.
    LowerBitcast "vector-lower-bitcast" "Unroll vector.bitcast to vectors of one dimension"
        |_, patterns| lowering::bitcast(patterns);
    /// Lowers `vector.broadcast`.
    LowerBroadcast "vector-lower-broadcast" "Lower vector.broadcast of vectors to that of rows and scalars"
        |_, patterns| lowering::broadcast(patterns);
    /// Lowers `vector.extract_strided_slice` and `vector.insert_strided_slice`.
    LowerStridedSlices "vector-lower-strided-slices" "Lower strided slices to shuffles of vectors of one dimension"
        |_, patterns| lowering::slices(patterns);
    /// Lowers `vector.extract_strided_slice` of vectors of one dimension.
    SliceElements "vector-lower-slice-to-elements" "Lower slices of vectors of one dimension to their elements"
        |_, patterns| lowering::slice_elements(patterns);
    /// Lowers `vector.from_elements` and `vector.to_elements` of several dimensions.
    LowerElements "vector-lower-elements" "Unroll vector.from_elements and vector.to_elements to one dimension"
        |_, patterns| {
            lowering::from_elements(patterns);
            lowering::to_elements(patterns);
        };
    /// Lowers `vector.fma` of several dimensions.
    LowerFma "vector-lower-fma" "Unroll vector.fma to vectors of one dimension"
        |_, patterns| lowering::fma(patterns);
    /// Lowers `vector.gather` of several dimensions.
    LowerGather "vector-lower-gather" "Unroll vector.gather to vectors of one dimension"
        |_, patterns| lowering::gather(patterns);
    /// Lowers `vector.interleave` and `vector.deinterleave` of several dimensions.
    LowerInterleave "vector-lower-interleave" "Unroll vector.interleave and vector.deinterleave to one dimension"
        |_, patterns| lowering::interleave(patterns);
    /// Lowers `vector.create_mask` and `vector.constant_mask` of several dimensions.
    LowerMasks "vector-lower-masks" "Lower vector.create_mask and vector.constant_mask to those of rows"
        |_, patterns| lowering::masks(patterns);
    /// Lowers masked loads and stores, and gathers, to loads and stores of lanes.
    LowerMaskedAccesses "vector-lower-masked-accesses" "Load, store and gather lane by lane, where the mask is on"
        |_, patterns| {
            lowering::masked_lanes(patterns);
            lowering::gather_in_a_row(patterns);
        };
    /// Lowers `vector.scan`.
    LowerScan "vector-lower-scan" "Lower vector.scan to element-wise operations on slices"
        |_, patterns| lowering::scan(patterns);
    /// Lowers `vector.shape_cast`.
    LowerShapeCast "vector-lower-shape-cast" "Lower vector.shape_cast to extracting and inserting what stays together"
        |_, patterns| lowering::shape_cast(patterns);
    /// Lowers transfers to loads and stores.
    LowerTransfers "vector-lower-transfers" "Lower transfers in bounds to loads and stores, permutations taken out first"
        |_, patterns| {
            lowering::transfer_maps(patterns);
            lowering::transfers(None, patterns);
        };
    /// Takes permutations out of transfers.
    LowerTransferMaps "vector-lower-transfer-maps" "Take permutations and broadcasts out of transfers"
        |_, patterns| lowering::transfer_maps(patterns);
    /// Folds extensions into contractions.
    FoldArithExtension "vector-fold-arith-extension" "Fold extensions of both operands into vector.contract"
        |_, patterns| fold_extension::fold_extension(patterns);
}

dl_ir::pass_options! {
    /// Options of [`LowerContraction`].
    pub struct LowerContractionOptions {
        /// How contractions are lowered
        lowering "lowering-strategy": ContractLowering = ContractLowering::OuterProduct,
    }
}

/// Lowers `vector.contract`.
#[derive(Clone, Default)]
pub struct LowerContraction {
    /// The options.
    pub options: LowerContractionOptions,
}

impl Pass for LowerContraction {
    const INFO: PassInfo = PassInfo::new(
        "vector-lower-contraction",
        "Lower vector.contract to outer products, dot products or element-wise operations",
    );

    fn options(&mut self) -> Option<&mut dyn PassOptions> {
        Some(&mut self.options)
    }

    fn run(&mut self, cx: &mut PassCx<'_>) -> PassResult {
        let mut patterns = Patterns::new();
        lowering::contract(self.options.lowering, &mut patterns);
        apply(cx, patterns)
    }
}

dl_ir::pass_options! {
    /// Options of [`LowerTranspose`].
    pub struct LowerTransposeOptions {
        /// How transpositions are lowered
        lowering "lowering-strategy": TransposeLowering = TransposeLowering::EltWise,
    }
}

/// Lowers `vector.transpose`.
#[derive(Clone, Default)]
pub struct LowerTranspose {
    /// The options.
    pub options: LowerTransposeOptions,
}

impl Pass for LowerTranspose {
    const INFO: PassInfo = PassInfo::new("vector-lower-transpose", "Lower vector.transpose to shuffles or elements");

    fn options(&mut self) -> Option<&mut dyn PassOptions> {
        Some(&mut self.options)
    }

    fn run(&mut self, cx: &mut PassCx<'_>) -> PassResult {
        let mut patterns = Patterns::new();
        lowering::transpose(self.options.lowering, &mut patterns);
        apply(cx, patterns)
    }
}

dl_ir::pass_options! {
    /// Options of [`BreakDownBitcast`].
    pub struct BreakDownBitcastOptions {
        /// Leave vectors of at most so many elements alone
        max_elements "max-elements": i64 = 4,
    }
}

/// Takes bit casts of long vectors apart.
#[derive(Clone, Default)]
pub struct BreakDownBitcast {
    /// The options.
    pub options: BreakDownBitcastOptions,
}

impl Pass for BreakDownBitcast {
    const INFO: PassInfo =
        PassInfo::new("vector-break-down-bitcast", "Take vector.bitcast of long vectors to wider elements apart");

    fn options(&mut self) -> Option<&mut dyn PassOptions> {
        Some(&mut self.options)
    }

    fn run(&mut self, cx: &mut PassCx<'_>) -> PassResult {
        let mut patterns = Patterns::new();
        lowering::break_down_bitcast(self.options.max_elements, &mut patterns);
        apply(cx, patterns)
    }
}

dl_ir::pass_options! {
    /// Options of [`BreakDownReduction`].
    pub struct BreakDownReductionOptions {
        /// Add up floats in another order where no flag allows it
        assume_reassociation "assume-reassociation": bool = false,
        /// Leave reductions of more elements alone
        max_elements "max-elements": i64 = 2,
    }
}

/// Computes short reductions element by element.
#[derive(Clone, Default)]
pub struct BreakDownReduction {
    /// The options.
    pub options: BreakDownReductionOptions,
}

impl Pass for BreakDownReduction {
    const INFO: PassInfo =
        PassInfo::new("vector-break-down-reduction", "Compute short vector.reduction element by element");

    fn options(&mut self) -> Option<&mut dyn PassOptions> {
        Some(&mut self.options)
    }

    fn run(&mut self, cx: &mut PassCx<'_>) -> PassResult {
        let mut patterns = Patterns::new();
        reductions::break_down(self.options.max_elements, self.options.assume_reassociation, &mut patterns);
        apply(cx, patterns)
    }
}

dl_ir::pass_options! {
    /// Options of [`FoldChainedReductions`].
    pub struct FoldChainedReductionsOptions {
        /// Add up floats in another order where no flag allows it
        assume_reassociation "assume-reassociation": bool = false,
    }
}

/// Makes chains of reductions one.
#[derive(Clone, Default)]
pub struct FoldChainedReductions {
    /// The options.
    pub options: FoldChainedReductionsOptions,
}

impl Pass for FoldChainedReductions {
    const INFO: PassInfo =
        PassInfo::new("vector-fold-chained-reductions", "Make a chain of vector.reduction one of the combined vectors");

    fn options(&mut self) -> Option<&mut dyn PassOptions> {
        Some(&mut self.options)
    }

    fn run(&mut self, cx: &mut PassCx<'_>) -> PassResult {
        let assume = self.options.assume_reassociation;
        let (mut sums, mut chains) = (Patterns::new(), Patterns::new());
        reductions::drop_zeros(assume, &mut sums);
        reductions::fold_chains(assume, &mut chains);
        let before = cx.rewrite_greedily(&sums.freeze(), &GreedyConfig::default())?.changed;
        if !cx.rewrite_greedily(&chains.freeze(), &GreedyConfig::default())?.changed && !before {
            cx.preserve_all();
        }
        Ok(())
    }
}

/// Registers the passes of this file.
pub(crate) fn register(registry: &mut PassRegistry) {
    register_without_options(registry);
    registry
        .pass::<BreakDownBitcast>()
        .pass::<BreakDownReduction>()
        .pass::<FoldChainedReductions>()
        .pass::<LowerContraction>()
        .pass::<LowerTranspose>();
}
