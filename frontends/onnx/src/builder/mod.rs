//! Making the program: what operators are written in.
//!
//! A [`Builder`] makes operations at its insertion point, all with the location of the current node. Its methods on tensors know extents,
//! fold what is constant, and check when running what cannot be checked before.

mod control;
mod convert;
mod indices;
mod loops;
mod scalars;
mod shapes;
mod windows;

use dl_cf::AssertOp;
use dl_ir::interfaces::Index;
use dl_ir::interfaces::index_list::{Indices, split};
use dl_ir::{Attr, BlockId, Context, Loc, OpState, Rewriter, Type, ValueId};
use rustc_hash::FxHashMap;

pub(crate) use scalars::Order;
pub(crate) use windows::Window;

use crate::element::Element;
use crate::fault::{Outcome, require};
use crate::tensor::{Data, Tensor};

/// Makes the body of a function.
pub(crate) struct Builder<'r, 'c> {
    /// Writes into the function.
    pub(crate) rw: &'r mut Rewriter<'c>,
    /// The location of what is made.
    pub(crate) loc: Loc,
    /// Where constants go: it dominates everything.
    entry: BlockId,
    constants: FxHashMap<Attr, ValueId>,
}

impl<'r, 'c> Builder<'r, 'c> {
    /// Makes operations at the insertion point of `rw`, which is in `entry`, the first block of a function.
    pub(crate) fn new(rw: &'r mut Rewriter<'c>, entry: BlockId) -> Self {
        Self { rw, loc: Loc::UNKNOWN, entry, constants: FxHashMap::default() }
    }

    /// The context; outlives borrows of the builder.
    pub(crate) fn cx(&self) -> &'c Context {
        self.rw.cx()
    }

    /// The type of a value.
    pub(crate) fn type_of(&self, value: ValueId) -> Type {
        self.rw.ir().value_type(value)
    }

    /// A constant of the program, made once for each attribute, at the start of the function.
    pub(crate) fn constant(&mut self, value: Attr) -> ValueId {
        if let Some(&made) = self.constants.get(&value) {
            return made;
        }
        let point = self.rw.insertion_point();
        self.rw.set_insertion_to_start(self.entry);
        let made = dl_arith::constant(self.rw, value, Loc::UNKNOWN);
        self.rw.set_insertion_point(point);
        self.constants.insert(value, made);
        made
    }

    /// The value of an index.
    pub(crate) fn index(&mut self, index: Index) -> ValueId {
        match index {
            Index::Value(value) => value,
            Index::Static(known) => {
                let attr = self.cx().index_attr(known);
                self.constant(attr)
            }
        }
    }

    /// The type of a tensor of these extents.
    pub(crate) fn tensor_type(&self, dims: &[Index], element: Element) -> Type {
        let (shape, _) = split(dims);
        self.cx().tensor_type(&shape, element.ty(self.cx()))
    }

    /// A tensor of the program.
    pub(crate) fn tensor(&self, value: ValueId, dims: impl IntoIterator<Item = Index>, element: Element) -> Tensor {
        Tensor { element, dims: dims.into_iter().collect(), data: Data::Value(value) }
    }

    /// The value of a tensor, made here if it is not one of the program yet.
    ///
    /// # Errors
    /// A constant that the program cannot have.
    pub(crate) fn value(&mut self, tensor: &Tensor) -> Outcome<ValueId> {
        match &tensor.data {
            Data::Value(value) => Ok(*value),
            Data::Literal(literal) => {
                let attr = literal.attr(self.cx())?;
                Ok(self.constant(attr))
            }
            Data::Scalars(values) => {
                if let Some(literal) = tensor.known() {
                    let attr = literal.attr(self.cx())?;
                    return Ok(self.constant(attr));
                }
                let element = tensor.element.ty(self.cx());
                let values: Vec<ValueId> = values
                    .iter()
                    .map(|&value| {
                        let value = self.index(value);
                        self.op("arith.index_cast", &[value], element)
                    })
                    .collect();
                let ty = self.tensor_type(&tensor.dims, tensor.element);
                Ok(self.op("tensor.from_elements", &values, ty))
            }
        }
    }

    /// An operation with these operands and one result.
    pub(crate) fn op(&mut self, name: &'static str, operands: &[ValueId], ty: Type) -> ValueId {
        self.rw.create_value(OpState::named(name, self.loc).operands(operands.iter().copied()).results([ty]))
    }

    /// Ends the program with `message` when it runs, unless `condition` holds.
    pub(crate) fn assert(&mut self, condition: ValueId, message: &str) {
        let cx = self.cx();
        let state = OpState::of::<AssertOp<'_>>(self.loc).operands([condition]);
        self.rw.create(state.attr(cx, "msg", cx.string_attr(message)));
    }

    /// That two extents are equal: known, or checked when the program runs. Answers what is known of both.
    ///
    /// # Errors
    /// That they are known to differ.
    pub(crate) fn same_extent(&mut self, a: Index, b: Index, what: &str) -> Outcome<Index> {
        match (a, b) {
            _ if a == b => Ok(a),
            (Index::Static(a), Index::Static(b)) => {
                Err(format!("{what}: expected equal extents, but got {a} and {b}").into())
            }
            _ => {
                let (left, right) = (self.index(a), self.index(b));
                let equal = self.compare_ints("eq", left, right);
                self.assert(equal, &format!("{what}: extents differ"));
                Ok(if let Index::Static(_) = a { a } else { b })
            }
        }
    }

    /// That one number is at most another: known, or checked when the program runs.
    ///
    /// # Errors
    /// The message, if it is known not to be.
    pub(crate) fn at_most(&mut self, a: Index, b: Index, message: &str) -> Outcome<()> {
        if let (Index::Static(a), Index::Static(b)) = (a, b) {
            return if a <= b { Ok(()) } else { Err(message.into()) };
        }
        let (a, b) = (self.index(a), self.index(b));
        let holds = self.compare_ints("sle", a, b);
        self.assert(holds, message);
        Ok(())
    }

    /// The extents that tensors of these have when they are broadcast together, as in NumPy. That each can be is for
    /// [`broadcast_extent`](Self::broadcast_extent) to say.
    pub(crate) fn broadcast_dims(&mut self, shapes: &[&[Index]]) -> Indices {
        let rank = shapes.iter().map(|dims| dims.len()).max().unwrap_or(0);
        let mut dims = Indices::new();
        for position in 0..rank {
            let mut extent = Index::Static(1);
            for shape in shapes {
                let Some(own) = (position + shape.len()).checked_sub(rank).map(|at| shape[at]) else { continue };
                extent = match (extent, own) {
                    (Index::Static(1), own) => own,
                    (Index::Static(_), _) | (_, Index::Static(1)) => extent,
                    (_, Index::Static(_)) => own,
                    _ if extent == own => own,
                    _ => {
                        let (extent, own, one) = (self.index(extent), self.index(own), self.index(Index::Static(1)));
                        let is_one = self.compare_ints("eq", extent, one);
                        Index::Value(self.select(is_one, own, extent))
                    }
                };
            }
            dims.push(extent);
        }
        dims
    }

    /// That an extent is the one it is to become, or 1: known, or checked when the program runs. Answers which of both, where only the program
    /// knows.
    ///
    /// # Errors
    /// That it is known to be neither.
    pub(crate) fn broadcast_extent(&mut self, own: Index, to: Index) -> Outcome<Option<ValueId>> {
        if own == to || own == Index::Static(1) {
            return Ok(None);
        }
        if let (Index::Static(own), Index::Static(to)) = (own, to) {
            return Err(format!("broadcasting: expected equal extents, but got {own} and {to}").into());
        }
        let is_late = matches!(own, Index::Value(_));
        let (own, to, one) = (self.index(own), self.index(to), self.index(Index::Static(1)));
        let (is_same, is_one) = (self.compare_ints("eq", own, to), self.compare_ints("eq", own, one));
        let fits = self.same("arith.ori", &[is_same, is_one]);
        self.assert(fits, "broadcasting: extents differ");
        Ok(is_late.then_some(is_same))
    }

    /// The tensor with extents known to be these, after a check when running where they were not.
    ///
    /// # Errors
    /// That rank or extents are known to differ.
    pub(crate) fn with_dims(&mut self, tensor: &Tensor, dims: &[Index], what: &str) -> Outcome<Tensor> {
        require!(tensor.rank() == dims.len(), "{what}: expected rank {}, but got {}", dims.len(), tensor.rank());
        let mut refined = Indices::new();
        for (&own, &dim) in tensor.dims.iter().zip(dims) {
            refined.push(self.same_extent(own, dim, what)?);
        }
        if refined == tensor.dims {
            return Ok(tensor.clone());
        }
        if !matches!(tensor.data, Data::Value(_)) {
            return Ok(Tensor { dims: refined, ..tensor.clone() });
        }
        let value = self.value(tensor)?;
        let ty = self.tensor_type(&refined, tensor.element);
        let value = if self.type_of(value) == ty { value } else { self.op("tensor.cast", &[value], ty) };
        Ok(self.tensor(value, refined, tensor.element))
    }
}
