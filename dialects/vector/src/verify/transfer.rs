//! Transfers between vectors and memory or tensors.

use dl_ir::affine::AffineMap;
use dl_ir::interfaces::verify_destination_style;
use dl_ir::{OpRef, TypeRef, ValueRef};

use super::{Verified, extents, one_index_a_dimension};
use crate::assembly::mask_type;
use crate::{TransferReadOp, TransferWriteOp};

/// What both transfers have in common.
struct Transfer<'a> {
    op: OpRef<'a>,
    base: TypeRef<'a>,
    vector: TypeRef<'a>,
    mask: Option<ValueRef<'a>>,
    map: AffineMap,
}

/// Bits of the innermost dimension of a vector; of its element when it has no dimension.
fn minor_bits(vector: TypeRef<'_>) -> Option<i64> {
    let width = i64::from(vector.element_type()?.storage_bits()?);
    width.checked_mul(extents(vector).last().copied().unwrap_or(1))
}

impl Transfer<'_> {
    fn verify(&self) -> Verified {
        let (op, base, vector) = (self.op, self.base, self.vector);
        if !(base.is_ranked_memref() || base.is_ranked_tensor()) {
            return Err(op.error("requires source to be a memref or ranked tensor type"));
        }
        let map = op.cx().affine().map(self.map);
        let wrong_results = "requires a permutation_map with result dims of the same rank as the vector type";
        let element = base.element_or_self();
        let outer = if element.is_vector() {
            let multiple = minor_bits(vector).zip(minor_bits(element)).is_none_or(|(a, b)| a % b.max(1) == 0);
            if !multiple {
                return Err(op.error("requires the bitwidth of the minor 1-D vector to be an integral multiple of the bitwidth of the minor 1-D vector of the source"));
            }
            let Some(outer) = extents(vector).len().checked_sub(extents(element).len()) else {
                return Err(op.error("requires source vector element and vector result ranks to match."));
            };
            outer
        } else {
            let width = element.storage_bits().map(i64::from);
            if minor_bits(vector).zip(width).is_some_and(|(a, b)| a % b.max(1) != 0) {
                return Err(op.error("requires the bitwidth of the minor 1-D vector to be an integral multiple of the bitwidth of the source element type"));
            }
            extents(vector).len()
        };
        if map.results.len() != outer {
            return Err(op.error(wrong_results));
        }
        if element.is_vector() && self.mask.is_some() {
            return Err(op.error("does not support masks with vector element type"));
        }
        if map.num_symbols != 0 {
            return Err(op.error("requires permutation_map without symbols"));
        }
        if Some(map.num_dims as usize) != base.rank() {
            return Err(op.error("requires a permutation_map with input dims of the same rank as the source type"));
        }
        self.verify_permutation()?;
        self.verify_mask()?;
        let bounds = op.attr("in_bounds").map_or(0, |bounds| bounds.elements().len());
        if map.results.len() != bounds {
            let shown = op.cx().attr(op.cx().affine_map_attr(self.map));
            return Err(op.error(format_args!(
                "expects the in_bounds attr of same rank as permutation_map results: {shown} vs inBounds of size: {bounds}"
            )));
        }
        Ok(())
    }

    fn verify_mask(&self) -> Verified {
        let Some(mask) = self.mask else { return Ok(()) };
        let cx = self.op.cx();
        let Some(inferred) = mask_type(cx, self.vector, self.map).filter(|&inferred| inferred != mask.ty().id()) else {
            return Ok(());
        };
        Err(self.op.error(format_args!(
            "inferred mask type ('{}') and mask operand type ('{}') don't match",
            cx.ty(inferred),
            mask.ty()
        )))
    }

    /// Each result is a dimension of its own, or 0.
    fn verify_permutation(&self) -> Verified {
        let affine = self.op.cx().affine();
        let map = affine.map(self.map);
        let mut seen = vec![false; map.num_dims as usize];
        for &result in &map.results {
            if affine.constant_value(result) == Some(0) {
                continue;
            }
            let Some(dim) = affine.dim_position(result) else {
                return Err(self.op.error("requires a projected permutation_map (at most one dim or the zero constant can appear in each result)"));
            };
            if std::mem::replace(&mut seen[dim as usize], true) {
                return Err(self
                    .op
                    .error("requires a permutation_map that is a permutation (found one dim used more than once)"));
            }
        }
        Ok(())
    }
}

pub(crate) fn transfer_read(op: OpRef<'_>) -> Verified {
    let read = TransferReadOp(op);
    let (base, padding) = (read.base().ty(), read.padding().ty());
    one_index_a_dimension(op, base, read.indices().len())?;
    let Some(map) = read.permutation_map().as_affine_map() else { return Ok(()) };
    Transfer { op, base, vector: read.vector().ty(), mask: read.mask(), map }.verify()?;
    if base.element_type() == Some(padding) {
        return Ok(());
    }
    if base.element_type().is_some_and(TypeRef::is_vector) {
        return Err(op.error("requires source element type and padding type to match."));
    }
    Err(op.error("requires formal padding and source of the same elemental type"))
}

pub(crate) fn transfer_write(op: OpRef<'_>) -> Verified {
    let write = TransferWriteOp(op);
    let base = write.base().ty();
    one_index_a_dimension(op, base, write.indices().len())?;
    if let Some(result) = op.results().iter().find(|result| result.ty() != base) {
        return Err(op.error(format_args!("expected result to be of type '{base}', but got '{}'", result.ty())));
    }
    verify_destination_style(op)?;
    let Some(map) = write.permutation_map().as_affine_map() else { return Ok(()) };
    let affine = op.cx().affine();
    if affine.map(map).results.iter().any(|&result| affine.constant_value(result) == Some(0)) {
        return Err(op.error("should not have broadcast dimensions"));
    }
    Transfer { op, base, vector: write.value_to_store().ty(), mask: write.mask(), map }.verify()
}
