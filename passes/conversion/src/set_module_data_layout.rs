//! `set-llvm-module-datalayout`: the data layout that a module is translated for.

use dl_ir::Arena;
use dl_ir::pass::{Pass, PassCx, PassInfo, PassOptions, PassResult};

dl_ir::pass_options! {
    /// Options of [`SetLlvmModuleDataLayout`].
    pub struct ModuleDataLayoutOptions {
        /// The data layout, as LLVM writes it
        data_layout "data-layout": String = String::new(),
    }
}

/// Writes down the data layout of a module as its attribute `llvm.data_layout`.
#[derive(Clone, Default)]
pub struct SetLlvmModuleDataLayout {
    /// The options.
    pub options: ModuleDataLayoutOptions,
}

impl Pass for SetLlvmModuleDataLayout {
    const INFO: PassInfo =
        PassInfo::new("set-llvm-module-datalayout", "Attach a datalayout string as a module attribute")
            .title("SetLLVMModuleDataLayoutPass")
            .on("builtin.module");

    fn options(&mut self) -> Option<&mut dyn PassOptions> {
        Some(&mut self.options)
    }

    fn run(&mut self, cx: &mut PassCx<'_>) -> PassResult {
        let (name, layout) = (cx.ctx.ident("llvm.data_layout"), cx.ctx.string_attr(&self.options.data_layout));
        cx.rewriter().set_attr(Arena::ROOT, name, layout);
        cx.preserve::<dl_ir::dominance::Dominance>();
        Ok(())
    }
}
