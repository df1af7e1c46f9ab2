//! `--perf-report`: a table of kernels, for people or as JSON.

use std::fmt::Write as _;
use std::time::Duration;

use clap::ValueEnum;
use dl_dl::kernels::{Form, Kernel};
use dl_tools_support::trace::quoted;

use super::{Ceilings, Times};

/// How a report is written.
#[derive(ValueEnum, Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum ReportFormat {
    /// A table for people.
    #[default]
    Console,
    /// One object.
    Json,
}

/// What is known of the kernels of a program.
pub(crate) struct Report<'r> {
    /// In the order of the program.
    pub(crate) kernels: &'r [Kernel],
    /// What the machine can do; none where code is made for another one.
    pub(crate) ceilings: Option<&'r Ceilings>,
    /// When kernels ran; none where the program was not run.
    pub(crate) times: Option<&'r Times>,
}

/// The numbers of a row.
struct Numbers {
    operations: Option<u64>,
    bytes: Option<u64>,
    runs: Option<usize>,
    predicted: Option<Duration>,
    measured: Option<Duration>,
}

impl Numbers {
    /// Predicted over measured time.
    fn share(&self) -> Option<f64> {
        let (predicted, measured) = self.predicted.zip(self.measured)?;
        (!measured.is_zero()).then(|| predicted.as_secs_f64() / measured.as_secs_f64())
    }
}

impl Report<'_> {
    /// The report in this format, with the end of its last line.
    pub(crate) fn format(&self, format: ReportFormat) -> String {
        match format {
            ReportFormat::Console => self.table(),
            ReportFormat::Json => self.json(),
        }
    }

    /// The numbers of one call of the program, in which a kernel may run several times.
    fn numbers(&self, number: usize, kernel: &Kernel) -> Numbers {
        let runs = self.times.map(|times| times.runs(number));
        let times = runs.unwrap_or(1) as u64;
        let operations = kernel.operations.as_ref();
        let predicted = self.ceilings.zip(operations).zip(kernel.bytes).map(|((ceilings, operations), bytes)| {
            ceilings.least_time(operations, bytes) * u32::try_from(times).unwrap_or(u32::MAX)
        });
        Numbers {
            operations: operations.map(|all| all.iter().map(|(_, count)| count).sum::<u64>().saturating_mul(times)),
            bytes: kernel.bytes.map(|bytes| bytes.saturating_mul(times)),
            runs,
            predicted,
            measured: self.times.map(|times| times.of_kernel(number)),
        }
    }

    /// All kernels together. What is not known of one is not known of all.
    fn total(&self) -> Numbers {
        let rows: Vec<Numbers> = self.kernels.iter().enumerate().map(|(at, kernel)| self.numbers(at, kernel)).collect();
        Numbers {
            operations: rows.iter().map(|row| row.operations).sum(),
            bytes: rows.iter().map(|row| row.bytes).sum(),
            runs: rows.iter().map(|row| row.runs).sum(),
            predicted: rows.iter().map(|row| row.predicted).sum(),
            measured: rows.iter().map(|row| row.measured).sum(),
        }
    }

    fn table(&self) -> String {
        let mut rows =
            vec![["kernel", "runs", "Mop", "MB", "predicted ms", "measured ms", "roofline", "code"].map(str::to_owned)];
        for (at, kernel) in self.kernels.iter().enumerate() {
            rows.push(row(&kernel.name, &self.numbers(at, kernel), code(kernel)));
        }
        rows.push(row("all kernels", &self.total(), String::new()));
        let widths: Vec<usize> =
            (0..8).map(|column| rows.iter().map(|row| row[column].chars().count()).max().unwrap_or(0)).collect();
        let mut text = String::new();
        for row in &rows {
            let mut line = format!("{:<width$}", row[0], width = widths[0]);
            for column in 1..7 {
                let _ = write!(line, "  {:>width$}", row[column], width = widths[column]);
            }
            let _ = write!(line, "  {}", row[7]);
            let _ = writeln!(text, "{}", line.trim_end());
        }
        if let Some(times) = self.times {
            let (calls, call) = (times.calls.len(), millis(times.of_call()));
            let _ = writeln!(text, "a call takes {call} ms, the median of {calls}");
            if times.dropped > 0 {
                let _ = writeln!(text, "{} runs of kernels were not counted: there were too many", times.dropped);
            }
        }
        if let Some(ceilings) = self.ceilings {
            let copies =
                ceilings.copies.iter().map(|(size, rate)| format!("{:.1} GB/s in {}", rate / 1e9, bytes(*size)));
            let copies = copies.collect::<Vec<_>>().join(", ");
            let _ = writeln!(text, "roofline: {:.1} Gop/s of f32; copies {copies}", ceilings.f32_rate / 1e9);
        }
        text
    }

    fn json(&self) -> String {
        let mut kernels = Vec::new();
        for (at, kernel) in self.kernels.iter().enumerate() {
            let mut fields = vec![
                format!("\"name\": {}", quoted(&kernel.name)),
                format!("\"function\": {}", quoted(&kernel.function)),
                format!("\"code\": {}", quoted(kernel.form.name())),
            ];
            if let Form::Scalar(why) = &kernel.form {
                fields.push(format!("\"why\": {}", quoted(why)));
            }
            if let Some(operations) = &kernel.operations {
                let counts: Vec<String> =
                    operations.iter().map(|(ty, count)| format!("{}: {count}", quoted(ty))).collect();
                fields.push(format!("\"operations_of_a_run\": {{{}}}", counts.join(", ")));
            }
            fields.extend(members(&self.numbers(at, kernel)));
            kernels.push(format!("  {{{}}}", fields.join(", ")));
        }
        let mut fields = vec![format!("\"kernels\": [\n{}\n]", kernels.join(",\n"))];
        fields.push(format!("\"all\": {{{}}}", members(&self.total()).join(", ")));
        if let Some(times) = self.times {
            fields.push(format!("\"calls\": {}, \"call_ms\": {}", times.calls.len(), millis(times.of_call())));
        }
        if let Some(ceilings) = self.ceilings {
            let copies = ceilings
                .copies
                .iter()
                .map(|(size, rate)| format!("{{\"bytes\": {size}, \"gb_s\": {:.3}}}", rate / 1e9));
            let copies = copies.collect::<Vec<_>>().join(", ");
            fields.push(format!("\"f32_gop_s\": {:.3}, \"copies\": [{copies}]", ceilings.f32_rate / 1e9));
        }
        format!("{{{}}}\n", fields.join(",\n"))
    }
}

/// The members of a JSON object that are known.
fn members(numbers: &Numbers) -> Vec<String> {
    let all = [
        numbers.runs.map(|runs| format!("\"runs\": {runs}")),
        numbers.operations.map(|operations| format!("\"operations\": {operations}")),
        numbers.bytes.map(|bytes| format!("\"bytes\": {bytes}")),
        numbers.predicted.map(|time| format!("\"predicted_ms\": {}", millis(time))),
        numbers.measured.map(|time| format!("\"measured_ms\": {}", millis(time))),
        numbers.share().map(|share| format!("\"roofline\": {share:.4}")),
    ];
    all.into_iter().flatten().collect()
}

/// The cells of a row; `?` for what extents that are not known leave open, nothing for what was not measured.
fn row(name: &str, numbers: &Numbers, code: String) -> [String; 8] {
    let millions = |count: Option<u64>| count.map_or("?".to_owned(), |count| format!("{:.3}", count as f64 / 1e6));
    let time = |time: Option<Duration>| time.map_or(String::new(), millis);
    [
        if name.is_empty() { "?".to_owned() } else { name.to_owned() },
        numbers.runs.map_or(String::new(), |runs| runs.to_string()),
        millions(numbers.operations),
        millions(numbers.bytes),
        time(numbers.predicted),
        time(numbers.measured),
        numbers.share().map_or(String::new(), |share| format!("{:.0} %", 100.0 * share)),
        code,
    ]
}

fn code(kernel: &Kernel) -> String {
    match &kernel.form {
        Form::Scalar(why) => format!("scalar: {why}"),
        form => form.name().to_owned(),
    }
}

/// Milliseconds to the tenth of a microsecond.
fn millis(time: Duration) -> String {
    format!("{:.4}", time.as_secs_f64() * 1e3)
}

/// A size in binary units.
fn bytes(size: u64) -> String {
    if size >= 1 << 20 { format!("{} MiB", size >> 20) } else { format!("{} KiB", size >> 10) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kernels() -> Vec<Kernel> {
        let kernel = |name: &str, form| Kernel {
            function: "main".to_owned(),
            name: name.to_owned(),
            operations: Some(vec![("f32".to_owned(), 2_000_000)]),
            bytes: Some(1_000_000),
            form,
        };
        let unknown =
            Kernel { operations: None, bytes: None, ..kernel("second", Form::Scalar("so \"it\" is".to_owned())) };
        vec![kernel("first", Form::Vector), unknown]
    }

    // Without times and ceilings only what the pipeline knows is told.
    #[test]
    fn what_is_not_known_is_not_made_up() {
        let kernels = kernels();
        let report = Report { kernels: &kernels, ceilings: None, times: None };
        let expected = [
            "kernel       runs    Mop     MB  predicted ms  measured ms  roofline  code",
            "first              2.000  1.000                                       vector",
            "second                 ?      ?                                       scalar: so \"it\" is",
            "all kernels            ?      ?",
            "",
        ];
        assert_eq!(report.format(ReportFormat::Console), expected.join("\n"));
        let expected = [
            "{\"kernels\": [",
            "  {\"name\": \"first\", \"function\": \"main\", \"code\": \"vector\", \"operations_of_a_run\": {\"f32\": 2000000}, \
             \"operations\": 2000000, \"bytes\": 1000000},",
            "  {\"name\": \"second\", \"function\": \"main\", \"code\": \"scalar\", \"why\": \"so \\\"it\\\" is\"}",
            "],",
            "\"all\": {}}",
            "",
        ];
        assert_eq!(report.format(ReportFormat::Json), expected.join("\n"));
    }

    #[test]
    fn shares_are_of_the_predicted_time() {
        let time = |millis| Some(Duration::from_millis(millis));
        let numbers = Numbers { operations: None, bytes: None, runs: None, predicted: time(3), measured: time(4) };
        assert_eq!(row("x", &numbers, String::new())[4..7], ["3.0000", "4.0000", "75 %"]);
    }
}
