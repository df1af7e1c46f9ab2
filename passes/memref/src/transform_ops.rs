//! What operations of schedules do that are about buffers: `transform.apply_patterns.memref`.

use dl_ir::dialect::Extension;
use dl_ir::rewrite::Patterns;
use dl_ir::{DialectBuilder, OpDefinition, OpRef};
use dl_passes_schedules::PatternSource;
use dl_transform as t;

use crate::{alias, expand_ops, strided_metadata};

/// Attaches what they do.
pub(crate) struct TransformOps;

impl Extension for TransformOps {
    fn attach(&self, b: &mut DialectBuilder) {
        on::<t::ApplyExpandOpsPatternsOp<'_>>(b, |_, set| expand_ops::add_patterns(set));
        on::<t::ApplyExpandStridedMetadataPatternsOp<'_>>(b, |_, set| strided_metadata::expand(set));
        on::<t::ApplyFoldMemrefAliasOpsPatternsOp<'_>>(b, |_, set| alias::add_patterns(set));
    }
}

fn on<T: OpDefinition>(builder: &mut DialectBuilder, add: fn(OpRef<'_>, &mut Patterns)) {
    builder.on::<T>().interface::<dyn PatternSource>(Box::new(add));
}
