//! Elements and parts of vectors.

use dl_arith::Build;
use dl_ir::interfaces::Index;
use dl_ir::interfaces::index_list::Indices;
use dl_ir::rewrite::conversion::{ConversionPattern, ConversionRewriter, Converted};
use dl_ir::rewrite::{NoMatch, Rewrite};
use dl_ir::{AttrRef, DYNAMIC, OpDefinition, OpId, OpState, OpView, Operands, Type, ValueId};
use dl_llvm::types::array_parts;
use dl_llvm::{ExtractElementOp, FMulAddOp, InsertElementOp, VectorExtractOp, VectorInsertOp};
use dl_vector::types::extents;
use dl_vector::{
    BitCastOp, ExtractOp, FMAOp, FromElementsOp, InsertOp, ScalableExtractOp, ScalableInsertOp, ToElementsOp,
};
use smallvec::SmallVec;

use crate::llvm_build::LlvmBuild;
use crate::one_to_one::llvm_attrs;

/// `vector.bitcast` of at most one dimension becomes `llvm.bitcast`.
pub(super) struct BitCast;

impl ConversionPattern for BitCast {
    const NAME: &'static str = "vector-bitcast-to-llvm";
    const ROOT: Option<&'static str> = Some(BitCastOp::NAME);

    fn rewrite(&self, op: OpId, operands: Converted<'_>, rw: &mut ConversionRewriter<'_>) -> Rewrite {
        let ty = rw.value_type(rw.ir().result(op, 0));
        if extents(ty).len() > 1 {
            return Err(NoMatch("several dimensions"));
        }
        let ty = rw.convert_type(ty.id())?;
        let state = OpState::of::<dl_llvm::BitcastOp<'_>>(rw.op(op).loc()).operands([operands.one(0)]).results([ty]);
        rw.replace_with(op, state);
        Ok(())
    }
}

/// `vector.fma` of at most one dimension becomes the intrinsic that may fuse.
pub(super) struct Fma;

impl ConversionPattern for Fma {
    const NAME: &'static str = "vector-fma-to-llvm";
    const ROOT: Option<&'static str> = Some(FMAOp::NAME);

    fn rewrite(&self, op: OpId, operands: Converted<'_>, rw: &mut ConversionRewriter<'_>) -> Rewrite {
        let ty = rw.value_type(rw.ir().result(op, 0));
        if extents(ty).len() > 1 {
            return Err(NoMatch("several dimensions"));
        }
        let ty = rw.convert_type(ty.id())?;
        let attrs = llvm_attrs::<FMulAddOp<'_>>(rw.op(op));
        let state = OpState::of::<FMulAddOp<'_>>(rw.op(op).loc()).operands(operands.all()).results([ty]);
        rw.replace_with(op, state.attrs(attrs));
        Ok(())
    }
}

/// A position, and whether an index of it says that what is there is poison. The values in it are `converted`; those of the operation tell
/// which are constant.
fn position(
    fixed: AttrRef<'_>,
    dynamic: Operands<'_>,
    converted: &[ValueId],
    shape: &[i64],
) -> Result<(Indices, bool), NoMatch> {
    let mut values = dynamic.iter().map(|value| value.constant().and_then(AttrRef::as_int)).zip(converted);
    let mut poison = false;
    let position: Option<Indices> = fixed
        .dense_ints()
        .zip(shape)
        .map(|(index, extent)| match index {
            DYNAMIC => values.next().map(|(known, &value)| {
                known.filter(|known| (0..*extent).contains(known)).map_or(Index::Value(value), Index::Static)
            }),
            index => {
                poison |= index < 0;
                Some(Index::Static(index))
            }
        })
        .collect();
    Ok((position.ok_or(NoMatch("too few indices"))?, poison))
}

/// The position within nested arrays, all known.
fn in_arrays(position: &[Index]) -> Result<SmallVec<[i64; 4]>, NoMatch> {
    let known: Option<SmallVec<[i64; 4]>> = position.iter().map(|index| index.as_static()).collect();
    known.ok_or(NoMatch("arrays have no parts at positions known only when running"))
}

/// The number of an element as a value.
fn element_index(b: &mut Build<'_, '_>, index: Index, ty: Type) -> ValueId {
    match index {
        Index::Value(value) => value,
        Index::Static(number) => b.llvm_int(ty, number),
    }
}

/// `vector.extract` takes a part of the arrays, then an element of the vector.
pub(super) struct Extract;

impl ConversionPattern for Extract {
    const NAME: &'static str = "vector-extract-to-llvm";
    const ROOT: Option<&'static str> = Some(ExtractOp::NAME);

    fn rewrite(&self, op: OpId, operands: Converted<'_>, rw: &mut ConversionRewriter<'_>) -> Rewrite {
        let (cx, view) = (rw.cx(), ExtractOp::wrap(rw.op(op)));
        let (loc, rank) = (view.0.loc(), extents(view.source().ty()).len());
        let (mut position, poison) = position(
            view.static_position(),
            view.dynamic_position(),
            &operands.range(1..operands.len()),
            extents(view.source().ty()),
        )?;
        let ty = rw.convert_type(view.result().ty().id())?;
        // The result may be a vector of the one element.
        let element = rw.convert_type(view.source().ty().element_or_self().id())?;
        let index = rw.convert_type(cx.index_type())?;
        let whole = position.len() == rank;
        if rank == 0 {
            position.push(Index::Static(0));
        }
        let arrays =
            if rank >= 2 { in_arrays(&position[..position.len() - usize::from(whole)])? } else { SmallVec::new() };
        let mut b = Build::new(rw, loc);
        if poison {
            let value = b.poison(ty);
            rw.replace(op, &[value]);
            return Ok(());
        }
        let mut value = operands.one(0);
        if rank >= 2 && !arrays.is_empty() {
            value = b.extract(value, &arrays);
        }
        if whole {
            let at = element_index(&mut b, *position.last().expect("one index for the element"), index);
            value = b.value::<ExtractElementOp<'_>>(&[value, at], element);
        }
        rw.replace(op, &[value]);
        Ok(())
    }
}

/// `vector.insert` puts an element into the vector, and that into the arrays.
pub(super) struct Insert;

impl ConversionPattern for Insert {
    const NAME: &'static str = "vector-insert-to-llvm";
    const ROOT: Option<&'static str> = Some(InsertOp::NAME);

    fn rewrite(&self, op: OpId, operands: Converted<'_>, rw: &mut ConversionRewriter<'_>) -> Rewrite {
        let (cx, view) = (rw.cx(), InsertOp::wrap(rw.op(op)));
        let (loc, rank) = (view.0.loc(), extents(view.dest().ty()).len());
        let (mut position, poison) = position(
            view.static_position(),
            view.dynamic_position(),
            &operands.range(2..operands.len()),
            extents(view.dest().ty()),
        )?;
        let ty = rw.convert_type(view.result().ty().id())?;
        let index = rw.convert_type(cx.index_type())?;
        let whole = position.len() == rank;
        if rank == 0 {
            position.push(Index::Static(0));
        }
        let is_nested = array_parts(cx.ty(ty)).is_some();
        let arrays =
            if is_nested { in_arrays(&position[..position.len() - usize::from(whole)])? } else { SmallVec::new() };
        let mut b = Build::new(rw, loc);
        if poison {
            let value = b.poison(ty);
            rw.replace(op, &[value]);
            return Ok(());
        }
        let (mut value, dest) = (operands.one(0), operands.one(1));
        if whole {
            let vector = if is_nested { b.extract(dest, &arrays) } else { dest };
            let at = element_index(&mut b, *position.last().expect("one index for the element"), index);
            value = b.same::<InsertElementOp<'_>>(&[vector, value, at]);
        }
        if is_nested && !arrays.is_empty() {
            value = b.insert(dest, value, &arrays);
        }
        rw.replace(op, &[value]);
        Ok(())
    }
}

/// `vector.scalable.insert` becomes the intrinsic.
pub(super) struct ScalableInsert;

impl ConversionPattern for ScalableInsert {
    const NAME: &'static str = "vector-scalable-insert-to-llvm";
    const ROOT: Option<&'static str> = Some(ScalableInsertOp::NAME);

    fn rewrite(&self, op: OpId, operands: Converted<'_>, rw: &mut ConversionRewriter<'_>) -> Rewrite {
        let (cx, view) = (rw.cx(), ScalableInsertOp::wrap(rw.op(op)));
        let (ty, pos) = (rw.convert_type(view.result().ty().id())?, view.pos().id());
        let state = OpState::of::<VectorInsertOp<'_>>(view.0.loc())
            .operands([operands.one(1), operands.one(0)])
            .results([ty])
            .attr(cx, "pos", pos);
        rw.replace_with(op, state);
        Ok(())
    }
}

/// `vector.scalable.extract` becomes the intrinsic.
pub(super) struct ScalableExtract;

impl ConversionPattern for ScalableExtract {
    const NAME: &'static str = "vector-scalable-extract-to-llvm";
    const ROOT: Option<&'static str> = Some(ScalableExtractOp::NAME);

    fn rewrite(&self, op: OpId, operands: Converted<'_>, rw: &mut ConversionRewriter<'_>) -> Rewrite {
        let (cx, view) = (rw.cx(), ScalableExtractOp::wrap(rw.op(op)));
        let (ty, pos) = (rw.convert_type(view.result().ty().id())?, view.pos().id());
        let state = OpState::of::<VectorExtractOp<'_>>(view.0.loc())
            .operands([operands.one(0)])
            .results([ty])
            .attr(cx, "pos", pos);
        rw.replace_with(op, state);
        Ok(())
    }
}

/// `vector.from_elements` of at most one dimension inserts one by one.
pub(super) struct FromElements;

impl ConversionPattern for FromElements {
    const NAME: &'static str = "vector-from-elements-to-llvm";
    const ROOT: Option<&'static str> = Some(FromElementsOp::NAME);

    fn rewrite(&self, op: OpId, operands: Converted<'_>, rw: &mut ConversionRewriter<'_>) -> Rewrite {
        let (loc, ty) = (rw.op(op).loc(), rw.value_type(rw.ir().result(op, 0)));
        if extents(ty).len() > 1 {
            return Err(NoMatch("several dimensions"));
        }
        let (ty, index) = (rw.convert_type(ty.id())?, rw.convert_type(rw.cx().index_type())?);
        let mut b = Build::new(rw, loc);
        let mut value = b.poison(ty);
        for (number, element) in operands.all().into_iter().enumerate() {
            let at = b.llvm_int(index, number as i64);
            value = b.same::<InsertElementOp<'_>>(&[value, element, at]);
        }
        rw.replace(op, &[value]);
        Ok(())
    }
}

/// `vector.to_elements` of at most one dimension extracts those that are used.
pub(super) struct ToElements;

impl ConversionPattern for ToElements {
    const NAME: &'static str = "vector-to-elements-to-llvm";
    const ROOT: Option<&'static str> = Some(ToElementsOp::NAME);

    fn rewrite(&self, op: OpId, operands: Converted<'_>, rw: &mut ConversionRewriter<'_>) -> Rewrite {
        let view = ToElementsOp::wrap(rw.op(op));
        if extents(view.source().ty()).len() > 1 {
            return Err(NoMatch("several dimensions"));
        }
        let loc = view.0.loc();
        let used: Vec<bool> = view.elements().iter().map(|element| element.has_uses()).collect();
        let element = view.source().ty().element_or_self().id();
        let (element, index) = (rw.convert_type(element)?, rw.convert_type(rw.cx().index_type())?);
        let source = operands.one(0);
        let mut b = Build::new(rw, loc);
        let mut values: Vec<SmallVec<[ValueId; 1]>> = Vec::with_capacity(used.len());
        for (number, used) in used.into_iter().enumerate() {
            values.push(if used {
                let at = b.llvm_int(index, number as i64);
                smallvec::smallvec![b.value::<ExtractElementOp<'_>>(&[source, at], element)]
            } else {
                SmallVec::new()
            });
        }
        rw.replace_many(op, &values);
        Ok(())
    }
}
