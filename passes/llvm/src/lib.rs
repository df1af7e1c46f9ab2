//! Transforms of `llvm` operations. Names, options and results are those of `mlir-opt`, where it has them.

#![forbid(unsafe_code)]

mod add_comdats;
mod debug_info_scope;
mod fence_nontemporal;
mod legalize_for_export;
mod use_default_visibility;

pub use add_comdats::LlvmAddComdats;
pub use debug_info_scope::{DebugInfoScopeOptions, EmissionKind, EnsureDebugInfoScope};
pub use fence_nontemporal::LlvmFenceNontemporalStores;
pub use legalize_for_export::LlvmLegalizeForExport;
pub use use_default_visibility::{DefaultVisibilityOptions, LlvmUseDefaultVisibility};

use dl_ir::pass::PassRegistry;

/// Registers the passes of this crate.
pub fn register(registry: &mut PassRegistry) {
    registry.pass::<EnsureDebugInfoScope>();
    registry.pass::<LlvmAddComdats>();
    registry.pass::<LlvmFenceNontemporalStores>();
    registry.pass::<LlvmLegalizeForExport>();
    registry.pass::<LlvmUseDefaultVisibility>();
}
