//! Types: interned, immutable, handled as [`Type`] ids and looked at through [`TypeRef`].
//!
//! Source of the kinds and their meaning: the MLIR language reference (LLVM 22), "Builtin Dialect".

mod check;
mod data;
mod make;
mod strided;
mod view;

pub use data::{FloatKind, Signedness, TypeData};
pub use strided::{StridedLayout, row_major_strides};
pub use view::TypeRef;

crate::entity::define_id! {
    /// An interned type of a [`Context`](crate::Context). Equal ids mean equal types.
    Type
}

/// The extent of a dimension that is known only at run time, printed `?`.
pub const DYNAMIC: i64 = i64::MIN;
