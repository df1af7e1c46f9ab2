//! Machine code that `dl-run` keeps from one run to the next.
//!
//! An entry is one file in a folder that only its owner may read: `$XDG_CACHE_HOME/dl`, else `~/.cache/dl`. Its name is the [`Key`], a digest of all
//! that the code was made from. It consists of parts, which mean something to the back end alone: code, and the weights that it reads. It holds, in this
//! order, numbers as 8 bytes, little endian:
//!
//! | bytes | content |
//! |---|---|
//! | 8 | [`MAGIC`] |
//! | 32 | the key |
//! | 32 | the digest of what follows |
//! | 8 | the number of parts |
//! | 8 each | their lengths |
//! | the rest | the parts, each from a multiple of [`ALIGNMENT`] bytes on |
//!
//! What another user could have written, or what is not whole, is no entry: it is made anew and replaced. Code from here runs as if it had just been compiled,
//! so that nothing less will do. Failing to write is no error either, since all that is lost is time. A large entry is mapped to memory, so that weights are
//! there as soon as they are needed, and take no memory that other processes of the same program have.

use std::fs::{self, File};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use blake3::Hasher;
use bytes::Bytes;
use dl_tools_support::files;

/// What each file begins with; the number counts its formats.
const MAGIC: &[u8; 8] = b"dlcode\x002";
/// Bytes of a digest.
const DIGEST: usize = blake3::OUT_LEN;
/// Bytes in front of what the digest covers.
const HEADER: usize = MAGIC.len() + 2 * DIGEST;
/// What parts begin at a multiple of: at least what constants are aligned to.
const ALIGNMENT: usize = 64;
/// Bytes of a number.
const NUMBER: usize = size_of::<u64>();

/// Where code is kept, and how much of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cache {
    folder: PathBuf,
    limit: u64,
}

/// What names an entry.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Key([u8; DIGEST]);

impl Key {
    /// The digest of some texts, which also depends on where one ends and the next begins, and on the tool itself: another build of it may make other
    /// code of the same texts. `None` where the tool does not know its own file.
    pub fn of(texts: &[&[u8]]) -> Option<Self> {
        let tool = std::env::current_exe().and_then(fs::metadata).ok()?;
        let changed = tool.modified().ok()?.duration_since(SystemTime::UNIX_EPOCH).ok()?.as_nanos();
        let tool = format!("{} {} {changed}", env!("CARGO_PKG_VERSION"), tool.len());
        let mut hasher = Hasher::new();
        for text in std::iter::once(tool.as_bytes()).chain(texts.iter().copied()) {
            hasher.update(&number(text.len())).update(text);
        }
        Some(Self(*hasher.finalize().as_bytes()))
    }

    fn file_name(&self) -> String {
        self.0.iter().map(|byte| format!("{byte:02x}")).collect()
    }
}

/// A number as it is in a file.
fn number(value: usize) -> [u8; NUMBER] {
    (value as u64).to_le_bytes()
}

/// The number that `bytes` begins with.
fn number_at(bytes: &[u8]) -> Option<usize> {
    usize::try_from(u64::from_le_bytes(*bytes.first_chunk()?)).ok()
}

/// What parts take in a file, in pieces: their number and lengths, and each behind what aligns it.
fn pieces(parts: &[Bytes]) -> Vec<Bytes> {
    let lengths = std::iter::once(parts.len()).chain(parts.iter().map(Bytes::len));
    let table: Bytes = lengths.flat_map(number).collect();
    let mut end = HEADER + table.len();
    let mut pieces = vec![table];
    for part in parts {
        let start = end.next_multiple_of(ALIGNMENT);
        pieces.push(Bytes::from_static(&[0; ALIGNMENT]).slice(..start - end));
        pieces.push(part.clone());
        end = start + part.len();
    }
    pieces
}

/// The parts of a file; `None` if it does not hold them.
fn parts(file: &Bytes) -> Option<Vec<Bytes>> {
    let table = &file[HEADER..];
    let (count, lengths) = (number_at(table)?, &table[NUMBER..]);
    let mut end = HEADER.checked_add(count.checked_add(1)?.checked_mul(NUMBER)?)?;
    let mut parts = Vec::new();
    for length in lengths.chunks(NUMBER).take(count) {
        let start = end.checked_next_multiple_of(ALIGNMENT)?;
        end = start.checked_add(number_at(length)?)?;
        parts.push((end <= file.len()).then(|| file.slice(start..end))?);
    }
    (parts.len() == count && end == file.len()).then_some(parts)
}

impl Cache {
    /// The cache of this user, of at most `limit` bytes; `None` where there is no place for one.
    #[expect(clippy::disallowed_methods, reason = "a tool's folder is where the environment says")]
    pub(crate) fn of_user(limit: u64) -> Option<Self> {
        let folder = |name: &str| std::env::var(name).ok().map(PathBuf::from).filter(|folder| folder.is_absolute());
        let base = folder("XDG_CACHE_HOME").or_else(|| Some(folder("HOME")?.join(".cache")))?;
        Some(Self { folder: base.join("dl"), limit })
    }

    /// The parts of this key, if they are here and nobody but their owner can have written them.
    pub fn get(&self, key: Key) -> Option<Vec<Bytes>> {
        let _span = tracing::info_span!("cache-read").entered();
        self.read(key).ok().flatten()
    }

    fn read(&self, key: Key) -> io::Result<Option<Vec<Bytes>>> {
        let path = self.folder.join(key.file_name());
        if !is_own(&self.folder, &fs::symlink_metadata(&self.folder)?)? {
            return Ok(None);
        }
        // Nobody else can change what is in the folder from here on.
        let about = fs::symlink_metadata(&path)?;
        if !about.is_file() || !is_own(&self.folder, &about)? {
            return Ok(None);
        }
        let Some(Ok(file)) = path.to_str().map(files::open) else { return Ok(None) };
        let Some((header, rest)) = file.text.split_at_checked(HEADER) else { return Ok(None) };
        if header != [&MAGIC[..], &key.0, blake3::hash(rest).as_bytes()].concat() {
            return Ok(None);
        }
        // So that it is the last to go. Not being able to say so changes nothing.
        let _ = File::open(&path).and_then(|file| file.set_modified(SystemTime::now()));
        Ok(parts(&file.text))
    }

    /// Keeps these parts, if there is room for them, and drops what was not used for longest.
    pub fn put(&self, key: Key, parts: &[Bytes]) {
        let _span = tracing::info_span!("cache-write").entered();
        if let Err(error) = self.write(key, parts) {
            tracing::warn!("code is not kept in '{}': {error}", self.folder.display());
        }
    }

    fn write(&self, key: Key, parts: &[Bytes]) -> io::Result<()> {
        let pieces = pieces(parts);
        let size = HEADER + pieces.iter().map(Bytes::len).sum::<usize>();
        if size as u64 > self.limit {
            return Ok(());
        }
        make_own(&self.folder)?;
        let mut digest = Hasher::new();
        pieces.iter().for_each(|piece| _ = digest.update(piece));
        // A file of its own until it is whole, for whoever reads meanwhile.
        let mut file = tempfile::Builder::new().prefix(PARTIAL).tempfile_in(&self.folder)?;
        for piece in
            [&MAGIC[..], &key.0, digest.finalize().as_bytes()].into_iter().chain(pieces.iter().map(Bytes::as_ref))
        {
            file.write_all(piece)?;
        }
        file.persist(self.folder.join(key.file_name())).map_err(|error| error.error)?;
        self.shrink()
    }

    /// Drops the files that were not used for longest until the rest is within the limit.
    fn shrink(&self) -> io::Result<()> {
        let mut files = Vec::new();
        for entry in fs::read_dir(&self.folder)? {
            let entry = entry?;
            let name = entry.file_name();
            if is_entry(&name.to_string_lossy())
                && let Ok(about) = entry.metadata()
            {
                files.push((about.modified()?, entry.path(), about.len()));
            }
        }
        files.sort();
        let mut total: u64 = files.iter().map(|(_, _, size)| size).sum();
        for (_, path, size) in files {
            if total <= self.limit {
                break;
            }
            // Another process may have dropped it.
            let _ = fs::remove_file(path);
            total -= size;
        }
        Ok(())
    }
}

/// What the names of files begin with that are not whole yet.
const PARTIAL: &str = ".partial-";

/// Whether a file of this name is an entry: nothing else in the folder is touched.
fn is_entry(name: &str) -> bool {
    name.len() == 2 * DIGEST && name.bytes().all(|byte| byte.is_ascii_hexdigit())
}

/// Makes the folder, for its owner only.
#[cfg(unix)]
fn make_own(folder: &Path) -> io::Result<()> {
    use std::os::unix::fs::DirBuilderExt as _;
    fs::DirBuilder::new().recursive(true).mode(0o700).create(folder)?;
    if is_own(folder, &fs::symlink_metadata(folder)?)? {
        return Ok(());
    }
    Err(io::Error::new(io::ErrorKind::PermissionDenied, "others can write there"))
}

/// Whether only this user can have written a file or folder. A new file in the cache tells who this user is.
#[cfg(unix)]
#[expect(clippy::verbose_bit_mask, reason = "permissions are read as octal digits")]
fn is_own(folder: &Path, about: &fs::Metadata) -> io::Result<bool> {
    use std::os::unix::fs::MetadataExt as _;
    let user = tempfile::tempfile_in(folder)?.metadata()?.uid();
    Ok(about.uid() == user && about.mode() & 0o077 == 0)
}

/// Who may write what is not known here: nothing is kept.
#[cfg(not(unix))]
fn make_own(_: &Path) -> io::Result<()> {
    Err(io::ErrorKind::Unsupported.into())
}

/// Who may write what is not known here.
#[cfg(not(unix))]
fn is_own(_: &Path, _: &fs::Metadata) -> io::Result<bool> {
    Ok(false)
}

#[cfg(all(test, unix))]
mod tests {
    use std::os::unix::fs::{PermissionsExt as _, symlink};
    use std::time::Duration;

    use super::*;

    fn cache(limit: u64) -> (tempfile::TempDir, Cache) {
        let folder = tempfile::tempdir().unwrap();
        let cache = Cache { folder: folder.path().join("a/dl"), limit };
        (folder, cache)
    }

    /// An entry of which one part is empty, and one follows another that ends anywhere.
    fn code() -> Vec<Bytes> {
        [&b"code"[..], b"", b"weights"].map(Bytes::from_static).to_vec()
    }

    fn key(text: &str) -> Key {
        Key::of(&[text.as_bytes()]).unwrap()
    }

    fn allow(path: &Path, mode: u32) {
        fs::set_permissions(path, fs::Permissions::from_mode(mode)).unwrap();
    }

    #[test]
    fn code_comes_back_under_its_key_only() {
        let (_folder, cache) = cache(1000);
        assert_eq!(cache.get(key("a")), None);
        cache.put(key("a"), &code());
        assert_eq!(cache.get(key("a")), Some(code()));
        assert_eq!(cache.get(key("b")), None);
        assert_ne!(Key::of(&[b"ab", b"c"]), Key::of(&[b"a", b"bc"]));
        let mode = |path: &Path| fs::metadata(path).unwrap().permissions().mode() & 0o777;
        assert_eq!(mode(&cache.folder), 0o700);
        assert_eq!(mode(&cache.folder.join(key("a").file_name())), 0o600);
    }

    #[test]
    fn large_parts_are_aligned_where_they_are() {
        let (_folder, cache) = cache(4 << 20);
        let weights: Vec<u8> = (0..3_000_000_u32).map(|at| (at % 251) as u8).collect();
        let parts = vec![Bytes::from_static(b"code"), Bytes::from(weights)];
        cache.put(key("a"), &parts);
        let read = cache.get(key("a")).unwrap();
        assert_eq!(read, parts);
        assert!(read.iter().all(|part| part.as_ptr().addr().is_multiple_of(ALIGNMENT)));
    }

    #[test]
    fn parts_that_a_file_does_not_hold_are_none() {
        let file = |numbers: &[u64], rest: &[u8]| {
            let numbers: Vec<u8> = numbers.iter().flat_map(|number| number.to_le_bytes()).collect();
            Bytes::from([&[0; HEADER][..], &numbers, rest].concat())
        };
        assert_eq!(parts(&file(&[0], b"")), Some(Vec::new()));
        for numbers in
            [&[][..], &[1], &[2, 0], &[1, 1], &[1, u64::MAX], &[u64::MAX], &[u64::MAX / 8], &[u64::MAX / 8 - 1, 0]]
        {
            assert_eq!(parts(&file(numbers, b"")), None, "{numbers:?}");
        }
        assert_eq!(parts(&file(&[0], b"x")), None);
    }

    #[test]
    fn what_is_not_whole_is_ignored_and_replaced() {
        let (_folder, cache) = cache(1000);
        cache.put(key("a"), &code());
        let path = cache.folder.join(key("a").file_name());
        let whole = fs::read(&path).unwrap();
        for len in 0..whole.len() {
            fs::write(&path, &whole[..len]).unwrap();
            assert_eq!(cache.get(key("a")), None, "{len} bytes");
        }
        for at in 0..whole.len() {
            let mut changed = whole.clone();
            changed[at] ^= 1;
            fs::write(&path, &changed).unwrap();
            assert_eq!(cache.get(key("a")), None, "byte {at}");
        }
        fs::write(&path, [&whole[..], b"x"].concat()).unwrap();
        assert_eq!(cache.get(key("a")), None);
        cache.put(key("a"), &code());
        assert!(cache.get(key("a")).is_some());
        // That of another key is whole, and not meant.
        fs::copy(&path, cache.folder.join(key("b").file_name())).unwrap();
        assert_eq!(cache.get(key("b")), None);
    }

    #[test]
    fn what_others_can_write_is_ignored() {
        let (folder, cache) = cache(1000);
        cache.put(key("a"), &code());
        let path = cache.folder.join(key("a").file_name());
        for mode in [0o620, 0o602, 0o604] {
            allow(&path, mode);
            assert_eq!(cache.get(key("a")), None, "{mode:o}");
        }
        allow(&path, 0o600);
        assert!(cache.get(key("a")).is_some());
        allow(&cache.folder, 0o777);
        assert_eq!(cache.get(key("a")), None);
        cache.put(key("b"), &code());
        allow(&cache.folder, 0o700);
        assert_eq!(cache.get(key("b")), None, "nothing was written");
        // A link is no entry, wherever it leads.
        let moved = folder.path().join("moved");
        fs::rename(&path, &moved).unwrap();
        symlink(&moved, &path).unwrap();
        assert_eq!(cache.get(key("a")), None);
    }

    #[test]
    fn what_was_not_used_for_longest_goes_first() {
        let size = HEADER + pieces(&code()).iter().map(Bytes::len).sum::<usize>();
        let (_folder, cache) = cache(3 * size as u64);
        let past = |text: &str, seconds| {
            let file = File::open(cache.folder.join(key(text).file_name())).unwrap();
            file.set_modified(SystemTime::now() - Duration::from_secs(seconds)).unwrap();
        };
        for (text, seconds) in [("a", 30), ("b", 20), ("c", 10)] {
            cache.put(key(text), &code());
            past(text, seconds);
        }
        fs::write(cache.folder.join("other"), [0; 1000]).unwrap();
        assert!(cache.get(key("a")).is_some(), "which makes it the last to go");
        cache.put(key("d"), &code());
        let left: Vec<bool> = ["a", "b", "c", "d"].iter().map(|text| cache.get(key(text)).is_some()).collect();
        assert_eq!(left, [true, false, true, true]);
        assert!(cache.folder.join("other").exists());
        // What is larger than all of it is not kept.
        cache.put(key("e"), &[Bytes::from_static(&[0; 1000])]);
        assert!(cache.get(key("e")).is_none() && cache.get(key("a")).is_some());
    }
}
