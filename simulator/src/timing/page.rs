//! A timeline of what the units did, as a page for a browser.

use super::report::Report;
use super::trace::{Unit, quoted};
use crate::program::{Program, Shown};

/// The page, without its data. It needs nothing from outside.
const PAGE: &str = include_str!("page.html");

/// A page with the timeline of `report` ([`crate::Simulation::trace`]) and all that it says: a line for each unit of each core, which can be zoomed; under the
/// mouse, the instruction. Its size is in proportion to the program and to the spans.
pub fn to_html(program: &Program, report: &Report) -> String {
    let mut units: Vec<(usize, Unit)> = report.spans.iter().map(|span| (span.core, span.unit)).collect();
    units.sort_unstable();
    units.dedup();
    let rows = units.into_iter().map(|(core, unit)| {
        let mine = report.spans.iter().filter(|span| (span.core, span.unit) == (core, unit));
        let spans: Vec<String> =
            mine.map(|span| format!("[{},{},{}]", span.start, span.end, span.instruction)).collect();
        let name = text(&format!("core {core} {unit}"));
        format!("{{\"name\":{name},\"core\":{core},\"spans\":[{}]}}", spans.join(","))
    });
    let rows: Vec<String> = rows.collect();
    let texts = program.cores.iter().map(|instructions| {
        let texts: Vec<String> = instructions.iter().map(|each| text(&Shown(program, each).to_string())).collect();
        format!("[{}]", texts.join(","))
    });
    let texts: Vec<String> = texts.collect();
    let data = format!(
        "{{\"program\":{},\"machine\":{},\"cycles\":{},\"report\":{},\n\"rows\":[{}],\n\"texts\":[{}]}}",
        text(&program.name),
        text(&report.machine),
        report.cycles,
        text(&report.to_string()),
        rows.join(",\n"),
        texts.join(",\n"),
    );
    PAGE.replacen("/*DATA*/", &data, 1)
}

/// A string of JSON that can stand in a script of a page: nothing in it ends the script.
fn text(text: &str) -> String {
    quoted(text).replace('<', "\\u003c")
}
