//! `Einsum`: a loop nest whose loops are the letters of an equation.

use dl_ir::affine::AffineExpr;
use dl_ir::interfaces::Index;
use dl_ir::interfaces::index_list::Indices;
use dl_linalg::IteratorType;
use indexmap::IndexMap;

use super::{Operator, one};
use crate::builder::Builder;
use crate::fault::{Outcome, fault, require};
use crate::node::Node;
use crate::tensor::Tensor;

pub(super) const OPERATORS: &[Operator] = &[one("Einsum", 12, einsum)];

/// What names a dimension: a letter, or a dimension of the ellipsis, counted from its end.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
enum Label {
    Rest(std::cmp::Reverse<usize>),
    Letter(char),
}

/// The labels of one term for a tensor of this rank; `None` stands for the rank of the result, where the ellipsis has `rest` dimensions.
fn labels(term: &str, rank: Option<usize>, rest: usize) -> Outcome<Vec<Label>> {
    let letters = term.chars().filter(|&c| c != '.').count();
    let rest =
        rank.map_or(Ok(rest), |rank| rank.checked_sub(letters).ok_or_else(|| fault!("'{term}' for rank {rank}")))?;
    let (before, after) = if let Some(parts) = term.split_once("...") {
        parts
    } else {
        require!(rank.is_none_or(|rank| rank == letters), "'{term}' for a tensor of rank {}", letters + rest);
        (term, "")
    };
    let letter = |c: char| {
        require!(c.is_ascii_alphabetic(), "'{c}' in an equation");
        Ok(Label::Letter(c))
    };
    let mut all = before.chars().map(letter).collect::<Outcome<Vec<Label>>>()?;
    if term.contains("...") {
        all.extend((0..rest).map(|at| Label::Rest(std::cmp::Reverse(rest - 1 - at))));
    }
    all.extend(after.chars().map(letter).collect::<Outcome<Vec<Label>>>()?);
    Ok(all)
}

fn einsum(b: &mut Builder<'_, '_>, node: &Node<'_>) -> Outcome<Tensor> {
    let inputs = node.all()?;
    let equation: String = node.text("equation", "")?.chars().filter(|c| !c.is_whitespace()).collect();
    let (left, right) = match equation.split_once("->") {
        Some((left, right)) => (left.to_owned(), Some(right.to_owned())),
        None => (equation, None),
    };
    let terms: Vec<&str> = left.split(',').collect();
    require!(terms.len() == inputs.len(), "an equation of {} terms for {} inputs", terms.len(), inputs.len());
    let mut of_inputs = Vec::new();
    let mut extents: IndexMap<Label, Index> = IndexMap::new();
    let mut uses: IndexMap<Label, usize> = IndexMap::new();
    for (term, input) in terms.iter().zip(&inputs) {
        let labels = labels(term, Some(input.rank()), 0)?;
        for (&label, &extent) in labels.iter().zip(&input.dims) {
            *uses.entry(label).or_default() += 1;
            let known = extents.get(&label).copied();
            let joint = match known {
                Some(Index::Static(1)) | None => extent,
                Some(known) if extent == Index::Static(1) => known,
                Some(known) => b.same_extent(known, extent, "einsum")?,
            };
            extents.insert(label, joint);
        }
        of_inputs.push(labels);
    }
    let rest = extents.keys().filter(|label| matches!(label, Label::Rest(_))).count();
    let of_result = if let Some(right) = right {
        labels(&right, None, rest)?
    } else {
        // Letters that appear once, in the order of the alphabet, behind the ellipsis.
        let mut all: Vec<Label> = uses
            .iter()
            .filter(|&(label, &count)| count == 1 || matches!(label, Label::Rest(_)))
            .map(|(&label, _)| label)
            .collect();
        all.sort_unstable();
        all
    };
    let mut order = of_result.clone();
    order.extend(extents.keys().copied().filter(|label| !of_result.contains(label)));
    nest(b, &inputs, &of_inputs, &of_result, &order, &extents)
}

/// The sums of products over the loops `order`, of which those of the result come first.
fn nest(
    b: &mut Builder<'_, '_>,
    inputs: &[Tensor],
    of_inputs: &[Vec<Label>],
    of_result: &[Label],
    order: &[Label],
    extents: &IndexMap<Label, Index>,
) -> Outcome<Tensor> {
    let affine = b.cx().affine();
    let e = inputs[0].element;
    require!(inputs.iter().all(|input| input.element == e), "expected inputs of one element type");
    let position = |label: &Label| order.iter().position(|other| other == label);
    let mut operands = Vec::new();
    for (input, labels) in inputs.iter().zip(of_inputs) {
        let mut exprs: Vec<AffineExpr> = Vec::new();
        for (label, &own) in labels.iter().zip(&input.dims) {
            let at = position(label).ok_or("a letter without a loop")?;
            let stays = own == Index::Static(1) && extents.get(label) != Some(&own);
            exprs.push(if stays { affine.constant(0) } else { affine.dim(at as u32) });
        }
        operands.push((b.value(input)?, affine.intern_map(order.len() as u32, 0, exprs)));
    }
    let mut dims = Indices::new();
    for label in of_result {
        dims.push(*extents.get(label).ok_or("a letter of the result that no input has")?);
    }
    let mut sorted: Vec<usize> = of_result.iter().filter_map(position).collect();
    sorted.dedup();
    require!(
        sorted.len() == of_result.len() && sorted.iter().copied().eq(0..of_result.len()),
        "a letter twice in the result"
    );
    let exprs: Vec<AffineExpr> = (0..of_result.len()).map(|at| affine.dim(at as u32)).collect();
    let init = b.filled(&dims, e, 0.0)?;
    let to = affine.intern_map(order.len() as u32, 0, exprs);
    let mut iterators = vec![IteratorType::Parallel; of_result.len()];
    iterators.resize(order.len(), IteratorType::Reduction);
    let count = inputs.len();
    let results = b.generic(&operands, &[(init, to)], &iterators, |b, args| {
        let product = args[1..count].iter().fold(args[0], |product, &next| b.mul(product, next));
        Ok(vec![b.add(args[count], product)])
    })?;
    Ok(b.tensor(results[0], dims, e))
}
