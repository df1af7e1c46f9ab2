//! `linalg-block-pack-matmul`: matrix products in blocked layout.
//!
//! `(m×n) += (m×k) (k×n)` becomes the product of blocks `[M][N][m][n] += [M][K][m][k] * [N][K][n][k]`, between operations that pack the operands
//! and unpack the result. Options say which of the block dimensions are transposed. Blocks that reach over the end are padded with zeros, which
//! add nothing.

use dl_ir::affine::AffineMap;
use dl_ir::interfaces::index_list::Indices;
use dl_ir::interfaces::{Index, has_pure_tensor_semantics};
use dl_ir::pass::{Pass, PassCx, PassInfo, PassOptions, PassResult};
use dl_ir::rewrite::greedy::GreedyConfig;
use dl_ir::rewrite::{NoMatch, Pattern, Patterns, Rewrite};
use dl_ir::{Attr, OpDefinition, OpId, OpRef, Rewriter, ValueId};
use dl_linalg::named::{Body, default_maps};
use dl_linalg::{BatchMatmulOp, GenericOp, IteratorType, LinalgOp, MatmulOp, TypeFn};

use crate::contraction::infer_dims;
use crate::forms::computes;
use crate::generic::Generic;
use crate::pack::{Packing, pack, unpack};

dl_ir::pass_options! {
    /// Options of [`BlockPackMatmul`].
    pub struct BlockPackMatmulOptions {
        /// Blocks may reach over the end, and are padded then
        allow_padding "allow-padding": bool = true,
        /// Extents of a block along m, n and k
        block_factors "block-factors": Vec<i64> = Vec::new(),
        /// Transpose the elements of the blocks on the left
        lhs_transpose_inner_blocks "lhs-transpose-inner-blocks": bool = false,
        /// Transpose the blocks on the left
        lhs_transpose_outer_blocks "lhs-transpose-outer-blocks": bool = false,
        /// The order of the loops over m, n and k, a permutation of 0, 1, 2
        mnk_order "mnk-order": Vec<i64> = Vec::new(),
        /// Extents of a block are those of m, n and k rounded up to a multiple of these, where not 0
        mnk_padded_multiples "mnk-padded-multiples": Vec<i64> = Vec::new(),
        /// Transpose the elements of the blocks on the right
        rhs_transpose_inner_blocks "rhs-transpose-inner-blocks": bool = true,
        /// Transpose the blocks on the right
        rhs_transpose_outer_blocks "rhs-transpose-outer-blocks": bool = true,
    }
}

/// Brings matrix products into blocked layout.
#[derive(Clone, Default)]
pub struct BlockPackMatmul {
    /// The options.
    pub options: BlockPackMatmulOptions,
}

impl Pass for BlockPackMatmul {
    const INFO: PassInfo = PassInfo::new("linalg-block-pack-matmul", "Bring matrix products into blocked layout")
        .title("LinalgBlockPackMatmul");

    fn options(&mut self) -> Option<&mut dyn PassOptions> {
        Some(&mut self.options)
    }

    fn run(&mut self, cx: &mut PassCx<'_>) -> PassResult {
        let plan = Plan::of(&self.options).map_err(|message| cx.root().error(message))?;
        let Some(plan) = plan else {
            cx.preserve_all();
            return Ok(());
        };
        let mut patterns = Patterns::new();
        patterns.add(PackGeneric(plan.clone())).add(PackMatmul(plan.clone())).add(PackBatchMatmul(plan));
        if !cx.rewrite_greedily(&patterns.freeze(), &GreedyConfig::default())?.changed {
            cx.preserve_all();
        }
        Ok(())
    }
}

/// The options, checked.
#[derive(Clone, Debug)]
struct Plan {
    factors: [i64; 3],
    multiples: [i64; 3],
    /// Where among the last three loops m, n and k go.
    order: [usize; 3],
    allow_padding: bool,
    lhs: Transposed,
    rhs: Transposed,
}

/// Which dimensions of an operand in blocks are transposed.
#[derive(Clone, Copy, Debug)]
struct Transposed {
    outer: bool,
    inner: bool,
}

impl Plan {
    /// `None` where no block is given: nothing is to be done.
    fn of(options: &BlockPackMatmulOptions) -> Result<Option<Self>, String> {
        let Ok(factors) = <[i64; 3]>::try_from(&options.block_factors[..]) else { return Ok(None) };
        let multiples = match &options.mnk_padded_multiples[..] {
            [] => [0; 3],
            &[m, n, k] => [m, n, k],
            _ => return Err("expected mnk-padded-multiples to be three numbers, or none".to_owned()),
        };
        let order = match &options.mnk_order[..] {
            [] => Some([0, 1, 2]),
            &[m, n, k] => {
                let order = [m, n, k].map(|at| usize::try_from(at).unwrap_or(usize::MAX));
                (0..3).all(|at| order.contains(&at)).then_some(order)
            }
            _ => None,
        };
        let order = order.ok_or("expected mnk-order to be a permutation of 0, 1, 2")?;
        if factors.iter().any(|&factor| factor <= 0) || multiples.iter().any(|&multiple| multiple < 0) {
            return Err("expected block-factors to be positive, and mnk-padded-multiples not to be negative".to_owned());
        }
        let transposed = |outer, inner| Transposed { outer, inner };
        Ok(Some(Self {
            factors,
            multiples,
            order,
            allow_padding: options.allow_padding,
            lhs: transposed(options.lhs_transpose_outer_blocks, options.lhs_transpose_inner_blocks),
            rhs: transposed(options.rhs_transpose_outer_blocks, options.rhs_transpose_inner_blocks),
        }))
    }
}

struct PackGeneric(Plan);
struct PackMatmul(Plan);
struct PackBatchMatmul(Plan);

impl Pattern for PackGeneric {
    const NAME: &'static str = "linalg-block-pack-generic";
    const ROOT: Option<&'static str> = Some(GenericOp::NAME);

    fn rewrite(&self, op: OpId, rw: &mut Rewriter<'_>) -> Rewrite {
        if !is_simple_matmul(rw.op(op)) {
            return Err(NoMatch("no simple matrix product"));
        }
        block_pack(op, rw, &self.0)
    }
}

impl Pattern for PackMatmul {
    const NAME: &'static str = "linalg-block-pack-matmul";
    const ROOT: Option<&'static str> = Some(MatmulOp::NAME);

    fn rewrite(&self, op: OpId, rw: &mut Rewriter<'_>) -> Rewrite {
        block_pack(op, rw, &self.0)
    }
}

impl Pattern for PackBatchMatmul {
    const NAME: &'static str = "linalg-block-pack-batch-matmul";
    const ROOT: Option<&'static str> = Some(BatchMatmulOp::NAME);

    fn rewrite(&self, op: OpId, rw: &mut Rewriter<'_>) -> Rewrite {
        let maps = LinalgOp::of(rw.op(op)).map(LinalgOp::indexing_maps);
        if maps != default_maps(rw.cx(), BatchMatmulOp::NAME) {
            return Err(NoMatch("transposed or broadcast"));
        }
        block_pack(op, rw, &self.0)
    }
}

/// Whether `op` multiplies matrices with loops in the order m, n, k, one of them transposed or none.
fn is_simple_matmul(op: OpRef<'_>) -> bool {
    let affine = op.cx().affine();
    let Some(nest) = LinalgOp::of(op).filter(|nest| nest.inputs().len() == 2 && nest.inits().len() == 1) else {
        return false;
    };
    let map = |dims: [u32; 2]| affine.multi_dim_map(3, &dims);
    let maps: Vec<Option<AffineMap>> = nest.indexing_maps().into_iter().map(Some).collect();
    let simple = [([0, 2], [2, 1]), ([2, 0], [2, 1]), ([0, 2], [1, 2])];
    let fits = simple.into_iter().any(|(lhs, rhs)| maps == [map(lhs), map(rhs), map([0, 1])]);
    let casts = [TypeFn::CastSigned, TypeFn::CastUnsigned];
    let multiplies = |body| casts.into_iter().any(|cast| computes(body, Body::MultiplyAdd, cast, &[0, 1, 2]));
    let reduces = nest.iterator_types() == [IteratorType::Parallel, IteratorType::Parallel, IteratorType::Reduction];
    fits && reduces && nest.body().is_some_and(multiplies)
}

/// Where the loops m, n and k are, and how far they run.
struct Loops {
    mnk: [u32; 3],
    operands: [(usize, usize); 3],
}

fn loops(nest: LinalgOp<'_>) -> Option<Loops> {
    let maps = <[AffineMap; 3]>::try_from(nest.indexing_maps()).ok()?;
    let dims = infer_dims(nest.op().cx().affine(), &maps, &nest.iterator_types())?;
    let mnk = [*dims.m.last()?, *dims.n.last()?, *dims.k.last()?];
    let to_dims = nest.loops_to_dims();
    let operand = |at: u32| to_dims.get(at as usize).copied().flatten();
    Some(Loops { mnk, operands: [operand(mnk[0])?, operand(mnk[1])?, operand(mnk[2])?] })
}

fn block_pack(op: OpId, rw: &mut Rewriter<'_>, plan: &Plan) -> Rewrite {
    let cx = rw.cx();
    let affine = cx.affine();
    let view = rw.op(op);
    let nest = LinalgOp::of(view).ok_or(NoMatch("no loop nest"))?;
    let plain =
        view.operands().iter().all(|operand| operand.ty().is_ranked_tensor() && operand.ty().encoding().is_none());
    if !has_pure_tensor_semantics(view) || !plain {
        return Err(NoMatch("not on plain tensors"));
    }
    let num_loops = nest.num_loops();
    let Loops { mnk, operands } = loops(nest).ok_or(NoMatch("no matrix product"))?;
    let extent = |(operand, dim): (usize, usize)| view.operand(operand).ty().shape().map(|shape| shape[dim]);
    let extents = operands.map(extent);
    let is_full = |i: usize| extents[i].is_some_and(|n| n >= 0 && n % plan.factors[i] == 0);
    if !plan.allow_padding && !(0..3).all(is_full) {
        return Err(NoMatch("blocks would reach over the end"));
    }
    let needs_zero = |operand: dl_ir::ValueRef<'_>| cx.zero_attr(operand.ty().element_or_self().id()).is_none();
    if view.operands().iter().any(needs_zero) {
        return Err(NoMatch("no zero to pad with"));
    }
    let iterators = nest.iterator_types();
    let (maps, loc, region) = (nest.indexing_maps(), view.loc(), view.region(0).id());
    let values: Vec<ValueId> = view.operands().ids().to_vec();
    rw.set_insertion_before(op);
    let mut tiles = [Index::Static(0); 3];
    for i in 0..3 {
        tiles[i] = if plan.multiples[i] == 0 {
            Index::Static(plan.factors[i])
        } else {
            let (operand, dim) = operands[i];
            let extent = dl_tensor::extent(rw, values[operand], dim, loc);
            let multiple = plan.multiples[i];
            let rounded = affine.mul_constant(affine.ceildiv(affine.dim(0), affine.constant(multiple)), multiple);
            dl_affine::apply::folded_apply(rw, op, rounded, &[extent], loc).ok_or(NoMatch("an extent overflows"))?
        };
    }

    // The loops m, n and k come last; those of the tiles follow in the same order.
    let order = interchanged(num_loops, &mnk, &plan.order);
    let new_dim = |old: u32| order.iter().position(|&dim| dim == old).map(|at| at as u32);
    let inner = plan.order.map(|at| (num_loops + at) as u32);
    let mut by_loop: Vec<usize> = vec![0, 1, 2];
    by_loop.sort_by_key(|&i| inner[i]);
    let mut new =
        Generic { loc, inputs: Vec::new(), inits: Vec::new(), maps: Vec::new(), iterators: None, results: Vec::new() };
    let mut packing_of_init = None;
    for (at, (&value, &map)) in values.iter().zip(&maps).enumerate() {
        let positions = affine.result_positions(map).ok_or(NoMatch("no matrix product"))?;
        let transposed = [Some((plan.lhs, 0)), Some((plan.rhs, 2)), None][at.min(2)];
        let mut packed: Vec<(usize, usize)> = by_loop
            .iter()
            .filter_map(|&i| positions.iter().position(|&dim| dim == mnk[i]).map(|dim| (i, dim)))
            .collect();
        // The dimension that comes first where blocks are not transposed: m of the left, k of the right operand.
        let mut outer_perm = None;
        if let (Some((wanted, first)), [_, _]) = (transposed, &packed[..]) {
            let mut perm: Vec<usize> = (0..positions.len()).collect();
            let last_two = positions.len().saturating_sub(2);
            if (positions[last_two] != mnk[first]) != wanted.outer {
                perm.swap(last_two, last_two + 1);
            }
            if (packed[0].0 != first) != wanted.inner {
                packed.swap(0, 1);
            }
            outer_perm = Some(perm);
        }
        let packing = Packing {
            inner_dims: packed.iter().map(|&(_, dim)| dim).collect(),
            tiles: packed.iter().map(|&(i, _)| tiles[i]).collect::<Indices>(),
            outer_perm,
        };
        let outer: Vec<usize> = packing.outer_perm.clone().unwrap_or_else(|| (0..positions.len()).collect());
        let dims: Option<Vec<u32>> = outer
            .iter()
            .map(|&dim| new_dim(positions[dim]))
            .chain(packed.iter().map(|&(i, _)| Some(inner[i])))
            .collect();
        let map = dims.and_then(|dims| affine.multi_dim_map(num_loops as u32 + 3, &dims));
        new.maps.push(map.ok_or(NoMatch("no matrix product"))?);
        let packed = pack(rw, op, value, &packing, loc).ok_or(NoMatch("an extent overflows"))?;
        if at < 2 {
            new.inputs.push(packed);
        } else {
            new.inits.push(packed);
            new.results.push(rw.value_type(packed).id());
            packing_of_init = Some(packing);
        }
    }
    let iterator = |dim: u32| iterators[dim as usize].attr(cx);
    let all: Vec<Attr> = order.iter().copied().map(iterator).chain(by_loop.iter().map(|&i| iterator(mnk[i]))).collect();
    new.iterators = Some(cx.array_attr(&all));
    let product = new.create_with_body_of(rw, region);
    let result = rw.ir().result(product, 0);
    let (Some(packing), Some(&init)) = (packing_of_init, values.get(2)) else { return Err(NoMatch("no init")) };
    let unpacked = unpack(rw, result, init, &packing, loc);
    rw.replace(op, &[unpacked]);
    Ok(())
}

/// The loops with m, n and k last, each where `order` has it, and the others before in their order.
fn interchanged(num_loops: usize, mnk: &[u32; 3], order: &[usize; 3]) -> Vec<u32> {
    let mut loops: Vec<u32> = (0..num_loops as u32).filter(|dim| !mnk.contains(dim)).collect();
    let mut last = [0; 3];
    for (&dim, &at) in mnk.iter().zip(order) {
        last[at] = dim;
    }
    loops.extend(last);
    loops
}
