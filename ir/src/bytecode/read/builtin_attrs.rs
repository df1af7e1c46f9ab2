//! Attributes and locations of the `builtin` dialect. Each begins with its code.

use bytes::Bytes;

use super::cursor::{Cursor, Read};
use super::entries::{AttrSlot, Decoder};
use crate::attributes::{Attr, AttrData, DenseData, DenseElement};
use crate::bytecode::encoding::attr_code as code;
use crate::entity::Ident;
use crate::location::{Loc, LocData};
use crate::number::ApInt;
use crate::types::{Type, TypeData};

impl<'b> Decoder<'_, '_, 'b> {
    /// An attribute or location.
    pub(super) fn builtin_attr(&mut self, cursor: &mut Cursor<'b>) -> Read<AttrSlot> {
        let cx = self.cx;
        let kind = cursor.varint()?;
        let data = match kind {
            code::CALL_SITE_LOC
            | code::FILE_LINE_COL_LOC
            | code::FUSED_LOC
            | code::FUSED_LOC_WITH_METADATA
            | code::NAME_LOC
            | code::UNKNOWN_LOC
            | code::FILE_LINE_COL_RANGE => return self.builtin_loc(kind, cursor).map(AttrSlot::Loc),
            code::ARRAY => AttrData::Array(self.list(cursor, Self::attr)?.into()),
            code::DICTIONARY => return self.dictionary(cursor).map(AttrSlot::Attr),
            code::STRING => AttrData::String { value: self.strings.at(cursor)?.into(), ty: None },
            code::STRING_WITH_TYPE => {
                let value = self.strings.at(cursor)?.into();
                AttrData::String { value, ty: Some(self.ty(cursor)?).filter(|&ty| ty != cx.none_type()) }
            }
            code::FLAT_SYMBOL_REF => AttrData::SymbolRef { root: self.name(cursor)?, nested: Box::default() },
            code::SYMBOL_REF => {
                let root = self.name(cursor)?;
                AttrData::SymbolRef { root, nested: self.list(cursor, Self::flat_symbol)?.into() }
            }
            code::TYPE => AttrData::Type(self.ty(cursor)?),
            code::UNIT => AttrData::Unit,
            code::INTEGER => self.integer(cursor)?,
            code::FLOAT => self.float(cursor)?,
            code::DENSE_RESOURCE => {
                let ty = self.shaped_type(cursor)?;
                AttrData::DenseResource { ty, key: self.resources.at(cursor)? }
            }
            code::DENSE_ARRAY => self.dense_array(cursor)?,
            code::DENSE_ELEMENTS => self.dense_elements(cursor)?,
            code::DENSE_STRINGS => self.dense_strings(cursor)?,
            code::SPARSE_ELEMENTS => self.sparse_elements(cursor)?,
            code::DISTINCT => AttrData::Distinct { id: cx.fresh_distinct(), referenced: self.attr(cursor)? },
            _ => return Err(cursor.fault(format!("unknown attribute code: {kind}"))),
        };
        Ok(AttrSlot::Attr(cx.intern_attr(data)))
    }

    fn dictionary(&mut self, cursor: &mut Cursor<'b>) -> Read<Attr> {
        let cx = self.cx;
        let mut entries: Vec<(Ident, Attr)> = self.list(cursor, |d, cursor| Ok((d.name(cursor)?, d.attr(cursor)?)))?;
        let is_sorted = |pair: &[(Ident, Attr)]| cx.str(pair[0].0) < cx.str(pair[1].0);
        if !entries.windows(2).all(is_sorted) {
            entries.sort_by(|a, b| cx.str(a.0).cmp(cx.str(b.0)));
            if let Some(pair) = entries.windows(2).find(|pair| pair[0].0 == pair[1].0) {
                let message = format!("duplicate key '{}' in dictionary attribute", cx.str(pair[0].0));
                return Err(cursor.fault(message));
            }
        }
        Ok(cx.intern_attr(AttrData::Dictionary(entries.into())))
    }

    /// A symbol without nested ones, by its name.
    fn flat_symbol(&mut self, cursor: &mut Cursor<'b>) -> Read<Ident> {
        let attr = self.attr(cursor)?;
        match self.cx.attr_data(attr) {
            AttrData::SymbolRef { root, nested } if nested.is_empty() => Ok(*root),
            _ => {
                let message = format!("expected a flat symbol reference, but got: {}", self.cx.attr(attr));
                Err(cursor.fault(message))
            }
        }
    }

    fn integer(&mut self, cursor: &mut Cursor<'b>) -> Read<AttrData> {
        let ty = self.ty(cursor)?;
        let width = match self.cx.type_data(ty) {
            TypeData::Integer { width, .. } => *width,
            TypeData::Index => 64,
            _ => {
                let found = self.cx.ty(ty);
                let message = format!("expected integer or index type for IntegerAttr, but got: {found}");
                return Err(cursor.fault(message));
            }
        };
        Ok(AttrData::Integer { ty, value: int(cursor, width)? })
    }

    fn float(&mut self, cursor: &mut Cursor<'b>) -> Read<AttrData> {
        let ty = self.ty(cursor)?;
        let Some(kind) = self.cx.ty(ty).float_kind() else {
            let message = format!("expected a floating-point type for FloatAttr, but got: {}", self.cx.ty(ty));
            return Err(cursor.fault(message));
        };
        let bits = int(cursor, kind.width())?;
        Ok(AttrData::Float { ty, bits: bits.to_u128().unwrap_or_default().into() })
    }

    fn dense_array(&mut self, cursor: &mut Cursor<'b>) -> Read<AttrData> {
        let element = self.ty(cursor)?;
        let size = cursor.varint()?;
        let data = cursor.blob()?;
        let view = self.cx.ty(element);
        let Some(width) = view.int_or_float_width().filter(|&width| width == 1 || width.is_multiple_of(8)) else {
            let message = format!("expected an array of integers or floats of whole bytes, but got: '{view}'");
            return Err(cursor.fault(message));
        };
        let bytes = u64::from(width.div_ceil(8));
        if size.checked_mul(bytes) != Some(data.len() as u64) {
            let message = format!("expected {size} elements of {bytes} bytes, but got {} bytes", data.len());
            return Err(cursor.fault(message));
        }
        let data = if width == 1 { data.iter().map(|&byte| u8::from(byte != 0)).collect() } else { data.into() };
        Ok(AttrData::DenseArray { element, data })
    }

    /// A ranked or unranked tensor, memref or vector type.
    fn shaped_type(&mut self, cursor: &mut Cursor<'b>) -> Read<Type> {
        let ty = self.ty(cursor)?;
        if self.cx.ty(ty).is_shaped() {
            return Ok(ty);
        }
        Err(cursor.fault(format!("expected a shaped type, but got: {}", self.cx.ty(ty))))
    }

    /// A shaped type of static shape, and the number of its elements.
    fn elements_type(&mut self, cursor: &mut Cursor<'b>) -> Read<(Type, usize)> {
        let ty = self.ty(cursor)?;
        let view = self.cx.ty(ty);
        match view.num_elements().and_then(|count| usize::try_from(count).ok()) {
            Some(count) => Ok((ty, count)),
            None => Err(cursor.fault(format!("expected a shaped type of static shape, but got: {view}"))),
        }
    }

    fn dense_elements(&mut self, cursor: &mut Cursor<'b>) -> Read<AttrData> {
        let (ty, count) = self.elements_type(cursor)?;
        let raw = cursor.blob()?;
        let view = self.cx.ty(ty);
        let Some(element) = view.element_type().and_then(DenseElement::of).filter(|e| e.bits > 0) else {
            return Err(cursor.fault(format!("expected elements that are numbers, but got: {view}")));
        };
        let Some(data) = DenseData::from_raw(Bytes::copy_from_slice(raw), element, count) else {
            let message = format!("elements data of {} bytes is invalid for provided type: '{view}'", raw.len());
            return Err(cursor.fault(message));
        };
        Ok(AttrData::DenseElements { ty, data })
    }

    fn dense_strings(&mut self, cursor: &mut Cursor<'b>) -> Read<AttrData> {
        let (ty, count) = self.elements_type(cursor)?;
        let view = self.cx.ty(ty);
        // In text, what stands for a number is none in quotes, but its bytes.
        if view.element_type().and_then(DenseElement::of).is_some() {
            return Err(cursor.fault(format!("expected elements that are strings, but got: {view}")));
        }
        let is_splat = cursor.varint()? != 0;
        let count = if is_splat { 1 } else { count };
        let mut values: Vec<Box<[u8]>> = Vec::with_capacity(cursor.capacity(count as u64));
        for _ in 0..count {
            values.push(self.strings.at(cursor)?.into());
        }
        Ok(AttrData::DenseStrings { ty, values: values.into() })
    }

    fn sparse_elements(&mut self, cursor: &mut Cursor<'b>) -> Read<AttrData> {
        let (ty, _) = self.elements_type(cursor)?;
        let (indices, values) = (self.attr(cursor)?, self.attr(cursor)?);
        match crate::attributes::check_sparse(self.cx, ty, indices, values) {
            Ok(()) => Ok(AttrData::SparseElements { ty, indices, values }),
            Err(message) => Err(cursor.fault(message)),
        }
    }

    fn builtin_loc(&mut self, kind: u64, cursor: &mut Cursor<'b>) -> Read<Loc> {
        let cx = self.cx;
        let data = match kind {
            code::CALL_SITE_LOC => {
                let callee = self.loc(cursor)?;
                LocData::CallSite { callee, caller: self.loc(cursor)? }
            }
            code::FILE_LINE_COL_LOC => {
                let file = self.name(cursor)?;
                let start = (line_or_column(cursor)?, line_or_column(cursor)?);
                LocData::FileRange { file, start, end: start }
            }
            code::FILE_LINE_COL_RANGE => {
                let file = self.name(cursor)?;
                let at = self.list(cursor, |_, cursor| line_or_column(cursor))?;
                let (start, end) = match at[..] {
                    [] => ((0, 0), (0, 0)),
                    [line] => ((line, 0), (line, 0)),
                    [line, column] => ((line, column), (line, column)),
                    [line, column, end] => ((line, column), (line, end)),
                    [line, column, end_line, end] => ((line, column), (end_line, end)),
                    _ => return Err(cursor.fault(format!("a file range of {} numbers", at.len()))),
                };
                LocData::FileRange { file, start, end }
            }
            code::FUSED_LOC | code::FUSED_LOC_WITH_METADATA => {
                let locs = self.list(cursor, Self::loc)?;
                let metadata = if kind == code::FUSED_LOC { None } else { Some(self.attr(cursor)?) };
                return Ok(cx.fused_loc(&locs, metadata));
            }
            code::NAME_LOC => {
                let name = self.name(cursor)?;
                LocData::Name { name, child: self.loc(cursor)? }
            }
            _ => return Ok(Loc::UNKNOWN),
        };
        Ok(cx.intern_loc(data))
    }
}

fn line_or_column(cursor: &mut Cursor<'_>) -> Read<u32> {
    let value = cursor.varint()?;
    u32::try_from(value).map_err(|_| cursor.fault(format!("unsupported: line or column {value}")))
}

/// An integer of `width` bits: a byte, a number, or a list of the words that are not zero at its end.
fn int(cursor: &mut Cursor<'_>, width: u32) -> Read<ApInt> {
    if width <= 8 {
        return Ok(ApInt::from_u64(width, u64::from(cursor.byte()?)));
    }
    if width <= 64 {
        return Ok(ApInt::from_i64(width, cursor.signed_varint()?));
    }
    let words = cursor.varint()?;
    if words > u64::from(width.div_ceil(64)) {
        return Err(cursor.fault(format!("an integer of {width} bits in {words} words of 64 bits")));
    }
    let mut bytes = Vec::with_capacity(cursor.capacity(words) * 8);
    for _ in 0..words {
        bytes.extend(cursor.signed_varint()?.to_le_bytes());
    }
    Ok(ApInt::from_le_bytes(width, &bytes))
}
