//! `linalg-fuse-sibling-matmuls`: products of one matrix with several others become one product with all of them side by side.
//!
//! `a b1`, `a b2`, ... are columns of `a [b1 b2 ...]`: the projections to queries, keys and values of attention, or the gates of an LSTM. One wide
//! product reads `a` once and fills the machine where several narrow ones do not. Every element is computed as before.

use dl_ir::interfaces::offset_size_stride::Slice;
use dl_ir::interfaces::{Index, has_pure_tensor_semantics};
use dl_ir::pass::{Pass, PassCx, PassInfo, PassOptions, PassResult};
use dl_ir::{
    Arena, Attr, AttrRef, BlockId, Context, Ident, Loc, OpDefinition, OpId, OpRef, OpState, Rewriter, Type, ValueId,
};
use dl_linalg::build::named_state;
use dl_linalg::{FillOp, LinalgOp, MatmulOp, TypeFn};
use dl_tensor::ConcatOp;
use dl_tensor::build::empty;
use indexmap::IndexMap;
use rustc_hash::FxBuildHasher;

dl_ir::pass_options! {
    /// Options of [`FuseSiblingMatmuls`].
    pub struct FuseSiblingMatmulsOptions {
        /// Only where the other matrices are constants, which are put side by side once and for all
        constants_only "constants-only": bool = false,
        /// Do not make a product wider than this; 0 for no limit
        max_columns "max-columns": i64 = 0,
    }
}

/// Makes products of one matrix with several others one.
#[derive(Clone, Default)]
pub struct FuseSiblingMatmuls {
    /// The options.
    pub options: FuseSiblingMatmulsOptions,
}

impl Pass for FuseSiblingMatmuls {
    const INFO: PassInfo = PassInfo::new(
        "linalg-fuse-sibling-matmuls",
        "Make products of one matrix with several others one product with all of them side by side",
    );

    fn options(&mut self) -> Option<&mut dyn PassOptions> {
        Some(&mut self.options)
    }

    fn run(&mut self, cx: &mut PassCx<'_>) -> PassResult {
        let mut changed = false;
        let options = &self.options;
        dl_ir::walk::for_each_arena(cx.ctx, cx.ir, &mut |cx, ir| changed |= fuse_in_arena(cx, ir, options));
        if !changed {
            cx.preserve_all();
        }
        Ok(())
    }
}

/// What products that can be one have in common: the left matrix, the types of the others but their columns, and all attributes.
#[derive(Clone, PartialEq, Eq, Hash)]
struct Key {
    block: BlockId,
    lhs: ValueId,
    elements: [Type; 2],
    /// Rows of the result and of the right matrix, or its columns where it is read transposed.
    extents: [i64; 2],
    /// The dimension of the right matrix that its columns are.
    columns: usize,
    attrs: Vec<(Ident, Attr)>,
}

/// A product that can be put beside others.
#[derive(Clone, Copy)]
struct Sibling {
    op: OpId,
    rhs: ValueId,
    init: ValueId,
    columns: i64,
}

fn fuse_in_arena(cx: &Context, ir: &mut Arena, options: &FuseSiblingMatmulsOptions) -> bool {
    let mut rw = Rewriter::new(cx, ir);
    let mut groups: IndexMap<Key, Vec<Sibling>, FxBuildHasher> = IndexMap::default();
    for op in dl_ir::walk::ops_in_arena(rw.ir(), Arena::ROOT) {
        if let Some((key, sibling)) = sibling(rw.op(op)) {
            groups.entry(key).or_default().push(sibling);
        }
    }
    let mut changed = false;
    for (key, siblings) in groups {
        for group in profitable(&rw, legal(&rw, siblings), options) {
            changed |= fuse(&mut rw, &key, &group);
        }
    }
    changed
}

/// A product of plain tensors whose right matrix and result have a known number of columns.
fn sibling(op: OpRef<'_>) -> Option<(Key, Sibling)> {
    let nest = LinalgOp::of(op).filter(|_| op.is::<MatmulOp<'_>>() && has_pure_tensor_semantics(op))?;
    let affine = op.cx().affine();
    let maps = nest.indexing_maps();
    let positions = affine.result_positions(*maps.get(1)?)?;
    let columns = positions.iter().position(|&dim| dim == 1)?;
    let [lhs, rhs, init] = [0, 1, 2].map(|at| op.operand(at));
    let plain = [rhs, init].iter().all(|value| value.ty().is_ranked_tensor() && value.ty().encoding().is_none());
    let (&[rows, width], of_rhs) = (init.ty().shape()?, rhs.ty().shape()?) else { return None };
    if !plain || of_rhs.len() != 2 || of_rhs.iter().any(|&extent| extent < 0) || of_rhs[columns] != width {
        return None;
    }
    let key = Key {
        block: op.block()?.id(),
        lhs: lhs.id(),
        elements: [rhs, init].map(|value| value.ty().element_or_self().id()),
        extents: [rows, of_rhs[1 - columns]],
        columns,
        attrs: op.attrs().map(|(name, attr)| (name, attr.id())).collect(),
    };
    Some((key, Sibling { op: op.id(), rhs: rhs.id(), init: init.id(), columns: width }))
}

/// Those, in order, whose results nothing reads before the last of them.
fn legal(rw: &Rewriter<'_>, mut siblings: Vec<Sibling>) -> Vec<Sibling> {
    let Some(last) = siblings.last().copied() else { return siblings };
    let last_op = rw.op(last.op);
    let reads_late = |sibling: &Sibling| {
        rw.op(sibling.op).result(0).uses().all(|(mut user, _)| {
            while user.block() != last_op.block() {
                let Some(outer) = user.parent() else { return false };
                user = outer;
            }
            rw.ir().is_before_in_block(last.op, user.id())
        })
    };
    siblings.retain(|sibling| sibling.op == last.op || reads_late(sibling));
    siblings
}

/// Groups of at least two that are worth it.
fn profitable(rw: &Rewriter<'_>, mut siblings: Vec<Sibling>, options: &FuseSiblingMatmulsOptions) -> Vec<Vec<Sibling>> {
    if options.constants_only {
        siblings.retain(|sibling| rw.value(sibling.rhs).constant().is_some());
    }
    let mut groups: Vec<Vec<Sibling>> = Vec::new();
    let mut width = 0_i64;
    for sibling in siblings {
        let wider = width.checked_add(sibling.columns);
        let fits = wider.is_some_and(|wider| options.max_columns <= 0 || wider <= options.max_columns);
        match (groups.last_mut(), wider) {
            (Some(group), Some(wider)) if fits => {
                group.push(sibling);
                width = wider;
            }
            _ => {
                groups.push(vec![sibling]);
                width = sibling.columns;
            }
        }
    }
    groups.retain(|group| group.len() > 1);
    groups
}

fn fuse(rw: &mut Rewriter<'_>, key: &Key, group: &[Sibling]) -> bool {
    let cx = rw.cx();
    let (Some(first), Some(last)) = (group.first(), group.last()) else { return false };
    let loc = rw.op(first.op).loc();
    let Some(total) = group.iter().try_fold(0_i64, |sum, sibling| sum.checked_add(sibling.columns)) else {
        return false;
    };
    rw.set_insertion_before(last.op);
    let parts: Vec<ValueId> = group.iter().map(|sibling| sibling.rhs).collect();
    let mut shape = [key.extents[1], key.extents[1]];
    shape[key.columns] = total;
    let rhs = side_by_side(rw, &parts, key.columns, cx.tensor_type(&shape, key.elements[0]), loc);
    let init_type = cx.tensor_type(&[key.extents[0], total], key.elements[1]);
    let inits: Vec<ValueId> = group.iter().map(|sibling| sibling.init).collect();
    let Some(init) = joint_init(rw, &inits, total, init_type, loc) else { return false };
    let cast = rw.op(first.op).attr("cast").and_then(TypeFn::from_attr).unwrap_or(TypeFn::CastSigned);
    let Ok(state) = named_state(rw, MatmulOp::NAME, &[key.lhs, rhs], &[init], cast, loc) else { return false };
    let product = rw.create_value(state.attrs(key.attrs.iter().copied()));
    let rows = dl_linalg::extent(rw, init, 0, loc);
    let mut at = 0;
    for sibling in group {
        let slice = Slice {
            offsets: [Index::Static(0), Index::Static(at)].into_iter().collect(),
            sizes: [rows, Index::Static(sibling.columns)].into_iter().collect(),
            strides: [Index::Static(1); 2].into_iter().collect(),
        };
        let ty = rw.op(sibling.op).result(0).ty().id();
        let state = dl_tensor::extract_slice_state(rw, product, &slice, ty, loc);
        let part = rw.create_value(state);
        rw.replace(sibling.op, &[part]);
        at += sibling.columns;
    }
    true
}

/// The tensors one after the other along `dim`: a constant where all are.
fn side_by_side(rw: &mut Rewriter<'_>, parts: &[ValueId], dim: usize, ty: Type, loc: Loc) -> ValueId {
    let cx = rw.cx();
    let constants: Option<Vec<AttrRef<'_>>> = parts.iter().map(|&part| rw.value(part).constant()).collect();
    let joined = constants.and_then(|constants| dl_passes_tensor::constants::concatenated(cx, &constants, dim, ty));
    if let Some(joined) = joined {
        return dl_arith::constant(rw, joined, loc);
    }
    let state = OpState::of::<ConcatOp<'_>>(loc).operands(parts.iter().copied());
    rw.create_value(state.attr(cx, "dim", cx.i64_attr(dim as i64)).results([ty]))
}

/// The inits side by side: one fill where all are filled with the same value. `None` where the value does not fit.
fn joint_init(rw: &mut Rewriter<'_>, inits: &[ValueId], columns: i64, ty: Type, loc: Loc) -> Option<ValueId> {
    let fill_value = |&init: &ValueId| {
        let value = rw.value(init).def::<FillOp<'_>>()?.inputs().single();
        Some((value.constant().map(|constant| constant.id()), value.id()))
    };
    let values: Option<Vec<_>> = inits.iter().map(fill_value).collect();
    let same = values.filter(|values| {
        let is_first = |value: &(Option<Attr>, ValueId)| match (value.0, values[0].0) {
            (Some(a), Some(b)) => a == b,
            _ => value.1 == values[0].1,
        };
        values.iter().all(is_first)
    });
    let Some(value) = same.map(|values| values[0].1) else {
        let state = OpState::of::<ConcatOp<'_>>(loc).operands(inits.iter().copied());
        let cx = rw.cx();
        return Some(rw.create_value(state.attr(cx, "dim", cx.i64_attr(1)).results([ty])));
    };
    let rows = dl_linalg::extent(rw, *inits.first()?, 0, loc);
    let element = rw.cx().ty(ty).element_or_self().id();
    let dest = empty(rw, &[rows, Index::Static(columns)], element, loc);
    let state = named_state(rw, FillOp::NAME, &[value], &[dest], TypeFn::CastSigned, loc).ok()?;
    Some(rw.create_value(state))
}
