//! The text form of programs: a line for each memory, buffer and instruction.
//!
//! Words are separated by blanks; `//` begins a comment. What is printed is read back as it was.

use std::fmt::{self, Display, Formatter};
use std::str::FromStr;

use rustc_hash::FxHashMap;
use thiserror::Error;

use super::instruction::{Address, Base, Dma, Instruction, Matmul, Op, Padding, Queue, Strided, Tile, Token};
use super::vector::{Pool, PoolOp, Requantize, Scale, Vector, VectorOp};
use super::{Buffer, BufferKind, Program, is_name};
use crate::ElementType;
use crate::machine::VectorFunction;
use crate::machine::description::{hint, matrix_types};

/// Why a text is not a program.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("{line}:{column}: error: {message}")]
pub struct AssemblyError {
    /// Line, from 1.
    pub line: usize,
    /// Column in characters, from 1.
    pub column: usize,
    /// What is wrong.
    pub message: String,
}

impl Display for Program {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        writeln!(f, "program {}", self.name)?;
        for memory in &self.memories {
            writeln!(f, "memory {memory}")?;
        }
        for buffer in &self.buffers {
            write!(
                f,
                "buffer {} {} {}[{}]",
                buffer.name,
                buffer.kind.name(),
                buffer.element,
                Separated(&buffer.shape, 'x')
            )?;
            if let BufferKind::Constant(data) = &buffer.kind {
                f.write_str(" 0x")?;
                data.iter().try_for_each(|byte| write!(f, "{byte:02x}"))?;
            }
            writeln!(f)?;
        }
        for (i, core) in self.cores.iter().enumerate() {
            writeln!(f, "core {i}")?;
            for instruction in core {
                writeln!(f, "  {}", Shown(self, instruction))?;
            }
        }
        Ok(())
    }
}

/// Something in a program, which has the names.
pub(crate) struct Shown<'a, T>(pub(crate) &'a Program, pub(crate) T);

struct Separated<'a, T>(&'a [T], char);

impl<T: Display> Display for Separated<'_, T> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        for (i, entry) in self.0.iter().enumerate() {
            if i > 0 {
                write!(f, "{}", self.1)?;
            }
            entry.fmt(f)?;
        }
        Ok(())
    }
}

impl Display for Shown<'_, Address> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let Self(program, address) = self;
        // Indices out of range are for messages only: such programs are not run.
        match address.base {
            Base::Buffer(index) => match program.buffers.get(index as usize) {
                Some(buffer) => f.write_str(&buffer.name)?,
                None => write!(f, "buffer#{index}")?,
            },
            Base::Memory(index) => match program.memories.get(index as usize) {
                Some(memory) => f.write_str(memory)?,
                None => write!(f, "memory#{index}")?,
            },
        }
        write!(f, "+{}", address.offset)
    }
}

impl Display for Shown<'_, (Address, &[u64])> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(f, "{}[{}]", Shown(self.0, self.1.0), Separated(self.1.1, ','))
    }
}

impl Display for Shown<'_, &Instruction> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let Self(program, Instruction { op, signals, after, location }) = *self;
        f.write_str(op.name())?;
        if let Some(Token(token)) = signals {
            write!(f, " t{token}")?;
        }
        match op {
            Op::Dma(dma) => write_dma(f, program, dma)?,
            Op::Matmul(matmul) => write_matmul(f, program, matmul)?,
            Op::Vector(vector) => write_vector(f, program, vector)?,
            Op::Wait | Op::Barrier => {}
        }
        if !after.is_empty() {
            f.write_str(" after")?;
            after.iter().try_for_each(|token| write!(f, " t{}", token.0))?;
        }
        if let Some(location) = location {
            let text = program.locations.get(*location as usize).map_or("", String::as_str);
            write!(f, " at \"{}\"", text.replace('\\', "\\\\").replace('"', "\\\""))?;
        }
        Ok(())
    }
}

fn write_dma(f: &mut Formatter<'_>, program: &Program, dma: &Dma) -> fmt::Result {
    let side = |side: &Strided| Shown(program, (side.address, &side.strides[..])).to_string();
    write!(f, " {}[{}] {}", dma.element, Separated(&dma.shape, 'x'), side(&dma.destination))?;
    write!(f, " from {}", side(&dma.source))?;
    if let Some(Padding { before, after, value }) = &dma.padding {
        write!(f, " pad [{}] [{}] {value:#x}", Separated(before, ','), Separated(after, ','))?;
    }
    Ok(())
}

fn write_matmul(f: &mut Formatter<'_>, program: &Program, matmul: &Matmul) -> fmt::Result {
    let operand = |address, stride: u64| Shown(program, (address, &[stride][..])).to_string();
    write!(
        f,
        " {} {}x{}x{} {} {} {} * {}",
        matmul.types,
        matmul.m,
        matmul.n,
        matmul.k,
        operand(matmul.sums, matmul.sums_stride),
        if matmul.accumulate { "+=" } else { "=" },
        operand(matmul.lhs, matmul.lhs_stride),
        operand(matmul.rhs, matmul.rhs_stride),
    )?;
    if matmul.resident { f.write_str(" resident") } else { Ok(()) }
}

fn write_vector(f: &mut Formatter<'_>, program: &Program, vector: &Vector) -> fmt::Result {
    let [from, to] = vector.op.types();
    match vector.op {
        VectorOp::Binary(..) | VectorOp::Pool(_) => write!(f, " {from}")?,
        _ => write!(f, " {from}->{to}")?,
    }
    let tile = |tile: &Tile| Shown(program, (tile.address, &tile.strides[..])).to_string();
    write!(f, " {}x{} {} = {}", vector.rows, vector.columns, tile(&vector.destination), tile(&vector.first))?;
    if let Some(second) = &vector.second {
        write!(f, " {}", tile(second))?;
    }
    match vector.op {
        VectorOp::Requantize(requantize) | VectorOp::Dequantize(requantize) => {
            write!(f, " zero-point {}", requantize.zero_point)?;
            match requantize.scale {
                Scale::Fixed { multiplier, shift } => write!(f, " fixed {multiplier} {shift}"),
                Scale::Float(scale) => write!(f, " float {scale:?}"),
                Scale::FixedPerColumn => f.write_str(" fixed-per-column"),
                Scale::FloatPerColumn => f.write_str(" float-per-column"),
            }
        }
        VectorOp::Pool(pool) => {
            let by = |pair: [u32; 2]| format!("{}x{}", pair[0], pair[1]);
            write!(f, " image {} window {} steps {}", by(pool.image), by(pool.window), by(pool.steps))
        }
        _ => Ok(()),
    }
}

impl Program {
    /// Reads the text form.
    ///
    /// # Errors
    /// The first line that is not as it should be.
    pub fn from_text(text: &str) -> Result<Self, AssemblyError> {
        let mut parser = Parser::default();
        for (number, line) in text.lines().enumerate() {
            let mut words = Words { line, rest: line, number: number + 1 };
            if words.peek().is_some() {
                parser.line(&mut words)?;
                words.end()?;
            }
        }
        if parser.program.name.is_empty() {
            return Err(AssemblyError { line: 1, column: 1, message: "expected 'program NAME'".into() });
        }
        Ok(parser.program)
    }
}

type Parsed<T> = Result<T, AssemblyError>;

/// The words of a line.
struct Words<'a> {
    line: &'a str,
    rest: &'a str,
    number: usize,
}

impl<'a> Words<'a> {
    fn error(&self, message: impl Into<String>) -> AssemblyError {
        let before = &self.line[..self.line.len() - self.rest.len()];
        AssemblyError { line: self.number, column: before.chars().count() + 1, message: message.into() }
    }

    fn skip_blanks(&mut self) {
        self.rest = self.rest.trim_start();
        if self.rest.starts_with("//") {
            self.rest = &self.rest[self.rest.len()..];
        }
    }

    fn peek(&mut self) -> Option<&'a str> {
        self.skip_blanks();
        let end = self.rest.find(char::is_whitespace).unwrap_or(self.rest.len());
        Some(&self.rest[..end]).filter(|word| !word.is_empty())
    }

    /// Takes a word that `read` understands.
    fn word<T>(&mut self, expected: &str, read: impl FnOnce(&'a str) -> Option<T>) -> Parsed<T> {
        let Some(word) = self.peek() else { return Err(self.error(format!("expected {expected}"))) };
        let value = read(word).ok_or_else(|| self.error(format!("expected {expected}, but got '{word}'")))?;
        self.rest = &self.rest[word.len()..];
        Ok(value)
    }

    fn keyword(&mut self, keyword: &str) -> Parsed<()> {
        self.word(&format!("'{keyword}'"), |word| (word == keyword).then_some(()))
    }

    fn optional(&mut self, keyword: &str) -> bool {
        self.peek() == Some(keyword) && self.keyword(keyword).is_ok()
    }

    fn parse<T: FromStr>(&mut self, expected: &str) -> Parsed<T> {
        self.word(expected, |word| word.parse().ok())
    }

    fn token(&mut self) -> Parsed<Token> {
        self.word("a token, as 't3'", token)
    }

    fn extents<const N: usize>(&mut self, expected: &str) -> Parsed<[u32; N]> {
        self.word(expected, |word| array(word, 'x'))
    }

    /// A text in quotes.
    fn quoted(&mut self) -> Parsed<String> {
        self.skip_blanks();
        let mut text = String::new();
        let mut chars = self.rest.char_indices();
        if chars.next().is_none_or(|(_, c)| c != '"') {
            return Err(self.error("expected a text in quotes"));
        }
        while let Some((at, c)) = chars.next() {
            match c {
                '"' => {
                    self.rest = &self.rest[at + 1..];
                    return Ok(text);
                }
                '\\' => text.extend(chars.next().map(|(_, c)| c)),
                c if c.is_control() => break,
                c => text.push(c),
            }
        }
        Err(self.error("expected a text that ends with '\"'"))
    }

    fn end(&mut self) -> Parsed<()> {
        match self.peek() {
            Some(word) => Err(self.error(format!("expected the end of the line, but got '{word}'"))),
            None => Ok(()),
        }
    }
}

fn token(word: &str) -> Option<Token> {
    word.strip_prefix('t')?.parse().ok().map(Token)
}

fn array<T: FromStr + Copy + Default, const N: usize>(text: &str, separator: char) -> Option<[T; N]> {
    let mut values = [T::default(); N];
    let mut parts = text.split(separator);
    for value in &mut values {
        *value = parts.next()?.parse().ok()?;
    }
    parts.next().is_none().then_some(values)
}

/// `name[inside]`.
fn bracketed(word: &str) -> Option<(&str, &str)> {
    word.strip_suffix(']')?.split_once('[')
}

#[derive(Default)]
struct Parser {
    program: Program,
    bases: FxHashMap<String, Base>,
    locations: FxHashMap<String, u32>,
}

impl Parser {
    fn line(&mut self, words: &mut Words<'_>) -> Parsed<()> {
        let is_first = self.program.name.is_empty();
        if is_first {
            words.keyword("program")?;
            self.program.name = words.word("a name", name)?;
            return Ok(());
        }
        match words.peek().unwrap_or_default() {
            "memory" => {
                words.keyword("memory")?;
                let base = Base::Memory(self.program.memories.len() as u32);
                let name = self.declare(words, base)?;
                self.program.memories.push(name);
            }
            "buffer" => {
                words.keyword("buffer")?;
                self.buffer(words)?;
            }
            "core" => {
                words.keyword("core")?;
                let count = self.program.cores.len();
                words.word(&format!("'{count}', the number of this core"), |word| {
                    word.parse().ok().filter(|number: &usize| *number == count)
                })?;
                self.program.cores.push(Vec::new());
            }
            _ => {
                let instruction = self.instruction(words)?;
                match self.program.cores.last_mut() {
                    Some(core) => core.push(instruction),
                    None => return Err(words.error("expected 'core 0' before the first instruction")),
                }
            }
        }
        Ok(())
    }

    fn declare(&mut self, words: &mut Words<'_>, base: Base) -> Parsed<String> {
        let fresh = |word: &str| name(word).filter(|name| !self.bases.contains_key(name));
        let name = words.word("a name that is not in use", fresh)?;
        self.bases.insert(name.clone(), base);
        Ok(name)
    }

    fn buffer(&mut self, words: &mut Words<'_>) -> Parsed<()> {
        let base = Base::Buffer(self.program.buffers.len() as u32);
        let name = self.declare(words, base)?;
        let kinds = [BufferKind::Input, BufferKind::Output, BufferKind::Temporary, BufferKind::Constant(Vec::new())];
        let mut kind = words.word("'input', 'output', 'temporary' or 'constant'", |word| {
            kinds.into_iter().find(|kind| kind.name() == word)
        })?;
        let (element, shape) = words.word("a type, as 'i8[4x4]'", |word| {
            let (element, shape) = bracketed(word)?;
            let extents = shape.split('x').filter(|_| !shape.is_empty()).map(|extent| extent.parse().ok());
            Some((element.parse().ok()?, extents.collect::<Option<Vec<u64>>>()?))
        })?;
        let mut buffer = Buffer { name, kind: BufferKind::Temporary, element, shape };
        let Some(size) = buffer.size() else { return Err(words.error("a buffer larger than any memory")) };
        if let BufferKind::Constant(data) = &mut kind {
            *data = words.word(&format!("{size} bytes of data, as '0x0a0b'"), |word| {
                hexadecimal(word).filter(|data| data.len() as u64 == size)
            })?;
        }
        buffer.kind = kind;
        self.program.buffers.push(buffer);
        Ok(())
    }

    fn address(&self, words: &Words<'_>, name: &str, offset: &str) -> Parsed<Address> {
        let Some(&base) = self.bases.get(name) else {
            let mut names: Vec<&str> = self.bases.keys().map(String::as_str).collect();
            names.sort_unstable();
            return Err(words.error(format!("unknown memory or buffer '{name}'{}", hint(name, names.into_iter()))));
        };
        let offset = offset.parse().map_err(|_| words.error(format!("expected an offset, but got '{offset}'")))?;
        Ok(Address { base, offset })
    }

    /// `name+offset[strides]`.
    fn operand<const N: usize>(&self, words: &mut Words<'_>) -> Parsed<(Address, [u64; N])> {
        let expected = format!("a place, as 'name+0[{}]'", ["16,", "4,", "1"][3 - N..].concat());
        let (name, offset, strides) = words.word(&expected, |word| {
            let (place, strides) = bracketed(word)?;
            let (name, offset) = place.split_once('+')?;
            Some((name, offset, array(strides, ',')?))
        })?;
        Ok((self.address(words, name, offset)?, strides))
    }

    fn tile(&self, words: &mut Words<'_>) -> Parsed<Tile> {
        let (address, strides) = self.operand(words)?;
        Ok(Tile { address, strides })
    }

    fn strided(&self, words: &mut Words<'_>) -> Parsed<Strided> {
        let (address, strides) = self.operand(words)?;
        Ok(Strided { address, strides })
    }

    fn instruction(&mut self, words: &mut Words<'_>) -> Parsed<Instruction> {
        const OTHERS: [&str; 5] = ["load", "store", "matmul", "wait", "barrier"];
        let start = words.rest;
        let opcode = words.word("an instruction", Some)?;
        let signals = if words.peek().and_then(token).is_some() { Some(words.token()?) } else { None };
        let op = match opcode {
            "load" => Op::Dma(self.dma(words, Queue::Load)?),
            "store" => Op::Dma(self.dma(words, Queue::Store)?),
            "matmul" => Op::Matmul(self.matmul(words)?),
            "wait" => Op::Wait,
            "barrier" => Op::Barrier,
            other => {
                if let Some(function) = VectorFunction::all().find(|function| function.name() == other) {
                    Op::Vector(self.vector(words, function)?)
                } else {
                    words.rest = start;
                    words.skip_blanks();
                    let names = OTHERS.into_iter().chain(VectorFunction::all().map(VectorFunction::name));
                    return Err(words.error(format!("unknown instruction '{other}'{}", hint(other, names))));
                }
            }
        };
        let mut after = Vec::new();
        if words.optional("after") {
            after.push(words.token()?);
            while words.peek().and_then(token).is_some() {
                after.push(words.token()?);
            }
        }
        let location = if words.optional("at") { Some(self.location(words.quoted()?)) } else { None };
        Ok(Instruction { op, signals, after, location })
    }

    fn location(&mut self, text: String) -> u32 {
        let locations = &mut self.program.locations;
        *self.locations.entry(text).or_insert_with_key(|text| {
            locations.push(text.clone());
            (locations.len() - 1) as u32
        })
    }

    fn dma(&self, words: &mut Words<'_>, queue: Queue) -> Parsed<Dma> {
        let (element, shape) = words.word("a type with three extents, as 'i8[1x4x4]'", |word| {
            let (element, shape) = bracketed(word)?;
            Some((element.parse().ok()?, array(shape, 'x')?))
        })?;
        let destination = self.strided(words)?;
        words.keyword("from")?;
        let source = self.strided(words)?;
        let padding = if words.optional("pad") {
            let list = |word: &str| array(word.strip_prefix('[')?.strip_suffix(']')?, ',');
            let before = words.word("three extents, as '[0,1,1]'", list)?;
            let after = words.word("three extents, as '[0,1,1]'", list)?;
            let bits = |word: &str| u32::from_str_radix(word.strip_prefix("0x")?, 16).ok();
            Some(Padding { before, after, value: words.word("bits, as '0x0'", bits)? })
        } else {
            None
        };
        Ok(Dma { queue, element, shape, destination, source, padding })
    }

    fn matmul(&self, words: &mut Words<'_>) -> Parsed<Matmul> {
        let types = words.word("types, as 'i8*i8->i32'", matrix_types)?;
        let [m, n, k] = words.extents("extents m, n and k, as '16x16x16'")?;
        let (sums, [sums_stride]) = self.operand(words)?;
        let accumulate = words.word("'=' or '+='", |word| ["=", "+="].iter().position(|known| *known == word))? == 1;
        let (lhs, [lhs_stride]) = self.operand(words)?;
        words.keyword("*")?;
        let (rhs, [rhs_stride]) = self.operand(words)?;
        let resident = words.optional("resident");
        Ok(Matmul { types, m, n, k, lhs, lhs_stride, rhs, rhs_stride, sums, sums_stride, accumulate, resident })
    }

    fn vector(&self, words: &mut Words<'_>, function: VectorFunction) -> Parsed<Vector> {
        let has_one_type =
            matches!(function, VectorFunction::Binary(_) | VectorFunction::PoolMax | VectorFunction::PoolAverage);
        let [from, to] = if has_one_type {
            [words.parse::<ElementType>("an element type")?; 2]
        } else {
            words.word("types, as 'i32->i8'", |word| {
                let (from, to) = word.split_once("->")?;
                Some([from.parse().ok()?, to.parse().ok()?])
            })?
        };
        let [rows, columns] = words.extents("rows and columns, as '4x16'")?;
        let destination = self.tile(words)?;
        words.keyword("=")?;
        let first = self.tile(words)?;
        // Only places have a plus sign.
        let second = if words.peek().is_some_and(|word| word.contains('+')) { Some(self.tile(words)?) } else { None };
        let op = match function {
            VectorFunction::Binary(op) => VectorOp::Binary(op, from),
            VectorFunction::Unary(op) => VectorOp::Unary(op, from, to),
            VectorFunction::Reduce(op) => VectorOp::Reduce(op, from, to),
            VectorFunction::Requantize => VectorOp::Requantize(requantize(words, from, to)?),
            VectorFunction::Dequantize => VectorOp::Dequantize(requantize(words, from, to)?),
            VectorFunction::PoolMax => VectorOp::Pool(pool(words, PoolOp::Max, from)?),
            VectorFunction::PoolAverage => VectorOp::Pool(pool(words, PoolOp::Average, from)?),
        };
        if op.has_second() != second.is_some() {
            let expected = if op.has_second() { "two operands" } else { "one operand" };
            return Err(words.error(format!("expected {expected}")));
        }
        Ok(Vector { op, rows, columns, destination, first, second })
    }
}

fn requantize(words: &mut Words<'_>, from: ElementType, to: ElementType) -> Parsed<Requantize> {
    words.keyword("zero-point")?;
    let zero_point = words.parse("an integer")?;
    let scale = match words.word("'fixed', 'float', 'fixed-per-column' or 'float-per-column'", Some)? {
        "fixed" => Scale::Fixed { multiplier: words.parse("a multiplier")?, shift: words.parse("a shift")? },
        "float" => {
            Scale::Float(words.word("a finite float", |word| word.parse().ok().filter(|f: &f32| f.is_finite()))?)
        }
        "fixed-per-column" => Scale::FixedPerColumn,
        "float-per-column" => Scale::FloatPerColumn,
        other => return Err(words.error(format!("unknown kind of scale '{other}'"))),
    };
    Ok(Requantize { from, to, zero_point, scale })
}

fn pool(words: &mut Words<'_>, op: PoolOp, element: ElementType) -> Parsed<Pool> {
    let mut pair = |keyword: &str| {
        words.keyword(keyword)?;
        words.extents("height and width, as '4x4'")
    };
    Ok(Pool { op, element, image: pair("image")?, window: pair("window")?, steps: pair("steps")? })
}

fn name(word: &str) -> Option<String> {
    is_name(word).then(|| word.to_owned())
}

fn hexadecimal(word: &str) -> Option<Vec<u8>> {
    let digits = word.strip_prefix("0x")?.as_bytes();
    let digit = |byte: u8| char::from(byte).to_digit(16);
    let byte = |pair: &[u8]| match *pair {
        [high, low] => Some((digit(high)? << 4 | digit(low)?) as u8),
        _ => None,
    };
    digits.chunks(2).map(byte).collect()
}
