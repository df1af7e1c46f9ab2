//! Reductions of vectors.

use dl_ir::OpRef;
use dl_llvm::FastmathFlags;

use crate::function::{Function, INVALID, Outcome};
use crate::lanes::Held;
use crate::shape::{Form, Lane, Shape, Vector};

impl<'a> Function<'_, '_, 'a> {
    /// `llvm.intr.vector.reduce.*` by a function that is associative: in a tree, whole registers first.
    pub(crate) fn reduce(&mut self, op: OpRef<'a>, name: &str) -> Outcome<()> {
        let held = self.get(op.operand(0))?;
        let vector = held.shape.vector().ok_or(INVALID)?;
        let result = self.tree(name, vector, &held)?;
        self.set(op, result.parts)
    }

    /// Sums and products of floats, from a first operand on: in their order, or as is best where the operation says that order does not matter.
    pub(crate) fn reduce_float(&mut self, op: OpRef<'a>, name: &str) -> Outcome<()> {
        let (start, held) = (self.get(op.operand(0))?, self.get(op.operand(1))?);
        let vector = held.shape.vector().ok_or(INVALID)?;
        let shape = Shape::Scalar(vector.lane);
        let flags = op.attr("fastmathFlags").and_then(FastmathFlags::from_attr).unwrap_or(FastmathFlags::NONE);
        if flags.contains(FastmathFlags::REASSOC) {
            let sum = self.tree(name, vector, &held)?;
            let result = self.float_on(name, &shape, &[start, sum])?;
            return self.set(op, result.parts);
        }
        let mut sum = start;
        for lane in self.lanes(vector, &held.parts) {
            let lane = self.one_lane(vector.lane, lane);
            sum = self.float_on(name, &shape, &[sum, lane])?;
        }
        self.set(op, sum.parts)
    }

    /// Halves are combined until one lane is left.
    fn tree(&mut self, name: &str, vector: Vector, held: &Held) -> Outcome<Held> {
        let mut parts = held.parts.clone();
        let mut count = vector.count;
        let each = vector.lanes_per_part();
        // Registers that are full are combined in pairs, so that lanes stay side by side.
        if matches!(vector.form, Form::Packed(_)) {
            while count > each && count.is_multiple_of(2 * each) {
                let half = parts.len() / 2;
                let vector = self.unit.shapes.vector(vector.lane, count / 2);
                let (low, high) = (parts[..half].into(), parts[half..].into());
                parts = self
                    .combine(name, &Shape::Vector(vector), Held::vector(vector, low), Held::vector(vector, high))?
                    .parts;
                count /= 2;
            }
        }
        let vector = Vector { count, ..vector };
        let mut lanes = self.lanes(vector, &parts);
        let shape = Shape::Scalar(vector.lane);
        while lanes.len() > 1 {
            let mut next = Vec::with_capacity(lanes.len().div_ceil(2));
            for pair in lanes.chunks(2) {
                next.push(match *pair {
                    [a, b] => {
                        let (a, b) = (self.one_lane(vector.lane, a), self.one_lane(vector.lane, b));
                        self.combine(name, &shape, a, b)?.first()
                    }
                    _ => pair[0],
                });
            }
            lanes = next;
        }
        let only = lanes.first().copied().ok_or(INVALID)?;
        Ok(self.one_lane(vector.lane, only))
    }

    fn combine(&mut self, name: &str, shape: &Shape, a: Held, b: Held) -> Outcome<Held> {
        match shape.lane() {
            Some(Lane::Int(_)) => self.int_binary_on(name, shape, &a, &b),
            _ => self.float_on(name, shape, &[a, b]),
        }
    }
}

/// The function that a reduction applies, by the last part of its name.
pub(crate) fn function_of(name: &str) -> Option<&'static str> {
    Some(match name {
        "add" => "add",
        "mul" => "mul",
        "and" => "and",
        "or" => "or",
        "xor" => "xor",
        "smin" => "smin",
        "smax" => "smax",
        "umin" => "umin",
        "umax" => "umax",
        "fmin" => "minnum",
        "fmax" => "maxnum",
        "fminimum" => "minimum",
        "fmaximum" => "maximum",
        _ => return None,
    })
}
