//! What a plugin of the command line tools is made of.
//!
//! A plugin is a crate of type `cdylib` with a function that fills a [`Registry`] and one line that names it:
//!
//! ```
//! dl_plugin::declare_plugin!(register);
//!
//! /// Adds what the plugin brings.
//! pub fn register(registry: &mut dl_plugin::Registry) {
//!     // registry.dialect(Box::new(MyDialect));
//!     // registry.passes.pass::<MyPass>();
//! #   let _ = registry;
//! }
//! ```
//!
//! `--load-dialect-plugin=LIB` and `--load-pass-plugin=LIB` load it; a tool of one's own calls the function. The line puts a [`Label`]
//! into the library, which is read before the library is loaded. `docs/decisions/0006-plugins.md` tells what the two sides share.

#![forbid(unsafe_code)]

mod boundary;
mod brought;
mod label;
mod programs;
mod registry;
mod simulator;

pub use boundary::{Register, Registering, fingerprint, register_caught};
pub use brought::Brought;
pub use label::{Label, Mismatch};
pub use programs::{Runner, Translation};
pub use registry::Registry;
pub use simulator::{Simulated, Simulation, Simulator, Tensor};

/// Makes the crate a plugin. The argument is a function of type `fn(&mut Registry)`; name and version are those of the crate.
#[macro_export]
macro_rules! declare_plugin {
    ($register:path) => {
        /// What the plugin was built for.
        #[unsafe(no_mangle)]
        pub static DL_PLUGIN_LABEL: [u8; $crate::Label::SIZE] =
            $crate::Label::bytes(env!("CARGO_PKG_NAME"), env!("CARGO_PKG_VERSION"));

        /// What the libraries that the plugin was built with are like.
        #[unsafe(no_mangle)]
        pub extern "C" fn dl_plugin_fingerprint() -> u64 {
            $crate::fingerprint()
        }

        /// Adds what the plugin brings.
        #[unsafe(no_mangle)]
        pub extern "C" fn dl_plugin_register(registering: &mut $crate::Registering<'_>) {
            $crate::register_caught(env!("CARGO_PKG_NAME"), $register, registering);
        }
    };
}
