//! Encodings of the types of the `builtin` dialect.

use super::sink::Sink;
use crate::bytecode::encoding::type_code as code;
use crate::context::Context;
use crate::types::{FloatKind, Signedness, Type, TypeData};

/// Writes a type. `false`, and nothing is written, when it has no encoding but its text.
pub(super) fn encode(cx: &Context, ty: Type, sink: &mut impl Sink) -> bool {
    match cx.type_data(ty) {
        TypeData::Integer { width, signedness } => {
            let signedness = match signedness {
                Signedness::Signless => 0,
                Signedness::Signed => 1,
                Signedness::Unsigned => 2,
            };
            sink.varint(code::INTEGER);
            sink.varint(u64::from(*width) << 2 | signedness);
        }
        TypeData::Index => sink.varint(code::INDEX),
        TypeData::Float(kind) => {
            let Some(code) = float_code(*kind) else { return false };
            sink.varint(code);
        }
        TypeData::None => sink.varint(code::NONE),
        TypeData::Complex(element) => {
            sink.varint(code::COMPLEX);
            sink.ty(*element);
        }
        TypeData::Vector { shape, scalable, element } => {
            if scalable.is_empty() {
                sink.varint(code::VECTOR);
            } else {
                sink.varint(code::VECTOR_WITH_SCALABLE_DIMS);
                sink.list(scalable.iter(), |sink, &scales| sink.byte(u8::from(scales)));
            }
            shape_and_element(shape, *element, sink);
        }
        TypeData::RankedTensor { shape, element, encoding } => {
            match encoding {
                None => sink.varint(code::RANKED_TENSOR),
                Some(encoding) => {
                    sink.varint(code::RANKED_TENSOR_WITH_ENCODING);
                    sink.attr(*encoding);
                }
            }
            shape_and_element(shape, *element, sink);
        }
        TypeData::UnrankedTensor { element } => {
            sink.varint(code::UNRANKED_TENSOR);
            sink.ty(*element);
        }
        TypeData::MemRef { shape, element, layout, space } => {
            match space {
                None => sink.varint(code::MEMREF),
                Some(space) => {
                    sink.varint(code::MEMREF_WITH_SPACE);
                    sink.attr(*space);
                }
            }
            shape_and_element(shape, *element, sink);
            let identity = || cx.affine_map_attr(cx.affine().identity_map(shape.len() as u32));
            sink.attr(layout.unwrap_or_else(identity));
        }
        TypeData::UnrankedMemRef { element, space } => {
            match space {
                None => sink.varint(code::UNRANKED_MEMREF),
                Some(space) => {
                    sink.varint(code::UNRANKED_MEMREF_WITH_SPACE);
                    sink.attr(*space);
                }
            }
            sink.ty(*element);
        }
        TypeData::Function { inputs, results } => {
            sink.varint(code::FUNCTION);
            sink.list(inputs.iter(), |sink, &ty| sink.ty(ty));
            sink.list(results.iter(), |sink, &ty| sink.ty(ty));
        }
        TypeData::Tuple(types) => {
            sink.varint(code::TUPLE);
            sink.list(types.iter(), |sink, &ty| sink.ty(ty));
        }
        TypeData::Opaque { .. } | TypeData::Dialect { .. } => return false,
    }
    true
}

fn shape_and_element(shape: &[i64], element: Type, sink: &mut impl Sink) {
    sink.list(shape.iter(), |sink, &extent| sink.signed_varint(extent));
    sink.ty(element);
}

/// The code of a floating-point type; those that came later have none.
fn float_code(kind: FloatKind) -> Option<u64> {
    Some(match kind {
        FloatKind::BF16 => code::BF16,
        FloatKind::F16 => code::F16,
        FloatKind::F32 => code::F32,
        FloatKind::F64 => code::F64,
        FloatKind::F80 => code::F80,
        FloatKind::F128 => code::F128,
        _ => return None,
    })
}
