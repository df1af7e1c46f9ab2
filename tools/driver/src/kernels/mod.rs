//! `--perf-report`, `--profile` and `--deny=scalar-fallback`: what is known of a program's kernels.
//!
//! The pipeline says which kernels there are and what they are like (`dl-list-kernels`), the program when each runs (`dl_runtime::kernels`), and
//! [`ceilings`] what this machine could do. Nothing is guessed here.

mod ceilings;
mod profile;
mod report;
mod times;

use dl_dl::kernels::{Form, Kernel};
use dl_ir::Diagnostics;
use dl_tools_support::messages;

pub(crate) use self::ceilings::Ceilings;
pub(crate) use self::profile::profile;
pub(crate) use self::report::{Report, ReportFormat};
pub(crate) use self::times::{Times, measure};

use crate::backend::Backend;
use crate::codegen::{CodegenOptions, Denied, KernelFacts};
use crate::program::Program;

/// The kernels of a program that was lowered for `backend` with these options. Empty where nobody asks for them.
///
/// # Errors
/// That nothing has listed them although someone asks, and that one computes element by element where that is denied.
pub(crate) fn listed(
    program: &mut Program<'_>,
    was_lowered: bool,
    backend: &dyn Backend,
    options: &CodegenOptions,
) -> Result<Vec<Kernel>, Diagnostics> {
    let listed = program.take_kernels();
    let denies_scalar = options.deny.contains(&Denied::ScalarFallback);
    if options.kernels == KernelFacts::None && !denies_scalar {
        return Ok(Vec::new());
    }
    let Some(kernels) = listed else {
        let why = match backend.name() {
            _ if was_lowered => "its kernels are not known, since it is lowered already".to_owned(),
            "llvm" | "cranelift" => "the pipeline that lowers it has no 'dl-list-kernels'".to_owned(),
            name => format!("the back end '{name}' has no kernels"),
        };
        return Err(messages::error(format!("unsupported: reports on this program: {why}")));
    };
    // The pipelines of back ends say so themselves, and where.
    let scalar = kernels.iter().find_map(|kernel| match &kernel.form {
        Form::Scalar(why) if denies_scalar => Some((kernel, why)),
        _ => None,
    });
    match scalar {
        Some((kernel, why)) => {
            Err(messages::error(format!("kernel '{}' is computed element by element: {why}", kernel.name)))
        }
        None => Ok(kernels),
    }
}
