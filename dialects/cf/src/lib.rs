//! The `cf` dialect: branches.
//!
//! `generated` holds the definitions, written by `cargo xtask ods` from MLIR's own.

#![forbid(unsafe_code)]

mod assembly;
mod canonicalize;
mod generated;
mod interfaces;
mod interpret;
mod verify;

pub use generated::*;

use dl_ir::dialect::CustomDirective;
use dl_ir::interfaces::BranchOp as BranchInterface;
use dl_ir::opdef::Effects;
use dl_ir::{Dialect, DialectBuilder};

/// The `cf` dialect.
pub struct Cf;

impl Dialect for Cf {
    fn namespace(&self) -> &'static str {
        "cf"
    }

    fn register(&self, builder: &mut DialectBuilder) {
        interpret::register(builder);
        let cases = CustomDirective { parse: assembly::parse_switch_cases, print: assembly::print_switch_cases };
        builder.ops(OPS).inlining(&dl_ir::interfaces::InlineAnywhere).directive("SwitchOpCases", cases);
        // Failing cannot be seen as a read or write of any buffer, but must not vanish.
        builder.on::<AssertOp<'_>>().effects(|_| Effects::WRITE).canonicalize(canonicalize::assert_patterns);
        builder
            .on::<BranchOp<'_>>()
            .verify(dl_ir::interfaces::verify_branch)
            .canonicalize(canonicalize::br_patterns)
            .interface::<dyn BranchInterface>(Box::new(interfaces::Branch));
        builder
            .on::<CondBranchOp<'_>>()
            .verify(dl_ir::interfaces::verify_branch)
            .canonicalize(canonicalize::cond_br_patterns)
            .interface::<dyn BranchInterface>(Box::new(interfaces::CondBranch));
        builder
            .on::<SwitchOp<'_>>()
            .verify(verify::verify_switch)
            .canonicalize(canonicalize::switch_patterns)
            .interface::<dyn BranchInterface>(Box::new(interfaces::Switch));
    }
}
