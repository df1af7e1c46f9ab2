//! What an instruction asks of the machine.

/// Part of a unit that works on one instruction at a time.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Stage {
    /// A DMA engine, whichever is free.
    Engine,
    /// The registers behind the array that the next stationary operand is loaded to.
    Preload,
    /// The array itself.
    Array,
    /// The way of sums from the array to memory.
    Unload,
    /// The vector unit.
    Vector,
}

/// Bytes per cycle of one resource.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct Demand {
    pub(super) resource: usize,
    pub(super) rate: f64,
}

/// A part of the work on an instruction.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Phase {
    pub(super) stage: Stage,
    /// Cycles when nothing is in its way. Zero where it only waits for the next stage.
    pub(super) cycles: u64,
    pub(super) demands: Vec<Demand>,
}

/// The work on an instruction.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Task {
    /// At least one.
    pub(super) phases: Vec<Phase>,
    /// Cycles from the end of the last phase until results can be used.
    pub(super) tail: u64,
}
