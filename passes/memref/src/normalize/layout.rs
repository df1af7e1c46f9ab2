//! What a type becomes without its layout.

use dl_affine::bounds_within;
use dl_ir::affine::{AffineExpr, AffineExprData, AffineMap, AffineOp};
use dl_ir::{AttrRef, Context, DYNAMIC, Type, TypeRef};
use rustc_hash::FxHashMap;

/// A buffer type without its layout.
#[derive(Clone, Copy)]
pub(super) struct Normal {
    /// The type.
    pub(super) ty: Type,
    /// From old indices to new ones. Without symbols.
    pub(super) map: AffineMap,
}

/// What each type becomes.
pub(super) struct Layouts<'c> {
    cx: &'c Context,
    known: FxHashMap<Type, Option<Normal>>,
}

impl<'c> Layouts<'c> {
    pub(super) fn new(cx: &'c Context) -> Self {
        Self { cx, known: FxHashMap::default() }
    }

    /// What `ty` becomes. `None` where it stays.
    pub(super) fn normal(&mut self, ty: Type) -> Option<Normal> {
        let cx = self.cx;
        *self.known.entry(ty).or_insert_with(|| normal(cx, cx.ty(ty)))
    }

    /// The type in the place of `ty`.
    pub(super) fn converted(&mut self, ty: Type) -> Type {
        self.normal(ty).map_or(ty, |normal| normal.ty)
    }
}

fn normal(cx: &Context, ty: TypeRef<'_>) -> Option<Normal> {
    let shape = ty.shape().filter(|shape| !shape.contains(&DYNAMIC))?;
    let map = map_of_layout(cx, ty)?;
    let affine = cx.affine();
    let bounds = bounds_within(affine, map, shape)?;
    if bounds.iter().any(|&(least, _)| least < 0) {
        return None;
    }
    let data = affine.map(map);
    let extent = |(&result, &(_, greatest)): (&AffineExpr, &(i64, i64))| match affine.expr(result) {
        // Tiles are whole, also where there are not that many elements.
        AffineExprData::Binary { op: AffineOp::Mod, rhs, .. } => affine.constant_value(rhs),
        _ => greatest.checked_add(1),
    };
    let extents: Vec<i64> = data.results.iter().zip(&bounds).map(extent).collect::<Option<_>>()?;
    // Its symbols are such that no result depends on, or there would be no bounds.
    let map = affine.intern_map(data.num_dims, 0, &data.results[..]);
    let space = ty.memory_space().map(AttrRef::id);
    Some(Normal { ty: cx.memref_type_with(&extents, ty.element_type()?.id(), None, space), map })
}

/// The layout of a ranked buffer as a map.
fn map_of_layout(cx: &Context, ty: TypeRef<'_>) -> Option<AffineMap> {
    let layout = ty.memref_layout()?;
    if let Some(map) = layout.as_affine_map() {
        return Some(map);
    }
    let strided = ty.strided_layout().filter(|form| form.offset != DYNAMIC && !form.strides.contains(&DYNAMIC))?;
    let affine = cx.affine();
    let sum = strided.strides.iter().enumerate().fold(affine.constant(strided.offset), |sum, (dim, &stride)| {
        affine.add(sum, affine.mul_constant(affine.dim(dim as u32), stride))
    });
    Some(affine.intern_map(strided.strides.len() as u32, 0, [sum]))
}
