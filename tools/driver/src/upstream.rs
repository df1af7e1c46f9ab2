//! The pass `upstream`: MLIR's own passes, on a module that travels there and back as bytecode.

use dl_codegen_llvm::{Error, MAX_NESTING, Severity as UpstreamSeverity, run_upstream};
use dl_ir::bytecode::{WriteOptions, load_source, write_bytecode};
use dl_ir::location::LocData;
use dl_ir::pass::{Pass, PassCx, PassInfo, PassOptions, PassRegistry, PassResult};
use dl_ir::{Context, Diagnostic, Loc, Severity};

/// Dialects of MLIR that are not among ours: what their operations have for properties is written as attributes, which MLIR takes as well.
const ONLY_UPSTREAM: [&str; 22] = [
    "acc",
    "amdgpu",
    "amx",
    "arm_neon",
    "arm_sme",
    "arm_sve",
    "emitc",
    "ml_program",
    "mpi",
    "nvgpu",
    "nvvm",
    "omp",
    "ptr",
    "rocdl",
    "shard",
    "smt",
    "sparse_tensor",
    "spirv",
    "tosa",
    "wasmssa",
    "x86vector",
    "xegpu",
];

dl_ir::pass_options! {
    /// Options of [`RunUpstream`].
    pub struct UpstreamOptions {
        /// The pipeline that MLIR runs, with the operation it is for: builtin.module(canonicalize)
        pipeline "pipeline": String = String::new(),
    }
}

/// Hands the module to MLIR, which verifies it, runs passes, and gives it back.
#[derive(Clone, Default)]
pub struct RunUpstream {
    /// The options.
    pub options: UpstreamOptions,
}

impl Pass for RunUpstream {
    const INFO: PassInfo = PassInfo::new(
        "upstream",
        "Have MLIR itself, of the LLVM that this build has, verify the module and run passes on it",
    )
    .on("builtin.module");

    fn options(&mut self) -> Option<&mut dyn PassOptions> {
        Some(&mut self.options)
    }

    fn run(&mut self, cx: &mut PassCx<'_>) -> PassResult {
        let root = cx.root();
        let loc = root.loc();
        let mut bytecode = Vec::new();
        let options =
            WriteOptions { properties_as_attrs: &ONLY_UPSTREAM, max_nesting: MAX_NESTING, ..WriteOptions::default() };
        write_bytecode(root, &[], &options, &mut bytecode)
            .map_err(|error| Diagnostic::error(loc, format!("cannot write bytecode: {error}")))??;
        let pipeline = Some(self.options.pipeline.trim()).filter(|text| !text.is_empty());
        let done = match run_upstream(&bytecode, pipeline) {
            Ok(done) => done,
            Err(Error::Mlir(messages)) => {
                for message in &messages {
                    let diagnostic = diagnostic(cx.ctx, loc, message);
                    cx.emit(diagnostic);
                }
                return Err(dl_ir::Diagnostics::default());
            }
            Err(error) => return Err(Diagnostic::error(loc, error.to_string()).into()),
        };
        for message in &done.messages {
            let diagnostic = diagnostic(cx.ctx, loc, message);
            cx.emit(diagnostic);
        }
        if pipeline.is_none() {
            cx.preserve_all();
            return Ok(());
        }
        let source = cx.ctx.add_source("<from MLIR>", done.bytecode);
        *cx.ir = *load_source(cx.ctx, &source)?.module;
        Ok(())
    }
}

/// One of MLIR's messages; `loc` where it has no place.
fn diagnostic(cx: &Context, loc: Loc, message: &dl_codegen_llvm::Diagnostic) -> Diagnostic {
    let place = message.position.as_ref().map_or(loc, |at| {
        let number = |number: usize| u32::try_from(number).unwrap_or(u32::MAX);
        let start = (number(at.line), number(at.column));
        cx.intern_loc(LocData::FileRange { file: cx.ident(&at.file), start, end: start })
    });
    let severity = match message.severity {
        UpstreamSeverity::Error => Severity::Error,
        UpstreamSeverity::Warning => Severity::Warning,
        UpstreamSeverity::Remark => Severity::Remark,
        UpstreamSeverity::Note => Severity::Note,
    };
    let mut shown = Diagnostic::new(severity, place, message.message.clone());
    for note in &message.notes {
        let inner = diagnostic(cx, place, note);
        shown = shown.note(inner.loc, inner.message);
    }
    shown
}

/// Registers the pass.
pub fn register(registry: &mut PassRegistry) {
    registry.pass::<RunUpstream>();
}
