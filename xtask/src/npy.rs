//! Reads the NumPy arrays that the demo compares: little-endian numbers in C order.

use std::fs;
use std::path::Path;

use anyhow::{Context, Result, bail, ensure};

/// The numbers of the `.npy` file at `path` in row-major order, whatever its shape. Element types: `f4`, `f8`, `i8`.
pub(crate) fn read(path: &Path) -> Result<Vec<f64>> {
    let bytes = fs::read(path).with_context(|| format!("cannot read {}", path.display()))?;
    parse(&bytes).with_context(|| format!("{} is not an array this program reads", path.display()))
}

/// Format version 1.0: magic, version, header length, a Python dictionary, then the elements.
fn parse(bytes: &[u8]) -> Result<Vec<f64>> {
    let rest = bytes.strip_prefix(b"\x93NUMPY\x01\x00").context("expected a NumPy array, format 1.0")?;
    let (length, rest) = rest.split_first_chunk().context("the header is cut off")?;
    let (header, data) = rest.split_at_checked(u16::from_le_bytes(*length).into()).context("the header is cut off")?;
    let header = std::str::from_utf8(header)?;
    ensure!(header.contains("'fortran_order': False"), "expected C order");
    let (_, descr) = header.split_once("'descr': '").context("expected an element type")?;
    match descr.split_once('\'').map_or("", |(descr, _)| descr) {
        "<f4" => elements(data, |bytes| f32::from_le_bytes(bytes).into()),
        "<f8" => elements(data, f64::from_le_bytes),
        "<i8" => elements(data, |bytes| i64::from_le_bytes(bytes) as f64),
        other => bail!("expected element type <f4, <f8 or <i8, but got '{other}'"),
    }
}

fn elements<const N: usize>(data: &[u8], element: impl Fn([u8; N]) -> f64) -> Result<Vec<f64>> {
    let (chunks, rest) = data.as_chunks();
    ensure!(rest.is_empty(), "the last element is cut off");
    Ok(chunks.iter().map(|&chunk| element(chunk)).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn array(descr: &str, data: &[u8]) -> Vec<u8> {
        let header = format!("{{'descr': '{descr}', 'fortran_order': False, 'shape': (2,), }}\n");
        let length = u16::try_from(header.len()).unwrap().to_le_bytes();
        [b"\x93NUMPY\x01\x00", &length[..], header.as_bytes(), data].concat()
    }

    #[test]
    fn each_element_type_is_read() {
        assert_eq!(parse(&array("<f4", &[0, 0, 0x80, 0x3f, 0, 0, 0, 0xc0])).unwrap(), [1.0, -2.0]);
        assert_eq!(parse(&array("<f8", &1.5f64.to_le_bytes())).unwrap(), [1.5]);
        assert_eq!(parse(&array("<i8", &(-7i64).to_le_bytes())).unwrap(), [-7.0]);
    }

    #[test]
    fn what_is_not_read_is_an_error() {
        assert!(parse(b"\x93NUMPY\x02\x00").is_err());
        assert!(parse(&array("<f4", &[0; 5])).unwrap_err().to_string().contains("cut off"));
        assert!(parse(&array(">f4", &[0; 4])).unwrap_err().to_string().contains("'>f4'"));
    }
}
