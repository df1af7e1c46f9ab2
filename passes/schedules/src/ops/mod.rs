//! What the general operations of schedules do.

mod alternatives;
mod apply;
mod control;
mod handles;
mod matching;
mod navigate;
mod report;
mod tune;

pub use apply::rewrite_greedily;
pub(crate) use control::run_entry;

use dl_ir::dialect::Extension;
use dl_ir::{DialectBuilder, OpDefinition};

use crate::interface::Transformation;

/// Attaches what they do.
pub(crate) struct General;

impl Extension for General {
    fn attach(&self, builder: &mut DialectBuilder) {
        alternatives::attach(builder);
        apply::attach(builder);
        control::attach(builder);
        handles::attach(builder);
        matching::attach(builder);
        navigate::attach(builder);
        report::attach(builder);
        tune::attach(builder);
    }
}

fn on<T: OpDefinition>(builder: &mut DialectBuilder, meaning: impl Transformation + 'static) {
    builder.on::<T>().interface::<dyn Transformation>(Box::new(meaning));
}
