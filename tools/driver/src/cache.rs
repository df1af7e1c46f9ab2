//! Machine code that `dl-run` keeps from one run to the next.
//!
//! An entry is one file in a folder that only its owner may read: `$XDG_CACHE_HOME/dl`, else `~/.cache/dl`. Its name is the [`Key`], a digest of all
//! that the code was made from. It holds, in this order:
//!
//! | bytes | content |
//! |---|---|
//! | 8 | [`MAGIC`] |
//! | 16 | the key |
//! | 16 | the digest of the code |
//! | the rest | the code |
//!
//! What another user could have written, or what is not whole, is no entry: it is made anew and replaced. Code from here runs as if it had just been compiled,
//! so that nothing less will do. Failing to write is no error either, since all that is lost is time.

use std::fs::{self, File};
use std::hash::{DefaultHasher, Hasher as _};
use std::io::{self, Read as _, Write as _};
use std::path::{Path, PathBuf};
use std::time::SystemTime;

/// What each file begins with; the number counts its formats.
const MAGIC: &[u8; 8] = b"dlcode\x001";
/// Bytes of a digest.
const DIGEST: usize = 16;
/// Bytes in front of the code.
const HEADER: usize = MAGIC.len() + 2 * DIGEST;

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
    /// The digest of some parts, which also depends on where one ends and the next begins, and on the tool itself: another build of it may make other
    /// code of the same parts. `None` where the tool does not know its own file.
    pub fn of(parts: &[&[u8]]) -> Option<Self> {
        let tool = std::env::current_exe().and_then(fs::metadata).ok()?;
        let changed = tool.modified().ok()?.duration_since(SystemTime::UNIX_EPOCH).ok()?.as_nanos();
        let tool = format!("{} {} {changed}", env!("CARGO_PKG_VERSION"), tool.len());
        let all: Vec<&[u8]> = std::iter::once(tool.as_bytes()).chain(parts.iter().copied()).collect();
        Some(Self(digest(&all)))
    }

    fn file_name(&self) -> String {
        self.0.iter().map(|byte| format!("{byte:02x}")).collect()
    }
}

/// 128 bits of SipHash, which tell different texts apart and whole files from broken ones. Against someone who makes files that fit it would not do; who
/// may write here keeps those away. Another release of Rust may have another function, which makes another tool, too.
fn digest(parts: &[&[u8]]) -> [u8; DIGEST] {
    let half = |seed: u64| {
        let mut hash = DefaultHasher::new();
        hash.write_u64(seed);
        for part in parts {
            hash.write_usize(part.len());
            hash.write(part);
        }
        hash.finish().to_le_bytes()
    };
    let mut digest = [0; DIGEST];
    digest[..DIGEST / 2].copy_from_slice(&half(0));
    digest[DIGEST / 2..].copy_from_slice(&half(1));
    digest
}

impl Cache {
    /// The cache of this user, of at most `limit` bytes; `None` where there is no place for one.
    #[expect(clippy::disallowed_methods, reason = "a tool's folder is where the environment says")]
    pub(crate) fn of_user(limit: u64) -> Option<Self> {
        let folder = |name: &str| std::env::var(name).ok().map(PathBuf::from).filter(|folder| folder.is_absolute());
        let base = folder("XDG_CACHE_HOME").or_else(|| Some(folder("HOME")?.join(".cache")))?;
        Some(Self { folder: base.join("dl"), limit })
    }

    /// The code of this key, if it is here and nobody but its owner can have written it.
    pub fn get(&self, key: Key) -> Option<Vec<u8>> {
        let _span = tracing::info_span!("cache-read").entered();
        self.read(key).ok().flatten()
    }

    fn read(&self, key: Key) -> io::Result<Option<Vec<u8>>> {
        let path = self.folder.join(key.file_name());
        if !fs::symlink_metadata(&path)?.is_file() || !is_own(&self.folder, &fs::symlink_metadata(&self.folder)?)? {
            return Ok(None);
        }
        let mut file = File::open(&path)?;
        if !is_own(&self.folder, &file.metadata()?)? {
            return Ok(None);
        }
        let mut bytes = Vec::new();
        file.read_to_end(&mut bytes)?;
        let Some((header, code)) = bytes.split_at_checked(HEADER) else { return Ok(None) };
        if header != [&MAGIC[..], &key.0, &digest(&[code])].concat() {
            return Ok(None);
        }
        // So that it is the last to go. Not being able to say so changes nothing.
        let _ = file.set_modified(SystemTime::now());
        bytes.drain(..HEADER);
        Ok(Some(bytes))
    }

    /// Keeps the code of this key, if there is room for it, and drops what was not used for longest.
    pub fn put(&self, key: Key, code: &[u8]) {
        let _span = tracing::info_span!("cache-write").entered();
        if let Err(error) = self.write(key, code) {
            tracing::warn!("code is not kept in '{}': {error}", self.folder.display());
        }
    }

    fn write(&self, key: Key, code: &[u8]) -> io::Result<()> {
        let size = (HEADER + code.len()) as u64;
        if size > self.limit {
            return Ok(());
        }
        make_own(&self.folder)?;
        // A file of its own until it is whole, for whoever reads meanwhile.
        let mut file = tempfile::Builder::new().prefix(PARTIAL).tempfile_in(&self.folder)?;
        for part in [&MAGIC[..], &key.0, &digest(&[code]), code] {
            file.write_all(part)?;
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
        cache.put(key("a"), b"code");
        assert_eq!(cache.get(key("a")).as_deref(), Some(&b"code"[..]));
        assert_eq!(cache.get(key("b")), None);
        assert_ne!(Key::of(&[b"ab", b"c"]), Key::of(&[b"a", b"bc"]));
        let mode = |path: &Path| fs::metadata(path).unwrap().permissions().mode() & 0o777;
        assert_eq!(mode(&cache.folder), 0o700);
        assert_eq!(mode(&cache.folder.join(key("a").file_name())), 0o600);
    }

    #[test]
    fn what_is_not_whole_is_ignored_and_replaced() {
        let (_folder, cache) = cache(1000);
        cache.put(key("a"), b"code");
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
        cache.put(key("a"), b"code");
        assert!(cache.get(key("a")).is_some());
        // That of another key is whole, and not meant.
        fs::copy(&path, cache.folder.join(key("b").file_name())).unwrap();
        assert_eq!(cache.get(key("b")), None);
    }

    #[test]
    fn what_others_can_write_is_ignored() {
        let (folder, cache) = cache(1000);
        cache.put(key("a"), b"code");
        let path = cache.folder.join(key("a").file_name());
        for mode in [0o620, 0o602, 0o604] {
            allow(&path, mode);
            assert_eq!(cache.get(key("a")), None, "{mode:o}");
        }
        allow(&path, 0o600);
        assert!(cache.get(key("a")).is_some());
        allow(&cache.folder, 0o777);
        assert_eq!(cache.get(key("a")), None);
        cache.put(key("b"), b"code");
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
        let (_folder, cache) = cache(3 * (HEADER as u64 + 4));
        let past = |text: &str, seconds| {
            let file = File::open(cache.folder.join(key(text).file_name())).unwrap();
            file.set_modified(SystemTime::now() - Duration::from_secs(seconds)).unwrap();
        };
        for (text, seconds) in [("a", 30), ("b", 20), ("c", 10)] {
            cache.put(key(text), b"code");
            past(text, seconds);
        }
        fs::write(cache.folder.join("other"), [0; 1000]).unwrap();
        assert!(cache.get(key("a")).is_some(), "which makes it the last to go");
        cache.put(key("d"), b"code");
        let left: Vec<bool> = ["a", "b", "c", "d"].iter().map(|text| cache.get(key(text)).is_some()).collect();
        assert_eq!(left, [true, false, true, true]);
        assert!(cache.folder.join("other").exists());
        // What is larger than all of it is not kept.
        cache.put(key("e"), &[0; 1000]);
        assert!(cache.get(key("e")).is_none() && cache.get(key("a")).is_some());
    }
}
