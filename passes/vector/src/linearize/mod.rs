//! `vector-linearize`: operations on vectors of several dimensions as such on vectors of one, with the same elements in row-major order.
//!
//! `moves` has what picks elements by number: parts, slices and shuffles, which all become shuffles. What is not known here stays as it is;
//! `vector.shape_cast` stands where the two sides meet.

mod moves;

use std::sync::Arc;

use dl_arith::{Build, CmpIPredicate, ConstantOp};
use dl_ir::opdef::Trait;
use dl_ir::pass::{Pass, PassCx, PassInfo, PassOptions, PassResult};
use dl_ir::rewrite::conversion::{
    ConversionPattern, ConversionPatterns, ConversionRewriter, ConversionTarget, Converted, TypeConverter,
};
use dl_ir::rewrite::{NoMatch, Rewrite};
use dl_ir::{Context, OpDefinition, OpId, OpRef, OpState, OpView, Type, TypeRef};
use dl_vector::types::{count, extents, vector_type};
use dl_vector::{
    BitCastOp, BroadcastOp, CreateMaskOp, DeinterleaveOp, FromElementsOp, InterleaveOp, LoadOp, MaskedLoadOp,
    MaskedStoreOp, ShapeCastOp, StoreOp, ToElementsOp,
};

use crate::build::VectorBuild;

dl_ir::pass_options! {
    /// Options of [`Linearize`].
    pub struct LinearizeOptions {
        /// Take only vectors whose innermost dimension has fewer bits; without it, all
        target_vector_bitwidth "target-vector-bitwidth": Option<u64> = None,
    }
}

/// Makes vectors of several dimensions vectors of one.
#[derive(Clone, Default)]
pub struct Linearize {
    /// The options.
    pub options: LinearizeOptions,
}

impl Pass for Linearize {
    const INFO: PassInfo =
        PassInfo::new("vector-linearize", "Make vectors of several dimensions vectors of one with the same elements");

    fn options(&mut self) -> Option<&mut dyn PassOptions> {
        Some(&mut self.options)
    }

    fn run(&mut self, cx: &mut PassCx<'_>) -> PassResult {
        let converter = Arc::new(converter());
        let mut patterns = ConversionPatterns::new();
        let limit = Limit(self.options.target_vector_bitwidth);
        patterns.add(&converter, Retype { limit }).add(&converter, LinearizeConstant { limit });
        patterns.add(&converter, LinearizeMask { limit });
        moves::add(&converter, limit, &mut patterns);
        cx.convert_partially(&ConversionTarget::new(), &patterns.freeze())
    }
}

/// Which operations are wanted: those whose vectors all have innermost dimensions of fewer bits than this.
#[derive(Clone, Copy)]
struct Limit(Option<u64>);

impl Limit {
    /// Whether `op` is to be taken: one that `converter` changes, and whose results, or operands where it has none, are short enough.
    fn wants(self, op: OpRef<'_>, converter: &TypeConverter) -> Rewrite {
        if converter.is_legal_op(op) {
            return Err(NoMatch("no vectors of several dimensions"));
        }
        let short = |ty: TypeRef<'_>| match self.0 {
            Some(limit) if ty.is_vector() => {
                let inner = extents(ty).last().copied().unwrap_or(1).unsigned_abs();
                let element = ty.element_or_self();
                element.int_or_float_width().is_some_and(|bits| inner.saturating_mul(bits.into()) < limit)
            }
            _ => true,
        };
        let fits = match op.num_results() {
            0 => op.operands().iter().all(|value| short(value.ty())),
            _ => op.results().iter().all(|value| short(value.ty())),
        };
        if fits { Ok(()) } else { Err(NoMatch("the innermost dimension is long enough")) }
    }
}

/// Vectors of several dimensions, of which at most one is scalable, become those of one.
fn converter() -> TypeConverter {
    let mut converter = TypeConverter::new();
    converter.keep_others();
    converter.rule(|_, cx, ty| linear_type(cx, ty));
    let cast = |rw: &mut dl_ir::Rewriter<'_>, ty, value, loc| Build::new(rw, loc).shape_cast(value, ty);
    converter.source_materialization(move |rw, ty, values, loc| match values {
        &[value] => Some(cast(rw, ty, value, loc)),
        _ => None,
    });
    converter.target_materialization(move |rw, types, values, loc| match (types, values) {
        (&[ty], &[value]) => Some(smallvec::smallvec![cast(rw, ty, value, loc)]),
        _ => None,
    });
    converter
}

fn linear_type(cx: &Context, ty: Type) -> Option<Type> {
    let view = cx.ty(ty);
    let scalable = view.scalable_dims().iter().filter(|&&dim| dim).count();
    if extents(view).len() < 2 || scalable > 1 {
        return None;
    }
    Some(vector_type(cx, &[count(view)?], &[scalable > 0], view.element_or_self().id()))
}

/// Operations that mean the same on vectors of one dimension.
struct Retype {
    limit: Limit,
}

impl ConversionPattern for Retype {
    const NAME: &'static str = "vector-linearize-types";
    const ROOT: Option<&'static str> = None;

    fn rewrite(&self, op: OpId, operands: Converted<'_>, rw: &mut ConversionRewriter<'_>) -> Rewrite {
        let view = rw.op(op);
        let converter = rw.converter();
        self.limit.wants(view, converter)?;
        if !is_same_when_linear(view) {
            return Err(NoMatch("not the same on vectors of one dimension"));
        }
        let types: Result<Vec<Type>, NoMatch> = view.results().types().iter().map(|&ty| rw.convert_type(ty)).collect();
        let (types, values) = (types?, operands.all());
        if view.is::<ShapeCastOp<'_>>() && rw.ir().value_type(values[0]) == types[0] {
            rw.replace(op, &values);
            return Ok(());
        }
        let attrs: Vec<_> = view.attrs().map(|(name, value)| (name, value.id())).collect();
        let state = OpState::new(view.name_id(), view.loc()).operands(values).results(types).attrs(attrs);
        rw.replace_with(op, state);
        Ok(())
    }
}

/// Whether `op` does the same to elements in row-major order, whatever the shape.
fn is_same_when_linear(op: OpRef<'_>) -> bool {
    if op.is::<BroadcastOp<'_>>() {
        return !op.operand(0).ty().is_vector();
    }
    let memory =
        op.is::<LoadOp<'_>>() || op.is::<StoreOp<'_>>() || op.is::<MaskedLoadOp<'_>>() || op.is::<MaskedStoreOp<'_>>();
    if memory {
        let vectors = op.operands().iter().chain(op.results().iter()).filter(|value| value.ty().is_vector());
        let is_row = |ty| extents(ty).iter().rev().skip(1).all(|&extent| extent == 1) && leading_fixed(ty);
        return vectors.into_iter().all(|value| is_row(value.ty()));
    }
    op.has_trait(&Trait::Elementwise) && op.num_regions() == 0
        || op.is::<BitCastOp<'_>>()
        || op.is::<FromElementsOp<'_>>()
        || op.is::<ToElementsOp<'_>>()
        || op.is::<InterleaveOp<'_>>()
        || op.is::<DeinterleaveOp<'_>>()
        || op.is::<ShapeCastOp<'_>>()
        || op.is::<dl_ub::PoisonOp<'_>>()
}

/// Whether no dimension but the innermost one is scalable.
fn leading_fixed(ty: TypeRef<'_>) -> bool {
    ty.scalable_dims().iter().rev().skip(1).all(|&dim| !dim)
}

/// Constants.
struct LinearizeConstant {
    limit: Limit,
}

impl ConversionPattern for LinearizeConstant {
    const NAME: &'static str = "vector-linearize-constant";
    const ROOT: Option<&'static str> = Some(ConstantOp::NAME);

    fn rewrite(&self, op: OpId, _: Converted<'_>, rw: &mut ConversionRewriter<'_>) -> Rewrite {
        let (cx, view) = (rw.cx(), rw.op(op));
        self.limit.wants(view, rw.converter())?;
        let value = view.attr("value").ok_or(NoMatch("no value"))?;
        let ty = rw.convert_type(view.result(0).ty().id())?;
        let attr = match value.splat_value() {
            Some(element) => cx.splat_attr(ty, element.id()),
            None if cx.ty(ty).is_scalable_vector() => None,
            None => value
                .dense_values()
                .and_then(|values| cx.dense_attr(ty, &values.map(|value| value.id()).collect::<Vec<_>>())),
        };
        let attr = attr.ok_or(NoMatch("not dense elements"))?;
        let state = dl_arith::constant_state(cx, attr, view.loc());
        rw.replace_with(op, state);
        Ok(())
    }
}

/// Masks of one row: on as the innermost size says if all other sizes are above zero, else off.
struct LinearizeMask {
    limit: Limit,
}

impl ConversionPattern for LinearizeMask {
    const NAME: &'static str = "vector-linearize-mask";
    const ROOT: Option<&'static str> = Some(CreateMaskOp::NAME);

    fn rewrite(&self, op: OpId, operands: Converted<'_>, rw: &mut ConversionRewriter<'_>) -> Rewrite {
        let view = CreateMaskOp::wrap(rw.op(op));
        self.limit.wants(view.0, rw.converter())?;
        let ty = view.0.result(0).ty();
        let outer = extents(ty).split_last().map_or(&[][..], |(_, outer)| outer);
        if outer.iter().any(|&extent| extent != 1) || !leading_fixed(ty) {
            return Err(NoMatch("several rows"));
        }
        let (ty, loc) = (rw.convert_type(ty.id())?, view.0.loc());
        let sizes = operands.all();
        let (&inner, outer) = sizes.split_last().ok_or(NoMatch("no sizes"))?;
        rw.set_insertion_before(op);
        let mut b = Build::new(rw, loc);
        let zero = b.constant_index(0);
        let size = outer.iter().fold(inner, |size, &outer| {
            let on = b.compare(CmpIPredicate::Sgt, outer, zero);
            b.select(on, size, zero)
        });
        let mask = b.create_mask(&[size], ty);
        rw.replace(op, &[mask]);
        Ok(())
    }
}
