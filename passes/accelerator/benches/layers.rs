//! Layers of networks on the machines of `simulator/targets`: cycles of the simulator, the least that they could be, and what was predicted.
//!
//! `cargo bench -p dl-passes-accelerator --bench layers -- [PART OF A LINE] [--report] [--check]` prints the table; after each line what the simulator reports, if
//! that is asked for; and with `--check` it runs each product and convolution as well, and compares every result with that of exact arithmetic. Layers are on 8-bit
//! integers, with bias, `relu` and requantization, and in `bf16`, with bias and `relu`; `N H W C`. Where the machine cannot pad on the way, the image comes padded.

#![allow(clippy::print_stdout, reason = "a benchmark prints its table")]

#[path = "../tests/support/rows.rs"]
mod networks;
#[path = "../tests/support/mod.rs"]
mod support;

use std::time::Instant;

use dl_simulator::Simulation;
use support::{Compiled, EXAMPLES, Kind, Layer, Target, compile, compile_rows, target};

/// What the matrix unit does.
#[rustfmt::skip]
fn layers() -> Vec<Layer> {
    let sums = |layer| Layer { is_finished: false, ..layer };
    let products = [("product 256", 256), ("product 512", 512), ("product 2048", 2048)];
    let products = products.map(|(name, extent)| Layer::product(name, [extent; 3]));
    let networks = [
        Layer::window("resnet-50 conv1 7x7/2", 224, [3, 64], [7, 2, 3]),
        Layer::window("resnet-50 conv2 1x1", 56, [64, 64], [1, 1, 0]),
        Layer::window("resnet-50 conv2 3x3", 56, [64, 64], [3, 1, 1]),
        Layer::window("resnet-50 conv2 1x1 up", 56, [64, 256], [1, 1, 0]),
        Layer::window("resnet-50 conv3 3x3/2", 56, [128, 128], [3, 2, 1]),
        Layer::window("resnet-50 conv3 3x3", 28, [128, 128], [3, 1, 1]),
        Layer::window("resnet-50 conv3 1x1 down", 28, [512, 128], [1, 1, 0]),
        Layer::window("resnet-50 conv4 3x3", 14, [256, 256], [3, 1, 1]),
        Layer::window("resnet-50 conv4 1x1 up", 14, [256, 1024], [1, 1, 0]),
        Layer::window("resnet-50 conv5 3x3", 7, [512, 512], [3, 1, 1]),
        Layer::window("resnet-50 conv5 1x1 up", 7, [512, 2048], [1, 1, 0]),
        Layer::window("3x3 56x56x256", 56, [256, 256], [3, 1, 1]),
        Layer::window("mobilenet 1x1 expand", 56, [24, 144], [1, 1, 0]),
        Layer::window("mobilenet 1x1 project", 56, [144, 24], [1, 1, 0]),
        Layer::product("bert 128x768x768", [128, 768, 768]),
        Layer::product("bert 128x768x3072", [128, 3072, 768]),
        Layer::product("bert 128x3072x768", [128, 768, 3072]),
    ];
    let all: Vec<Layer> = networks.into_iter().chain(products.into_iter().flat_map(|layer| [sums(layer), layer])).collect();
    [Kind::Int8, Kind::Bf16].into_iter().flat_map(|kind| all.iter().map(move |layer| Layer { kind, ..*layer })).collect()
}

/// What the vector unit does; images come padded.
fn rows() -> Vec<(&'static str, String)> {
    vec![
        ("resnet-50 max pool 3x3/2", networks::pooling(113, 64)),
        ("resnet-50 residual 56x56", networks::residual(56 * 56, 256)),
        ("mobilenet 3x3 channels", networks::depthwise(58, 144, 1)),
        ("mobilenet 3x3/2 channels", networks::depthwise(113, 96, 2)),
        ("bert softmax", networks::softmax(12 * 128, 128)),
        ("bert layer norm", networks::layer_norm(128, 768)),
    ]
}

fn main() {
    let has = |flag: &str| std::env::args().any(|argument| argument == flag);
    let filter = std::env::args().skip(1).find(|argument| !argument.starts_with('-')).unwrap_or_default();
    let (reports, checks) = (has("--report"), has("--check"));
    println!(
        "{:<12} {:<32} {:>14} {:>10} {:>10} {:<14} {:>8} {:>8} {:>9} {:>8}",
        "machine", "layer", "block", "cycles", "bound", "by", "reached", "matrix", "predicted", "s"
    );
    for name in EXAMPLES {
        let target = target(name);
        for layer in layers() {
            let kind = if layer.kind == Kind::Int8 { "" } else { " bf16" };
            let label = format!("{}{}{kind}", layer.name, if layer.is_finished { "" } else { " sums" });
            if !format!("{name} {label}").contains(&filter) {
                continue;
            }
            // What transfers cannot pad, the host does.
            let padded = Layer { image: layer.image.map(|extent| extent + 2 * layer.pad), pad: 0, ..layer };
            let ways = [layer, padded];
            let start = Instant::now();
            let found = ways.iter().find_map(|layer| Some((layer, compile(&target, &layer.text(), |_| 0)?)));
            line(&target, &label, reports, start, found.as_ref().map(|(_, compiled)| compiled));
            if let Some((layer, compiled)) = found.filter(|_| checks) {
                layer.check(&target.machine, &compiled.program, 5).unwrap_or_else(|error| panic!("{error}"));
            }
        }
        for (label, text) in rows().into_iter().filter(|(label, _)| format!("{name} {label}").contains(&filter)) {
            let start = Instant::now();
            line(&target, label, reports, start, compile_rows(&target, &text, |_| 0).as_ref());
        }
    }
}

/// Prints the line of a layer, the compilation of which began at `start`.
fn line(target: &Target, label: &str, reports: bool, start: Instant, compiled: Option<&Compiled>) {
    let name = &target.machine.name;
    let Some(compiled) = compiled else {
        println!("{name:<12} {label:<32} left to the host");
        return;
    };
    let compiling = start.elapsed().as_secs_f64();
    let simulation = Simulation::new(&target.machine, &compiled.program).expect("a program without faults");
    let report = simulation.time();
    let [m, n, k] = compiled.block;
    let cycles = report.cycles as f64;
    println!(
        "{name:<12} {label:<32} {:>14} {:>10} {:>10} {:<14} {:>6.1} % {:>6.1} % {:>7.1} % {compiling:>8.2}",
        if k > 0 { format!("{m}x{n}x{k}") } else { format!("{m}x{n}") },
        report.cycles,
        report.lower_bound.cycles,
        report.lower_bound.limit.to_string(),
        100.0 * report.lower_bound.cycles as f64 / cycles,
        100.0 * report.macs as f64 / (cycles * report.peak_macs as f64),
        100.0 * (compiled.predicted as f64 / cycles - 1.0),
    );
    if reports {
        println!("{report}");
    }
}
