//! The core of `dl`: operations, regions and blocks; types and attributes; the text form; rewriting; passes.
//!
//! It knows the `builtin` dialect only. Dialects register with a [`Context`]; IR lives in [`Arena`]s, is read through views
//! ([`OpRef`]) and written through a [`Rewriter`]. `docs/architecture.md` has the map.

#![deny(unsafe_code)]
#![warn(clippy::missing_errors_doc, clippy::missing_panics_doc)]

pub mod action;
pub mod affine;
mod arena;
pub mod attributes;
pub mod builtin;
pub mod bytecode;
mod clone;
pub mod constraints;
mod context;
pub mod diagnostics;
pub mod dialect;
pub mod dominance;
pub mod effects;
pub mod entity;
mod enum_macro;
mod facts;
mod groups;
mod images;
pub mod infer;
pub mod int_range;
pub mod interfaces;
pub mod interner;
pub mod interp;
pub mod location;
mod lock;
pub mod number;
mod op_macro;
pub mod opdef;
mod parallel;
pub mod pass;
mod pieces;
pub mod presburger;
pub mod rewrite;
mod rewriter;
mod segments;
mod shared_list;
mod side_table;
mod structure;
pub mod symbol;
pub mod text;
pub mod typedef;
pub mod types;
pub mod verify;
mod view;
pub mod walk;

pub use arena::{Arena, ChildId, Definition, SuccessorId};
pub use attributes::{Attr, AttrData, AttrRef};
pub use clone::{Mapping, clone_arena, clone_op, clone_region_from};
pub use context::{Context, Resource};
pub use diagnostics::{Diagnostic, Diagnostics, Severity};
pub use dialect::{Dialect, DialectBuilder};
pub use entity::{BlockId, Ident, OpId, OpName, RegionId, UseId, ValueId};
pub use location::Loc;
pub use opdef::{OpDef, OpEntry, Trait};
pub use rewriter::{InsertPoint, Listener, OpState, Rewriter};
pub use structure::Structure;
pub use types::{DYNAMIC, FloatKind, Type, TypeData, TypeRef};
pub use view::{BlockRef, OpDefinition, OpRef, OpView, Operands, RegionRef, Results, ValueRef};

/// The examples of the chapter on the structure of IR.
#[cfg(doctest)]
#[doc = include_str!("../../docs/ir-structure.md")]
pub struct IrStructureChapter;
