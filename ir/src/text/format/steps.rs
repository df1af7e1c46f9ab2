//! What a format prints: its elements put together for the printer.
//!
//! The text between two elements, spaces included, is one [`Piece`], and where operands and results stand is worked out as far as
//! the definition says. Operations without stored attributes, the most common ones, have steps of their own: without `attr-dict`
//! and without the groups that an attribute decides.

use super::{Anchor, Arg, Element, TypeSlot};
use crate::dialect::{CustomDirective, OpInfo};
use crate::entity::Ident;
use crate::opdef::{Arity, OpDef, Presence, Trait};
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
    /// An attribute of the definition that is stored also where it is at its default.
    NotDefault(usize),
    Region(usize),
    /// A region of a variadic definition, be it empty.
    Regions(usize),
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
            Self::NotDefault(index) => op.inherent(*index).map(|attr| attr.id()) != op.info().defaults(op.cx())[*index],
            Self::Region(index) => !op.region(*index).is_empty(),
            Self::Regions(index) => op.num_regions() > *index,
            Self::Successor(index) => op.num_successors() > *index,
            Self::Any(list) => list.iter().any(|check| check.holds(op)),
        }
    }

    /// Whether it is never there in an operation without stored attributes.
    fn needs_attrs(&self) -> bool {
        match self {
            Self::Attr(_) | Self::NotDefault(_) => true,
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
    /// This one of the segments whose sizes the attribute has.
    Segment(usize, Ident),
    /// As the operation says.
    Group(usize),
    All,
}

impl Run {
    /// Where definition `index` of those with `arities` is; `segments` has the sizes of each where there are several variadic ones
    /// that may differ.
    fn new(arities: &(impl Iterator<Item = Arity> + Clone), segments: Option<Ident>, index: usize) -> Self {
        let singles = arities.clone().filter(|&arity| arity == Arity::Single).count();
        let mut variadic = arities.clone().enumerate().filter(|(_, arity)| *arity != Arity::Single);
        match (variadic.next(), variadic.next()) {
            (None, _) => Self::One(index),
            (Some((at, _)), None) if index < at => Self::One(index),
            (Some((at, _)), None) if index == at => Self::Rest(at, singles),
            (Some(_), None) => Self::Behind(index - 1, singles),
            _ => segments.map_or(Self::Group(index), |name| Self::Segment(index, name)),
        }
    }

    /// Start and length among `total` values; none where there are too few of them.
    #[inline]
    fn among(self, op: OpRef<'_>, total: usize, group: impl FnOnce(usize) -> (usize, usize)) -> (usize, usize) {
        let (start, len) = match self {
            Self::One(index) => (index, 1),
            Self::Rest(start, singles) => (start, total.saturating_sub(singles)),
            Self::Behind(before, singles) => (before + total.saturating_sub(singles), 1),
            Self::Segment(index, sizes) => segment(op, sizes, index),
            Self::Group(index) => return group(index),
            Self::All => (0, total),
        };
        if start.checked_add(len).is_some_and(|end| end <= total) { (start, len) } else { (0, 0) }
    }

    /// Start and length among the operands of `op`.
    #[inline]
    pub(super) fn of_operands(self, op: OpRef<'_>) -> (usize, usize) {
        self.among(op, op.num_operands(), |index| {
            let group = op.operand_group(index);
            (group.start(), group.len())
        })
    }

    /// Start and length among the results of `op`.
    #[inline]
    pub(super) fn of_results(self, op: OpRef<'_>) -> (usize, usize) {
        self.among(op, op.num_results(), |index| {
            let group = op.result_group(index);
            (group.start(), group.len())
        })
    }
}

/// Start and length of segment `index` of `op`, by the sizes in an attribute. No attribute, no values.
fn segment(op: OpRef<'_>, sizes: Ident, index: usize) -> (usize, usize) {
    let Some(sizes) = op.attr_by_ident(sizes) else { return (0, 0) };
    let mut sizes = sizes.dense_ints().map(|size| usize::try_from(size).unwrap_or(0));
    let start = sizes.by_ref().take(index).fold(0, usize::saturating_add);
    (start, sizes.next().unwrap_or(0))
}

/// What a format prints.
pub(super) struct Steps {
    /// For operations with stored attributes.
    pub(super) full: Box<[Step]>,
    /// For those without.
    pub(super) bare: Box<[Step]>,
}

impl Steps {
    /// The steps of `elements`, a format of `info`, whose definition is `def`, with attributes of these names. `segments` are the attributes with the
    /// sizes of its segments of operands and of results.
    pub(super) fn new(
        info: &OpInfo,
        def: &OpDef,
        attr_names: &[Ident],
        segments: [Option<Ident>; 2],
        elements: &[Element],
    ) -> Self {
        let [mut operands, mut results] = segments;
        operands = operands.filter(|_| !info.has_trait(&Trait::SameVariadicOperandSize));
        results = results.filter(|_| !info.has_trait(&Trait::SameVariadicResultSize));
        let steps = |bare| {
            let lowering =
                Lowering { def, attr_names, operands, results, bare, text: String::new(), steps: Vec::new() };
            lowering.run(elements)
        };
        Self { full: steps(false), bare: steps(true) }
    }
}

struct Lowering<'a> {
    def: &'a OpDef,
    attr_names: &'a [Ident],
    /// The attributes with the sizes of segments.
    operands: Option<Ident>,
    results: Option<Ident>,
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
            &Element::Region { index, space, variadic, .. } => {
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
        Run::new(&self.def.operands.iter().map(|operand| operand.arity), self.operands, index)
    }

    fn results(&self, index: usize) -> Run {
        Run::new(&self.def.results.iter().map(|result| result.arity), self.results, index)
    }

    fn check(&self, anchor: &Anchor) -> Check {
        match anchor {
            Anchor::Operand(index) => Check::Operands(self.operands(*index)),
            Anchor::Result(index) => Check::Results(self.results(*index)),
            Anchor::Attr { index, .. } => match self.def.attrs[*index].presence {
                Presence::OptionalDefault(_) => Check::NotDefault(*index),
                _ => Check::Attr(self.attr_names[*index]),
            },
            Anchor::Region(index) if self.def.regions[*index].variadic => Check::Regions(*index),
            Anchor::Region(index) => Check::Region(*index),
            Anchor::Successor(index) => Check::Successor(*index),
            Anchor::Any(list) => Check::Any(list.iter().map(|anchor| self.check(anchor)).collect()),
        }
    }
}
