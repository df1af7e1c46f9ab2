//! Loop nests: the body runs for each point, the first loop counting slowest.

use dl_ir::affine::AffineMap;
use dl_ir::interp::{Array, Flow, Machine, Odometer, Outcome, Shape, Step, Value, Values};
use dl_ir::{AttrRef, Diagnostic, OpRef, walk};

use crate::IndexOp;
use crate::structured::LinalgOp;

/// Where the point of the innermost nest being run is kept for `linalg.index`.
const POINT: &str = "linalg.index";

/// An operand while the nest runs.
enum Cell {
    /// The same at each point.
    Scalar(Value),
    /// A tensor; that of an init changes.
    Tensor(Array),
    /// Memory.
    Buffer(Value),
}

impl Cell {
    fn new(op: OpRef<'_>, operand: usize, value: &Value) -> Self {
        match value {
            // A vector is one element here.
            Value::Array(array) if op.operand(operand).ty().is_tensor() => Self::Tensor((**array).clone()),
            Value::MemRef(_) => Self::Buffer(value.clone()),
            _ => Self::Scalar(value.clone()),
        }
    }

    fn shape(&self) -> &[i64] {
        match self {
            Self::Scalar(_) => &[],
            Self::Tensor(array) => array.shape(),
            Self::Buffer(value) => value.as_memref().map_or(&[], |memref| &memref.shape),
        }
    }

    /// The element at `index`. What was never written is poison: most bodies do not use their init.
    fn read<'a>(
        &self,
        step: Step<'a, '_>,
        machine: &mut dyn Machine<'a>,
        operand: usize,
        index: &[i64],
    ) -> Result<Value, Diagnostic> {
        match self {
            Self::Scalar(value) => Ok(value.clone()),
            Self::Tensor(array) => step.defined(array.get(index)).cloned(),
            Self::Buffer(value) => {
                let ty = step.op.operand(operand).ty().element_or_self();
                let read = machine.memory().read(step.memref(value)?, index, ty);
                Ok(step.defined(read)?.unwrap_or(Value::Poison))
            }
        }
    }

    fn write<'a>(
        &mut self,
        step: Step<'a, '_>,
        machine: &mut dyn Machine<'a>,
        index: &[i64],
        element: Value,
    ) -> Result<(), Diagnostic> {
        match self {
            Self::Scalar(_) => Err(step.op.error("has an init that is neither a tensor nor a memref")),
            Self::Tensor(array) => {
                let position = step.defined(array.position(index))?;
                array.elements_mut()[position] = element;
                Ok(())
            }
            Self::Buffer(value) => {
                let written = machine.memory().write(step.memref(value)?, index, Some(element));
                step.defined(written)
            }
        }
    }
}

/// The extent of each loop: that of the dimensions it runs over, which must agree.
fn extents(step: Step<'_, '_>, nest: LinalgOp<'_>, maps: &[AffineMap], cells: &[Cell]) -> Result<Shape, Diagnostic> {
    let affine = step.op.cx().affine();
    let mut extents = vec![None; nest.num_loops()];
    for (cell, &map) in cells.iter().zip(maps) {
        for (&result, &extent) in affine.map(map).results.iter().zip(cell.shape()) {
            let Some(dim) = affine.dim_position(result) else { continue };
            match extents.get_mut(dim as usize) {
                Some(Some(known)) if *known != extent => {
                    return Err(
                        step.undefined(format_args!("loop {dim} runs over dimensions of size {known} and {extent}"))
                    );
                }
                Some(slot) => *slot = Some(extent),
                None => {}
            }
        }
    }
    let known: Option<Shape> = extents.into_iter().collect();
    known.ok_or_else(|| step.unsupported("a loop that runs over no dimension of an operand"))
}

pub(super) fn run<'a>(step: Step<'a, '_>, machine: &mut dyn Machine<'a>) -> Outcome<'a> {
    let op = step.op;
    let Some((nest, body)) = LinalgOp::of(op).and_then(|nest| Some((nest, nest.body()?))) else {
        return Err(op.error("has no body"));
    };
    let (maps, first_init) = (nest.indexing_maps(), nest.inits().start());
    let mut cells: Vec<Cell> = step.operands.iter().enumerate().map(|(at, value)| Cell::new(op, at, value)).collect();
    let extents = extents(step, nest, &maps, &cells)?;
    let asks_where = walk::pre_order(op).any(|inner| inner.is::<IndexOp<'_>>());
    let outer = machine.kept(POINT);
    let mut points = Odometer::new(&extents);
    while let Some(point) = points.next() {
        let place = |map| op.cx().affine().eval_map(map, point, &[]).map(Shape::from_vec);
        let places: Option<Vec<Shape>> = maps.iter().map(|&map| place(map)).collect();
        let places = places.ok_or_else(|| step.undefined("an index overflows 64 bits"))?;
        if asks_where {
            let indices = point.iter().map(|&at| Value::index(at)).collect();
            machine.keep(POINT, Array::new(&[point.len() as i64], indices).into());
        }
        // The body of `map` may leave out its init.
        let mut args = Values::new();
        for (operand, cell) in cells.iter().enumerate().take(body.num_args()) {
            args.push(cell.read(step, machine, operand, &places[operand])?);
        }
        let yielded = machine.run_region(op.region(0), &args)?;
        for (at, element) in yielded.into_iter().enumerate() {
            cells[first_init + at].write(step, machine, &places[first_init + at], element)?;
        }
    }
    if asks_where {
        // Nothing of the nest is left behind.
        machine.keep(POINT, outer.unwrap_or_else(|| Array::new(&[0], Vec::new()).into()));
    }
    let results = cells.into_iter().skip(first_init).filter_map(|cell| match cell {
        Cell::Tensor(array) => Some(array.into()),
        Cell::Scalar(_) | Cell::Buffer(_) => None,
    });
    Ok(Flow::Next(results.collect()))
}

pub(super) fn index<'a>(step: Step<'a, '_>, machine: &mut dyn Machine<'a>) -> Outcome<'a> {
    let dim = step.op.attr("dim").and_then(AttrRef::as_int).and_then(|dim| usize::try_from(dim).ok());
    let point = machine.kept(POINT);
    let at = dim.zip(point.as_ref().and_then(Value::as_array)).and_then(|(dim, point)| point.elements().get(dim));
    at.cloned().map(Flow::from).ok_or_else(|| step.op.error("is in no loop nest that is run"))
}
