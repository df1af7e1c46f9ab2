//! Object files.

use cranelift_module::default_libcall_names;
use cranelift_object::{ObjectBuilder, ObjectModule};
use dl_ir::{Diagnostic, Diagnostics, Loc, OpRef};

use crate::target::{self, TargetOptions};
use crate::unit::{Unit, Wanted};

/// A module that is lowered to the `llvm` dialect as a position-independent object file.
///
/// # Errors
/// What is not supported, at its place; that there is no such target.
pub fn object(root: OpRef<'_>, options: &TargetOptions) -> Result<Vec<u8>, Diagnostics> {
    let error = |message: String| Diagnostics::from(Diagnostic::error(Loc::UNKNOWN, message));
    let (isa, simplifier) = target::isas(options, true).map_err(error)?;
    let builder = ObjectBuilder::new(isa, "module", default_libcall_names());
    let mut module = ObjectModule::new(builder.map_err(|fault| error(fault.to_string()))?);
    Unit::new(&mut module, root, simplifier, false).build(&Wanted::All, &mut |_, _, _| false)?;
    module.finish().emit().map_err(|fault| error(fault.to_string()))
}
