//! Products and transposes of matrices by the matrix intrinsics, which take them flat.

use dl_arith::{AddFOp, AddIOp, Build};
use dl_ir::rewrite::{NoMatch, Patterns, Rewrite};
use dl_ir::{Attr, Context, OpDefinition, OpId, OpView, Rewriter, ValueId};
use dl_llvm::{MatrixMultiplyOp, MatrixTransposeOp};
use dl_passes_vector::build::VectorBuild;
use dl_vector::types::extents;
use dl_vector::{CombiningKind, ContractionOp, IteratorType, MaskOp, TransposeOp};

/// Adds the pattern for products.
pub(super) fn multiply(patterns: &mut Patterns) {
    patterns.add(Multiply);
}

/// Adds the pattern for transposes.
pub(super) fn transpose(patterns: &mut Patterns) {
    patterns.add(Transpose);
}

/// An extent as a 32-bit attribute.
fn extent(cx: &Context, extent: i64) -> Result<Attr, NoMatch> {
    Ok(cx.i32_attr(i32::try_from(extent).map_err(|_| NoMatch("an extent of more than 32 bits"))?))
}

struct Multiply;

impl dl_ir::rewrite::Pattern for Multiply {
    const NAME: &'static str = "vector-contract-to-matrix-intrinsic";
    const ROOT: Option<&'static str> = Some(ContractionOp::NAME);
    const BENEFIT: u16 = 100;

    fn rewrite(&self, op: OpId, rw: &mut Rewriter<'_>) -> Rewrite {
        let (cx, view) = (rw.cx(), ContractionOp::wrap(rw.op(op)));
        if view.0.parent_of::<MaskOp<'_>>().is_some() {
            return Err(NoMatch("it is masked"));
        }
        let kinds: Vec<_> = view.iterator_types().elements().map(IteratorType::from_attr).collect();
        let is_matrix_product =
            kinds == [Some(IteratorType::Parallel), Some(IteratorType::Parallel), Some(IteratorType::Reduction)];
        let is_sum = CombiningKind::from_attr(view.kind()) == Some(CombiningKind::Add);
        if !is_matrix_product || !is_sum {
            return Err(NoMatch("no product of matrices"));
        }
        let map = |attr: dl_ir::AttrRef<'_>| attr.as_affine_map().and_then(|map| cx.affine().result_positions(map));
        let maps: Option<Vec<Vec<u32>>> = view.indexing_maps().elements().map(map).collect();
        let maps = maps.ok_or(NoMatch("maps that are no projections"))?;
        let [of_lhs, of_rhs, of_acc] = maps.as_slice() else { return Err(NoMatch("not three maps")) };
        let order = |map: &[u32], straight: [u32; 2]| match *map {
            [a, b] if [a, b] == straight => Ok(false),
            [a, b] if [b, a] == straight => Ok(true),
            _ => Err(NoMatch("no product of matrices")),
        };
        let turned = [order(of_lhs, [0, 2])?, order(of_rhs, [2, 1])?, order(of_acc, [0, 1])?];
        let operands = [view.lhs().id(), view.rhs().id(), view.acc().id()];
        let [lhs_type, rhs_type, acc_type] = operands.map(|operand| rw.value_type(operand));
        if [lhs_type, rhs_type, acc_type].iter().any(|ty| ty.is_scalable_vector()) {
            return Err(NoMatch("a scalable vector"));
        }
        let element = lhs_type.element_or_self();
        if element != acc_type.element_or_self() || element != rhs_type.element_or_self() || element.is_index() {
            return Err(NoMatch("elements of several types"));
        }
        let dims = |ty: dl_ir::TypeRef<'_>, turned: bool| {
            let shape = extents(ty);
            if turned { [shape[1], shape[0]] } else { [shape[0], shape[1]] }
        };
        let ([rows, inner], [_, columns]) = (dims(lhs_type, turned[0]), dims(rhs_type, turned[1]));
        let attrs = [
            ("lhs_rows", extent(cx, rows)?),
            ("lhs_columns", extent(cx, inner)?),
            ("rhs_columns", extent(cx, columns)?),
        ];
        let loc = view.0.loc();
        rw.set_insertion_before(op);
        let mut b = Build::new(rw, loc);
        let straight = |b: &mut Build<'_, '_>, value: ValueId, turned: bool| {
            if turned { b.transpose(value, &[1, 0]) } else { value }
        };
        let flat = |b: &mut Build<'_, '_>, value: ValueId, count: i64| {
            b.shape_cast(value, cx.vector_type(&[count], element.id()))
        };
        let lhs = straight(&mut b, operands[0], turned[0]);
        let rhs = straight(&mut b, operands[1], turned[1]);
        let (lhs, rhs) = (flat(&mut b, lhs, rows * inner), flat(&mut b, rhs, inner * columns));
        let product = cx.vector_type(&[rows * columns], element.id());
        let product = b.value_with::<MatrixMultiplyOp<'_>>(&[lhs, rhs], product, &attrs);
        let product = b.shape_cast(product, cx.vector_type(&[rows, columns], element.id()));
        let product = straight(&mut b, product, turned[2]);
        let value = if element.is_float() {
            b.same::<AddFOp<'_>>(&[operands[2], product])
        } else {
            b.same::<AddIOp<'_>>(&[operands[2], product])
        };
        rw.replace(op, &[value]);
        Ok(())
    }
}

struct Transpose;

impl dl_ir::rewrite::Pattern for Transpose {
    const NAME: &'static str = "vector-transpose-to-matrix-intrinsic";
    const ROOT: Option<&'static str> = Some(TransposeOp::NAME);
    const BENEFIT: u16 = 100;

    fn rewrite(&self, op: OpId, rw: &mut Rewriter<'_>) -> Rewrite {
        let (cx, view) = (rw.cx(), TransposeOp::wrap(rw.op(op)));
        let (source, loc) = (view.vector().id(), view.0.loc());
        if !view.permutation().dense_ints().eq([1, 0]) {
            return Err(NoMatch("no matrix"));
        }
        let ty = rw.value_type(rw.ir().result(op, 0));
        let &[rows, columns] = extents(ty) else { return Err(NoMatch("no matrix")) };
        let element = ty.element_or_self();
        if ty.is_scalable_vector() || element.is_index() {
            return Err(NoMatch("a scalable vector, or elements that LLVM does not know"));
        }
        let attrs = [("rows", extent(cx, rows)?), ("columns", extent(cx, columns)?)];
        let flat = cx.vector_type(&[rows * columns], element.id());
        rw.set_insertion_before(op);
        let mut b = Build::new(rw, loc);
        let value = b.shape_cast(source, flat);
        let value = b.value_with::<MatrixTransposeOp<'_>>(&[value], flat, &attrs);
        let value = b.shape_cast(value, ty.id());
        rw.replace(op, &[value]);
        Ok(())
    }
}
