//! Bytecode encodings of the types.
//!
//! Source: `QuantDialectBytecode.td` of LLVM 22. The position in the table is the code of a type.

use dl_ir::bytecode::TypeEncoding;
use dl_ir::bytecode::TypeField::{self, F64, F64List, SignedVarInt, SignedVarIntList, Type as Ty, VarInt};
use dl_ir::text::parse_type;
use dl_ir::{Attr, AttrRef, Context, Type};

use crate::types::{Scheme, Storage, Uniform, any_type, calibrated_type};

type Made = Result<Type, String>;

const fn encoding(fields: &'static [TypeField], make: fn(&Context, &[Attr]) -> Made) -> Option<TypeEncoding> {
    Some(TypeEncoding { fields, make })
}

/// All of them, by code.
pub(crate) static ENCODINGS: &[Option<TypeEncoding>] = &[
    None,
    encoding(&[VarInt, Ty, SignedVarInt, SignedVarInt], any),
    encoding(&[VarInt, Ty, Ty, SignedVarInt, SignedVarInt], any_expressed),
    encoding(&[Ty, F64, F64], calibrated),
    encoding(&[VarInt, Ty, Ty, F64, SignedVarInt, SignedVarInt, SignedVarInt], per_layer),
    encoding(&[VarInt, Ty, Ty, VarInt, SignedVarInt, SignedVarInt, F64List, SignedVarIntList], per_axis),
    encoding(
        &[
            VarInt,
            Ty,
            Ty,
            SignedVarInt,
            SignedVarInt,
            SignedVarIntList,
            SignedVarIntList,
            TypeField::Attr,
            TypeField::Attr,
        ],
        in_blocks,
    ),
];

const WRONG_FIELDS: &str = "parameters of a quantized type are missing";

fn any(cx: &Context, params: &[Attr]) -> Made {
    let [flags, ty, min, max] = *params else { return Err(WRONG_FIELDS.to_owned()) };
    checked(cx, any_type(cx, storage(cx, [flags, ty, min, max])?, None))
}

fn any_expressed(cx: &Context, params: &[Attr]) -> Made {
    let [flags, ty, expressed, min, max] = *params else { return Err(WRONG_FIELDS.to_owned()) };
    let expressed = Some(type_of(cx, expressed)?);
    checked(cx, any_type(cx, storage(cx, [flags, ty, min, max])?, expressed))
}

fn calibrated(cx: &Context, params: &[Attr]) -> Made {
    let [expressed, min, max] = *params else { return Err(WRONG_FIELDS.to_owned()) };
    let (Some(min), Some(max)) = (cx.attr(min).as_f64(), cx.attr(max).as_f64()) else {
        return Err(WRONG_FIELDS.to_owned());
    };
    checked(cx, calibrated_type(cx, type_of(cx, expressed)?, min, max))
}

fn per_layer(cx: &Context, params: &[Attr]) -> Made {
    let [flags, ty, expressed, scale, zero_point, min, max] = *params else { return Err(WRONG_FIELDS.to_owned()) };
    let uniform = Uniform {
        storage: storage(cx, [flags, ty, min, max])?,
        expressed: type_of(cx, expressed)?,
        scheme: Scheme::PerLayer,
        scales: vec![scale],
        zero_points: vec![number(cx, zero_point)?],
    };
    checked(cx, uniform.ty(cx))
}

fn per_axis(cx: &Context, params: &[Attr]) -> Made {
    let [flags, ty, expressed, axis, min, max, scales, zero_points] = *params else {
        return Err(WRONG_FIELDS.to_owned());
    };
    let axis = i32::try_from(number(cx, axis)?).map_err(|_| "a quantized dimension is too large".to_owned())?;
    let uniform = Uniform {
        storage: storage(cx, [flags, ty, min, max])?,
        expressed: type_of(cx, expressed)?,
        scheme: Scheme::PerAxis(axis),
        scales: cx.attr(scales).elements().map(AttrRef::id).collect(),
        zero_points: cx.attr(zero_points).dense_ints().collect(),
    };
    with_equal_counts(cx, &uniform)
}

fn in_blocks(cx: &Context, params: &[Attr]) -> Made {
    let [flags, ty, expressed, min, max, axes, sizes, scales, zero_points] = *params else {
        return Err(WRONG_FIELDS.to_owned());
    };
    let [axes, sizes, scales, zero_points] = [axes, sizes, scales, zero_points].map(|list| cx.attr(list));
    let axes: Vec<i32> = axes.dense_ints().filter_map(|axis| i32::try_from(axis).ok()).collect();
    let sizes: Vec<i64> = sizes.dense_ints().collect();
    if axes.len() != sizes.len() {
        return Err(format!("{} quantized dimensions of 32 bits for {} block sizes", axes.len(), sizes.len()));
    }
    let shape = scales.ty().and_then(|ty| ty.shape()).unwrap_or_default().to_vec();
    let uniform = Uniform {
        storage: storage(cx, [flags, ty, min, max])?,
        expressed: type_of(cx, expressed)?,
        scheme: Scheme::Blocks { sizes: axes.into_iter().zip(sizes).collect(), shape },
        scales: values(scales)?.into_iter().map(AttrRef::id).collect(),
        zero_points: values(zero_points)?.into_iter().filter_map(AttrRef::as_int).collect(),
    };
    with_equal_counts(cx, &uniform)
}

/// The values of `dense<...>`, one of which may stand for many.
fn values(list: AttrRef<'_>) -> Result<Vec<AttrRef<'_>>, String> {
    const MOST: usize = 1 << 20;
    match list.dense_values() {
        Some(values) if values.len() <= MOST => Ok(values.collect()),
        Some(_) => Err(format!("unsupported: more than {MOST} scales or zero points")),
        None => Err("scales or zero points of blocks are no dense elements".to_owned()),
    }
}

fn with_equal_counts(cx: &Context, uniform: &Uniform) -> Made {
    let (scales, zero_points) = (uniform.scales.len(), uniform.zero_points.len());
    let wanted = match &uniform.scheme {
        Scheme::Blocks { shape, .. } => shape
            .iter()
            .try_fold(1, |count, &extent| usize::try_from(extent).ok().and_then(|extent| extent.checked_mul(count))),
        _ => Some(scales),
    };
    if scales == 0 || scales != zero_points || wanted != Some(scales) {
        return Err(format!("illegal number of scales and zeroPoints: {scales}, {zero_points}"));
    }
    checked(cx, uniform.ty(cx))
}

/// How values are stored, with what the flags say: whether they are signed.
fn storage(cx: &Context, [flags, ty, min, max]: [Attr; 4]) -> Result<Storage, String> {
    let flags = number(cx, flags)?;
    let ty = type_of(cx, ty)?;
    if !cx.ty(ty).int_width().is_some_and(|width| (1..=Storage::MAX_WIDTH).contains(&width))
        || !(0..=1).contains(&flags)
    {
        return Err(format!("illegal storage type '{}' with flags {flags}", cx.ty(ty)));
    }
    Ok(Storage { ty, signed: flags == 1, min: number(cx, min)?, max: number(cx, max)? })
}

fn type_of(cx: &Context, attr: Attr) -> Result<Type, String> {
    cx.attr(attr).as_type().map(dl_ir::TypeRef::id).ok_or_else(|| WRONG_FIELDS.to_owned())
}

fn number(cx: &Context, attr: Attr) -> Result<i64, String> {
    cx.attr(attr).as_int().ok_or_else(|| WRONG_FIELDS.to_owned())
}

/// `ty`, which its text says as well: that checks all that is checked of types that are read.
fn checked(cx: &Context, ty: Type) -> Made {
    let text = cx.ty(ty).to_string();
    match parse_type(cx, &text) {
        Ok(read) if read == ty => Ok(ty),
        Ok(_) => Err(format!("unsupported: a type whose text stands for another one: '{text}'")),
        Err(error) => Err(error.message),
    }
}
