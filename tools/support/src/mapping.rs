//! Large input files are mapped, not read: the parser gives the pages back as it goes, so that a text costs next to no memory.
//!
//! A mapped file must keep its content. [`create`] sees to it that this process does not write into one; a file that *another* process makes
//! shorter meanwhile ends this one, as it does with other compilers that map their input.

use std::fs::{self, File};
use std::io;
use std::ops::Range;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};

use dl_ir::location::TextMemory;
use memmap2::{Advice, Mmap, UncheckedAdvice};

/// Bytes of a file that is worth a mapping.
const MIN_BYTES: u64 = 128 * 1024;

/// Files that are mapped, as long as the process lives.
static MAPPED: Mutex<Vec<PathBuf>> = Mutex::new(Vec::new());

/// A mapped file.
#[derive(Clone, Debug)]
pub(crate) struct Mapping(Arc<Mmap>);

impl AsRef<[u8]> for Mapping {
    fn as_ref(&self) -> &[u8] {
        &self.0
    }
}

impl TextMemory for Mapping {
    fn release(&self, range: Range<usize>) {
        // SAFETY: the mapping is read-only and of a file, so a page that is given back comes again with the same content.
        #[expect(unsafe_code, reason = "advice may destroy what is in other kinds of mappings")]
        let released = unsafe { self.0.unchecked_advise_range(UncheckedAdvice::DontNeed, range.start, range.len()) };
        // Advice that is not taken costs memory, no more.
        released.unwrap_or_default();
    }
}

/// Maps a large file; `None` for one that is small, or that cannot be mapped.
pub(crate) fn map(path: &str) -> Option<Mapping> {
    let file = File::open(path).ok()?;
    let metadata = file.metadata().ok()?;
    if !metadata.is_file() || metadata.len() < MIN_BYTES {
        return None;
    }
    let canonical = fs::canonicalize(path).ok()?;
    // SAFETY: this process does not write into files of the list; see the head of the module about others.
    #[expect(unsafe_code, reason = "the file must not change")]
    let mapping = unsafe { Mmap::map(&file) }.ok()?;
    // Else a look at one name may bring two megabytes back. Not every kernel knows the advice, and it is no more than that.
    mapping.advise(Advice::NoHugePage).unwrap_or_default();
    MAPPED.lock().unwrap_or_else(PoisonError::into_inner).push(canonical);
    Some(Mapping(Arc::new(mapping)))
}

/// Makes a file to write to. One that is mapped is replaced by a new one of the same name; the mapping keeps the old content.
///
/// # Errors
/// As of [`File::create`].
pub(crate) fn create(path: &str) -> io::Result<File> {
    if let Ok(canonical) = fs::canonicalize(path)
        && MAPPED.lock().unwrap_or_else(PoisonError::into_inner).contains(&canonical)
    {
        fs::remove_file(&canonical)?;
    }
    File::create(path)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Write as _;

    #[test]
    fn content_outlives_release_and_replacement() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("text");
        let path = path.to_str().unwrap();
        let text: Vec<u8> = (0..3_000_000_u32).map(|i| (i % 251) as u8).collect();
        fs::write(path, &text).unwrap();
        let mapping = map(path).unwrap();
        assert_eq!(mapping.as_ref(), text);
        mapping.release(0..2_000_000);
        create(path).unwrap().write_all(b"new").unwrap();
        assert_eq!(fs::read(path).unwrap(), b"new");
        mapping.release(4096..1_000_000);
        assert_eq!(mapping.as_ref(), text);
    }

    #[test]
    fn small_files_and_folders_are_read() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("text");
        fs::write(&path, "small").unwrap();
        assert!(map(path.to_str().unwrap()).is_none());
        assert!(map(folder.path().to_str().unwrap()).is_none());
    }
}
