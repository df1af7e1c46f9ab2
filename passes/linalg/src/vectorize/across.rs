//! Nests whose operands lie along two loops, as those of a transposition: computed by square blocks that are transposed in registers.
//!
//! A block has as many rows, iterations of the loop across, as a vector has lanes. The body is computed row by row. What lies across is read before, or
//! written behind, as the columns of all rows together. The last block of a loop whose extent is no multiple begins earlier, and writes again what
//! the one before has written.

use dl_arith::MinSIOp;
use dl_ir::ValueId;
use dl_ir::interfaces::Index;
use dl_passes_vector::build::VectorBuild;

use super::body::Width;
use super::emit::Emit;
use super::loops::Loop;
use super::plan::Access;

const WIDTH: Width = Width::Lanes(None);

impl Emit<'_, '_> {
    /// The lane loop and the loop `across`, by blocks.
    pub(super) fn transpose(&mut self, across: usize) {
        let (lane_blocks, lane) = self.begin_blocks(self.body.plan.lane_loop);
        let (row_blocks, row) = self.begin_blocks(across);
        let (lanes, rows) = (self.steps_from(lane), self.steps_from(row));
        self.body.variables[across] = Some(row);
        let columns: Vec<Option<Vec<ValueId>>> = (0..self.body.first_init).map(|at| self.rows_of(at, &lanes)).collect();
        let mut yields = Vec::with_capacity(rows.len());
        for (at, &row) in rows.iter().enumerate() {
            self.body.variables[across] = Some(row);
            let mut mapping = self.body.shared();
            for (operand, rows) in columns.iter().enumerate() {
                if let Some(rows) = rows {
                    self.body.map_input(&mut mapping, operand, rows[at]);
                }
            }
            let none = vec![None; self.body.plan.outputs.len()];
            yields.extend(self.body.points(&mapping, &[none], &[lane], WIDTH));
        }
        self.body.variables[across] = Some(row);
        for init in 0..self.body.plan.outputs.len() {
            let operand = self.body.first_init + init;
            if self.body.plan.accesses[operand] == Access::Across {
                let columns = self.body.b.transposed_rows(yields.iter().map(|row| row[init]).collect());
                for (column, &lane) in columns.into_iter().zip(&lanes) {
                    self.body.store(operand, column, lane, WIDTH);
                }
            }
        }
        row_blocks.end(&mut self.body.b, &[]);
        lane_blocks.end(&mut self.body.b, &[]);
    }

    /// Begins loop `at` by blocks. Answers where a block begins.
    fn begin_blocks(&mut self, at: usize) -> (Loop, ValueId) {
        let (lanes, extent) = (self.body.plan.lanes, self.extents[at]);
        let bounds = [Index::Static(0), extent, Index::Static(lanes)].map(|bound| self.value(bound));
        let each = Loop::begin(&mut self.body.b, bounds, &[]);
        let start = each.variable(&self.body.b);
        match extent {
            Index::Static(extent) if extent % lanes != 0 => {
                let last = self.body.b.constant_index(extent - lanes);
                (each, self.body.b.same::<MinSIOp<'_>>(&[start, last]))
            }
            _ => (each, start),
        }
    }

    /// The iterations of a block that begins at `start`.
    fn steps_from(&mut self, start: ValueId) -> Vec<ValueId> {
        (0..self.body.plan.lanes).map(|step| self.body.offset(start, step)).collect()
    }

    /// The rows of an input that lies across, for the block that begins at the first of `lanes`.
    fn rows_of(&mut self, operand: usize, lanes: &[ValueId]) -> Option<Vec<ValueId>> {
        (self.body.plan.accesses[operand] == Access::Across).then(|| {
            let columns = lanes.iter().map(|&lane| self.body.load(operand, lane, WIDTH)).collect();
            self.body.b.transposed_rows(columns)
        })
    }
}
