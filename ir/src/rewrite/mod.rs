//! Rewriting: patterns and the drivers that apply them.
//!
//! A pattern matches one operation completely before its first mutation, then changes the IR through the
//! [`Rewriter`](crate::Rewriter). [`greedy`] applies patterns until nothing changes; [`conversion`] until everything is legal.
//!
//! # Local rewrites
//! A pattern or fold is local where what it does depends on nothing but the context, the operation, and those that define its operands, the
//! operands of these, and so on, [`REACH`] steps far: on their names, attributes, operands and types. It does not ask who uses a value, where an
//! operation stands, or what is in a region. Where all that may be tried on an operation is said to be local, by
//! [`Pattern::LOCAL`], [`Patterns::add_local_fn`] and [`DialectBuilder::local_folds`](crate::DialectBuilder::local_folds), the greedy driver does not try it again while nothing around
//! the operation has changed. Debug builds try, and panic if that finds something.

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

/// How many definitions deep [local rewrites](self#local-rewrites) look.
pub const REACH: u32 = 2;

/// The examples of the chapter on rewriting.
#[cfg(doctest)]
#[doc = include_str!("../../../docs/rewriting.md")]
pub struct RewritingChapter;
