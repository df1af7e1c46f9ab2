//! A `dl-opt` of one's own: all that the usual one has, and a dialect besides.
//!
//!     cargo run -p dl-tools --example own_tool -- --help

#![allow(missing_docs, reason = "what `op!` defines here is nobody else's")]

use dl_ir::{Dialect, DialectBuilder, OpDefinition};

fn main() -> std::process::ExitCode {
    let mut registry = dl_tools::standard();
    registry.dialect(Box::new(Hello));
    dl_tools::opt::main(registry)
}

dl_ir::op! {
    /// Does nothing.
    WorldOp = "hello.world" {
        format: "attr-dict",
    }
}

struct Hello;

impl Dialect for Hello {
    fn namespace(&self) -> &'static str {
        "hello"
    }

    fn register(&self, b: &mut DialectBuilder) {
        b.ops(&[WorldOp::ENTRY]);
    }
}
