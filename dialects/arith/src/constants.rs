//! Numbers in constants: reading them, and computing on each element of a scalar, vector or tensor constant.

use dl_ir::attributes::{AttrData, DenseData};
use dl_ir::number::{ApInt, float};
use dl_ir::{Attr, Context, FloatKind, Type, TypeRef};

/// One number of a constant.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Number {
    /// Of an integer type or `index`.
    Int(ApInt),
    /// The encoding of a float.
    Float(FloatKind, u128),
}

impl Number {
    fn read(element: TypeRef<'_>, bytes: &[u8]) -> Option<Self> {
        if let Some(kind) = element.float_kind() {
            let mut bits = [0; 16];
            bits.get_mut(..bytes.len())?.copy_from_slice(bytes);
            return Some(Self::Float(kind, u128::from_le_bytes(bits)));
        }
        Some(Self::Int(ApInt::from_le_bytes(element.storage_bits()?, bytes)))
    }

    fn write(&self, out: &mut Vec<u8>) {
        match self {
            Self::Int(value) => value.write_le_bytes(out),
            Self::Float(kind, bits) => {
                let len = (kind.width() as usize).div_ceil(8);
                out.extend_from_slice(&bits.to_le_bytes()[..len]);
            }
        }
    }

    fn attr(self, cx: &Context, ty: Type) -> Attr {
        match self {
            Self::Int(value) => cx.ap_int_attr(ty, value),
            Self::Float(_, bits) => cx.float_bits_attr(ty, bits),
        }
    }

    /// The integer.
    pub fn int(self) -> Option<ApInt> {
        match self {
            Self::Int(value) => Some(value),
            Self::Float(..) => None,
        }
    }

    /// Format and encoding of the float.
    pub fn float(self) -> Option<(FloatKind, u128)> {
        match self {
            Self::Float(kind, bits) => Some((kind, bits)),
            Self::Int(_) => None,
        }
    }
}

/// The numbers of a constant, one for each position of its shape.
struct Numbers<'c> {
    element: TypeRef<'c>,
    source: Source<'c>,
}

enum Source<'c> {
    /// A scalar, or one element for all positions.
    One(Number),
    /// Packed elements of this size.
    Many(&'c DenseData, usize),
}

impl<'c> Numbers<'c> {
    fn of(cx: &'c Context, attr: Attr) -> Option<Self> {
        let view = cx.attr(attr);
        let element = view.ty()?.element_or_self();
        let source = match view.data() {
            AttrData::Integer { value, .. } => Source::One(Number::Int(value.clone())),
            AttrData::Float { bits, .. } => Source::One(Number::Float(element.float_kind()?, bits.get())),
            AttrData::DenseElements { data, .. } => {
                let size = view.dense_element()?;
                if size.count != 1 {
                    return None;
                }
                if data.is_splat() {
                    Source::One(Number::read(element, data.element(0, size.bytes()))?)
                } else {
                    Source::Many(data, size.bytes())
                }
            }
            _ => return None,
        };
        Some(Self { element, source })
    }

    fn at(&self, index: usize) -> Option<Number> {
        match &self.source {
            Source::One(number) => Some(number.clone()),
            Source::Many(data, size) => Number::read(self.element, data.element(index, *size)),
        }
    }

    fn is_uniform(&self) -> bool {
        matches!(self.source, Source::One(_))
    }
}

/// The number of a scalar constant, or the one in all positions of a splat.
pub fn uniform(cx: &Context, attr: Attr) -> Option<Number> {
    match Numbers::of(cx, attr)?.source {
        Source::One(number) => Some(number),
        Source::Many(..) => None,
    }
}

/// The integer of a scalar constant, or the one in all positions of a splat.
pub fn uniform_int(cx: &Context, attr: Attr) -> Option<ApInt> {
    uniform(cx, attr)?.int()
}

/// Format and encoding of the float of a scalar constant, or the one in all positions of a splat.
pub fn uniform_float(cx: &Context, attr: Attr) -> Option<(FloatKind, u128)> {
    uniform(cx, attr)?.float()
}

/// The constant of type `result` whose elements are `f` of the elements of `operands` in the same position. `None` when an operand
/// holds no numbers or `f` has no answer for some position.
///
/// Operands that are all uniform give a uniform constant, for one call of `f`; otherwise the cost is one call an element.
pub fn map<const N: usize>(
    cx: &Context,
    result: Type,
    operands: [Attr; N],
    mut f: impl FnMut([Number; N]) -> Option<Number>,
) -> Option<Attr> {
    let mut sources = Vec::with_capacity(N);
    for attr in operands {
        sources.push(Numbers::of(cx, attr)?);
    }
    let mut at = |index: usize| -> Option<Number> {
        let mut numbers = Vec::with_capacity(N);
        for source in &sources {
            numbers.push(source.at(index)?);
        }
        f(numbers.try_into().ok()?)
    };
    let ty = cx.ty(result);
    if !ty.is_shaped() {
        return Some(at(0)?.attr(cx, result));
    }
    let count = usize::try_from(ty.num_elements()?).ok()?;
    if sources.iter().all(Numbers::is_uniform) {
        let mut bytes = Vec::new();
        at(0)?.write(&mut bytes);
        return Some(cx.intern_attr(AttrData::DenseElements { ty: result, data: DenseData::splat(bytes) }));
    }
    let mut bytes = Vec::new();
    let mut size = 1;
    for index in 0..count {
        at(index)?.write(&mut bytes);
        if index == 0 {
            size = bytes.len();
        }
    }
    Some(cx.intern_attr(AttrData::DenseElements { ty: result, data: DenseData::elements(bytes, size) }))
}

/// [`map`] for one integer operand.
pub fn map_int(cx: &Context, result: Type, a: Attr, mut f: impl FnMut(ApInt) -> Option<ApInt>) -> Option<Attr> {
    map(cx, result, [a], |[a]| f(a.int()?).map(Number::Int))
}

/// [`map`] for two integer operands of one type.
pub fn map_ints(
    cx: &Context,
    result: Type,
    [a, b]: [Attr; 2],
    mut f: impl FnMut(ApInt, ApInt) -> Option<ApInt>,
) -> Option<Attr> {
    map(cx, result, [a, b], |[a, b]| f(a.int()?, b.int()?).map(Number::Int))
}

/// [`map`] for one float operand, whose format is also that of the result.
pub fn map_float(
    cx: &Context,
    result: Type,
    a: Attr,
    mut f: impl FnMut(FloatKind, u128) -> Option<u128>,
) -> Option<Attr> {
    map(cx, result, [a], |[a]| {
        let (kind, a) = a.float()?;
        Some(Number::Float(kind, f(kind, a)?))
    })
}

/// [`map`] for two float operands of one type, which is also that of the result.
pub fn map_floats(
    cx: &Context,
    result: Type,
    [a, b]: [Attr; 2],
    mut f: impl FnMut(FloatKind, u128, u128) -> Option<u128>,
) -> Option<Attr> {
    map(cx, result, [a, b], |[a, b]| {
        let ((kind, a), (_, b)) = (a.float()?, b.float()?);
        Some(Number::Float(kind, f(kind, a, b)?))
    })
}

/// Whether `attr` is the zero of an integer type, or a splat of it.
pub fn is_int_zero(cx: &Context, attr: Attr) -> bool {
    uniform_int(cx, attr).is_some_and(|v| v.is_zero())
}

/// Whether `attr` is the one of an integer type, or a splat of it.
pub fn is_int_one(cx: &Context, attr: Attr) -> bool {
    uniform_int(cx, attr).is_some_and(|v| v.is_one())
}

/// Whether `attr` is an integer with all bits set, or a splat of it.
pub fn is_all_ones(cx: &Context, attr: Attr) -> bool {
    uniform_int(cx, attr).is_some_and(|v| v.is_all_ones())
}

/// Whether `attr` is the float `value`, or a splat of it. Zeros must agree in sign.
pub fn is_float(cx: &Context, attr: Attr, value: f64) -> bool {
    uniform_float(cx, attr).is_some_and(|(kind, bits)| float::from_f64(kind, value) == (bits, false))
}

/// Whether `attr` stands for a poisoned value: the `#ub.poison` attribute.
pub fn is_poison(cx: &Context, attr: Attr) -> bool {
    matches!(cx.attr_data(attr), AttrData::Dialect { name, .. } if cx.str(*name) == "ub.poison")
}
