//! `print-ir`: the IR at one place of a pipeline.

use dl_ir::pass::{Pass, PassCx, PassInfo, PassOptions, PassResult};
use dl_ir::text::print_op;

dl_ir::pass_options! {
    /// Options of [`PrintIr`].
    pub struct PrintIrOptions {
        /// What to call this place
        label "label": String = String::new(),
    }
}

/// Prints the operation that it runs on.
#[derive(Clone, Default)]
pub struct PrintIr {
    /// The options.
    pub options: PrintIrOptions,
}

impl Pass for PrintIr {
    const INFO: PassInfo = PassInfo::new("print-ir", "Print IR on the debug stream").title("PrintIRPass");

    fn options(&mut self) -> Option<&mut dyn PassOptions> {
        Some(&mut self.options)
    }

    fn run(&mut self, cx: &mut PassCx<'_>) -> PassResult {
        let label = &self.options.label;
        let space = if label.is_empty() { "" } else { " " };
        let mut text = format!("// -----// IR Dump{space}{label} //----- //\n").into_bytes();
        print_op(cx.root(), &Default::default(), &mut text).map_err(|error| cx.root().error(error))?;
        while text.last() == Some(&b'\n') {
            text.pop();
        }
        text.push(b'\n');
        cx.print(&String::from_utf8_lossy(&text));
        cx.preserve_all();
        Ok(())
    }
}
