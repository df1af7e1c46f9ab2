//! What every way to compute a product gives, and how near the cycles that were predicted are to those that are simulated.

mod support;

use dl_runtime::Array;
use dl_simulator::Simulation;
use proptest::prelude::*;
use support::{Layer, Target, compile, target, targets};

/// Runs a layer on small integers; the result is that of exact arithmetic. `None` where the machine cannot do it.
fn check(target: &Target, layer: &Layer, seed: u64, pick: impl FnOnce(usize) -> usize) -> Option<()> {
    let text = layer.text();
    let compiled = compile(target, &text, pick)?;
    let (machine, program) = (&target.machine, &compiled.program);
    let at = || format!("{}, {layer:?}, block {:?}", machine.name, compiled.block);
    let simulation = Simulation::new(machine, program).unwrap_or_else(|fault| panic!("{}: {fault}\n{program}", at()));
    let value = |at: u64, factor: u64| (at.wrapping_mul(factor).wrapping_add(seed) >> 3) as i8;
    let [h, w] = layer.image;
    let image: Vec<i8> = (0..h * w * layer.channels).map(|at| value(at, 0x9e37_79b9)).collect();
    let count = layer.window * layer.window * layer.channels * layer.features;
    let filter: Vec<i8> = (0..count).map(|at| value(at, 0x85eb_ca6b)).collect();
    let bias: Vec<i32> = (0..layer.features as i32).map(|at| at * 100 - 700).collect();
    let extents = |list: &[u64]| list.iter().map(|&extent| extent as usize).collect::<Vec<_>>();
    let inputs = [
        Array::from_slice(&extents(&[1, h, w, layer.channels]), &image).unwrap(),
        Array::from_slice(&extents(&[layer.window, layer.window, layer.channels, layer.features]), &filter).unwrap(),
        Array::from_slice(&extents(&[layer.features]), &bias).unwrap(),
    ];
    let outputs = simulation.execute(&inputs).unwrap_or_else(|error| panic!("{}: {error}\n{program}", at()));
    let expected = layer.reference(&image, &filter, &bias);
    let actual: Vec<i32> = match outputs[0].as_slice::<i8>() {
        Some(narrow) => narrow.iter().map(|&value| value.into()).collect(),
        None => outputs[0].as_slice::<i32>().unwrap().to_vec(),
    };
    assert!(actual == expected, "{}: expected {expected:?}, but got {actual:?}", at());
    Some(())
}

fn layer() -> impl Strategy<Value = Layer> {
    let shape = ((1_u64..12, 1_u64..12), 1_u64..20, 1_u64..24);
    (shape, 1_u64..4, 1_u64..3, 0_u64..2, any::<bool>()).prop_map(
        |(((h, w), channels, features), window, stride, pad, is_finished)| Layer {
            name: "random",
            image: [h.max(window), w.max(window)],
            channels,
            features,
            window,
            stride,
            pad: pad.min(window - 1),
            is_finished,
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
        let layer = Layer {
            name: "product",
            image: [m, 1],
            channels: k,
            features: n,
            window: 1,
            stride: 1,
            pad: 0,
            is_finished: false,
        };
        for target in targets() {
            assert!(check(&target, &layer, 5, |_| 0).is_some(), "{}, {m}x{n}x{k}", target.machine.name);
        }
    }
}

/// The cost model is within 15 % of the simulator, and what is chosen keeps the array at work where a layer is large enough to hide transfers.
#[test]
fn predictions_are_near_and_large_layers_near_the_bound() {
    let product = |extent| Layer {
        name: "product",
        image: [extent, 1],
        channels: extent,
        features: extent,
        window: 1,
        stride: 1,
        pad: 0,
        is_finished: true,
    };
    let window = |extent, channels| Layer {
        name: "3x3",
        image: [extent; 2],
        channels,
        features: channels,
        window: 3,
        stride: 1,
        pad: 1,
        is_finished: true,
    };
    let cases = [
        ("edge-8", product(128), 0.5),
        ("tile-16", product(256), 0.85),
        ("tile-16", window(28, 64), 0.9),
        ("tile-16", Layer { window: 1, pad: 0, ..window(56, 64) }, 0.85),
        ("tile-16", window(14, 128), 0.9),
        ("matrix-128", product(1024), 0.75),
        ("matrix-128", window(28, 128), 0.6),
        ("mesh-4", product(128), 0.8),
        ("mesh-4", window(14, 32), 0.7),
    ];
    for (name, layer, least) in cases {
        let target = target(name);
        let compiled = compile(&target, &layer.text(), |_| 0).unwrap_or_else(|| panic!("{name}, {layer:?}"));
        let report = Simulation::new(&target.machine, &compiled.program).unwrap().time();
        let (cycles, predicted) = (report.cycles as f64, compiled.predicted as f64);
        let reached = report.lower_bound.cycles as f64 / cycles;
        assert!(
            (predicted / cycles - 1.0).abs() < 0.15 && reached > least,
            "{name}, {layer:?}: {predicted} cycles predicted, {cycles} simulated, {reached} of the bound"
        );
    }
}

/// A plan that fits nowhere is none: types that the array has not, and sums of one row that are larger than their memory.
#[test]
fn what_does_not_fit_is_refused() {
    let text = "func.func @layer(%a: tensor<8x8xf32>, %b: tensor<8x8xf32>) -> tensor<8x8xf32> {\n\
                %c = linalg.matmul ins(%a, %b : tensor<8x8xf32>, tensor<8x8xf32>) outs(%a : tensor<8x8xf32>) -> tensor<8x8xf32>\n\
                return %c : tensor<8x8xf32>\n}\n";
    assert!(compile(&target("tile-16"), text, |_| 0).is_none());
}
