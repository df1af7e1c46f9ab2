//! Linking an object file into an executable or a shared library, with the system's linker.

use std::ffi::OsStr;
use std::fs;
use std::io;
use std::path::Path;
use std::process::{Command, Output};

use dl_ir::Diagnostics;
use dl_tools_support::{files, messages};

use crate::codegen::CodegenOptions;

/// Links one object file into an executable, or a shared library, at `path`.
///
/// The linker is the one in the options, else the first there is of the C compiler's driver and, for libraries, the bare linkers; only `ld.lld`
/// links for other machines. Symbols that a library leaves undefined, such as `malloc`, are found when it is loaded.
///
/// # Errors
/// That there is no linker, and its message when it fails.
pub(crate) fn link(object: &[u8], options: &CodegenOptions, shared: bool, path: &Path) -> Result<(), Diagnostics> {
    let _span = tracing::info_span!("link").entered();
    let folder = tempfile::tempdir().map_err(|error| messages::error(files::reason(&error)))?;
    let object_path = folder.path().join("module.o");
    fs::write(&object_path, object)
        .map_err(|error| messages::error(format!("{}: {}", object_path.display(), files::reason(&error))))?;

    let is_host = options.target_triple.as_deref().is_none_or(is_host);
    let candidates: Vec<&OsStr> = match &options.linker {
        Some(linker) => vec![linker.as_os_str()],
        None if !shared => ["cc", "gcc", "clang"].map(OsStr::new).to_vec(),
        None if is_host => ["cc", "gcc", "clang", "ld.lld", "ld"].map(OsStr::new).to_vec(),
        None => vec![OsStr::new("ld.lld")],
    };
    if !shared && !is_host && options.linker.is_none() {
        let why = "executables of another machine need its linker: name one with --linker";
        return Err(messages::error(why.to_owned()));
    }
    for linker in &candidates {
        match run(linker, &object_path, shared, path) {
            Ok(output) if output.status.success() => return Ok(()),
            Ok(output) => {
                let message = String::from_utf8_lossy(&output.stderr);
                let (linker, message) = (linker.display(), message.trim_end());
                return Err(messages::error(format!("{linker} failed ({}): {message}", output.status)));
            }
            Err(error) if error.kind() == io::ErrorKind::NotFound => {}
            Err(error) => return Err(messages::error(format!("cannot run {}: {error}", linker.display()))),
        }
    }
    let tried: Vec<String> = candidates.iter().map(|name| name.display().to_string()).collect();
    let what = if shared { "a shared library" } else { "an executable" };
    Err(messages::error(format!(
        "no linker for {what} (tried {}); install a C compiler or lld, or name one with --linker",
        tried.join(", ")
    )))
}

/// Whether a triple is of a machine that this one's linker links for.
fn is_host(triple: &str) -> bool {
    triple.split('-').next() == Some(std::env::consts::ARCH) && triple.contains(std::env::consts::OS)
}

fn run(linker: &OsStr, object: &Path, shared: bool, path: &Path) -> io::Result<Output> {
    let mut command = Command::new(linker);
    command.args(shared.then_some("-shared")).arg("-o").arg(path).arg(object);
    let name = Path::new(linker).file_name().unwrap_or(linker).to_string_lossy();
    // A compiler's driver knows where the mathematical library is; a bare linker does not, and leaves its symbols to the loader.
    if !name.starts_with("ld") {
        command.arg("-lm");
    }
    command.output()
}
