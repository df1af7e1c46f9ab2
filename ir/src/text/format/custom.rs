//! What a `custom<Name>(...)` directive sees of its arguments: by position, as the format lists them.

use smallvec::SmallVec;

use super::parse::{OperandNames, Reader};
use super::{Arg, TypeSlot, Types};
use crate::attributes::{Attr, AttrRef};
use crate::entity::{BlockId, RegionId};
use crate::text::UnresolvedOperand;
use crate::types::Type;
use crate::view::{BlockRef, OpRef, Operands, RegionRef, Results, ValueRef};

/// The arguments while parsing: those of `ref(...)` hold what is known, the others are filled by the directive. Regions are parsed
/// with the operation's state, then handed over with [`set_regions`](Self::set_regions).
#[derive(Default)]
pub struct DirectiveArgs {
    args: Vec<Arg>,
    values: Vec<Filled>,
}

/// What an argument holds.
#[derive(Clone, Default)]
struct Filled {
    set: bool,
    operands: OperandNames,
    types: Types,
    attr: Option<Attr>,
    regions: SmallVec<[RegionId; 1]>,
    successors: SmallVec<[BlockId; 1]>,
    text: Box<str>,
}

impl DirectiveArgs {
    pub(super) fn new(reader: &Reader<'_, '_, '_>, args: &[Arg]) -> Self {
        let values = args.iter().map(|arg| known(reader, arg)).collect();
        Self { args: args.to_vec(), values }
    }

    /// How many arguments the format gives.
    pub fn count(&self) -> usize {
        self.values.len()
    }

    /// The names of operand argument `at`.
    pub fn operands(&self, at: usize) -> &[UnresolvedOperand] {
        &self.values[at].operands
    }

    /// Fills operand argument `at`.
    pub fn set_operands(&mut self, at: usize, operands: impl IntoIterator<Item = UnresolvedOperand>) {
        self.values[at].set = true;
        self.values[at].operands = operands.into_iter().collect();
    }

    /// The types of type argument `at`.
    pub fn types(&self, at: usize) -> &[Type] {
        &self.values[at].types
    }

    /// Fills type argument `at`.
    pub fn set_types(&mut self, at: usize, types: impl IntoIterator<Item = Type>) {
        self.values[at].set = true;
        self.values[at].types = types.into_iter().collect();
    }

    /// The attribute of attribute argument `at`.
    pub fn attr(&self, at: usize) -> Option<Attr> {
        self.values[at].attr
    }

    /// Fills attribute argument `at`.
    pub fn set_attr(&mut self, at: usize, attr: Attr) {
        self.values[at].set = true;
        self.values[at].attr = Some(attr);
    }

    /// Fills region argument `at` with regions that `parse_region` has just added to the state.
    pub fn set_regions(&mut self, at: usize, regions: impl IntoIterator<Item = RegionId>) {
        self.values[at].set = true;
        self.values[at].regions = regions.into_iter().collect();
    }

    /// Fills successor argument `at`.
    pub fn set_successors(&mut self, at: usize, blocks: impl IntoIterator<Item = BlockId>) {
        self.values[at].set = true;
        self.values[at].successors = blocks.into_iter().collect();
    }

    /// The text of string argument `at`.
    pub fn text(&self, at: usize) -> &str {
        &self.values[at].text
    }

    /// Hands what the directive filled over to the operation.
    pub(super) fn store(self, reader: &mut Reader<'_, '_, '_>) {
        for (arg, value) in self.args.into_iter().zip(self.values) {
            if !value.set {
                continue;
            }
            match arg {
                Arg::Operand(i) => reader.set_names(i, value.operands),
                Arg::Type(slot) => reader.reading.set_types(slot, value.types),
                Arg::Attr(i) => {
                    if let Some(attr) = value.attr {
                        reader.set_attr(i, attr);
                    }
                }
                Arg::Region(i) => {
                    reader.state.regions.retain(|r| !value.regions.contains(r));
                    reader.reading.regions[i] = value.regions;
                }
                Arg::Successor(i) => reader.reading.successors[i] = value.successors,
                Arg::Ref(_) | Arg::Text(_) | Arg::AttrDict | Arg::PropDict => {}
            }
        }
    }
}

/// What is known of `arg` before the directive runs: the content of references and strings.
fn known(reader: &Reader<'_, '_, '_>, arg: &Arg) -> Filled {
    let mut value = Filled::default();
    match arg {
        Arg::Text(text) => value.text = text.clone(),
        Arg::Ref(inner) => match &**inner {
            Arg::Operand(i) => value.operands = SmallVec::from_slice(reader.names(*i)),
            Arg::Type(slot) => value.types = SmallVec::from_slice(reader.reading.types(*slot).unwrap_or_default()),
            Arg::Attr(i) => {
                let name = reader.info.attr_names(reader.p.cx())[*i];
                value.attr = reader.state.attrs.iter().find(|(n, _)| *n == name).map(|&(_, attr)| attr);
            }
            _ => {}
        },
        _ => {}
    }
    value
}

/// The arguments while printing.
pub struct DirectiveView<'a> {
    op: OpRef<'a>,
    args: &'a [Arg],
}

impl<'a> DirectiveView<'a> {
    pub(super) fn new(op: OpRef<'a>, args: &'a [Arg]) -> Self {
        Self { op, args }
    }

    fn arg(&self, at: usize) -> &'a Arg {
        match &self.args[at] {
            Arg::Ref(inner) => inner,
            arg => arg,
        }
    }

    /// How many arguments the format gives.
    pub fn count(&self) -> usize {
        self.args.len()
    }

    /// The operands of argument `at`.
    ///
    /// # Panics
    /// When the argument is none.
    pub fn operands(&self, at: usize) -> Operands<'a> {
        match self.arg(at) {
            Arg::Operand(i) => self.op.operand_group(*i),
            arg => panic!("argument {at} is {arg:?}, not operands"),
        }
    }

    /// The results whose types argument `at` names.
    ///
    /// # Panics
    /// When the argument is none.
    pub fn results(&self, at: usize) -> Results<'a> {
        match self.arg(at) {
            Arg::Type(TypeSlot::Result(i)) => self.op.result_group(*i),
            Arg::Type(TypeSlot::Results) => self.op.results(),
            arg => panic!("argument {at} is {arg:?}, not results"),
        }
    }

    /// The types of argument `at`.
    ///
    /// # Panics
    /// When the argument is no type directive.
    pub fn types(&self, at: usize) -> SmallVec<[Type; 4]> {
        match self.arg(at) {
            Arg::Type(TypeSlot::Operand(i)) => self.op.operand_group(*i).types(),
            Arg::Type(TypeSlot::Result(i)) => self.op.result_group(*i).types(),
            Arg::Type(TypeSlot::Operands) => self.op.operands().iter().map(|v: ValueRef<'_>| v.ty().id()).collect(),
            Arg::Type(TypeSlot::Results) => self.op.results().types(),
            arg => panic!("argument {at} is {arg:?}, not types"),
        }
    }

    /// The attribute of argument `at`, its default where it has one and none is stored.
    ///
    /// # Panics
    /// When the argument is no attribute.
    pub fn attr(&self, at: usize) -> Option<AttrRef<'a>> {
        match self.arg(at) {
            Arg::Attr(i) => self.op.inherent(*i),
            arg => panic!("argument {at} is {arg:?}, not an attribute"),
        }
    }

    /// The region of argument `at`.
    ///
    /// # Panics
    /// When the argument is no region.
    pub fn region(&self, at: usize) -> RegionRef<'a> {
        match self.arg(at) {
            Arg::Region(i) => self.op.region(*i),
            arg => panic!("argument {at} is {arg:?}, not a region"),
        }
    }

    /// The successors of argument `at`: the last ones of the operation where the definition is variadic.
    ///
    /// # Panics
    /// When the argument is no successor.
    pub fn successors(&self, at: usize) -> SmallVec<[BlockRef<'a>; 2]> {
        match self.arg(at) {
            Arg::Successor(i) => {
                let variadic = self.op.def().is_some_and(|d| d.successors[*i].variadic);
                let take = if variadic { usize::MAX } else { 1 };
                self.op.successors().skip(*i).take(take).collect()
            }
            arg => panic!("argument {at} is {arg:?}, not a successor"),
        }
    }

    /// The text of string argument `at`.
    ///
    /// # Panics
    /// When the argument is no string.
    pub fn text(&self, at: usize) -> &'a str {
        match self.arg(at) {
            Arg::Text(text) => text,
            arg => panic!("argument {at} is {arg:?}, not a string"),
        }
    }
}
