//! Notes what a plugin and the tool that loads it must have in common: sources, compiler, target.

use std::error::Error;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, fs, io};

/// Folders of the project whose sources decide what crosses the boundary: types of the core, and interfaces of all crates that have such.
const SOURCES: [&str; 5] = ["ir", "plugin", "dialects", "passes", "interpreter"];

#[allow(clippy::disallowed_methods, reason = "cargo tells a build script where it is by the environment")]
fn main() -> Result<(), Box<dyn Error>> {
    let own = PathBuf::from(env::var("CARGO_MANIFEST_DIR")?);
    let root = own.parent().unwrap_or(&own);
    let mut hash = Hash::default();
    for folder in SOURCES {
        let folder = root.join(folder);
        println!("cargo::rerun-if-changed={}", folder.display());
        add_folder(&mut hash, &folder, root)?;
    }
    println!("cargo::rustc-env=DL_SOURCES={:016x}", hash.0);

    let rustc = env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
    let version = Command::new(rustc).arg("--version").output()?;
    println!("cargo::rustc-env=DL_RUSTC={}", String::from_utf8(version.stdout)?.trim());
    println!("cargo::rustc-env=DL_TARGET={}", env::var("TARGET")?);
    Ok(())
}

/// Adds the Rust sources below `folder`, in the order of their names, without tests.
fn add_folder(hash: &mut Hash, folder: &Path, root: &Path) -> io::Result<()> {
    let mut entries = fs::read_dir(folder)?.map(|entry| Ok(entry?.path())).collect::<io::Result<Vec<_>>>()?;
    entries.sort();
    for path in entries {
        if path.is_dir() {
            if !path.ends_with("tests") {
                add_folder(hash, &path, root)?;
            }
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            hash.add(path.strip_prefix(root).unwrap_or(&path).to_string_lossy().as_bytes());
            hash.add(&fs::read(&path)?);
        }
    }
    Ok(())
}

/// 64-bit FNV-1a, of words of eight bytes.
struct Hash(u64);

impl Default for Hash {
    fn default() -> Self {
        Self(0xcbf2_9ce4_8422_2325)
    }
}

impl Hash {
    fn add(&mut self, bytes: &[u8]) {
        self.word(bytes.len() as u64);
        for chunk in bytes.chunks(8) {
            let mut word = [0; 8];
            word[..chunk.len()].copy_from_slice(chunk);
            self.word(u64::from_le_bytes(word));
        }
    }

    fn word(&mut self, word: u64) {
        self.0 = (self.0 ^ word).wrapping_mul(0x0100_0000_01b3).rotate_left(23);
    }
}
