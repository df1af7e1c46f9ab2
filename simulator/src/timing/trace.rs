//! A timeline of what the units did, for a trace viewer.

use std::fmt::{self, Write as _};

use crate::machine::Machine;
use crate::program::{Program, Shown};

/// Part of a core that has a line of its own in a timeline.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Unit {
    /// A DMA engine.
    Dma(usize),
    /// Loading the stationary operand.
    Preload,
    /// The array.
    Matrix,
    /// Unloading sums.
    Unload,
    /// The vector unit.
    Vector,
}

impl fmt::Display for Unit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Dma(engine) => write!(f, "dma {engine}"),
            Self::Preload => f.write_str("matrix preload"),
            Self::Matrix => f.write_str("matrix"),
            Self::Unload => f.write_str("matrix unload"),
            Self::Vector => f.write_str("vector"),
        }
    }
}

/// What a unit did for a time.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Span {
    /// The core.
    pub core: usize,
    /// The unit.
    pub unit: Unit,
    /// The instruction that it worked on.
    pub instruction: usize,
    /// The first cycle.
    pub start: u64,
    /// The cycle after the last one.
    pub end: u64,
}

/// The timeline as Chrome's trace events (JSON), which `chrome://tracing` and Perfetto show: a process for each core, a thread for each unit. One
/// microsecond there is one cycle.
pub fn to_chrome_trace(machine: &Machine, program: &Program, spans: &[Span]) -> String {
    let mut lines: Vec<String> = Vec::new();
    let mut threads: Vec<(usize, Unit)> = spans.iter().map(|span| (span.core, span.unit)).collect();
    threads.sort_unstable();
    threads.dedup();
    let thread = |core, unit| threads.iter().position(|known| *known == (core, unit)).unwrap_or_default();
    for &(core, unit) in &threads {
        let id = thread(core, unit);
        lines.push(format!(
            r#"{{"name":"process_name","ph":"M","pid":{core},"args":{{"name":"{} core {core}"}}}}"#,
            machine.name
        ));
        lines.push(format!(r#"{{"name":"thread_name","ph":"M","pid":{core},"tid":{id},"args":{{"name":"{unit}"}}}}"#));
    }
    for span in spans {
        let instruction = &program.cores[span.core][span.instruction];
        let (start, length, id) = (span.start, span.end - span.start, thread(span.core, span.unit));
        lines.push(format!(
            r#"{{"name":"{}","ph":"X","pid":{},"tid":{id},"ts":{start},"dur":{length},"args":{{"instruction":{},"text":{}}}}}"#,
            instruction.op.name(),
            span.core,
            span.instruction,
            quoted(&Shown(program, instruction).to_string()),
        ));
    }
    format!("{{\"traceEvents\":[\n{}\n]}}\n", lines.join(",\n"))
}

/// A JSON string.
pub(super) fn quoted(text: &str) -> String {
    let mut quoted = String::from('"');
    for c in text.chars() {
        match c {
            '"' | '\\' => quoted.extend(['\\', c]),
            c if c.is_control() => {
                let _ = write!(quoted, "\\u{:04x}", u32::from(c));
            }
            c => quoted.push(c),
        }
    }
    quoted.push('"');
    quoted
}
