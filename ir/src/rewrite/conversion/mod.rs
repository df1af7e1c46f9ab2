//! Dialect conversion: patterns applied until every operation is legal for a target, with types changed on the way.
//!
//! A conversion has a [`ConversionTarget`] (what is legal), [`ConversionPatterns`] (how illegal operations are rewritten) and
//! often a [`TypeConverter`]. Operations are visited once, parents before children, in program order; what a pattern makes is
//! legalized right after it. Rewrites apply at once and are never rolled back: a pattern must match fully before it mutates.
//!
//! Where a value changes its type, a temporary `builtin.unrealized_conversion_cast` stands in for the old value, and patterns
//! get the converted operands handed to them. At the end casts that cancel out vanish; for those that remain the converter's
//! materializations are asked.
//!
//! Nested isolated operations are converted after the operation around them, in parallel where the context allows threads.
//! A pattern on such an operation changes its body through [`ConversionRewriter::enter`]. From inside, symbols around are seen
//! through a snapshot, and new ones are asked for with [`ConversionRewriter::declare_symbol`].

mod casts;
mod driver;
mod functions;
mod pattern;
mod rewriter;
mod target;
mod types;

pub use casts::{reconcile_casts, unresolved_cast};
pub use driver::{ConversionConfig, apply_full_conversion, apply_partial_conversion};
pub use functions::{Retyped, convert_function_types};
pub use pattern::{ConversionPattern, ConversionPatterns, Converted, FrozenConversionPatterns};
pub use rewriter::ConversionRewriter;
pub use target::{ConversionTarget, Legality};
pub use types::{SignatureConversion, TypeConverter, Types};
