//! Where the part of a vector that is taken out comes from: through inserts, transpositions, casts and the like.

use dl_ir::interfaces::Index;
use dl_ir::interfaces::index_list::{Indices, mixed};
use dl_ir::{AttrRef, OpRef, Operands, ValueRef};
use smallvec::SmallVec;

use crate::types::{extents, is_scalable};
use crate::{
    BroadcastOp, ExtractOp, ExtractStridedSliceOp, FromElementsOp, InsertOp, InsertStridedSliceOp, ShapeCastOp,
    ShuffleOp, TransposeOp,
};

/// How many operations are looked through for one part: chains are as long as the program likes.
const MOST_STEPS: usize = 1024;

/// What is taken of one dimension of a vector.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum At {
    /// One index.
    One(Index),
    /// All of it: it is the dimension of this number of the part.
    All(usize),
}

/// A part of a vector: for each dimension of `source` what is taken. A scalar is a part of itself.
#[derive(Clone, Debug)]
struct Part<'a> {
    source: ValueRef<'a>,
    at: SmallVec<[At; 6]>,
}

/// The position that an extraction or insertion names, constants among its operands filled in. `None` where an index is poison or out of
/// bounds of `vector`.
pub(crate) fn position<'a>(vector: ValueRef<'a>, constants: AttrRef<'_>, values: Operands<'a>) -> Option<Indices> {
    let constants: SmallVec<[i64; 4]> = constants.dense_ints().collect();
    let known = |value| ValueRef::new(vector.cx(), vector.arena(), value).constant()?.as_int();
    let position = mixed(&constants, values).into_iter().map(|index| match index {
        Index::Value(value) => known(value).map_or(index, Index::Static),
        Index::Static(_) => index,
    });
    let position: Indices = position.collect();
    let shape = vector.ty().shape()?;
    let inside = |(index, &extent): (&Index, &i64)| index.as_static().is_none_or(|i| (0..extent).contains(&i));
    (position.len() <= shape.len() && position.iter().zip(shape).all(inside)).then_some(position)
}

/// The position of `vector.extract`.
pub(crate) fn of_extract(op: ExtractOp<'_>) -> Option<Indices> {
    position(op.source(), op.static_position(), op.dynamic_position())
}

/// The position of `vector.insert`.
pub(crate) fn of_insert(op: InsertOp<'_>) -> Option<Indices> {
    position(op.dest(), op.static_position(), op.dynamic_position())
}

/// Where the part of `source` at `position` comes from: the earliest value of which it is a part that one extraction can take, and
/// the position there. `None` when that is `source` itself.
pub(crate) fn origin<'a>(source: ValueRef<'a>, position: &[Index]) -> Option<(ValueRef<'a>, Indices)> {
    let mut part = Part::new(source, position);
    let mut found = None;
    for _ in 0..MOST_STEPS {
        let Some(earlier) = part.step() else { break };
        part = earlier;
        found = part.position().map(|position| (part.source, position)).or(found);
    }
    found
}

impl<'a> Part<'a> {
    fn new(source: ValueRef<'a>, position: &[Index]) -> Self {
        let rest = source.ty().rank().unwrap_or(0).saturating_sub(position.len());
        let at = position.iter().map(|&index| At::One(index)).chain((0..rest).map(At::All)).collect();
        Self { source, at }
    }

    /// The position as extractions have it: some indices, then whole dimensions in order. `None` where the part is not of that form.
    fn position(&self) -> Option<Indices> {
        let one = |at: &At| match *at {
            At::One(index) => Some(index),
            At::All(_) => None,
        };
        let position: Indices = self.at.iter().map_while(one).collect();
        let rest = self.at.iter().skip(position.len());
        rest.enumerate().all(|(i, &at)| at == At::All(i)).then_some(position)
    }

    fn has_whole_dims(&self) -> bool {
        self.at.iter().any(|at| matches!(at, At::All(_)))
    }

    /// The same part, of an operand of the operation that defines the source.
    fn step(&self) -> Option<Self> {
        let op = self.source.defining_op()?;
        op.cast::<ExtractOp<'_>>()
            .map(|op| self.of_extract(op))
            .or_else(|| op.cast::<InsertOp<'_>>().map(|op| self.of_insert(op)))
            .or_else(|| op.cast::<TransposeOp<'_>>().map(|op| self.of_transpose(op)))
            .or_else(|| op.cast::<BroadcastOp<'_>>().map(|op| self.of_broadcast(op.source())))
            .or_else(|| op.cast::<ShapeCastOp<'_>>().map(|op| self.of_shape_cast(op)))
            .or_else(|| op.cast::<ExtractStridedSliceOp<'_>>().map(|op| self.of_extract_strided_slice(op)))
            .or_else(|| op.cast::<InsertStridedSliceOp<'_>>().map(|op| self.of_insert_strided_slice(op)))
            .or_else(|| op.cast::<ShuffleOp<'_>>().map(|op| self.of_shuffle(op)))
            .or_else(|| op.cast::<FromElementsOp<'_>>().map(|op| self.of_elements(op)))
            .flatten()
    }

    fn of_extract(&self, op: ExtractOp<'a>) -> Option<Self> {
        let outer = of_extract(op)?;
        let at: SmallVec<[At; 6]> = outer.into_iter().map(At::One).chain(self.at.iter().copied()).collect();
        // Two extractions are kept apart where an index is only known when running: a row may then stay in a register.
        let is_dynamic = at.iter().any(|at| matches!(at, At::One(Index::Value(_))));
        (!is_dynamic).then_some(Self { source: op.source(), at })
    }

    /// What was inserted, if the part lies in it; what it was inserted into, if no element of the part does.
    fn of_insert(&self, op: InsertOp<'a>) -> Option<Self> {
        let position = of_insert(op)?;
        let differ = |(at, index): (&At, &Index)| match (at, index) {
            (At::One(Index::Static(a)), Index::Static(b)) => a != b,
            _ => false,
        };
        if self.at.iter().zip(&position).any(differ) {
            return Some(Self { source: op.dest(), at: self.at.clone() });
        }
        let inside = self.at.iter().zip(&position).all(|(&at, &index)| at == At::One(index));
        let at = self.at.get(position.len()..).filter(|_| inside)?;
        Some(Self { source: op.value_to_store(), at: at.into() })
    }

    fn of_transpose(&self, op: TransposeOp<'a>) -> Option<Self> {
        let mut at = self.at.clone();
        for (&here, dim) in self.at.iter().zip(op.permutation().dense_ints()) {
            *at.get_mut(usize::try_from(dim).ok()?)? = here;
        }
        Some(Self { source: op.vector(), at })
    }

    /// A repeated dimension has index 0 before; one that was not there before does not matter.
    fn of_broadcast(&self, source: ValueRef<'a>) -> Option<Self> {
        let (from, to) = (source.ty(), self.source.ty());
        let shape = if from.is_vector() { from.shape()? } else { &[] };
        let added = self.at.len().checked_sub(shape.len())?;
        let is_repeated = |i: usize| {
            let there = added + i;
            extents(to)[there] != shape[i] || is_scalable(from, i) != is_scalable(to, there)
        };
        let (leading, kept) = self.at.split_at(added);
        let at = kept.iter().enumerate().map(|(i, &at)| match at {
            At::One(_) if is_repeated(i) => Some(At::One(Index::Static(0))),
            At::All(_) if is_repeated(i) => None,
            _ => Some(at),
        });
        let at: Option<_> = at.collect();
        let none_whole = leading.iter().all(|at| matches!(at, At::One(_)));
        at.filter(|_| none_whole).map(|at| Self { source, at })
    }

    /// Through a cast that adds or removes leading dimensions of extent 1, or one that leaves the whole dimensions as they are.
    fn of_shape_cast(&self, op: ShapeCastOp<'a>) -> Option<Self> {
        let (from, to) = (op.source().ty(), op.result().ty());
        let (old, new) = (from.shape()?, to.shape()?);
        if let Some(added) = added_unit_dims(op).filter(|_| new.len() >= old.len()) {
            let (leading, kept) = self.at.split_at(added);
            let none_whole = leading.iter().all(|at| matches!(at, At::One(_)));
            return none_whole.then(|| Self { source: op.source(), at: kept.into() });
        }
        let position = self.position()?;
        let whole = new.len() - position.len();
        let same_tail = old.len() >= whole && {
            let (a, b) = (old.len() - whole, new.len() - whole);
            old[a..] == new[b..] && (0..whole).all(|i| is_scalable(from, a + i) == is_scalable(to, b + i))
        };
        let outer_fixed = (0..position.len()).all(|i| !is_scalable(to, i));
        if !same_tail || !outer_fixed || from.is_scalable_vector() != to.is_scalable_vector() {
            return None;
        }
        let mut linear = 0_i64;
        for (index, extent) in position.iter().zip(new) {
            linear = linear.checked_mul(*extent)?.checked_add(index.as_static()?)?;
        }
        let outer = &old[..old.len() - whole];
        let mut at: SmallVec<[At; 6]> = SmallVec::new();
        for &extent in outer.iter().rev() {
            at.insert(0, At::One(Index::Static(linear.checked_rem(extent)?)));
            linear /= extent;
        }
        at.extend((0..whole).map(At::All));
        Some(Self { source: op.source(), at })
    }

    fn of_extract_strided_slice(&self, op: ExtractStridedSliceOp<'a>) -> Option<Self> {
        let [offsets, sizes] = [op.offsets(), op.sizes()].map(ints);
        let shape = op.source().ty().shape()?;
        let mut at = self.at.clone();
        for (i, (&offset, &size)) in offsets.iter().zip(&sizes).enumerate() {
            at[i] = match at[i] {
                At::One(Index::Static(index)) => At::One(Index::Static(index.checked_add(offset)?)),
                same if offset == 0 && (size == shape[i] || matches!(same, At::One(_))) => same,
                _ => return None,
            };
        }
        Some(Self { source: op.source(), at })
    }

    fn of_insert_strided_slice(&self, op: InsertStridedSliceOp<'a>) -> Option<Self> {
        let offsets = ints(op.offsets());
        let (small, large) = (op.value_to_store().ty().shape()?, op.dest().ty().shape()?);
        let added = large.len().checked_sub(small.len())?;
        let range = |i: usize| (offsets[i], if i < added { 1 } else { small[i - added] });
        let one = |at: At| match at {
            At::One(index) => index.as_static(),
            At::All(_) => None,
        };
        let outside = |(i, &at): (usize, &At)| {
            let (offset, size) = range(i);
            one(at).is_some_and(|index| index < offset || index - offset >= size)
        };
        if self.at.iter().enumerate().any(outside) {
            return Some(Self { source: op.dest(), at: self.at.clone() });
        }
        let inside = self.at.iter().enumerate().map(|(i, &at)| {
            let (offset, size) = range(i);
            match one(at) {
                Some(index) => Some(At::One(Index::Static(index - offset))),
                None => (offset == 0 && size == large[i]).then_some(at),
            }
        });
        let inside: SmallVec<[At; 6]> = inside.collect::<Option<_>>()?;
        let (leading, at) = inside.split_at(added);
        let none_whole = leading.iter().all(|at| matches!(at, At::One(_)));
        none_whole.then(|| Self { source: op.value_to_store(), at: at.into() })
    }

    fn of_shuffle(&self, op: ShuffleOp<'a>) -> Option<Self> {
        let (&first, rest) = self.at.split_first()?;
        let At::One(Index::Static(index)) = first else { return None };
        let chosen = op.mask().dense_ints().nth(usize::try_from(index).ok()?)?;
        let rows = |vector: ValueRef<'_>| vector.ty().shape().map(|shape| shape.first().copied().unwrap_or(1));
        let of_first = rows(op.v1())?;
        let (source, row) = if chosen < of_first { (op.v1(), chosen) } else { (op.v2(), chosen - of_first) };
        let at = match source.ty().rank()? {
            0 => SmallVec::new(),
            _ => std::iter::once(At::One(Index::Static(row))).chain(rest.iter().copied()).collect(),
        };
        (row >= 0).then_some(Self { source, at })
    }

    fn of_elements(&self, op: FromElementsOp<'a>) -> Option<Self> {
        if self.has_whole_dims() {
            return None;
        }
        let at = linear_index(&self.position()?, op.dest().ty().shape()?)?;
        Some(Self { source: op.elements().get(at)?, at: SmallVec::new() })
    }
}

/// How many leading dimensions of extent 1 a cast adds to, or takes from, a type that is otherwise the same.
pub(crate) fn added_unit_dims(op: ShapeCastOp<'_>) -> Option<usize> {
    let (from, to) = (op.source().ty(), op.result().ty());
    let (a, b) = (from.shape()?, to.shape()?);
    let (small, large, short, long) = if a.len() <= b.len() { (a, b, from, to) } else { (b, a, to, from) };
    let added = large.len() - small.len();
    let same = |i: usize| small[i] == large[added + i] && is_scalable(short, i) == is_scalable(long, added + i);
    let units = (0..added).all(|i| large[i] == 1 && !is_scalable(long, i));
    (units && (0..small.len()).all(same)).then_some(added)
}

/// The integers of an array attribute.
pub(crate) fn ints(attr: AttrRef<'_>) -> SmallVec<[i64; 4]> {
    attr.elements().filter_map(AttrRef::as_int).collect()
}

/// The number in row-major order of the element at `position`, all of whose indices are known. Those that are missing are 0.
pub(crate) fn linear_index(position: &[Index], shape: &[i64]) -> Option<usize> {
    let mut linear = 0_i64;
    for (i, &extent) in shape.iter().enumerate() {
        let index = position.get(i).map_or(Some(0), |index| index.as_static())?;
        linear = linear.checked_mul(extent)?.checked_add(index)?;
    }
    usize::try_from(linear).ok()
}

/// Whether an index of `op` says that it is poison.
pub(crate) fn has_poison_index(op: OpRef<'_>) -> bool {
    op.attr("static_position").is_some_and(|attr| attr.dense_ints().any(|i| i == -1))
}
