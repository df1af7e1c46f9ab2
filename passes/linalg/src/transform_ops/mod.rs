//! What operations of schedules do to loop nests: `transform.structured`.

mod find;
mod forms;
mod fuse_into;
mod interchange;
mod tile;
mod vectorize;

use dl_ir::DialectBuilder;
use dl_ir::dialect::Extension;

/// Attaches what they do.
pub(crate) struct TransformOps;

impl Extension for TransformOps {
    fn attach(&self, builder: &mut DialectBuilder) {
        find::attach(builder);
        forms::attach(builder);
        fuse_into::attach(builder);
        interchange::attach(builder);
        tile::attach(builder);
        vectorize::attach(builder);
    }
}
