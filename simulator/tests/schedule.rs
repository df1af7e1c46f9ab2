//! Products of matrices: what they compute, and how near the cycles that were predicted are to those that are simulated.

mod support;

use dl_runtime::Array;
use dl_simulator::machine::MatrixTypes;
use dl_simulator::schedule::{Product, Schedule, schedules};
use dl_simulator::timing::Report;
use dl_simulator::{ElementType, Machine, Program, Simulation};
use proptest::prelude::*;
use support::{target, tiny};

const INTEGERS: MatrixTypes = MatrixTypes { lhs: ElementType::I8, rhs: ElementType::I8, accumulator: ElementType::I32 };

fn product(m: u64, n: u64, k: u64) -> Product {
    Product { m, n, k, types: INTEGERS }
}

fn time(machine: &Machine, program: &Program) -> Report {
    Simulation::new(machine, program).unwrap_or_else(|fault| panic!("{fault}")).time()
}

/// The machines of the examples, and one that only a text here describes.
fn machines() -> Vec<Machine> {
    let examples = ["edge-8", "tile-16", "matrix-128", "mesh-4"].map(|name| target(&format!("{name}.toml")));
    let mut machines = examples.to_vec();
    machines.push(tiny(&[]));
    machines.push(tiny(&[
        ("weight-stationary", "output-stationary"),
        ("double-buffered = true", "double-buffered = false"),
    ]));
    machines
}

/// Runs a schedule on small integers; the result is that of exact arithmetic.
fn check(machine: &Machine, schedule: &Schedule, seed: u64) -> Result<(), TestCaseError> {
    let Product { m, n, k, .. } = schedule.product;
    let program = schedule.program(machine).unwrap();
    let simulation = Simulation::new(machine, &program).map_err(|fault| {
        TestCaseError::fail(format!("{}, block {:?}: {fault}\n{program}", machine.name, schedule.block))
    })?;
    let value = |at: u64, factor: u64| (at.wrapping_mul(factor).wrapping_add(seed) >> 3) as i8;
    let a: Vec<i8> = (0..m * k).map(|at| value(at, 0x9e37_79b9)).collect();
    let b: Vec<i8> = (0..k * n).map(|at| value(at, 0x85eb_ca6b)).collect();
    let inputs = [
        Array::from_slice(&[m as usize, k as usize], &a).unwrap(),
        Array::from_slice(&[k as usize, n as usize], &b).unwrap(),
    ];
    let outputs = simulation.execute(&inputs).map_err(|error| TestCaseError::fail(format!("{error}\n{program}")))?;
    let at = |i: u64, j: u64| -> i32 {
        (0..k).map(|l| i32::from(a[(i * k + l) as usize]) * i32::from(b[(l * n + j) as usize])).sum()
    };
    let expected: Vec<i32> = (0..m * n).map(|index| at(index / n, index % n)).collect();
    prop_assert!(outputs[0].as_slice::<i32>() == Some(&expected[..]), "{}, block {:?}", machine.name, schedule.block);
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(6))]

    /// Every schedule of a product, whatever its extents, has no race and computes the product.
    #[test]
    fn every_schedule_is_right(m in 1_u64..34, n in 1_u64..34, k in 1_u64..34, pick in any::<prop::sample::Index>(), seed in any::<u64>()) {
        for machine in machines() {
            let all = schedules(&machine, product(m, n, k)).unwrap();
            check(&machine, &all[0], seed)?;
            check(&machine, pick.get(&all), seed)?;
        }
    }
}

/// The cost model is within 15 % of the simulator, and what is chosen keeps the array at work where a product is large enough to hide transfers.
#[test]
fn predictions_are_near_and_large_products_near_the_bound() {
    let cases = [
        ("edge-8", 128, 0.6),
        ("tile-16", 128, 0.75),
        ("tile-16", 256, 0.95),
        ("matrix-128", 512, 0.75),
        ("mesh-4", 128, 0.85),
    ];
    for (name, extent, least) in cases {
        let machine = target(&format!("{name}.toml"));
        let schedule = &schedules(&machine, product(extent, extent, extent)).unwrap()[0];
        let report = time(&machine, &schedule.program(&machine).unwrap());
        let error = schedule.prediction.cycles as f64 / report.cycles as f64 - 1.0;
        let reached = report.lower_bound.cycles as f64 / report.cycles as f64;
        assert!(
            error.abs() < 0.15,
            "{name}, {extent}: {} cycles predicted, {} simulated",
            schedule.prediction.cycles,
            report.cycles
        );
        assert!(reached > least, "{name}, {extent}: {reached} of the bound");
    }
}

#[test]
fn what_does_not_fit_is_refused() {
    let machine = tiny(&[]);
    let floats = MatrixTypes { lhs: ElementType::F16, rhs: ElementType::F16, accumulator: ElementType::F32 };
    let error = |product| schedules(&machine, product).unwrap_err();
    assert_eq!(error(Product { types: floats, ..product(4, 4, 4) }), "machine 'tiny' has no products f16*f16->f32");
    assert_eq!(error(product(0, 4, 4)), "expected extents from 1 to 1048576, but got 0x4x4");
    assert_eq!(
        error(product(256, 256, 256)),
        "the matrices of a product 256x256x256 do not fit 'dram', which has 65536 bytes"
    );
}
