//! `accelerator-attach-target`: which machine a module is compiled for.

use dl_accelerator::target;
use dl_ir::pass::{Pass, PassCx, PassInfo, PassOptions, PassResult};
use dl_ir::{Arena, Diagnostic};

dl_ir::pass_options! {
    /// Options of [`AttachTarget`].
    pub struct AttachTargetOptions {
        /// File that describes the machine, in TOML
        target "target": String = String::new(),
    }
}

/// Writes the description of a machine on the module, unless there is one.
#[derive(Clone, Default)]
pub struct AttachTarget {
    /// The options.
    pub options: AttachTargetOptions,
}

impl Pass for AttachTarget {
    const INFO: PassInfo =
        PassInfo::new("accelerator-attach-target", "Write the description of an accelerator on the module")
            .title("AcceleratorAttachTarget")
            .on("builtin.module");

    fn options(&mut self) -> Option<&mut dyn PassOptions> {
        Some(&mut self.options)
    }

    fn run(&mut self, cx: &mut PassCx<'_>) -> PassResult {
        if cx.root().attr(target::NAME).is_none() {
            let file = &self.options.target;
            let fault = |message: String| Diagnostic::error(cx.root().loc(), message);
            if file.is_empty() {
                return Err(fault("expected the option 'target', a file that describes the machine".to_owned()).into());
            }
            let text = std::fs::read_to_string(file)
                .map_err(|error| fault(format!("cannot read the description '{file}': {error}")))?;
            let attr = target::from_toml(cx.ctx, &text).map_err(|errors| {
                let lines: Vec<String> = errors.lines().map(|line| format!("{file}:{line}")).collect();
                fault(lines.join("\n"))
            })?;
            let name = cx.ctx.ident(target::NAME);
            cx.rewriter().set_attr(Arena::ROOT, name, attr);
        }
        cx.preserve_all();
        Ok(())
    }
}
