//! Values of the graph, as far as they are known while importing.

use dl_ir::ValueId;
use dl_ir::interfaces::Index;
use dl_ir::interfaces::index_list::Indices;

use crate::element::Element;
use crate::fault::{Outcome, require};
use crate::literal::Literal;

/// A tensor of the graph: its element type, its extents, and what is known of its elements.
///
/// An extent that is known only when running is a value of the program, of type `index`. Equal values are equal extents, so
/// that the importer knows of two tensors with the same unknown extent that they fit together.
#[derive(Clone, Debug)]
pub(crate) struct Tensor {
    /// The type of the elements.
    pub(crate) element: Element,
    /// The extents.
    pub(crate) dims: Indices,
    /// Where the elements are.
    pub(crate) data: Data,
}

/// Where the elements of a tensor are.
#[derive(Clone, Debug)]
pub(crate) enum Data {
    /// In a value of the program.
    Value(ValueId),
    /// They are constant.
    Literal(Literal),
    /// Each by itself, as an index: shapes, and what is computed from them. The rank is 0 or 1.
    Scalars(Vec<Index>),
}

impl Tensor {
    /// A constant.
    pub(crate) fn literal(literal: Literal) -> Self {
        let dims = literal.shape.iter().map(|&extent| Index::Static(extent)).collect();
        Self { element: literal.element, dims, data: Data::Literal(literal) }
    }

    /// A list of integers of type `element`, as shapes are.
    pub(crate) fn list(element: Element, values: Vec<Index>) -> Self {
        Self { element, dims: [Index::Static(values.len() as i64)].into_iter().collect(), data: Data::Scalars(values) }
    }

    /// One integer, a tensor of rank 0.
    pub(crate) fn scalar(element: Element, value: Index) -> Self {
        Self { element, dims: Indices::new(), data: Data::Scalars(vec![value]) }
    }

    /// How many dimensions it has.
    pub(crate) fn rank(&self) -> usize {
        self.dims.len()
    }

    /// The extents, if all of them are known while importing.
    pub(crate) fn static_dims(&self) -> Option<Vec<i64>> {
        self.dims.iter().map(|dim| dim.as_static()).collect()
    }

    /// The same.
    ///
    /// # Errors
    /// That an extent is known only when running.
    pub(crate) fn expect_static_dims(&self, what: &str) -> Outcome<Vec<i64>> {
        self.static_dims()
            .ok_or_else(|| format!("unsupported: {what} with an extent that is known only when running").into())
    }

    /// The elements as integers, if they are known while importing.
    pub(crate) fn known_ints(&self) -> Option<Vec<i64>> {
        match &self.data {
            Data::Literal(literal) => Some(literal.ints()),
            Data::Scalars(values) => values.iter().map(|value| value.as_static()).collect(),
            Data::Value(_) => None,
        }
    }

    /// The elements as floats, if they are known while importing.
    pub(crate) fn known_floats(&self) -> Option<Vec<f64>> {
        match &self.data {
            Data::Literal(literal) => Some(literal.floats()),
            _ => self.known_ints().map(|ints| ints.into_iter().map(|value| value as f64).collect()),
        }
    }

    /// The constant that it is, if it is one.
    pub(crate) fn known(&self) -> Option<Literal> {
        match &self.data {
            Data::Literal(literal) => Some(literal.clone()),
            Data::Scalars(_) => Literal::of_ints(self.element, &self.static_dims()?, &self.known_ints()?).ok(),
            Data::Value(_) => None,
        }
    }

    /// The number of a dimension, which may be counted from the end.
    ///
    /// # Errors
    /// That there is no such dimension.
    pub(crate) fn axis(&self, axis: i64) -> Outcome<usize> {
        normalized(axis, self.rank())
    }
}

/// Dimension `axis` of `rank`; a negative one is counted from the end.
///
/// # Errors
/// That there is no such dimension.
pub(crate) fn normalized(axis: i64, rank: usize) -> Outcome<usize> {
    let signed = rank as i64;
    require!((-signed..signed).contains(&axis), "axis {axis} is out of range for a tensor of rank {rank}");
    Ok((if axis < 0 { axis + signed } else { axis }) as usize)
}
