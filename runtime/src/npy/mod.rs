//! Arrays from and to `.npy`, NumPy's file format (versions 1 to 3).
//!
//! A file from anywhere gives an array or an [`NpyError`]: the header may not be long, and the length that its shape implies is compared
//! with the file's own before memory is taken. Either byte order and either element order are read; writing is always version 1,
//! little-endian, row-major. The header is read here rather than by a library because those at hand multiply its extents unchecked.
//!
//! `bfloat16` has no NumPy type of its own: `ml_dtypes` stores it as two raw bytes (`V2`), and so it is read and written here. So are floats
//! of 8 bits, as one raw byte (`V1`), which is read as `uint8`, whichever of them it is. Of `float8_e5m2` it writes `f1`, which is read as such,
//! but not written: NumPy does not read it.

mod header;

use std::{
    fs::File,
    io::{self, Read, Write},
    path::Path,
};

use thiserror::Error;

use self::header::Header;
use crate::{Array, array::byte_len};

const MAGIC: &[u8; 6] = b"\x93NUMPY";
/// Longest header read. NumPy itself stops at 10 000 characters.
const MAX_HEADER: usize = 1 << 16;

/// Why a `.npy` file could not be read.
#[derive(Debug, Error)]
pub enum NpyError {
    /// The file could not be opened or read.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// It does not start as a `.npy` file does.
    #[error("not a .npy file")]
    NotNpy,
    /// A format version this reader does not know.
    #[error("unsupported .npy version {0}.{1}")]
    Version(u8, u8),
    /// The header is not the dictionary it must be.
    #[error("malformed .npy header: {0}")]
    Header(String),
    /// An element type that no program takes.
    #[error("unsupported: .npy element type {0}")]
    ElementType(String),
    /// The file ends before the data does.
    #[error("truncated .npy file: the header says {expected} bytes of data, {got} follow")]
    Truncated {
        /// Bytes that the shape and element type imply.
        expected: u64,
        /// Bytes there are.
        got: u64,
    },
}

impl Array {
    /// Reads a `.npy` file.
    pub fn read_npy(path: &Path) -> Result<Self, NpyError> {
        let mut file = File::open(path)?;
        let metadata = file.metadata()?;
        if metadata.is_file() {
            return read(&mut file, metadata.len());
        }
        // A pipe has no length to check against: read what it gives.
        let mut bytes = Vec::new();
        file.read_to_end(&mut bytes)?;
        Self::from_npy(&bytes)
    }

    /// Reads an array from the bytes of a `.npy` file. What follows the data is ignored, as NumPy does.
    pub fn from_npy(bytes: &[u8]) -> Result<Self, NpyError> {
        read(&mut &*bytes, bytes.len() as u64)
    }

    /// Writes a `.npy` file.
    pub fn write_npy(&self, path: &Path) -> io::Result<()> {
        let mut file = File::create(path)?;
        file.write_all(&header::write(self))?;
        file.write_all(&self.little_endian())
    }

    /// The bytes of a `.npy` file holding this array.
    pub fn to_npy(&self) -> Vec<u8> {
        let mut bytes = header::write(self);
        bytes.extend_from_slice(&self.little_endian());
        bytes
    }

    /// The data in little-endian order, borrowed where that is this machine's.
    fn little_endian(&self) -> std::borrow::Cow<'_, [u8]> {
        if cfg!(target_endian = "little") {
            return self.bytes().into();
        }
        let mut bytes = self.bytes().to_vec();
        swap_bytes(&mut bytes, self.dtype().size());
        bytes.into()
    }
}

/// Reads a file of `length` bytes.
fn read(reader: &mut impl Read, length: u64) -> Result<Array, NpyError> {
    let mut preamble = [0; 8];
    read_part(reader, &mut preamble)?;
    let (magic, version) = preamble.split_at(MAGIC.len());
    if magic != MAGIC {
        return Err(NpyError::NotNpy);
    }
    let (header_length, length_size) = match *version {
        [1, _] => {
            let mut bytes = [0; 2];
            read_part(reader, &mut bytes)?;
            (usize::from(u16::from_le_bytes(bytes)), bytes.len())
        }
        [2 | 3, _] => {
            let mut bytes = [0; 4];
            read_part(reader, &mut bytes)?;
            (u32::from_le_bytes(bytes) as usize, bytes.len())
        }
        [major, minor] => return Err(NpyError::Version(major, minor)),
        _ => unreachable!("the version is two bytes"),
    };
    if header_length > MAX_HEADER {
        return Err(NpyError::Header(format!("{header_length} bytes long")));
    }
    let mut text = vec![0; header_length];
    read_part(reader, &mut text)?;
    let header = Header::parse(&text)?;

    let available = length.saturating_sub((preamble.len() + length_size + header_length) as u64);
    let expected = byte_len(header.dtype, &header.shape)
        .ok_or_else(|| NpyError::Header("the shape is larger than memory can hold".to_owned()))?;
    if available < expected as u64 {
        return Err(NpyError::Truncated { expected: expected as u64, got: available });
    }
    let mut array = Array::zeros(header.dtype, &header.shape).map_err(|error| NpyError::Header(error.to_string()))?;
    reader.read_exact(array.bytes_mut())?;
    if header.big_endian != cfg!(target_endian = "big") {
        swap_bytes(array.bytes_mut(), header.dtype.size());
    }
    if header.fortran_order {
        array = from_column_major(&array);
    }
    array.normalize_bools();
    Ok(array)
}

/// Fills `buffer` from the part of the file before the data.
fn read_part(reader: &mut impl Read, buffer: &mut [u8]) -> Result<(), NpyError> {
    reader.read_exact(buffer).map_err(|error| match error.kind() {
        io::ErrorKind::UnexpectedEof => NpyError::NotNpy,
        _ => error.into(),
    })
}

/// Reverses the bytes of every element.
fn swap_bytes(bytes: &mut [u8], size: usize) {
    if size > 1 {
        bytes.chunks_exact_mut(size).for_each(<[u8]>::reverse);
    }
}

/// Reorders data that was read as if row-major but lies column-major. Reads in order, writes with a stride.
fn from_column_major(source: &Array) -> Array {
    let mut target = source.clone();
    let (shape, size) = (source.shape(), source.dtype().size());
    if shape.len() < 2 || source.element_count() == 0 {
        return target;
    }
    let mut strides = vec![size; shape.len()];
    for axis in (1..shape.len()).rev() {
        strides[axis - 1] = strides[axis] * shape[axis];
    }
    let mut index = vec![0; shape.len()];
    let mut offset = 0;
    let bytes = target.bytes_mut();
    for element in source.bytes().chunks_exact(size) {
        bytes[offset..offset + size].copy_from_slice(element);
        for axis in 0..shape.len() {
            index[axis] += 1;
            offset += strides[axis];
            if index[axis] < shape[axis] {
                break;
            }
            offset -= strides[axis] * shape[axis];
            index[axis] = 0;
        }
    }
    target
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::DType;

    /// A version 1 file with this header text and data.
    fn file(header: &str, data: &[u8]) -> Vec<u8> {
        let mut bytes = b"\x93NUMPY\x01\x00".to_vec();
        bytes.extend_from_slice(&(header.len() as u16).to_le_bytes());
        bytes.extend_from_slice(header.as_bytes());
        bytes.extend_from_slice(data);
        bytes
    }

    fn dict(descr: &str, fortran_order: &str, shape: &str) -> String {
        format!("{{'descr': '{descr}', 'fortran_order': {fortran_order}, 'shape': {shape}, }}\n")
    }

    fn error(bytes: &[u8]) -> String {
        Array::from_npy(bytes).unwrap_err().to_string()
    }

    #[test]
    fn writes_what_numpy_writes() {
        let array = Array::from_slice(&[2, 3], &[1_i16, 2, 3, 4, 5, 6]).unwrap();
        // From NumPy: np.save of np.arange(1, 7, dtype=np.int16).reshape(2, 3).
        let mut expected = b"\x93NUMPY\x01\x00v\x00{'descr': '<i2', 'fortran_order': False, \
            'shape': (2, 3), }"
            .to_vec();
        expected.resize(127, b' ');
        expected.extend_from_slice(b"\n\x01\0\x02\0\x03\0\x04\0\x05\0\x06\0");
        assert_eq!(array.to_npy(), expected);
    }

    #[test]
    fn every_type_and_rank_survives_a_round_trip() {
        for dtype in DType::ALL {
            for shape in [&[][..], &[0], &[3], &[2, 1, 2]] {
                let mut array = Array::zeros(dtype, shape).unwrap();
                for (i, byte) in array.bytes_mut().iter_mut().enumerate() {
                    *byte = if dtype == DType::Bool { u8::from(i % 2 == 0) } else { i as u8 };
                }
                let bytes = array.to_npy();
                assert_eq!(bytes.len() % 64, array.bytes().len() % 64, "data is aligned");
                let read = Array::from_npy(&bytes).unwrap();
                assert_eq!(read.dtype(), if dtype.is_f8() { DType::U8 } else { dtype });
                assert_eq!((read.shape(), read.bytes()), (array.shape(), array.bytes()));
            }
        }
    }

    #[test]
    fn files_are_read_and_written() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.npy");
        let array = Array::from_slice(&[2], &[1.5_f64, -2.0]).unwrap();
        array.write_npy(&path).unwrap();
        assert_eq!(Array::read_npy(&path).unwrap(), array);
        assert!(matches!(Array::read_npy(&folder.path().join("b.npy")), Err(NpyError::Io(_))));
    }

    #[test]
    fn big_endian() {
        let bytes = file(&dict(">i4", "False", "(2,)"), &[0, 0, 0, 1, 0, 0, 1, 0]);
        let expected = Array::from_slice(&[2], &[1_i32, 256]).unwrap();
        assert_eq!(Array::from_npy(&bytes).unwrap(), expected);
    }

    #[test]
    fn column_major() {
        // [[1, 2, 3], [4, 5, 6]] and a rank 3 array whose element (i, j, k) is 4i + 2j + k.
        let bytes = file(&dict("|u1", "True", "(2, 3)"), &[1, 4, 2, 5, 3, 6]);
        let expected = Array::from_slice(&[2, 3], &[1_u8, 2, 3, 4, 5, 6]).unwrap();
        assert_eq!(Array::from_npy(&bytes).unwrap(), expected);
        let bytes = file(&dict("|u1", "True", "(2, 2, 2)"), &[0, 4, 2, 6, 1, 5, 3, 7]);
        let expected = Array::from_slice(&[2, 2, 2], &[0_u8, 1, 2, 3, 4, 5, 6, 7]).unwrap();
        assert_eq!(Array::from_npy(&bytes).unwrap(), expected);
    }

    #[test]
    fn header_spelling_is_free_as_in_python() {
        let header = "{\"shape\":(2L,),\"descr\" : \"|i1\",\n\"fortran_order\": False}   \n";
        let expected = Array::from_slice(&[2], &[1_i8, -1]).unwrap();
        assert_eq!(Array::from_npy(&file(header, &[1, 255])).unwrap(), expected);
    }

    #[test]
    fn hostile_shapes_are_refused_before_memory_is_taken() {
        let terabytes = file(&dict("<f8", "False", "(1000000, 1000000)"), &[0; 8]);
        assert_eq!(error(&terabytes), "truncated .npy file: the header says 8000000000000 bytes of data, 8 follow");
        let overflow = file(&dict("<f8", "False", "(9223372036854775807, 9223372036854775807)"), &[]);
        assert_eq!(error(&overflow), "malformed .npy header: the shape is larger than memory can hold");
        let extent = file(&dict("<f8", "False", "(99999999999999999999,)"), &[]);
        assert_eq!(error(&extent), "malformed .npy header: an extent is too large");
        let negative = file(&dict("<f8", "False", "(-1,)"), &[]);
        assert!(error(&negative).starts_with("malformed .npy header: not a dictionary"));
        let rank = file(&dict("<f8", "False", &format!("({})", "1,".repeat(1000))), &[]);
        assert_eq!(error(&rank), "malformed .npy header: rank 1000 is above 64");
        // No data, and extents that would overflow a stride.
        let empty = file(&dict("<f8", "True", "(9223372036854775807, 0, 4611686018427387904)"), &[]);
        assert_eq!(Array::from_npy(&empty).unwrap().element_count(), 0);
    }

    #[test]
    fn hostile_headers() {
        assert_eq!(error(b""), "not a .npy file");
        assert_eq!(error(b"\x93NUMPY\x01\x00\x80\x00{"), "not a .npy file");
        assert_eq!(error(b"PK\x03\x04 an archive"), "not a .npy file");
        assert_eq!(error(b"\x93NUMPY\x04\x00\x00\x00"), "unsupported .npy version 4.0");
        assert_eq!(error(b"\x93NUMPY\x02\x00\xff\xff\xff\xff"), "malformed .npy header: 4294967295 bytes long");
        let nested = format!("{}{}", "(".repeat(30_000), ")".repeat(30_000));
        assert!(error(&file(&dict("<f4", "False", &nested), &[])).contains("not a dictionary"));
        assert_eq!(error(&file("{}", &[])), "malformed .npy header: no 'descr'");
        assert_eq!(
            error(&file("{'descr': '<f4', 'shape': 'x'}", &[])),
            "malformed .npy header: unexpected entry 'shape'"
        );
        assert_eq!(error(&file("{'descr': '\u{e9}'}", &[])), "unsupported: .npy element type '\u{e9}'");
    }

    #[test]
    fn element_types_that_no_program_takes() {
        let of = |descr: &str| error(&file(&dict(descr, "False", "(1,)"), &[0; 16]));
        assert_eq!(of("|O"), "unsupported: .npy element type '|O' (pickled Python objects)");
        assert_eq!(of("<c8"), "unsupported: .npy element type '<c8'");
        assert_eq!(of("<U3"), "unsupported: .npy element type '<U3'");
        let record = "{'descr': [('a', '<f4', (2,)), ('b', [('c', '<i2')])], 'fortran_order': False, \
            'shape': (1,)}";
        assert_eq!(error(&file(record, &[0; 16])), "unsupported: .npy element type with fields (structured)");
    }

    proptest::proptest! {
        #[test]
        fn damaged_files_never_panic(
            at in 0..128_usize,
            with in proptest::collection::vec(proptest::num::u8::ANY, 0..6),
            length in 0..150_usize,
        ) {
            let mut bytes = Array::from_slice(&[2, 2], &[1.0_f32, 2.0, 3.0, 4.0]).unwrap().to_npy();
            bytes.splice(at..at + with.len().min(bytes.len() - at), with);
            bytes.truncate(length);
            // Whatever is read is as large as the file allows.
            if let Ok(array) = Array::from_npy(&bytes) {
                assert!(array.bytes().len() <= bytes.len());
            }
        }
    }
}
