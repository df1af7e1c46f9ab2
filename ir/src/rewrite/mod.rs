//! Rewriting: patterns and the drivers that apply them.
//!
//! A pattern matches one operation completely before its first mutation, then changes the IR through the [`Rewriter`].
//! [`greedy`] applies patterns until nothing changes; [`conversion`] until everything is legal.

pub mod conversion;
pub mod greedy;
mod pattern;

pub use pattern::{AnyPattern, FrozenPatterns, NoMatch, Pattern, Patterns, Rewrite};

#[expect(unused_imports, reason = "named in the documentation above")]
use crate::rewriter::Rewriter;
