//! `dl-attach-target` and `dl-detach-target`: what a module is compiled for.

use dl_dl::target;
use dl_ir::pass::{Pass, PassCx, PassInfo, PassOptions, PassResult};
use dl_ir::{Arena, Diagnostic};
use dl_machine::Machine;

dl_ir::pass_options! {
    /// Options of [`AttachTarget`].
    pub struct AttachTargetOptions {
        /// CPU, by LLVM's name; native is this machine's
        target_cpu "target-cpu": String = "native".to_owned(),
        /// Features to add or remove, as in +avx2,-fma
        target_features "target-features": String = String::new(),
        /// Number of cores that the program may use; 0 for those of the CPU
        threads "threads": u32 = 1,
        /// Vector registers that the back end leaves to values of the program; 0 for all of the CPU
        vector_registers "vector-registers": u32 = 0,
    }
}

impl AttachTargetOptions {
    /// The machine that the options describe.
    ///
    /// # Errors
    /// That there is no such CPU, or that the features are malformed.
    pub fn machine(&self) -> Result<Machine, String> {
        let known =
            if self.target_cpu == "native" { Some(dl_machine::host()) } else { dl_machine::named(&self.target_cpu) };
        let Some(known) = known else {
            let names: Vec<&str> = dl_machine::names().collect();
            return Err(format!("unknown target CPU '{}'; known are native, {}", self.target_cpu, names.join(", ")));
        };
        let mut machine = known.with_features(&self.target_features)?;
        if self.threads != 0 {
            machine.cores = self.threads;
        }
        if self.vector_registers != 0 {
            machine.vector_registers = self.vector_registers;
        }
        Ok(machine)
    }
}

/// Writes the description of a CPU on the module, unless there is one.
#[derive(Clone, Default)]
pub struct AttachTarget {
    /// The options.
    pub options: AttachTargetOptions,
}

impl Pass for AttachTarget {
    const INFO: PassInfo = PassInfo::new("dl-attach-target", "Write the description of a CPU on the module")
        .title("AttachTarget")
        .on("builtin.module");

    fn options(&mut self) -> Option<&mut dyn PassOptions> {
        Some(&mut self.options)
    }

    fn run(&mut self, cx: &mut PassCx<'_>) -> PassResult {
        if cx.root().attr(target::NAME).is_none() {
            let machine = self.options.machine().map_err(|what| Diagnostic::error(cx.root().loc(), what))?;
            let attr = target::attr(cx.ctx, &machine);
            let name = cx.ctx.ident(target::NAME);
            cx.rewriter().set_attr(Arena::ROOT, name, attr);
        }
        cx.preserve_all();
        Ok(())
    }
}

/// Removes the description of a CPU from the module.
#[derive(Clone, Default)]
pub struct DetachTarget;

impl Pass for DetachTarget {
    const INFO: PassInfo = PassInfo::new("dl-detach-target", "Remove the description of a CPU from the module")
        .title("DetachTarget")
        .on("builtin.module");

    fn run(&mut self, cx: &mut PassCx<'_>) -> PassResult {
        let name = cx.ctx.ident(target::NAME);
        cx.rewriter().remove_attr(Arena::ROOT, name);
        cx.preserve_all();
        Ok(())
    }
}
