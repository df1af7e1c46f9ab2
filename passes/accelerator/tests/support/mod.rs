//! What the tests and the benchmark share: machines, layers, and the way from a layer to a program.

#![allow(dead_code, reason = "each test uses a part of this")]

use std::fs;
use std::path::Path;

use dl_accelerator::{encode, target};
use dl_ir::{Arena, Attr, Context, OpRef, Rewriter, walk};
use dl_linalg::LinalgOp;
use dl_passes_accelerator::lower::emit::emit;
use dl_passes_accelerator::lower::{Found, candidates, rows};
use dl_runtime::Array;
use dl_simulator::{Machine, Program, Simulation};
use half::bf16;

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

/// What a layer works on.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Kind {
    /// 8-bit integers, and sums of 32 bits.
    Int8,
    /// `bf16`, and sums in `f32`.
    Bf16,
}

impl Kind {
    /// Types of elements and of sums.
    fn types(self) -> [&'static str; 2] {
        match self {
            Self::Int8 => ["i8", "i32"],
            Self::Bf16 => ["bf16", "f32"],
        }
    }
}

/// A layer: `N H W C` images, square windows.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Layer {
    pub(crate) name: &'static str,
    pub(crate) kind: Kind,
    /// Height and width of the image, channels, and features.
    pub(crate) image: [u64; 2],
    pub(crate) channels: u64,
    pub(crate) features: u64,
    pub(crate) window: u64,
    pub(crate) stride: u64,
    pub(crate) pad: u64,
    /// Whether a bias is added, what is below zero is cut off, and the result is as narrow as the image.
    pub(crate) is_finished: bool,
}

impl Layer {
    /// A product `m` x `k` by `k` x `n` is a window of one pixel.
    pub(crate) fn product(name: &'static str, [m, n, k]: [u64; 3]) -> Self {
        Self { image: [m, 1], ..Self::window(name, 1, [k, n], [1, 1, 0]) }
    }

    /// A layer on square images, from so many channels to so many features; extent of the window, steps and padding.
    pub(crate) fn window(
        name: &'static str,
        image: u64,
        [channels, features]: [u64; 2],
        [window, stride, pad]: [u64; 3],
    ) -> Self {
        Self { name, kind: Kind::Int8, image: [image; 2], channels, features, window, stride, pad, is_finished: true }
    }

    pub(crate) fn output(&self) -> [u64; 2] {
        self.image.map(|extent| (extent + 2 * self.pad - self.window) / self.stride + 1)
    }

    /// Its function: image, filter and bias, which has no effect on one that is not finished.
    pub(crate) fn text(&self) -> String {
        let Self { image: [h, w], channels: c, features: f, window, stride, pad, is_finished, .. } = *self;
        let [oh, ow] = self.output();
        let (ph, pw) = (h + 2 * pad, w + 2 * pad);
        let [e, s] = self.kind.types();
        let image = format!("tensor<1x{h}x{w}x{c}x{e}>");
        let padded = format!("tensor<1x{ph}x{pw}x{c}x{e}>");
        let filter = format!("tensor<{window}x{window}x{c}x{f}x{e}>");
        let (sums, narrow, bias) = (
            format!("tensor<1x{oh}x{ow}x{f}x{s}>"),
            format!("tensor<1x{oh}x{ow}x{f}x{e}>"),
            format!("tensor<{f}x{s}>"),
        );
        let result = if is_finished { &narrow } else { &sums };
        let zero = if self.kind == Kind::Int8 { "0" } else { "0.0" };
        let mut text = format!(
            "#all = affine_map<(n, i, j, f) -> (n, i, j, f)>\n#feature = affine_map<(n, i, j, f) -> (f)>\n\
             func.func @layer(%image: {image}, %filter: {filter}, %bias: {bias}) -> {result} {{\n\
             %zero = arith.constant {zero} : {s}\n%edge = arith.constant {zero} : {e}\n"
        );
        if pad > 0 {
            text += &format!(
                "%padded = tensor.pad %image low[0, {pad}, {pad}, 0] high[0, {pad}, {pad}, 0] {{\n\
                 ^bb0(%a: index, %b: index, %c: index, %d: index):\ntensor.yield %edge : {e}\n}} : {image} to {padded}\n"
            );
        }
        let source = if pad > 0 { "%padded" } else { "%image" };
        text += &format!(
            "%empty = tensor.empty() : {sums}\n%narrow = tensor.empty() : {narrow}\n\
             %init = linalg.fill ins(%zero : {s}) outs(%empty : {sums}) -> {sums}\n\
             %sums = linalg.conv_2d_nhwc_hwcf {{dilations = dense<1> : vector<2xi64>, strides = dense<{stride}> : vector<2xi64>}} \
             ins({source}, %filter : {padded}, {filter}) outs(%init : {sums}) -> {sums}\n"
        );
        if !is_finished {
            return text + &format!("return %sums : {sums}\n}}\n");
        }
        let body = match self.kind {
            Kind::Int8 => {
                "%0 = arith.addi %x, %y : i32\n%1 = arith.sitofp %0 : i32 to f32\n%2 = arith.mulf %1, %scale : f32\n\
                 %3 = math.roundeven %2 : f32\n%4 = arith.maximumf %3, %least : f32\n%5 = arith.minimumf %4, %greatest : f32\n\
                 %6 = arith.fptosi %5 : f32 to i8\nlinalg.yield %6 : i8"
            }
            Kind::Bf16 => {
                "%0 = arith.addf %x, %y : f32\n%1 = arith.maximumf %0, %least : f32\n%2 = arith.truncf %1 : f32 to bf16\n\
                 linalg.yield %2 : bf16"
            }
        };
        text + &format!(
            "%scale = arith.constant 0.0009765625 : f32\n\
             %least = arith.constant 0.0 : f32\n%greatest = arith.constant 127.0 : f32\n\
             %done = linalg.generic {{indexing_maps = [#all, #feature, #all], iterator_types = [\"parallel\", \"parallel\", \"parallel\", \"parallel\"]}} \
             ins(%sums, %bias : {sums}, {bias}) outs(%narrow : {narrow}) {{\n^bb0(%x: {s}, %y: {s}, %out: {e}):\n{body}\n}} -> {narrow}\n\
             return %done : {narrow}\n}}\n"
        )
    }

    /// Runs its program on small integers, and compares the result with that of exact arithmetic: as long as sums have no more digits than a float, that is what
    /// floats give too. What went wrong, if something did.
    #[expect(clippy::float_cmp, reason = "results are exact")]
    pub(crate) fn check(&self, machine: &Machine, program: &Program, seed: u64) -> Result<(), String> {
        let at = || format!("{}, {self:?}", machine.name);
        let simulation = Simulation::new(machine, program).map_err(|fault| format!("{}: {fault}", at()))?;
        let [h, w] = self.image;
        // Of bf16, numbers of four bits: the largest product then has sums below 2^24.
        let drop = if self.kind == Kind::Int8 { 0 } else { 4 };
        let values = |count: u64, factor: u64| -> Vec<i32> {
            let value = |at: u64| (at.wrapping_mul(factor).wrapping_add(seed) >> 3) as i8 >> drop;
            (0..count).map(value).map(i32::from).collect()
        };
        let image = values(h * w * self.channels, 0x9e37_79b9);
        let filter = values(self.window * self.window * self.channels * self.features, 0x85eb_ca6b);
        let bias: Vec<i32> = (0..self.features as i32).map(|at| at * 100 - 700).collect();
        let narrow = |shape: &[u64], values: &[i32]| {
            let shape: Vec<usize> = shape.iter().map(|&extent| extent as usize).collect();
            match self.kind {
                Kind::Int8 => Array::from_slice(&shape, &values.iter().map(|&v| v as i8).collect::<Vec<_>>()),
                Kind::Bf16 => {
                    Array::from_slice(&shape, &values.iter().map(|&v| bf16::from_f32(v as f32)).collect::<Vec<_>>())
                }
            }
        };
        let features = [self.features as usize];
        let inputs = [
            narrow(&[1, h, w, self.channels], &image),
            narrow(&[self.window, self.window, self.channels, self.features], &filter),
            match self.kind {
                Kind::Int8 => Array::from_slice(&features, &bias),
                Kind::Bf16 => Array::from_slice(&features, &bias.iter().map(|&v| v as f32).collect::<Vec<_>>()),
            },
        ];
        let inputs = inputs.map(|input| input.expect("as many elements as the shape has"));
        let outputs = simulation.execute(&inputs).map_err(|error| format!("{}: {error}", at()))?;
        let expected = self.reference(&image, &filter, &bias);
        let output = &outputs[0];
        let actual: Vec<f64> = if let Some(values) = output.as_slice::<i8>() {
            values.iter().map(|&value| value.into()).collect()
        } else if let Some(values) = output.as_slice::<i32>() {
            values.iter().map(|&value| value.into()).collect()
        } else if let Some(values) = output.as_slice::<bf16>() {
            values.iter().map(|value| value.to_f64()).collect()
        } else {
            output.as_slice::<f32>().unwrap_or_default().iter().map(|&value| value.into()).collect()
        };
        if actual.len() != expected.len() {
            return Err(format!("{}: expected {} results, but got {}", at(), expected.len(), actual.len()));
        }
        match (0..expected.len()).find(|&index| actual[index] != expected[index]) {
            Some(index) => {
                Err(format!("{}: expected {} for number {index}, but got {}", at(), expected[index], actual[index]))
            }
            None => Ok(()),
        }
    }

    /// What it computes, in exact arithmetic.
    fn reference(&self, image: &[i32], filter: &[i32], bias: &[i32]) -> Vec<f64> {
        let Self { image: [h, w], channels, features, window, stride, pad, is_finished, kind, .. } = *self;
        let [oh, ow] = self.output();
        let (features, channels) = (features as usize, channels as usize);
        let finished = |(sum, bias): (&i32, &i32)| match kind {
            _ if !is_finished => f64::from(*sum),
            // The scale is 2^-10: halves are exact, and go to the even one.
            Kind::Int8 => (f64::from(sum + bias) / 1024.0).round_ties_even().clamp(0.0, 127.0),
            Kind::Bf16 => bf16::from_f32((sum + bias).max(0) as f32).to_f64(),
        };
        let mut results = Vec::new();
        for (y, x) in (0..oh).flat_map(|y| (0..ow).map(move |x| (y, x))) {
            let mut sums = vec![0_i32; features];
            for (a, b) in (0..window).flat_map(|a| (0..window).map(move |b| (a, b))) {
                let at = [(y * stride + a).checked_sub(pad), (x * stride + b).checked_sub(pad)];
                let [Some(y), Some(x)] = at else { continue };
                if y >= h || x >= w {
                    continue;
                }
                let pixel = &image[(y * w + x) as usize * channels..][..channels];
                let weights = &filter[(a * window + b) as usize * channels * features..];
                for (value, weights) in pixel.iter().zip(weights.chunks_exact(features)) {
                    sums.iter_mut().zip(weights).for_each(|(sum, weight)| *sum += value * weight);
                }
            }
            results.extend(sums.iter().zip(bias).map(finished));
        }
        results
    }
}
