//! Loop nests over tensors: element-wise operations with broadcasting, and reductions.

use dl_ir::affine::{AffineExpr, AffineMap};
use dl_ir::interfaces::Index;
use dl_ir::interfaces::index_list::Indices;
use dl_ir::{Attr, OpState, Type, ValueId};
use dl_linalg::build::{maps_attr, named_state};
use dl_linalg::{GenericOp, IteratorType, ReduceOp, TypeFn, YieldOp};

use super::Builder;
use crate::element::Element;
use crate::fault::{Outcome, fault};
use crate::tensor::{Data, Tensor};

/// An operand of a loop nest and how it is indexed.
type Operand = (ValueId, AffineMap);

impl Builder<'_, '_> {
    /// `tensor.empty`.
    pub(crate) fn empty(&mut self, dims: &[Index], element: Element) -> ValueId {
        dl_tensor::build::empty(self.rw, dims, element.ty(self.rw.cx()), self.loc)
    }

    /// A tensor of these extents with one value everywhere.
    ///
    /// # Errors
    /// Never for a value of the element type.
    pub(crate) fn fill(&mut self, dims: &[Index], element: Element, value: ValueId) -> Outcome<ValueId> {
        let init = self.empty(dims, element);
        let state = named_state(self.rw, "linalg.fill", &[value], &[init], TypeFn::CastSigned, self.loc)?;
        Ok(self.rw.create_value(state))
    }

    /// The same with a number.
    ///
    /// # Errors
    /// As of [`fill`](Self::fill).
    pub(crate) fn filled(&mut self, dims: &[Index], element: Element, value: f64) -> Outcome<ValueId> {
        let value = self.number(element.ty(self.cx()), value);
        self.fill(dims, element, value)
    }

    /// A named operation of `linalg` without attributes but these.
    ///
    /// # Errors
    /// Element types that it does not take.
    pub(crate) fn named(
        &mut self,
        name: &'static str,
        inputs: &[ValueId],
        init: ValueId,
        attrs: &[(&str, Attr)],
    ) -> Outcome<ValueId> {
        let cx = self.cx();
        let mut state = named_state(self.rw, name, inputs, &[init], TypeFn::CastSigned, self.loc)?;
        for &(name, attr) in attrs {
            state.set_attr(cx.ident(name), attr);
        }
        Ok(self.rw.create_value(state))
    }

    /// `linalg.generic`; `body` gets an element of each operand and answers one for each init.
    pub(crate) fn generic(
        &mut self,
        inputs: &[Operand],
        inits: &[Operand],
        iterators: &[IteratorType],
        body: impl FnOnce(&mut Self, &[ValueId]) -> Outcome<Vec<ValueId>>,
    ) -> Outcome<Vec<ValueId>> {
        let cx = self.cx();
        let operands: Vec<ValueId> = inputs.iter().chain(inits).map(|&(value, _)| value).collect();
        let maps: Vec<AffineMap> = inputs.iter().chain(inits).map(|&(_, map)| map).collect();
        let results: Vec<Type> = inits.iter().map(|&(value, _)| self.type_of(value)).collect();
        let region = self.body(&operands, body)?;
        let iterators: Vec<Attr> = iterators.iter().map(|kind| kind.attr(cx)).collect();
        let state = OpState::of::<GenericOp<'_>>(self.loc)
            .operands(operands)
            .operand_segments(cx, &[inputs.len(), inits.len()])
            .attr(cx, "indexing_maps", maps_attr(cx, &maps))
            .attr(cx, "iterator_types", cx.array_attr(&iterators))
            .results(results)
            .region(region);
        let op = self.rw.create(state);
        Ok(self.rw.ir().results(op).collect())
    }

    /// A region of one block with an argument for an element of each operand, which ends with `linalg.yield`.
    fn body(
        &mut self,
        operands: &[ValueId],
        body: impl FnOnce(&mut Self, &[ValueId]) -> Outcome<Vec<ValueId>>,
    ) -> Outcome<dl_ir::RegionId> {
        let args: Vec<Type> = operands.iter().map(|&value| self.rw.value_type(value).element_or_self().id()).collect();
        let point = self.rw.insertion_point();
        let region = self.rw.new_region();
        let block = self.rw.append_block(region, &args);
        let args = self.rw.ir().block_args(block).to_vec();
        self.rw.set_insertion_to_end(block);
        let values = body(self, &args)?;
        self.rw.create(OpState::of::<YieldOp<'_>>(self.loc).operands(values));
        self.rw.set_insertion_point(point);
        Ok(region)
    }

    /// The map by which a tensor of these extents is indexed in a nest over `dims`, to which it is broadcast.
    fn broadcast_map(&self, own: &[Index], dims: &[Index]) -> AffineMap {
        let affine = self.cx().affine();
        let shift = dims.len() - own.len();
        let exprs: Vec<AffineExpr> = (0..own.len())
            .map(|at| {
                let stays = own[at] == Index::Static(1) && dims[at + shift] != Index::Static(1);
                if stays { affine.constant(0) } else { affine.dim((at + shift) as u32) }
            })
            .collect();
        affine.intern_map(dims.len() as u32, 0, exprs)
    }

    /// The element that all elements of a constant are equal to.
    fn uniform(&mut self, tensor: &Tensor) -> Outcome<Option<ValueId>> {
        let Some(literal) = tensor.known() else { return Ok(None) };
        if !literal.is_splat() {
            return Ok(None);
        }
        let attr = literal.first_attr(self.cx())?;
        Ok(Some(self.constant(attr)))
    }

    /// Applies `body` to each element of tensors that are broadcast together.
    ///
    /// # Errors
    /// Extents that do not go together.
    pub(crate) fn map(
        &mut self,
        inputs: &[&Tensor],
        element: Element,
        body: impl FnOnce(&mut Self, &[ValueId]) -> Outcome<ValueId>,
    ) -> Outcome<Tensor> {
        let shapes: Vec<&[Index]> = inputs.iter().map(|tensor| &tensor.dims[..]).collect();
        let dims = self.broadcast_dims(&shapes);
        self.map_to(&dims, inputs, element, |b, args| body(b, args))
    }

    /// The same over these extents, to which each input is broadcast.
    ///
    /// # Errors
    /// That one cannot be, and as of `body`.
    pub(crate) fn map_to(
        &mut self,
        dims: &[Index],
        inputs: &[&Tensor],
        element: Element,
        body: impl FnOnce(&mut Self, &[ValueId]) -> Outcome<ValueId>,
    ) -> Outcome<Tensor> {
        let mut operands: Vec<Operand> = Vec::new();
        // A value outside the nest, or the number of an operand.
        let mut sources: Vec<Result<ValueId, usize>> = Vec::new();
        for tensor in inputs {
            let tensor = self.widened(tensor, dims)?;
            if let Some(value) = self.uniform(&tensor)? {
                sources.push(Ok(value));
            } else {
                let value = self.value(&tensor)?;
                sources.push(Err(operands.len()));
                operands.push((value, self.broadcast_map(&tensor.dims, dims)));
            }
        }
        let init = self.empty(dims, element);
        let identity = self.cx().affine().identity_map(dims.len() as u32);
        let iterators = vec![IteratorType::Parallel; dims.len()];
        let results = self.generic(&operands, &[(init, identity)], &iterators, |b, args| {
            let elements: Vec<ValueId> = sources.iter().map(|&source| source.unwrap_or_else(|at| args[at])).collect();
            Ok(vec![body(b, &elements)?])
        })?;
        Ok(self.tensor(results[0], dims.iter().copied(), element))
    }

    /// A tensor each of whose elements follows from its position: `body` gets the indices.
    ///
    /// # Errors
    /// As of `body`.
    pub(crate) fn generate(
        &mut self,
        dims: &[Index],
        element: Element,
        body: impl FnOnce(&mut Self, &[ValueId]) -> Outcome<ValueId>,
    ) -> Outcome<Tensor> {
        self.map_to(dims, &[], element, |b, _| {
            let indices: Vec<ValueId> = (0..dims.len()).map(|dim| b.loop_index(dim)).collect();
            body(b, &indices)
        })
    }

    /// Combines the elements along `axes`, which are sorted, beginning with `init`. Those dimensions are gone afterwards.
    ///
    /// # Errors
    /// As of `combine`, which gets an element and what the ones before came to.
    pub(crate) fn reduce(
        &mut self,
        input: &Tensor,
        axes: &[usize],
        init: f64,
        combine: impl FnOnce(&mut Self, ValueId, ValueId) -> ValueId,
    ) -> Outcome<Tensor> {
        let kept: Indices = (0..input.rank()).filter(|dim| !axes.contains(dim)).map(|dim| input.dims[dim]).collect();
        let value = self.value(input)?;
        let init = self.filled(&kept, input.element, init)?;
        let region = self.body(&[value, init], |b, args| Ok(vec![combine(b, args[0], args[1])]))?;
        let axes: Vec<i64> = axes.iter().map(|&axis| axis as i64).collect();
        let cx = self.cx();
        let state = OpState::of::<ReduceOp<'_>>(self.loc)
            .operands([value, init])
            .attr(cx, "dimensions", cx.dense_i64_array(&axes))
            .results([self.type_of(init)])
            .region(region);
        let result = self.rw.create_value(state);
        Ok(self.tensor(result, kept, input.element))
    }

    /// The elements of a list of integers, or of a single one, as indices: known, or taken out when running.
    ///
    /// # Errors
    /// A tensor that is no list of known length.
    pub(crate) fn scalars(&mut self, tensor: &Tensor) -> Outcome<Vec<Index>> {
        if let Some(known) = tensor.known_ints() {
            return Ok(known.into_iter().map(Index::Static).collect());
        }
        if let Data::Scalars(values) = &tensor.data {
            return Ok(values.clone());
        }
        let shape = tensor.static_dims().filter(|shape| shape.len() <= 1);
        let shape =
            shape.ok_or_else(|| fault!("unsupported: a list of integers whose length is known only when running"))?;
        let value = self.value(tensor)?;
        let element = tensor.element;
        let one = |b: &mut Self, at: &[ValueId]| {
            let operands: Vec<ValueId> = std::iter::once(value).chain(at.iter().copied()).collect();
            let number = b.op("tensor.extract", &operands, element.ty(b.cx()));
            Index::Value(b.cast_to_index(number, element))
        };
        match shape.first() {
            None => Ok(vec![one(self, &[])]),
            Some(&length) => {
                if length > 64 {
                    return Err(fault!("unsupported: a list of {length} integers that are known only when running"));
                }
                Ok((0..length)
                    .map(|at| {
                        let at = self.index(Index::Static(at));
                        one(self, &[at])
                    })
                    .collect())
            }
        }
    }
}
