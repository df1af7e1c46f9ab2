//! What is written at the end: text or bytecode.

use std::io::Write as _;

use dl_ir::bytecode::{WriteOptions, write_bytecode};
use dl_ir::pass::REPRODUCER;
use dl_ir::text::{ExternalResource, PrintOptions, print_file};
use dl_ir::{Diagnostic, Loc, OpRef};
use dl_tools_support::files::Output;

use super::flags::Options;

/// Dialects that `mlir-opt` 22 knows, of which some are unknown here.
static UPSTREAM_DIALECTS: &[&str] = &[
    "acc",
    "affine",
    "amdgpu",
    "amx",
    "arith",
    "arm_neon",
    "arm_sme",
    "arm_sve",
    "async",
    "bufferization",
    "builtin",
    "cf",
    "complex",
    "dlti",
    "emitc",
    "func",
    "gpu",
    "index",
    "irdl",
    "linalg",
    "llvm",
    "math",
    "memref",
    "ml_program",
    "mpi",
    "nvgpu",
    "nvvm",
    "omp",
    "pdl",
    "pdl_interp",
    "ptr",
    "quant",
    "rocdl",
    "scf",
    "shape",
    "shard",
    "smt",
    "sparse_tensor",
    "spirv",
    "tensor",
    "test",
    "tosa",
    "transform",
    "ub",
    "vector",
    "wasmssa",
    "x86vector",
    "xegpu",
    "xevm",
];

/// Appends `root` to `output` in the form that the command line asks for, with the resources of tools that the input had. The outer
/// error is that of writing, the inner one what the form has no place for.
pub(super) fn print(
    root: OpRef<'_>,
    resources: &[ExternalResource],
    options: &Options,
    output: &mut Output,
) -> Result<Result<(), Diagnostic>, String> {
    // The pipeline of a reproducer has been run.
    let is_done = |group: &&ExternalResource| options.run_reproducer && group.owner == REPRODUCER;
    let resources: Vec<_> = resources.iter().filter(|group| !is_done(group)).cloned().collect();
    if options.emit_bytecode {
        let mut write = WriteOptions {
            elide_resource_data: options.elide_resource_data,
            properties_as_attrs: UPSTREAM_DIALECTS,
            ..WriteOptions::default()
        };
        write.version = options.bytecode_version.unwrap_or(write.version);
        return write_bytecode(root, &resources, &write, output).map_err(|error| output.message(&error));
    }
    if options.bytecode_version.is_some() {
        let message = "bytecode version while not emitting bytecode: '--emit-bytecode' is missing";
        return Ok(Err(Diagnostic::error(Loc::UNKNOWN, message)));
    }
    // What passes left is verified already, unless somebody did not want that.
    let is_verified = options.verify_parsed && options.verify_each && !options.run_reproducer;
    let assume_verified = options.print.assume_verified || is_verified;
    print_file(root, &resources, &PrintOptions { assume_verified, ..options.print.clone() }, output)
        // Upstream's driver ends its output with an empty line too, where definitions might stand.
        .and_then(|()| if options.print.local_scope { Ok(()) } else { output.write_all(b"\n") })
        .map_err(|error| output.message(&error))?;
    Ok(Ok(()))
}
