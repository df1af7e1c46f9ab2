//! Windows that slide over the spatial dimensions of images: geometry, and the loop nests that follow from it.

use dl_ir::ValueId;
use dl_ir::affine::{AffineExpr, AffineMap};
use dl_ir::interfaces::Index;
use dl_ir::interfaces::index_list::Indices;
use dl_linalg::IteratorType;

use super::Builder;
use crate::element::Element;
use crate::fault::{Outcome, fault, require};
use crate::node::Node;
use crate::tensor::Tensor;

/// How a window slides: one entry for each spatial dimension.
#[derive(Clone, Debug)]
pub(crate) struct Window {
    /// Elements of the window.
    pub(crate) kernel: Vec<i64>,
    /// How far the window moves.
    pub(crate) strides: Vec<i64>,
    /// How far apart its elements are.
    pub(crate) dilations: Vec<i64>,
    /// Padding before the first element.
    pub(crate) low: Vec<i64>,
    /// Padding behind the last one.
    pub(crate) high: Vec<i64>,
}

impl Window {
    /// The window that the attributes of a node tell, for a kernel of these extents over `input`.
    ///
    /// # Errors
    /// Attributes that are not as they should be.
    pub(crate) fn of(node: &Node<'_>, input: &Tensor, kernel: &[i64]) -> Outcome<Self> {
        let count = kernel.len();
        require!(input.rank() == count + 2, "expected rank {}, but got {}", count + 2, input.rank());
        require!(kernel.iter().all(|&size| (1..1 << 31).contains(&size)), "a window of {kernel:?}");
        let list = |name: &str, otherwise: i64, length: usize| -> Outcome<Vec<i64>> {
            let list = node.ints(name)?.map_or_else(|| vec![otherwise; length], <[i64]>::to_vec);
            require!(list.len() == length, "attribute '{name}' has {} elements instead of {length}", list.len());
            require!(list.iter().all(|&value| value.abs() < 1 << 31), "attribute '{name}' is {list:?}");
            Ok(list)
        };
        let (strides, dilations) = (list("strides", 1, count)?, list("dilations", 1, count)?);
        require!(
            strides.iter().chain(&dilations).all(|&value| value > 0),
            "strides or dilations that are not positive"
        );
        let pads = list("pads", 0, 2 * count)?;
        let mut window = Self {
            kernel: kernel.to_vec(),
            strides,
            dilations,
            low: pads[..count].to_vec(),
            high: pads[count..].to_vec(),
        };
        let mode = node.text("auto_pad", "NOTSET")?;
        match mode {
            "NOTSET" | "" => {}
            "VALID" => (window.low, window.high) = (vec![0; count], vec![0; count]),
            "SAME_UPPER" | "SAME_LOWER" => {
                for at in 0..count {
                    let extent = input.dims[at + 2].as_static();
                    let extent =
                        extent.ok_or("unsupported: 'auto_pad' for an extent that is known only when running")?;
                    let steps = (extent + window.strides[at] - 1) / window.strides[at];
                    let total = ((steps - 1) * window.strides[at] + window.span(at) - extent).max(0);
                    let (less, more) = (total / 2, total - total / 2);
                    (window.low[at], window.high[at]) = if mode == "SAME_UPPER" { (less, more) } else { (more, less) };
                }
            }
            other => return Err(fault!("attribute 'auto_pad' is '{other}'")),
        }
        Ok(window)
    }

    /// How many dimensions it has.
    pub(crate) fn len(&self) -> usize {
        self.kernel.len()
    }

    /// From its first to its last element in dimension `at`, both included.
    pub(crate) fn span(&self, at: usize) -> i64 {
        (self.kernel[at] - 1) * self.dilations[at] + 1
    }

    /// Makes room for windows that stick out at the end, as far as they begin inside.
    pub(crate) fn round_up(&mut self, input: &Tensor) -> Outcome<()> {
        for at in 0..self.len() {
            let extent = input.dims[at + 2].as_static();
            let extent = extent.ok_or("unsupported: 'ceil_mode' for an extent that is known only when running")?;
            let (stride, padded) = (self.strides[at], extent + self.low[at] + self.high[at]);
            let mut steps = (padded - self.span(at) + stride - 1).div_euclid(stride) + 1;
            if (steps - 1) * stride >= extent + self.low[at] {
                steps -= 1;
            }
            let needed = (steps - 1) * stride + self.span(at) - extent - self.low[at];
            self.high[at] = self.high[at].max(needed);
        }
        Ok(())
    }

    /// How many steps it makes along each dimension of the padded input.
    ///
    /// # Errors
    /// That it does not fit.
    pub(crate) fn steps(&self, b: &mut Builder<'_, '_>, input: &Tensor) -> Outcome<Indices> {
        let mut steps = Indices::new();
        for at in 0..self.len() {
            let free = self.low[at] + self.high[at] - self.span(at);
            let free = b.index_add(input.dims[at + 2], Index::Static(free))?;
            require!(
                free.as_static().is_none_or(|free| free >= 0),
                "a window of {} does not fit into dimension {}",
                self.span(at),
                at + 2
            );
            let last = b.index_div(free, Index::Static(self.strides[at]))?;
            steps.push(b.index_add(last, Index::Static(1))?);
        }
        Ok(steps)
    }
}

impl Builder<'_, '_> {
    /// The input with the window's padding, `value` everywhere there. Negative padding takes away.
    ///
    /// # Errors
    /// Overflow.
    pub(crate) fn pad_for(&mut self, input: &Tensor, window: &Window, value: f64) -> Outcome<Tensor> {
        let known =
            |sizes: &[i64]| -> Indices { [0, 0].iter().chain(sizes).map(|&size| Index::Static(size.max(0))).collect() };
        let input = if window.low.iter().chain(&window.high).any(|&size| size < 0) {
            let (mut offsets, mut sizes): (Indices, Indices) =
                (input.dims.iter().map(|_| Index::Static(0)).collect(), input.dims.clone());
            for at in 0..window.len() {
                let (before, after) = (window.low[at].min(0), window.high[at].min(0));
                offsets[at + 2] = Index::Static(-before);
                sizes[at + 2] = self.index_add(sizes[at + 2], Index::Static(before + after))?;
            }
            self.slice(input, &offsets, &sizes, &vec![1; input.rank()])?
        } else {
            input.clone()
        };
        let value = self.number(input.element.ty(self.cx()), value);
        self.pad(&input, &known(&window.low), &known(&window.high), value)
    }

    /// A nest over images, channels, steps and window elements: the padded input, and inits with one element a step. `body` gets an element and what
    /// is in the inits.
    ///
    /// # Errors
    /// As of `body`.
    pub(crate) fn slide(
        &mut self,
        input: &Tensor,
        window: &Window,
        inits: &[ValueId],
        body: impl FnOnce(&mut Self, &[ValueId]) -> Outcome<Vec<ValueId>>,
    ) -> Outcome<Vec<ValueId>> {
        let affine = self.cx().affine();
        let count = window.len();
        let loops = 2 + 2 * count;
        let input = self.value(input)?;
        // Only its shape counts: it says how many elements the window has.
        let kernel: Indices = window.kernel.iter().map(|&size| Index::Static(size)).collect();
        let kernel = self.empty(&kernel, Element::F32);
        let mut from: Vec<AffineExpr> = vec![affine.dim(0), affine.dim(1)];
        for at in 0..count {
            let step = affine.mul_constant(affine.dim((2 + at) as u32), window.strides[at]);
            let inside = affine.mul_constant(affine.dim((2 + count + at) as u32), window.dilations[at]);
            from.push(affine.add(step, inside));
        }
        let dims =
            |range: std::ops::Range<usize>| -> Vec<AffineExpr> { range.map(|at| affine.dim(at as u32)).collect() };
        let map = |exprs: Vec<AffineExpr>| -> AffineMap { affine.intern_map(loops as u32, 0, exprs) };
        let to = map(dims(0..2 + count));
        let inputs = [(input, map(from)), (kernel, map(dims(2 + count..loops)))];
        let inits: Vec<_> = inits.iter().map(|&init| (init, to)).collect();
        let mut iterators = vec![IteratorType::Parallel; 2 + count];
        iterators.resize(loops, IteratorType::Reduction);
        self.generic(&inputs, &inits, &iterators, |b, args| {
            let used: Vec<ValueId> = args.iter().enumerate().filter(|&(at, _)| at != 1).map(|(_, &arg)| arg).collect();
            body(b, &used)
        })
    }
}
