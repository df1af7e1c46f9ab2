//! Accesses to views become accesses to the buffer that is looked at: `fold-memref-alias-ops` and `affine-fold-memref-alias-ops`.

mod affine;
mod fold;
mod view;

pub use affine::AffineFoldMemRefAliasOps;
pub use fold::FoldMemRefAliasOps;
pub(crate) use fold::add_patterns;
