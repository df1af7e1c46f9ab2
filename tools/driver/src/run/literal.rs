//! Arrays written on the command line.

use dl_ir::FloatKind;
use dl_ir::number::float;
use dl_runtime::{Array, DType};
use half::{bf16, f16};
use pest::Parser as _;
use pest::iterators::Pair;

#[derive(pest_derive::Parser)]
#[grammar = "run/literal.pest"]
struct Grammar;

/// Deepest nesting of lists, the highest rank: the grammar is recursive.
const MAX_RANK: usize = 64;

/// The array that `text` writes. Its element type is the one that the text ends with, else `expected`.
///
/// # Errors
/// What is wrong with it.
pub(super) fn parse(text: &str, expected: DType) -> Result<Array, String> {
    if depth(text) > MAX_RANK {
        return Err(format!("unsupported: lists nested more than {MAX_RANK} deep"));
    }
    let syntax = "expected '@FILE', a number, or a list of numbers as in [[1, 2], [3, 4]]:f32";
    let mut pairs = Grammar::parse(Rule::literal, text).map_err(|_| syntax)?;
    let mut parts = pairs.next().ok_or(syntax)?.into_inner();
    let value = parts.next().ok_or(syntax)?;
    let element = parts.find(|part| part.as_rule() == Rule::element);
    let dtype = match element {
        Some(element) => dtype(element.as_str())?,
        None => expected,
    };
    let mut values = Values { dtype, shape: shape(&value), bytes: Vec::new() };
    values.add(value, 0)?;
    Array::from_bytes(dtype, &values.shape, &values.bytes).map_err(|error| error.to_string())
}

/// How deep the brackets nest.
fn depth(text: &str) -> usize {
    let mut open = 0_usize;
    let depths = text.chars().map(|c| {
        match c {
            '[' => open += 1,
            ']' => open = open.saturating_sub(1),
            _ => {}
        }
        open
    });
    depths.max().unwrap_or_default()
}

/// The element type of this name, MLIR's or NumPy's.
fn dtype(name: &str) -> Result<DType, String> {
    let found = match name {
        "i1" => Some(DType::Bool),
        "i8" | "si8" => Some(DType::I8),
        "i16" | "si16" => Some(DType::I16),
        "i32" | "si32" => Some(DType::I32),
        "i64" | "si64" | "index" => Some(DType::I64),
        "ui8" => Some(DType::U8),
        "ui16" => Some(DType::U16),
        "ui32" => Some(DType::U32),
        "ui64" => Some(DType::U64),
        "f8E4M3FN" => Some(DType::F8E4M3FN),
        "f8E4M3FNUZ" => Some(DType::F8E4M3FNUZ),
        "f8E5M2" => Some(DType::F8E5M2),
        "f8E5M2FNUZ" => Some(DType::F8E5M2FNUZ),
        "f16" => Some(DType::F16),
        "bf16" => Some(DType::BF16),
        "f32" => Some(DType::F32),
        "f64" => Some(DType::F64),
        _ => DType::ALL.into_iter().find(|dtype| dtype.name() == name),
    };
    found.ok_or_else(|| format!("unknown element type '{name}'"))
}

/// The shape that the first element of each list implies.
fn shape(value: &Pair<'_, Rule>) -> Vec<usize> {
    let mut shape = Vec::new();
    let mut at = Some(value.clone());
    while let Some(list) = at.filter(|pair| pair.as_rule() == Rule::list) {
        let mut items = list.into_inner();
        shape.push(items.len());
        at = items.next();
    }
    shape
}

/// The elements so far, in row-major order.
struct Values {
    dtype: DType,
    shape: Vec<usize>,
    bytes: Vec<u8>,
}

impl Values {
    /// Adds the elements of `value`, which is `depth` lists deep.
    fn add(&mut self, value: Pair<'_, Rule>, depth: usize) -> Result<(), String> {
        let extent = self.shape.get(depth).copied();
        if value.as_rule() != Rule::list {
            return match extent {
                None => self.add_number(value.as_str()),
                Some(_) => Err(format!("expected a list, but got '{}'", value.as_str())),
            };
        }
        let items = value.into_inner();
        match extent {
            Some(extent) if extent == items.len() => {}
            Some(extent) => {
                let got = items.len();
                return Err(format!("expected lists of one length, but got {extent} and {got} elements"));
            }
            None => return Err("expected a number, but got a list".to_owned()),
        }
        for item in items {
            self.add(item, depth + 1)?;
        }
        Ok(())
    }

    fn add_number(&mut self, text: &str) -> Result<(), String> {
        let dtype = self.dtype;
        let wrong = || format!("'{text}' is no {dtype}");
        macro_rules! push {
            ($value:expr) => {
                self.bytes.extend_from_slice(&$value.to_ne_bytes())
            };
            (int $int:ty) => {
                push!(integer(text).and_then(|i| <$int>::try_from(i).ok()).ok_or_else(wrong)?)
            };
            (float $float:ty) => {
                push!(text.parse::<$float>().map_err(|_| wrong())?)
            };
            (byte $kind:ident) => {
                push!(float::from_f64(FloatKind::$kind, text.parse().map_err(|_| wrong())?).0 as u8)
            };
        }
        match dtype {
            DType::Bool => match text {
                "true" | "1" => self.bytes.push(1),
                "false" | "0" => self.bytes.push(0),
                _ => return Err(wrong()),
            },
            DType::I8 => push!(int i8),
            DType::I16 => push!(int i16),
            DType::I32 => push!(int i32),
            DType::I64 => push!(int i64),
            DType::U8 => push!(int u8),
            DType::U16 => push!(int u16),
            DType::U32 => push!(int u32),
            DType::U64 => push!(int u64),
            DType::F8E4M3FN => push!(byte F8E4M3FN),
            DType::F8E4M3FNUZ => push!(byte F8E4M3FNUZ),
            DType::F8E5M2 => push!(byte F8E5M2),
            DType::F8E5M2FNUZ => push!(byte F8E5M2FNUZ),
            DType::F16 => push!(f16::from_f64(text.parse().map_err(|_| wrong())?)),
            DType::BF16 => push!(bf16::from_f64(text.parse().map_err(|_| wrong())?)),
            DType::F32 => push!(float f32),
            DType::F64 => push!(float f64),
        }
        Ok(())
    }
}

/// A decimal or, after `0x`, hexadecimal number.
fn integer(text: &str) -> Option<i128> {
    let (negative, digits) = match text.strip_prefix('-') {
        Some(digits) => (true, digits),
        None => (false, text),
    };
    let magnitude = match digits.strip_prefix("0x") {
        Some(digits) => i128::from(u64::from_str_radix(digits, 16).ok()?),
        None => i128::from(digits.parse::<u64>().ok()?),
    };
    Some(if negative { -magnitude } else { magnitude })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shape_follows_from_nesting() {
        let array = parse("[[1, 2, 3], [4, 5, -6]]:i16", DType::F32).unwrap();
        assert_eq!((array.dtype(), array.shape()), (DType::I16, &[2, 3][..]));
        assert_eq!(array.as_slice::<i16>(), Some(&[1, 2, 3, 4, 5, -6][..]));
        assert_eq!(parse("[]", DType::F32).unwrap().shape(), [0]);
        assert_eq!(parse("7", DType::U8).unwrap().shape(), [] as [usize; 0]);
    }

    #[test]
    fn elements_have_the_type_asked_for() {
        let bits = |text: &str| parse(text, DType::F32).unwrap().bytes().to_vec();
        assert_eq!(bits("1.5:f32"), 0x3fc0_0000_u32.to_ne_bytes());
        assert_eq!(bits("-inf:f64"), 0xfff0_0000_0000_0000_u64.to_ne_bytes());
        assert_eq!(bits("1.5:bf16"), 0x3fc0_u16.to_ne_bytes());
        assert_eq!(bits("1e-3:f16"), 0x1419_u16.to_ne_bytes());
        assert_eq!(bits("[1.5, -448, 1e9]:f8E4M3FN"), [0x3c, 0xfe, 0x7f]);
        assert_eq!(bits("[true, 0]:i1"), [1, 0]);
        assert_eq!(bits("0xff:uint8"), [255]);
        assert_eq!(bits("-1:index"), [255; 8]);
    }

    #[test]
    fn faults_say_what_is_wrong() {
        let message = |text: &str| parse(text, DType::I8).unwrap_err();
        assert_eq!(message("128"), "'128' is no int8");
        assert_eq!(message("1.5"), "'1.5' is no int8");
        assert_eq!(message("[[1], 2]"), "expected a list, but got '2'");
        assert_eq!(message("[1, [2]]"), "expected a number, but got a list");
        assert_eq!(message("[[1], [2, 3]]"), "expected lists of one length, but got 1 and 2 elements");
        assert_eq!(message("1:f33"), "unknown element type 'f33'");
        assert!(message("[1, 2").starts_with("expected '@FILE', a number, or a list"));
        assert!(message(&"[".repeat(100_000)).starts_with("unsupported: lists nested"));
    }
}
