//! Response files: `@file` on a command line stands for the arguments in the file, as in all tools of LLVM.

/// How deep response files may name others.
const MAX_NESTING: usize = 16;

/// `args` with what is in the files that they name as `@file`: words between white space, quoted as for a shell. An argument that names no file
/// which can be read is itself.
///
/// # Errors
/// A file with a quote that does not end, or files that name each other.
pub(crate) fn expand(args: impl IntoIterator<Item = String>) -> Result<Vec<String>, String> {
    let mut all = Vec::new();
    args.into_iter().try_for_each(|arg| add(arg, MAX_NESTING, &mut all))?;
    Ok(all)
}

fn add(arg: String, nesting: usize, all: &mut Vec<String>) -> Result<(), String> {
    let Some((file, text)) = arg.strip_prefix('@').and_then(|file| Some((file, std::fs::read_to_string(file).ok()?)))
    else {
        all.push(arg);
        return Ok(());
    };
    let words = shlex::split(&text).ok_or_else(|| format!("response file '{file}': a quote does not end"))?;
    let Some(nesting) = nesting.checked_sub(1) else {
        return Err(format!("response file '{file}': nested deeper than {MAX_NESTING} files"));
    };
    words.into_iter().try_for_each(|word| add(word, nesting, all))
}
