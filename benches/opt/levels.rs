//! Modules for passes: the files in `levels/`, one for each level of dialects, repeated to a wanted size.
//!
//! A file is MLIR as it stands. What follows `// --- function` is written once for each function, what follows `// --- body` as often in
//! each as it takes; `$` in a name is the number of the copy. A line counts as one operation if one begins in it.

/// What the operations of a module are.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Level {
    Scalar,
    Branches,
    Scf,
    Affine,
    Memref,
    Allocations,
    Tensor,
    Buffers,
    Vector,
}

impl Level {
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Scalar => "scalar",
            Self::Branches => "branches",
            Self::Scf => "scf",
            Self::Affine => "affine",
            Self::Memref => "memref",
            Self::Allocations => "allocations",
            Self::Tensor => "tensor",
            Self::Buffers => "buffers",
            Self::Vector => "vector",
        }
    }

    fn text(self) -> &'static str {
        match self {
            Self::Scalar => include_str!("levels/scalar.mlir"),
            Self::Branches => include_str!("levels/branches.mlir"),
            Self::Scf => include_str!("levels/scf.mlir"),
            Self::Affine => include_str!("levels/affine.mlir"),
            Self::Memref => include_str!("levels/memref.mlir"),
            Self::Allocations => include_str!("levels/allocations.mlir"),
            Self::Tensor => include_str!("levels/tensor.mlir"),
            Self::Buffers => include_str!("levels/buffers.mlir"),
            Self::Vector => include_str!("levels/vector.mlir"),
        }
    }
}

/// A generated module.
pub(crate) struct Module {
    pub text: String,
    pub ops: usize,
}

/// A module of about `ops` operations of a level in `functions` functions.
pub(crate) fn module(level: Level, ops: usize, functions: usize) -> Module {
    let part = |text: &'static str, mark: &str| text.split_once(mark).expect("a level has all marks");
    let (once, rest) = part(level.text(), "// --- function\n");
    let (begin, rest) = part(rest, "// --- body\n");
    let (body, end) = part(rest, "// --- end\n");
    let (shell, each) = (operations(begin) + operations(end), operations(body));
    let copies = (ops / functions).saturating_sub(shell).div_ceil(each).max(1);
    let mut text = once.to_owned();
    for function in 0..functions {
        text.push_str(&begin.replace('$', &function.to_string()));
        (0..copies).for_each(|copy| text.push_str(&body.replace('$', &copy.to_string())));
        text.push_str(&end.replace('$', &function.to_string()));
    }
    Module { text, ops: operations(once) + functions * (shell + copies * each) }
}

fn operations(text: &str) -> usize {
    let begins = |line: &&str| line.starts_with(|c: char| c == '%' || c.is_ascii_lowercase());
    text.lines().map(str::trim).filter(begins).count()
}
