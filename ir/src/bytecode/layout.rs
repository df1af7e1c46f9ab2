//! How the properties of a registered operation are laid out: which attributes stand where.
//!
//! A definition says it all, as it does for the C++ that upstream generates: attributes by name, then properties that are no
//! attributes in the order of the definition, then the sizes of operand and result segments. Before version 6 the latter were attributes
//! among the others.

use crate::attributes::{Attr, AttrData};
use crate::context::Context;
use crate::dialect::OpInfo;
use crate::entity::Ident;
use crate::opdef::{NativeProperty, Presence, Trait};

const OPERAND_SEGMENTS: &str = "operandSegmentSizes";
const RESULT_SEGMENTS: &str = "resultSegmentSizes";

/// The properties of one operation, in the order in which they are encoded.
pub(super) struct Layout {
    pub(super) fields: Vec<Field>,
}

/// One property.
pub(super) struct Field {
    pub(super) name: Ident,
    pub(super) kind: FieldKind,
}

/// How a property is encoded.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum FieldKind {
    /// The number of an attribute.
    Required,
    /// The number of an attribute with a flag, or 0. What is missing stands for `default`.
    Optional { default: Option<Attr> },
    /// The value of an enumeration, stored as an integer attribute of the type of `default`.
    Number { default: Attr },
    /// A byte, 0 or 1.
    Flag,
    /// The sizes of so many segments, before version 6: the number of an attribute.
    SegmentsAttr,
    /// The same since version 6: an array of numbers.
    Segments { count: usize },
}

impl Layout {
    /// The layout of the properties of `info` in files of version `version`. `None` for an operation without properties.
    pub(super) fn of(cx: &Context, info: &OpInfo, version: u32) -> Option<Self> {
        let def = info.def.as_deref().filter(|_| !info.hooks.no_properties)?;
        let defaults = info.defaults(cx);
        let mut attrs = Vec::new();
        let mut native = Vec::new();
        for (i, attr) in def.attrs.iter().enumerate() {
            let name = info.attr_names(cx)[i];
            match (&attr.presence, defaults[i]) {
                (Presence::Default(_), Some(default)) if attr.constraint.native.is_some() => {
                    let kind = match attr.constraint.native {
                        Some(NativeProperty::Flag) => FieldKind::Flag,
                        _ => FieldKind::Number { default },
                    };
                    native.push(Field { name, kind });
                }
                (Presence::Required, _) => attrs.push(Field { name, kind: FieldKind::Required }),
                (Presence::Default(_), default) => attrs.push(Field { name, kind: FieldKind::Optional { default } }),
                _ => attrs.push(Field { name, kind: FieldKind::Optional { default: None } }),
            }
        }
        let mut segments = Vec::new();
        for (flag, name, count) in [
            (Trait::AttrSizedOperandSegments, OPERAND_SEGMENTS, def.operands.len()),
            (Trait::AttrSizedResultSegments, RESULT_SEGMENTS, def.results.len()),
        ] {
            if info.has_trait(&flag) {
                let field = |kind| Field { name: cx.ident(name), kind };
                if version >= super::encoding::version::SEGMENT_SIZES {
                    segments.push(field(FieldKind::Segments { count }));
                } else {
                    attrs.push(field(FieldKind::SegmentsAttr));
                }
            }
        }
        attrs.sort_by(|a, b| cx.str(a.name).cmp(cx.str(b.name)));
        let fields: Vec<Field> = attrs.into_iter().chain(native).chain(segments).collect();
        (!fields.is_empty()).then_some(Self { fields })
    }

    /// Whether `name` is a property, not a discardable attribute.
    pub(super) fn contains(&self, name: Ident) -> bool {
        self.fields.iter().any(|field| field.name == name)
    }
}

/// The number that a property of [`FieldKind::Number`] is.
pub(super) fn number_of(cx: &Context, attr: Attr) -> Option<u64> {
    match cx.attr_data(attr) {
        AttrData::Integer { value, .. } => value.to_u64(),
        _ => cx.attr(attr).enum_value(),
    }
}

/// The attribute for the number `value` of such a property, like `default`.
pub(super) fn attr_of_number(cx: &Context, value: u64, default: Attr) -> Option<Attr> {
    let value = i64::from(u32::try_from(value).ok()?);
    let AttrData::Integer { ty, .. } = cx.attr_data(default) else { return None };
    Some(cx.int_attr(*ty, value))
}
