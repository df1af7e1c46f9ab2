//! Loops and positions: where each loop of a contraction stands, and the `scf` loops around what is made there.

use dl_affine::AffineApplyOp;
use dl_arith::{AddIOp, SubIOp};
use dl_ir::affine::AffineExpr;
use dl_ir::interfaces::Index;
use dl_ir::{OpState, ValueId};
use dl_passes_scf::nest::build_for;
use dl_scf::YieldOp;

use super::nest::Emitter;

/// Where a loop stands: at a value, if any, plus a constant.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct At {
    /// The value.
    pub(super) base: Option<ValueId>,
    pub(super) offset: i64,
}

impl At {
    pub(super) fn constant(offset: i64) -> Self {
        Self { base: None, offset }
    }

    pub(super) fn value(base: ValueId) -> Self {
        Self { base: Some(base), offset: 0 }
    }

    pub(super) fn plus(self, by: i64) -> Self {
        Self { offset: self.offset.saturating_add(by), ..self }
    }
}

/// What a loop makes, given where it stands and the carried values: the next ones.
pub(super) type Iteration<'f, E> = &'f mut dyn FnMut(&mut E, At, Vec<ValueId>) -> Vec<ValueId>;

impl Emitter<'_, '_, '_> {
    /// Loops over all of these, the innermost around what `body` makes. As deep as there are loops, of which [`Contraction`] has a few.
    pub(super) fn loops(
        &mut self,
        over: &[usize],
        carried: Vec<ValueId>,
        body: &mut dyn FnMut(&mut Self, Vec<ValueId>) -> Vec<ValueId>,
    ) -> Vec<ValueId> {
        let Some((&first, rest)) = over.split_first() else { return body(self, carried) };
        let extent = self.extents[first];
        self.for_each(At::constant(0), extent, 1, carried, &mut |this, at, carried| {
            this.positions[first] = at;
            this.loops(rest, carried, body)
        })
    }

    /// What `body` makes for each step of these loops, whose extents are known, one behind the other.
    pub(super) fn unrolled(
        &mut self,
        over: &[usize],
        carried: Vec<ValueId>,
        body: &mut dyn FnMut(&mut Self, Vec<ValueId>) -> Vec<ValueId>,
    ) -> Vec<ValueId> {
        let Some((&first, rest)) = over.split_first() else { return body(self, carried) };
        (0..self.contraction.extents[first]).fold(carried, |carried, at| {
            self.positions[first] = At::constant(at);
            self.unrolled(rest, carried, body)
        })
    }

    /// `body` for `count` steps of a loop from `first` on, `tile` of them at once, then for what is left: at once where that is known, else by
    /// halves. It gets how many there are and what the result has become. Without a loop there is one step.
    pub(super) fn tiles(
        &mut self,
        over: Option<usize>,
        first: At,
        count: Index,
        tile: i64,
        dest: ValueId,
        body: &mut dyn FnMut(&mut Self, i64, ValueId) -> ValueId,
    ) -> ValueId {
        let Some(over) = over else { return body(self, 1, dest) };
        match count {
            Index::Static(count) => {
                let full = count / tile * tile;
                let dest = self.for_each(first, Index::Static(full), tile, vec![dest], &mut |this, at, carried| {
                    this.positions[over] = at;
                    vec![body(this, tile, carried[0])]
                })[0];
                if full == count {
                    return dest;
                }
                self.positions[over] = first.plus(full);
                body(self, count - full, dest)
            }
            Index::Value(count) => {
                let mut begin = self.value_at(first);
                let all = self.b.same::<AddIOp<'_>>(&[begin, count]);
                let (mut dest, mut size) = (dest, tile);
                loop {
                    let end = if size == 1 {
                        all
                    } else {
                        let left = self.b.same::<SubIOp<'_>>(&[all, begin]);
                        let times = self.quotient(Index::Value(left), size);
                        let times = self.at_of(times);
                        let covered = self.scaled(times, size);
                        let covered = self.value_at(covered);
                        self.b.same::<AddIOp<'_>>(&[begin, covered])
                    };
                    dest = self.for_range(begin, end, size, &[dest], &mut |this, at, carried| {
                        this.positions[over] = at;
                        vec![body(this, size, carried[0])]
                    })[0];
                    if size == 1 {
                        return dest;
                    }
                    begin = end;
                    size /= 2;
                }
            }
        }
    }

    /// `body` for each position from `first` on, `step` apart, as long as it is less than `first + count`. No loop for one position or none.
    pub(super) fn for_each(
        &mut self,
        first: At,
        count: Index,
        step: i64,
        carried: Vec<ValueId>,
        body: Iteration<'_, Self>,
    ) -> Vec<ValueId> {
        match count {
            Index::Static(count) if count <= 0 => carried,
            Index::Static(count) if count <= step => body(self, first, carried),
            Index::Static(count) => {
                let lower = self.value_at(first);
                let upper = self.value_at(first.plus(count));
                self.for_range(lower, upper, step, &carried, body)
            }
            Index::Value(count) => {
                let lower = self.value_at(first);
                let upper = match first {
                    At { base: None, offset: 0 } => count,
                    _ => self.b.same::<AddIOp<'_>>(&[lower, count]),
                };
                self.for_range(lower, upper, step, &carried, body)
            }
        }
    }

    /// `scf.for`.
    pub(super) fn for_range(
        &mut self,
        lower: ValueId,
        upper: ValueId,
        step: i64,
        carried: &[ValueId],
        body: Iteration<'_, Self>,
    ) -> Vec<ValueId> {
        let loc = self.b.loc;
        let step = self.b.constant_index(step);
        let (op, block) = build_for(&mut self.b, [lower, upper, step], carried, loc);
        let args = self.b.ir().block_args(block).to_vec();
        self.b.set_insertion_to_end(block);
        let next = body(self, At::value(args[0]), args[1..].to_vec());
        self.b.create(OpState::of::<YieldOp<'_>>(loc).operands(next));
        self.b.set_insertion_after(op);
        self.b.ir().results(op).collect()
    }

    /// The value of an expression of the loops, which stand at `positions`.
    pub(super) fn index(&mut self, expr: AffineExpr, positions: &[At]) -> ValueId {
        let (cx, loc) = (self.b.cx(), self.b.loc);
        let affine = cx.affine();
        let mut values = Vec::new();
        let mut replacements = Vec::with_capacity(positions.len());
        for (at, position) in positions.iter().enumerate() {
            replacements.push(match position.base {
                Some(base) if affine.is_function_of_dim(expr, at as u32) => {
                    values.push(base);
                    affine.add_constant(affine.dim(values.len() as u32 - 1), position.offset)
                }
                _ => affine.constant(position.offset),
            });
        }
        let expr = affine.replace_in_expr(expr, &replacements, &[]);
        if let Some(constant) = affine.constant_value(expr) {
            return self.b.constant_index(constant);
        }
        if let Some(at) = affine.dim_position(expr) {
            return values[at as usize];
        }
        let map = affine.intern_map(values.len() as u32, 0, [expr]);
        let state = OpState::of::<AffineApplyOp<'_>>(loc).attr(cx, "map", cx.affine_map_attr(map));
        self.b.create_value(state.operands(values).results([cx.index_type()]))
    }

    /// An index as a value.
    pub(super) fn value_of(&mut self, index: Index) -> ValueId {
        match index {
            Index::Static(constant) => self.b.constant_index(constant),
            Index::Value(value) => value,
        }
    }

    /// An index as a position.
    pub(super) fn at_of(&self, index: Index) -> At {
        match index {
            Index::Static(constant) => At::constant(constant),
            Index::Value(value) => At::value(value),
        }
    }

    /// A position as a value.
    pub(super) fn value_at(&mut self, at: At) -> ValueId {
        let expr = self.b.cx().affine().dim(0);
        self.index(expr, &[at])
    }

    /// `at * by`.
    pub(super) fn scaled(&mut self, at: At, by: i64) -> At {
        let affine = self.b.cx().affine();
        let Some(base) = at.base else { return At::constant(at.offset.saturating_mul(by)) };
        let expr = affine.mul_constant(affine.dim(0), by);
        let scaled = self.index(expr, &[At::value(base)]);
        At { base: Some(scaled), offset: at.offset.saturating_mul(by) }
    }

    /// `first + second`.
    pub(super) fn sum(&mut self, first: At, second: At) -> At {
        let base = match (first.base, second.base) {
            (Some(first), Some(second)) => Some(self.b.same::<AddIOp<'_>>(&[first, second])),
            (base, None) | (None, base) => base,
        };
        At { base, offset: first.offset.saturating_add(second.offset) }
    }

    /// `index / by`, rounded down.
    pub(super) fn quotient(&mut self, index: Index, by: i64) -> Index {
        match index {
            Index::Static(constant) => Index::Static(constant / by),
            Index::Value(value) => {
                let affine = self.b.cx().affine();
                let expr = affine.floordiv(affine.dim(0), affine.constant(by));
                Index::Value(self.index(expr, &[At::value(value)]))
            }
        }
    }
}
