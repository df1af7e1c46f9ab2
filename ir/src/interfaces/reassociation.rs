//! Reassociations: which adjacent dimensions of the larger shape make one of the smaller.

use crate::attributes::{Attr, AttrRef};
use crate::context::Context;
use crate::diagnostics::Diagnostic;
use crate::types::DYNAMIC;
use crate::view::OpRef;

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
    for (group, &extent) in groups.iter().zip(collapsed) {
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
            return Err(op
                .error("invalid mix of static and dynamic dimension in reassociation group")
                .note(op.loc(), format!("collapsed dim is {}dynamic", if extent == DYNAMIC { "" } else { "not " })));
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
