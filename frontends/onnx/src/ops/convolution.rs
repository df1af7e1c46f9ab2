//! Convolutions.

use dl_ir::affine::AffineExpr;
use dl_ir::interfaces::Index;
use dl_ir::interfaces::index_list::Indices;
use dl_ir::interfaces::offset_size_stride::Slice;
use dl_linalg::IteratorType;
use dl_linalg::build::window_attr;

use super::{Operator, one};
use crate::builder::{Builder, Window};
use crate::element::Element;
use crate::fault::{Outcome, require};
use crate::node::Node;
use crate::tensor::Tensor;

pub(super) const OPERATORS: &[Operator] = &[one("Conv", 1, conv), one("ConvTranspose", 1, conv_transpose)];

fn conv(b: &mut Builder<'_, '_>, node: &Node<'_>) -> Outcome<Tensor> {
    let (input, filter) = (node.input(0)?, node.input(1)?);
    let result = convolve(b, node, input, filter)?;
    with_bias(b, &result, node.optional(2))
}

/// With one number a channel added.
fn with_bias(b: &mut Builder<'_, '_>, result: &Tensor, bias: Option<&Tensor>) -> Outcome<Tensor> {
    let Some(bias) = bias else { return Ok(result.clone()) };
    require!(bias.rank() == 1, "expected a bias of rank 1, but got {}", bias.rank());
    let spatial: Vec<usize> = (1..result.rank() - 1).collect();
    let bias = b.unsqueeze(bias, &spatial)?;
    b.map_to(&result.dims.clone(), &[result, &bias], result.element, |b, args| Ok(b.add(args[0], args[1])))
}

/// The convolution that the attributes of a node tell, without bias.
pub(super) fn convolve(b: &mut Builder<'_, '_>, node: &Node<'_>, input: &Tensor, filter: &Tensor) -> Outcome<Tensor> {
    require!(input.element == filter.element, "expected inputs of one element type");
    require!(filter.rank() >= 3, "expected a filter of rank 3 or more, but got {}", filter.rank());
    let kernel = filter.dims[2..].iter().map(|dim| dim.as_static()).collect::<Option<Vec<i64>>>();
    let kernel = kernel.ok_or("unsupported: a filter with an extent that is known only when running")?;
    if let Some(said) = node.ints("kernel_shape")? {
        require!(said == kernel, "attribute 'kernel_shape' is {said:?}, but the filter has {kernel:?}");
    }
    let window = Window::of(node, input, &kernel)?;
    let groups = node.int("group", 1)?;
    slide(b, input, filter, &window, groups)
}

/// The convolution of `input` with `filter`.
fn slide(b: &mut Builder<'_, '_>, input: &Tensor, filter: &Tensor, window: &Window, groups: i64) -> Outcome<Tensor> {
    require!(groups > 0, "{groups} groups");
    let count = window.len();
    let channels = b.index_mul(filter.dims[1], Index::Static(groups))?;
    b.same_extent(input.dims[1], channels, "channels")?;
    let element = input.element;
    let steps = window.steps(b, input)?;
    let padded = b.pad_for(input, window, 0.0)?;
    let (images, features) = (input.dims[0], filter.dims[0]);
    let mut dims: Indices = [images, features].into_iter().collect();
    dims.extend(steps.iter().copied());
    if groups == 1 {
        let names = ["linalg.conv_1d_ncw_fcw", "linalg.conv_2d_nchw_fchw", "linalg.conv_3d_ncdhw_fcdhw"];
        if let Some(&name) = names.get(count - 1) {
            return named(b, name, &padded, filter, &dims, window);
        }
    }
    let depthwise = filter.dims[1] == Index::Static(1) && features == Index::Static(groups);
    if depthwise && groups > 1 {
        let names = [
            "linalg.depthwise_conv_1d_ncw_cw",
            "linalg.depthwise_conv_2d_nchw_chw",
            "linalg.depthwise_conv_3d_ncdhw_cdhw",
        ];
        if let Some(&name) = names.get(count - 1) {
            let filter = b.squeeze(filter, &[1])?;
            return named(b, name, &padded, &filter, &dims, window);
        }
    }
    // Groups are a dimension of their own.
    let count_of_groups = Index::Static(groups);
    let per_group = b.index_div(features, count_of_groups)?;
    if let (Index::Static(features), Index::Static(per_group)) = (features, per_group) {
        require!(features == per_group * groups, "{features} features in {groups} groups");
    }
    let split = |own: &[Index], parts: [Index; 2], at: usize| -> Indices {
        own[..at].iter().copied().chain(parts).chain(own[at + 1..].iter().copied()).collect()
    };
    let padded = b.reshape(&padded, &split(&padded.dims, [count_of_groups, filter.dims[1]], 1))?;
    let filter = b.reshape(filter, &split(&filter.dims, [count_of_groups, per_group], 0))?;
    let grouped = split(&dims, [count_of_groups, per_group], 1);
    let result = if count == 2 {
        named(b, "linalg.conv_2d_ngchw_gfchw", &padded, &filter, &grouped, window)?
    } else {
        generic(b, &padded, &filter, &grouped, window, element)?
    };
    b.reshape(&result, &dims)
}

/// A named convolution into zeros.
fn named(
    b: &mut Builder<'_, '_>,
    name: &'static str,
    input: &Tensor,
    filter: &Tensor,
    dims: &[Index],
    window: &Window,
) -> Outcome<Tensor> {
    let init = b.filled(dims, input.element, 0.0)?;
    let inputs = [b.value(input)?, b.value(filter)?];
    let attr = |b: &Builder<'_, '_>, sizes: &[i64]| window_attr(b.cx(), sizes).ok_or("a list of sizes");
    let attrs = [("strides", attr(b, &window.strides)?), ("dilations", attr(b, &window.dilations)?)];
    let value = b.named(name, &inputs, init, &attrs)?;
    Ok(b.tensor(value, dims.iter().copied(), input.element))
}

/// Images × groups × features × steps, summed over channels and window: `input[n, g, c, s * stride + k * dilation] * filter[g, f, c, k]`.
fn generic(
    b: &mut Builder<'_, '_>,
    input: &Tensor,
    filter: &Tensor,
    dims: &[Index],
    window: &Window,
    element: Element,
) -> Outcome<Tensor> {
    let affine = b.cx().affine();
    let count = window.len();
    let loops = 4 + 2 * count;
    let dim = |at: usize| affine.dim(at as u32);
    let channel = 3 + count;
    let mut from: Vec<AffineExpr> = vec![dim(0), dim(1), dim(channel)];
    let mut of_filter: Vec<AffineExpr> = vec![dim(1), dim(2), dim(channel)];
    for at in 0..count {
        let step = affine.mul_constant(dim(3 + at), window.strides[at]);
        let inside = affine.mul_constant(dim(channel + 1 + at), window.dilations[at]);
        from.push(affine.add(step, inside));
        of_filter.push(dim(channel + 1 + at));
    }
    let to: Vec<AffineExpr> = (0..channel).map(dim).collect();
    let init = b.filled(dims, element, 0.0)?;
    let (input, filter) = (b.value(input)?, b.value(filter)?);
    let map = |exprs: Vec<AffineExpr>| affine.intern_map(loops as u32, 0, exprs);
    let mut iterators = vec![IteratorType::Parallel; channel];
    iterators.resize(loops, IteratorType::Reduction);
    let results =
        b.generic(&[(input, map(from)), (filter, map(of_filter))], &[(init, map(to))], &iterators, |b, args| {
            let product = b.mul(args[0], args[1]);
            Ok(vec![b.add(args[2], product)])
        })?;
    Ok(b.tensor(results[0], dims.iter().copied(), element))
}

/// A convolution of the input with zeros between its elements and the filter turned round.
fn conv_transpose(b: &mut Builder<'_, '_>, node: &Node<'_>) -> Outcome<Tensor> {
    let (input, filter) = (node.input(0)?, node.input(1)?);
    require!(filter.rank() >= 3, "expected a filter of rank 3 or more, but got {}", filter.rank());
    let shape = filter.expect_static_dims("a filter")?;
    let kernel = &shape[2..];
    let count = kernel.len();
    let groups = node.int("group", 1)?;
    require!(groups > 0 && shape[0] % groups == 0, "{} channels in {groups} groups", shape[0]);
    let mut window = match node.text("auto_pad", "NOTSET")? {
        "SAME_UPPER" | "SAME_LOWER" => Window { low: vec![0; count], ..Window::of_strides(node, kernel)? },
        _ => Window::of(node, input, kernel)?,
    };
    let extra = node.ints("output_padding")?.map_or_else(|| vec![0; count], <[i64]>::to_vec);
    require!(
        extra.len() == count && extra.iter().all(|&size| (0..1 << 31).contains(&size)),
        "'output_padding' is {extra:?}"
    );
    transposed_pads(node, input, &mut window, &extra)?;

    let spread = spread(b, input, &window.strides)?;
    // Of filter[c, f, k], turned round: of each group, features × channels.
    let features = shape[1];
    let mut split = vec![Index::Static(groups), Index::Static(shape[0] / groups), Index::Static(features)];
    split.extend(kernel.iter().map(|&size| Index::Static(size)));
    let spatial: Vec<usize> = (2..2 + count).filter(|&at| shape[at] > 1).collect();
    let turned = if spatial.is_empty() { filter.clone() } else { super::layout::reverse(b, filter, &spatial)? };
    let turned = b.reshape(&turned, &split)?;
    let mut permutation = vec![0, 2, 1];
    permutation.extend(3..3 + count);
    let turned = b.transpose(&turned, &permutation)?;
    let mut merged = vec![Index::Static(groups * features), Index::Static(shape[0] / groups)];
    merged.extend(kernel.iter().map(|&size| Index::Static(size)));
    let turned = b.reshape(&turned, &merged)?;

    let around = |pads: &[i64], extra: Option<&[i64]>| -> Vec<i64> {
        (0..count).map(|at| window.span(at) - 1 - pads[at] + extra.map_or(0, |extra| extra[at])).collect()
    };
    let dense = Window {
        kernel: kernel.to_vec(),
        strides: vec![1; count],
        dilations: window.dilations.clone(),
        low: around(&window.low, None),
        high: around(&window.high, Some(&extra)),
    };
    let result = slide(b, &spread, &turned, &dense, groups)?;
    with_bias(b, &result, node.optional(2))
}

impl Window {
    /// Without padding.
    fn of_strides(node: &Node<'_>, kernel: &[i64]) -> Outcome<Self> {
        let list = |name: &str| -> Outcome<Vec<i64>> {
            let list = node.ints(name)?.map_or_else(|| vec![1; kernel.len()], <[i64]>::to_vec);
            require!(
                list.len() == kernel.len() && list.iter().all(|&value| (1..1 << 31).contains(&value)),
                "attribute '{name}' is {list:?}"
            );
            Ok(list)
        };
        let none = vec![0; kernel.len()];
        Ok(Self {
            kernel: kernel.to_vec(),
            strides: list("strides")?,
            dilations: list("dilations")?,
            low: none.clone(),
            high: none,
        })
    }
}

/// What is cut off the result of a transposed convolution, where the size of the result is given instead.
fn transposed_pads(node: &Node<'_>, input: &Tensor, window: &mut Window, extra: &[i64]) -> Outcome<()> {
    let mode = node.text("auto_pad", "NOTSET")?;
    let wanted = match (node.ints("output_shape")?, mode) {
        (Some(shape), _) => {
            let skipped = shape.len().checked_sub(window.len()).ok_or("'output_shape' is too short")?;
            shape[skipped..].to_vec()
        }
        (None, "SAME_UPPER" | "SAME_LOWER") => {
            let shape = input.expect_static_dims("'auto_pad' of an input")?;
            (0..window.len()).map(|at| shape[at + 2] * window.strides[at]).collect()
        }
        _ => return Ok(()),
    };
    let shape = input.expect_static_dims("'output_shape' for an input")?;
    for at in 0..window.len() {
        let whole = window.strides[at] * (shape[at + 2] - 1) + extra[at] + window.span(at);
        let total = whole - wanted[at];
        let (less, more) = (total.div_euclid(2), total - total.div_euclid(2));
        (window.low[at], window.high[at]) = if mode == "SAME_UPPER" { (less, more) } else { (more, less) };
    }
    Ok(())
}

/// The elements `strides` apart, zeros between them.
fn spread(b: &mut Builder<'_, '_>, input: &Tensor, strides: &[i64]) -> Outcome<Tensor> {
    if strides.iter().all(|&stride| stride == 1) {
        return Ok(input.clone());
    }
    let mut dims = input.dims.clone();
    for (at, &stride) in strides.iter().enumerate() {
        let last = b.index_sub(dims[at + 2], Index::Static(1))?;
        let last = b.index_mul(last, Index::Static(stride))?;
        dims[at + 2] = b.index_add(last, Index::Static(1))?;
    }
    let zeros = b.filled(&dims, input.element, 0.0)?;
    let source = b.value(input)?;
    let slice = Slice {
        offsets: dims.iter().map(|_| Index::Static(0)).collect(),
        sizes: input.dims.clone(),
        strides: [1, 1].iter().chain(strides).map(|&stride| Index::Static(stride)).collect(),
    };
    let state = dl_tensor::build::insert_slice_state(b.rw, source, zeros, &slice, b.loc);
    let value = b.rw.create_value(state);
    Ok(b.tensor(value, dims, input.element))
}
