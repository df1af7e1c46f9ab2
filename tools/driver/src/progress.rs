//! What a compilation is at, on a terminal.

use std::io::{self, IsTerminal as _};
use std::time::Duration;

use dl_ir::OpRef;
use dl_ir::pass::{Instrumentation, PassInfo};
use indicatif::{ProgressBar, ProgressStyle};

/// Time between two pictures of what turns.
const TICK: Duration = Duration::from_millis(100);

/// A line on standard error, if that is a terminal: how long it has been there, and what is being done. It is gone with the value, before which nothing
/// else should be written there.
pub(crate) struct Progress(Option<ProgressBar>);

impl Progress {
    /// The line, which begins with `what`.
    pub(crate) fn of(what: &'static str) -> Self {
        Self(io::stderr().is_terminal().then(|| {
            let style = ProgressStyle::with_template("{spinner} {elapsed_precise} {prefix} {msg}");
            let bar = ProgressBar::new_spinner().with_style(style.unwrap_or_else(|_| ProgressStyle::default_spinner()));
            bar.set_prefix(what);
            bar.enable_steady_tick(TICK);
            bar
        }))
    }

    /// A handle to the same line for a pipeline, which tells there what pass runs.
    pub(crate) fn of_passes(&self) -> Option<Box<dyn Instrumentation>> {
        let bar = self.0.clone()?;
        Some(Box::new(Passes(bar)))
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        if let Some(bar) = &self.0 {
            bar.finish_and_clear();
        }
    }
}

/// Shows the pass that was started last.
struct Passes(ProgressBar);

impl Instrumentation for Passes {
    fn before_pass(&self, pass: &PassInfo, _op: OpRef<'_>) {
        self.0.set_message(pass.name);
    }
}
