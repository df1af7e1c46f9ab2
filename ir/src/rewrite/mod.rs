//! Rewriting: patterns and the drivers that apply them.
//!
//! A pattern matches one operation completely before its first mutation, then changes the IR through the
//! [`Rewriter`](crate::Rewriter). [`greedy`] applies patterns until nothing changes; [`conversion`] until everything is legal.

mod constant_pool;
pub mod conversion;
pub mod fold;
pub mod greedy;
mod pattern;
mod recurrence;
mod region_branch;
pub mod region_simplify;
mod rules;

pub use constant_pool::ConstantPool;
pub use fold::create_or_fold;
pub use pattern::{AnyPattern, FrozenPatterns, NoMatch, Pattern, Patterns, Rewrite};
pub use recurrence::Recurrence;
pub use region_branch::add_region_branch_patterns;
pub use rules::Found;

/// The examples of the chapter on rewriting.
#[cfg(doctest)]
#[doc = include_str!("../../../docs/rewriting.md")]
pub struct RewritingChapter;
