//! Lets the programs start without being relocated, and touch few of their pages.

use std::env;
use std::path::Path;

/// The functions of LLVM that the tools call, written by `cargo xtask order`.
const ORDER: &str = "../codegen/llvm/order.txt";

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    if cfg("CARGO_CFG_TARGET_OS") != "linux" {
        return;
    }
    // The tables of all dialects are a megabyte of addresses, those of LLVM four more. In an executable that may be loaded anywhere each page of them
    // is read, changed and kept on every start. What runs before `main` lies together then, not all over the program.
    println!("cargo:rustc-link-arg-bins=-no-pie");
    println!("cargo:rustc-link-arg-bins=-Wl,-z,keep-text-section-prefix");

    // Of 80 MB of LLVM's code a tool calls a tenth, a little of it in each page.
    if env::var_os("CARGO_FEATURE_LLVM").is_some() && links_with_lld() {
        println!("cargo:rerun-if-changed={ORDER}");
        let order = Path::new(&cfg("CARGO_MANIFEST_DIR")).join(ORDER);
        println!("cargo:rustc-link-arg-bins=-Wl,--symbol-ordering-file={}", order.display());
        println!("cargo:rustc-link-arg-bins=-Wl,--no-warn-symbol-ordering");
    }
}

/// Whether programs are linked with LLVM's linker, the only one that takes a list of functions: it comes with Rust for this target, and nobody asks for another.
fn links_with_lld() -> bool {
    let target = cfg("TARGET");
    let flags = cfg("CARGO_ENCODED_RUSTFLAGS");
    let asks_for_another = flags.contains("-fuse-ld")
        || flags.contains("linker-features=-lld")
        || flags.contains("link-self-contained=-linker");
    target == "x86_64-unknown-linux-gnu" && env::var_os("RUSTC_LINKER").is_none() && !asks_for_another
}

/// What cargo says of the build; nothing if it says nothing.
#[expect(clippy::disallowed_methods, reason = "a build script is told of the build in no other way")]
fn cfg(variable: &str) -> String {
    env::var(variable).unwrap_or_default()
}
