//! The `toy` dialect: a language of tensors.
//!
//! Functions are written for arrays of any shape, `tensor<*xf64>`. A program is inlined into its public functions, whose arguments have shapes; from those the shapes of
//! everything follow (`shapes`), and what has a shape becomes loops (`lower`). `--toy-pipeline` does all of it.

mod canonicalize;
mod functions;
mod interpret;
mod lower;
mod ops;
mod shapes;

use dl_ir::{Dialect, DialectBuilder};
use dl_plugin::Registry;

pub use ops::*;
pub use shapes::InferShape;

#[cfg(feature = "plugin")]
dl_plugin::declare_plugin!(register);

/// Adds what this crate brings.
pub fn register(registry: &mut Registry) {
    registry.dialect(Box::new(Toy));
    registry.passes.pass::<shapes::InferShapes>().pass::<lower::ConvertToyToAffine>().pipeline(
        "toy-pipeline",
        "Lower toy to affine loops on buffers",
        "inline,toy.func(toy-infer-shapes,canonicalize,cse),convert-toy-to-affine,canonicalize,cse",
    );
}

/// The `toy` dialect.
pub struct Toy;

impl Dialect for Toy {
    fn namespace(&self) -> &str {
        "toy"
    }

    fn register(&self, b: &mut DialectBuilder) {
        b.ops(OPS);
        canonicalize::register(b);
        functions::register(b);
        interpret::register(b);
        shapes::register(b);
    }
}
