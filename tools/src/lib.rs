//! The command line tools as libraries: a tool of one's own, with more dialects and passes, is a `main` of three lines.
//!
//! ```no_run
//! let mut registry = dl_tools::standard();
//! // registry.dialect(Box::new(MyDialect)); registry.passes.pass::<MyPass>();
//! let _code = dl_tools::opt::main(registry);
//! ```
//!
//! With [`Heap`] as its `#[global_allocator]`, as these tools have it, threads wait less for each other.

#![forbid(unsafe_code)]

pub mod apply_pdl;
pub mod opt;
pub mod reference;

pub use dl_plugin::Registry;
pub use dl_tools_support::heap::Heap;

/// All dialects and passes of this project.
pub fn standard() -> Registry {
    let mut registry = Registry::new();
    registry.dialect(Box::new(dl_accelerator::Accelerator));
    registry.dialect(Box::new(dl_affine::Affine));
    registry.dialect(Box::new(dl_arith::Arith));
    registry.dialect(Box::new(dl_async::Async));
    registry.dialect(Box::new(dl_bufferization::Bufferization));
    registry.dialect(Box::new(dl_cf::Cf));
    registry.dialect(Box::new(dl_complex::Complex));
    registry.dialect(Box::new(dl_dl::Dl));
    registry.dialect(Box::new(dl_dlti::Dlti));
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
    registry.passes.pass::<apply_pdl::ApplyPdl>();
    registry
}

/// The examples of chapters of the book.
#[cfg(doctest)]
mod book {
    #[doc = include_str!("../../docs/conversions.md")]
    struct Conversions;

    #[doc = include_str!("../../docs/interfaces.md")]
    struct Interfaces;

    #[doc = include_str!("../../docs/schedules.md")]
    struct Schedules;
}
