//! Products of matrices.

use dl_ir::interfaces::Index;
use dl_ir::interfaces::index_list::Indices;

use super::{Operator, one};
use crate::builder::Builder;
use crate::element::Element;
use crate::fault::{Outcome, require};
use crate::node::Node;
use crate::tensor::Tensor;

pub(super) const OPERATORS: &[Operator] = &[one("Gemm", 7, gemm), one("MatMul", 1, matmul)];

fn matmul(b: &mut Builder<'_, '_>, node: &Node<'_>) -> Outcome<Tensor> {
    let (left, right) = (node.input(0)?, node.input(1)?);
    require!(left.element == right.element, "expected inputs of one element type");
    product(b, left, right, left.element)
}

/// The product as NumPy's `matmul` defines it, of elements converted to `element`. Sums are of that type, too; those of floats of 16 bits are taken in
/// single precision and rounded once.
pub(super) fn product(b: &mut Builder<'_, '_>, left: &Tensor, right: &Tensor, element: Element) -> Outcome<Tensor> {
    if !matches!(element, Element::F16 | Element::BF16) {
        return exact_product(b, left, right, element);
    }
    let sums = exact_product(b, left, right, Element::F32)?;
    b.cast(&sums, element)
}

/// The product with sums of type `element`.
fn exact_product(b: &mut Builder<'_, '_>, left: &Tensor, right: &Tensor, element: Element) -> Outcome<Tensor> {
    require!(left.rank() > 0 && right.rank() > 0, "expected tensors, but got a scalar");
    let (is_row, is_column) = (left.rank() == 1, right.rank() == 1);
    let left = if is_row { b.unsqueeze(left, &[0])? } else { left.clone() };
    let right = if is_column { b.unsqueeze(right, &[1])? } else { right.clone() };
    let result = product_of_matrices(b, &left, &right, element)?;
    let rank = result.rank();
    let mut gone = Vec::new();
    if is_row {
        gone.push(rank - 2);
    }
    if is_column {
        gone.push(rank - 1);
    }
    if gone.is_empty() { Ok(result) } else { b.squeeze(&result, &gone) }
}

fn product_of_matrices(b: &mut Builder<'_, '_>, left: &Tensor, right: &Tensor, element: Element) -> Outcome<Tensor> {
    let (l, r) = (left.rank(), right.rank());
    let (m, n) = (left.dims[l - 2], right.dims[r - 1]);
    b.same_extent(left.dims[l - 1], right.dims[r - 2], "inner dimension")?;
    let batch = b.broadcast_dims(&[&left.dims[..l - 2], &right.dims[..r - 2]]);
    let mut dims: Indices = batch.clone();
    dims.extend([m, n]);
    let right_is_matrix = right.dims[..r - 2].iter().all(|&dim| dim == Index::Static(1));
    if right_is_matrix && right.rank() <= dims.len() {
        // One matrix for all: the rows of all batches are rows of one matrix.
        let rows = b.index_product(left.dims[..l - 1].iter().copied())?;
        let rows_of_left = b.reshape(left, &[rows, left.dims[l - 1]])?;
        let matrix = b.reshape(right, &[right.dims[r - 2], n])?;
        let result = two(b, "linalg.matmul", &rows_of_left, &matrix, &[rows, n], element)?;
        return b.reshape(&result, &dims);
    }
    let count = b.index_product(batch.iter().copied())?;
    let mut stacked = Vec::new();
    for tensor in [left, right] {
        let rank = tensor.rank();
        let matrix = &tensor.dims[rank - 2..];
        let full: Indices = batch.iter().chain(matrix).copied().collect();
        let tensor = b.broadcast(tensor, &full)?;
        stacked.push(b.reshape(&tensor, &[count, matrix[0], matrix[1]])?);
    }
    let result = two(b, "linalg.batch_matmul", &stacked[0], &stacked[1], &[count, m, n], element)?;
    b.reshape(&result, &dims)
}

/// A named product of two tensors into zeros.
fn two(
    b: &mut Builder<'_, '_>,
    name: &'static str,
    left: &Tensor,
    right: &Tensor,
    dims: &[Index],
    element: Element,
) -> Outcome<Tensor> {
    // Of integers, the operation extends with the sign: one without is extended before.
    let of = |tensor: &Tensor| tensor.element != element && !tensor.element.is_float() && !tensor.element.is_signed();
    let left = if of(left) { b.cast(left, element)? } else { left.clone() };
    let right = if of(right) { b.cast(right, element)? } else { right.clone() };
    let init = b.filled(dims, element, 0.0)?;
    let inputs = [b.value(&left)?, b.value(&right)?];
    let value = b.named(name, &inputs, init, &[])?;
    Ok(b.tensor(value, dims.iter().copied(), element))
}

/// `alpha * A * B + beta * C`, both matrices transposed where the attributes say so.
fn gemm(b: &mut Builder<'_, '_>, node: &Node<'_>) -> Outcome<Tensor> {
    let (alpha, beta) = (node.float("alpha", 1.0)?, node.float("beta", 1.0)?);
    let mut matrices = Vec::new();
    for (at, name) in [(0, "transA"), (1, "transB")] {
        let input = node.input(at)?;
        require!(input.rank() == 2, "expected matrices, but got a tensor of rank {}", input.rank());
        matrices.push(if node.flag(name, false)? { b.transpose(input, &[1, 0])? } else { input.clone() });
    }
    let element = matrices[0].element;
    require!(matrices[1].element == element, "expected inputs of one element type");
    let product = product(b, &matrices[0], &matrices[1], element)?;
    let addend = node.optional(2).filter(|_| beta != 0.0);
    if addend.is_none() && (alpha - 1.0).abs() < f64::EPSILON {
        return Ok(product);
    }
    let inputs: Vec<&Tensor> = std::iter::once(&product).chain(addend).collect();
    b.map_to(&product.dims.clone(), &inputs, element, |b, args| {
        let scaled = |b: &mut Builder<'_, '_>, value, factor: f64| {
            if (factor - 1.0).abs() < f64::EPSILON {
                return value;
            }
            let (value, factor) = if element.is_float() {
                (value, b.number(element.ty(b.cx()), factor))
            } else {
                (b.convert(value, element, Element::F64), b.number(Element::F64.ty(b.cx()), factor))
            };
            let product = b.mul(value, factor);
            if element.is_float() { product } else { b.convert(product, Element::F64, element) }
        };
        let product = scaled(b, args[0], alpha);
        Ok(match args.get(1) {
            Some(&addend) => {
                let addend = scaled(b, addend, beta);
                b.add(product, addend)
            }
            None => product,
        })
    })
}
