//! What an entry function takes and returns, and whether given values fit it.

use std::fmt;

use thiserror::Error;

use crate::{Array, DType};

/// The type of one argument or result.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ArgType {
    /// A ranked memref (or the tensor it was before bufferization).
    MemRef {
        /// Element type.
        dtype: DType,
        /// Extents, `None` where dynamic. Empty for rank 0.
        shape: Vec<Option<usize>>,
    },
    /// A value passed by itself. Given and returned as a rank-0 array; `index` is [`DType::I64`].
    Scalar(DType),
}

impl ArgType {
    /// A memref of static shape.
    pub fn memref(dtype: DType, shape: &[usize]) -> Self {
        Self::MemRef { dtype, shape: shape.iter().copied().map(Some).collect() }
    }

    /// The type of the elements, or of the scalar.
    pub fn dtype(&self) -> DType {
        match self {
            Self::MemRef { dtype, .. } | Self::Scalar(dtype) => *dtype,
        }
    }

    /// Whether `array` may be passed where this type is expected.
    pub fn accepts(&self, array: &Array) -> bool {
        let shape_fits = match self {
            Self::MemRef { shape, .. } => {
                shape.len() == array.shape().len()
                    && shape
                        .iter()
                        .zip(array.shape())
                        .all(|(expected, &got)| expected.is_none_or(|extent| extent == got))
            }
            Self::Scalar(_) => array.shape().is_empty(),
        };
        shape_fits && self.dtype() == array.dtype()
    }
}

/// `float32 [?x64]`, or `float32 scalar`.
impl fmt::Display for ArgType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::MemRef { dtype, shape } => {
                write!(f, "{dtype} [")?;
                for (i, extent) in shape.iter().enumerate() {
                    let separator = if i == 0 { "" } else { "x" };
                    match extent {
                        Some(extent) => write!(f, "{separator}{extent}")?,
                        None => write!(f, "{separator}?")?,
                    }
                }
                f.write_str("]")
            }
            Self::Scalar(dtype) => write!(f, "{dtype} scalar"),
        }
    }
}

/// The arguments and results of an entry function, in order.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Signature {
    /// Argument types.
    pub inputs: Vec<ArgType>,
    /// Result types.
    pub results: Vec<ArgType>,
}

impl Signature {
    /// Checks values against the argument types.
    ///
    /// `name(i)` says where value `i` came from, a file name say, and appears in the message; values are counted from 1 there.
    pub fn check_inputs<'n>(
        &self,
        inputs: &[Array],
        name: impl Fn(usize) -> Option<&'n str>,
    ) -> Result<(), MismatchError> {
        if inputs.len() != self.inputs.len() {
            return Err(MismatchError::Count { expected: self.inputs.clone(), got: inputs.len() });
        }
        for (i, (expected, array)) in self.inputs.iter().zip(inputs).enumerate() {
            if !expected.accepts(array) {
                return Err(MismatchError::Value {
                    index: i + 1,
                    name: name(i).map(str::to_owned),
                    expected: expected.clone(),
                    got: array.describe().to_string(),
                });
            }
        }
        Ok(())
    }
}

/// Values that do not fit a [`Signature`]. One line, saying what was expected and what was given.
#[derive(Debug, Error, PartialEq, Eq)]
pub enum MismatchError {
    /// Too many or too few values.
    #[error("expected {}, got {got}", InputList(expected))]
    Count {
        /// Types of the arguments there are.
        expected: Vec<ArgType>,
        /// How many values were given.
        got: usize,
    },
    /// A value of the wrong element type, rank or shape.
    #[error("input {index}{}: expected {expected}, got {got}", Parenthesized(name.as_deref()))]
    Value {
        /// Position, from 1.
        index: usize,
        /// Where the value came from.
        name: Option<String>,
        /// Type of the argument.
        expected: ArgType,
        /// Element type and shape given.
        got: String,
    },
}

/// `no inputs`, `1 input (float32 [64])`, `2 inputs (float32 [64], int32 scalar)`.
struct InputList<'a>(&'a [ArgType]);

impl fmt::Display for InputList<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Some((first, rest)) = self.0.split_first() else {
            return f.write_str("no inputs");
        };
        let plural = if rest.is_empty() { "" } else { "s" };
        write!(f, "{} input{plural} ({first}", self.0.len())?;
        for ty in rest {
            write!(f, ", {ty}")?;
        }
        f.write_str(")")
    }
}

/// ` (name)`, or nothing.
struct Parenthesized<'a>(Option<&'a str>);

impl fmt::Display for Parenthesized<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.map_or(Ok(()), |name| write!(f, " ({name})"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(inputs: &[ArgType], given: &[Array], names: &[&'static str]) -> Result<(), String> {
        let signature = Signature { inputs: inputs.to_vec(), results: Vec::new() };
        signature.check_inputs(given, |i| names.get(i).copied()).map_err(|error| error.to_string())
    }

    fn zeros(dtype: DType, shape: &[usize]) -> Array {
        Array::zeros(dtype, shape).unwrap()
    }

    #[test]
    fn the_message_says_what_was_expected_and_given() {
        let images = ArgType::memref(DType::F32, &[360, 64]);
        assert_eq!(
            check(std::slice::from_ref(&images), &[zeros(DType::F64, &[64])], &["images.npy"]),
            Err("input 1 (images.npy): expected float32 [360x64], got float64 [64]".to_owned())
        );
        assert_eq!(check(&[images], &[zeros(DType::F32, &[360, 64])], &[]), Ok(()));
    }

    #[test]
    fn dynamic_extents_take_any_size_but_not_any_rank() {
        let ty = ArgType::MemRef { dtype: DType::I8, shape: vec![None, Some(2)] };
        assert_eq!(check(std::slice::from_ref(&ty), &[zeros(DType::I8, &[7, 2])], &[]), Ok(()));
        assert_eq!(
            check(&[ty], &[zeros(DType::I8, &[7, 2, 1])], &[]),
            Err("input 1: expected int8 [?x2], got int8 [7x2x1]".to_owned())
        );
    }

    #[test]
    fn scalars_are_rank_zero() {
        let ty = ArgType::Scalar(DType::I64);
        assert_eq!(check(std::slice::from_ref(&ty), &[zeros(DType::I64, &[])], &[]), Ok(()));
        assert_eq!(
            check(&[ty], &[zeros(DType::I64, &[1])], &[]),
            Err("input 1: expected int64 scalar, got int64 [1]".to_owned())
        );
    }

    #[test]
    fn count() {
        let f32x2 = ArgType::memref(DType::F32, &[2]);
        assert_eq!(
            check(&[f32x2.clone(), ArgType::Scalar(DType::I32)], &[zeros(DType::F32, &[2])], &[]),
            Err("expected 2 inputs (float32 [2], int32 scalar), got 1".to_owned())
        );
        assert_eq!(check(&[f32x2], &[], &[]), Err("expected 1 input (float32 [2]), got 0".to_owned()));
        assert_eq!(check(&[], &[zeros(DType::F32, &[2])], &[]), Err("expected no inputs, got 1".to_owned()));
    }
}
