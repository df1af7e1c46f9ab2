//! One operation in several forms: named (`linalg.add`), by category (`linalg.elementwise`) and general (`linalg.generic`).

mod compare;
mod elementwise;
mod generalize;
mod pass;
mod specialize;
mod unfold;

pub(crate) use compare::computes;
pub use generalize::{generalize, generalized};
pub use pass::{GeneralizeNamedOps, MorphOps, SpecializeGenericOps};
pub use specialize::{specialize, specialized};
