//! `docs/onnx-support.md`: what the tests came to.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

use crate::How;
use crate::case::{Case, Outcome};

/// Longest reason that is written, in characters.
const LONGEST: usize = 160;

/// A test that was run.
pub(crate) struct Row {
    pub(crate) how: How,
    pub(crate) case: Case,
    pub(crate) operators: Vec<String>,
    pub(crate) outcome: Outcome,
    /// Whether inputs that decide shapes were bound.
    pub(crate) bound: bool,
}

impl Row {
    fn passes(&self) -> bool {
        matches!(self.outcome, Outcome::Pass)
    }

    /// Of the domains for training and for classical machine learning, which are not imported.
    fn is_of_other_domain(&self) -> bool {
        self.operators.iter().any(|operator| operator.starts_with("ai.onnx."))
    }

    fn reason(&self) -> Option<String> {
        match &self.outcome {
            Outcome::Pass => None,
            Outcome::Unsupported(why) | Outcome::Fail(why) => {
                // The first of several faults.
                let first = why.split("; ").next().unwrap_or_default();
                let short: String = first.chars().take(LONGEST).collect();
                let more = if short.len() < first.len() { "…" } else { "" };
                Some(format!("{}{more}", short.replace('|', "\\|")))
            }
        }
    }
}

/// How many tests there are, and how many pass, each [`How`].
#[derive(Default, Clone, Copy)]
struct Count {
    tests: usize,
    passed: [usize; 3],
    bound: usize,
}

impl Count {
    fn add(&mut self, row: &Row) {
        let at = row.how as usize;
        self.passed[at] += usize::from(row.passes());
        if row.how == How::Interpreted {
            self.tests += 1;
            self.bound += usize::from(row.passes() && row.bound);
        }
    }

    /// Tests, and those that pass each way.
    fn cells(&self) -> String {
        let cell = |passed: usize| {
            let percent = (1000.0 * passed as f64 / self.tests.max(1) as f64).floor() / 10.0;
            format!("{passed} ({percent:.1} %)")
        };
        format!("{} | {}", self.tests, self.passed.map(cell).join(" | "))
    }
}

/// The page.
pub(crate) fn text(mut rows: Vec<Row>) -> String {
    rows.sort_by(|a, b| (&a.case.suite, &a.case.name, a.how).cmp(&(&b.case.suite, &b.case.name, b.how)));
    rows.retain(|row| !row.is_of_other_domain());
    let known: BTreeSet<&str> =
        dl_onnx::operators().into_iter().filter(|op| op.0.is_empty()).map(|(_, name, _, _)| name).collect();
    let is_known = |row: &Row| row.operators.iter().all(|operator| known.contains(&operator[..]));

    let mut text = String::from(
        "# ONNX operators\n\n\
         Written by `cargo xtask onnx` from the node tests of the `onnx` package, each imported, run by the reference interpreter, and compiled and\n\
         run as `dl-run` does it by each back end. Tolerances are those of ONNX's own runner: 1e-3 relative, 1e-7 absolute. Opsets 7 to 22 of the default domain,\n\
         and older ones as far as operators have not changed since.\n\n",
    );
    let mut suites: BTreeMap<&str, [Count; 2]> = BTreeMap::new();
    let mut operators: BTreeMap<&str, Count> = BTreeMap::new();
    for row in &rows {
        let [imported, all] = suites.entry(&row.case.suite).or_default();
        all.add(row);
        if is_known(row) {
            imported.add(row);
            for operator in &row.operators {
                operators.entry(operator).or_default().add(row);
            }
        }
    }
    // Writing to a string does not fail.
    let _ = writeln!(text, "| package | tests | number | interpreted | cranelift | llvm |\n|---|---|---|---|---|---|");
    for (suite, [imported, all]) in &suites {
        let _ = writeln!(text, "| {suite} | of operators that are imported | {} |", imported.cells());
        let _ = writeln!(text, "| | of the whole default domain | {} |", all.cells());
    }
    let bound: usize = suites.values().map(|[imported, _]| imported.bound).sum();
    let _ = writeln!(
        text,
        "\n{bound} of those that pass take an input that decides shapes or ranks, such as `axes`, and that the importer must know: it is bound\n\
         (`--onnx-bind NAME=@FILE`), as it is a constant in models.\n\n\
         ## Operators\n\n\
         An operator without tests here is imported all the same; it is tested by the models in `tests/onnx/models`.\n\n\
         | operator | since opset | tests | interpreted | cranelift | llvm |\n|---|---|---|---|---|---|"
    );
    for (domain, name, since, _) in dl_onnx::operators() {
        let count = if domain.is_empty() { operators.get(name).copied() } else { None }.unwrap_or_default();
        let title = if domain.is_empty() { name.to_owned() } else { format!("{domain}.{name}") };
        let passed = count.passed.map(|passed| passed.to_string()).join(" | ");
        let _ = writeln!(text, "| {title} | {since} | {} | {passed} |", count.tests);
    }
    let _ = writeln!(text, "\n## Tests of these operators that do not pass\n\n| test | how | why |\n|---|---|---|");
    for (row, reason) in rows.iter().filter(|row| is_known(row)).filter_map(|row| Some((row, row.reason()?))) {
        let name = row.case.name.trim_start_matches("test_");
        let _ = writeln!(text, "| {} {name} | {} | {reason} |", row.case.suite, row.how.name());
    }
    let missing: BTreeSet<&str> = rows.iter().flat_map(|row| &row.operators).map(String::as_str).collect();
    let missing: Vec<&str> = missing.into_iter().filter(|operator| !known.contains(operator)).collect();
    let _ = writeln!(text, "\n## Not imported\n\n{}.", missing.join(", "));
    text
}
