//! One execution of an operation: reading its operands, and saying what is wrong.

use std::fmt;
use std::sync::Arc;

use super::memory::MemRef;
use super::shape::{Shape, scaled};
use super::value::{Array, Value};
use crate::diagnostics::Diagnostic;
use crate::interfaces::index_list::{Index, Indices};
use crate::number::{ApInt, float};
use crate::types::{FloatKind, TypeRef};
use crate::view::OpRef;

/// One execution of an operation.
///
/// The methods that read a value as something refuse poison as undefined behaviour: they are for what decides control or an address.
/// Pure operations pass poison on before they ask (see [`Elementwise`](super::Elementwise)).
#[derive(Clone, Copy)]
pub struct Step<'a, 'v> {
    /// The operation.
    pub op: OpRef<'a>,
    /// The values of its operands.
    pub operands: &'v [Value],
    /// How often a scalable dimension of a vector has the extent that its type says.
    pub vscale: i64,
}

impl<'v> Step<'_, 'v> {
    /// The values of operand definition `index`.
    pub fn group(self, index: usize) -> &'v [Value] {
        &self.operands[self.op.operand_group(index).range()]
    }

    /// The value of operand definition `index`, which stands for one operand.
    ///
    /// # Errors
    /// That there is none: the operation is not verified.
    pub fn one(self, index: usize) -> Result<&'v Value, Diagnostic> {
        self.group(index).first().ok_or_else(|| self.op.error(format_args!("has no operand #{index}")))
    }

    /// An error: the program does what the operation leaves undefined.
    #[track_caller]
    pub fn undefined(self, what: impl fmt::Display) -> Diagnostic {
        self.op.error(format_args!("undefined behaviour: {what}"))
    }

    /// An error: the interpreter does not do this.
    #[track_caller]
    pub fn unsupported(self, what: impl fmt::Display) -> Diagnostic {
        self.op.error(format_args!("unsupported: {what}"))
    }

    /// `result`, its error undefined behaviour of this operation.
    ///
    /// # Errors
    /// That of `result`.
    #[track_caller]
    pub fn defined<T>(self, result: Result<T, String>) -> Result<T, Diagnostic> {
        match result {
            Ok(value) => Ok(value),
            Err(message) => Err(self.fault(&message)),
        }
    }

    /// An error that says itself whether it is of the program or of the interpreter; undefined behaviour where it does not.
    #[track_caller]
    pub fn fault(self, message: &str) -> Diagnostic {
        if message.starts_with("undefined behaviour: ") || message.starts_with("unsupported: ") {
            self.op.error(message)
        } else {
            self.undefined(message)
        }
    }

    #[track_caller]
    fn refuse(self, value: &Value, expected: &str) -> Diagnostic {
        if value.is_poison() {
            self.undefined("use of poison")
        } else {
            self.op.error(format_args!("expected {expected} when run, but got {value}"))
        }
    }

    /// `value` as an integer.
    ///
    /// # Errors
    /// That it is none.
    pub fn int(self, value: &Value) -> Result<&ApInt, Diagnostic> {
        value.as_int().ok_or_else(|| self.refuse(value, "an integer"))
    }

    /// `value` as an index or other integer of at most 64 bits, signed.
    ///
    /// # Errors
    /// That it is none.
    pub fn index(self, value: &Value) -> Result<i64, Diagnostic> {
        self.int(value)?.to_i64().ok_or_else(|| self.unsupported("integers of more than 64 bits as indices"))
    }

    /// `values` as indices.
    ///
    /// # Errors
    /// That one is none.
    pub fn indices(self, values: &[Value]) -> Result<Shape, Diagnostic> {
        values.iter().map(|value| self.index(value)).collect()
    }

    /// `value` as a truth value.
    ///
    /// # Errors
    /// That it is none.
    pub fn bool(self, value: &Value) -> Result<bool, Diagnostic> {
        Ok(!self.int(value)?.is_zero())
    }

    /// `value` as a float: format and encoding.
    ///
    /// # Errors
    /// That it is none.
    pub fn float(self, value: &Value) -> Result<(FloatKind, u128), Diagnostic> {
        value.as_float().ok_or_else(|| self.refuse(value, "a float"))
    }

    /// `value` as a float of an elementary function, which is computed in double precision: format and number.
    ///
    /// # Errors
    /// That it is none, or that double precision does not hold every number of its format.
    pub fn double(self, value: &Value) -> Result<(FloatKind, f64), Diagnostic> {
        match self.float(value)? {
            (kind @ (FloatKind::F80 | FloatKind::F128), _) => {
                Err(self.unsupported(format_args!("elementary functions of {}", kind.keyword())))
            }
            (kind, bits) => Ok((kind, float::to_f64(kind, bits))),
        }
    }

    /// `values` as floats of an elementary function of `N` arguments: the format and the numbers.
    ///
    /// # Errors
    /// Those of [`double`](Self::double).
    pub fn doubles<const N: usize>(self, values: &[Value]) -> Result<(FloatKind, [f64; N]), Diagnostic> {
        let (mut numbers, mut kind) = ([0.0; N], FloatKind::F64);
        for (number, value) in numbers.iter_mut().zip(values) {
            (kind, *number) = self.double(value)?;
        }
        Ok((kind, numbers))
    }

    /// `value` as a tensor or vector.
    ///
    /// # Errors
    /// That it is none.
    pub fn array(self, value: &Value) -> Result<&Arc<Array>, Diagnostic> {
        value.as_array().ok_or_else(|| self.refuse(value, "a tensor or vector"))
    }

    /// The shape of a vector of type `ty`; `None` for other types.
    pub fn vector_shape(self, ty: TypeRef<'_>) -> Option<Shape> {
        let shape = ty.shape().filter(|_| ty.is_vector())?;
        Some(scaled(shape, ty.scalable_dims(), self.vscale))
    }

    /// `value` as a view of memory.
    ///
    /// # Errors
    /// That it is none.
    pub fn memref(self, value: &Value) -> Result<&Arc<MemRef>, Diagnostic> {
        value.as_memref().ok_or_else(|| self.refuse(value, "a memref"))
    }

    /// The numbers of a list in which some are constants, the others the operands of definition `group`.
    ///
    /// # Errors
    /// That an operand is no index.
    pub fn mixed(self, list: &Indices, group: usize) -> Result<Shape, Diagnostic> {
        let mut values = self.group(group).iter();
        let number = |index: &Index| match *index {
            Index::Static(number) => Ok(number),
            Index::Value(_) => match values.next() {
                Some(value) => self.index(value),
                None => Err(self.op.error("has fewer operands than its lists say")),
            },
        };
        list.iter().map(number).collect()
    }
}
