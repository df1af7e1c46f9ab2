//! Lets the tools find LLVM's shared libraries, which may lie in a folder that the loader does not search, and `dl-opt` start without being
//! relocated.

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    // The tables of all dialects are a megabyte of addresses. In an executable that may be loaded anywhere each page of them is read, changed and kept
    // on every start.
    if std::env::var_os("CARGO_CFG_TARGET_OS").is_some_and(|os| os == "linux") {
        println!("cargo:rustc-link-arg-bin=dl-opt=-no-pie");
    }
    // Set where the feature `llvm` brings in the back end.
    if let Some(folder) = std::env::var_os("DEP_DL_DRIVER_LIBDIR") {
        for kind in ["bins", "tests"] {
            println!("cargo:rustc-link-arg-{kind}=-Wl,-rpath,{}", folder.display());
        }
    }
}
