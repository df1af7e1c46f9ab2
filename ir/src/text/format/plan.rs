//! Formats of operations whose operands and results are one value each, which is most of them: where each name and type stands is
//! known when the format is compiled.

use super::{Element, TypeSlot, TypeSource};
use crate::dialect::OpInfo;
use crate::groups::Groups;
use crate::opdef::TypeClass;
use crate::text::lexer::TokenKind;
use crate::types::Type;

/// What a format reads, and what becomes of the names and types among that, in the order in which it reads them.
pub(super) struct Plan {
    /// The format without what is only printed.
    pub(super) steps: Box<[Step]>,
    /// For each operand the position of its name, and its type.
    pub(super) operands: Box<[(usize, PlannedType)]>,
    /// The type of each result.
    pub(super) results: Box<[PlannedType]>,
}

/// What is read next.
#[derive(Clone, Copy)]
pub(super) enum Step {
    /// The name of an operand.
    Name,
    /// The type of an operand or result, of this class where there is one.
    Type(Option<TypeClass>),
    /// Punctuation, of the element at this position.
    Token(TokenKind, usize),
    /// `attr-dict`, the element at this position.
    AttrDict(usize),
    /// The element at this position.
    Other(usize),
}

/// The type of a value.
#[derive(Clone, Copy)]
pub(super) enum PlannedType {
    /// The one read at this position.
    Read(usize),
    /// Always this one.
    Only(Type),
}

/// The plan for `elements`. `None` where the text decides what there is.
pub(super) fn plan(info: &OpInfo, elements: &[Element], inference: &[(TypeSlot, TypeSource)]) -> Option<Plan> {
    let def = info.def.as_deref()?;
    let plain = info.facts.operand_groups == Groups::Single
        && info.facts.result_groups == Groups::Single
        && def.regions.is_empty()
        && def.successors.is_empty();
    if !plain {
        return None;
    }
    let mut names = vec![None; def.operands.len()];
    let mut types: Vec<(TypeSlot, PlannedType)> = Vec::new();
    let (mut num_names, mut num_types) = (0, 0);
    let mut steps = Vec::new();
    for (at, element) in elements.iter().enumerate() {
        steps.push(match element {
            Element::Operand { index, .. } => {
                names[*index] = Some(num_names);
                num_names += 1;
                Step::Name
            }
            Element::Type { slot: slot @ (TypeSlot::Operand(_) | TypeSlot::Result(_)), .. } => {
                types.push((*slot, PlannedType::Read(num_types)));
                num_types += 1;
                Step::Type(slot.def(def).and_then(|value| value.constraint.class))
            }
            Element::Space | Element::Newline => continue,
            Element::Literal { token: Some(kind), .. } => Step::Token(*kind, at),
            Element::AttrDict { keyword: false } => Step::AttrDict(at),
            Element::Optional { then, otherwise, .. } if then.iter().chain(otherwise).all(has_no_values) => {
                Step::Other(at)
            }
            element if has_no_values(element) => Step::Other(at),
            _ => return None,
        });
    }
    let find =
        |types: &[(TypeSlot, PlannedType)], slot| types.iter().find(|known| known.0 == slot).map(|known| known.1);
    for (slot, source) in inference {
        if find(&types, *slot).is_none() {
            let ty = match source {
                TypeSource::Same(from) => find(&types, *from)?,
                TypeSource::Only(ty) => PlannedType::Only(*ty),
                _ => return None,
            };
            types.push((*slot, ty));
        }
    }
    let operand = |(i, name): (usize, Option<usize>)| Some((name?, find(&types, TypeSlot::Operand(i))?));
    Some(Plan {
        steps: steps.into(),
        operands: names.into_iter().enumerate().map(operand).collect::<Option<_>>()?,
        results: (0..def.results.len()).map(|i| find(&types, TypeSlot::Result(i))).collect::<Option<_>>()?,
    })
}

/// Whether an element reads neither names nor types of values.
fn has_no_values(element: &Element) -> bool {
    matches!(
        element,
        Element::Literal { .. }
            | Element::Space
            | Element::Newline
            | Element::Attr { .. }
            | Element::AttrDict { .. }
            | Element::PropDict { .. }
    )
}
