//! Random programs on the interpreter and compiled: where the interpreter finds nothing undefined, all must compute the same.

use dl_driver::backend::{Backends, Interpreter};
use dl_driver::codegen::CodegenOptions;
use dl_driver::program::Program;
use dl_fuzz::generate::{Level, program};
use dl_ir::Diagnostics;
use dl_ir::pass::PassRegistry;
use dl_runtime::call::EntryPoint;
use dl_runtime::{ArgType, Array, DType};
use fastrand::Rng;

/// Programs of each level, and how many of them go to LLVM as well, where this build has it: it takes its time.
const PROGRAMS: u64 = 40;
const FOR_LLVM: u64 = 4;
/// Inputs of each program.
const INPUTS: u64 = 3;
/// Operations that the interpreter runs at most.
const STEPS: u64 = 200_000;

/// Arguments, the same after the call, and what came back.
type Case = (Vec<Array>, Vec<Array>, Vec<Array>);

/// An argument of this type. Numbers are small, so that loops end soon and indices are in range, and halves, so that sums are exact in any order.
fn argument(ty: &ArgType, rng: &mut Rng) -> Array {
    let (dtype, shape) = match ty {
        ArgType::Scalar(dtype) => (*dtype, Vec::new()),
        ArgType::MemRef { dtype, shape } => {
            (*dtype, shape.iter().map(|extent| extent.unwrap_or_else(|| rng.usize(0..6))).collect())
        }
    };
    let mut array = Array::zeros(dtype, &shape).expect("a small array");
    for element in array.bytes_mut().chunks_exact_mut(dtype.size()) {
        let value = rng.i8(-4..9);
        let bytes = match dtype {
            DType::F32 => (f32::from(value) / 2.0).to_le_bytes().to_vec(),
            DType::F64 => (f64::from(value) / 2.0).to_le_bytes().to_vec(),
            DType::F16 => half::f16::from_f32(value.into()).to_bits().to_le_bytes().to_vec(),
            DType::BF16 => half::bf16::from_f32(value.into()).to_bits().to_le_bytes().to_vec(),
            DType::Bool => vec![u8::from(value > 0)],
            _ => i64::from(value).to_le_bytes().to_vec(),
        };
        element.copy_from_slice(&bytes[..element.len()]);
    }
    array
}

/// Whether two arrays have the same elements, any NaN being as any other.
fn same(a: &Array, b: &Array) -> bool {
    let is_nan = |bytes: &[u8]| match a.dtype() {
        DType::F32 => bytemuck::pod_read_unaligned::<f32>(bytes).is_nan(),
        DType::F64 => bytemuck::pod_read_unaligned::<f64>(bytes).is_nan(),
        DType::F16 => bytemuck::pod_read_unaligned::<half::f16>(bytes).is_nan(),
        DType::BF16 => bytemuck::pod_read_unaligned::<half::bf16>(bytes).is_nan(),
        _ => false,
    };
    let size = a.dtype().size();
    let mut elements = a.bytes().chunks_exact(size).zip(b.bytes().chunks_exact(size));
    a.shape() == b.shape() && elements.all(|(a, b)| a == b || (is_nan(a) && is_nan(b)))
}

/// Calls of a program in the interpreter that end well.
fn reference(text: &str, rng: &mut Rng) -> Result<Option<(EntryPoint, Vec<Case>)>, Diagnostics> {
    let cx = dl_tools::standard().context();
    let mut program = Program::parse(&cx, "random.mlir", text)?;
    let Ok(entry) = program.entry(Some("main")) else { return Ok(None) };
    let options = CodegenOptions::default();
    let mut backends = Backends::standard();
    backends.add(Box::new(Interpreter { steps: Some(STEPS) }));
    let loaded = backends.find("interpreter")?.load(&mut program, entry.clone(), &options)?;
    let mut cases = Vec::new();
    for _ in 0..INPUTS {
        let args: Vec<Array> = entry.signature.inputs.iter().map(|ty| argument(ty, rng)).collect();
        let mut after = args.clone();
        if let Ok(results) = loaded.run(&mut after) {
            cases.push((args, after, results));
        }
    }
    drop(loaded);
    Ok(Some((entry, cases)))
}

/// Compiles a program, and says which of the cases differ.
fn differences(text: &str, back_end: &str, entry: &EntryPoint, cases: &[Case]) -> Result<Vec<String>, Diagnostics> {
    let registry = dl_tools::standard();
    let (cx, passes): (_, &PassRegistry) = (registry.context(), &registry.passes);
    let (backends, options) = (Backends::standard(), CodegenOptions::default());
    let backend = backends.find(back_end)?;
    let mut program = Program::parse(&cx, "random.mlir", text)?;
    program.lower_for(backend, passes, &options, 1)?;
    let loaded = backend.load(&mut program, entry.clone(), &options)?;
    let mut found = Vec::new();
    for (args, after, expected) in cases {
        let mut changed = args.clone();
        let results = loaded.run(&mut changed)?;
        let agree = results.len() == expected.len() && results.iter().zip(expected).all(|(a, b)| same(a, b));
        if !agree || !changed.iter().zip(after).all(|(a, b)| same(a, b)) {
            found.push(format!("of {args:?}: {results:?}, not {expected:?}; arguments {changed:?}, not {after:?}"));
        }
    }
    Ok(found)
}

/// How many calls were compared.
fn compare(level: Level, seed: u64, back_ends: &[&str]) -> Result<usize, String> {
    let mut rng = Rng::with_seed(seed);
    let text = program(level, &mut rng);
    let fail = |what: String| format!("{} {seed}: {what}\n{text}", level.name());
    let Some((entry, cases)) = reference(&text, &mut rng).map_err(|why| fail(format!("not interpreted: {why:?}")))?
    else {
        return Ok(0);
    };
    if cases.is_empty() {
        return Ok(0);
    }
    for back_end in back_ends {
        match differences(&text, back_end, &entry, &cases) {
            Ok(found) if found.is_empty() => {}
            Ok(found) => return Err(fail(format!("{back_end} differs {}", found.join("\n")))),
            // A function that is only declared.
            Err(why) if format!("{why:?}").contains("outside") => return Ok(0),
            Err(why) => return Err(fail(format!("{back_end}: {why:?}"))),
        }
    }
    Ok(cases.len())
}

#[test]
fn random_programs_compute_the_same() {
    let has_llvm = Backends::standard().find("llvm").is_ok();
    let mut failures = Vec::new();
    // What takes or returns vectors, as most functions of the last level do, cannot be called from outside.
    for level in Level::ALL.into_iter().filter(|&level| level != Level::Vectors) {
        let mut compared = 0;
        for seed in 0..PROGRAMS {
            let back_ends: &[&str] = if has_llvm && seed < FOR_LLVM { &["cranelift", "llvm"] } else { &["cranelift"] };
            match compare(level, seed, back_ends) {
                Ok(count) => compared += count,
                Err(why) => failures.push(why),
            }
        }
        if compared as u64 <= PROGRAMS / 2 {
            failures.push(format!("{}: only {compared} calls could be compared", level.name()));
        }
    }
    assert!(failures.is_empty(), "{} programs differ\n{}", failures.len(), failures.join("\n"));
}
