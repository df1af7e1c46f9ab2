//! Memrefs as strides and an offset.

use super::{DYNAMIC, Type, TypeRef};
use crate::affine::AffineExprData;
use crate::attributes::{Attr, AttrData};
use crate::context::Context;

/// Where the elements of a memref lie: element `i, j, ...` at `offset + i * strides[0] + j * strides[1] + ...`, counted in
/// elements. [`DYNAMIC`] stands for what is only known when running.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct StridedLayout {
    /// One for each dimension.
    pub strides: Vec<i64>,
    /// Of the first element.
    pub offset: i64,
}

/// Strides of elements in row-major order without gaps. A stride is dynamic where an inner extent is, or where it does not fit 64 bits.
pub fn row_major_strides(shape: &[i64]) -> Vec<i64> {
    let mut strides = vec![1; shape.len()];
    for i in (1..shape.len()).rev() {
        let (inner, extent) = (strides[i], shape[i]);
        let known = inner != DYNAMIC && extent != DYNAMIC;
        strides[i - 1] = if known { inner.checked_mul(extent).unwrap_or(DYNAMIC) } else { DYNAMIC };
    }
    strides
}

impl TypeRef<'_> {
    /// The strides and offset of a ranked memref. `None` for other types and for layouts that are no strided form.
    pub fn strided_layout(self) -> Option<StridedLayout> {
        let shape = self.shape().filter(|_| self.is_ranked_memref())?;
        let Some(layout) = self.memref_layout() else {
            return Some(StridedLayout { strides: row_major_strides(shape), offset: 0 });
        };
        match layout.data() {
            AttrData::Strided(layout) => (layout.strides.len() == shape.len()).then(|| StridedLayout::clone(layout)),
            AttrData::AffineMap(map) => {
                let affine = self.cx().affine();
                let data = affine.map(*map);
                let [result] = *data.results else { return None };
                let form = affine.strided_form(result, data.num_dims)?;
                let number = |expr| match affine.expr(expr) {
                    AffineExprData::Constant(value) => value,
                    _ => DYNAMIC,
                };
                let strides = form.strides.iter().map(|&stride| number(stride)).collect();
                Some(StridedLayout { strides, offset: number(form.offset) })
            }
            _ => None,
        }
    }

    /// Whether the elements lie in row-major order without gaps from the base on, as far as the type says.
    pub fn has_identity_layout(self) -> bool {
        self.is_ranked_memref() && self.memref_layout().is_none()
    }
}

impl Context {
    /// `memref<shape x element, strided<strides, offset: offset>, space>`. The strided layout is kept also where it means the identity.
    pub fn strided_memref_type(
        &self,
        shape: &[i64],
        element: Type,
        layout: &StridedLayout,
        space: Option<Attr>,
    ) -> Type {
        let layout = self.strided_attr(&layout.strides, layout.offset);
        self.memref_type_with(shape, element, Some(layout), space)
    }
}
