//! Moving elements without computing: reshapes, transposes, slices, padding, concatenation.

use dl_ir::interfaces::index_list::{Indices, split};
use dl_ir::interfaces::offset_size_stride::Slice;
use dl_ir::interfaces::{Index, reassociation};
use dl_ir::{DYNAMIC, OpState, ValueId};
use dl_linalg::build::{broadcast_state, transpose_state};
use dl_tensor::{CollapseShapeOp, ExpandShapeOp, PadOp, YieldOp};

use super::Builder;
use crate::fault::{Outcome, require};
use crate::literal::{Literal, count};
use crate::tensor::{Data, Tensor};

/// More elements than this are not moved while importing.
const MAX_FOLDED: usize = 1 << 16;

impl Builder<'_, '_> {
    /// The same elements in row-major order with other extents, whose product is the same.
    ///
    /// # Errors
    /// That it is known not to be.
    pub(crate) fn reshape(&mut self, input: &Tensor, dims: &[Index]) -> Outcome<Tensor> {
        if input.dims[..] == *dims {
            return Ok(input.clone());
        }
        let (from, to) = (input.static_dims(), dims.iter().map(|dim| dim.as_static()).collect::<Option<Vec<i64>>>());
        if let (Some(from), Some(to)) = (&from, &to) {
            require!(count(from)? == count(to)?, "cannot reshape {from:?} to {to:?}: the number of elements differs");
        }
        if let (Data::Literal(literal), Some(to)) = (&input.data, &to) {
            return Ok(Tensor::literal(literal.reshaped(to)?));
        }
        if let Data::Scalars(values) = &input.data
            && dims.len() <= 1
        {
            return Ok(Tensor { dims: dims.into(), data: Data::Scalars(values.clone()), ..input.clone() });
        }
        let value = self.value(input)?;
        if let Some(groups) = groups(dims, &input.dims) {
            let value = self.expand(value, input, dims, &groups);
            return Ok(self.tensor(value, dims.iter().copied(), input.element));
        }
        if let Some(groups) = groups(&input.dims, dims) {
            let value = self.collapse(value, input, dims, &groups);
            return Ok(self.tensor(value, dims.iter().copied(), input.element));
        }
        // By way of one dimension.
        let all = self.index_product(input.dims.iter().copied())?;
        let flat = if input.rank() == 1 {
            input.clone()
        } else {
            let value = self.collapse(value, input, &[all], &[(0..input.rank()).collect()]);
            self.tensor(value, [all], input.element)
        };
        if dims.len() == 1 {
            return self.with_dims(&flat, dims, "reshape");
        }
        let flat = if dims.iter().all(|dim| dim.as_static().is_some()) {
            let all = self.index_product(dims.iter().copied())?;
            self.with_dims(&flat, &[all], "reshape")?
        } else {
            flat
        };
        let flat = self.without_static(&flat, dims)?;
        let value = self.value(&flat)?;
        let value = self.expand(value, &flat, dims, &[(0..dims.len()).collect()]);
        Ok(self.tensor(value, dims.iter().copied(), input.element))
    }

    /// The list as one of an extent that its type does not say, where the extents it is to have are not all known.
    fn without_static(&mut self, flat: &Tensor, dims: &[Index]) -> Outcome<Tensor> {
        if flat.dims[0].as_static().is_none() || dims.iter().all(|dim| dim.as_static().is_some()) {
            return Ok(flat.clone());
        }
        let value = self.value(flat)?;
        let ty = self.cx().tensor_type(&[DYNAMIC], flat.element.ty(self.cx()));
        let extent = self.index(flat.dims[0]);
        let value = self.op("tensor.cast", &[value], ty);
        Ok(self.tensor(value, [Index::Value(extent)], flat.element))
    }

    fn expand(&mut self, value: ValueId, input: &Tensor, dims: &[Index], groups: &[Vec<usize>]) -> ValueId {
        let cx = self.cx();
        let (shape, values) = split(dims);
        let ty = self.tensor_type(dims, input.element);
        let state = OpState::of::<ExpandShapeOp<'_>>(self.loc)
            .operands([value])
            .operands(values)
            .attr(cx, "reassociation", reassociation::groups_attr(cx, groups))
            .attr(cx, "static_output_shape", cx.dense_i64_array(&shape))
            .results([ty]);
        self.rw.create_value(state)
    }

    fn collapse(&mut self, value: ValueId, input: &Tensor, dims: &[Index], groups: &[Vec<usize>]) -> ValueId {
        let ty = self.tensor_type(dims, input.element);
        let cx = self.cx();
        self.rw.create_value(reassociation::collapse_state::<CollapseShapeOp<'_>>(cx, value, groups, ty, self.loc))
    }

    /// With extents of 1 at these places of the result, which are sorted.
    ///
    /// # Errors
    /// As of [`reshape`](Self::reshape).
    pub(crate) fn unsqueeze(&mut self, input: &Tensor, axes: &[usize]) -> Outcome<Tensor> {
        let mut own = input.dims.iter().copied();
        let dims: Indices = (0..input.rank() + axes.len())
            .filter_map(|at| if axes.contains(&at) { Some(Index::Static(1)) } else { own.next() })
            .collect();
        self.reshape(input, &dims)
    }

    /// Without these dimensions, whose extent is 1.
    ///
    /// # Errors
    /// That one is known to be another.
    pub(crate) fn squeeze(&mut self, input: &Tensor, axes: &[usize]) -> Outcome<Tensor> {
        let mut dims = input.dims.clone();
        for &axis in axes {
            dims[axis] = self.same_extent(dims[axis], Index::Static(1), "squeezed dimension")?;
        }
        let input = self.with_dims(input, &dims, "squeeze")?;
        let kept: Indices = (0..input.rank()).filter(|at| !axes.contains(at)).map(|at| dims[at]).collect();
        self.reshape(&input, &kept)
    }

    /// Dimension `i` of the result is dimension `permutation[i]` of the input.
    ///
    /// # Errors
    /// Never for a permutation.
    pub(crate) fn transpose(&mut self, input: &Tensor, permutation: &[usize]) -> Outcome<Tensor> {
        if permutation.iter().enumerate().all(|(at, &from)| at == from) {
            return Ok(input.clone());
        }
        let dims: Indices = permutation.iter().map(|&from| input.dims[from]).collect();
        if let Some(literal) = input.known().filter(|literal| literal.len() <= MAX_FOLDED) {
            let strides = dl_ir::types::row_major_strides(&literal.shape);
            let shape: Vec<i64> = permutation.iter().map(|&from| literal.shape[from]).collect();
            let strides: Vec<i64> = permutation.iter().map(|&from| strides[from]).collect();
            return Ok(Tensor::literal(gathered(&literal, &shape, &strides)?));
        }
        // Moving dimensions of extent 1 moves nothing.
        let moved: Vec<usize> = permutation.iter().copied().filter(|&at| input.dims[at] != Index::Static(1)).collect();
        if moved.is_sorted() {
            return self.reshape(input, &dims);
        }
        let value = self.value(input)?;
        let init = self.empty(&dims, input.element);
        let permutation: Vec<i64> = permutation.iter().map(|&from| from as i64).collect();
        let state = transpose_state(self.rw, value, init, &permutation, self.loc);
        let value = self.rw.create_value(state);
        Ok(self.tensor(value, dims, input.element))
    }

    /// The tensor with these extents, to which it is broadcast.
    ///
    /// # Errors
    /// That it cannot be.
    pub(crate) fn broadcast(&mut self, input: &Tensor, dims: &[Index]) -> Outcome<Tensor> {
        if input.dims[..] == *dims {
            return Ok(input.clone());
        }
        let input = self.widened(input, dims)?;
        let shift = dims.len() - input.rank();
        let stays = |at: usize| at >= shift && input.dims[at - shift] != Index::Static(1);
        let added: Vec<i64> = (0..dims.len()).filter(|&at| !stays(at)).map(|at| at as i64).collect();
        let input = self.reshape(&input, &kept_dims(&input))?;
        if added.is_empty() {
            return Ok(input);
        }
        let value = self.value(&input)?;
        let init = self.empty(dims, input.element);
        let state = broadcast_state(self.rw, value, init, &added, self.loc);
        let value = self.rw.create_value(state);
        Ok(self.tensor(value, dims.iter().copied(), input.element))
    }

    /// The tensor with the extents `dims`, save for those that are known to be 1 and stay. Where others turn out to be 1, elements are repeated.
    ///
    /// # Errors
    /// That it cannot be.
    pub(crate) fn widened(&mut self, input: &Tensor, dims: &[Index]) -> Outcome<Tensor> {
        let shift = dims.len().checked_sub(input.rank()).ok_or("cannot be broadcast to a lower rank")?;
        let (mut wide, mut fits) = (input.dims.clone(), None);
        for (own, &to) in wide.iter_mut().zip(&dims[shift..]) {
            if let Some(is_same) = self.broadcast_extent(*own, to)? {
                fits = Some(fits.map_or(is_same, |fits| self.same("arith.andi", &[fits, is_same])));
                *own = to;
            }
        }
        let Some(fits) = fits else { return Ok(input.clone()) };
        let (value, ty) = (self.value(input)?, self.tensor_type(&wide, input.element));
        let repeated = |b: &mut Self| {
            let repeated = b.generate(&wide, input.element, |b, at| {
                let mut from = Vec::new();
                for (&at, &own) in at.iter().zip(&input.dims) {
                    let last = b.index_sub(own, Index::Static(1))?;
                    let last = b.index(last);
                    from.push(b.same("arith.minsi", &[at, last]));
                }
                Ok(b.extract(value, &from))
            })?;
            Ok(vec![b.value(&repeated)?])
        };
        let results = self.if_else(fits, |_, _, _| vec![ty], |_| Ok(vec![value]), repeated)?;
        Ok(self.tensor(results[0], wide, input.element))
    }

    /// The part from `offsets`, as large as `sizes`, by `strides`, which are positive. It lies inside.
    ///
    /// # Errors
    /// That it is known not to.
    pub(crate) fn slice(
        &mut self,
        input: &Tensor,
        offsets: &[Index],
        sizes: &[Index],
        strides: &[i64],
    ) -> Outcome<Tensor> {
        let whole = offsets.iter().all(|&offset| offset == Index::Static(0))
            && sizes == &input.dims[..]
            && strides.iter().all(|&stride| stride == 1);
        if whole {
            return Ok(input.clone());
        }
        let known = |list: &[Index]| list.iter().map(|index| index.as_static()).collect::<Option<Vec<i64>>>();
        // Nothing is taken from the beginning: it lies inside whatever the extent.
        let is_empty = |size: &Index| *size == Index::Static(0);
        let offsets: Indices = offsets
            .iter()
            .zip(sizes)
            .map(|(&offset, size)| if is_empty(size) { Index::Static(0) } else { offset })
            .collect();
        let offsets = &offsets[..];
        for (at, (&offset, &size)) in offsets.iter().zip(sizes).enumerate() {
            if let (Some(offset), Some(size), Some(extent)) =
                (offset.as_static(), size.as_static(), input.dims[at].as_static())
            {
                let last =
                    size.checked_sub(1).and_then(|n| n.checked_mul(strides[at])).and_then(|n| n.checked_add(offset));
                let inside = offset >= 0 && size >= 0 && last.is_some_and(|last| size == 0 || last < extent);
                require!(inside, "a slice of {size} elements from {offset} leaves a dimension of extent {extent}");
            }
        }
        if let (Data::Scalars(values), &[Index::Static(offset)], &[Index::Static(size)]) = (&input.data, offsets, sizes)
        {
            let part = values.iter().skip(offset as usize).step_by(strides[0] as usize).take(size as usize);
            return Ok(Tensor::list(input.element, part.copied().collect()));
        }
        if let (Data::Literal(literal), Some(offsets), Some(sizes)) = (&input.data, known(offsets), known(sizes))
            && literal.len() <= MAX_FOLDED
        {
            let own = dl_ir::types::row_major_strides(&literal.shape);
            let steps: Vec<i64> = own.iter().zip(strides).map(|(&own, &stride)| own * stride).collect();
            let start: i64 = own.iter().zip(&offsets).map(|(&own, &offset)| own * offset).sum();
            return Ok(Tensor::literal(gathered_from(literal, start, &sizes, &steps)?));
        }
        // Of nothing, and in nothing, there is no place where it begins.
        if [sizes, &input.dims[..]].iter().any(|dims| dims.contains(&Index::Static(0))) {
            let empty = self.empty(sizes, input.element);
            return Ok(self.tensor(empty, sizes.iter().copied(), input.element));
        }
        let value = self.value(input)?;
        let ty = self.tensor_type(sizes, input.element);
        let strides = strides.iter().map(|&stride| Index::Static(stride)).collect();
        let slice = Slice { offsets: offsets.into(), sizes: sizes.into(), strides };
        let state = dl_tensor::extract_slice_state(self.rw, value, &slice, ty, self.loc);
        let value = self.rw.create_value(state);
        Ok(self.tensor(value, sizes.iter().copied(), input.element))
    }

    /// The elements `start..start + size` of one dimension.
    ///
    /// # Errors
    /// As of [`slice`](Self::slice).
    pub(crate) fn part(&mut self, input: &Tensor, axis: usize, start: Index, size: Index) -> Outcome<Tensor> {
        let mut offsets: Indices = input.dims.iter().map(|_| Index::Static(0)).collect();
        let mut sizes = input.dims.clone();
        (offsets[axis], sizes[axis]) = (start, size);
        self.slice(input, &offsets, &sizes, &vec![1; input.rank()])
    }

    /// Writes `source` into `dest` from `offsets` on.
    ///
    /// # Errors
    /// Never for tensors that are sound.
    pub(crate) fn insert(
        &mut self,
        source: &Tensor,
        dest: &Tensor,
        offsets: &[Index],
        sizes: &[Index],
    ) -> Outcome<Tensor> {
        let (from, to) = (self.value(source)?, self.value(dest)?);
        let strides = offsets.iter().map(|_| Index::Static(1)).collect();
        let slice = Slice { offsets: offsets.into(), sizes: sizes.into(), strides };
        let state = dl_tensor::build::insert_slice_state(self.rw, from, to, &slice, self.loc);
        let value = self.rw.create_value(state);
        Ok(self.tensor(value, dest.dims.iter().copied(), dest.element))
    }

    /// With `low[i]` elements `value` before and `high[i]` after those of dimension `i`; none of them negative.
    ///
    /// # Errors
    /// Overflow.
    pub(crate) fn pad(&mut self, input: &Tensor, low: &[Index], high: &[Index], value: ValueId) -> Outcome<Tensor> {
        if low.iter().chain(high).all(|&size| size == Index::Static(0)) {
            return Ok(input.clone());
        }
        let mut dims = Indices::new();
        for (at, &own) in input.dims.iter().enumerate() {
            let sum = self.index_add(own, low[at])?;
            dims.push(self.index_add(sum, high[at])?);
        }
        let source = self.value(input)?;
        let cx = self.cx();
        let point = self.rw.insertion_point();
        let region = self.rw.new_region();
        let block = self.rw.append_block(region, &vec![cx.index_type(); dims.len()]);
        self.rw.set_insertion_to_end(block);
        self.rw.create(OpState::of::<YieldOp<'_>>(self.loc).operands([value]));
        self.rw.set_insertion_point(point);
        let ((low, low_values), (high, high_values)) = (split(low), split(high));
        let segments = [1, low_values.len(), high_values.len()];
        let state = OpState::of::<PadOp<'_>>(self.loc)
            .operands([source])
            .operands(low_values)
            .operands(high_values)
            .operand_segments(cx, &segments)
            .attr(cx, "static_low", cx.dense_i64_array(&low))
            .attr(cx, "static_high", cx.dense_i64_array(&high))
            .results([self.tensor_type(&dims, input.element)])
            .region(region);
        let value = self.rw.create_value(state);
        Ok(self.tensor(value, dims, input.element))
    }

    /// One after the other along `axis`; there is at least one.
    ///
    /// # Errors
    /// Extents that differ elsewhere.
    pub(crate) fn concat(&mut self, inputs: &[Tensor], axis: usize) -> Outcome<Tensor> {
        let first = inputs.first().ok_or("expected an input")?;
        if let [only] = inputs {
            return Ok(only.clone());
        }
        if let Some(list) = self.concat_lists(inputs) {
            return Ok(list);
        }
        let mut dims = first.dims.clone();
        dims[axis] = Index::Static(0);
        for input in inputs {
            require!(
                input.rank() == dims.len(),
                "expected inputs of one rank, but got {} and {}",
                dims.len(),
                input.rank()
            );
            require!(
                input.element == first.element,
                "expected inputs of one element type, but got {} and {}",
                first.element.name(),
                input.element.name()
            );
            for (at, dim) in dims.iter_mut().enumerate() {
                *dim = if at == axis {
                    self.index_add(*dim, input.dims[at])?
                } else {
                    self.same_extent(*dim, input.dims[at], "concatenation")?
                };
            }
        }
        let init = self.empty(&dims, first.element);
        let mut result = self.tensor(init, dims.iter().copied(), first.element);
        let mut offsets: Indices = dims.iter().map(|_| Index::Static(0)).collect();
        for input in inputs {
            if !input.dims.contains(&Index::Static(0)) {
                result = self.insert(input, &result, &offsets, &input.dims)?;
            }
            offsets[axis] = self.index_add(offsets[axis], input.dims[axis])?;
        }
        Ok(result)
    }

    /// Lists of integers that are known one by one.
    fn concat_lists(&mut self, inputs: &[Tensor]) -> Option<Tensor> {
        let mut all = Vec::new();
        for input in inputs {
            match &input.data {
                _ if input.rank() != 1 || input.element.is_float() => return None,
                Data::Scalars(values) => all.extend(values.iter().copied()),
                Data::Literal(literal) if literal.len() <= 64 => {
                    all.extend(literal.ints().into_iter().map(Index::Static));
                }
                _ => return None,
            }
        }
        Some(Tensor::list(inputs[0].element, all))
    }
}

/// The extents that are not known to be 1.
fn kept_dims(input: &Tensor) -> Indices {
    input.dims.iter().copied().filter(|&dim| dim != Index::Static(1)).collect()
}

/// The elements of a literal `steps` apart.
fn gathered(literal: &Literal, shape: &[i64], steps: &[i64]) -> Outcome<Literal> {
    gathered_from(literal, 0, shape, steps)
}

/// The same from element `start` on. Every position lies inside.
fn gathered_from(literal: &Literal, start: i64, shape: &[i64], steps: &[i64]) -> Outcome<Literal> {
    let (size, total) = (literal.element.bytes(), count(shape)?);
    let mut bytes = Vec::with_capacity(total * size);
    let mut index = vec![0_i64; shape.len()];
    for _ in 0..total {
        let at = start + index.iter().zip(steps).map(|(&i, &step)| i * step).sum::<i64>();
        let at = at as usize * size;
        bytes.extend_from_slice(&literal.bytes()[at..at + size]);
        for (i, &extent) in index.iter_mut().zip(shape).rev() {
            *i += 1;
            if *i < extent {
                break;
            }
            *i = 0;
        }
    }
    Literal::sound(literal.element, shape.to_vec(), bytes.into())
}

/// The groups of dimensions of `larger` that make those of `smaller`: products are compared as far as they are known, and extents that are
/// known only when running by what they are. `None` where no groups are known to fit.
fn groups(larger: &[Index], smaller: &[Index]) -> Option<Vec<Vec<usize>>> {
    if larger.len() <= smaller.len() || larger.contains(&Index::Static(0)) {
        return None;
    }
    if smaller.is_empty() {
        return larger.iter().all(|&dim| dim == Index::Static(1)).then(Vec::new);
    }
    let (mut groups, mut next) = (Vec::with_capacity(smaller.len()), 0);
    for (position, &wanted) in smaller.iter().enumerate() {
        let (mut group, mut known, mut values) = (Vec::new(), 1_i64, Vec::new());
        let is_last = position + 1 == smaller.len();
        loop {
            let fits = match wanted {
                Index::Static(extent) => values.is_empty() && known == extent,
                Index::Value(_) => known == 1 && values == [wanted],
            };
            if fits && !group.is_empty() && !(is_last && next < larger.len()) {
                break;
            }
            match *larger.get(next)? {
                Index::Static(extent) => known = known.checked_mul(extent)?,
                value @ Index::Value(_) => values.push(value),
            }
            group.push(next);
            next += 1;
        }
        groups.push(group);
    }
    (next == larger.len()).then_some(groups)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn known(extents: &[i64]) -> Vec<Index> {
        extents.iter().map(|&extent| Index::Static(extent)).collect()
    }

    #[test]
    fn groups_are_those_whose_products_fit() {
        let of = |larger: &[i64], smaller: &[i64]| groups(&known(larger), &known(smaller));
        assert_eq!(of(&[2, 3, 4], &[6, 4]), Some(vec![vec![0, 1], vec![2]]));
        assert_eq!(of(&[2, 3, 1], &[2, 3]), Some(vec![vec![0], vec![1, 2]]));
        assert_eq!(of(&[1, 2, 3], &[2, 3]), Some(vec![vec![0, 1], vec![2]]));
        assert_eq!(of(&[1, 1], &[]), Some(vec![]));
        assert_eq!(of(&[2, 3, 4], &[4, 6]), None);
        assert_eq!(of(&[2, 3], &[3, 2]), None);
    }
}
