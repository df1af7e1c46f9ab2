//! Memory: buffers of values, and views of them.
//!
//! An access names a buffer and a position in it. It fails, with words for a message, when the buffer is gone, when the position is not
//! in it, or when nothing was written there: addresses are never numbers, so no access can hit another buffer by accident.

use super::shape::{self, Shape};
use super::value::{Array, MAX_ELEMENTS, Value};
use crate::location::Loc;
use crate::number::ApInt;
use crate::types::TypeRef;

/// A buffer. Ids are not used again.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct BufferId(u32);

/// How long a buffer lives.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Lifetime {
    /// Until it is freed.
    Heap,
    /// Until control leaves the scope it was made in.
    Stack,
    /// As long as the program.
    Static,
    /// As long as the program, and never written to.
    Constant,
}

struct Buffer {
    /// `None` once it is gone.
    elements: Option<Vec<Option<Value>>>,
    lifetime: Lifetime,
    /// Where it was made.
    made: Loc,
    /// Whether it may be the same memory as another one.
    shared: bool,
}

/// How the elements of a view lie in its buffer.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Cells {
    /// Each is an element of the buffer.
    Whole,
    /// The buffer's elements are bytes. Each element of the view is `size` of them, the first one those from byte `shift` on, least
    /// significant first.
    Bytes {
        /// Where element 0 begins.
        shift: i64,
        /// How many bytes an element has.
        size: i64,
    },
    /// Each element of the view is a vector of `count` elements of the buffer, the first one those from position `shift` on.
    Lanes {
        /// Where element 0 begins.
        shift: i64,
        /// How many elements a vector has.
        count: i64,
    },
}

/// A view of a buffer: element `i, j, ...` is element `offset + i * strides[0] + j * strides[1] + ...` of the buffer, as `cells` counts.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct MemRef {
    /// The buffer.
    pub buffer: BufferId,
    /// Position of the first element.
    pub offset: i64,
    /// Extents, none of them negative.
    pub shape: Shape,
    /// How far apart elements are, one for each dimension.
    pub strides: Shape,
    /// What counts as one element of the buffer.
    pub cells: Cells,
}

impl MemRef {
    /// The whole of `buffer` in row-major order.
    pub fn whole(buffer: BufferId, shape: &[i64]) -> Self {
        Self { buffer, offset: 0, shape: shape.into(), strides: shape::row_major(shape), cells: Cells::Whole }
    }

    /// The position of the element at `index`, counted as [`cells`](Self::cells) says.
    ///
    /// # Errors
    /// That the index is out of bounds, or the position no number of 64 bits.
    pub fn position(&self, index: &[i64]) -> Result<i64, String> {
        shape::check_bounds(index, &self.shape)?;
        let mut parts = index.iter().zip(&self.strides);
        let sum = parts.try_fold(self.offset, |sum, (&i, &stride)| sum.checked_add(i.checked_mul(stride)?));
        sum.ok_or_else(|| "the address overflows 64 bits".to_owned())
    }

    /// Whether the elements lie in row-major order without gaps. Strides of dimensions of size 1 do not count.
    pub fn is_contiguous(&self) -> bool {
        let expected = shape::row_major(&self.shape);
        let dims = self.shape.iter().zip(self.strides.iter().zip(&expected));
        self.shape.contains(&0)
            || dims.into_iter().all(|(&extent, (stride, expected))| extent == 1 || stride == expected)
    }
}

/// Where the stack was.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct StackMark(usize);

/// All buffers of a running program.
pub struct Memory {
    buffers: Vec<Buffer>,
    stack: Vec<BufferId>,
    live: usize,
    max_live: usize,
}

impl Default for Memory {
    fn default() -> Self {
        Self::with_limit(Self::MAX_LIVE)
    }
}

impl Memory {
    /// The most elements of all buffers together, where no other limit is given: 2 GiB.
    pub const MAX_LIVE: usize = 2 * MAX_ELEMENTS;

    /// No buffers yet, and room for so many elements in all of them together.
    pub fn with_limit(elements: usize) -> Self {
        Self { buffers: Vec::new(), stack: Vec::new(), live: 0, max_live: elements }
    }

    /// A new buffer of `len` elements, none of them written.
    ///
    /// # Errors
    /// That there is too much memory in use.
    pub fn allocate(&mut self, len: usize, lifetime: Lifetime, made: Loc) -> Result<BufferId, String> {
        if len > self.max_live - self.live || self.buffers.len() >= u32::MAX as usize {
            return Err(format!("unsupported: more than {} elements of memory", self.max_live));
        }
        self.live += len;
        let id = BufferId(self.buffers.len() as u32);
        self.buffers.push(Buffer { elements: Some(vec![None; len]), lifetime, made, shared: false });
        if lifetime == Lifetime::Stack {
            self.stack.push(id);
        }
        Ok(id)
    }

    /// A new buffer of this shape in row-major order.
    ///
    /// # Errors
    /// That an extent is negative, or that there is too much memory in use.
    pub fn allocate_shape(&mut self, shape: &[i64], lifetime: Lifetime, made: Loc) -> Result<MemRef, String> {
        let buffer = self.allocate(shape::num_elements(shape)?, lifetime, made)?;
        Ok(MemRef::whole(buffer, shape))
    }

    fn buffer(&self, id: BufferId) -> &Buffer {
        &self.buffers[id.0 as usize]
    }

    /// Where a buffer was made.
    pub fn made(&self, id: BufferId) -> Loc {
        self.buffer(id).made
    }

    /// How many elements a buffer has.
    ///
    /// # Errors
    /// That it is gone.
    pub fn len(&self, id: BufferId) -> Result<usize, String> {
        self.elements(id).map(<[_]>::len)
    }

    fn elements(&self, id: BufferId) -> Result<&[Option<Value>], String> {
        let buffer = self.buffer(id);
        buffer.elements.as_deref().ok_or_else(|| gone(buffer.lifetime).to_owned())
    }

    /// Ends the life of a heap buffer.
    ///
    /// # Errors
    /// That it has ended already, or that the buffer is not of the heap.
    pub fn free(&mut self, id: BufferId) -> Result<(), String> {
        let buffer = &mut self.buffers[id.0 as usize];
        match buffer.lifetime {
            Lifetime::Heap => {}
            Lifetime::Stack => return Err("a buffer of the stack is freed".to_owned()),
            Lifetime::Static | Lifetime::Constant => return Err("a global buffer is freed".to_owned()),
        }
        let elements = buffer.elements.take().ok_or("a buffer is freed twice")?;
        self.live -= elements.len();
        Ok(())
    }

    /// Where the stack is.
    pub fn mark_stack(&self) -> StackMark {
        StackMark(self.stack.len())
    }

    /// Ends the life of what was put on the stack since `mark`.
    pub fn release_stack(&mut self, mark: StackMark) {
        for id in self.stack.split_off(mark.0.min(self.stack.len())) {
            let elements = self.buffers[id.0 as usize].elements.take();
            self.live -= elements.map_or(0, |elements| elements.len());
        }
    }

    /// What is at `position` of a buffer; `None` where nothing was written.
    ///
    /// # Errors
    /// That the buffer is gone, or the position not in it.
    pub fn peek(&self, id: BufferId, position: i64) -> Result<Option<&Value>, String> {
        let elements = self.elements(id)?;
        let found = usize::try_from(position).ok().and_then(|at| elements.get(at));
        found.map(Option::as_ref).ok_or_else(|| outside(position, elements.len()))
    }

    /// Reads what is at `position` of a buffer.
    ///
    /// # Errors
    /// As [`peek`](Self::peek), and that nothing was written there.
    pub fn load(&self, id: BufferId, position: i64) -> Result<Value, String> {
        self.peek(id, position)?.cloned().ok_or_else(|| "read of memory that was never written".to_owned())
    }

    /// Writes to `position` of a buffer; `None` makes it as if never written.
    ///
    /// # Errors
    /// That the buffer is gone or constant, or the position not in it.
    pub fn store(&mut self, id: BufferId, position: i64, value: Option<Value>) -> Result<(), String> {
        if self.buffer(id).lifetime == Lifetime::Constant {
            return Err("a constant buffer is written to".to_owned());
        }
        self.initialize(id, position, value)
    }

    /// Notes that two buffers may be the same memory where programs run for real: nobody who knows that writes to either.
    pub fn share(&mut self, first: BufferId, second: BufferId) {
        for id in [first, second] {
            self.buffers[id.0 as usize].shared = true;
        }
    }

    /// Makes a buffer constant: what a program may only read, and which may be the same memory as another one.
    pub fn freeze(&mut self, id: BufferId) {
        let buffer = &mut self.buffers[id.0 as usize];
        buffer.lifetime = Lifetime::Constant;
        buffer.shared = true;
    }

    /// Whether a buffer may be the same memory as another one.
    pub fn is_shared(&self, id: BufferId) -> bool {
        self.buffer(id).shared
    }

    /// Writes to `position` of a buffer, which may be constant.
    ///
    /// # Errors
    /// That the buffer is gone, or the position not in it.
    pub fn initialize(&mut self, id: BufferId, position: i64, value: Option<Value>) -> Result<(), String> {
        let buffer = &mut self.buffers[id.0 as usize];
        let elements = buffer.elements.as_deref_mut().ok_or(gone(buffer.lifetime))?;
        let len = elements.len();
        let slot = usize::try_from(position).ok().and_then(|at| elements.get_mut(at));
        *slot.ok_or_else(|| outside(position, len))? = value;
        Ok(())
    }

    /// Reads the element of a view at `index`, which is of type `ty`; `None` where nothing was written.
    ///
    /// # Errors
    /// That the index is out of bounds, or the buffer gone.
    pub fn read(&self, view: &MemRef, index: &[i64], ty: TypeRef<'_>) -> Result<Option<Value>, String> {
        let position = view.position(index)?;
        let (shift, size) = match view.cells {
            Cells::Whole => return Ok(self.peek(view.buffer, position)?.cloned()),
            Cells::Lanes { shift, count } => {
                return self.read_lanes(view.buffer, byte_position(position, shift, count)?, ty).map(Some);
            }
            Cells::Bytes { shift, size } => (shift, size),
        };
        let (start, mut bytes, mut poisoned) = (byte_position(position, shift, size)?, Vec::new(), false);
        for at in 0..size {
            match self.peek(view.buffer, start + at)? {
                None => return Ok(None),
                Some(Value::Int(byte)) => bytes.push(byte.to_u64().unwrap_or_default() as u8),
                Some(_) => poisoned = true,
            }
        }
        if poisoned {
            return Ok(Some(Value::Poison));
        }
        Value::of_bytes(ty, &bytes).map(Some).ok_or_else(|| format!("unsupported: an element of type '{ty}' in bytes"))
    }

    /// Writes the element of a view at `index`; `None` makes it as if never written.
    ///
    /// # Errors
    /// That the index is out of bounds, or the buffer gone or constant.
    pub fn write(&mut self, view: &MemRef, index: &[i64], value: Option<Value>) -> Result<(), String> {
        let position = view.position(index)?;
        let (shift, size) = match view.cells {
            Cells::Whole => return self.store(view.buffer, position, value),
            Cells::Lanes { shift, count } => {
                let start = byte_position(position, shift, count)?;
                for at in 0..count {
                    let lane = match &value {
                        Some(Value::Array(vector)) => vector.elements().get(at as usize).cloned(),
                        other => other.clone(),
                    };
                    self.store(view.buffer, start + at, lane)?;
                }
                return Ok(());
            }
            Cells::Bytes { shift, size } => (shift, size),
        };
        let (start, mut bytes) = (byte_position(position, shift, size)?, Vec::new());
        let known = match &value {
            None | Some(Value::Poison) => None,
            Some(value) => {
                value.write_bytes(&mut bytes).ok_or("unsupported: an element without bytes in a buffer of bytes")?;
                Some(bytes)
            }
        };
        for at in 0..size {
            let byte = |bytes: &Vec<u8>| {
                Value::Int(ApInt::from_u64(8, bytes.get(at as usize).copied().unwrap_or_default().into()))
            };
            let byte = known.as_ref().map(byte).or_else(|| value.clone());
            self.store(view.buffer, start + at, byte)?;
        }
        Ok(())
    }

    /// The vector of type `ty` from position `start` on; lanes that were never written are poison.
    fn read_lanes(&self, id: BufferId, start: i64, ty: TypeRef<'_>) -> Result<Value, String> {
        let shape = ty.shape().ok_or_else(|| format!("unsupported: elements as '{ty}'"))?;
        let count = shape::num_elements(shape)? as i64;
        let lane = |at| Ok(self.peek(id, start + at)?.cloned().unwrap_or(Value::Poison));
        Ok(Array::new(shape, (0..count).map(lane).collect::<Result<_, String>>()?).into())
    }

    /// The heap buffers that were never freed, oldest first.
    pub fn leaks(&self) -> impl Iterator<Item = BufferId> {
        let all = self.buffers.iter().enumerate();
        let live = all.filter(|(_, buffer)| buffer.lifetime == Lifetime::Heap && buffer.elements.is_some());
        live.map(|(at, _)| BufferId(at as u32))
    }
}

fn byte_position(position: i64, shift: i64, size: i64) -> Result<i64, String> {
    let start = position.checked_mul(size).and_then(|at| at.checked_add(shift));
    let start = start.filter(|start| start.checked_add(size).is_some());
    start.ok_or_else(|| "the address overflows 64 bits".to_owned())
}

fn gone(lifetime: Lifetime) -> &'static str {
    match lifetime {
        Lifetime::Stack => "use of a stack buffer outside of its scope",
        _ => "use of a buffer after it was freed",
    }
}

fn outside(position: i64, len: usize) -> String {
    format!("access at position {position} of a buffer of {len} elements")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_gone_is_not_read() {
        let mut memory = Memory::default();
        let buffer = memory.allocate(2, Lifetime::Heap, Loc::UNKNOWN).unwrap();
        assert_eq!(memory.load(buffer, 0).unwrap_err(), "read of memory that was never written");
        memory.store(buffer, 1, Some(Value::index(7))).unwrap();
        assert!(memory.load(buffer, 1).is_ok() && memory.load(buffer, 2).is_err() && memory.load(buffer, -1).is_err());
        assert_eq!(memory.leaks().count(), 1);
        memory.free(buffer).unwrap();
        assert_eq!(memory.load(buffer, 1).unwrap_err(), "use of a buffer after it was freed");
        assert_eq!(memory.free(buffer).unwrap_err(), "a buffer is freed twice");
        assert_eq!(memory.leaks().count(), 0);
    }

    #[test]
    fn there_is_no_more_than_the_limit() {
        let mut memory = Memory::with_limit(3);
        let first = memory.allocate(2, Lifetime::Heap, Loc::UNKNOWN).unwrap();
        let refused = memory.allocate(2, Lifetime::Heap, Loc::UNKNOWN).unwrap_err();
        assert_eq!(refused, "unsupported: more than 3 elements of memory");
        memory.allocate(1, Lifetime::Heap, Loc::UNKNOWN).unwrap();
        memory.free(first).unwrap();
        memory.allocate(2, Lifetime::Heap, Loc::UNKNOWN).unwrap();
    }

    #[test]
    fn the_stack_is_released() {
        let mut memory = Memory::default();
        let outer = memory.allocate(1, Lifetime::Stack, Loc::UNKNOWN).unwrap();
        let mark = memory.mark_stack();
        let inner = memory.allocate(1, Lifetime::Stack, Loc::UNKNOWN).unwrap();
        memory.release_stack(mark);
        assert!(memory.len(inner).is_err() && memory.len(outer) == Ok(1));
        assert!(memory.free(outer).is_err());
    }
}
