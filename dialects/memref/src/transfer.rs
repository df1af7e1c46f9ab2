//! What transfers between memories mean when run, those of this dialect and those at affine positions.
//!
//! A transfer is under way from its start until a wait for its tag element. All that a program may then say of it is caught: while it is
//! under way its target is as if never written, and when it is done its source must hold what it held at the start, and its target must not
//! have been written. The elements move at the wait.
//!
//! The tag element holds what is under way in its name, oldest first. A wait is for the oldest of as many elements as it says.

use std::sync::Arc;

use dl_ir::interp::{Cells, Flow, MAX_ELEMENTS, Machine, MemRef, Outcome, Shape, Step, Value};
use dl_ir::{AttrRef, Diagnostic, Type, TypeRef};

/// An element of a memref.
pub struct Place<'a, 'v> {
    /// The memref.
    pub memref: &'v Value,
    /// Its type.
    pub ty: TypeRef<'a>,
    /// Where the element is.
    pub index: Shape,
}

/// How many elements follow each other, and how many there are from the start of such a row to the start of the next one.
#[derive(Clone, Copy)]
pub struct Rows {
    /// From row to row.
    pub stride: i64,
    /// In a row.
    pub length: i64,
}

/// What `dma_start` asks for.
pub struct Transfer<'a, 'v> {
    /// Where it reads from.
    pub source: Place<'a, 'v>,
    /// Where it writes to.
    pub target: Place<'a, 'v>,
    /// What tells that it is done.
    pub tag: Place<'a, 'v>,
    /// How many elements.
    pub count: i64,
    /// Where the side in the slower memory, that of the smaller number, is in rows. The other side has no gaps.
    pub rows: Option<Rows>,
}

/// One side of a transfer: elements in the order of their addresses.
struct Side {
    /// All that the memref reaches.
    view: MemRef,
    /// Where in it the transfer begins.
    first: i64,
    rows: Option<Rows>,
}

impl Side {
    /// The side of `count` elements from `place` on.
    fn of(step: Step<'_, '_>, place: &Place<'_, '_>, count: i64, rows: Option<Rows>) -> Result<Self, Diagnostic> {
        let memref = step.memref(place.memref)?;
        let first = memref.position(&place.index);
        let first = step.defined(first)?;
        let (mut low, mut high) = (Some(memref.offset), Some(memref.offset));
        for (extent, stride) in memref.shape.iter().zip(&memref.strides) {
            let end = if *stride < 0 { &mut low } else { &mut high };
            *end = end.and_then(|end| end.checked_add(stride.checked_mul(extent - 1)?));
        }
        let side = low.zip(high).and_then(|(low, high)| {
            let shape = Shape::from_elem(high.checked_sub(low)?.checked_add(1)?, 1);
            let view = MemRef { offset: low, strides: Shape::from_elem(1, 1), shape, ..(**memref).clone() };
            Some(Self { view, first: first.checked_sub(low)?, rows })
        });
        let side = side.ok_or_else(|| step.undefined("the address overflows 64 bits"))?;
        // What is too long is so at once.
        let last = side.at((count - 1).max(0)).and_then(|last| side.view.position(&[last]));
        step.defined(last).map(|_| side)
    }

    /// Where in the view element `number` is.
    fn at(&self, number: i64) -> Result<i64, String> {
        let distance = match self.rows {
            Some(Rows { stride, length }) => (number / length).checked_mul(stride).map(|row| (row, number % length)),
            None => Some((0, number)),
        };
        let at = distance.and_then(|(row, within)| self.first.checked_add(row)?.checked_add(within));
        at.ok_or_else(|| "the address overflows 64 bits".to_owned())
    }
}

/// A transfer that is under way.
struct Pending {
    source: Side,
    target: Side,
    /// The type of the elements.
    ty: Type,
    /// What the source held at the start.
    elements: Vec<Option<Value>>,
}

/// What a tag element holds while transfers are under way in its name.
#[derive(Clone)]
struct Tag {
    /// What it held before.
    before: Option<Value>,
    /// Oldest first.
    pending: Vec<Arc<Pending>>,
}

/// What `place`, a tag element, holds.
fn tag<'a>(step: Step<'a, '_>, machine: &mut dyn Machine<'a>, place: &Place<'a, '_>) -> Result<Tag, Diagnostic> {
    let memref = step.memref(place.memref)?;
    if memref.cells != Cells::Whole {
        return Err(step.unsupported("a tag in memory of another type"));
    }
    let held = machine.memory().read(memref, &place.index, place.ty.element_or_self());
    Ok(match step.defined(held)? {
        Some(Value::Other(held)) if held.is::<Tag>() => {
            held.downcast_ref::<Tag>().cloned().ok_or_else(|| step.op.error("has no tag"))?
        }
        before => Tag { before, pending: Vec::new() },
    })
}

fn set_tag<'a>(
    step: Step<'a, '_>,
    machine: &mut dyn Machine<'a>,
    place: &Place<'a, '_>,
    tag: Tag,
) -> Result<(), Diagnostic> {
    let value = if tag.pending.is_empty() { tag.before } else { Some(Value::Other(Arc::new(tag))) };
    step.defined(machine.memory().write(step.memref(place.memref)?, &place.index, value))
}

/// The number of a memory space; that of the slowest where it has none.
fn space(step: Step<'_, '_>, place: &Place<'_, '_>) -> Result<i64, Diagnostic> {
    match place.ty.memory_space().map(AttrRef::as_int) {
        None => Ok(0),
        Some(Some(number)) => Ok(number),
        Some(None) => Err(step.unsupported("rows in a memory space that is no number")),
    }
}

/// Begins a transfer.
///
/// # Errors
/// That it reaches out of one of its memrefs, or that it is unclear which of them is in rows.
pub fn start<'a>(step: Step<'a, '_>, machine: &mut dyn Machine<'a>, transfer: &Transfer<'a, '_>) -> Outcome<'a> {
    let Transfer { source, target, tag: place, count, rows } = transfer;
    let ty = source.ty.element_or_self();
    if ty != target.ty.element_or_self() {
        return Err(step.unsupported("a transfer between elements of different types"));
    }
    if *count < 0 {
        return Err(step.undefined(format_args!("a transfer of {count} elements")));
    }
    if usize::try_from(*count).map_or(true, |count| count > MAX_ELEMENTS) {
        return Err(step.unsupported(format_args!("a transfer of {count} elements")));
    }
    let mut under_way = tag(step, machine, place)?;
    let (mut of_source, mut of_target) = (None, None);
    if let Some(rows) = rows {
        if rows.length <= 0 {
            return Err(step.undefined(format_args!("rows of {} elements", rows.length)));
        }
        match space(step, source)?.cmp(&space(step, target)?) {
            std::cmp::Ordering::Less => of_source = Some(*rows),
            std::cmp::Ordering::Greater => of_target = Some(*rows),
            std::cmp::Ordering::Equal => return Err(step.unsupported("rows between memories of one kind")),
        }
    }
    let (source, target) = (Side::of(step, source, *count, of_source)?, Side::of(step, target, *count, of_target)?);
    let mut elements = Vec::new();
    for number in 0..*count {
        let read = source.at(number).and_then(|at| machine.memory().read(&source.view, &[at], ty));
        elements.push(step.defined(read)?);
    }
    for number in 0..*count {
        let written = target.at(number).and_then(|at| machine.memory().write(&target.view, &[at], None));
        step.defined(written)?;
    }
    under_way.pending.push(Arc::new(Pending { source, target, ty: ty.id(), elements }));
    set_tag(step, machine, place, under_way)?;
    Ok(Flow::none())
}

/// Ends the oldest transfer of `count` elements that is under way in the name of a tag element.
///
/// # Errors
/// That there is none, or that its source or target was written meanwhile.
pub fn wait<'a>(step: Step<'a, '_>, machine: &mut dyn Machine<'a>, place: &Place<'a, '_>, count: i64) -> Outcome<'a> {
    let mut under_way = tag(step, machine, place)?;
    let found = under_way.pending.iter().position(|pending| pending.elements.len() as i64 == count);
    let found = found
        .ok_or_else(|| step.undefined(format_args!("a wait for a transfer of {count} elements that has not begun")))?;
    let done = under_way.pending.remove(found);
    let ty = step.op.cx().ty(done.ty);
    for (number, element) in (0..).zip(&done.elements) {
        let source = done.source.at(number).and_then(|at| machine.memory().read(&done.source.view, &[at], ty));
        if !is_same(step.defined(source)?.as_ref(), element.as_ref()) {
            return Err(step.undefined("the source of a transfer was written while it was under way"));
        }
    }
    for (number, element) in (0..).zip(&done.elements) {
        let at = done.target.at(number);
        let at = step.defined(at)?;
        let target = machine.memory().read(&done.target.view, &[at], ty);
        if !is_untouched(step.defined(target)?.as_ref()) {
            return Err(step.undefined("the target of a transfer was written while it was under way"));
        }
        step.defined(machine.memory().write(&done.target.view, &[at], element.clone()))?;
    }
    set_tag(step, machine, place, under_way)?;
    Ok(Flow::none())
}

/// Whether nothing was written where a transfer writes.
fn is_untouched(held: Option<&Value>) -> bool {
    match held {
        None | Some(Value::Poison) => true,
        Some(Value::Array(lanes)) => lanes.elements().iter().all(Value::is_poison),
        Some(_) => false,
    }
}

/// Whether two elements of memory are the same, bit for bit.
fn is_same(a: Option<&Value>, b: Option<&Value>) -> bool {
    match (a, b) {
        (None, None) | (Some(Value::Poison), Some(Value::Poison)) => true,
        (Some(Value::Int(a)), Some(Value::Int(b))) => a == b,
        (Some(Value::Float(_, a)), Some(Value::Float(_, b))) => a == b,
        (Some(Value::MemRef(a)), Some(Value::MemRef(b))) => a == b,
        (Some(Value::Function(a)), Some(Value::Function(b))) => a == b,
        (Some(Value::Other(a)), Some(Value::Other(b))) => Arc::ptr_eq(a, b),
        (Some(Value::Complex(a)), Some(Value::Complex(b))) => same_all(&**a, &**b),
        (Some(Value::Array(a)), Some(Value::Array(b))) => same_all(a.elements(), b.elements()),
        _ => false,
    }
}

fn same_all(a: &[Value], b: &[Value]) -> bool {
    a.len() == b.len() && a.iter().zip(b).all(|(a, b)| is_same(Some(a), Some(b)))
}
