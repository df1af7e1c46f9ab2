//! Declarative assembly formats: compiled once an operation and context, then interpreted.
//!
//! Source of the language: the MLIR documentation "Operation Definition Specification", "Declarative Assembly Format". Spaces
//! follow upstream's printer generator, so that the text is the same.

mod compile;
mod custom;
mod params;
mod parse;
mod plan;
mod print;
mod reading;
mod steps;

pub use custom::{DirectiveArgs, DirectiveView};
pub use params::{ParamFormat, ParamHook};
pub(crate) use params::{ParamReader, ParamWriter};
pub(in crate::text) use reading::Reading;
pub(crate) use steps::{Part, Step};

use std::sync::Arc;

use smallvec::SmallVec;

use crate::context::Context;
use crate::dialect::CustomDirective;
use crate::entity::{Ident, OpName};
use crate::opdef::{OpDef, TypeRangeTransform, TypeTransform, ValueDef};
use crate::text::lexer::TokenKind;
use crate::types::Type;

/// The format of one operation, ready to parse and print.
pub struct CompiledFormat {
    elements: Vec<Element>,
    /// The same for printing.
    steps: steps::Steps,
    /// Attributes that the format writes itself, or that other parts imply: `attr-dict` leaves them out.
    elided: Vec<Ident>,
    /// Those that `attr-dict` leaves out: the same, and all inherent ones where `prop-dict` shows them.
    elided_from_dict: Vec<Ident>,
    /// How types that the format does not write follow from others, in an order that works.
    inference: Vec<(TypeSlot, TypeSource)>,
    /// The type, or element type, that the attributes of the definition have by their constraints.
    attr_types: Vec<Option<Type>>,
    operand_segments: Option<Ident>,
    result_segments: Option<Ident>,
    /// There for formats that always read the same names and types.
    plan: Option<plan::Plan>,
}

/// One element of a format.
enum Element {
    /// A keyword or punctuation; `space` says whether a space is printed before it.
    Literal { text: Box<str>, token: Option<TokenKind>, space: bool },
    /// A space that is printed and not parsed.
    Space,
    /// A line end that is printed and not parsed.
    Newline,
    /// `$operand`.
    Operand { index: usize, space: bool },
    /// All operands.
    Operands { space: bool },
    /// `$attr`.
    Attr { index: usize, space: bool, qualified: bool },
    /// `$region`. Where it decides whether an optional group is there, an empty one is left empty.
    Region { index: usize, space: bool, variadic: bool, decides: bool },
    /// All regions.
    Regions { space: bool },
    /// `$successor`.
    Successor { index: usize, space: bool, variadic: bool },
    /// All successors.
    Successors { space: bool },
    /// `type($value)`.
    Type { slot: TypeSlot, space: bool },
    /// `functional-type(a, b)`.
    FunctionalType { inputs: TypeSlot, results: TypeSlot, space: bool },
    /// `attr-dict` or `attr-dict-with-keyword`.
    AttrDict { keyword: bool },
    /// `prop-dict`.
    PropDict { space: bool },
    /// `custom<Name>(...)`.
    Custom { directive: CustomDirective, args: Vec<Arg>, space: bool },
    /// `(then)?` or `(then):(otherwise)?`. Present when `anchor` is.
    Optional { then: Vec<Element>, otherwise: Vec<Element>, anchor: Anchor },
    /// `oilist(keyword elements | ...)`: clauses in any order, each at most once.
    AnyOrder { clauses: Vec<Clause> },
}

struct Clause {
    keyword: Box<str>,
    space: bool,
    elements: Vec<Element>,
    anchors: Vec<Anchor>,
}

/// What a type directive speaks of.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum TypeSlot {
    Operand(usize),
    Result(usize),
    Operands,
    Results,
}

impl TypeSlot {
    /// What `def` says of the operand or result.
    fn def(self, def: &OpDef) -> Option<&ValueDef> {
        match self {
            Self::Operand(index) => def.operands.get(index),
            Self::Result(index) => def.results.get(index),
            Self::Operands | Self::Results => None,
        }
    }
}

/// Where a type that is not written comes from.
enum TypeSource {
    /// The only type there is.
    Only(Type),
    /// The same as another.
    Same(TypeSlot),
    /// The type of an attribute.
    OfAttr(usize, Option<TypeTransform>),
    /// Follows from the first type of another.
    From(TypeSlot, TypeTransform),
    /// All follow from the first type of another.
    Range(TypeSlot, TypeRangeTransform),
}

/// What decides whether an optional group is there.
#[derive(Clone, Debug)]
enum Anchor {
    Operand(usize),
    Result(usize),
    /// An attribute; a unit attribute is not written, the group stands for it.
    Attr {
        index: usize,
        unit: bool,
    },
    Region(usize),
    Successor(usize),
    /// Any of these.
    Any(Vec<Anchor>),
}

/// An argument of a custom directive.
#[derive(Clone, Debug)]
pub(crate) enum Arg {
    Operand(usize),
    Attr(usize),
    Region(usize),
    Successor(usize),
    Type(TypeSlot),
    /// `ref(...)`: known already, to read only.
    Ref(Box<Arg>),
    /// A string of the format.
    Text(Box<str>),
    AttrDict,
    PropDict,
}

type Types = SmallVec<[Type; 4]>;

impl CompiledFormat {
    /// The format of operation `name`, compiled at the first call. The error names a fault of the definition.
    ///
    /// # Errors
    /// What is wrong with the definition: a fault of the dialect, not of an input.
    pub fn of(cx: &Context, name: OpName) -> Result<&Self, String> {
        let info = cx.op_info(name);
        match info.format.get_or_init(|| compile::compile(cx, info).map(Arc::new)) {
            Ok(format) => Ok(format),
            Err(message) => Err(message.clone()),
        }
    }
}
