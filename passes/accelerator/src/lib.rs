//! From loop nests on tensors to programs for a described accelerator.
//!
//! [`AttachTarget`] writes the description of a machine (`dl_accelerator::target`) on the module. [`lower`] makes launches of what the machine can
//! do, and knows no machine besides; the rest stays with the host.

#![forbid(unsafe_code)]

mod attach;
pub mod lower;

pub use attach::{AttachTarget, AttachTargetOptions};
pub use lower::LowerLinalg;

use dl_ir::pass::PassRegistry;

/// Registers the passes of this crate.
pub fn register(registry: &mut PassRegistry) {
    registry.pass::<AttachTarget>().pass::<LowerLinalg>();
}
