//! Layers of networks on the machines of `simulator/targets`: cycles of the simulator, the least that they could be, and what was predicted.
//!
//! `cargo bench -p dl-passes-accelerator --bench layers [PART OF A LINE] [--report]` prints the table, and after each line what the simulator reports. Layers are on 8-bit integers, `N H W C`, with bias, `relu` and
//! requantization. Where the machine cannot pad on the way, the image comes padded.

#![allow(clippy::print_stdout, reason = "a benchmark prints its table")]

#[path = "../tests/support/rows.rs"]
mod networks;
#[path = "../tests/support/mod.rs"]
mod support;

use std::time::Instant;

use dl_simulator::Simulation;
use support::{Compiled, EXAMPLES, Layer, Target, compile, compile_rows, target};

/// Image, channels, features, window, stride, padding.
#[rustfmt::skip]
const LAYERS: [(&str, u64, u64, u64, u64, u64, u64); 17] = [
    ("resnet-50 conv1 7x7/2", 224, 3, 64, 7, 2, 3),
    ("resnet-50 conv2 1x1", 56, 64, 64, 1, 1, 0),
    ("resnet-50 conv2 3x3", 56, 64, 64, 3, 1, 1),
    ("resnet-50 conv2 1x1 up", 56, 64, 256, 1, 1, 0),
    ("resnet-50 conv3 3x3/2", 56, 128, 128, 3, 2, 1),
    ("resnet-50 conv3 3x3", 28, 128, 128, 3, 1, 1),
    ("resnet-50 conv3 1x1 down", 28, 512, 128, 1, 1, 0),
    ("resnet-50 conv4 3x3", 14, 256, 256, 3, 1, 1),
    ("resnet-50 conv4 1x1 up", 14, 256, 1024, 1, 1, 0),
    ("resnet-50 conv5 3x3", 7, 512, 512, 3, 1, 1),
    ("resnet-50 conv5 1x1 up", 7, 512, 2048, 1, 1, 0),
    ("3x3 56x56x256", 56, 256, 256, 3, 1, 1),
    ("mobilenet 1x1 expand", 56, 24, 144, 1, 1, 0),
    ("mobilenet 1x1 project", 56, 144, 24, 1, 1, 0),
    ("bert 128x768x768", 0, 768, 768, 1, 1, 0),
    ("bert 128x768x3072", 0, 768, 3072, 1, 1, 0),
    ("bert 128x3072x768", 0, 3072, 768, 1, 1, 0),
];

/// `m`, `n`, `k`.
const PRODUCTS: [(&str, u64, u64, u64); 3] =
    [("product 256", 256, 256, 256), ("product 512", 512, 512, 512), ("product 2048", 2048, 2048, 2048)];

fn layers() -> Vec<Layer> {
    let of = |(name, extent, channels, features, window, stride, pad)| {
        let image = if extent == 0 { [128, 1] } else { [extent; 2] };
        Layer { name, image, channels, features, window, stride, pad, is_finished: true }
    };
    let products = PRODUCTS.into_iter().flat_map(|(name, m, n, k)| {
        let layer = |is_finished| Layer {
            name,
            image: [m, 1],
            channels: k,
            features: n,
            window: 1,
            stride: 1,
            pad: 0,
            is_finished,
        };
        [layer(false), layer(true)]
    });
    LAYERS.into_iter().map(of).chain(products).collect()
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
    let filter = std::env::args().skip(1).find(|argument| !argument.starts_with('-')).unwrap_or_default();
    let reports = std::env::args().any(|argument| argument == "--report");
    println!(
        "{:<12} {:<26} {:>14} {:>10} {:>10} {:<14} {:>8} {:>8} {:>9} {:>8}",
        "machine", "layer", "block", "cycles", "bound", "by", "reached", "matrix", "predicted", "s"
    );
    for name in EXAMPLES {
        let target = target(name);
        for layer in layers() {
            let label = format!("{}{}", layer.name, if layer.is_finished { "" } else { " sums" });
            // What transfers cannot pad, the host does.
            let padded = Layer { image: layer.image.map(|extent| extent + 2 * layer.pad), pad: 0, ..layer };
            let ways = [layer, padded];
            line(&target, &label, &filter, reports, || {
                ways.iter().find_map(|layer| compile(&target, &layer.text(), |_| 0))
            });
        }
        for (label, text) in rows() {
            line(&target, label, &filter, reports, || compile_rows(&target, &text, |_| 0));
        }
    }
}

/// Prints the line of a layer.
fn line(target: &Target, label: &str, filter: &str, reports: bool, compile: impl FnOnce() -> Option<Compiled>) {
    let name = &target.machine.name;
    if !format!("{name} {label}").contains(filter) {
        return;
    }
    let start = Instant::now();
    let Some(compiled) = compile() else {
        println!("{name:<12} {label:<26} left to the host");
        return;
    };
    let compiling = start.elapsed().as_secs_f64();
    let simulation = Simulation::new(&target.machine, &compiled.program).expect("a program without faults");
    let report = simulation.time();
    let [m, n, k] = compiled.block;
    let cycles = report.cycles as f64;
    println!(
        "{name:<12} {label:<26} {:>14} {:>10} {:>10} {:<14} {:>6.1} % {:>6.1} % {:>7.1} % {compiling:>8.2}",
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
