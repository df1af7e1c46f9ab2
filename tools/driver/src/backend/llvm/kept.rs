//! Code and its constants as parts of a file: the object files, then for each constant its description and its bytes.
//!
//! A description is the size of an element and the alignment, 8 bytes each, little endian, and the name.

use bytes::Bytes;
use dl_codegen_llvm::{Constant, Objects};

/// The parts.
pub(super) fn parts(code: &Objects, constants: &[Constant]) -> Vec<Bytes> {
    let mut parts = vec![Bytes::from(code.to_bytes())];
    for Constant { name, bytes, element, alignment } in constants {
        let numbers = [*element, *alignment].map(|number| (number as u64).to_le_bytes());
        parts.push(Bytes::from([numbers.as_flattened(), name.as_bytes()].concat()));
        parts.push(bytes.clone());
    }
    parts
}

/// What [`parts`] wrote; `None` where these are no such parts.
pub(super) fn read(parts: &[Bytes]) -> Option<(Objects, Vec<Constant>)> {
    let (code, constants) = parts.split_first()?;
    let (pairs, []) = constants.as_chunks() else { return None };
    let constant = |[description, bytes]: &[Bytes; 2]| {
        let (element, rest) = number(description)?;
        let (alignment, name) = number(rest)?;
        let name = String::from_utf8(name.to_vec()).ok()?;
        alignment.is_power_of_two().then(|| Constant { name, bytes: bytes.clone(), element, alignment })
    };
    Some((Objects::from_bytes(code)?, pairs.iter().map(constant).collect::<Option<_>>()?))
}

/// The number in front, and what follows it.
fn number(bytes: &[u8]) -> Option<(usize, &[u8])> {
    let (number, rest) = bytes.split_first_chunk()?;
    Some((usize::try_from(u64::from_le_bytes(*number)).ok()?, rest))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_are_read_as_they_were_written() {
        let code = Objects::from_bytes(&[2, 0, 0, 0, 0, 0, 0, 0, 7, 8]).unwrap();
        let constant = |name: &str, bytes: &'static [u8]| Constant {
            name: name.to_owned(),
            bytes: Bytes::from_static(bytes),
            element: 4,
            alignment: 64,
        };
        let constants = vec![constant("weights of \n", b"abcdefgh"), constant("", b"")];
        let written = parts(&code, &constants);
        assert_eq!(read(&written), Some((code, constants)));
        for count in [0, 2, 4] {
            assert_eq!(read(&written[..count]), None, "{count} parts");
        }
        let with = |at: usize, part: &[u8]| {
            let mut parts = written.clone();
            parts[at] = Bytes::copy_from_slice(part);
            parts
        };
        assert_eq!(read(&with(0, &[9, 0])), None);
        assert_eq!(read(&with(1, &[4; 15])), None);
        assert_eq!(read(&with(1, &[[4, 0, 0, 0, 0, 0, 0, 0], [3, 0, 0, 0, 0, 0, 0, 0]].concat())), None, "alignment");
        assert_eq!(read(&with(1, &[&[1, 0, 0, 0, 0, 0, 0, 0].repeat(2)[..], &[255]].concat())), None, "name");
    }
}
