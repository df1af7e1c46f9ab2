//! Compiles the C++ that fills gaps of LLVM's C interface, and lets `mlir-sys` link MLIR dynamically where a distribution ships the C
//! API only as archives.
//!
//! `mlir-sys` asks for `-lMLIR-C` in its shared mode (`MLIR_SYS_LINK_SHARED=1`). Debian's packages have the C++ library as
//! `libMLIR.so` and the C API as `libMLIRCAPI*.a`, so a linker script of that name, put on the search path, joins the two. Linking
//! everything statically would work too, but takes minutes a binary and hundreds of megabytes each.
//!
//! The library folder may be one that the loader does not search. This crate's own tests get it as their run path; a package with binaries
//! that use this crate reads it from `DEP_DL_CODEGEN_LLVM_LIBDIR` in its own build script and does the same.

use std::{
    env,
    error::Error,
    ffi::OsStr,
    fmt::Write as _,
    fs,
    path::{Path, PathBuf},
    process::Command,
};

fn main() -> Result<(), Box<dyn Error>> {
    println!("cargo:rerun-if-changed=build.rs");
    println!("cargo:rerun-if-changed=src/parts.cpp");
    println!("cargo:rerun-if-changed=src/subtarget.cpp");
    println!("cargo:rerun-if-env-changed=MLIR_SYS_LINK_SHARED");
    println!("cargo:rerun-if-env-changed=MLIR_SYS_220_PREFIX");
    cc::Build::new()
        .cpp(true)
        .std("c++17")
        .include(llvm_config("--includedir")?)
        .warnings(false)
        .files(["src/parts.cpp", "src/subtarget.cpp"])
        .compile("dl_llvm_gaps");
    if env::var_os("MLIR_SYS_LINK_SHARED").is_some_and(|value| value == "1") {
        link_shared(&llvm_config("--libdir")?)?;
    }
    Ok(())
}

/// Makes dynamic linking of MLIR work with the libraries in this folder.
fn link_shared(libdir: &Path) -> Result<(), Box<dyn Error>> {
    println!("cargo:libdir={}", libdir.display());
    println!("cargo:rustc-link-arg=-Wl,-rpath,{}", libdir.display());
    if !libdir.join("libMLIR-C.so").exists() {
        let out = PathBuf::from(env::var_os("OUT_DIR").ok_or("cargo sets OUT_DIR")?);
        fs::write(out.join("libMLIR-C.so"), linker_script(libdir)?)?;
        println!("cargo:rustc-link-search=native={}", out.display());
    }
    Ok(())
}

/// A folder of the LLVM that `mlir-sys` found.
fn llvm_config(option: &str) -> Result<PathBuf, Box<dyn Error>> {
    let bin = env::var_os("MLIR_SYS_220_PREFIX").map(|prefix| Path::new(&prefix).join("bin"));
    let output = Command::new(bin.unwrap_or_default().join("llvm-config")).arg(option).output()?;
    if !output.status.success() {
        return Err(format!("llvm-config {option}: {}", output.status).into());
    }
    Ok(PathBuf::from(String::from_utf8(output.stdout)?.trim()))
}

/// A script that makes `-lMLIR-C` mean the C API archives and the libraries they need.
fn linker_script(libdir: &Path) -> Result<String, Box<dyn Error>> {
    let mut archives = Vec::new();
    for entry in fs::read_dir(libdir)? {
        let path = entry?.path();
        let name = path.file_stem().and_then(OsStr::to_str).unwrap_or_default();
        if name.starts_with("libMLIRCAPI") && path.extension() == Some(OsStr::new("a")) {
            archives.push(path);
        }
    }
    if archives.is_empty() {
        return Err(format!("no libMLIR-C.so and no libMLIRCAPI*.a in {}", libdir.display()).into());
    }
    archives.sort();
    let mut script = String::from("GROUP (");
    for archive in archives {
        write!(script, " \"{}\"", archive.display())?;
    }
    script.push_str(" -lMLIR )\n");
    Ok(script)
}
