//! The verifier.
//!
//! # What holds of verified IR
//! * Every operation has the operands, results, attributes, regions and successors of its definition, and they satisfy its
//!   constraints and traits (`definition`); its own `verify` hook holds.
//! * Blocks end with a terminator where their operation wants one; terminators stand nowhere else; branches stay in a region;
//!   nothing branches to an entry block.
//! * Every use is dominated by its definition, save in graph regions and unreachable blocks.
//! * Names in a symbol table are distinct, and symbol uses refer to what they need.
//!
//! A fault does not hide others in other operations. Cost: about 20 ns an operation. Nested isolated operations are verified
//! in parallel when asked; messages come in program order all the same.

mod definition;
mod dominance;
pub(crate) mod known;
mod structure;
mod symbols;

pub use self::definition::compatible_shapes;

use rayon::prelude::*;

use self::known::{Known, Lent};
use crate::arena::Arena;
use crate::context::Context;
use crate::diagnostics::Diagnostics;
use crate::opdef::Trait;
use crate::parallel::evenly;
use crate::view::OpRef;

/// Verifies `ir` and all that is nested in it.
///
/// # Errors
/// All that is wrong, in program order.
pub fn verify(cx: &Context, ir: &Arena) -> Result<(), Diagnostics> {
    verify_with(cx, ir, false)
}

/// The same, with nested isolated operations in parallel where `parallel` holds.
///
/// # Errors
/// All that is wrong, in program order.
pub fn verify_with(cx: &Context, ir: &Arena, parallel: bool) -> Result<(), Diagnostics> {
    let mut diagnostics = Diagnostics::default();
    let mut known = Lent::of(cx);
    stacker::maybe_grow(64 * 1024, 1024 * 1024, || {
        arena(OpRef::root(cx, ir), parallel, &mut known, &mut diagnostics);
    });
    if diagnostics.has_errors() { Err(diagnostics) } else { Ok(()) }
}

/// Verifies the root of an arena and what it holds; then the nested arenas, if that went well for the operations around them. Answers
/// the operations that refer to symbols of a table outside of it.
fn arena<'a>(root: OpRef<'a>, parallel: bool, known: &mut Known, out: &mut Diagnostics) -> Vec<OpRef<'a>> {
    let before = out.len();
    let structure::Verified { stubs, mut symbol_users, after } = structure::verify(root, known, out);
    if out.len() == before {
        dominance::verify(root, out);
    }
    if out.len() > before {
        return Vec::new();
    }
    let nested = |known: &mut Known, &(stub, in_other_table): &(OpRef<'a>, bool), parallel: bool| {
        let mut own = Diagnostics::default();
        if let Err(diagnostic) = symbols::verify_symbol(stub) {
            own.push(*diagnostic);
            return (own, Vec::new());
        }
        let users = stacker::maybe_grow(64 * 1024, 1024 * 1024, || arena(stub.body(), parallel, known, &mut own));
        if own.is_empty()
            && let Some(hook) = stub.info().hooks.verify_in_place
            && let Err(diagnostic) = hook(stub)
        {
            own.push(diagnostic);
        }
        (own, if in_other_table { Vec::new() } else { users })
    };
    let is_table = root.has_trait(&Trait::SymbolTable);
    let names = || if is_table { symbols::verify_names(root) } else { Diagnostics::default() };
    let (names, all): (_, Vec<_>) = if parallel && stubs.len() > 1 {
        let new = || Lent::of(root.cx());
        rayon::join(names, || evenly(stubs.par_iter()).map_init(new, |known, stub| nested(known, stub, true)).collect())
    } else {
        (names(), stubs.iter().map(|stub| nested(known, stub, parallel)).collect())
    };
    for (own, users) in all {
        out.append(own);
        symbol_users.extend(users);
    }
    if out.len() == before {
        structure::verify_after_regions(&after, out);
        if is_table {
            out.append(names);
            symbols::verify_uses(root, &symbol_users, out);
            return Vec::new();
        }
    }
    symbol_users
}
