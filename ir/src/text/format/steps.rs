//! What a format prints: its elements put together for the printer.
//!
//! The text between two elements, spaces included, is one [`Piece`], and where operands and results stand is worked out as far as
//! the definition says. Operations without stored attributes, the most common ones, have steps of their own: without `attr-dict`
//! and without the groups that an attribute decides.

use super::{Anchor, Arg, Element, TypeSlot};
use crate::dialect::CustomDirective;
use crate::entity::Ident;
use crate::opdef::{Arity, OpDef};
use crate::text::printer::Piece;
use crate::view::OpRef;

/// Text, and what follows it.
pub(crate) struct Step {
    pub(crate) text: Piece,
    pub(crate) part: Part,
}

/// What is printed of an operation.
pub(crate) enum Part {
    /// No more than the text.
    Nothing,
    Newline,
    /// One operand, and no variadic one before it.
    Operand(usize),
    Operands(Run),
    /// Groups of operands in parentheses; the attribute has their sizes.
    OperandGroups(usize, &'static str),
    Attr {
        index: usize,
        qualified: bool,
    },
    Region(usize),
    /// All regions from this one on.
    Regions(usize),
    Successor(usize),
    /// All successors from this one on.
    Successors(usize),
    OperandType(usize),
    OperandTypes(Run),
    /// Types of groups of operands in parentheses; the attribute has their sizes.
    OperandTypeGroups(usize, &'static str),
    ResultType(usize),
    ResultTypes(Run),
    FunctionalType {
        inputs: TypeSlot,
        results: TypeSlot,
    },
    AttrDict {
        keyword: bool,
    },
    PropDict {
        space: bool,
    },
    Custom {
        directive: CustomDirective,
        args: Vec<Arg>,
    },
    Choice {
        present: Check,
        then: Box<[Step]>,
        otherwise: Box<[Step]>,
    },
}

/// Whether something is there.
pub(crate) enum Check {
    Operands(Run),
    Results(Run),
    /// Stored means not at its default. A boolean that may be missing is shown when it is true.
    Attr(Ident),
    Region(usize),
    Successor(usize),
    Any(Vec<Check>),
}

impl Check {
    /// Whether it is there in `op`.
    pub(super) fn holds(&self, op: OpRef<'_>) -> bool {
        match self {
            Self::Operands(run) => run.of_operands(op).1 > 0,
            Self::Results(run) => run.of_results(op).1 > 0,
            Self::Attr(name) => op.attr_by_ident(*name).is_some(),
            Self::Region(index) => !op.region(*index).is_empty(),
            Self::Successor(index) => op.num_successors() > *index,
            Self::Any(list) => list.iter().any(|check| check.holds(op)),
        }
    }

    /// Whether it is never there in an operation without stored attributes.
    fn needs_attrs(&self) -> bool {
        match self {
            Self::Attr(_) => true,
            Self::Any(list) => list.iter().all(Self::needs_attrs),
            _ => false,
        }
    }
}

/// Where the values of an operand or result definition are among all of the operation.
#[derive(Clone, Copy)]
pub(crate) enum Run {
    /// One value, no variadic one before it.
    One(usize),
    /// The only variadic one, from here on, and how many others there are.
    Rest(usize, usize),
    /// One value behind the only variadic one: how many others are before it, and how many there are.
    Behind(usize, usize),
    /// As the segments of the operation say.
    Group(usize),
    All,
}

impl Run {
    fn new(arities: impl ExactSizeIterator<Item = Arity> + Clone, index: usize) -> Self {
        let singles = arities.clone().filter(|&arity| arity == Arity::Single).count();
        let mut variadic = arities.clone().enumerate().filter(|(_, arity)| *arity != Arity::Single);
        match (variadic.next(), variadic.next()) {
            (None, _) => Self::One(index),
            (Some((at, _)), None) if index < at => Self::One(index),
            (Some((at, _)), None) if index == at => Self::Rest(at, singles),
            (Some(_), None) => Self::Behind(index - 1, singles),
            _ => Self::Group(index),
        }
    }

    /// Start and length among `total` values; none where there are too few of them.
    #[inline]
    fn among(self, total: usize, group: impl FnOnce(usize) -> (usize, usize)) -> (usize, usize) {
        let (start, len) = match self {
            Self::One(index) => (index, 1),
            Self::Rest(start, singles) => (start, total.saturating_sub(singles)),
            Self::Behind(before, singles) => (before + total.saturating_sub(singles), 1),
            Self::Group(index) => return group(index),
            Self::All => (0, total),
        };
        if start + len <= total { (start, len) } else { (0, 0) }
    }

    /// Start and length among the operands of `op`.
    #[inline]
    pub(super) fn of_operands(self, op: OpRef<'_>) -> (usize, usize) {
        self.among(op.num_operands(), |index| {
            let group = op.operand_group(index);
            (group.start(), group.len())
        })
    }

    /// Start and length among the results of `op`.
    #[inline]
    pub(super) fn of_results(self, op: OpRef<'_>) -> (usize, usize) {
        self.among(op.num_results(), |index| {
            let group = op.result_group(index);
            (group.start(), group.len())
        })
    }
}

/// What a format prints.
pub(super) struct Steps {
    /// For operations with stored attributes.
    pub(super) full: Box<[Step]>,
    /// For those without.
    pub(super) bare: Box<[Step]>,
}

impl Steps {
    /// The steps of `elements`, a format of `def`, whose attributes have these names.
    pub(super) fn new(def: &OpDef, attr_names: &[Ident], elements: &[Element]) -> Self {
        let steps = |bare| Lowering { def, attr_names, bare, text: String::new(), steps: Vec::new() }.run(elements);
        Self { full: steps(false), bare: steps(true) }
    }
}

struct Lowering<'a> {
    def: &'a OpDef,
    attr_names: &'a [Ident],
    /// Whether there are no stored attributes.
    bare: bool,
    /// What is printed before the next part.
    text: String,
    steps: Vec<Step>,
}

impl Lowering<'_> {
    fn run(mut self, elements: &[Element]) -> Box<[Step]> {
        self.elements(elements);
        if !self.text.is_empty() {
            self.push(Part::Nothing);
        }
        self.steps.into()
    }

    /// The steps of a list that may be left out.
    fn nested(&self, elements: &[Element]) -> Box<[Step]> {
        Lowering { text: String::new(), steps: Vec::new(), ..*self }.run(elements)
    }

    fn push(&mut self, part: Part) {
        while self.text.len() > Piece::MAX {
            let end = (0..=Piece::MAX).rev().find(|&end| self.text.is_char_boundary(end)).unwrap_or(0);
            let rest = self.text.split_off(end);
            let text = Piece::new(&std::mem::replace(&mut self.text, rest)).unwrap_or(Piece::EMPTY);
            self.steps.push(Step { text, part: Part::Nothing });
        }
        let text = Piece::new(&self.text).unwrap_or(Piece::EMPTY);
        self.text.clear();
        self.steps.push(Step { text, part });
    }

    fn spaced(&mut self, space: bool, part: Part) {
        if space {
            self.text.push(' ');
        }
        self.push(part);
    }

    fn elements(&mut self, elements: &[Element]) {
        elements.iter().for_each(|element| self.element(element));
    }

    fn element(&mut self, element: &Element) {
        match element {
            Element::Literal { text, space, .. } => self.literal(text, *space),
            Element::Space => self.text.push(' '),
            Element::Newline => self.push(Part::Newline),
            Element::Operand { index, space } => {
                let part = match self.def.operands[*index].arity {
                    Arity::Groups(sizes) => Part::OperandGroups(*index, sizes),
                    _ => match self.operands(*index) {
                        Run::One(index) => Part::Operand(index),
                        run => Part::Operands(run),
                    },
                };
                self.spaced(*space, part);
            }
            Element::Operands { space } => self.spaced(*space, Part::Operands(Run::All)),
            &Element::Attr { index, space, qualified } => self.spaced(space, Part::Attr { index, qualified }),
            &Element::Region { index, space, variadic } => {
                self.spaced(space, if variadic { Part::Regions(index) } else { Part::Region(index) });
            }
            Element::Regions { space } => self.spaced(*space, Part::Regions(0)),
            &Element::Successor { index, space, variadic } => {
                self.spaced(space, if variadic { Part::Successors(index) } else { Part::Successor(index) });
            }
            Element::Successors { space } => self.spaced(*space, Part::Successors(0)),
            Element::Type { slot, space } => {
                let part = match *slot {
                    TypeSlot::Operand(index) => match self.def.operands[index].arity {
                        Arity::Groups(sizes) => Part::OperandTypeGroups(index, sizes),
                        _ => match self.operands(index) {
                            Run::One(index) => Part::OperandType(index),
                            run => Part::OperandTypes(run),
                        },
                    },
                    TypeSlot::Result(index) => match self.results(index) {
                        Run::One(index) => Part::ResultType(index),
                        run => Part::ResultTypes(run),
                    },
                    TypeSlot::Operands => Part::OperandTypes(Run::All),
                    TypeSlot::Results => Part::ResultTypes(Run::All),
                };
                self.spaced(*space, part);
            }
            &Element::FunctionalType { inputs, results, space } => {
                self.spaced(space, Part::FunctionalType { inputs, results });
            }
            Element::AttrDict { .. } | Element::PropDict { .. } if self.bare => {}
            &Element::AttrDict { keyword } => self.push(Part::AttrDict { keyword }),
            &Element::PropDict { space } => self.push(Part::PropDict { space }),
            Element::Custom { directive, args, space } => {
                self.spaced(*space, Part::Custom { directive: *directive, args: args.clone() });
            }
            Element::Optional { then, otherwise, anchor } => {
                let present = self.check(anchor);
                if self.bare && present.needs_attrs() {
                    return self.elements(otherwise);
                }
                let (then, otherwise) = (self.nested(then), self.nested(otherwise));
                self.push(Part::Choice { present, then, otherwise });
            }
            Element::AnyOrder { clauses } => {
                for clause in clauses {
                    let present = Check::Any(clause.anchors.iter().map(|anchor| self.check(anchor)).collect());
                    if self.bare && present.needs_attrs() {
                        continue;
                    }
                    let mut then = Lowering { text: String::new(), steps: Vec::new(), ..*self };
                    then.literal(&clause.keyword, clause.space);
                    let then = then.run(&clause.elements);
                    self.push(Part::Choice { present, then, otherwise: Box::default() });
                }
            }
        }
    }

    fn literal(&mut self, text: &str, space: bool) {
        if space {
            self.text.push(' ');
        }
        self.text.push_str(text);
    }

    fn operands(&self, index: usize) -> Run {
        Run::new(self.def.operands.iter().map(|operand| operand.arity), index)
    }

    fn results(&self, index: usize) -> Run {
        Run::new(self.def.results.iter().map(|result| result.arity), index)
    }

    fn check(&self, anchor: &Anchor) -> Check {
        match anchor {
            Anchor::Operand(index) => Check::Operands(self.operands(*index)),
            Anchor::Result(index) => Check::Results(self.results(*index)),
            Anchor::Attr { index, .. } => Check::Attr(self.attr_names[*index]),
            Anchor::Region(index) => Check::Region(*index),
            Anchor::Successor(index) => Check::Successor(*index),
            Anchor::Any(list) => Check::Any(list.iter().map(|anchor| self.check(anchor)).collect()),
        }
    }
}
