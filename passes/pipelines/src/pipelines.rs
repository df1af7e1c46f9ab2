//! Pipelines that can be named.
//!
//! Each is a text, so that `dl-opt --dump-pass-pipeline` shows what runs and a user can take it as a start for another.

use dl_ir::pass::{PassOptions, PassRegistry};
use dl_passes_accelerator::AttachTargetOptions as AcceleratorTargetOptions;
use dl_passes_cpu::{AttachTargetOptions, ListKernelsOptions};

/// What is done to a program on tensors before its values get memory.
const OPTIMIZE: &str = "canonicalize,cse,linalg-fuse-elementwise-ops{recompute=false}";

/// Computes what is padded or inserted in the place where it is to be.
const IN_PLACE: &str = "linalg-decompose-pads,eliminate-empty-tensors";

/// Gives each iteration of a loop a place of its own for what it computes on the way, so that threads do not share it. One thread takes 3 to 7 % longer so for rows of a softmax.
const OWN_PLACES: &str = "tensor-sink-empty";

/// Gives each tensor a buffer, that of a value no longer needed where there is one. A loop may hand on another buffer than it was given, as
/// one does that computes its next state from all of the last.
const BUFFERIZE: &str = "one-shot-bufferize{allow-return-allocs-from-loops=true bufferize-function-boundaries=true \
                         function-boundary-type-conversion=identity-layout-map}";

/// Frees each buffer after its last use.
const DEALLOCATE: &str = "ownership-based-buffer-deallocation,canonicalize,buffer-deallocation-simplification,\
                          bufferization-lower-deallocations,cse,canonicalize";

/// Frees each buffer after its last use where calls and reallocations free nothing yet, as upstream.
fn free_buffers(options: &DeallocationPipelineOptions) -> String {
    let private = options.private_function_dynamic_ownership;
    format!(
        "expand-realloc{{emit-deallocs=false}},canonicalize,\
         ownership-based-buffer-deallocation{{private-function-dynamic-ownership={private}}},canonicalize,\
         buffer-deallocation-simplification,bufferization-lower-deallocations,cse,canonicalize"
    )
}

dl_ir::pass_options! {
    /// Options of `buffer-deallocation-pipeline`.
    struct DeallocationPipelineOptions {
        /// Allows to add additional arguments to private functions to dynamically pass ownership of memrefs to callees
        private_function_dynamic_ownership "private-function-dynamic-ownership": bool = false,
    }
}

/// Takes a program on buffers to scalar loops of `scf`.
const LOWER_NESTS_TO_SCALARS: &str = "convert-bufferization-to-memref,convert-linalg-to-affine-loops,math-approximate{functions=expm1,log1p},\
                                      func.func(lower-vector-mask),convert-vector-to-scf,expand-strided-metadata,lower-affine";

/// Makes vector code of loop nests on buffers. Sums of floats are added up in an order that suits vectors.
const VECTORIZE_BUFFERS: &str = "convert-bufferization-to-memref,linalg-vectorize{reassociate-fp-reductions=true}";

/// Takes a program on buffers, with vectors, to loops of `scf`; elementary functions inline.
const LOWER_NESTS: &str = "convert-linalg-to-affine-loops,math-extend-to-supported-types,math-approximate,\
                           func.func(lower-vector-mask),convert-vector-to-scf,expand-strided-metadata,lower-affine";

/// Gives loops with enough to do to several threads.
const PARALLELIZE: &str = "scf-parallelize-loops";

/// Gives buffers places in one allocation, each for no longer than it is needed.
const PLAN_MEMORY: &str = "func.func(optimize-allocation-liveness,plan-memory)";

/// Takes loops and vectors to the `llvm` dialect.
const LOWER_VECTORS: &str = "dl-emulate-f8,convert-complex-to-standard,convert-scf-to-cf,func.func(llvm-request-c-wrappers),convert-math-to-llvm,convert-math-to-libm,\
                             convert-vector-to-llvm,finalize-memref-to-llvm,convert-func-to-llvm,convert-cf-to-llvm,\
                             convert-complex-to-llvm,convert-arith-to-llvm,convert-ub-to-llvm,reconcile-unrealized-casts{fail-on-unresolved=true},cse,\
                             llvm-fence-nontemporal-stores";

dl_ir::pass_options! {
    /// Options of `cpu-pipeline`.
    struct CpuPipelineOptions {
        /// CPU, by LLVM's name; native is this machine's
        target_cpu "target-cpu": String = "native".to_owned(),
        /// Features to add or remove, as in +avx2,-fma
        target_features "target-features": String = String::new(),
        /// Number of threads that the program is made for, which runs on any number; 0 for the cores of the CPU, 1 for none but the caller's
        threads "threads": u32 = 1,
        /// Vector registers that the back end leaves to values of the program; 0 for all of the CPU
        vector_registers "vector-registers": u32 = 0,
        /// Most results of a tile of convolutions of three by three along a dimension, as for linalg-winograd: 0, 2, or 4, which is less accurate
        winograd_tile "winograd-tile": u32 = 2,
        /// Make vector code for the CPU; otherwise scalar loops, the same for any
        vectorize "vectorize": bool = true,
        /// Write a table of the kernels on the module, as dl-list-kernels does
        list_kernels "list-kernels": bool = false,
        /// Have the program tell the runtime when each kernel begins and ends
        time_kernels "time-kernels": bool = false,
        /// Take a kernel that computes element by element for an error
        deny_scalar "deny-scalar": bool = false,
    }
}

dl_ir::pass_options! {
    /// Options of `cpu-lowering-pipeline`, as those of `cpu-pipeline`.
    struct CpuLoweringPipelineOptions {
        /// Write a table of the kernels on the module, as dl-list-kernels does
        list_kernels "list-kernels": bool = false,
        /// Have the program tell the runtime when each kernel begins and ends
        time_kernels "time-kernels": bool = false,
        /// Take a kernel that computes element by element for an error
        deny_scalar "deny-scalar": bool = false,
    }
}

/// What lists kernels, if anything is to be done with them. Goes where loops are what they will be but no functions yet, and buffers still lie apart.
fn list_kernels(list: bool, time: bool, deny_scalar: bool) -> Option<String> {
    let options = ListKernelsOptions { time, deny_scalar };
    (list || time || deny_scalar).then(|| format!("dl-list-kernels{}", (&options as &dyn PassOptions).print()))
}

/// Takes a program on buffers, which manages its memory itself, to the `llvm` dialect.
fn cpu_lowering_pipeline(options: &CpuLoweringPipelineOptions) -> String {
    let kernels = list_kernels(options.list_kernels, options.time_kernels, options.deny_scalar);
    let steps = [Some(VECTORIZE_BUFFERS), kernels.as_deref(), Some(LOWER_NESTS), Some(LOWER_VECTORS)];
    steps.into_iter().flatten().collect::<Vec<_>>().join(",")
}

/// Does without the arithmetic that the CPU lacks; bodies of loop nests are loops by then.
const EMULATE: &str = "convert-linalg-to-affine-loops,dl-emulate-unsupported-floats";

/// Computes with small integers where the program has them, dequantized.
const QUANTIZE: &str = "canonicalize,cse,linalg-integer-contractions";

/// Makes loop nests of arithmetic on whole tensors.
const NESTS: &str = "convert-elementwise-to-linalg";

/// Every step from tensors to the `llvm` dialect.
fn cpu_pipeline(options: &CpuPipelineOptions) -> String {
    let kernels = list_kernels(options.list_kernels, options.time_kernels, options.deny_scalar);
    let join = |steps: &[Option<&str>]| steps.iter().copied().flatten().collect::<Vec<_>>().join(",");
    if !options.vectorize {
        let lower = [kernels.as_deref(), Some(LOWER_NESTS_TO_SCALARS), Some(LOWER_VECTORS)];
        return join(&[&[Some(NESTS), Some(OPTIMIZE), Some(BUFFERIZE), Some(DEALLOCATE)][..], &lower].concat());
    }
    let attach = AttachTargetOptions {
        target_cpu: options.target_cpu.clone(),
        target_features: options.target_features.clone(),
        vector_registers: options.vector_registers,
        threads: options.threads,
    };
    let attach = format!("dl-attach-target{}", (&attach as &dyn PassOptions).print());
    let vectorize = vectorize(options.winograd_tile);
    // Loops become functions for one thread, too: those of layers that are the same are compiled once.
    let outline =
        if options.threads == 1 { "convert-parallel-to-runtime{direct=true}" } else { "convert-parallel-to-runtime" };
    // Loops that hand on the buffer that they were given need not: deallocation would ask whose it is.
    join(&[
        Some(&attach),
        Some(NESTS),
        Some(QUANTIZE),
        Some(OPTIMIZE),
        Some(&vectorize),
        Some(IN_PLACE),
        (options.threads != 1).then_some(OWN_PLACES),
        Some(BUFFERIZE),
        Some("canonicalize"),
        Some(DEALLOCATE),
        Some(VECTORIZE_BUFFERS),
        Some(PARALLELIZE),
        kernels.as_deref(),
        Some(PLAN_MEMORY),
        Some("convert-vector-to-amx"),
        Some(EMULATE),
        Some(LOWER_NESTS),
        Some(outline),
        Some(LOWER_VECTORS),
        Some("dl-detach-target"),
    ])
}

dl_ir::pass_options! {
    /// Options of `accelerator-pipeline`.
    struct AcceleratorPipelineOptions {
        /// File that describes the machine, in TOML
        target "target": String = String::new(),
        /// Print this many of the best ways to cut each launch into blocks, with the cycles predicted for each
        explain "explain": u32 = 0,
    }
}

/// Moves what the machine can do from tensors to it; the rest stays on tensors.
fn accelerator_pipeline(options: &AcceleratorPipelineOptions) -> String {
    let attach = AcceleratorTargetOptions { target: options.target.clone() };
    let attach = format!("accelerator-attach-target{}", (&attach as &dyn PassOptions).print());
    let explain = options.explain;
    format!(
        "{attach},{NESTS},{QUANTIZE},{UNIFY},{OPTIMIZE},convert-linalg-to-accelerator{{explain={explain}}},canonicalize,cse"
    )
}

/// Makes loop nests of all operations on tensors, with the channels innermost, and of reshapes and transpositions other ways to read and write.
const UNIFY: &str = "linalg-decompose-aggregated-ops,linalg-channels-last,canonicalize,cse,linalg-generalize-named-ops,\
                     linalg-fuse-reshapes-by-expansion,canonicalize,cse,linalg-eliminate-transposes";

/// Makes vector code of loop nests on tensors, for the CPU that the module names.
fn vectorize(winograd_tile: u32) -> String {
    format!(
        "linalg-split-epilogues,math-round-in-range,linalg-channels-last,cse,\
         linalg-winograd{{tile={winograd_tile}}},linalg-lower-contractions,linalg-fuse-elementwise-ops{{recompute=false}},linalg-fuse-rows,\
         canonicalize,cse,linalg-join-sweeps"
    )
}

/// Registers the pipelines of this crate, for the outermost module.
pub(crate) fn register(registry: &mut PassRegistry) {
    registry.pipeline_with(
        "accelerator-pipeline",
        "Move what a described accelerator can do from tensors to launches on it",
        accelerator_pipeline,
    );
    registry.pipeline_with(
        "buffer-deallocation-pipeline",
        "The default pipeline for automatically inserting deallocation operations after one-shot bufferization",
        free_buffers,
    );
    registry.pipeline_with(
        "cpu-lowering-pipeline",
        "Lower a program on buffers, which manages its memory itself, to the llvm dialect",
        cpu_lowering_pipeline,
    );
    registry.pipeline_with(
        "cpu-pipeline",
        "Lower a program, on tensors or buffers, to the llvm dialect for a CPU",
        cpu_pipeline,
    );
}
