//! The types that the types of other dialects have in LLVM.
//!
//! | type | in LLVM |
//! |---|---|
//! | `iN`, `siN`, `uiN` | `iN` |
//! | `index` | an integer as wide as a pointer |
//! | floats | themselves; those of 8 bits and less, integers of their width |
//! | `complex<T>` | `!llvm.struct<(T, T)>` |
//! | `vector<...>` | a vector of one dimension, in arrays for the outer dimensions |
//! | functions | `!llvm.ptr` |
//! | `memref<...>` | a [descriptor](super::descriptor), where the layout is strided |
//! | `memref<*xT>` | `!llvm.struct<(i64, ptr)>`: rank and pointer to a descriptor |

use std::sync::Arc;

use dl_ir::builtin::UnrealizedConversionCastOp;
use dl_ir::pass::PassCx;
use dl_ir::rewrite::conversion::{ConversionTarget, TypeConverter, Types};
use dl_ir::{Context, Loc, OpState, Rewriter, Type, TypeData, TypeRef, ValueId};
use dl_llvm::types::{
    array_parts, array_type, is_float, is_packed, ptr_type, ptr_type_in, struct_members, struct_name, struct_reference,
    struct_type, struct_type_with, void_type, with_reference_replaced,
};
use smallvec::SmallVec;

use super::descriptor::Descriptor;
use crate::llvm_build::LlvmBuild;
use dl_arith::Build;

/// What the conversions to `llvm` can be told.
#[derive(Clone, Copy, Debug)]
pub(crate) struct LlvmOptions {
    /// Bits of `index`.
    pub(crate) index_bits: u32,
    /// Whether a memref of static shape is passed to and from functions as one pointer.
    pub(crate) bare_pointers: bool,
}

impl Default for LlvmOptions {
    fn default() -> Self {
        Self { index_bits: 64, bare_pointers: false }
    }
}

impl LlvmOptions {
    /// With `index` of so many bits, as an option says it: 0 for those of a pointer.
    pub(crate) fn with_index_bits(bits: u32) -> Self {
        Self { index_bits: if bits == 0 { 64 } else { bits }, ..Self::default() }
    }

    /// The same; where the option is 0, the data layout says how many.
    pub(crate) fn with_index_bits_or_layout(bits: u32, cx: &PassCx<'_>) -> Self {
        Self::with_index_bits(if bits == 0 { dl_dlti::index_bits(cx).unwrap_or(0) } else { bits })
    }
}

/// A target that has the `llvm` dialect.
pub(crate) fn llvm_target() -> ConversionTarget {
    let mut target = ConversionTarget::new();
    target.legal_dialects(&["llvm"]);
    target
}

/// Converts types to those of LLVM.
pub(crate) fn llvm_type_converter(options: LlvmOptions) -> Arc<TypeConverter> {
    let mut converter = TypeConverter::new();
    converter.rule(move |converter, cx, ty| {
        stacker::maybe_grow(64 * 1024, 1024 * 1024, || convert(converter, cx, cx.ty(ty), options))
    });
    converter.source_materialization(move |rw, ty, values, loc| pack_memref(rw, ty, values, loc, options));
    Arc::new(converter)
}

fn convert(converter: &TypeConverter, cx: &Context, ty: TypeRef<'_>, options: LlvmOptions) -> Option<Type> {
    let index = cx.int_type(options.index_bits);
    match ty.data() {
        TypeData::Integer { width, .. } => Some(cx.int_type(*width)),
        TypeData::Index => Some(index),
        TypeData::Float(kind) if kind.width() <= 8 => Some(cx.int_type(kind.width())),
        TypeData::Float(_) => is_float(ty).then_some(ty.id()),
        TypeData::Complex(element) => {
            let element = converter.convert_one(cx, *element)?;
            Some(struct_type(cx, &[element, element]))
        }
        TypeData::Function { .. } => Some(ptr_type(cx)),
        TypeData::Vector { shape, scalable, element } => {
            vector(cx, shape, scalable, converter.convert_one(cx, *element)?)
        }
        TypeData::MemRef { element, .. } => {
            converter.convert_one(cx, *element)?;
            ty.strided_layout()?;
            let fields = memref_fields(cx, ty, options)?;
            let (scalars, rank) = (&fields[..3], ty.rank()? as u64);
            let mut members: SmallVec<[Type; 5]> = scalars.into();
            if rank > 0 {
                members.extend([array_type(cx, index, rank); 2]);
            }
            Some(struct_type(cx, &members))
        }
        TypeData::UnrankedMemRef { element, .. } => {
            converter.convert_one(cx, *element)?;
            Some(struct_type(cx, &[index, ptr_type_in(cx, address_space(ty)?)]))
        }
        TypeData::Dialect { name, .. } if cx.str(*name).starts_with("llvm.") => nested(converter, cx, ty),
        _ => None,
    }
}

/// `vector<2x3x4xf32>` becomes `!llvm.array<2 x array<3 x vector<4xf32>>>`. Only the last dimension may be scalable.
fn vector(cx: &Context, shape: &[i64], scalable: &[bool], element: Type) -> Option<Type> {
    let (&last, outer) = shape.split_last().unwrap_or((&1, &[]));
    if scalable.iter().take(outer.len()).any(|&is| is) {
        return None;
    }
    let scalable = scalable.last().filter(|&&is| is).map_or_else(Box::default, |&is| Box::new([is]) as Box<[bool]>);
    let inner = cx.intern_type(TypeData::Vector { shape: [last].into(), scalable, element });
    outer.iter().rev().try_fold(inner, |ty, &extent| Some(array_type(cx, ty, u64::try_from(extent).ok()?)))
}

/// Structs and arrays of types that are not yet LLVM's. An identified struct gets another name, unless that is taken.
fn nested(converter: &TypeConverter, cx: &Context, ty: TypeRef<'_>) -> Option<Type> {
    let one = |ty: Type| converter.convert_one(cx, ty);
    if let Some((element, count)) = array_parts(ty) {
        return Some(one(element).map_or(ty.id(), |element| array_type(cx, element, count)));
    }
    let Some(members) = struct_members(ty) else { return Some(ty.id()) };
    let Some(converted) = members.iter().map(|&member| one(member)).collect::<Option<Vec<Type>>>() else {
        return Some(ty.id());
    };
    if converted == members {
        return Some(ty.id());
    }
    let packed = is_packed(ty);
    let Some(name) = struct_name(ty) else { return Some(struct_type_with(cx, "", Some(&converted), packed)) };
    let new_name = format!("_Converted.{name}");
    let (old, new) = (struct_reference(cx, name), struct_reference(cx, &new_name));
    let members: Vec<Type> = converted.iter().map(|&ty| with_reference_replaced(cx, ty, old, new)).collect();
    let converted = struct_type_with(cx, &new_name, Some(&members), packed);
    (cx.named_type(cx.ident(&new_name), converted) == converted).then_some(converted)
}

/// The address space of a memref; `None` where the memory space is no number.
pub(crate) fn address_space(ty: TypeRef<'_>) -> Option<u32> {
    match ty.memory_space() {
        None => Some(0),
        Some(space) => space.as_int().and_then(|n| u32::try_from(n).ok()),
    }
}

/// The types of the parts of a ranked memref, one by one: two pointers, offset, sizes, strides.
fn memref_fields(cx: &Context, ty: TypeRef<'_>, options: LlvmOptions) -> Option<SmallVec<[Type; 8]>> {
    let (pointer, index) = (ptr_type_in(cx, address_space(ty)?), cx.int_type(options.index_bits));
    let mut fields: SmallVec<[Type; 8]> = smallvec::smallvec![pointer, pointer, index];
    fields.extend(std::iter::repeat_n(index, 2 * ty.rank()?));
    Some(fields)
}

/// Whether a memref may be passed as one pointer: its shape, strides and offset are static.
pub(crate) fn can_be_bare_pointer(ty: TypeRef<'_>) -> bool {
    use dl_ir::DYNAMIC;
    ty.has_static_shape() && ty.strided_layout().is_some_and(|l| l.offset != DYNAMIC && !l.strides.contains(&DYNAMIC))
}

/// The types that a function takes for an argument of type `ty`.
pub(crate) fn argument_types(converter: &TypeConverter, cx: &Context, ty: Type, options: LlvmOptions) -> Option<Types> {
    let view = cx.ty(ty);
    let converted = converter.convert_one(cx, ty)?;
    if view.is_ranked_memref() {
        if options.bare_pointers {
            let pointer = ptr_type_in(cx, address_space(view)?);
            return can_be_bare_pointer(view).then(|| smallvec::smallvec![pointer]);
        }
        return Some(memref_fields(cx, view, options)?.into_iter().collect());
    }
    if view.is_unranked_memref() {
        let fields = struct_members(cx.ty(converted))?;
        return (!options.bare_pointers).then(|| fields.into_iter().collect());
    }
    Some(smallvec::smallvec![converted])
}

/// What a function gives for a result of type `ty`.
pub(crate) fn result_type(converter: &TypeConverter, cx: &Context, ty: Type, options: LlvmOptions) -> Option<Type> {
    let view = cx.ty(ty);
    let converted = converter.convert_one(cx, ty)?;
    if options.bare_pointers && view.is_memref() {
        let pointer = ptr_type_in(cx, address_space(view)?);
        return can_be_bare_pointer(view).then_some(pointer);
    }
    Some(converted)
}

/// What a function gives for results of these types: nothing, the only one, or a struct of all.
pub(crate) fn packed_result_type(
    converter: &TypeConverter,
    cx: &Context,
    types: &[Type],
    options: LlvmOptions,
) -> Option<Type> {
    let types: Option<SmallVec<[Type; 4]>> = types.iter().map(|&ty| result_type(converter, cx, ty, options)).collect();
    match types?.as_slice() {
        [] => Some(void_type(cx)),
        &[one] => Some(one),
        several => Some(struct_type(cx, several)),
    }
}

/// Makes a memref of the parts that a function took for it; `None` for another type, and for a whole descriptor.
pub(crate) fn pack_memref(
    rw: &mut Rewriter<'_>,
    ty: Type,
    values: &[ValueId],
    loc: Loc,
    options: LlvmOptions,
) -> Option<ValueId> {
    let cx = rw.cx();
    let view = cx.ty(ty);
    let from_struct = matches!(values, &[one] if struct_members(rw.value_type(one)).is_some());
    if !view.is_memref() || from_struct {
        return None;
    }
    let descriptor_type = llvm_type_converter(options).convert_one(cx, ty)?;
    let mut b = Build::new(rw, loc);
    let packed = match values {
        &[pointer] => Descriptor::from_static_shape(&mut b, view, descriptor_type, pointer)?,
        fields if view.is_ranked_memref() => Descriptor::pack(&mut b, descriptor_type, fields),
        &[rank, pointer] => {
            let empty = b.poison(descriptor_type);
            let with_rank = b.insert(empty, rank, &[0]);
            b.insert(with_rank, pointer, &[1])
        }
        _ => return None,
    };
    let cast = OpState::of::<UnrealizedConversionCastOp<'_>>(loc).operands([packed]).results([ty]);
    Some(rw.create_value(cast))
}
