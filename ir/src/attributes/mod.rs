//! Attributes: interned constant data, handled as [`Attr`] ids and looked at through [`AttrRef`].
//!
//! Source of the kinds and their meaning: the MLIR language reference (LLVM 22), "Builtin Dialect".

mod buffer;
mod data;
mod dense;
mod make;
mod sparse;
mod view;

pub use buffer::DenseBuffer;
pub use data::{AttrData, FloatBits};
pub use dense::{DenseData, DenseElement};
pub(crate) use sparse::check_sparse;
pub use view::AttrRef;

crate::entity::define_id! {
    /// An interned attribute of a [`Context`](crate::Context). Equal ids mean equal attributes.
    Attr
}
