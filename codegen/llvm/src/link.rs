//! Linking an object file into a shared library with the system's linker.

use std::{
    ffi::OsStr,
    fs, io,
    path::Path,
    process::{Command, Output},
};

use crate::{
    error::{Error, Result},
    target::Target,
};

/// Links one object file into a shared library at `path`.
///
/// The linker is the one in the options, else the first there is of the C compiler's driver and the bare linkers; only `ld.lld` links for
/// other machines. Symbols that the library leaves undefined, such as `malloc`, are found when it is loaded.
///
/// # Errors
/// [`Error::Link`] when there is no linker, and with its message when it fails.
pub(crate) fn shared_library(object: &[u8], target: &Target, path: &Path) -> Result<()> {
    let _span = tracing::info_span!("link").entered();
    let folder = tempfile::tempdir().map_err(|source| Error::Io { path: std::env::temp_dir(), source })?;
    let object_path = folder.path().join("module.o");
    fs::write(&object_path, object).map_err(|source| Error::Io { path: object_path.clone(), source })?;

    let candidates: Vec<&OsStr> = match target.linker() {
        Some(linker) => vec![linker.as_os_str()],
        None if target.is_host() => ["cc", "gcc", "clang", "ld.lld", "ld"].map(OsStr::new).to_vec(),
        None => vec![OsStr::new("ld.lld")],
    };
    for linker in &candidates {
        match run(linker, &object_path, path) {
            Ok(output) if output.status.success() => return Ok(()),
            Ok(output) => {
                let message = String::from_utf8_lossy(&output.stderr);
                let (linker, message) = (linker.display(), message.trim_end());
                return Err(Error::Link(format!("{linker} failed ({}): {message}", output.status)));
            }
            Err(error) if error.kind() == io::ErrorKind::NotFound => {}
            Err(error) => {
                return Err(Error::Link(format!("cannot run {}: {error}", linker.display())));
            }
        }
    }
    let tried: Vec<String> = candidates.iter().map(|name| name.display().to_string()).collect();
    Err(Error::Link(format!(
        "no linker for a shared library (tried {}); install a C compiler or lld, or name one with --linker",
        tried.join(", ")
    )))
}

fn run(linker: &OsStr, object: &Path, library: &Path) -> io::Result<Output> {
    let mut command = Command::new(linker);
    command.arg("-shared").arg("-o").arg(library).arg(object);
    let name = Path::new(linker).file_name().unwrap_or(linker).to_string_lossy();
    // A compiler's driver knows where the mathematical library is; a bare linker does not, and leaves its symbols to the loader.
    if !name.starts_with("ld") {
        command.arg("-lm");
    }
    command.output()
}
