//! Files that tests read and write.

use std::fs::{self, File};
use std::io::BufWriter;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use npyz::{AutoSerialize, Deserialize, NpyFile, WriterBuilder};

/// A file of the digits example.
pub(crate) fn digits(file: &str) -> PathBuf {
    super::root().join("examples/digits").join(file)
}

/// A folder of this name in which to write.
pub(crate) fn folder(name: &str) -> Result<PathBuf> {
    let folder = super::scratch().join(name);
    fs::create_dir_all(&folder)?;
    Ok(folder)
}

/// The elements of a `.npy` file.
pub(crate) fn read<T: Deserialize>(path: &Path) -> Result<Vec<T>> {
    let bytes = fs::read(path).with_context(|| format!("cannot read {}", path.display()))?;
    Ok(NpyFile::new(&bytes[..])?.into_vec()?)
}

/// Writes a `.npy` file.
pub(crate) fn write<T: AutoSerialize + Copy>(path: &Path, shape: &[u64], numbers: &[T]) -> Result<()> {
    let file = BufWriter::new(File::create(path)?);
    let mut writer = npyz::WriteOptions::new().default_dtype().shape(shape).writer(file).begin_nd()?;
    writer.extend(numbers.iter().copied())?;
    Ok(writer.finish()?)
}
