//! Resizing images: along each axis, every element of the result is a weighted sum of a few of the input.

use dl_ir::ValueId;

use super::{Operator, one};
use crate::builder::Builder;
use crate::element::Element;
use crate::fault::{Outcome, fault, require};
use crate::literal::Literal;
use crate::node::Node;
use crate::tensor::Tensor;

pub(super) const OPERATORS: &[Operator] = &[one("Resize", 10, resize), one("Upsample", 7, upsample)];

/// How elements between those of the input are found.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Mode {
    Nearest,
    Linear,
    Cubic,
}

/// Where an element of the result lies in the input, and what it is made of.
struct Rule<'a> {
    mode: Mode,
    coordinates: &'a str,
    nearest: &'a str,
    cubic: f64,
    exclude_outside: bool,
    antialias: bool,
    extrapolation: f64,
}

/// One axis: extents, scale, and the part of the input that is cropped and resized.
struct Axis {
    from: i64,
    to: i64,
    scale: f64,
    crop: (f64, f64),
}

/// What an element of the result is made of: positions and weights. None for one outside of what is cropped.
type Taps = Option<Vec<(i64, f64)>>;

fn upsample(b: &mut Builder<'_, '_>, node: &Node<'_>) -> Outcome<Tensor> {
    let input = node.input(0)?;
    let scales = match node.floats("scales")? {
        Some(scales) => scales,
        None => node.known_floats(1, "scales")?.ok_or("'scales' is missing")?,
    };
    let rule = Rule {
        mode: mode(node.text("mode", "nearest")?)?,
        coordinates: "asymmetric",
        nearest: "floor",
        cubic: -0.75,
        exclude_outside: false,
        antialias: false,
        extrapolation: 0.0,
    };
    let axes: Vec<usize> = (0..input.rank()).collect();
    let plan = plan(input, &axes, Some(&scales), None, "stretch", &[])?;
    apply(b, input, &plan, &rule)
}

fn mode(name: &str) -> Outcome<Mode> {
    Ok(match name {
        "nearest" => Mode::Nearest,
        "linear" | "bilinear" => Mode::Linear,
        "cubic" => Mode::Cubic,
        other => return Err(fault!("mode '{other}' is none that is known")),
    })
}

fn resize(b: &mut Builder<'_, '_>, node: &Node<'_>) -> Outcome<Tensor> {
    let input = node.input(0)?;
    let old = node.opset < 11;
    let (scales, sizes) = if old {
        (node.known_floats(1, "scales")?, None)
    } else {
        (node.known_floats(2, "scales")?, node.known_ints(3, "sizes")?)
    };
    let axes = super::layout::listed_axes_in_order(node, input)?;
    let rule = Rule {
        mode: mode(node.text("mode", "nearest")?)?,
        coordinates: node.text("coordinate_transformation_mode", if old { "asymmetric" } else { "half_pixel" })?,
        nearest: node.text("nearest_mode", if old { "floor" } else { "round_prefer_floor" })?,
        cubic: node.float("cubic_coeff_a", -0.75)?,
        exclude_outside: node.flag("exclude_outside", false)?,
        antialias: node.flag("antialias", false)?,
        extrapolation: node.float("extrapolation_value", 0.0)?,
    };
    let policy = node.text("keep_aspect_ratio_policy", "stretch")?;
    let scales = scales.filter(|scales| !scales.is_empty());
    let sizes = sizes.filter(|sizes| !sizes.is_empty());
    require!(scales.is_some() != sizes.is_some(), "expected either 'scales' or 'sizes'");
    // For others, it may be anything.
    let roi = if rule.coordinates == "tf_crop_and_resize" { node.known_floats(1, "roi")? } else { None };
    let roi = roi.unwrap_or_default();
    let plan = plan(input, &axes, scales.as_deref(), sizes.as_deref(), policy, &roi)?;
    apply(b, input, &plan, &rule)
}

/// What happens along each dimension; `None` where nothing does.
fn plan(
    input: &Tensor,
    axes: &[usize],
    scales: Option<&[f64]>,
    sizes: Option<&[i64]>,
    policy: &str,
    roi: &[f64],
) -> Outcome<Vec<Option<Axis>>> {
    let shape = input.expect_static_dims("resizing a tensor")?;
    let given = scales.map_or(sizes.map_or(0, <[i64]>::len), <[f64]>::len);
    require!(given == axes.len(), "expected {} scales or sizes, but got {given}", axes.len());
    require!(roi.is_empty() || roi.len() == 2 * axes.len(), "'roi' has {} elements", roi.len());
    // One scale for all, where the aspect ratio is kept.
    let joint = match (sizes, policy) {
        (Some(sizes), "not_larger" | "not_smaller") => {
            let ratios = sizes.iter().zip(axes).map(|(&size, &axis)| size as f64 / shape[axis].max(1) as f64);
            let pick = if policy == "not_larger" { f64::min } else { f64::max };
            ratios.reduce(pick)
        }
        _ => None,
    };
    let mut plan: Vec<Option<Axis>> = shape.iter().map(|_| None).collect();
    for (at, &axis) in axes.iter().enumerate() {
        let from = shape[axis];
        let crop = if roi.is_empty() { (0.0, 1.0) } else { (roi[at], roi[at + axes.len()]) };
        let (to, scale) = match (scales, sizes, joint) {
            (Some(scales), ..) => ((from as f64 * (crop.1 - crop.0) * scales[at]).floor(), scales[at]),
            (_, Some(_), Some(scale)) => ((scale * from as f64 + 0.5).floor(), scale),
            (_, Some(sizes), None) => (sizes[at] as f64, sizes[at] as f64 / from.max(1) as f64),
            _ => return Err(fault!("expected 'scales' or 'sizes'")),
        };
        require!(
            scale > 0.0 && (0.0..2_f64.powi(31)).contains(&to) && from > 0,
            "an extent of {from} scaled by {scale}"
        );
        let cropped = crop.0.to_bits() != 0 || (crop.1 - 1.0).abs() > 0.0;
        if to as i64 != from || cropped || (scale - 1.0).abs() > 0.0 {
            plan[axis] = Some(Axis { from, to: to as i64, scale, crop });
        }
    }
    Ok(plan)
}

fn apply(b: &mut Builder<'_, '_>, input: &Tensor, plan: &[Option<Axis>], rule: &Rule<'_>) -> Outcome<Tensor> {
    let e = input.element;
    // Sums of 16 bits, and of integers, are taken in single precision.
    let wide = if rule.mode == Mode::Nearest || matches!(e, Element::F32 | Element::F64) { e } else { Element::F32 };
    let mut tensor = b.cast(input, wide)?;
    for (axis, along) in plan.iter().enumerate() {
        if let Some(along) = along {
            tensor = resample(b, &tensor, axis, along, rule)?;
        }
    }
    if wide != e && e.is_integer() {
        let rounded = b.map(&[&tensor], wide, |b, args| Ok(b.same("math.roundeven", args)))?;
        return b.cast(&rounded, e);
    }
    b.cast(&tensor, e)
}

/// The tensor with one dimension resized.
fn resample(b: &mut Builder<'_, '_>, input: &Tensor, axis: usize, along: &Axis, rule: &Rule<'_>) -> Outcome<Tensor> {
    require!(along.to < 1 << 24, "unsupported: an extent of {}", along.to);
    let taps: Vec<Taps> = (0..along.to).map(|at| rule.taps(along, at)).collect::<Outcome<_>>()?;
    let count = taps.iter().flatten().map(Vec::len).max().unwrap_or(1);
    require!(count < 256, "unsupported: {count} elements for each of the result");
    let e = input.element;
    let outside = taps.iter().any(Option::is_none);
    let tap = |taps: &Taps, at: usize| taps.as_ref().and_then(|taps| taps.get(at).copied()).unwrap_or((0, 0.0));
    // Along the dimension, behind which others follow.
    let behind: Vec<usize> = (1..input.rank() - axis).collect();
    let mut lists = Vec::new();
    for at in 0..count {
        let (places, weights): (Vec<i64>, Vec<f64>) = taps.iter().map(|taps| tap(taps, at)).unzip();
        let weights = Literal::of_floats(e, &[along.to], &weights)?;
        for literal in [Literal::list(&places)?, weights] {
            lists.push(b.unsqueeze(&Tensor::literal(literal), &behind)?);
        }
    }
    let inside: Vec<i64> = taps.iter().map(|taps| i64::from(taps.is_some())).collect();
    let inside = Literal::of_ints(Element::Bool, &[along.to], &inside)?;
    lists.push(b.unsqueeze(&Tensor::literal(inside), &behind)?);
    let mut dims = input.dims.clone();
    dims[axis] = dl_ir::interfaces::Index::Static(along.to);
    let source = b.value(input)?;
    let lists: Vec<&Tensor> = lists.iter().collect();
    let extrapolation = rule.extrapolation;
    b.map_to(&dims.clone(), &lists, e, |b, args| {
        let mut at: Vec<ValueId> = (0..dims.len()).map(|dim| b.loop_index(dim)).collect();
        let mut sum = None;
        for pair in args[..2 * count].chunks(2) {
            at[axis] = b.cast_to_index(pair[0], Element::I64);
            let element = b.extract(source, &at);
            let term = if count == 1 { element } else { b.mul(element, pair[1]) };
            sum = Some(sum.map_or(term, |sum| b.add(sum, term)));
        }
        let sum = sum.ok_or("no elements")?;
        if !outside {
            return Ok(sum);
        }
        let value = b.number(e.ty(b.cx()), extrapolation);
        Ok(b.select(args[2 * count], sum, value))
    })
}

impl Rule<'_> {
    /// Where an element of the result lies in the input.
    fn coordinate(&self, along: &Axis, at: i64) -> Outcome<f64> {
        let (at, from, to, scale) = (at as f64, along.from as f64, along.to as f64, along.scale);
        // What the result would be long without rounding.
        let exact = from * scale;
        Ok(match self.coordinates {
            "half_pixel" => (at + 0.5) / scale - 0.5,
            "half_pixel_symmetric" => {
                let adjustment = to / exact;
                let offset = from / 2.0 * (1.0 - adjustment);
                offset + (at + 0.5) / scale - 0.5
            }
            "pytorch_half_pixel" => {
                if along.to > 1 {
                    (at + 0.5) / scale - 0.5
                } else {
                    0.0
                }
            }
            "align_corners" => {
                if along.to > 1 {
                    at * (from - 1.0) / (to - 1.0)
                } else {
                    0.0
                }
            }
            "asymmetric" => at / scale,
            "tf_half_pixel_for_nn" => (at + 0.5) / scale,
            "tf_crop_and_resize" => {
                let (start, end) = along.crop;
                if along.to > 1 {
                    start * (from - 1.0) + at * (end - start) * (from - 1.0) / (to - 1.0)
                } else {
                    0.5 * (start + end) * (from - 1.0)
                }
            }
            other => return Err(fault!("coordinates '{other}' are none that are known")),
        })
    }

    fn taps(&self, along: &Axis, at: i64) -> Outcome<Taps> {
        let x = self.coordinate(along, at)?;
        if self.coordinates == "tf_crop_and_resize" && !(0.0..=along.from as f64 - 1.0).contains(&x) {
            return Ok(None);
        }
        let last = along.from - 1;
        let clamp = |at: i64| at.clamp(0, last);
        if self.mode == Mode::Nearest {
            let place = match self.nearest {
                "round_prefer_floor" => (x - 0.5).ceil(),
                "round_prefer_ceil" => (x + 0.5).floor(),
                "floor" => x.floor(),
                "ceil" => x.ceil(),
                other => return Err(fault!("attribute 'nearest_mode' is '{other}'")),
            };
            return Ok(Some(vec![(clamp(place as i64), 1.0)]));
        }
        // A kernel that is made wider smooths what would be skipped.
        let stretch = if self.antialias { along.scale.min(1.0) } else { 1.0 };
        let (kernel, support): (&dyn Fn(f64) -> f64, f64) = match self.mode {
            Mode::Cubic => (&|t| self.cubic_weight(t), 2.0),
            _ => (&|t| (1.0 - t.abs()).max(0.0), 1.0),
        };
        let reach = support / stretch;
        let first = (x - reach).floor() as i64 + 1;
        let end = (x + reach).ceil() as i64;
        let mut taps: Vec<(i64, f64)> =
            (first..end.max(first + 1)).map(|place| (place, kernel((place as f64 - x) * stretch))).collect();
        if self.exclude_outside {
            taps.retain(|&(place, _)| (0..=last).contains(&place));
        }
        let total: f64 = taps.iter().map(|&(_, weight)| weight).sum();
        if (self.exclude_outside || self.antialias) && total.abs() > 0.0 {
            taps.iter_mut().for_each(|(_, weight)| *weight /= total);
        }
        taps.iter_mut().for_each(|(place, _)| *place = clamp(*place));
        Ok(Some(taps))
    }

    /// Keys' cubic convolution kernel.
    fn cubic_weight(&self, t: f64) -> f64 {
        let (a, t) = (self.cubic, t.abs());
        if t <= 1.0 {
            ((a + 2.0) * t - (a + 3.0)) * t * t + 1.0
        } else if t < 2.0 {
            ((a * t - 5.0 * a) * t + 8.0 * a) * t - 4.0 * a
        } else {
            0.0
        }
    }
}
