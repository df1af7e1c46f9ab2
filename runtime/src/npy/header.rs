//! The dictionary at the start of a `.npy` file.

use pest::{Parser as _, iterators::Pair};

use self::grammar::{HeaderParser, Rule};
use super::{MAGIC, NpyError};
use crate::{Array, DType};

/// Dimensions an array may have; NumPy's own limit.
const MAX_RANK: usize = 64;

mod grammar {
    #[derive(pest_derive::Parser)]
    #[grammar = "npy/header.pest"]
    pub(super) struct HeaderParser;
}

/// What the dictionary says.
pub(super) struct Header {
    pub(super) dtype: DType,
    pub(super) big_endian: bool,
    pub(super) fortran_order: bool,
    pub(super) shape: Vec<usize>,
}

impl Header {
    /// Parses the text between the length field and the data.
    pub(super) fn parse(text: &[u8]) -> Result<Self, NpyError> {
        let malformed = |what: &str| NpyError::Header(what.to_owned());
        let text = std::str::from_utf8(text).map_err(|_| malformed("not UTF-8"))?;
        let mut pairs = HeaderParser::parse(Rule::header, text.trim_end())
            .map_err(|_| malformed("not a dictionary of 'descr', 'fortran_order' and 'shape'"))?;
        let entries = pairs.next().into_iter().flat_map(Pair::into_inner);

        let (mut descr, mut fortran_order, mut shape) = (None, None, None);
        for entry in entries.filter(|pair| pair.as_rule() == Rule::entry) {
            let mut parts = entry.into_inner();
            let (Some(key), Some(value)) = (parts.next(), parts.next()) else {
                return Err(malformed("an entry has no value"));
            };
            match (unquote(key.as_str()), value.as_rule()) {
                ("descr", Rule::string) => {
                    descr = Some(parse_descr(unquote(value.as_str()))?);
                }
                ("descr", Rule::record) => {
                    return Err(NpyError::ElementType("with fields (structured)".to_owned()));
                }
                ("fortran_order", Rule::boolean) => fortran_order = Some(value.as_str() == "True"),
                ("shape", Rule::shape) => shape = Some(parse_shape(value)?),
                (key, _) => return Err(malformed(&format!("unexpected entry '{key}'"))),
            }
        }
        let (dtype, big_endian) = descr.ok_or_else(|| malformed("no 'descr'"))?;
        Ok(Self {
            dtype,
            big_endian,
            fortran_order: fortran_order.ok_or_else(|| malformed("no 'fortran_order'"))?,
            shape: shape.ok_or_else(|| malformed("no 'shape'"))?,
        })
    }
}

/// A quoted string's text.
fn unquote(quoted: &str) -> &str {
    &quoted[1..quoted.len() - 1]
}

fn parse_shape(pair: Pair<'_, Rule>) -> Result<Vec<usize>, NpyError> {
    let shape = pair
        .into_inner()
        .map(|extent| extent.as_str().trim_end_matches('L').parse())
        .collect::<Result<Vec<usize>, _>>()
        .map_err(|_| NpyError::Header("an extent is too large".to_owned()))?;
    if shape.len() > MAX_RANK {
        return Err(NpyError::Header(format!("rank {} is above {MAX_RANK}", shape.len())));
    }
    Ok(shape)
}

/// The element type of a type string such as `<f4`, and whether its bytes are big-endian.
fn parse_descr(text: &str) -> Result<(DType, bool), NpyError> {
    let unsupported = |note: &str| NpyError::ElementType(format!("'{text}'{note}"));
    if text == "O" || text == "|O" {
        return Err(unsupported(" (pickled Python objects)"));
    }
    let (order, kind) = match text.split_at_checked(1) {
        Some((order @ ("<" | ">" | "|" | "="), kind)) => (order, kind),
        _ => ("=", text),
    };
    let big_endian = match order {
        ">" => true,
        "<" => false,
        _ => cfg!(target_endian = "big"),
    };
    let dtype = match kind {
        "b1" | "?" => DType::Bool,
        "i1" => DType::I8,
        "i2" => DType::I16,
        "i4" => DType::I32,
        "i8" => DType::I64,
        "u1" => DType::U8,
        "u2" => DType::U16,
        "u4" => DType::U32,
        "u8" => DType::U64,
        // Which type of one byte it is, the file does not say.
        "V1" => DType::U8,
        "f1" => DType::F8E5M2,
        "f2" => DType::F16,
        "V2" => DType::BF16,
        "f4" => DType::F32,
        "f8" => DType::F64,
        _ => return Err(unsupported("")),
    };
    Ok((dtype, big_endian))
}

/// The type string written for an element type.
fn descr(dtype: DType) -> &'static str {
    match dtype {
        DType::Bool => "|b1",
        DType::I8 => "|i1",
        DType::I16 => "<i2",
        DType::I32 => "<i4",
        DType::I64 => "<i8",
        DType::U8 => "|u1",
        DType::U16 => "<u2",
        DType::U32 => "<u4",
        DType::U64 => "<u8",
        DType::F8E4M3FN | DType::F8E4M3FNUZ | DType::F8E5M2 | DType::F8E5M2FNUZ => "<V1",
        DType::F16 => "<f2",
        DType::BF16 => "<V2",
        DType::F32 => "<f4",
        DType::F64 => "<f8",
    }
}

/// Everything before the data: magic, version, and the dictionary padded so that the data starts at a multiple of 64.
pub(super) fn write(array: &Array) -> Vec<u8> {
    let extents: Vec<String> = array.shape().iter().map(usize::to_string).collect();
    // A tuple of one element needs its comma.
    let comma = if extents.len() == 1 { "," } else { "" };
    let shape = format!("{}{comma}", extents.join(", "));
    let descr = descr(array.dtype());
    let mut header = format!("{{'descr': '{descr}', 'fortran_order': False, 'shape': ({shape}), }}");
    let preamble = MAGIC.len() + 4;
    let padded = (preamble + header.len() + 1).next_multiple_of(64);
    header.push_str(&" ".repeat(padded - preamble - header.len() - 1));
    header.push('\n');

    let mut bytes = MAGIC.to_vec();
    // Version 1 has a 16-bit length; a rank that needs more is written as version 2.
    if let Ok(length) = u16::try_from(header.len()) {
        bytes.extend_from_slice(&[1, 0]);
        bytes.extend_from_slice(&length.to_le_bytes());
    } else {
        bytes.extend_from_slice(&[2, 0]);
        bytes.extend_from_slice(&(header.len() as u32).to_le_bytes());
    }
    bytes.extend_from_slice(header.as_bytes());
    bytes
}
