//! Lets the tools find LLVM's shared libraries, which may lie in a folder that the loader does not search.

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    // Set where the feature `llvm` brings in the back end.
    if let Some(folder) = std::env::var_os("DEP_DL_DRIVER_LIBDIR") {
        for kind in ["bins", "tests"] {
            println!("cargo:rustc-link-arg-{kind}=-Wl,-rpath,{}", folder.display());
        }
    }
}
