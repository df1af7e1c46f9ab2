//! `vector.contract` by the chosen one of four ways.
//!
//! * dot: matrix products by reductions of products of rows and columns; others dimension by dimension, down to one reduction.
//! * outerproduct: matrix products as sums of outer products.
//! * parallelarith: where the reduced dimensions have extent 1, by elementwise operations.
//! * llvmintr: matrix products by the matrix intrinsics. Those are of the `llvm` dialect, so the conversion to it adds the pattern.

use dl_arith::{AddFOp, AddIOp, Build, MulFOp, MulIOp};
use dl_ir::rewrite::{NoMatch, Patterns, Rewrite};
use dl_ir::{Attr, OpDefinition, OpId, OpState, OpView, Rewriter, TypeRef, ValueId};
use dl_vector::types::{extents, is_scalable, kept_dims, vector_type};
use dl_vector::{CombiningKind, ContractionOp, IteratorType, OuterProductOp, ReductionOp};
use smallvec::SmallVec;

use super::contract_layouts::{OuterProducts, dot_operands, outer_products};
use super::outer_product;
use crate::build::VectorBuild;
use crate::masking::{Root, masked_value};

/// How `vector.contract` is lowered.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum ContractLowering {
    /// To reductions of products.
    #[default]
    Dot,
    /// To matrix intrinsics.
    LlvmIntr,
    /// To outer products.
    OuterProduct,
    /// To elementwise operations.
    ParallelArith,
}

/// Adds the patterns, those for `vector.outerproduct` included.
pub fn contract(lowering: ContractLowering, patterns: &mut Patterns) {
    outer_product::outer_products(patterns);
    contractions(lowering, patterns);
}

/// Adds the patterns for `vector.contract` alone.
pub fn contractions(lowering: ContractLowering, patterns: &mut Patterns) {
    let root = Some(ContractionOp::NAME);
    match lowering {
        ContractLowering::Dot => patterns.add_fn("vector-contract-to-dot", root, to_dot),
        ContractLowering::OuterProduct => patterns.add_fn("vector-contract-to-outer-product", root, to_outer_product),
        ContractLowering::ParallelArith => patterns.add_fn("vector-contract-to-elementwise", root, to_elementwise),
        ContractLowering::LlvmIntr => patterns,
    }
    .add_fn("vector-contract-by-dimension", root, by_dimension);
}

/// The parts of a contraction.
pub(super) struct Contraction<'c> {
    pub(super) root: Root,
    pub(super) operands: [ValueId; 3],
    pub(super) types: [TypeRef<'c>; 3],
    /// For each operand the iteration dimension of each of its dimensions.
    pub(super) maps: [Vec<u32>; 3],
    pub(super) is_reduced: Vec<bool>,
    pub(super) kind: CombiningKind,
    iterators: Vec<Attr>,
}

impl<'c> Contraction<'c> {
    pub(super) fn of(op: OpId, rw: &Rewriter<'c>) -> Result<Self, NoMatch> {
        let (cx, view) = (rw.cx(), ContractionOp::wrap(rw.op(op)));
        let positions =
            |attr: dl_ir::AttrRef<'_>| attr.as_affine_map().and_then(|map| cx.affine().result_positions(map));
        let maps: Option<Vec<Vec<u32>>> = view.indexing_maps().elements().map(positions).collect();
        let maps = maps.and_then(|maps| maps.try_into().ok()).ok_or(NoMatch("maps that are no projections"))?;
        let operands = [view.lhs().id(), view.rhs().id(), view.acc().id()];
        let iterators: Vec<_> = view.iterator_types().elements().collect();
        let is_reduced =
            iterators.iter().map(|attr| IteratorType::from_attr(*attr) == Some(IteratorType::Reduction)).collect();
        Ok(Self {
            root: Root::of(view.0),
            operands,
            types: operands.map(|operand| rw.value_type(operand)),
            maps,
            is_reduced,
            kind: outer_product::kind_of(view.kind()),
            iterators: iterators.into_iter().map(|attr| attr.id()).collect(),
        })
    }

    /// The dimension of operand `at` that is iteration dimension `dim`.
    fn dim_of(&self, at: usize, dim: u32) -> Option<usize> {
        self.maps[at].iter().position(|&each| each == dim)
    }

    /// What the contraction at each position of dimension `dim` has for maps and iterators.
    fn without(&self, cx: &dl_ir::Context, dim: u32) -> (Attr, Attr) {
        let affine = cx.affine();
        let count = self.is_reduced.len() as u32 - 1;
        let maps: Vec<Attr> = self
            .maps
            .iter()
            .map(|map| {
                let kept = map.iter().filter(|&&each| each != dim);
                let results: Vec<_> = kept.map(|&each| affine.dim(each - u32::from(each > dim))).collect();
                cx.affine_map_attr(affine.intern_map(count, 0, results))
            })
            .collect();
        let iterators = self.iterators.iter().enumerate().filter(|(i, _)| *i != dim as usize).map(|(_, &attr)| attr);
        (cx.array_attr(&maps), cx.array_attr(&iterators.collect::<Vec<_>>()))
    }

    fn is_sum_of_one_type(&self) -> Result<(), NoMatch> {
        let [lhs, rhs, acc] = self.types.map(TypeRef::element_or_self);
        if lhs != acc || rhs != acc {
            return Err(NoMatch("elements of several types"));
        }
        if self.kind != CombiningKind::Add {
            return Err(NoMatch("contractions other than sums are not supported"));
        }
        if self.root.passthru.is_some() {
            return Err(NoMatch("lanes that are masked off are given"));
        }
        Ok(())
    }
}

fn multiply(b: &mut Build<'_, '_>, x: ValueId, y: ValueId) -> ValueId {
    let float = b.value_type(x).element_or_self().is_float();
    if float { b.same::<MulFOp<'_>>(&[x, y]) } else { b.same::<MulIOp<'_>>(&[x, y]) }
}

fn add(b: &mut Build<'_, '_>, x: ValueId, y: ValueId) -> ValueId {
    let float = b.value_type(x).element_or_self().is_float();
    if float { b.same::<AddFOp<'_>>(&[x, y]) } else { b.same::<AddIOp<'_>>(&[x, y]) }
}

/// `vector.reduction <add>` of `vector`, into `acc` where there is one.
fn sum(b: &mut Build<'_, '_>, vector: ValueId, acc: Option<ValueId>, mask: Option<ValueId>) -> ValueId {
    let cx = b.cx();
    let kind = CombiningKind::Add.attr(cx);
    let ty = b.value_type(vector).element_or_self().id();
    let state = OpState::of::<ReductionOp<'_>>(b.loc).operands([vector]).operands(acc).results([ty]);
    masked_value(b, state.attr(cx, "kind", kind), mask)
}

/// A product of matrices, or of a matrix and a vector: the dot product of each row with each column.
fn to_dot(op: OpId, rw: &mut Rewriter<'_>) -> Rewrite {
    let it = Contraction::of(op, rw)?;
    it.is_sum_of_one_type()?;
    if it.root.mask.is_some() {
        return Err(NoMatch("it is masked"));
    }
    let [.., result] = it.types;
    if (0..extents(result).len()).any(|i| is_scalable(result, i)) {
        return Err(NoMatch("rows or columns are scalable"));
    }
    let found = dot_operands(&it).ok_or(NoMatch("no product of matrices"))?;
    let zero = rw.cx().zero_attr(result.id()).ok_or(NoMatch("elements without zero"))?;
    let mut b = it.root.build(rw);
    let [lhs, rhs] = found.map(|operand| operand.make(&mut b));
    let mut value = b.constant(zero, result.id());
    let mut columns: Vec<ValueId> = Vec::new();
    let shape = extents(result);
    for row in 0..shape[0] {
        let of_row = b.part(lhs, &[row]);
        for column in 0..shape.get(1).copied().unwrap_or(1) {
            if row == 0 {
                let of_column = if shape.len() == 1 { rhs } else { b.part(rhs, &[column]) };
                columns.push(of_column);
            }
            let product = multiply(&mut b, of_row, columns[column as usize]);
            let sum = sum(&mut b, product, None, None);
            let position = [row, column];
            value = b.with_part(sum, value, &position[..shape.len()]);
        }
    }
    let value = add(&mut b, value, it.operands[2]);
    rw.replace(it.root.op, &[value]);
    Ok(())
}

/// A product of matrices as a sum of outer products of columns with rows.
fn to_outer_product(op: OpId, rw: &mut Rewriter<'_>) -> Rewrite {
    let it = Contraction::of(op, rw)?;
    if it.root.passthru.is_some() {
        return Err(NoMatch("lanes that are masked off are given"));
    }
    let OuterProducts { columns, rows, mask, count } = outer_products(&it).ok_or(NoMatch("no product of matrices"))?;
    let mut b = it.root.build(rw);
    let cx = b.cx();
    let (columns, rows) = (columns.make(&mut b), rows.make(&mut b));
    let mask = mask.map(|mask| mask.make(&mut b));
    let result = it.types[2];
    let kind = it.kind.attr(cx);
    let mut value = it.operands[2];
    for k in 0..count {
        let parts = [columns, rows].map(|operand| b.part(operand, &[k]));
        let parts = parts.map(|part| promoted(&mut b, part, result.element_or_self()));
        let mask = mask.map(|mask| b.part(mask, &[k]));
        let state = OpState::of::<OuterProductOp<'_>>(b.loc).operands(parts).operands([value]).results([result.id()]);
        value = masked_value(&mut b, state.attr(cx, "kind", kind), mask);
    }
    rw.replace(it.root.op, &[value]);
    Ok(())
}

/// The value with wider elements.
fn promoted(b: &mut Build<'_, '_>, value: ValueId, element: TypeRef<'_>) -> ValueId {
    let ty = b.value_type(value);
    if ty.element_or_self() == element {
        return value;
    }
    let wide = if ty.is_vector() { ty.with_element(element.id()) } else { element.id() };
    if element.is_float() {
        b.value::<dl_arith::ExtFOp<'_>>(&[value], wide)
    } else {
        b.value::<dl_arith::ExtSIOp<'_>>(&[value], wide)
    }
}

/// All reduced dimensions have extent 1: what is left is one product and one sum for each element.
fn to_elementwise(op: OpId, rw: &mut Rewriter<'_>) -> Rewrite {
    let it = Contraction::of(op, rw)?;
    it.is_sum_of_one_type()?;
    if it.root.mask.is_some() {
        return Err(NoMatch("it is masked"));
    }
    let [.., result] = it.types;
    if !result.is_vector() {
        return Err(NoMatch("the result is a scalar"));
    }
    for at in 0..2 {
        let reduced = |(i, dim): (usize, &u32)| {
            it.is_reduced[*dim as usize] && (extents(it.types[at])[i] != 1 || is_scalable(it.types[at], i))
        };
        if it.maps[at].iter().enumerate().any(reduced) {
            return Err(NoMatch("a reduced dimension has more than one element"));
        }
    }
    let mut b = it.root.build(rw);
    let [x, y] = [0, 1].map(|at| in_shape_of_result(&mut b, &it, at));
    let float = result.element_or_self().is_float();
    let acc = it.operands[2];
    let value = if float {
        b.same::<dl_vector::FMAOp<'_>>(&[x, y, acc])
    } else {
        let product = multiply(&mut b, x, y);
        add(&mut b, product, acc)
    };
    rw.replace(it.root.op, &[value]);
    Ok(())
}

/// Operand `at` with the dimensions of the result in their order: repeated along those that it lacks, and without those reduced.
fn in_shape_of_result(b: &mut Build<'_, '_>, it: &Contraction<'_>, at: usize) -> ValueId {
    let (ty, map, result) = (it.types[at], &it.maps[at], it.types[2]);
    let missing = it.maps[2].iter().filter(|dim| !map.contains(dim)).count() as i64;
    let reduced = (0..map.len()).filter(|&i| it.is_reduced[map[i] as usize]);
    let mut permutation: SmallVec<[i64; 4]> = reduced.map(|i| missing + i as i64).collect();
    let num_reduced = permutation.len();
    let (mut shape, mut scalable) = (Vec::new(), Vec::new());
    for (i, dim) in it.maps[2].iter().enumerate() {
        if let Some(own) = map.iter().position(|each| each == dim) {
            permutation.push(missing + own as i64);
        } else {
            permutation.push(shape.len() as i64);
            shape.push(extents(result)[i]);
            scalable.push(is_scalable(result, i));
        }
    }
    let mut value = it.operands[at];
    if missing > 0 {
        let (own_shape, own_scalable) = kept_dims(ty, |_| true);
        shape.extend(own_shape);
        scalable.extend(own_scalable);
        let repeated = vector_type(b.cx(), &shape, &scalable, ty.element_or_self().id());
        value = b.broadcast(value, repeated);
    }
    value = b.transpose(value, &permutation);
    b.part(value, &vec![0; num_reduced])
}

/// Takes a contraction apart along one dimension: a batch dimension, else a free one of an operand, else the first.
fn by_dimension(op: OpId, rw: &mut Rewriter<'_>) -> Rewrite {
    let it = Contraction::of(op, rw)?;
    it.is_sum_of_one_type()?;
    let is_contracted =
        |dim: u32| it.is_reduced[dim as usize] && it.dim_of(0, dim).is_some() && it.dim_of(1, dim).is_some();
    let batch = it.maps[0].iter().find(|&&dim| !it.is_reduced[dim as usize] && it.dim_of(1, dim).is_some());
    let free = || it.maps[0].iter().chain(&it.maps[1]).find(|&&dim| !is_contracted(dim));
    let Some(&dim) = batch.or_else(free) else { return along_reduced(rw, &it, op) };
    let (lhs, rhs) = (it.dim_of(0, dim), it.dim_of(1, dim));
    let of_one = |at: usize, i: Option<usize>| i.map(|i| (extents(it.types[at])[i], is_scalable(it.types[at], i)));
    let (extent, scalable) = of_one(0, lhs).or_else(|| of_one(1, rhs)).ok_or(NoMatch("no dimension"))?;
    if scalable {
        return Err(NoMatch("a scalable dimension"));
    }
    let own = it.dim_of(2, dim);
    if own.is_none() && extent != 1 {
        return Err(NoMatch("a reduced dimension of one operand only"));
    }
    let result = it.types[2];
    let zero = rw.cx().zero_attr(result.id()).ok_or(NoMatch("elements without zero"))?;
    let (maps, iterators) = it.without(rw.cx(), dim);
    let mut b = it.root.build(rw);
    let mut value = b.constant(zero, result.id());
    for at in 0..extent {
        let parts = [(0, lhs), (1, rhs), (2, own)].map(|(i, along)| part_along(&mut b, it.operands[i], along, at));
        let mask = it.root.mask.map(|mask| part_along(&mut b, mask, Some(dim as usize), at));
        let part = contraction(&mut b, parts, maps, iterators, mask);
        value = with_part_along(&mut b, part, value, own, at);
    }
    rw.replace(it.root.op, &[value]);
    Ok(())
}

/// A contraction that reduces all dimensions: a reduction where there is one, else one contraction for each position of the first, one after
/// the other.
fn along_reduced(rw: &mut Rewriter<'_>, it: &Contraction<'_>, op: OpId) -> Rewrite {
    let [of_lhs, of_rhs, result] = it.types;
    if result.is_vector() {
        return Err(NoMatch("the result is a vector"));
    }
    let (lhs, rhs) = (it.dim_of(0, 0), it.dim_of(1, 0));
    let (lhs, rhs) = lhs.zip(rhs).ok_or(NoMatch("the first dimension is of one operand only"))?;
    let acc = it.operands[2];
    if extents(of_lhs).len() == 1 && extents(of_rhs).len() == 1 {
        let mut b = it.root.build(rw);
        let product = multiply(&mut b, it.operands[0], it.operands[1]);
        let value = sum(&mut b, product, Some(acc), it.root.mask);
        rw.replace(it.root.op, &[value]);
        return Ok(());
    }
    if is_scalable(of_lhs, lhs) || is_scalable(of_rhs, rhs) {
        return Err(NoMatch("a scalable dimension"));
    }
    debug_assert!(rw.op(op).num_results() == 1, "a contraction has one result");
    let (maps, iterators) = it.without(rw.cx(), 0);
    let mut b = it.root.build(rw);
    let mut value = acc;
    for at in 0..extents(of_lhs)[lhs] {
        let x = part_along(&mut b, it.operands[0], Some(lhs), at);
        let y = part_along(&mut b, it.operands[1], Some(rhs), at);
        let mask = it.root.mask.map(|mask| part_along(&mut b, mask, Some(0), at));
        value = contraction(&mut b, [x, y, value], maps, iterators, mask);
    }
    rw.replace(it.root.op, &[value]);
    Ok(())
}

fn contraction(
    b: &mut Build<'_, '_>,
    parts: [ValueId; 3],
    maps: Attr,
    iterators: Attr,
    mask: Option<ValueId>,
) -> ValueId {
    let cx = b.cx();
    let ty = b.ir().value_type(parts[2]);
    let kind = CombiningKind::Add.attr(cx);
    let state = OpState::of::<ContractionOp<'_>>(b.loc)
        .operands(parts)
        .results([ty])
        .attr(cx, "indexing_maps", maps)
        .attr(cx, "iterator_types", iterators)
        .attr(cx, "kind", kind);
    masked_value(b, state, mask)
}

/// What a value has at position `at` of its dimension `along`: the value itself where it lacks the dimension.
fn part_along(b: &mut Build<'_, '_>, value: ValueId, along: Option<usize>, at: i64) -> ValueId {
    let Some(along) = along else { return value };
    if along == 0 {
        return b.part(value, &[at]);
    }
    let ty = b.value_type(value);
    let (shape, scalable) = kept_dims(ty, |i| i != along);
    let ty = vector_type(b.cx(), &shape, &scalable, ty.element_or_self().id());
    let mut whole = b.zeros(ty).unwrap_or_else(|| b.poison_of(ty));
    for row in 0..shape[0] {
        let part = b.part(value, &[row]);
        let part = part_along(b, part, Some(along - 1), at);
        whole = b.with_part(part, whole, &[row]);
    }
    whole
}

/// The inverse: `whole` with `part` at position `at` of its dimension `along`; `part` itself where it lacks the dimension.
fn with_part_along(b: &mut Build<'_, '_>, part: ValueId, whole: ValueId, along: Option<usize>, at: i64) -> ValueId {
    let Some(along) = along else { return part };
    if along == 0 {
        return b.with_part(part, whole, &[at]);
    }
    let rows = extents(b.value_type(whole))[0];
    let mut value = whole;
    for row in 0..rows {
        let (old, new) = (b.part(value, &[row]), b.part(part, &[row]));
        let new = with_part_along(b, new, old, Some(along - 1), at);
        value = b.with_part(new, value, &[row]);
    }
    value
}
