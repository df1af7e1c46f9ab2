//! The kernel: one tile, whose accumulators stay in registers while the reduced loops run.

use dl_arith::{AddFOp, AddIOp, MulFOp, MulIOp};
use dl_ir::{OpState, Type, ValueId};
use dl_passes_vector::build::VectorBuild as _;
use dl_vector::FMAOp;
use rustc_hash::FxHashMap;

use super::group::{Group, Kind};
use super::nest::{Columns, Emitter};
use super::shape::{Access, Along, Start};

impl Emitter<'_, '_, '_> {
    /// One tile: `rows` of them.
    pub(super) fn kernel(&mut self, rows: i64, columns: Columns, dest: ValueId) -> ValueId {
        match self.plan.group {
            Some(group @ Group { tiled: Some(step), .. }) => {
                self.tiled_kernel(&group, step as i64, rows, columns, dest)
            }
            Some(Group { kind: Kind::Steps { columns: of_tile }, .. }) => {
                self.kernels_of_columns(of_tile, rows, columns, dest)
            }
            _ => self.kernel_in_vectors(rows, columns, dest),
        }
    }

    /// A tile whose sums are vectors.
    pub(super) fn kernel_in_vectors(&mut self, rows: i64, columns: Columns, dest: ValueId) -> ValueId {
        let element = self.contraction.result.element;
        let vector = self.vector_type(element);
        let mut accumulators = Vec::new();
        let in_steps = self.plan.group.filter(Group::is_of_steps);
        match self.contraction.start {
            _ if let Some(group) = in_steps => {
                let ty = self.b.cx().vector_type(&[group.size as i64], element);
                let Some(zeros) = self.b.zeros(ty) else { return dest };
                accumulators = vec![zeros; rows as usize * columns.vectors as usize];
            }
            _ if !self.part.begins => {
                let written = Access { value: dest, ..self.written().clone() };
                for row in 0..rows {
                    for at in 0..columns.vectors {
                        accumulators.push(self.read(&written, row, at, columns));
                    }
                }
            }
            Start::Fill(value) => {
                let splat = self.b.broadcast(value, vector);
                let row: Vec<ValueId> = (0..columns.vectors as usize).map(|at| self.corrected(splat, at)).collect();
                accumulators = row.repeat(rows as usize);
            }
            Start::Init => {
                let mut init = self.contraction.result.clone();
                if self.epilogue.is_none() {
                    init.value = dest;
                }
                for row in 0..rows {
                    for at in 0..columns.vectors {
                        let init = self.read(&init, row, at, columns);
                        accumulators.push(self.corrected(init, at as usize));
                    }
                }
            }
        }
        let reduced = self.contraction.reduced.clone();
        accumulators.extend(self.filling.as_ref().map(|filling| filling.panel));
        let mut sums = self.depth(&reduced, accumulators, &mut |this, left, sums| this.step(rows, columns, left, sums));
        if let Some(filling) = &mut self.filling {
            filling.panel = sums.pop().unwrap_or(filling.panel);
        }
        if in_steps.is_some() {
            return self.finish_columns(&sums, columns, dest);
        }
        let mut dest = dest;
        let mut sums = sums.into_iter();
        for row in 0..rows {
            for at in 0..columns.vectors {
                let Some(sum) = sums.next() else { return dest };
                dest = self.finish(sum, dest, row, at, columns);
            }
        }
        dest
    }

    /// How the result is written.
    pub(super) fn written(&self) -> &Access {
        self.epilogue.map_or(&self.contraction.result, |epilogue| &epilogue.result)
    }

    /// Stores a vector of sums, or, where they are complete, what the epilogue makes of them.
    pub(super) fn finish(&mut self, sums: ValueId, dest: ValueId, row: i64, vector: u64, columns: Columns) -> ValueId {
        let Some(epilogue) = self.epilogue.filter(|_| self.part.ends) else {
            let result = self.written().clone();
            return self.write(&result, sums, dest, row, vector, columns);
        };
        let lanes = self.plan.lanes as i64;
        let mut reads = Vec::new();
        for access in epilogue.accesses() {
            reads.push(self.read_or_splat(access, row, vector, columns));
        }
        let mut reads = reads.into_iter();
        let value = epilogue.apply(&mut self.b, sums, lanes, |_, _| reads.next().unwrap_or(sums));
        self.write(&epilogue.result, value, dest, row, vector, columns)
    }

    /// One step of the reduced loops: the new accumulators, and the panel behind them where it is being filled. Of a group, `left` are there.
    fn step(&mut self, rows: i64, columns: Columns, left: i64, mut sums: Vec<ValueId>) -> Vec<ValueId> {
        let group = self.plan.group;
        self.ask_ahead(columns);
        let mut copied = Vec::new();
        if let (Some(filling), Some(panels), Some(panel)) = (self.filling.clone(), self.panels.clone(), sums.last_mut())
        {
            copied = panels.copy_step(self, left, &filling.parts, panel);
        }
        // What the products read, each when the first of them needs it: by row and vector, as far as it depends on them.
        let mut read = [FxHashMap::default(), FxHashMap::default()];
        for row in 0..rows {
            for vector in 0..columns.vectors {
                let [a, b] = [0, 1].map(|at| {
                    let input = &self.contraction.inputs[at];
                    let by_row = self.contraction.row.is_some_and(|row| input.depends_on(self.b.cx().affine(), row));
                    let row = if by_row { row } else { 0 };
                    let vector = if input.along_vector == Along::Constant { 0 } else { vector };
                    *read[at].entry((row, vector)).or_insert_with(|| {
                        let packed = self.plan.pack == Some(at);
                        match &group {
                            _ if packed && !copied.is_empty() => copied[vector as usize],
                            Some(group) if !packed => self.broadcast_group(group, row, left),
                            _ => self.operand(&input.clone(), at, packed, row, vector, columns),
                        }
                    })
                });
                let sum = &mut sums[row as usize * columns.vectors as usize + vector as usize];
                *sum = match &group {
                    Some(group) if group.packed == 0 => self.dot(group, b, a, *sum),
                    Some(group) => self.dot(group, a, b, *sum),
                    None => self.multiply_add(a, b, *sum),
                };
            }
        }
        sums
    }

    /// `a * b + sum` on vectors.
    pub(super) fn multiply_add(&mut self, a: ValueId, b: ValueId, sum: ValueId) -> ValueId {
        if !self.contraction.body.is_float {
            let product = self.b.same::<MulIOp<'_>>(&[a, b]);
            self.b.same::<AddIOp<'_>>(&[sum, product])
        } else if self.has_fma {
            self.b.same::<FMAOp<'_>>(&[a, b, sum])
        } else {
            let product = self.b.same::<MulFOp<'_>>(&[a, b]);
            self.b.same::<AddFOp<'_>>(&[sum, product])
        }
    }

    /// The sum of two elements of the result, or vectors of them.
    pub(super) fn add(&mut self, first: ValueId, second: ValueId) -> ValueId {
        if self.contraction.body.is_float {
            self.b.same::<AddFOp<'_>>(&[first, second])
        } else {
            self.b.same::<AddIOp<'_>>(&[first, second])
        }
    }

    /// An element or a vector of an input, widened, as a vector.
    fn operand(&mut self, input: &Access, at: usize, packed: bool, row: i64, vector: u64, columns: Columns) -> ValueId {
        let wide = self.contraction.result.element;
        if packed && let Some(panels) = self.panels.clone() {
            let within = columns.within.plus((vector * self.plan.columns_of_vector()) as i64);
            return panels.read(self, columns.panel, within);
        }
        let cast = self.contraction.body.casts[at];
        if input.along_vector == Along::Constant {
            let scalar = self.extract(input, row);
            let scalar = self.cast(cast, scalar, wide);
            let ty = self.vector_type(wide);
            return self.b.broadcast(scalar, ty);
        }
        let value = self.read(input, row, vector, columns);
        let ty = self.vector_type(wide);
        self.cast(cast, value, ty)
    }

    /// `value` widened by the operation `name`, if any.
    pub(super) fn cast(&mut self, name: Option<&'static str>, value: ValueId, ty: Type) -> ValueId {
        let Some(name) = name else { return value };
        let loc = self.b.loc;
        self.b.create_value(OpState::named(name, loc).operands([value]).results([ty]))
    }
}
