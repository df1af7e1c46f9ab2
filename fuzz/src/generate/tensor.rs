//! Tensors: `tensor` and `linalg`.

use super::scalar::arithmetic;
use super::types::{Kind, Scalar, Ty};
use super::writer::{Writer, list};
use super::{Level, statement};

/// Elements of tensors.
const ELEMENTS: [Scalar; 4] = [Scalar::F32, Scalar::Int(32), Scalar::F32, Scalar::Int(8)];

/// A type of tensors.
pub(super) fn tensor_type(w: &mut Writer<'_>) -> Ty {
    let shape: Vec<i64> = (0..w.rng.usize(1..4)).map(|_| w.rng.i64(1..5)).collect();
    Ty::Shaped { kind: Kind::Tensor, shape, element: *w.pick(&ELEMENTS), dynamic: w.chance(6) }
}

/// A tensor in scope, or a new one.
fn tensor(w: &mut Writer<'_>) -> (String, Ty) {
    match w.find(|ty| ty.is(Kind::Tensor)) {
        Some(found) if !w.chance(5) => found,
        _ => {
            let ty = tensor_type(w);
            (w.value(&ty), ty)
        }
    }
}

/// As [`tensor`], of known extents.
fn known(w: &mut Writer<'_>) -> (String, Vec<i64>, Scalar) {
    let (name, ty) = tensor(w);
    let (shape, element) = (ty.shape().to_vec(), ty.element());
    match ty {
        Ty::Shaped { dynamic: true, .. } => {
            let to = Ty::tensor(&shape, element);
            (w.define(to.clone(), format_args!("tensor.cast {name} : {ty} to {to}")), shape, element)
        }
        _ => (name, shape, element),
    }
}

/// A statement that works on tensors.
pub(super) fn compute(w: &mut Writer<'_>, depth: usize) {
    match w.rng.u8(..24) {
        0 => extract(w),
        1 => insert(w),
        2 => extract_slice(w),
        3 => insert_slice(w),
        4 => reshape(w),
        5 => pad(w),
        6 => {
            let (_, ty) = tensor(w);
            arithmetic(w, &ty);
        }
        7 => dim(w),
        8 => splat(w),
        9..=12 => elementwise(w),
        13 => reduce(w),
        14 => transpose(w),
        15 => broadcast(w),
        16 => matmul(w),
        17 => fill(w),
        18 => forall(w, depth),
        19 => siblings(w),
        20 => scaled_product(w),
        21 => convolution(w),
        22 => softmax(w),
        _ => concat(w),
    }
}

fn extract(w: &mut Writer<'_>) {
    let (name, ty) = tensor(w);
    if let Some(indices) = w.indices(ty.shape()) {
        w.define(Ty::Scalar(ty.element()), format_args!("tensor.extract {name}[{indices}] : {ty}"));
    }
}

fn insert(w: &mut Writer<'_>) {
    let (name, ty) = tensor(w);
    let value = w.value(&Ty::Scalar(ty.element()));
    if let Some(indices) = w.indices(ty.shape()) {
        w.define(ty.clone(), format_args!("tensor.insert {value} into {name}[{indices}] : {ty}"));
    }
}

/// Offsets and sizes of a part of `shape`.
fn part_of(w: &mut Writer<'_>, shape: &[i64]) -> (Vec<i64>, Vec<i64>) {
    let sizes: Vec<i64> = shape.iter().map(|&extent| w.rng.i64(1..=extent)).collect();
    let offsets = shape.iter().zip(&sizes).map(|(&extent, &size)| w.rng.i64(0..=extent - size)).collect();
    (offsets, sizes)
}

fn numbers(list_of: &[i64]) -> String {
    list(list_of, i64::to_string)
}

fn extract_slice(w: &mut Writer<'_>) {
    let (name, shape, element) = known(w);
    let (offsets, sizes) = part_of(w, &shape);
    let (from, to) = (Ty::tensor(&shape, element), Ty::tensor(&sizes, element));
    let ones = numbers(&vec![1; shape.len()]);
    let (offsets, sizes) = (numbers(&offsets), numbers(&sizes));
    w.define(to.clone(), format_args!("tensor.extract_slice {name}[{offsets}] [{sizes}] [{ones}] : {from} to {to}"));
}

fn insert_slice(w: &mut Writer<'_>) {
    let (name, shape, element) = known(w);
    let (offsets, sizes) = part_of(w, &shape);
    let (from, to) = (Ty::tensor(&sizes, element), Ty::tensor(&shape, element));
    let part = w.value(&from);
    let ones = numbers(&vec![1; shape.len()]);
    let (offsets, sizes) = (numbers(&offsets), numbers(&sizes));
    w.define(
        to.clone(),
        format_args!("tensor.insert_slice {part} into {name}[{offsets}] [{sizes}] [{ones}] : {from} into {to}"),
    );
}

/// The first two dimensions become one, or the first becomes two.
fn reshape(w: &mut Writer<'_>) {
    let (name, shape, element) = known(w);
    let from = Ty::tensor(&shape, element);
    if shape.len() >= 2 && w.rng.bool() {
        let to: Vec<i64> = std::iter::once(shape[0] * shape[1]).chain(shape[2..].iter().copied()).collect();
        let groups = list(&(0..to.len()).collect::<Vec<_>>(), |&at| {
            if at == 0 { "[0, 1]".to_owned() } else { format!("[{}]", at + 1) }
        });
        let to = Ty::tensor(&to, element);
        w.define(to.clone(), format_args!("tensor.collapse_shape {name} [{groups}] : {from} into {to}"));
    } else if !shape.is_empty() && shape.len() < 4 {
        let factor = if shape[0] % 2 == 0 { 2 } else { 1 };
        let to: Vec<i64> = [factor, shape[0] / factor].into_iter().chain(shape[1..].iter().copied()).collect();
        let groups = list(&(0..shape.len()).collect::<Vec<_>>(), |&at| {
            if at == 0 { "[0, 1]".to_owned() } else { format!("[{}]", at + 1) }
        });
        let extents = numbers(&to);
        let to = Ty::tensor(&to, element);
        w.define(
            to.clone(),
            format_args!("tensor.expand_shape {name} [{groups}] output_shape [{extents}] : {from} into {to}"),
        );
    }
}

fn pad(w: &mut Writer<'_>) {
    let (name, shape, element) = known(w);
    let low: Vec<i64> = shape.iter().map(|_| w.rng.i64(0..3)).collect();
    let high: Vec<i64> = shape.iter().map(|_| w.rng.i64(0..2)).collect();
    let to: Vec<i64> =
        shape.iter().zip(low.iter().zip(&high)).map(|(extent, (low, high))| extent + low + high).collect();
    let (from, to) = (Ty::tensor(&shape, element), Ty::tensor(&to, element));
    let (low, high, border, result) = (numbers(&low), numbers(&high), w.value(&Ty::Scalar(element)), w.fresh());
    w.line(format_args!("{result} = tensor.pad {name} low[{low}] high[{high}] {{"));
    let args: Vec<String> = shape.iter().map(|_| format!("{}: index", w.fresh())).collect();
    w.line(format_args!("^bb0({}):", args.join(", ")));
    w.line(format_args!("  tensor.yield {border} : {element}"));
    w.line(format_args!("}} : {from} to {to}"));
    w.values.push((result, to));
}

fn dim(w: &mut Writer<'_>) {
    let (name, ty) = tensor(w);
    if !ty.shape().is_empty() {
        let at = w.rng.usize(..ty.shape().len());
        let at = w.index(at as i64);
        w.define(Ty::INDEX, format_args!("tensor.dim {name}, {at} : {ty}"));
    }
}

fn splat(w: &mut Writer<'_>) {
    let ty = tensor_type(w);
    let ty = Ty::tensor(ty.shape(), ty.element());
    let value = w.value(&Ty::Scalar(ty.element()));
    w.define(ty.clone(), format_args!("tensor.splat {value} : {ty}"));
}

fn concat(w: &mut Writer<'_>) {
    let (name, shape, element) = known(w);
    let ty = Ty::tensor(&shape, element);
    let other = w.value(&ty);
    let at = w.rng.usize(..shape.len().max(1));
    let mut to = shape;
    let Some(extent) = to.get_mut(at) else { return };
    *extent *= 2;
    let to = Ty::tensor(&to, element);
    w.define(to.clone(), format_args!("tensor.concat dim({at}) {name}, {other} : ({ty}, {ty}) -> {to}"));
}

/// Room for a result: an empty tensor, or one that is overwritten.
fn room(w: &mut Writer<'_>, ty: &Ty) -> String {
    if w.rng.bool() { w.value(ty) } else { w.define(ty.clone(), format_args!("tensor.empty() : {ty}")) }
}

/// Something to start a sum with.
fn zeros(w: &mut Writer<'_>, ty: &Ty) -> String {
    let (start, empty) =
        (w.value(&Ty::Scalar(ty.element())), w.define(ty.clone(), format_args!("tensor.empty() : {ty}")));
    w.define(ty.clone(), format_args!("linalg.fill ins({start} : {}) outs({empty} : {ty}) -> {ty}", ty.element()))
}

fn dims(count: usize) -> String {
    list(&(0..count).collect::<Vec<_>>(), |at| format!("d{at}"))
}

/// A nest of parallel loops: a value of each element of some tensors, read as they lie or turned around.
fn elementwise(w: &mut Writer<'_>) {
    let (first, shape, element) = known(w);
    let rank = shape.len();
    let (ty, all) = (Ty::tensor(&shape, element), dims(rank));
    let (mut names, mut types, mut maps) = (vec![first], vec![ty.clone()], vec![all.clone()]);
    if w.rng.bool() {
        names.push(w.value(&ty));
        types.push(ty.clone());
        maps.push(all.clone());
    }
    if rank > 1 && w.chance(2) {
        // One that is the same along all dimensions but one.
        let at = w.rng.usize(..rank);
        let line = Ty::tensor(&shape[at..=at], element);
        names.push(w.value(&line));
        types.push(line);
        maps.push(format!("d{at}"));
    }
    let to = if w.chance(4) { Ty::tensor(&shape, *w.pick(&ELEMENTS)) } else { ty };
    let out = room(w, &to);
    let maps = list(&maps, |map| format!("affine_map<({all}) -> ({map})>"));
    let (iterators, result) = (list(&vec![(); rank], |()| "\"parallel\"".to_owned()), w.fresh());
    w.line(format_args!(
        "{result} = linalg.generic {{indexing_maps = [{maps}, affine_map<({all}) -> ({all})>], iterator_types = [{iterators}]}} \
         ins({} : {}) outs({out} : {to}) {{",
        names.join(", "),
        list(&types, Ty::to_string)
    ));
    element_body(w, &types.iter().map(Ty::element).collect::<Vec<_>>(), to.element());
    w.line(format_args!("}} -> {to}"));
    w.values.push((result.clone(), to.clone()));
    if rank > 0 && w.chance(4) {
        // Rows that are added up and read again.
        reduce_along(w, &result, &shape, to.element(), rank - 1);
    }
}

/// The block of a loop nest: elements of these types come in, and one like that which is there goes out.
fn element_body(w: &mut Writer<'_>, inputs: &[Scalar], output: Scalar) {
    let args: Vec<(String, Ty)> =
        inputs.iter().chain([&output]).map(|&element| (w.fresh(), Ty::Scalar(element))).collect();
    w.line(format_args!("^bb0({}):", list(&args, |(name, ty)| format!("{name}: {ty}"))));
    w.nested(|w| {
        // What is there already may be anything.
        w.values.extend(args[..inputs.len()].iter().cloned());
        for _ in 0..w.rng.usize(1..4) {
            statement(w, Level::Scalars, 3);
        }
        let value = arithmetic(w, &Ty::Scalar(output));
        w.line(format_args!("linalg.yield {value} : {output}"));
    });
}

fn reduce(w: &mut Writer<'_>) {
    let (name, shape, element) = known(w);
    if shape.is_empty() {
        return;
    }
    let at = w.rng.usize(..shape.len());
    reduce_along(w, &name, &shape, element, at);
}

fn reduce_along(w: &mut Writer<'_>, name: &str, shape: &[i64], element: Scalar, at: usize) {
    let left: Vec<i64> =
        shape.iter().enumerate().filter(|&(other, _)| other != at).map(|(_, &extent)| extent).collect();
    let (from, to) = (Ty::tensor(shape, element), Ty::tensor(&left, element));
    let start = zeros(w, &to);
    let op =
        if element.is_float() { *w.pick(&["addf", "maximumf", "mulf"]) } else { *w.pick(&["addi", "maxsi", "xori"]) };
    w.define(
        to.clone(),
        format_args!("linalg.reduce {{ arith.{op} }} ins({name} : {from}) outs({start} : {to}) dimensions = [{at}]"),
    );
}

fn transpose(w: &mut Writer<'_>) {
    let (name, shape, element) = known(w);
    let mut order: Vec<usize> = (0..shape.len()).collect();
    w.rng.shuffle(&mut order);
    let turned: Vec<i64> = order.iter().map(|&at| shape[at]).collect();
    let (from, to) = (Ty::tensor(&shape, element), Ty::tensor(&turned, element));
    let (out, order) = (room(w, &to), list(&order, usize::to_string));
    w.define(
        to.clone(),
        format_args!("linalg.transpose ins({name} : {from}) outs({out} : {to}) permutation = [{order}]"),
    );
}

fn broadcast(w: &mut Writer<'_>) {
    let (name, shape, element) = known(w);
    if shape.len() > 2 {
        return;
    }
    let (at, extent) = (w.rng.usize(..=shape.len()), w.rng.i64(1..4));
    let mut wide = shape.clone();
    wide.insert(at, extent);
    let (from, to) = (Ty::tensor(&shape, element), Ty::tensor(&wide, element));
    let out = room(w, &to);
    w.define(to.clone(), format_args!("linalg.broadcast ins({name} : {from}) outs({out} : {to}) dimensions = [{at}]"));
}

fn matmul(w: &mut Writer<'_>) {
    let (m, n, k) = (w.rng.i64(1..4), w.rng.i64(1..4), w.rng.i64(1..4));
    let element = *w.pick(&ELEMENTS[..2]);
    let (a, b, c) = (Ty::tensor(&[m, k], element), Ty::tensor(&[k, n], element), Ty::tensor(&[m, n], element));
    let (x, y, sum) = (w.value(&a), w.value(&b), if w.rng.bool() { w.value(&c) } else { zeros(w, &c) });
    w.define(c.clone(), format_args!("linalg.matmul ins({x}, {y} : {a}, {b}) outs({sum} : {c}) -> {c}"));
}

/// Products of one matrix with several others.
fn siblings(w: &mut Writer<'_>) {
    let (m, k, element) = (w.rng.i64(1..4), w.rng.i64(1..4), *w.pick(&ELEMENTS[..2]));
    let a = Ty::tensor(&[m, k], element);
    let x = w.value(&a);
    for _ in 0..w.rng.usize(2..4) {
        let n = w.rng.i64(1..4);
        let (b, c) = (Ty::tensor(&[k, n], element), Ty::tensor(&[m, n], element));
        let (y, sum) = (w.value(&b), if w.rng.bool() { w.value(&c) } else { zeros(w, &c) });
        w.define(c.clone(), format_args!("linalg.matmul ins({x}, {y} : {a}, {b}) outs({sum} : {c}) -> {c}"));
    }
}

/// A product into zeros whose columns are scaled and shifted.
fn scaled_product(w: &mut Writer<'_>) {
    let (m, n, k) = (w.rng.i64(1..6), w.rng.i64(1..4), w.rng.i64(1..4));
    let element = *w.pick(&ELEMENTS[..2]);
    let (a, b, c) = (Ty::tensor(&[m, k], element), Ty::tensor(&[k, n], element), Ty::tensor(&[m, n], element));
    let line = Ty::tensor(&[n], element);
    let (x, y, scale, shift) = (w.value(&a), w.value(&b), w.value(&line), w.value(&line));
    let (zero, float) = (w.fresh(), element.is_float());
    w.line(format_args!("{zero} = arith.constant {} : {element}", if float { "0.0" } else { "0" }));
    let (empty, zeros) = (w.fresh(), w.fresh());
    w.line(format_args!("{empty} = tensor.empty() : {c}"));
    w.line(format_args!("{zeros} = linalg.fill ins({zero} : {element}) outs({empty} : {c}) -> {c}"));
    let product = w.fresh();
    w.line(format_args!("{product} = linalg.matmul ins({x}, {y} : {a}, {b}) outs({zeros} : {c}) -> {c}"));
    let (mul, add) = if float { ("mulf", *w.pick(&["addf", "subf"])) } else { ("muli", *w.pick(&["addi", "subi"])) };
    let flags = if float && w.rng.bool() { " fastmath<reassoc>" } else { "" };
    let [p, q, r, o, t, u, result] = std::array::from_fn(|_| w.fresh());
    w.line(format_args!(
        "{result} = linalg.generic {{indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d1)>, \
         affine_map<(d0, d1) -> (d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = [\"parallel\", \"parallel\"]}} \
         ins({product}, {scale}, {shift} : {c}, {line}, {line}) outs({empty} : {c}) {{"
    ));
    w.line(format_args!("^bb0({p}: {element}, {q}: {element}, {r}: {element}, {o}: {element}):"));
    w.line(format_args!("  {t} = arith.{mul} {p}, {q}{flags} : {element}"));
    w.line(format_args!("  {u} = arith.{add} {t}, {r}{flags} : {element}"));
    w.line(format_args!("  linalg.yield {u} : {element}"));
    w.line(format_args!("}} -> {c}"));
    w.values.push((result, c));
}

/// A convolution of two dimensions, with the channels last or first.
fn convolution(w: &mut Writer<'_>) {
    let (images, channels, filters) = (w.rng.i64(1..3), w.rng.i64(1..3), w.rng.i64(1..3));
    let (window, points, stride) = (w.rng.i64(1..3), w.rng.i64(1..3), w.rng.i64(1..3));
    let element = *w.pick(&ELEMENTS[..2]);
    let size = (points - 1) * stride + window;
    let (name, a, b, c) = match w.rng.u8(..3) {
        0 => (
            "conv_2d_nhwc_hwcf",
            [images, size, size, channels],
            [window, window, channels, filters],
            [images, points, points, filters],
        ),
        1 => (
            "conv_2d_nhwc_fhwc",
            [images, size, size, channels],
            [filters, window, window, channels],
            [images, points, points, filters],
        ),
        _ => (
            "conv_2d_nchw_fchw",
            [images, channels, size, size],
            [filters, channels, window, window],
            [images, filters, points, points],
        ),
    };
    let (a, b, c) = (Ty::tensor(&a, element), Ty::tensor(&b, element), Ty::tensor(&c, element));
    let (x, y, sum) = (w.value(&a), w.value(&b), if w.rng.bool() { w.value(&c) } else { zeros(w, &c) });
    w.define(
        c.clone(),
        format_args!(
            "linalg.{name} {{strides = dense<{stride}> : tensor<2xi64>}} ins({x}, {y} : {a}, {b}) outs({sum} : {c}) -> {c}"
        ),
    );
}

/// Exponentials are known to some digits only.
fn softmax(w: &mut Writer<'_>) {
    let (name, shape, element) = known(w);
    if !element.is_float() || shape.is_empty() || !w.elementary {
        return;
    }
    let (ty, at) = (Ty::tensor(&shape, element), w.rng.usize(..shape.len()));
    let out = room(w, &ty);
    w.define(ty.clone(), format_args!("linalg.softmax dimension({at}) ins({name} : {ty}) outs({out} : {ty}) -> {ty}"));
}

fn fill(w: &mut Writer<'_>) {
    let ty = tensor_type(w);
    zeros(w, &Ty::tensor(ty.shape(), ty.element()));
}

/// Each thread computes a row.
fn forall(w: &mut Writer<'_>, depth: usize) {
    let (source, shape, element) = known(w);
    if shape.len() != 2 || depth > 1 {
        return;
    }
    let (ty, row) = (Ty::tensor(&shape, element), Ty::tensor(&[1, shape[1]], element));
    let (out, shared, at, result) = (w.value(&ty), w.fresh(), w.fresh(), w.fresh());
    w.line(format_args!("{result} = scf.forall ({at}) in ({}) shared_outs({shared} = {out}) -> ({ty}) {{", shape[0]));
    w.nested(|w| {
        w.values.push((at.clone(), Ty::INDEX));
        let columns = shape[1];
        w.define(
            row.clone(),
            format_args!("tensor.extract_slice {source}[{at}, 0] [1, {columns}] [1, 1] : {ty} to {row}"),
        );
        let value = arithmetic(w, &row);
        w.line(format_args!("scf.forall.in_parallel {{"));
        w.line(format_args!(
            "  tensor.parallel_insert_slice {value} into {shared}[{at}, 0] [1, {columns}] [1, 1] : {row} into {ty}"
        ));
        w.line(format_args!("}}"));
    });
    w.line(format_args!("}}"));
    w.values.push((result, ty));
}
