//! Which range each integer is in, along the paths that can be taken.

use dl_ir::int_range::IntRange;
use dl_ir::interfaces::{Bound, CallOp, InferIntRange, LoopLike, RecordRanges};
use dl_ir::number::ApInt;
use dl_ir::opdef::Trait;
use dl_ir::{Arena, Attr, Context, OpRef, Rewriter, ValueId, ValueRef};
use parking_lot::Mutex;
use rustc_hash::FxHashMap;
use smallvec::SmallVec;

use crate::dataflow::{Analysis, Facts, Lattice, solve};

/// The ranges of the integers below an operation, also of elements of vectors and tensors. For patterns that use them, it can learn
/// those of values that were made since.
pub struct IntRanges {
    facts: Facts<Fact>,
    /// By the address of the arena, which does not move while patterns are applied.
    made: Mutex<FxHashMap<(usize, ValueId), IntRange>>,
}

impl IntRanges {
    /// Those of all values below `root`, the root of an arena. `hidden` where nothing outside refers to symbols in it. Costs what
    /// [`solve`] costs.
    pub fn new(root: OpRef<'_>, hidden: bool) -> Self {
        Self { facts: solve(root, hidden, &Ranges), made: Mutex::default() }
    }

    /// Tells operations in `ir`, and in the arenas nested there, that keep ranges of their operands. Answers whether there are such.
    pub fn record(&self, cx: &Context, ir: &mut Arena) -> bool {
        let mut any = false;
        dl_ir::walk::for_each_arena(cx, ir, &mut |cx, ir| {
            for op in dl_ir::walk::ops_in_arena(ir, Arena::ROOT) {
                let view = OpRef::new(cx, ir, op);
                let Some(interface) = cx.op_info(view.name_id()).interface::<dyn RecordRanges>() else { continue };
                let operands: Vec<_> = view.operands().iter().map(|operand| self.of(operand)).collect();
                interface.record_ranges(&mut Rewriter::new(cx, ir), op, &operands);
                any = true;
            }
        });
        any
    }

    /// The range of `value`; `None` where nothing is known, and for values that never arrive.
    pub fn of(&self, value: ValueRef<'_>) -> Option<IntRange> {
        match self.facts.of(value) {
            Fact::In { range, .. } => Some(range),
            Fact::NotReached => self.made.lock().get(&key(value)).cloned(),
            Fact::NoInteger => None,
        }
    }

    /// The number that `value` is.
    pub fn constant(&self, value: ValueRef<'_>) -> Option<ApInt> {
        self.of(value)?.single().cloned()
    }

    /// Says that `value`, which has been made since, is in `range`.
    pub fn learn(&self, value: ValueRef<'_>, range: IntRange) {
        self.made.lock().insert(key(value), range);
    }
}

fn key(value: ValueRef<'_>) -> (usize, ValueId) {
    (std::ptr::from_ref(value.arena()).addr(), value.id())
}

/// A range that has grown so often is taken to have no bounds: one that a loop widens by one each time would else take forever.
const MAX_GROWTHS: u8 = 32;

#[derive(Clone, Default)]
enum Fact {
    #[default]
    NotReached,
    In {
        range: IntRange,
        /// The only number in the range, as an attribute of the value's type.
        constant: Option<Attr>,
        /// How often the range has grown.
        growths: u8,
    },
    NoInteger,
}

impl PartialEq for Fact {
    fn eq(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::In { range, .. }, Self::In { range: other, .. }) => range == other,
            _ => std::mem::discriminant(self) == std::mem::discriminant(other),
        }
    }
}

impl Fact {
    /// That `value` is in `range`.
    fn of(value: ValueRef<'_>, range: IntRange) -> Self {
        let ty = value.ty();
        let constant = range.single().filter(|_| ty.is_integer() || ty.is_index());
        let constant = constant.map(|number| value.cx().ap_int_attr(ty.id(), number.clone()));
        Self::In { range, constant, growths: 0 }
    }

    fn any(value: ValueRef<'_>) -> Self {
        IntRange::width_of(value.ty()).map_or(Self::NoInteger, |width| Self::of(value, IntRange::all(width)))
    }

    fn range(&self) -> Option<IntRange> {
        match self {
            Self::In { range, .. } => Some(range.clone()),
            _ => None,
        }
    }
}

impl Lattice for Fact {
    fn join(&mut self, other: &Self) {
        match (&mut *self, other) {
            (Self::NotReached, _) => *self = other.clone(),
            (_, Self::NotReached) => {}
            (Self::In { range, constant, growths }, Self::In { range: more, .. }) if range.width() == more.width() => {
                let all = range.union(more);
                if all != *range {
                    *growths += 1;
                    *range = if *growths < MAX_GROWTHS { all } else { IntRange::all(range.width()) };
                    *constant = None;
                }
            }
            _ => *self = Self::NoInteger,
        }
    }

    fn constant(&self) -> Option<Attr> {
        match self {
            Self::In { constant, .. } => *constant,
            _ => None,
        }
    }
}

struct Ranges;

impl Analysis for Ranges {
    type Fact = Fact;

    fn unknown(&self, value: ValueRef<'_>) -> Fact {
        Fact::any(value)
    }

    fn argument(&self, op: OpRef<'_>, value: ValueRef<'_>, known: &dyn Fn(ValueRef<'_>) -> Fact) -> Fact {
        if let Some(interface) = op.interface::<dyn InferIntRange>() {
            let operands: SmallVec<[Option<IntRange>; 4]> =
                op.operands().iter().map(|operand| known(operand).range()).collect();
            let mut found = None;
            interface.infer_ranges(op, &operands, &mut |each, range| {
                if each == value {
                    found = Some(range);
                }
            });
            if let Some(range) = found {
                return Fact::of(value, range);
            }
        }
        variable(op, value, known).map_or_else(|| Fact::any(value), |range| Fact::of(value, range))
    }

    fn results(
        &self,
        op: OpRef<'_>,
        operands: &[Fact],
        _known: &mut dyn FnMut(ValueId) -> Fact,
    ) -> SmallVec<[Fact; 2]> {
        let mut facts: SmallVec<[Fact; 2]> = op.results().iter().map(Fact::any).collect();
        let Some(interface) = op.interface::<dyn InferIntRange>() else { return facts };
        let operands: SmallVec<[Option<IntRange>; 4]> = operands.iter().map(Fact::range).collect();
        interface.infer_ranges(op, &operands, &mut |value, range| {
            if let Some(fact) = facts.get_mut(value.index()).filter(|_| value.defining_op() == Some(op)) {
                *fact = Fact::of(value, range);
            }
        });
        facts
    }

    /// What is passed on and changes may change with each iteration.
    fn changed(&self, value: ValueRef<'_>, fact: Fact) -> Fact {
        let passes_on =
            |user: OpRef<'_>| user.has_trait(&Trait::Terminator) || user.interface::<dyn CallOp>().is_some();
        if value.uses().any(|(user, _)| passes_on(user)) { Fact::any(value) } else { fact }
    }
}

/// The range of the variable of a loop, from its bounds.
fn variable(op: OpRef<'_>, value: ValueRef<'_>, known: &dyn Fn(ValueRef<'_>) -> Fact) -> Option<IntRange> {
    let looping = op.interface::<dyn LoopLike>()?;
    let dims = looping.dims(op)?;
    let dim = dims.iter().find(|dim| dim.variable == value)?;
    let width = IntRange::width_of(value.ty())?;
    let range = |bound: Bound<'_>| match bound {
        Bound::Constant(number) => Some(IntRange::constant(ApInt::from_i64(width, number))),
        Bound::Value(value) => known(value).range(),
    };
    let (lower, upper) = (range(dim.lower), range(dim.upper));
    // The upper bound is not reached.
    if looping.is_unsigned(op) {
        let min = lower.map_or_else(|| ApInt::zero(width), |lower| lower.umin().clone());
        let upper = upper.map_or_else(|| ApInt::all_ones(width), |upper| upper.umax().clone());
        let (max, overflows) = upper.usub_overflow(&ApInt::one(width));
        return (!overflows && min.ule(&max)).then(|| IntRange::unsigned(min, max));
    }
    // Steps that are not known to be negative are taken to be positive: others make the loop undefined.
    if range(dim.step).is_some_and(|step| step.smax().is_negative()) {
        return None;
    }
    let min = lower.map_or_else(|| ApInt::min_signed(width), |lower| lower.smin().clone());
    let upper = upper.map_or_else(|| ApInt::max_signed(width), |upper| upper.smax().clone());
    let (max, overflows) = upper.ssub_overflow(&ApInt::one(width));
    (!overflows && min.sle(&max)).then(|| IntRange::signed(min, max))
}
