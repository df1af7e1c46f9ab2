//! Simulators of accelerators whose programs are none of this project's.

/// A simulator for `dl-sim --simulator=NAME`: it executes and times programs in a form of its own, such as a [`Translation`](crate::Translation)
/// of the same plugin writes.
#[derive(Clone, Copy, Debug)]
pub struct Simulator {
    /// Its name on the command line.
    pub name: &'static str,
    /// What it is, in one line.
    pub description: &'static str,
    /// Executes a program, or only times it. What is wrong with it is said in one line or more, without `error:`.
    pub simulate: fn(&Simulation<'_>) -> Result<Simulated, String>,
}

/// What a simulator is asked for.
#[derive(Clone, Debug)]
pub struct Simulation<'a> {
    /// The program: the bytes of the file.
    pub program: &'a [u8],
    /// The text of the description of the machine (`--target`), where there is one.
    pub target: Option<&'a str>,
    /// The inputs, in the order of the command line; none where the program shall be timed but not executed.
    pub inputs: Option<Vec<Tensor>>,
}

/// What a simulator answers.
#[derive(Clone, Default, Debug)]
pub struct Simulated {
    /// The outputs, in the order of the program; empty where it was not executed.
    pub outputs: Vec<Tensor>,
    /// What `--report` prints: cycles, use of units.
    pub report: String,
}

/// An array of numbers.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Tensor {
    /// NumPy's name of the type of its elements, such as `float32`; `bfloat16` besides.
    pub dtype: String,
    /// Its extents.
    pub shape: Vec<usize>,
    /// Its elements, the last dimension running fastest, in the order of bytes of this machine.
    pub bytes: Vec<u8>,
}
