//! Operations that take a regular part of a tensor or buffer, given by an offset, a size and a stride for each dimension.

use super::index_list::{Index, Indices, mixed};
use crate::diagnostics::Diagnostic;
use crate::entity::ValueId;
use crate::types::DYNAMIC;
use crate::view::OpRef;

/// Where the three lists of such an operation stand. Constants are the attributes `static_offsets`, `static_sizes` and `static_strides`.
pub trait OffsetSizeStride: Send + Sync {
    /// Number of the operand definition of the offsets; sizes and strides follow.
    fn offsets_at(&self) -> usize;
}

/// The operand definition of the offsets has this number.
pub struct OffsetsAt(pub usize);

impl OffsetSizeStride for OffsetsAt {
    fn offsets_at(&self) -> usize {
        self.0
    }
}

/// A regular part: one offset, size and stride for each dimension.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Slice {
    /// Where the part begins.
    pub offsets: Indices,
    /// How many elements it has.
    pub sizes: Indices,
    /// How far apart they are.
    pub strides: Indices,
}

impl Slice {
    /// The part that `op` takes. `None` where it is no such operation.
    pub fn of(op: OpRef<'_>) -> Option<Self> {
        let first = op.interface::<dyn OffsetSizeStride>()?.offsets_at();
        let list = |name: &str, at: usize| mixed(&constants(op, name), op.operand_group(first + at));
        Some(Self {
            offsets: list("static_offsets", 0),
            sizes: list("static_sizes", 1),
            strides: list("static_strides", 2),
        })
    }

    /// Whether every stride is 1.
    pub fn has_unit_strides(&self) -> bool {
        self.strides.iter().all(|s| s.as_static() == Some(1))
    }

    /// Whether the part lies inside `shape`, as far as both are known.
    pub fn is_in_bounds(&self, shape: &[i64]) -> bool {
        shape.iter().enumerate().all(|(i, &extent)| {
            let known = |list: &Indices| list.get(i).and_then(|index| index.as_static());
            let Some(offset) = known(&self.offsets).filter(|_| extent != DYNAMIC) else { return true };
            let last = match (known(&self.sizes), known(&self.strides)) {
                (Some(0), _) => Some(offset),
                (Some(size), Some(stride)) => {
                    size.checked_sub(1).and_then(|n| n.checked_mul(stride)).and_then(|n| n.checked_add(offset))
                }
                _ => Some(offset),
            };
            offset < extent && last.is_some_and(|last| last < extent)
        })
    }

    /// Whether the two are known to have no element in common: in some dimension one ends before the other begins.
    pub fn is_disjoint_from(&self, other: &Self) -> bool {
        let ends_before = |(value, last): Place, (other, first): Place| value == other && last < first;
        (0..self.offsets.len()).any(|dim| {
            let ranges = self.range(dim).zip(other.range(dim));
            ranges.is_some_and(|((first, last), (other_first, other_last))| {
                ends_before(last, other_first) || ends_before(other_last, first)
            })
        })
    }

    /// The first and the last index along a dimension, as far as at most one value says where they are.
    fn range(&self, dim: usize) -> Option<(Place, Place)> {
        let (first, stride) = (place(*self.offsets.get(dim)?), self.strides.get(dim)?.as_static()?);
        match (first, *self.sizes.get(dim)?) {
            ((value, first), Index::Static(size)) => {
                let last = size.checked_sub(1)?.checked_mul(stride)?.checked_add(first)?;
                Some(((value, first.min(last)), (value, first.max(last))))
            }
            ((None, first), Index::Value(size)) if stride == 1 => {
                Some(((None, first), (Some(size), first.checked_sub(1)?)))
            }
            _ => None,
        }
    }

    /// Whether every offset is 0.
    pub fn has_zero_offsets(&self) -> bool {
        self.offsets.iter().all(|s| s.as_static() == Some(0))
    }
}

/// An index, as a value, or zero without one, and a number that is added to it.
type Place = (Option<ValueId>, i64);

fn place(index: Index) -> Place {
    match index {
        Index::Static(number) => (None, number),
        Index::Value(value) => (Some(value), 0),
    }
}

fn constants(op: OpRef<'_>, name: &str) -> Vec<i64> {
    op.attr(name).and_then(|attr| attr.as_i64_array()).unwrap_or_default()
}

/// Checks the three lists of `op`: their lengths, that the operands match the constants, that sizes and offsets are not negative,
/// and that the lists have `rank` entries.
///
/// # Errors
/// The first list, or entry of one, that is wrong.
pub fn verify_offset_size_stride(op: OpRef<'_>, rank: usize) -> Result<(), Diagnostic> {
    verify_same_lengths(op, false)?;
    verify_dynamic_counts(op)?;
    for (word, name) in [("offset", "static_offsets"), ("size", "static_sizes"), ("stride", "static_strides")] {
        let constants = constants(op, name);
        if constants.len() != rank {
            return Err(fault(op, format_args!("expected {rank} {word} values, got {}", constants.len())));
        }
    }
    let negative = |name: &str| constants(op, name).into_iter().find(|&c| c < 0 && c != DYNAMIC);
    if let Some(offset) = negative("static_offsets") {
        return Err(fault(op, format_args!("expected offsets to be non-negative, but got {offset}")));
    }
    if let Some(size) = negative("static_sizes") {
        return Err(fault(op, format_args!("expected sizes to be non-negative, but got {size}")));
    }
    Ok(())
}

/// Checks that the lists of offsets, of sizes and of strides of `op` are equally long. With `one_offset` there may be a single offset for all.
///
/// # Errors
/// The two that differ.
pub fn verify_same_lengths(op: OpRef<'_>, one_offset: bool) -> Result<(), Diagnostic> {
    let [offsets, sizes, strides] =
        ["static_offsets", "static_sizes", "static_strides"].map(|name| constants(op, name).len());
    let differ = |what: &str, a: usize, than: &str, b: usize| {
        let message = format_args!(
            "expected mixed {what} rank to match mixed {than} rank ({a} vs {b}) so the rank of the result type is well-formed."
        );
        Err(fault(op, message))
    };
    if offsets != sizes && !(one_offset && offsets == 1) {
        return differ("offsets", offsets, "sizes", sizes);
    }
    if sizes == strides { Ok(()) } else { differ("sizes", sizes, "strides", strides) }
}

/// An error without the name of the operation, as upstream has it here.
fn fault(op: OpRef<'_>, message: impl std::fmt::Display) -> Diagnostic {
    Diagnostic::error(op.loc(), message.to_string())
}

/// Checks that the part lies inside `shape`, as far as both are known.
///
/// # Errors
/// The first dimension that it runs out of, and how far.
pub fn verify_in_bounds(op: OpRef<'_>, shape: &[i64]) -> Result<(), Diagnostic> {
    let Some(slice) = Slice::of(op) else { return Ok(()) };
    for (i, &extent) in shape.iter().enumerate() {
        let (Some(offset), true) = (slice.offsets[i].as_static(), extent != DYNAMIC) else { continue };
        if offset >= extent {
            return Err(fault(op, format_args!("offset {i} is out-of-bounds: {offset} >= {extent}")));
        }
        let (Some(size), Some(stride)) = (slice.sizes[i].as_static(), slice.strides[i].as_static()) else { continue };
        if size == 0 {
            continue;
        }
        let last = size.checked_sub(1).and_then(|n| n.checked_mul(stride)).and_then(|n| n.checked_add(offset));
        if last.is_none_or(|last| last >= extent) {
            let last = last.unwrap_or(i64::MAX);
            return Err(fault(op, format_args!("slice along dimension {i} runs out-of-bounds: {last} >= {extent}")));
        }
    }
    Ok(())
}

/// Checks that each list has as many operands as its constants are dynamic: else [`Slice::of`] is not what was written.
///
/// # Errors
/// The first list that has more or fewer.
pub fn verify_dynamic_counts(op: OpRef<'_>) -> Result<(), Diagnostic> {
    let Some(view) = op.interface::<dyn OffsetSizeStride>() else { return Ok(()) };
    for (at, list) in [(1, "sizes"), (2, "strides"), (0, "offsets")] {
        let name = format!("static_{list}");
        let dynamic = constants(op, &name).into_iter().filter(|&c| c == DYNAMIC).count();
        let given = op.operand_group(view.offsets_at() + at).len();
        if dynamic != given {
            return Err(fault(
                op,
                format_args!(
                    "expected the number of '{list}' to match the number of dynamic entries in '{name}' ({given} vs {dynamic})"
                ),
            ));
        }
    }
    Ok(())
}

/// The constants of a list with those of `values` that are constants filled in; `None` when nothing becomes known.
pub fn with_known_values(op: OpRef<'_>, indices: &[Index]) -> Option<Indices> {
    let known = |index: &Index| match *index {
        Index::Value(value) => {
            let constant = crate::view::ValueRef::new(op.cx(), op.arena(), value).constant()?;
            constant.as_int().map(Index::Static)
        }
        Index::Static(_) => None,
    };
    let new: Indices = indices.iter().map(|index| known(index).unwrap_or(*index)).collect();
    (new[..] != *indices).then_some(new)
}
