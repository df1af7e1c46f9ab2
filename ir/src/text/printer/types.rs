//! Types.

use rustc_hash::FxHashMap;

use super::aliases::Key;
use super::{AsmPrinter, Piece, guarded};
use crate::attributes::Attr;
use crate::context::Context;
use crate::types::{DYNAMIC, Signedness, Type, TypeData};

/// The texts of types that were printed before, or their aliases.
#[derive(Default)]
pub(super) struct TypeTexts {
    /// Short ones of types made early, by type; empty where there is none.
    pieces: Vec<Piece>,
    /// The others, in one buffer.
    ranges: FxHashMap<Type, (usize, usize)>,
    buffer: String,
}

impl TypeTexts {
    /// Entries of the table of pieces.
    const MAX_PIECES: usize = 4096;
    /// Longer texts are not kept: those of deep types would add up to the square of their depth.
    const MAX_LEN: usize = 128;

    /// The text of `ty`, if it is short and known.
    #[inline]
    pub(super) fn piece(&self, ty: Type) -> Option<&Piece> {
        self.pieces.get(ty.index()).filter(|piece| !piece.is_empty())
    }

    /// Keeps the text of `ty`, at most [`MAX_LEN`](Self::MAX_LEN) bytes.
    fn keep(&mut self, ty: Type, text: &str) {
        if ty.index() < Self::MAX_PIECES
            && let Some(piece) = Piece::new(text)
        {
            if self.pieces.len() <= ty.index() {
                self.pieces.resize(ty.index() + 1, Piece::EMPTY);
            }
            self.pieces[ty.index()] = piece;
        } else {
            let start = self.buffer.len();
            self.buffer.push_str(text);
            self.ranges.insert(ty, (start, self.buffer.len()));
        }
    }
}

impl AsmPrinter<'_> {
    /// A type, or its alias.
    #[inline]
    pub fn ty(&mut self, ty: Type) {
        // Nothing is kept while aliases are collected.
        match self.type_texts.piece(ty) {
            Some(piece) => self.out.push(piece),
            None => self.long_or_new_type(ty),
        }
    }

    fn long_or_new_type(&mut self, ty: Type) {
        if self.collector.is_some() {
            return self.visit(Key::Type(ty));
        }
        if let Some(&(start, end)) = self.type_texts.ranges.get(&ty) {
            return self.out.push_str(&self.type_texts.buffer[start..end]);
        }
        let start = self.out.len();
        if !self.alias(Key::Type(ty)) {
            guarded(|| self.type_body(ty));
        }
        if self.out.len() - start <= TypeTexts::MAX_LEN {
            self.type_texts.keep(ty, self.out.since(start));
        }
    }

    /// Types with commas between them.
    pub fn types(&mut self, types: impl IntoIterator<Item = Type>) {
        self.comma_separated(types, Self::ty);
    }

    /// `4x?`: extents with `x` between them.
    pub fn dimension_list(&mut self, shape: &[i64]) {
        self.separated(shape, "x", |p, &extent| p.extent(extent));
    }

    fn extent(&mut self, extent: i64) {
        if extent == DYNAMIC { self.char('?') } else { self.int(extent) }
    }

    fn shape(&mut self, shape: &[i64]) {
        for &extent in shape {
            self.extent(extent);
            self.char('x');
        }
    }

    /// A type, never as an alias.
    pub(super) fn type_body(&mut self, ty: Type) {
        match self.cx.type_data(ty) {
            TypeData::Integer { width, signedness } => {
                self.text(integer_prefix(*signedness));
                self.int(i64::from(*width));
            }
            TypeData::Index => self.text("index"),
            TypeData::Float(kind) => self.text(kind.keyword()),
            TypeData::None => self.text("none"),
            TypeData::Complex(element) => self.enclosed("complex<", |p| p.ty(*element)),
            TypeData::Vector { shape, scalable, element } => self.enclosed("vector<", |p| {
                for (i, &extent) in shape.iter().enumerate() {
                    let in_brackets = scalable.get(i).copied().unwrap_or(false);
                    p.text(if in_brackets { "[" } else { "" });
                    p.int(extent);
                    p.text(if in_brackets { "]x" } else { "x" });
                }
                p.ty(*element);
            }),
            TypeData::RankedTensor { shape, element, encoding } => self.enclosed("tensor<", |p| {
                p.shape(shape);
                p.ty(*element);
                if let Some(encoding) = encoding {
                    p.text(", ");
                    p.attr(*encoding);
                }
            }),
            TypeData::UnrankedTensor { element } => self.enclosed("tensor<*x", |p| p.ty(*element)),
            TypeData::MemRef { shape, element, layout, space } => self.enclosed("memref<", |p| {
                p.shape(shape);
                p.ty(*element);
                p.memref_part(*layout);
                p.memref_part(*space);
            }),
            TypeData::UnrankedMemRef { element, space } => self.enclosed("memref<*x", |p| {
                p.ty(*element);
                p.memref_part(*space);
            }),
            TypeData::Function { inputs, results } => self.functional_type(inputs, results),
            TypeData::Tuple(types) => self.enclosed("tuple<", |p| p.types(types.iter().copied())),
            TypeData::Opaque { dialect, data } => {
                self.opaque_symbol('!', self.cx.str(*dialect), data);
            }
            TypeData::Dialect { name, params } => {
                let definition = self.cx.type_definition(*name);
                self.dialect_symbol('!', self.cx.str(*name), |p| {
                    if let Some(definition) = definition {
                        definition.print(params, p);
                    }
                });
            }
        }
    }

    fn enclosed(&mut self, open: &str, print: impl FnOnce(&mut Self)) {
        self.text(open);
        print(self);
        self.char('>');
    }

    fn memref_part(&mut self, attr: Option<Attr>) {
        if let Some(attr) = attr {
            self.text(", ");
            self.attr_eliding_type(attr);
        }
    }

    /// `!dialect.name<...>` where the text allows it, else `!dialect<...>`.
    pub(super) fn opaque_symbol(&mut self, prefix: char, dialect: &str, data: &str) {
        self.char(prefix);
        self.text(dialect);
        // `name->` between brackets would read as an arrow.
        if is_pretty_symbol(data) || data.ends_with('-') {
            self.char('.');
            self.text(data);
        } else {
            self.char('<');
            self.text(data);
            self.char('>');
        }
    }
}

fn integer_prefix(signedness: Signedness) -> &'static str {
    match signedness {
        Signedness::Signless => "i",
        Signedness::Signed => "si",
        Signedness::Unsigned => "ui",
    }
}

/// The text of an integer type, without a printer: names of constants are made of it.
pub(super) fn simple_text(cx: &Context, ty: Type) -> Option<String> {
    let TypeData::Integer { width, signedness } = cx.type_data(ty) else { return None };
    let mut text = String::with_capacity(16);
    text.push_str(integer_prefix(*signedness));
    text.push_str(itoa::Buffer::new().format(*width));
    Some(text)
}

/// Whether the text of a dialect symbol may follow a dot: a word, perhaps with one balanced `<...>` after it.
fn is_pretty_symbol(data: &str) -> bool {
    let bytes = data.as_bytes();
    if !bytes.first().is_some_and(u8::is_ascii_alphabetic) {
        return false;
    }
    let word = bytes.iter().take_while(|b| b.is_ascii_alphanumeric() || matches!(b, b'.' | b'_')).count();
    let body = &bytes[word..];
    body.is_empty() || closes_at_end(body)
}

/// Whether `body` is one bracketed text whose brackets nest.
fn closes_at_end(body: &[u8]) -> bool {
    if body.first() != Some(&b'<') {
        return false;
    }
    let mut nesting: Vec<u8> = Vec::new();
    let mut at = 0;
    while let Some(&b) = body.get(at) {
        at += 1;
        let open = match b {
            0 => return false,
            b'<' | b'(' | b'[' | b'{' => {
                nesting.push(b);
                continue;
            }
            b'-' if body.get(at) == Some(&b'>') => {
                at += 1;
                continue;
            }
            b'>' => b'<',
            b')' => b'(',
            b']' => b'[',
            b'}' => b'{',
            b'"' => {
                match string_length(&body[at..]) {
                    Some(len) => at += len,
                    None => return false,
                }
                continue;
            }
            _ => continue,
        };
        if nesting.pop() != Some(open) {
            return false;
        }
        if nesting.is_empty() {
            return at == body.len();
        }
    }
    false
}

/// Bytes up to and including the closing quote.
fn string_length(text: &[u8]) -> Option<usize> {
    let mut at = 0;
    loop {
        match text.get(at)? {
            b'"' => return Some(at + 1),
            b'\\' => at += 2,
            _ => at += 1,
        }
    }
}
