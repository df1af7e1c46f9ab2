//! The properties section, and how the properties of an operation become attributes.

use super::cursor::{Cursor, Read};
use super::entries::AttrSlot;
use super::ir::Tables;
use crate::attributes::{Attr, AttrData};
use crate::bytecode::layout::{FieldKind, Layout, attr_of_number};
use crate::rewriter::OpState;
use crate::text::PROPERTIES;

/// The distinct properties of the operations of a file, encoded.
#[derive(Default)]
pub(super) struct Properties<'b> {
    all: Vec<Cursor<'b>>,
}

impl<'b> Properties<'b> {
    /// Reads where they are.
    pub(super) fn read(mut section: Cursor<'b>) -> Read<Self> {
        let count = section.varint()?;
        let mut all = Vec::with_capacity(section.capacity(count));
        for _ in 0..count {
            let size = section.varint()?;
            all.push(section.sub(size)?);
        }
        section.expect_end(|| "broken properties section: didn't exhaust the offsets table".to_owned())?;
        Ok(Self { all })
    }

    /// The properties that are referred to at `cursor` by operation `name`.
    pub(super) fn at(&self, cursor: &mut Cursor<'_>, name: &str) -> Read<Cursor<'b>> {
        let index = cursor.varint()?;
        let found = usize::try_from(index).ok().and_then(|index| self.all.get(index));
        found.copied().ok_or_else(|| cursor.fault(format!("properties index {index} out of bounds for '{name}'")))
    }
}

/// Reads the properties of an operation into its attributes.
pub(super) fn read_into(
    state: &mut OpState,
    tables: &Tables<'_, '_>,
    layout: &Layout,
    mut encoded: Cursor<'_>,
) -> Read<()> {
    let cx = tables.cx;
    let cursor = &mut encoded;
    for field in &layout.fields {
        let value = match field.kind {
            FieldKind::Required => Some(attr_at(tables, cursor)?),
            FieldKind::Optional { .. } => {
                let (index, is_there) = cursor.varint_with_flag()?;
                if is_there { Some(tables.attr(index, cursor)?) } else { None }
            }
            FieldKind::Number { default } => {
                let value = cursor.varint()?;
                let attr = attr_of_number(cx, value, default);
                let wrong = || cursor.fault(format!("invalid value {value} of property '{}'", cx.str(field.name)));
                Some(attr.ok_or_else(wrong)?)
            }
            FieldKind::Flag => (cursor.byte()? != 0).then(|| cx.unit_attr()),
            FieldKind::SegmentsAttr => Some(attr_at(tables, cursor)?),
            FieldKind::Segments { count } => {
                let sizes = sparse_array(cursor, count)?;
                Some(cx.dense_i32_array(&sizes))
            }
        };
        if let Some(value) = value {
            state.set_attr(field.name, value);
        }
    }
    cursor.expect_end(|| "unexpected trailing bytes in the properties of an operation".to_owned())
}

/// Reads the properties of an operation that was not registered where the file was written: an attribute.
pub(super) fn read_attr_into(
    state: &mut OpState,
    tables: &Tables<'_, '_>,
    is_registered: bool,
    mut encoded: Cursor<'_>,
) -> Read<()> {
    let cx = tables.cx;
    let attr = attr_at(tables, &mut encoded)?;
    encoded.expect_end(|| "unexpected trailing bytes in the properties of an operation".to_owned())?;
    match cx.attr_data(attr) {
        AttrData::Dictionary(entries) if is_registered => {
            for &(name, value) in entries {
                state.set_attr(name, value);
            }
        }
        _ if is_registered => {
            return Err(encoded.fault("expected a dictionary attribute as properties of a registered operation"));
        }
        _ => state.set_attr(cx.ident(PROPERTIES), attr),
    }
    Ok(())
}

fn attr_at(tables: &Tables<'_, '_>, cursor: &mut Cursor<'_>) -> Read<Attr> {
    let index = cursor.varint()?;
    tables.attr(index, cursor)
}

impl Tables<'_, '_> {
    /// Attribute number `index`. `cursor` is where it is referred to.
    pub(super) fn attr(&self, index: u64, cursor: &Cursor<'_>) -> Read<Attr> {
        Ok(match self.slot(index, cursor)? {
            AttrSlot::Loc(loc) => self.cx.intern_attr(AttrData::Location(loc)),
            AttrSlot::Attr(attr) => attr,
            AttrSlot::Unread | AttrSlot::Open => return Err(cursor.fault("an attribute that refers to itself")),
        })
    }
}

/// `count` numbers, most of them zero: all of them in a row, or pairs of position and number packed into one.
fn sparse_array(cursor: &mut Cursor<'_>, count: usize) -> Read<Vec<i32>> {
    const MAX_INDEX_BITS: u64 = 8;
    let mut array = vec![0; count];
    let (len, is_sparse) = cursor.varint_with_flag()?;
    let number = |cursor: &Cursor<'_>, value: u64| {
        let value = u32::try_from(value).map(u32::cast_signed);
        value.map_err(|_| cursor.fault("a segment size does not fit 32 bits"))
    };
    if len > count as u64 {
        return Err(cursor.fault(format!("trying to read an array of {len} but only {count} storage available")));
    }
    if !is_sparse {
        for slot in &mut array[..len as usize] {
            let value = cursor.varint()?;
            *slot = number(cursor, value)?;
        }
        return Ok(array);
    }
    if len == 0 {
        return Ok(array);
    }
    let index_bits = cursor.varint()?;
    if index_bits > MAX_INDEX_BITS {
        return Err(cursor.fault(format!("reading sparse array with indexing above 8 bits: {index_bits}")));
    }
    for _ in 0..len {
        let pair = cursor.varint()?;
        let index = pair & ((1 << index_bits) - 1);
        let Some(slot) = array.get_mut(index as usize) else {
            let message = format!("reading a sparse array found index {index} but only {count} storage available");
            return Err(cursor.fault(message));
        };
        *slot = number(cursor, pair >> index_bits)?;
    }
    Ok(array)
}

#[cfg(test)]
mod tests {
    use super::*;

    const fn v(value: u8) -> u8 {
        value << 1 | 1
    }

    fn array(bytes: &[u8], count: usize) -> Result<Vec<i32>, String> {
        sparse_array(&mut Cursor::new(bytes, 0), count).map_err(|fault| fault.into_parts().0)
    }

    #[test]
    fn sparse_arrays() {
        assert_eq!(array(&[v(3 << 1), v(1), v(0), v(2)], 3).unwrap(), [1, 0, 2]);
        assert_eq!(array(&[v(1 << 1 | 1), v(2), v(5 << 2 | 3)], 4).unwrap(), [0, 0, 0, 5]);
        assert_eq!(array(&[v(1)], 2).unwrap(), [0, 0]);
    }

    #[test]
    fn sparse_arrays_with_faults() {
        let message = |bytes: &[u8], count| array(bytes, count).unwrap_err();
        assert_eq!(message(&[v(4 << 1)], 3), "trying to read an array of 4 but only 3 storage available");
        assert_eq!(
            message(&[v(1 << 1 | 1), v(2), v(5 << 2 | 3)], 3),
            "reading a sparse array found index 3 but only 3 storage available"
        );
        assert_eq!(message(&[v(1 << 1 | 1), v(9)], 3), "reading sparse array with indexing above 8 bits: 9");
        let big = [v(1 << 1), 0, 0xff, 0xff, 0xff, 0xff, 0xff, 0, 0, 0];
        assert_eq!(message(&big, 1), "a segment size does not fit 32 bits");
    }
}
