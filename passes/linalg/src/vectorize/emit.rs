//! The loops.

use dl_arith::{Build, RemUIOp, SubIOp};
use dl_ir::interfaces::Index;
use dl_ir::rewrite::{NoMatch, Rewrite};
use dl_ir::{Mapping, OpId, OpState, Rewriter, ValueId};
use dl_linalg::{IteratorType, LinalgOp};
use dl_passes_vector::build::VectorBuild;
use dl_vector::ReductionOp;

use super::body::{Body, Width};
use super::loops::Loop;
use super::plan::{Output, Plan};
use super::reduction::Reduction;

/// Replaces a loop nest by loops over vectors. `contracts` lets products that are added up be rounded once with their sum.
pub(super) fn vectorize(rw: &mut Rewriter<'_>, op: OpId, plan: Plan, contracts: bool) -> Rewrite {
    let nest = LinalgOp::of(rw.op(op)).ok_or(NoMatch("no loop nest"))?;
    let (loc, iterators) = (rw.op(op).loc(), nest.iterator_types());
    let dims: Option<Vec<(usize, usize)>> = nest.loops_to_dims().into_iter().collect();
    let dims = dims.ok_or(NoMatch("a loop runs over no dimension of an operand"))?;
    let operands: Vec<ValueId> = rw.op(op).operands().ids().to_vec();
    rw.set_insertion_before(op);
    let extents: Vec<Index> = dims.iter().map(|&(at, dim)| dl_memref::extent(rw, operands[at], dim, loc)).collect();
    let body = Body::new(Build::new(rw, loc), op, plan, contracts).ok_or(NoMatch("no body"))?;
    let mut emit = Emit { body, extents, iterators };
    emit.run();
    rw.erase(op);
    Ok(())
}

/// The loops of a nest.
pub(super) struct Emit<'r, 'c> {
    pub(super) body: Body<'r, 'c>,
    pub(super) extents: Vec<Index>,
    iterators: Vec<IteratorType>,
}

impl Emit<'_, '_> {
    fn run(&mut self) {
        let loops = self.begin_all(IteratorType::Parallel, &[]).0;
        match self.body.plan.across {
            Some(across) => self.transpose(across),
            None if self.body.plan.reduces => self.reduce(),
            None => self.write(),
        }
        self.end_all(loops, Vec::new());
    }

    /// Begins the loops of a kind but the lane loop and the one across, each in the one before; they carry values. Answers them and what the innermost carries.
    fn begin_all(&mut self, kind: IteratorType, inits: &[ValueId]) -> (Vec<Loop>, Vec<ValueId>) {
        let (mut loops, mut carried) = (Vec::new(), inits.to_vec());
        for at in 0..self.iterators.len() {
            if self.iterators[at] != kind || at == self.body.plan.lane_loop || Some(at) == self.body.plan.across {
                continue;
            }
            let bounds = [Index::Static(0), self.extents[at], Index::Static(1)].map(|bound| self.value(bound));
            let each = Loop::begin(&mut self.body.b, bounds, &carried);
            self.body.variables[at] = Some(each.variable(&self.body.b));
            carried = each.carried(&self.body.b);
            loops.push(each);
        }
        (loops, carried)
    }

    /// Ends loops, the innermost first. Answers what the outermost hands out.
    fn end_all(&mut self, loops: Vec<Loop>, carried: Vec<ValueId>) -> Vec<ValueId> {
        loops.into_iter().rev().fold(carried, |carried, each| each.end(&mut self.body.b, &carried))
    }

    fn has_inner_loops(&self) -> bool {
        let lane = self.body.plan.lane_loop;
        self.iterators.iter().enumerate().any(|(at, &it)| it == IteratorType::Reduction && at != lane)
    }

    pub(super) fn value(&mut self, index: Index) -> ValueId {
        match index {
            Index::Static(value) => self.body.b.constant_index(value),
            Index::Value(value) => value,
        }
    }

    /// Vectors side by side: no more than the lane loop has.
    fn unroll(&self) -> i64 {
        let plan = &self.body.plan;
        match self.extents[plan.lane_loop] {
            Index::Static(extent) => plan.unroll.min(extent / plan.lanes).max(1),
            Index::Value(_) => plan.unroll,
        }
    }

    /// The largest multiple of `step` up to the extent of the lane loop.
    fn whole(&mut self, step: i64) -> Index {
        match self.extents[self.body.plan.lane_loop] {
            Index::Static(extent) => Index::Static(extent - extent % step),
            Index::Value(extent) => {
                let step = self.body.b.constant_index(step);
                let rest = self.body.b.same::<RemUIOp<'_>>(&[extent, step]);
                Index::Value(self.body.b.same::<SubIOp<'_>>(&[extent, rest]))
            }
        }
    }

    /// The pieces of the lane loop, one behind the other: from, to, how many vectors at a time; 0 where what is left is less than one.
    fn pieces(&mut self, unroll: i64) -> Vec<(Index, Index, i64)> {
        let lanes = self.body.plan.lanes;
        let (mut pieces, mut start) = (Vec::new(), Index::Static(0));
        let mut add = |start: &mut Index, end: Index, vectors: i64| {
            if *start != end {
                pieces.push((*start, end, vectors));
                *start = end;
            }
        };
        if unroll > 1 {
            let end = self.whole(unroll * lanes);
            add(&mut start, end, unroll);
        }
        let end = self.whole(lanes);
        add(&mut start, end, 1);
        add(&mut start, self.extents[self.body.plan.lane_loop], 0);
        pieces
    }

    /// Begins a piece of the lane loop. Answers the loop, the iteration, and its width.
    fn begin_piece(&mut self, piece: (Index, Index, i64), inits: &[ValueId]) -> (Loop, ValueId, Width) {
        let plan = &self.body.plan;
        let (start, end, vectors) = piece;
        let (lanes, masked) = (plan.lanes, plan.maskable);
        let step = if vectors > 0 {
            vectors * lanes
        } else if masked {
            lanes
        } else {
            1
        };
        let bounds = [start, end, Index::Static(step)].map(|bound| self.value(bound));
        let each = Loop::begin(&mut self.body.b, bounds, inits);
        let lane = each.variable(&self.body.b);
        let width = match (vectors, masked) {
            (0, true) => {
                let left = self.body.b.same::<SubIOp<'_>>(&[bounds[1], lane]);
                let ty = self.body.widened(self.body.b.cx().i1_type(), Width::Lanes(None));
                Width::Lanes(Some(self.body.b.create_mask(&[left], ty)))
            }
            (0, false) => Width::Element,
            _ => Width::Lanes(None),
        };
        (each, lane, width)
    }

    /// The iterations at which `count` vectors from `lane` on begin.
    fn lanes_from(&mut self, lane: ValueId, count: i64) -> Vec<ValueId> {
        let lanes = self.body.plan.lanes;
        (0..count).map(|vector| self.body.offset(lane, vector * lanes)).collect()
    }

    /// The lane loop where it is parallel.
    fn write(&mut self) {
        let inner = self.has_inner_loops();
        let shared = (!inner).then(|| self.body.shared());
        let unroll = if inner || self.body.plan.waits { self.unroll() } else { 1 };
        for piece in self.pieces(unroll) {
            let (each, lane, width) = self.begin_piece(piece, &[]);
            self.columns(lane, piece.2.max(1), width, shared.as_ref());
            each.end(&mut self.body.b, &[]);
        }
    }

    /// All that is computed for some iterations of a parallel lane loop.
    fn columns(&mut self, lane: ValueId, vectors: i64, width: Width, shared: Option<&Mapping>) {
        let lanes = self.lanes_from(lane, vectors);
        let reduced = self.reduced();
        let mut accumulators = Vec::new();
        for &lane in &lanes {
            for &init in &reduced {
                accumulators.push(self.body.load(self.body.first_init + init, lane, width));
            }
        }
        let (loops, mut carried) = self.begin_all(IteratorType::Reduction, &accumulators);
        let own;
        let shared = if let Some(shared) = shared {
            shared
        } else {
            own = self.body.shared();
            &own
        };
        self.step(shared, &mut carried, &lanes, width);
        let results = self.end_all(loops, carried);
        let mut results = results.into_iter();
        for &lane in &lanes {
            for (&init, value) in reduced.iter().zip(&mut results) {
                self.body.store(self.body.first_init + init, value, lane, width);
            }
        }
    }

    /// The inits that accumulate.
    fn reduced(&self) -> Vec<usize> {
        let outputs = self.body.plan.outputs.iter().enumerate();
        outputs.filter(|(_, output)| matches!(output, Output::Reduced(_))).map(|(at, _)| at).collect()
    }

    /// Computes the body once for each of `lanes`; `values` are the accumulators of one behind those of the other, one for each init that has
    /// one, and become the next ones.
    fn step(&mut self, shared: &Mapping, values: &mut [ValueId], lanes: &[ValueId], width: Width) {
        let reduced = self.reduced();
        let none = vec![None; self.body.plan.outputs.len()];
        let mut accumulators = vec![none; lanes.len()];
        let places = (0..lanes.len()).flat_map(|lane| reduced.iter().map(move |&init| (lane, init)));
        let places: Vec<(usize, usize)> = places.collect();
        for (&(lane, init), &value) in places.iter().zip(values.iter()) {
            accumulators[lane][init] = Some(value);
        }
        let yields = self.body.points(shared, &accumulators, lanes, width);
        for (&(lane, init), value) in places.iter().zip(values) {
            *value = yields[lane][init];
        }
    }

    /// The lane loop where it is a reduction: accumulators for the lanes of each vector, combined behind all reductions.
    fn reduce(&mut self) {
        let reductions = self.reductions();
        let unroll = self.unroll();
        let pieces = self.pieces(unroll);
        let by_element = pieces.iter().any(|piece| piece.2 == 0) && !self.body.plan.maskable;
        let count = reductions.len();
        let mut inits = Vec::new();
        for _ in 0..unroll {
            for &(init, reduction) in &reductions {
                inits.push(self.neutral(init, reduction, Width::Lanes(None)));
            }
        }
        for &(init, reduction) in reductions.iter().filter(|_| by_element) {
            inits.push(self.neutral(init, reduction, Width::Element));
        }
        let (loops, mut carried) = self.begin_all(IteratorType::Reduction, &inits);
        let shared = self.body.shared();
        for piece in pieces {
            let vectors = piece.2.max(1) as usize;
            // What is left by elements has accumulators of its own, behind all others.
            let first = if piece.2 == 0 && by_element { carried.len() - count } else { 0 };
            let range = first..first + vectors * count;
            let (each, lane, width) = self.begin_piece(piece, &carried[range.clone()]);
            let mut values = each.carried(&self.body.b);
            let before = values.clone();
            let lanes = self.lanes_from(lane, vectors as i64);
            self.step(&shared, &mut values, &lanes, width);
            if let Width::Lanes(Some(mask)) = width {
                for (value, before) in values.iter_mut().zip(before) {
                    *value = self.body.b.select(mask, *value, before);
                }
            }
            let results = each.end(&mut self.body.b, &values);
            carried.splice(range, results);
        }
        let carried = self.end_all(loops, carried);
        for (at, &(init, reduction)) in reductions.iter().enumerate() {
            let vectors: Vec<ValueId> =
                carried[..unroll as usize * count].iter().skip(at).step_by(count).copied().collect();
            let vector = self.combine_all(reduction, vectors);
            let mut value = self.combine_lanes(init, reduction, vector);
            if by_element {
                value = self.body.combine(reduction, carried[unroll as usize * count + at], value);
            }
            let operand = self.body.first_init + init;
            let before = self.body.load_element(operand, None);
            let value = self.body.combine(reduction, value, before);
            self.body.store_element(operand, value);
        }
    }

    /// The inits that accumulate, with how they do. The plan knows it of each.
    fn reductions(&self) -> Vec<(usize, Reduction)> {
        let known = |(at, output): (usize, &Output)| match output {
            Output::Reduced(Some(reduction)) => Some((at, *reduction)),
            Output::Reduced(None) | Output::Written => None,
        };
        self.body.plan.outputs.iter().enumerate().filter_map(known).collect()
    }

    /// The neutral element.
    fn neutral(&mut self, init: usize, reduction: Reduction, width: Width) -> ValueId {
        let ty = self.body.element(self.body.first_init + init);
        let cx = self.body.b.cx();
        let value = match reduction.neutral(cx, cx.ty(ty)) {
            Some(attr) => self.body.b.constant(attr, ty),
            None => self.body.b.poison_of(ty),
        };
        self.body.wide(value, width)
    }

    /// One vector of several, in a tree: neighbours first.
    fn combine_all(&mut self, reduction: Reduction, mut vectors: Vec<ValueId>) -> ValueId {
        while vectors.len() > 1 {
            let combined = vectors.chunks(2).map(|pair| match pair {
                [a, b] => self.body.combine(reduction, *b, *a),
                _ => pair[0],
            });
            vectors = combined.collect();
        }
        vectors[0]
    }

    /// The lanes of a vector combined.
    fn combine_lanes(&mut self, init: usize, reduction: Reduction, vector: ValueId) -> ValueId {
        let ty = self.body.element(self.body.first_init + init);
        let cx = self.body.b.cx();
        let kind = match reduction.kind {
            dl_vector::CombiningKind::Maxnumf if reduction.selects => dl_vector::CombiningKind::Maximumf,
            dl_vector::CombiningKind::Minnumf if reduction.selects => dl_vector::CombiningKind::Minimumf,
            kind => kind,
        };
        let mut state = OpState::of::<ReductionOp<'_>>(self.body.b.loc).operands([vector]).results([ty]);
        state.set_attr(cx.ident("kind"), kind.attr(cx));
        if cx.ty(ty).is_float() {
            state.set_attr(cx.ident("fastmath"), reduction.lane_flags().attr(cx));
        }
        self.body.b.create_value(state)
    }
}
