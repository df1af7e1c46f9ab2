//! Lets the programs start without being relocated, with few libraries, and touch few of their pages.

use std::path::Path;
use std::process::Command;
use std::{env, fs};

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

    if !links_with_lld() {
        return;
    }
    if env::var_os("CARGO_FEATURE_LLVM").is_some() {
        // Of 80 MB of LLVM's code a tool calls a tenth, a little of it in each page.
        println!("cargo:rerun-if-changed={ORDER}");
        let order = Path::new(&cfg("CARGO_MANIFEST_DIR")).join(ORDER);
        println!("cargo:rustc-link-arg-bins=-Wl,--symbol-ordering-file={}", order.display());
        println!("cargo:rustc-link-arg-bins=-Wl,--no-warn-symbol-ordering");
    } else if has_static_unwinder() {
        // A library less to load, whose first act is to ask the processor what it is: a tenth of start-up in a virtual machine. Of the start of
        // a program with LLVM in it that would be little.
        let folder = cfg("OUT_DIR");
        fs::write(Path::new(&folder).join("libgcc_s.so"), "INPUT(-lgcc_eh)\n")
            .expect("the folder is there to be written to");
        println!("cargo:rustc-link-arg-bins=-L{folder}");
    }
}

/// Whether the C compiler that links has the unwinder as an archive.
fn has_static_unwinder() -> bool {
    // A file that it does not find is printed as it was asked for.
    let found = Command::new("cc").arg("-print-file-name=libgcc_eh.a").output();
    found.is_ok_and(|found| Path::new(str::from_utf8(&found.stdout).unwrap_or_default().trim()).is_absolute())
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
