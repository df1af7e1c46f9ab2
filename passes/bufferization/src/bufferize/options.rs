//! What a user may decide about bufferization.

use dl_ir::{Attr, Context, OpRef, Type};

use super::Bufferizable;
use super::layout::{dynamic_layout_type, identity_layout_type};

/// Which layout a buffer type gets.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum LayoutMap {
    /// The one that follows from what is returned; fully dynamic where nothing follows.
    #[default]
    Infer,
    /// Row major.
    Identity,
    /// All strides and the offset are known at run time only.
    FullyDynamic,
}

/// In which order operands are decided upon. Earlier ones are more likely to be used in place.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Heuristic {
    /// From the last operation to the first.
    #[default]
    BottomUp,
    /// From the first operation to the last.
    TopDown,
    /// In an order that is random but the same for the same seed, to test that no decision relies on the order.
    Fuzzer(u32),
    /// From region terminators along reverse use-def chains, then the rest from the last operation to the first.
    BottomUpFromTerminators,
}

/// Options of one-shot bufferization.
#[derive(Clone, Debug)]
pub struct Options {
    /// Whether loops may yield new allocations.
    pub allow_return_allocs_from_loops: bool,
    /// Whether operations that cannot be bufferized may stay, with conversions around them.
    pub allow_unknown_ops: bool,
    /// Alignment of new buffers in bytes; 0 for none.
    pub alignment: i64,
    /// Whether functions, calls and returns are bufferized too.
    pub function_boundaries: bool,
    /// Layout of function arguments and results.
    pub function_layout: LayoutMap,
    /// Layout of buffers about which nothing is known.
    pub unknown_layout: LayoutMap,
    /// Whether reads and writes in different parallel regions conflict.
    pub check_parallel_regions: bool,
    /// Whether the analysis is skipped and every write goes to a copy.
    pub copy_before_write: bool,
    /// Whether a memory space must follow from the program, rather than be the default one.
    pub must_infer_memory_space: bool,
    /// Whether the encoding of a tensor type is its memory space.
    pub encoding_is_memory_space: bool,
    /// Functions that are not analyzed: every write in them goes to a copy.
    pub no_analysis: Vec<String>,
    /// The dialects whose operations are bufferized; empty for all.
    pub dialects: Vec<String>,
    /// The order of the analysis.
    pub heuristic: Heuristic,
    /// Whether to say what the analysis decided, as attributes, and stop there.
    pub analysis_only: bool,
    /// Whether these attributes also say which values share memory.
    pub dump_alias_sets: bool,
    /// Whether these attributes also say what stood against each decision.
    pub print_conflicts: bool,
    /// Whether each copy is reported with its cause, as a remark.
    pub report_copies: bool,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            allow_return_allocs_from_loops: false,
            allow_unknown_ops: false,
            alignment: 64,
            function_boundaries: false,
            function_layout: LayoutMap::Infer,
            unknown_layout: LayoutMap::FullyDynamic,
            check_parallel_regions: true,
            copy_before_write: false,
            must_infer_memory_space: false,
            encoding_is_memory_space: false,
            no_analysis: Vec::new(),
            dialects: Vec::new(),
            heuristic: Heuristic::BottomUp,
            analysis_only: false,
            dump_alias_sets: false,
            print_conflicts: false,
            report_copies: false,
        }
    }
}

impl Options {
    /// Whether `op` may be bufferized: the function dialect only with [`function_boundaries`](Self::function_boundaries),
    /// others unless the dialect filter leaves them out.
    pub fn allows(&self, op: OpRef<'_>) -> bool {
        // The analysis asks this for each use of each value, and mostly all are allowed.
        if self.function_boundaries && self.dialects.is_empty() {
            return true;
        }
        let dialect = op.info().dialect();
        (dialect != "func" || self.function_boundaries)
            && (self.dialects.is_empty() || self.dialects.iter().any(|d| d == dialect))
    }

    /// The interface of `op`, if it has it and may be bufferized.
    pub fn interface<'a>(&self, op: OpRef<'a>) -> Option<&'a dyn Bufferizable> {
        op.info().interface::<dyn Bufferizable>().filter(|_| self.allows(op))
    }

    /// The memory space of a buffer about which the program says nothing: `Some(None)` is the default space, `None` means that
    /// there is no answer.
    pub fn memory_space(&self, cx: &Context, tensor: Type) -> Option<Option<Attr>> {
        if self.encoding_is_memory_space && cx.ty(tensor).is_ranked_tensor() {
            return Some(cx.ty(tensor).encoding().map(|encoding| encoding.id()));
        }
        (!self.must_infer_memory_space && !self.encoding_is_memory_space).then_some(None)
    }

    /// The buffer type of a tensor about which nothing is known.
    pub fn unknown_type(&self, cx: &Context, tensor: Type, space: Option<Attr>) -> Type {
        match self.unknown_layout {
            LayoutMap::Identity => identity_layout_type(cx, tensor, space),
            LayoutMap::FullyDynamic | LayoutMap::Infer => dynamic_layout_type(cx, tensor, space),
        }
    }

    /// The buffer type of a tensor that a function takes or returns.
    pub fn function_type(&self, cx: &Context, tensor: Type, space: Option<Attr>) -> Type {
        match self.function_layout {
            LayoutMap::Identity => identity_layout_type(cx, tensor, space),
            LayoutMap::FullyDynamic | LayoutMap::Infer => dynamic_layout_type(cx, tensor, space),
        }
    }
}
