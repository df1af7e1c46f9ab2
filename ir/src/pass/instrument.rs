//! Printing of IR before and after passes.

use std::io::Write;

use parking_lot::Mutex;

use super::traits::PassInfo;
use crate::arena::Arena;
use crate::context::Context;
use crate::text::{PrintOptions, print_op};
use crate::view::OpRef;

/// Which passes something is done for.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub enum PassFilter {
    /// None.
    #[default]
    Never,
    /// All.
    Always,
    /// Those of these names.
    Named(Vec<String>),
}

impl PassFilter {
    fn accepts(&self, name: &str) -> bool {
        match self {
            Self::Never => false,
            Self::Always => true,
            Self::Named(names) => names.iter().any(|own| own == name),
        }
    }

    /// Adds a name, unless all are in already.
    pub fn add(&mut self, name: &str) {
        match self {
            Self::Always => {}
            Self::Never => *self = Self::Named(vec![name.to_owned()]),
            Self::Named(names) => names.push(name.to_owned()),
        }
    }
}

/// Prints IR before and after passes. Passes then run one after the other, so that the text is in order.
pub struct IrPrinting {
    /// Passes before which it is printed.
    pub before: PassFilter,
    /// Passes after which it is printed.
    pub after: PassFilter,
    /// After a pass, only when it has changed something.
    pub only_changed: bool,
    /// After a pass, only when it has failed.
    pub only_failed: bool,
    /// The outermost operation, not just the one the pass ran on.
    pub module_scope: bool,
    /// How to print.
    pub options: PrintOptions,
    /// Where to.
    pub sink: Mutex<Box<dyn Write + Send>>,
}

impl IrPrinting {
    /// Whether it does anything at all.
    pub fn is_active(&self) -> bool {
        self.before != PassFilter::Never || self.after != PassFilter::Never
    }

    /// Text to find out by whether a pass has changed anything, where that matters.
    pub(super) fn fingerprint(&self, cx: &Context, ir: &Arena, pass: &PassInfo) -> Option<String> {
        let needed = self.only_changed && self.after.accepts(pass.name);
        needed.then(|| text_of(OpRef::root(cx, ir), &PrintOptions { generic: true, ..PrintOptions::default() }))
    }

    pub(super) fn before(&self, cx: &Context, top: &Arena, ir: &Arena, pass: &PassInfo) {
        if self.before.accepts(pass.name) {
            self.print(cx, top, ir, &format!("Before {} ({})", pass.title, pass.name));
        }
    }

    pub(super) fn after(
        &self,
        cx: &Context,
        top: &Arena,
        ir: &Arena,
        pass: &PassInfo,
        before: Option<&str>,
        failed: bool,
    ) {
        if !self.after.accepts(pass.name) {
            return;
        }
        if failed {
            self.print(cx, top, ir, &format!("After {} Failed ({})", pass.title, pass.name));
        } else if !self.only_failed && (!self.only_changed || self.fingerprint(cx, ir, pass).as_deref() != before) {
            self.print(cx, top, ir, &format!("After {} ({})", pass.title, pass.name));
        }
    }

    fn print(&self, cx: &Context, top: &Arena, ir: &Arena, title: &str) {
        let root = OpRef::root(cx, ir);
        let of = match (self.module_scope, root.symbol_name()) {
            (false, _) => String::new(),
            (true, Some(name)) => format!(" ('{}' operation: @{name})", root.name()),
            (true, None) => format!(" ('{}' operation)", root.name()),
        };
        let shown = if self.module_scope { OpRef::root(cx, top) } else { root };
        let text = text_of(shown, &self.options);
        let text = text.trim_end_matches('\n');
        // A sink that cannot be written to must not stop the compilation.
        let _ = writeln!(self.sink.lock(), "// -----// IR Dump {title}{of} //----- //\n{text}\n");
    }
}

/// The text of an operation.
pub(super) fn text_of(op: OpRef<'_>, options: &PrintOptions) -> String {
    let mut text = Vec::new();
    print_op(op, options, &mut text).expect("memory can be written to");
    String::from_utf8_lossy(&text).into_owned()
}
