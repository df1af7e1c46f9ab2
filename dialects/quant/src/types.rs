//! The types of the dialect.
//!
//! A quantized value is an integer that stands for a number: `(stored - zero point) * scale`. Parameters, all attributes:
//!
//! | type | parameters |
//! |---|---|
//! | `!quant.any<i8<-8:7>:f32>` | [storage](Storage) (3), expressed type or `unit` |
//! | `!quant.uniform<i8:f32, 0.5:1>` | storage (3), expressed type, [scheme](Scheme) (`unit`), scales, zero points |
//! | `!quant.uniform<i8:f32:1, {0.5, 0.25}>` | the same; the scheme is the axis, an `i32` |
//! | `!quant.uniform<i8:f32:{0:1, 1:2}, {{0.5}, {0.25}}>` | the same; the scheme is `[axes, block sizes, shape of the scales]` |
//! | `!quant.calibrated<f32<-1.0:1.0>>` | expressed type, minimum and maximum as `f64` |
//!
//! Storage is the integer type, whether it is read as signed, and `[minimum, maximum]`. Scales are an array of floats, of `f64` or,
//! with blocks, of the expressed type; zero points are an `array<i64>`.

use dl_ir::typedef::TypeDefinition;
use dl_ir::{Attr, AttrRef, Context, Type, TypeRef};

/// Integers that stand for numbers in a way that is not known.
pub static ANY: TypeDefinition =
    TypeDefinition::custom("quant.any", "Integers that stand for numbers in a way that is not known.", &[]);
/// Integers that stand for numbers by scales and zero points.
pub static UNIFORM: TypeDefinition =
    TypeDefinition::custom("quant.uniform", "Integers that stand for numbers by scales and zero points.", &[]);
/// Numbers whose range is known, not yet quantized.
pub static CALIBRATED: TypeDefinition =
    TypeDefinition::custom("quant.calibrated", "Numbers whose range is known, not yet quantized.", &[]);

/// The types of the dialect.
pub static TYPES: &[&TypeDefinition] = &[&ANY, &UNIFORM, &CALIBRATED];

/// A type of the dialect.
pub fn is_quantized(ty: TypeRef<'_>) -> bool {
    TYPES.iter().any(|known| ty.is_dialect_type(&known.name))
}

/// How quantized values are stored.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Storage {
    /// The integer type.
    pub ty: Type,
    /// Whether it is read as signed.
    pub signed: bool,
    /// The least value.
    pub min: i64,
    /// The greatest value.
    pub max: i64,
}

impl Storage {
    /// The widest integer that stores quantized values.
    pub const MAX_WIDTH: u32 = 32;

    /// All values of `width` bits, at most [`MAX_WIDTH`](Self::MAX_WIDTH), from the least to the greatest.
    pub fn full_range(width: u32, signed: bool) -> (i64, i64) {
        if signed { (-(1 << (width - 1)), (1 << (width - 1)) - 1) } else { (0, (1 << width) - 1) }
    }

    fn attrs(self, cx: &Context) -> [Attr; 3] {
        [cx.type_attr(self.ty), cx.bool_attr(self.signed), cx.dense_i64_array(&[self.min, self.max])]
    }

    pub(crate) fn of(cx: &Context, params: &[Attr]) -> Option<Self> {
        let [ty, signed, range, ..] = *params else { return None };
        let ty = cx.attr(ty).as_type()?.id();
        let mut range = cx.attr(range).dense_ints();
        Some(Self { ty, signed: cx.attr(signed).as_bool()?, min: range.next()?, max: range.next()? })
    }
}

/// Which elements share a scale and a zero point.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Scheme {
    /// All.
    PerLayer,
    /// Those with one index along this axis.
    PerAxis(i32),
    /// Those of one block.
    Blocks {
        /// The axes along which blocks are smaller than the tensor, with the sizes of the blocks there.
        sizes: Vec<(i32, i64)>,
        /// How many blocks there are along each axis.
        shape: Vec<i64>,
    },
}

/// What `!quant.uniform` says.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Uniform {
    /// How values are stored.
    pub storage: Storage,
    /// The float type of the numbers that they stand for.
    pub expressed: Type,
    /// Which elements each scale is for.
    pub scheme: Scheme,
    /// Scales, as float attributes.
    pub scales: Vec<Attr>,
    /// As many zero points.
    pub zero_points: Vec<i64>,
}

impl Uniform {
    /// Reads it off a type; `None` where that is another one.
    pub fn of(ty: TypeRef<'_>) -> Option<Self> {
        if ty.is_dialect_type(&UNIFORM.name) { Self::of_params(ty.cx(), ty.params()) } else { None }
    }

    pub(crate) fn of_params(cx: &Context, params: &[Attr]) -> Option<Self> {
        let [_, _, _, expressed, scheme, scales, zero_points] = *params else { return None };
        let scheme = cx.attr(scheme);
        let scheme = if scheme.is_unit() {
            Scheme::PerLayer
        } else if let Some(axis) = scheme.as_int() {
            Scheme::PerAxis(i32::try_from(axis).ok()?)
        } else {
            let [axes, sizes, shape]: [AttrRef<'_>; 3] = scheme.elements().collect::<Vec<_>>().try_into().ok()?;
            let axes = axes.dense_ints().filter_map(|axis| i32::try_from(axis).ok());
            Scheme::Blocks { sizes: axes.zip(sizes.dense_ints()).collect(), shape: shape.dense_ints().collect() }
        };
        Some(Self {
            storage: Storage::of(cx, params)?,
            expressed: cx.attr(expressed).as_type()?.id(),
            scheme,
            scales: cx.attr(scales).elements().map(AttrRef::id).collect(),
            zero_points: cx.attr(zero_points).dense_ints().collect(),
        })
    }

    /// The type that says it.
    pub fn ty(&self, cx: &Context) -> Type {
        let [ty, signed, range] = self.storage.attrs(cx);
        let scheme = match &self.scheme {
            Scheme::PerLayer => cx.unit_attr(),
            Scheme::PerAxis(axis) => cx.i32_attr(*axis),
            Scheme::Blocks { sizes, shape } => {
                let (axes, sizes): (Vec<i32>, Vec<i64>) = sizes.iter().copied().unzip();
                cx.array_attr(&[cx.dense_i32_array(&axes), cx.dense_i64_array(&sizes), cx.dense_i64_array(shape)])
            }
        };
        let (scales, zero_points) = (cx.array_attr(&self.scales), cx.dense_i64_array(&self.zero_points));
        let expressed = cx.type_attr(self.expressed);
        cx.dialect_type(&UNIFORM.name, &[ty, signed, range, expressed, scheme, scales, zero_points])
    }
}

/// `!quant.any`.
pub fn any_type(cx: &Context, storage: Storage, expressed: Option<Type>) -> Type {
    let [ty, signed, range] = storage.attrs(cx);
    let expressed = expressed.map_or_else(|| cx.unit_attr(), |ty| cx.type_attr(ty));
    cx.dialect_type(&ANY.name, &[ty, signed, range, expressed])
}

/// `!quant.calibrated`.
pub fn calibrated_type(cx: &Context, expressed: Type, min: f64, max: f64) -> Type {
    let [min, max] = [min, max].map(|bound| cx.float_attr(cx.float_type(dl_ir::FloatKind::F64), bound));
    cx.dialect_type(&CALIBRATED.name, &[cx.type_attr(expressed), min, max])
}

/// How the values of a quantized type are stored; `None` for other types, and where that is not known.
pub fn storage(ty: TypeRef<'_>) -> Option<Storage> {
    let stored = ty.is_dialect_type(&UNIFORM.name) || ty.is_dialect_type(&ANY.name);
    if stored { Storage::of(ty.cx(), ty.params()) } else { None }
}

/// The type of the numbers that a quantized type stands for, where it is known.
pub fn expressed(ty: TypeRef<'_>) -> Option<Type> {
    let at = if ty.is_dialect_type(&CALIBRATED.name) { 0 } else { 3 };
    let param = *ty.params().get(at).filter(|_| is_quantized(ty))?;
    ty.cx().attr(param).as_type().map(TypeRef::id)
}
