//! Lets the tools find LLVM's shared libraries, which may lie in a folder that the loader does not search.

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    // Set where the feature `llvm` brings in the back end; its build script says where it found LLVM.
    if let Some(folder) = std::env::var_os("DEP_DL_CODEGEN_LLVM_LIBDIR") {
        println!("cargo:rustc-link-arg=-Wl,-rpath,{}", folder.display());
    }
}
