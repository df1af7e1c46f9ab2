//! Types of the `builtin` dialect. Each begins with its code.

use super::cursor::{Cursor, Read};
use super::entries::Decoder;
use crate::attributes::Attr;
use crate::bytecode::encoding::type_code as code;
use crate::number::ApInt;
use crate::types::{DYNAMIC, FloatKind, Signedness, Type, TypeData};

impl<'b> Decoder<'_, '_, 'b> {
    /// A type.
    pub(super) fn builtin_type(&mut self, cursor: &mut Cursor<'b>) -> Read<Type> {
        let cx = self.cx;
        let kind = cursor.varint()?;
        let data = match kind {
            code::INTEGER => integer(cursor)?,
            code::INDEX => TypeData::Index,
            code::FUNCTION => {
                let inputs = self.list(cursor, Self::ty)?.into();
                TypeData::Function { inputs, results: self.list(cursor, Self::ty)?.into() }
            }
            code::BF16 => TypeData::Float(FloatKind::BF16),
            code::F16 => TypeData::Float(FloatKind::F16),
            code::F32 => TypeData::Float(FloatKind::F32),
            code::F64 => TypeData::Float(FloatKind::F64),
            code::F80 => TypeData::Float(FloatKind::F80),
            code::F128 => TypeData::Float(FloatKind::F128),
            code::COMPLEX => TypeData::Complex(self.ty(cursor)?),
            code::MEMREF => {
                let (shape, element) = self.shape_and_element(cursor)?;
                TypeData::MemRef { shape, element, layout: Some(self.attr(cursor)?), space: None }
            }
            code::MEMREF_WITH_SPACE => {
                let space = self.memory_space(cursor)?;
                let (shape, element) = self.shape_and_element(cursor)?;
                TypeData::MemRef { shape, element, layout: Some(self.attr(cursor)?), space }
            }
            code::NONE => TypeData::None,
            code::RANKED_TENSOR => {
                let (shape, element) = self.shape_and_element(cursor)?;
                TypeData::RankedTensor { shape, element, encoding: None }
            }
            code::RANKED_TENSOR_WITH_ENCODING => {
                let encoding = Some(self.attr(cursor)?);
                let (shape, element) = self.shape_and_element(cursor)?;
                TypeData::RankedTensor { shape, element, encoding }
            }
            code::TUPLE => TypeData::Tuple(self.list(cursor, Self::ty)?.into()),
            code::UNRANKED_MEMREF => TypeData::UnrankedMemRef { element: self.ty(cursor)?, space: None },
            code::UNRANKED_MEMREF_WITH_SPACE => {
                let space = self.memory_space(cursor)?;
                TypeData::UnrankedMemRef { element: self.ty(cursor)?, space }
            }
            code::UNRANKED_TENSOR => TypeData::UnrankedTensor { element: self.ty(cursor)? },
            code::VECTOR => {
                let (shape, element) = self.shape_and_element(cursor)?;
                TypeData::Vector { shape, scalable: Box::default(), element }
            }
            code::VECTOR_WITH_SCALABLE_DIMS => {
                let scalable: Box<[bool]> = self.list(cursor, |_, cursor| boolean(cursor))?.into();
                let (shape, element) = self.shape_and_element(cursor)?;
                if scalable.len() != shape.len() {
                    let message =
                        format!("a vector of {} dimensions, of which {} may scale", shape.len(), scalable.len());
                    return Err(cursor.fault(message));
                }
                let scalable = if scalable.contains(&true) { scalable } else { Box::default() };
                TypeData::Vector { shape, scalable, element }
            }
            _ => return Err(cursor.fault(format!("unknown type code: {kind}"))),
        };
        cx.check_type(&data).map_err(|message| cursor.fault(message))?;
        Ok(match data {
            TypeData::MemRef { shape, element, layout, space } => cx.memref_type_with(&shape, element, layout, space),
            data => cx.intern_type(data),
        })
    }

    fn shape_and_element(&mut self, cursor: &mut Cursor<'b>) -> Read<(Box<[i64]>, Type)> {
        let shape = self.list(cursor, |_, cursor| {
            let extent = cursor.signed_varint()?;
            if extent >= 0 || extent == DYNAMIC {
                return Ok(extent);
            }
            Err(cursor.fault(format!("invalid dimension: {extent}")))
        })?;
        Ok((shape.into(), self.ty(cursor)?))
    }

    /// A memory space; 0 is the default one.
    fn memory_space(&mut self, cursor: &mut Cursor<'b>) -> Read<Option<Attr>> {
        let space = self.attr(cursor)?;
        let view = self.cx.attr(space);
        Ok(Some(space).filter(|_| !(view.is_integer() && view.as_int() == Some(0))))
    }
}

/// Width and signedness in one number.
fn integer(cursor: &mut Cursor<'_>) -> Read<TypeData> {
    let value = cursor.varint()?;
    let signedness = match value & 3 {
        0 => Signedness::Signless,
        1 => Signedness::Signed,
        2 => Signedness::Unsigned,
        other => return Err(cursor.fault(format!("unknown signedness of an integer type: {other}"))),
    };
    match u32::try_from(value >> 2).ok().filter(|&width| width <= ApInt::MAX_WIDTH) {
        Some(width) => Ok(TypeData::Integer { width, signedness }),
        None => Err(cursor.fault(format!("integer bitwidth is limited to {} bits", ApInt::MAX_WIDTH))),
    }
}

fn boolean(cursor: &mut Cursor<'_>) -> Read<bool> {
    Ok(cursor.byte()? != 0)
}
