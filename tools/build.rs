//! Lets the programs start without being relocated.

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    // The tables of all dialects are a megabyte of addresses, those of LLVM four more. In an executable that may be loaded anywhere each page of them
    // is read, changed and kept on every start. What runs before `main` lies together then, not all over the program.
    if std::env::var_os("CARGO_CFG_TARGET_OS").is_some_and(|os| os == "linux") {
        println!("cargo:rustc-link-arg-bins=-no-pie");
        println!("cargo:rustc-link-arg-bins=-Wl,-z,keep-text-section-prefix");
    }
}
