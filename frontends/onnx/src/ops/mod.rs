//! Operators: a table of short items, in files by family.
//!
//! An operator gets a [`Node`] with its inputs, makes operations with a [`Builder`], and answers its outputs. Inputs and attributes of all
//! opsets that it covers are handled by one function, which looks at [`Node::opset`] where they differ.

mod activation;
mod arithmetic;
mod compare;
mod constant;
mod contrib;
mod control;
mod convert;
mod convolution;
mod dropout;
mod einsum;
mod gather;
mod layout;
mod matmul;
mod normalization;
mod pooling;
mod quantize;
mod recurrent;
mod reduce;
mod resize;
mod scatter;
mod select;
mod selection;
mod shape;
mod softmax;
mod sort;

use std::ops::RangeInclusive;

use crate::builder::Builder;
use crate::fault::Outcome;
use crate::graph::Importer;
use crate::model::MAX_OPSET;
use crate::node::Node;
use crate::tensor::Tensor;

/// An operator.
pub(crate) struct Operator {
    /// Empty for the default domain.
    pub(crate) domain: &'static str,
    /// Its name.
    pub(crate) name: &'static str,
    /// The opsets of its domain that have it and that it is imported from.
    pub(crate) opsets: RangeInclusive<i64>,
    /// What it comes to.
    pub(crate) rule: Rule,
}

/// What makes the outputs of an operator from its inputs.
#[derive(Clone, Copy)]
pub(crate) enum Rule {
    /// For operators with one output.
    One(fn(&mut Builder<'_, '_>, &Node<'_>) -> Outcome<Tensor>),
    /// For operators with several outputs: as many as the node may name.
    Many(fn(&mut Builder<'_, '_>, &Node<'_>) -> Outcome<Vec<Tensor>>),
    /// For operators with subgraphs.
    Control(fn(&mut Importer<'_>, &mut Builder<'_, '_>, &Node<'_>) -> Outcome<Vec<Tensor>>),
}

/// An operator of the default domain with one output.
const fn one(name: &'static str, since: i64, rule: fn(&mut Builder<'_, '_>, &Node<'_>) -> Outcome<Tensor>) -> Operator {
    Operator { domain: "", name, opsets: RangeInclusive::new(since, MAX_OPSET), rule: Rule::One(rule) }
}

/// An operator of the default domain with several outputs.
const fn many(
    name: &'static str,
    since: i64,
    rule: fn(&mut Builder<'_, '_>, &Node<'_>) -> Outcome<Vec<Tensor>>,
) -> Operator {
    Operator { domain: "", name, opsets: RangeInclusive::new(since, MAX_OPSET), rule: Rule::Many(rule) }
}

const FAMILIES: &[&[Operator]] = &[
    activation::OPERATORS,
    arithmetic::OPERATORS,
    compare::OPERATORS,
    constant::OPERATORS,
    contrib::OPERATORS,
    control::OPERATORS,
    convert::OPERATORS,
    convolution::OPERATORS,
    dropout::OPERATORS,
    einsum::OPERATORS,
    gather::OPERATORS,
    layout::OPERATORS,
    matmul::OPERATORS,
    normalization::OPERATORS,
    pooling::OPERATORS,
    quantize::OPERATORS,
    recurrent::OPERATORS,
    reduce::OPERATORS,
    resize::OPERATORS,
    scatter::OPERATORS,
    select::OPERATORS,
    selection::OPERATORS,
    shape::OPERATORS,
    softmax::OPERATORS,
    sort::OPERATORS,
];

/// Every operator.
pub(crate) fn all() -> impl Iterator<Item = &'static Operator> {
    FAMILIES.iter().copied().flatten()
}

/// The operator of this domain and name.
pub(crate) fn find(domain: &str, name: &str) -> Option<&'static Operator> {
    all().find(|operator| operator.name == name && operator.domain == domain)
}
