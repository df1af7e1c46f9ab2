//! A node as an operator sees it: inputs, attributes, and how many outputs are asked for.

use crate::OpenExternal;
use crate::element::Element;
use crate::fault::{Outcome, fault, require};
use crate::literal::Literal;
use crate::messages::attribute_proto::AttributeType;
use crate::messages::{AttributeProto, GraphProto, NodeProto};
use crate::model;
use crate::tensor::Tensor;

/// A node whose inputs are known.
pub(crate) struct Node<'a> {
    /// The message.
    pub(crate) proto: &'a NodeProto,
    /// The inputs; `None` for an optional one that is left out.
    pub(crate) inputs: Vec<Option<Tensor>>,
    /// The opset of its domain.
    pub(crate) opset: i64,
    /// Opens files with weights.
    pub(crate) external: Option<&'a OpenExternal<'a>>,
}

impl<'a> Node<'a> {
    /// Input `at`.
    ///
    /// # Errors
    /// That it is missing.
    pub(crate) fn input(&self, at: usize) -> Outcome<&Tensor> {
        self.optional(at).ok_or_else(|| fault!("input {at} is missing"))
    }

    /// Input `at`, which may be left out.
    pub(crate) fn optional(&self, at: usize) -> Option<&Tensor> {
        self.inputs.get(at)?.as_ref()
    }

    /// All inputs, none of which may be left out.
    ///
    /// # Errors
    /// That one is, or that there are none.
    pub(crate) fn all(&self) -> Outcome<Vec<Tensor>> {
        require!(!self.inputs.is_empty(), "expected an input");
        (0..self.inputs.len()).map(|at| self.input(at).cloned()).collect()
    }

    /// The integers of input `at`, which decides shapes; `None` where it is left out.
    ///
    /// # Errors
    /// That they are known only when running.
    pub(crate) fn known_ints(&self, at: usize, what: &str) -> Outcome<Option<Vec<i64>>> {
        let Some(input) = self.optional(at) else { return Ok(None) };
        let known = input.known_ints();
        known.map(Some).ok_or_else(|| fault!("unsupported: '{what}' that is known only when running"))
    }

    /// The floats of input `at`; `None` where it is left out.
    ///
    /// # Errors
    /// That they are known only when running.
    pub(crate) fn known_floats(&self, at: usize, what: &str) -> Outcome<Option<Vec<f64>>> {
        let Some(input) = self.optional(at) else { return Ok(None) };
        let known = input.known_floats();
        known.map(Some).ok_or_else(|| fault!("unsupported: '{what}' that is known only when running"))
    }

    /// How many outputs there are, those left out at the end not counted.
    pub(crate) fn num_outputs(&self) -> usize {
        self.proto.output.iter().rposition(|name| !name.is_empty()).map_or(0, |last| last + 1)
    }

    /// Whether output `at` is used by name.
    pub(crate) fn has_output(&self, at: usize) -> bool {
        self.proto.output.get(at).is_some_and(|name| !name.is_empty())
    }

    fn attribute(&self, name: &str) -> Option<&'a AttributeProto> {
        self.proto.attribute.iter().find(|attribute| attribute.name() == name)
    }

    fn typed(&self, name: &str, ty: AttributeType) -> Outcome<Option<&'a AttributeProto>> {
        let Some(attribute) = self.attribute(name) else { return Ok(None) };
        // Old files leave the type out.
        let found = attribute.r#type();
        require!(
            found == ty || found == AttributeType::Undefined,
            "attribute '{name}' is {}, expected {}",
            found.as_str_name(),
            ty.as_str_name()
        );
        Ok(Some(attribute))
    }

    /// Whether the attribute is there.
    pub(crate) fn has(&self, name: &str) -> bool {
        self.attribute(name).is_some()
    }

    /// An integer attribute, or `otherwise`.
    ///
    /// # Errors
    /// That it is of another kind.
    pub(crate) fn int(&self, name: &str, otherwise: i64) -> Outcome<i64> {
        Ok(self.typed(name, AttributeType::Int)?.map_or(otherwise, |attribute| attribute.i()))
    }

    /// An attribute that is 0 or 1.
    ///
    /// # Errors
    /// That it is of another kind.
    pub(crate) fn flag(&self, name: &str, otherwise: bool) -> Outcome<bool> {
        Ok(self.int(name, i64::from(otherwise))? != 0)
    }

    /// A float attribute, or `otherwise`.
    ///
    /// # Errors
    /// That it is of another kind.
    pub(crate) fn float(&self, name: &str, otherwise: f64) -> Outcome<f64> {
        Ok(self.typed(name, AttributeType::Float)?.map_or(otherwise, |attribute| f64::from(attribute.f())))
    }

    /// A text, or `otherwise`.
    ///
    /// # Errors
    /// That it is of another kind, or no UTF-8.
    pub(crate) fn text(&self, name: &str, otherwise: &'a str) -> Outcome<&'a str> {
        let Some(attribute) = self.typed(name, AttributeType::String)? else { return Ok(otherwise) };
        let bytes = attribute.s.as_deref().unwrap_or_default();
        std::str::from_utf8(bytes).map_err(|_| fault!("attribute '{name}' is no text"))
    }

    /// A list of texts.
    ///
    /// # Errors
    /// That it is of another kind, or no UTF-8.
    pub(crate) fn texts(&self, name: &str) -> Outcome<Option<Vec<&'a str>>> {
        let Some(attribute) = self.typed(name, AttributeType::Strings)? else { return Ok(None) };
        let text =
            |bytes: &'a bytes::Bytes| std::str::from_utf8(bytes).map_err(|_| fault!("attribute '{name}' is no text"));
        attribute.strings.iter().map(text).collect::<Outcome<Vec<_>>>().map(Some)
    }

    /// A list of integers.
    ///
    /// # Errors
    /// That it is of another kind.
    pub(crate) fn ints(&self, name: &str) -> Outcome<Option<&'a [i64]>> {
        Ok(self.typed(name, AttributeType::Ints)?.map(|attribute| &attribute.ints[..]))
    }

    /// A list of floats.
    ///
    /// # Errors
    /// That it is of another kind.
    pub(crate) fn floats(&self, name: &str) -> Outcome<Option<Vec<f64>>> {
        let attribute = self.typed(name, AttributeType::Floats)?;
        Ok(attribute.map(|attribute| attribute.floats.iter().map(|&value| f64::from(value)).collect()))
    }

    /// A constant tensor.
    ///
    /// # Errors
    /// That it is of another kind, or not sound.
    pub(crate) fn tensor(&self, name: &str) -> Outcome<Option<Literal>> {
        let attribute = self.typed(name, AttributeType::Tensor)?;
        let Some(proto) = attribute.and_then(|attribute| attribute.t.as_ref()) else { return Ok(None) };
        model::literal(proto, self.external).map(Some)
    }

    /// A subgraph.
    ///
    /// # Errors
    /// That it is missing.
    pub(crate) fn graph(&self, name: &str) -> Outcome<&'a GraphProto> {
        let attribute = self.typed(name, AttributeType::Graph)?;
        attribute.and_then(|attribute| attribute.g.as_ref()).ok_or_else(|| fault!("attribute '{name}' is missing"))
    }

    /// The element type that an attribute names by its number.
    ///
    /// # Errors
    /// A type that programs cannot have.
    pub(crate) fn element(&self, name: &str) -> Outcome<Option<Element>> {
        if !self.has(name) {
            return Ok(None);
        }
        let code = i32::try_from(self.int(name, 0)?).map_err(|_| fault!("attribute '{name}' is no element type"))?;
        Element::of_code(code).map(Some).map_err(Into::into)
    }

    /// Dimensions that an attribute up to an opset, and an input from the next one on, lists. `None` where it is left out.
    ///
    /// # Errors
    /// That they are known only when running.
    pub(crate) fn axes(&self, input_since: i64, at: usize) -> Outcome<Option<Vec<i64>>> {
        if self.opset >= input_since && !self.has("axes") {
            return self.known_ints(at, "axes");
        }
        Ok(self.ints("axes")?.map(<[i64]>::to_vec))
    }
}
