//! Chains for the vector unit: what every plan of them computes, and how near the predictions are.

#[path = "support/rows.rs"]
mod networks;
mod support;

use dl_runtime::Array;
use dl_simulator::Simulation;
use proptest::prelude::*;
use support::{compile_rows, target, targets};

proptest! {
    #![proptest_config(ProptestConfig::with_cases(32))]

    /// Whatever the extents and the plan, there is no race, and sums are exact.
    #[test]
    fn every_plan_is_right(rows in 1_u64..40, columns in 2_u64..70, pick in any::<prop::sample::Index>(), seed in any::<u32>()) {
        let value = |at: u64| ((at * 0x9e37 + u64::from(seed)) % 2003) as i32 - 1000;
        let x: Vec<i32> = (0..rows * columns).map(value).collect();
        let r: Vec<i32> = (0..rows).map(|at| value(at + 7)).collect();
        let c: Vec<i32> = (0..columns).map(|at| value(at + 13)).collect();
        let y: Vec<i32> = (0..rows * columns)
            .map(|at| 3 * x[at as usize] + r[(at / columns) as usize] + c[(at % columns) as usize])
            .collect();
        let s: Vec<i32> = y.chunks(columns as usize).map(|row| row.iter().sum()).collect();
        for target in targets() {
            let Some(compiled) = compile_rows(&target, &networks::affine_sums(rows, columns), |count| pick.index(count)) else {
                continue;
            };
            let simulation = Simulation::new(&target.machine, &compiled.program);
            let simulation = simulation.unwrap_or_else(|fault| panic!("{}: {fault:?}", target.machine.name));
            let inputs = [
                Array::from_slice(&[rows as usize, columns as usize], &x).unwrap(),
                Array::from_slice(&[rows as usize], &r).unwrap(),
                Array::from_slice(&[columns as usize], &c).unwrap(),
            ];
            let outputs = simulation.execute(&inputs).unwrap_or_else(|error| panic!("{}: {error}", target.machine.name));
            prop_assert_eq!(outputs[0].as_slice::<i32>().unwrap(), &y[..]);
            prop_assert_eq!(outputs[1].as_slice::<i32>().unwrap(), &s[..]);
        }
    }
}

/// The cost model is within 15 % of the simulator.
#[test]
fn predictions_are_near() {
    let cases = [
        ("edge-8", networks::residual(196, 128)),
        ("edge-8", networks::pooling(15, 64)),
        ("edge-8", networks::depthwise(16, 64, 1)),
        ("tile-16", networks::residual(784, 128)),
        ("tile-16", networks::pooling(29, 64)),
        ("tile-16", networks::depthwise(30, 64, 1)),
        ("tile-16", networks::softmax(256, 128)),
        ("tile-16", networks::layer_norm(64, 768)),
        ("matrix-128", networks::residual(784, 512)),
        ("matrix-128", networks::depthwise(58, 128, 1)),
        ("matrix-128", networks::softmax(1536, 128)),
        ("matrix-128", networks::layer_norm(128, 768)),
        ("mesh-4", networks::residual(784, 128)),
        ("mesh-4", networks::depthwise(30, 64, 2)),
        ("mesh-4", networks::softmax(256, 128)),
    ];
    let mut far = Vec::new();
    for (name, text) in cases {
        let target = target(name);
        let first = text.lines().next().unwrap_or_default().to_owned();
        let compiled = compile_rows(&target, &text, |_| 0).unwrap_or_else(|| panic!("{name}: {text}"));
        let report = Simulation::new(&target.machine, &compiled.program).unwrap().time();
        let (cycles, predicted) = (report.cycles as f64, compiled.predicted as f64);
        let reached = report.lower_bound.cycles as f64 / cycles;
        if (predicted / cycles - 1.0).abs() > 0.15 {
            far.push(format!(
                "{name}, {first}: {predicted} cycles predicted, {cycles} simulated, {reached:.2} of the bound"
            ));
        }
    }
    assert!(far.is_empty(), "{far:#?}");
}
