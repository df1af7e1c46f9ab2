//! Packed types, and where in packed buffers elements are.

use dl_affine::apply::folded_apply_of_symbols;
use dl_ir::interfaces::Index;
use dl_ir::rewrite::NoMatch;
use dl_ir::rewrite::conversion::TypeConverter;
use dl_ir::types::StridedLayout;
use dl_ir::{Context, DYNAMIC, Loc, OpId, Rewriter, Type, TypeRef, ValueId};
use dl_memref::layout::{is_contiguous, simplest};

/// Buffers of integers narrower than `width` become packed ones, if they can; others stay.
pub(super) fn converter(width: u32) -> TypeConverter {
    let mut converter = TypeConverter::new();
    converter.rule(move |_, cx, ty| if is_narrow(cx.ty(ty), width) { packed(cx, ty, width) } else { Some(ty) });
    converter
}

/// Whether it is a buffer whose elements share words of `width` bits.
pub(super) fn is_narrow(ty: TypeRef<'_>, width: u32) -> bool {
    let bits = ty.element_type().filter(|element| ty.is_memref() && element.is_integer());
    bits.and_then(TypeRef::int_width).is_some_and(|bits| bits < width)
}

/// How many elements of a narrow buffer share a word; `None` where they do not fill it.
pub(super) fn per_word(ty: TypeRef<'_>, width: u32) -> Option<i64> {
    let bits = ty.element_type()?.int_width()?;
    (bits > 0 && width.is_multiple_of(bits)).then(|| i64::from(width / bits))
}

fn packed(cx: &Context, ty: Type, width: u32) -> Option<Type> {
    let view = cx.ty(ty);
    let per_word = per_word(view, width)?;
    let (shape, layout) = (view.shape()?, view.strided_layout()?);
    if !view.element_or_self().is_signless_integer() || !is_contiguous(view) {
        return None;
    }
    if shape.get(1..).unwrap_or_default().contains(&DYNAMIC)
        || layout.offset == DYNAMIC
        || layout.offset % per_word != 0
    {
        return None;
    }
    let words = match shape.first() {
        Some(&DYNAMIC) => DYNAMIC,
        _ => words(shape.iter().try_fold(1_i64, |all, &extent| all.checked_mul(extent))?, per_word),
    };
    let layout = StridedLayout { strides: vec![1], offset: layout.offset / per_word };
    let space = view.memory_space().map(|space| space.id());
    Some(simplest(cx, &[words], cx.int_type(width), &layout, space))
}

/// How many words hold so many elements.
pub(super) fn words(elements: i64, per_word: i64) -> i64 {
    elements / per_word + i64::from(elements % per_word != 0)
}

/// A place in a narrow buffer.
pub(super) struct Place {
    /// The number of the element, in row-major order: an expression of `indices`.
    element: dl_ir::affine::AffineExpr,
    indices: Vec<Index>,
    per_word: i64,
    bits: i64,
}

impl Place {
    /// At `indices` of a narrow buffer of type `ty`.
    pub(super) fn of(rw: &Rewriter<'_>, ty: TypeRef<'_>, indices: &[ValueId], width: u32) -> Result<Self, NoMatch> {
        let affine = rw.cx().affine();
        let strides = dl_ir::types::row_major_strides(ty.shape().unwrap_or_default());
        if strides.contains(&DYNAMIC) || strides.len() != indices.len() {
            return Err(NoMatch("inner extents that are not known"));
        }
        let (element, indices) = strides.iter().zip(indices).enumerate().fold(
            (affine.constant(0), Vec::new()),
            |(sum, mut known), (i, (&stride, &index))| {
                known.push(match rw.value(index).constant().and_then(dl_ir::AttrRef::as_int) {
                    Some(constant) => Index::Static(constant),
                    None => Index::Value(index),
                });
                (affine.add(sum, affine.mul_constant(affine.dim(i as u32), stride)), known)
            },
        );
        let per_word = per_word(ty, width).ok_or(NoMatch("elements that do not fill a word"))?;
        Ok(Self { element, indices, per_word, bits: i64::from(width) / per_word })
    }

    /// The number of its element within the word, if that is the same whatever the indices are: those that are not known go by whole words.
    pub(super) fn phase(&self, ty: TypeRef<'_>) -> Option<i64> {
        let strides = dl_ir::types::row_major_strides(ty.shape().unwrap_or_default());
        strides.iter().zip(&self.indices).try_fold(0_i64, |phase, (&stride, index)| match index {
            Index::Static(index) => {
                Some((phase + index.checked_mul(stride)?.rem_euclid(self.per_word)) % self.per_word)
            }
            Index::Value(_) => (stride % self.per_word == 0).then_some(phase),
        })
    }

    /// The number of the word, as an index made before `op`.
    pub(super) fn word(&self, rw: &mut Rewriter<'_>, op: OpId, loc: Loc) -> Result<ValueId, NoMatch> {
        let affine = rw.cx().affine();
        let expr = affine.floordiv(self.element, affine.constant(self.per_word));
        self.index(rw, op, expr, loc)
    }

    /// The number of its first bit within the word, as an index made before `op`.
    pub(super) fn bit(&self, rw: &mut Rewriter<'_>, op: OpId, loc: Loc) -> Result<ValueId, NoMatch> {
        let affine = rw.cx().affine();
        let within = affine.modulo(self.element, affine.constant(self.per_word));
        self.index(rw, op, affine.mul_constant(within, self.bits), loc)
    }

    fn index(
        &self,
        rw: &mut Rewriter<'_>,
        op: OpId,
        expr: dl_ir::affine::AffineExpr,
        loc: Loc,
    ) -> Result<ValueId, NoMatch> {
        match folded_apply_of_symbols(rw, op, expr, &self.indices, loc).ok_or(NoMatch("an index overflows"))? {
            Index::Value(value) => Ok(value),
            Index::Static(constant) => Ok(dl_arith::constant_index(rw, constant, loc)),
        }
    }
}
