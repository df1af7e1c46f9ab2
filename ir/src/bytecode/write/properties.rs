//! The properties of operations.

use indexmap::IndexSet;
use rustc_hash::FxBuildHasher;

use super::emitter::Emitter;
use super::sink::Sink;
use crate::attributes::AttrRef;
use crate::bytecode::layout::{FieldKind, Layout, number_of};
use crate::context::Context;
use crate::diagnostics::Diagnostic;
use crate::text::PROPERTIES;
use crate::view::OpRef;

/// The distinct encodings of properties, numbered in the order in which they were met.
#[derive(Default)]
pub(super) struct Properties {
    set: IndexSet<Box<[u8]>, FxBuildHasher>,
}

impl Properties {
    /// The number of `encoded`.
    pub(super) fn number(&mut self, encoded: &[u8]) -> u64 {
        if let Some(index) = self.set.get_index_of(encoded) {
            return index as u64;
        }
        self.set.insert_full(encoded.into()).0 as u64
    }

    /// The section: how many, then each with its length.
    pub(super) fn section(&self) -> Emitter {
        let mut section = Emitter::default();
        section.varint(self.set.len() as u64);
        for encoded in &self.set {
            section.varint(encoded.len() as u64);
            section.bytes.extend_from_slice(encoded);
        }
        section
    }
}

/// Writes the properties of `op`, of the given layout, unless they `are_attrs`. Answers whether it has any.
///
/// # Errors
/// A property that is missing, or none that can be encoded.
pub(super) fn write(
    cx: &Context,
    op: OpRef<'_>,
    layout: Option<&Layout>,
    are_attrs: bool,
    sink: &mut impl Sink,
) -> Result<bool, Diagnostic> {
    let Some(layout) = layout else {
        if op.info().is_registered() {
            return Ok(false);
        }
        let properties = op.attr(PROPERTIES).filter(|_| !are_attrs);
        if let Some(properties) = properties {
            sink.attr(properties.id());
        }
        return Ok(properties.is_some());
    };
    for field in &layout.fields {
        let value = op.attr_by_ident(field.name);
        let name = || cx.str(field.name);
        match field.kind {
            FieldKind::Required | FieldKind::SegmentsAttr => match value {
                Some(value) => sink.attr(value.id()),
                None => return Err(op.error(format_args!("requires attribute '{}'", name()))),
            },
            FieldKind::Optional { default } => sink.optional_attr(value.map(AttrRef::id).or(default)),
            FieldKind::Number { default } => {
                let value = value.map_or(default, AttrRef::id);
                let Some(number) = number_of(cx, value) else {
                    let message = format_args!("property '{}' is no number: {}", name(), cx.attr(value));
                    return Err(op.error(message));
                };
                sink.varint(number);
            }
            FieldKind::Flag => {
                let is_set = value.is_some_and(|value| value.is_unit() || value.as_bool() == Some(true));
                sink.byte(u8::from(is_set));
            }
            FieldKind::Segments { count } => {
                let sizes: Vec<i64> = value.into_iter().flat_map(AttrRef::dense_ints).collect();
                if sizes.len() != count || sizes.iter().any(|size| u32::try_from(*size).is_err()) {
                    return Err(op.error(format_args!("'{}' does not have {count} sizes", name())));
                }
                write_sparse_array(&sizes, sink);
            }
        }
    }
    Ok(true)
}

/// Numbers, none negative: all of them in a row, or where most are zero pairs of position and number packed into one.
fn write_sparse_array(array: &[i64], sink: &mut impl Sink) {
    let num_set = array.iter().filter(|&&value| value != 0).count();
    let last = array.iter().rposition(|&value| value != 0).unwrap_or(0);
    if last > 256 || num_set > array.len() / 2 {
        sink.varint_with_flag(array.len() as u64, false);
        for &value in array {
            sink.varint(value.cast_unsigned());
        }
        return;
    }
    sink.varint_with_flag(num_set as u64, true);
    if num_set == 0 {
        return;
    }
    let index_bits = (last + 1).next_power_of_two().trailing_zeros();
    sink.varint(u64::from(index_bits));
    for (index, &value) in array.iter().enumerate().filter(|&(_, &value)| value != 0) {
        sink.varint(value.cast_unsigned() << index_bits | index as u64);
    }
}
