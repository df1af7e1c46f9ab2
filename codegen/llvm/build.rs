//! Compiles the C++ that fills gaps of LLVM's C interface, and links LLVM and MLIR statically.
//!
//! Programs start in a sixth of the time that loading the two shared libraries takes, in half of the memory, and hold what they use only.
//! `llvm-sys` and `mlir-sys` would pack all archives into their own, a gigabyte of copies; told to link shared libraries, they only name these. Linker
//! scripts of the same names, put on the search path before the folder of the shared libraries, say which archives to take instead.

use std::{
    env,
    error::Error,
    ffi::OsStr,
    fmt::Write as _,
    fs,
    path::{Path, PathBuf},
    process::Command,
};

type Result<T> = std::result::Result<T, Box<dyn Error>>;

/// The C++ files.
const SOURCES: [&str; 3] = ["src/parts.cpp", "src/subtarget.cpp", "src/translation.cpp"];

fn main() -> Result<()> {
    println!("cargo:rerun-if-changed=build.rs");
    for source in SOURCES {
        println!("cargo:rerun-if-changed={source}");
    }
    println!("cargo:rerun-if-env-changed=MLIR_SYS_220_PREFIX");
    cc::Build::new()
        .cpp(true)
        .std("c++17")
        .flag_if_supported("-fno-rtti")
        .include(llvm_config(&["--includedir"])?)
        .warnings(false)
        .files(SOURCES)
        .compile("dl_llvm_gaps");

    let out = PathBuf::from(env::var_os("OUT_DIR").ok_or("cargo sets OUT_DIR")?);
    println!("cargo:rustc-link-search=native={}", out.display());
    // `mlir-sys` asks for two libraries, of which the first stands for both.
    fs::write(out.join("libMLIR.so"), group(&mlir_archives(Path::new(&llvm_config(&["--libdir"])?))?))?;
    fs::write(out.join("libMLIR-C.so"), "/* All of it is in libMLIR.so. */\n")?;
    let mut llvm: Vec<PathBuf> = paths(&llvm_config(&["--link-static", "--ignore-libllvm", "--libfiles"])?);
    if let Some(missing) = llvm.iter().find(|archive| !archive.exists()) {
        return Err(format!("LLVM's archives are not installed: there is no {}", missing.display()).into());
    }
    llvm.extend(paths(&llvm_config(&["--link-static", "--system-libs"])?));
    fs::write(out.join(llvm_config(&["--link-shared", "--libnames"])?), group(&llvm))?;
    // Types of LLVM point at those of the library of C++: 7,000 addresses to look up on each start where that is shared.
    if let Some(cpp) = cpp_archive() {
        fs::write(out.join("libstdc++.so"), group(&[cpp]))?;
    }
    Ok(())
}

/// What LLVM's own tool answers.
fn llvm_config(options: &[&str]) -> Result<String> {
    let bin = env::var_os("MLIR_SYS_220_PREFIX").map(|prefix| Path::new(&prefix).join("bin"));
    let output = Command::new(bin.unwrap_or_default().join("llvm-config")).args(options).output()?;
    if !output.status.success() {
        return Err(format!("llvm-config {}: {}", options.join(" "), output.status).into());
    }
    Ok(String::from_utf8(output.stdout)?.trim().to_owned())
}

/// The archive of GNU's library of C++, if the compiler knows one.
fn cpp_archive() -> Option<PathBuf> {
    let output =
        cc::Build::new().cpp(true).get_compiler().to_command().arg("-print-file-name=libstdc++.a").output().ok()?;
    // A compiler repeats the name of a file that it does not find.
    let path = PathBuf::from(String::from_utf8(output.stdout).ok()?.trim_end());
    path.is_absolute().then_some(path)
}

/// The words of a list.
fn paths(list: &str) -> Vec<PathBuf> {
    list.split_whitespace().map(PathBuf::from).collect()
}

/// MLIR's archives, those of its C interface too.
fn mlir_archives(libdir: &Path) -> Result<Vec<PathBuf>> {
    let mut archives = Vec::new();
    for entry in fs::read_dir(libdir)? {
        let path = entry?.path();
        let name = path.file_stem().and_then(OsStr::to_str).unwrap_or_default();
        if name.starts_with("libMLIR") && path.extension() == Some(OsStr::new("a")) {
            archives.push(path);
        }
    }
    if archives.is_empty() {
        return Err(format!("MLIR's archives are not installed: there is no libMLIR*.a in {}", libdir.display()).into());
    }
    archives.sort();
    Ok(archives)
}

/// A linker script that stands for these libraries; of shared ones those that are needed.
fn group(libraries: &[PathBuf]) -> String {
    let mut script = String::from("GROUP ( AS_NEEDED (");
    for library in libraries {
        match library.to_str() {
            Some(flag) if flag.starts_with("-l") => _ = write!(script, " {flag}"),
            _ => _ = write!(script, " \"{}\"", library.display()),
        }
    }
    script.push_str(" ) )\n");
    script
}
