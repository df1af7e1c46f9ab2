//! Random programs that are correct by construction, one level of dialects at a time, and pipelines for them.
//!
//! Types fit, indices are in range and loops end, so that most programs are defined on most inputs, and what a pass makes of them can be
//! judged by running both. Names are handed out and values drawn from what is in scope; the last ones are given back, so that what
//! is computed matters.

mod cells;
mod control;
mod lanes;
mod memory;
mod parts;
mod pipelines;
mod scalar;
mod tensor;
mod types;
mod vector;
mod writer;

use fastrand::Rng;

pub use self::pipelines::pipeline;
use self::types::Ty;
use self::writer::{Writer, list};

/// What a program is made of, besides functions, arithmetic and structured control flow.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Level {
    /// Nothing else.
    Scalars,
    /// Blocks and branches.
    Blocks,
    /// Buffers.
    Memory,
    /// Affine loops over buffers.
    Affine,
    /// Tensors and loop nests over them.
    Tensors,
    /// Vectors, and buffers to read them from.
    Vectors,
}

impl Level {
    /// All of them.
    pub const ALL: [Self; 6] = [Self::Scalars, Self::Blocks, Self::Memory, Self::Affine, Self::Tensors, Self::Vectors];

    /// What it is called on command lines.
    pub fn name(self) -> &'static str {
        match self {
            Self::Scalars => "scalars",
            Self::Blocks => "blocks",
            Self::Memory => "memory",
            Self::Affine => "affine",
            Self::Tensors => "tensors",
            Self::Vectors => "vectors",
        }
    }
}

/// The text of a module.
pub fn program(level: Level, rng: &mut Rng) -> String {
    let mut writer = Writer::new(rng);
    let w = &mut writer;
    if w.chance(4) {
        // Nothing is known of this one.
        let (ty, name) = (Ty::Scalar(*w.pick(&scalar::SCALARS)), "outside");
        w.line(format_args!("func.func private @{name}({ty}) -> {ty}"));
        w.functions.push((name.to_owned(), vec![ty.clone()], vec![ty]));
    }
    for number in 0..w.rng.usize(..3) {
        function(w, Level::Scalars, &format!("helper{number}"), "private ");
    }
    function(w, level, "main", "");
    writer.finish()
}

fn function(w: &mut Writer<'_>, level: Level, name: &str, visibility: &str) {
    let (args, results) = (parameters(w, level), results(w, level));
    w.isolated(|w| {
        let names: Vec<String> = args.iter().map(|_| w.fresh()).collect();
        let shown: Vec<(String, Ty)> = names.into_iter().zip(args.iter().cloned()).collect();
        let params = list(&shown, |(name, ty)| format!("{name}: {ty}"));
        w.line(format_args!("func.func {visibility}@{name}({params}) -> ({}) {{", list(&results, Ty::to_string)));
        w.values = shown;
        w.nested(|w| {
            w.budget = 40;
            if level == Level::Blocks {
                control::blocks(w, &results);
                return;
            }
            for _ in 0..w.rng.usize(2..9) {
                statement(w, level, 0);
            }
            let values: Vec<String> = results.iter().map(|ty| w.result(ty)).collect();
            w.line(format_args!("return {} : {}", values.join(", "), list(&results, Ty::to_string)));
        });
        w.line(format_args!("}}"));
    });
    if visibility == "private " {
        w.functions.push((name.to_owned(), args, results));
    }
}

fn parameters(w: &mut Writer<'_>, level: Level) -> Vec<Ty> {
    let mut types: Vec<Ty> = (0..w.rng.usize(1..4)).map(|_| Ty::Scalar(*w.pick(&scalar::SCALARS))).collect();
    for _ in 0..w.rng.usize(1..3) {
        match level {
            Level::Scalars | Level::Blocks => {}
            Level::Memory | Level::Affine => types.push(memory::buffer_type(w)),
            Level::Tensors => {
                let ty = tensor::tensor_type(w);
                types.push(Ty::tensor(ty.shape(), ty.element()));
            }
            Level::Vectors => {
                types.push(vector::vector_type(w));
                types.push(memory::buffer_type(w));
            }
        }
    }
    types
}

fn results(w: &mut Writer<'_>, level: Level) -> Vec<Ty> {
    let mut types: Vec<Ty> = (0..w.rng.usize(1..3)).map(|_| Ty::Scalar(*w.pick(&scalar::SCALARS))).collect();
    match level {
        Level::Tensors => {
            let ty = tensor::tensor_type(w);
            types.push(Ty::tensor(ty.shape(), ty.element()));
        }
        Level::Vectors => types.push(vector::vector_type(w)),
        _ => {}
    }
    types
}

/// A statement, `depth` regions below the function.
fn statement(w: &mut Writer<'_>, level: Level, depth: usize) {
    let structured = if depth < 3 && w.budget > 0 { 4 } else { 0 };
    if w.rng.u8(..16) < structured {
        control::structured(w, level, depth);
        return;
    }
    let special = w.rng.u8(..4) > 0;
    match level {
        Level::Memory if special && w.chance(4) => cells::use_memory(w),
        Level::Memory if special => memory::access(w),
        Level::Affine if special && w.chance(5) => cells::use_memory(w),
        Level::Affine if special && depth < 2 => memory::affine_nest(w, depth),
        Level::Affine if special => memory::access(w),
        Level::Tensors if special && w.chance(6) => parts::compute(w),
        Level::Tensors if special => tensor::compute(w, depth),
        Level::Vectors if special && w.chance(3) => lanes::compute(w),
        Level::Vectors if special => vector::compute(w),
        _ => {
            let of = *w.pick(&scalar::SCALARS);
            scalar::arithmetic(w, &Ty::Scalar(of));
        }
    }
}
