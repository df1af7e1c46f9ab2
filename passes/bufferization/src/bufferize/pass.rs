//! The pass `one-shot-bufferize`.

use dl_ir::Diagnostic;
use dl_ir::pass::{OptionValue, Pass, PassCx, PassInfo, PassOptions, PassResult};

use super::options::{Heuristic, LayoutMap, Options};

dl_ir::pass_options! {
    /// Options of [`OneShotBufferize`].
    pub struct OneShotBufferizeOptions {
        /// Loops may yield new buffers
        allow_return_allocs_from_loops "allow-return-allocs-from-loops": bool = false,
        /// Operations that cannot be bufferized may stay
        allow_unknown_ops "allow-unknown-ops": bool = false,
        /// Seed of a random analysis order, for tests
        analysis_fuzzer_seed "analysis-fuzzer-seed": u32 = 0,
        /// The order of the analysis: bottom-up, top-down, bottom-up-from-terminators or fuzzer
        analysis_heuristic "analysis-heuristic": String = "bottom-up".to_owned(),
        /// Alignment of new buffers in bytes
        buffer_alignment "buffer-alignment": u64 = 64,
        /// Functions, calls and returns are bufferized too
        bufferize_function_boundaries "bufferize-function-boundaries": bool = false,
        /// Writes in other parallel regions than the buffer comes from need a copy
        check_parallel_regions "check-parallel-regions": bool = true,
        /// Skip the analysis and copy before every write
        copy_before_write "copy-before-write": bool = false,
        /// Bufferize only operations of these dialects
        dialect_filter "dialect-filter": Vec<String> = Vec::new(),
        /// Write alias sets as attributes, for tests
        dump_alias_sets "dump-alias-sets": bool = false,
        /// Layouts of function arguments and results
        function_boundary_type_conversion "function-boundary-type-conversion": LayoutMap = LayoutMap::Infer,
        /// A memory space must follow from the program
        must_infer_memory_space "must-infer-memory-space": bool = false,
        /// Functions that are not analyzed: they copy before every write
        no_analysis_func_filter "no-analysis-func-filter": Vec<String> = Vec::new(),
        /// Write conflicts as attributes, for tests
        print_conflicts "print-conflicts": bool = false,
        /// Say of each copy why it is needed, as a remark
        report_copies "report-copies": bool = false,
        /// Write in-place decisions as attributes and stop there, for tests
        test_analysis_only "test-analysis-only": bool = false,
        /// Layouts of buffers about which nothing is known
        unknown_type_conversion "unknown-type-conversion": LayoutMap = LayoutMap::FullyDynamic,
        /// The encoding of a tensor is its memory space
        use_encoding_for_memory_space "use-encoding-for-memory-space": bool = false,
    }
}

impl OptionValue for LayoutMap {
    const KIND: &'static str = "value";
    const CHOICES: &'static [(&'static str, &'static str)] = &[
        ("infer-layout-map", "what follows from the program"),
        ("identity-layout-map", "row major"),
        ("fully-dynamic-layout-map", "strides and offset known at run time only"),
    ];

    fn parse(text: Option<&str>) -> Result<Self, String> {
        match text.unwrap_or_default() {
            "infer-layout-map" => Ok(Self::Infer),
            "identity-layout-map" => Ok(Self::Identity),
            "fully-dynamic-layout-map" => Ok(Self::FullyDynamic),
            other => Err(format!("Cannot find option named '{other}'!")),
        }
    }

    fn print(&self) -> Option<String> {
        let at = match self {
            Self::Infer => 0,
            Self::Identity => 1,
            Self::FullyDynamic => 2,
        };
        Some(Self::CHOICES[at].0.to_owned())
    }
}

/// Turns tensors into buffers, with copies only where a value is needed after its buffer is overwritten.
#[derive(Clone, Default)]
pub struct OneShotBufferize {
    /// The options.
    pub options: OneShotBufferizeOptions,
}

impl Pass for OneShotBufferize {
    const INFO: PassInfo = PassInfo::new("one-shot-bufferize", "Turn tensors into buffers")
        .title("OneShotBufferizePass")
        .on("builtin.module");

    fn options(&mut self) -> Option<&mut dyn PassOptions> {
        Some(&mut self.options)
    }

    fn run(&mut self, cx: &mut PassCx<'_>) -> PassResult {
        let options = self.checked().map_err(|what| Diagnostic::error(cx.root().loc(), what))?;
        let mut remarks = Vec::new();
        let result = super::bufferize(cx.ctx, cx.ir, &options, &mut remarks);
        remarks.into_iter().for_each(|remark| cx.emit(remark));
        result
    }
}

impl OneShotBufferize {
    /// The options as the algorithm takes them, or why they cannot be.
    pub(crate) fn checked(&self) -> Result<Options, String> {
        let from = &self.options;
        let heuristic = match from.analysis_heuristic.as_str() {
            "bottom-up" => Heuristic::BottomUp,
            "top-down" => Heuristic::TopDown,
            "bottom-up-from-terminators" => Heuristic::BottomUpFromTerminators,
            "fuzzer" => Heuristic::Fuzzer(from.analysis_fuzzer_seed),
            _ => return Err("Unsupported analysis heuristic".to_owned()),
        };
        let needs_analysis_only =
            [("dump-alias-sets", from.dump_alias_sets), ("print-conflicts", from.print_conflicts)];
        if let Some((name, _)) = needs_analysis_only.into_iter().find(|&(_, on)| on && !from.test_analysis_only) {
            return Err(format!("Invalid option: '{name}' requires 'test-analysis-only'"));
        }
        if from.copy_before_write && from.test_analysis_only {
            return Err("Invalid option: 'copy-before-write' cannot be used with 'test-analysis-only'".to_owned());
        }
        if from.unknown_type_conversion == LayoutMap::Infer {
            return Err(
                "Invalid option: 'infer-layout-map' is not a valid value for 'unknown-type-conversion'".to_owned()
            );
        }
        if from.use_encoding_for_memory_space && from.must_infer_memory_space {
            let message = "only one of 'must-infer-memory-space' and 'use-encoding-for-memory-space' are allowed in one-shot-bufferize";
            return Err(message.to_owned());
        }
        Ok(Options {
            allow_return_allocs_from_loops: from.allow_return_allocs_from_loops,
            allow_unknown_ops: from.allow_unknown_ops,
            alignment: i64::try_from(from.buffer_alignment).unwrap_or(i64::MAX),
            function_boundaries: from.bufferize_function_boundaries,
            function_layout: from.function_boundary_type_conversion,
            unknown_layout: from.unknown_type_conversion,
            check_parallel_regions: from.check_parallel_regions,
            copy_before_write: from.copy_before_write,
            must_infer_memory_space: from.must_infer_memory_space,
            encoding_is_memory_space: from.use_encoding_for_memory_space,
            no_analysis: from.no_analysis_func_filter.clone(),
            dialects: from.dialect_filter.clone(),
            heuristic,
            analysis_only: from.test_analysis_only,
            dump_alias_sets: from.dump_alias_sets,
            print_conflicts: from.print_conflicts,
            report_copies: from.report_copies,
        })
    }
}
