//! `--new-dialect`: writes a crate with a dialect to begin with, a plugin of this tool.

use std::fs;
use std::path::{Path, PathBuf};

/// File in the new crate, and its template. `@name@` stands for the dialect, `@Name@Dialect` for its type, `@dash@` for its name in names of passes,
/// `@package@` for the crate, `@library@` for its library and `@checkout@` for the checkout of this project.
const FILES: [(&str, &str); 9] = [
    ("Cargo.toml", include_str!("new_dialect/Cargo.toml.txt")),
    ("README.md", include_str!("new_dialect/README.md.txt")),
    ("src/lib.rs", include_str!("new_dialect/lib.rs.txt")),
    ("src/ops.rs", include_str!("new_dialect/ops.rs.txt")),
    ("src/lower.rs", include_str!("new_dialect/lower.rs.txt")),
    ("tests/lit.rs", include_str!("new_dialect/lit.rs.txt")),
    ("tests/lit.suite.toml", include_str!("new_dialect/lit.suite.toml.txt")),
    ("tests/ops.mlir", include_str!("new_dialect/ops.mlir.txt")),
    ("tests/invalid.mlir", include_str!("new_dialect/invalid.mlir.txt")),
];

/// Writes the crate of the dialect `name` to the folder `folder`, which must be new or empty; answers what to do with it.
///
/// # Errors
/// What is wrong with the name or the folder.
pub(super) fn write(name: &str, folder: &str) -> Result<String, String> {
    check_name(name)?;
    let checkout = checkout()?;
    let folder = Path::new(folder);
    let error = |file: &Path, error: std::io::Error| format!("cannot write '{}': {error}", file.display());
    if fs::read_dir(folder).is_ok_and(|mut entries| entries.next().is_some()) || folder.is_file() {
        return Err(format!("cannot write a new crate to '{}': it is there already", folder.display()));
    }
    for (file, template) in FILES {
        let file = folder.join(file);
        let parent = file.parent().unwrap_or(folder);
        fs::create_dir_all(parent).map_err(|why| error(parent, why))?;
        fs::write(&file, filled_in(template, name, &checkout)).map_err(|why| error(&file, why))?;
    }
    // With the versions of this project, the plugin is built of the same libraries as the tool.
    let lock = folder.join("Cargo.lock");
    fs::copy(checkout.join("Cargo.lock"), &lock).map_err(|why| error(&lock, why))?;
    let shown = folder.display();
    Ok(format!(
        "wrote the crate of the dialect '{name}' to {shown}\n\n  cargo test --manifest-path {shown}/Cargo.toml\n\nbuilds and tests it; \
         {shown}/README.md says more\n"
    ))
}

/// The name is one that dialects and crates may have.
fn check_name(name: &str) -> Result<(), String> {
    let letters = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_';
    if !name.starts_with(|c: char| c.is_ascii_lowercase()) || !name.chars().all(letters) || name.ends_with('_') {
        return Err(format!(
            "'{name}' is no name for a dialect: expected lower case letters, digits and '_', with a letter first"
        ));
    }
    let taken = ["builtin", "test", "dl", "std", "core", "alloc"];
    if taken.contains(&name) || name.len() > 64 || name.contains("__") {
        return Err(format!("'{name}' cannot be the name of a new dialect"));
    }
    Ok(())
}

/// The checkout that this tool was built from.
fn checkout() -> Result<PathBuf, String> {
    let checkout = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap_or(Path::new("/"));
    if checkout.join("plugin/Cargo.toml").is_file() {
        return Ok(checkout.to_owned());
    }
    let checkout = checkout.display();
    Err(format!(
        "the checkout that this tool was built from, '{checkout}', is no longer there; a plugin is built against it"
    ))
}

fn filled_in(template: &str, name: &str, checkout: &Path) -> String {
    let words = name.split('_').map(|word| {
        let (first, rest) = word.split_at(usize::from(!word.is_empty()));
        first.to_ascii_uppercase() + rest
    });
    let library = format!("{}{name}_dialect{}", std::env::consts::DLL_PREFIX, std::env::consts::DLL_SUFFIX);
    template
        .replace("@Name@", &words.collect::<String>())
        .replace("@package@", &format!("{}-dialect", name.replace('_', "-")))
        .replace("@library@", &library)
        .replace("@dash@", &name.replace('_', "-"))
        .replace("@name@", name)
        .replace("@checkout@", &checkout.display().to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names() {
        for name in ["toy", "my_dialect", "a1"] {
            assert_eq!(check_name(name), Ok(()), "{name}");
        }
        for name in ["", "Toy", "1a", "a-b", "_a", "a_", "a__b", "builtin", "ä"] {
            assert!(check_name(name).is_err(), "{name}");
        }
    }

    #[test]
    fn every_placeholder_is_filled_in() {
        for (file, template) in FILES {
            let text = filled_in(template, "my_own", Path::new("/checkout"));
            assert!(
                !text.contains('@')
                    || !text.replace("@scale", "").replace("@by_zero", "").replace("@below", "").contains('@'),
                "{file}"
            );
        }
        // Neither a keyword nor what the crate imports: `Self`, `Dialect`, `Box`.
        for (name, ty) in [("my_own", "MyOwnDialect"), ("self", "SelfDialect"), ("dialect", "DialectDialect")] {
            assert!(filled_in(FILES[2].1, name, Path::new("/")).contains(&format!("pub struct {ty};")), "{name}");
        }
    }
}
