//! The binary form of programs, `.dlacc`.
//!
//! `DLAC`, the version as two bytes, then name, memories, locations, buffers and cores as `docs/accelerator.md` lists them. Numbers are LEB128. The
//! loader takes memory in proportion to the bytes there are: no count is believed before what it counts has been read.

use thiserror::Error;

use super::instruction::{Address, Base, Dma, Instruction, Matmul, Op, Padding, Queue, Strided, Tile, Token};
use super::vector::{BinaryOp, Pool, PoolOp, ReduceOp, Requantize, Scale, UnaryOp, Vector, VectorOp};
use super::{Buffer, BufferKind, Program, is_name};
use crate::ElementType;
use crate::machine::MatrixTypes;

/// The version that is written, and the only one that is read.
pub const FORMAT_VERSION: u16 = 1;

const MAGIC: &[u8; 4] = b"DLAC";

/// Why bytes are not a program.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("offset {offset}: {message}")]
pub struct LoadError {
    /// Bytes read until then.
    pub offset: usize,
    /// What is wrong.
    pub message: String,
}

impl Program {
    /// Whether bytes are meant as a program in binary form.
    pub fn is_binary(bytes: &[u8]) -> bool {
        bytes.starts_with(MAGIC)
    }

    /// The binary form.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut out = Writer(MAGIC.to_vec());
        out.0.extend_from_slice(&FORMAT_VERSION.to_le_bytes());
        out.text(&self.name);
        out.list(&self.memories, |out, name| out.text(name));
        out.list(&self.locations, |out, name| out.text(name));
        out.list(&self.buffers, Writer::buffer);
        out.list(&self.cores, |out, core| out.list(core, Writer::instruction));
        out.0
    }

    /// Reads the binary form.
    ///
    /// # Errors
    /// Where and why the bytes are none.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, LoadError> {
        let mut input = Reader { bytes, at: 0 };
        if input.take(MAGIC.len())? != MAGIC {
            return Err(LoadError {
                offset: 0,
                message: "not an accelerator program: it does not begin with 'DLAC'".into(),
            });
        }
        let version = input.take(2)?;
        let version = u16::from_le_bytes([version[0], version[1]]);
        if version != FORMAT_VERSION {
            return Err(input.error(format!("unsupported: version {version}, expected {FORMAT_VERSION}")));
        }
        let program = Self {
            name: input.name()?,
            memories: input.list(Reader::name)?,
            locations: input.list(Reader::location)?,
            buffers: input.list(Reader::buffer)?,
            cores: input.list(|input| input.list(Reader::instruction))?,
        };
        if input.at < bytes.len() {
            return Err(input.error("expected the end of the program"));
        }
        match program.unknown_reference() {
            Some(what) => Err(input.error(what)),
            None => Ok(program),
        }
    }
}

struct Writer(Vec<u8>);

impl Writer {
    fn number(&mut self, mut value: u64) {
        while value >= 0x80 {
            self.0.push(value as u8 | 0x80);
            value >>= 7;
        }
        self.0.push(value as u8);
    }

    /// Small magnitudes in few bytes.
    fn signed(&mut self, value: i32) {
        self.number(u64::from(((value << 1) ^ (value >> 31)).cast_unsigned()));
    }

    fn text(&mut self, text: &str) {
        self.number(text.len() as u64);
        self.0.extend_from_slice(text.as_bytes());
    }

    fn list<T>(&mut self, list: &[T], each: impl Fn(&mut Self, &T)) {
        self.number(list.len() as u64);
        list.iter().for_each(|entry| each(self, entry));
    }

    fn element(&mut self, element: ElementType) {
        self.code(&ElementType::ALL, element);
    }

    fn code<T: PartialEq + Copy>(&mut self, all: &[T], value: T) {
        self.0.push(all.iter().position(|known| *known == value).unwrap_or_default() as u8);
    }

    fn numbers(&mut self, values: impl IntoIterator<Item = impl Into<u64>>) {
        values.into_iter().for_each(|value| self.number(value.into()));
    }

    fn buffer(&mut self, buffer: &Buffer) {
        self.text(&buffer.name);
        self.0.push(buffer.kind.code());
        self.element(buffer.element);
        self.list(&buffer.shape, |out, extent| out.number(*extent));
        if let BufferKind::Constant(data) = &buffer.kind {
            self.number(data.len() as u64);
            self.0.extend_from_slice(data);
        }
    }

    fn instruction(&mut self, instruction: &Instruction) {
        let Instruction { op, signals, after, location } = instruction;
        let opcode = match op {
            Op::Dma(Dma { queue: Queue::Store, .. }) => 1,
            Op::Dma(_) => 0,
            Op::Matmul(_) => 2,
            Op::Vector(_) => 3,
            Op::Wait => 4,
            Op::Barrier => 5,
        };
        self.0.push(opcode | u8::from(signals.is_some()) << 6 | u8::from(location.is_some()) << 7);
        self.numbers(signals.map(|token| token.0));
        self.numbers(*location);
        self.list(after, |out, token| out.number(token.0.into()));
        match op {
            Op::Dma(dma) => self.dma(dma),
            Op::Matmul(matmul) => self.matmul(matmul),
            Op::Vector(vector) => self.vector(vector),
            Op::Wait | Op::Barrier => {}
        }
    }

    fn address(&mut self, address: Address) {
        self.number(match address.base {
            Base::Buffer(index) => u64::from(index) << 1,
            Base::Memory(index) => u64::from(index) << 1 | 1,
        });
        self.number(address.offset);
    }

    fn tile(&mut self, tile: &Tile) {
        self.address(tile.address);
        self.numbers(tile.strides);
    }

    fn dma(&mut self, dma: &Dma) {
        self.element(dma.element);
        self.numbers(dma.shape);
        for side in [dma.destination, dma.source] {
            self.address(side.address);
            self.numbers(side.strides);
        }
        self.0.push(dma.padding.is_some().into());
        if let Some(padding) = dma.padding {
            self.numbers(padding.before);
            self.numbers(padding.after);
            self.number(padding.value.into());
        }
    }

    fn matmul(&mut self, matmul: &Matmul) {
        let MatrixTypes { lhs, rhs, accumulator } = matmul.types;
        [lhs, rhs, accumulator].into_iter().for_each(|element| self.element(element));
        self.numbers([matmul.m, matmul.n, matmul.k]);
        for (address, stride) in
            [(matmul.lhs, matmul.lhs_stride), (matmul.rhs, matmul.rhs_stride), (matmul.sums, matmul.sums_stride)]
        {
            self.address(address);
            self.number(stride);
        }
        self.0.push(u8::from(matmul.accumulate) | u8::from(matmul.resident) << 1);
    }

    fn vector(&mut self, vector: &Vector) {
        match vector.op {
            VectorOp::Binary(op, element) => {
                self.0.push(0);
                self.code(&BinaryOp::ALL, op);
                self.element(element);
            }
            VectorOp::Unary(op, from, to) => {
                self.0.push(1);
                self.code(&UnaryOp::ALL, op);
                self.element(from);
                self.element(to);
            }
            VectorOp::Reduce(op, from, to) => {
                self.0.push(2);
                self.code(&ReduceOp::ALL, op);
                self.element(from);
                self.element(to);
            }
            VectorOp::Requantize(requantize) => {
                self.0.push(3);
                self.requantize(requantize);
            }
            VectorOp::Dequantize(requantize) => {
                self.0.push(4);
                self.requantize(requantize);
            }
            VectorOp::Pool(pool) => {
                self.0.push(5);
                self.code(&PoolOp::ALL, pool.op);
                self.element(pool.element);
                [pool.image, pool.window, pool.steps].into_iter().for_each(|pair| self.numbers(pair));
            }
        }
        self.numbers([vector.rows, vector.columns]);
        self.tile(&vector.destination);
        self.tile(&vector.first);
        if let Some(second) = &vector.second {
            self.tile(second);
        }
    }

    fn requantize(&mut self, requantize: Requantize) {
        self.element(requantize.from);
        self.element(requantize.to);
        self.signed(requantize.zero_point);
        match requantize.scale {
            Scale::Fixed { multiplier, shift } => {
                self.0.push(0);
                self.signed(multiplier);
                self.signed(shift);
            }
            Scale::Float(scale) => {
                self.0.push(1);
                self.0.extend_from_slice(&scale.to_le_bytes());
            }
            Scale::FixedPerColumn => self.0.push(2),
            Scale::FloatPerColumn => self.0.push(3),
        }
    }
}

struct Reader<'a> {
    bytes: &'a [u8],
    at: usize,
}

type Read<T> = Result<T, LoadError>;

impl<'a> Reader<'a> {
    fn error(&self, message: impl Into<String>) -> LoadError {
        LoadError { offset: self.at, message: message.into() }
    }

    fn take(&mut self, count: usize) -> Read<&'a [u8]> {
        let rest = &self.bytes[self.at..];
        let Some(taken) = rest.get(..count) else {
            return Err(self.error(format!("truncated: expected {count} more bytes, but got {}", rest.len())));
        };
        self.at += count;
        Ok(taken)
    }

    fn byte(&mut self) -> Read<u8> {
        self.take(1).map(|bytes| bytes[0])
    }

    fn number(&mut self) -> Read<u64> {
        let mut value = 0;
        for shift in (0..64).step_by(7) {
            let byte = self.byte()?;
            let bits = u64::from(byte & 0x7f);
            if bits << shift >> shift != bits {
                break;
            }
            value |= bits << shift;
            if byte & 0x80 == 0 {
                return Ok(value);
            }
        }
        Err(self.error("a number of more than 64 bits"))
    }

    fn small(&mut self) -> Read<u32> {
        let value = self.number()?;
        u32::try_from(value).map_err(|_| self.error(format!("expected a number of 32 bits, but got {value}")))
    }

    fn smalls<const N: usize>(&mut self) -> Read<[u32; N]> {
        let mut values = [0; N];
        for value in &mut values {
            *value = self.small()?;
        }
        Ok(values)
    }

    fn numbers<const N: usize>(&mut self) -> Read<[u64; N]> {
        let mut values = [0; N];
        for value in &mut values {
            *value = self.number()?;
        }
        Ok(values)
    }

    fn signed(&mut self) -> Read<i32> {
        let value = self.small()?;
        Ok((value >> 1).cast_signed() ^ -(value & 1).cast_signed())
    }

    fn text(&mut self) -> Read<&'a str> {
        let length = self.number()?;
        let bytes = self.take(usize::try_from(length).unwrap_or(usize::MAX))?;
        std::str::from_utf8(bytes).map_err(|_| self.error("a text that is not UTF-8"))
    }

    fn name(&mut self) -> Read<String> {
        let text = self.text()?;
        if !is_name(text) {
            return Err(self.error(format!("'{}' is not a name", text.escape_debug())));
        }
        Ok(text.to_owned())
    }

    fn location(&mut self) -> Read<String> {
        let text = self.text()?;
        if text.contains(char::is_control) {
            return Err(self.error("a location with control characters"));
        }
        Ok(text.to_owned())
    }

    fn list<T>(&mut self, each: impl Fn(&mut Self) -> Read<T>) -> Read<Vec<T>> {
        let count = self.number()?;
        // Every entry takes a byte or more.
        if count > (self.bytes.len() - self.at) as u64 {
            return Err(self.error(format!("truncated: a list of {count} entries")));
        }
        (0..count).map(|_| each(self)).collect::<Result<Vec<T>, _>>()
    }

    fn code<T: Copy>(&mut self, what: &str, all: &[T]) -> Read<T> {
        let code = self.byte()?;
        all.get(usize::from(code)).copied().ok_or_else(|| self.error(format!("unknown {what} {code}")))
    }

    fn flag(&mut self) -> Read<bool> {
        self.code("flag", &[false, true])
    }

    fn element(&mut self) -> Read<ElementType> {
        self.code("element type", &ElementType::ALL)
    }

    fn buffer(&mut self) -> Read<Buffer> {
        let name = self.name()?;
        let kind = self.byte()?;
        let element = self.element()?;
        let shape = self.list(Reader::number)?;
        let mut buffer = Buffer { name, kind: BufferKind::Temporary, element, shape };
        let Some(size) = buffer.size() else {
            return Err(self.error(format!("buffer '{}' is larger than any memory", buffer.name)));
        };
        buffer.kind = match kind {
            0 => BufferKind::Input,
            1 => BufferKind::Output,
            2 => BufferKind::Temporary,
            3 => {
                let length = self.number()?;
                if length != size {
                    return Err(self.error(format!("expected {size} bytes of data, but got {length}")));
                }
                BufferKind::Constant(self.take(usize::try_from(length).unwrap_or(usize::MAX))?.to_vec())
            }
            other => return Err(self.error(format!("unknown kind of buffer {other}"))),
        };
        Ok(buffer)
    }

    fn instruction(&mut self) -> Read<Instruction> {
        let first = self.byte()?;
        let signals = if first & 0x40 == 0 { None } else { Some(Token(self.small()?)) };
        let location = if first & 0x80 == 0 { None } else { Some(self.small()?) };
        let after = self.list(|input| input.small().map(Token))?;
        let op = match first & 0x3f {
            0 => Op::Dma(self.dma(Queue::Load)?),
            1 => Op::Dma(self.dma(Queue::Store)?),
            2 => Op::Matmul(self.matmul()?),
            3 => Op::Vector(self.vector()?),
            4 => Op::Wait,
            5 => Op::Barrier,
            other => return Err(self.error(format!("unknown instruction {other}"))),
        };
        Ok(Instruction { op, signals, after, location })
    }

    fn address(&mut self) -> Read<Address> {
        let [base, offset] = self.numbers()?;
        let index = u32::try_from(base >> 1).map_err(|_| self.error(format!("unknown memory {}", base >> 1)))?;
        let base = if base & 1 == 0 { Base::Buffer(index) } else { Base::Memory(index) };
        Ok(Address { base, offset })
    }

    fn tile(&mut self) -> Read<Tile> {
        Ok(Tile { address: self.address()?, strides: self.numbers()? })
    }

    fn strided(&mut self) -> Read<Strided> {
        Ok(Strided { address: self.address()?, strides: self.numbers()? })
    }

    fn dma(&mut self, queue: Queue) -> Read<Dma> {
        Ok(Dma {
            queue,
            element: self.element()?,
            shape: self.smalls()?,
            destination: self.strided()?,
            source: self.strided()?,
            padding: if self.flag()? {
                Some(Padding { before: self.smalls()?, after: self.smalls()?, value: self.small()? })
            } else {
                None
            },
        })
    }

    fn matmul(&mut self) -> Read<Matmul> {
        let types = MatrixTypes { lhs: self.element()?, rhs: self.element()?, accumulator: self.element()? };
        if !types.is_sound() {
            return Err(self.error(format!("there is no product {types}")));
        }
        let [m, n, k] = self.smalls()?;
        let (lhs, lhs_stride) = (self.address()?, self.number()?);
        let (rhs, rhs_stride) = (self.address()?, self.number()?);
        let (sums, sums_stride) = (self.address()?, self.number()?);
        let flags = self.code("flags", &[0_u8, 1, 2, 3])?;
        let (accumulate, resident) = (flags & 1 != 0, flags & 2 != 0);
        Ok(Matmul { types, m, n, k, lhs, lhs_stride, rhs, rhs_stride, sums, sums_stride, accumulate, resident })
    }

    fn vector(&mut self) -> Read<Vector> {
        let op = match self.byte()? {
            0 => VectorOp::Binary(self.code("operation", &BinaryOp::ALL)?, self.element()?),
            1 => VectorOp::Unary(self.code("operation", &UnaryOp::ALL)?, self.element()?, self.element()?),
            2 => VectorOp::Reduce(self.code("operation", &ReduceOp::ALL)?, self.element()?, self.element()?),
            3 => VectorOp::Requantize(self.requantize()?),
            4 => VectorOp::Dequantize(self.requantize()?),
            5 => VectorOp::Pool(Pool {
                op: self.code("operation", &PoolOp::ALL)?,
                element: self.element()?,
                image: self.smalls()?,
                window: self.smalls()?,
                steps: self.smalls()?,
            }),
            other => return Err(self.error(format!("unknown kind of vector instruction {other}"))),
        };
        let [rows, columns] = self.smalls()?;
        let (destination, first) = (self.tile()?, self.tile()?);
        let second = if op.has_second() { Some(self.tile()?) } else { None };
        Ok(Vector { op, rows, columns, destination, first, second })
    }

    fn requantize(&mut self) -> Read<Requantize> {
        let (from, to, zero_point) = (self.element()?, self.element()?, self.signed()?);
        let scale = match self.byte()? {
            0 => Scale::Fixed { multiplier: self.signed()?, shift: self.signed()? },
            1 => {
                let bytes = self.take(4)?;
                let scale = f32::from_le_bytes([bytes[0], bytes[1], bytes[2], bytes[3]]);
                if !scale.is_finite() {
                    return Err(self.error(format!("expected a finite scale, but got {scale}")));
                }
                Scale::Float(scale)
            }
            2 => Scale::FixedPerColumn,
            3 => Scale::FloatPerColumn,
            other => return Err(self.error(format!("unknown kind of scale {other}"))),
        };
        Ok(Requantize { from, to, zero_point, scale })
    }
}
