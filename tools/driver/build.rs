//! Lets the tests here find LLVM's shared libraries, which may lie in a folder that the loader does not search, and tells packages with
//! binaries that use this crate where they are, as `DEP_DL_DRIVER_LIBDIR`.

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    // Set by the build script of the back end, where that links them.
    if let Some(folder) = std::env::var_os("DEP_DL_CODEGEN_LLVM_LIBDIR") {
        println!("cargo:libdir={}", folder.display());
        println!("cargo:rustc-link-arg=-Wl,-rpath,{}", folder.display());
    }
}
