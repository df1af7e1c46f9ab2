//! Reassociations: which adjacent dimensions of the larger shape make one of the smaller.

use crate::attributes::{Attr, AttrRef};
use crate::context::Context;
use crate::diagnostics::Diagnostic;
use crate::entity::ValueId;
use crate::interfaces::index_list::{Indices, split};
use crate::location::Loc;
use crate::rewriter::OpState;
use crate::types::{DYNAMIC, Type};
use crate::view::{OpDefinition, OpRef};

/// The groups of an attribute `[[0, 1], [2]]`.
pub fn groups(attr: AttrRef<'_>) -> Vec<Vec<usize>> {
    let index = |attr: AttrRef<'_>| usize::try_from(attr.as_int()?).ok();
    attr.elements().map(|group| group.elements().filter_map(index).collect()).collect()
}

/// The attribute `[[0, 1], [2]]`.
pub fn groups_attr(cx: &Context, groups: &[Vec<usize>]) -> Attr {
    let group = |group: &Vec<usize>| {
        let indices: Vec<Attr> = group.iter().map(|&i| cx.i64_attr(i as i64)).collect();
        cx.array_attr(&indices)
    };
    let groups: Vec<Attr> = groups.iter().map(group).collect();
    cx.array_attr(&groups)
}

/// The groups that `inner` makes of those that `outer` makes next.
pub fn compose(inner: &[Vec<usize>], outer: &[Vec<usize>]) -> Vec<Vec<usize>> {
    let merged = |group: &Vec<usize>| group.iter().filter_map(|&i| inner.get(i)).flatten().copied().collect();
    outer.iter().map(merged).collect()
}

/// Whether a shape of these extents is known from the one that `groups` make of it: each group has at most one dynamic extent, and that one
/// is not lost in a product with zero.
pub fn is_known_from_collapsed(expanded: &[i64], groups: &[Vec<usize>]) -> bool {
    let extents = |group: &Vec<usize>| group.iter().filter_map(|&dim| expanded.get(dim)).copied().collect::<Vec<i64>>();
    groups.iter().map(extents).all(|extents| match extents.iter().filter(|&&extent| extent == DYNAMIC).count() {
        0 => true,
        1 => !extents.contains(&0),
        _ => false,
    })
}

/// The extents of the smaller shape for groups of the larger: products, dynamic where a factor is.
pub fn collapsed_shape(expanded: &[i64], groups: &[Vec<usize>]) -> Vec<i64> {
    let product = |group: &Vec<usize>| {
        group.iter().try_fold(1_i64, |product, &i| {
            let extent = *expanded.get(i)?;
            if extent == DYNAMIC { None } else { product.checked_mul(extent) }
        })
    };
    groups.iter().map(|group| product(group).unwrap_or(DYNAMIC)).collect()
}

/// Checks that `groups` list all dimensions of the larger shape in order, as many as the smaller one has, and that the extents agree.
/// A shape of rank 0 has no groups, and stands for extents of 1. `allow_many_dynamic`: several dimensions of a group may be dynamic.
///
/// # Errors
/// What the groups leave out or repeat, or the extent that differs.
pub fn verify(
    op: OpRef<'_>,
    groups: &[Vec<usize>],
    expanded: &[i64],
    collapsed: &[i64],
    allow_many_dynamic: bool,
) -> Result<(), Diagnostic> {
    if groups.len() != collapsed.len() {
        return Err(op.error(format_args!(
            "invalid number of reassociation groups: found {}, expected {}",
            groups.len(),
            collapsed.len()
        )));
    }
    if groups.is_empty() {
        if expanded.iter().all(|&extent| extent == 1) {
            return Ok(());
        }
        return Err(op.error("rank 0 memrefs can only be extended/collapsed with/from ones"));
    }
    let mut next = 0;
    for (at, (group, &extent)) in groups.iter().zip(collapsed).enumerate() {
        let mut product = Some(1_i64);
        let mut dynamic = 0;
        for &dim in group {
            if dim != next {
                return Err(op.error("reassociation indices must be contiguous"));
            }
            next += 1;
            let Some(&factor) = expanded.get(dim) else {
                return Err(op.error(format_args!("reassociation index {dim} is out of bounds")));
            };
            if factor == DYNAMIC {
                if dynamic > 0 && !allow_many_dynamic {
                    return Err(op.error("at most one dimension in a reassociation group may be dynamic"));
                }
                dynamic += 1;
            } else {
                product = product.and_then(|product| product.checked_mul(factor));
            }
        }
        if (extent == DYNAMIC) != (dynamic > 0) {
            return Err(op.error(format_args!(
                "collapsed dim ({at}) must be dynamic if and only if reassociation group is dynamic"
            )));
        }
        if dynamic == 0 && product != Some(extent) {
            return Err(op.error(format_args!(
                "collapsed dim size ({extent}) must equal reassociation group size ({})",
                product.unwrap_or(i64::MAX)
            )));
        }
    }
    if next != expanded.len() {
        return Err(op.error(format_args!("expected source rank ({}) to match reassociation", expanded.len())));
    }
    Ok(())
}

/// The groups of `fine` that make each group of `coarse`, both of the same dimensions: `[[0], [1, 2]]` and `[[0, 1, 2]]` give `[[0, 1]]`. `None`
/// where a group of `coarse` cuts one of `fine` in two.
pub fn groups_of_groups(fine: &[Vec<usize>], coarse: &[Vec<usize>]) -> Option<Vec<Vec<usize>>> {
    let mut groups = Vec::with_capacity(coarse.len());
    let mut next = 0;
    for group in coarse {
        let (mut taken, mut len) = (Vec::new(), 0);
        while len < group.len() {
            len += fine.get(next)?.len();
            taken.push(next);
            next += 1;
        }
        if len != group.len() {
            return None;
        }
        groups.push(taken);
    }
    (next == fine.len()).then_some(groups)
}

/// The groups of dimensions of `larger` that make the dimensions of `smaller`, where both have the same number of elements. At most one
/// extent of `smaller` may be dynamic: it has all that the others leave. `None` where no groups are known to fit.
pub fn groups_between(larger: &[i64], smaller: &[i64]) -> Option<Vec<Vec<usize>>> {
    if smaller.iter().filter(|&&extent| extent == DYNAMIC).count() > 1 || larger.contains(&0) || smaller.contains(&0) {
        return None;
    }
    let dynamic = smaller.iter().position(|&extent| extent == DYNAMIC).unwrap_or(smaller.len());
    let (mut start, mut end) = (0, larger.len());
    let mut groups = vec![Vec::new(); smaller.len()];
    let product =
        |dims: &[i64]| dims.iter().try_fold(1_i64, |n, &d| if d == DYNAMIC { None } else { n.checked_mul(d) });
    for (group, &extent) in groups.iter_mut().zip(&smaller[..dynamic]) {
        let len = (1..=end - start).find(|&len| product(&larger[start..start + len]) == Some(extent))?;
        *group = (start..start + len).collect();
        start += len;
    }
    for (group, &extent) in groups.iter_mut().zip(smaller).skip(dynamic + 1).rev() {
        let len = (1..=end - start).find(|&len| product(&larger[end - len..end]) == Some(extent))?;
        *group = (end - len..end).collect();
        end -= len;
    }
    if let Some(group) = groups.get_mut(dynamic) {
        *group = (start..end).collect();
        return larger[start..end].contains(&DYNAMIC).then_some(groups);
    }
    // What is left over has extent 1, and goes to the last one.
    let left: Vec<usize> = (start..end).collect();
    if left.is_empty() {
        return Some(groups);
    }
    groups.last_mut()?.extend(&left);
    left.iter().all(|&dim| larger[dim] == 1).then_some(groups)
}

/// How the source of one reshape becomes the result of the next.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Reshape {
    /// Dimensions of these groups are merged.
    Collapse(Vec<Vec<usize>>),
    /// Each dimension becomes those of its group.
    Expand(Vec<Vec<usize>>),
}

/// What merging the dimensions that splitting `source` gave comes to, for a result of shape `result`; both groupings are of the shape between.
pub fn collapse_of_expand(
    source: &[i64],
    expanded: &[Vec<usize>],
    collapsed: &[Vec<usize>],
    result: &[i64],
) -> Option<Reshape> {
    if source.len() >= result.len() {
        groups_of_groups(expanded, collapsed).map(Reshape::Collapse)
    } else {
        groups_of_groups(collapsed, expanded).map(Reshape::Expand)
    }
}

/// What splitting the dimensions that merging those of `source` gave comes to: groups of `source`, and of `result`, for each dimension of
/// the shape between.
pub fn expand_of_collapse(
    source: &[i64],
    collapsed: &[Vec<usize>],
    expanded: &[Vec<usize>],
    result: &[i64],
) -> Option<Reshape> {
    let whole = |shape: &[i64]| vec![(0..shape.len()).collect::<Vec<usize>>()];
    let (from, to) =
        if collapsed.is_empty() { (whole(source), whole(result)) } else { (collapsed.to_vec(), expanded.to_vec()) };
    if from.len() != to.len() || source.len() == result.len() {
        return None;
    }
    let collapses = source.len() > result.len();
    let mut groups = Vec::new();
    for (from, to) in from.iter().zip(&to) {
        let (larger, smaller) = if collapses { (from, to) } else { (to, from) };
        let (large, small) = if collapses { (source, result) } else { (result, source) };
        let extents = |dims: &[usize], shape: &[i64]| {
            dims.iter().map(|&dim| shape.get(dim).copied()).collect::<Option<Vec<i64>>>()
        };
        let first = larger.first().copied().unwrap_or(0);
        let between = groups_between(&extents(larger, large)?, &extents(smaller, small)?)?;
        groups
            .extend(between.into_iter().map(|group| group.into_iter().map(|dim| dim + first).collect::<Vec<usize>>()));
    }
    Some(if collapses { Reshape::Collapse(groups) } else { Reshape::Expand(groups) })
}

/// The groups of a reshape.
pub fn groups_of(op: OpRef<'_>) -> Vec<Vec<usize>> {
    op.attr("reassociation").map(groups).unwrap_or_default()
}

/// An `expand_shape`, the operation `O`, of `source` by `groups` to sizes `output`.
pub fn expand_state<O: OpDefinition>(
    cx: &Context,
    source: ValueId,
    groups: &[Vec<usize>],
    output: &Indices,
    ty: Type,
    loc: Loc,
) -> OpState {
    let (constants, values) = split(output);
    OpState::of::<O>(loc)
        .operands([source])
        .operands(values)
        .attr(cx, "reassociation", groups_attr(cx, groups))
        .attr(cx, "static_output_shape", cx.dense_i64_array(&constants))
        .results([ty])
}

/// A `collapse_shape`, the operation `O`, of `source` by `groups`.
pub fn collapse_state<O: OpDefinition>(
    cx: &Context,
    source: ValueId,
    groups: &[Vec<usize>],
    ty: Type,
    loc: Loc,
) -> OpState {
    OpState::of::<O>(loc).operands([source]).attr(cx, "reassociation", groups_attr(cx, groups)).results([ty])
}

#[cfg(test)]
mod tests {
    use super::*;

    const D: i64 = DYNAMIC;

    #[test]
    fn groups_between_takes_the_shortest_groups() {
        assert_eq!(groups_between(&[2, 3, 4], &[6, 4]), Some(vec![vec![0, 1], vec![2]]));
        assert_eq!(groups_between(&[4, 1, 5], &[4, 5]), Some(vec![vec![0], vec![1, 2]]));
        assert_eq!(groups_between(&[1, 1, 1, 1], &[1, 1, 1]), Some(vec![vec![0], vec![1], vec![2, 3]]));
    }

    #[test]
    fn groups_between_needs_equal_products() {
        assert_eq!(groups_between(&[2, 3], &[3, 2]), None);
        assert_eq!(groups_between(&[2, 3, 2], &[2, 3]), None);
        assert_eq!(groups_between(&[0, 4], &[0, 4]), None);
    }

    #[test]
    fn one_dynamic_extent_has_what_is_left() {
        assert_eq!(groups_between(&[4, D, 2], &[4, D]), Some(vec![vec![0], vec![1, 2]]));
        assert_eq!(groups_between(&[D, D, 4], &[D, 4]), Some(vec![vec![0, 1], vec![2]]));
        assert_eq!(groups_between(&[D, D], &[D, D]), None);
        assert_eq!(groups_between(&[2, 4], &[D, 4]), None);
    }

    #[test]
    fn groups_nest_or_do_not() {
        let groups = |list: &[&[usize]]| list.iter().map(|group| group.to_vec()).collect::<Vec<_>>();
        let fine = groups(&[&[0], &[1], &[2, 3]]);
        assert_eq!(groups_of_groups(&fine, &groups(&[&[0, 1], &[2, 3]])), Some(groups(&[&[0, 1], &[2]])));
        assert_eq!(groups_of_groups(&fine, &groups(&[&[0, 1, 2], &[3]])), None);
    }
}
