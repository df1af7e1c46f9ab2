//! Values of a running program.

use std::any::Any;
use std::fmt;
use std::sync::Arc;

use super::memory::MemRef;
use super::shape::Shape;
use crate::attributes::Attr;
use crate::number::ApInt;
use crate::types::FloatKind;

/// The most elements that one tensor, vector or buffer may have: a program that asks for more ends with an error instead of the
/// process with the machine's memory.
pub const MAX_ELEMENTS: usize = 1 << 25;

/// What an SSA value holds. Cheap to copy: what is large is shared.
#[derive(Clone, Debug)]
pub enum Value {
    /// The outcome of something that must not happen but has done no harm yet. Of any type; also an element of an aggregate, where it
    /// stands for what was never written.
    Poison,
    /// An integer of its type's width; `index` has 64 bits.
    Int(ApInt),
    /// A float: its format, and its encoding in the low bits.
    Float(FloatKind, u128),
    /// A complex number: real and imaginary part.
    Complex(Arc<[Self; 2]>),
    /// A tensor or a vector.
    Array(Arc<Array>),
    /// A view of memory, ranked or not.
    MemRef(Arc<MemRef>),
    /// A function, by the symbol reference that names it.
    Function(Attr),
    /// A value of a type that only its dialect knows.
    Other(Arc<dyn Any + Send + Sync>),
}

const _: () = assert!(size_of::<Value>() == 32);

impl Value {
    /// An `index`.
    pub fn index(value: i64) -> Self {
        Self::Int(ApInt::from_i64(64, value))
    }

    /// An `i1`.
    pub fn bool(value: bool) -> Self {
        Self::Int(ApInt::from_bool(value))
    }

    /// Whether it is poison as a whole.
    pub fn is_poison(&self) -> bool {
        matches!(self, Self::Poison)
    }

    /// The integer.
    pub fn as_int(&self) -> Option<&ApInt> {
        match self {
            Self::Int(value) => Some(value),
            _ => None,
        }
    }

    /// Format and encoding of the float.
    pub fn as_float(&self) -> Option<(FloatKind, u128)> {
        match *self {
            Self::Float(kind, bits) => Some((kind, bits)),
            _ => None,
        }
    }

    /// The tensor or vector.
    pub fn as_array(&self) -> Option<&Arc<Array>> {
        match self {
            Self::Array(array) => Some(array),
            _ => None,
        }
    }

    /// The view of memory.
    pub fn as_memref(&self) -> Option<&Arc<MemRef>> {
        match self {
            Self::MemRef(memref) => Some(memref),
            _ => None,
        }
    }
}

impl From<Array> for Value {
    fn from(array: Array) -> Self {
        Self::Array(Arc::new(array))
    }
}

impl From<MemRef> for Value {
    fn from(memref: MemRef) -> Self {
        Self::MemRef(Arc::new(memref))
    }
}

/// For messages: numbers as the text form has them, aggregates by their shape.
impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Poison => f.write_str("poison"),
            Self::Int(value) => {
                let mut text = String::new();
                value.write_signed(&mut text);
                f.write_str(&text)
            }
            Self::Float(kind, bits) => {
                let mut text = String::new();
                crate::number::float::print(*kind, *bits, &mut text);
                f.write_str(&text)
            }
            Self::Complex(parts) => write!(f, "({}, {})", parts[0], parts[1]),
            Self::Array(array) => write!(f, "an array of shape {:?}", array.shape()),
            Self::MemRef(memref) => write!(f, "a memref of shape {:?}", memref.shape),
            Self::Function(_) => f.write_str("a function"),
            Self::Other(_) => f.write_str("a value of its dialect"),
        }
    }
}

/// The elements of a tensor or vector, in row-major order.
#[derive(Clone, Debug)]
pub struct Array {
    shape: Shape,
    elements: Vec<Value>,
}

impl Array {
    /// The array of these elements.
    ///
    /// # Panics
    /// When there are not as many as `shape` says.
    pub fn new(shape: &[i64], elements: Vec<Value>) -> Self {
        let count = super::shape::num_elements(shape);
        assert_eq!(count, Ok(elements.len()), "an array has as many elements as its shape says");
        Self { shape: shape.into(), elements }
    }

    /// An array of one value throughout.
    ///
    /// # Errors
    /// That `shape` has a negative extent, or more than [`MAX_ELEMENTS`] elements.
    pub fn filled(shape: &[i64], value: &Value) -> Result<Self, String> {
        let count = super::shape::num_elements(shape)?;
        Ok(Self { shape: shape.into(), elements: vec![value.clone(); count] })
    }

    /// The extents.
    pub fn shape(&self) -> &[i64] {
        &self.shape
    }

    /// The elements, in row-major order.
    pub fn elements(&self) -> &[Value] {
        &self.elements
    }

    /// The elements, to be written to.
    pub fn elements_mut(&mut self) -> &mut [Value] {
        &mut self.elements
    }

    /// The same elements in another shape of as many.
    pub fn reshaped(&self, shape: &[i64]) -> Option<Self> {
        let fits = super::shape::num_elements(shape) == Ok(self.elements.len());
        fits.then(|| Self { shape: shape.into(), elements: self.elements.clone() })
    }

    /// Where in [`elements`](Self::elements) the one at `index` is.
    ///
    /// # Errors
    /// That the index is out of bounds.
    pub fn position(&self, index: &[i64]) -> Result<usize, String> {
        super::shape::check_bounds(index, &self.shape)?;
        let position = index.iter().zip(&self.shape).fold(0, |at, (&i, &extent)| at * extent + i);
        Ok(position as usize)
    }

    /// The element at `index`.
    ///
    /// # Errors
    /// That the index is out of bounds.
    pub fn get(&self, index: &[i64]) -> Result<&Value, String> {
        Ok(&self.elements[self.position(index)?])
    }
}
