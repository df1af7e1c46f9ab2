//! The target `pipeline`: texts of pass pipelines.

use dl_ir::diagnostics::{ColorChoice, Renderer};
use dl_ir::pass::parse_pipeline;

use super::{Checked, Finding};
use crate::Lab;

/// What parses prints to a text that means the same.
pub(super) fn run(lab: &mut Lab, input: &[u8]) -> Checked {
    let (bench, passes) = lab.bench(input);
    let cx = &bench.cx;
    let Ok(text) = std::str::from_utf8(input) else { return Ok(()) };
    let first = match parse_pipeline(cx, passes, text) {
        Ok(pm) => pm.text(),
        Err(error) => {
            Renderer::new(cx, ColorChoice::Never).render(&error);
            return Ok(());
        }
    };
    match parse_pipeline(cx, passes, &first) {
        Ok(again) if again.text() == first => {}
        Ok(again) => {
            return Err(Finding::new("printing again gives another pipeline", format!("{first}\n{}", again.text())));
        }
        Err(error) => {
            return Err(Finding::new("a printed pipeline is rejected", format!("{first}\n{}", error.message)));
        }
    }
    Ok(())
}
