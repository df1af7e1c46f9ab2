//! The command line tools as libraries: a tool of one's own, with more dialects and passes, is a `main` of three lines.
//!
//! ```no_run
//! let mut registry = dl_tools::Registry::standard();
//! // registry.dialect(Box::new(MyDialect)); registry.passes.pass::<MyPass>();
//! let _code = dl_tools::opt::main(&registry);
//! ```

#![forbid(unsafe_code)]

pub mod opt;
pub mod reference;

use dl_ir::pass::PassRegistry;
use dl_ir::{Context, Dialect};

/// The dialects and passes that a tool knows.
#[derive(Default)]
pub struct Registry {
    dialects: Vec<Box<dyn Dialect>>,
    extensions: Vec<fn(&mut Context)>,
    /// The passes and pipelines.
    pub passes: PassRegistry,
}

impl Registry {
    /// Nothing but the `builtin` dialect.
    pub fn new() -> Self {
        Self::default()
    }

    /// All dialects and passes of this project.
    pub fn standard() -> Self {
        let mut registry = Self::new();
        registry.dialect(Box::new(dl_affine::Affine));
        registry.dialect(Box::new(dl_arith::Arith));
        registry.dialect(Box::new(dl_async::Async));
        registry.dialect(Box::new(dl_bufferization::Bufferization));
        registry.dialect(Box::new(dl_cf::Cf));
        registry.dialect(Box::new(dl_complex::Complex));
        registry.dialect(Box::new(dl_dl::Dl));
        registry.dialect(Box::new(dl_func::Func));
        registry.dialect(Box::new(dl_gpu::Gpu));
        registry.dialect(Box::new(dl_index::Index));
        registry.dialect(Box::new(dl_irdl::Irdl));
        registry.dialect(Box::new(dl_linalg::Linalg));
        registry.dialect(Box::new(dl_llvm::Llvm));
        registry.dialect(Box::new(dl_math::Math));
        registry.dialect(Box::new(dl_memref::MemRef));
        registry.dialect(Box::new(dl_pdl::Pdl));
        registry.dialect(Box::new(dl_pdl_interp::PdlInterp));
        registry.dialect(Box::new(dl_quant::Quant));
        registry.dialect(Box::new(dl_scf::Scf));
        registry.dialect(Box::new(dl_shape::Shape));
        registry.dialect(Box::new(dl_tensor::Tensor));
        registry.dialect(Box::new(dl_transform::Transform));
        registry.dialect(Box::new(dl_ub::Ub));
        registry.dialect(Box::new(dl_vector::Vector));
        registry.extension(dl_passes::extend_context);
        dl_passes::register_all(&mut registry.passes);
        registry
    }

    /// Adds a dialect.
    pub fn dialect(&mut self, dialect: Box<dyn Dialect>) -> &mut Self {
        self.dialects.push(dialect);
        self
    }

    /// Adds what is attached to operations of dialects, whether or not they are registered.
    pub fn extension(&mut self, extend: fn(&mut Context)) -> &mut Self {
        self.extensions.push(extend);
        self
    }

    /// A context that knows the dialects.
    pub fn context(&self) -> Context {
        let mut cx = Context::new();
        for dialect in &self.dialects {
            cx.register(&**dialect);
        }
        for extend in &self.extensions {
            extend(&mut cx);
        }
        cx
    }

    /// The names of the dialects, sorted.
    pub fn dialect_names(&self) -> Vec<&'static str> {
        let mut names: Vec<_> = self.dialects.iter().map(|dialect| dialect.namespace()).chain(["builtin"]).collect();
        names.sort_unstable();
        names
    }
}
