//! Elements attributes: `dense<...>`, `sparse<...>`, and the elements of `array<...>`.

use super::{AsmPrinter, NameOfElided};
use crate::attributes::{Attr, AttrData, DenseData, DenseElement};
use crate::number::{ApInt, float};
use crate::types::{Signedness, TypeData, TypeRef};

impl AsmPrinter<'_> {
    /// An elements attribute, without its type. Nothing while aliases are collected: the elements have none.
    pub(super) fn elements_attr(&mut self, attr: Attr) {
        if self.collector.is_some() {
            return;
        }
        let view = self.cx.attr(attr);
        if self.options.elide_elements_larger_than.is_some_and(|limit| self.num_shown(attr) > limit) {
            match (self.options.name_of_elided, view.data()) {
                (None, _) => return self.text("dense_resource<__elided__>"),
                (Some(NameOfElided(name)), AttrData::DenseElements { data, .. }) => {
                    self.text("dense_resource<");
                    self.keyword_or_string(&name(data));
                    return self.char('>');
                }
                _ => {}
            }
        }
        if let AttrData::SparseElements { indices, values, .. } = view.data() {
            self.text("sparse<");
            if self.cx.attr(*indices).ty().and_then(TypeRef::num_elements) != Some(0) {
                self.dense_elements(*indices, false);
                self.text(", ");
                self.dense_elements(*values, true);
            }
        } else {
            self.text("dense<");
            self.dense_elements(attr, true);
        }
        self.char('>');
    }

    /// How many elements the text of `attr` has: none to speak of where all are the same.
    fn num_shown(&self, attr: Attr) -> u64 {
        let view = self.cx.attr(attr);
        match view.data() {
            AttrData::DenseElements { data, .. } if data.is_splat() => 0,
            AttrData::DenseStrings { values, .. } if values.len() == 1 => 0,
            AttrData::SparseElements { indices, values, .. } => self.num_shown(*indices).max(self.num_shown(*values)),
            _ => view.ty().and_then(TypeRef::num_elements).unwrap_or(u64::MAX),
        }
    }

    /// What stands between the brackets of `dense<...>`.
    fn dense_elements(&mut self, attr: Attr, allow_hex: bool) {
        let view = self.cx.attr(attr);
        let shape = view.ty().and_then(TypeRef::shape).unwrap_or_default();
        match view.data() {
            AttrData::DenseStrings { values, .. } => {
                if let [value] = &**values {
                    return self.string(value);
                }
                self.nested(shape, &mut |p, i| {
                    if let Some(value) = values.get(i) {
                        p.string(value);
                    }
                });
            }
            AttrData::DenseElements { ty, data } => {
                let Some(element) = self.cx.ty(*ty).element_type() else { return };
                let Some(size) = view.dense_element() else { return };
                if data.is_splat() {
                    return self.number_at(element, data.bytes());
                }
                let count = self.cx.ty(*ty).num_elements().unwrap_or(0);
                if allow_hex && self.options.hex_elements_larger_than.is_some_and(|limit| count > limit) {
                    return self.hex_elements(data, size);
                }
                let bytes = size.bytes();
                self.nested(shape, &mut |p, i| p.number_at(element, data.element(i, bytes)));
            }
            _ => {}
        }
    }

    /// `[[a, b], [c, d]]`, the elements by `print`. Nothing for a shape without elements.
    fn nested(&mut self, shape: &[i64], print: &mut dyn FnMut(&mut Self, usize)) {
        let count: usize = shape.iter().map(|&extent| extent as usize).product();
        if count == 0 {
            return;
        }
        // How many elements each dimension's lists hold, innermost first.
        let mut sizes: smallvec::SmallVec<[usize; 6]> = smallvec::SmallVec::new();
        let mut size = 1;
        for &extent in shape.iter().rev() {
            size *= extent as usize;
            sizes.push(size);
        }
        for i in 0..count {
            let opening = sizes.iter().filter(|&&size| i % size == 0).count();
            if i > 0 {
                self.text(", ");
            }
            for _ in 0..opening {
                self.char('[');
            }
            print(self, i);
            for _ in 0..sizes.iter().filter(|&&size| (i + 1) % size == 0).count() {
                self.char(']');
            }
        }
    }

    /// One number, or two of a complex one, from its bytes.
    fn number_at(&mut self, ty: TypeRef<'_>, bytes: &[u8]) {
        match ty.data() {
            TypeData::Complex(part) => {
                let part = self.cx.ty(*part);
                let (real, imaginary) = bytes.split_at(bytes.len() / 2);
                self.char('(');
                self.number_at(part, real);
                self.char(',');
                self.number_at(part, imaginary);
                self.char(')');
            }
            TypeData::Float(kind) => {
                let mut bits = [0; 16];
                bits[..bytes.len()].copy_from_slice(bytes);
                self.out.push_with(|out| float::print(*kind, u128::from_le_bytes(bits), out));
            }
            TypeData::Integer { width: 1, .. } => {
                self.text(if bytes.first() == Some(&0) { "false" } else { "true" });
            }
            TypeData::Integer { width, signedness } => self.integer_at(*width, *signedness, bytes),
            TypeData::Index => self.integer_at(64, Signedness::Signed, bytes),
            _ => {}
        }
    }

    fn integer_at(&mut self, width: u32, signedness: Signedness, bytes: &[u8]) {
        let unsigned = signedness == Signedness::Unsigned;
        if width <= 64 && bytes.len() <= 8 {
            let mut word = [0; 8];
            word[..bytes.len()].copy_from_slice(bytes);
            let value = u64::from_le_bytes(word);
            if unsigned {
                self.out.push_int(value);
            } else {
                let shift = 64 - width.max(1);
                self.int((value << shift).cast_signed() >> shift);
            }
            return;
        }
        let value = ApInt::from_le_bytes(width, bytes);
        if unsigned {
            self.out.push_with(|out| value.write_unsigned(out));
        } else {
            self.out.push_with(|out| value.write_signed(out));
        }
    }

    /// `"0x..."`: the packed bytes, an `i1` as one bit.
    fn hex_elements(&mut self, data: &DenseData, element: DenseElement) {
        self.text("\"0x");
        self.out.push_hex(&data.to_raw(element));
        self.char('"');
    }

    /// The elements of `array<...>` with commas between them, after `before`; nothing where there are none.
    pub(super) fn dense_array_elements(&mut self, attr: Attr, before: &str) {
        let AttrData::DenseArray { element, data } = self.cx.attr_data(attr) else { return };
        let element = self.cx.ty(*element);
        let size = element.int_or_float_width().map_or(1, |width| (width as usize).div_ceil(8).max(1));
        if data.is_empty() {
            return;
        }
        self.text(before);
        self.comma_separated(data.chunks_exact(size), |p, bytes| p.number_at(element, bytes));
    }
}
