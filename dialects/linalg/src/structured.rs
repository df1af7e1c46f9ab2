//! What all operations on loop nests have in common: indexing maps, iterator types, inputs, inits and a body.

use dl_ir::affine::AffineMap;
use dl_ir::interfaces::inits;
use dl_ir::{BlockRef, Context, DYNAMIC, OpRef, Operands, TypeRef, ValueRef};

use crate::IteratorType;

/// How an operation describes its loop nest. Attached to every operation of the dialect that has one.
pub trait LinalgStructured: Send + Sync {
    /// For each operand, in order, the map from the loops to the dimensions of the operand.
    fn indexing_maps(&self, op: OpRef<'_>) -> Vec<AffineMap>;

    /// What each loop does, outermost first.
    fn iterator_types(&self, op: OpRef<'_>) -> Vec<IteratorType>;
}

/// An operation on a loop nest, whatever its name.
#[derive(Clone, Copy)]
pub struct LinalgOp<'a> {
    op: OpRef<'a>,
    nest: &'a dyn LinalgStructured,
}

impl<'a> LinalgOp<'a> {
    /// `op`, if it is one.
    pub fn of(op: OpRef<'a>) -> Option<Self> {
        let nest = op.info().interface::<dyn LinalgStructured>()?;
        Some(Self { op, nest })
    }

    /// The operation.
    pub fn op(self) -> OpRef<'a> {
        self.op
    }

    /// For each operand, in order, the map from the loops to the dimensions of the operand.
    pub fn indexing_maps(self) -> Vec<AffineMap> {
        self.nest.indexing_maps(self.op)
    }

    /// What each loop does, outermost first.
    pub fn iterator_types(self) -> Vec<IteratorType> {
        self.nest.iterator_types(self.op)
    }

    /// Number of loops.
    pub fn num_loops(self) -> usize {
        self.iterator_types().len()
    }

    /// The operands that are read only.
    pub fn inputs(self) -> impl ExactSizeIterator<Item = ValueRef<'a>> + Clone {
        self.op.operands().iter().take(self.inits().start())
    }

    /// The operands that results are written to.
    pub fn inits(self) -> Operands<'a> {
        inits(self.op).unwrap_or_else(|| self.op.operand_group(1))
    }

    /// The block computed for each point of the nest. One argument an operand: its element there.
    pub fn body(self) -> Option<BlockRef<'a>> {
        if self.op.num_regions() == 0 { None } else { self.op.region(0).entry() }
    }

    /// The values that the body hands over, one for each init.
    pub fn yielded(self) -> Option<Operands<'a>> {
        self.body()?.last_op().map(OpRef::operands)
    }

    /// Whether the body reads the element of operand `index`.
    pub fn reads_operand(self, index: usize) -> bool {
        self.body().is_none_or(|body| index < body.num_args() && body.arg(index).has_uses())
    }

    /// For each loop the first dimension of an operand that runs over it: operand and dimension.
    pub fn loops_to_dims(self) -> Vec<Option<(usize, usize)>> {
        let affine = self.op.cx().affine();
        let mut found = vec![None; self.num_loops()];
        for (operand, map) in self.indexing_maps().into_iter().enumerate() {
            for (dim, &result) in affine.map(map).results.iter().enumerate() {
                let Some(position) = affine.dim_position(result) else { continue };
                if let Some(entry) = found.get_mut(position as usize) {
                    entry.get_or_insert((operand, dim));
                }
            }
        }
        found
    }

    /// The extent of each loop, [`DYNAMIC`] where it is not known. `None` when some loop is no dimension of an operand.
    pub fn static_loop_ranges(self) -> Option<Vec<i64>> {
        let extent = |found: Option<(usize, usize)>| {
            let (operand, dim) = found?;
            self.op.operand(operand).ty().shape()?.get(dim).copied()
        };
        self.loops_to_dims().into_iter().map(extent).collect()
    }

    /// Whether all extents of all operands are known.
    pub fn has_static_shape(self) -> bool {
        self.op.operands().iter().all(|v| v.ty().shape().is_none_or(|shape| !shape.contains(&DYNAMIC)))
    }
}

/// The extents of an operand. A scalar has none, and neither has a vector: it is one element here.
pub(crate) fn shape(ty: TypeRef<'_>) -> &[i64] {
    if ty.is_vector() { &[] } else { ty.shape().unwrap_or(&[]) }
}

/// Rank of an operand; a scalar has rank 0.
pub(crate) fn rank(ty: TypeRef<'_>) -> usize {
    shape(ty).len()
}

/// The type of a block argument for an operand: the element of a tensor or memref, else the operand itself.
pub(crate) fn element(ty: TypeRef<'_>) -> TypeRef<'_> {
    if ty.is_ranked_tensor() || ty.is_ranked_memref() { ty.element_or_self() } else { ty }
}

/// The maps of the attribute `indexing_maps`.
pub(crate) fn maps_of_attr(op: OpRef<'_>) -> Vec<AffineMap> {
    let attr = op.attr_or_default("indexing_maps");
    attr.into_iter().flat_map(|attr| attr.elements()).filter_map(|attr| attr.as_affine_map()).collect()
}

/// For each operand the identity, or no result for a scalar.
pub(crate) fn elementwise_maps(cx: &Context, loops: usize, ranks: impl Iterator<Item = usize>) -> Vec<AffineMap> {
    let (affine, loops) = (cx.affine(), loops as u32);
    let map = |rank| if rank == 0 { affine.intern_map(loops, 0, []) } else { affine.identity_map(loops) };
    ranks.map(map).collect()
}
