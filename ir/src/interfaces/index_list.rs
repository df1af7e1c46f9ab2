//! Lists of indices of which some are constants in an attribute and the others operands: offsets, sizes, strides, tiles.

use smallvec::SmallVec;

use crate::attributes::AttrRef;
use crate::dialect::CustomDirective;
use crate::entity::ValueId;
use crate::rewriter::OpState;
use crate::text::{AsmPrinter, Delimiter, DirectiveArgs, DirectiveView, OpParser, Parsed, UnresolvedOperand};
use crate::types::DYNAMIC;
use crate::view::{OpRef, Operands, ValueRef};

/// One index: known, or the value of an operand.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Index {
    /// Known when compiling.
    Static(i64),
    /// Known when running.
    Value(ValueId),
}

impl Index {
    /// The known value.
    pub fn as_static(self) -> Option<i64> {
        match self {
            Self::Static(value) => Some(value),
            Self::Value(_) => None,
        }
    }

    /// The known value, or [`DYNAMIC`].
    pub fn extent(self) -> i64 {
        self.as_static().unwrap_or(DYNAMIC)
    }
}

/// A list of indices in an operation.
pub type Indices = SmallVec<[Index; 4]>;

/// The indices of `constants`, in which [`DYNAMIC`] stands for the next of `values`.
pub fn mixed(constants: &[i64], values: Operands<'_>) -> Indices {
    let mut values = values.iter();
    let index =
        |&c: &i64| if c == DYNAMIC { values.next().map(|v| Index::Value(v.id())) } else { Some(Index::Static(c)) };
    constants.iter().filter_map(index).collect()
}

/// The inverse of [`mixed`]: constants with [`DYNAMIC`] where a value stands, and the values in order.
pub fn split(indices: &[Index]) -> (SmallVec<[i64; 4]>, SmallVec<[ValueId; 4]>) {
    let constants = indices.iter().map(|i| i.extent()).collect();
    let values = indices.iter().filter_map(|i| match *i {
        Index::Value(value) => Some(value),
        Index::Static(_) => None,
    });
    (constants, values.collect())
}

/// `custom<DynamicIndexList>($values, $constants)`: `[%a, 4, %b]`. A third and fourth argument, for scalable sizes and types, are
/// of the `vector` and `transform` dialects and not known here.
pub const DYNAMIC_INDEX_LIST: CustomDirective = CustomDirective { parse: parse_directive, print: print_directive };

fn parse_directive(p: &mut OpParser<'_>, _: &mut OpState, args: &mut DirectiveArgs) -> Parsed<()> {
    let (values, constants) = parse_index_list(p)?;
    args.set_operands(0, values);
    args.set_attr(1, p.cx().dense_i64_array(&constants));
    Ok(())
}

fn print_directive(_: OpRef<'_>, p: &mut AsmPrinter<'_>, args: &DirectiveView<'_>) {
    print_index_list(p, args.operands(0).iter(), args.attr(1));
}

/// `[%a, 4, %b]`: the operands in order, and the constants with [`DYNAMIC`] where an operand stands.
///
/// # Errors
/// `expected SSA value or integer`.
#[expect(clippy::type_complexity, reason = "operands and constants, the two parts of what is read")]
pub fn parse_index_list(p: &mut OpParser<'_>) -> Parsed<(SmallVec<[UnresolvedOperand; 4]>, SmallVec<[i64; 4]>)> {
    let (mut values, mut constants) = (SmallVec::new(), SmallVec::new());
    p.parse_comma_separated_in(Delimiter::Square, " in dynamic index list", |p| {
        if let Some(value) = p.parse_optional_operand()? {
            values.push(value);
            constants.push(DYNAMIC);
        } else if let Some(constant) = p.parse_optional_integer()? {
            constants.push(constant);
        } else {
            return Err(p.error("expected SSA value or integer"));
        }
        Ok(())
    })?;
    Ok((values, constants))
}

/// Prints `[%a, 4, %b]`.
pub fn print_index_list<'a>(
    p: &mut AsmPrinter<'_>,
    values: impl IntoIterator<Item = ValueRef<'a>>,
    constants: Option<AttrRef<'_>>,
) {
    let mut values = values.into_iter();
    p.text("[");
    for (i, constant) in constants.into_iter().flat_map(AttrRef::dense_ints).enumerate() {
        if i > 0 {
            p.text(", ");
        }
        match if constant == DYNAMIC { values.next() } else { None } {
            Some(value) => p.operand(value),
            None => p.int(constant),
        }
    }
    p.text("]");
}

/// The extents of `shape`, whose dynamic ones are `sizes` in order, with those filled in that are constants, and the sizes that are left.
/// `None` when no size is a constant that is an extent.
pub fn with_constant_extents(shape: &[i64], sizes: Operands<'_>) -> Option<(Vec<i64>, SmallVec<[ValueId; 4]>)> {
    let (mut extents, mut left) = (shape.to_vec(), SmallVec::new());
    let dynamic = extents.iter_mut().filter(|extent| **extent == DYNAMIC);
    for (extent, size) in dynamic.zip(sizes.iter()) {
        match size.constant().and_then(AttrRef::as_int).filter(|&n| n >= 0) {
            Some(known) => *extent = known,
            None => left.push(size.id()),
        }
    }
    (extents != shape).then_some((extents, left))
}
