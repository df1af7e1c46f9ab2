//! What this machine can do at best, measured: multiply-adds and copies. The roofline of a report.
//!
//! The peak of arithmetic is that of a loop with as many independent multiply-adds as hide their latency, compiled by the back end that the program
//! is compiled by. Source of the model: Williams, Waterman and Patterson, "Roofline", CACM 2009.

use std::fmt::Write as _;
use std::thread;
use std::time::{Duration, Instant};

use dl_ir::pass::PassRegistry;
use dl_ir::{Context, Diagnostics};
use dl_machine::Machine;
use dl_runtime::{Array, DType};
use dl_tools_support::messages;

use crate::backend::Backend;
use crate::codegen::{CodegenOptions, KernelFacts};
use crate::program::Program;

/// Most bytes that are copied to see how fast memory is.
const MEMORY: u64 = 64 << 20;
/// Iterations of the loop of multiply-adds: some tens of microseconds.
const ITERATIONS: i64 = 10_000;
/// How often each thing is tried; the best counts.
const TRIES: usize = 20;

/// What a machine can do at best with some threads.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Ceilings {
    /// Operations of f32 a second, a multiply-add being two.
    pub(crate) f32_rate: f64,
    /// How many times as many operations there are of these types.
    factors: Vec<(&'static str, f64)>,
    /// Bytes a second, read and written ones together, of copies between buffers that have so many bytes together, the smallest first.
    pub(crate) copies: Vec<(u64, f64)>,
}

impl Ceilings {
    /// Measures this machine, with code by `backend`. Takes some tens of milliseconds.
    ///
    /// # Errors
    /// What the back end says of the loop of multiply-adds.
    pub(crate) fn measure(
        cx: &Context,
        passes: &PassRegistry,
        backend: &dyn Backend,
        options: &CodegenOptions,
        threads: usize,
    ) -> Result<Self, Diagnostics> {
        let machine = dl_machine::host();
        let options = CodegenOptions { kernels: KernelFacts::None, deny: Vec::new(), ..options.clone() };
        // A back end may have less than the machine: narrow vectors are tried as well.
        let wide = (u64::from(machine.lanes(32).max(1)), u64::from(machine.vector_registers) * 3 / 4);
        let mut peak = 0.0_f64;
        for (lanes, registers) in [wide, (4, 12)] {
            peak = peak.max(multiply_adds(cx, passes, backend, &options, lanes, registers.max(1))?);
        }
        let copies = sizes(&machine).into_iter().map(|size| (size, copy(size, threads))).collect();
        Ok(Self { f32_rate: peak * threads as f64, factors: factors(&machine), copies })
    }

    /// Operations a second of a type.
    pub(crate) fn rate(&self, ty: &str) -> f64 {
        let factor = self.factors.iter().find(|(known, _)| *known == ty).map_or(1.0, |(_, factor)| *factor);
        self.f32_rate * factor
    }

    /// Bytes a second of a kernel that touches so many.
    pub(crate) fn bandwidth(&self, bytes: u64) -> f64 {
        let fitting = self.copies.iter().find(|(size, _)| bytes <= *size).or(self.copies.last());
        fitting.map_or(f64::INFINITY, |(_, rate)| *rate)
    }

    /// The least time for this work: that of arithmetic or that of memory, whichever is longer.
    pub(crate) fn least_time(&self, operations: &[(String, u64)], bytes: u64) -> Duration {
        let arithmetic: f64 = operations.iter().map(|(ty, count)| *count as f64 / self.rate(ty)).sum();
        let memory = bytes as f64 / self.bandwidth(bytes);
        Duration::try_from_secs_f64(arithmetic.max(memory)).unwrap_or_default()
    }
}

/// What the instructions of a machine make faster or slower than arithmetic on f32. A product of matrices of 16 rows of 64 bytes in registers takes 16
/// cycles, in which there are 32 multiply-adds of vectors of as many bytes. Products and sums of `i32` may be those of widened integers of 16 bits, twice as
/// many at once.
fn factors(machine: &Machine) -> Vec<(&'static str, f64)> {
    let bytes = if machine.has_byte_dots() { 4.0 } else { 1.0 };
    let words = if machine.has_word_dots() { 2.0 } else { 1.0 };
    let bf16 = if machine.has("avx512bf16") { 2.0 } else { 1.0 };
    let f16 = if machine.has("avx512fp16") || machine.has("fullfp16") { 2.0 } else { 1.0 };
    let byte_matrices = if machine.has_byte_tiles() { 32.0 } else { bytes };
    let bf16_matrices = if machine.has_bf16_tiles() { 16.0 } else { bf16 };
    let matrices = [("matrix of i8", byte_matrices), ("matrix of bf16", bf16_matrices)];
    let vectors = [("f64", 0.5), ("i64", 0.5), ("i32", words), ("i8", bytes), ("bf16", bf16), ("f16", f16)];
    vectors.into_iter().chain(matrices).collect()
}

/// Sizes that lie in each of the caches, and one that lies in none.
fn sizes(machine: &Machine) -> Vec<u64> {
    let caches = [machine.l1d, machine.l2, machine.l3].map(|cache| cache.size / 2);
    let mut sizes: Vec<u64> = caches.into_iter().filter(|&size| size > 0 && size < MEMORY).collect();
    sizes.push(MEMORY);
    sizes.dedup();
    sizes
}

/// Bytes a second that threads read and write when each copies between two buffers of its own, of `size` bytes together.
fn copy(size: u64, threads: usize) -> f64 {
    let half = usize::try_from(size / 2).unwrap_or(usize::MAX).max(1);
    let repeats = usize::try_from((1_u64 << 20) / size.max(1)).unwrap_or(0) + 1;
    let one = || {
        let (from, mut to) = (vec![1_u8; half], vec![0_u8; half]);
        let time = || {
            let start = Instant::now();
            for _ in 0..repeats {
                to.copy_from_slice(std::hint::black_box(&from));
                std::hint::black_box(&to);
            }
            start.elapsed()
        };
        let tries = if size >= MEMORY { 4 } else { TRIES };
        let best = best(tries, time);
        2.0 * half as f64 * repeats as f64 / best.as_secs_f64().max(1e-9)
    };
    thread::scope(|scope| {
        let others: Vec<_> = (1..threads).map(|_| scope.spawn(one)).collect();
        one() + others.into_iter().map(|other| other.join().unwrap_or(0.0)).sum::<f64>()
    })
}

fn best(tries: usize, mut time: impl FnMut() -> Duration) -> Duration {
    (0..tries).map(|_| time()).min().unwrap_or_default()
}

/// Operations a second of a loop with so many multiply-adds of vectors.
fn multiply_adds(
    cx: &Context,
    passes: &PassRegistry,
    backend: &dyn Backend,
    options: &CodegenOptions,
    lanes: u64,
    registers: u64,
) -> Result<f64, Diagnostics> {
    let mut program = Program::parse(cx, "<peak of arithmetic>", &text(lanes, registers))?;
    let entry = program.entry(Some("peak"))?;
    program.lower_for(backend, passes, options, 1)?;
    let loaded = backend.load(&mut program, entry, options)?;
    let extent = usize::try_from(lanes).unwrap_or(1);
    let fault = |error: dl_runtime::ArrayError| messages::error(error.to_string());
    let data = Array::from_bytes(DType::F32, &[extent], &vec![0; 4 * extent]).map_err(fault)?;
    let mut arguments = vec![data];
    let mut call = loaded.prepare(&mut arguments)?;
    let time = best(TRIES, || {
        let start = Instant::now();
        call();
        start.elapsed()
    });
    let operations = 2.0 * (lanes * registers) as f64 * ITERATIONS as f64;
    Ok(operations / time.as_secs_f64().max(1e-9))
}

/// A program with a loop of `registers` independent multiply-adds of vectors.
fn text(lanes: u64, registers: u64) -> String {
    let vector = format!("vector<{lanes}xf32>");
    let list = |item: &dyn Fn(u64) -> String| (0..registers).map(item).collect::<Vec<_>>().join(", ");
    let mut text = format!(
        "func.func @peak(%data: memref<{lanes}xf32>) {{\n\
         %zero = arith.constant 0 : index\n%one = arith.constant 1 : index\n%count = arith.constant {ITERATIONS} : index\n\
         %x = vector.load %data[%zero] : memref<{lanes}xf32>, {vector}\n"
    );
    let (carried, types) = (list(&|i| format!("%a{i} = %x")), list(&|_| vector.clone()));
    let _ = writeln!(
        text,
        "%sums:{registers} = scf.for %i = %zero to %count step %one iter_args({carried}) -> ({types}) {{"
    );
    for i in 0..registers {
        let _ = writeln!(text, "%b{i} = vector.fma %x, %x, %a{i} : {vector}");
    }
    let _ = writeln!(text, "scf.yield {} : {types}\n}}", list(&|i| format!("%b{i}")));
    let mut sum = "%sums#0".to_owned();
    for i in 1..registers {
        let _ = writeln!(text, "%s{i} = arith.addf {sum}, %sums#{i} : {vector}");
        sum = format!("%s{i}");
    }
    let _ = writeln!(text, "vector.store {sum}, %data[%zero] : memref<{lanes}xf32>, {vector}\nreturn\n}}");
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ceilings() -> Ceilings {
        let copies = vec![(1000, 4e9), (10_000, 1e9)];
        Ceilings { f32_rate: 1e9, factors: vec![("i8", 4.0), ("f64", 0.5)], copies }
    }

    #[test]
    fn the_longer_of_arithmetic_and_memory_counts() {
        let nanos = |operations: &[(&str, u64)], bytes| {
            let operations: Vec<_> = operations.iter().map(|&(ty, count)| (ty.to_owned(), count)).collect();
            ceilings().least_time(&operations, bytes).as_nanos()
        };
        assert_eq!(nanos(&[("f32", 3000)], 1000), 3000);
        assert_eq!(nanos(&[("i8", 3000), ("f64", 100)], 1000), 950);
        assert_eq!(nanos(&[("f32", 3000)], 8000), 8000);
        // What fits into nothing that was measured moves at the speed of the largest.
        assert_eq!(nanos(&[], 20_000), 20_000);
    }

    #[test]
    fn matrix_registers_have_a_ceiling_of_their_own() {
        let factor = |cpu: &str, ty: &str| {
            let factors = factors(&dl_machine::named(cpu).unwrap());
            factors.into_iter().find(|(known, _)| *known == ty).map(|(_, factor)| factor)
        };
        // 2048 operations on bytes in a cycle, 256 with vectors, 64 on f32.
        assert_eq!(factor("sapphirerapids", "matrix of i8"), Some(32.0));
        assert_eq!(factor("sapphirerapids", "matrix of bf16"), Some(16.0));
        assert_eq!(factor("sapphirerapids", "i8"), Some(4.0));
        assert_eq!(factor("znver5", "matrix of i8"), Some(4.0));
    }

    #[test]
    fn sizes_grow() {
        let machine = dl_machine::named("znver5").unwrap();
        assert_eq!(sizes(&machine), [24 << 10, 512 << 10, 16 << 20, 64 << 20]);
        assert!(copy(1 << 10, 2) > 0.0);
    }
}
