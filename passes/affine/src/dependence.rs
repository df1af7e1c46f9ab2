//! Dependences between accesses, decided exactly: is there an iteration of one and a later one of the other that touch the same element?
//!
//! Each access stands for all its instances, one for each iteration of the loops around it. An instance of both is a point of a system of
//! linear constraints: bounds of loops, conditions around, equal indices. Questions about it are further constraints. What is not linear is
//! left out, so that a dependence may be found that is none, but none is overlooked.
//!
//! Different buffers are taken to share no memory, as everywhere in this dialect, unless one is seen to be a view of (a part of) the other.

use dl_affine::AffineForOp;
use dl_affine::constraints::{ValueSystem, widened};
use dl_affine::scope::{affine_scope, is_valid_symbol};
use dl_ir::presburger::{Linear, System};
use dl_ir::{OpRef, Trait, ValueRef};
use dl_passes_transforms::alias::{is_allocated, underlying};

use crate::access::{Access, loops_around};

/// An instance of each of two accesses that touch the same element.
#[derive(Clone, Debug)]
pub struct Pair {
    /// What holds of both.
    system: System,
    /// The induction variables of all loops around the first access as unknowns, outermost first.
    first: Vec<usize>,
    /// Those around the second.
    second: Vec<usize>,
    /// How many of them are of loops around both.
    common: usize,
    /// Whether the first access stands before the second in the innermost block around both.
    is_in_order: bool,
}

/// Whether two accesses can touch the same element.
#[derive(Clone, Debug)]
pub enum Meeting {
    /// They cannot.
    Never,
    /// They may, where these constraints hold.
    Where(Pair),
    /// Nothing is known.
    Unknown,
}

/// Whether and where instances of `first` and `second` touch the same element. Cost: exponential in the number of unknowns in the worst case,
/// cut off where it takes too much work.
pub fn meeting(first: &Access<'_>, second: &Access<'_>) -> Meeting {
    if first.memref != second.memref {
        return if are_apart(first.memref, second.memref) { Meeting::Never } else { Meeting::Unknown };
    }
    let (Some(around_first), Some(around_second)) = (loops_around(first.op), loops_around(second.op)) else {
        return Meeting::Unknown;
    };
    if affine_scope(first.op) != affine_scope(second.op) {
        return Meeting::Unknown;
    }
    let common = around_first.iter().zip(&around_second).take_while(|(a, b)| a == b).count();
    // A buffer that is made in a loop is another one in each iteration, and so are its views made there; of other values nothing is known.
    let count =
        |value: ValueRef<'_>| around_first.iter().take(common).filter(|each| value.is_defined_in(**each)).count();
    let (around_memref, root) = (count(first.memref), underlying(first.memref));
    if around_memref > 0 && !(is_allocated(root) && count(root) == around_memref) {
        return Meeting::Unknown;
    }
    let mut known = ValueSystem::new();
    let (Some(a), Some(b)) = (instance(&mut known, first, &around_first), instance(&mut known, second, &around_second))
    else {
        return Meeting::Unknown;
    };
    for (at, (x, y)) in a.indices.iter().zip(&b.indices).enumerate() {
        overlap(&mut known, (x, a.shape[at]), (y, b.shape[at]));
    }
    let own = a.variables[..around_memref].iter().map(Vec::len).sum();
    let common = a.variables[..common].iter().map(Vec::len).sum();
    let pair = Pair {
        system: known.system().clone(),
        first: a.variables.concat(),
        second: b.variables.concat(),
        common,
        is_in_order: is_before(first.op, second.op),
    }
    .same_until(own);
    match pair.system.is_empty() {
        Some(true) => Meeting::Never,
        Some(false) | None => Meeting::Where(pair),
    }
}

/// Whether two buffers are parts of different ones. Those that a loop or condition hands on may be any.
fn are_apart(a: ValueRef<'_>, b: ValueRef<'_>) -> bool {
    let (a, b) = (underlying(a), underlying(b));
    let is_known = |value: ValueRef<'_>| match value.defining_op() {
        Some(op) => op.num_regions() == 0 && !op.operands().iter().any(|operand| operand.ty().is_memref()),
        None => {
            value.owner_block().and_then(dl_ir::BlockRef::parent_op).is_some_and(|op| op.has_trait(&Trait::AffineScope))
        }
    };
    a != b && is_known(a) && is_known(b)
}

/// One instance of an access.
struct Instance {
    /// The induction variables of each loop around, outermost first.
    variables: Vec<Vec<usize>>,
    indices: Vec<Linear>,
    shape: Vec<i64>,
}

/// An instance of `access`, any. `None` where an index is not linear.
fn instance(known: &mut ValueSystem, access: &Access<'_>, around: &[OpRef<'_>]) -> Option<Instance> {
    let scope = affine_scope(access.op);
    let (cx, ir) = (access.op.cx(), access.op.arena());
    known.forget(|value| is_valid_symbol(ValueRef::new(cx, ir, value), scope));
    let mut variables = Vec::new();
    for each in around {
        let count = if each.is::<AffineForOp<'_>>() { 1 } else { usize::MAX };
        let args: Vec<ValueRef<'_>> = each.region(0).entry()?.args().take(count).collect();
        let own = args.into_iter().map(|arg| {
            let unknown = known.fresh(arg);
            known.bind(arg.id(), unknown);
            unknown
        });
        variables.push(own.collect());
    }
    known.add_around(access.op);
    let indices = known.results(cx.affine(), access.map, access.operands.iter().copied());
    Some(Instance { variables, indices: indices.into_iter().collect::<Option<_>>()?, shape: access.shape() })
}

/// Ranges of so many elements have one in common.
fn overlap(known: &mut ValueSystem, (x, length_x): (&Linear, i64), (y, length_y): (&Linear, i64)) {
    if length_x == 1 && length_y == 1 {
        let count = known.system().unknowns();
        let row = widened(x, count).combined(&1.into(), &widened(y, count), &(-1).into());
        known.system_mut().add_equality(row);
    } else {
        known.add_difference(x, y, length_y - 1);
        known.add_difference(y, x, length_x - 1);
    }
}

/// Whether `a` stands before `b` in the innermost block around both.
fn is_before(a: OpRef<'_>, b: OpRef<'_>) -> bool {
    let chain = |op: OpRef<'_>| std::iter::successors(Some(op.id()), |&op| a.arena().parent_op(op)).collect::<Vec<_>>();
    let (of_a, of_b) = (chain(a), chain(b));
    let pairs = of_a.iter().rev().zip(of_b.iter().rev());
    for (&x, &y) in pairs {
        if x != y {
            return a.arena().block_of(x) == a.arena().block_of(y) && a.arena().is_before_in_block(x, y);
        }
    }
    false
}

impl Pair {
    /// The number of common loops.
    pub fn depth(&self) -> usize {
        self.common
    }

    fn row(&self, unknown: usize) -> Linear {
        Linear::unknown(self.system.unknowns(), unknown)
    }

    /// How much further the second instance is than the first at a level, which may be one of loops that are not common, where both have it.
    fn distance(&self, level: usize) -> Linear {
        let (first, second) = (self.first[level], self.second[level]);
        self.row(second).combined(&1.into(), &self.row(first), &(-1).into())
    }

    /// The pairs of which the second instance comes later because of the loop at `level`, the first loop in which they are of different iterations.
    #[must_use]
    pub fn carried_at(&self, level: usize) -> Self {
        let mut pair = self.same_until(level);
        let mut ahead = pair.distance(level);
        ahead.constant -= 1;
        pair.system.add_inequality(ahead);
        pair
    }

    /// The pairs in the same iteration of the first `level` loops.
    #[must_use]
    pub fn same_until(&self, level: usize) -> Self {
        let mut pair = self.clone();
        for outer in 0..level {
            let row = pair.distance(outer);
            pair.system.add_equality(row);
        }
        pair
    }

    /// The pairs in the same iteration of the loop at `level`.
    #[must_use]
    pub fn same_at(&self, level: usize) -> Self {
        let mut pair = self.clone();
        let row = pair.distance(level);
        pair.system.add_equality(row);
        pair
    }

    /// The pairs that are at most `most` further at a level.
    #[must_use]
    pub fn at_most(&self, level: usize, most: i64) -> Self {
        let mut pair = self.clone();
        let mut row =
            pair.distance(level).combined(&(-1).into(), &Linear::constant(pair.system.unknowns(), 0), &0.into());
        row.constant += most;
        pair.system.add_inequality(row);
        pair
    }

    /// The pairs of which the second instance is an earlier iteration at a level.
    #[must_use]
    pub fn backward_at(&self, level: usize) -> Self {
        self.at_most(level, -1)
    }

    /// Whether there is such a pair, as far as is known.
    pub fn is_possible(&self) -> bool {
        self.system.is_empty() != Some(true)
    }

    /// Whether a pair of one iteration of all common loops counts as a dependence: the first access stands before the second.
    pub fn is_in_order(&self) -> bool {
        self.is_in_order
    }

    /// Whether a later instance of the second access depends on one of the first because of the loop at `level`, or, for `level` equal to the
    /// number of common loops, within one iteration of all of them.
    pub fn is_dependence_at(&self, level: usize) -> bool {
        if level == self.depth() {
            return self.is_in_order && self.same_until(level).is_possible();
        }
        self.carried_at(level).is_possible()
    }
}
