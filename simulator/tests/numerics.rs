//! What instructions compute, against exact arithmetic and against numbers from NumPy.

mod support;

use dl_runtime::Array;
use dl_simulator::{Machine, Simulation};
use half::bf16;
use proptest::prelude::*;
use support::{program, tiny};

fn run(machine: &Machine, text: &str, inputs: &[Array]) -> Vec<Array> {
    let program = program(text);
    let simulation = Simulation::new(machine, &program).unwrap_or_else(|fault| panic!("{fault}"));
    simulation.execute(inputs).unwrap_or_else(|error| panic!("{error}"))
}

/// `y = x` with some vector instruction in between, on 2 x 4 elements: `op` works from `sp+0` to `sp+512`.
fn vector(op: &str, from: &str, to: &str, x: &Array) -> Array {
    let (bytes_from, bytes_to) = (size(from), size(to));
    let text = format!(
        "program p\nmemory sp\nbuffer x input {from}[2x4]\nbuffer y output {to}[2x4]\ncore 0\n\
         load t0 {from}[1x2x4] sp+0[0,{},{bytes_from}] from x+0[0,{},{bytes_from}]\n{op} after t0\n\
         store {to}[1x2x4] y+0[0,{},{bytes_to}] from sp+512[0,{},{bytes_to}] after t1\n",
        4 * bytes_from,
        4 * bytes_from,
        4 * bytes_to,
        4 * bytes_to
    );
    run(&tiny(&[]), &text, std::slice::from_ref(x)).remove(0)
}

fn size(name: &str) -> u64 {
    name.parse::<dl_simulator::ElementType>().unwrap().size()
}

const MATMUL: &str = "program p\nmemory sp\nmemory acc\nbuffer a input i8[6x7]\nbuffer b input i8[7x4]\nbuffer c output i32[6x4]\ncore 0\n\
    load i8[1x6x7] sp+0[0,8,1] from a+0[0,7,1]\nload t0 i8[1x7x4] sp+256[0,4,1] from b+0[0,4,1]\n\
    matmul i8*i8->i32 6x4x4 acc+0[16] = sp+0[8] * sp+256[4] after t0\n\
    matmul t1 i8*i8->i32 6x4x3 acc+0[16] += sp+4[8] * sp+272[4]\n\
    store i32[1x6x4] c+0[0,16,4] from acc+0[0,16,4] after t1\n";

proptest! {
    #[test]
    fn integer_products_are_exact(a in prop::collection::vec(any::<i8>(), 42), b in prop::collection::vec(any::<i8>(), 28)) {
        let inputs = [Array::from_slice(&[6, 7], &a).unwrap(), Array::from_slice(&[7, 4], &b).unwrap()];
        let c = run(&tiny(&[]), MATMUL, &inputs).remove(0);
        let expected: Vec<i32> = (0..24)
            .map(|at| (0..7).map(|k| i32::from(a[at / 4 * 7 + k]) * i32::from(b[k * 4 + at % 4])).sum())
            .collect();
        prop_assert_eq!(c.as_slice::<i32>().unwrap(), &expected[..]);
    }

    /// What moves there and back, padded and transposed, is what it was.
    #[test]
    fn transfers_move_every_element(data in prop::collection::vec(any::<i8>(), 24)) {
        let text = "program p\nmemory sp\nbuffer x input i8[2x3x4]\nbuffer y output i8[4x5x4]\nbuffer z output i8[4x3]\ncore 0\n\
            load t0 i8[2x3x4] sp+0[20,4,1] from x+0[12,4,1] pad [1,1,0] [1,1,0] 0x9c\n\
            store i8[4x5x4] y+0[20,4,1] from sp+0[20,4,1] after t0\n\
            store i8[1x4x3] z+0[0,3,1] from sp+24[0,1,4] after t0\n";
        let outputs = run(&tiny(&[]), text, &[Array::from_slice(&[2, 3, 4], &data).unwrap()]);
        let padded: Vec<i8> = (0..80)
            .map(|at| match (at / 20, at / 4 % 5, at % 4) {
                (plane @ 1..=2, row @ 1..=3, column) => data[(plane - 1) * 12 + (row - 1) * 4 + column],
                _ => -100,
            })
            .collect();
        prop_assert_eq!(outputs[0].as_slice::<i8>().unwrap(), &padded[..]);
        let transposed: Vec<i8> = (0..12).map(|at| data[at % 3 * 4 + at / 3]).collect();
        prop_assert_eq!(outputs[1].as_slice::<i8>().unwrap(), &transposed[..]);
    }
}

/// Sums of floats are rounded after every term, in order: 2^24 + 1 + 1 stays 2^24, and 1 + 1 + 2^24 does not.
#[test]
fn float_sums_are_in_order() {
    let text = "program p\nmemory sp\nmemory acc\nbuffer a input f32[2x3]\nbuffer b input f32[3x1]\nbuffer c output f32[2x1]\ncore 0\n\
        load f32[1x2x3] sp+0[0,12,4] from a+0[0,12,4]\nload t0 f32[1x3x1] sp+256[0,4,4] from b+0[0,4,4]\n\
        matmul t1 f32*f32->f32 2x1x3 acc+0[16] = sp+0[12] * sp+256[4] after t0\n\
        store f32[1x2x1] c+0[0,4,4] from acc+0[0,16,4] after t1\n";
    let big = 2.0_f32.powi(24);
    let inputs = [
        Array::from_slice(&[2, 3], &[big, 1.0, 1.0, 1.0, 1.0, big]).unwrap(),
        Array::from_slice(&[3, 1], &[1.0_f32; 3]).unwrap(),
    ];
    let c = run(&tiny(&[]), text, &inputs).remove(0);
    assert_eq!(c.as_slice::<f32>().unwrap(), [big, big + 2.0]);
}

/// Products of bfloat16 are exact in f32: 1.0078125 squared is 1.01568603515625.
#[test]
fn bfloat16_products_are_exact() {
    let text = "program p\nmemory sp\nmemory acc\nbuffer a input bf16[1x2]\nbuffer b input bf16[2x1]\nbuffer c output f32[1x1]\ncore 0\n\
        load bf16[1x1x2] sp+0[0,4,2] from a+0[0,4,2]\nload t0 bf16[1x2x1] sp+256[0,2,2] from b+0[0,2,2]\n\
        matmul t1 bf16*bf16->f32 1x1x2 acc+0[16] = sp+0[4] * sp+256[2] after t0\n\
        store f32[1x1x1] c+0[0,4,4] from acc+0[0,16,4] after t1\n";
    let values = [bf16::from_f32(1.007_812_5), bf16::from_f32(3.0)];
    let inputs = [Array::from_slice(&[1, 2], &values).unwrap(), Array::from_slice(&[2, 1], &values).unwrap()];
    assert_eq!(run(&tiny(&[]), text, &inputs)[0].as_slice::<f32>().unwrap(), [10.015_686]);
}

#[test]
fn narrow_integers_saturate() {
    let x = Array::from_slice(&[2, 4], &[100_i8, -100, 127, -128, 1, 0, -1, 64]).unwrap();
    let doubled = vector("add t1 i8 2x4 sp+512[4,1] = sp+0[4,1] sp+0[4,1]", "i8", "i8", &x);
    assert_eq!(doubled.as_slice::<i8>().unwrap(), [127, -128, 127, -128, 2, 0, -2, 127]);
}

/// numpy: `np.clip(np.rint(x * np.float32(0.1)) + 5, -128, 127)`; `np.rint` rounds halves to even.
#[test]
fn requantization_with_floats() {
    let x = Array::from_slice(&[2, 4], &[5_i32, 15, 25, -25, 1000, 2000, -3000, 0]).unwrap();
    let y = vector("requantize t1 i32->i8 2x4 sp+512[4,1] = sp+0[16,4] zero-point 5 float 0.1", "i32", "i8", &x);
    assert_eq!(y.as_slice::<i8>().unwrap(), [5, 7, 7, 3, 105, 127, -128, 5]);
}

/// A factor of 0.1 as TFLite has it: 1717986918 * 2^-3 * 2^-31 = 0.1 (0.8 and a shift of -3). Halves go away from zero but for the first rounding, of
/// which there is none here: 5 * 0.8 = 4, 4 / 8 = 0.5, which is 1.
#[test]
fn requantization_with_integers() {
    let x = Array::from_slice(&[2, 4], &[5_i32, 15, 25, -25, 1000, 2000, -3000, 0]).unwrap();
    let op = "requantize t1 i32->i8 2x4 sp+512[4,1] = sp+0[16,4] zero-point 5 fixed 1717986918 -3";
    let y = vector(op, "i32", "i8", &x);
    assert_eq!(y.as_slice::<i8>().unwrap(), [6, 7, 8, 2, 105, 127, -128, 5]);
}

/// NumPy: `np.exp(x.astype(np.float64)).astype(np.float32)`, printed in full.
#[test]
fn elementary_functions_are_rounded_once() {
    let x = Array::from_slice(&[2, 4], &[0.0_f32, 1.0, -1.0, 0.5, 10.0, -20.0, 88.0, 200.0]).unwrap();
    let y = vector("exp t1 f32->f32 2x4 sp+512[16,4] = sp+0[16,4]", "f32", "f32", &x);
    let expected =
        [1.0_f32, 2.718_281_7, 0.367_879_44, 1.648_721_2, 22_026.465, 2.061_153_6e-9, 1.651_636_3e38, f32::INFINITY];
    assert_eq!(y.as_slice::<f32>().unwrap(), expected);
}

/// NumPy: in `np.float32` but for `exp`, `sqrt` and `math.erf`, whose results are rounded to it. In one step, some of each line are off by a unit in the last place.
#[test]
fn formulas_are_rounded_at_each_step() {
    let apply = |op: &str, x: [f32; 8]| {
        let y = vector(op, "f32", "f32", &Array::from_slice(&[2, 4], &x).unwrap());
        y.as_slice::<f32>().unwrap().to_vec()
    };
    let x = [1.0, 3.0, -0.5, 7.0, 1e-3, 2.25, -10.0, 1e30];
    let thirds = apply("div t1 f32 2x4 sp+512[16,4] = sp+0[16,4] sp+4[0,0]", x);
    assert_eq!(
        thirds,
        [0.333_333_34, 1.0, -0.166_666_67, 2.333_333_3, 0.000_333_333_36, 0.75, -3.333_333_3, 3.333_333_4e29]
    );
    let gelu = apply("gelu t1 f32->f32 2x4 sp+512[16,4] = sp+0[16,4]", x);
    assert_eq!(gelu, [0.841_344_7, 2.995_950_2, -0.154_268_77, 7.0, 0.000_500_399, 2.222_495, -0.0, 1e30]);
    let x = [0.1, 3.0, -0.5, 7.0, -1e-3, 2.25, -10.0, -100.0];
    let sigmoid = apply("sigmoid t1 f32->f32 2x4 sp+512[16,4] = sp+0[16,4]", x);
    let expected = [0.524_979_2, 0.952_574_13, 0.377_540_68, 0.999_089, 0.499_750_02, 0.904_650_5, 4.539_787_2e-5, 0.0];
    assert_eq!(sigmoid, expected);
    let x = [0.1, 3.0, 0.5, 7.0, 1e-3, 2.25, 10.0, 1e30];
    let rsqrt = apply("rsqrt t1 f32->f32 2x4 sp+512[16,4] = sp+0[16,4]", x);
    let expected = [
        3.162_277_7,
        0.577_350_26,
        std::f32::consts::SQRT_2,
        0.377_964_5,
        31.622_774,
        0.666_666_7,
        0.316_227_76,
        1e-15,
    ];
    assert_eq!(rsqrt, expected);
}

#[test]
fn pools_and_reductions() {
    let text = |op: &str, rows: u32, columns: u32, to: &str| {
        let size = size(to);
        format!(
            "program p\nmemory sp\nbuffer x input i8[6x2]\nbuffer y output {to}[{rows}x{columns}]\ncore 0\n\
             load t0 i8[1x6x2] sp+0[0,2,1] from x+0[0,2,1]\n{op} after t0\n\
             store {to}[1x{rows}x{columns}] y+0[0,{},{size}] from sp+512[0,{},{size}] after t1\n",
            u64::from(columns) * size,
            u64::from(columns) * size
        )
    };
    // An image of 2 x 3 pixels with two channels.
    let x = [Array::from_slice(&[6, 2], &[1_i8, -1, 2, -2, 3, -3, 10, -10, 20, -20, 30, -30]).unwrap()];
    let machine = tiny(&[]);
    let image = "2x2 sp+512[2,1] = sp+0[2,1] image 2x3 window 2x2 steps 1x1";
    let max = run(&machine, &text(&format!("pool-max t1 i8 {image}"), 2, 2, "i8"), &x);
    assert_eq!(max[0].as_slice::<i8>().unwrap(), [20, -1, 30, -2]);
    // 33 / 4 = 8.25 and 55 / 4 = 13.75.
    let mean = run(&machine, &text(&format!("pool-average t1 i8 {image}"), 2, 2, "i8"), &x);
    assert_eq!(mean[0].as_slice::<i8>().unwrap(), [8, -8, 14, -14]);
    let sums = run(&machine, &text("reduce-sum t1 i8->i32 6x2 sp+512[4,4] = sp+0[2,1]", 6, 1, "i32"), &x);
    assert_eq!(sums[0].as_slice::<i32>().unwrap(), [0; 6]);
    // Along columns: rows and columns change places.
    let sums = run(&machine, &text("reduce-sum t1 i8->i32 2x6 sp+512[4,4] = sp+0[1,2]", 2, 1, "i32"), &x);
    assert_eq!(sums[0].as_slice::<i32>().unwrap(), [66, -66]);
}

/// A scale for each column, and a row that is added to each: a stride of zero.
#[test]
fn columns_have_their_own() {
    let text = "program p\nmemory sp\nbuffer x input i32[2x3]\nbuffer s input f32[3]\nbuffer b input i32[3]\nbuffer y output i8[2x3]\ncore 0\n\
        load i32[1x2x3] sp+0[0,12,4] from x+0[0,12,4]\nload i32[1x1x3] sp+64[0,0,4] from b+0[0,0,4]\n\
        load t0 f32[1x1x3] sp+128[0,0,4] from s+0[0,0,4]\n\
        add i32 2x3 sp+0[12,4] = sp+0[12,4] sp+64[0,4] after t0\n\
        requantize t1 i32->i8 2x3 sp+512[3,1] = sp+0[12,4] sp+128[4,4] zero-point 0 float-per-column\n\
        store i8[1x2x3] y+0[0,3,1] from sp+512[0,3,1] after t1\n";
    let inputs = [
        Array::from_slice(&[2, 3], &[10_i32, 20, 30, 40, 50, 60]).unwrap(),
        Array::from_slice(&[3], &[1.0_f32, 0.5, 0.25]).unwrap(),
        Array::from_slice(&[3], &[1_i32, 2, 6]).unwrap(),
    ];
    assert_eq!(run(&tiny(&[]), text, &inputs)[0].as_slice::<i8>().unwrap(), [11, 11, 9, 41, 26, 16]);
}

/// The array holds weights as they were when they were loaded.
#[test]
fn resident_weights_are_those_that_were_loaded() {
    let text = "program p\nmemory sp\nmemory acc\nbuffer a input i8[2x1]\nbuffer b input i8[1x1]\nbuffer c output i32[2x1]\ncore 0\n\
        load i8[1x2x1] sp+0[0,4,1] from a+0[0,1,1]\nload t0 i8[1x1x1] sp+256[0,4,1] from b+0[0,1,1]\n\
        matmul i8*i8->i32 1x1x1 acc+0[16] = sp+0[4] * sp+256[4] after t0\n\
        add i8 1x1 sp+256[4,1] = sp+256[4,1] sp+256[4,1]\n\
        matmul t1 i8*i8->i32 1x1x1 acc+16[16] = sp+4[4] * sp+256[4] resident\n\
        store i32[1x2x1] c+0[0,4,4] from acc+0[0,16,4] after t1\n";
    let inputs = [Array::from_slice(&[2, 1], &[3_i8, 5]).unwrap(), Array::from_slice(&[1, 1], &[7_i8]).unwrap()];
    assert_eq!(run(&tiny(&[]), text, &inputs)[0].as_slice::<i32>().unwrap(), [21, 35]);
}
