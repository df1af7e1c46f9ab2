//! `lower-vector-multi-reduction`: reductions along several dimensions, of a matrix with all that is reduced along one dimension: the inner
//! one, by a reduction of each row, or the outer one, by combining the rows.

use dl_ir::pass::{OptionValue, Pass, PassCx, PassInfo, PassOptions, PassResult};
use dl_ir::rewrite::greedy::GreedyConfig;
use dl_ir::rewrite::{NoMatch, Patterns, Rewrite};
use dl_ir::{OpDefinition, OpId, OpState, OpView, Rewriter, Type, TypeRef, ValueId};
use dl_vector::types::{extents, is_scalable, kept_dims, vector_type};
use dl_vector::{CombiningKind, MultiDimReductionOp, ReductionOp};

use crate::build::{VectorBuild, without_leading};
use crate::masking::{Root, masked_value};

/// Which dimension of the matrix is reduced.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum MultiReductionLowering {
    /// The outer one.
    #[default]
    InnerParallel,
    /// The inner one.
    InnerReduction,
}

impl OptionValue for MultiReductionLowering {
    const KIND: &'static str = "value";
    const CHOICES: &'static [(&'static str, &'static str)] =
        &[("inner-parallel", "Combine the rows of a matrix"), ("inner-reduction", "Reduce each row of a matrix")];

    fn parse(text: Option<&str>) -> Result<Self, String> {
        match text {
            Some("inner-parallel") => Ok(Self::InnerParallel),
            Some("inner-reduction") => Ok(Self::InnerReduction),
            Some(other) => Err(format!("Cannot find option named '{other}'!")),
            None => Err("requires a value".to_owned()),
        }
    }

    fn print(&self) -> Option<String> {
        let keyword = match self {
            Self::InnerParallel => "inner-parallel",
            Self::InnerReduction => "inner-reduction",
        };
        Some(keyword.to_owned())
    }
}

dl_ir::pass_options! {
    /// Options of [`LowerVectorMultiReduction`].
    pub struct MultiReductionOptions {
        /// Which dimension is reduced in the end
        lowering_strategy "lowering-strategy": MultiReductionLowering = MultiReductionLowering::default(),
    }
}

/// Lowers `vector.multi_reduction`.
#[derive(Clone, Default)]
pub struct LowerVectorMultiReduction {
    /// The options.
    pub options: MultiReductionOptions,
}

impl Pass for LowerVectorMultiReduction {
    const INFO: PassInfo = PassInfo::new("lower-vector-multi-reduction", "Lower 'vector.multi_reduction' operations")
        .title("LowerVectorMultiReduction");

    fn options(&mut self) -> Option<&mut dyn PassOptions> {
        Some(&mut self.options)
    }

    fn run(&mut self, cx: &mut PassCx<'_>) -> PassResult {
        let mut patterns = Patterns::new();
        multi_reduction(self.options.lowering_strategy, &mut patterns);
        cx.rewrite_greedily(&patterns.freeze(), &GreedyConfig::default())?;
        Ok(())
    }
}

/// Adds the patterns.
pub fn multi_reduction(lowering: MultiReductionLowering, patterns: &mut Patterns) {
    let root = Some(MultiDimReductionOp::NAME);
    match lowering {
        MultiReductionLowering::InnerReduction => patterns
            .add_fn("vector-multi-reduction-order", root, |op, rw| reorder(op, rw, true))
            .add_fn("vector-multi-reduction-rank", root, |op, rw| flatten(op, rw, true))
            .add_fn("vector-multi-reduction-of-vector", root, of_vector)
            .add_fn("vector-multi-reduction-of-rows", root, of_rows),
        MultiReductionLowering::InnerParallel => patterns
            .add_fn("vector-multi-reduction-order", root, |op, rw| reorder(op, rw, false))
            .add_fn("vector-multi-reduction-rank", root, |op, rw| flatten(op, rw, false))
            .add_fn("vector-multi-reduction-of-vector", root, of_vector)
            .add_fn("vector-multi-reduction-by-rows", root, by_rows),
    };
}

/// The parts of a reduction.
struct Parts<'c> {
    root: Root,
    source: ValueId,
    of_source: TypeRef<'c>,
    acc: ValueId,
    kind: CombiningKind,
    reduced: Vec<bool>,
}

impl<'c> Parts<'c> {
    fn of(op: OpId, rw: &Rewriter<'c>) -> Result<Self, NoMatch> {
        let view = MultiDimReductionOp::wrap(rw.op(op));
        let root = Root::of(view.0);
        if root.passthru.is_some() {
            return Err(NoMatch("lanes that are masked off are given"));
        }
        let source = view.source().id();
        let of_source = rw.value_type(source);
        let dims: Vec<i64> = view.reduction_dims().dense_ints().collect();
        Ok(Self {
            root,
            source,
            of_source,
            acc: view.acc().id(),
            kind: CombiningKind::from_attr(view.kind()).ok_or(NoMatch("no kind"))?,
            reduced: (0..extents(of_source).len()).map(|i| dims.contains(&(i as i64))).collect(),
        })
    }

    /// The dimensions that are reduced, or those that are not.
    fn dims(&self, reduced: bool) -> Vec<i64> {
        (0..self.reduced.len()).filter(|&i| self.reduced[i] == reduced).map(|i| i as i64).collect()
    }
}

/// A reduction along these dimensions.
fn reduction(
    b: &mut dl_arith::Build<'_, '_>,
    kind: CombiningKind,
    [source, acc]: [ValueId; 2],
    dims: &[i64],
    mask: Option<ValueId>,
) -> ValueId {
    let (cx, ty) = (b.cx(), b.ir().value_type(acc));
    let state = OpState::of::<MultiDimReductionOp<'_>>(b.loc)
        .operands([source, acc])
        .results([ty])
        .attr(cx, "kind", kind.attr(cx))
        .attr(cx, "reduction_dims", cx.dense_i64_array(dims));
    masked_value(b, state, mask)
}

/// Whether what is reduced comes last, or first.
fn in_order(reduced: &[bool], inner: bool) -> bool {
    reduced.is_sorted_by(|a, b| if inner { a <= b } else { a >= b })
}

/// Moves what is reduced to the end, or to the front.
fn reorder(op: OpId, rw: &mut Rewriter<'_>, inner: bool) -> Rewrite {
    let parts = Parts::of(op, rw)?;
    let (parallel, reduced) = (parts.dims(false), parts.dims(true));
    if parallel.is_empty() || in_order(&parts.reduced, inner) {
        return Err(NoMatch("the dimensions are in order"));
    }
    let order: Vec<i64> = if inner { [&parallel[..], &reduced].concat() } else { [&reduced[..], &parallel].concat() };
    let at = if inner { parallel.len() } else { 0 };
    let dims: Vec<i64> = (at..at + reduced.len()).map(|i| i as i64).collect();
    let mut b = parts.root.build(rw);
    let mask = parts.root.mask.map(|mask| b.transpose(mask, &order));
    let source = b.transpose(parts.source, &order);
    let value = reduction(&mut b, parts.kind, [source, parts.acc], &dims, mask);
    rw.replace(parts.root.op, &[value]);
    Ok(())
}

/// The dimensions of one kind as one: their product, and whether it is scalable.
fn merged(ty: TypeRef<'_>, dims: &[i64]) -> Option<(i64, bool)> {
    let mut extent = 1_i64;
    let mut scalable = false;
    for &dim in dims {
        let dim = usize::try_from(dim).ok()?;
        extent = extent.checked_mul(extents(ty)[dim])?;
        scalable |= is_scalable(ty, dim);
    }
    Some((extent, scalable))
}

/// Merges the dimensions that are reduced, and those that are not, into one each.
fn flatten(op: OpId, rw: &mut Rewriter<'_>, inner: bool) -> Rewrite {
    let parts = Parts::of(op, rw)?;
    let ty = parts.of_source;
    let rank = parts.reduced.len();
    if rank < 2 || rank == 2 && parts.reduced[0] != parts.reduced[1] {
        return Err(NoMatch("a matrix, or less"));
    }
    if ty.scalable_dims().iter().filter(|&&is| is).count() > 1 || !in_order(&parts.reduced, inner) {
        return Err(NoMatch("dimensions that cannot be merged"));
    }
    let (parallel, reduced) = (parts.dims(false), parts.dims(true));
    let groups = if inner { [(&parallel, false), (&reduced, true)] } else { [(&reduced, true), (&parallel, false)] };
    let (mut shape, mut scalable, mut dims) = (Vec::new(), Vec::new(), Vec::new());
    for (group, is_reduced) in groups {
        if group.is_empty() {
            continue;
        }
        let (extent, is_scalable) = merged(ty, group).ok_or(NoMatch("too many elements"))?;
        if is_reduced {
            dims.push(shape.len() as i64);
        }
        shape.push(extent);
        scalable.push(is_scalable);
    }
    let flat = |element: Type| vector_type(ty.cx(), &shape, &scalable, element);
    let (element, result) = (ty.element_or_self().id(), rw.ir().value_type(parts.acc));
    let mut b = parts.root.build(rw);
    let mask = parts.root.mask.map(|mask| {
        let ty = flat(b.cx().i1_type());
        b.shape_cast(mask, ty)
    });
    let source = b.shape_cast(parts.source, flat(element));
    let mut acc = parts.acc;
    if !parallel.is_empty() {
        let at = usize::from(!inner && shape.len() == 2);
        let ty = vector_type(b.cx(), &[shape[at]], &[scalable[at]], element);
        acc = b.shape_cast(acc, ty);
    }
    let mut value = reduction(&mut b, parts.kind, [source, acc], &dims, mask);
    if !parallel.is_empty() {
        value = b.shape_cast(value, result);
    }
    rw.replace(parts.root.op, &[value]);
    Ok(())
}

/// The reduction of all of a vector is that of a matrix of one row.
fn of_vector(op: OpId, rw: &mut Rewriter<'_>) -> Rewrite {
    let parts = Parts::of(op, rw)?;
    if parts.reduced != [true] {
        return Err(NoMatch("not a whole vector"));
    }
    let ty = parts.of_source;
    let row = |element: Type| {
        let (shape, scalable) = kept_dims(ty, |_| true);
        vector_type(ty.cx(), &[1, shape[0]], &[false, scalable[0]], element)
    };
    let element = ty.element_or_self().id();
    let mut b = parts.root.build(rw);
    let cx = b.cx();
    let source = b.shape_cast(parts.source, row(element));
    let acc = b.broadcast(parts.acc, cx.vector_type(&[1], element));
    let mask = parts.root.mask.map(|mask| b.broadcast(mask, row(cx.i1_type())));
    let value = reduction(&mut b, parts.kind, [source, acc], &[1], mask);
    let value = b.part(value, &[0]);
    rw.replace(parts.root.op, &[value]);
    Ok(())
}

/// Reduces each row of a matrix.
fn of_rows(op: OpId, rw: &mut Rewriter<'_>) -> Rewrite {
    let parts = Parts::of(op, rw)?;
    if parts.reduced != [false, true] || is_scalable(parts.of_source, 0) {
        return Err(NoMatch("not the rows of a matrix"));
    }
    let result = rw.ir().value_type(parts.acc);
    let zero = rw.cx().zero_attr(result).ok_or(NoMatch("elements without zero"))?;
    let element = parts.of_source.element_or_self().id();
    let mut b = parts.root.build(rw);
    let cx = b.cx();
    let mut value = b.constant(zero, result);
    for row in 0..extents(parts.of_source)[0] {
        let (source, acc) = (b.part(parts.source, &[row]), b.part(parts.acc, &[row]));
        let mask = parts.root.mask.map(|mask| b.part(mask, &[row]));
        let state = OpState::of::<ReductionOp<'_>>(b.loc).operands([source, acc]).results([element]);
        let part = masked_value(&mut b, state.attr(cx, "kind", parts.kind.attr(cx)), mask);
        value = b.with_part(part, value, &[row]);
    }
    rw.replace(parts.root.op, &[value]);
    Ok(())
}

/// Combines the rows of a matrix.
fn by_rows(op: OpId, rw: &mut Rewriter<'_>) -> Rewrite {
    let parts = Parts::of(op, rw)?;
    if parts.reduced != [true, false] || is_scalable(parts.of_source, 0) {
        return Err(NoMatch("not the rows of a matrix"));
    }
    debug_assert!(without_leading(parts.of_source, 1) == rw.ir().value_type(parts.acc), "a row is like the result");
    let mut b = parts.root.build(rw);
    let mut value = parts.acc;
    for row in 0..extents(parts.of_source)[0] {
        let part = b.part(parts.source, &[row]);
        let mask = parts.root.mask.map(|mask| b.part(mask, &[row]));
        value = b.combine(parts.kind, part, value, None, mask);
    }
    rw.replace(parts.root.op, &[value]);
    Ok(())
}
