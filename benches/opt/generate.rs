//! Modules of a wanted size in MLIR's text form, the same for the same arguments.
//!
//! An operation counts once, and so does a terminator that the pretty form leaves out. Functions count, the module does not.
//!
//! Text goes to the file as it is made: what this process holds at most when it starts another counts as memory of that one.

use std::fmt::Write as _;
use std::fs::File;
use std::io::{self, Write as _};
use std::path::Path;

use fastrand::Rng;

/// What the functions of a module are made of.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, clap::ValueEnum, Debug)]
pub(crate) enum Shape {
    /// One block of arithmetic, nothing in it folds.
    Straight,
    /// Regions in regions, 96 deep, with a few operations a level.
    Nested,
    /// Three of four operations are constants: scalars, splats, small dense ones.
    Constants,
    /// Half of the operations are computed twice, a quarter folds.
    Redundant,
    /// Arithmetic, loops, branches, `affine`, `memref`, `linalg`, several blocks.
    Mixed,
}

/// Bytes of text that are written at a time.
const PIECE: usize = 1 << 16;

/// How far back the values are that operations read.
const RECENT: usize = 24;

const DEPTH: usize = 96;
const FLOAT_OPS: [&str; 4] = ["arith.addf", "arith.mulf", "arith.subf", "arith.maximumf"];
const INT_OPS: [&str; 4] = ["arith.addi", "arith.muli", "arith.subi", "arith.xori"];

/// Makes a file with a module of about `ops` operations in `functions` functions of `shape`. Answers how many there are.
///
/// # Errors
/// If it cannot be written.
pub(crate) fn module(path: &Path, shape: Shape, ops: usize, functions: usize) -> io::Result<usize> {
    let mut file = File::create(path)?;
    file.write_all(b"#id = affine_map<(d0, d1) -> (d0, d1)>\n#row = affine_map<(d0, d1) -> (d0)>\nmodule {\n")?;
    let mut total = 0;
    for index in 0..functions {
        let seed = (index as u64) << 8 | shape as u64;
        let mut function = Function::new(&mut file, Rng::with_seed(seed), ops / functions);
        function.write(shape, index)?;
        total += function.ops;
    }
    file.write_all(b"}\n")?;
    Ok(total)
}

/// A function that is being written.
struct Function<'a> {
    file: &'a mut File,
    /// What has not been written yet.
    text: String,
    rng: Rng,
    /// How many operations it is to have.
    wanted: usize,
    ops: usize,
    values: usize,
    blocks: usize,
    /// At least the last [`RECENT`] values of either type.
    floats: Vec<String>,
    ints: Vec<String>,
}

/// Writes one operation: a line of the format, the terminator that is not printed included by `op!(self, 2, ...)`.
macro_rules! op {
    ($f:ident, $count:literal, $($format:tt)*) => {{
        let _ = writeln!($f.text, $($format)*);
        $f.ops += $count;
    }};
}

impl<'a> Function<'a> {
    fn new(file: &'a mut File, rng: Rng, wanted: usize) -> Self {
        let floats = vec!["%f0".to_owned(), "%f1".to_owned()];
        let ints = vec!["%i0".to_owned(), "%i1".to_owned()];
        Self { file, text: String::new(), rng, wanted, ops: 0, values: 0, blocks: 0, floats, ints }
    }

    fn write(&mut self, shape: Shape, index: usize) -> io::Result<()> {
        op!(
            self,
            1,
            "  func.func @f{index}(%m: memref<64x64xf32>, %k: memref<64x64xf32>, %w: memref<64xf32>, %n: index, %f0: f32, %f1: f32, \
             %i0: i32, %i1: i32) -> (f32, i32) {{"
        );
        op!(self, 1, "    %c0 = arith.constant 0 : index");
        op!(self, 1, "    %c1 = arith.constant 1 : index");
        if shape == Shape::Redundant {
            op!(self, 1, "    %zero = arith.constant 0 : i32");
            op!(self, 1, "    %one = arith.constant 1 : i32");
            op!(self, 1, "    %seven = arith.constant 7 : i32");
        }
        while self.ops + 1 < self.wanted {
            match shape {
                Shape::Straight => self.arithmetic(),
                Shape::Nested => self.nest(),
                Shape::Constants => self.constants(),
                Shape::Redundant => self.redundant(),
                Shape::Mixed => self.mixed(),
            }
            if self.text.len() >= PIECE {
                self.flush()?;
            }
            for values in [&mut self.floats, &mut self.ints] {
                values.drain(..values.len().saturating_sub(RECENT));
            }
        }
        let (float, int) = (self.last_float(), self.last_int());
        op!(self, 1, "    return {float}, {int} : f32, i32");
        self.text.push_str("  }\n");
        self.flush()
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.write_all(self.text.as_bytes())?;
        self.text.clear();
        Ok(())
    }

    fn value(&mut self) -> String {
        self.values += 1;
        format!("%v{}", self.values)
    }

    fn last_float(&self) -> String {
        self.floats[self.floats.len() - 1].clone()
    }

    fn last_int(&self) -> String {
        self.ints[self.ints.len() - 1].clone()
    }

    /// One of the last [`RECENT`].
    fn float(&mut self) -> String {
        let back = self.rng.usize(..self.floats.len().min(RECENT));
        self.floats[self.floats.len() - 1 - back].clone()
    }

    /// One of the last [`RECENT`].
    fn int(&mut self) -> String {
        let back = self.rng.usize(..self.ints.len().min(RECENT));
        self.ints[self.ints.len() - 1 - back].clone()
    }

    fn index(&mut self) -> &'static str {
        if self.rng.bool() { "%c0" } else { "%c1" }
    }

    fn arithmetic(&mut self) {
        let (result, kind) = (self.value(), self.rng.u32(..10));
        match kind {
            0..5 => {
                let (name, last, other) = (FLOAT_OPS[self.rng.usize(..4)], self.last_float(), self.float());
                op!(self, 1, "    {result} = {name} {last}, {other} : f32");
                self.floats.push(result);
            }
            5..8 => {
                let (name, last, other) = (INT_OPS[self.rng.usize(..4)], self.last_int(), self.int());
                op!(self, 1, "    {result} = {name} {last}, {other} : i32");
                self.ints.push(result);
            }
            8 => {
                let (a, b, x, y, chosen) = (self.last_int(), self.int(), self.last_float(), self.float(), self.value());
                op!(self, 1, "    {result} = arith.cmpi slt, {a}, {b} : i32");
                op!(self, 1, "    {chosen} = arith.select {result}, {x}, {y} : f32");
                self.floats.push(chosen);
            }
            _ => {
                let (int, float, sum) = (self.last_int(), self.last_float(), self.value());
                op!(self, 1, "    {result} = arith.sitofp {int} : i32 to f32");
                op!(self, 1, "    {sum} = arith.addf {result}, {float} : f32");
                self.floats.push(sum);
            }
        }
    }

    fn nest(&mut self) {
        let depth = DEPTH.min((self.wanted - self.ops) / 5 + 1);
        let (floats, mut closing) = (self.floats.len(), Vec::new());
        for level in 0..depth {
            match level % 3 {
                0 => {
                    let iv = self.value();
                    op!(self, 1, "scf.for {iv} = %c0 to %n step %c1 {{");
                    closing.push("}");
                }
                1 => {
                    let (condition, a, b) = (self.value(), self.last_int(), self.int());
                    op!(self, 1, "{condition} = arith.cmpi slt, {a}, {b} : i32");
                    op!(self, 1, "scf.if {condition} {{");
                    closing.push("}");
                }
                _ => {
                    op!(self, 1, "scf.execute_region {{");
                    closing.push("scf.yield\n}");
                }
            }
            let (sum, a, b) = (self.value(), self.float(), self.float());
            op!(self, 1, "{sum} = arith.addf {a}, {b} : f32");
            op!(self, 1, "memref.store {sum}, %k[%c0, %c1] : memref<64x64xf32>");
            self.floats.push(sum);
        }
        for end in closing.iter().rev() {
            op!(self, 1, "{end}");
        }
        self.floats.truncate(floats);
        self.arithmetic();
    }

    fn constants(&mut self) {
        let (a, b, c, d, e) = (self.value(), self.value(), self.value(), self.value(), self.value());
        match self.rng.u32(..10) {
            0..4 => {
                let (x, y, z) = (self.rng.i32(..), self.rng.i32(1..1 << 20), self.real());
                let (int, float, which) = (self.last_int(), self.last_float(), self.rng.bool());
                op!(self, 1, "    {a} = arith.constant {x} : i32");
                op!(self, 1, "    {b} = arith.constant {y} : i32");
                op!(self, 1, "    {c} = arith.constant {z:.6e} : f32");
                op!(self, 1, "    {d} = arith.addi {int}, {} : i32", if which { &a } else { &b });
                op!(self, 1, "    {e} = arith.mulf {float}, {c} : f32");
                self.ints.push(d);
                self.floats.push(e);
            }
            4..8 => {
                let (x, y, truth, float) = (self.real(), self.real(), self.rng.bool(), self.last_float());
                op!(self, 1, "    {a} = arith.constant {x:.6e} : f32");
                op!(self, 1, "    {b} = arith.constant {y:.6e} : f32");
                op!(self, 1, "    {c} = arith.mulf {a}, {b} : f32");
                op!(self, 1, "    {d} = arith.addf {c}, {float} : f32");
                op!(self, 1, "    {e} = arith.constant {truth}");
                self.floats.push(d);
            }
            8 => {
                let splat = self.real();
                let ints: Vec<_> = (0..8).map(|_| self.rng.u32(..1000).to_string()).collect();
                op!(self, 1, "    {a} = arith.constant dense<{splat:.6e}> : vector<16xf32>");
                op!(self, 1, "    {b} = arith.constant dense<[{}]> : vector<8xi32>", ints.join(", "));
            }
            _ => {
                let floats: Vec<_> = (0..16).map(|_| format!("{:.4e}", self.real())).collect();
                let index = self.rng.u64(..1 << 40);
                op!(self, 1, "    {a} = arith.constant dense<[{}]> : tensor<16xf32>", floats.join(", "));
                op!(self, 1, "    {b} = arith.constant {index} : index");
            }
        }
    }

    fn real(&mut self) -> f64 {
        self.rng.f64() * 18.0 - 9.0
    }

    fn redundant(&mut self) {
        let (x, y, p, q) = (self.int(), self.int(), self.float(), self.float());
        let (int_op, float_op) = (INT_OPS[self.rng.usize(..3)], FLOAT_OPS[self.rng.usize(..3)]);
        let constant = self.rng.u32(..99);
        let last = self.last_float();
        let v: Vec<String> = (0..12).map(|_| self.value()).collect();
        for same in &v[0..2] {
            op!(self, 1, "    {same} = {int_op} {x}, {y} : i32");
        }
        for same in &v[2..4] {
            op!(self, 1, "    {same} = {float_op} {p}, {q} : f32");
        }
        op!(self, 1, "    {} = arith.addi {}, %zero : i32", v[4], v[1]);
        op!(self, 1, "    {} = arith.muli {}, %one : i32", v[5], v[4]);
        op!(self, 1, "    {} = arith.constant {constant} : i32", v[6]);
        op!(self, 1, "    {} = arith.addi {}, %seven : i32", v[7], v[6]);
        op!(self, 1, "    {} = arith.addi {}, {} : i32", v[8], v[5], v[7]);
        op!(self, 1, "    {} = arith.muli {}, {} : i32", v[9], v[8], v[0]);
        op!(self, 1, "    {} = arith.addf {}, {} : f32", v[10], v[2], v[3]);
        op!(self, 1, "    {} = arith.addf {}, {last} : f32", v[11], v[10]);
        self.ints.push(v[9].clone());
        self.floats.push(v[11].clone());
    }

    fn mixed(&mut self) {
        match self.rng.u32(..12) {
            0..5 => (0..8).for_each(|_| self.arithmetic()),
            5..7 => self.memory(),
            7 => self.structured_for(),
            8 => self.structured_if(),
            9 => self.affine_nest(),
            10 => self.generic(),
            _ => self.branches(),
        }
    }

    fn memory(&mut self) {
        let (loaded, sum, last) = (self.value(), self.value(), self.last_float());
        let (i, j, k, l) = (self.index(), self.index(), self.index(), self.index());
        op!(self, 1, "    {loaded} = memref.load %m[{i}, {j}] : memref<64x64xf32>");
        op!(self, 1, "    {sum} = arith.addf {loaded}, {last} : f32");
        op!(self, 1, "    memref.store {sum}, %k[{k}, {l}] : memref<64x64xf32>");
        self.floats.push(sum);
    }

    fn structured_for(&mut self) {
        let (result, iv, acc) = (self.value(), self.value(), self.value());
        let (loaded, product, sum) = (self.value(), self.value(), self.value());
        let (last, factor, column) = (self.last_float(), self.float(), self.index());
        op!(self, 1, "    {result} = scf.for {iv} = %c0 to %n step %c1 iter_args({acc} = {last}) -> (f32) {{");
        op!(self, 1, "      {loaded} = memref.load %m[{iv}, {column}] : memref<64x64xf32>");
        op!(self, 1, "      {product} = arith.mulf {loaded}, {factor} : f32");
        op!(self, 1, "      {sum} = arith.addf {product}, {acc} : f32");
        op!(self, 1, "      scf.yield {sum} : f32\n    }}");
        self.floats.push(result);
    }

    fn structured_if(&mut self) {
        let (condition, result, yes, no) = (self.value(), self.value(), self.value(), self.value());
        let (a, b, last, x, y) = (self.last_int(), self.int(), self.last_float(), self.float(), self.float());
        op!(self, 1, "    {condition} = arith.cmpi sgt, {a}, {b} : i32");
        op!(self, 1, "    {result} = scf.if {condition} -> (f32) {{");
        op!(self, 1, "      {yes} = arith.mulf {last}, {x} : f32");
        op!(self, 1, "      scf.yield {yes} : f32\n    }} else {{");
        op!(self, 1, "      {no} = arith.subf {last}, {y} : f32");
        op!(self, 1, "      scf.yield {no} : f32\n    }}");
        self.floats.push(result);
    }

    fn affine_nest(&mut self) {
        let (i, j, loaded, product, last) = (self.value(), self.value(), self.value(), self.value(), self.last_float());
        op!(self, 2, "    affine.for {i} = 0 to 61 {{");
        op!(self, 2, "      affine.for {j} = 0 to 64 {{");
        op!(self, 1, "        {loaded} = affine.load %m[{i} + 3, {j}] : memref<64x64xf32>");
        op!(self, 1, "        {product} = arith.mulf {loaded}, {last} : f32");
        op!(self, 1, "        affine.store {product}, %k[{i}, {j}] : memref<64x64xf32>\n      }}\n    }}");
    }

    fn generic(&mut self) {
        let (a, b, c, sum, product) = (self.value(), self.value(), self.value(), self.value(), self.value());
        let last = self.last_float();
        op!(
            self,
            1,
            "    linalg.generic {{indexing_maps = [#id, #row, #id], iterator_types = [\"parallel\", \"parallel\"]}} \
             ins(%m, %w : memref<64x64xf32>, memref<64xf32>) outs(%k : memref<64x64xf32>) {{\n    ^bb0({a}: f32, {b}: f32, {c}: f32):"
        );
        op!(self, 1, "      {sum} = arith.addf {a}, {b} : f32");
        op!(self, 1, "      {product} = arith.mulf {sum}, {last} : f32");
        op!(self, 1, "      linalg.yield {product} : f32\n    }}");
    }

    fn branches(&mut self) {
        let first = self.blocks;
        self.blocks += 3;
        let (condition, taken, merged, x, y) = (self.value(), self.value(), self.value(), self.value(), self.value());
        let (a, b, last, p, q) = (self.last_int(), self.int(), self.last_float(), self.float(), self.float());
        let (second, third) = (first + 1, first + 2);
        op!(self, 1, "    {condition} = arith.cmpi eq, {a}, {b} : i32");
        op!(self, 1, "    cf.cond_br {condition}, ^b{first}({last} : f32), ^b{second}\n  ^b{first}({taken}: f32):");
        op!(self, 1, "    {x} = arith.mulf {taken}, {p} : f32");
        op!(self, 1, "    cf.br ^b{third}({x} : f32)\n  ^b{second}:");
        op!(self, 1, "    {y} = arith.addf {last}, {q} : f32");
        op!(self, 1, "    cf.br ^b{third}({y} : f32)\n  ^b{third}({merged}: f32):");
        self.floats.push(merged);
    }
}
