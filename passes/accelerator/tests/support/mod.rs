//! What the tests and the benchmark share: machines, layers, and the way from a layer to a program.

#![allow(dead_code, reason = "each test uses a part of this")]

use std::fs;
use std::path::Path;

use dl_accelerator::{encode, target};
use dl_ir::{Arena, Attr, Context, OpRef, Rewriter, walk};
use dl_linalg::LinalgOp;
use dl_passes_accelerator::lower::emit::emit;
use dl_passes_accelerator::lower::{Found, candidates, rows};
use dl_simulator::{Machine, Program};

/// A machine and its attribute.
pub(crate) struct Target {
    pub(crate) machine: Machine,
    toml: String,
}

/// The machines of the examples.
pub(crate) const EXAMPLES: [&str; 4] = ["edge-8", "tile-16", "matrix-128", "mesh-4"];

/// A description in `simulator/targets`.
pub(crate) fn target(name: &str) -> Target {
    read(&format!("simulator/targets/{name}.toml"))
}

/// All machines of the examples, and one that is unlike them.
pub(crate) fn targets() -> Vec<Target> {
    let odd = read("tests/Inputs/machines/odd.toml");
    EXAMPLES.into_iter().map(target).chain([odd]).collect()
}

fn read(path: &str) -> Target {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let toml = fs::read_to_string(root.join(path)).unwrap_or_else(|error| panic!("{path}: {error}"));
    let machine = Machine::parse(&toml).unwrap_or_else(|errors| panic!("{path}: {errors}"));
    Target { machine, toml }
}

pub(crate) fn context() -> Context {
    let mut cx = Context::new();
    cx.register(&dl_accelerator::Accelerator);
    cx.register(&dl_affine::Affine);
    cx.register(&dl_arith::Arith);
    cx.register(&dl_func::Func);
    cx.register(&dl_linalg::Linalg);
    cx.register(&dl_math::Math);
    cx.register(&dl_memref::MemRef);
    cx.register(&dl_scf::Scf);
    cx.register(&dl_tensor::Tensor);
    cx
}

/// A layer that has been compiled, and the cycles that were predicted.
pub(crate) struct Compiled {
    pub(crate) program: Program,
    pub(crate) predicted: u64,
    pub(crate) block: [u64; 3],
}

/// Compiles the only product of a function; `pick` chooses one of so many candidates, of which the first is the best. `None` where the machine cannot do it.
pub(crate) fn compile(target: &Target, text: &str, pick: impl FnOnce(usize) -> usize) -> Option<Compiled> {
    let cx = context();
    let source = cx.add_source("layer.mlir", text.as_bytes());
    let mut module = dl_ir::text::parse_source(&cx, &source).unwrap_or_else(|_| panic!("{text}")).module;
    let attr: Attr = target::from_toml(&cx, &target.toml).unwrap();
    let function = OpRef::root(&cx, &module).region(0).entry().unwrap().ops().next().unwrap().id();
    let mut outer = Rewriter::new(&cx, &mut module);
    let found = {
        let mut rw = outer.enter(function).unwrap();
        let product = walk::pre_order(rw.op(Arena::ROOT)).find(|op| {
            LinalgOp::of(*op).is_some_and(|nest| {
                nest.iterator_types().len() > nest.inits().len() + 1
                    && op.num_operands() == 3
                    && candidates(*op, &target.machine).is_some()
            })
        })?;
        let op = product.id();
        let Found { product, epilogue, plans } = candidates(product, &target.machine)?;
        let possible: Vec<_> =
            plans.iter().filter(|plan| plan.is_possible(&target.machine, &product, &epilogue)).collect();
        let plan = possible[pick(possible.len())];
        emit(&mut rw, op, &target.machine, attr, &product, &epilogue, plan);
        let body = rw.op(Arena::ROOT).region(0).entry()?;
        let left: Vec<_> = body.ops().map(|op| (op.id(), op.name().to_owned())).collect();
        for (op, name) in left.into_iter().rev() {
            let is_used = rw.op(op).results().iter().any(dl_ir::ValueRef::has_uses);
            if matches!(name.as_str(), "tensor.empty" | "linalg.fill" | "tensor.pad") && !is_used {
                rw.erase(op);
            } else if name == "tensor.pad" {
                // The host does it, so there is no program.
                return None;
            }
        }
        (plan.prediction.cycles, plan.cuts.block())
    };
    let op = outer.op(function);
    let program = encode::function(op).unwrap_or_else(|error| panic!("{error:?}")).program;
    Some(Compiled { program, predicted: found.0, block: found.1 })
}

/// Compiles all that the vector unit can do of a function, as the pass does; of each chain `pick` chooses one of so many ways, of which the first is the best.
/// `None` where something is left to the host.
pub(crate) fn compile_rows(target: &Target, text: &str, pick: impl Fn(usize) -> usize) -> Option<Compiled> {
    let cx = context();
    let source = cx.add_source("rows.mlir", text.as_bytes());
    let mut module = dl_ir::text::parse_source(&cx, &source).unwrap_or_else(|_| panic!("{text}")).module;
    let attr: Attr = target::from_toml(&cx, &target.toml).unwrap();
    let function = OpRef::root(&cx, &module).region(0).entry().unwrap().ops().next().unwrap().id();
    let mut outer = Rewriter::new(&cx, &mut module);
    let (mut predicted, mut block) = (0, [0; 3]);
    {
        let mut rw = outer.enter(function).unwrap();
        loop {
            let found = walk::pre_order(rw.op(Arena::ROOT)).find_map(|op| rows::candidates(op, &target.machine));
            let Some(mut found) = found else { break };
            let possible: Vec<usize> = (0..found.plans.len())
                .filter(|&at| found.plans[at].padding(&found.work, &target.machine).is_some())
                .collect();
            found.plans.swap(0, possible[pick(possible.len())]);
            found.padding = found.plans[0].padding(&found.work, &target.machine)?;
            predicted += found.plans[0].prediction.cycles;
            let [rows, columns] = [0, 1].map(|at| found.plans[0].cuts[at].size());
            block = [rows, columns, 0];
            rows::emit::emit(&mut rw, (&target.machine, attr), &found);
        }
        let body = rw.op(Arena::ROOT).region(0).entry()?;
        let left: Vec<_> = body.ops().map(|op| (op.id(), op.name().to_owned())).collect();
        for (op, name) in left.into_iter().rev() {
            let is_used = rw.op(op).results().iter().any(dl_ir::ValueRef::has_uses);
            if matches!(name.as_str(), "tensor.empty" | "linalg.fill") && !is_used {
                rw.erase(op);
            } else if name.starts_with("linalg.") {
                return None;
            }
        }
    }
    let program = encode::function(outer.op(function)).unwrap_or_else(|error| panic!("{error:?}")).program;
    Some(Compiled { program, predicted, block })
}

/// A layer on 8-bit integers: `N H W C` images, square windows.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Layer {
    pub(crate) name: &'static str,
    /// Height and width of the image, channels, and features.
    pub(crate) image: [u64; 2],
    pub(crate) channels: u64,
    pub(crate) features: u64,
    pub(crate) window: u64,
    pub(crate) stride: u64,
    pub(crate) pad: u64,
    /// Whether a bias is added and the result is made 8 bits wide.
    pub(crate) is_finished: bool,
}

impl Layer {
    pub(crate) fn output(&self) -> [u64; 2] {
        self.image.map(|extent| (extent + 2 * self.pad - self.window) / self.stride + 1)
    }

    /// Its function: image and filter, and bias if it is finished.
    pub(crate) fn text(&self) -> String {
        let Self { image: [h, w], channels: c, features: f, window, stride, pad, is_finished, .. } = *self;
        let [oh, ow] = self.output();
        let (ph, pw) = (h + 2 * pad, w + 2 * pad);
        let image = format!("tensor<1x{h}x{w}x{c}xi8>");
        let padded = format!("tensor<1x{ph}x{pw}x{c}xi8>");
        let filter = format!("tensor<{window}x{window}x{c}x{f}xi8>");
        let (sums, narrow, bias) =
            (format!("tensor<1x{oh}x{ow}x{f}xi32>"), format!("tensor<1x{oh}x{ow}x{f}xi8>"), format!("tensor<{f}xi32>"));
        let result = if is_finished { &narrow } else { &sums };
        let mut text = format!(
            "#all = affine_map<(n, i, j, f) -> (n, i, j, f)>\n#feature = affine_map<(n, i, j, f) -> (f)>\n\
             func.func @layer(%image: {image}, %filter: {filter}, %bias: {bias}) -> {result} {{\n\
             %zero = arith.constant 0 : i32\n%zero8 = arith.constant 0 : i8\n"
        );
        if pad > 0 {
            text += &format!(
                "%padded = tensor.pad %image low[0, {pad}, {pad}, 0] high[0, {pad}, {pad}, 0] {{\n\
                 ^bb0(%a: index, %b: index, %c: index, %d: index):\ntensor.yield %zero8 : i8\n}} : {image} to {padded}\n"
            );
        }
        let from = if pad > 0 { "%padded" } else { "%image" };
        text += &format!(
            "%empty = tensor.empty() : {sums}\n%init = linalg.fill ins(%zero : i32) outs(%empty : {sums}) -> {sums}\n\
             %sums = linalg.conv_2d_nhwc_hwcf {{dilations = dense<1> : vector<2xi64>, strides = dense<{stride}> : vector<2xi64>}} \
             ins({from}, %filter : {padded}, {filter}) outs(%init : {sums}) -> {sums}\n"
        );
        if !is_finished {
            return text + &format!("return %sums : {sums}\n}}\n");
        }
        text += &format!(
            "%narrow = tensor.empty() : {narrow}\n%scale = arith.constant 0.0009765625 : f32\n\
             %least = arith.constant 0.0 : f32\n%greatest = arith.constant 127.0 : f32\n\
             %done = linalg.generic {{indexing_maps = [#all, #feature, #all], iterator_types = [\"parallel\", \"parallel\", \"parallel\", \"parallel\"]}} \
             ins(%sums, %bias : {sums}, {bias}) outs(%narrow : {narrow}) {{\n^bb0(%x: i32, %y: i32, %out: i8):\n\
             %0 = arith.addi %x, %y : i32\n%1 = arith.sitofp %0 : i32 to f32\n%2 = arith.mulf %1, %scale : f32\n\
             %3 = math.roundeven %2 : f32\n%4 = arith.maximumf %3, %least : f32\n%5 = arith.minimumf %4, %greatest : f32\n\
             %6 = arith.fptosi %5 : f32 to i8\nlinalg.yield %6 : i8\n}} -> {narrow}\n"
        );
        text + &format!("return %done : {narrow}\n}}\n")
    }

    /// What it computes, in exact arithmetic.
    pub(crate) fn reference(&self, image: &[i8], filter: &[i8], bias: &[i32]) -> Vec<i32> {
        let Self { image: [h, w], channels, features, window, stride, pad, is_finished, .. } = *self;
        let [oh, ow] = self.output();
        let pixel = |y: u64, x: u64, channel: u64| -> i32 {
            let (Some(y), Some(x)) = (y.checked_sub(pad), x.checked_sub(pad)) else { return 0 };
            if y >= h || x >= w { 0 } else { image[((y * w + x) * channels + channel) as usize].into() }
        };
        let mut results = Vec::new();
        for (y, x, f) in (0..oh).flat_map(|y| (0..ow).flat_map(move |x| (0..features).map(move |f| (y, x, f)))) {
            let mut sum = 0;
            for (a, b, channel) in
                (0..window).flat_map(|a| (0..window).flat_map(move |b| (0..channels).map(move |c| (a, b, c))))
            {
                let weight: i32 = filter[(((a * window + b) * channels + channel) * features + f) as usize].into();
                sum += pixel(y * stride + a, x * stride + b, channel) * weight;
            }
            results.push(if is_finished {
                // The scale is 2^-10: halves are exact, and go to the even one.
                let scaled = f64::from(sum + bias[f as usize]) / 1024.0;
                scaled.round_ties_even().clamp(0.0, 127.0) as i32
            } else {
                sum
            });
        }
        results
    }
}
