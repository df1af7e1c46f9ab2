//! Names under which the `mlir-opt` of a build with tests knows passes that have a name of their own here.
//!
//! Command lines written for it work as they are. Where its pass does something unsound, the name stands for what it does there: such options
//! of ours begin with `assume-`.

use dl_ir::pass::{NoOptions, PassRegistry};

/// Name there, and passes here.
const NAMES: &[(&str, &str)] = &[
    ("test-fold-arith-extf-into-vector-contract-patterns", "vector-fold-arith-extension"),
    ("test-vector-break-down-bitcast", "vector-break-down-bitcast"),
    ("test-vector-break-down-reduction-patterns", "vector-break-down-reduction{assume-reassociation=true}"),
    ("test-vector-chained-reduction-folding-patterns", "vector-fold-chained-reductions{assume-reassociation=true}"),
    ("test-vector-extract-strided-slice-lowering", "vector-lower-slice-to-elements"),
    ("test-vector-emulate-masked-load-store", "vector-lower-masked-accesses"),
    ("test-vector-gather-lowering", "vector-lower-gather,vector-lower-masked-accesses"),
    ("test-vector-linearize", "vector-linearize"),
    ("test-vector-scan-lowering", "vector-lower-scan"),
    ("test-vector-transferop-opt", "vector-forward-transfers"),
];

dl_ir::pass_options! {
    /// Which patterns on tensors there are to be.
    struct TensorPatterns {
        /// Slices of slices
        merge "test-fold-consecutive-insert-extract-slice": bool = false,
        /// Slices of constants
        constants "test-fold-constant-extract-slice": bool = false,
        /// Empty tensors
        empty "test-empty-op-folding": bool = false,
        /// Reshapes beside slices
        reshapes "test-reassociative-reshape-folding": bool = false,
    }
}

dl_ir::pass_options! {
    /// What is fused with element-wise loop nests.
    struct ElementwiseFusion {
        /// Other such nests
        nests "fuse-generic-ops": bool = false,
        /// Other such nests, where that pays
        nests_that_pay "fuse-generic-ops-control": bool = false,
        /// Reshapes, which then reshape operands
        reshapes "fuse-with-reshape-by-expansion": bool = false,
        /// Reshapes, where that pays
        reshapes_that_pay "control-fusion-by-expansion": bool = false,
    }
}

/// The passes that these are, in order. They fuse what pays, whether they are told so or not.
fn elementwise_fusion(options: &ElementwiseFusion) -> String {
    let nests = (options.nests || options.nests_that_pay).then_some("linalg-fuse-elementwise-ops");
    let reshapes = (options.reshapes || options.reshapes_that_pay).then_some("linalg-fuse-reshapes-by-expansion");
    [nests, reshapes].into_iter().flatten().collect::<Vec<_>>().join(",")
}

/// The passes that these are, in order.
fn tensor_patterns(options: &TensorPatterns) -> String {
    let all = [
        (options.merge, "tensor-merge-slices"),
        (options.constants, "tensor-fold-constants"),
        (options.empty, "tensor-fold-empty"),
        (options.reshapes, "tensor-fold-reshapes-into-slices"),
    ];
    all.into_iter().filter(|(wanted, _)| *wanted).map(|(_, name)| name).collect::<Vec<_>>().join(",")
}

dl_ir::pass_options! {
    /// Which vectors are made vectors of one dimension.
    struct ShortVectors {
        /// Those whose innermost dimension has fewer bits
        bits "target-vector-bitwidth": u64 = u64::MAX,
    }
}

dl_ir::pass_options! {
    /// How narrow integers are emulated.
    struct NarrowIntegers {
        /// Stores are no atomic operations
        no_atomics "disable-atomic-rmw": bool = false,
        /// Width of what is loaded and stored
        width "memref-load-bitwidth": u32 = 8,
    }
}

/// Registers the names.
pub(crate) fn register(registry: &mut PassRegistry) {
    registry.other_name("test-linalg-elementwise-fusion-patterns", elementwise_fusion);
    registry.other_name("test-tensor-transform-patterns", tensor_patterns);
    registry.other_name("test-bit-width-constrained-vector-linearize", |options: &ShortVectors| {
        format!("vector-linearize{{target-vector-bitwidth={}}}", options.bits)
    });
    registry.other_name("test-emulate-narrow-int", |options: &NarrowIntegers| {
        let NarrowIntegers { no_atomics, width } = options;
        format!("memref-emulate-narrow-type{{disable-atomic-rmw={no_atomics} memref-load-bitwidth={width}}}")
    });
    for &(name, passes) in NAMES {
        registry.other_name(name, move |_: &NoOptions| passes.to_owned());
    }
}
