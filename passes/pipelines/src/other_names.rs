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
    ("test-vector-gather-lowering", "vector-lower-gather"),
    ("test-vector-scan-lowering", "vector-lower-scan"),
];

/// Registers the names.
pub(crate) fn register(registry: &mut PassRegistry) {
    for &(name, passes) in NAMES {
        registry.other_name(name, move |_: &NoOptions| passes.to_owned());
    }
}
