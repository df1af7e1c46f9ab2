//! What every way to compute a product gives, and how near the cycles that were predicted are to those that are simulated.

mod support;

use dl_simulator::Simulation;
use proptest::prelude::*;
use support::{Kind, Layer, Target, compile, target, targets};

/// Compiles a layer, runs it, and compares the result with that of exact arithmetic. `None` where the machine cannot do it.
fn check(target: &Target, layer: &Layer, seed: u64, pick: impl FnOnce(usize) -> usize) -> Option<()> {
    let compiled = compile(target, &layer.text(), pick)?;
    layer
        .check(&target.machine, &compiled.program, seed)
        .unwrap_or_else(|error| panic!("{error}, block {:?}\n{}", compiled.block, compiled.program));
    Some(())
}

fn layer() -> impl Strategy<Value = Layer> {
    let shape = ((1_u64..12, 1_u64..12), 1_u64..20, 1_u64..24);
    let kind = prop_oneof![Just(Kind::Int8), Just(Kind::Bf16)];
    (shape, 1_u64..4, 1_u64..3, 0_u64..2, any::<bool>(), kind).prop_map(
        |(((h, w), channels, features), window, stride, pad, is_finished, kind)| Layer {
            kind,
            image: [h.max(window), w.max(window)],
            is_finished,
            ..Layer::window("random", 1, [channels, features], [window, stride, pad.min(window - 1)])
        },
    )
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    /// Every plan of a layer, whatever its extents, has no race and computes the layer.
    #[test]
    fn every_plan_is_right(layer in layer(), pick in any::<prop::sample::Index>(), seed in any::<u64>()) {
        for target in targets() {
            check(&target, &layer, seed, |_| 0);
            check(&target, &layer, seed, |count| pick.index(count));
        }
    }
}

/// Products of any extents are a window of one element. All machines can do them.
#[test]
fn products_run_everywhere() {
    for [m, n, k] in [[1, 1, 1], [7, 33, 100], [19, 40, 24], [64, 16, 50]] {
        let layer = Layer { is_finished: false, ..Layer::product("product", [m, n, k]) };
        for target in targets() {
            assert!(check(&target, &layer, 5, |_| 0).is_some(), "{}, {m}x{n}x{k}", target.machine.name);
        }
    }
}

/// Where the memory of sums holds 1024 of them, this takes more blocks than other launches may have.
#[test]
fn small_memories_take_many_blocks() {
    let layer = Layer { is_finished: false, ..Layer::product("product", [4096, 1032, 8]) };
    assert!(check(&target("edge-8"), &layer, 5, |_| 0).is_some());
}

/// The cost model is within 15 % of the simulator, and what is chosen keeps the array at work where a layer is large enough to hide transfers.
#[test]
fn predictions_are_near_and_large_layers_near_the_bound() {
    let product = |extent| Layer::product("product", [extent; 3]);
    let window = |extent, channels| Layer::window("3x3", extent, [channels; 2], [3, 1, 1]);
    let pixels = |extent, channels| Layer::window("1x1", extent, channels, [1, 1, 0]);
    let cases = [
        ("edge-8", product(128), 0.55),
        ("edge-8", pixels(28, [144, 24]), 0.5),
        ("tile-16", product(256), 0.95),
        ("tile-16", window(28, 64), 0.95),
        ("tile-16", pixels(56, [64, 64]), 0.9),
        ("tile-16", window(14, 128), 0.95),
        ("matrix-128", product(1024), 0.9),
        ("matrix-128", window(28, 128), 0.7),
        ("matrix-128", window(28, 256), 0.9),
        ("mesh-4", product(128), 0.85),
        ("mesh-4", pixels(56, [144, 24]), 0.95),
        ("mesh-4", pixels(56, [24, 144]), 0.8),
        ("mesh-4", window(14, 32), 0.8),
    ];
    let mut far = Vec::new();
    for (name, layer, least) in cases {
        let target = target(name);
        let compiled = compile(&target, &layer.text(), |_| 0).unwrap_or_else(|| panic!("{name}, {layer:?}"));
        let report = Simulation::new(&target.machine, &compiled.program).unwrap().time();
        let (cycles, predicted) = (report.cycles as f64, compiled.predicted as f64);
        let reached = report.lower_bound.cycles as f64 / cycles;
        if (predicted / cycles - 1.0).abs() > 0.15 || reached < least {
            far.push(format!(
                "{name}, {layer:?}: {predicted} cycles predicted, {cycles} simulated, {reached:.3} of the bound, not {least}"
            ));
        }
    }
    assert!(far.is_empty(), "{far:#?}");
}

/// A plan that fits nowhere is none: types that the array has not, and sums of one row that are larger than their memory.
#[test]
fn what_does_not_fit_is_refused() {
    let text = "func.func @layer(%a: tensor<8x8xf32>, %b: tensor<8x8xf32>) -> tensor<8x8xf32> {\n\
                %c = linalg.matmul ins(%a, %b : tensor<8x8xf32>, tensor<8x8xf32>) outs(%a : tensor<8x8xf32>) -> tensor<8x8xf32>\n\
                return %c : tensor<8x8xf32>\n}\n";
    assert!(compile(&target("tile-16"), text, |_| 0).is_none());
}
