//! Reshapes move past loop nests: a nest on a tensor with merged dimensions runs over the dimensions by themselves.
//!
//! `nest(collapse(x), y)` is `collapse(nest(x, expand(y)))`, and `expand(nest(y))` is `nest(expand(y))`. Collapsing moves down and expanding up,
//! where they meet and cancel; what was between two reshapes is then beside other nests, to be fused with them. Every map must be a
//! projected permutation. A loop whose index is used can be split only into loops of known extents.

use dl_ir::affine::AffineMap;
use dl_ir::interfaces::index_list::{Indices, mixed};
use dl_ir::interfaces::reassociation::{collapse_state, expand_state, groups_of};
use dl_ir::interfaces::{Index, has_pure_tensor_semantics};
use dl_ir::pass::{Pass, PassCx, PassInfo, PassResult};
use dl_ir::rewrite::greedy::GreedyConfig;
use dl_ir::rewrite::{NoMatch, Patterns, Rewrite};
use dl_ir::{Attr, AttrRef, DYNAMIC, Loc, OpDefinition, OpId, OpRef, OpState, Rewriter, Type, ValueId};
use dl_linalg::{GenericOp, IndexOp, LinalgOp};
use dl_tensor::build::empty;
use dl_tensor::{CollapseShapeOp, EmptyOp, ExpandShapeOp};

use super::generic::{Generic, kept_attrs};

/// Moves reshapes past loop nests.
#[derive(Clone, Copy, Default)]
pub struct FuseReshapesByExpansion;

impl Pass for FuseReshapesByExpansion {
    const INFO: PassInfo = PassInfo::new(
        "linalg-fuse-reshapes-by-expansion",
        "Move reshapes past loop nests, which then run over the dimensions that were merged",
    );

    fn run(&mut self, cx: &mut PassCx<'_>) -> PassResult {
        let mut patterns = Patterns::new();
        add_patterns(&mut patterns);
        for name in [ExpandShapeOp::NAME, CollapseShapeOp::NAME] {
            patterns.add_canonicalization(cx.ctx, name);
        }
        if !cx.rewrite_greedily(&patterns.freeze(), &GreedyConfig::default())?.changed {
            cx.preserve_all();
        }
        Ok(())
    }
}

/// Adds the patterns.
pub(super) fn add_patterns(patterns: &mut Patterns) {
    patterns.add_fn("linalg-expand-for-collapsed-input", Some(GenericOp::NAME), nest_of_collapsed).add_fn(
        "linalg-expand-for-expanded-result",
        Some(ExpandShapeOp::NAME),
        expand_of_nest,
    );
}

/// How the loops of a nest are split.
struct Expansion {
    /// For each loop those that it becomes.
    loops: Vec<Vec<u32>>,
    /// For each loop that is split the extents of those.
    sizes: Vec<Vec<Index>>,
}

impl Expansion {
    /// Where the operand with this map has its dimensions split into `groups`, of these extents in a row.
    fn of(num_loops: usize, positions: &[u32], groups: &[Vec<usize>], extents: &[Index]) -> Option<Self> {
        let mut sizes: Vec<Vec<Index>> = vec![Vec::new(); num_loops];
        if positions.len() != groups.len() || groups.iter().any(Vec::is_empty) {
            return None;
        }
        for (&position, group) in positions.iter().zip(groups) {
            let of_group = group.iter().map(|&dim| extents.get(dim).copied()).collect::<Option<Vec<_>>>()?;
            *sizes.get_mut(position as usize)? = of_group;
        }
        let mut next = 0;
        let loops = sizes.iter().map(|sizes| {
            let first = next;
            next += sizes.len().max(1) as u32;
            (first..next).collect()
        });
        Some(Self { loops: loops.collect(), sizes })
    }

    fn num_loops(&self) -> u32 {
        self.loops.last().and_then(|loops| loops.last()).map_or(0, |last| last + 1)
    }

    /// Whether the operand with this map is split at all.
    fn splits(&self, positions: &[u32]) -> bool {
        positions.iter().any(|&position| self.loops[position as usize].len() > 1)
    }

    /// The dimensions of the operand with this map as groups of those that they become.
    fn groups(&self, positions: &[u32]) -> Vec<Vec<usize>> {
        let mut next = 0;
        let group = |&position: &u32| {
            let first = next;
            next += self.loops[position as usize].len();
            (first..next).collect()
        };
        positions.iter().map(group).collect()
    }

    /// Whether the splitting says of a tensor of this shape what is known of it, and nothing else.
    fn fits(&self, positions: &[u32], shape: &[i64]) -> bool {
        positions.iter().zip(shape).all(|(&position, &extent)| {
            let sizes = &self.sizes[position as usize];
            if sizes.len() < 2 {
                return true;
            }
            let known = sizes.iter().try_fold(1_i64, |n, size| n.checked_mul(size.as_static()?));
            known.unwrap_or(DYNAMIC) == extent
        })
    }
}

/// Whether a nest can run over other loops: its maps say which loop each dimension is.
fn is_expandable(op: OpRef<'_>) -> Option<Vec<Vec<u32>>> {
    let affine = op.cx().affine();
    let nest = LinalgOp::of(op).filter(|_| op.is::<GenericOp<'_>>() && has_pure_tensor_semantics(op))?;
    let plain = op.operands().iter().all(|value| !value.ty().is_ranked_tensor() || value.ty().encoding().is_none());
    let maps = nest.indexing_maps();
    if !plain || !maps.iter().all(|&map| affine.is_projected_permutation(map, false)) {
        return None;
    }
    maps.into_iter().map(|map| affine.result_positions(map)).collect()
}

/// Whether the indices that the body uses can be told from those of the split loops.
fn indices_are_known(op: OpRef<'_>, expansion: &Expansion) -> bool {
    let known = |sizes: &Vec<Index>| sizes.len() < 2 || sizes.iter().all(|size| size.as_static().is_some());
    let split = |dim: i64| usize::try_from(dim).ok().and_then(|dim| expansion.sizes.get(dim)).is_some_and(known);
    dl_ir::walk::pre_order(op)
        .filter(|inner| inner.is::<IndexOp<'_>>())
        .all(|index| index.attr("dim").and_then(AttrRef::as_int).is_some_and(split))
}

fn nest_of_collapsed(op: OpId, rw: &mut Rewriter<'_>) -> Rewrite {
    let view = rw.op(op);
    let maps = is_expandable(view).ok_or(NoMatch("not a nest on tensors by projected permutations"))?;
    let inputs = LinalgOp::of(view).map_or(0, |nest| nest.inputs().len());
    let found = (0..inputs).find_map(|at| {
        let collapse = view.operand(at).def::<CollapseShapeOp<'_>>().filter(|_| view.operand(at).has_one_use())?;
        let plain = collapse.src().ty().encoding().is_none() && !maps[at].is_empty();
        plain.then(|| (at, collapse.src().id(), groups_of(collapse.0)))
    });
    let (at, source, groups) = found.ok_or(NoMatch("no input is collapsed for it"))?;
    // Extents for the check first: the types say which are known.
    let shape = rw.value_type(source).shape().ok_or(NoMatch("no rank"))?.to_vec();
    let loc = view.loc();
    let stand_in: Vec<Index> =
        shape.iter().map(|&n| if n == DYNAMIC { Index::Value(source) } else { Index::Static(n) }).collect();
    let num_loops = LinalgOp::of(view).map_or(0, LinalgOp::num_loops);
    let plan = Expansion::of(num_loops, &maps[at], &groups, &stand_in).ok_or(NoMatch("other groups"))?;
    check(view, &plan, &maps, at)?;
    rw.set_insertion_before(op);
    let extents = dl_tensor::extents(rw, source, loc);
    let plan = Expansion::of(num_loops, &maps[at], &groups, &extents).ok_or(NoMatch("other groups"))?;
    let results = expand(rw, op, &plan, &maps, Some((at, source)));
    let values: Vec<ValueId> = results
        .into_iter()
        .map(|(value, groups, ty)| match groups {
            Some(groups) => {
                let state = collapse_state::<CollapseShapeOp<'_>>(rw.cx(), value, &groups, ty, loc);
                rw.create_value(state)
            }
            None => value,
        })
        .collect();
    rw.replace(op, &values);
    Ok(())
}

fn expand_of_nest(op: OpId, rw: &mut Rewriter<'_>) -> Rewrite {
    let view = rw.op(op);
    let source = view.operand(0);
    let nest = source.defining_op().ok_or(NoMatch("of an argument"))?;
    let maps = is_expandable(nest).ok_or(NoMatch("not of a nest on tensors by projected permutations"))?;
    let uses: usize = nest.results().iter().map(|result| result.uses().count()).sum();
    if uses != 1 || view.result(0).ty().encoding().is_some() {
        return Err(NoMatch("something else reads what the nest computes"));
    }
    let at = LinalgOp::of(nest).map_or(0, |nest| nest.inits().start()) + source.index();
    let num_loops = LinalgOp::of(nest).map_or(0, LinalgOp::num_loops);
    let given = view.attr("static_output_shape").and_then(|attr| attr.as_i64_array()).unwrap_or_default();
    let extents: Indices = mixed(&given, view.operand_group(1));
    let shape: Vec<i64> = extents.iter().map(|extent| extent.extent()).collect();
    if view.result(0).ty().shape() != Some(&shape[..]) || maps[at].is_empty() {
        return Err(NoMatch("the type knows more than the sizes"));
    }
    let groups = groups_of(view);
    let plan = Expansion::of(num_loops, &maps[at], &groups, &extents).ok_or(NoMatch("other groups"))?;
    check(nest, &plan, &maps, usize::MAX)?;
    let (nest, result) = (nest.id(), source.index());
    rw.set_insertion_before(op);
    let results = expand(rw, nest, &plan, &maps, None);
    let value = results.get(result).map(|&(value, ..)| value).ok_or(NoMatch("no such result"))?;
    rw.replace(op, &[value]);
    rw.erase(nest);
    Ok(())
}

/// Whether all operands but number `at` can be split so.
fn check(op: OpRef<'_>, plan: &Expansion, maps: &[Vec<u32>], at: usize) -> Result<(), NoMatch> {
    if !maps.iter().any(|positions| plan.splits(positions)) {
        return Err(NoMatch("no loop is split"));
    }
    let fits = |(each, positions): (usize, &Vec<u32>)| {
        let shape = op.operand(each).ty().shape().unwrap_or_default();
        each == at || !plan.splits(positions) || plan.fits(positions, shape)
    };
    if !maps.iter().enumerate().all(fits) || !indices_are_known(op, plan) {
        return Err(NoMatch("an extent, or an index, is not known"));
    }
    Ok(())
}

/// For each result its value, the groups that bring it to what it was, if it was another, and the type that it had.
type Results = Vec<(ValueId, Option<Vec<Vec<usize>>>, Type)>;

/// Makes the nest over the split loops at the insertion point, with `fused` as it is for that operand. The body moves there.
fn expand(
    rw: &mut Rewriter<'_>,
    op: OpId,
    plan: &Expansion,
    maps: &[Vec<u32>],
    fused: Option<(usize, ValueId)>,
) -> Results {
    let cx = rw.cx();
    let affine = cx.affine();
    let Some(mut new) = Generic::of(rw.op(op)) else { return Vec::new() };
    let (loc, extra, body) = (new.loc, kept_attrs(rw.op(op)), rw.op(op).region(0).id());
    let old_results = new.results.clone();
    let num_inputs = new.inputs.len();
    let mut operands: Vec<ValueId> = new.inputs.iter().chain(&new.inits).copied().collect();
    for (at, operand) in operands.iter_mut().enumerate() {
        if let Some((_, source)) = fused.filter(|&(fused, _)| fused == at) {
            *operand = source;
        } else if plan.splits(&maps[at]) {
            *operand = expanded(rw, *operand, plan, &maps[at], loc);
        }
    }
    let new_map = |positions: &Vec<u32>| -> AffineMap {
        let dims = positions.iter().flat_map(|&position| plan.loops[position as usize].iter());
        let results: Vec<_> = dims.map(|&dim| affine.dim(dim)).collect();
        affine.intern_map(plan.num_loops(), 0, results)
    };
    new.maps = maps.iter().map(new_map).collect();
    let iterators: Vec<Attr> =
        new.iterators.map(|attr| cx.attr(attr).elements().map(|it| it.id()).collect()).unwrap_or_default();
    let iterators: Vec<Attr> =
        iterators.iter().zip(&plan.loops).flat_map(|(&iterator, loops)| loops.iter().map(move |_| iterator)).collect();
    new.iterators = Some(cx.array_attr(&iterators));
    new.inits = operands.split_off(num_inputs);
    new.inputs = operands;
    new.results = new.inits.iter().map(|&init| rw.ir().value_type(init)).collect();
    let replacement = new.create_with_body_of(rw, body);
    for (name, attr) in extra {
        rw.set_attr(replacement, name, attr);
    }
    renumber_indices(rw, replacement, plan, loc);
    rw.set_insertion_after(replacement);
    let values: Vec<ValueId> = rw.ir().results(replacement).collect();
    let of_result = |(at, (value, ty)): (usize, (ValueId, Type))| {
        let positions = &maps[num_inputs + at];
        (value, plan.splits(positions).then(|| plan.groups(positions)), ty)
    };
    values.into_iter().zip(old_results).enumerate().map(of_result).collect()
}

/// The operand with its dimensions split: a new tensor where it is an empty one.
fn expanded(rw: &mut Rewriter<'_>, value: ValueId, plan: &Expansion, positions: &[u32], loc: Loc) -> ValueId {
    let cx = rw.cx();
    let mut sizes = Indices::new();
    for (dim, &position) in positions.iter().enumerate() {
        let split = &plan.sizes[position as usize];
        if split.len() > 1 {
            sizes.extend(split.iter().copied());
        } else {
            sizes.push(dl_tensor::extent(rw, value, dim, loc));
        }
    }
    let element = rw.value_type(value).element_or_self().id();
    if rw.value(value).def::<EmptyOp<'_>>().is_some() {
        return empty(rw, &sizes, element, loc);
    }
    let shape: Vec<i64> = sizes.iter().map(|size| size.extent()).collect();
    let ty = cx.tensor_type(&shape, element);
    let state = expand_state::<ExpandShapeOp<'_>>(cx, value, &plan.groups(positions), &sizes, ty, loc);
    rw.create_value(state)
}

/// Indices of loops that are split follow from those that they became.
fn renumber_indices(rw: &mut Rewriter<'_>, op: OpId, plan: &Expansion, loc: Loc) {
    let cx = rw.cx();
    let affine = cx.affine();
    let indices: Vec<OpId> =
        dl_ir::walk::ops_in_arena(rw.ir(), op).into_iter().filter(|&inner| rw.op(inner).is::<IndexOp<'_>>()).collect();
    for index in indices {
        let dim = rw.op(index).attr("dim").and_then(AttrRef::as_int).and_then(|dim| usize::try_from(dim).ok());
        let Some((loops, sizes)) = dim.and_then(|dim| Some((plan.loops.get(dim)?, plan.sizes.get(dim)?))) else {
            continue;
        };
        rw.set_insertion_before(index);
        let parts: Vec<ValueId> = loops
            .iter()
            .map(|&each| {
                let state = OpState::of::<IndexOp<'_>>(loc).attr(cx, "dim", cx.i64_attr(i64::from(each)));
                rw.create_value(state.results([cx.index_type()]))
            })
            .collect();
        let mut expr = affine.dim(0);
        for (at, size) in sizes.iter().enumerate().skip(1) {
            expr = affine.add(affine.mul_constant(expr, size.as_static().unwrap_or(1)), affine.dim(at as u32));
        }
        let value = if let [only] = parts[..] {
            only
        } else {
            let map = affine.intern_map(parts.len() as u32, 0, [expr]);
            let state = OpState::of::<dl_affine::AffineApplyOp<'_>>(loc)
                .attr(cx, "map", cx.affine_map_attr(map))
                .operands(parts)
                .results([cx.index_type()]);
            rw.create_value(state)
        };
        rw.replace(index, &[value]);
    }
}
