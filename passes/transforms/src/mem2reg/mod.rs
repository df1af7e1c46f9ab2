//! `mem2reg`: memory that only loads and stores touch becomes values.
//!
//! [`plan`] finds out whether that can be, and where values meet; [`promote`] does it.

mod frontiers;
mod pass;
mod plan;
mod promote;

pub use pass::{Mem2Reg, Mem2RegOptions};
